"""Lowers one C file to `ir.Unit`: functions, globals, and an account of every error and every loop."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import limits
from foretell.frontends.c.lower import calls
from foretell.frontends.c.lower.expressions import Expressions
from foretell.frontends.c.lower.initialisers import Initialisers
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
    from foretell.frontends.source.directives import Found

_STATIC = 3
_TROUBLE = re.compile(r"fail|err|bail|abort|clean|invalid|singular|free|exit|quit")
#: Each function takes 0.3 ms; this many at the default limit of time.
MAX_FUNCTIONS = 200_000
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
        #: by the index of a file
        self._source = cache(self._read_source)
        self._directives = cache(self._find_directives)
        self._loops = cache(self._find_loops)
        self._types = Types(tree)
        self._diagnostics = Diagnostics(tree, source, made_up or {})
        self._file_scope = Scope()
        self._statics = Statics(tree, self._types, self._file_scope, self._diagnostics)
        self._user_functions = self._find_functions()

    def _find_functions(self) -> frozenset[str]:
        """The names of the user's functions: all defined ones, and those declared that are in no library."""
        tree = self._tree
        functions = [node for node in tree.roots() if tree.kind[node] == Kind.FUNCTION and tree.ref[node] >= 0]
        names = {node: tree.declarations[tree.ref[node]].name for node in functions}
        return frozenset(n for node, n in names.items() if not calls.is_library(n) or tree.body(node) is not None)

    def unit(self, seen: HeaderFunctions) -> ir.Unit:
        """The file as IR, without functions of headers that another unit already has."""
        return self._unit([item for item in self._lowered() if _is_new(item.function, seen)])

    def part(self, seen: HeaderFunctions, note: str) -> ir.Unit:
        """The file as a part of the parsed one: the other functions are only callees."""
        warning = ir.Diagnostic(str(self._path), 0, note, "warning")
        lowered = []
        for item in self._lowered():
            function = item.function
            if function.file != str(self._path):
                lowered.append(_Lowered(function, 0))
            elif _is_new(function, seen):
                lowered.append(_Lowered(replace(function, errors=(*function.errors, warning)), item.loops))
        return replace(self._unit(lowered), part=True)

    def _lowered(self) -> list[_Lowered]:
        expressions = Expressions(self._tree, self._types, Scope(), self._file_scope, self._user_functions)
        self._statics.declare_globals(Initialisers(expressions))
        defined = list(self._tree.definitions())
        if len(defined) > (most := limits.share(MAX_FUNCTIONS)):
            raise limits.too_long(f"has more than {most} functions").at(self._path)
        return [self._function(node, body) for node, body in defined]

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
            constants=tuple((one.name, one.value) for one in self._tree.declarations if one.kind == Kind.ENUMERATOR),
        )

    # ------------------------------------------------------------------------------------------ functions

    def _function(self, node: int, body: int) -> _Lowered:
        tree = self._tree
        declaration = tree.declarations[tree.ref[node]]
        self._statics.function = declaration.name
        scope = Scope(self._file_scope, self._user_functions)
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
            file=tree.files[tree.file[node]] if tree.file[node] >= 0 else str(self._path),
            line=tree.line[node],
            end_line=tree.end_line[node],
            language="c",
            link_names=() if declaration.storage == _STATIC else (declaration.name,),
            static=declaration.storage == _STATIC,
            errors=errors,
            included=self._included(node, body),
        )
        return _Lowered(function, loops)

    def _included(self, node: int, body: int) -> tuple[str, ...]:
        """Other files than that of the function that loops of its body, or statements of it, stand in."""
        tree = self._tree
        others = {*tree.file[body : tree.end[body]]} - {tree.file[node], -1}
        return tuple(sorted(tree.files[file] for file in others))

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
        with _recursion_limit(8 * depth + 1000):
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
        expressions.changing = writes.within(body).variables
        before = self._parameters(node, scope, expressions)
        lines = range(tree.line[body], tree.end_line[body] + 1)
        directives = [found.directive for found in self._directives(file) if found.directive.line in lines]
        return Statements(expressions, writes, directives, self._statics, trusted=trusted), before

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
                kind = ir.Pointer(ir.element_type(kind))
            scope.update(index, type=kind)
        return before

    # ------------------------------------------------------------------------------------------ the account of loops

    def _lost(self, body: int, lines: list[int]) -> tuple[ir.Opaque, ...]:
        """Loops in the text of a function that are missing in clang's tree."""
        tree = self._tree
        source = self._source(tree.file[body])
        loops = self._loops(tree.file[body])
        inside = loops[bisect_left(loops, tree.offset[body]) : bisect_left(loops, tree.end_offset[body])]
        if source is None or len(inside) <= len(lines):
            return ()
        lost = Counter(map(source.line, inside)) - Counter(lines)
        return tuple(ir.Opaque(line, "a loop that was lost because of an error", 1) for line in lost.elements())

    def _loops_outside(self) -> list[_Lowered]:
        """Loops in the text of the file that are in no function of clang's tree: the function itself was lost."""
        tree = self._tree
        files = {index for index, name in enumerate(tree.files) if name == str(self._path)}
        offsets = self._main.loops([skip for file in files for skip in self._skipped(file)])
        inside: set[int] = set()
        for node, _ in tree.definitions():
            if tree.file[node] in files:
                begin, end = bisect_left(offsets, tree.offset[node]), bisect_left(offsets, tree.end_offset[node])
                inside.update(offsets[begin:end])
        lines = [self._main.line(offset) for offset in offsets if offset not in inside]
        if not lines:
            return []
        message = "loops outside of every function that could be parsed"
        function = ir.Function(
            name=f"(line {lines[0]})",
            display=f"(line {lines[0]})",
            parameters=(),
            locals=(),
            body=tuple(ir.Opaque(line, "a loop in text that could not be parsed", 1) for line in lines),
            result=ir.Void(),
            file=str(self._path),
            line=lines[0],
            end_line=lines[-1],
            language="c",
            static=True,
            errors=(ir.Diagnostic(str(self._path), lines[0], message, "error"),),
        )
        return [_Lowered(function, len(lines))]

    # ------------------------------------------------------------------------------------------ files

    def _skipped(self, file: int) -> list[tuple[int, int]]:
        return [(begin, end) for where, begin, end in self._tree.skipped if where == file]

    def _find_loops(self, file: int) -> list[int]:
        source = self._source(file)
        return [] if source is None else source.loops(self._skipped(file))

    def _find_directives(self, file: int) -> tuple[Found, ...]:
        """The pragmas of a file; macros of the user's headers may expand to some."""
        macros: dict[str, Macro] = {}
        for index, name in enumerate(self._tree.files):
            header = None if name.startswith(str(HEADERS)) else self._source(index)
            macros |= header.macros if header is not None else {}
        source = self._source(file)
        return () if source is None else source.directives(self._skipped(file), macros)

    def _read_source(self, file: int) -> Source | None:
        """The text of a file of the unit; None if it cannot be read again."""
        if file < 0:
            return None
        name = self._tree.files[file]
        return self._main if name == str(self._path) else header_source(Path(name))


def _is_new(function: ir.Function, seen: HeaderFunctions) -> bool:
    """Whether no unit has the function, regardless of the numbering of its names («n#2» if there is a global n)."""
    known = seen.setdefault((function.file, function.line, function.name), [])
    texts = [re.sub(r"#\d+", "", repr(item)) for item in (function, *known)] if known else [""]
    known.append(function)
    return texts[0] not in texts[1:]


def _is_for_errors(label: str) -> bool:
    """Whether a label is an error handler: such a goto is an exit, which the analysis recognises."""
    return _TROUBLE.search(label.lower()) is not None


@contextmanager
def _recursion_limit(limit: int) -> Iterator[None]:
    """Raises the recursion limit; Python's frames are on the heap."""
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old, limit))
    try:
        yield
    finally:
        sys.setrecursionlimit(old)
