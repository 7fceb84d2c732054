"""Counts the instructions that one call of each function of the suite `styles` executes, at its smallest size.

    python validation/cpu/suite-styles/count_instructions.py RESULT.toml [WORD...]    # all, or names with a word

An oracle for predicted instruction counts: callgrind executes the program and counts inside the function and what it
calls. `own` are instructions of the translation unit, the others are those of libraries (libm, memcpy). gcc with
`-O3 -march=haswell`, since valgrind knows no AVX-512; other flags in FLAGS. `checksum` is the sum of all results of
that call, by which compilers and flags are compared. Functions that are in RESULT.toml are not counted again.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.uses.measure.compile_and_run import Build, linked
from foretell.uses.measure.style_suite import styles

if TYPE_CHECKING:
    from foretell.uses.measure.style_suite import Style

_FLAGS = os.environ.get("FLAGS", "-O3 -march=haswell")
_VALGRIND = ("valgrind", "--tool=callgrind", "--dump-line=no", "--compress-strings=no", "--compress-pos=no")


def self_costs(text: str, binary: str) -> tuple[int, int]:
    """Instructions of a callgrind file by themselves: of the binary, and of everything."""
    own = total = 0
    inside = call = False
    for line in text.splitlines():
        if line.startswith("ob="):
            inside = line[3:] == binary
        elif line.startswith("calls="):
            call = True
        elif re.match(r"\d+ \d+$", line):
            if not call:
                cost = int(line.split()[1])
                total += cost
                own += cost if inside else 0
            call = False
    return own, total


def counted(style: Style, folder: Path) -> dict[str, float]:
    """Instructions of one call, and the sum of its results."""
    command = [*Build("gcc", tuple(_FLAGS.split())).command(style.language, 1), *style.defines]
    program = linked(folder / style.name, style.text, style.file, style.language, command, 1)
    binary, out = str(program.binary.resolve()), folder / "callgrind.out"
    symbol = {"fortran": f"{style.function}_", "c++": f"{style.function}(*"}.get(style.language, style.function)
    words = [str(folder / "chunks"), str(folder / "alone"), "0", "0", *map(str, style.sizes.values())]
    done = subprocess.run(
        [*_VALGRIND, f"--callgrind-out-file={out}", f"--toggle-collect={symbol}", binary, *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LD_BIND_NOW": "1"},
    )
    own, total = self_costs(out.read_text(), binary)
    return {"own": own, "total": total, "checksum": float(done.stdout.split()[-1])}


def main() -> None:
    """Counts what is missing in the file, and writes after each function."""
    target, words = Path(sys.argv[1]), sys.argv[2:]
    known = tomllib.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
    table = known.get("function", {})
    wanted = [style for style in styles() if style.where == "L1" and (not words or any(w in style.name for w in words))]
    with tempfile.TemporaryDirectory() as folder:
        version = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
        head = [f'compiler = "{version}"', f'flags = "{_FLAGS}"', 'size = "L1"', "", "[function]"]
        for style in wanted:
            if style.name not in table:
                table[style.name] = counted(style, Path(folder))
                print(style.name, table[style.name], flush=True)
            rows = [
                f"{name} = {{ own = {row['own']:.0f}, total = {row['total']:.0f}, checksum = {row['checksum']:.10g} }}"
                for name, row in table.items()
            ]
            target.write_text("\n".join([*head, *rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
