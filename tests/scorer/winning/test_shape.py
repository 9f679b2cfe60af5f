"""The quick test for a winning shape says what the scorer says."""

from hypothesis import given, settings
from hypothesis import strategies as st

from scorer import SUIT_AND_HONOUR_FACES, Hand, Meld, is_winning, parse_hand, tiles_away


def counts_of(faces: list[str]) -> tuple[int, ...]:
    return tuple(faces.count(face) for face in SUIT_AND_HONOUR_FACES)


def agrees(faces: list[str], melds: tuple[Meld, ...]) -> bool:
    hand = Hand(tuple(faces[:-1]), melds, faces[-1])
    return is_winning(counts_of(faces), len(melds)) == (tiles_away(hand) == 0)


def test_each_of_the_five_shapes() -> None:
    for text in (
        "123m456m789p11z222z",
        "1133m5577p99s1122z",
        "19m19p19s12345677z",
        "147m258p369s12345z",
        "147m258p369s123m55z",
    ):
        faces = []
        ranks = ""
        for letter in text:
            if letter.isdigit():
                ranks += letter
            else:
                faces += [f"{rank}{letter}" for rank in ranks]
                ranks = ""
        assert is_winning(counts_of(faces)), text
        assert agrees(faces, ())


def test_a_hand_with_melds() -> None:
    hand, _ = parse_hand("[777z]11p567s345m78s+9s|EE1000")
    faces = [*hand.concealed, hand.winning_tile]
    assert is_winning(counts_of(faces), 1)
    assert not is_winning(counts_of(faces), 0)


@st.composite
def sets_with_a_flaw(draw: st.DrawFn) -> list[str]:
    """Four sets and a pair with up to two tiles exchanged, at most four of a face."""
    wall = [face for face in SUIT_AND_HONOUR_FACES for _ in range(4)]
    faces: list[str] = []
    for _ in range(4):
        low = draw(st.integers(0, 33))
        if low < 27 and low % 9 <= 6 and draw(st.booleans()):
            faces += SUIT_AND_HONOUR_FACES[low : low + 3]
        else:
            faces += [SUIT_AND_HONOUR_FACES[low]] * 3
    faces += [SUIT_AND_HONOUR_FACES[draw(st.integers(0, 33))]] * 2
    for _ in range(draw(st.integers(0, 2))):
        faces[draw(st.integers(0, 13))] = SUIT_AND_HONOUR_FACES[draw(st.integers(0, 33))]
    kept: list[str] = []
    for face in faces:
        spare = face if kept.count(face) < 4 else next(f for f in wall if kept.count(f) < 4)
        kept.append(spare)
    return kept


@given(sets_with_a_flaw())
@settings(max_examples=150, deadline=None)
def test_agrees_with_the_scorer(faces: list[str]) -> None:
    assert agrees(faces, ())


@given(sets_with_a_flaw(), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_agrees_with_the_scorer_beside_melds(faces: list[str], count: int) -> None:
    loose = faces[3 * count :]
    free = [face for face in ("1z", "2z", "3z", "4z") if face not in loose][:count]
    melds = tuple(Meld.pung(face) for face in free)
    if len(melds) == count:
        assert agrees(loose, melds)
