"""The page of `--report`: one file that needs nothing else, with failed and doubtful photos first."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from html import escape
from pathlib import Path
from typing import Any, Self

from vision.batch.results.result_rows import Row, Tally, status
from vision.batch.results.tables import hand_text

MOST = 2000
"""How many photos the page shows at most. It says if there are more."""

_ORDER = ("failed", "doubtful", "fine")

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:;
 style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Fanlens: photos read</title>
<style>
:root{color-scheme:light dark;--line:#8886;--bad:#c5221f;--look:#a86400;--good:#1a7f37}
@media(prefers-color-scheme:dark){:root{--bad:#ff8a80;--look:#ffca6b;--good:#7ee08f}}
body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:80rem;padding:1rem}
form{position:sticky;top:0;display:flex;flex-wrap:wrap;gap:.75rem;padding:.6rem 0;background:Canvas;
border-bottom:1px solid var(--line);z-index:1}
input[type=search]{flex:1 1 12rem;font:inherit;padding:.3rem .5rem;min-width:0}
label{display:flex;gap:.3rem;align-items:center}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(20rem,100%),1fr));gap:1rem;margin-top:1rem}
article{border:1px solid var(--line);border-radius:.5rem;overflow:hidden;
content-visibility:auto;contain-intrinsic-size:20rem 26rem}
article>div{padding:.6rem .8rem}h2{font-size:.95rem;margin:0;overflow-wrap:anywhere}
p,ul{margin:.3rem 0}ul{padding-left:1.1rem}
svg{display:block;width:100%;height:auto;background:#8882}
polygon{fill:none;stroke-width:3;vector-effect:non-scaling-stroke}
.concealed{stroke:#2ea043}.meld{stroke:#1e6ee6;stroke-dasharray:8 3}.winning{stroke:#e66400;stroke-width:5}
.flower{stroke:#be3cbe;stroke-dasharray:2 3}.stray{stroke:#888;stroke-width:1.5;stroke-dasharray:3 4}
.mark{font-weight:600}.failed .mark{color:var(--bad)}.doubtful .mark{color:var(--look)}.fine .mark{color:var(--good)}
.dim{opacity:.75;font-size:.85rem;overflow-wrap:anywhere}[hidden]{display:none!important}
</style></head><body>
<h1>Photos read</h1>
"""

_SCRIPT = """<script>
const form=document.forms[0],cards=[...document.querySelectorAll("article")],shown=document.getElementById("shown");
function filter(){const words=form.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
const kinds=new Set([...form.querySelectorAll("[name=kind]:checked")].map(box=>box.value));let count=0;
for(const card of cards){const text=card.textContent.toLowerCase();
const on=kinds.has(card.className)&&words.every(word=>text.includes(word));card.hidden=!on;count+=on}
shown.textContent=count+" of "+cards.length+" shown"}
form.addEventListener("input",filter);form.addEventListener("submit",event=>event.preventDefault());filter();
</script></body></html>
"""


class Thumbs:
    """The thumbnails for the page, in a temporary file without a name. Use it as a context manager."""

    def __init__(self, folder: Path) -> None:
        """Open a file on the disk that the page will be on."""
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        self._places: dict[bytes, tuple[int, int]] = {}

    def __enter__(self) -> Self:
        """Return the thumbnails."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the file."""
        self._file.close()

    def add(self, address: str, jpeg: bytes) -> None:
        """Keep the thumbnail of a photo. Raises OSError."""
        at = self._file.seek(0, 2)
        self._file.write(jpeg)
        self._places[_digest(address)] = (at, len(jpeg))

    def get(self, address: str) -> bytes | None:
        """The thumbnail of a photo as a JPEG, None if there is none."""
        place = self._places.get(_digest(address))
        if place is None:
            return None
        self._file.seek(place[0])
        return self._file.read(place[1])


