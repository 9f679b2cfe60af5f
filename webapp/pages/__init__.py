"""The HTML pages, one blueprint per concern."""

from flask import Flask

from scorer import BACK, FACES
from webapp import language
from webapp.fans import english_names
from webapp.messages import VALUES
from webapp.names import tile_name, wind_name
from webapp.pages import capture, confirm, guide, install, ledger, matches
from webapp.sprite import tile_sprite


def _fan_spellings(current: language.Language) -> dict[str, str]:
    """The spelling of every fan that this language writes differently from simplified Chinese."""
    names = {name: current.chinese(name) for name in english_names()} if current.is_chinese else {}
    return {name: written for name, written in names.items() if written != name}


def _page_context() -> dict[str, object]:
    current = language.current()
    return {
        "language": current,
        "languages": language.languages(),
        "sprite_version": tile_sprite().version,
        "photo_limits": VALUES,
        "tile_name": tile_name,
        "wind_name": wind_name,
        "page_words": {
            "language": current.tag,
            "messages": dict(current.page_messages),
            "tiles": {face: tile_name(face) for face in (*FACES, BACK)},
            "fans": _fan_spellings(current),
            "sprite": f"/artwork/tiles.svg?v={tile_sprite().version}",
        },
    }


def init_app(app: Flask) -> None:
    """Registers the pages on `app`, with the values that every template needs."""
    app.add_template_filter(lambda text: language.current().chinese(text), "chinese")
    app.context_processor(_page_context)
    for module in (capture, confirm, guide, install, ledger, matches):
        app.register_blueprint(module.blueprint)
