"""Finds which nests run, at which sizes and how often: walks the call tree from its root functions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.characterize.layout.row_pointers import in_rows
from foretell.core.columns.tape import plain, real
from foretell.core.nest.statements import Invoke
from foretell.core.symbolic.text import parse
from foretell.errors import InputError, UnsupportedError
from foretell.models.cpu.alternatives import chosen
from foretell.models.cpu.missing_values import NothingRunsError, missing_values
from foretell.models.cpu.notes import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import CallSite, Loop, LoopNest, Loops
    from foretell.core.symbolic.poly import Poly
    from foretell.models.cpu.notes import Where
    from foretell.models.cpu.transfers.other_nests import Other

#: maximum call depth; beyond, the call is assumed recursive
_DEEPEST = 32
#: maximum iterations of a loop around a call that are evaluated; beyond, a sample represents all
_REPRESENTATIVES = 16
#: maximum runs of a program that calls its functions at many sizes
_MOST_RUNS = 10_000
#: integers above it are not exact in floating point
LARGEST = 2.0**53


#: instructions of x86-64 and of AArch64 by name
_INTRINSIC = re.compile(r"_mm(?:256|512)?_\w+|v\w+_[fsup](?:8|16|32|64)(?:_x\d)?|sv\w+_[fsub](?:8|16|32|64)\w*")


class RecursiveError(UnsupportedError):
    """Calls whose nests are not listed one by one."""


@dataclass(frozen=True, slots=True)
class Run:
    """A nest at the sizes of one call, and the number of such calls (may be 0 at some of many points)."""

    nest: LoopNest
    values: Mapping[str, Value]
    count: Value
    #: parameters of the nest's function, if it is a C function with no other nest
    parameters: tuple[str, ...] = ()
    #: nests that precede this one in an iteration of the outer loops that they share
    ahead: tuple[LoopNest, ...] = ()
    #: nests that precede or follow it there
    beside: tuple[LoopNest, ...] = ()
    #: where it is the only nest of the program
    alone: Where = True
    #: all nests of its function
    of_function: tuple[LoopNest, ...] = ()
    #: those of them that run, in the order in which they come behind it before it comes again
    others: tuple[Other, ...] = ()

    @property
    def sizes(self) -> dict[str, Value]:
        """The parameter values that distinguish its calls."""
        nest = self.nest
        names = (*nest.parameters, *nest.address_parameters, *nest.shape_parameters)
        return {name: self.values[name] for name in names if name in self.values}


@dataclass(frozen=True, slots=True)
class Program:
    """All runs of a program, and the assumptions about them."""

    runs: tuple[Run, ...]
    notes: tuple[Note, ...]


def _offloaded(runs: Iterable[Run]) -> list[Note]:
    """Says of regions for an accelerator that the host's threads run them, as without one."""
    lines = {
        (run.nest.function, directive.line)
        for run in runs
        for loop in run.nest.loops
        for directive in loop.directives
        if "target" in directive.words
    }
    return [Note(f"{name}, line {line}: the `target` region is run by the host") for name, line in sorted(lines)]


def intrinsics(loops: Loops, function: str) -> tuple[str, ...]:
    """The instructions that a function calls by name: its nests lack them, and its compiled code has them."""
    return tuple(site.callee for site in loops.calls if site.caller == function and _INTRINSIC.fullmatch(site.callee))


def _nothing_to_predict(loops: Loops) -> UnsupportedError:
    reasons = "; ".join(f"{nest.file}:{_why_not(loops, nest)}" for nest in loops.nests[:3])
    if reasons:
        return UnsupportedError(f"no loop nest can be predicted: {reasons}")
    hint = "straight-line code is followed as compiled code: foretell predict FILE.o:FUNCTION"
    return UnsupportedError("no function of this code has a loop", hint=hint)


def _why_not(loops: Loops, nest: LoopNest) -> str:
    """Why a nest cannot be predicted, with its line."""
    if nest.reason:
        return nest.reason.removeprefix("line ")
    here = (site for site in loops.calls if site.caller == nest.function and site.treatment == "unknown")
    callees = ", ".join(dict.fromkeys(site.callee for site in here))
    missing = f" that is not in the given files: {callees}" if callees else ""
    return f"{nest.line}: the loop only calls code{missing}"


def check_sizes(values: Mapping[str, Value]) -> None:
    """Refuses what cannot be a size of a program."""
    for name, value in values.items():
        if np.any(np.isnan(value)):
            raise InputError(f"{name} is not a number")
        if np.any(np.abs(np.asarray(value)) > LARGEST):
            raise InputError(f"{name}={np.max(np.abs(np.asarray(value))):g}: larger than any size of a program")


