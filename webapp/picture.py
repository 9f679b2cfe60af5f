"""The score as a picture to share: the hand drawn with Fanlens's tiles, the total, the fans and the payments."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from PIL import Image, ImageDraw

from scorer import BACK, Hand, MeldKind, Score
from vision.artwork import face_picture
from webapp.fonts import drawable, typeface
from webapp.language import current, gettext
from webapp.names import wind_name
from webapp.verdict import verdict

WIDTH, MARGIN = 1080, 48
INNER = WIDTH - 2 * MARGIN
PAPER, CARD, INK, SOFT, LINE = "#f5f4ef", "#ffffff", "#1d2421", "#59635e", "#dcd9cd"
GREEN, RED = "#1b634b", "#b3361f"
GAP = 3  # pixels between the tiles of a group
APART = 22  # pixels between groups
WIDEST_TILE = 69
FAN_ROW, SEAT_ROW = 58, 132


Group = tuple[str, ...]


def _melds(hand: Hand) -> Iterator[Group]:
    for meld in hand.melds:
        hidden = meld.kind is MeldKind.CONCEALED_KONG
        yield (BACK, *meld.tiles[1:3], BACK) if hidden else meld.tiles


def _width(groups: list[Group], tile: int) -> int:
    """The width in pixels of groups side by side, with tiles `tile` pixels wide."""
    return sum(len(group) * (tile + GAP) - GAP for group in groups) + APART * (len(groups) - 1)


def _rows(hand: Hand, tile: int) -> list[list[Group]]:
    """The rows of the picture: the melds, in as many rows as they need; the concealed and winning tiles; flowers."""
    rows: list[list[Group]] = []
    for meld in _melds(hand):
        if rows and _width([*rows[-1], meld], tile) <= INNER:
            rows[-1].append(meld)
        else:
            rows.append([meld])
    rows.append([hand.concealed, (hand.winning_tile,)])
    if isinstance(hand.flowers, tuple) and hand.flowers:
        rows.append([hand.flowers])
    return rows


def fitting(text: str, size: int, width: float, *, bold: bool = False) -> str:
    """`text`, shortened with an ellipsis if it is wider than `width` pixels."""
    face = typeface(size, bold=bold)
    if face.getlength(text) <= width:
        return text
    while text and face.getlength(f"{text}…") > width:
        text = text[:-1]
    return f"{text}…"


@dataclass
class Sheet:
    """A picture drawn from top to bottom; the next part begins at `y`."""

    image: Image.Image
    y: int = MARGIN // 2
    drawing: ImageDraw.ImageDraw = field(init=False)

    def __post_init__(self) -> None:
        """Get ready to draw."""
        self.drawing = ImageDraw.Draw(self.image)

    def text(
        self, x: float, y: float, text: str, size: int, colour: str, *, bold: bool = False, anchor: str = "lm"
    ) -> float:
        """Draws a line of text and returns its width in pixels; `anchor` is Pillow's."""
        face = typeface(size, bold=bold)
        self.drawing.text((x, y), text, fill=colour, font=face, anchor=anchor)
        return face.getlength(text)

    def card(self, height: int) -> None:
        """Draws a white card over the whole width, from `y` down."""
        box = (MARGIN // 2, self.y, WIDTH - MARGIN // 2, self.y + height)
        self.drawing.rounded_rectangle(box, 24, fill=CARD, outline=LINE, width=2)

    def hand(self, hand: Hand) -> None:
        """Draws the tiles, as large as possible with the concealed tiles and the winning tile in one row."""
        held = len(hand.concealed) + 1
        width = min(WIDEST_TILE, (INNER - APART - GAP * held) // held)
        height = width * 4 // 3
        rows = _rows(hand, width)
        self.card(len(rows) * (height + APART) + APART)
        y = self.y + APART
        for row in rows:
            x = MARGIN
            for group in row:
                for face in group:
                    self.image.paste(face_picture(face, height), (x, y))
                    x += width + GAP
                if group == (hand.winning_tile,):
                    left = x - width - GAP
                    self.drawing.rectangle((left, y + height + 5, left + width, y + height + 9), fill=GREEN)
                x += APART - GAP
            y += height + APART
        self.y = y + APART

    def headline(self, result: Score, how: str) -> None:
        """Draws the total, whether the hand is a legal win, and how it was won."""
        middle = self.y + 60
        number = self.text(MARGIN, middle, str(result.total), 104, INK, bold=True)
        beside = MARGIN + number + 24
        colour = GREEN if result.legal else RED
        room = WIDTH - MARGIN - beside
        self.text(beside, middle - 20, fitting(verdict(result)["text"], 36, room), 36, colour)
        self.text(beside, middle + 32, fitting(how, 30, room), 30, SOFT)
        self.y += 136

    def fans(self, result: Score) -> None:
        """Draws one row per fan: its name in the language of the page, the other name beside it, its points."""
        language = current()
        self.card(FAN_ROW * len(result.fans) + 24)
        y = self.y + 12 + FAN_ROW // 2
        for place, award in enumerate(result.fans):
            if place:
                line = (MARGIN, y - FAN_ROW // 2, WIDTH - MARGIN, y - FAN_ROW // 2)
                self.drawing.line(line, fill=LINE, width=2)
            chinese, english = award.fan.name, award.fan.english
            first, second = (
                (language.chinese(chinese), english) if language.is_chinese else (english, chinese)
            )
            times = f" ×{award.count}" if award.count > 1 else ""
            width = self.text(MARGIN, y, first + times, 34, INK, bold=True)
            room = INNER - width - 120
            self.text(MARGIN + width + 18, y, fitting(second, 26, room), 26, SOFT)
            self.text(WIDTH - MARGIN, y, str(award.points), 36, INK, bold=True, anchor="rm")
            y += FAN_ROW
        self.y = y + 12

    def payments(self, payments: Mapping[str, int], players: Mapping[str, str]) -> None:
        """Draws what each seat receives or pays, below its wind and the player's name."""
        self.card(SEAT_ROW)
        column = INNER / len(payments)
        for place, (seat, points) in enumerate(payments.items()):
            x = MARGIN + column * (place + 0.5)
            name = fitting(drawable(players.get(seat, "")), 26, column - 16)
            self.text(x, self.y + 30, wind_name(seat), 26, SOFT, anchor="mm")
            if name:
                self.text(x, self.y + 62, name, 26, INK, anchor="mm")
            sign, colour = ("+", GREEN) if points > 0 else ("−", RED)
            self.text(x, self.y + 100, f"{sign}{abs(points)}", 38, colour, bold=True, anchor="mm")
        self.y += SEAT_ROW


def score_picture(
    result: Score,
    discarder: str | None = None,
    payments: Mapping[str, int] | None = None,
    players: Mapping[str, str] | None = None,
) -> bytes:
    """A PNG, `WIDTH` pixels wide, of the hand, its fans, the total and, if known, the payments by seat.

    It is in the language of the request. `players` maps E, S, W and N to names as far as they are known; the
    picture leaves out characters that the typeface lacks.
    """
    # Four kongs take at most two rows, so there are at most four rows; the empty rest is cropped below.
    most = 4 * 2 * WIDEST_TILE + FAN_ROW * len(result.fans) + 600
    sheet = Sheet(Image.new("RGB", (WIDTH, most), PAPER))
    sheet.hand(result.hand)
    sheet.headline(result, _how(result, discarder))
    sheet.fans(result)
    if payments is not None:
        sheet.y += 20
        sheet.payments(payments, players or {})
    sheet.text(WIDTH / 2, sheet.y + 36, "Fanlens", 24, SOFT, anchor="mm")
    file = io.BytesIO()
    picture = sheet.image.crop((0, 0, WIDTH, sheet.y + 64))
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def _how(result: Score, discarder: str | None) -> str:
    winner = wind_name(result.circumstances.seat_wind)
    if result.circumstances.self_drawn:
        return gettext("%(winner)s won, self-drawn") % {"winner": winner}
    if discarder is None:
        return gettext("%(winner)s won on a discard") % {"winner": winner}
    words = gettext("%(winner)s won on %(discarder)s's discard")
    return words % {"winner": winner, "discarder": wind_name(discarder)}
