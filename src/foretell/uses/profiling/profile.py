"""Makes a `Counts` profile of a program on this machine, with hardware counters or without.

perf counts the program if the machine permits it. Otherwise the program runs twice: alone, for its time, and under
callgrind with this machine's caches, for everything else; floating-point instructions are identified in the disassembly
of the executed code. Regions that the program marks (include/foretell.h) become separate blocks.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from foretell.core.facets.counts import CodeBlock, Count, Counts
from foretell.errors import ForetellError, InputError, ToolError
from foretell.files import temporary_folder
from foretell.frontends.counters import Launch, read_profile
from foretell.frontends.counters.readers.callgrind_instructions import executed, jumps
from foretell.frontends.counters.readers.lines import Lines
from foretell.frontends.counters.readers.valgrind import OUTSIDE, region_of
from foretell.running import Confinement
from foretell.uses.profiling import disassembly
from foretell.uses.profiling.host_caches import of_machine, simulable, this_machine
from foretell.uses.profiling.limited_run import Finished, Limits, run
from foretell.uses.profiling.ooo_window import windows

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload
    from foretell.frontends.counters.readers.callgrind_instructions import Executed
    from foretell.uses.profiling.host_caches import Caches

Source = Literal["auto", "perf", "valgrind"]
#: misses by cache size
Curve = dict[float, float]

_PERF_EVENTS = (
    "duration_time", "cycles", "instructions", "L1-dcache-loads", "L1-dcache-stores", "L1-dcache-load-misses",
    "LLC-load-misses", "LLC-store-misses",
)  # fmt: skip
#: valgrind is 20 to 100 times slower than the program
_SLOWER = 100
#: divisors of the caches for which a miss curve is simulated
_PARTS = (2, 4, 8, 16)
#: callgrind writes two dumps for each entry of a region
_MAX_ENTRIES = 2000
#: a larger ratio of processor time to elapsed time means several cores
_PARALLEL = 1.3
#: mnemonics of floating-point arithmetic: SSE and AVX, x87, Arm
_FLOATING = re.compile(
    r"v?(?:add|sub|mul|div|sqrt|min|max|hadd|hsub|addsub|rcp|rsqrt|round|rndscale|dp|u?comi|cmp\w*)[sp][sdh]"
    r"|v?cvt\w+|vfn?m(?:add|sub|addsub|subadd)\w+"
    r"|f(?:i?(?:add|sub|mul|div)r?p?|sqrt|abs|chs|u?comi?p*|sin|cos|patan|ptan|prem1?|rndint|scale)[slt]?"
    r"|f(?:n?m(?:add|sub|ul|la|ls)\w*|neg|cmp\w*|ccmp\w*|max\w*|min\w*|cvt\w*|rint\w*|recp\w*|rsqrt\w*|cm\w+)|[su]cvtf"
)
#: those of them that occupy the divider, vectors of up to 16 bytes and scalars at the rate of the machine's divide_f64
#: and sqrt_f64
_DIVIDING = re.compile(r"v?(?:div|sqrt)[sp][sdh]|f(?:i?div[rp]*|sqrt)[slt]?")
_ROOTS = re.compile(r"v?sqrt[sp][sdh]|fsqrt[slt]?")


@dataclass(frozen=True, slots=True)
class Request:
    """The program to profile, and the user's description of the run."""

    command: tuple[str, ...]
    machine_name: str = ""
    machine_hash: str = ""
    #: machine whose caches and core are simulated; without it, the caches that this machine reports, and no core
    machine: Machine | None = None
    cores: int | None = None
    threads_per_core: int = 1
    source: Source = "auto"
    #: also the hits of the middle level, and miss curves over the cache size (nine more simulated runs)
    curve: bool = False
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class _Timed:
    """The run without any tool: its time, and that of each marked region."""

    finished: Finished
    regions: dict[str, float]


def include_folder() -> Path:
    """The folder of foretell.h, foretell.c and foretell.f90."""
    return Path(str(resources.files("foretell") / "include"))


def profile(request: Request) -> Workload:
    """Profiles one program; ToolError says what could not be run, and why."""
    if not request.command:
        raise InputError("no program to profile", hint="foretell profile -- ./app arguments")
    if shutil.which(request.command[0]) is None:
        raise InputError(f"no such program: {request.command[0]!r}")
    with temporary_folder() as folder:
        timed = _timed(request, Path(folder))
        known = _cores(request, timed)
        if request.source != "valgrind" and not timed.regions:
            if (counted := _perf(known, Path(folder))) is not None:
                return _named(counted, request)
            if request.source == "perf":
                raise ToolError("perf cannot count instructions here (no counters, or not allowed to)")
        if request.source == "perf":
            raise ToolError("perf stat counts whole programs, and this one marks regions: use --with valgrind")
        return _named(_valgrind(known, timed, Path(folder)), request)