def program(loops: Loops, values: Mapping[str, Value]) -> Program:
    """Lists the nests that have values, with the sizes that each call passes on."""
    check_sizes(values)
    usable = [
        nest if nest.language == "c" else in_rows(nest)  # C accesses rows through pointers, and its code reflects that
        for nest in loops.nests
        if nest.status != "refused" and nest.loops and not _only_calls(nest)
    ]
    if not usable:
        raise _nothing_to_predict(loops)
    notes: list[Note] = []
    sites = [site for site in loops.calls if site.treatment == "separate"]
    roots = _roots(loops, sites, notes)
    parameters = {info.name: info.parameters for info in loops.functions if info.language == "c"}
    decided = {name: float(value) for name, value in loops.given if not isinstance(value, str)}
    caller = _Caller(usable, sites, notes, parameters, decided)
    runs = [run for root in roots for run in caller.walk(root, values, 1.0)]
    runs = chosen(runs, notes)
    notes += _uncounted(loops, {run.nest.function for run in runs} | {site.caller for site in sites})
    ran = {run.nest.function for run in runs}
    notes += _offloaded(runs)
    notes += [Note(f"{name}, line {note.line}: {note.text}") for name, note in loops.decisions if name in ran]
    _check(runs, caller.lacking, loops)
    goes = [iterates_at(run.nest, run.values) for run in runs]
    idle = [
        (f"{run.nest.function}:{run.nest.line}", np.logical_and(run.count, iterates == 0))
        for run, iterates in zip(runs, goes, strict=True)
    ]
    runs = [replace(run, count=run.count * iterates) for run, iterates in zip(runs, goes, strict=True)]
    runs = [run for run in runs if np.any(run.count)]
    if not runs:
        raise NothingRunsError(f"no loop runs at these sizes: {', '.join(dict.fromkeys(name for name, _ in idle))}")
    dead = {f"{nest.function}:{nest.line}" for nest in loops.nests if nest.unreached} if loops.decisions else set()
    notes += [Note(f"{name} has no iterations at these sizes", where) for name, where in idle if name not in dead]
    refused = sorted({f"{nest.function}:{nest.line}" for nest in loops.nests if nest.status == "refused"})
    if refused:
        notes.append(Note(f"ignored, since they could not be analysed: the nests at {', '.join(refused)}"))
    notes += _without_effect(runs, values)
    alone = _alone(runs)
    runs = [replace(run, alone=alone) for run in _merged(runs)]
    return Program(tuple(runs), tuple(notes))


def _uncounted(loops: Loops, functions: set[str]) -> Iterator[Note]:
    """Calls of functions that are not in the given files."""
    for site in loops.calls:
        if site.treatment == "unknown" and site.caller in functions:
            yield Note(
                f"{site.caller}, line {site.line}: {site.callee} is not in the given files: its time is not counted"
            )


def _without_effect(runs: list[Run], values: Mapping[str, Value]) -> Iterator[Note]:
    """Notes a size that was given for a function whose callers hand down another."""
    for name, value in values.items():
        users = [run for run in runs if name in run.nest.parameters]
        if users and not any(_key(run.values[name]) == _key(value) for run in users):
            callers = ", ".join(dict.fromkeys(run.nest.function for run in users))
            yield Note(f"the given {name} has no effect: calls of {callers} hand down another (alone: FILE:FUNCTION)")


def _roots(loops: Loops, sites: list[CallSite], notes: list[Note]) -> list[str]:
    """The functions that are called first: main; where there is none, each that no other calls, once."""
    inlined = {site.callee for site in loops.calls if site.treatment == "inlined"}
    called = {site.callee for site in sites if site.caller != site.callee} | inlined
    functions = dict.fromkeys(nest.function for nest in loops.nests) | dict.fromkeys(s.caller for s in sites)
    roots = [name for name in functions if name not in called] or list(functions)
    starts = [info.name for info in loops.functions if info.starts and info.name in roots]
    others = [name for name in roots if name not in starts]
    if starts and others:
        notes.append(
            Note(f"left out, since {starts[0]} does not call them: {', '.join(others)} (one alone: FILE:FUNCTION)")
        )
        return starts
    if len(roots) > 1:
        notes.append(Note(f"every function without a caller runs once: {', '.join(roots)} (one alone: FILE:FUNCTION)"))
    return roots


