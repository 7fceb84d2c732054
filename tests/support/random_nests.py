"""Transforms random loop nests, compiles original and transformed functions, and compares their results bit by bit.

python -m tests.support.random_nests [NESTS [SEED [LOG]]]      # 2000 nests by default; needs gcc

A run with a LOG goes on where it was stopped: a line of JSON for each batch.

Sums keep their order in most transformations, so that results must be equal to the last bit (-ffp-contract=off); those
that say of themselves that the last bits may differ are compared with a tolerance. Threads are started (-fopenmp).
Half of the functions compute in arrays of their own, rows of numbers and of structures, whose layout may change.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from foretell.core.nest.loopnest import Loops
from foretell.frontends import read
from foretell.records import record
from foretell.transform.catalogue import Choices, attempted, candidates
from foretell.transform.program import Change, Program
from foretell.transform.sums import REORDERED
from foretell.transform.text.source import edited

SIZE = 11
BATCH = 25
#: transformed functions of a nest beside one of each kind, and sequences of two changes
_MORE = 2
_ARRAYS = "ABC"
#: tiles that are shorter than the loops, so that every loop has several and a last one that is cut off
_CUT = Choices(tiles=(3, 4))
#: seconds that compiling or running a batch may take, on a machine that does much else
_LONGEST = 3600
#: kinds that need another driver: the types of arguments, a compiler that is not gcc, or a run beside
_LEFT_OUT = ("restrict", "single", "flags", "threads", "stream")
#: kinds after which the last bits of results may differ
_ROUNDED = ("vectorise", "reciprocal")


def random_function(rng: random.Random, name: str) -> str:
    """A function with one to three statements of loops over three arrays and a vector, or over arrays of its own."""
    blocks = "\n".join(_nest(rng, rng.choice((1, 2, 2, 3)), "    ") for _ in range(rng.choice((1, 1, 2))))
    blocks += _total(rng) if rng.random() < 0.15 else ""
    head = f"void {name}(double A[12][12], double B[12][12], double C[12][12], double v[12])"
    if rng.random() < 0.5:
        return f"{head} {{\n{blocks}\n}}\n"
    own, rows = f"own_{name}", f"rows_{name}"
    blocks = re.sub(r"\bC\[", f"{own}[", blocks)
    blocks = re.sub(r"\bv\[([^\]]*)\]", lambda found: f"{rows}[{found[1]}].{rng.choice('xy')}", blocks)
    return (
        f"static double {own}[12][12];\nstruct R_{name} {{ double x, y; }};\nstatic struct R_{name} {rows}[12];\n"
        f"{head} {{\n"
        f"{_copied(f'{own}[p][q]', 'C[p][q]', f'{rows}[p].x', 'v[p]', f'{rows}[p].y = 0.75 * v[p];')}{blocks}\n"
        f"{_copied('C[p][q]', f'{own}[p][q]', 'v[p]', f'{rows}[p].x + {rows}[p].y', '')}}}\n"
    )


def _copied(element: str, value: str, row: str, row_value: str, more: str) -> str:
    return (
        f"    for (int p = 0; p < 12; p++)\n        for (int q = 0; q < 12; q++)\n            {element} = {value};\n"
        f"    for (int p = 0; p < 12; p++) {{\n        {row} = {row_value};\n        {more}\n    }}\n"
    )


def _nest(rng: random.Random, depth: int, indent: str, names: tuple[str, ...] = ()) -> str:
    name = "ijk"[len(names)]
    low = rng.choice(("1", "1", "2", names[-1] if names else "1"))
    high = rng.choice((f"{SIZE}", f"{SIZE}", f"{SIZE - 1}", names[-1] if names else f"{SIZE}"))
    head = rng.choice(
        (f"int {name} = {low}; {name} < {high}; {name}++",) * 5 + (f"int {name} = 10; {name} >= 1; {name}--",)
    )
    inner = (*names, name)
    lines = []
    if depth > 1:
        lines = [_nest(rng, depth - 1, indent + "    ", inner)]
        if rng.random() < 0.3:
            lines.insert(rng.choice((0, 1)), f"{indent}    {_statement(rng, inner)}")
    else:
        lines = [f"{indent}    {_statement(rng, inner)}" for _ in range(rng.choice((1, 1, 2, 3)))]
    if len(lines) == 1 and rng.random() < 0.7:
        return f"{indent}for ({head})\n{lines[0]}"
    return f"{indent}for ({head}) {{\n" + "\n".join(lines) + f"\n{indent}}}"


def _element(rng: random.Random, names: tuple[str, ...]) -> str:
    if rng.random() < 0.2:
        return f"v[{_subscript(rng, names)}]"
    return f"{rng.choice(_ARRAYS)}[{_subscript(rng, names)}][{_subscript(rng, names)}]"


def _subscript(rng: random.Random, names: tuple[str, ...]) -> str:
    name = rng.choice(names)
    return rng.choice((name, name, name, f"{name} - 1", f"{name} + 1", "3"))


def _statement(rng: random.Random, names: tuple[str, ...]) -> str:
    value = f"0.5 * {_element(rng, names)} + 0.25 * {_element(rng, names)}"
    if rng.random() < 0.1 and len(names) < 3:
        return _sum(rng, names)
    if rng.random() < 0.1:
        return f"{_element(rng, names)} = {_element(rng, names)} / {rng.choice(('3.0', 'B[2][2]', 'h'))};"
    if rng.random() < 0.15:
        return f"{{ double t = {value}; {_element(rng, names)} = t * t; }}"
    if rng.random() < 0.1:
        return f"if ({_element(rng, names)} > 1.0) {_element(rng, names)} = {value};"
    return f"{_element(rng, names)} {rng.choice(('=', '=', '+='))} {value};"


def _sum(rng: random.Random, names: tuple[str, ...]) -> str:
    """A sum over a further loop, in a scalar."""
    name = "ijk"[len(names)]
    term = f"{_element(rng, (*names, name))} * {_element(rng, (*names, name))}"
    loop = f"for (int {name} = 1; {name} < {SIZE}; {name}++)\n    s += {term};"
    head = f"for (int m = 1; m < {SIZE}; m++)"
    return f"{head} {{\n    double s = 0.5;\n    {loop}\n    {_element(rng, (*names, 'm'))} = s;\n    }}"


def _total(rng: random.Random) -> str:
    """A sum over two loops, in a scalar, with something else added where a condition holds."""
    names = ("i", "j")
    heads = "".join(f"    for (int {name} = 1; {name} < {SIZE}; {name}++)\n" for name in names)
    adds = f"s += {_element(rng, names)} * {_element(rng, names)};"
    adds = rng.choice(
        (adds, f"{{ {adds} s = s - {_element(rng, names)}; }}", f"if ({_element(rng, names)} > 1.0) {adds}")
    )
    return f"\n    double s = 0.25;\n{heads}        {adds}\n    A[3][4] = s;"


_MAIN = """#include <stdio.h>
#include <string.h>
#include <math.h>
static double h = 1.7;
typedef void kernel(double (*)[12], double (*)[12], double (*)[12], double *);
static double a[4][12][12], b[4][12][12];
static void fill(double (*x)[12][12]) { unsigned s = 7; double *p = &x[0][0][0];
  for (int i = 0; i < 4 * 144; i++) { s = s * 1664525u + 1013904223u; p[i] = 0.5 + (s >> 8) / 16777216.0; } }
