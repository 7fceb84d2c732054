"""A program to be transformed: its text, the loop nests read from it, and the loops as they stand in the text."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from foretell.core.nest.statements import Branch, Invoke, Store
from foretell.records import record
from foretell.transform.directions import Ordered, ordered_pairs, references
from foretell.transform.text import c_text, fortran_text
from foretell.transform.text.effects import PURE, Effects, declared, effects, mentions
from foretell.transform.text.macros import computing_macros
from foretell.transform.text.source import Edit, Language, Piece, SourceFunction, SourceLoop, loops_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from foretell.core.nest.loopnest import ArrayUse, LoopNest
    from foretell.core.nest.statements import Statement
    from foretell.transform.directions import Reference


#: threads of a change that divides a loop: those asked for, or one for each core
ALL_CORES = -1


#: how a condition on pointers ends, behind their names
_APART = " do not overlap"


class RefusedError(Exception):
    """Why a transformation is not possible here: the dependence, the alias or the bound."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@record
class Change:
    """What a transformation does: edits of the text, further flags of the compiler, threads to run with; `provided`
    are conditions that the text does not show."""

    transformation: str
    title: str
    line: int
    edits: tuple[Edit, ...] = ()
    flags: str = ""
    #: 0: as asked, ALL_CORES, or a number
    threads: int = 0
    provided: tuple[str, ...] = ()


@record
class Region:
    """A loop with everything inside, where it may be transformed: its nests and the number of loops around it."""

    loop: SourceLoop
    nests: tuple[LoopNest, ...]
    outer: int
    references: tuple[Reference, ...]
    effects: Effects
    language: Language = "c"

    def dependences(self, depth: int) -> list[Ordered]:
        """Dependences by vectors over `depth` loops from this one inwards."""
        return ordered_pairs(self.references, self.outer, self.outer + depth)


