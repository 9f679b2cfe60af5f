"""Whether a score reaches the minimum of its rules, in the language of the request."""

from scorer import Profile, Score
from webapp.language import gettext


def verdict(result: Score) -> dict[str, str]:
    """Whether the hand wins by its rules: as a sentence (`text`), and in a few words if it does not (`short`)."""
    numbers = {"number": result.qualifying, "minimum": result.minimum}
    if result.legal:
        return {"text": gettext("Legal win: at least %(minimum)s points") % numbers, "short": ""}
    return {
        "text": gettext("Not a legal win: %(number)s of %(minimum)s points") % numbers,
        "short": gettext("Only %(number)s of %(minimum)s points") % numbers,
    }


def under_minimum(profile: Profile) -> str:
    """The mark beside a score that is too low under these rules."""
    return gettext("under %(minimum)s") % {"minimum": profile.minimum}
