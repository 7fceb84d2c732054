"""Asks `why --try` for each kernel, and writes original, advised source and a program that times them.

python -m benchmarks.advised.emit FOLDER [MACHINE [DEPTH [CC [CFLAGS [GROUP…]]]]]    # neoverse-n1, 3, gcc; all kernels

Changes of one thread that keep the results (but for the order of additions) are asked for: no -ffast-math, no threads,
no single precision. FOLDER/jobs.json has the predicted gains; `measure.py` compiles and times.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import foretell
from foretell.errors import ForetellError

KERNELS = Path(__file__).parent / "kernels"
KINDS = (
    "sum_in_place", "fuse", "fission", "interchange", "tile", "unroll_and_jam", "hoist", "reciprocal", "vectorise",
    "restrict",
)  # fmt: skip
_PARAMETER = re.compile(r"(?P<type>int|double)\s+(?P<name>\w+)(?P<extents>(?:\[(?:n|\d+)(?: \* n)?\])*)\Z")


def size_of(text: str) -> int:
    """The size in the first line of a kernel."""
    found = re.match(r"/\* n = (\d+) \*/", text)
    assert found is not None
    return int(found[1])


def driver(name: str, text: str) -> str:
    """A program that fills the arrays, times calls of the kernel, and prints the shortest time and a checksum.

    The kernel is a file of its own: inlined here, gcc would know from `aligned_alloc` that no arrays overlap.
    """
    parameters = re.search(rf"void {name}\(([^)]*)\)", text)
    assert parameters is not None
    arrays: list[tuple[str, str, str]] = []
    call, types = [], []
    for parameter in parameters[1].split(","):
        parts = _PARAMETER.match(" ".join(parameter.replace("restrict ", "").split()))
        assert parts is not None, parameter
        if extents := re.findall(r"\w+", parts["extents"]):
            arrays.append((parts["type"], f"p{len(arrays)}", " * ".join(("1L", *extents))))
        call.append(arrays[-1][1] if extents else "n" if parts["type"] == "int" else "1.25")
        types.append(f"{parts['type']} *" if extents else parts["type"])
    lines = "\n".join(f"  {kind} *{array} = get({size});" for kind, array, size in arrays)
    fills = " ".join(f"{_FILLS[kind].format(array, size)};" for kind, array, size in arrays)
    sums = " + ".join(f"sum({array}, {size})" for kind, array, size in arrays if kind == "double")
    return (
        f"{_SUPPORT}\nvoid {name}({', '.join(types)});\nint main(void) {{\n  int n = {size_of(text)};\n{lines}\n"
        f"  double best = 1e9;\n  for (int r = 0; r < ROUNDS; r++) {{\n    {fills}\n    double t = now();\n"
        f"    {name}({', '.join(call)});\n    t = now() - t;\n    if (t < best) best = t;\n  }}\n"
        f'  printf("%.9g %.17g\\n", best, {sums});\n  return 0;\n}}\n'
    )


#: integers are indices below n
_FILLS = {"double": "fill({}, {})", "int": "fill_indices({}, {}, n)"}
_SUPPORT = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifndef ROUNDS
#define ROUNDS 5
#endif
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static void *get(long n) { return aligned_alloc(64, (n * 8 + 4095) / 4096 * 4096); }
static void fill(double *p, long n) { unsigned s = 7;
  for (long i = 0; i < n; i++) { s = s * 1664525u + 1013904223u; p[i] = 0.5 + (s >> 8) / 33554432.0; } }
static void fill_indices(int *p, long n, int end) { unsigned s = 7;
  for (long i = 0; i < n; i++) { s = s * 1664525u + 1013904223u; p[i] = (s >> 8) % end; } }
static double sum(const double *p, long n) { double s = 0;
  for (long i = 0; i < n; i++) s += p[i] * (1 + i % 7); return s; }
"""


def emit(file: Path, folder: Path, machine: str, depth: int, asked: dict[str, str]) -> dict[str, Any]:
    """Writes both programs of a kernel; returns what the advice says."""
    text, name = file.read_text(), file.stem
    start = time.process_time()
    (folder / f"{name}.main.c").write_text(driver(name, text))
    (folder / f"{name}.before.c").write_text(text)
    try:
        answer = foretell.advise(
            file,
            machine,
            function=name,
            parameters={"n": size_of(text)},
            depth=depth,
            only=KINDS,
            **asked,  # type: ignore[arg-type]
        )
    except ForetellError as error:
        return {"kernel": name, "refused": str(error)}
    chosen = answer.best if answer.best is not None and answer.best.edits else None
    (folder / f"{name}.after.c").write_text(chosen.text if chosen else text)
    return {
        "kernel": name,
        "predicted": chosen.gain if chosen else 1.0,
        "interval": chosen.interval if chosen else (1.0, 1.0),
        "before_s": answer.prediction.time_s,
        "steps": chosen.steps if chosen else (),
        "flags": chosen.flags if chosen else "",
        "seconds": time.process_time() - start,
    }


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    machine, depth, *rest = [*sys.argv[2:], *("neoverse-n1", "3")[len(sys.argv) - 2 :]]
    asked = dict(zip(("cc", "cflags"), rest, strict=False))
    groups = rest[2:] or ["*"]
    done = folder / "jobs.json"
    jobs = json.loads(done.read_text()) if done.exists() else []  # goes on where it was stopped
    for file in sorted(file for group in groups for file in KERNELS.glob(f"{group}/*.c")):
        if any(job["kernel"] == file.stem for job in jobs):
            continue
        jobs.append(emit(file, folder, machine, int(depth), asked))
        print(json.dumps(jobs[-1]), flush=True)
        done.write_text(json.dumps(jobs, indent=1))


if __name__ == "__main__":
    main()
