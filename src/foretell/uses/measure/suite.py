"""The shipped kernels, and the sizes at which a function's arrays fill each level of a machine."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.core.machine import capacity
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError, UnsupportedError
from foretell.uses.measure.harness import arguments, bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from foretell.core.machine.machine import Machine
    from foretell.core.nest.functions import FunctionInfo
    from foretell.core.workload import Workload

#: more iterations than this take too long for one call
_MOST_ITERATIONS = 3e8
#: memory that the arrays of one case may take
_MOST_BYTES = 3 << 30
_LEAST = 12


def shipped() -> tuple[Path, ...]:
    """The shipped files, each with one function of the same name that is sized by `n`."""
    folder = resources.files("foretell.uses.measure") / "kernels"
    return tuple(sorted(Path(str(entry)) for entry in folder.iterdir() if entry.name.endswith((".c", ".f90"))))


def function_of(workload: Workload, wanted: str | None) -> FunctionInfo:
    """The function to call: the one requested, or the only one with loops."""
    loops = workload.facet(Loops)
    names = {nest.function for nest in loops.nests}
    choices = [info for info in loops.functions if info.name in names and (wanted is None or info.name == wanted)]
    if len(choices) == 1:
        return choices[0]
    have = ", ".join(info.name for info in loops.functions if info.name in names) or "none"
    if wanted is not None and not choices:
        raise InputError(f"no function {wanted!r} with loops", hint=f"functions with loops: {have}")
    raise InputError(f"{len(choices)} functions have loops; choose one with --function", hint=f"functions: {have}")


def targets(machine: Machine) -> dict[str, float]:
    """Working sets that fit each level and none inside it: half of a private level, a few times the inner one for a
    shared level, twice the last one for memory."""
    chosen: dict[str, float] = {}
    inner = 0.0
    for level in machine.levels:
        size = float(capacity.alone(machine, level))
        chosen[level] = 0.5 * size if size < 16 * inner or not inner else 8 * inner
        inner = size
    return {**chosen, "memory": 2 * largest_cache(machine)}


def largest_cache(machine: Machine) -> float:
    """Bytes of the last level, of which one core may get less."""
    return float(capacity.whole(machine, machine.levels[-1])) if machine.levels else 0.0


def size_names(workload: Workload, function: FunctionInfo) -> frozenset[str]:
    """Parameters of the function that its loops or array subscripts depend on."""
    nests = (nest for nest in workload.facet(Loops).nests if nest.function == function.name)
    return frozenset(name for nest in nests for name in (*nest.parameters, *nest.address_parameters))


def sizes(
    workload: Workload, function: FunctionInfo, machine: Machine, given: Mapping[str, float] | None = None
) -> dict[str, tuple[str, int]]:
    """Finds, for every level, the one size of the function that is not given, and its value for that working set."""
    loops = workload.facet(Loops)
    nests = [nest for nest in loops.nests if nest.function == function.name]
    known = {**workload.parameters, **(given or {})}
    names = set(size_names(workload, function)) - set(known)
    if len(names) != 1:
        listed = ", ".join(sorted(names)) or "none"
        raise InputError(f"sizes are chosen for one parameter; {function.name} has {listed}", hint="give -D")
    name = names.pop()

    def total(value: int) -> int:
        return bytes_of(arguments(loops, function, {**{key: int(size) for key, size in known.items()}, name: value}))

    def iterations(value: int) -> float:
        return sum(float(nest.trips.evaluate({**known, name: value})) for nest in nests)

    chosen = {}
    for level, wanted in targets(machine).items():
        size = _largest(total, min(wanted, _MOST_BYTES))
        if iterations(size) <= _MOST_ITERATIONS:
            chosen[level] = name, size
    if not chosen:
        raise UnsupportedError(f"{function.name}: no size fits a level of {machine.name}")
    return chosen


def _largest(total: Callable[[int], int], wanted: float) -> int:
    """The largest integer whose total is within the limit; at least twelve, the least that is sensible for a
    stencil."""
    low = _LEAST
    while total(2 * low) <= wanted:
        low *= 2
    high = 2 * low
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if total(middle) <= wanted else (low, middle)
    return low
