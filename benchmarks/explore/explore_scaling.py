"""How `foretell explore` scales: python benchmarks/explore/explore_scaling.py OUT.json [SECONDS] (under 90 s).

The same designs with 1, 2, 4 and 8 workers, each series on processors of different physical cores: by the engine, start
of its workers included; and beside it the limit of the machine, as many bare processes, started and warm, that evaluate
their share of the same blocks and never talk to anybody. `spin` is the same for a loop that touches no memory: what it
lacks of the number of workers, somebody else had.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from five_blocks import OBJECTIVES, study

from foretell.uses.explore import engine, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.uses.explore.study import Study

WORKERS = (1, 2, 4, 8)
#: seconds that one core takes for all blocks, about
SECONDS = 16.0
ROUNDS = 1
#: rounds of the loop that touches no memory: to compare, and to find out whether two processors share a core
SPIN, SHORT_SPIN = 3_000_000, 800_000


def main(out: Path, seconds: float) -> None:
    """Measures everything and writes it down."""
    cores, apart = different_cores()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        blocks = _blocks(seconds)
        wanted = [count for count in WORKERS if count <= len(cores)]
        rounds = [{count: _measured(cores[:count], blocks) for count in wanted} for _ in range(ROUNDS)]
    best = {count: {name: min(one[count][name] for one in rounds) for name in rounds[0][count]} for count in wanted}
    found = {"cores": cores, "apart": apart, "blocks": blocks, "rounds": rounds, "best": _speedups(best)}
    out.write_text(json.dumps(found, indent=1))


def _speedups(best: dict[int, dict[str, float]]) -> dict[int, dict[str, float]]:
    return {
        count: {
            **times,
            "engine_times": best[1]["engine_s"] / times["engine_s"],
            "bare_times": best[1]["bare_s"] / times["bare_s"],
            "spin_times": count * best[1]["spin_s"] / times["spin_s"],
        }
        for count, times in best.items()
    }


def _measured(cpus: list[int], blocks: int) -> dict[str, float]:
    shares = [f"{len(cpus)} {place} {blocks}" for place in range(len(cpus))]
    return {
        "engine_s": _together("engine", [",".join(map(str, cpus))], [f"{len(cpus)} {blocks}"]),
        "bare_s": _together("bare", cpus, shares),
        "spin_s": _together("spin", cpus, [""] * len(cpus)),
    }


def _together(what: str, cpus: list[Any], arguments: list[str]) -> float:
    """Seconds from a common start to the end of the last of some processes, each on its processors."""
    runs = [
        subprocess.Popen(
            ["taskset", "-c", str(cpu), sys.executable, __file__, what, *argument.split()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for cpu, argument in zip(cpus, arguments, strict=True)
    ]
    for run in runs:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
    start = time.perf_counter()
    for run in runs:
        assert run.stdin is not None
        run.stdin.write("go\n")
        run.stdin.flush()
    return max(float(run.communicate()[0]) for run in runs) - start


# -------------------------------------------------------------------------------------- in a process of its own


def _study() -> Study:
    return study(OBJECTIVES[2], f"space-{os.getpid()}.toml")


def _blocks(seconds: float) -> int:
    """A number of blocks that every number of workers can share."""
    whole = _study()
    packed = evaluate.pack(whole)
    evaluate.work(packed, 0)
    start = time.perf_counter()
    for block in range(8):
        evaluate.work(packed, block)
    each = (time.perf_counter() - start) / 8
    return min(whole.blocks, max(16, int(seconds / each))) // 8 * 8


def _go() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


def run_engine(workers: int, blocks: int) -> None:
    """The engine, its start included; a serial run first warms what one process has warm."""
    whole = _study()
    evaluate.work(evaluate.pack(whole), 0)
    chosen = engine.processes(workers)
    _go()
    for _ in engine.compute(whole, range(blocks), chosen):
        pass
    print(time.perf_counter(), flush=True)


def run_bare(count: int, place: int, blocks: int) -> None:
    """Every so many-th block, and nothing else."""
    packed = evaluate.pack(_study())
    evaluate.work(packed, 0)
    _go()
    for block in range(place, blocks, count):
        evaluate.work(packed, block)
    print(time.perf_counter(), flush=True)


def run_spin(rounds: int = SPIN) -> None:
    """Arithmetic of the interpreter."""
    _go()
    total = 0
    for number in range(rounds):
        total += number & 7
    print(time.perf_counter(), flush=True)


# -------------------------------------------------------------------------------------- which processors


def different_cores() -> tuple[list[int], int]:
    """Processors, first one of each physical core, and how many of those there are: by what the system says, then by
    whether they slow each other down, for virtual machines hide what is one core."""
    seen: dict[str, int] = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        path = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        seen.setdefault(path.read_text().strip() if path.exists() else str(cpu), cpu)
    chosen: list[int] = []
    for cpu in seen.values():
        if len(chosen) < max(WORKERS) and _apart(chosen, cpu):
            chosen.append(cpu)
    return chosen + [cpu for cpu in seen.values() if cpu not in chosen], len(chosen)


def _apart(others: list[int], cpu: int) -> bool:
    """Whether a processor has a core that none of the others is on."""
    alone, together = (min(_spun(cpus) for _ in range(5)) for cpus in ([cpu], [*others, cpu]))
    return together < 1.3 * alone


def _spun(cpus: list[int]) -> float:
    script = (
        "import time; n = 0; s = time.perf_counter()\n"
        f"for k in range({SHORT_SPIN}): n += k & 7\n"
        "print(time.perf_counter() - s)"
    )
    runs = [
        subprocess.Popen(["taskset", "-c", str(cpu), sys.executable, "-Sc", script], stdout=subprocess.PIPE, text=True)
        for cpu in cpus
    ]
    return max(float(run.communicate()[0]) for run in runs)


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    parts: dict[str, Callable[..., None]] = {"engine": run_engine, "bare": run_bare, "spin": run_spin}
    if what in parts:
        parts[what](*map(int, rest))
    else:
        main(Path(what).resolve(), float(rest[0]) if rest else SECONDS)
