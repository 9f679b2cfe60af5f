"""What each tile of a hand would be worth as the winning tile: the page asks which one won where that matters."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer import BACK, HandError, Score, hand_from_json, score
from webapp.draft import Draft, DraftTile, hand_with_winning
from webapp.profiles import DEFAULT_PROFILE, profile_called


@dataclass(frozen=True)
class Candidate:
    """A tile that may have won, and the score that the hand has then."""

    tile: DraftTile
    score: Score


def candidates(draft: Draft, conditions: Mapping[str, Any]) -> list[Candidate]:
    """Every face of the hand with which it wins, once each; the present winning tile stands for its face."""
    winning = draft.winning
    loose = [*([winning] if winning else []), *reversed(draft.concealed)]
    faces: dict[str, DraftTile] = {}
    for tile in loose:
        faces.setdefault(tile.face, tile)
    faces.pop(BACK, None)
    circumstances_of = {name: value for name, value in conditions.items() if name != "discarder"}
    found = []
    for tile in faces.values():
        # A tile that cannot have won under these circumstances is left out.
        with contextlib.suppress(HandError):
            hand, circumstances = hand_from_json({**circumstances_of, **hand_with_winning(draft, tile)})
            profile = profile_called(conditions.get("profile", DEFAULT_PROFILE))
            found.append(Candidate(tile, score(hand, circumstances, profile)))
    return sorted(found, key=lambda one: draft.places[one.tile.id])


def matters(found: Sequence[Candidate]) -> bool:
    """Whether it changes the total which of them won."""
    return len({(one.score.total, one.score.legal) for one in found}) > 1
