"""Drafts for the tests, written as a person would lay the tiles."""

from typing import Any

Json = dict[str, Any]


def tile(number: int, face: str, role: str = "concealed", **more: Any) -> Json:
    """A tile of a draft as the page sends it."""
    return {"id": number, "face": face, "role": role} | more


def faces_of(text: str) -> list[str]:
    """The faces of a text such as "123m55z"."""
    faces, digits = [], ""
    for letter in text:
        if letter.isdigit():
            digits += letter
        else:
            faces += [digit + letter for digit in digits]
            digits = ""
    return faces


def draft(
    concealed: str = "",
    melds: tuple[str, ...] = (),
    winning: str | None = None,
    flowers: str = "",
    **more: Any,
) -> Json:
    """A draft with these tiles, numbered from 0 in this order: melds, concealed tiles, winning tile, flowers."""
    laid = [(face, "meld", group) for group, meld in enumerate(melds) for face in faces_of(meld)]
    laid += [(face, "concealed", None) for face in faces_of(concealed)]
    laid += [(winning, "winning", None)] if winning else []
    laid += [(face, "flower", None) for face in faces_of(flowers)]
    tiles = [tile(number, face, role, group=group) for number, (face, role, group) in enumerate(laid)]
    return {"tiles": tiles, "hidden": []} | more
