"""Short ways to write profiles, and a literal twin of Section 3 of the Raexplore paper that shares no code with
the core."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from foretell.core.facets.counts import CodeBlock, Count, Counts
from foretell.core.machine.machine import Machine, Quantity, Source
from foretell.core.workload import Workload
from foretell.machines import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: the made-up block of the specification
SYNTHETIC = {
    "time": 1e9, "instInt": 8e9, "instFP": 4e9, "numAccess": 5e9, "hitsL1": 4.7e9, "hitsLLC": 2.5e8,
    "LD": 3e7, "ST": 1e7,
}  # fmt: skip


def block(name: str = "block", **events: float) -> CodeBlock:
    return CodeBlock(name, {event: Count(value, "counter", event) for event, value in events.items()})


def profile(*blocks: CodeBlock, machine: str | Machine = "blue-gene-q", cores: int = 16, tpc: int = 1) -> Workload:
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
    "calibrate": True, "queue": True, "memory": True,
}  # fmt: skip
PAPER = dict.fromkeys(DEFAULT, False)


def avg(a: float, b: float) -> float:
    return (a + b) / 2


def root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that rises from below zero passes it."""
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return middle


def queued(users: float, alone: float, wait: float, over: float = 0.0) -> float:
    """What each of several threads takes that waits for the others at one place: a thread that comes there finds what
    the others have there, (n-1)/n of the n threads times the part of their time that they spend there; of the one that
    is being served, a part may be over."""

    def left(time: float) -> float:
        there = (time - (alone - wait) - over * wait) / time
        return time - (alone - wait + wait * (1 + (users - 1) * there))

    return root(left, alone - wait / 2, users * alone) if wait and users > 1 else alone


@dataclass(frozen=True)
class Measured:
    """The baseline of a block, as Section 5.2 of the specification analyses it; times in cycles of one core."""

    int_c: float
    fp_c: float
    inst_time: float
    inst: float
    ilp: float
    l1_miss: float
    ddr: float
    lat: float
    mlp: float
    per_inst: float  # accesses of an instruction
    access_width: float
    lines: float
    mem: float
    overlap: float
    own: float  # of the time, what a core takes without waiting for others at memory
    wait: float  # the part of transfers that is waited for


def measured(e: Mapping[str, float], base: Arch, rules: Mapping[str, bool]) -> Measured:
    int_c, fp_c, inst_time, inst, ilp = measured_instructions(e, base, rules)
    access_width, l1_miss, ddr, lat, mlp = measured_accesses(e, base, rules)
    lines = e["LD"] + e["ST"]
    bandwidth_time = lines / base.cores * base.line / (base.bw / (base.cores * base.freq))
    if rules["calibrate"] and bandwidth_time > e["time"]:
        lines *= e["time"] / bandwidth_time
        bandwidth_time = e["time"]
    mem = max(lat, bandwidth_time)
    per_inst = e["numAccess"] / base.cores / inst if inst else 0.0
    own, wait, overlap = e["time"], 0.0, inst_time + mem - e["time"]
    if rules["memory"]:
        hidden = min(1, max(0, overlap / mem)) if mem else 0.0
        own, wait = measured_own(e["time"], bandwidth_time, base, max(inst_time, lat), 1 - hidden)
        mem, overlap = lat, inst_time + lat - own
    return Measured(
        int_c, fp_c, inst_time, inst, ilp, l1_miss, ddr, lat, mlp, per_inst, access_width, lines, mem, overlap,
        own, wait,
    )  # fmt: skip


def measured_own(time: float, bandwidth_time: float, base: Arch, least: float, wait: float) -> tuple[float, float]:
    """A core's time without others at memory, no less than that of instructions or accesses, and the part of transfers
    that is waited for."""
    users = base.cores * base.tpc
    use = bandwidth_time / users
    if users == 1 or not use:
        return time, wait
    if queued(users, least, min(least, wait * use)) > time:
        return least, root(lambda w: queued(users, least, min(least, w * use)) - time, 0.0, wait)
    return root(lambda own: queued(users, own, min(own, wait * use)) - time, least, time), wait


