"""Symbolic evaluation of expressions: a tree for operation counts and code, and a value for integers and pointers."""

from __future__ import annotations

from foretell.core.nest.statements import ElementType, Expression, Num, Op, Ref, Var
from foretell.core.symbolic.poly import ONE, ZERO, Poly, element, maximum, minimum, number, symbol
from foretell.frontends.analysis.subscripts.struct_layout import field_of
from foretell.frontends.analysis.walk import arithmetic, branch_probability, conditions, program_arguments
from foretell.frontends.analysis.walk.given_words import same_text
from foretell.frontends.analysis.walk.state import (
    Address,
    Code,
    Lvalue,
    Path,
    Shape,
    State,
    Sub,
    Value,
    View,
    element_type,
    is_discrete,
    path_text,
)
from foretell.frontends.source import ir

Result = tuple[Expression, Value]

BOOL = ElementType("bool", 1)
_POINTER = ElementType("other", 8)
_COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
#: tuples, because `A | B` is constructed anew at each use
_AGGREGATES = (ir.Array, ir.Record)
_PARTS = (ir.Index, ir.Member, ir.Deref)


def evaluate(state: State, expr: ir.Expr, line: int) -> Result:
    """The tree and the value of an expression."""
    if isinstance(expr, ir.Name):
        return _name(state, expr)
    if isinstance(expr, ir.Const):
        return _constant(expr.value, element_type(expr.type))
    if isinstance(expr, ir.Binary):
        return _binary(state, expr, line)
    if isinstance(expr, ir.Index):
        return load(state, _index(state, expr.base, expr.subscripts, line), line)
    match expr:
        case ir.Deref(ir.Name() as pointer) if isinstance(state.env.get(state.key(pointer.id)), Code):
            return Num("&", _POINTER), state.env[state.key(pointer.id)]
        case ir.Deref(ir.Member() | ir.Index() as pointer) if isinstance(ir.type_of(expr), ir.Procedure):
            return evaluate(state, pointer, line)
        case ir.Member() | ir.Deref():
            return load(state, locate(state, expr, line), line)
        case ir.AddressOf(target):
            loads = locate(state, target, line).loads
            tree = Op("&", loads, _POINTER) if loads else Num("&", _POINTER)
            return tree, address_of(state, target, line)
        case ir.Unary(op, operand):
            return _unary(state, op, operand, line)
        case ir.Cast(kind, operand):
            return _cast(state, kind, operand, line)
        case ir.Select():
            return _select(state, expr, line)
        case ir.Call():
            assert state.call is not None
            return state.call(state, expr, line)


def integer(state: State, expr: ir.Expr, line: int) -> Poly:
    """The value of an integer expression; a fresh symbol where unknown."""
    return as_integer(state, evaluate(state, expr, line)[1], line)


def as_integer(state: State, value: Value, line: int) -> Poly:
    return value if isinstance(value, Poly) else state.unknown_data("value", line)


# ---------------------------------------------------------------------------------------------- leaves


def _constant(value: int | float | complex | bool | str, kind: ElementType) -> Result:
    whole = value if isinstance(value, int) and kind.kind not in ("float", "complex") else None
    return Num(value, kind), None if whole is None else number(int(whole))


def _name(state: State, expr: ir.Name) -> Result:
    key = state.key(expr.id)
    if isinstance(expr.type, _AGGREGATES):
        return Num("&", _POINTER), decay(state, Lvalue((key,), expr.type))
    if key in state.literals:
        return state.literals[key], state.env.get(key)
    kind = element_type(expr.type)
    if isinstance(expr.type, ir.Procedure):
        return Num(expr.id, _POINTER), Code(expr.id)
    return scalar(state.label(key), kind, scalar_value(state, key, expr))


def scalar(label: str, kind: ElementType, value: Value) -> Result:
    """A scalar with its value; only integers are shown in the tree."""
    return Var(label, kind, value if isinstance(value, Poly) else None), value


