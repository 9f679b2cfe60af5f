"""The result of a match as a picture to share: places, points, table points, and the course of the match."""

from __future__ import annotations

import io
from typing import Final

from PIL import Image

from scorer.match import Win, standings
from webapp.fonts import drawable
from webapp.language import gettext
from webapp.ledger import StoredMatch
from webapp.picture import GREEN, INK, INNER, LINE, MARGIN, PAPER, RED, SOFT, WIDTH, Sheet, fitting

_ROW: Final = 104
_CHART: Final = 320
_LINES: Final = ("#1b634b", "#b3361f", "#d99a1c", "#3a5fa0")


def match_picture(stored: StoredMatch) -> bytes:
    """A PNG of the standings, in the language of the request."""
    match = stored.match
    sheet = Sheet(Image.new("RGB", (WIDTH, 4 * _ROW + _CHART + 420), PAPER))
    _heading(sheet, stored)
    names = [drawable(name) for name in stored.players]
    sheet.card(4 * _ROW + 16)
    y = sheet.y + 8 + _ROW // 2
    for one in standings(match.totals):
        sheet.text(MARGIN, y, str(one.rank), 46, INK, bold=True)
        sheet.drawing.line((MARGIN + 62, y + 26, MARGIN + 122, y + 26), fill=_LINES[one.player], width=6)
        sheet.text(MARGIN + 62, y - 8, fitting(names[one.player], 40, INNER - 420), 40, INK)
        colour = GREEN if one.total > 0 else RED if one.total < 0 else INK
        sheet.text(WIDTH - MARGIN - 150, y, _signed(one.total), 50, colour, bold=True, anchor="rm")
        points = f"{float(one.table_points):.2f}".rstrip("0").rstrip(".")
        sheet.text(WIDTH - MARGIN, y, points, 40, SOFT, anchor="rm")
        y += _ROW
    sheet.y += 4 * _ROW + 36
    _course(sheet, stored)
    _best_hand(sheet, stored, names)
    sheet.text(WIDTH / 2, sheet.y + 30, "Fanlens", 24, SOFT, anchor="mm")
    file = io.BytesIO()
    sheet.image.crop((0, 0, WIDTH, sheet.y + 58)).save(file, "PNG", optimize=True)
    return file.getvalue()


def _heading(sheet: Sheet, stored: StoredMatch) -> None:
    match = stored.match
    title = drawable(stored.title) or gettext("Result")
    sheet.text(MARGIN, sheet.y + 34, fitting(title, 44, INNER - 20), 44, INK)
    played = gettext("%(played)s of %(hands)s hands have been played.") % {
        "played": match.hands_played,
        "hands": match.hands,
    }
    sheet.text(MARGIN, sheet.y + 86, f"{stored.started_at:%Y-%m-%d} · {played}", 26, SOFT)
    sheet.text(WIDTH - MARGIN, sheet.y + 124, gettext("Table points"), 22, SOFT, anchor="rm")
    sheet.y += 144


def _course(sheet: Sheet, stored: StoredMatch) -> None:
    """A line per player with the total after every hand."""
    match = stored.match
    courses = [[0] for _ in range(4)]
    for played in match.played:
        for course, gain in zip(courses, played.moved.players, strict=True):
            course.append(course[-1] + gain)
    low = min(0, *(min(course) for course in courses))
    high = max(1, *(max(course) for course in courses))
    top, bottom = sheet.y + 16, sheet.y + _CHART - 16
    sheet.card(_CHART)

    def at(hand: int, points: int) -> tuple[float, float]:
        x = MARGIN + hand * INNER / max(1, len(match.played))
        return x, bottom - (points - low) * (bottom - top) / (high - low)

    sheet.drawing.line((*at(0, 0), WIDTH - MARGIN, at(0, 0)[1]), fill=LINE, width=2)
    for player, course in enumerate(courses):
        line = [at(hand, points) for hand, points in enumerate(course)]
        sheet.drawing.line(line, fill=_LINES[player], width=5, joint="curve")
    sheet.y += _CHART + 12


def _best_hand(sheet: Sheet, stored: StoredMatch, names: list[str]) -> None:
    wins = [
        (played.entry.event, played.number)
        for played in stored.match.played
        if isinstance(played.entry.event, Win)
    ]
    if not wins:
        return
    win, number = max(wins, key=lambda one: (one[0].points, -one[1]))
    told = gettext("Best hand: %(name)s, %(points)s points in hand %(hand)s") % {
        "name": names[win.winner],
        "points": win.points,
        "hand": number,
    }
    sheet.text(MARGIN, sheet.y + 24, fitting(told, 28, INNER), 28, INK)
    sheet.y += 52


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"
