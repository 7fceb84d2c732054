"""Expressions of the Fortran interpreter: scalars at once, arrays as what makes one element."""

from __future__ import annotations

from typing import Any

from .fortran_values import Again, Cell, Counters, Holder, Lazy, View, indices

OPERATIONS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}


class Expressions:
    """Values; mixed into the interpreter."""

    count: Counters
    frame: Any
    shapes: dict[int, bool]

    # ------------------------------------------------------------------ expressions

    def value(self, expr: Any) -> Any:
        """A Python scalar, or a View or Lazy for an array."""
        kind = expr[0]
        if kind in ("num", "str", "bool"):
            return expr[1]
        if kind == "ref":
            return self.reference(expr)
        if kind == "bin":
            return self.binary(expr)
        if kind == "un":
            return self.lift(lambda x: self.unary(expr[1], x, self.constant(expr[2])), self.value(expr[2]))
        if kind == "paren":
            return self.value(expr[1])
        if kind == "array":
            return self.constructor(expr[1])
        raise RuntimeError(f"cannot evaluate {expr}")

    def constructor(self, parts: list[Any]) -> Lazy:
        values: list[Any] = []
        for part in parts:
            if part[0] == "implied":
                cell = self.variable(self.frame, part[2])
                for i in range(self.value(part[3]), self.value(part[4]) + 1):
                    cell.set(i)
                    values.append(self.value(part[1]))
            else:
                value = self.value(part)
                values += [value.get(i) for i in indices(value.shape)] if isinstance(value, View | Lazy) else [value]
        return Lazy((len(values),), lambda i: values[i[0]])

    def constant(self, expr: Any) -> bool:
        """Literals, named constants and operations on them only."""
        if expr[0] in ("num", "bool", "str"):
            return True
        if expr[0] == "ref":
            (name, args), *rest = expr[1]
            found = self.frame.find(name)
            if args is None:
                return not rest and isinstance(found, Cell) and found.constant
            return name in ("dble", "real", "float", "int") and found is None and self.constant(args[0])
        if expr[0] == "bin":
            return self.constant(expr[2]) and self.constant(expr[3])
        if expr[0] == "un":
            return self.constant(expr[2])
        return expr[0] == "paren" and self.constant(expr[1])

    def lift(self, function: Any, *operands: Any) -> Any:
        """Apply a scalar function, elementwise where an operand is an array."""
        arrays = [o for o in operands if isinstance(o, View | Lazy)]
        if not arrays:
            return function(*(o.get(()) if isinstance(o, Again) else o for o in operands))
        shape = arrays[0].shape
        for a in arrays:
            if a.shape != shape:
                raise RuntimeError(f"shapes {shape} and {a.shape} do not conform")
        many = (View, Lazy, Again)
        return Lazy(shape, lambda i: function(*(o.get(i) if isinstance(o, many) else o for o in operands)))

    def operands(self, *expressions: Any) -> list[Any]:
        """Operands of an elemental operation: scalars with elements in them are kept as what to do again."""
        if not any(self.may_be_array(e) for e in expressions):
            return [self.value(e) for e in expressions]
        values = [None if self.repeats(e) else self.value(e) for e in expressions]
        if not any(isinstance(v, View | Lazy) for v in values):
            return [self.value(e) if self.repeats(e) else v for e, v in zip(expressions, values, strict=True)]
        return [
            Again(lambda _, e=e: self.value(e)) if self.repeats(e) else v
            for e, v in zip(expressions, values, strict=True)
        ]

    def may_be_array(self, expr: Any) -> bool:
        """Whether an expression can have a shape; the same every time, so remembered."""
        known = self.shapes.get(id(expr))
        if known is None:
            known = self.shapes[id(expr)] = self._has_shape(expr)
        return known

    def _has_shape(self, expr: Any) -> bool:
        if expr[0] == "ref":
            found = self.frame.find(expr[1][0][0])
            last = expr[1][-1][1]
            if last is None:
                return len(expr[1]) > 1 or isinstance(found, View | Holder)
            return any(a[0] == "range" or self.may_be_array(a) for a in last)
        if expr[0] in ("bin", "un"):
            return any(self.may_be_array(e) for e in expr[2:])
        if expr[0] in ("paren", "kw"):
            return self.may_be_array(expr[-1])
        return expr[0] in ("array", "range")

    def repeats(self, expr: Any) -> bool:
        """Whether a scalar expression does something that the loop of an array statement would do every time."""
        return not self.may_be_array(expr) and not self.constant(expr) and self.works(expr) and not self.calls(expr)

    def works(self, expr: Any) -> bool:
        """Whether an element is read or an operation done."""
        if expr[0] == "ref":
            return expr[1][-1][1] is not None
        return expr[0] in ("bin", "un") or (expr[0] == "paren" and self.works(expr[1]))

    def calls(self, expr: Any) -> bool:
        if expr[0] == "ref":
            name, args = expr[1][0]
            return not self.is_variable(name, args) or any(self.calls(a) for _, more in expr[1] for a in more or ())
        if expr[0] in ("bin", "un"):
            return any(self.calls(e) for e in expr[2:])
        return expr[0] == "paren" and self.calls(expr[1])

    def binary(self, expr: Any) -> Any:
        _, op, left, right = expr
        if op in (".and.", ".or."):
            first = self.value(left)
            if not isinstance(first, View | Lazy):
                if first is (op == ".or."):  # what compilers do: the other side is not looked at
                    return first
                return self.value(right)
            return self.lift(lambda a, b: self.arithmetic(op, a, b, "", 0), first, self.value(right))
        literal = self.constant(right)
        kind = OPERATIONS.get(op, "")
        if literal and self.constant(left):
            kind = "const" if kind else ""
        elif literal and op == "/":
            kind = "div_literal"
        exponent = right[1] if right[0] == "num" and isinstance(right[1], int) else 0
        return self.lift(lambda a, b: self.arithmetic(op, a, b, kind, exponent), *self.operands(left, right))

    def unary(self, op: str, x: Any, literal: bool) -> Any:
        if op == ".not.":
            return not x
        if op == "+":
            return x
        if isinstance(x, float) and not literal:
            self.count.operation("neg")
        return -x

    def arithmetic(self, op: str, a: Any, b: Any, kind: str, exponent: int) -> Any:
        if op == "**":
            return self.power(a, b, exponent)
        floating = isinstance(a, float) or isinstance(b, float)
        if kind and floating:
            self.count.operation(kind)
        match op:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                return a / b if floating else int(a / b) if abs(a) < 2**50 else a // b
            case "==" | ".eqv.":
                return a == b
            case "/=" | ".neqv.":
                return a != b
            case "<":
                return a < b
            case "<=":
                return a <= b
            case ">":
                return a > b
            case ">=":
                return a >= b
            case ".and.":
                return a and b
            case ".or.":
                return a or b
        raise RuntimeError(op)

    def power(self, a: Any, b: Any, exponent: int) -> Any:
        if isinstance(a, float) or isinstance(b, float):
            whole = isinstance(b, int)
            self.count.call(f"powi{exponent}" if whole and exponent else "powi" if whole else "pow")
            return float(a) ** b
        return a**b

    def reference(self, ref: Any) -> Any:
        name, args = ref[1][0]
        if not self.is_variable(name, args):
            return self.call_function(name, args or ())
        where = self.locate(ref)
        if isinstance(where, Holder):
            where = where.target
            if isinstance(where, View):
                return View(where.store, where.offset, where.dims, self.path(ref), counters=where.counters)
        if isinstance(where, View):
            return where
        value = where.get()
        if len(ref[1]) > 1:
            self.count.scalar(self.path(ref), value)
        return value

    def path(self, ref: Any) -> str:
        return ".".join(name for name, _ in ref[1])