def scalar_value(state: State, key: str, expr: ir.Name) -> Value:
    """The value of a scalar or pointer variable; unknown integers become symbols of their own name."""
    if key in state.env:
        return state.env[key]
    if isinstance(expr.type, ir.Pointer):
        whole = state.frame.function.language == "fortran" and isinstance(expr.type.target, ir.Array)
        state.env[key] = Address((key,) if whole else (key, Sub(ZERO)), expr.type.target)
    elif is_discrete(element_type(expr.type)):
        state.env[key] = symbol(state.fresh(state.display.get(key, expr.id), key))
    return state.env.get(key)


# --------------------------------------------------------------------------------------------- lvalues


def locate(state: State, expr: ir.Expr, line: int) -> Lvalue:
    """The location that an lvalue expression refers to."""
    if isinstance(expr, ir.Name):
        return Lvalue((state.key(expr.id),), expr.type)
    if isinstance(expr, ir.Index):
        return _index(state, expr.base, expr.subscripts, line)
    match expr:
        case ir.Member(base, name, kind):
            inner = locate(state, base, line)
            return Lvalue((*inner.path, field_of(name, inner.type)), kind, inner.loads)
        case ir.Deref(pointer):
            tree, value = evaluate(state, pointer, line)
            address = as_address(state, value, line)
            irregular = address.path[0] in state.irregular  # along a linked list: a different record each time
            if isinstance(address.target, ir.Record) and _at_start(address.path) and not irregular:
                return Lvalue(address.path[:-1], address.target, loads_in(tree))
            root = str(address.path[0])
            if _is_one_number(state, address):
                state.pointed.add(root)
                state.display.setdefault(f"*{root}", state.display.get(root, root))
            return Lvalue(address.path, address.target, loads_in(tree))
        case ir.Cast(kind, operand):
            inner = locate(state, operand, line)
            return Lvalue(inner.path, kind, inner.loads)
    _, value = evaluate(state, expr, line)
    address = as_address(state, value, line)
    return Lvalue(address.path, address.target)


def _is_one_number(state: State, address: Address) -> bool:
    """Whether `*p` is the single number of a pointer parameter, and not an array's first element."""
    root = address.path[0]
    if len(address.path) != 2 or not _at_start(address.path) or not isinstance(address.target, ir.Scalar):
        return False
    return state.storage.get(str(root)) == "parameter" and root not in state.irregular


def _at_start(path: Path) -> bool:
    last = path[-1]
    return isinstance(last, Sub) and not last.value.terms and last.extent is None


def as_address(state: State, value: Value, line: int) -> Address:
    """A pointer value; one that cannot be resolved refers to an object of its own."""
    if isinstance(value, Address):
        return value
    name = state.fresh("pointer", f"pointer@{line}")
    state.note("assumed", line, "a pointer that cannot be followed is assumed to point to an array of its own")
    return Address((name, Sub(ZERO)), ir.Unknown())


def _index(state: State, base: ir.Expr, subscripts: tuple[ir.Expr, ...], line: int) -> Lvalue:
    base_type = ir.type_of(base)
    if isinstance(base_type, _AGGREGATES) or isinstance(base, _PARTS):
        lvalue = locate(state, base, line)
    else:
        tree, value = evaluate(state, base, line)
        address = as_address(state, value, line)
        lvalue = Lvalue(address.path, ir.Pointer(address.target), loads_in(tree))
        lvalue = _through(state, lvalue, address, subscripts[0], line)
        subscripts = subscripts[1:]
    while subscripts:
        if isinstance(lvalue.type, ir.Array):
            taken = min(len(subscripts), len(lvalue.type.dims))
            lvalue = _into_array(state, lvalue, subscripts[:taken], line)
            subscripts = subscripts[taken:]
        else:
            _, value = load(state, lvalue, line)
            lvalue = _through(state, lvalue, as_address(state, value, line), subscripts[0], line)
            subscripts = subscripts[1:]
    return lvalue


def _through(state: State, lvalue: Lvalue, address: Address, subscript: ir.Expr, line: int) -> Lvalue:
    tree, value = evaluate(state, subscript, line)
    moved = address.moved(as_integer(state, value, line))
    target = address.target
    if isinstance(target, ir.Unknown | ir.Void) and isinstance(lvalue.type, ir.Pointer):
        target = lvalue.type.target
    return Lvalue(moved.path, target, lvalue.loads + loads_in(tree))