static void same(kernel *f, kernel *g, const char *name, int rounded) {
  fill(a); fill(b); f(a[0], a[1], a[2], a[3][0]); g(b[0], b[1], b[2], b[3][0]);
  int other = rounded ? 0 : memcmp(a, b, sizeof a);
  const double *x = &a[0][0][0], *y = &b[0][0][0];
  for (int i = 0; rounded && i < 4 * 144; i++)
    other |= !(fabs(x[i] - y[i]) <= 1e-9 * fabs(x[i]) || (isinf(x[i]) && isinf(y[i])) || isnan(x[i]));
  if (other) printf("%s\\n", name); }
"""


@record
class Variant:
    """A transformed function: the titles of its changes, its text, whether the last bits may differ."""

    title: str
    text: str
    rounded: bool

    @property
    def kind(self) -> str:
        return self.title.partition(":")[0]


def variants(function: str, rng: random.Random, folder: Path) -> list[Variant]:
    """Some transformed functions, one and two changes deep: of each kind at least one."""
    every = _changed(function, folder)
    rng.shuffle(every)
    kinds = {one.kind: one for one in every}
    result = [*kinds.values(), *every[:_MORE]]
    first = rng.choice(every) if every else None
    for second in (
        rng.sample(after, min(_MORE, len(after))) if first and (after := _changed(first.text, folder)) else ()
    ):
        result.append(Variant(f"{first.title}; {second.title}", second.text, first.rounded or second.rounded))
    return list({one.text: one for one in result}.values())


def _changed(function: str, folder: Path) -> list[Variant]:
    file = folder / "nest.c"
    file.write_text(f"static double h = 1.7;\n{function}")
    loops = read(file).find(Loops)
    if loops is None:
        return []
    program = Program(file.read_text(), "c", loops.nests, str(file))
    result = []
    for candidate in candidates(program, _CUT):
        change = attempted(candidate)
        if isinstance(change, Change) and change.edits and candidate.id not in _LEFT_OUT:
            text = edited(program.text, change.edits).partition("\n")[2]
            rounded = candidate.id in _ROUNDED or REORDERED in change.provided
            result.append(Variant(f"{candidate.id}: {change.title}", text, rounded))
    return result


def wrong(functions: list[str], rng: random.Random, folder: Path) -> tuple[Counter[str], list[str]]:
    """Compiles a batch; the number of transformed functions by kind, and those whose results differ."""
    text, calls, known, counts = _MAIN, "", {}, Counter[str]()
    for number, function in enumerate(functions):
        name = f"f{number}"
        text += function
        for count, variant in enumerate(variants(function, rng, folder)):
            new = f"{name}_{count}"
            text += re.sub(rf"\b((?:own_|rows_|R_)?){name}\b", rf"\1{new}", variant.text)
            calls += f'same({name}, {new}, "{new}", {int(variant.rounded)});\n'
            known[new] = f"{variant.title}\n{function}\n{variant.text}"
            counts[variant.kind] += 1
    source, program = folder / "batch.c", folder / "batch"
    source.write_text(f"{text}\nint main(void) {{ {calls} return 0; }}\n")
    command = ["gcc", "-O1", "-ffp-contract=off", "-fopenmp", "-w", "-o", str(program), str(source), "-lm"]
    subprocess.run(command, check=True, timeout=_LONGEST)
    run = {"capture_output": True, "text": True, "timeout": _LONGEST, "env": {**os.environ, "OMP_NUM_THREADS": "2"}}
    said = subprocess.run([str(program)], check=True, **run).stdout.split()  # type: ignore[call-overload]
    return counts, [known[name] for name in said]


@record
class Batch:
    """What a batch of nests gave: its number, functions compared by kind, and those with other results."""

    number: int
    compared: dict[str, int]
    failures: list[str]


def compared(seed: int, number: int, nests: int) -> Batch:
    """Transforms and runs one batch; its nests follow from seed and number alone."""
    rng = random.Random(f"{seed}/{number}")
    functions = [random_function(rng, f"f{at}") for at in range(nests)]
    with tempfile.TemporaryDirectory() as folder:
        try:
            counts, failures = wrong(functions, rng, Path(folder))
        except subprocess.SubprocessError as error:
            return Batch(number, {}, [f"batch {number}: {error}"])
    return Batch(number, dict(counts), failures)


def main() -> None:
    nests, seed = (int(text) for text in [*sys.argv[1:3], *("2000", "1")[len(sys.argv[1:3]) :]])
    log = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    done = [Batch(**json.loads(line)) for line in log.read_text().splitlines()] if log and log.exists() else []
    for number in sorted({*range(-(-nests // BATCH))} - {batch.number for batch in done}):
        done.append(compared(seed, number, min(BATCH, nests - number * BATCH)))
        if log:
            with log.open("a") as file:
                file.write(json.dumps(asdict(done[-1])) + "\n")
        total, other = sum(sum(one.compared.values()) for one in done), sum(len(one.failures) for one in done)
        print(f"{len(done)} batches of {BATCH}, {total} compared, {other} other results", flush=True)
    kinds = sum((Counter(one.compared) for one in done), Counter[str]())
    print(", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    print("\n".join([failure for one in done for failure in one.failures][:3]))


if __name__ == "__main__":
    main()
