"""What a person is told for each named reason of the scorer, the photo door and recognition.

The packages below speak English and name their reasons by code; here each code has a sentence that can be
translated and that says what to do on the page.
"""

from collections.abc import Mapping
from typing import Any

from models.manifest import ModelError
from scorer import NotationError, NotWinning
from scorer.errors import FanlensError
from vision.photo_formats import PHOTO_FORMATS
from vision.tilesets.errors import TileSetError
from webapp.language import gettext, later, ngettext

#: What the placeholders in these sentences stand for.
VALUES = {"formats": ", ".join(form.name for form in PHOTO_FORMATS)}

WORDS = {
    # the hand
    "unknown_face": later("One tile is not one of the 42 faces. Tap it and choose its face."),
    "wrong_tile_count": later(
        "The number of tiles is wrong: 14, and one more for each kong. Flowers do not count."
    ),
    "too_many_of_a_face": later("There are five or more of one tile. One of them must be misread."),
    "winning_tile_exhausted": later(
        "The melds already hold all four of the winning tile. One tile must be misread."
    ),
    "flower_in_hand": later("A flower lies among the other tiles. Flowers belong beside the hand."),
    "face_down_tile": later("A tile lies face down. Tap it and say which tile it is."),
    "too_many_melds": later("There are more than four melds. Return one of them to the hand."),
    # melds
    "unknown_meld_kind": later("One meld is neither chow, pung nor kong. Regroup its tiles."),
    "not_a_chow": later(
        "One meld is no chow: it needs three tiles in a row of one suit. Tap the wrong tile."
    ),
    "not_a_pung": later("One meld is no pung: it needs three equal tiles. Tap the wrong tile."),
    "not_a_kong": later("One meld is no kong: it needs four equal tiles. Tap the wrong tile."),
    # flowers
    "two_of_one_flower": later("One flower is there twice, but each exists only once. Tap the wrong one."),
    "bad_flower_count": later("There can be at most eight flowers."),
    "not_a_flower": later("A tile among the flowers is no flower. Tap it and put it right."),
    # how it was won
    "bad_wind": later("A wind is missing. Choose the seat wind and the prevalent wind."),
    "bad_flag": later("One of the winning conditions could not be read. Set it again."),
    "robbed_kong_on_last_tile": later("A kong cannot be robbed on the last tile: none may be declared then."),
    "replacement_without_kong": later(
        "Out with a replacement tile needs a kong in the hand. Mark the kong, or switch it off."
    ),
    "robbed_tile_in_hand": later(
        "A robbed tile was the fourth of its kind, but the hand holds another. "
        "Check the winning tile, or switch it off."
    ),
    "fourth_tile_in_hand": later(
        "The last tile of its kind cannot have a twin in the hand. Check the winning tile, or switch it off."
    ),
    "bad_opening": later("The opening win is unknown."),
    "opening_conflict": later("The opening win contradicts the other conditions. Switch one of them off."),
    # the form of what was sent
    "not_the_notation": later("This is not the notation for hands. Example: 456p789s1122z[123m]2z"),
    "not_json": later("The request must be a JSON object with a hand in it."),
    "missing_field": later("Something is missing: mark the winning tile and choose the winds."),
    "bad_field": later("One part of the hand could not be read. Undo the last step and try again."),
    "ambiguous_hand": later("This text can be read as more than one hand. Write the melds in brackets."),
    # the outcome
    "not_winning": later("This is not a winning hand yet."),
    "unknown_profile": later("There is no such rule profile."),
    "bad_profile": later("The rule profile has an error."),
    "needs_jokers": later("This fan needs jokers, which the rules do not define."),
    "unknown_fan": later("There is no such fan."),
    "bad_seat": later("The seat is unknown, or the winner is named as the discarder."),
    "bad_penalty": later("A penalty must be a multiple of three, from 0."),
    "bad_match": later("This hand does not fit the match."),
    "already_confirmed": later(
        "A hand was confirmed from here already, perhaps in another window. Look at the list of hands."
    ),
    "bad_event": later("This entry has a value that cannot be."),
    # recognition
    "no_tiles": later("No tile was found. Photograph the hand from above, close, in good light."),
    "not_a_hand": later(
        "The tiles do not lie as a hand does. Check them below, or photograph the hand again."
    ),
    "wrong_count": later("The photo shows too few or too many tiles for a hand."),
    "face_down": later("A tile of the hand lies face down. Tap it and say which tile it is."),
    "winning_tile_unknown": later(
        "No tile lies apart, so the last of the row is taken as the winning tile. "
        "If it was another, tap that one."
    ),
    "impossible_hand": later("The winning conditions do not fit the hand."),
    "below_minimum": later("The hand wins, but with fewer than 8 points."),
    "doubtful_tile": later("Look at this tile: it may be misread."),
    "models_missing": later("The recognition models are missing or damaged. Install Fanlens again."),
    # the photo door
    "not_found": later("The photo was not found. Choose it again."),
    "is_a_directory": later("This is a folder. Choose a single photo."),
    "unreadable": later("The photo could not be read. Choose it again or take a new one."),
    "empty": later("The file is empty. Choose another photo, or copy it again."),
    "too_many_bytes": later("The file is too large. Choose a photo of less than 40 MB."),
    "not_a_photo": later("This file is not a photo. Choose a picture in one of these formats: %(formats)s."),
    "unsupported_format": later(
        "This kind of picture cannot be read. Save it in one of these formats: %(formats)s."
    ),
    "animated": later("This is an animation. Choose a still photo."),
    "too_many_pixels": later("The photo has more than 64 megapixels. Choose a smaller one."),
    "too_small": later("The photo is too small to read tiles in. Choose a larger one."),
    "out_of_memory": later("The photo is too large for this server. Scale it down and try again."),
    "damaged": later("The photo is damaged or cut short. Copy it again, or take a new one."),
}


