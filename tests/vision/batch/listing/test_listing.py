"""Finding photos, and the errors if there are none."""

import io
import os
import random
import tarfile
import zipfile
from contextlib import suppress
from pathlib import Path

import fsspec
import pytest

from vision.batch.listing.listing import find, read, read_sidecar
from vision.batch.listing.photo_source import PhotoSource, SourceError
from vision.errors import PhotoError
from vision.photo_formats import MAX_BYTES


def images(where: str | Path) -> list[str]:
    return [source.image for source in find(str(where))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    top = tmp_path / "top"
    for name in ("b.jpg", "a.PNG", "x/z.heic", "x/y/w.webp", ".hidden.jpg", ".cache/c.jpg", "x/note.txt"):
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    (top / "x" / "circle").symlink_to(top)
    return top


def test_a_folder_gives_its_photos_and_those_of_its_folders(folder: Path) -> None:
    expected = [str(folder / name) for name in ("a.PNG", "b.jpg", "x/z.heic", "x/y/w.webp")]
    assert images(folder) == expected
    assert [read(source) for source in find(str(folder))] == [b"a.PNG", b"b.jpg", b"x/z.heic", b"x/y/w.webp"]


def test_links_that_lead_nowhere_or_in_a_circle_cost_only_themselves(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"a")
    (tmp_path / "circle.jpg").symlink_to(tmp_path / "circle.jpg")
    (tmp_path / "nowhere.jpg").symlink_to(tmp_path / "absent")
    for where in (str(tmp_path), f"{tmp_path}/*", f"file://{tmp_path}"):
        first, circle, nowhere = find(where)
        assert read(first) == b"a"
        with pytest.raises(PhotoError, match="symbolic links"):
            read(circle)
        with pytest.raises(PhotoError, match="does not exist"):
            read(nowhere)


def test_a_glob_gives_the_photos_it_matches(folder: Path) -> None:
    shallow_first = ("a.PNG", "b.jpg", "x/z.heic", "x/y/w.webp")
    assert images(folder / "**" / "*") == [str(folder / name) for name in shallow_first]
    assert images(folder / "*.jpg") == [str(folder / "b.jpg")]
    assert images(folder / "*.gif") == []


def test_a_photo_is_a_source_of_one(folder: Path) -> None:
    assert images(folder / "b.jpg") == [str(folder / "b.jpg")]
    assert find(str(folder / "b.jpg")).count() == 1


def test_a_list_names_photos_from_its_own_folder(folder: Path) -> None:
    listed = folder / "list.txt"
    listed.write_text("\ufeff# a comment\nb.jpg\n\n  x/z.heic \nnot there.jpg\n", encoding="utf-8")
    assert images(listed) == [str(folder / name) for name in ("b.jpg", "x/z.heic", "not there.jpg")]
    absent = list(find(str(listed)))[2]
    with pytest.raises(PhotoError, match="does not exist"):
        read(absent)


@pytest.mark.parametrize("content", [b"caf\xe9.jpg\n", b"a\0b.jpg\n"])
def test_a_file_that_is_not_a_list_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "list"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="one path or address per line"):
        list(find(str(path)))


