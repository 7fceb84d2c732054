"""Short ways to write profiles, and a literal twin of Section 3 of the Raexplore paper that shares no code with
the core."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from foretell.core.counts import CodeBlock, Count, Counts
from foretell.core.machine import Machine
from foretell.core.workload import Workload
from foretell.machines import load

if TYPE_CHECKING:
    from collections.abc import Mapping

#: the made-up block of the specification
SYNTHETIC = {
    "time": 1e9, "instInt": 8e9, "instFP": 4e9, "numAccess": 5e9, "hitsL1": 4.7e9, "hitsLLC": 2.5e8,
    "LD": 3e7, "ST": 1e7,
}  # fmt: skip


def block(name: str = "block", **events: float) -> CodeBlock:
    return CodeBlock(name, {event: Count(value, "counter", event) for event, value in events.items()})


def profile(
    *blocks: CodeBlock, machine: str | Machine = "blue-gene-q", cores: int = 16, tpc: int = 1
) -> Workload:
    baseline = machine if isinstance(machine, Machine) else load(machine)
    counts = Counts(blocks, cores, tpc, machine_name=baseline.name, machine=baseline)
    return Workload(name="profile", facets=(counts,))


@dataclass(frozen=True)
class Arch:
    """One column of Table 3; sizes in bytes, shares of caches by all active cores."""

    freq: float = 1.6e9
    cores: float = 16
    tpc: float = 1
    spt: float = 1
    int_l: float = 3
    fp_l: float = 5
    size_l1: float = 16 * 1024
    lat_l1: float = 3
    size_llc: float = 16 * 2**20
    lat_llc: float = 42
    lat_ddr: float = 213
    bw: float = 28e9
    line: float = 128


BGQ = Arch()
PHI = Arch(1.24e9, 61, 1, 2, 3, 4, 32 * 1024, 3, 30.5 * 2**20, 23, 750, 177e9, 64)

#: decision -> choice, default mode
DEFAULT = {
    "core_ratio": True, "one_thread": True, "floors": True, "cap": True, "local": False, "scale": True, "clamp": True,
    "calibrate": True, "queue": True,
}  # fmt: skip
PAPER = dict.fromkeys(DEFAULT, False)


def avg(a: float, b: float) -> float:
    return (a + b) / 2


def slower(threads: int, use: float) -> float:
    """How much longer a thread takes that shares a core with others, all of which use its busiest pipeline this part of
    their time alone: what a thread meets there is what the others make of the queue without it."""
    queue, now = 0.0, 1.0
    for number in range(1, threads + 1):
        now = min(number, 1 - use + use * (1 + queue))
        queue = number / now * use * (1 + queue)
    return now


def alone(time: float, threads: int, busy: float) -> float:
    """What the work of a core takes one thread, where so many take `time` for it: the root of a growing function."""
    low, high = time, time * threads
    for _ in range(100):
        middle = (low + high) / 2
        if middle * slower(threads, min(1, busy / middle)) / threads < time:
            low = middle
        else:
            high = middle
    return high


def twin(
    events: Mapping[str, float], base: Arch, target: Arch, rules: Mapping[str, bool]
) -> dict[str, float]:
    """Section 5.2 of the specification line by line, one block, no cache between L1 and LLC."""
    e: dict[str, Any] = dict(events)
    time = e["time"]
    int_c, fp_c = e["instInt"] / base.cores, e["instFP"] / base.cores
    least = int_c + fp_c if base.tpc == 1 else max(int_c, fp_c)
    if rules["calibrate"] and least > time:
        width = least / time
        int_c, fp_c, least = int_c / width, fp_c / width, time
    most = int_c + fp_c
    r: dict[str, float] = {}
    if most:
        ail_b = (base.int_l * int_c + base.fp_l * fp_c) / most
        t_min = min(least, time) if rules["cap"] else least
        t_max = min(most * max(ail_b / base.tpc, 1), time)
        inst_time_b = avg(t_min, t_max)
        low = least / inst_time_b
        ipc_b = avg(min(1, low) if rules["cap"] else low, min(1, most / inst_time_b))
        ilp_b, inst_b = ail_b * ipc_b, ipc_b * inst_time_b
    else:
        inst_time_b, ilp_b, inst_b = 0.0, 1.0, 0.0
    n = e["numAccess"]
    n_c = n / base.cores
    access_width = n_c / time if rules["calibrate"] and n_c > time else 1
    if n:
        l1_miss_b = (n - e["hitsL1"]) / n
        ddr_b = (n - e["hitsL1"] - e["hitsLLC"]) / n
        aml_b = base.lat_l1 * (1 - l1_miss_b) + base.lat_llc * (l1_miss_b - ddr_b) + base.lat_ddr * ddr_b
        lat_b = avg(n_c / access_width, min(n_c * aml_b, time))
        mlp_b = n_c / lat_b * aml_b
        api = n_c / inst_b if inst_b else 0.0
    else:
        l1_miss_b = ddr_b = lat_b = api = 0.0
        mlp_b = 1.0
    bw_cc = base.bw / (base.cores * base.freq)
    lines = e["LD"] + e["ST"]
    bw_b = lines / base.cores * base.line / bw_cc
    if rules["calibrate"] and bw_b > time:
        lines *= time / bw_b
        bw_b = time
    mem_b = max(lat_b, bw_b)
    ov_b = inst_time_b + mem_b - time

    int_t, fp_t = int_c * base.cores / target.cores, fp_c * base.cores / target.cores
    if target.tpc == base.tpc or rules["queue"]:
        inst = inst_b * (base.cores / target.cores if rules["core_ratio"] else 1)
    elif target.tpc == 1:
        inst = int_t + fp_t
    elif target.tpc == 2:
        inst = avg(int_t + fp_t, max(int_t, fp_t))
    else:
        inst = max(int_t, fp_t)
    ail = (target.int_l * int_t + target.fp_l * fp_t) / (int_t + fp_t) if most else 0.0
    if rules["queue"]:
        ilp = ilp_b + target.spt - base.spt
    elif target.tpc == 1:
        ilp = ilp_b + target.spt - base.spt - ((base.tpc - 1) if rules["one_thread"] else 0)
    else:
        ilp = ilp_b + target.tpc - base.tpc
    if rules["floors"]:
        ilp = max(ilp, min(1, ilp_b))
    assert ilp > 0 or not most, "no meaning in the literal equations"
    r["timeInst"] = inst / min(1, ilp / ail) if ail else 0.0
    l1 = min(1, l1_miss_b * ((target.size_l1 / target.tpc) / (base.size_l1 / base.tpc)) ** -0.5)
    share = target.size_llc / (target.cores * target.tpc) / (base.size_llc / (base.cores * base.tpc))
    if rules["local"]:
        ddr = min(l1, l1 * (ddr_b / l1_miss_b if l1_miss_b else 0.0) * share**-0.5)
    else:
        ddr = min(l1, ddr_b * share**-0.5)
    aml = target.lat_l1 * (1 - l1) + target.lat_llc * (l1 - ddr) + target.lat_ddr * ddr
    mlp = mlp_b + (ilp - ilp_b) * api
    if rules["floors"]:
        mlp = max(mlp, min(1, mlp_b))
    assert mlp > 0 or not n, "no meaning in the literal equations"
    r["timeLat"] = n / target.cores / min(access_width, mlp / aml) if n else 0.0
    if rules["scale"] and ddr_b:
        lines *= ddr / ddr_b
    r["timeBW"] = lines / target.cores * base.line / (target.bw / (target.cores * target.freq))

    def finish() -> None:
        r["timeMem"] = max(r["timeLat"], r["timeBW"])
        ratios = [a / b for a, b in ((r["timeInst"], inst_time_b), (r["timeMem"], mem_b)) if b]
        ov = (sum(ratios) / len(ratios) if ratios else 1.0) * ov_b
        r["timeOverlap"] = min(ov, r["timeInst"], r["timeMem"]) if rules["clamp"] else ov
        r["time"] = r["timeInst"] + r["timeMem"] - r["timeOverlap"]

    finish()
    if rules["queue"] and target.tpc != base.tpc:
        before = int(base.tpc)
        share_b = alone(time, before, max(e["instInt"], e["instFP"]) / base.cores) / time
        use = (
            min(1, max(e["instInt"], e["instFP"]) / target.cores / (r["time"] * share_b)) if r["time"] else 1
        )
        factor = slower(int(target.tpc), use) / target.tpc / (slower(before, use) / before)
        r["timeInst"], r["timeLat"] = r["timeInst"] * factor, r["timeLat"] * factor
        finish()
    r["L1"], r["memory"] = 1 - l1, ddr
    assert math.isfinite(r["time"])
    return r


def machine_of(arch: Arch, max_tpc: int = 4) -> Machine:
    """The same numbers as a machine of the library knows them."""
    return load("xeon-phi-7120p").with_values(
        {
            "clock.frequency": arch.freq,
            "cores.count": arch.cores,
            "cores.threads_per_core": max_tpc,
            "cores.streams_per_thread": arch.spt,
            "pipeline.integer.latency": arch.int_l,
            "pipeline.floating.latency": arch.fp_l,
            "level.L1.size": arch.size_l1,
            "level.L1.latency": arch.lat_l1,
            "level.LLC.size": arch.size_llc,
            "level.LLC.latency": arch.lat_llc,
            "level.LLC.line": arch.line,
            "level.LLC.shared_by": arch.cores,
            "memory.bandwidth": arch.bw,
            # cycles of the file's clock; the twin counts them in cycles of its own
            "memory.latency": arch.lat_ddr * 1.24e9 / arch.freq,
        }
    )


def fresh(machine: Machine) -> Machine:
    """The machine as if its numbers were a file's."""
    return replace(machine, replaced={})
