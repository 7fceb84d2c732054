"""Lowers C expressions to IR expressions without side effects.

Assignments, ++ and -- inside an expression become statements: those that must be executed first go to `before`, those
that may be last to `after`. Between two sequence points C leaves their order open, so both are correct; at a sequence
point inside an expression (&&, ||, ?:, the comma), temporaries and an If preserve the order.
"""

from __future__ import annotations

from foretell.frontends.c.lower import calls, fold, lvalues
from foretell.frontends.c.lower.operands import CUT, Full, Operands, UnlowerableError
from foretell.frontends.c.lower.types import INDEX, VOID, as_number, conversion
from foretell.frontends.c.parse.clang import Kind
from foretell.frontends.source import ir

_SUMS: tuple[ir.BinaryOp, ...] = ("*", "/", "%", "+", "-", "<<", ">>")
_BITS: tuple[ir.BinaryOp, ...] = ("&", "^", "|")
_RELATIONS: tuple[ir.BinaryOp, ...] = ("<", ">", "<=", ">=", "==", "!=")
_AND, _OR, _ASSIGN, _COMMA = 20, 21, 22, 33
# CXBinaryOperatorKind
_BINARY = dict(enumerate(_SUMS, 3)) | dict(enumerate((*_RELATIONS, *_BITS), 11))
_LOGICAL: dict[int, ir.BinaryOp] = {_AND: "&&", _OR: "||"}
_COMPOUND = dict(enumerate((*_SUMS, *_BITS), 23))
_POST_INCREMENT, _POST_DECREMENT, _PRE_INCREMENT, _PRE_DECREMENT, _ADDRESS, _DEREFERENCE = range(1, 7)
_UNARY = {7: "+", 8: "-", 9: "~", 10: "!"}
_REAL, _IMAGINARY, _EXTENSION = 11, 12, 13
_MAX_CONDITIONALS = 100


