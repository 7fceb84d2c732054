"""Writes pairs of versions to be measured: nests of a file, before and after changes that nobody has predicted.

python validation/advice/pairs.py FOLDER kernels.c    # jobs.json, NEST__VERSION.c, NEST.main.c; `measure.py` times them

Of each nest, every legal change of one thread is made; a hash of nest and change decides which are taken, at most one
of each kind. So neither the model nor a person chooses among them.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.advised.emit import KINDS, driver, size_of
from foretell.core.nest.loopnest import Loops
from foretell.frontends import read
from foretell.transform.catalogue import Choices, attempted, candidates
from foretell.transform.program import Change, Program
from foretell.transform.text.source import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

NESTS = Path(__file__).parent
#: changes of a nest at most
MOST = 3
#: sizes of tiles, and factors of unrolling, that `why --try` tries on the measured machine (L1 48 KiB, L2 2 MiB)
CHOICES = Choices(ids=(*KINDS, "flags"), tiles=(32, 256), factors=(2, 4))


def nests(file: Path) -> Iterator[tuple[str, str]]:
    """Names and texts of the nests of a file."""
    for part in re.findall(r"/\* n = .*?\n}\n", file.read_text(), re.DOTALL):
        name = re.search(r"void (\w+)\(", part)
        assert name is not None
        yield name[1], part


def changes(name: str, text: str, folder: Path) -> list[tuple[str, Change]]:
    """Some of the changes of a nest, one of each kind at most, by a hash."""
    file = folder / f"{name}__before.c"
    file.write_text(text)
    loops = read(file).find(Loops)
    assert loops is not None
    program = Program(text, "c", loops.nests, str(file))
    every = [(one.id, attempted(one)) for one in candidates(program, CHOICES)]
    made = [(identifier, change) for identifier, change in every if isinstance(change, Change)]
    made.sort(key=lambda one: hashlib.sha256(f"{name}/{one[0]}/{one[1].title}".encode()).digest())
    kinds = dict(reversed(made))
    return sorted(kinds.items(), key=lambda one: [change for _, change in made].index(one[1]))[:MOST]


def write(folder: Path, file: Path) -> Iterator[dict[str, object]]:
    for name, text in nests(file):
        (folder / f"{name}.main.c").write_text(driver(name, text))
        for identifier, change in changes(name, text, folder):
            (folder / f"{name}__{identifier}.c").write_text(edited(text, change.edits))
            yield {
                "nest": name,
                "version": identifier,
                "n": size_of(text),
                "flags": change.flags,
                "title": change.title,
                "line": change.line,
            }


def main(folder: Path, file: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    jobs = list(write(folder, file))
    (folder / "jobs.json").write_text(json.dumps(jobs, indent=1))
    print(f"{len(jobs)} pairs of {len({job['nest'] for job in jobs})} nests")


if __name__ == "__main__":
    main(Path(sys.argv[1]), NESTS / sys.argv[2])
