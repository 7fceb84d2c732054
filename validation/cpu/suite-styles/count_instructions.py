"""Counts the instructions that one call of each function of the suite `styles` executes, at its smallest size.

    python validation/cpu/suite-styles/count_instructions.py RESULT.toml [WORD...]    # all, or names with a word

An oracle for predicted instruction counts: callgrind executes the program and counts inside the function and what it
calls. `own` are instructions of the translation unit, by their addresses; the others are those of libraries (libm,
memcpy). gcc with `-O3 -march=haswell` on x86-64, since valgrind knows no AVX-512, and `-O3` on AArch64; other flags in
FLAGS. Code is not aligned: assembly text does not show the filling. `checksum` is the sum of all results of that call,
by which compilers and flags are compared. Functions that are in RESULT.toml are not counted again.
"""

from __future__ import annotations

import os
import platform
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

_USUAL = "-O3 -march=haswell" if platform.machine() in ("x86_64", "AMD64") else "-O3"
_FLAGS = os.environ.get("FLAGS", _USUAL)
#: assembly text does not show how many instructions fill up to an aligned address
UNALIGNED = ("-fno-align-functions", "-fno-align-loops", "-fno-align-jumps", "-fno-align-labels")
_VALGRIND = ("valgrind", "--tool=callgrind", "--dump-line=no", "--dump-instr=yes", "--compress-strings=no",
             "--compress-pos=no")  # fmt: skip


def functions_of(source: Path, command: list[str]) -> set[str]:
    """The functions that a compiler makes of a source."""
    text = subprocess.run([*command, "-S", "-w", "-o", "-", str(source)], capture_output=True, text=True, check=True)
    return set(re.findall(r"^\s*\.type\s+([^,\s]+),\s*[@%]function", text.stdout, re.MULTILINE))


def addresses(binary: str, names: set[str]) -> list[range]:
    """Where these functions are in a binary."""
    text = subprocess.run(["nm", "-S", binary], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in text.splitlines()]
    return [
        range(int(row[0], 16), int(row[0], 16) + int(row[1], 16))
        for row in rows
        if len(row) == 4 and row[2] in "tT" and row[3] in names
    ]


def self_costs(text: str, binary: str, own: list[range]) -> tuple[int, int]:
    """Instructions of a callgrind file by themselves: at addresses of the binary in `own`, and those with libraries.
    (On AArch64 callgrind takes what follows a return as part of the function, until the stack pointer moves.)"""
    mine = libraries = 0
    inside = call = False
    for line in text.splitlines():
        if line.startswith("ob="):
            inside = line[3:] == binary
        elif line.startswith("calls="):
            call = True
        elif match := re.match(r"0x([0-9a-f]+) (?:\d+ )?(\d+)$", line):
            if not call and not inside:
                libraries += int(match[2])
            elif not call and any(int(match[1], 16) in each for each in own):
                mine += int(match[2])
            call = False
    return mine, mine + libraries


def counted(style: Style, folder: Path) -> dict[str, float]:
    """Instructions of one call, and the sum of its results."""
    command = [*Build("gcc", (*_FLAGS.split(), *UNALIGNED)).command(style.language, 1), *style.defines]
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
    own, total = self_costs(out.read_text(), binary, addresses(binary, functions_of(style.file, command)))
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