def measured_instructions(
    e: Mapping[str, float], base: Arch, rules: Mapping[str, bool]
) -> tuple[float, float, float, float, float]:
    """instInt and instFP of a core, timeInst, instC, ILP."""
    time = e["time"]
    int_c, fp_c = e["instInt"] / base.cores, e["instFP"] / base.cores
    least = int_c + fp_c if base.tpc == 1 else max(int_c, fp_c)
    if rules["calibrate"] and least > time:
        width = least / time
        int_c, fp_c, least = int_c / width, fp_c / width, time
    most = int_c + fp_c
    if not most:
        return int_c, fp_c, 0.0, 0.0, 1.0
    ail = (base.int_l * int_c + base.fp_l * fp_c) / most
    inst_time = avg(min(least, time) if rules["cap"] else least, min(most * max(ail / base.tpc, 1), time))
    low = least / inst_time
    ipc = avg(min(1, low) if rules["cap"] else low, min(1, most / inst_time))
    return int_c, fp_c, inst_time, ipc * inst_time, ail * ipc


def measured_accesses(
    e: Mapping[str, float], base: Arch, rules: Mapping[str, bool]
) -> tuple[float, float, float, float, float]:
    """Accesses a cycle (1, or more where the counts show it), miss rates of L1 and LLC, timeLat, MLP."""
    n, time = e["numAccess"], e["time"]
    n_c = n / base.cores
    width = n_c / time if rules["calibrate"] and n_c > time else 1.0
    if not n:
        return width, 0.0, 0.0, 0.0, 1.0
    l1_miss = (n - e["hitsL1"]) / n
    ddr = (n - e["hitsL1"] - e["hitsLLC"]) / n
    aml = base.lat_l1 * (1 - l1_miss) + base.lat_llc * (l1_miss - ddr) + base.lat_ddr * ddr
    lat = avg(n_c / width, min(n_c * aml, time))
    return width, l1_miss, ddr, lat, n_c / lat * aml


def twin(events: Mapping[str, float], base: Arch, target: Arch, rules: Mapping[str, bool]) -> dict[str, float]:
    """Section 5.2 of the specification line by line, one block, no cache between L1 and LLC."""
    b = measured(events, base, rules)
    inst_time, ilp = target_instructions(b, base, target, rules)
    l1, ddr = target_misses(b, base, target, rules)
    r = {"timeInst": inst_time, "L1": 1 - l1, "memory": ddr}
    aml = target.lat_l1 * (1 - l1) + target.lat_llc * (l1 - ddr) + target.lat_ddr * ddr
    mlp = b.mlp + (ilp - b.ilp) * b.per_inst
    if rules["floors"]:
        mlp = max(mlp, min(1, b.mlp))
    n = events["numAccess"]
    assert mlp > 0 or not n, "no meaning in the literal equations"
    r["timeLat"] = n / target.cores / min(b.access_width, mlp / aml) if n else 0.0
    lines = b.lines * ddr / b.ddr if rules["scale"] and b.ddr else b.lines
    r["timeBW"] = lines / target.cores * base.line / (target.bw / (target.cores * target.freq))
    compose(r, b, rules)
    if rules["queue"]:
        factor = crowded(events, base, target, b.own, r["time"])
        r["timeInst"], r["timeLat"], own = r["timeInst"] * factor, r["timeLat"] * factor, r["time"] * factor
        compose(r, b, rules)
        if rules["memory"]:
            meet(r, own, target.cores * target.tpc, b.wait)
    assert math.isfinite(r["time"])
    return r


def target_instructions(b: Measured, base: Arch, target: Arch, rules: Mapping[str, bool]) -> tuple[float, float]:
    """timeInst and ILP."""
    int_t, fp_t = b.int_c * base.cores / target.cores, b.fp_c * base.cores / target.cores
    if target.tpc == base.tpc or rules["queue"]:
        inst = b.inst * (base.cores / target.cores if rules["core_ratio"] else 1)
    elif target.tpc == 1:
        inst = int_t + fp_t
    elif target.tpc == 2:
        inst = avg(int_t + fp_t, max(int_t, fp_t))
    else:
        inst = max(int_t, fp_t)
    ail = (target.int_l * int_t + target.fp_l * fp_t) / (int_t + fp_t) if int_t + fp_t else 0.0
    if rules["queue"]:
        ilp = b.ilp + target.spt - base.spt
    elif target.tpc == 1:
        ilp = b.ilp + target.spt - base.spt - ((base.tpc - 1) if rules["one_thread"] else 0)
    else:
        ilp = b.ilp + target.tpc - base.tpc
    if rules["floors"]:
        ilp = max(ilp, min(1, b.ilp))
    assert ilp > 0 or not ail, "no meaning in the literal equations"
    return (inst / min(1, ilp / ail) if ail else 0.0), ilp


