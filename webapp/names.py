"""The names of tiles and winds in the language of the page."""

from scorer import BACK
from scorer.tiles import chinese, english
from webapp.language import current, gettext, later

_WINDS = {"E": later("East"), "S": later("South"), "W": later("West"), "N": later("North")}


def tile_name(face: str) -> str:
    """The name of a face: "3 Characters" or 三万."""
    if face == BACK:
        return gettext("face-down tile")
    language = current()
    return language.chinese(chinese(face)) if language.is_chinese else english(face)


def wind_name(seat: str) -> str:
    """The name of the seat or wind E, S, W or N."""
    return gettext(_WINDS[seat])
