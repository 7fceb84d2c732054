from __future__ import annotations

import json
from pathlib import Path

import pytest

from foretell.errors import InputError
from foretell.frontends.c.parse.clang import Setting
from foretell.frontends.c.parse.compile_commands import read_database


def write(folder: Path, entries: object) -> Path:
    path = folder / "compile_commands.json"
    path.write_text(entries if isinstance(entries, str) else json.dumps(entries))
    return path


def test_a_command_gives_folders_and_macros(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        [
            {
                "directory": "/w",
                "file": "src/a.c",
                "command": "cc -O2 -Iinc -I /usr/x -isystem sys -DN=512 -D M -DQ -UQ -DS='a b' -std=c99 -c src/a.c",
            }
        ],
    )
    assert read_database(path) == {
        Path("/w/src/a.c"): Setting(
            (Path("/w/inc"), Path("/usr/x"), Path("/w/sys")), (("N", "512"), ("M", "1"), ("S", "a b"))
        )
    }


def test_arguments_may_be_a_list_and_the_first_command_of_a_file_counts(tmp_path: Path) -> None:
    entry = {"directory": str(tmp_path), "file": "a.c", "arguments": ["cc", "-DN=1", "a.c"]}
    path = write(tmp_path, [entry, entry | {"arguments": ["cc", "-DN=2", "a.c"]}])
    (setting,) = read_database(path).values()
    assert setting.defines == (("N", "1"),)


def test_a_relative_directory_is_taken_from_the_database(tmp_path: Path) -> None:
    path = write(tmp_path, [{"directory": "build", "file": "../a.c", "command": "cc a.c"}])
    assert list(read_database(path)) == [tmp_path / "build" / "../a.c"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not valid JSON"),
        ({}, "expected a list"),
        ([1], "entry 1 does not name a file"),
        ([{"file": "a.c", "arguments": "cc"}], "entry 1 are not a list"),
        ([{"file": "a.c", "command": "cc 'x"}], "cannot be split"),
    ],
)
def test_a_broken_database_says_what_is_wrong(tmp_path: Path, content: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_database(write(tmp_path, content))


def test_a_missing_database(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_database(tmp_path / "compile_commands.json")
