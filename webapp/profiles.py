"""The rules that this server scores by: the built-in profiles, and the profile files that it was started with."""

from collections.abc import Mapping, Sequence

from flask import Flask, current_app

from scorer import PROFILES, HandError, Profile
from webapp.language import current, gettext, later

DEFAULT_PROFILE = "guobiao"
_OPENING_WIN = "天胡"

#: Short names for the choice on the page.
_LABELS = {
    "guobiao": later("Guobiao"),
    "text1998": "1998",
    "wmo2006": "WMO 2006",
    "wmo2014": "WMO 2014",
    "platform": later("Platform"),
}


def init_app(app: Flask, profiles: Sequence[Profile]) -> None:
    """Lets `app` score by the built-in profiles and by `profiles`. Raises HandError `bad_profile` for a name twice."""
    known = dict(PROFILES)
    for profile in profiles:
        if profile.name in known:
            raise HandError("bad_profile", f"two profiles are called {profile.name!r}: rename one of them")
        known[profile.name] = profile
    app.extensions["profiles"] = known


def profiles() -> Mapping[str, Profile]:
    """Every profile of this server by its name; the default one first."""
    known: dict[str, Profile] = current_app.extensions["profiles"]
    return known


def profile_called(name: object) -> Profile:
    """The profile of this server called `name`. Raises HandError `unknown_profile`."""
    profile = profiles().get(name) if isinstance(name, str) else None
    if profile is None:
        raise HandError("unknown_profile", f"no profile {name!r}; there are {', '.join(profiles())}")
    return profile


def label_of(profile: Profile) -> str:
    """The name of a profile on the page: short for a built-in one, the title of a profile file."""
    label = _LABELS.get(profile.name)
    if label is not None:
        return gettext(label)
    return current().chinese(profile.title) if current().is_chinese else profile.title_english


def has_opening_wins(profile: Profile) -> bool:
    """Whether the rules count wins on the first tile (天胡, 地胡, 人胡)."""
    return _OPENING_WIN in profile.by_name
