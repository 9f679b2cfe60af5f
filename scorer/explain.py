"""Why a hand scores what it scores: data first, text second.

>>> from scorer import parse_hand, score
>>> told = explain(score(*parse_hand("123m789m123s78s55p+9s")))
>>> [(each.fan.name, each.count) for each in told.counted]
[('三色双龙会', 1), ('门前清', 1)]
>>> [(each.fan.name, each.principle.name, each.by) for each in told.dropped][:2]
[('平和', 'NON_REPEAT', ('三色双龙会',)), ('喜相逢', 'NON_REPEAT', ('三色双龙会',))]
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scorer.bitboard import CHOW_FIELD, PAIR_SHIFT, PUNG_FIELD, PUNG_SHIFT, bits_of, chows_of
from scorer.engine.linking import Link, Linker
from scorer.engine.search import Candidate, Engine
from scorer.fans.model import Fan, ShapeKind
from scorer.reading import PARTS, Reading, Tiles, chow_tiles, reading_of
from scorer.scoring import FanAward, Score, fan_counts, tiles_by_fan
from scorer.tiles import SUIT_AND_HONOUR_FACES as FACE
from scorer.tiles import unicode_tile


class Principle(StrEnum):
    """The five principles of counting; the fifth, 就高不就低, chooses between readings."""

    NON_REPEAT = "不重复"
    NON_SEPARATION = "不拆移"
    NON_IDENTICAL = "不得相同"
    ACCOUNT_ONCE = "套算一次"
    HIGHEST = "就高不就低"


PRINCIPLES: dict[Principle, tuple[str, str]] = {
    Principle.NON_REPEAT: ("已包含在{by}中", "already implied by {by}"),
    Principle.NON_SEPARATION: ("{by}的牌组不得拆开重组", "the sets of {by} may not be regrouped"),
    Principle.NON_IDENTICAL: (
        "其中的牌组已计过同一番种",
        "one of these sets already counts for the same fan",
    ),
    Principle.ACCOUNT_ONCE: (
        "这些牌组已由{by}相连,每副牌只可再套算一次",
        "these sets are already linked through {by}; each may be joined only once",
    ),
    Principle.HIGHEST: ("另一种组合分数更高", "another choice is worth more"),
}


@dataclass(frozen=True)
class Dropped:
    """A fan that is present but does not count: its tiles, why, and the counted fans that remove it."""

    fan: Fan
    tiles: Tiles
    principle: Principle
    by: tuple[str, ...]

    def reason(self, language: str = "en") -> str:
        """The reason in words, ``zh`` or ``en``."""
        chinese_text, english_text = PRINCIPLES[self.principle]
        return (chinese_text if language == "zh" else english_text).format(by="、".join(self.by))

    def to_json(self) -> dict[str, Any]:
        """The dropped fan as a JSON object with its reason in both languages."""
        return {
            "fan": self.fan.name,
            "english": self.fan.english,
            "points": self.fan.points,
            "tiles": list(self.tiles),
            "principle": str(self.principle),
            "by": list(self.by),
            "reason": {"zh": self.reason("zh"), "en": self.reason("en")},
        }


@dataclass(frozen=True)
class RunnerUp:
    """A reading of the hand that is not the one counted; equal totals are possible."""

    total: int
    counts: dict[str, int]
    reading: Reading

    def to_json(self) -> dict[str, Any]:
        """The reading with its total as a JSON object."""
        return {"total": self.total, "fans": self.counts, "reading": self.reading.to_json()}


@dataclass(frozen=True)
class Explanation:
    """Everything there is to say about a score."""

    score: Score
    counted: tuple[FanAward, ...]
    dropped: tuple[Dropped, ...]
    runners_up: tuple[RunnerUp, ...]

    def to_json(self) -> dict[str, Any]:
        """The explanation as a JSON object; every text in Chinese and English."""
        return {
            "total": self.score.total,
            "legal": self.score.legal,
            "counted": [
                {**award.to_json(), "rule": {"zh": award.fan.rule, "en": award.fan.rule_english}}
                for award in self.counted
            ],
            "not_counted": [each.to_json() for each in self.dropped],
            "runners_up": [each.to_json() for each in self.runners_up],
        }

    def text(self, language: str = "en") -> str:
        """The explanation for a person, ``zh`` or ``en``, one thing a line."""
        zh = language == "zh"
        lines = []
        for award in self.counted:
            shown = "  ".join(_shown(tiles) for tiles in award.tiles)
            times = f" ×{award.count}" if award.count > 1 else ""
            name = award.fan.name if zh else f"{award.fan.name} {award.fan.english}"
            rule = award.fan.rule if zh else award.fan.rule_english
            lines.append(f"{award.points:3} {name}{times}: {rule} {shown}".rstrip())
        score = self.score
        verdict = (
            f"= {score.total}{'' if score.legal else f',不足{score.minimum}分起和'}"
            if zh
            else f"= {score.total}{'' if score.legal else f', under the minimum of {score.minimum}'}"
        )
        lines.append(verdict)
        for each in self.dropped:
            name = each.fan.name if zh else f"{each.fan.name} {each.fan.english}"
            label = "不计" if zh else "not counted:"
            lines.append(f"{label} {name} {_shown(each.tiles)}: {each.principle} {each.reason(language)}")
        for other in self.runners_up:
            label = "另一种拆法" if zh else "other reading:"
            groups = "  ".join(_shown(group.tiles) for group in other.reading.groups)
            fans = " ".join(f"{name}×{n}" if n > 1 else name for name, n in other.counts.items())
            lines.append(f"{label} {other.total} ({fans}) {groups}")
        return "\n".join(lines)


def _shown(tiles: Tiles) -> str:
    return "".join(map(unicode_tile, tiles))


def explain(score: Score) -> Explanation:
    """Say for each fan present why it counts or does not, and what the other readings are worth."""
    engine, hand, how = score.engine, score.hand, score.circumstances
    best = score.candidate
    dropped = _by_name(score, best, engine)
    if best.kind in (ShapeKind.STANDARD, ShapeKind.KNITTED_STRAIGHT):
        whole = best.concealed + hand.packed.fixed
        pair = (whole >> PAIR_SHIFT) - 1
        codes = chows_of(whole & CHOW_FIELD)
        chows = tuple((code // 7, code % 7 + 1) for code in codes)
        suit_pair = (pair // 9, pair % 9 + 1) if pair < 27 else None
        dropped += _by_links(engine.chow_linker, chows, suit_pair, [chow_tiles(code) for code in codes])
        faces = [face for face in bits_of(whole >> PUNG_SHIFT & PUNG_FIELD) if face < 27]
        pungs = tuple((face // 9, face % 9 + 1) for face in faces)
        dropped += _by_links(engine.pung_linker, pungs, None, [(FACE[face],) * 3 for face in faces])
        dropped += _absorbed(engine, score, whole, pair)
    order = {fan.name: place for place, fan in enumerate(engine.profile.fans)}
    dropped = sorted(dict.fromkeys(dropped), key=lambda each: order[each.fan.name])
    others = [each for each in engine.candidates(hand, how) if each != best]
    runners_up = tuple(
        RunnerUp(
            other.points + score.flowers,
            fan_counts(engine, hand, how, other),
            reading_of(hand, other, self_drawn=how.self_drawn),
        )
        for other in sorted(others, key=engine.preference, reverse=True)
    )
    return Explanation(score, score.fans, tuple(dropped), runners_up)


def _by_name(score: Score, best: Candidate, engine: Engine) -> list[Dropped]:
    """Fans present that a counted fan drops by name (不重复)."""
    found = []
    counted = engine.fans_of(best.counted)
    tiles = tiles_by_fan(engine, score.hand, score.circumstances, best)
    for fan in engine.fans_of(best.present & ~best.counted):
        by = tuple(other.name for other in counted if fan.name in other.drops)
        groups = tiles.get(fan.name) or PARTS[fan.made_of](score.reading, score.hand)
        joined = tuple(tile for group in groups for tile in group)
        found.append(Dropped(fan, joined, Principle.NON_REPEAT, by))
    return found


def _by_links(
    linker: Linker, sets: tuple[tuple[int, int], ...], pair: tuple[int, int] | None, tiles: list[Tiles]
) -> list[Dropped]:
    """Combinations of sets that are present but not part of the best claim."""
    best = linker.best(sets, pair)
    found = []
    for link in linker.present(sets, pair):
        if link in best:
            continue
        principle, by = _why(link, best)
        joined = tuple(tile for member in link.members for tile in tiles[member])
        found.append(Dropped(link.fan, joined, principle, by))
    return found


def _why(link: Link, best: tuple[Link, ...]) -> tuple[Principle, tuple[str, ...]]:
    members = set(link.members)
    namers = tuple(
        dict.fromkeys(
            other.fan.name
            for other in best
            if link.fan.name in other.fan.drops and members & set(other.members)
        )
    )
    if namers:
        return Principle.NON_REPEAT, namers
    within = tuple(dict.fromkeys(other.fan.name for other in best if members <= set(other.members)))
    if within:
        return Principle.NON_SEPARATION, within
    groups = {member: member for claim in best for member in claim.members}
    for claim in best:
        joined = {groups[member] for member in claim.members}
        groups = {member: min(joined) if group in joined else group for member, group in groups.items()}
    linked = [groups[member] for member in members if member in groups]
    if len(set(linked)) == len(linked):
        return Principle.HIGHEST, tuple(dict.fromkeys(other.fan.name for other in best))
    same = [other for other in best if other.fan is link.fan and members & set(other.members)]
    by = tuple(dict.fromkeys(other.fan.name for other in best if members & set(other.members)))
    return (Principle.NON_IDENTICAL if same else Principle.ACCOUNT_ONCE), by


def _absorbed(engine: Engine, score: Score, whole: int, pair: int) -> list[Dropped]:
    """Pungs of terminals or honours that another fan already counts."""
    fan = engine.profile.by_name.get("幺九刻")
    if fan is None:
        return []
    pungs = whole >> PUNG_SHIFT & PUNG_FIELD
    winds = score.circumstances.packed >> 4 & 15
    honour = pair if pair >= 27 else -1
    gates = bool(score.candidate.present & engine.bit.get("九莲宝灯", 0))
    made = engine.honour_fans(pungs, honour, winds, gates)
    found = []
    for face in bits_of(engine.honour_pungs(pungs) & ~made.get("幺九刻", 0)):
        having = {name for name, mask in made.items() if name != "幺九刻" and mask >> face & 1}
        # A fan that has the pung may itself be dropped by a higher one, which then has it.
        by = tuple(
            award.fan.name
            for award in score.fans
            if award.fan.name in having or having & set(award.fan.drops) or award.fan.name == "九莲宝灯"
        )
        found.append(Dropped(fan, (FACE[face],) * 3, Principle.NON_REPEAT, by))
    return found
