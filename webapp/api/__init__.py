"""The JSON API, `/api/v1`: the page uses it, and other programs may use it on the same terms.

A refusal is a 4xx with `{"error": {"code", "message"}}`. Codes are stable; messages are in the language that the
request asks for. `webapp.errors` turns every error of Fanlens into such an answer.
"""

from flask import Blueprint

from webapp.api import ledger, look, matches, photos, scoring, tilesets

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")
for module in (photos, look, scoring, ledger, matches, tilesets):
    blueprint.register_blueprint(module.blueprint)
