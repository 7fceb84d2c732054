"""Transforms the shipped kernels, runs each changed program, and compares its checksum with the original's.

python -m tests.support.shipped_kernels      # every possible change of every kernel; needs gcc
"""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
from pathlib import Path

import foretell
from foretell.core.nest.loopnest import Loops
from foretell.frontends import read
from foretell.transform.catalogue import attempted, candidates
from foretell.transform.program import Change, Program
from foretell.transform.text.source import edited

KERNELS = Path(foretell.__file__).parent / "examples" / "kernels"
#: sizes on the command line: enough for tiles to be cut off
_ARGUMENTS = ("21", "2", "3")
_DIGITS = 1e-9


def changes_of(file: Path) -> list[tuple[Change, str]]:
    """Every possible change of a shipped kernel that keeps its results, with the changed text."""
    text = file.read_text()
    program = Program(text, "c", read(file).facet(Loops).nests, str(file))
    tried = [attempted(one) for one in candidates(program)]
    made = [one for one in tried if isinstance(one, Change) and one.edits and one.transformation != "single"]
    return [(one, edited(text, one.edits)) for one in made]


def checksum(text: str, flags: str, folder: Path) -> float:
    """What a program prints at the end."""
    source, target = folder / "kernel.c", folder / "kernel"
    source.write_text(text)
    words = ["gcc", "-O1", "-ffp-contract=off", "-fopenmp", "-w", *flags.split(), f"-I{KERNELS}", str(source)]
    subprocess.run([*words, "-o", str(target), "-lm"], check=True, timeout=120)
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    run = subprocess.run(
        [str(target), *_ARGUMENTS], check=True, capture_output=True, text=True, timeout=60, env=environment
    )
    return float(run.stdout.split()[-1])


def wrong(file: Path, folder: Path, most: int | None = None) -> tuple[int, list[str]]:
    """The number of changed programs of a kernel (some of them: `most`), and those with another checksum."""
    every = changes_of(file)
    if most is not None:
        every = random.Random(file.name).sample(every, min(most, len(every)))
    if not every:
        return 0, []
    expected = checksum(file.read_text(), "", folder)
    results = [(change, checksum(text, change.flags, folder)) for change, text in every]
    bad = [change.title for change, value in results if abs(value - expected) > _DIGITS * abs(expected)]
    return len(every), [f"{file.name}: {title}" for title in bad]


def main() -> None:
    compared, failures = 0, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted(KERNELS.glob("*.c")):
            count, bad = wrong(file, Path(folder))
            compared, failures = compared + count, failures + bad
            print(f"{file.name}: {count} changed programs, {len(bad)} with another checksum", flush=True)
    print(f"{compared} changed programs, {len(failures)} with another checksum", *failures, sep="\n")


if __name__ == "__main__":
    main()
