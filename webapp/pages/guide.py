"""Help, the catalogue of fans, and the choice of language."""

import re

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.errors import Refusal
from webapp.fans import catalogue, english_names
from webapp.language import COOKIE, by_tag, gettext
from webapp.profiles import DEFAULT_PROFILE, profiles

blueprint = Blueprint("guide", __name__)

YEAR_S = 365 * 24 * 3600


@blueprint.get("/help")
def help_page() -> str:
    """The help page."""
    return render_template("help.html")


@blueprint.get("/fans")
def fans_page() -> str:
    """The fans of the rules that `?profile=` names, with their points, searchable."""
    profile = profiles().get(request.args.get("profile", DEFAULT_PROFILE))
    if profile is None:
        abort(404)
    return render_template(
        "fans.html",
        fans=catalogue(profile),
        profile=profile,
        profiles=profiles().values(),
        english=english_names(),
    )


def _own_path(address: str) -> str:
    """`address` if it is a plain path on this server, else the start page.

    Browsers drop control characters and read a backslash as a slash, so neither may be in it.
    """
    plain = re.fullmatch(r"/(?!/)[^\\\x00-\x20\x7f]*", address)
    return address if plain else url_for("capture.home")


@blueprint.post("/language")
def choose_language() -> Response:
    """Stores the chosen language in a cookie and returns to the page where it was chosen."""
    picked = by_tag(request.form.get("tag"))
    if picked is None:
        raise Refusal(400, "unknown_language", gettext("This language is not available."))
    answer = redirect(_own_path(request.form.get("next", "/")), code=303)
    answer.set_cookie(
        COOKIE, picked.tag, max_age=YEAR_S, samesite="Lax", httponly=True, secure=request.is_secure
    )
    return answer