TILESET_WORDS = {
    "bad_name": later("Use letters, digits, blanks, - and _ for the name, and begin with a letter or digit."),
    "unknown_tileset": later("There is no tile set of this name. Choose another or none."),
    "unknown_face": later("One tile is not one of the 42 faces. Tap it and choose its face."),
    "no_tiles": later("There is no tile of this photo to learn."),
    "bad_tile": later("One tile is too small or lies at the edge of the photo. Take a closer photo."),
    "same_place": later("Two tiles lie in one place. Leave one of them out."),
    "too_many": later("There are five or more of one tile. One of them must be misread."),
    "wrong_count": later("The number of tiles is not the number that was named."),
    "implausible": later("The tiles do not look like what they were named. Check them."),
    "bad_sidecar": later("What was said of the photo cannot be read."),
    "no_photo": later("No photo of this tile set was kept."),
    "damaged": later("The tile set is damaged or from another version. Forget it and teach it again."),
    "not_written": later("The tile set cannot be written. See that its disk has room."),
}


#: What is said of a doubtful tile whose face is not in doubt, by the code of the doubt.
DOUBT_WORDS = {
    "kong": later("No tile of this kong lies sideways: was it melded or concealed?"),
    "role": later("It is not clear what this tile is for: in the hand, a meld, or left out."),
}


def sentence_for(error: Exception) -> str:
    """The sentence for an error of Fanlens in the language of the request; its own message if there is none here."""
    match error:
        case NotWinning():
            return ngettext(
                "Not a winning hand yet: %(number)s tile would have to change.",
                "Not a winning hand yet: %(number)s tiles would have to change.",
                error.tiles_away,
            ) % {"number": error.tiles_away}
        case NotationError():
            return gettext("Position %(number)s: %(reason)s") % {
                "number": error.position + 1,
                "reason": sentence_for_code(error.code, error.message),
            }
        case TileSetError():
            words = TILESET_WORDS.get(error.code)
            return error.message if words is None else gettext(words)
        case ModelError():
            return sentence_for_code("models_missing", str(error))
        case FanlensError():
            return sentence_for_code(error.code, error.message)
    return str(error)


def sentence_for_code(code: str, message: str) -> str:
    """The sentence for a reason in the language of the request; `message` itself for an unknown reason."""
    words = WORDS.get(code)
    return message if words is None else gettext(words) % VALUES


def sentence_for_problem(problem: Mapping[str, Any]) -> str:
    """The sentence for a problem of the `photo --json` object in the language of the request."""
    words = DOUBT_WORDS.get(problem.get("doubt", ""))
    return sentence_for_code(problem["code"], problem["message"]) if words is None else gettext(words)