def target_misses(b: Measured, base: Arch, target: Arch, rules: Mapping[str, bool]) -> tuple[float, float]:
    """Accesses beyond L1 and to memory."""
    l1 = min(1, b.l1_miss * ((target.size_l1 / target.tpc) / (base.size_l1 / base.tpc)) ** -0.5)
    share = target.size_llc / (target.cores * target.tpc) / (base.size_llc / (base.cores * base.tpc))
    if rules["local"]:
        return l1, min(l1, l1 * (b.ddr / b.l1_miss if b.l1_miss else 0.0) * share**-0.5)
    return l1, min(l1, b.ddr * share**-0.5)


def compose(r: dict[str, float], b: Measured, rules: Mapping[str, bool]) -> None:
    """Instructions and memory together."""
    r["timeMem"] = r["timeLat"] if rules["memory"] else max(r["timeLat"], r["timeBW"])
    ratios = [now / then for now, then in ((r["timeInst"], b.inst_time), (r["timeMem"], b.mem)) if then]
    overlap = (sum(ratios) / len(ratios) if ratios else 1.0) * b.overlap
    r["timeOverlap"] = min(overlap, r["timeInst"], r["timeMem"]) if rules["clamp"] else overlap
    r["time"] = r["timeInst"] + r["timeMem"] - r["timeOverlap"]


def meet(r: dict[str, float], own: float, users: float, wait: float) -> None:
    """All threads at memory, which is never faster than its bandwidth."""
    r["time"] = max(queued(users, own, min(own, wait * r["timeBW"] / users)), r["timeBW"])
    r["timeMem"] = max(r["timeLat"], r["timeBW"])
    r["timeOverlap"] = r["timeInst"] + r["timeMem"] - r["time"]


def crowded(e: Mapping[str, float], base: Arch, target: Arch, before: float, now: float) -> float:
    """What the threads of the target's core make of the time of its work, where those of the baseline are in it."""
    busiest = max(e["instInt"], e["instFP"])

    busy = min(busiest / base.cores, before)
    alone = root(lambda a: queued(base.tpc, a, busy, 0.5) - before * base.tpc, before, before * base.tpc)
    own = alone / before * now
    use = min(own, busiest / target.cores * busy / (busiest / base.cores)) if busiest else 0.0
    return max(queued(target.tpc, own, use, 0.5), target.tpc * use) / target.tpc / now if now else 1.0


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


def three_levels(**values: float) -> Machine:
    """A machine with a cache between L1 and the last level."""
    paths = {
        "clock.frequency": (2e9, "1/s"), "cores.count": (8, ""), "cores.threads_per_core": (2, ""),
        "pipeline.integer.latency": (1, "cycle"), "pipeline.floating.latency": (4, "cycle"),
        "level.L1.size": (32768, "B"), "level.L1.latency": (4, "cycle"), "level.L1.shared_by": (1, ""),
        "level.L2.size": (1 << 20, "B"), "level.L2.latency": (14, "cycle"), "level.L2.shared_by": (1, ""),
        "level.L3.size": (32 << 20, "B"), "level.L3.latency": (50, "cycle"), "level.L3.shared_by": (4, ""),
        "level.L3.line": (64, "B"), "memory.bandwidth": (1e11, "B/s"), "memory.latency": (9e-8, "s"),
    }  # fmt: skip
    source = Source("assumed", "test")
    quantities = {
        path: Quantity(float(values.get(path.replace(".", "_"), v)), u, source) for path, (v, u) in paths.items()
    }
    return Machine("three", "three", "cpu", quantities, ("L1", "L2", "L3"))