class Expressions(Operands):
    """Lowers the expressions of one function."""

    def discard(self, node: int) -> tuple[ir.Stmt, ...]:
        """Lowers an expression for its side effects only."""
        with self._own_effects() as effects:
            self._discard(node)
        return (*effects.before, *effects.after)

    # ------------------------------------------------------------------------------------------ wrappers and casts

    def _implicit(self, node: int) -> ir.Expr:
        """A node that clang does not expose: nearly always an implicit conversion."""
        tree = self.tree
        if tree.op[node] >= 0:
            return self._constant(node)  # offsetof
        inner = self._only(node)
        if tree.end[node + 1] != tree.end[node] and len(tree.expressions(node)) > 1:
            return self._unnamed(node, tree.expressions(node))
        value = self.value(inner)
        kind, have = tree.type[node], tree.type[inner]
        if kind == have:
            return value
        if _is_argument_list(self.types(have)):
            return ir.Call("va_arg", (value,), self.type(node))
        return conversion(value, self.types(have), self.types(kind))

    def _unnamed(self, node: int, inner: list[int]) -> ir.Expr:
        """x ?: y (clang gives x three times), and __builtin_choose_expr."""
        tree = self.tree
        if len(inner) == 4 and len({tree.end[part] - part for part in inner[:3]}) == 1:
            value = self._completed(inner[0])
            if not isinstance(value, ir.Name | ir.Const):
                value = self._stored(value, self.type(inner[0]))
            other = self.full(inner[3])
            if other.pure:
                return ir.Select(value, value, other.value)
            result = self._stored(value, self.type(node))
            self._effects.before.append(ir.If(value, (), self._assigned(result, other), self.line))
            return result
        choice = self.value(inner[0]) if len(inner) == 3 and tree.kind[inner[0]] == Kind.INTEGER else None
        if isinstance(choice, ir.Const):
            return self.value(inner[1] if choice.value else inner[2])
        raise UnlowerableError("an atomic or vector operation of the compiler is not modelled")

    def _cast(self, node: int) -> ir.Expr:
        written = self.tree.expressions(node)
        if not written:
            raise UnlowerableError("a cast of nothing")
        self.give_extents(self.tree.type[node], written[:-1], node)
        value = self.value(written[-1])
        return conversion(value, self.type(written[-1]), self.type(node))

    def extents(self, kind: int, sizes: list[int], node: int) -> tuple[ir.Stmt, ...]:
        """`give_extents` outside of an expression: returns the statements it needs."""
        with self._own_effects() as effects:
            self.give_extents(kind, sizes, node)
        return (*effects.before, *effects.after)

    def give_extents(self, kind: int, sizes: list[int], node: int) -> None:
        """Lowers the sizes written in a type (clang lists them innermost first) into that type.

        An array keeps the size of its declaration, so a size that depends on a modified variable is stored."""
        if not self.types.is_variable(kind):
            return
        if not sizes:  # through a typedef, whose own sizes were lowered at its declaration
            for named in self._named_types(node):
                self.types.adopt(kind, named)
            return
        self.types.give_extents(kind, [self._fixed(size) for size in reversed(sizes)])

    def _fixed(self, size: int) -> ir.Expr:
        tree = self.tree
        value = self.value(size)
        changes = any(
            tree.kind[place] == Kind.NAME and tree.ref[place] in self.changing for place in range(size, tree.end[size])
        )
        return self._stored(value, ir.type_of(value)) if changes else value

    def _generic(self, node: int) -> ir.Expr:
        choices = [part for part in self.tree.expressions(node)[1:] if self.type(part) == self.type(node)]
        if len(choices) != 1:
            raise UnlowerableError("a _Generic whose choice is not clear")
        return self.value(choices[0])

    def _literal(self, node: int) -> ir.Expr:
        assert self.literal is not None
        statements, value = self.literal(node)
        self._effects.before += statements
        return value

    def _statement_expression(self, node: int) -> ir.Expr:
        assert self.block is not None
        statements, last = self.block(node + 1)
        self._effects.before += statements
        return ir.Const(0, VOID) if last is None else self._completed(last)

    # ------------------------------------------------------------------------------------------ places

    def _subscript(self, node: int) -> ir.Expr:
        parts = self.tree.expressions(node)
        if len(parts) != 2:
            raise UnlowerableError("a subscript without an array or an index")
        base, index = parts
        if isinstance(self.type(base), ir.Scalar):  # i[a]
            base, index = index, base
        return lvalues.indexed(self.value(base), as_number(self.value(index)))

    def _unary(self, node: int) -> ir.Expr:
        operation = self.tree.op[node]
        operand = self._only(node)
        if operation in _UNARY:
            op = _UNARY[operation]
            value = self.value(operand)
            return fold.unary(op, value if op == "!" else as_number(value))
        if operation == _DEREFERENCE:
            value = self.value(operand)
            return value if isinstance(self.type(node), ir.Procedure) else lvalues.dereferenced(value)
        if operation == _ADDRESS:
            return self._address(operand)
        if operation <= _PRE_DECREMENT:
            return self._increment(node)
        if operation in (_REAL, _IMAGINARY):
            name = "creal" if operation == _REAL else "cimag"
            return ir.Call(name, (self.value(operand),), self.type(node))
        if operation == _EXTENSION:
            return self.value(operand)
        raise UnlowerableError("a unary operator that is not modelled")

    def _address(self, operand: int) -> ir.Expr:
        target = self.value(operand)
        if isinstance(target, ir.Deref):
            return target.pointer
        if isinstance(target, ir.Name):
            if isinstance(target.type, ir.Procedure):
                return target
            self.scope.exposed.add(target.id)
        return ir.AddressOf(target)

    # ------------------------------------------------------------------------------------------ effects

    def _increment(self, node: int) -> ir.Expr:
        """Lowers ++ and -- whose value is used."""
        step = self._step(node)
        target, is_pre = step.target, self.tree.op[node] in (_PRE_INCREMENT, _PRE_DECREMENT)
        if not isinstance(target, ir.Name):
            return self._increment_memory(step, node, is_pre=is_pre)
        if is_pre:
            self._effects.before.append(step)
            return target
        if self._calls and not self._is_private(target):
            kept = self._stored(target, self.type(node))
            self._effects.before.append(step)
            return kept
        self._effects.after.append(step)
        return target

    def _increment_memory(self, step: ir.Assign, node: int, *, is_pre: bool) -> ir.Expr:
        """Lowers ++ and -- of memory: one read, subscripts evaluated once: sorted[count[bin[i]]++] = x."""
        target = self._pinned(step.target)
        kind = self.type(node)
        old = self._stored(target, kind)
        new = lvalues.replaced(step.value, step.target, old)
        if is_pre:
            new = self._stored(new, kind)
        self._effects.before.append(ir.Assign(target, new, self.line))
        return new if is_pre else old

    def _pinned(self, lvalue: ir.Expr) -> ir.Expr:
        """The lvalue with every subscript that reads memory stored in a temporary."""
        match lvalue:
            case ir.Index(base, subscripts):
                kept = tuple(s if lvalues.is_cheap(s) else self._stored(s, ir.type_of(s)) for s in subscripts)
                return ir.Index(self._pinned(base), kept)
            case ir.Member(base, name, kind):
                return ir.Member(self._pinned(base), name, kind)
            case ir.Deref(pointer) if not lvalues.is_cheap(pointer):
                return ir.Deref(self._stored(pointer, ir.type_of(pointer)))
            case _:
                return lvalue

    def _is_private(self, target: ir.Expr) -> bool:
        """Whether no called function can access the variable."""
        return isinstance(target, ir.Name) and target.id not in self.scope.exposed and target.id not in self._file_scope

    def _assignment(self, node: int) -> ir.Expr:
        """Lowers an assignment whose value is used."""
        statement = self._assign(node)
        if isinstance(statement.target, ir.Name):
            self._effects.before.append(statement)
            return statement.target
        target: ir.Expr = statement.target
        value = statement.value
        if statement.compound:  # the lvalue occurs in the value, too: evaluate its subscripts once
            target = self._pinned(target)
            value = lvalues.replaced(value, statement.target, target)
        if not isinstance(value, ir.Const | ir.Name):
            value = self._stored(value, self.type(node))
        self._effects.before.append(ir.Assign(target, value, self.line))
        return value

    def _assign(self, node: int) -> ir.Assign:
        parts = self.tree.expressions(node)
        if len(parts) != 2:
            raise UnlowerableError("an assignment that clang could not make sense of")
        target = self.value(parts[0])
        value = self.value(parts[1])
        if self.tree.op[node] == _ASSIGN:
            return ir.Assign(target, value, self.line)
        op = _COMPOUND[self.tree.op[node]]
        return ir.Assign(target, self._compound(op, target, value, parts), self.line, compound=True)

    def _compound(self, op: ir.BinaryOp, target: ir.Expr, value: ir.Expr, parts: list[int]) -> ir.Expr:
        """target op value in the type in which C computes it, converted back."""
        own, other = self.type(parts[0]), self.type(parts[1])
        if not isinstance(own, ir.Scalar) or not isinstance(other, ir.Scalar):
            return ir.Binary(op, target, as_number(value))
        wide = lvalues.promoted(own) if op in ("<<", ">>") else lvalues.common(lvalues.promoted(own), other)
        left = conversion(target, own, wide)
        return conversion(ir.Binary(op, left, as_number(value)), wide, own)

    def _discard(self, node: int) -> None:
        tree = self.tree
        kind = tree.kind[node]
        if kind in (Kind.PAREN, Kind.UNEXPOSED, Kind.CAST):
            inner = tree.expressions(node)
            if len(inner) == 1:
                self._discard(inner[0])
                return
        if kind == Kind.COMPOUND_ASSIGN or (kind == Kind.BINARY and tree.op[node] == _ASSIGN):
            self._effects.before.append(self._assign(node))
        elif kind == Kind.UNARY and 1 <= tree.op[node] <= _PRE_DECREMENT:
            self._effects.before.append(self._step(node))
        elif kind == Kind.BINARY and tree.op[node] == _COMMA:
            for part in tree.expressions(node):
                self._effects.before += self.discard(part)
        elif kind == Kind.CONDITIONAL or (kind == Kind.BINARY and tree.op[node] in _LOGICAL):
            self._discard_branch(node)
        else:
            self._keep_calls(self.value(node))

    def _step(self, node: int) -> ir.Assign:
        """Lowers ++ and --, without regard to the value."""
        operand = self._only(node)
        target = self.value(operand)
        op: ir.BinaryOp = "+" if self.tree.op[node] in (_POST_INCREMENT, _PRE_INCREMENT) else "-"
        value = ir.Binary(op, target, lvalues.one(self.type(operand)))
        return ir.Assign(target, value, self.line, compound=True)

    def _keep_calls(self, value: ir.Expr) -> None:
        if lvalues.has_call(value):
            self._effects.before.append(ir.Evaluate(value, self.line))

    def _discard_branch(self, node: int) -> None:
        """Lowers `a && f();`, `c ? f() : g();` to an If."""
        parts = self.tree.expressions(node)
        condition = self._completed(parts[0])
        then = self.discard(parts[1])
        other = self.discard(parts[2]) if len(parts) > 2 else ()
        if self.tree.kind[node] == Kind.BINARY and self.tree.op[node] == _OR:
            then, other = other, then
        if then or other:
            self._effects.before.append(ir.If(condition, then, other, self.line))
        else:
            self._keep_calls(condition)

    def _completed(self, node: int) -> ir.Expr:
        """A value with all its side effects completed."""
        statements, value = self.completed(self.full(node), node, self.line)
        self._effects.before += statements
        return value

    def completed(self, full: Full, node: int, line: int) -> tuple[tuple[ir.Stmt, ...], ir.Expr]:
        """The statements that complete the side effects of the expression `node`, and its value after them."""
        if self.may_follow(full):
            return (*full.before, *full.after), full.value
        kept = self.scope.temporary(self.type(node), line)
        return (*full.before, ir.Assign(kept, full.value, line), *full.after), kept

    def may_follow(self, full: Full) -> bool:
        """Whether the value is unchanged by the effects after it."""
        return all(
            isinstance(effect, ir.Assign)
            and isinstance(effect.target, ir.Name)
            and self._is_private(effect.target)
            and not lvalues.mentions(full.value, effect.target.id)
            for effect in full.after
        )

    # ------------------------------------------------------------------------------------------ operators

    def _binary(self, node: int) -> ir.Expr:
        """Lowers a binary operation; long sums are left-deep, so that spine is traversed iteratively."""
        tree = self.tree
        spine = [node]
        parts = tree.expressions(node)
        while len(parts) == 2 and tree.kind[parts[0]] == Kind.BINARY and max(tree.op[parts[0]], tree.op[node]) < _AND:
            spine.append(parts[0])
            parts = tree.expressions(parts[0])
        if len(parts) != 2:
            raise UnlowerableError("an operator that lacks an operand")
        if tree.op[spine[-1]] not in _BINARY:
            return self._sequenced(node, tree.op[spine[-1]], parts)
        value = self.value(parts[0])
        for position, current in enumerate(reversed(spine)):
            right = tree.expressions(current)[-1]
            if position and position % CUT == 0:
                value = self._stored(value, ir.type_of(value))
            value = self._arithmetic(current, value, right)
        return value

    def _arithmetic(self, node: int, left: ir.Expr, right_node: int) -> ir.Expr:
        op = _BINARY[self.tree.op[node]]
        right = self.value(right_node)
        if op not in _RELATIONS:
            left, right = as_number(left), as_number(right)
            if op == "-" and isinstance(self.type(right_node), ir.Pointer | ir.Array):
                return ir.Cast(INDEX, ir.Binary("-", left, right))
        return fold.binary(op, left, right)

    def _sequenced(self, node: int, operation: int, parts: list[int]) -> ir.Expr:
        if operation == _ASSIGN:
            return self._assignment(node)
        if operation == _COMMA:
            self._effects.before += self.discard(parts[0])
            return self._completed(parts[1])
        if operation in _LOGICAL:
            return self._logical(_LOGICAL[operation], parts)
        raise UnlowerableError("an operator that is not modelled")

    def _logical(self, op: ir.BinaryOp, parts: list[int]) -> ir.Expr:
        left = self.full(parts[0])
        right = self.full(parts[1])
        self._effects.before += left.before
        if right.pure and not left.after:
            return fold.binary(op, left.value, right.value)
        truth = self._stored(lvalues.truth(left.value), ir.BOOL)
        self._effects.before += left.after
        rest = (*right.before, ir.Assign(truth, lvalues.truth(right.value), self.line), *right.after)
        then, other = (rest, ()) if op == "&&" else ((), rest)
        self._effects.before.append(ir.If(truth, then, other, self.line))
        return truth

    def _conditional(self, node: int) -> ir.Expr:
        parts = self.tree.expressions(node)
        if len(parts) != 3:
            raise UnlowerableError("a conditional expression that lacks a part")
        if self._conditionals > _MAX_CONDITIONALS:
            raise UnlowerableError(f"more than {_MAX_CONDITIONALS} conditional expressions inside one another")
        self._conditionals += 1
        try:
            condition = self._completed(parts[0])
            then, other = self.full(parts[1]), self.full(parts[2])
        finally:
            self._conditionals -= 1
        if then.pure and other.pure:
            if isinstance(condition, ir.Const) and not isinstance(condition.value, str):
                return then.value if condition.value else other.value
            return ir.Select(condition, then.value, other.value)
        result = self.scope.temporary(self.type(node), self.line)
        self._effects.before.append(
            ir.If(condition, self._assigned(result, then), self._assigned(result, other), self.line)
        )
        return result

    def _assigned(self, target: ir.Expr, full: Full) -> tuple[ir.Stmt, ...]:
        return (*full.before, ir.Assign(target, full.value, self.line), *full.after)

    # ------------------------------------------------------------------------------------------ calls

    def _call(self, node: int) -> ir.Expr:
        parts = self.tree.expressions(node)
        if not parts:
            raise UnlowerableError("a call of something that could not be resolved")
        callee = self.value(parts[0])
        self._calls += 1
        try:
            arguments = tuple(self.value(part) for part in parts[1:])
        finally:
            self._calls -= 1
        if not (isinstance(callee, ir.Name) and isinstance(callee.type, ir.Procedure)):
            return ir.Call("", arguments, self.type(node), callee)
        if callee.id in calls.TRANSPARENT and arguments:
            first = arguments[0]  # converted to the parameter's type, which is not informative
            return first.operand if isinstance(first, ir.Cast) and first.type == INDEX else first
        if callee.id in calls.SILENT:
            return ir.Const(0, VOID)
        return ir.Call(self._function_name(parts[0], callee.id), arguments, self.type(node))

    def _function_name(self, node: int, name: str) -> str:
        while self.tree.kind[node] != Kind.NAME:
            inner = self.tree.expressions(node)
            if not inner:
                return name
            node = inner[-1]
        declaration = self.tree.declarations[self.tree.ref[node]]
        is_user = not declaration.system and declaration.file >= 0 and name in self._shadowed
        common = calls.library_name(name)
        return name if is_user or common in self._shadowed else common

    _lower = {  # noqa: RUF012  (declared as a class variable in the base)
        Kind.UNEXPOSED: _implicit,
        Kind.NAME: Operands._name,
        Kind.MEMBER: Operands._member,
        Kind.CALL: _call,
        Kind.INTEGER: Operands._constant,
        Kind.FLOATING: Operands._constant,
        Kind.CHARACTER: Operands._constant,
        Kind.IMAGINARY: Operands._imaginary,
        Kind.STRING: Operands._string,
        Kind.PAREN: lambda self, node: self.value(self._only(node)),
        Kind.UNARY: _unary,
        Kind.SUBSCRIPT: _subscript,
        Kind.BINARY: _binary,
        Kind.COMPOUND_ASSIGN: _assignment,
        Kind.CONDITIONAL: _conditional,
        Kind.CAST: _cast,
        Kind.COMPOUND_LITERAL: _literal,
        Kind.STATEMENT_EXPRESSION: _statement_expression,
        Kind.GENERIC: _generic,
        Kind.SIZE_OF: Operands._size_of,
    }


def _is_argument_list(kind: ir.Type) -> bool:
    """Whether a type is va_list."""
    inner = kind.element if isinstance(kind, ir.Array) else kind.target if isinstance(kind, ir.Pointer) else kind
    return isinstance(inner, ir.Record) and inner.name == "__va_list_tag"
