"""Random winning hands, plain and rich in patterns, for comparing engines and for properties."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from random import Random

from scorer import KNITTED_ARRANGEMENTS, ORPHANS, Circumstances, Hand, Meld, MeldKind
from scorer import SUIT_AND_HONOUR_FACES as FACE
from scorer.tiles import FACE_INDEX

Sets = list[tuple[str, list[int]]]


def random_win(rng: Random) -> tuple[Hand, Circumstances]:
    """A winning hand of a random shape with circumstances it can have been won in."""
    while True:
        sets, loose = _shape(rng)
        used = Counter(loose)
        for _, faces in sets:
            used.update(faces)
        if max(used.values()) <= 4:
            return _won(rng, sets, loose)


def one_suit_wins() -> list[tuple[int, ...]]:
    """The ranks of every hand of fourteen tiles of one suit that four sets and a pair or seven pairs make."""
    blocks = [(low, low + 1, low + 2) for low in range(1, 8)] + [(rank,) * 3 for rank in range(1, 10)]
    found = set()
    for sets in combinations_with_replacement(blocks, 4):
        for pair in range(1, 10):
            ranks = tuple(sorted([*(rank for block in sets for rank in block), pair, pair]))
            if all(ranks.count(rank) <= 4 for rank in ranks):
                found.add(ranks)
    for pairs in combinations_with_replacement(range(1, 10), 7):
        if all(pairs.count(rank) <= 2 for rank in pairs):
            found.add(tuple(sorted(pairs * 2)))
    return sorted(found)


def _shape(rng: Random) -> tuple[Sets, list[int]]:
    """Sets that may be melded, and the other tiles."""
    kind = rng.random()
    if kind < 0.82:
        return _standard(rng, 4)
    if kind < 0.88:
        return [], _pairs(rng)
    if kind < 0.91:
        orphans = [FACE_INDEX[face] for face in ORPHANS]
        return [], [*orphans, rng.choice(orphans)]
    knitted = [FACE_INDEX[face] for face in rng.choice(KNITTED_ARRANGEMENTS)]
    if kind < 0.95:
        return [], rng.sample([*knitted, *range(27, 34)], 14)
    sets, pair = _standard(rng, 1)
    return sets, [*pair, *knitted]


def _pairs(rng: Random) -> list[int]:
    if rng.random() < 0.3:
        low = 9 * rng.randrange(3) + rng.randrange(3)
        return [face for face in range(low, low + 7) for _ in range(2)]
    pool = _pool(rng)
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


def _standard(rng: Random, number: int) -> tuple[Sets, list[int]]:
    pool = _pool(rng)
    chow_share = rng.choice((0.0, 0.3, 0.7, 1.0, 1.0))
    lows = [face for face in pool if face < 27 and face % 9 < 7 and {face + 1, face + 2} <= set(pool)]
    sets: Sets = []
    step = rng.choice((0, 1, 2, 3, None, None))
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
                follow = [other for other in pool if other < 27 and other % 9 == sets[-1][1][0] % 9 + 1]
                face = rng.choice(follow) if follow else face
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
    return Circumstances(self_drawn, last, kong, fourth, rng.choice("ESWN"), rng.choice("ESWN"))
