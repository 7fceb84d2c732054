"""Attaches directives to loops, to single statements, and to regions that an `end` directive closes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from foretell.frontends.source import ir
from foretell.frontends.source.directives import parse_directive, stands_alone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.frontends.fortran.text.statements import DirectiveLine

_LOOP_WORDS = frozenset({"do", "for", "loop", "simd", "distribute", "taskloop", "tile", "unroll"})
#: directives on one statement, without an end directive
_SINGLE = frozenset({"atomic"})


class Directives:
    """The directives of one file, by line."""

    def __init__(self, lines: Sequence[DirectiveLine]) -> None:
        parsed = [parse_directive(_spelling(line.text), line.line) for line in lines]
        self.all = [directive for directive in parsed if directive is not None]
        self.lines = [directive.line for directive in self.all]

    def between(self, first: int, last: int) -> list[ir.Directive]:
        """The directives on lines after `first` and up to `last`."""
        return self.all[bisect_right(self.lines, first) : bisect_left(self.lines, last)]

    def any_in(self, first: int, last: int) -> bool:
        return bisect_right(self.lines, last) > bisect_left(self.lines, first)


def _spelling(text: str) -> str:
    """Normalises `$omp do` to `omp do`; `dir$ ivdep` to `dir ivdep`."""
    return text.replace("$", " ", 1).strip()


def on_loop(directive: ir.Directive) -> bool:
    """Whether a directive before a loop applies to that loop, rather than opening a region."""
    if directive.dialect not in ("omp", "acc"):
        return True
    return any(word in _LOOP_WORDS for word in directive.words)


class Regions:
    """The regions open in one block; `sink` collects the block's statements."""

    def __init__(self, sink: list[ir.Stmt]) -> None:
        self.sink = sink
        self.open: list[tuple[ir.Directive, int]] = []
        self.single: list[ir.Directive] = []

    def before(self, directives: Sequence[ir.Directive], *, loop: bool) -> tuple[ir.Directive, ...]:
        """Processes the directives before a statement; returns those that apply to it as a loop."""
        attached: list[ir.Directive] = []
        for directive in directives:
            if directive.words[:1] == ("end",):
                self._close(directive)
            elif stands_alone(directive):
                self.sink.append(ir.Annotated((directive,), (), directive.line))
            elif loop and on_loop(directive):
                attached.append(directive)
            elif directive.words[:1] and directive.words[0] in _SINGLE:
                self.single.append(directive)
            else:
                self.open.append((directive, len(self.sink)))
        return tuple(attached)

    def after(self, mark: int) -> None:
        """Wraps the statements that one statement was lowered to in its directive."""
        if self.single:
            made = tuple(self.sink[mark:])
            self.sink[mark:] = [ir.Annotated(tuple(self.single), made, self.single[0].line)]
            self.single = []

    def _close(self, end: ir.Directive) -> None:
        for position in range(len(self.open) - 1, -1, -1):
            directive, mark = self.open[position]
            if directive.dialect == end.dialect and directive.words == end.words[1:]:
                for inner, start in reversed(self.open[position + 1 :]):
                    self._wrap(inner, start, start + 1)
                del self.open[position:]
                self._wrap(directive, mark, len(self.sink))
                return

    def finish(self) -> None:
        """Closes the regions; one without an end covers the next statement."""
        for directive, mark in reversed(self.open):
            self._wrap(directive, mark, mark + 1)
        self.open.clear()

    def _wrap(self, directive: ir.Directive, start: int, end: int) -> None:
        made = tuple(self.sink[start:end])
        self.sink[start:end] = [ir.Annotated((directive,), made, directive.line)]
