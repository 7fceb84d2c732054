"""The analyser shared by C and Fortran: builds loop nests from the statement IR.

Every function is executed symbolically once: integers are polynomials of the parameters, pointers are paths into named
objects, calls of functions without loops are inlined. The recorded walk is then cut into nests, one per innermost
loop, whose subscripts are normalised whatever style they were written in.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import CallSite, LoopNest, Loops, MessageCall, Note
from foretell.core.symbolic.poly import number
from foretell.errors import ForetellError, InputError
from foretell.frontends.analysis.calls.call_graph import Index
from foretell.frontends.analysis.calls.calls import Caller
from foretell.frontends.analysis.calls.connected import connected
from foretell.frontends.analysis.loops.exits import Exits
from foretell.frontends.analysis.loops.induction import LoopWalker
from foretell.frontends.analysis.nests import build, program_structure
from foretell.frontends.analysis.walk.given_reals import unchanged_reals
from foretell.frontends.analysis.walk.given_words import give_words
from foretell.frontends.analysis.walk.program_arguments import Default, declare_arguments
from foretell.frontends.analysis.walk.state import Frame, Shares, State
from foretell.frontends.analysis.walk.statements import Executor, declare, note_assumptions
from foretell.frontends.source import ir
from foretell.frontends.source.gc_pause import uncollected
from foretell.frontends.source.loop_heads import normalised
from foretell.frontends.source.readings import are_shared, once

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from foretell.core.nest.functions import FunctionInfo


__all__ = ["analyse"]


#: Recursion limit: generated code has sums of hundreds of terms, and each term is a level of the tree.
RECURSION_LIMIT = 12_000
#: Exceptions that one function's code can cause; the function is refused, the analysis of the others continues.
TROUBLE = (ForetellError, ArithmeticError, AssertionError, LookupError, RecursionError, TypeError, ValueError)


def analyse(
    program: ir.Program,
    parameters: Mapping[str, int] | None = None,
    shares: Shares | None = None,
    words: Mapping[str, str] | None = None,
    reals: Mapping[str, float] | None = None,
    asked: str = "",
) -> Loops:
    """The loop nests and the structure of a program; `parameters` are substituted where they occur, `words` are values
    of letters, strings and pointers, `reals` of floating-point parameters, and `shares` give the probabilities of the
    conditions on some lines. Functions that the one that is `asked` for does not call are left out."""
    with _deep_recursion(), uncollected():
        return _analysed(program, parameters, Shares() if shares is None else shares, words or {}, reals or {}, asked)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Raises the recursion limit for deep trees."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _analysed(
    program: ir.Program,
    parameters: Mapping[str, int] | None,
    shares: Shares,
    words: Mapping[str, str],
    reals: Mapping[str, float],
    asked: str,
) -> Loops:
    indexed = once(("indexed", *map(id, program.units)), lambda: _Indexed.of(program))
    mine = connected(indexed.program, indexed.index, asked, are_shared()) if asked else frozenset()
    given = _Given(dict(parameters or {}), shares, dict(words), dict(reals))
    walk = once(given.named(indexed, mine), lambda: _walked(indexed, given, mine)) if not shares else None
    return _finished(walk or _walked(indexed, given, mine), indexed.program, asked).at(parameters or {})


@dataclass(frozen=True)
class _Indexed:
    """A program with loops as they are analysed, and its functions by name. `units`: those that were read."""

    units: tuple[ir.Unit, ...]
    program: ir.Program
    index: Index

    @classmethod
    def of(cls, program: ir.Program) -> _Indexed:
        changed = normalised(program)
        return cls(program.units, changed, Index(changed))


@dataclass(frozen=True)
class _Given:
    """What is said of the values in a program."""

    parameters: Mapping[str, int]
    shares: Shares
    words: Mapping[str, str]
    reals: Mapping[str, float]

    def named(self, indexed: _Indexed, mine: frozenset[int]) -> tuple[object, ...]:
        """What the walk through a program is kept by."""
        values = (tuple(sorted(one.items())) for one in (self.parameters, self.words, self.reals))
        return ("walked", id(indexed), mine, *values)


@dataclass(frozen=True)
class _Walk:
    """What was found in the functions of a program."""

    analyser: _Analyser
    nests: list[LoopNest] = field(default_factory=list)
    functions: list[FunctionInfo] = field(default_factory=list)
    calls: list[CallSite] = field(default_factory=list)
    messages: list[MessageCall] = field(default_factory=list)
    decisions: list[tuple[str, Note]] = field(default_factory=list)
    defaults: list[Default] = field(default_factory=list)


def _walked(indexed: _Indexed, given: _Given, mine: frozenset[int]) -> _Walk:
    """Executes all functions symbolically, or those that are connected with the one that is asked for (`mine`)."""
    program, index = indexed.program, indexed.index
    analyser = _Analyser(index, program, dict(given.parameters), given.shares, given.words)
    analyser.reals = given.reals
    walk = _Walk(analyser)
    for unit in program.units:
        for function in unit.described:
            walk.functions.append(program_structure.describe(function, unit, index))
            if mine and id(function) not in mine:
                analyser.left_out.add(id(function))
                continue
            state, built = analyser.function(function, unit)
            walk.nests.extend(built)
            walk.calls.extend(program_structure.call_sites(state, function))
            walk.messages.extend(program_structure.messages(state, function))
            walk.decisions.extend((function.display, note) for note in dict.fromkeys(state.decisions))
            walk.defaults.extend(state.defaults.values())
    return walk


def _finished(walk: _Walk, program: ir.Program, asked: str) -> Loops:
    """What a walk found, for the function that is asked for."""
    for error in filter(None, walk.analyser.misfits.values()):
        raise error
    nests = walk.analyser.with_unreached(walk.nests, walk.calls, asked)
    return Loops(
        nests=tuple(nests),
        functions=tuple(walk.functions),
        calls=tuple(walk.calls),
        messages=tuple(walk.messages),
        defaults=tuple((one.name, one.value, one.variable, one.line) for one in walk.defaults),
        globals=program_structure.global_variables(program),
        scalars=program_structure.scalars(program),
        loops_seen=sum(unit.loops_seen for unit in program.units),
        loops_kept=sum(nest.owned for nest in nests),
        lines=sum(unit.lines for unit in program.units),
        decisions=tuple(walk.decisions),
    )


class _Analyser:
    """Constructs the walkers and connects them."""

    def __init__(
        self, index: Index, program: ir.Program, parameters: dict[str, int], shares: Shares, words: Mapping[str, str]
    ) -> None:
        self.index = index
        self.program = program
        self.shares = shares
        self.words = words
        self.reals: Mapping[str, float] = {}
        #: words that no function so far takes, with the reason
        self.misfits: dict[str, InputError | None] = {}
        self.given = {name: number(value) for name, value in parameters.items()}
        walker = LoopWalker(index)
        executor = Executor(index.scanner, walker.counted, walker.uncounted, Exits(index))
        caller = Caller(index)
        walker.sequence = caller.sequence = executor.sequence
        self.executor = executor
        self.caller = caller
        self.claimed: set[int] = set()
        #: functions whose loops are not looked for: one of the analysis failed, or nobody asks for them
        self.left_out: set[int] = set()
        self._bases: dict[int, State] = {}

    def function(self, function: ir.Function, unit: ir.Unit) -> tuple[State, list[LoopNest]]:
        """Analyses one function; an exception refuses this function only."""
        state = self._base(unit).opened(Frame(function, unit, "", self.index.variables(function)))
        try:
            for variable in (*function.parameters, *function.locals):
                declare(state, variable.id, variable)
            for name, error in give_words(state, function.parameters, self.words).items():
                self.misfits[name] = error and self.misfits.get(name, error)
            state.reals = unchanged_reals(function, self.reals)
            declare_arguments(state, function)
            note_assumptions(state, function)
            self.executor.sequence(state, function.body)
            built, ends = build.build(state, function, self.claimed)
        except TROUBLE as error:
            self.left_out.add(id(function))
            return state, [
                program_structure.refused(function, self.index, self.claimed, f"{type(error).__name__}: {error}")
            ]
        return state, program_structure.with_errors(built, ends, function)

    def _base(self, unit: ir.Unit) -> State:
        """The initial state of every function of a file: its globals, and the initial values that never change."""
        base = self._bases.get(id(unit))
        if base is None:
            nothing = ir.Function("", "", (), (), (), ir.Void(), unit.file, 0, 0, unit.language)
            base = State(Frame(nothing, unit, "", {one.id: one for one in unit.globals}), given=self.given)
            base.shares = self.shares
            base.call = self.caller.call
            for variable in unit.globals:
                declare(base, variable.id, variable)
            self.executor.sequence(base, self.index.constant_initial(unit))
            base.items = []
            self._bases[id(unit)] = base
        return base

    def with_unreached(self, nests: list[LoopNest], calls: list[CallSite], asked: str) -> list[LoopNest]:
        """The nests in source order, with loops that are never reached, without those inlined at every call, except of
        the function that is asked for."""
        found, claimed = list(nests), set(self.claimed)
        for unit in self.program.units:
            for function in unit.described:
                if id(function) not in self.left_out:
                    found.extend(program_structure.unreached(function, claimed))
        return program_structure.without_expanded(found, self.program, calls, asked)
