"""A confirmed hand laid out as a draft, so that it can be corrected with its own players, rules and circumstances."""

from collections.abc import Iterator
from typing import Any

from scorer import FLOWERS
from webapp.ledger import Entry
from webapp.photo_draft import empty_draft

Json = dict[str, Any]


def draft_of_entry(entry: Entry) -> Json:
    """The draft of a confirmed hand, as `static/js/model.js` describes it."""
    draft = empty_draft()
    said = {**entry.hand, "profile": entry.score.get("profile"), "opening": entry.hand.get("opening")}
    melds = enumerate(entry.hand["melds"])
    return draft | {
        "tiles": [_tile(number, *laid) for number, laid in enumerate(_laid(entry))],
        "hidden": [group for group, meld in melds if meld["kind"] == "concealed_kong"],
        "conditions": {name: said.get(name, value) for name, value in draft["conditions"].items()},
        "discarder": entry.discarder,
    }


def flowers_of(entry: Entry) -> list[str]:
    """The flowers of a confirmed hand; where only their number is known, as many from the first on."""
    flowers = entry.hand.get("flowers", [])
    return list(FLOWERS[:flowers]) if isinstance(flowers, int) else list(flowers)


def _laid(entry: Entry) -> Iterator[tuple[str, str, int | None]]:
    """Face, role and meld of every tile."""
    for group, meld in enumerate(entry.hand["melds"]):
        for face in meld["tiles"]:
            yield face, "meld", group
    for face in entry.hand["concealed"]:
        yield face, "concealed", None
    yield entry.hand["winning_tile"], "winning", None
    for face in flowers_of(entry):
        yield face, "flower", None


def _tile(number: int, face: str, role: str, group: int | None) -> Json:
    nothing = dict.fromkeys(("confidence", "photo", "quad", "at", "doubt", "completed"))
    laid = {"id": number, "face": face, "role": role, "group": group}
    return laid | nothing | {"alternatives": [], "unsure": False}
