"""Closed-form traffic of kernels against two simulators: valgrind's cachegrind and foretell's own.

python validation/cpu/traffic.py OUTPUT.json [KERNEL.c ...]    (needs gcc and valgrind; a few minutes)

Without kernels, those that are shipped; `traffic/*.c` are others, which nothing was tuned on before they were compared.

Both simulators have the same two caches. A kernel is called twice and then three times in cachegrind, and the
difference is one call on warm caches; ours simulates two calls and counts the second. Only nests whose traffic is a
closed form are in.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from statistics import median

from foretell import frontends
from foretell.characterize.footprints.footprints import footprints
from foretell.characterize.layout.struct_members import whole_records
from foretell.characterize.simulate.addresses import stream
from foretell.characterize.simulate.cachesim import CacheLevel, Simulation
from foretell.core.nest.loopnest import LoopNest, Loops
from foretell.errors import ForetellError
from foretell.uses.measure import harness, suite
from foretell.uses.profiling.limited_run import Limits, run

CACHES = (CacheLevel("D1", 32 << 10, 64, 8), CacheLevel("LL", 512 << 10, 64, 16))
#: accesses of one call: cachegrind does some ten million a second
ACCESSES = (60_000, 600_000)
LEAST_SHARE = 0.05  # of the data that must move for a miss count to say something
FLAGS = ["-O1", "-fno-tree-loop-distribute-patterns"]  # copies stay loops


def main() -> None:
    output, kernels = Path(sys.argv[1]), [Path(name).resolve() for name in sys.argv[2:]] or suite.shipped()
    points = []
    with tempfile.TemporaryDirectory() as folder:
        for path in kernels:
            if path.suffix == ".c":
                points += kernel(path, Path(folder))
    errors = {who: sorted(abs(p["closed"] / p[who] - 1) for p in points) for who in ("cachegrind", "simulator")}
    summary = {
        who: {
            "points": len(found),
            "median": median(found),
            "p90": found[int(0.9 * (len(found) - 1))],
            "within_3pct": sum(error <= 0.03 for error in found) / len(found),
        }
        for who, found in errors.items()
    }
    caches = [{"name": c.name, "bytes": c.size, "ways": c.ways, "line": c.line} for c in CACHES]
    output.write_text(json.dumps({"caches": caches, "summary": summary, "points": points}, indent=1) + "\n")
    print(json.dumps(summary, indent=1))


def kernel(path: Path, folder: Path) -> list[dict[str, object]]:
    """One kernel at two sizes: bytes that come into each cache, three times."""
    workload = frontends.read(path)
    loops = workload.facet(Loops)
    function = suite.function_of(workload, None)
    nest = whole_records(loops.nests[0])
    points = []
    for accesses in ACCESSES:
        size = size_for(nest, accesses)
        try:
            ours = simulated(nest, size)
        except ForetellError:
            return []
        given = harness.arguments(loops, function, {"n": size})
        theirs = valgrind(path, function.name, given, folder)
        shape = footprints(nest, {"n": float(size)}, 64.0)
        for position, cache in enumerate(CACHES):
            closed = sum(shape.traffic(float(cache.size)).values())
            whole = float(shape.together(0))
            if min(ours[position], theirs[position], closed) > LEAST_SHARE * whole:
                points.append(
                    {
                        "kernel": path.stem,
                        "n": size,
                        "cache": cache.name,
                        "closed": round(closed),
                        "simulator": ours[position],
                        "cachegrind": theirs[position],
                    }
                )
    return points


def size_for(nest: LoopNest, accesses: int) -> int:
    size = 16
    while float(nest.trips.evaluate({"n": size + 1})) < accesses:
        size += max(1, size // 50)
    return size


def simulated(nest: LoopNest, size: int) -> list[int]:
    accesses = stream(nest, {"n": size})
    simulation = Simulation(CACHES, tuple(one.name for one in accesses.references))
    simulation.run(accesses)
    before = simulation.counts()
    simulation.run(accesses)
    after = simulation.counts()
    return [(b.misses - a.misses) * 64 for a, b in zip(before.levels, after.levels, strict=True)]


def valgrind(path: Path, function: str, given: tuple[harness.Argument, ...], folder: Path) -> list[int]:
    once, twice = (cachegrind(path, function, given, folder, calls) for calls in (2, 3))
    return [(b - a) * 64 for a, b in zip(once, twice, strict=True)]


def cachegrind(path: Path, function: str, given: tuple[harness.Argument, ...], folder: Path, calls: int) -> list[int]:
    """Misses of data in the first and the last cache."""
    text = harness.program(str(path), function, "c", given)
    text = text[: text.index("int main(int argc")] + (
        "int main(int argc, char **argv) { foretell_fill(argv + 1); "
        f"for (int k = 0; k < {calls}; k++) foretell_call(); return argc < 1; }}\n"
    )
    source, binary, out = folder / "once.c", folder / "once", folder / "out"
    source.write_text(text)
    run(["gcc", *FLAGS, "-w", "-o", str(binary), str(source), "-lm"], Limits(seconds=60))
    first, last = (f"{c.size},{c.ways},{c.line}" for c in CACHES)
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=yes", f"--cachegrind-out-file={out}"]
    command += ["--I1=32768,8,64", f"--D1={first}", f"--LL={last}", str(binary), *harness.command_line(given)]
    run(command, Limits(seconds=300))
    lines = out.read_text().splitlines()
    events = next(line for line in lines if line.startswith("events:")).split()[1:]
    totals = [int(word) for word in next(line for line in lines if line.startswith("summary:")).split()[1:]]
    count = dict(zip(events, totals, strict=True))
    return [count["D1mr"] + count["D1mw"], count["DLmr"] + count["DLmw"]]


if __name__ == "__main__":
    main()
