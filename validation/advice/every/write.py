"""Writes every change of one thread that the nests of some files allow, before anything of them is predicted.

python -m validation.advice.every.write FOLDER FILE…

It writes jobs.json, NEST__VERSION.c or .f90, and NEST.main.c for `alternate.py`.

Versions are named by the kind of change and a number. A structure that becomes arrays is passed as those: the program
copies its data over.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.advised.emit import KINDS
from foretell.core.nest.loopnest import Loops
from foretell.frontends import read
from foretell.transform.catalogue import Choices, attempted, candidates
from foretell.transform.program import Change, Program
from foretell.transform.text.source import edited
from validation.advice.every import alternating

if TYPE_CHECKING:
    from collections.abc import Iterator

NESTS = Path(__file__).parent
CHOICES = Choices(
    ids=(*KINDS, "pad", "aos_to_soa", "prefetch", "flags"), tiles=(32, 256), factors=(2, 4), flags="-O3 -march=native"
)
_PARTS = {
    ".c": (r"/\* n = .*?\n}\n", r"void (\w+)\("),
    ".f90": (r"! n = .*?\nend subroutine \w+\n", r"\nsubroutine (\w+)\("),
}


def nests(file: Path) -> Iterator[tuple[str, str]]:
    """Names and texts of the nests of a file."""
    whole, named = _PARTS[file.suffix]
    for part in re.findall(whole, file.read_text(), re.DOTALL):
        name = re.search(named, part)
        assert name is not None
        yield name[1], part


def changes(file: Path, text: str) -> Iterator[Change]:
    """Every legal change; why the others are refused is printed."""
    loops = read(file).find(Loops)
    assert loops is not None
    program = Program(text, "c" if file.suffix == ".c" else "fortran", loops.nests, str(file))
    for one in candidates(program, CHOICES):
        change = attempted(one)
        if isinstance(change, Change):
            yield change
        else:
            print(f"{file.stem}: {one.id} {one.text}: {change}")


def written(folder: Path, name: str, text: str, suffix: str) -> list[dict[str, Any]]:
    """Writes the versions of a nest; returns what they are."""
    file, jobs = folder / f"{name}__before{suffix}", []
    file.write_text(text)
    for change in changes(file, text):
        version = f"{change.transformation}_{sum(job['kind'] == change.transformation for job in jobs)}"
        file.with_name(f"{name}__{version}{suffix}").write_text(edited(text, change.edits))
        job = {"nest": name, "version": version, "kind": change.transformation, "n": alternating.size_of(text)}
        jobs.append({**job, "flags": change.flags, "title": change.title, "line": change.line, "suffix": suffix})
    (folder / f"{name}.main.c").write_text(alternating.driver(text))
    return jobs


def main(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    files = [NESTS / name for name in names]
    jobs = [job for one in files for name, text in nests(one) for job in written(folder, name, text, one.suffix)]
    (folder / "jobs.json").write_text(json.dumps(jobs, indent=1))
    print(f"{len(jobs)} pairs of {len({job['nest'] for job in jobs})} nests")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