def _into_array(state: State, lvalue: Lvalue, subscripts: tuple[ir.Expr, ...], line: int) -> Lvalue:
    assert isinstance(lvalue.type, ir.Array)
    results = [evaluate(state, subscript, line) for subscript in subscripts]
    values = [as_integer(state, value, line) for _, value in results]
    loads = lvalue.loads + tuple(load for tree, _ in results for load in loads_in(tree))
    kind = _without_dims(lvalue.type, len(values))
    root = lvalue.path[0]
    if len(lvalue.path) == 1 and isinstance(root, str) and root in state.views:
        return Lvalue(_viewed(state.views[root], values), kind, loads)
    declared = isinstance(root, str) and all(isinstance(part, Sub) for part in lvalue.path[1:])
    shape = state.shapes.get(str(root)) if declared else None
    if shape is None:
        shape = shape_of(state, lvalue.type, line)
    skipped = max(len(shape) - len(lvalue.type.dims), 0)
    subs = (Sub(value, extent, lower) for value, (extent, lower) in zip(values, shape[skipped:], strict=False))
    return Lvalue((*lvalue.path, *subs), kind, loads)


def _without_dims(kind: ir.Array, count: int) -> ir.Type:
    """The type of an array with this many subscripts."""
    rest = kind.dims[count:]
    return ir.Array(kind.element, rest) if rest else kind.element


def _viewed(view: View, values: list[Poly]) -> Path:
    """The element of the actual argument that a subscript of the dummy refers to."""
    shifted = [value - lower for value, (_, lower) in zip(values, view.shape, strict=False)]
    if isinstance(view.base, Lvalue):  # the whole array, same shape: subscripts carry over
        dims = zip(shifted, view.actual, strict=False)
        return (*view.base.path, *(Sub(value + lower, extent, lower) for value, (extent, lower) in dims))
    flat = ZERO
    for value, (extent, _) in zip(shifted, view.shape, strict=False):
        flat = flat * (extent if extent is not None else ONE) + value
    return view.base.moved(flat).path


def shape_of(state: State, kind: ir.Array, line: int) -> Shape:
    """Extents and lower bounds of a declared array."""
    return tuple(
        (
            None if dim.size is None else integer(state, dim.size, line),
            ZERO if dim.lower is None else integer(state, dim.lower, line),
        )
        for dim in kind.dims
    )


def address_of(state: State, target: ir.Expr, line: int) -> Address:
    """&target."""
    lvalue = locate(state, target, line)
    # the whole array: *(&a) is a
    return Address(lvalue.path, lvalue.type) if isinstance(lvalue.type, ir.Array) else pointer_to(lvalue)


def pointer_to(lvalue: Lvalue) -> Address:
    """The address of an element or a scalar."""
    return Address(lvalue.path if isinstance(lvalue.path[-1], Sub) else (*lvalue.path, Sub(ZERO)), lvalue.type)


def decay(state: State, lvalue: Lvalue) -> Address:
    """Decays an array to a pointer to its first element, and a record to a pointer to itself."""
    if not isinstance(lvalue.type, ir.Array):
        return Address((*lvalue.path, Sub(ZERO)), lvalue.type)
    root = lvalue.path[0] if len(lvalue.path) == 1 else None
    if isinstance(root, str) and root in state.views:
        view = state.views[root]
        return view.base if isinstance(view.base, Address) else decay(state, view.base)
    shape = state.shapes[root] if isinstance(root, str) and root in state.shapes else shape_of(state, lvalue.type, 0)
    shape = shape[len(shape) - len(lvalue.type.dims) :]
    if state.frame.function.language == "fortran":  # an array argument is a pointer to its first element
        subs = tuple(Sub(lower, extent, lower) for extent, lower in shape)
        return Address((*lvalue.path, *subs), lvalue.type.element)
    extent, lower = shape[0]
    return Address((*lvalue.path, Sub(lower, extent, lower)), _without_dims(lvalue.type, 1))


# ---------------------------------------------------------------------------------------------- loads