def _timed(request: Request, folder: Path) -> _Timed:
    times = folder / "times"
    finished = run(
        request.command, request.limits, {"FORETELL_TIMES": str(times)}, Confinement.current().beside(folder)
    )
    regions: dict[str, float] = {}
    entries = 0
    for line in times.read_text().splitlines() if times.exists() else ():
        match = re.fullmatch(r"region (\S+) (\d+) (.+)", line)
        if match is None:
            raise InputError("a region of the program is nested, not ended, or one of more than 64 (see foretell.h)")
        regions[match[3]] = regions.get(match[3], 0.0) + float(match[1])
        entries += int(match[2])
    if entries > _MAX_ENTRIES:
        raise InputError(
            f"the program enters its regions {entries} times, more than {_MAX_ENTRIES}; mark larger regions"
        )
    return _Timed(finished, regions)


def _cores(request: Request, timed: _Timed) -> Request:
    """Assumes one core unless the user says otherwise; for a program that kept several busy, the number is required."""
    if request.cores is not None:
        return request
    ratio = timed.finished.processor_s / max(timed.finished.elapsed_s, 1e-9)
    if ratio > _PARALLEL:
        raise InputError(
            f"the program kept {ratio:.1f} processors busy: say how many cores it uses with --cores",
            hint="for a profile of one thread, run it with one (OMP_NUM_THREADS=1)",
        )
    return replace(request, cores=1)


def _launch(request: Request, given: dict[tuple[str, str], Count]) -> Launch:
    return Launch(
        machine_name=request.machine_name,
        machine_hash=request.machine_hash,
        cores=request.cores,
        threads_per_core=request.threads_per_core,
        given=given,
    )


def _named(workload: Workload, request: Request) -> Workload:
    return replace(workload, name=Path(request.command[0]).name, origin=" ".join(request.command))


# ------------------------------------------------------------------------------------------------- perf


def _perf(request: Request, folder: Path) -> Workload | None:
    """Counts with perf, or None if it counts no instructions here."""
    if shutil.which("perf") is None:
        return None
    output = folder / "perf.json"
    command = ("perf", "stat", "-j", "-o", str(output), "-e", ",".join(_PERF_EVENTS), "--", *request.command)
    try:
        run(command, request.limits, None, Confinement.current().beside(folder))
        workload = read_profile([output], _launch(request, {}))
    except ForetellError:
        return None
    known = workload.facet(Counts).blocks[0].events
    return workload if "instructions" in known and "numAccess" in known else None


# ---------------------------------------------------------------------------------------------- valgrind


def _valgrind(request: Request, timed: _Timed, folder: Path) -> Workload:
    if shutil.which("valgrind") is None:
        raise ToolError("neither perf nor valgrind can be used here: install valgrind")
    _check_binary(request.command[0])
    caches = (of_machine(request.machine) if request.machine else None) or this_machine()
    output = folder / "callgrind.out"
    processes = _simulate(request, caches, output, folder)
    counts = executed(Lines(output))
    if not set(timed.regions) <= {region for region, _ in counts}:
        raise ToolError(
            "the marked regions are not in the profile: compile the program where valgrind's headers are installed"
        )
    marked = bool(timed.regions)
    given = {**_times(timed), **_floating(counts, marked, request.limits)}
    if request.machine is not None:
        given |= windows(counts, jumps(Lines(output)), marked, request.machine, request.limits)
    workload = read_profile([output], _launch(request, given))
    if request.curve:
        curves = _curves(workload.facet(Counts), request, caches, folder)
        between = _between(workload.facet(Counts), curves, caches)
        workload = _curved(read_profile([output], _launch(request, {**given, **between})), curves)
    notes = [f"{processes} processes are counted together, each with caches of its own"] if processes > 1 else []
    notes += _changed_ways(caches)
    if not any(event == "instFP" for _, event in given):
        notes.append("instFP is not known: objdump (binutils) is not installed")
    return replace(workload, assumptions=(*workload.assumptions, *notes))


def _curves(counts: Counts, request: Request, caches: Caches, folder: Path) -> dict[str, Curve]:
    """Simulates the misses of every block with the caches and with fractions of them, as seen by a thread that shares
    them."""
    curves = {block.name: dict(_misses(block, caches)) for block in counts.blocks}
    inner = caches.inner()
    smaller = [inner] if inner else []
    smaller += [whole.part(part) for whole in (caches, inner) if whole for part in _PARTS]
    for number, simulated in enumerate(smaller):
        output = folder / f"callgrind.{number}"
        _simulate(request, simulated, output, folder)
        for block in read_profile([output], _launch(request, {})).facet(Counts).blocks:
            # of two caches of one size, the machine's own counts
            curves[block.name] = dict(_misses(block, simulated)) | curves.get(block.name, {})
    return curves


def _between(counts: Counts, curves: dict[str, Curve], caches: Caches) -> dict[tuple[str, str], Count]:
    """Misses of the middle level for each block; at least those of the last level, which is larger."""
    if caches.middle is None:
        return {}
    size, origin = float(simulable(caches.middle).size), "simulated in a run of its own"
    return {
        (block.name, "missesL2"): Count(max(curves[block.name][size], block.value("missesLLC")), "simulated", origin)
        for block in counts.blocks
        if size in curves[block.name] and "missesLLC" in block.events
    }