def test_a_zip_gives_its_photos_and_their_sidecars(tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("b.jpg", "a.jpg", "a.json", "__MACOSX/a.jpg", "in/.x.jpg", "readme.txt", "in/"):
            archive.writestr(name, name)
    sources = list(find(str(path)))
    assert [source.image for source in sources] == ["a.jpg", "b.jpg"]
    assert sources[0].address == f"zip://a.jpg::{path}"
    assert [read(source) for source in sources] == [b"a.jpg", b"b.jpg"]
    assert [read_sidecar(source) for source in sources] == [b"a.json", None]


@pytest.mark.parametrize("packed", ["zip", "tgz"])
def test_a_member_over_the_limit_is_not_unpacked(tmp_path: Path, packed: str) -> None:
    path = tmp_path / f"photos.{packed}"
    nothing = bytes(MAX_BYTES + 1)
    if packed == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.jpg", nothing)
    else:
        with tarfile.open(path, "w:gz", compresslevel=1) as tar:
            member = tarfile.TarInfo("a.jpg")
            member.size = len(nothing)
            tar.addfile(member, io.BytesIO(nothing))
    assert path.stat().st_size < MAX_BYTES / 100
    with pytest.raises(PhotoError) as caught:
        read(*find(str(path)))
    assert caught.value.code == "too_many_bytes"


def test_a_sidecar_that_is_damaged_is_named(tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.jpg", b"photo")
        archive.writestr("a.json", b"A" * 50)
    path.write_bytes(path.read_bytes().replace(b"A" * 50, b"C" * 50))
    with pytest.raises(PhotoError, match=r"a\.json in .*photos\.zip cannot be read"):
        read_sidecar(next(iter(find(str(path)))))


def test_a_signed_address_has_no_sidecar() -> None:
    address = "https://bucket.invalid/a.jpg?signature=1.2"
    assert read_sidecar(PhotoSource(address, "a.jpg")) is None


def test_a_member_that_is_damaged_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.jpg", b"A" * 50)
        archive.writestr("b.jpg", b"B" * 50)
    path.write_bytes(path.read_bytes().replace(b"A" * 50, b"C" * 50))
    first, second = find(str(path))
    with pytest.raises(PhotoError) as caught:
        read(first)
    assert caught.value.code == "unreadable"
    assert read(second) == b"B" * 50


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
def test_a_tar_gives_its_photos_wherever_the_sidecar_stands(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "photos.tar"
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name in ("in/b.jpg", "in/b.json", "a.txt", "c.jpg"):
            member = tarfile.TarInfo(name)
            member.size = len(name)
            archive.addfile(member, io.BytesIO(name.encode()))
    sources = list(find(str(path)))
    assert [source.image for source in sources] == ["in/b.jpg", "c.jpg"]
    assert [read(source) for source in sources] == [b"in/b.jpg", b"c.jpg"]
    assert [read_sidecar(source) for source in sources] == [b"in/b.json", None]


def test_a_tar_cut_short_ends_the_listing_with_an_error(tmp_path: Path) -> None:
    path = tmp_path / "photos.tgz"
    with tarfile.open(path, "w:gz") as archive:
        member = tarfile.TarInfo("a.jpg")
        member.size = 200_000
        archive.addfile(member, io.BytesIO(os.urandom(200_000)))
    path.write_bytes(path.read_bytes()[:100_000])
    with pytest.raises(SourceError, match="pack or copy it again"):
        list(find(str(path)))


def packed(kind: str) -> bytes:
    """An archive of two photos and a sidecar."""
    file = io.BytesIO()
    names = ("a.jpg", "a.json", "é/ü.jpg")
    if kind.startswith("zip"):
        with zipfile.ZipFile(file, "w", int(kind.removeprefix("zip"))) as archive:
            for name in names:
                archive.writestr(name, b"hello " * 50)
    else:
        with tarfile.open(fileobj=file, mode=kind) as tar:  # type: ignore[call-overload]
            for name in names:
                member = tarfile.TarInfo(name)
                member.size = 300
                tar.addfile(member, io.BytesIO(b"hello " * 50))
    return file.getvalue()


@pytest.mark.parametrize("kind", ["zip0", "zip8", "zip12", "zip14", "w:", "w:gz", "w:bz2", "w:xz"])
def test_an_archive_damaged_anywhere_costs_its_photos_and_raises_nothing_else(
    kind: str, tmp_path: Path
) -> None:
    chance = random.Random(8)
    whole = packed(kind)
    came = 0
    for number in range(400):
        path = tmp_path / f"{number}"  # an open zip is kept by its name
        content = bytearray(whole[: chance.choice((len(whole), chance.randrange(20, len(whole))))])
        for _ in range(chance.choice((1, 2, 5))):
            content[chance.randrange(len(content))] = chance.choice((0, 255, chance.randrange(256)))
        path.write_bytes(content)
        try:
            for source in find(str(path)):
                with suppress(PhotoError):
                    read(source)
                    read_sidecar(source)
                    came += 1
        except SourceError:
            continue
    assert came  # some damage does not matter


def test_a_member_under_a_password_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "photos.zip"
    content = bytearray(packed("zip0"))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + at] |= 1
    path.write_bytes(content)
    locked, plain = find(str(path))
    with pytest.raises(PhotoError, match=r"a\.jpg.* cannot be read .*password"):
        read(locked)
    assert read(plain) == b"hello " * 50


def test_what_a_tar_holds_beside_files_is_passed_over_but_links_to_photos_are_named(tmp_path: Path) -> None:
    path = tmp_path / "photos.tar"
    with tarfile.open(path, "w") as archive:
        for name, kind in (("a", tarfile.CHRTYPE), ("b", tarfile.FIFOTYPE), ("c", tarfile.DIRTYPE)):
            member = tarfile.TarInfo(f"{name}.jpg")
            member.type = kind
            archive.addfile(member)
        for name, kind in (("d", tarfile.LNKTYPE), ("e", tarfile.SYMTYPE)):
            member = tarfile.TarInfo(f"{name}.jpg")
            member.type, member.linkname = kind, "there.jpg"
            archive.addfile(member)
    for source in find(str(path)):
        with pytest.raises(PhotoError, match=r"is a link to there\.jpg, and links in a tar are not followed"):
            read(source)
    assert images(path) == ["d.jpg", "e.jpg"]


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_header_over_the_limit_is_not_unpacked(tmp_path: Path, kind: bytes) -> None:
    path = tmp_path / "photos.tar"
    header = tarfile.TarInfo("a.jpg")
    header.type, header.size = kind, 30_000_000_000
    path.write_bytes(header.tobuf(tarfile.GNU_FORMAT) + bytes(10_240))
    with pytest.raises(SourceError, match="is damaged or cut short"):
        find(str(path))
    with tarfile.open(path, "w") as archive:
        archive.addfile(tarfile.TarInfo("b.jpg"))
    path.write_bytes(path.read_bytes()[:512] + header.tobuf(tarfile.GNU_FORMAT) + bytes(10_240))
    source = list(find(str(path)))[-1]
    with pytest.raises(PhotoError, match=r"cannot be read \(a header of 30000000000 bytes"):
        read(source)


@pytest.mark.parametrize("name", ["a::b", "zip:"])
def test_a_folder_whose_name_looks_like_an_address_is_a_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "a.jpg").write_bytes(b"a")
    assert [read(source) for source in find(str(tmp_path / name))] == [b"a"]


@pytest.mark.parametrize(
    ("where", "folder_of_pictures", "listed"),
    [
        ("top", "top", True),
        ("top", "top/drawn", True),
        ("top", "top/.drawn", False),
        ("top", "drawn", False),
        ("top", "link", True),
        ("top/*.jpg", "top", True),
        ("top/*.jpg", "top/drawn", False),
        ("top/*.png", "top", False),
        ("top/*/*.jpg", "top/drawn", True),
        ("top/**/*.jpg", "top/x/drawn", True),
        ("top/**/*.jpg", "drawn", False),
        ("top/b.jpg", "top", False),
    ],
)
def test_where_pictures_would_be_taken_for_photos(
    folder: Path, where: str, folder_of_pictures: str, listed: bool
) -> None:
    (folder.parent / "link").symlink_to(folder / "x")
    listing = find(str(folder.parent / where))
    assert listing.would_list(folder.parent / folder_of_pictures) is listed


@pytest.mark.parametrize("name", ["x.zip", "x.tar", "x.tgz", "x.tar.gz", "x.tar.xz"])
def test_a_file_that_is_not_an_archive_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"PK no archive")
    with pytest.raises(SourceError, match="is damaged or cut short"):
        find(str(path))


