"""Lowers C statements to IR statements."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.frontends.c.lower import fold, switches
from foretell.frontends.c.lower.initialisers import Initialisers
from foretell.frontends.c.lower.loops import Counted, Counting, Head
from foretell.frontends.c.lower.lvalues import mentions
from foretell.frontends.c.lower.operands import Full, UnlowerableError
from foretell.frontends.c.lower.writes import owns_jump
from foretell.frontends.c.parse.clang import LOOPS, Kind
from foretell.frontends.source import ir
from foretell.frontends.source.directives import stands_alone

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.frontends.c.lower.expressions import Expressions
    from foretell.frontends.c.lower.statics import Statics
    from foretell.frontends.c.lower.writes import Writes

#: Statements nested deeper than this become Opaque, so that no later pass needs a deep stack.
MAX_NESTING = 200
_EXTERN, _STATIC = 2, 3
_ONE = ir.Const(1, ir.INT)
_MODELLED = frozenset({"omp", "acc", "foretell"})
#: kinds of clang's statements that are not lowered, in words
_UNMODELLED = {
    **dict.fromkeys((203, 204), "a case inside of another statement of its switch"),
    211: "a computed goto",
    215: "inline assembly",
}
#: roles of the parts of a `for` → which of initialisation, test and increment are present
_SLOTS = {
    ("init",): (True, False, False),
    ("test",): (False, True, False),
    ("init", "test"): (True, True, False),
    ("init", "effect"): (True, False, True),
    ("effect", "test"): (True, True, False),
    ("test", "effect"): (False, True, True),
    ("effect", "effect"): (True, False, True),
}


class Statements:
    """Lowers the body of one function."""

    def __init__(
        self, expressions: Expressions, writes: Writes, pragmas: list[ir.Directive], statics: Statics, *, trusted: bool
    ) -> None:
        self._tree = expressions.tree
        self._types = expressions.types
        self._scope = expressions.scope
        self._source = expressions.source
        self._expressions = expressions
        self._initialisers = Initialisers(expressions)
        self._counting = Counting(expressions, writes)
        self._directives = pragmas
        self._statics = statics
        self._trusted = trusted  # no error inside: clang's constant conditions can be trusted
        #: number of `do { … } while (0)` that are no loops
        self.dissolved = 0
        self._file = -1
        self._nesting = 0
        self._labels = 0
        #: whether there are labels that are targets of gotos
        self.labelled = False
        expressions.block = self._expression_block
        self._lower: dict[int, Callable[[int], Sequence[ir.Stmt]]] = {
            Kind.COMPOUND: self._compound,
            Kind.DECLARATION: self._declaration,
            Kind.IF: self._if,
            Kind.SWITCH: self._switch,
            Kind.GOTO: self._goto,
            Kind.LABEL: self._label,
            Kind.BREAK: lambda node: (ir.Jump("break", self._tree.line[node]),),
            Kind.CONTINUE: lambda node: (ir.Jump("continue", self._tree.line[node]),),
            Kind.RETURN: self._return,
            Kind.NULL: lambda _: (),
        }

    def body(self, node: int) -> tuple[ir.Stmt, ...]:
        """Lowers the statements of a function's body."""
        self._file = self._tree.file[node]
        return tuple(self._compound(node))

    # ------------------------------------------------------------------------------------------ one statement

    def _statement(self, node: int) -> list[ir.Stmt]:
        """Lowers one statement with the directives before it."""
        while self._tree.kind[node] == Kind.UNEXPOSED_STATEMENT and self._tree.children(node):
            node = self._tree.children(node)[-1]  # clang represents `#pragma unroll` as an attribute
        directives = self._taken(node, self._tree.line[node])
        bound = tuple(d for d in directives if not stands_alone(d))
        result: list[ir.Stmt] = [ir.Annotated((d,), (), d.line) for d in directives if stands_alone(d)]
        if self._tree.kind[node] in LOOPS:
            lowered = self._guarded(node, lambda: self._loop(node, bound))
            return result + (lowered if self._trusted else self._ended(node, lowered))
        lowered = self._guarded(node, lambda: self._plain(node))
        bound = tuple(d for d in bound if d.dialect in _MODELLED)
        if bound:
            lowered = [ir.Annotated(bound, tuple(lowered), bound[0].line)]
        return result + lowered

    def _guarded(self, node: int, lower: Callable[[], Sequence[ir.Stmt]]) -> list[ir.Stmt]:
        """Lowers a node; on failure an Opaque with the number of loops it contains."""
        self._expressions.line = self._tree.line[node] or self._expressions.line
        self._nesting += 1
        try:
            if self._nesting > MAX_NESTING:
                raise UnlowerableError(f"statements nested more than {MAX_NESTING} deep")
            return list(lower())
        except UnlowerableError as error:
            loops = len(self._tree.inside(self._tree.loops, node, self._tree.end[node]))
            return [ir.Opaque(self._expressions.line, str(error), loops)]
        finally:
            self._nesting -= 1

    def _plain(self, node: int) -> Sequence[ir.Stmt]:
        kind = self._tree.kind[node]
        lower = self._lower.get(kind)
        if lower is not None:
            return lower(node)
        if Kind.UNEXPOSED <= kind <= Kind.LAST_EXPRESSION:
            return self._expressions.discard(node)
        if kind >= 400 or kind < Kind.UNEXPOSED:  # attributes and declarations without effect
            return ()
        what = _UNMODELLED.get(kind, f"a statement of clang's kind {kind}")
        raise UnlowerableError(f"{what} is not modelled")

    def _taken(self, node: int, last: int) -> list[ir.Directive]:
        """Takes the directives since the previous statement up to a line."""
        result = []
        if self._tree.file[node] == self._file:
            while self._directives and self._directives[0].line <= last:
                result.append(self._directives.pop(0))
        return result

    def _compound(self, node: int) -> list[ir.Stmt]:
        result: list[ir.Stmt] = []
        for child in self._tree.children(node):
            result += self._statement(child)
        rest = self._taken(node, self._tree.end_line[node] - 1)
        return result + [ir.Annotated((d,), (), d.line) for d in rest if d.dialect in _MODELLED]

    def _expression_block(self, compound: int) -> tuple[tuple[ir.Stmt, ...], int | None]:
        """Lowers ({ … }): its statements, and the last expression, which is its value."""
        *children, last = self._tree.children(compound) or [compound]
        is_value = Kind.UNEXPOSED <= self._tree.kind[last] <= Kind.LAST_EXPRESSION
        statements = [s for child in children for s in self._statement(child)]
        if not is_value:
            return (*statements, *(self._statement(last) if last != compound else ())), None
        if isinstance(self._expressions.type(last), ir.Void):
            return (*statements, *self._expressions.discard(last)), None
        return tuple(statements), last

    # ------------------------------------------------------------------------------------------ declarations

    def _declaration(self, node: int) -> list[ir.Stmt]:
        result: list[ir.Stmt] = []
        for child in self._tree.children(node):
            if self._tree.kind[child] == Kind.VARIABLE:
                result += self._variable(child)
            elif self._tree.kind[child] == Kind.TYPEDEF:
                result += self._expressions.extents(self._tree.type[child], self._tree.expressions(child), child)
        return result

    def _variable(self, node: int) -> list[ir.Stmt]:
        tree = self._tree
        index = tree.ref[node]
        declaration = tree.declarations[index]
        if declaration.storage == _EXTERN:
            return []
        written = tree.expressions(node)
        init = written[-1] if tree.op[node] == 1 and written else None
        sizes = self._expressions.extents(tree.type[node], written[:-1] if init is not None else written, node)
        kind = self._types(tree.type[node])
        if declaration.storage == _STATIC:
            self._statics.declare(node, kind, init, self._initialisers)
            return list(sizes)
        variable = self._scope.declare(index, declaration.name, kind, "local", tree.line[node])
        line = self._expressions.line = tree.line[node]
        if init is None:
            return [*sizes, ir.Declare(variable.id, None, line)]
        if self._initialisers.is_list(init):
            assigned = self._initialisers.assign(ir.Name(variable.id, kind), init, line)
            return [*sizes, ir.Declare(variable.id, None, line), *assigned]
        full = self._expressions.full(init)
        if isinstance(full.value, ir.Const) and isinstance(kind, ir.Scalar) and self._types.is_const(tree.type[node]):
            self._scope.update(index, value=full.value, storage="constant")
            return []
        return [*sizes, *full.before, ir.Declare(variable.id, full.value, line), *full.after]

    # ------------------------------------------------------------------------------------------ branches and jumps

    def _condition(self, node: int) -> tuple[tuple[ir.Stmt, ...], ir.Expr]:
        """The side effects of a condition, and its value after them."""
        return self._expressions.completed(self._expressions.full(node), node, self._expressions.line)

    def _if(self, node: int) -> list[ir.Stmt]:
        parts = self._tree.children(node)
        if len(parts) < 2:
            raise UnlowerableError("an if that clang could not make sense of")
        effects, condition = self._condition(parts[0])
        then = tuple(self._statement(parts[1]))
        other = tuple(self._statement(parts[2])) if len(parts) > 2 else ()
        return [*effects, ir.If(condition, then, other, self._tree.line[node])]

    def _return(self, node: int) -> list[ir.Stmt]:
        parts = self._tree.expressions(node)
        effects: tuple[ir.Stmt, ...] = ()
        value = None
        if parts and isinstance(self._expressions.type(parts[0]), ir.Void):
            effects = self._expressions.discard(parts[0])
        elif parts:
            effects, value = self._condition(parts[0])
        return [*effects, ir.Jump("return", self._tree.line[node], value)]

    def _goto(self, node: int) -> list[ir.Stmt]:
        target = self._tree.ref[node + 1] if self._tree.end[node] > node + 1 else -1
        if target < 0:
            raise UnlowerableError("a goto without a label")
        return [ir.Jump("goto", self._tree.line[node], label=self._tree.declarations[target].name)]

    def _label(self, node: int) -> list[ir.Stmt]:
        self.labelled = True
        name = str(self._tree.literals[self._tree.op[node]])
        statements = [s for child in self._tree.children(node) for s in self._statement(child)]
        return [ir.Label(name, self._tree.line[node]), *statements]

    def _switch(self, node: int) -> list[ir.Stmt]:
        parts = self._tree.children(node)
        if len(parts) != 2:
            raise UnlowerableError("a switch that clang could not make sense of")
        effects, selector = self._condition(parts[0])
        sections: list[switches.Section] = []
        for child in self._tree.children(parts[1]) if self._tree.kind[parts[1]] == Kind.COMPOUND else [parts[1]]:
            self._section(child, sections)
        self._labels += 1
        end = f"switch%{self._labels}"
        cases = switches.cases_of(sections, end)
        if cases is None:
            raise UnlowerableError("a switch with long cases that fall through")
        line = self._tree.line[node]
        self.labelled = self.labelled or cases[1]
        return [*effects, ir.Switch(selector, cases[0], line), *([ir.Label(end, line)] if cases[1] else ())]

    def _section(self, node: int, sections: list[switches.Section]) -> None:
        """Processes a child of a switch's body: labels open a section, other statements continue one."""
        tree = self._tree
        if tree.kind[node] not in (Kind.CASE, Kind.DEFAULT):
            lowered = self._statement(node)
            if sections:
                sections[-1].body += lowered
            elif any(isinstance(s, ir.Loop | ir.While | ir.Opaque) for s in lowered):
                raise UnlowerableError("statements before the first case of a switch")
            return
        if not sections or sections[-1].body:
            sections.append(switches.Section())
        parts = tree.children(node)
        if tree.kind[node] == Kind.CASE:
            sections[-1].labels.append(self._case_labels(parts[:-1]))
        else:
            sections[-1].is_default = True
        if parts and (tree.kind[node] == Kind.DEFAULT or len(parts) > 1):
            self._section(parts[-1], sections)

    def _case_labels(self, nodes: list[int]) -> tuple[ir.Expr, ...]:
        values = [self._expressions.value(node) for node in nodes]
        ends = [v.value for v in values if isinstance(v, ir.Const) and isinstance(v.value, int)]
        if len(ends) == 2 and 0 <= ends[1] - ends[0] < 256:  # GNU's case 1 ... 5
            return tuple(ir.Const(value, ir.INT) for value in range(ends[0], ends[1] + 1))
        if len(values) != 1:
            raise UnlowerableError("a case label that is not modelled")
        return tuple(values)

    # ------------------------------------------------------------------------------------------ loops

    def _loop(self, node: int, directives: tuple[ir.Directive, ...]) -> list[ir.Stmt]:
        kind, line = self._tree.kind[node], self._tree.line[node]
        if kind == Kind.DO:
            return self._do(node, directives)
        head = self._head(node)
        if head is None:
            raise UnlowerableError("a loop whose head clang could not make sense of")
        initial: list[ir.Stmt] = []  # first: the test may use a variable declared there
        if head.init is not None and self._tree.kind[head.init] == Kind.DECLARATION:
            initial = self._declaration(head.init)
        elif head.init is not None:
            initial = list(self._expressions.discard(head.init))
        counted = self._counting.counted(head)
        if counted is not None:
            return self._counted(head, initial, counted, line, directives)
        return [*initial, *self._while(head, line, directives)]

    def _ended(self, node: int, lowered: list[ir.Stmt]) -> list[ir.Stmt]:
        """Sets the last line of a loop, which tells whether it contains an error."""
        tree, inside = self._tree, slice(node, self._tree.end[node])
        end = max(*tree.line[inside], *tree.end_line[inside])
        return [
            replace(s, end_line=end) if isinstance(s, ir.Loop | ir.While) and s.line == tree.line[node] else s
            for s in lowered
        ]

    def _head(self, node: int) -> Head | None:
        """The parts of a loop: clang omits empty ones of a `for`, so the text tells which are present."""
        parts = self._tree.children(node)
        if self._tree.kind[node] == Kind.WHILE:
            return Head(None, parts[0], None, parts[1]) if len(parts) == 2 else None
        if not parts or len(parts) > 4:
            return None
        given = self._given_slots(node, parts[:-1])
        if given is None:
            return None
        remaining = iter(parts)
        init, condition, increment = (next(remaining) if present else None for present in given)
        return Head(init, condition, increment, parts[-1])

    def _given_slots(self, node: int, parts: list[int]) -> tuple[bool, ...] | None:
        """Which of the three parts are present. In a head inside a macro, declarations and assignments are not tests; a
        single side effect may be the first or the last part: that is not guessed."""
        if len(parts) in (0, 3):
            return (bool(parts),) * 3
        slots = None
        if self._source is not None and self._tree.file[node] == self._file:
            slots = self._source.for_slots(self._tree.offset[node])
        if slots is not None and sum(slots) == len(parts):
            return slots
        return _SLOTS.get(tuple(self._role(part) for part in parts))

    def _role(self, node: int) -> str:
        tree = self._tree
        if tree.kind[node] == Kind.DECLARATION:
            return "init"
        while tree.kind[node] in (Kind.PAREN, Kind.UNEXPOSED) and tree.last_expression(node) >= 0:
            node = tree.last_expression(node)
        is_effect = (
            tree.kind[node] in (Kind.COMPOUND_ASSIGN, Kind.CALL)
            or (tree.kind[node] == Kind.BINARY and tree.op[node] >= 22)
            or (tree.kind[node] == Kind.UNARY and 1 <= tree.op[node] <= 4)
        )
        return "effect" if is_effect else "test"

    def _counted(
        self, head: Head, initial: list[ir.Stmt], counted: Counted, line: int, directives: tuple[ir.Directive, ...]
    ) -> list[ir.Stmt]:
        lower = self._lower_bound(initial, counted)
        variable = self._expressions.variable(counted.variable)
        body = self._statement(head.body)
        for extra in counted.extra:
            body += self._expressions.discard(extra)
        loop = ir.Loop(
            variable.id,
            lower,
            counted.upper,
            counted.step,
            tuple(body),
            line,
            directives,
            local=self._declared_in(head.init, counted.variable),
            exact_end=counted.exact_end,
        )
        return [*initial, loop]

    def _lower_bound(self, initial: list[ir.Stmt], counted: Counted) -> ir.Expr:
        """The first value. The last statement that sets the counter is removed from `initial` and becomes the bound,
        if nothing after it reads the counter."""
        variable = self._expressions.variable(counted.variable)
        first: ir.Expr = ir.Name(variable.id, variable.type)
        for position, statement in reversed(list(enumerate(initial))):
            value = _value_set(statement, variable.id)
            if value is not None:
                if not any(_reads(later, variable.id) for later in initial[position + 1 :]):
                    first = value
                    del initial[position]
                break
        return fold.plus(first, counted.offset)

    def _declared_in(self, init: int | None, variable: int) -> bool:
        if init is None or self._tree.kind[init] != Kind.DECLARATION:
            return False
        return any(self._tree.ref[child] == variable for child in self._tree.children(init))

    def _while(self, head: Head, line: int, directives: tuple[ir.Directive, ...]) -> list[ir.Stmt]:
        """while (c) body: effects before the test are executed before the loop and at the end of each iteration."""
        test = Full((), _ONE, ()) if head.condition is None else self._expressions.full(head.condition)
        body = tuple(self._statement(head.body))
        step = self._expressions.discard(head.increment) if head.increment is not None else ()
        if not (test.before or self._expressions.may_follow(test) or owns_jump(self._tree, head.body, Kind.BREAK)):
            # the effect after a successful test starts the body; after the failing test it follows the loop
            return [ir.While(test.value, (*test.after, *body), line, step, directives=directives), *test.after]
        again, value = self._expressions.completed(test, head.condition or 0, line)
        return [*again, ir.While(value, body, line, (*step, *again), directives=directives)]

    def _do(self, node: int, directives: tuple[ir.Directive, ...]) -> list[ir.Stmt]:
        parts = self._tree.children(node)
        if len(parts) != 2:
            raise UnlowerableError("a do loop whose condition clang could not make sense of")
        line = self._tree.line[node]
        body = tuple(self._statement(parts[0]))
        test = self._expressions.full(parts[1])
        jumps = any(owns_jump(self._tree, parts[0], jump) for jump in (Kind.BREAK, Kind.CONTINUE))
        never = isinstance(test.value, ir.Const) and not test.value.value and test.pure
        if never and not jumps and self._trusted:  # do { … } while (0), the idiom of macros
            self.dissolved += 1
            return list(body)
        step, value = self._expressions.completed(test, parts[1], line)
        return [ir.While(value, body, line, step, test_last=True, directives=directives)]


def _value_set(statement: ir.Stmt, variable: str) -> ir.Expr | None:
    """The value that a statement assigns to a variable."""
    if isinstance(statement, ir.Declare) and statement.variable == variable:
        return statement.init
    if isinstance(statement, ir.Assign) and isinstance(statement.target, ir.Name) and statement.target.id == variable:
        return None if statement.compound else statement.value
    return None


def _reads(statement: ir.Stmt, variable: str) -> bool:
    """Whether a statement of a loop's initialisation uses a variable (assumed for all but plain ones)."""
    match statement:
        case ir.Assign(target, value):
            return mentions(target, variable) or mentions(value, variable)
        case ir.Declare(_, init):
            return init is not None and mentions(init, variable)
        case _:
            return True
