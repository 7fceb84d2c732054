"""Python interface to the compiled micro-benchmarks; returns their raw times as arrays."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from foretell import _core
from foretell.errors import ToolError
from foretell.machines.probe.method import Chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    Run = tuple[float, NDArray[np.float64], NDArray[np.float64], float]

T = TypeVar("T")

#: pages within the reach of the second-level TLB of every known processor
WINDOW = 2 << 20


@dataclass(frozen=True, slots=True)
class Variant:
    """The kernels of one vector width that were compiled and run on this processor."""

    name: str
    bytes: int
    operations: tuple[str, ...]
    streams: tuple[str, ...]


def variants() -> tuple[Variant, ...]:
    """Lists the vector widths, narrowest first."""
    return tuple(
        Variant(name, width, tuple(operations), tuple(streams))
        for name, width, operations, streams in _core.probe_variants()
    )


def vector_bytes() -> int:
    """Bytes of the widest vector register."""
    return _core.probe_vector_bytes()


def cpus() -> int:
    """The number of CPUs on which this process may run."""
    return len(_core.probe_cpus())


def start_at(cpu: int, used: int) -> None:
    """Pins threads to consecutive CPUs of the first `used`, starting at `cpu`, with wrap-around."""
    _core.probe_start_at(cpu, used)


def company(threads: int) -> float:
    """Checks for co-runners on the cores of this many threads now; the unit is that of `Chunks.company`."""
    return _run(lambda: _core.probe_interference(threads))


def operation(variant: str, name: str, chunks: int) -> Chunks:
    """Times one operation; amounts are operations. The chunks have no start times."""
    return _operation(*_run(lambda: _core.probe_time_operation(variant, name, chunks)))


#: the requested number of chunks of each operation, on one CPU; without numpy, which takes longer to load than these
#: run
_OPERATIONS = """
import json, os, sys
from foretell import _core
variant, chunks, cpu, *names = sys.argv[1:]
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {int(cpu)})
found = [_core.probe_time_operation(variant, name, int(chunks)) for name in names]
json.dump(found, sys.stdout)
"""


def operations_elsewhere(variant: str, names: Sequence[str], chunks: int) -> list[Chunks]:
    """Times several operations in a separate process, whose libraries are mapped at other addresses; empty where that
    process fails."""
    cpu = _core.probe_cpus_in_turn()[0]
    said = _python(_OPERATIONS, [variant, str(chunks), str(cpu), *names], {}, 60 + chunks)
    return [] if said is None else [_operation(*one) for one in said]


def _operation(seconds: ArrayLike, cycle: ArrayLike, company: float) -> Chunks:
    return Chunks(1.0, np.empty(0), np.asarray(seconds), np.asarray(cycle), company)


def operation_together(variant: str, name: str, threads: int, seconds: float) -> list[Chunks]:
    """Times an operation in several threads at once."""
    return _chunks(_run(lambda: _core.probe_run_operation(variant, name, threads, seconds)))


def stream(
    variant: str,
    name: str,
    size: int,
    threads: int,
    seconds: float,
    *,
    paired: bool,
    through: bool = False,
    from_kept: bool = False,
) -> list[Chunks]:
    """Times a loop over arrays of `size` bytes in total in each thread; amounts are bytes of one array. Arrays that fit
    no cache are traversed `through` from end to end, and the whole traversal is timed. Small ones are allocated anew
    every time, or (`from_kept`) placed in large ones that are kept, which saves the allocation."""
    return _chunks(
        _run(
            lambda: _core.probe_run_stream(
                variant,
                name,
                bytes=size,
                threads=threads,
                seconds=seconds,
                paired=paired,
                through=through,
                from_kept=from_kept,
            )
        )
    )


def in_turn(variant: str, names: Sequence[str], size: int, seconds: float) -> list[Chunks]:
    """Times several loops over the same arrays of `size` bytes in total, alternating by chunk, in one thread."""
    return _chunks(_run(lambda: _core.probe_run_in_turn(variant, list(names), size, seconds)))


def keep_several(count: int) -> None:
    """Lets the large arrays of streams rotate over `count` allocations until they are released."""
    _core.probe_keep_several(count)


def release() -> None:
    """Frees the memory that was kept for further streams and pointer chases."""
    _core.probe_release()


def chase(size: int, line: int, seconds: float, *, paired: bool, keep: bool = False) -> Chunks:
    """Times a pointer chase through `size` bytes; with `keep`, the next one continues where this one stopped."""
    return _one(
        lambda: _core.probe_chase(bytes=size, line=line, window=WINDOW, seconds=seconds, paired=paired, keep=keep)
    )


def scattered(size: int, line: int, seconds: float, *, paired: bool, keep: bool = False, number: int = 0) -> Chunks:
    """Times independent loads of random lines of `size` bytes, whatever pages they are on; `number` selects one of
    several sets that are kept."""
    return _one(
        lambda: _core.probe_chase(
            bytes=size, line=line, window=size, seconds=seconds, paired=paired, together=True, keep=keep, number=number
        )
    )


def spaced(count: int, apart: int, seconds: float) -> Chunks:
    """Times independent loads, in random order, of `count` addresses that are `apart` bytes apart."""
    size = count * apart
    return _one(
        lambda: _core.probe_chase(bytes=size, line=apart, window=size, seconds=seconds, paired=True, together=True)
    )


def _one(run: Callable[[], Run]) -> Chunks:
    return _chunks([_run(run)])[0]


def barrier(threads: int, seconds: float) -> list[Chunks]:
    """Times barriers between threads; amounts are barriers."""
    return _chunks(_run(lambda: _core.probe_barrier(threads, seconds)))


#: without numpy: with it in the process, regions of LLVM's runtime take a quarter longer. Each measurement runs in a
#: fork of this process, in which the runtime starts afresh: its synchronisation variables have other addresses every
#: time
_REGIONS = """
import json, os, sys, time
from foretell import _core
threads, seconds, llvm, times = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3] == "llvm", int(sys.argv[4])
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, map(int, sys.argv[5].split(",")))
found, end = [], time.monotonic() + 3 * seconds * times
while not found or (len(found) < times and time.monotonic() < end):
    here, there = os.pipe()
    if os.fork() == 0:
        try:
            with os.fdopen(there, "w") as out:
                json.dump(_core.probe_regions(threads, seconds, llvm), out)
        finally:
            os._exit(0)
    os.close(there)
    with os.fdopen(here) as said:
        found.append(json.load(said))
    os.wait()