def _alone(runs: list[Run]) -> Where:
    """Points at which only one nest runs."""
    running: dict[int, Where] = {}
    for run in runs:
        running[id(run.nest)] = np.logical_or(running.get(id(run.nest), False), run.count != 0)
    number: Value = sum((real(where) for where in running.values()), 0.0)
    return number == 1


def _only_calls(nest: LoopNest) -> bool:
    """Whether the loops access no array and call functions: only the callees take time."""
    calls = any(isinstance(one, Invoke) for level in nest.levels for one in level)
    return calls and not nest.arrays


@dataclass(frozen=True, slots=True)
class _Caller:
    """Walks calls and records the assumptions about them."""

    nests: list[LoopNest]
    sites: list[CallSite]
    notes: list[Note]
    parameters: Mapping[str, tuple[str, ...]]
    #: numbers that decided conditions in the source; calls may pass them on
    decided: Mapping[str, Value]
    #: names without a value that counts and arguments of calls need; all are asked for at once
    lacking: dict[str, LoopNest | None] = field(default_factory=dict)

    def walk(self, function: str, values: Mapping[str, Value], count: Value, depth: int = 0) -> Iterator[Run]:
        """Yields the nests of a function, then those of its callees."""
        if depth > _DEEPEST:
            raise RecursiveError(f"{function}: calls itself, or calls go deeper than {_DEEPEST}")
        own = [nest for nest in self.nests if nest.function == function]
        taken = self.parameters.get(function, ()) if len(own) == 1 else ()
        yield from (
            Run(nest, values, count, taken, _ahead(nest, own[:place]), _beside(nest, own), of_function=tuple(own))
            for place, nest in enumerate(own)
        )
        for site in self.sites:
            if site.caller != function:
                continue
            total: Value = 0.0
            for inside, share in _iterations(site, values):
                times = count * self._number(site, values) * share
                total = total + times
                if np.any(times):  # recursion ends at a call that does not recurse
                    inner = {**values, **dict(self._arguments(site, inside, values, times != 0))}
                    yield from self.walk(site.callee, inner, times, depth + 1)
            self._say_idle(site, total)

    def _number(self, site: CallSite, values: Mapping[str, Value]) -> Value:
        """How often a call happens; once where that is not known."""
        lacking = site.count.symbols() - set(values)
        self.lacking.update(dict.fromkeys(lacking))
        return 1.0 if lacking else real(site.count.evaluate(values))

    def _say_idle(self, site: CallSite, times: Value) -> None:
        """Says that a call does not happen at these sizes, but for the end of a recursion."""
        if site.callee != site.caller:
            text = f"{site.caller}, line {site.line}: {site.callee} is called 0 times at these sizes"
            self.notes.append(Note(text, np.equal(times, 0)))

    def _arguments(
        self, site: CallSite, inside: Mapping[str, Value], values: Mapping[str, Value], called: Where
    ) -> Iterator[tuple[str, Value]]:
        """Yields the integer arguments of a call that have a value; arrays and floating-point arguments have none."""
        inside = {**self.decided, **inside}
        for name, poly in _polynomials(site):
            if poly.symbols() <= set(inside) and not any("[" in atom for atom in poly.atoms()):
                value: Value = poly.evaluate(inside)
                if any(name in nest.parameters for nest in self.nests):
                    _check_handed_down(site, name, poly, value, called)
                if not np.any(_impossible(value, called)):  # the multiplier of a hash is no size
                    yield name, value
            elif name not in values and (missing := self._asked_for(site, poly, inside)):
                self.lacking.update(dict.fromkeys(missing))
                yield name, 1.0  # nobody needs to give what follows from these
            elif name in values and any(name in nest.parameters for nest in self.nests):
                text = (
                    f"{site.caller}, line {site.line}: {name} = {poly} of {site.callee} is unknown: "
                    f"the given {name} is used"
                )
                self.notes.append(Note(text, called))

    def _asked_for(self, site: CallSite, poly: Poly, inside: Mapping[str, Value]) -> set[str]:
        """The names without a value that an argument follows from, where the caller's own nests ask for all of them."""
        own = set[str]().union(*(nest.parameters for nest in self.nests if nest.function == site.caller))
        missing = poly.symbols() - set(inside)
        return missing if missing <= own else set()


def _check_handed_down(site: CallSite, name: str, poly: Poly, value: Value, called: Where) -> None:
    """Rejects an impossible size at the call that hands it down."""
    if np.any(_impossible(value, called)):
        raise InputError(
            f"{site.caller}, line {site.line}: {name} = {poly} of {site.callee} is larger than any size of a program"
        )


def _impossible(value: Value, called: Where) -> Where:
    """Where a call hands down what cannot be a size."""
    return (np.abs(value) > LARGEST) & called


