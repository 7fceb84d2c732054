"""Transforms random loop nests, compiles original and transformed functions, and compares their results bit by bit.

python -m tests.support.random_nests [NESTS] [SEED]      # 2000 nests by default; needs gcc

Sums keep their order in every transformation, so that results must be equal to the last bit (-ffp-contract=off).
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from foretell.core.nest.loopnest import Loops
from foretell.frontends import read
from foretell.transform.catalogue import attempted, candidates
from foretell.transform.program import Program, RefusedError
from foretell.transform.text.source import edited

SIZE = 11
BATCH = 25
_ARRAYS = "ABC"


def random_function(rng: random.Random, name: str) -> str:
    """A function with one to three statements of loops over three arrays and a vector."""
    blocks = "\n".join(_nest(rng, rng.choice((1, 2, 2, 3)), "    ") for _ in range(rng.choice((1, 1, 2))))
    return f"void {name}(double A[12][12], double B[12][12], double C[12][12], double v[12]) {{\n{blocks}\n}}\n"


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


_MAIN = """#include <stdio.h>
#include <string.h>
typedef void kernel(double (*)[12], double (*)[12], double (*)[12], double *);
static double a[4][12][12], b[4][12][12];
static void fill(double (*x)[12][12]) { unsigned s = 7; double *p = &x[0][0][0];
  for (int i = 0; i < 4 * 144; i++) { s = s * 1664525u + 1013904223u; p[i] = 0.5 + (s >> 8) / 16777216.0; } }
static void same(kernel *f, kernel *g, const char *name) {
  fill(a); fill(b); f(a[0], a[1], a[2], a[3][0]); g(b[0], b[1], b[2], b[3][0]);
  if (memcmp(a, b, sizeof a)) printf("%s\\n", name); }
"""


def variants(function: str, name: str, folder: Path) -> list[tuple[str, str]]:
    """The transformed functions, one and two changes deep, each with the title of its change."""
    result: list[tuple[str, str]] = []
    for title, text in _changed(function, name, folder):
        result.append((title, text))
        if len(result) % 5 == 0:
            result += [(f"{title}; {second}", twice) for second, twice in _changed(text, name, folder)[:3]]
    return result


def _changed(function: str, name: str, folder: Path) -> list[tuple[str, str]]:
    file = folder / "nest.c"
    file.write_text(function)
    loops = read(file).find(Loops)
    if loops is None:
        return []
    program = Program(function, "c", loops.nests, str(file))
    result = []
    for candidate in candidates(program):
        change = attempted(candidate)
        if not isinstance(change, RefusedError) and change.edits and candidate.id not in ("parallelise", "restrict"):
            result.append((change.title, edited(function, change.edits)))
    return result


def wrong(functions: list[str], folder: Path) -> tuple[int, list[str]]:
    """Compiles a batch; the number of transformed functions, and those whose results differ."""
    text, calls, known = _MAIN, "", {}
    for number, function in enumerate(functions):
        name = f"f{number}"
        text += function
        for count, (title, changed) in enumerate(variants(function, name, folder)):
            new = f"{name}_{count}"
            text += re.sub(rf"\bvoid {name}\(", f"void {new}(", changed)
            calls += f'same({name}, {new}, "{new}");\n'
            known[new] = f"{title}\n{function}\n{changed}"
    source, program = folder / "batch.c", folder / "batch"
    source.write_text(f"{text}\nint main(void) {{ {calls} return 0; }}\n")
    command = ["gcc", "-O1", "-ffp-contract=off", "-w", "-o", str(program), str(source)]
    subprocess.run(command, check=True, timeout=600)
    said = subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=60).stdout.split()
    return len(known), [known[name] for name in said]


def main() -> None:
    nests = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    compared, failures = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, nests, BATCH):
            functions = [random_function(rng, f"f{number}") for number in range(min(BATCH, nests - first))]
            count, bad = wrong(functions, Path(folder))
            compared += count
            failures += bad
    print(f"{nests} nests, {compared} transformed functions, {len(failures)} with other results")
    for failure in failures[:3]:
        print(failure)


if __name__ == "__main__":
    main()
