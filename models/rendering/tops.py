"""What lies on top of things that are no tiles: keys, dominoes, cards, counters, letters, screens, pages, boards."""

from __future__ import annotations

import cv2
import numpy as np

from models.drawing.outlines import EM, glyph
from models.drawing.shapes import InkShape, circle, paint, placed, rounded
from models.rendering.table import cloth_colour, colour, noise
from vision.tiles import Floats, Pixels

_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MARKS = [
    *_LETTERS,
    *"0123456789",
    *"+-*/=#&%?!<>;:[]",
    "Esc",
    "Tab",
    "F5",
    "Ctrl",
    "Alt",
    "Del",
    "PgUp",
    "10",
]
_CHARACTERS = "一七三东中九二五八六北南四東西萬發白春夏秋冬梅蘭竹菊"
_PIPS = {
    0: (), 1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)), 5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}  # fmt: skip


def plain(size: tuple[int, int], tint: Floats) -> Pixels:
    """A picture in one colour; `size` is width and height."""
    picture = np.empty((size[1], size[0], 3), np.uint8)
    picture[:] = np.clip(tint, 0, 255)
    return picture


def ink_on(rng: np.random.Generator, tint: Floats) -> tuple[float, float, float]:
    """A colour that can be read on `tint`: mostly black or white, sometimes red, green or blue."""
    light = float(np.mean(tint)) > 120
    if rng.random() < 0.3:
        found = colour(rng, (0, 1), (0.6, 1), (0.2, 0.6) if light else (0.8, 1))
    else:
        found = np.full(3, rng.uniform(0, 60) if light else rng.uniform(190, 255))
    red, green, blue = (float(value) for value in found)
    return red, green, blue


def write(
    picture: Pixels, text: str, middle: tuple[float, float], height: float, ink: tuple[float, ...],
    rng: np.random.Generator,
) -> None:  # fmt: skip
    """Write a word in Latin letters, its middle at `middle`, `height` pixels high."""
    font = int(rng.choice(_FONTS))
    scale = max(height / 22, 0.2)
    thick = max(1, round(scale * rng.uniform(1, 3)))
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    start = (round(middle[0] - wide / 2), round(middle[1] + high / 2))
    cv2.putText(picture, text, start, font, scale, ink, thick, cv2.LINE_AA)