json.dump(found, sys.stdout)
"""


def regions(threads: int, seconds: float, times: int, llvm: bool = False) -> list[Chunks]:
    """Times OpenMP regions with little work, of GNU's runtime or of LLVM's, `times` times, each in a separate process:
    the runtime's threads would disturb later measurements. Fewer on a machine so busy that they take three times as
    long; empty where that runtime is not installed."""
    cpus = _core.probe_cpus_in_turn()[:threads]
    said = _python(
        _REGIONS,
        [str(threads), str(seconds), "llvm" if llvm else "gnu", str(times), ",".join(map(str, cpus))],
        {
            "OMP_WAIT_POLICY": "active",
            "OMP_PROC_BIND": "true",
            "OMP_PLACES": ",".join(f"{{{cpu}}}" for cpu in cpus),
            "OMP_NUM_THREADS": str(threads),
        },
        60 + 10 * seconds * times,
    )
    return [_chunks([(amount, np.array(flat), np.empty(0), company)])[0] for amount, flat, company in said or ()]


def _python(text: str, words: Sequence[str], variables: Mapping[str, str], seconds: float) -> Any:
    """Runs a Python program in a separate process and parses its output as JSON; None where it fails."""
    import json
    import os
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", text, *words],
        capture_output=True,
        env={**os.environ, **variables},
        timeout=seconds,
        check=False,
    )
    return None if done.returncode else json.loads(done.stdout)


def _run(call: Callable[[], T]) -> T:
    try:
        return call()
    except MemoryError:
        raise ToolError("the probe could not get the memory it asked for") from None
    except RuntimeError as error:
        raise ToolError(f"probe: {error}") from None


def _chunks(runs: Sequence[Run]) -> list[Chunks]:
    """Converts raw runs. Threads are assigned to the CPUs round-robin; where there are more threads than CPUs, the
    system places them."""
    cpus = itertools.cycle(_core.probe_cpus_in_turn())
    return [
        Chunks(amount, flat[0::2], flat[1::2], cycle, company, cpu)
        for (amount, flat, cycle, company), cpu in zip(runs, cpus, strict=False)
    ]
