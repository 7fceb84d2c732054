"""The executable part of one procedure: blocks of statements, their directives, labels and jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.fortran.lower.directive_regions import Regions
from foretell.frontends.fortran.lower.loops import LoopContext, lower_loop
from foretell.frontends.fortran.lower.state import CannotLowerError, Lowering
from foretell.frontends.fortran.lower.statements import STATEMENTS
from foretell.frontends.fortran.scope.declarations import declare_all, subtree
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.frontends.fortran.lower.directive_regions import Directives
    from foretell.frontends.fortran.scope.symbols import Scope
    from foretell.frontends.fortran.text.parse import Node, Tree

#: nodes that are not executable
SPECIFICATIONS = frozenset(
    {
        "subroutine_statement", "function_statement", "program_statement", "module_statement", "submodule_statement",
        "block_data_statement", "module_procedure_statement",
        "end_subroutine_statement", "end_function_statement", "end_program_statement", "end_module_statement",
        "end_submodule_statement", "end_block_data_statement", "end_module_procedure_statement",
        "use_statement", "implicit_statement", "import_statement",
        "variable_declaration", "variable_modification", "parameter_statement", "common_statement",
        "equivalence_statement", "data_statement", "derived_type_definition", "interface", "private_statement",
        "public_statement", "save_statement", "enum", "namelist_statement", "bind_statement", "format_statement",
        "internal_procedures", "contains_statement", "comment", "block_label_start_expression", "block_label",
        "include_statement", "statement_label", "name", "end_block_construct_statement", "end_associate_statement",
        "end_coarray_critical_statement", "association_list", "cray_pointer_declaration",
    }
)  # fmt: skip

_LOOPS = frozenset({"do_loop", "do_label_statement", "where_statement", "forall_statement"})
_MAX_BLOCKS = 60


def _count_loops(node: Node) -> int:
    return sum(part.type in _LOOPS for part in subtree(node))


class Body:
    """Lowers the statements of one procedure."""

    def __init__(self, low: Lowering, tree: Tree, directives: Directives | None, targets: frozenset[str]) -> None:
        self.low = low
        self.tree = tree
        #: None where the procedure has none, as usual
        self.directives = directives
        #: the directives of the next loop
        self.pending: tuple[ir.Directive, ...] = ()
        #: labels that some GOTO uses
        self.targets = targets
        self.loops: list[LoopContext] = []
        #: whether an executable statement has been seen (statement functions end there)
        self.started = False
        self.depth = 0
        #: ENTRY statements: name, arguments, line; each is a label of the same name
        self.entries: list[tuple[str, tuple[str, ...], int]] = []

    # -------------------------------------------------------------------------------------- blocks

    def block(self, nodes: Sequence[Node]) -> tuple[ir.Stmt, ...]:
        """Lowers the statements of one block, with the directives on them."""
        if self.depth >= _MAX_BLOCKS:
            raise CannotLowerError("constructs are nested too deeply")
        self.depth += 1
        try:
            with self.low.collecting() as out:
                if self.directives is None:
                    for node in nodes:
                        if node.type not in SPECIFICATIONS:
                            self.statement(node)
                else:
                    self._with_directives(nodes, self.directives, out)
            return tuple(out)
        finally:
            self.depth -= 1

    def _with_directives(self, nodes: Sequence[Node], directives: Directives, out: list[ir.Stmt]) -> None:
        regions = Regions(out)
        rows = self.tree.rows
        for node in nodes:
            row = node.start_point[0]
            pending = directives.between(rows[row - 1].line if row else 0, rows[row].line)
            on_loop = regions.before(pending, loop=node.type == "do_loop")
            if node.type not in SPECIFICATIONS:
                mark = len(out)
                self.pending = on_loop
                self.statement(node)
                regions.after(mark)
        if nodes:
            last = nodes[-1].end_point[0] - (nodes[-1].end_point[1] == 0)
            if last + 1 < len(rows):
                regions.before(directives.between(rows[last].line, rows[last + 1].line), loop=False)
        regions.finish()

    def statement(self, node: Node) -> None:
        """Lowers one statement; a failure affects this statement only."""
        low = self.low
        row = node.start_point[0]
        statement = self.tree.rows[row]
        low.line = statement.line
        low.depth = 0
        if statement.label and statement.label in self.targets and node.start_point[1] == 0:
            low.emit(ir.Label(statement.label, statement.line))
        mark = len(low.sink)
        try:
            self._dispatch(node, row)
        except (CannotLowerError, RecursionError) as error:
            reason = str(error) if isinstance(error, CannotLowerError) else "the statement is nested too deeply"
            low.line = self.tree.line(node)
            low.sink[mark:] = [ir.Opaque(low.line, reason, _count_loops(node))]

    def _dispatch(self, node: Node, row: int) -> None:
        kind = node.type
        if row in self.tree.bad:
            raise CannotLowerError(f"this does not parse: {self.tree.bad[row][:60]}")
        if kind == "do_loop":
            pending, self.pending = self.pending, ()
            self.started = True
            lower_loop(self, node, pending)
            return
        handler = STATEMENTS.get(kind)
        if handler is None:
            raise CannotLowerError(f"{kind.replace('_', ' ')} is not supported")
        self.started = self.started or kind != "assignment_statement"
        handler(self, node)

    # ------------------------------------------------------------------------------------ inner scopes

    def inner_scope(self, node: Node) -> Scope:
        """A scope for BLOCK or ASSOCIATE, with access to all names around it."""
        scope = self.low.inner("block").scope
        declare_all(scope, self.tree, node)
        return scope

    def inside(self, scope: Scope, nodes: Sequence[Node]) -> tuple[ir.Stmt, ...]:
        """Lowers statements in an inner scope."""
        outer = self.low
        self.low = scope.lowering
        self.low.sink, self.low.line = outer.sink, outer.line
        try:
            return self.block(nodes)
        finally:
            self.low = outer
