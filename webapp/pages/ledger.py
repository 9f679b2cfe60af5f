"""The ledger of confirmed hands."""

from flask import Blueprint, current_app, render_template

blueprint = Blueprint("ledger", __name__)


@blueprint.get("/hands")
def hands() -> str:
    """Every confirmed hand, newest first."""
    return render_template("ledger.html", entries=current_app.extensions["store"].entries())