def component_extent(state: State, lvalue: Lvalue, number: int) -> Poly:
    """The extent of a struct's array in one of Fortran's dimensions: as allocated, or a parameter."""
    key = extent_key(state, lvalue.path, number)
    value = state.env.get(key)
    if not isinstance(value, Poly):
        value = state.env[key] = symbol(state.fresh(key, key))
    return value


def extent_key(state: State, path: Path, number: int) -> str:
    """The name of an extent: s.u_size1."""
    return f"{path_text(tuple(part for part in path if not isinstance(part, Sub)), state.display)}_size{number}"


def load(state: State, lvalue: Lvalue, line: int) -> Result:
    """Value of an lvalue, and the expression that loads it."""
    kind = lvalue.type
    if isinstance(kind, ir.Array):
        return Num("&", _POINTER), decay(state, lvalue)
    if isinstance(kind, ir.Pointer):
        value = state.env.get(lvalue.path if len(lvalue.path) > 1 else lvalue.path[0])  # type: ignore[arg-type]
        if not isinstance(value, Address | Code):
            value = Address((*lvalue.path, "*", Sub(ZERO)), kind.target)
        return Num("&", _POINTER), value
    if isinstance(kind, ir.Procedure):
        held = state.env.get(lvalue.path)
        return Num("&", _POINTER), held if isinstance(held, Code) else None
    return _load_number(state, lvalue)


def scalar_key(state: State, path: Path) -> str | None:
    """The variable, if the path is a scalar: a variable, a member without subscripts, or *(&variable)."""
    first = path[0]
    if len(path) == 2 and isinstance(first, str) and _at_start(path):
        if first in state.scalars:
            return first
        if first in state.pointed:
            return f"*{first}"
    if any(isinstance(part, Sub) for part in path):
        return None
    return first if len(path) == 1 and isinstance(first, str) else path_text(path, state.display)


def _load_number(state: State, lvalue: Lvalue) -> Result:
    kind = element_type(lvalue.type)
    key = scalar_key(state, lvalue.path)
    if key is not None:
        value = state.env.get(key)
        if value is None and is_discrete(kind):
            value = state.env[key] = symbol(state.fresh(state.display.get(key, key), key))
        return scalar(state.label(key), kind, value)
    reference = state.reference(lvalue.path, kind, lvalue.loads)
    known = state.env.get(lvalue.path)
    if not is_discrete(kind) or isinstance(known, Poly):
        return reference, known if is_discrete(kind) else None
    name = path_text(tuple(part for part in lvalue.path if not isinstance(part, Sub)), state.display)
    return reference, element(name, [part.value for part in lvalue.path if isinstance(part, Sub)])


def loads_in(tree: Expression) -> tuple[Ref, ...]:
    """The array elements that the evaluation of a tree reads."""
    if type(tree) is Ref:
        return (tree,)
    if type(tree) is Op:
        return tuple(load for argument in tree.args for load in loads_in(argument))
    return ()


# ---------------------------------------------------------------------------------------------- operators


def _binary(state: State, expr: ir.Binary, line: int) -> Result:
    left, a = evaluate(state, expr.left, line)
    op = expr.op
    if op in ("&&", "||"):
        right, b = _where(state, expr.right, line, left, a, holds=op == "&&")
        share = conditions.indicator(state, a)
        return Op(op, (left, right), BOOL, ir.converted(left.type, right.type), share), conditions.truth(op, a, b)
    right, b = evaluate(state, expr.right, line)
    if op in _COMPARISONS:
        same = same_text(state, expr.left, expr.right) if state.texts and op in ("==", "!=") else None
        value = conditions.truth(op, a, b) if same is None else ONE if same == (op == "==") else ZERO
        return Op(op, (left, right), BOOL, ir.converted(left.type, right.type)), value
    if isinstance(a, Address) or isinstance(b, Address):
        return Num("&", _POINTER), arithmetic.pointers(op, a, b)
    kind = left.type if op in ("<<", ">>") else ir.converted(left.type, right.type)
    tree = Op(op, (left, right), kind)
    if isinstance(a, Poly) and isinstance(b, Poly) and is_discrete(kind):
        return tree, arithmetic.integers(op, a, b)
    return tree, None


