"""The tables, the page, and what a run prints."""

import csv
import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from playwright.sync_api import sync_playwright
from rich.console import Console

from scorer import PROFILES
from vision.batch.engines.engine import Settings, Task
from vision.batch.engines.worker import process
from vision.batch.listing.photo_source import PhotoSource
from vision.batch.progress import Bar, Lines, summary
from vision.batch.results.report import report_pieces
from vision.batch.results.result_rows import Stamp, Tally, failed_row
from vision.batch.results.tables import COLUMNS, csv_lines, write_parquet

STAMP = Stamp({"detector": "1"}, PROFILES["guobiao"])


def bad(name: str, message: str = "why") -> dict[str, Any]:
    return failed_row(PhotoSource(name, name), None, STAMP, None, "damaged", message)


@pytest.fixture(scope="module")
def good(small_photos: Path) -> dict[str, Any]:
    """The row of a photo that was read; no test changes it."""
    path = str(small_photos / "three-chows.jpg")
    row = process(Task(1, PhotoSource(path, path), {}), Settings(STAMP, {"self_drawn": True})).row
    assert row is not None
    return row


def test_a_table_has_one_line_per_photo_and_no_formulas(good: Any) -> None:
    rows = [good, bad("=1+1.jpg", '二,三\n"四"')]
    text = "".join(csv_lines(rows))
    assert text.startswith("\ufeff")
    lines = list(csv.DictReader(io.StringIO(text[1:], newline="")))
    assert tuple(lines[0]) == COLUMNS
    assert lines[0]["total"] == str(rows[0]["score"]["total"])
    assert "三色三同顺" in lines[0]["fans"]
    assert lines[0]["self_drawn"] == "true"
    assert lines[0]["assumed"] == "last_tile kong fourth_tile seat_wind prevalent_wind"
    assert lines[0]["hand"]
    assert (lines[0]["profile"], lines[0]["minimum"]) == ("guobiao", "8")
    assert lines[1]["source"] == "'=1+1.jpg"
    assert lines[1]["status"] == "failed"
    assert lines[1]["problems"] == '二,三\n"四"'
    assert lines[1]["total"] == ""


def test_parquet_has_typed_columns_and_the_whole_row(good: Any, tmp_path: Any) -> None:
    rows = [good, bad("caf\udce9.jpg")]
    path = tmp_path / "results.parquet"
    write_parquet(path, iter(rows))
    table = pyarrow.parquet.read_table(path).to_pylist()
    assert [tuple(line) for line in table] == [(*COLUMNS, "row")] * 2
    assert table[0]["total"] == rows[0]["score"]["total"]
    assert table[0]["self_drawn"] is True
    assert table[0]["minimum"] == 8
    assert table[1]["total"] is None
    assert [json.loads(line["row"]) for line in table] == rows
    assert list(tmp_path.iterdir()) == [path]


def test_parquet_that_cannot_be_finished_leaves_nothing(tmp_path: Any) -> None:
    def breaking() -> Iterator[dict[str, Any]]:
        yield bad("a.jpg")
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        write_parquet(tmp_path / "results.parquet", breaking())
    assert list(tmp_path.iterdir()) == []


def test_the_page_shows_failed_and_doubtful_photos_first_and_needs_nothing_else(good: Any) -> None:
    fine = {**good, "source": "1-fine", "problems": []}
    doubtful = {**fine, "source": "2-doubtful", "problems": [{"code": "x", "message": "look <b>here</b>"}]}
    rows = [fine, doubtful, bad("3-<script>alert(1)</script>")]
    page = "".join(report_pieces(lambda: rows, lambda name: b"jpeg" if name != "2-doubtful" else None))
    order = [page.index(f"<h2>{name}") for name in ("3-", "2-", "1-")]
    assert order == sorted(order)
    assert "<script>alert" not in page
    assert "<b>here" not in page
    assert page.count("<svg ") == 1
    assert page.count("<polygon ") == len(fine["tiles"])
    assert re.findall(r"""(?:src|href)="(?!data:)""", page) == []
    assert "3 photos: 2 read, 2 scored, 1 doubtful, 1 failed (1 damaged)" in page
    assert "assumed" in page


def test_the_page_names_fans_in_both_languages(good: Any) -> None:
    page = "".join(report_pieces(lambda: [good], lambda _name: None))
    assert good["score"]["awards"]
    for award in good["score"]["awards"]:
        assert f"{award['fan']} {award['english']} {award['points']}" in page


