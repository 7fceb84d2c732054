"""The analyser shared by C and Fortran: builds loop nests from the statement IR.

Every function is executed symbolically once: integers are polynomials of the parameters, pointers are paths into named
objects, calls of functions without loops are inlined. The recorded walk is then cut into nests, one per innermost
loop, whose subscripts are normalised whatever style they were written in.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
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
    program = normalised(program)
    index = Index(program)
    mine = connected(program, index, asked) if asked else frozenset()
    analyser = _Analyser(index, program, dict(parameters or {}), shares, words)
    analyser.reals = reals
    nests: list[LoopNest] = []
    functions: list[FunctionInfo] = []
    calls: list[CallSite] = []
    messages: list[MessageCall] = []
    decisions: list[tuple[str, Note]] = []
    defaults: list[Default] = []
    for unit in program.units:
        for function in unit.described:
            functions.append(program_structure.describe(function, unit, index))
            if mine and id(function) not in mine:
                analyser.left_out.add(id(function))
                continue
            state, built = analyser.function(function, unit)
            nests.extend(built)
            calls.extend(program_structure.call_sites(state, function))
            messages.extend(program_structure.messages(state, function))
            decisions.extend((function.display, note) for note in dict.fromkeys(state.decisions))
            defaults.extend(state.defaults.values())
    for error in filter(None, analyser.misfits.values()):
        raise error
    nests = analyser.with_unreached(nests, calls, asked)
    loops = Loops(
        nests=tuple(nests),
        functions=tuple(functions),
        calls=tuple(calls),
        messages=tuple(messages),
        defaults=tuple((one.name, one.value, one.variable, one.line) for one in defaults),
        globals=program_structure.global_variables(program),
        scalars=program_structure.scalars(program),
        loops_seen=sum(unit.loops_seen for unit in program.units),
        loops_kept=sum(nest.owned for nest in nests),
        lines=sum(unit.lines for unit in program.units),
        decisions=tuple(decisions),
    )
    return loops.at(parameters or {})


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
        for unit in self.program.units:
            for function in unit.described:
                if id(function) not in self.left_out:
                    nests.extend(program_structure.unreached(function, self.claimed))
        return program_structure.without_expanded(nests, self.program, calls, asked)
