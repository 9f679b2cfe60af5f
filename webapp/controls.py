"""How a hand was won, as the page offers it: each choice with its label and with everything that it changes.

Conditions are the circumstances of the hand JSON with `profile`, `opening` and `discarder`. Some exclude each other,
so a choice lists the conditions that it sets; the page applies that list and knows no rule.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.tiles import WINDS
from webapp.language import gettext
from webapp.names import wind_name
from webapp.profiles import DEFAULT_PROFILE, has_opening_wins, label_of, profiles

Conditions = dict[str, Any]

#: What holds for a hand before anybody has said anything about it.
START: Conditions = {
    "self_drawn": False,
    "last_tile": False,
    "kong": False,
    "fourth_tile": False,
    "seat_wind": "E",
    "prevalent_wind": "E",
    "profile": DEFAULT_PROFILE,
    "opening": None,
    "discarder": None,
}


def conditions_in(body: Mapping[str, Any]) -> Conditions:
    """The conditions in a JSON body, `START` for those that it leaves out."""
    return {name: body.get(name, value) for name, value in START.items()}


def changes(now: Conditions, name: str, value: object) -> Conditions:
    """The conditions that change when `name` becomes `value`."""
    found: Conditions = {name: value}
    if name == "self_drawn" and bool(value) != bool(now["self_drawn"]):
        # One flag means a robbed kong on a discard and a replacement tile on a self-drawn win.
        found["kong"] = False
    if name == "profile":
        chosen = profiles().get(str(value))
        if now["opening"] is not None and (chosen is None or not has_opening_wins(chosen)):
            found["opening"] = None
    if name == "seat_wind" and value == now["discarder"]:
        found["discarder"] = None
    return found


def _choice(now: Conditions, name: str, legend: str, labels: Sequence[tuple[object, str]]) -> dict[str, Any]:
    options = [
        {"value": value, "label": label, "on": now[name] == value, "set": changes(now, name, value)}
        for value, label in labels
    ]
    return {"name": name, "legend": legend, "options": options, "seats": False}


def _toggle(now: Conditions, name: str, label: str, note: str) -> dict[str, Any]:
    on = bool(now[name])
    return {"name": name, "label": label, "note": note, "on": on, "set": changes(now, name, not on)}


def ways_of_winning() -> list[tuple[bool, str]]:
    """The labels of `self_drawn`."""
    return [(False, gettext("On a discard")), (True, gettext("Self-drawn"))]


def condition_name(name: str) -> str:
    """The legend of the choice of `self_drawn`, `seat_wind` or `prevalent_wind`."""
    return {
        "self_drawn": gettext("Won by"),
        "seat_wind": gettext("Winner's seat"),
        "prevalent_wind": gettext("Prevalent wind"),
    }[name]


def label_for(name: str, value: object) -> str:
    """The label of a value of `self_drawn`, `seat_wind` or `prevalent_wind`."""
    return dict(ways_of_winning())[bool(value)] if name == "self_drawn" else wind_name(str(value))


def controls(now: Conditions) -> dict[str, Any]:
    """The choices and toggles on the page for these conditions.

    `choices`: each with `name`, `legend`, `seats` (whether its values are seats) and `options`, each with `value`,
    `label`, `on` and `set`. `toggles`: each with `name`, `label`, `note`, `on` and `set`.
    """
    winds = {wind: wind_name(wind) for wind in WINDS}
    choices = [
        *who_won(now, winds, winds, seats=True),
        _choice(now, "prevalent_wind", condition_name("prevalent_wind"), list(winds.items())),
        _choice(
            now, "profile", gettext("Rules"), [(name, label_of(one)) for name, one in profiles().items()]
        ),
        *openings(now),
    ]
    return {"choices": choices, "toggles": toggles(now)}


def who_won(
    now: Conditions, winners: Mapping[str, str], others: Mapping[str, str], *, seats: bool
) -> list[dict[str, Any]]:
    """The questions "Who won?" and "From whom?", with the labels of the seats in each; nothing is on beforehand."""
    won = [
        {
            "value": wind,
            "label": label,
            "on": now["seat_wind"] == wind,
            "set": changes(now, "seat_wind", wind),
        }
        for wind, label in winners.items()
    ]
    drawn = {
        "value": "self_drawn",
        "label": gettext("Self-drawn"),
        "on": bool(now["self_drawn"]),
        "set": {"discarder": None} | changes(now, "self_drawn", True),
    }
    losers = [
        {
            "value": wind,
            "label": label,
            "on": not now["self_drawn"] and now["discarder"] == wind,
            "set": {"discarder": wind} | changes(now, "self_drawn", False),
        }
        for wind, label in others.items()
        if wind != now["seat_wind"]
    ]
    return [
        {"name": "winner", "legend": gettext("Who won?"), "options": won, "seats": seats},
        {"name": "from", "legend": gettext("From whom?"), "options": [drawn, *losers], "seats": seats},
    ]


def openings(now: Conditions) -> list[dict[str, Any]]:
    """The choice of the opening win, where the rules have any."""
    chosen = profiles().get(str(now["profile"]))
    if chosen is None or not has_opening_wins(chosen):
        return []
    labels = [
        (None, gettext("None")),
        ("heavenly", gettext("Heavenly")),
        ("earthly", gettext("Earthly")),
        ("human", gettext("Human")),
    ]
    return [_choice(now, "opening", gettext("Opening win"), labels)]


def toggles(now: Conditions) -> list[dict[str, Any]]:
    """The switches for what else was special about the win."""
    if now["self_drawn"]:
        last, kong = (
            gettext("the last of the wall"),
            (gettext("After a kong"), gettext("the replacement tile")),
        )
    else:
        last = gettext("the last discard")
        kong = gettext("Robbed kong"), gettext("the tile another player added to a pung")
    return [
        _toggle(now, "last_tile", gettext("Last tile"), last),
        _toggle(now, "kong", *kong),
        _toggle(now, "fourth_tile", gettext("Fourth tile"), gettext("the other three are visible")),
    ]
