"""Layouts as values."""

import pytest

from vision.layout.roles import Group, Layout, Role


def test_layouts_are_valid_once_built() -> None:
    with pytest.raises(ValueError, match="one group at most"):
        Layout((Group(Role.CONCEALED, (0, 1)), Group(Role.MELD, (1, 2, 3))), (False,) * 4)
    with pytest.raises(ValueError, match="must be a tile"):
        Layout((Group(Role.CONCEALED, (0, 5)),), (False,) * 4)
    with pytest.raises(ValueError, match="must be a tile"):
        Layout((), (False,) * 4, frozenset({4}))


def test_renumbered_layout_names_tiles_in_reading_order() -> None:
    groups = Group(Role.FLOWER, (3,)), Group(Role.CONCEALED, (2, 0))
    layout = Layout(groups, (True, False, False, False), frozenset({0, 3}))
    assert layout.reading_order == (3, 2, 0, 1)
    ordered = layout.renumbered()
    assert ordered.groups == (Group(Role.FLOWER, (0,)), Group(Role.CONCEALED, (1, 2)))
    assert ordered.sideways == (False, False, True, False)
    assert ordered.unsure == {0, 2}
    assert ordered.roles == (Role.FLOWER, Role.CONCEALED, Role.CONCEALED, Role.STRAY)
