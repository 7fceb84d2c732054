"""Calls: math functions by name, user functions inlined across files and languages, all others noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell import limits
from foretell.core.nest.statements import ElementType, Expression, Invoke, Num, Op, Set, Var
from foretell.core.symbolic.poly import ZERO, Poly, apply, symbol
from foretell.frontends.analysis.calls import library, memory_copies
from foretell.frontends.analysis.walk.expressions import (
    address_of,
    component_extent,
    decay,
    evaluate,
    load,
    locate,
    pointer_to,
    scalar,
    shape_of,
)
from foretell.frontends.analysis.walk.given_words import compared_texts
from foretell.frontends.analysis.walk.state import (
    Address,
    CallMark,
    Code,
    Frame,
    Lvalue,
    MarkKind,
    Shape,
    State,
    Sub,
    Value,
    View,
    element_type,
    is_discrete,
    path_text,
    varies,
)
from foretell.frontends.analysis.walk.statements import declare, note_assumptions, store
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.frontends.analysis.calls.call_graph import Index

Result = tuple[Expression, Value]

#: Maximum inlining depth; deeper calls remain calls.
MAX_DEPTH = 12
#: Maximum calls inlined in one function, and in a program at the default time limit (a call takes some 0.2 ms); further
#: calls remain calls. Chains of functions that each call two others would be 2^depth.
MAX_INLINED, MAX_INLINED_IN_PROGRAM = 1_000, 20_000


class Caller:
    """Evaluates calls."""

    sequence: Callable[[State, ir.Body], None]

    def __init__(self, index: Index) -> None:
        self.index = index
        self._left = limits.share(MAX_INLINED_IN_PROGRAM)

    def call(self, state: State, expr: ir.Call, line: int) -> Result:
        name = expr.function
        if expr.target is not None:
            _, target = evaluate(state, expr.target, line)
            if not isinstance(target, Code):
                return self._unknown(state, expr, "a function pointer", line)
            name = target.function
        lowered = name.lower().rstrip("_")
        known = compared_texts(state, lowered, expr.args) if state.texts else None
        if known is not None:
            return _opaque(expr), known
        function = self.index.resolve(name, state.frame.unit)
        if function is not None:
            return self._user(state, expr, function, line)
        plain = library.math_name(name)
        if plain is not None:
            return _math(state, plain, expr, line)
        match expr:
            case ir.Call("size", (ir.Name(identifier, _), ir.Const(int(number), _))):
                return _opaque(expr), _extent(state, identifier, number)
            case ir.Call("size", (ir.Member() as part, ir.Const(int(number), _))):
                return _opaque(expr), component_extent(state, locate(state, part, line), number)
        if lowered in library.ALLOCATORS:
            return Num("&", ElementType("other", 8)), None
        if lowered.startswith("mpi_"):
            return self._message(state, expr, lowered, line)
        if lowered in library.IGNORED:
            for argument in expr.args:
                evaluate(state, argument, line)
            return _opaque(expr), None
        if lowered in memory_copies.NAMES:
            if not memory_copies.run(state, expr, line):
                state.note("assumed" if state.loops else "remark", line, f"{lowered} is not counted")
            return _opaque(expr), None
        return self._unknown(state, expr, name, line)

    # ---- not inlined

    def _unknown(self, state: State, expr: ir.Call, name: str, line: int) -> Result:
        """An external function: noted; values it may modify through its arguments become unknown."""
        trees = []
        by_reference = state.frame.function.language == "fortran"
        inputs = self.index.inputs(state.frame.function)
        for argument in expr.args:
            tree, value = _passed(state, argument, line, by_reference)
            trees.append(tree)
            if not (isinstance(argument, ir.Name) and argument.id in inputs):
                _forget(state, argument, value, line, by_reference)
        kind: MarkKind = "assumed" if state.loops else "remark"
        what = name if name else "a function pointer"
        state.note(kind, line, f"{what} is not among the given files: its work is not counted{_kept(expr, inputs)}")
        state.items.append(CallMark(what, line, (), "unknown"))
        state.items.append(Invoke(what, tuple(trees), line))
        return _opaque(expr), None

    def _separate(self, state: State, expr: ir.Call, function: ir.Function, line: int) -> Result:
        """A call that is not inlined: its loops are separate nests."""
        trees = []
        shown: list[tuple[str, str]] = []
        assigned = self.index.assigns(function)
        for position, argument in enumerate(expr.args):
            tree, value = _passed(state, argument, line, function.language == "fortran")
            trees.append(tree)
            name = function.parameters[position].display if position < len(function.parameters) else f"#{position + 1}"
            shown.append((name, _shown(state, value)))
            shown += _members(state, argument, value, name)
            if position in assigned:
                _forget(state, argument, value, line, by_reference=function.language == "fortran")
        for name in self.index.assigned_globals(function):
            if isinstance(state.env.get(name), Poly):
                state.env[name] = state.unknown(name, line)
        if self.index.is_recursive(function):
            state.note("remark", line, f"{function.display} calls itself: how often is not counted")
        state.items.append(CallMark(function.name, line, tuple(shown), "separate"))
        state.items.append(Invoke(function.name, tuple(trees), line))
        return _opaque(expr), None

    def _message(self, state: State, expr: ir.Call, name: str, line: int) -> Result:
        values = [evaluate(state, argument, line) for argument in expr.args]
        size: Poly | None = None
        if name in library.MESSAGES:
            count_at, type_at = library.MESSAGES[name]
            if type_at < len(expr.args):
                count = values[count_at][1]
                width = _message_type(expr.args[type_at], values[type_at][0])
                size = count * width if isinstance(count, Poly) and width else None
        inputs = self.index.inputs(state.frame.function)
        for argument, (_, value) in zip(expr.args, values, strict=True):
            if isinstance(argument, ir.Name) and argument.id in inputs:
                continue
            if isinstance(argument, ir.AddressOf) or state.frame.function.language == "fortran":
                _forget(state, argument, value, line, by_reference=True)
        state.items.append(CallMark(expr.function, line, (), "message", size))
        return _opaque(expr), None

    # ---- inlined

    def _user(self, state: State, expr: ir.Call, function: ir.Function, line: int) -> Result:
        if not self._expands(state, expr, function, line):
            return self._separate(state, expr, function, line)
        state.items.append(CallMark(function.name, line, (), "inlined"))
        return self._inline(state, expr, function, line)

    @staticmethod
    def _further(state: State) -> str:
        """What is said of calls that are one too many, in the function or in the program."""
        if state.instances >= MAX_INLINED:
            return f"more than {MAX_INLINED} calls: the work of further ones is not counted"
        most = limits.share(MAX_INLINED_IN_PROGRAM)
        return f"more than {most} calls: the work of further ones is not counted (--limit-time raises this limit)"

    def _expands(self, state: State, expr: ir.Call, function: ir.Function, line: int) -> bool:
        """Whether a call is inlined.

        Functions without loops always are. Static ones with loops are if they work on the current iteration (an
        argument depends on a loop variable, or was declared inside a loop) or have a function as an argument."""
        if function.name in state.stack or len(state.stack) >= MAX_DEPTH or not self.index.inlines(function):
            return False
        if state.instances >= MAX_INLINED or self._left <= 0:
            if not state.dry:
                state.note("assumed", line, self._further(state))
            return False
        if not self.index.has_loops(function):
            return True
        if not function.static:
            return False
        open_loops = frozenset(loop.variable for loop in state.loops)
        held, state.items = state.items, []
        values = [_passed(state, argument, line, True)[1] for argument in expr.args]
        state.items = held
        return any(_belongs(state, value, open_loops) for value in values)

    def _inline(self, state: State, expr: ir.Call, function: ir.Function, line: int) -> Result:
        state.instances += 1
        self._left -= 1
        caller = state.frame
        prefix = f"~{state.instances}"
        frame = Frame(
            function,
            self.index.unit_of(function),
            prefix,
            self.index.variables(function),
            result=f"{function.display}{prefix}",
            loops=len(state.loops),
            branches=state.branches,
        )
        arguments = [
            (argument, *_passed(state, argument, line, _is_array(function, position)))
            for position, argument in enumerate(expr.args)
        ]
        bound = self._bind(state, caller, frame, arguments, line)
        state.frame = frame
        state.stack.append(function.name)
        for variable in function.locals:
            declare(state, state.key(variable.id), variable)
        note_assumptions(state, function)
        self.sequence(state, function.body)
        state.stack.pop()
        outcome = self._outcome(state, frame, line)
        copied = [(argument, state.env.get(key)) for argument, key in bound]
        state.frame = caller
        for argument, value in copied:
            _copy_back(state, argument, value, line)
        return outcome

    def _bind(
        self, state: State, caller: Frame, frame: Frame, arguments: list[tuple[ir.Expr, Expression, Value]], line: int
    ) -> list[tuple[ir.Expr, str]]:
        """Binds parameters to their arguments; returns the scalars to copy back."""
        back: list[tuple[ir.Expr, str]] = []
        assigned = self.index.assigns(frame.function)
        for position, variable in enumerate(frame.function.parameters):
            key = variable.id + frame.prefix
            if position >= len(arguments):
                continue
            argument, tree, value = arguments[position]
            state.display[key] = variable.display
            if isinstance(variable.type, ir.Array):
                self._bind_array(state, caller, frame, key, variable, argument, value, line)
            elif isinstance(variable.type, ir.Pointer):
                known = isinstance(value, Address | Code)
                state.env[key] = value if known else _reference(state, argument, key, variable.type, line)
            else:
                value = _by_value(state, variable, value, line)
                state.scalars[key] = element_type(variable.type)
                state.env[key] = value
                if not isinstance(value, Address | Code):
                    state.items.append(Set(variable.display + frame.prefix, tree, element_type(variable.type), line))
                if variable.by_reference and position in assigned:
                    back.append((argument, key))
        return back

    def _bind_array(
        self,
        state: State,
        caller: Frame,
        frame: Frame,
        key: str,
        variable: ir.Variable,
        argument: ir.Expr,
        value: Value,
        line: int,
    ) -> None:
        """Maps a dummy array to its actual argument."""
        assert isinstance(variable.type, ir.Array)
        state.display[key] = variable.display
        actual = _whole_array(state, argument)
        state.frame = frame
        shape = shape_of(state, variable.type, line)
        state.frame = caller
        if actual is not None and _same_shape(shape, actual[1]):
            state.views[key] = View(actual[0], shape, actual[1])
            return
        if not isinstance(value, Address):
            state.shapes[key] = shape
            return
        if len(value.path) == 2 and isinstance(value.path[-1], Sub) and value.path[-1].value == ZERO:
            state.views[key] = View(Lvalue(value.path[:-1], variable.type), shape, shape)
            return
        state.views[key] = View(value, shape)

    def _outcome(self, state: State, frame: Frame, line: int) -> Result:
        kind = element_type(frame.function.result)
        if frame.function.result_variable is not None:
            key = frame.function.result_variable + frame.prefix
            value = state.env.get(key)
            return scalar(state.display.get(key, key) + frame.prefix, kind, value)
        value = state.env.get(frame.result)
        return scalar(frame.result, kind, value) if frame.result_tree is None else (frame.result_tree, value)


# ---------------------------------------------------------------------------------------------- arguments


def _passed(state: State, argument: ir.Expr, line: int, as_reference: bool) -> Result:
    """Evaluates an argument; an element passed by reference is not counted as read."""
    if not as_reference or not isinstance(argument, ir.Index | ir.Member):
        return evaluate(state, argument, line)
    lvalue = locate(state, argument, line)
    where = decay(state, lvalue) if isinstance(lvalue.type, ir.Array) else pointer_to(lvalue)
    reads = list(lvalue.loads)
    tree: Expression = Num("&", ElementType("other", 8))
    return (Op("cast", (tree, *reads), tree.type) if reads else tree), where


def _belongs(state: State, value: Value, open_loops: frozenset[str]) -> bool:
    """Whether an argument is a function, or local to the current iteration."""
    if isinstance(value, Code):
        return True
    if isinstance(value, Poly):
        return value.depends_on(open_loops)
    if not isinstance(value, Address):
        return False
    return state.born.get(str(value.path[0]), 0) > 0 or varies(value.path, open_loops)


def _is_array(function: ir.Function, position: int) -> bool:
    return position < len(function.parameters) and isinstance(function.parameters[position].type, ir.Array)


def _by_value(state: State, variable: ir.Variable, value: Value, line: int) -> Value:
    """The value of a scalar parameter; one passed by address from the other language is dereferenced."""
    if isinstance(value, Address) and isinstance(variable.type, ir.Scalar):
        return load(state, Lvalue(value.path, variable.type), line)[1]
    return value


def _reference(state: State, argument: ir.Expr, key: str, kind: ir.Pointer, line: int) -> Address:
    """The address of a Fortran actual argument for a C pointer parameter."""
    if isinstance(argument, ir.Name | ir.Index | ir.Member):
        return address_of(state, argument, line)
    return Address((key, Sub(ZERO)), kind.target)


def _whole_array(state: State, argument: ir.Expr) -> tuple[Lvalue, Shape] | None:
    if not isinstance(argument, ir.Name) or not isinstance(argument.type, ir.Array):
        return None
    key = state.key(argument.id)
    if key in state.views:
        view = state.views[key]
        return (view.base, view.actual) if isinstance(view.base, Lvalue) else None
    shape = state.shapes.get(key)
    return None if shape is None else (Lvalue((key,), argument.type), shape)


def _same_shape(dummy: Shape, actual: Shape) -> bool:
    """Whether ranks are equal, and all extents except the slowest are equal or assumed from the argument."""
    if len(dummy) != len(actual):
        return False
    return all(d is None or d == a for (d, _), (a, _) in zip(dummy[1:], actual[1:], strict=True))


def _copy_back(state: State, argument: ir.Expr, value: Value, line: int) -> None:
    if isinstance(argument, ir.AddressOf):
        argument = argument.target
    if isinstance(argument, ir.Name):
        key = state.key(argument.id)
        if isinstance(value, Poly):
            state.env[key] = value
        else:
            state.env.pop(key, None)
    elif isinstance(argument, ir.Member | ir.Index | ir.Deref):
        lvalue = locate(state, argument, line)
        store(state, lvalue, Num(0, element_type(lvalue.type)), value, line)


def _kept(call: ir.Call, inputs: frozenset[str]) -> str:
    """End of a note: which integers that are passed to an unknown procedure are taken as unchanged."""
    names = [argument.id for argument in call.args if isinstance(argument, ir.Name) and argument.id in inputs]
    return f", {', '.join(dict.fromkeys(names))} taken as unchanged" if names else ""


def _forget(state: State, argument: ir.Expr, value: Value, line: int, by_reference: bool) -> None:
    """Invalidates a scalar whose address was passed to a call."""
    if isinstance(argument, ir.AddressOf):
        argument = argument.target
    elif not by_reference:
        return
    if isinstance(argument, ir.Name):
        key = state.key(argument.id)
        fixed = state.storage.get(key) == "constant"
        if isinstance(state.env.get(key), Poly) and isinstance(argument.type, ir.Scalar) and not fixed:
            state.env[key] = state.unknown(key, line if key in state.owners.values() else 0)


def _members(state: State, argument: ir.Expr, value: Value, name: str) -> list[tuple[str, str]]:
    """Known numbers in a struct that is passed: its integer members, and the extents of its arrays."""
    if isinstance(value, Address):
        root = path_text(tuple(part for part in value.path if not isinstance(part, Sub)), state.display)
    elif isinstance(argument, ir.Name) and isinstance(argument.type, ir.Record):
        root = state.display.get(state.key(argument.id), argument.id)
    else:
        return []
    known = [(key, held) for key, held in state.env.items() if isinstance(key, str) and key.startswith(f"{root}.")]
    return [(name + key.removeprefix(root), str(held)) for key, held in known if isinstance(held, Poly)]


def _shown(state: State, value: Value) -> str:
    if isinstance(value, Poly):
        return str(value)
    if isinstance(value, Address):
        return path_text(value.path, state.display)
    return value.function if isinstance(value, Code) else ""


# ---------------------------------------------------------------------------------------------- arithmetic


def _extent(state: State, identifier: str, number: int) -> Poly:
    """Fortran's size(array, number) where no declaration gives it: a parameter that the user sets."""
    key = state.key(identifier)
    return symbol(state.fresh(f"{state.display.get(key, identifier)}_size{number}", f"size {key} {number}"))


def _opaque(expr: ir.Call) -> Expression:
    return Var(f"{expr.function}()", element_type(expr.type))


def _math(state: State, name: str, expr: ir.Call, line: int) -> Result:
    results = [evaluate(state, argument, line) for argument in expr.args]
    trees = tuple(tree for tree, _ in results)
    values = [value for _, value in results]
    kind = element_type(expr.type)
    operand = trees[0].type if trees else kind
    tree = Op(name, trees, kind, operand)
    if name == "int" and operand.kind in ("int", "uint") and trees:
        return trees[0], values[0]
    if is_discrete(kind) and name in library.INTEGER and all(isinstance(value, Poly) for value in values):
        return tree, apply(library.INTEGER[name], tuple(v for v in values if isinstance(v, Poly)))
    return tree, None


def _message_type(argument: ir.Expr, tree: Expression) -> int | None:
    name = argument.id if isinstance(argument, ir.Name) else str(getattr(tree, "name", ""))
    return library.MESSAGE_TYPES.get(name.lower())
