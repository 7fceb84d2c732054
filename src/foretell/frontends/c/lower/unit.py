"""Lowers one C file to `ir.Unit`: functions, globals, and an account of every error and every loop."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.frontends.c.lower import calls
from foretell.frontends.c.lower.expressions import Expressions
from foretell.frontends.c.lower.initialisers import Initialisers
from foretell.frontends.c.lower.loops import Counting
from foretell.frontends.c.lower.operands import UnlowerableError
from foretell.frontends.c.lower.scope import Scope
from foretell.frontends.c.lower.statements import Statements
from foretell.frontends.c.lower.statics import Statics
from foretell.frontends.c.lower.types import Types
from foretell.frontends.c.lower.writes import Writes
from foretell.frontends.c.parse.clang import HEADERS, Kind
from foretell.frontends.c.parse.diagnostics import Diagnostics
from foretell.frontends.c.parse.text import Source, header_source
from foretell.frontends.source import ir
from foretell.frontends.source.jumps import loops_in, structured
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from foretell.frontends.c.parse.clang import Tree
    from foretell.frontends.c.parse.macros import Macro
    from foretell.frontends.c.parse.text import SeenLoop
    from foretell.frontends.source.directives import Found

_STATIC = 3
_TROUBLE = re.compile(r"fail|err|bail|abort|clean|invalid|singular|free|exit|quit")
#: Functions nested deeper than this in clang's tree are not lowered.
_MAX_DEPTH = 5000


#: functions of headers by file, line and name: macros may make one differ between two units
HeaderFunctions = dict[tuple[str, int, str], list[ir.Function]]


@record
class _Lowered:
    function: ir.Function
    loops: int


class UnitLowering:
    """Lowers one translation unit."""

    def __init__(self, tree: Tree, path: Path, source: Source, made_up: Mapping[str, str] | None = None) -> None:
        self._tree = tree
        self._path = path
        self._main = source
        self._sources: dict[int, Source | None] = {}
        self._seen_loops: dict[int, list[SeenLoop]] = {}
        self._found_directives: dict[int, tuple[Found, ...]] = {}
        self._types = Types(tree)
        self._diagnostics = Diagnostics(tree, source, made_up or {})
        self._file_scope = Scope()
        self._statics = Statics(tree, self._types, self._file_scope, self._diagnostics)
        self._user_functions = self._find_functions()

    def _find_functions(self) -> frozenset[str]:
        """The names of the user's functions: all defined ones, and those declared that are in no library."""
        tree = self._tree
        result = set()
        for node in tree.roots():
            if tree.kind[node] == Kind.FUNCTION and tree.ref[node] >= 0:
                name = tree.declarations[tree.ref[node]].name
                if not calls.is_library(name) or tree.body(node) is not None:
                    result.add(name)
        return frozenset(result)

    def unit(self, seen: HeaderFunctions) -> ir.Unit:
        """The file as IR, without functions of headers that another unit already has."""
        lowered = [item for item in self._lowered() if self._is_new(item.function, seen)]
        return self._unit(lowered)

    def part(self, seen: HeaderFunctions, note: str) -> ir.Unit:
        """The file as a part of the parsed one: the other functions are only callees."""
        said = ir.Diagnostic(str(self._path), 0, note, "warning")
        lowered = []
        for item in self._lowered():
            one = item.function
            if one.file != str(self._path):
                lowered.append(_Lowered(one, 0))
            elif self._is_new(one, seen):
                lowered.append(_Lowered(replace(one, errors=(*one.errors, said)), item.loops))
        return replace(self._unit(lowered), part=True)

    def _lowered(self) -> list[_Lowered]:
        expressions = Expressions(self._tree, self._types, Scope(), self._file_scope, self._user_functions)
        self._statics.declare_globals(Initialisers(self._tree, expressions, Scope()))
        return [self._function(node) for node in self._definitions()]

    def _unit(self, lowered: list[_Lowered]) -> ir.Unit:
        everything = (*lowered, *self._loops_outside())
        return ir.Unit(
            file=str(self._path),
            language="c",
            functions=tuple(item.function for item in everything),
            globals=self._file_scope.variables(),
            diagnostics=self._diagnostics.elsewhere(),
            initial=tuple(self._statics.initial),
            lines=self._main.lines,
            loops_seen=sum(item.loops for item in everything),
        )

    def _is_new(self, function: ir.Function, seen: HeaderFunctions) -> bool:
        known = seen.setdefault((function.file, function.line, function.name), [])
        if known and _plain_text(function) in map(_plain_text, known):
            return False
        known.append(function)
        return True

    # ------------------------------------------------------------------------------------------ functions

    def _definitions(self) -> Iterator[int]:
        for node in self._tree.roots():
            if self._tree.kind[node] == Kind.FUNCTION and self._tree.body(node) is not None:
                yield node

    def _function(self, node: int) -> _Lowered:
        tree = self._tree
        declaration = tree.declarations[tree.ref[node]]
        body = tree.body(node)
        assert body is not None
        self._statics.function = declaration.name
        scope = Scope(taken=(*(v.id for v in self._file_scope.variables()), *self._user_functions))
        errors = self._diagnostics.inside(node)
        trusted = all(error.severity != "error" for error in errors)
        statements, lost, loops = self._body(node, body, scope, trusted=trusted)
        result = self._types(tree.type[node])
        variables = scope.variables()
        function = ir.Function(
            name=declaration.name,
            display=declaration.name,
            parameters=tuple(v for v in variables if v.storage == "parameter"),
            locals=tuple(v for v in variables if v.storage != "parameter"),
            body=(*lost, *statements),
            result=result.result if isinstance(result, ir.Procedure) else ir.Unknown(),
            file=self._file_name(tree.file[node]),
            line=tree.line[node],
            end_line=tree.end_line[node],
            language="c",
            link_names=() if declaration.storage == _STATIC else (declaration.name,),
            static=declaration.storage == _STATIC,
            errors=errors,
        )
        return _Lowered(function, loops)

    def _body(
        self, node: int, body: int, scope: Scope, *, trusted: bool
    ) -> tuple[tuple[ir.Stmt, ...], tuple[ir.Opaque, ...], int]:
        """The statements, one Opaque for the loops that clang lost, and the number of loops."""
        tree = self._tree
        in_tree = tree.inside(tree.loops, body, tree.end[body])
        lost = self._lost(body, [tree.line[place] for place in in_tree])
        depth = tree.op[node]
        if depth > _MAX_DEPTH:
            reason = f"nested {depth} deep, more than {_MAX_DEPTH}"
            return (ir.Opaque(tree.line[node], reason, len(in_tree)),), lost, len(in_tree) + len(lost)
        with _recursion(8 * depth + 1000):
            lowering, before = self._statements(node, body, scope, trusted=trusted)
            lowered = (*before, *lowering.body(body))
            statements = structured(lowered, _is_for_errors) if lowering.labelled else lowered
        made = loops_in(statements) - loops_in(lowered) if statements is not lowered else 0
        total = len(in_tree) + made - lowering.dissolved + sum(opaque.loops for opaque in lost)
        return statements, lost, total

    def _statements(self, node: int, body: int, scope: Scope, *, trusted: bool) -> tuple[Statements, list[ir.Stmt]]:
        """Lowers a body, preceded by the statements that its parameters need."""
        tree = self._tree
        file = tree.file[body]
        source = self._source(file)
        expressions = Expressions(tree, self._types, scope, self._file_scope, self._user_functions, source)
        writes = Writes(tree, body)
        expressions.changing = writes.within(body, tree.end[body]).variables
        before = self._parameters(node, scope, expressions)
        found = self._directives(file)
        directives = found[
            bisect_left(found, tree.line[body], key=_line) : bisect_right(found, tree.end_line[body], key=_line)
        ]
        lowering = Statements(
            tree,
            self._types,
            scope,
            expressions,
            Initialisers(tree, expressions, scope),
            Counting(tree, expressions, writes),
            source,
            directives,
            self._statics,
            trusted=trusted,
        )
        return lowering, before

    def _parameters(self, node: int, scope: Scope, expressions: Expressions) -> list[ir.Stmt]:
        tree = self._tree
        nodes = [child for child in tree.children(node) if tree.kind[child] == Kind.PARAMETER]
        for position, child in enumerate(nodes):
            name = tree.declarations[tree.ref[child]].name or f"argument{position + 1}"
            scope.declare(tree.ref[child], name, self._types(tree.type[child]), "parameter", tree.line[child])
        before: list[ir.Stmt] = []
        for child in nodes:  # an extent may use a later parameter
            index = tree.ref[child]
            expressions.line = tree.line[child]
            with suppress(UnlowerableError):  # the extent remains unknown
                before += expressions.extents(tree.type[child], tree.expressions(child), child)
            kind = self._types(tree.type[child])
            if isinstance(kind, ir.Array) and index in expressions.changing:  # a pointer in fact
                rest = ir.Array(kind.element, kind.dims[1:]) if kind.dims[1:] else kind.element
                kind = ir.Pointer(rest)
            scope.update(index, kind=kind)
        return before

    # ------------------------------------------------------------------------------------------ the account of loops

    def _lost(self, body: int, lines: list[int]) -> tuple[ir.Opaque, ...]:
        """Loops in the text of a function that are missing in clang's tree."""
        tree = self._tree
        loops = self._seen(tree.file[body])
        first = bisect_left(loops, tree.offset[body], key=_offset)
        stop = bisect_left(loops, tree.end_offset[body], key=_offset)
        seen = [loop.line for loop in loops[first:stop]]
        if len(seen) <= len(lines):
            return ()
        for line in lines:
            if line in seen:
                seen.remove(line)
        return tuple(ir.Opaque(line, "a loop that was lost because of an error", 1) for line in seen)

    def _loops_outside(self) -> list[_Lowered]:
        """Loops in the text of the file that are in no function of clang's tree: the function itself was lost."""
        tree = self._tree
        files = {index for index, name in enumerate(tree.files) if self._is_main(name)}
        spans = [(tree.offset[node], tree.end_offset[node]) for node in self._definitions() if tree.file[node] in files]
        seen = [
            loop
            for loop in self._main.loops([skip for file in files for skip in self._skipped(file)])
            if not _is_inside(loop.offset, spans)
        ]
        if not seen:
            return []
        message = "loops outside of every function that could be parsed"
        error = ir.Diagnostic(str(self._path), seen[0].line, message, "error")
        body = tuple(ir.Opaque(loop.line, "a loop in text that could not be parsed", 1) for loop in seen)
        function = ir.Function(
            name=f"(line {seen[0].line})",
            display=f"(line {seen[0].line})",
            parameters=(),
            locals=(),
            body=body,
            result=ir.Void(),
            file=str(self._path),
            line=seen[0].line,
            end_line=seen[-1].line,
            language="c",
            static=True,
            errors=(error,),
        )
        return [_Lowered(function, len(seen))]

    # ------------------------------------------------------------------------------------------ files

    def _is_main(self, name: str) -> bool:
        return name == str(self._path)

    def _file_name(self, file: int) -> str:
        return self._tree.files[file] if file >= 0 else str(self._path)

    def _skipped(self, file: int) -> list[tuple[int, int]]:
        return [(begin, end) for where, begin, end in self._tree.skipped if where == file]

    def _seen(self, file: int) -> list[SeenLoop]:
        if file not in self._seen_loops:
            source = self._source(file)
            self._seen_loops[file] = [] if source is None else source.loops(self._skipped(file))
        return self._seen_loops[file]

    def _directives(self, file: int) -> tuple[Found, ...]:
        if file not in self._found_directives:
            source = self._source(file)
            others = self._header_macros()
            self._found_directives[file] = () if source is None else source.directives(self._skipped(file), others)
        return self._found_directives[file]

    def _header_macros(self) -> dict[str, Macro]:
        """The macros of the user's headers, which may expand to pragmas."""
        result: dict[str, Macro] = {}
        for index, name in enumerate(self._tree.files):
            source = None if name.startswith(str(HEADERS)) else self._source(index)
            if source is not None:
                result |= source.macros
        return result

    def _source(self, file: int) -> Source | None:
        """The text of a file of the unit; None if it cannot be read again."""
        if file < 0:
            return None
        if file not in self._sources:
            name = self._tree.files[file]
            self._sources[file] = self._main if self._is_main(name) else header_source(Path(name))
        return self._sources[file]


def _plain_text(function: ir.Function) -> str:
    """The function without the numbering of its names («n#2» if there is a global n)."""
    return re.sub(r"#\d+", "", repr(function))


def _is_for_errors(label: str) -> bool:
    """Whether a label is an error handler: such a goto is an exit, which the analysis recognises."""
    return _TROUBLE.search(label.lower()) is not None


def _offset(loop: SeenLoop) -> int:
    return loop.offset


def _line(found: Found) -> int:
    return found.directive.line


def _is_inside(offset: int, spans: list[tuple[int, int]]) -> bool:
    """Whether an offset is in one of some sorted spans."""
    place = bisect_right(spans, (offset, sys.maxsize)) - 1
    return place >= 0 and offset < spans[place][1]


class _recursion:  # noqa: N801  (a context manager, used as a verb)
    """Raises the recursion limit for one function; Python's frames are on the heap."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._old = 0

    def __enter__(self) -> None:
        self._old = sys.getrecursionlimit()
        sys.setrecursionlimit(max(self._old, self._limit))

    def __exit__(self, *_: object) -> None:
        sys.setrecursionlimit(self._old)