class Program:
    """Text, language and nests of one file."""

    def __init__(self, text: str, language: Language, nests: tuple[LoopNest, ...], file: str) -> None:
        self.text, self.language, self.nests, self.file = text, language, nests, file

    @cached_property
    def functions(self) -> tuple[SourceFunction, ...]:
        read = c_text.read_functions if self.language == "c" else fortran_text.read_functions
        return read(self.text)

    def loops(self) -> Iterator[tuple[SourceFunction, SourceLoop]]:
        """All loops in the text, with their functions."""
        for function in self.functions:
            for loop in loops_in(function.pieces):
                yield function, loop

    def blocks(self) -> Iterator[tuple[SourceFunction, tuple[Piece, ...]]]:
        """All sequences of statements: bodies of functions, loops and braces."""
        for function in self.functions:
            yield function, function.pieces
            for loop in loops_in(function.pieces):
                yield function, loop.pieces

    def region(self, function: SourceFunction, loop: SourceLoop) -> Region:
        """The loop with its nests; refused where its effects cannot be known from the text."""
        where = f"line {loop.line}"
        nests = tuple(
            nest
            for nest in self.nests
            if nest.function == function.name and any(one.line == loop.line for one in nest.loops)
        )
        if not nests:
            raise RefusedError(f"{where}: no loop nest was read for this loop")
        for inner in loop.walk():
            self._check_head(inner, nests)
        statements = [statement for nest in nests for level in nest.levels for statement in level]
        if call := next((statement for statement in statements if isinstance(statement, Invoke)), None):
            raise RefusedError(f"line {call.line}: calls {call.function}, whose effects are not known")
        outer = next(depth for depth, around in enumerate(nests[0].loops) if around.line == loop.line)
        _check_collapsed(nests[0], outer)
        known = self.effects(loop.body_start, loop.body_end, loop)
        inside = tuple(reference for reference in references(nests) if len(reference.loops) > outer)
        if sum(map(_stores, statements)) < known.stores:
            raise RefusedError(f"{where}: not every assignment in the loop was understood")
        free = known.declared | {inner.head.variable for inner in loop.walk() if inner.head}
        kept = tuple(item for item in inside if item.subscripts or item.name.split("#")[0] not in free)
        self._check_scalars(known.scalars - free, kept, where)
        return Region(loop, nests, outer, kept, known, self.language)

    def effects(self, start: int, end: int, loop: SourceLoop) -> Effects:
        """The effects of a part of the text; refused where it cannot be moved."""
        line = self.text.count("\n", 0, start) + 1
        if self.language == "fortran":
            known = fortran_text.effects(self.text[start:end], line)
        else:
            known = effects(self.text[start:end], line, self._macros)
            self._check_macros(start, end, known, loop)
        if known.obstacle:
            raise RefusedError(known.obstacle)
        return known

    @cached_property
    def _macros(self) -> dict[str, frozenset[str]]:
        return computing_macros(self.text, PURE)

    def _check_macros(self, start: int, end: int, known: Effects, loop: SourceLoop) -> None:
        """Refuses macros in which names stand that loops set: who renames these does not see them in there."""
        heads = {one.head.variable for _, one in self.loops() if one.head}
        for name, inside in self._macros.items():
            hidden = sorted(inside & (known.scalars | known.declared | heads))
            if hidden and mentions(self.text[start:end], name):
                raise RefusedError(f"line {loop.line}: the macro {name} uses {hidden[0]}, which a loop sets")

    def _check_head(self, loop: SourceLoop, nests: tuple[LoopNest, ...]) -> None:
        if loop.head is None:
            raise RefusedError(f"line {loop.line}: {loop.reason}")
        if loop.directive:
            raise RefusedError(f"line {loop.line}: a directive stands before the loop")
        own = [one for nest in nests for one in nest.loops if one.line == loop.line]
        if not own or any(nest.status == "refused" for nest in nests):
            raise RefusedError(f"line {loop.line}: the loop could not be analysed")
        if not all(one.counted and one.step.integer == loop.head.step for one in own):
            raise RefusedError(f"line {loop.line}: the loop on this line is not the one that was analysed")
        if len({one.variable for one in own}) != 1:
            raise RefusedError(f"line {loop.line}: several loops stand on one line")

    @staticmethod
    def _check_scalars(carried: frozenset[str], known: tuple[Reference, ...], where: str) -> None:
        """Scalars set in the text must be known as references: others were folded into subscripts."""
        seen = {one.name.split("#")[0] for one in known if one.write and not one.subscripts}
        if missing := sorted(carried - seen):
            raise RefusedError(f"{where}: the scalar {missing[0]} is carried from one iteration to the next")

    def provided(self, function: SourceFunction, region: Region) -> tuple[str, ...]:
        """Conditions that the text does not show: pointers that may overlap."""
        if self.language != "c":
            return ()
        written = {one.name for one in region.references if one.write and one.subscripts}
        labels = {one.name for one in region.references if one.subscripts}
        uses = {use.label: use for nest in region.nests for use in nest.arrays if use.label in labels}
        pointers = {label: use for label, use in uses.items() if self._may_overlap(function, use)}
        doubtful = {_shown(use) for use in pointers.values()}
        if len(doubtful) < 2 or written.isdisjoint(pointers):
            return ()
        return (f"{', '.join(sorted(doubtful))}{_APART}",)

    def _may_overlap(self, function: SourceFunction, use: ArrayUse) -> bool:
        """Whether another pointer may point into an array: not if it is one by itself, or was allocated here."""
        if use.storage == "member":
            return True
        if use.storage == "global":
            return re.search(rf"\*\s*{re.escape(use.name)}\b", self.text) is not None
        if use.storage != "parameter":
            return False
        own = [text for text in self.parameters(function) if mentions(text.split("[")[0], use.name)]
        return not use.restrict and not any("restrict" in text for text in own)

    def parameters(self, function: SourceFunction) -> list[str]:
        """The text of each parameter of a function."""
        text = c_text.blanked(self.text)[function.parameters_start : function.parameters_end]
        depth, words = 0, [""]
        for letter in text:
            depth += (letter in "([") - (letter in ")]")
            if letter == "," and depth == 0:
                words.append("")
            else:
                words[-1] += letter
        return words

    def declared(self, text: str) -> frozenset[str]:
        """Names that a part of the text declares for what follows: not in blocks or heads of loops. Fortran declares
        none between statements."""
        return declared(c_text.outermost(c_text.blanked(text))) if self.language == "c" else frozenset()

    def unused_name(self, wish: str, taken: Collection[str] = ()) -> str:
        """A name that the text does not have, nor the names that were chosen before."""
        number, name = 1, wish
        while mentions(self.text, name, "fortran") or name in taken:
            number += 1
            name = f"{wish}{number}"
        return name


def conditions(texts: Iterable[str]) -> tuple[str, ...]:
    """Conditions of several changes, each once; one on some pointers goes with that on more of them."""
    every = list(dict.fromkeys(texts))
    pointers = {text: set(text.removesuffix(_APART).split(", ")) for text in every if text.endswith(_APART)}
    return tuple(
        text
        for at, text in enumerate(every)
        if text not in pointers
        or not any(
            pointers[text] < own or (pointers[text] == own and other in every[:at]) for other, own in pointers.items()
        )
    )


def _check_collapsed(nest: LoopNest, depth: int) -> None:
    """Refuses a loop that threads share together with those around it: nothing may stand between them."""
    for at, loop in enumerate(nest.loops[:depth]):
        clauses = dict(clause for one in loop.directives for clause in one.clauses)
        count = clauses.get("collapse", "1").strip()
        if depth < at + (int(count) if count.isdigit() else 1):
            raise RefusedError(
                f"line {nest.loops[depth].line}: threads share the loop with line {loop.line} (collapse)"
            )


def _shown(use: ArrayUse) -> str:
    """The pointer that an array is accessed by."""
    return use.label if use.storage == "member" else use.name


def _stores(statement: Statement) -> int:
    if isinstance(statement, Store):
        return 1
    if isinstance(statement, Branch):
        return sum(map(_stores, (*statement.then, *statement.other)))
    return 0
