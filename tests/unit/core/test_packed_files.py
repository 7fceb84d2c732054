"""Compressed text files: read like plain ones, and never beyond their limit."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from foretell import files
from foretell.errors import InputError
from foretell.frontends.counters.readers.lines import Lines, head


def packed(folder: Path, data: bytes, name: str = "x.trace.xz") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_text_is_what_was_compressed(tmp_path: Path) -> None:
    text = "äöü\n" * 1000
    assert files.read_text(packed(tmp_path, lzma.compress(text.encode()))) == text


@pytest.mark.parametrize(("name", "kind"), [("x.trace.xz", ".trace"), ("x.trace", ".trace"), ("x.xz", ""), ("x", "")])
def test_kind_is_that_of_the_content(name: str, kind: str) -> None:
    assert files.kind(Path(name)) == kind


def test_what_becomes_too_large_is_refused(tmp_path: Path) -> None:
    """64 MiB of zeros are 10 KiB compressed."""
    bomb = packed(tmp_path, lzma.compress(bytes(64 << 20), preset=0))
    assert bomb.stat().st_size < 64 << 10
    with pytest.raises(InputError, match="holds more than 4 MiB"):
        files.read_text(bomb)


def test_what_needs_too_much_memory_is_refused(tmp_path: Path) -> None:
    large = [{"id": lzma.FILTER_LZMA2, "dict_size": 256 << 20}]
    with pytest.raises(InputError, match="cannot be decompressed"):
        files.read_text(packed(tmp_path, lzma.compress(b"x", filters=large)))


@pytest.mark.parametrize("damage", ["cut", "not compressed", "changed"])
def test_damaged_files_are_refused(tmp_path: Path, damage: str) -> None:
    data = bytearray(lzma.compress(b"text " * 1000))
    data[len(data) // 2] ^= 0xFF if damage == "changed" else 0
    given = {"cut": bytes(data[:-20]), "not compressed": b"text", "changed": bytes(data)}[damage]
    with pytest.raises(InputError, match="cannot be decompressed"):
        files.read_text(packed(tmp_path, given))


def test_a_text_is_found_under_the_name_of_its_compressed_file(tmp_path: Path) -> None:
    path = tmp_path / "gcc.toml"
    packed(tmp_path, files.pack("a = 1\n"), "gcc.toml.xz")
    assert files.read_text(path) == "a = 1\n"
    path.write_text("a = 2\n")  # what was recorded since
    assert files.read_text(path) == "a = 2\n"
    with pytest.raises(InputError, match=r"other\.toml: no such file"):
        files.read_text(tmp_path / "other.toml")
    (tmp_path / "folder.toml.xz").mkdir()
    with pytest.raises(InputError, match=r"folder\.toml: no such file"):
        files.read_text(tmp_path / "folder.toml")


def test_a_profile_may_be_stored_compressed(tmp_path: Path) -> None:
    text = "event,value\ncycles,1e9\n"
    for name, data in (("plain.csv", text.encode()), ("packed.csv.xz", files.pack(text))):
        packed(tmp_path, data, name)
    assert list(Lines(tmp_path / "packed.csv.xz")) == list(Lines(tmp_path / "plain.csv")) == text.splitlines()
    assert head(tmp_path / "packed.csv.xz") == head(tmp_path / "plain.csv")
    packed(tmp_path, b"damaged", "packed.csv.xz")
    assert head(tmp_path / "packed.csv.xz") == ""
    with pytest.raises(InputError, match="cannot be decompressed"):
        list(Lines(tmp_path / "packed.csv.xz"))
