"""The sentence that a person reads for each code of an error or a problem.

The packages below raise English messages with stable codes. Here each code has a sentence that can be translated and
that says what to do on the page.
"""

from collections.abc import Mapping
from typing import Any

from scorer import HandError, NotationError, NotWinning
from scorer.errors import FanlensError
from vision.photo_formats import MAX_BYTES, MAX_PIXELS, PHOTO_FORMATS
from vision.tilesets.errors import TileSetError
from webapp.language import Message, current, gettext, later, ngettext
from webapp.ledger.exchange import BadExportError

#: The values of the placeholders in these sentences.
VALUES = {
    "formats": ", ".join(form.name for form in PHOTO_FORMATS),
    "megabytes": MAX_BYTES // 10**6,
    "megapixels": MAX_PIXELS // 2**20,
}

_MISREAD = later("There are five or more copies of one tile. One of them must be misread.")
_FACE_DOWN = later("One tile is face down. Tap it and choose its face.")
_NO_FACE = later("One tile has no valid face. Tap it and choose its face.")

#: By the code of a HandError, a PhotoError or a problem of recognition.
SENTENCES: dict[str, Message] = {
    # the hand
    "unknown_face": _NO_FACE,
    "wrong_tile_count": later("A hand has 14 tiles, plus one for each kong. Flowers do not count."),
    "too_many_of_a_face": _MISREAD,
    "winning_tile_exhausted": later(
        "The melds already hold all four copies of the winning tile. One tile must be misread."
    ),
    "flower_in_hand": later("There is a flower among the other tiles. Flowers belong beside the hand."),
    "face_down_tile": _FACE_DOWN,
    "too_many_melds": later("There are more than four melds. Return one of them to the hand."),
    # melds
    "unknown_meld_kind": later("One meld is not a chow, pung or kong. Regroup its tiles."),
    "not_a_chow": later(
        "One chow is wrong: a chow is three consecutive tiles of one suit. Tap the wrong tile."
    ),
    "not_a_pung": later("One pung is wrong: a pung is three identical tiles. Tap the wrong tile."),
    "not_a_kong": later("One kong is wrong: a kong is four identical tiles. Tap the wrong tile."),
    # flowers
    "two_of_one_flower": later(
        "One flower appears twice, but a set has only one of each. Tap the wrong one."
    ),
    "bad_flower_count": later("There can be at most eight flowers."),
    "not_a_flower": later("One of the flowers is not a flower tile. Tap it and choose its face."),
    # how it was won
    "bad_wind": later("A wind is missing. Choose the seat wind and the prevalent wind."),
    "bad_flag": later("One of the winning conditions is invalid. Set it again."),
    "robbed_kong_on_last_tile": later(
        "A kong cannot be robbed on the last tile, because no kong may be declared then."
    ),
    "replacement_without_kong": later(
        "A win on a replacement tile needs a kong in the hand. Mark the kong, or switch “After a kong” off."
    ),
    "robbed_tile_in_hand": later(
        "A robbed tile is the fourth of its kind, but the hand holds another copy. Check the "
        "winning tile, or switch “Robbed kong” off."
    ),
    "fourth_tile_in_hand": later(
        "The other three copies must be visible on the table, but the hand holds one. Check the "
        "winning tile, or switch “Fourth tile” off."
    ),
    "bad_opening": later("There is no such opening win."),
    "opening_conflict": later("The opening win contradicts the other conditions. Switch one of them off."),
    # the form of the request
    "not_the_notation": later("This text does not follow the notation. Example: 456p789s1122z[123m]2z"),
    "not_json": later("The request must be a JSON object that holds a hand."),
    "missing_field": later("Something is missing: mark the winning tile and choose the winds."),
    "bad_field": later("One part of the hand is invalid. Undo the last step and try again."),
    "ambiguous_hand": later("This text can be read as more than one hand. Write the melds in brackets."),
    # the outcome
    "not_winning": later("This is not a winning hand yet."),
    "unknown_profile": later("There are no rules of that name."),
    "bad_profile": later("The rule profile has an error."),
    "needs_jokers": later("This fan needs jokers, which the rules do not define."),
    "unknown_fan": later("There is no such fan."),
    "bad_seat": later("The seat does not exist, or the winner is also the discarder."),
    "bad_penalty": later("A penalty must be a multiple of three, 0 or more."),
    "bad_match": later("This hand does not fit the match."),
    "already_confirmed": later(
        "A hand was already confirmed from this page, perhaps in another window. See the list of "
        "confirmed hands."
    ),
    "hand_changed": later(
        "This hand was corrected elsewhere in the meantime. Open it again, look at it, and correct it if needed."
    ),
    "bad_event": later("One value of this entry is impossible."),
    # the ledger and its matches
    "ledger_failed": later(
        "The ledger cannot be read or written. Tell whoever runs Fanlens, then try again."
    ),
    "ledger_locked": later("Another program keeps the ledger locked. Wait a moment and try again."),
    "ledger_full": later("The disk of the ledger is full. Free some space, then try again."),
    "ledger_read_only": later(
        "The ledger may not be written. Change the permissions of its file, then try again."
    ),
    "ledger_vanished": later("The ledger's file was removed or replaced. Put it back and restart Fanlens."),
    "ledger_damaged": later("The ledger is damaged. Restore a backup with `fanlens ledger restore`."),
    "ledger_foreign": later(
        "The database belongs to another program. Start Fanlens with another --database."
    ),
    "ledger_newer": later("The ledger was written by a newer Fanlens. Update Fanlens."),
    "ledger_unreachable": later(
        "The ledger's database does not answer. Tell whoever runs Fanlens, then try again."
    ),
    "no_such_match": later("There is no match at this link. Ask for the link again."),
    "not_allowed": later("This link only shows the match. Ask for the link to enter points."),
    "out_of_date": later(
        "Somebody else entered something first. Look at it, then enter yours again if it is still needed."
    ),
    "key_used": later("This was already entered otherwise. Look at the match and enter it again."),
    "bad_settings": later("One setting of the match is out of range."),
    "bad_players": later("A match needs four different names of at most 40 characters."),
    "bad_title": later("The title must be one line of at most 100 characters."),
    # recognition
    "no_tiles": later("No tiles were found. Photograph the hand from above, close up and in good light."),
    "not_a_hand": later(
        "These tiles don't look like a complete hand. Check them below, or take the photo again."
    ),
    "wrong_count": later("The photo shows too few or too many tiles for a hand."),
    "face_down": _FACE_DOWN,
    "winning_tile_unknown": later("Which tile won? Fanlens took the last one."),
    "impossible_hand": later("The winning conditions do not fit the hand."),
    "below_minimum": later("The hand is complete, but has fewer points than the rules require."),
    "doubtful_tile": later("Check this tile: it may be misread."),
    "models_missing": later("The recognition models are missing or damaged. Reinstall Fanlens."),
    # the photo file
    "not_found": later("The photo was not found. Choose it again."),
    "is_a_directory": later("This is a folder. Choose a photo."),
    "unreadable": later("The photo could not be read. Choose it again or take a new one."),
    "empty": later("The file is empty. Choose another photo, or copy it again."),
    "too_many_bytes": later("The file is too large. Choose a photo of less than %(megabytes)s MB."),
    "not_a_photo": later("This file is not a photo. Choose a picture in one of these formats: %(formats)s."),
    "unsupported_format": later(
        "This kind of picture cannot be read. Save it in one of these formats: %(formats)s."
    ),
    "animated": later("This is an animation. Choose a still photo."),
    "too_many_pixels": later("The photo has more than %(megapixels)s megapixels. Choose a smaller one."),
    "too_small": later("The photo is too small to read. Choose a larger one."),
    "out_of_memory": later("The photo is too large for this server's memory. Scale it down and try again."),
    "damaged": later("The photo is damaged or incomplete. Copy it again, or take a new one."),
    # the frames of a live camera
    "bad_evidence": later("The live camera sent something unreadable. Close it and open it again."),
    "bad_frame_number": later("The live camera sent something unreadable. Close it and open it again."),
    "frame_too_large": later("A frame of the live camera is too large. Reload the page and try again."),
    "not_a_frame": later("A frame of the live camera must be a JPEG. Reload the page and try again."),
    # the process that reads photos
    "too_slow": later("Reading this photo took too long. Scale it down, or take a new one."),
    "crashed": later("This photo cannot be read: it stopped the program that tried. Take a new one."),
    "busy": later("Too many photos are being read just now. Send it again in a few seconds."),
}

