"""The results on disk: shards that appear whole or not at all, joined into one file at the end of the run.

During a run, `OUT.shards/` holds `000000.jsonl`, `000001.jsonl`, … and the shard being written, whose name ends in
`.part`. A shard is flushed to the disk before it gets its final name. After a killed run, the next one keeps the
complete lines of a `.part` and drops its incomplete last line, so it reads again only the photos that were in flight.

Rows arrive as photos are read, but the joined file has the order of the listing. So it has the same bytes whatever
engine read the photos, and however often the run was stopped.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Self

from scorer import FanlensError
from scorer.jsonl import json_line
from vision.batch.results.result_rows import Row, key_of, reason
from vision.output_files import atomic_write, remove_unfinished, sync_folder

_DECODER = json.JSONDecoder()
_HEAD = '{"source": '


class RecordError(FanlensError):
    """The results cannot be written where they should be; the message says why and what to do.

    code: `not_writable`, `results_exist` (without --resume), `not_results` (the file holds something else),
        `results_in_use` (by another run), `results_unreadable`, `overwrites_input` (the place is needed for reading).
    """


class _Photo(NamedTuple):
    """What is known about one photo.

    place: number of the file with its newest row, and the byte where the row begins; None without a row.
    key: what that row depends on. failed: whether the row says that the photo failed.
    number: its position in the listing of this run, None if it is not listed.
    """

    place: tuple[int, int] | None = None
    key: bytes | None = None
    failed: bool = False
    number: int | None = None


_UNKNOWN = _Photo()


class Record:
    """The rows of this run and of earlier ones. As a context manager it locks the results for this process.

    Raises RecordError if there are results already and `resume` is false, if another run has locked them, or if the
    folder cannot be written.
    """

    def __init__(self, out: Path, *, resume: bool, shard_size: int = 100) -> None:
        """Lock the results at `out`, and index the rows that are there."""
        self.out = out
        self.folder = out.with_name(f"{out.name}.shards")
        self._shard_size = shard_size
        self._rows_in_part = 0
        self._part: int | None = None
        self._size = 0
        self._photos: dict[bytes, _Photo] = {}  # by 16 bytes of each photo's address
        self._enlisted = 0
        self._files: list[Path] = []  # every file with rows, by the number that places name
        self._joined = out.suffix.lower() not in (".csv", ".parquet")
        self._lines_joined = 0
        if out.name == "-" or (out.exists() and not out.is_file()):
            raise RecordError(
                "not_writable",
                f"{out} is not an ordinary file: name one, because the results need shards beside it",
            )
        if not resume and (out.exists() or any(self.folder.glob("*.jsonl*"))):
            raise RecordError(
                "results_exist", f"{out} has results already: add --resume to go on, or choose another name"
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise RecordError(
                "not_writable", f"{self.folder} cannot be written ({error.strerror}): choose another place"
            ) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._recover()
        except BlockingIOError as error:
            os.close(self._lock)
            raise RecordError(
                "results_in_use", f"another run is writing {out}: wait for it, or choose another name"
            ) from error
        except RecordError:
            if not any(self.folder.glob("*.jsonl*")):
                self._clear()
            os.close(self._lock)
            raise
        except (OSError, ValueError) as error:
            os.close(self._lock)
            raise RecordError(
                "results_unreadable", f"the results at {out} cannot be read ({error}): choose another name"
            ) from error
        self._next = max((int(path.stem) for path in self._shards()), default=-1) + 1

    def __enter__(self) -> Self:
        """Return the record."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Unlock the results. A shard that could not be published stays as `.part` for the next run."""
        if self._part is not None:
            os.close(self._part)
            self._part = None
        if not any(self.folder.glob("*.jsonl*")):
            self._clear()
        os.close(self._lock)

    def _clear(self) -> None:
        """Remove the folder, which has no shards."""
        (self.folder / "lock").unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # gone already, or a person keeps a file in it
            self.folder.rmdir()

    def _shards(self) -> list[Path]:
        """The published shards in the order they were written."""
        return sorted(path for path in self.folder.glob("*.jsonl") if path.stem.isdigit())

    def _recover(self) -> None:
        """Publish the complete lines that a killed run left, remove the rest, and index every row.

        Raises RecordError if OUT holds something else, which would be lost.
        """
        remove_unfinished(self.out)
        for part in sorted(self.folder.glob("*.part")):
            content = part.read_bytes()
            whole = content[: content.rfind(b"\n") + 1]
            if not whole:
                part.unlink()
                continue
            with part.open("r+b") as file:
                file.truncate(len(whole))
                os.fsync(file.fileno())
            part.rename(part.with_suffix(""))
        if self.out.exists() and self.out.stat().st_size:
            if self._joined:
                self._lines_joined = self._learn(self.out)
                with self.out.open("rb") as file:
                    ours = bool(self._photos) or file.read(len(_HEAD)) == _HEAD.encode()
            else:
                ours = bool(self._shards())
            if not ours:
                raise RecordError(
                    "not_results", f"{self.out} does not hold results of a run: choose another name"
                )
        for path in self._shards():
            self._learn(path)

    def _learn(self, path: Path) -> int:
        """Index the rows of a file. Returns how many lines it has, including lines that are not rows."""
        self._files.append(path)
        start = lines = 0
        with path.open("rb") as file:
            for line in file:
                row = _row_in(line.decode("utf-8", "replace"))
                if row is not None:
                    self._index(row, start)
                start += len(line)
                lines += 1
        return lines

    def _index(self, row: Row, start: int) -> None:
        """Note the row that begins at that byte of the last file."""
        digest = _digest(row["source"])
        number = self._photos.get(digest, _UNKNOWN).number
        place = (len(self._files) - 1, start)
        self._photos[digest] = _Photo(place, key_of(row), reason(row) is not None, number)

    def enlist(self, address: str) -> bool:
        """Note that the photo comes next in the listing. Returns whether it is new: a list may name a photo twice."""
        digest = _digest(address)
        known = self._photos.get(digest, _UNKNOWN)
        if known.number is not None:
            return False
        self._photos[digest] = known._replace(number=self._enlisted)
        self._enlisted += 1
        return True

    def key(self, address: str) -> bytes | None:
        """The key of the photo's row (see `key_of`), None if it has no row or should be tried again."""
        return self._photos.get(_digest(address), _UNKNOWN).key

    def failed(self, address: str) -> bool:
        """Whether the photo has a row that says it failed."""
        return self._photos.get(_digest(address), _UNKNOWN).failed

    def write(self, row: Row) -> None:
        """Add a row, whole or, on OSError (a full disk), not at all."""
        line = f"{json_line(row)}\n".encode()
        if self._part is None:
            path = self.folder / f"{self._next:06}.jsonl.part"
            self._part = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            self._files.append(path.with_suffix(""))
            self._rows_in_part = self._size = 0
        written = 0
        try:
            while written < len(line):
                written += os.write(self._part, line[written:])
        except OSError:
            os.truncate(self._part, self._size)
            os.lseek(self._part, self._size, os.SEEK_SET)
            raise
        self._index(row, self._size)
        self._size += len(line)
        self._rows_in_part += 1
        if self._rows_in_part >= self._shard_size:
            self.publish()

    def publish(self) -> None:
        """Flush the shard being written to the disk and give it its final name. Raises OSError."""
        if self._part is None:
            return
        path = self.folder / f"{self._next:06}.jsonl.part"
        if not self._rows_in_part:
            os.close(self._part)
            self._part = None
            path.unlink()
            return
        os.fsync(self._part)
        path.rename(path.with_suffix(""))
        os.close(self._part)
        self._part = None
        self._next += 1
        sync_folder(self.folder)

    def rows(self) -> Iterator[Row]:
        """The newest row of every photo, in the order of the listing; photos not listed come last. Raises OSError."""
        self.publish()
        for line in self._lines_at(self._places()):
            row = _row_in(line)
            if row is not None:
                yield row

    def _places(self) -> list[tuple[int, int]]:
        """The places of the rows to keep, in the order of `rows`."""
        unlisted = self._enlisted
        kept = [
            (unlisted if photo.number is None else photo.number, photo.place)
            for photo in self._photos.values()
            # Drop failures of photos that are not listed any more: nothing was ever read from them.
            if photo.place is not None and (photo.number is not None or photo.key is not None)
        ]
        return [place for _, place in sorted(kept)]

    def _lines_at(self, places: Iterable[tuple[int, int]]) -> Iterator[str]:
        """The lines at these places. Rows arrive nearly in order, so files are read nearly from end to end."""
        opened: IO[bytes] | None = None
        at = -1
        try:
            for number, start in places:
                if opened is None or number != at:
                    if opened is not None:
                        opened.close()
                    opened, at = self._files[number].open("rb"), number
                opened.seek(start)
                yield opened.readline().decode("utf-8", "replace")
        finally:
            if opened is not None:
                opened.close()

    def finish(self) -> None:
        """Publish, and join the shards into OUT if it is JSON Lines, whole or, on OSError, not at all."""
        self.publish()
        if not self._joined:
            return
        places = self._places()
        shards = self._shards()
        untouched = self.out.exists() and not shards and len(places) == self._lines_joined
        if not (untouched and all(first < second for first, second in pairwise(places))):
            replace_file(self.out, self._lines_at(places))
        for path in shards:
            path.unlink()


def replace_file(path: Path, pieces: Iterator[str]) -> None:
    """Write a text file in UTF-8, whole and safe on the disk or not at all. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path, durable=True) as file:
        file.writelines(piece.encode("utf-8", "backslashreplace") for piece in pieces)


def _digest(address: str) -> bytes:
    return blake2b(address.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _address_in(line: str) -> str | None:
    """The address in a line, found without parsing the whole line; None if the line is not a complete row."""
    if not (line.startswith(_HEAD) and line.endswith("}\n")):
        return None
    try:
        address: Any = _DECODER.raw_decode(line, len(_HEAD))[0]
    except ValueError:
        return None
    return address if isinstance(address, str) else None


def _row_in(line: str) -> Row | None:
    """The row in a line, None if the line is incomplete or not one of our rows."""
    if _address_in(line) is None:
        return None
    try:
        row: Row = json.loads(line)
        key_of(row)
    except (ValueError, KeyError, TypeError, IndexError):
        return None
    return row
