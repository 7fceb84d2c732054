"""foretell.toml: every wrong key and value is named with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.errors import InputError
from foretell.uses.check.configured.configuration import read_configuration

if TYPE_CHECKING:
    from pathlib import Path

GOOD = 'machines = ["zen4"]\nlimit = "5%"\n[code.a]\nfile = "a.c"\nfunctions = ["f", "g*"]\nsizes = { n = 3 }\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "foretell.toml"
    path.write_text(text)
    return path


def test_what_a_file_says(tmp_path: Path) -> None:
    text = GOOD + '[code.b]\nfiles = ["b.c", "c.c"]\nfunction = "h"\nmachines = ["h200"]\n[limits]\n"a*@zen4" = "3%"\n'
    made = read_configuration(written(tmp_path, text))
    assert made.codes["a"].functions == ("f", "g*")
    assert made.codes["b"].files == ("b.c", "c.c")
    assert made.codes["b"].functions == ("h",)
    assert [made.machines_of(code) for code in made.codes.values()] == [("zen4",), ("h200",)]
    assert made.rules().of("a:f", "zen4") == made.rules().of("a:g", "zen4")
    assert made.codes["a"].on("a100").values["machines"] == ["a100"]
    assert made.codes["b"].like(made.codes["a"]).values["sizes"] == {"n": 3}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("machine = 3\n", "foretell.toml:1: machine: unknown key"),
        (GOOD + 'grids = [3]\n', "foretell.toml:7: code.a.grids: unknown key (did you mean 'grid'?)"),
        ('[code.a]\nfile = "a.c"\n', "foretell.toml:1: code.a: has no machine"),
        (GOOD.replace('"a.c"', "3"), "foretell.toml:4: code.a.file: must be a text"),
        (GOOD.replace("{ n = 3 }", "{ n = [3] }"), "foretell.toml:6: code.a.sizes.n: must be a number or a text"),
        (GOOD.replace('"5%"', '"5"'), "foretell.toml:2: limit: '5' is not a limit"),
        (GOOD + '[limits]\n"a" = "x"\n', "foretell.toml:8: limits.a: 'x' is not a limit"),
        (GOOD + 'files = ["b.c"]\n', "code.a: needs file or files, one of them"),
        (GOOD + 'function = "f"\n', "code.a.functions: and function are two ways to say it"),
        (GOOD + "threads = true\n", "code.a.threads: must be a whole number"),
        (GOOD + "grid = [1, 2, 3, 4]\n", "code.a.grid: must be a whole number or a list"),
        (GOOD + "grid = [0]\n", "foretell.toml:7: code.a.grid: must be a whole number or a list"),
        (GOOD + "threads = 0\n", "foretell.toml:7: code.a.threads: must be a whole number from 1"),
        (GOOD + 'args = [[1]]\n', "foretell.toml:7: code.a.args[0]: must be a number or a text"),
        (GOOD + 'build = " "\n', "foretell.toml:7: code.a.build: must not be an empty text"),
        (GOOD + f"dynamic_shared = {9 ** 40}\n", "foretell.toml:7: code.a.dynamic_shared: must be a number below 2^62"),
        (GOOD + "[code.a.branch]\n'if (x)' = 1e999\n", "foretell.toml:8: code.a.branch.if (x): must be a number below"),
        (GOOD + "dynamic_shared = -1\n", "foretell.toml:7: code.a.dynamic_shared: must be not negative"),
        ('machines = ["zen4"]\n', "foretell.toml: names no code"),
        ("[code]\na = 3\n", "code.a: must be a table"),
        ("x = [\n", "foretell.toml:2: not valid TOML"),
    ],
)  # fmt: skip
def test_wrong_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_configuration(written(tmp_path, text))
    assert message in str(error.value)
