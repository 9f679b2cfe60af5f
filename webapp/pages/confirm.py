"""The page where people correct, score and confirm a hand, with a photo or without."""

import re
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.assessment import assess
from webapp.entry_draft import draft_of_entry
from webapp.ledger import LARGEST_NUMBER, current_ledger
from webapp.owner import current_owner
from webapp.pages.capture import ACCEPT
from webapp.pending_photos import current_photos
from webapp.photo_draft import empty_draft, starting_point

blueprint = Blueprint("confirm", __name__)


def _page(start: dict[str, Any], *, token: str | None = None, photo_gone: bool = False, **more: Any) -> str:
    """The page; `start` is its draft with what `starting_point` says about a photo.

    `answer` is what `/assess` says about a hand without tiles: the page shows it until it has asked about its own.
    """
    context = _match_context()
    start["draft"]["conditions"] |= context
    draft = start["draft"]
    nothing = assess({"draft": {"tiles": []}, **draft["conditions"], "discarder": draft["discarder"]})
    start = {"notices": [], "readings": [], "answer": nothing, "entry": None} | start
    return render_template(
        "confirm.html", token=token, photo_gone=photo_gone, start=start, accept=ACCEPT, **more
    )


def _match_context() -> dict[str, Any]:
    """What `?match=` (the key of a match) and `?of=` (the entry to correct) say about the hand."""
    key, of = request.args.get("match"), request.args.get("of")
    if key is None:
        return {}
    return {"match": key, "of": int(of) if of and re.fullmatch("[0-9]{1,5}", of) else None}


@blueprint.get("/photo/<token>")
def photo_page(token: str) -> str:
    """The hand read from a pending photo.

    If the photo has expired, the page still opens and the browser adds the hand it remembers.
    """
    pending = current_photos().get(token)
    if pending is None:
        return _page({"draft": empty_draft()}, token=token, photo_gone=True)
    return _page(starting_point(pending.recognition, url_for("capture.photo", token=token)), token=token)


@blueprint.get("/photo/")
def no_photo() -> BaseResponse:
    """Redirects a photo page without a token to the start page."""
    return redirect(url_for("capture.home"))


@blueprint.get("/hand")
def typed_page() -> str:
    """The page for a hand that is typed without a photo."""
    return _page({"draft": empty_draft()})


@blueprint.get(f"/hands/<int(max={LARGEST_NUMBER}):number>")
def entry_page(number: int) -> str:
    """A confirmed hand of this browser with its own players, rules and circumstances, to look at or to correct."""
    ledger = current_ledger()
    entry = ledger.entry(number, current_owner())
    if entry is None:
        abort(404)
    about = {"id": entry.id, "versions": entry.versions, "players": dict(entry.players)}
    start = {"draft": draft_of_entry(entry), "entry": about}
    return _page(start, entry=entry, earlier=ledger.versions(number))
