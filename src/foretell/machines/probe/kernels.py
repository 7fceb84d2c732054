"""Python interface to the compiled micro-benchmarks; returns their raw times as arrays."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from foretell import _core
from foretell.errors import ToolError
from foretell.machines.probe.method import Chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

T = TypeVar("T")

#: pages within the reach of the second-level TLB of every known processor
WINDOW = 2 << 20

#: the kernels of one vector width
Variant = _core.ProbeVariant
#: lists the vector widths that this processor runs, narrowest first
variants = _core.probe_variants
#: bytes of the widest vector register
vector_bytes = _core.probe_vector_bytes
#: pins threads to consecutive CPUs of the first `used`, starting at `cpu`, with wrap-around
start_at = _core.probe_start_at
#: lets the large arrays of streams rotate over `count` allocations until they are released
rotate_buffers = _core.probe_rotate_buffers
#: frees the memory that was kept for further streams and pointer chases
release = _core.probe_release


def cpus() -> int:
    """The number of CPUs on which this process may run."""
    return len(_core.probe_cpus())


def interference(threads: int) -> float:
    """Checks for co-runners on the cores of this many threads now; the unit is that of `Chunks.interference`."""
    return _run(_core.probe_interference, threads)


def operation(variant: str, name: str, chunks: int) -> Chunks:
    """Times one operation; amounts are operations."""
    return _chunks([_run(_core.probe_time_operation, variant, name, chunks)])[0]


#: the requested number of chunks of each operation, on one CPU; without numpy, which takes longer to load than these
#: run
_OPERATIONS = """
import json, os, sys
from foretell import _core
variant, chunks, cpu, *names = sys.argv[1:]
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {int(cpu)})
runs = [_core.probe_time_operation(variant, name, int(chunks)) for name in names]
json.dump([run.as_dict() for run in runs], sys.stdout)
"""


def operations_elsewhere(variant: str, names: Sequence[str], chunks: int) -> list[Chunks]:
    """Times several operations in a separate process, whose libraries are mapped at other addresses; empty where that
    process fails."""
    cpu = _core.probe_pinning_order()[0]
    return _chunks_elsewhere(_OPERATIONS, [variant, str(chunks), str(cpu), *names], {}, 60 + chunks)


def operation_together(variant: str, name: str, threads: int, seconds: float) -> list[Chunks]:
    """Times an operation in several threads at once."""
    return _chunks(_run(_core.probe_run_operation, variant, name, threads, seconds))


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
            _core.probe_run_stream,
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


def alternating(variant: str, names: Sequence[str], size: int, seconds: float) -> list[Chunks]:
    """Times several loops over the same arrays of `size` bytes in total, alternating by chunk, in one thread."""
    return _chunks(_run(_core.probe_run_alternating, variant, list(names), size, seconds))


def chase(size: int, line: int, seconds: float, *, paired: bool, keep: bool = False) -> Chunks:
    """Times a pointer chase through `size` bytes; with `keep`, the next one continues where this one stopped."""
    return _chase(bytes=size, line=line, window=WINDOW, seconds=seconds, paired=paired, keep=keep)


def scattered(size: int, line: int, seconds: float, *, paired: bool, keep: bool = False, number: int = 0) -> Chunks:
    """Times independent loads of random lines of `size` bytes, whatever pages they are on; `number` selects one of
    several sets that are kept."""
    return _chase(
        bytes=size, line=line, window=size, seconds=seconds, paired=paired, together=True, keep=keep, number=number
    )


def spaced(count: int, apart: int, seconds: float) -> Chunks:
    """Times independent loads, in random order, of `count` addresses that are `apart` bytes apart."""
    size = count * apart
    return _chase(bytes=size, line=apart, window=size, seconds=seconds, paired=True, together=True)


def _chase(**options: Any) -> Chunks:
    return _chunks([_run(_core.probe_chase, **options)])[0]


def barrier(threads: int, seconds: float) -> list[Chunks]:
    """Times barriers between threads; amounts are barriers."""
    return _chunks(_run(_core.probe_barrier, threads, seconds))


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
                json.dump(_core.probe_regions(threads, seconds, llvm).as_dict(), out)
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
    cpus = _core.probe_pinning_order()[:threads]
    return _chunks_elsewhere(
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


def _chunks_elsewhere(text: str, words: Sequence[str], variables: Mapping[str, str], seconds: float) -> list[Chunks]:
    """Runs a Python program in a separate process and parses the runs that it writes; empty where it fails."""
    import json
    import sys
    from types import SimpleNamespace

    from foretell import running

    try:
        done = running.run([sys.executable, "-c", text, *words], running.Limits(seconds), environment=variables)
    except ToolError:
        return []
    runs = [] if done.code else json.loads(done.output)
    return [_chunks([SimpleNamespace(**run)])[0] for run in runs]


def _run(call: Callable[..., T], *arguments: Any, **options: Any) -> T:
    try:
        return call(*arguments, **options)
    except MemoryError:
        raise ToolError("the probe could not get the memory it asked for") from None
    except RuntimeError as error:
        raise ToolError(f"probe: {error}") from None


def _chunks(runs: Sequence[Any]) -> list[Chunks]:
    """Converts raw runs. Threads are assigned to the CPUs round-robin; where there are more threads than CPUs, the
    system places them."""
    cpus = itertools.cycle(_core.probe_pinning_order())
    return [
        Chunks(run.amount, np.array(run.start), np.array(run.seconds), np.array(run.cycle), run.interference, cpu)
        for run, cpu in zip(runs, cpus, strict=False)
    ]
