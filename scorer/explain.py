"""Why a hand scores what it scores, as data and as text.

>>> from scorer import parse_hand, score
>>> explanation = explain(score(*parse_hand("123m789m123s78s55p+9s")))
>>> [(each.fan.name, each.count) for each in explanation.counted]
[('三色双龙会', 1), ('门前清', 1)]
>>> [(each.fan.name, each.principle.name, each.by) for each in explanation.dropped][:2]
[('平和', 'NON_REPEAT', ('三色双龙会',)), ('喜相逢', 'NON_REPEAT', ('三色双龙会',))]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scorer.absent import Absent, absent_fans
from scorer.engine.linking import Link, may_join
from scorer.engine.reading import Reading, Tiles, reading_of
from scorer.engine.witnesses import fan_counts
from scorer.fans import ORPHAN_PUNG
from scorer.fans.model import Fan
from scorer.scoring import FanAward, Score
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
    """A fan that is present but does not count: its tiles, the reason, and the counted fans behind it."""

    fan: Fan
    tiles: Tiles
    principle: Principle
    by: tuple[str, ...]

    def reason(self, language: str = "en") -> str:
        """The reason in words, ``zh`` or ``en``."""
        chinese_text, english_text = PRINCIPLES[self.principle]
        return (chinese_text if language == "zh" else english_text).format(by="、".join(self.by))

    def to_json(self) -> dict[str, Any]:
        """The dropped fan as a JSON object, the reason in both languages."""
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
    """A reading of the hand other than the one that counts; its total may be the same."""

    total: int
    counts: dict[str, int]
    reading: Reading

    def to_json(self) -> dict[str, Any]:
        """The other reading with its total as a JSON object."""
        return {"total": self.total, "fans": self.counts, "reading": self.reading.to_json()}


@dataclass(frozen=True)
class Explanation:
    """Why a hand scores what it scores: fans that count, fans that do not, and the other readings."""

    score: Score
    counted: tuple[FanAward, ...]
    dropped: tuple[Dropped, ...]
    runners_up: tuple[RunnerUp, ...]
    absent: tuple[Absent, ...] = ()
    """Fans that somebody may expect: a wait that is not the only one, and 无番和."""

    def to_json(self) -> dict[str, Any]:
        """The explanation as a JSON object, every text in Chinese and English."""
        return {
            "total": self.score.total,
            "legal": self.score.legal,
            "counted": [
                {**award.to_json(), "rule": {"zh": award.fan.rule, "en": award.fan.rule_english}}
                for award in self.counted
            ],
            "not_counted": [each.to_json() for each in self.dropped],
            "not_present": [each.to_json() for each in self.absent],
            "runners_up": [each.to_json() for each in self.runners_up],
        }

    def text(self, language: str = "en") -> str:
        """The explanation for a person, in ``zh`` or ``en``, one fan or reading per line."""
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
        for missing in self.absent:
            name = missing.fan.name if zh else f"{missing.fan.name} {missing.fan.english}"
            lines.append(f"{'没有' if zh else 'not there:'} {name}: {missing.reason(language)}")
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
    order = {fan.name: place for place, fan in enumerate(engine.profile.fans)}
    found = dict.fromkeys((*_implied(score), *_not_claimed(score), *_used_pungs(score)))
    dropped = sorted(found, key=lambda each: order[each.fan.name])
    others = [each for each in engine.candidates(hand, how) if each != score.candidate]
    runners_up = tuple(
        RunnerUp(
            other.points + score.flowers,
            fan_counts(engine.tables, hand, how, other),
            reading_of(hand, other, self_drawn=how.self_drawn),
        )
        for other in sorted(others, key=engine.preference, reverse=True)
    )
    return Explanation(score, score.fans, tuple(dropped), runners_up, absent_fans(score))


def _implied(score: Score) -> Iterator[Dropped]:
    """Fans that are present but that a counted fan drops by name (不重复)."""
    tables, best = score.engine.tables, score.candidate
    counted = tables.fans_of(best.counted)
    for fan in tables.fans_of(best.present & ~best.counted):
        by = tuple(other.name for other in counted if fan.name in other.drops)
        tiles = tuple(tile for group in score.witnesses.of(fan) for tile in group)
        yield Dropped(fan, tiles, Principle.NON_REPEAT, by)


def _not_claimed(score: Score) -> Iterator[Dropped]:
    """Combinations of sets that are present but do not belong to the best claim."""
    for combinations in score.witnesses.combinations:
        claimed = combinations.claimed
        for link in combinations.present:
            if link not in claimed:
                principle, by = _why(link, claimed)
                yield Dropped(link.fan, combinations.tiles_of(link), principle, by)


def _used_pungs(score: Score) -> Iterator[Dropped]:
    """Pungs of terminals or honours that are no 幺九刻 because another fan has them."""
    for tiles, users in score.witnesses.used_orphan_pungs():
        # A fan that has the pung may itself be dropped by a higher fan, which then has it.
        by = tuple(award.fan.name for award in score.fans if users & {award.fan.name, *award.fan.drops})
        yield Dropped(score.engine.profile.by_name[ORPHAN_PUNG], tiles, Principle.NON_REPEAT, by)


def _why(link: Link, claimed: tuple[Link, ...]) -> tuple[Principle, tuple[str, ...]]:
    """The principle by which ``link`` does not count, and the names of the fans that claim its sets."""
    members = set(link.members)
    touching = [other for other in claimed if members & set(other.members)]
    implying = [other for other in touching if link.fan.name in other.fan.drops]
    if implying:
        return Principle.NON_REPEAT, _names(implying)
    around = [other for other in claimed if members <= set(other.members)]
    if around:
        return Principle.NON_SEPARATION, _names(around)
    if may_join(link, claimed):
        return Principle.HIGHEST, _names(claimed)
    same = any(other.fan is link.fan for other in touching)
    return (Principle.NON_IDENTICAL if same else Principle.ACCOUNT_ONCE), _names(touching)


def _names(links: Iterable[Link]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(link.fan.name for link in links))
