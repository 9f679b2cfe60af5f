"""The page of confirmed hands."""

from flask import Blueprint, render_template, url_for

from scorer import format_hand, hand_from_json
from webapp.ledger import Entry, current_ledger

blueprint = Blueprint("ledger", __name__)


@blueprint.get("/hands")
def hands() -> str:
    """Every confirmed hand, newest first."""
    entries = current_ledger().entries()
    return render_template("ledger.html", entries=entries, address_of=address_of, flowers_of=flowers_of)


def address_of(entry: Entry) -> str:
    """The address that opens a confirmed hand again, with the rules and conditions it was scored with."""
    return url_for(
        "confirm.typed_page",
        h=format_hand(*hand_from_json(entry.hand)),
        profile=entry.score.get("profile"),
        opening=entry.hand.get("opening"),
        discarder=entry.discarder,
    )


def flowers_of(entry: Entry) -> int:
    """The number of flowers of a confirmed hand."""
    flowers = hand_from_json(entry.hand)[0].flowers
    return flowers if isinstance(flowers, int) else len(flowers)
