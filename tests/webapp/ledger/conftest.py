"""The two databases a ledger may lie in: an SQLite file and a real PostgreSQL server of these tests' own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from webapp.ledger import Ledger


def _programs() -> Path:
    """The folder of PostgreSQL's programs, which Debian keeps off the PATH."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    assert installed, "PostgreSQL is missing: run `make test`, or apt-get install postgresql"
    return installed[-1]


@pytest.fixture(scope="session")
def postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a running server, without a database name. The server refuses root, so root starts it as postgres."""
    folder = Path(f"/tmp/fanlens-postgresql-{os.getpid()}")  # noqa: S108 - a socket's path must be short
    as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    folder.mkdir(mode=0o700)
    if as_user:
        shutil.chown(folder, "postgres", "postgres")
    data, programs = folder / "data", _programs()

    def run(program: str, *arguments: str) -> None:
        # No pipes: the server would keep those it inherits, and waiting for their end would be waiting for the server.
        command = [*as_user, str(programs / program), "-D", str(data), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://postgres@/{{}}?host={folder}"
    finally:
        run("pg_ctl", "-m", "immediate", "stop")
        shutil.rmtree(folder)


_numbers = count(1)


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where a new ledger goes: a path, or the URL of an empty PostgreSQL database."""
    if request.param == "sqlite":
        return tmp_path / "ledger.sqlite3"
    server: str = request.getfixturevalue("postgresql")
    name = f"ledger_{next(_numbers)}"
    with psycopg.connect(server.format("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.format(name)


@pytest.fixture
def open_ledger(address: Path | str) -> Iterator[Callable[[], Ledger]]:
    """Opens the ledger at `address`, as often as it is called, and closes what it opened."""
    opened: list[Ledger] = []

    def open_it() -> Ledger:
        opened.append(Ledger(address))
        return opened[-1]

    yield open_it
    for ledger in opened:
        ledger.close()


@pytest.fixture
def ledger(open_ledger: Callable[[], Ledger]) -> Ledger:
    return open_ledger()
