"""What `/assess` says about a draft beside its score: everything that the page shows and does not decide itself."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from webapp.actions import actions_for, kind_name, room_in
from webapp.checks import checks, doubt_checks
from webapp.controls import Conditions
from webapp.draft import Draft, DraftTile, hand_key, in_order
from webapp.language import gettext, ngettext
from webapp.questions import how_many, open_questions


def about_draft(
    draft: Draft, answer: Mapping[str, Any], hand: dict[str, Any], now: Conditions
) -> dict[str, Any]:
    """The part of an answer that is about the draft.

    `answer` is the rest of it, `hand` the hand JSON that was scored, `now` the conditions as far as somebody said them.

    `hand` and its `key` (see `hand_key`); `count`: whether it is `right`, and its `text`;
    `winning`: the `tile` that won and the hand size that it `completed` (see `DraftTile`), or None;
    `melds`: `group`, `kind` and `label` of each; `room`: what can still be added; `checks`: see `webapp.checks`;
    `actions`: the buttons of each tile by its id; `lit`: for each fan that counts, the ids of the tiles that make it;
    `status`: the hand in a few words, or how many questions are open; `ready`: whether it can be confirmed; `ask`: the
    first question that is open before that (see `webapp.questions`), or None; `sure`: whether it wins and no tile of it
    is doubtful, so that its tiles can be learned.
    """
    score = answer["score"]
    winning = draft.winning
    doubts = doubt_checks(draft, hand)
    legal = score is not None and score["legal"]
    questions = open_questions(doubts, now) if legal else []
    return {
        "hand": hand,
        "key": hand_key(hand),
        "count": _count(draft),
        "winning": winning and {"tile": winning.id, "completed": winning.completed},
        "melds": [
            {"group": group, "kind": str(draft.kind_of(group)), "label": kind_name(draft.kind_of(group))}
            for group in draft.melds
        ],
        "room": room_in(draft),
        "checks": checks(draft, doubts, hand),
        "actions": {str(tile.id): actions_for(draft, tile) for tile in draft.tiles},
        "lit": [] if score is None else [lit(draft, award["tiles"]) for award in score["awards"]],
        "status": how_many(questions) if questions else _status(draft, answer),
        "ready": legal and not questions,
        "ask": questions[0] if questions else None,
        "sure": score is not None and not doubts,
    }


def _count(draft: Draft) -> dict[str, Any]:
    if draft.held == draft.expected:
        number = draft.held
        text = ngettext("%(number)s tile", "%(number)s tiles", number) % {"number": number}
        return {"right": True, "text": text}
    numbers = {"held": draft.held, "expected": draft.expected}
    return {"right": not draft.tiles, "text": gettext("%(held)s tiles, a hand has %(expected)s") % numbers}


def _status(draft: Draft, answer: Mapping[str, Any]) -> str:
    score, problem = answer["score"], answer["problem"]
    if score is not None and score["legal"]:
        number = len(score["awards"])
        return ngettext("%(number)s fan", "%(number)s fans", number) % {"number": number}
    if score is not None:
        text: str = answer["verdict"]["short"]
        return text
    if not draft.tiles:
        return gettext("No tiles yet")
    if draft.held != draft.expected:
        return str(_count(draft)["text"])
    if draft.winning is None:
        return gettext("No winning tile")
    return str(problem["message"])


def lit(draft: Draft, sets: Sequence[Sequence[str]]) -> list[int]:
    """The ids of the tiles that make a fan, given the faces of each of its sets.

    A set that lies as a meld is that meld; any other is made of loose tiles first, of tiles not used yet if there are.
    """
    found: list[int] = []
    melds = list(draft.melds.values())
    loose = [*draft.concealed, *([draft.winning] if draft.winning else [])]
    loose += [tile for tile in draft.tiles if tile.role == "flower"]
    for faces in sets:
        wanted = in_order(faces)
        meld = next(
            (one for one in melds if _faces(one) == wanted and not {t.id for t in one} <= {*found}), None
        )
        if meld is not None:
            found += [tile.id for tile in meld]
            continue
        used: list[int] = []
        for face in faces:
            fitting = [tile.id for tile in (*loose, *(t for one in melds for t in one)) if tile.face == face]
            fresh = [number for number in fitting if number not in used]
            unlit = [number for number in fresh if number not in found]
            used += (unlit or fresh)[:1]
        found += used
    return sorted(set(found))


def _faces(tiles: Iterable[DraftTile]) -> list[str]:
    return in_order([tile.face for tile in tiles])