#: By the code of a TileSetError.
TILESET_SENTENCES: dict[str, Message] = {
    "bad_name": later(
        "A name may contain letters, digits, spaces, - and _, and must begin with a letter or digit."
    ),
    "unknown_tileset": later("There is no tile set of that name. Choose another, or none."),
    "unknown_face": _NO_FACE,
    "no_tiles": later("There are no tiles in this photo to learn."),
    "bad_tile": later("One tile is too small or too close to the edge of the photo. Take a closer photo."),
    "same_place": later("Two tiles are in the same place. Leave one of them out."),
    "too_many": _MISREAD,
    "wrong_count": later("The photo shows a different number of tiles than you named."),
    "implausible": later("Some tiles do not look like the faces you chose. Check them."),
    "bad_sidecar": later("The file that describes the photo cannot be read."),
    "no_photo": later("No photo of this tile set was kept."),
    "damaged": later("The tile set is damaged or from another version. Forget it and teach it again."),
    "not_written": later("The tile set cannot be saved. Check that its disk has space."),
}


#: By the doubt about a tile whose face is not in doubt.
DOUBT_SENTENCES: dict[str, Message] = {
    "kong": later("None of this kong's tiles lies sideways. Was it melded or concealed?"),
    "role": later("Does this tile belong to the hand, to a meld, or to neither?"),
}


def sentence_for(error: FanlensError) -> str:
    """The sentence for `error` in the language of the request, or its own message if its code has no sentence."""
    match error:
        case NotWinning():
            return ngettext(
                "Not a winning hand yet: %(number)s tile away.",
                "Not a winning hand yet: %(number)s tiles away.",
                error.tiles_away,
            ) % {"number": error.tiles_away}
        case NotationError():
            return gettext("Position %(number)s: %(reason)s") % {
                "number": error.position + 1,
                "reason": sentence_for_code(error.code, error.message),
            }
        case HandError(code="bad_match" | "bad_event") if not current().is_chinese:
            # What does not fit a match is said best by the match itself, which says it in English.
            return f"{error.message[0].upper()}{error.message[1:]}."
        case BadExportError():
            return gettext("This match cannot be imported: %(reason)s") % {"reason": error.reason}
        case TileSetError():
            sentence = TILESET_SENTENCES.get(error.code)
            return error.message if sentence is None else gettext(sentence)
    return sentence_for_code(error.code, error.message)


def sentence_for_code(code: str, message: str) -> str:
    """The sentence for `code` in the language of the request, or `message` if the code has no sentence."""
    sentence = SENTENCES.get(code)
    return message if sentence is None else gettext(sentence) % VALUES


def sentence_for_problem(problem: Mapping[str, Any]) -> str:
    """The sentence for a problem of the `photo --json` object in the language of the request."""
    sentence = DOUBT_SENTENCES.get(problem.get("doubt", ""))
    return sentence_for_code(problem["code"], problem["message"]) if sentence is None else gettext(sentence)
