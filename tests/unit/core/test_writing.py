"""Files are complete under their name, or as they were."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from foretell import files
from foretell.errors import InputError


def test_the_earlier_content_stays_where_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "answer.txt"
    files.write_text(file, "earlier")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        files.write_text(file, "new")
    assert file.read_text() == "earlier"
    assert list(tmp_path.iterdir()) == [file]


def test_mode_and_links_stay(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("earlier")
    file.chmod(0o640)
    link.symlink_to(file)
    files.write_text(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    files.write_text(tmp_path / "ours", "")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_devices_are_written_directly(tmp_path: Path) -> None:
    files.write_text(Path(os.devnull), "text")
    with pytest.raises(InputError, match="No space left on device"):
        files.write_text(Path("/dev/full"), "text")
    with pytest.raises(InputError, match="Is a directory"):
        files.write_text(tmp_path, "text")


@pytest.mark.parametrize("name", ["no/folder/file", "nul\0", "x" * 300, "loop"])
def test_names_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    if name == "loop":
        name = "loop/file"
    with pytest.raises(InputError, match="cannot be written"):
        files.write_text(tmp_path / name, "text")