def _digest(address: str) -> bytes:
    return blake2b(address.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def report_pieces(
    rows: Callable[[], Iterable[Row]], thumb: Callable[[str], bytes | None], *, most: int = MOST
) -> Iterator[str]:
    """The page in pieces.

    rows: gives the rows anew on each call; it is called once for the counts and once for each status.
    thumb: gives the thumbnail of a photo by its address, None if there is none.
    most: how many photos to show.
    """
    tally, counts = Tally(), dict.fromkeys(_ORDER, 0)
    for row in rows():
        tally.add(row)
        counts[status(row)] += 1
    yield _HEAD
    failed = ", ".join(f"{count} {escape(code)}" for code, count in tally.failed.most_common())
    yield (
        f"<p>{tally.photos} photos: {tally.read} read, {tally.scored} scored, {tally.doubtful} doubtful, "
        f"{tally.failed.total()} failed{f' ({failed})' if failed else ''}.</p>\n"
    )
    if tally.photos > most:
        yield f"<p>The first {most} are shown, failed and doubtful ones before the others.</p>\n"
    yield '<form><input type="search" name="words" placeholder="file, fan, problem…" aria-label="Search">'
    for kind in _ORDER:
        yield f'<label><input type="checkbox" name="kind" value="{kind}" checked>{kind} ({counts[kind]})</label>'
    yield '<output id="shown"></output></form>\n<main>\n'
    left = most
    for kind in _ORDER:
        if not counts[kind] or not left:
            continue
        for row in rows():
            if status(row) == kind and left:
                left -= 1
                yield _card(row, kind, thumb(row["source"]))
    yield "</main>\n"
    yield _SCRIPT


def _card(row: Row, kind: str, jpeg: bytes | None) -> str:
    score: dict[str, Any] = row["score"] or {}
    points = f"{score['total']} points" if score else "no score"
    if score and not score["legal"]:
        minimum = row.get("minimum")  # rows of older versions have none
        points += ", too few to win" + ("" if minimum is None else f" (minimum {minimum})")
    likely = (row.get("totals") or {}).get("text")  # rows of older versions have none
    problems = "".join(f"<li>{escape(problem['message'])}</li>" for problem in row["problems"])
    won = row["circumstances"] or {}
    assumed = set(row["assumed"])
    how = ", ".join(
        f"{name.replace('_', ' ')} {_word(value)}{' (assumed)' if name in assumed else ''}"
        for name, value in won.items()
        if value is not False or name == "self_drawn"
    )
    rules = f"profile {row['profile']}"
    if "minimum" in row:
        rules += f", minimum {row['minimum']} points"
    lines = [
        f"<h2>{escape(row['source'])}</h2>",
        f'<p><span class="mark">{kind}</span> · {points}</p>',
        f"<p>{escape(likely)}</p>" if likely else "",
        f"<ul>{problems}</ul>" if problems else "",
        f"<p>{escape(_fans(score))}</p>" if score else "",
        f'<p class="dim">{escape(hand_text(row))}</p>' if row["hand"] else "",
        f'<p class="dim">{escape(how)}</p>' if how else "",
        f'<p class="dim">{escape(rules)}</p>',
    ]
    return f'<article class="{kind}">{_picture(row, jpeg)}<div>{"".join(lines)}</div></article>\n'


def _fans(score: Mapping[str, Any]) -> str:
    """The fans of a score in Chinese and English, with their points."""
    return ", ".join(
        f"{award['fan']} {award['english']} {award['points']}"
        + (f" ×{award['count']}" if award["count"] > 1 else "")
        for award in score["awards"]
    )


def _word(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _picture(row: Row, jpeg: bytes | None) -> str:
    """The thumbnail, with an outline for each tile that shows its face as a tooltip."""
    width, height = row["width"], row["height"]
    if jpeg is None or not width:
        return ""
    image = base64.b64encode(jpeg).decode()
    shapes = "".join(
        f'<polygon class="{escape(tile["role"])}" points="{" ".join(f"{x:g},{y:g}" for x, y in tile["quad"])}">'
        f"<title>{escape(tile['face'])} {tile['confidence']:.0%}</title></polygon>"
        for tile in row["tiles"]
    )
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(row["image"])}">'
        f'<image width="{width}" height="{height}" href="data:image/jpeg;base64,{image}"/>{shapes}</svg>'
    )
