"""Files are complete under their name, or as they were."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from foretell import files
from foretell.errors import InputError

EXAMPLES = Path(files.__file__).parent / "examples"


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


def test_a_device_is_not_replaced(tmp_path: Path) -> None:
    """As `--points /dev/stdout` does; here a pipe, which a test may lose."""
    pipe = tmp_path / "points.csv"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    link = tmp_path / "link.csv"
    link.symlink_to(pipe)
    with files.replacing(link) as part:
        part.write_text("1\n")
        assert part.parent != tmp_path
    assert os.read(reader, 10) == b"1\n"
    os.close(reader)
    assert pipe.is_fifo()
    assert link.is_symlink()
    with pytest.raises(InputError, match="cannot be written: Is a directory"), files.replacing(tmp_path) as part:
        part.write_text("1\n")


@pytest.mark.parametrize("name", ["no/folder/file", "nul\0", "x" * 300, "loop"])
def test_names_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    if name == "loop":
        name = "loop/file"
    with pytest.raises(InputError, match="cannot be written"):
        files.write_text(tmp_path / name, "text")


def test_a_file_that_is_written_in_steps(tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    with files.replacing(file) as part:
        part.write_text("1\n")
        assert part.suffix == ".csv"
        assert not file.exists()
    assert file.read_text() == "1\n"
    with pytest.raises(InputError, match="cannot be written: No space left"), files.replacing(file) as part:
        _half_written(part)
    assert file.read_text() == "1\n"
    assert list(tmp_path.iterdir()) == [file]


def _half_written(part: Path) -> None:
    part.write_text("2")
    raise OSError(28, "No space left on device")


_FULL = """
import resource, sys
sys.argv = ["foretell", *sys.argv[2:]]
from foretell.cli import main
import numpy, matplotlib.figure  # their caches are written before
resource.setrlimit(resource.RLIMIT_FSIZE, (int({limit}), int({limit})))
main()
"""


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("predict", "example:vector-add", "--on", "sw26010", "--plot", "p.svg"), "p.svg"),
        (("import", "nekbone.csv", "-o", "profile.json"), "profile.json"),
        (("explore", "example:sunway-designs", "--points", "all.csv", "--workers", "1"), "all.csv"),
    ],
)
def test_a_disk_that_is_full(tmp_path: Path, words: tuple[str, ...], file: str) -> None:
    """As seen by a limit on the size of files: one message, exit 3, nothing under the final name, nothing beside it."""
    (tmp_path / "nekbone.csv").write_bytes((EXAMPLES / "nekbone-like.csv").read_bytes())
    before = sorted(tmp_path.iterdir())
    done = subprocess.run(
        [sys.executable, "-c", _FULL.format(limit=100), "-", *words],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "FORETELL_CACHE": "off"},
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert "cannot be written: File too large" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(left) == before, left
    assert not (tmp_path / file).exists()


def test_stdout_that_is_full() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "foretell", "predict", "example:vector-add", "--on", "sw26010"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=300,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (3, "foretell: the answer cannot be written: No space left on device\n")
