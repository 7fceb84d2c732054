"""Writes pairs of versions to be measured: nests of `styles.c`, before and after what foretell calls the best and the
worst change of them.

python -m validation.advice.picked FOLDER MACHINE [FLAGS]   # jobs.json, NEST__VERSION.c, NEST.main.c for `measure.py`

`best` is the first change of a search of two changes that edits the source, `worst` the legal single change that is
predicted to be slowest, if it is slower than the code as it is. Both are predicted with the compiler of this machine.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import foretell
from benchmarks.advised.emit import KINDS
from foretell.core.nest.loopnest import Loops
from foretell.errors import ForetellError
from foretell.frontends import read
from foretell.transform.catalogue import Choices, attempted, candidates
from foretell.transform.program import Change, Program
from foretell.transform.text.source import edited
from validation.advice.pairs import nests

if TYPE_CHECKING:
    from collections.abc import Iterator

NESTS = Path(__file__).parent / "styles.c"
DEPTH = 2
CHOICES = Choices(ids=KINDS, tiles=(32, 256), factors=(2, 4))
_ARRAY = re.compile(r"(\w+)((?:\[[^\]]*\])+)")
_SUPPORT = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifndef ROUNDS
#define ROUNDS 5
#endif
typedef unsigned char byte;
static double clock_s(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec; }
static void *get(long bytes) { return aligned_alloc(64, (bytes + 4095) / 4096 * 4096); }
#define OF(type, make) \\
  static void fill_##type(type *p, long n, int end) { unsigned s = 7; (void)end; \\
    for (long i = 0; i < n; i++) { s = s * 1664525u + 1013904223u; p[i] = (type)(make); } } \\
  static double sum_##type(const type *p, long n) { double s = 0; \\
    for (long i = 0; i < n; i++) s += (double)p[i] * (1 + i % 7); return s; }
OF(double, 0.5 + (s >> 8) / 33554432.0)
OF(float, 0.5 + (s >> 8) / 33554432.0)
OF(int, (s >> 8) % end)
OF(byte, s >> 24)
static void **rows(double *p, long many, long each) { double **r = get(many * 8);
  for (long i = 0; i < many; i++) r[i] = p + i * each;
  return (void **)r; }
"""


def driver(name: str, text: str) -> str:
    """A program that fills the data of a nest, times calls of it, and prints the shortest time and a checksum."""
    data, call = re.search(r"data: (.*)", text), re.search(r"call: (.*?) \*/", text)
    assert data is not None
    assert call is not None
    arrays = list(_arrays(data[1], text))
    made = "\n".join(f"  {plain} *{array}_ = get(({count}) * sizeof({plain}));" for array, plain, count, _ in arrays)
    named = "\n".join(f"  void *{array} = {pointer};" for array, _, _, pointer in arrays)
    fills = " ".join(f"fill_{plain}({array}_, {count}, n);" for array, plain, count, _ in arrays)
    sums = " + ".join(f"sum_{plain}({array}_, {count})" for array, plain, count, _ in arrays)
    return (
        f"{_SUPPORT}\nvoid {name}();\nint main(void) {{\n  int n = {size_of(text)};\n{made}\n{named}\n"
        f"  double least_s = 1e9;\n  for (int round_ = 0; round_ < ROUNDS; round_++) {{\n    {fills}\n"
        f"    double took_s = clock_s();\n    {call[1]};\n    took_s = clock_s() - took_s;\n"
        f"    if (took_s < least_s) least_s = took_s;\n  }}\n"
        f'  printf("%.9g %.17g\\n", least_s, {sums});\n  return 0;\n}}\n'
    )


