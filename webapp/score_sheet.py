"""The score sheet of a match as a PDF on one A4 page, to print and to sign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from fpdf import FPDF
from fpdf.enums import Align, TableBordersLayout, VAlign
from fpdf.fonts import FontFace
from fpdf.table import Row

from scorer.match import Draw, Entry, FalseWin, Penalty, PlayedHand, Standing, Win, standings
from scorer.tiles import WINDS
from webapp.fonts import REGULAR, drawable
from webapp.language import gettext
from webapp.ledger import StoredMatch
from webapp.names import wind_name

_MARGIN = 9.0
_FONT = "noto"
#: The columns in millimetres: hand, winner, from whom, points, then points and running total of each player.
_COLUMNS = (12.0, 27.0, 27.0, 14.0, *(14.0,) * 8)
_PLAYERS = slice(4, None)
_SHADE = (238, 241, 236)


def score_sheet(stored: StoredMatch) -> bytes:
    """The PDF, in the language of the request. Characters that the typeface lacks are left out of names."""
    pdf = FPDF(format="A4")
    pdf.set_margin(_MARGIN)
    pdf.set_auto_page_break(False)
    pdf.add_font(_FONT, fname=REGULAR)
    pdf.set_title(stored.title or gettext("Score sheet"))
    pdf.set_creator("Fanlens")
    pdf.add_page()
    _Sheet(pdf, stored).draw()
    return bytes(pdf.output())


class _Sheet:
    """Draws the parts of the sheet from top to bottom."""

    def __init__(self, pdf: FPDF, stored: StoredMatch) -> None:
        self._pdf = pdf
        self._stored = stored
        self._match = stored.match
        self._names = [drawable(name) for name in stored.players]

    def draw(self) -> None:
        self._heading()
        self._table()
        self._signatures()

    def _heading(self) -> None:
        pdf = self._pdf
        pdf.set_font(_FONT, size=15)
        pdf.cell(0, 8, drawable(self._stored.title) or gettext("Score sheet"), new_x="LMARGIN", new_y="NEXT")
        pdf.set_font(_FONT, size=9)
        pdf.cell(0, 6, _day(self._stored.started_at), new_x="LMARGIN", new_y="NEXT")
        pdf.ln(1)

    def _table(self) -> None:
        pdf = self._pdf
        pdf.set_font(_FONT, size=8)
        with pdf.table(
            col_widths=_COLUMNS,
            width=sum(_COLUMNS),
            line_height=self._line_height(),
            text_align=(Align.L, Align.L, Align.L, *(Align.R,) * 9),
            v_align=VAlign.M,
            borders_layout=TableBordersLayout.ALL,
            headings_style=FontFace(fill_color=_SHADE),
            padding=(0, 1),
        ) as table:
            heading = table.row()
            for label in (gettext("Hand"), gettext("Winner"), gettext("From"), gettext("Points")):
                heading.cell(label)
            for name in self._names:
                heading.cell(self._fitting(name, sum(_COLUMNS[4:6])), colspan=2, align=Align.C)
            for cells in self._rows():
                self._fill(table.row(), cells)
            self._results(table.row, standings(self._match.totals))

    def _line_height(self) -> float:
        """As high as the page allows, so that a sheet is easy to read and never needs a second page."""
        lines = 1 + self._match.hands + len(self._match.charges) + 3
        room = self._pdf.eph - 60
        return min(10.0, room / lines)

    def _fill(self, row: Row, cells: Sequence[str]) -> None:
        for place, cell in enumerate(cells):
            shaded = place >= 5 and place % 2
            row.cell(
                self._fitting(cell, _COLUMNS[place]), style=FontFace(fill_color=_SHADE) if shaded else None
            )

    def _rows(self) -> list[list[str]]:
        """A row per hand, those not played empty, with the penalties above the hand in which they were entered."""
        rows, running, told = [], [0, 0, 0, 0], set()
        for played in self._match.played:
            for charge in played.charges:
                told.add(charge.number)
                if charge != played.entry:
                    rows.append(self._charge(charge, running))
            rows.append(self._hand(played, running))
        for number in range(len(self._match.played) + 1, self._match.hands + 1):
            rows.append([_hand_name(number), *[""] * 11])
        late = [charge for charge in self._match.charges if charge.number not in told]
        return rows + [self._charge(charge, running) for charge in late]

    def _hand(self, played: PlayedHand, running: list[int]) -> list[str]:
        event = played.entry.event
        told = ["", "", ""]
        if isinstance(event, Win):
            source = gettext("self-drawn") if event.discarder is None else self._names[event.discarder]
            told = [self._names[event.winner], source, str(event.points)]
        elif isinstance(event, Draw):
            told[0] = gettext("time") if event.timed_out else gettext("draw")
        else:
            told[0] = gettext("penalty")
        return [_hand_name(played.number), *told, *self._moved(played.entry, running)]

    def _charge(self, entry: Entry, running: list[int]) -> list[str]:
        event = entry.event
        reason = event.reason if isinstance(event, Penalty) else ""
        what = gettext("False win") if isinstance(event, FalseWin) else gettext("Penalty")
        return ["", what, drawable(reason), "", *self._moved(entry, running)]

    def _moved(self, entry: Entry, running: list[int]) -> list[str]:
        gains = self._match.moved_by(entry).players
        cells = []
        for player, gain in enumerate(gains):
            running[player] += gain
            cells += [_signed(gain) if gain else "", _signed(running[player])]
        return cells

    def _results(self, new_row: Callable[[], Row], places: Sequence[Standing]) -> None:
        players = sorted(places, key=lambda one: one.player)
        lines = (
            (gettext("Total"), [_signed(one.total) for one in players]),
            (gettext("Place"), [str(one.rank) for one in players]),
            (gettext("Table points"), [_short(float(one.table_points)) for one in players]),
        )
        for label, cells in lines:
            row = new_row()
            row.cell(label, colspan=4)
            for cell in cells:
                row.cell(cell, colspan=2, style=FontFace(fill_color=_SHADE))

    def _signatures(self) -> None:
        pdf = self._pdf
        balance = self._match.balance
        pdf.set_font(_FONT, size=8)
        told = gettext("All together: %(sum)s") % {"sum": sum(balance.players) + balance.table}
        if balance.table:
            told += " · " + gettext("the table: %(points)s") % {"points": _signed(balance.table)}
        pdf.cell(0, 7, told, new_x="LMARGIN", new_y="NEXT")
        pdf.set_y(-_MARGIN - 14)
        column = pdf.epw / 4
        for name in self._names:
            x, y = pdf.get_x(), pdf.get_y()
            pdf.line(x, y, x + column - 6, y)
            pdf.cell(column, 6, self._fitting(name, column - 6))

    def _fitting(self, text: str, width: float) -> str:
        """`text`, shortened with an ellipsis if it is wider than `width` millimetres: no cell has two lines."""
        room = width - 2.4
        if self._pdf.get_string_width(text) <= room:
            return text
        while text and self._pdf.get_string_width(f"{text}…") > room:
            text = text[:-1]
        return f"{text}…"


def _hand_name(number: int) -> str:
    return f"{number} {wind_name(WINDS[(number - 1) // 4])}"


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
