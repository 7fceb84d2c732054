"""The cache: entries are checked, private, and limited in size."""

from __future__ import annotations

import os
import stat
import warnings
from typing import TYPE_CHECKING

import pytest

from foretell import cache
from foretell.errors import CacheWarning
from foretell.inputs import StoredText

if TYPE_CHECKING:
    from pathlib import Path

KIND = cache.Kind("parts", version=3)
KEY = cache.key_of(b"source", "flags", 7)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "kept"))
    monkeypatch.delenv(cache.SIZE, raising=False)
    monkeypatch.setattr(cache, "_written", None)
    return tmp_path / "kept"


def test_what_is_written_is_read(folder: Path) -> None:
    assert KIND.read(KEY) is None
    KIND.write(KEY, b"data\n\0")
    assert KIND.read(KEY) == b"data\n\0"
    assert cache.Kind("others", 3).read(KEY) is None
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / "parts", folder / "parts" / KEY)]
    assert modes == [0o700, 0o700, 0o600]


def test_keys_keep_their_parts_apart() -> None:
    assert len({cache.key_of("ab", "c"), cache.key_of("a", "bc"), cache.key_of("abc"), cache.key_of("abc", "")}) == 4


@pytest.mark.parametrize("damage", ["bit", "cut", "longer", "empty", "renamed", "kind"])
def test_a_damaged_or_foreign_entry_is_removed_with_a_note(folder: Path, damage: str) -> None:
    KIND.write(KEY, b"0123456789")
    file = folder / "parts" / KEY
    content, key = file.read_bytes(), KEY
    if damage == "renamed":
        key = cache.key_of("another")
        file = file.rename(file.with_name(key))
    elif damage == "kind":
        file.write_bytes(content.replace(b" parts ", b" other ", 1))
    else:
        changed = {"bit": content[:-1] + b"8", "cut": content[:-1], "longer": content + b"0", "empty": b""}
        file.write_bytes(changed[damage])
    with pytest.warns(CacheWarning, match="made anew"):
        assert KIND.read(key) is None
    assert not file.exists()
    KIND.write(key, b"new")
    assert KIND.read(key) == b"new"


def test_an_entry_of_another_version_is_made_anew_without_a_note(folder: Path) -> None:
    """A newer foretell finds what an older one kept, or both are in use. (Warnings are errors here.)"""
    KIND.write(KEY, b"0123456789")
    newer = cache.Kind("parts", version=4)
    assert newer.read(KEY) is None
    assert not (folder / "parts" / KEY).exists()
    newer.write(KEY, b"new")
    assert newer.read(KEY) == b"new"


@pytest.mark.parametrize("what", ["link", "fifo", "folder"])
def test_only_regular_files_are_read(folder: Path, what: str) -> None:
    KIND.write(KEY, b"data")
    file = folder / "parts" / KEY
    if what == "link":
        file.rename(folder / "elsewhere")
        file.symlink_to(folder / "elsewhere")
    else:
        file.unlink()
        os.mkfifo(file) if what == "fifo" else file.mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CacheWarning)
        assert KIND.read(KEY) is None


def test_a_folder_of_another_kind_or_user_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    (folder / "parts").symlink_to(folder)
    with pytest.warns(CacheWarning, match="not a folder of this user"):
        KIND.write(KEY, b"data")
    (folder / "parts").unlink()
    KIND.write(KEY, b"data")
    monkeypatch.setattr(os, "geteuid", lambda: 123456)
    with pytest.warns(CacheWarning, match="not a folder of this user"):
        assert KIND.read(KEY) is None


def test_a_folder_that_others_may_write_to_becomes_private(folder: Path) -> None:
    KIND.write(KEY, b"data")
    (folder / "parts").chmod(0o777)
    assert KIND.read(KEY) == b"data"
    assert stat.S_IMODE((folder / "parts").stat().st_mode) == 0o700