def _unary(state: State, op: str, operand: ir.Expr, line: int) -> Result:
    tree, value = evaluate(state, operand, line)
    if op == "+":
        return tree, value
    whole = value if isinstance(value, Poly) else None
    if op == "!":
        return Op("!", (tree,), BOOL), None if whole is None else ONE - conditions.nonzero(whole)
    if op == "~":
        return Op("~", (tree,), tree.type), None if whole is None else -whole - 1
    negative = None if whole is None else -whole
    if isinstance(tree, Num) and isinstance(tree.value, int | float) and not isinstance(tree.value, bool):
        return Num(-tree.value, tree.type), negative
    return Op("neg", (tree,), tree.type), negative


def _cast(state: State, kind: ir.Type, operand: ir.Expr, line: int) -> Result:
    tree, value = evaluate(state, operand, line)
    if isinstance(kind, ir.Pointer):
        return tree, arithmetic.reinterpreted(value, kind.target) if isinstance(value, Address) else value
    source, target = tree.type, element_type(kind)
    discrete = is_discrete(target)
    if source == target:
        return tree, value
    if isinstance(tree, Num) and isinstance(tree.value, int | float) and not isinstance(tree.value, bool):
        folded = _converted(tree.value, "int" if discrete else target.kind)
        if folded is not None:
            return Num(folded, target), number(folded) if isinstance(folded, int) and discrete else None
    return Op("cast", (tree,), target, source), value if discrete and is_discrete(source) else None


def _converted(value: float, kind: str) -> float | None:
    """None where C leaves open what it is: an infinity as a whole number, or a whole number beyond all others."""
    try:
        return int(value) if kind == "int" else float(value) if kind == "float" else value
    except (OverflowError, ValueError):
        return None


def _select(state: State, expr: ir.Select, line: int) -> Result:
    condition, test = evaluate(state, expr.condition, line)
    decided = conditions.decided(state, test)
    if decided is not None:
        return evaluate(state, expr.then if decided else expr.other, line)
    taken = program_arguments.without_arguments(state, test)
    if taken is not None:
        tree, value = evaluate(state, expr.then if taken else expr.other, line)
        return tree, program_arguments.default(state, value, line)
    if expr.lazy:
        then, a = _where(state, expr.then, line, condition, test, holds=True)
        other, b = _where(state, expr.other, line, condition, test, holds=False)
    else:
        (then, a), (other, b) = (evaluate(state, arm, line) for arm in (expr.then, expr.other))
    kind = ir.converted(then.type, other.type)
    share = conditions.indicator(state, test)
    tree = Op("select" if expr.lazy else "merge", (condition, then, other), kind, None, share)
    if isinstance(a, Poly) and isinstance(b, Poly):
        return tree, _selected(expr, state, test, a, b, line)
    return tree, a if isinstance(a, Address) and a == b else None


def _where(state: State, expr: ir.Expr, line: int, condition: Expression, test: Value, *, holds: bool) -> Result:
    """Evaluates an operand, including its calls, under a condition (or its negation)."""
    held, state.items = state.items, []
    result = evaluate(state, expr, line)
    inside, state.items = state.items, held
    if inside:
        choice = branch_probability.branch(state, condition, test, line)
        choice.condition = Num(0, BOOL)  # already counted by the selecting operation
        (choice.then if holds else choice.other).extend(inside)
        state.items.append(choice)
    return result


def _selected(expr: ir.Select, state: State, test: Value, a: Poly, b: Poly, line: int) -> Poly | None:
    """The value of a conditional: a < b ? a : b is a minimum; others are weighted by the indicator of the condition."""
    if isinstance(expr.condition, ir.Binary) and expr.condition.op in ("<", "<=", ">", ">="):
        _, left = evaluate(state, expr.condition.left, line)
        _, right = evaluate(state, expr.condition.right, line)
        if {a, b} == {left, right}:
            return minimum(a, b) if (expr.condition.op[0] == "<") == (a == left) else maximum(a, b)
    return test * a + (ONE - test) * b if isinstance(test, Poly) else None
