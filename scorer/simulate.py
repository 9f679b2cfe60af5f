"""Random winning hands for those who measure: seeded, with a documented distribution.

Two mixes. Every number below is a share of the hands.

``PLAIN``, hands without a plan: 97 % four sets and a pair, 2 % seven pairs, and a third of a per cent each of
thirteen orphans, knitted singles and knitted straights. Sets are drawn from all faces, 70 % of them chows.

``PATTERNED``, rich in fans: 82 % four sets and a pair, 6 % seven pairs (three in ten of seven consecutive ranks), 3 %
thirteen orphans, 4 % knitted singles, 5 % knitted straights. The sets of a hand are drawn from one pool: one suit in
two fifths of the hands, two in one fifth, three in two fifths, often only a band of ranks; with the honours in a
quarter; or only terminals and honours (10 %), only honours (5 %), only green tiles (6 %), only reversible tiles (6
%). In two thirds of the hands each chow follows the one before by a fixed step in its ranks, and pungs tend to follow
each other, so that combinations of sets are frequent. The share of chows is 0, 30, 70 or 100 %.

In both: no set is melded in 40 % of the hands; in the others 30 %, 60 % or all of the sets are. Three in ten pungs,
or eight, become kongs in a quarter of the hands each, half of them concealed. The winning tile is any tile that is
not melded. Half of the wins are self-drawn; flags are set in 10 to 15 % of the hands that allow them; winds are
uniform; one hand in ten has flowers, as a number. By rules with opening wins, one concealed hand in ten is one; by
rules with fans of single flowers, flowers have faces. The distribution may change with a minor version, never with a
patch.

>>> from scorer import format_hand
>>> [format_hand(*won) for won in winning_hands(2, seed=1)]
['1234456789p[123p]1p|NS0000', '147m25p369sSS[CCC]8p|SE0100']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from scorer.circumstances import Circumstances, Opening
from scorer.fans import CATALOGUE
from scorer.fans.model import PlainCounts
from scorer.hand import Hand, Meld, MeldKind
from scorer.profile_file import profile_named
from scorer.profiles import DEFAULT, Profile
from scorer.tiles import FACE_INDEX, FLOWERS, KNITTED_ARRANGEMENTS, ORPHANS, WINDS
from scorer.tiles import SUIT_AND_HONOUR_FACES as FACE

Sets = list[tuple[str, list[int]]]
Won = tuple[Hand, Circumstances]


@dataclass(frozen=True)
class Mix:
    """Which hands are drawn: the bounds of the shapes on a scale from 0 to 1, and whether pools are narrowed."""

    standard: float
    seven_pairs: float
    orphans: float
    singles: float
    patterned: bool


PATTERNED: Final = Mix(0.82, 0.88, 0.91, 0.95, patterned=True)
PLAIN: Final = Mix(0.97, 0.99, 0.99 + 1 / 300, 0.99 + 2 / 300, patterned=False)


def winning_hands(
    number: int, *, seed: int, mix: Mix = PATTERNED, profile: str | Profile = DEFAULT
) -> Iterator[Won]:
    """So many random winning hands, the same for the same seed."""
    rng = Random(seed)
    rules = profile if isinstance(profile, Profile) else profile_named(profile)
    for _ in range(number):
        yield random_win(rng, mix, rules)


def random_win(rng: Random, mix: Mix = PATTERNED, profile: Profile = DEFAULT) -> Won:
    """A winning hand of a random shape with circumstances it can have been won in."""
    while True:
        sets, loose = _shape(rng, mix)
        used = Counter(loose)
        for _, faces in sets:
            used.update(faces)
        if max(used.values()) <= 4:
            return _by_rules(rng, _won(rng, sets, loose), profile)


def _by_rules(rng: Random, won: Won, profile: Profile) -> Won:
    """The same hand with an opening win or with faces of flowers, if the rules have fans of them."""
    hand, how = won
    added = {fan.name for fan in profile.fans} - _USUAL
    if hand.flowers and any(profile.by_name[name].sees is PlainCounts for name in added):
        flowers = tuple(rng.sample(FLOWERS, hand.flower_count))
        hand = Hand(hand.concealed, hand.melds, hand.winning_tile, flowers)
    if added & {"天胡", "地胡", "人胡"} and not hand.melds and rng.random() < 0.1:
        opening = {"E": Opening.HEAVENLY, "S": Opening.EARTHLY}.get(how.seat_wind, Opening.HUMAN)
        drawn = how.self_drawn or opening is Opening.HEAVENLY
        how = Circumstances(drawn, False, False, False, how.seat_wind, how.prevalent_wind, opening)
    return hand, how


_USUAL: Final = {fan.name for fan in CATALOGUE}


def _shape(rng: Random, mix: Mix) -> tuple[Sets, list[int]]:
    """Sets that may be melded, and the other tiles."""
    kind = rng.random()
    if kind < mix.standard:
        return _standard(rng, 4, mix)
    if kind < mix.seven_pairs:
        return [], _pairs(rng, mix)
    if kind < mix.orphans:
        orphans = [FACE_INDEX[face] for face in ORPHANS]
        return [], [*orphans, rng.choice(orphans)]
    knitted = [FACE_INDEX[face] for face in rng.choice(KNITTED_ARRANGEMENTS)]
    if kind < mix.singles:
        return [], rng.sample([*knitted, *range(27, 34)], 14)
    sets, pair = _standard(rng, 1, mix)
    return sets, [*pair, *knitted]


def _pairs(rng: Random, mix: Mix) -> list[int]:
    if mix.patterned and rng.random() < 0.3:
        low = 9 * rng.randrange(3) + rng.randrange(3)
        return [face for face in range(low, low + 7) for _ in range(2)]
    pool = _pool(rng) if mix.patterned else list(range(34))
    return [face for face in rng.choices(pool, k=7) for _ in range(2)]


def _pool(rng: Random) -> list[int]:
    """Faces to draw from: all, some suits, a band of ranks, outside tiles or honours."""
    suits = rng.sample(range(3), rng.choice((1, 1, 2, 3, 3)))
    low = rng.choice((0, 0, 0, 0, 3, 5, 6))
    high = rng.choice((low + 3, low + 4, 9, 9, 9))
    pool = [9 * suit + rank for suit in suits for rank in range(low, min(high, 9))]
    style = rng.random()
    if style < 0.25:
        pool += range(27, 34)
    elif style < 0.35:
        pool = [FACE_INDEX[face] for face in ORPHANS]
    elif style < 0.40:
        pool = list(range(27, 34))
    elif style < 0.46:
        pool = [19, 20, 21, 23, 25, 32]
    elif style < 0.52:
        pool = [9, 10, 11, 12, 13, 16, 17, 19, 21, 22, 23, 25, 26, 33]
    return pool


def _standard(rng: Random, number: int, mix: Mix) -> tuple[Sets, list[int]]:
    pool = _pool(rng) if mix.patterned else list(range(34))
    chow_share = rng.choice((0.0, 0.3, 0.7, 1.0, 1.0)) if mix.patterned else 0.7
    lows = [face for face in pool if face < 27 and face % 9 < 7 and {face + 1, face + 2} <= set(pool)]
    sets: Sets = []
    step = rng.choice((0, 1, 2, 3, None, None)) if mix.patterned else None
    for _ in range(number):
        if lows and rng.random() < chow_share:
            low = rng.choice(lows)
            if sets and step is not None and sets[-1][0] == "chow":
                follow = sets[-1][1][0] % 9 + step
                same = [face for face in lows if face % 9 == follow]
                low = rng.choice(same) if same else low
            sets.append(("chow", [low, low + 1, low + 2]))
        else:
            face = rng.choice(pool)
            if sets and step and sets[-1][0] == "pung" and rng.random() < 0.6:
                after = [other for other in pool if other < 27 and other % 9 == sets[-1][1][0] % 9 + 1]
                face = rng.choice(after) if after else face
            sets.append(("pung", [face] * 3))
    return sets, [rng.choice(pool)] * 2


def _won(rng: Random, sets: Sets, loose: list[int]) -> tuple[Hand, Circumstances]:
    share = rng.choice((0.0, 0.0, 0.3, 0.6, 1.0))
    kong_share = rng.choice((0.0, 0.0, 0.3, 0.8))
    melds: list[Meld] = []
    concealed = list(loose)
    used = Counter(loose)
    for _, faces in sets:
        used.update(faces)
    for kind, faces in sets:
        names = tuple(FACE[face] for face in faces)
        if kind == "pung" and used[faces[0]] == 3 and rng.random() < kong_share:
            used[faces[0]] += 1
            melds.append(Meld.kong(names[0], concealed=rng.random() < 0.5))
        elif rng.random() < share:
            melds.append(Meld(MeldKind.CHOW if kind == "chow" else MeldKind.PUNG, names))
        else:
            concealed += faces
    rng.shuffle(concealed)
    winning = FACE[concealed.pop()]
    flowers = rng.randrange(9) if rng.random() < 0.1 else 0
    hand = Hand(tuple(FACE[face] for face in concealed), tuple(melds), winning, flowers)
    return hand, _circumstances(rng, hand)


def _circumstances(rng: Random, hand: Hand) -> Circumstances:
    self_drawn = rng.random() < 0.5
    only_copy = hand.tiles.count(hand.winning_tile) == 1
    has_kong = any(meld.is_kong for meld in hand.melds)
    kong = rng.random() < 0.15 and (has_kong if self_drawn else only_copy)
    last = rng.random() < 0.1 and (self_drawn or not kong)
    fourth = rng.random() < 0.15 and hand.winning_tile not in hand.concealed
    return Circumstances(self_drawn, last, kong, fourth, rng.choice(WINDS), rng.choice(WINDS))
