"""The page of confirmed hands: those of this browser, newest first, page by page, searchable."""

from urllib.parse import urlencode

from flask import Blueprint, render_template, request

from webapp.entry_draft import flowers_of
from webapp.hand_list import asked_page

blueprint = Blueprint("ledger", __name__)

PAGE = 50
_SEARCH = ("player", "fan", "points", "until")


@blueprint.get("/hands")
def hands() -> str:
    """One page of this browser's hands; `?removed=1` shows the removed ones."""
    asked = {name: request.args.get(name, "").strip() for name in (*_SEARCH, "removed")}
    given = {name: value for name, value in asked.items() if value}
    # A form sends its empty fields, too.
    page = asked_page({name: value for name, value in request.args.items() if value}, PAGE)
    older = given | {"before": page.following} if page.following is not None else None
    return render_template(
        "ledger.html",
        entries=page.entries,
        asked=asked,
        searching=any(asked[name] for name in _SEARCH),
        older=older and f"/hands?{urlencode(older)}",
        newest=f"/hands?{urlencode(given)}" if "before" in request.args else None,
        flowers_of=flowers_of,
    )