def test_what_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        find(str(tmp_path / "nothing"))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(PhotoError, match="not an ordinary file"):
        read(PhotoSource(str(tmp_path / "pipe.jpg"), "pipe.jpg"))


def test_a_file_too_long_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "long.jpg"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(PhotoError) as caught:
        read(PhotoSource(str(path), "long.jpg"))
    assert caught.value.code == "too_many_bytes"


def test_addresses_of_fsspec() -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe({"/club/a.jpg": b"a", "/club/in/b.png": b"b", "/club/a.json": b"{}", "/club/c.txt": b"c"})
    try:
        sources = list(find("memory://club"))
        assert [source.address for source in sources] == ["memory:///club/a.jpg", "memory:///club/in/b.png"]
        assert [source.data for source in sources] == [b"a", b"b"]
        assert [read_sidecar(source) for source in sources] == [b"{}", None]
        assert [read(source) for source in find("memory://club/in/*.png")] == [b"b"]
        with pytest.raises(SourceError, match="does not exist"):
            list(find("memory://elsewhere"))
    finally:
        memory.rm("/club", recursive=True)


def test_a_file_address_and_a_zip_behind_one(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        archive.writestr("a.jpg", b"inside")
        archive.writestr("a.json", b"{}")
    (tmp_path / "b.jpg").write_bytes(b"outside")
    outside = list(find(f"file://{tmp_path}"))
    assert [(source.address, read(source)) for source in outside] == [
        (f"file://{tmp_path}/b.jpg", b"outside")
    ]
    assert read_sidecar(outside[0]) is None
    inside = list(find(f"zip://*.jpg::file://{tmp_path}/photos.zip"))
    assert [(read(source), read_sidecar(source)) for source in inside] == [(b"inside", b"{}")]


def test_an_unknown_address_is_refused() -> None:
    with pytest.raises(SourceError, match="check the address"):
        list(find("gopher://club/photos"))