def test_least_recently_used_entries_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SIZE, "1")
    keys = [cache.key_of(number) for number in range(6)]
    for number, key in enumerate(keys[:4]):
        KIND.write(key, bytes(200 << 10))
        os.utime(folder / "parts" / key, (number, number))
    assert KIND.read(keys[0]) is not None  # used now
    for key in keys[4:]:
        KIND.write(key, bytes(200 << 10))
    left = {key for key in keys if (folder / "parts" / key).exists()}
    assert left == {keys[0], *keys[2:6]}  # five of them have room
    assert sum(one.size for one in cache.usage()) <= 1 << 20


def test_small_entries_are_counted_together(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    listed: list[int] = []
    size, entries = cache._whole_size, cache._entries
    monkeypatch.setenv(cache.SIZE, "1")
    monkeypatch.setattr(cache, "_whole_size", lambda: looks.append(size()) or looks[-1])
    monkeypatch.setattr(cache, "_entries", lambda: listed.append(1) or entries())
    for number in range(40):  # 40 x 8 KiB, a look after each 64 KiB
        KIND.write(cache.key_of(number), bytes(8 << 10))
    assert len(looks) == 5
    assert looks[-1] >= 33 * (8 << 10)
    assert not listed  # entries are put in order only where some must go


def test_an_entry_larger_than_a_quarter_of_the_limit_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SIZE, "1")
    KIND.write(KEY, bytes((256 << 10) + 1))
    assert KIND.read(KEY) is None
    KIND.write(KEY, bytes(256 << 10))
    assert KIND.read(KEY) is not None


def test_a_size_that_is_no_number_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.SIZE, "1GB")
    with pytest.warns(CacheWarning, match="not a number of MiB"):
        assert cache.size_limit() == 512 << 20


def test_usage_and_clearing_leave_other_files(folder: Path) -> None:
    KIND.write(KEY, b"data")
    cache.Kind("others", 1).write(KEY, b"more data")
    (folder / "parts" / "mine.txt").write_text("of the user")
    (folder / "parts" / ".1-2.part").write_text("left by a killed process")
    (folder / "Notes").mkdir()
    assert [(one.kind, one.entries) for one in cache.usage()] == [("others", 1), ("parts", 2)]
    assert cache.clear("others") == 1
    assert cache.clear() == 2
    assert [path.name for path in (folder / "parts").iterdir()] == ["mine.txt"]


def test_without_a_folder_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(cache.FOLDER, cache.OFF)
    KIND.write(KEY, b"data")
    assert KIND.read(KEY) is None
    assert cache.usage() == []
    monkeypatch.delenv(cache.FOLDER)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "foretell"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.folder() == tmp_path / "home" / ".cache" / "foretell"
    monkeypatch.setattr("pathlib.Path.home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    assert cache.folder() is None


def test_a_disk_that_cannot_be_written_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("")
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "blocked"))
    KIND.write(KEY, b"data")
    assert KIND.read(KEY) is None
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "full"))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "replace_content", full)
    KIND.write(KEY, b"data")
    assert KIND.read(KEY) is None


@pytest.mark.parametrize("name", ["", "../x", "A", "-a"])
def test_names_and_keys_are_no_paths(name: str) -> None:
    with pytest.raises(ValueError, match="not a kind"):
        cache.Kind(name, 1)
    KIND.write(KEY, b"data")
    with pytest.raises(ValueError, match="not a key"):
        KIND.read(f"../{KEY}")


@pytest.mark.parametrize(
    "content", [b'{"inputs": [], "text": 3}', b'{"inputs": [["x", "", ""]], "text": ""}', b"{", b"\xff"]
)
def test_a_content_of_another_form_is_removed_with_a_note(folder: Path, content: bytes) -> None:
    KIND.write(KEY, content)
    with pytest.warns(CacheWarning, match=r"cannot be used .*made anew"):
        assert KIND.read_json(KEY, StoredText) is None
    assert not (folder / "parts" / KEY).exists()
    assert KIND.read_json(KEY, StoredText) is None  # and that is all: no second note


def test_a_content_is_read_as_it_was_written() -> None:
    KIND.write(KEY, b'{"inputs": [["file", "a.c", "0f"]], "text": "ret"}')
    assert KIND.read_json(KEY, StoredText) == {"inputs": [["file", "a.c", "0f"]], "text": "ret"}
