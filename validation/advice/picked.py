"""Writes pairs of versions to be measured: nests of `styles.c`, before and after what foretell calls the best and the
worst change of them.

python validation/advice/picked.py FOLDER MACHINE [FLAGS]   # jobs.json, NEST__VERSION.c, NEST.main.c; `measure.py` times

`best` is the first change of a search of two changes that edits the source, `worst` the legal single change that is
predicted to be slowest, if it is slower than the code as it is. Both are predicted with the compiler of this machine.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import foretell
from benchmarks.advised.emit import KINDS
from foretell.errors import ForetellError
from foretell.transform.catalogue import Choices, attempted, candidates
from foretell.transform.program import Change, Program
from foretell.transform.text.source import edited
from foretell.core.nest.loopnest import Loops
from foretell.frontends import read

if __package__ is None:
    sys.path.insert(0, str(Path(__file__).parent))
from pairs import nests  # type: ignore[import-not-found]  # beside this file

NESTS = Path(__file__).parent / "styles.c"
DEPTH = 2
CHOICES = Choices(ids=KINDS, tiles=(32, 256), factors=(2, 4))
_DATA = re.compile(r"(?P<type>(?:struct )?\w+) (?P<names>[^;]*)")
_ARRAY = re.compile(r"(\w+)((?:\[[^\]]*\])+)")
#: functions that fill and add up arrays of a type
_FILLS = {"double": "double", "float": "float", "int": "int", "byte": "byte"}
_SUPPORT = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifndef ROUNDS
#define ROUNDS 5
#endif
typedef unsigned char byte;
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
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
    size = re.search(r"n = (\d+)", text)
    data = re.search(r"data: (.*)", text)
    call = re.search(r"call: (.*?) \*/", text)
    assert size and data and call
    made, fills, sums = [], [], []
    for group in data[1].split("; "):
        kind, names = re.fullmatch(r"((?:struct )?\w+) (.*)", group).groups()  # type: ignore[union-attr]
        plain = "double" if kind == "rows" or kind.startswith("struct") else kind
        for array, extents in _ARRAY.findall(names):
            sizes = [f"1L * {one.replace('*', ' * ')}" for one in re.findall(r"\[([^\]]*)\]", extents)]
            count = " * ".join(f"({one})" for one in sizes)
            if kind.startswith("struct"):
                members = re.search(rf"{kind} {{ double ([^;]*);", text)
                assert members, kind
                count = f"{count} * {len(members[1].split(','))}"
            made.append(f"  {plain} *{array}_ = get(({count}) * sizeof({plain}));")
            made.append(f"  void *{array} = {f'rows({array}_, {sizes[0]}, {sizes[1]})' if kind == 'rows' else array + '_'};")
            fills.append(f"fill_{plain}({array}_, {count}, n);")
            sums.append(f"sum_{plain}({array}_, {count})")
    return (
        f"{_SUPPORT}\nvoid {name}();\nint main(void) {{\n  int n = {size[1]};\n" + "\n".join(made) + "\n"
        f"  double best = 1e9;\n  for (int r = 0; r < ROUNDS; r++) {{\n    {' '.join(fills)}\n    double t = now();\n"
        f"    {call[1]};\n    t = now() - t;\n    if (t < best) best = t;\n  }}\n"
        f'  printf("%.9g %.17g\\n", best, {" + ".join(sums)});\n  return 0;\n}}\n'
    )


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


def main() -> None:
    folder, machine, flags = Path(sys.argv[1]), sys.argv[2], [*sys.argv[3:], "-O3 -march=native"][0]
    folder.mkdir(parents=True, exist_ok=True)
    asked = {"machine": machine, "flags": flags}
    done = folder / "jobs.json"
    jobs: list[dict[str, Any]] = json.loads(done.read_text()) if done.exists() else []
    for name, text in nests(NESTS):
        if (folder / f"{name}.main.c").exists():
            continue
        file = folder / f"{name}__before.c"
        file.write_text(text)
        for version, change in (("best", best(file, name, size_of(text), asked)), ("worst", worst(file, name, size_of(text), asked))):
            if not isinstance(change, tuple):
                print(name, version, change, flush=True)
                continue
            source, title, gain, line = change
            (folder / f"{name}__{version}.c").write_text(source)
            jobs.append({"nest": name, "version": version, "n": size_of(text), "flags": "", "title": title, "line": line, "predicted": gain})
            print(name, version, f"{gain:.3f}", title, flush=True)
        (folder / f"{name}.main.c").write_text(driver(name, text))
        done.write_text(json.dumps(jobs, indent=1))


if __name__ == "__main__":
    main()
