"""Archives that are cut short, or that hold more than fits into memory."""

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from vision.batch.listing.listing import find, read, read_sidecar
from vision.batch.listing.photo_source import SourceError
from vision.errors import PhotoError


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_tar_cut_short_gives_every_photo_before_the_cut(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "photos.tar"
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name in ("a.jpg", "a.json", "b.jpg", "c.jpg"):
            member = tarfile.TarInfo(name)
            member.size = 20_000
            archive.addfile(member, io.BytesIO(os.urandom(20_000)))
    path.write_bytes(path.read_bytes()[:70_000])
    first, second, rest = find(str(path))
    assert (len(read(first)), len(read(second))) == (20_000, 20_000)
    assert len(read_sidecar(first) or b"") == 20_000
    with pytest.raises(
        PhotoError, match=r"the rest of .*photos\.tar cannot be read .*: pack or copy it again"
    ):
        read(rest)


GREEDY = """
import resource, sys
from vision.batch.listing.listing import find
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(source.sidecar is not None for source in find(sys.argv[1]))
print(count, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_the_sidecars_of_a_tar_do_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "photos.tgz"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for number in range(300):
            for name, size in ((f"{number}.json", 900_000), (f"{number}.jpg", 10)):
                member = tarfile.TarInfo(name)
                member.size = size
                archive.addfile(member, io.BytesIO(b" " * size))
    run = subprocess.run([sys.executable, "-c", GREEDY, path], capture_output=True, check=True, text=True)
    count, grown_mb = map(int, run.stdout.split())
    assert count == 300
    assert grown_mb < 60  # of 270


def test_the_sidecars_of_a_tar_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.batch.listing.archives.MAX_SIDECARS_BYTES", 100)
    path = tmp_path / "photos.tar"
    with tarfile.open(path, "w") as archive:
        member = tarfile.TarInfo("a.json")
        member.size = 101
        archive.addfile(member, io.BytesIO(bytes(101)))
    with pytest.raises(SourceError, match="give a table with --circumstances"):
        list(find(str(path)))


def test_a_damaged_file_is_not_said_to_lack_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "photos.zip"
    path.write_bytes(b"x")
    for error, advice in (
        (OSError(22, "Invalid argument"), "copy it again"),
        (PermissionError(13, "No"), "permissions"),
    ):

        def fail(_: Path, error: OSError = error) -> bool:
            raise error

        monkeypatch.setattr("vision.batch.listing.listing.zipfile.is_zipfile", fail)
        with pytest.raises(SourceError, match=advice):
            find(str(path))
