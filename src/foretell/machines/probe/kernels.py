"""The compiled micro-benchmarks, with their raw times as arrays."""

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

#: pages within the reach of the second-level TLB of every processor that we know of
WINDOW = 2 << 20


@dataclass(frozen=True, slots=True)
class Variant:
    """What was compiled for one vector width, and runs on this processor."""

    name: str
    bytes: int
    operations: tuple[str, ...]
    streams: tuple[str, ...]


def variants() -> tuple[Variant, ...]:
    """Narrowest first."""
    return tuple(
        Variant(name, width, tuple(operations), tuple(streams))
        for name, width, operations, streams in _core.probe_variants()
    )


def vector_bytes() -> int:
    """Bytes of the widest vector register."""
    return _core.probe_vector_bytes()


def cpus() -> int:
    """How many CPUs this process may run on."""
    return len(_core.probe_cpus())


def start_at(cpu: int, used: int) -> None:
    """Threads are pinned to the first `used` CPUs, one after the other, from this one on; the number wraps around."""
    _core.probe_start_at(cpu, used)


def company(threads: int) -> float:
    """Whether somebody else is on the core of one of so many threads at this moment, as in `Chunks`."""
    return _run(lambda: _core.probe_interference(threads))


def operation(variant: str, name: str, chunks: int) -> Chunks:
    """One operation; amounts are operations. The chunks have no starts."""
    return _operation(*_run(lambda: _core.probe_time_operation(variant, name, chunks)))


#: as many chunks of each operation as are asked for, on one CPU; without numpy, which takes longer to load than these
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
    """The same for several operations, in a process of their own, whose libraries lie somewhere else; none where that
    process fails."""
    cpu = _core.probe_cpus_in_turn()[0]
    said = _python(_OPERATIONS, [variant, str(chunks), str(cpu), *names], {}, 60 + chunks)
    return [] if said is None else [_operation(*one) for one in said]


def _operation(seconds: ArrayLike, cycle: ArrayLike, company: float) -> Chunks:
    return Chunks(1.0, np.empty(0), np.asarray(seconds), np.asarray(cycle), company)


def operation_together(variant: str, name: str, threads: int, seconds: float) -> list[Chunks]:
    """An operation in several threads at once."""
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
    """A loop over arrays of `size` bytes in all, in each thread; amounts are bytes of one array. Arrays that stay in no
    cache are gone `through` from end to end, and all of it is timed. Small ones lie in new memory every time, or in
    some `from_kept` large ones, which takes no time to get."""
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
    """Several loops over the same arrays of `size` bytes in all, a chunk of each in turn, in one thread."""
    return _chunks(_run(lambda: _core.probe_run_in_turn(variant, list(names), size, seconds)))


def keep_several(count: int) -> None:
    """Large arrays of streams lie in any of so many places until they are released."""
    _core.probe_keep_several(count)


def release() -> None:
    """Gives back the memory that was kept for further streams and walks."""
    _core.probe_release()


def chase(size: int, line: int, seconds: float, *, paired: bool, keep: bool = False) -> Chunks:
    """A walk along pointers through `size` bytes; one to keep goes on the next time where it stopped."""
    return _one(
        lambda: _core.probe_chase(bytes=size, line=line, window=WINDOW, seconds=seconds, paired=paired, keep=keep)
    )


def scattered(size: int, line: int, seconds: float, *, paired: bool, keep: bool = False, number: int = 0) -> Chunks:
    """Loads of random lines of `size` bytes, on whatever pages they lie, that do not wait for each other; of this one
    of several sets that are kept."""
    return _one(
        lambda: _core.probe_chase(
            bytes=size, line=line, window=size, seconds=seconds, paired=paired, together=True, keep=keep, number=number
        )
    )


def spaced(count: int, apart: int, seconds: float) -> Chunks:
    """Loads of so many places, so many bytes apart, at random, that do not wait for each other."""
    size = count * apart
    return _one(
        lambda: _core.probe_chase(bytes=size, line=apart, window=size, seconds=seconds, paired=True, together=True)
    )


def _one(run: Callable[[], Run]) -> Chunks:
    return _chunks([_run(run)])[0]


def barrier(threads: int, seconds: float) -> list[Chunks]:
    """Threads that meet; amounts are meetings."""
    return _chunks(_run(lambda: _core.probe_barrier(threads, seconds)))


#: without numpy: with it in the process, regions of LLVM's runtime take a quarter longer. Each measurement is made in a
#: copy of this process, in which the runtime starts afresh: what its threads wait for lies elsewhere every time
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
    """OpenMP regions with little work, of GNU's runtime or of LLVM's, so many times, each in a process of its own: the
    runtime's threads would disturb what follows. Fewer on a machine so busy that they take three times as long; none
    where that runtime is not on it."""
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
    """What a program says, as JSON, in a process of its own; None where it fails."""
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
    """Threads lie on the CPUs in turn; where there are more threads, the system puts them anywhere."""
    cpus = itertools.cycle(_core.probe_cpus_in_turn())
    return [
        Chunks(amount, flat[0::2], flat[1::2], cycle, company, cpu)
        for (amount, flat, cycle, company), cpu in zip(runs, cpus, strict=False)
    ]