def _ahead(nest: LoopNest, before: list[LoopNest]) -> tuple[LoopNest, ...]:
    common = nest.loops[: nest.shared]
    return tuple(other for other in before if common and other.loops[: nest.shared] == common)


def _beside(nest: LoopNest, own: list[LoopNest]) -> tuple[LoopNest, ...]:
    return tuple(other for other in own if other is not nest and other.loops[:1] == nest.loops[:1])


def _polynomials(site: CallSite) -> Iterator[tuple[str, Poly]]:
    for name, text in site.arguments:
        try:
            yield name, parse(text)
        except InputError:
            continue


def _iterations(site: CallSite, values: Mapping[str, Value]) -> Iterator[tuple[Mapping[str, Value], Value]]:
    """Yields the loop variables at the iterations that the arguments of a call depend on, and the fraction of all its
    calls in each: levels of a multigrid cycle, panels of a factorisation."""
    used = {name for _, poly in _polynomials(site) for name in poly.symbols()}
    places: list[tuple[Mapping[str, Value], Value]] = [(values, 1.0)]
    for loop in site.loops:
        places = [inner for inside, weight in places for inner in _spread(loop, loop.variable in used, inside, weight)]
    total = sum((weight for _, weight in places), 0.0)
    for inside, weight in places:
        yield inside, weight / np.maximum(total, 1e-300)


def _spread(
    loop: Loop, moves: bool, values: Mapping[str, Value], weight: Value
) -> Iterator[tuple[Mapping[str, Value], Value]]:
    """Expands a loop around a call: iteration by iteration where the call depends on it (a sample, if there are many),
    else its trip count. A loop with an unknown trip count is ignored."""
    if not _known(loop, values):
        yield values, weight
        return
    first, step, trips = (real(poly.evaluate(values)) for poly in (loop.lower, loop.step, loop.trips))
    trips = np.maximum(trips, 0.0)
    if not moves:
        yield values, weight * trips
        return
    few = trips <= _REPRESENTATIVES
    for number in range(min(int(np.max(trips)), _REPRESENTATIVES)):
        at = np.where(few, float(number), np.floor(trips * ((number + 0.5) / _REPRESENTATIVES)))
        share = np.where(few, np.where(number < trips, 1.0, 0.0), trips / _REPRESENTATIVES)
        yield {**values, loop.variable: _plain(first + step * at)}, weight * share


def _known(loop: Loop, values: Mapping[str, Value]) -> bool:
    needed = loop.lower.symbols() | loop.step.symbols() | loop.trips.symbols()
    return loop.counted and needed <= set(values)


def _plain(value: Value) -> Value:
    return value if np.ndim(value) else float(value)


def _check(runs: list[Run], of_calls: Mapping[str, LoopNest | None], loops: Loops) -> None:
    if len(runs) > _MOST_RUNS:
        raise UnsupportedError(f"more than {_MOST_RUNS} nests run: too many calls to follow one by one")
    lacking = dict(of_calls)
    for run in runs:
        for name in {*run.nest.parameters, *run.nest.address_parameters} - set(run.values):
            lacking.setdefault(name, run.nest)
    if lacking:
        raise missing_values(lacking, {run.nest for run in runs}, loops.functions)


def iterates_at(nest: LoopNest, values: Mapping[str, Value]) -> Value:
    """1 where every loop of the nest iterates, 0 where one does not, which the trip-count polynomials do not
    express."""
    result: Value = 1.0
    for loop in nest.loops:
        if loop.trips.symbols() <= set(values):
            trips = loop.trips.evaluate(values)
            if not np.ndim(trips) and trips > LARGEST:  # infinite at such points of a sweep
                raise InputError(
                    f"{nest.function}, line {loop.line}: {loop.trips} iterations are more than any loop has"
                )
            result = result * np.where(np.greater(trips, 0), 1.0, 0.0)
    return result * np.where(np.greater(nest.trips.evaluate(values), 0), 1.0, 0.0)


def _merged(runs: list[Run]) -> Iterator[Run]:
    """Merges calls at equal sizes into one run."""
    groups: dict[object, list[Run]] = {}
    for run in runs:
        sizes = tuple((name, _key(value)) for name, value in run.sizes.items())
        groups.setdefault((id(run.nest), sizes), []).append(run)
    for same in groups.values():
        yield replace(same[0], count=sum((run.count for run in same[1:]), same[0].count))


def _key(value: Value) -> object:
    return plain(value).tobytes() if np.ndim(value) else float(value)
