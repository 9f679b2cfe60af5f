"""Names of tiles and winds in the language of the page."""

from webapp.language import gettext, later

_RANKS = (
    later("one"),
    later("two"),
    later("three"),
    later("four"),
    later("five"),
    later("six"),
    later("seven"),
    later("eight"),
    later("nine"),
)
_SUITS = {
    "m": later("%(rank)s of characters"),
    "p": later("%(rank)s of dots"),
    "s": later("%(rank)s of bamboo"),
}
_HONOURS = (
    later("east wind"),
    later("south wind"),
    later("west wind"),
    later("north wind"),
    later("red dragon"),
    later("green dragon"),
    later("white dragon"),
)
_FLOWERS = (
    later("spring"),
    later("summer"),
    later("autumn"),
    later("winter"),
    later("plum"),
    later("orchid"),
    later("bamboo flower"),
    later("chrysanthemum"),
)
WINDS = {"E": later("East"), "S": later("South"), "W": later("West"), "N": later("North")}


def tile_name(face: str) -> str:
    """The name of a face as it is said at the table: "three of characters", "三万"."""
    if face == "back":
        return gettext("face-down tile")
    rank, suit = int(face[0]) - 1, face[1]
    if suit == "z":
        return gettext(_HONOURS[rank])
    if suit == "f":
        return gettext(_FLOWERS[rank])
    return gettext(_SUITS[suit]) % {"rank": gettext(_RANKS[rank])}


def wind_name(seat: str) -> str:
    """The name of the seat or wind E, S, W or N."""
    return gettext(WINDS[seat])
