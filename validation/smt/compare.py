"""More threads on a core, predicted by the counter model from a run of one, against a simulated in-order core.

python compare.py [RESULT.json]

No machine with several hardware threads a core was at hand, so the «measured» side is a small simulation that shares
nothing with the model: instructions of a thread issue in order, one a cycle, when what they depend on is there; the
core has an integer and a floating-point pipeline, each takes one instruction a cycle from any thread, in turns; loads
wait for the level that serves them and do not block what does not need them. Threads share the work evenly; caches
are large enough, so that more threads do not miss more often.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import foretell
from foretell.core.facets.counts import CodeBlock, Count, Counts
from foretell.core.workload import Workload
from foretell.machines import load

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

INSTRUCTIONS = 60_000
THREADS = (1, 2, 4)
TEXT = "{code:20}{threads:3}  simulated {simulated:.3f}  predicted {predicted:.3f}  {error:+.1%}"
INTEGER, FLOATING, L1, LLC, MEMORY = 3, 5, 6, 42, 213


@dataclass(frozen=True)
class Code:
    """Shares of floating-point instructions and of loads, misses of loads, and how far back operands come from."""

    name: str
    floating: float
    loads: float
    beyond_l1: float
    to_memory: float
    distance: float


CODES = (
    Code("integer, dependent", 0.0, 0.2, 0.0, 0.0, 2),
    Code("integer, parallel", 0.05, 0.25, 0.01, 0.0, 12),
    Code("floating, dependent", 0.6, 0.2, 0.0, 0.0, 2),
    Code("floating, parallel", 0.5, 0.3, 0.01, 0.0, 12),
    Code("mixed", 0.35, 0.3, 0.02, 0.002, 5),
    Code("last level", 0.3, 0.35, 0.12, 0.0, 5),
    Code("memory", 0.3, 0.35, 0.06, 0.02, 5),
    Code("pointers", 0.0, 0.4, 0.3, 0.05, 1.5),
)


@dataclass(frozen=True)
class Instruction:
    """Its pipeline, its latency, and which earlier instruction it waits for."""

    floating: bool
    latency: int
    waits_for: int


def stream(code: Code, count: int, seed: int) -> list[Instruction]:
    """What one thread executes."""
    chance = random.Random(seed)
    made = []
    for number in range(count):
        back = max(1, round(chance.expovariate(1 / code.distance)))
        kind = chance.random()
        if kind < code.floating:
            made.append(Instruction(True, FLOATING, number - back))
        elif kind < code.floating + code.loads:
            level = chance.random()
            latency = MEMORY if level < code.to_memory else LLC if level < code.beyond_l1 else L1
            made.append(Instruction(False, latency, number - back))
        else:
            made.append(Instruction(False, INTEGER, number - back))
    return made


def simulate(threads: list[list[Instruction]]) -> int:
    """Cycles until every thread has ended."""
    place, ready = [0] * len(threads), [[0] * len(one) for one in threads]
    cycle, turn, end = 0, 0, 0
    while any(place[t] < len(threads[t]) for t in range(len(threads))):
        free = {True: True, False: True}
        for step in range(len(threads)):
            t = (turn + step) % len(threads)
            if place[t] == len(threads[t]):
                continue
            next_ = threads[t][place[t]]
            waiting = next_.waits_for >= 0 and ready[t][next_.waits_for] > cycle
            if waiting or not free[next_.floating]:
                continue
            free[next_.floating] = False
            ready[t][place[t]] = cycle + next_.latency
            end = max(end, cycle + next_.latency)
            place[t] += 1
        cycle += 1
        turn += 1
    return max(cycle, end)


def profile(code: Code, cycles: int, executed: list[Instruction], machine: Machine) -> Workload:
    """What counters would have seen of the run of one thread."""
    loads = [one for one in executed if not one.floating and one.latency in (L1, LLC, MEMORY)]
    events = {
        "time": cycles,
        "instInt": sum(not one.floating for one in executed),
        "instFP": sum(one.floating for one in executed),
        "numAccess": len(loads),
        "hitsL1": sum(one.latency == L1 for one in loads),
        "hitsLLC": sum(one.latency == LLC for one in loads),
        "LD": sum(one.latency == MEMORY for one in loads),
        "ST": 0,
    }
    counted = {name: Count(float(value), "simulated", name) for name, value in events.items()}
    misses = float(max(1, len(loads) - events["hitsL1"]))
    block = CodeBlock(code.name, counted, curve=((1.0, misses), (1e12, misses)))  # caches are large enough
    return Workload(code.name, (Counts((block,), 1, 1, machine=machine),))


def in_order_machine() -> Machine:
    """The core of the simulation, as a machine file would describe it."""
    return load("blue-gene-q").with_values(
        {
            "pipeline.integer.latency": INTEGER,
            "pipeline.floating.latency": FLOATING,
            "level.L1.latency": L1,
            "level.LLC.latency": LLC,
            "memory.latency": MEMORY,
            "memory.bandwidth": 1e12,
        }
    )


def main(result: Path | None) -> None:
    """Prints every code with 2 and 4 threads, and the errors."""
    machine = in_order_machine()
    rows = []
    for number, code in enumerate(CODES):
        times = {
            count: simulate([stream(code, INSTRUCTIONS // count, 100 * number + t) for t in range(count)])
            for count in THREADS
        }
        one = profile(code, times[1], stream(code, INSTRUCTIONS, 100 * number), machine)
        for count in THREADS[1:]:
            parameters = {"threads": float(count), "threads_per_core": float(count)}
            found = foretell.predict(one, machine, parameters=parameters)
            cycles = found.time_s * machine.value("clock.frequency")
            rows.append(
                {
                    "code": code.name,
                    "threads": count,
                    "simulated": times[count] / times[1],
                    "predicted": cycles / times[1],
                    "error": cycles / times[count] - 1,
                }
            )
            print(
                "{code:20}{threads:3}  simulated {simulated:.3f}  predicted {predicted:.3f}  {error:+.1%}".format(
                    **rows[-1]
                )
            )
    errors = [abs(row["error"]) for row in rows]
    summary = {"mean_error": fmean(errors), "worst_error": max(errors), "cases": len(errors)}
    print(summary)
    if result is not None:
        result.write_text(json.dumps({"summary": summary, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
