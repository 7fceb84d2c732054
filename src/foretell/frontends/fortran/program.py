"""Lowers all files of a program to `ir.Unit`s: collects modules by name, then lowers every procedure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.frontends.fortran.accounting import is_written_loop, lost_loops
from foretell.frontends.fortran.lower import control  # noqa: F401  # fills the table of statements
from foretell.frontends.fortran.lower.body import Body
from foretell.frontends.fortran.lower.directive_regions import Directives
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering, Shared
from foretell.frontends.fortran.scope import entries
from foretell.frontends.fortran.scope.allocations import note_allocations
from foretell.frontends.fortran.scope.declarations import declare_procedure, declare_unit
from foretell.frontends.fortran.scope.initial_values import beginnings, initial
from foretell.frontends.fortran.scope.symbols import ProcedureInfo, Scope
from foretell.frontends.fortran.text.parse import Tree, parse_unit
from foretell.frontends.fortran.text.preprocessor import preprocess, read_source
from foretell.frontends.fortran.text.source_form import is_fixed, to_free
from foretell.frontends.fortran.text.statements import DirectiveLine, Scanner, Statement, Trouble, close_labelled_loops
from foretell.frontends.fortran.text.units import ProgramUnit, split_units
from foretell.frontends.source import ir
from foretell.frontends.source.jumps import structured

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@dataclass(slots=True)
class _Procedure:
    """A program unit during the passes."""

    unit: ProgramUnit
    tree: Tree
    scope: Scope
    low: Lowering
    info: ProcedureInfo | None = None
    children: list[_Procedure] = field(default_factory=list)


@dataclass(slots=True)
class _File:
    path: str
    lines: int
    units: list[ProgramUnit]
    directives: Directives
    troubles: list[Trouble]
    loops_seen: int
    roots: list[_Procedure] = field(default_factory=list)


def parse_fortran(
    files: Sequence[Path], *, includes: Sequence[Path] = (), defines: Mapping[str, str] | None = None
) -> tuple[ir.Unit, ...]:
    """Parses the files of one program to statement IR, one unit per file in the given order.

    Modules may be in any of the files and in any order. Raises InputError for a file that is not readable text."""
    shared = Shared()
    loaded = [_load(Path(path), includes, defines or {}) for path in files]
    for file in loaded:
        file.roots = [_prepare(unit, None, file, shared) for unit in file.units]
    for file in loaded:
        for root in file.roots:
            _declare(root, shared, "")
    everything = [procedure for file in loaded for root in file.roots for procedure in _walk(root)]
    _register(everything, shared)
    for procedure in everything:
        note_allocations(procedure.scope, procedure.tree)
    return tuple(_lower_file(file) for file in loaded)


# -------------------------------------------------------------------------------------------------- reading


def _load(path: Path, includes: Sequence[Path], defines: Mapping[str, str]) -> _File:
    text = read_source(path)
    expanded = preprocess(text, path, includes, defines)
    fixed = is_fixed(expanded.lines, path)
    scanned = Scanner(to_free(expanded.lines) if fixed else expanded.lines)
    statements, troubles = close_labelled_loops(scanned.statements)
    numbers = expanded.numbers
    moved = [Statement(s.text, numbers[s.line - 1], s.label) for s in statements]
    directives = tuple(DirectiveLine(d.text, numbers[d.line - 1]) for d in scanned.directives)
    moved_troubles = [Trouble(numbers[t.line - 1], t.message) for t in (*scanned.troubles, *troubles)]
    return _File(
        str(path), text.count("\n") + (not text.endswith("\n")), split_units(moved), Directives(directives),
        [*expanded.troubles, *moved_troubles], sum(1 for s in moved if is_written_loop(s.text)),
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------- declarations


def _prepare(unit: ProgramUnit, parent: _Procedure | None, file: _File, shared: Shared) -> _Procedure:
    """Scope and tree of a unit; modules are registered by name before anything is declared."""
    kind = unit.kind if unit.kind in ("module", "submodule") else "procedure"
    scope = Scope(unit.name, kind, file.path, parent.scope if parent is not None else None, shared.modules)
    low = Lowering(scope, shared, parent.low if parent is not None else None)
    scope.lowering = low
    if unit.kind == "module":
        shared.modules.setdefault(unit.name, scope)
    made = _Procedure(unit, parse_unit(unit), scope, low)
    made.children = [_prepare(child, made, file, shared) for child in unit.children]
    return made


def _declare(procedure: _Procedure, shared: Shared, module: str) -> None:
    unit, scope = procedure.unit, procedure.scope
    parent = scope.parent
    if unit.kind == "submodule":
        parent = scope.parent = shared.modules.get(unit.parent_module)
    if parent is not None:
        scope.implicit, scope.implicit_none = parent.implicit, parent.implicit_none
    if unit.kind in ("subroutine", "function", "procedure"):
        info = declare_procedure(scope, procedure.tree, module)
        if unit.kind == "procedure":
            _from_interface(info, scope)
        procedure.info = info
        if parent is not None:
            parent.declare(info.name, unit.line, "procedure").procedure = info
    else:
        declare_unit(scope, procedure.tree)
    own_module = unit.name if unit.kind == "module" else module
    for child in procedure.children:
        _declare(child, shared, own_module if unit.kind in ("module", "submodule") else "")


def _from_interface(info: ProcedureInfo, scope: Scope) -> None:
    """MODULE PROCEDURE in a submodule: arguments and result are those of the interface in its module."""
    symbol = scope.parent.find(info.name) if scope.parent is not None else None
    known = symbol.procedure if symbol is not None else None
    if known is None or known.scope is None:
        scope.say(0, f"the interface of module procedure {info.name} is not in the given files")
        return
    info.kind, info.parameters, info.result = known.kind, known.parameters, known.result
    for name in (*known.parameters, known.result):
        declared = known.scope.names.get(name)
        if declared is not None:
            own = scope.declare(name, declared.line, "variable")
            own.type_node, own.dims = declared.type_node, declared.dims
            own.attributes, own.intent, own.dummy = declared.attributes, declared.intent, declared.dummy


def _register(procedures: Sequence[_Procedure], shared: Shared) -> None:
    """Registers external procedures globally. A contained one whose name is not unique is qualified by its host's
    name."""
    names = Counter(procedure.info.name for procedure in procedures if procedure.info is not None)
    for procedure in procedures:
        info, parent = procedure.info, procedure.scope.parent
        if info is None:
            continue
        if parent is None:
            shared.procedures.setdefault(info.name, info)
        elif names[info.name] > 1:
            info.link = f"{parent.name}::{info.name}"


# -------------------------------------------------------------------------------------------------- lowering


def _lower_file(file: _File) -> ir.Unit:
    functions: list[ir.Function] = []
    first_values: list[ir.Assign] = []
    variables: dict[str, ir.Variable] = {}
    diagnostics = [ir.Diagnostic(file.path, t.line, t.message, "warning") for t in file.troubles]
    for root in file.roots:
        for procedure in _walk(root):
            functions += _lower(procedure, file)
            first_values += initial(procedure.low)
            diagnostics += procedure.scope.diagnostics
            for variable in _outer_variables(procedure):
                variables.setdefault(variable.id, variable)
    diagnostics.sort(key=lambda d: d.line)
    return ir.Unit(
        file.path, "fortran", tuple(functions), tuple(variables.values()), tuple(diagnostics), tuple(first_values),
        lines=file.lines, loops_seen=file.loops_seen,
    )  # fmt: skip


def _outer_variables(procedure: _Procedure) -> Iterator[ir.Variable]:
    """Variables that outlive a procedure: module variables, COMMON members, and names imported by USE."""
    own = {variable.id for variable in procedure.scope.variables}
    module = procedure.unit.kind in ("module", "submodule")
    yield from (v for v in procedure.scope.variables if v.storage == "global" or (module and v.storage == "constant"))
    # the constants of a host procedure are local to it
    local = {v.id for scope in procedure.scope.hosts() if scope.kind == "procedure" for v in scope.variables}
    yield from (v for v in procedure.scope.used.values() if v.id not in own and v.id not in local)


def _walk(procedure: _Procedure) -> Iterator[_Procedure]:
    yield procedure
    for child in procedure.children:
        yield from _walk(child)


_TARGETS = re.compile(
    r"go\s*to\s*\(?([\d,\s]+)|\)\s*(\d+\s*,\s*\d+\s*,\s*\d+)\s*$|(?:err|end|eor)\s*=\s*(\d+)", re.IGNORECASE
)


def _targets(unit: ProgramUnit) -> frozenset[str]:
    """The labels that jumps of this unit use."""
    matches = (match[0] for statement in unit.statements for match in _TARGETS.finditer(statement.text))
    return frozenset(label.lstrip("0") for match in matches for label in re.findall(r"\d+", match))


def _lower(procedure: _Procedure, file: _File) -> list[ir.Function]:
    """Lowers the procedure, and one for each of its ENTRYs."""
    unit, low = procedure.unit, procedure.low
    _resolve_all(procedure)
    if unit.kind not in ("program", "subroutine", "function", "procedure"):
        _errors(procedure, file)
        return []
    directives = file.directives if file.directives.any_in(unit.line, unit.end_line) else None
    body = Body(low, procedure.tree, directives, _targets(unit))
    statements = (*beginnings(low, runs_once=unit.kind == "program"), *body.block(procedure.tree.root.named_children))
    errors = _errors(procedure, file, lost_loops(unit.statements, statements))
    variables = {name: symbol.variable for name, symbol in procedure.scope.names.items() if symbol.variable is not None}
    main, *others = entries.split(statements, body.entries)
    function = _function(procedure, file.path, main, variables, errors)
    return [
        function,
        *(
            entries.procedure(function, structured(rest), entry, variables)
            for rest, entry in zip(others, body.entries, strict=False)
        ),
    ]


def _function(
    procedure: _Procedure,
    path: str,
    statements: entries.Statements,
    variables: Mapping[str, ir.Variable],
    errors: tuple[ir.Diagnostic, ...],
) -> ir.Function:
    """The function of a procedure whose `statements` are lowered; `variables` are those of its scope by name."""
    unit, scope, info = procedure.unit, procedure.scope, procedure.info
    names = dict.fromkeys(info.parameters if info is not None else ())
    parameters = tuple(variables[name] for name in names if name in variables)
    result_variable = variables.get(info.result) if info is not None else None
    taken = {variable.id for variable in parameters}
    return ir.Function(
        info.link if info is not None else unit.name,
        unit.name,
        parameters,
        tuple(v for v in scope.variables if v.id not in taken and v.storage != "global"),
        structured(statements),
        result_variable.type if result_variable is not None else ir.Void(),
        path,
        unit.line,
        unit.end_line,
        "fortran",
        info.link_names if info is not None else ("main",),
        errors=errors,
        result_variable=result_variable.id if result_variable is not None else None,
        assumptions=tuple(scope.equivalences),
    )


def _resolve_all(procedure: _Procedure) -> None:
    """Creates a variable for every declared name, parameters first and in order."""
    scope, low = procedure.scope, procedure.low
    for symbol in list(scope.names.values()):
        if not symbol.dummy and symbol.kind in ("procedure", "generic", "type", "unknown"):
            continue
        low.line = symbol.line
        low.depth = 0
        try:
            low.variable(symbol)
        except (CannotLowerError, RecursionError) as error:
            reason = str(error) if isinstance(error, CannotLowerError) else "nested too deeply"
            scope.say(symbol.line, f"the declaration of {symbol.name} is not understood: {reason}")
            symbol.variable = ir.Variable(scope.unique(symbol.name), symbol.name, ir.Unknown(), "local", symbol.line)
            scope.variables.append(symbol.variable)


def _errors(procedure: _Procedure, file: _File, lost: Sequence[int] = ()) -> tuple[ir.Diagnostic, ...]:
    """Errors that make this procedure unreliable: unparsable text and unclosed constructs."""
    unit, tree = procedure.unit, procedure.tree
    inside = [t for t in file.troubles if unit.line <= t.line <= unit.end_line and "no statement labelled" in t.message]
    messages = [(t.line, t.message) for t in tree.troubles]
    messages += [(tree.rows[row].line, f"this does not parse: {bad[:60]}") for row, bad in tree.bad.items()]
    messages += [(t.line, t.message) for t in inside]
    messages += [(line, "the loop on this line was lost") for line in lost]
    errors = tuple(ir.Diagnostic(file.path, line, message, "error") for line, message in messages)
    procedure.scope.diagnostics += errors
    return errors