def _arrays(data: str, text: str) -> Iterator[tuple[str, str, str, str]]:
    """Name, type, number of elements and pointer of each array of `double a[n*n]; rows b[n][n]; struct s c[n]`."""
    for group in data.split("; "):
        parts = re.fullmatch(r"((?:struct )?\w+) (.*)", group)
        assert parts is not None, group
        kind, plain = parts[1], "double" if parts[1] == "rows" or parts[1].startswith("struct") else parts[1]
        members = re.search(rf"{kind} {{ double ([^;]*);", text)
        for array, extents in _ARRAY.findall(parts[2]):
            sizes = [f"(1L * {one.replace('*', ' * ')})" for one in re.findall(r"\[([^\]]*)\]", extents)]
            count = " * ".join([*sizes, *([f"{len(members[1].split(','))}"] if members else [])])
            yield array, plain, count, f"rows({array}_, {', '.join(sizes)})" if kind == "rows" else f"{array}_"


def size_of(text: str) -> int:
    found = re.search(r"n = (\d+)", text)
    assert found is not None
    return int(found[1])


def best(file: Path, name: str, n: int, asked: dict[str, str]) -> tuple[str, str, float, int] | str:
    """Text, title, predicted gain and line of the best change that edits the source, or why there is none."""
    try:
        answer = foretell.advise(
            file, asked["machine"], function=name, parameters={"n": n}, depth=DEPTH, only=KINDS, cc="gcc",
            cflags=asked["flags"],
        )  # fmt: skip
    except ForetellError as error:
        return str(error)
    for one in answer.changes:
        if one.edits and not one.flags.strip():
            return one.text, one.title, one.gain, one.line
    return "; ".join(f"{one.id} {one.line}: {one.reason}" for one in answer.refused)


def worst(file: Path, name: str, n: int, asked: dict[str, str]) -> tuple[str, str, float, int] | None:
    """The same of the legal single change that is predicted to be the slowest, if it is slower than the code."""
    text = file.read_text()
    loops = read(file).find(Loops)
    assert loops is not None
    program = Program(text, "c", loops.nests, str(file))
    found: list[tuple[str, str, float, int]] = []

    def seconds(source: str) -> float:
        changed = file.with_name(f"{name}__tried.c")
        changed.write_text(source)
        return foretell.predict(
            changed, asked["machine"], function=name, parameters={"n": n}, cc="gcc", cflags=asked["flags"]
        ).time_s

    base = seconds(text)
    for candidate in candidates(program, CHOICES):
        change = attempted(candidate)
        if isinstance(change, Change) and change.edits:
            source = edited(text, change.edits)
            found.append((source, change.title, base / seconds(source), change.line))
    file.with_name(f"{name}__tried.c").unlink(missing_ok=True)
    slowest = min(found, key=lambda one: one[2], default=None)
    return slowest if slowest is not None and slowest[2] < 1 else None


def written(folder: Path, name: str, text: str, asked: dict[str, str]) -> list[dict[str, Any]]:
    """Writes the versions of a nest; returns what they are."""
    file, jobs = folder / f"{name}__before.c", []
    file.write_text(text)
    for version, choose in (("best", best), ("worst", worst)):
        change = choose(file, name, size_of(text), asked)
        if not isinstance(change, tuple):
            print(name, version, change, flush=True)
            continue
        source, title, gain, line = change
        (folder / f"{name}__{version}.c").write_text(source)
        job = {"nest": name, "version": version, "n": size_of(text), "flags": "", "title": title, "line": line}
        jobs.append({**job, "predicted": gain})
    (folder / f"{name}.main.c").write_text(driver(name, text))
    return jobs


def main() -> None:
    folder, machine, flags = Path(sys.argv[1]), sys.argv[2], [*sys.argv[3:], "-O3 -march=native"][0]
    folder.mkdir(parents=True, exist_ok=True)
    asked, done = {"machine": machine, "flags": flags}, folder / "jobs.json"
    jobs: list[dict[str, Any]] = json.loads(done.read_text()) if done.exists() else []
    for name, text in nests(NESTS):
        if not (folder / f"{name}.main.c").exists():  # goes on where it was stopped
            jobs += written(folder, name, text, asked)
            done.write_text(json.dumps(jobs, indent=1))


if __name__ == "__main__":
    main()