def _stamped(picture: Pixels, shapes: list[InkShape]) -> Pixels:
    """The square picture with the middle of a face drawn on it."""
    side = len(picture)
    drawn = paint(shapes, -(-4 * side // 3))
    spare = (len(drawn) - side) // 2
    ink = np.asarray(cv2.resize(drawn[spare : spare + side], (side, side)), np.float32)
    weight = ink[..., 3:] / 255
    return np.asarray(picture * (1 - weight) + ink[..., :3] * weight, np.uint8)


def key(rng: np.random.Generator, tint: Floats, size: tuple[int, int]) -> Pixels:
    """The top of a key: a letter or a word in a corner or the middle, or nothing."""
    top = plain(size, tint)
    if rng.random() < 0.92:
        width, height = size
        ink = ink_on(rng, tint)
        middle = (width * rng.uniform(0.3, 0.5), height * rng.uniform(0.3, 0.5))
        mark = str(rng.choice(_MARKS))
        write(top, mark, middle, height * (0.42 if len(mark) == 1 else 0.22), ink, rng)
        if rng.random() < 0.25:
            write(top, str(rng.choice(_MARKS)), (0.7 * width, 0.75 * height), height * 0.2, ink, rng)
    return top


def domino(rng: np.random.Generator, tint: Floats, size: tuple[int, int]) -> Pixels:
    """A domino: two squares of pips and a line between them."""
    top, (width, height) = plain(size, tint), size
    ink, coloured = ink_on(rng, tint), rng.random() < 0.3
    cv2.line(top, (width // 8, height // 2), (width * 7 // 8, height // 2), ink, max(1, width // 24))
    for row in (0.25, 0.75):
        count = int(rng.integers(7))
        dot = tuple(float(v) for v in colour(rng, (0, 1), (0.6, 1), (0.3, 0.8))) if coloured else ink
        for x, y in _PIPS[count]:
            spot = (round(width * (0.5 + 0.28 * x)), round(height * row + 0.28 * width * y))
            cv2.circle(top, spot, max(2, round(width * 0.09)), dot, -1, cv2.LINE_AA)
    return top


def card(rng: np.random.Generator, size: tuple[int, int]) -> Pixels:
    """A playing card: pips of one suit, a rank in two corners; or its patterned back."""
    width, height = size
    if rng.random() < 0.2:
        top = plain(size, colour(rng, (0, 1), (0.5, 0.9), (0.3, 0.8)))
        for step in range(-height, width, int(rng.integers(8, 20))):
            cv2.line(top, (step, 0), (step + height, height), (235, 235, 235), 2, cv2.LINE_AA)
            cv2.line(top, (step + height, 0), (step, height), (235, 235, 235), 2, cv2.LINE_AA)
        cv2.rectangle(top, (0, 0), (width - 1, height - 1), (245, 245, 245), width // 10)
        return top
    top = plain(size, np.array([250, 250, 246]))
    ink = (190.0, 20.0, 30.0) if rng.random() < 0.5 else (20.0, 20.0, 24.0)
    count, suit = int(rng.integers(1, 11)), int(rng.integers(4))
    for corner in ((0.12, 0.09), (0.88, 0.91)):
        write(top, str(count), (width * corner[0], height * corner[1]), height * 0.1, ink, rng)
    columns = 1 if count < 4 else 2
    for number in range(count):
        row, column = divmod(number, columns)
        rows = -(-count // columns)
        x = width * (0.5 if columns == 1 else 0.33 + 0.34 * column)
        y = height * (0.2 + 0.6 * (row + 0.5) / rows)
        _suit(top, (x, y), width * 0.1, ink, suit)
    return top


def _suit(top: Pixels, at: tuple[float, float], radius: float, ink: tuple[float, ...], suit: int) -> None:
    x, y = at
    if suit == 0:
        shape = [(x, y - 1.3 * radius), (x + radius, y), (x, y + 1.3 * radius), (x - radius, y)]
        cv2.fillPoly(top, [np.rint(shape).astype(np.int32)], ink, cv2.LINE_AA)
        return
    turned = -1 if suit == 1 else 1
    for dx, dy in ((-0.5, 0.3), (0.5, 0.3), (0, -0.45)) if suit == 3 else ((-0.5, 0.1), (0.5, 0.1)):
        cv2.circle(
            top, (round(x + dx * radius), round(y + turned * dy * radius)), round(0.55 * radius), ink, -1
        )
    tip = [
        (x - radius, y + turned * 0.2 * radius),
        (x + radius, y + turned * 0.2 * radius),
        (x, y - turned * 1.2 * radius),
    ]
    cv2.fillPoly(top, [np.rint(tip).astype(np.int32)], ink, cv2.LINE_AA)


def counter(rng: np.random.Generator, tint: Floats, side: int) -> Pixels:
    """The top of a round counter, coin or chip: rings, spots at the rim, a number."""
    top, middle = plain((side, side), tint), (side // 2, side // 2)
    ink = ink_on(rng, tint)
    for _ in range(int(rng.integers(1, 4))):
        cv2.circle(top, middle, round(side * rng.uniform(0.2, 0.48)), ink, max(1, side // 30), cv2.LINE_AA)
    if rng.random() < 0.5:
        for turn in np.arange(6) * np.pi / 3 + rng.uniform(0, 1):
            spot = (round(side * (0.5 + 0.42 * np.cos(turn))), round(side * (0.5 + 0.42 * np.sin(turn))))
            cv2.circle(top, spot, side // 14, ink, -1, cv2.LINE_AA)
    if rng.random() < 0.6:
        write(top, str(rng.choice(["1", "5", "10", "25", "50", "100", "500"])), middle, side * 0.25, ink, rng)
    return top


def character_disc(rng: np.random.Generator, tint: Floats, side: int) -> Pixels:
    """The top of a wind disc, a chess man or a place marker: one character in a ring, or four around the middle."""
    red, green, blue = (round(v) for v in ink_on(rng, tint))
    ink = f"#{red:02x}{green:02x}{blue:02x}"
    style = str(rng.choice(["kai", "song", "sans", "huangyou", "cactus", "chocolate"]))
    shapes = []
    if rng.random() < 0.7:
        shapes.append(InkShape(circle(300, 400, 230), ink, 14.0))
    else:
        shapes.append(InkShape(rounded(90, 190, 420, 420, 30), ink, 12.0))
    several = rng.random() < 0.35
    for number in range(4 if several else 1):
        size, spot = (0.14, 130.0) if several else (0.34, 0.0)
        outline = glyph(style, str(rng.choice(list(_CHARACTERS[:19]))))
        centred = placed(outline, -EM / 2 * size, -EM / 2 * size, size)
        turn = 90.0 * number
        x = 300 + spot * float(np.sin(np.deg2rad(turn)))
        y = 400 - spot * float(np.cos(np.deg2rad(turn)))
        shapes.append(InkShape(placed(centred, x, y, 1.0, turn), ink))
    return _stamped(plain((side, side), tint), shapes)


def letter(rng: np.random.Generator, tint: Floats, side: int) -> Pixels:
    """A tile of a word game: a letter and its value."""
    top, ink = plain((side, side), tint), ink_on(rng, tint)
    write(top, str(rng.choice(list(_LETTERS))), (0.45 * side, 0.47 * side), 0.55 * side, ink, rng)
    if rng.random() < 0.8:
        write(top, str(int(rng.integers(1, 11))), (0.8 * side, 0.82 * side), 0.18 * side, ink, rng)
    return top


def squares(rng: np.random.Generator, side: int) -> Pixels:
    """A board or a mat with squares: a chess board, a cutting mat, squared paper, a board of a word game."""
    first = cloth_colour(rng) if rng.random() < 0.6 else colour(rng, (0, 1), (0, 0.5), (0.3, 1))
    board = plain((side, side), first)
    step, kind = int(rng.integers(side // 30, side // 6)), int(rng.integers(3))
    if kind == 0:
        board[(np.add.outer(np.arange(side) // step, np.arange(side) // step) % 2) == 1] = colour(
            rng, (0, 1), (0, 0.6), (0.05, 1)
        )
        return board
    ink = tuple(float(v) for v in np.clip(first + rng.choice([-1, 1]) * rng.uniform(25, 120), 0, 255))
    for at in range(step // 2, side, step):
        thick = max(1, step // 25)
        cv2.line(board, (at, 0), (at, side), ink, thick)
        cv2.line(board, (0, at), (side, at), ink, thick)
    for _ in range(int(rng.integers(0, 24))):
        x, y = (int(v) * step + step // 2 for v in rng.integers(0, side // step, 2))
        if kind == 1:
            tint = tuple(float(v) for v in colour(rng, (0, 1), (0.2, 0.8), (0.4, 1)))
            cv2.rectangle(board, (x + 2, y + 2), (x + step - 2, y + step - 2), tint, -1)
        write(board, str(rng.choice(_MARKS)), (x + step / 2, y + step / 2), step * 0.4, ink, rng)
    if kind == 2:
        for _ in range(3):
            ends = [tuple(int(v) for v in rng.integers(0, side, 2)) for _ in range(2)]
            cv2.line(board, ends[0], ends[1], ink, 1, cv2.LINE_AA)
    return board


def page(rng: np.random.Generator, size: tuple[int, int]) -> Pixels:
    """A page of text, with headings and now and then a table."""
    width, height = size
    sheet = plain(size, colour(rng, (0.05, 0.2), (0, 0.12), (0.85, 1)))
    ink = (float(rng.uniform(0, 60)),) * 3
    y, line = height * 0.06, height * rng.uniform(0.012, 0.05)
    table = rng.random() < 0.3
    while y < height * 0.95:
        tall = line * (1.8 if rng.random() < 0.08 else 1.0)
        x = width * 0.06
        while x < width * 0.9:
            word = "".join(rng.choice(list(_LETTERS.lower() + _LETTERS), int(rng.integers(1, 9))))
            wide = 0.75 * tall * len(word)
            write(sheet, word, (x + wide / 2, y), tall, ink, rng)
            x += wide + tall
            if rng.random() < 0.04:
                break
        if table:
            cv2.line(
                sheet, (round(width * 0.05), round(y + tall)), (round(width * 0.95), round(y + tall)), ink, 1
            )
        y += tall * rng.uniform(1.6, 2.2)
    if table:
        for x in np.linspace(0.05, 0.95, int(rng.integers(4, 9))) * width:
            cv2.line(sheet, (round(x), round(height * 0.05)), (round(x), round(height * 0.95)), ink, 1)
    return sheet


def circuit(rng: np.random.Generator, size: tuple[int, int]) -> Pixels:
    """A circuit board: chips with legs and labels, round and square parts, traces."""
    width, height = size
    tint = colour(rng, (0.28, 0.62), (0.5, 0.95), (0.15, 0.5))
    board = plain(size, tint)
    trace = tuple(float(v) for v in np.clip(tint * 1.35 + 12, 0, 255))
    for _ in range(int(rng.integers(20, 80))):
        start = rng.integers(0, (width, height))
        bend = start + np.array([int(rng.integers(-width // 3, width // 3)), 0])
        end = bend + int(rng.integers(-height // 4, height // 4)) * np.array([1, 1])
        points = [np.array([start, bend, end], np.int32)]
        cv2.polylines(board, points, False, trace, int(rng.integers(1, 4)), cv2.LINE_AA)
    for _ in range(int(rng.integers(8, 50))):
        x, y = (int(v) for v in rng.integers(0, (width, height)))
        w, h = (int(v) for v in rng.integers(max(8, width // 60), width // 7, 2))
        if rng.random() < 0.25:
            cv2.circle(
                board, (x, y), w // 3 + 2, colour(rng, (0, 1), (0, 0.5), (0.3, 0.9)).tolist(), -1, cv2.LINE_AA
            )
            continue
        for pin in range(x, x + w, max(4, w // 10)):
            cv2.line(board, (pin, y - 4), (pin, y + h + 4), (200, 200, 195), max(1, w // 40))
        body = plain((w, h), np.full(3, rng.choice([rng.uniform(10, 50), rng.uniform(180, 250)])))
        write(
            body,
            str(rng.choice(_MARKS)) + str(rng.integers(100)),
            (w / 2, h / 2),
            h * 0.3,
            ink_on(rng, body[0, 0]),
            rng,
        )
        part = board[y : y + h, x : x + w]
        part[:] = body[: part.shape[0], : part.shape[1]]
    return board


def screen(rng: np.random.Generator, size: tuple[int, int]) -> Pixels:
    """A screen: windows over a background, and rows of icons with names."""
    width, height = size
    ground = colour(rng, (0, 1), (0, 0.7), (0.1, 0.9))
    clouds = 14 * noise(rng, max(size), 160)[:height, :width, None]
    picture: Pixels = np.clip(ground + clouds, 0, 255).astype(np.uint8)
    side = int(rng.uniform(0.05, 0.16) * min(size))
    columns, rows = int(rng.integers(1, 8)), int(rng.integers(1, 6))
    left, upper = (float(v) for v in rng.uniform(0.02, 0.2, 2) * size)
    for row in range(rows):
        for column in range(columns):
            x, y = round(left + column * side * 1.6), round(upper + row * side * 1.9)
            tint = colour(rng, (0, 1), (0, 0.9), (0.3, 1))
            part = picture[y : y + side, x : x + side]
            if part.shape[:2] != (side, side):
                continue
            red, green, blue = (round(float(v)) for v in tint)
            frame = rounded(30, 130, 540, 540, int(rng.choice([20, 110, 250])))
            part[:] = _stamped(part, [InkShape(frame, f"#{red:02x}{green:02x}{blue:02x}")])
            write(part, str(rng.choice(_MARKS)), (side / 2, side / 2), side * 0.5, ink_on(rng, tint), rng)
            if rng.random() < 0.6:
                write(
                    picture, "name", (x + side / 2, y + side * 1.2), side * 0.16, (250.0, 250.0, 250.0), rng
                )
    return picture


def video(rng: np.random.Generator, size: tuple[int, int]) -> Pixels:
    """A frame of a video: soft shapes, a caption, a logo, a bar with buttons."""
    width, height = size
    base, spread = colour(rng, (0, 1), (0, 0.6), (0.1, 0.9)), float(rng.uniform(10, 60))
    small = np.clip(base + rng.normal(0, spread, (9, 16, 1)) + rng.normal(0, spread / 3, (9, 16, 3)), 0, 255)
    large = cv2.resize(small.astype(np.uint8), size, interpolation=cv2.INTER_CUBIC)
    picture: Pixels = np.asarray(cv2.GaussianBlur(large, (0, 0), width / 40), np.uint8)
    text = " ".join(
        "".join(rng.choice(list(_LETTERS), int(rng.integers(2, 8)))) for _ in range(int(rng.integers(1, 5)))
    )
    tall = height * rng.uniform(0.04, 0.14)
    at = (width / 2, height * rng.choice([0.12, 0.85]))
    if rng.random() < 0.5:
        reach = round(0.5 * tall * len(text) + tall)
        box = ((round(at[0]) - reach, round(at[1] - tall)), (round(at[0]) + reach, round(at[1] + tall)))
        cv2.rectangle(picture, box[0], box[1], colour(rng, (0, 1), (0, 1), (0, 1)).tolist(), -1)
    write(picture, text, at, tall, (252.0, 252.0, 250.0), rng)
    for _ in range(int(rng.integers(0, 6))):
        x, y = (int(v) for v in rng.uniform(0, 0.9, 2) * size)
        side = int(rng.uniform(0.04, 0.16) * height)
        tint = colour(rng, (0, 1), (0, 0.9), (0.5, 1))
        part = picture[y : y + side, x : x + side]
        badge = plain((side, side), tint)
        write(badge, str(rng.choice(_MARKS)), (side / 2, side / 2), side * 0.5, ink_on(rng, tint), rng)
        part[:] = badge[: part.shape[0], : part.shape[1]]
    return picture