def _curved(workload: Workload, curves: dict[str, Curve]) -> Workload:
    counts = workload.facet(Counts)
    blocks = tuple(replace(block, curve=_falling(curves[block.name])) for block in counts.blocks)
    return replace(workload, facets=(replace(counts, blocks=blocks),))


def _misses(block: CodeBlock, caches: Caches) -> list[tuple[float, float]]:
    events = {"missesL1": caches.data, "missesLLC": caches.last}
    return [
        (float(simulable(cache).size), block.events[event].value)
        for event, cache in events.items()
        if event in block.events
    ]


def _falling(points: Curve) -> tuple[tuple[float, float], ...]:
    """Sorts a miss curve by size and makes it non-increasing; a cache that misses more than a smaller one (set
    conflicts) gets the smaller one's misses. The curve ends at zero misses, where logarithms are undefined."""
    curve: list[tuple[float, float]] = []
    for size, misses in sorted(points.items()):
        least = min(misses, curve[-1][1]) if curve else misses
        if least <= 0:
            break
        curve.append((size, least))
    return tuple(curve)


def _simulate(request: Request, caches: Caches, output: Path, folder: Path) -> int:
    """Profiles the program and all its child processes into one file; returns the number of processes."""
    command = (
        "valgrind", "--tool=callgrind", "--cache-sim=yes", "--simulate-wb=yes", "--dump-instr=yes",
        "--collect-jumps=yes", "--combine-dumps=yes", "--trace-children=yes", f"--callgrind-out-file={output}.%p",
        *caches.options(), "--", *request.command,
    )  # fmt: skip
    limits = replace(request.limits, seconds=request.limits.seconds * _SLOWER, memory_bytes=None)
    run(command, limits, {"FORETELL_TIMES": str(folder / "ignored")}, Confinement.current().beside(folder))
    # those with marks first: what follows them is known to be outside
    processes = sorted(folder.glob(f"{output.name}.*"), key=lambda file: not _has_marks(file))
    if not processes:
        raise ToolError("valgrind wrote no profile")
    with output.open("wb") as together:
        for process in processes:
            with process.open("rb") as own:
                shutil.copyfileobj(own, together)
            process.unlink()
    return len(processes)


def _has_marks(file: Path) -> bool:
    with file.open(encoding="utf-8", errors="replace") as lines:
        return any(region_of(line.removeprefix("desc: ")) for line in lines if line.startswith("desc: Trigger"))


def _check_binary(program: str) -> None:
    """Refuses a script, whose profile would be that of its interpreter."""
    with Path(shutil.which(program) or program).open("rb") as handle:
        if handle.read(4) != b"\x7fELF":
            raise InputError(f"{program} is a script: profile the program that it starts")


def _times(timed: _Timed) -> dict[tuple[str, str], Count]:
    """Seconds of the run without valgrind, for each region and the rest."""
    rest = max(timed.finished.elapsed_s - sum(timed.regions.values()), 1e-9)
    times = {**timed.regions, OUTSIDE: rest} if timed.regions else {"": timed.finished.elapsed_s}
    origin = "clock of a run without valgrind"
    return {(name, "time_s"): Count(value, "counter", origin) for name, value in times.items()}


def _floating(counts: Executed, marked: bool, limits: Limits) -> dict[tuple[str, str], Count]:
    """Counts floating-point instructions by region, and divisions among them, from the disassembly of executed
    addresses."""
    if not disassembly.possible():
        return {}
    kinds = {
        "instFP": ("floating-point", _FLOATING),
        "instDivide": ("divisions and roots", _DIVIDING),
        "instRoot": ("square roots", _ROOTS),
    }
    totals: dict[tuple[str, str], int] = {}
    executed: dict[str, set[int]] = {}
    for (_, file), table in counts.items():
        executed.setdefault(file, set()).update(table)
    mnemonics = {file: _floating_mnemonics(file, places, limits) for file, places in executed.items()}
    for (region, file), table in counts.items():
        known = [(mnemonics[file][address], n) for address, n in table.items() if address in mnemonics[file]]
        for event, (_, pattern) in kinds.items():
            key = (region if marked else "", event)
            totals[key] = totals.get(key, 0) + sum(n for mnemonic, n in known if pattern.fullmatch(mnemonic))
    origin = "executed instructions that objdump shows as {}"
    return {
        (name, event): Count(float(total), "simulated", origin.format(kinds[event][0]))
        for (name, event), total in totals.items()
    }


def _floating_mnemonics(file: str, executed: set[int], limits: Limits) -> dict[int, str]:
    """Finds the floating-point instructions of an object file, among those that were executed."""
    found = disassembly.instructions(file, limits, executed)
    words = ((address, text.split()[0]) for address, text in found)
    return {address: word for address, word in words if _FLOATING.fullmatch(word)}


def _changed_ways(caches: Caches) -> list[str]:
    changed = [(name, cache.ways, simulable(cache).ways) for name, cache in (("D1", caches.data), ("LL", caches.last))]
    return [
        f"{name} is simulated with {ways} ways, not {true}: valgrind needs a power of two of sets"
        for name, true, ways in changed
        if ways != true
    ]