def test_rows_of_older_versions_are_shown_without_a_minimum(good: Any) -> None:
    old = {name: cell for name, cell in good.items() if name not in ("profile_sha256", "minimum")}
    old["score"] = {**old["score"], "legal": False}
    page = "".join(report_pieces(lambda: [old], lambda _name: None))
    assert "too few to win</p>" in page
    assert "profile guobiao</p>" in page
    (line,) = csv.DictReader(io.StringIO("".join(csv_lines([old]))[1:], newline=""))
    assert line["minimum"] == ""


def test_a_long_page_leaves_out_the_fine_ones(good: Any) -> None:
    fine = {**good, "problems": []}
    rows = [*({**fine, "source": f"fine{at}"} for at in range(3)), bad("bad1"), bad("bad2")]
    page = "".join(report_pieces(lambda: rows, lambda _name: None, most=3))
    assert re.findall("<h2>(.*?)</h2>", page) == ["bad1", "bad2", "fine0"]
    assert "The first 3 are shown" in page


def test_lines_name_failures_at_once() -> None:
    stream = io.StringIO()
    lines = Lines(2, stream=stream)
    tally = Tally(failed=Tally().failed)
    lines(tally, bad("a.jpg", "it is damaged"))
    lines(tally, None)
    assert stream.getvalue() == "a.jpg: it is damaged\n"


def test_a_closed_pipe_does_not_end_the_run() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with suppress(BrokenPipeError), open(writing, "w") as stream:
        lines = Lines(2, stream=stream)
        for _ in range(2):
            lines(Tally(), bad("a.jpg", "it is damaged"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stderr", None)
        Lines(2)(Tally(), bad("a.jpg", "it is damaged"))


def test_control_characters_in_a_name_are_escaped() -> None:
    row = bad("a\n\x1b[31m万.jpg", "it is damaged")
    plain, drawn = io.StringIO(), io.StringIO()
    Lines(2, stream=plain)(Tally(), row)
    assert plain.getvalue() == "a\\n\\x1b[31m万.jpg: it is damaged\n"
    with Bar(3, Console(file=drawn, force_terminal=True, width=100)) as bar:
        bar(Tally(), row)
    assert "a\\n\\x1b[31m万.jpg: it is damaged" in drawn.getvalue()


@pytest.mark.e2e
def test_the_page_is_searched_and_filtered(good: Any, tmp_path: Any) -> None:
    fine = {**good, "source": "fine.jpg", "problems": []}
    doubtful = {**fine, "source": "doubtful.jpg", "problems": [{"code": "x", "message": "look at tile 3"}]}
    path = tmp_path / "report.html"
    path.write_text("".join(report_pieces(lambda: [fine, doubtful, bad("bad.jpg")], lambda _: None)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page()
        page.goto(path.as_uri())
        seen = page.locator("h2:visible")
        assert seen.all_text_contents() == ["bad.jpg", "doubtful.jpg", "fine.jpg"]
        page.get_by_label("failed (1)").uncheck()
        assert seen.all_text_contents() == ["doubtful.jpg", "fine.jpg"]
        page.get_by_label("Search").fill("TILE look")
        assert seen.all_text_contents() == ["doubtful.jpg"]
        assert page.locator("#shown").inner_text() == "1 of 3 shown"
        browser.close()


def test_progress_says_rate_and_time_left() -> None:
    stream = io.StringIO()
    Lines(100, stream=stream).show_progress(Tally(read=20), 10.0)
    Lines(None, stream=stream).show_progress(Tally(read=20), 10.0)
    assert stream.getvalue() == (
        "20 of 100 photos, 2.0 per second, 40 s left\n20 of unknown photos, 2.0 per second\n"
    )
    stream = io.StringIO()
    Lines(100, as_json=True, stream=stream).show_progress(Tally(read=20), 10.0)
    event = json.loads(stream.getvalue())
    assert (event["event"], event["photos_per_second"], event["seconds_left"]) == ("progress", 2.0, 40)


def test_a_bar_on_a_terminal_counts_and_names_failures() -> None:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=100)
    with Bar(3, console) as bar:
        tally = Tally(read=1)
        tally.add(bad("a.jpg"))
        bar(tally, bad("[red]a.jpg", "it is damaged"))
    shown = stream.getvalue()
    assert "[red]a.jpg: it is damaged" in shown
    assert "2/3" in shown


def test_the_summary_counts_failures_by_reason() -> None:
    tally = Tally(read=1)
    for _ in range(2):
        tally.add(bad("a"))
    assert "2 failed (2 damaged)" in summary(tally, 1.0)
