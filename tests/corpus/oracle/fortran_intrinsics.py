"""Intrinsic functions of the Fortran interpreter."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .fortran_values import Holder, Lazy, View, indices

if TYPE_CHECKING:
    from collections.abc import Callable


def _truncate(x: Any, *_: Any) -> int:
    return int(x)


def _nearest(x: float, *_: Any) -> int:
    return math.floor(abs(x) + 0.5) * (1 if x >= 0 else -1)


def _float(x: Any, *_: Any) -> float:
    return float(x)


def _mod(a: Any, b: Any) -> Any:
    return math.fmod(a, b) if isinstance(a, float) else int(math.fmod(a, b))


def _sign(a: Any, b: Any) -> Any:
    return abs(a) if b >= 0 else -abs(a)


#: name → (how a floating call is counted, '' for not at all; the function)
ELEMENTAL: dict[str, tuple[str, Callable[..., Any]]] = {
    **{n: (n, getattr(math, n)) for n in ("sqrt", "exp", "log", "sin", "cos", "tan", "tanh", "atan", "atan2")},
    **{f"d{n}": (n, getattr(math, n)) for n in ("sqrt", "exp", "log", "sin", "cos", "atan")},
    **dict.fromkeys(("abs", "dabs", "iabs"), ("abs", abs)),
    **dict.fromkeys(("max", "dmax1", "amax1", "max0"), ("max", max)),
    **dict.fromkeys(("min", "dmin1", "amin1", "min0"), ("min", min)),
    **dict.fromkeys(("int", "idint"), ("", _truncate)),
    **dict.fromkeys(("real", "dble", "float"), ("", _float)),
    "nint": ("", _nearest),
    "floor": ("", lambda x: math.floor(x)),
    "mod": ("mod", _mod),
    "modulo": ("", lambda a, b: a % b),
    "sign": ("sign", _sign),
    "dsign": ("sign", _sign),
    "iand": ("", lambda a, b: a & b),
    "ieor": ("", lambda a, b: a ^ b),
    "ior": ("", lambda a, b: a | b),
    "btest": ("", lambda a, b: bool(a >> b & 1)),
}


class Reductions:
    """Inquiries, reductions and array-valued intrinsics; mixed into the interpreter."""

    value: Callable[[Any], Any]
    count: Any
    frame: Any
    line: int

    def _named(self, args: Any, *names: str) -> list[Any]:
        out: dict[str, Any] = {}
        for position, argument in enumerate(args):
            if argument[0] == "kw":
                out[argument[1]] = argument[2]
            else:
                out[names[position]] = argument
        return [out.get(n) for n in names]

    def intrinsic_size(self, args: Any) -> int:
        array, dim = self._named(args, "array", "dim")
        shape = self.value(array).shape
        return int(shape[self.value(dim) - 1] if dim else math.prod(shape))

    def intrinsic_shape(self, args: Any) -> Lazy:
        shape = self.value(args[0]).shape
        return Lazy((len(shape),), lambda i: shape[i[0]])

    def intrinsic_lbound(self, args: Any) -> int:
        array, dim = self._named(args, "array", "dim")
        return int(self.value(array).dims[self.value(dim) - 1][0])

    def intrinsic_ubound(self, args: Any) -> int:
        array, dim = self._named(args, "array", "dim")
        low, extent, _ = self.value(array).dims[self.value(dim) - 1]
        return int(low + extent - 1)

    def intrinsic_allocated(self, args: Any) -> bool:
        holder = self.locate(args[0])  # type: ignore[attr-defined]
        return isinstance(holder, Holder) and holder.target is not None

    intrinsic_associated = intrinsic_allocated

    def intrinsic_epsilon(self, args: Any) -> float:
        return 2.220446049250313e-16

    def intrinsic_tiny(self, args: Any) -> float:
        return 2.2250738585072014e-308

    def intrinsic_huge(self, args: Any) -> Any:
        return 1.7976931348623157e308 if isinstance(self.value(args[0]), float) else 2147483647

    def intrinsic_kind(self, args: Any) -> int:
        return 8

    def intrinsic_selected_real_kind(self, args: Any) -> int:
        return 8

    def intrinsic_merge(self, args: Any) -> Any:
        then, other, mask = (self.value(a) for a in args)
        return self.lift(lambda m, t, o: t if m else o, mask, then, other)  # type: ignore[attr-defined]

    # ------------------------------------------------------------------ reductions

    def _reduce(self, args: Any, start: Any, kind: str, function: Callable[[Any, Any], Any], call: bool) -> Any:
        array, dim, mask = self._named(args, "array", "dim", "mask")
        if dim is not None and isinstance(self._plain(dim), int):
            return self._along(array, self._plain(dim), start, kind, function, call)
        source = self.value(array)
        chosen = self.value(mask) if mask is not None else None
        before = self.count.current
        self.implied_nest(self.line, source.shape)  # type: ignore[attr-defined]
        total = None
        for i in indices(source.shape):
            if chosen is not None and not chosen.get(i):
                continue
            total = self._fold(total, source.get(i), start, kind, function, call)
        self.count.current = before
        return start if total is None else total

    def _plain(self, expr: Any) -> Any:
        return expr[1] if expr[0] == "num" else None

    def _fold(self, total: Any, x: Any, start: Any, kind: str, function: Any, call: bool) -> Any:
        if isinstance(x, float):
            if call:
                self.count.call(kind)
            else:
                self.count.operation(kind)
        return function(start if total is None and not call else x if total is None else total, x)

    def _along(self, array: Any, dim: int, start: Any, kind: str, function: Any, call: bool) -> Lazy:
        source = self.value(array)
        shape = (*source.shape[: dim - 1], *source.shape[dim:])

        def element(i: tuple[int, ...]) -> Any:
            total = None
            before = self.count.current
            self.implied_nest(self.line, (source.shape[dim - 1],))  # type: ignore[attr-defined]
            for k in range(source.shape[dim - 1]):
                x = source.get((*i[: dim - 1], k, *i[dim - 1 :]))
                total = self._fold(total, x, start, kind, function, call)
            self.count.current = before
            return total

        return Lazy(shape, element)

    def intrinsic_sum(self, args: Any) -> Any:
        return self._reduce(args, 0.0, "add", lambda a, b: a + b, False)

    def intrinsic_product(self, args: Any) -> Any:
        return self._reduce(args, 1.0, "mul", lambda a, b: a * b, False)

    def intrinsic_maxval(self, args: Any) -> Any:
        return self._reduce(args, -math.inf, "max", max, True)

    def intrinsic_minval(self, args: Any) -> Any:
        return self._reduce(args, math.inf, "min", min, True)

    def intrinsic_count(self, args: Any) -> Any:
        return self._reduce(args, 0, "count", lambda a, b: a + int(b), False)

    def intrinsic_any(self, args: Any) -> Any:
        return self._reduce(args, False, "any", lambda a, b: a or b, False)

    def intrinsic_all(self, args: Any) -> Any:
        return self._reduce(args, True, "all", lambda a, b: a and b, False)

    def intrinsic_dot_product(self, args: Any) -> Any:
        left, right = self.value(args[0]), self.value(args[1])
        before = self.count.current
        self.implied_nest(self.line, left.shape)  # type: ignore[attr-defined]
        total = 0.0
        for i in indices(left.shape):
            self.count.operation("mul")
            self.count.operation("add")
            total += left.get(i) * right.get(i)
        self.count.current = before
        return total

    def intrinsic_matmul(self, args: Any) -> Lazy:
        left, right = self.value(args[0]), self.value(args[1])
        inner = left.shape[-1]
        shape = (*left.shape[:-1], *right.shape[1:])

        def element(i: tuple[int, ...]) -> float:
            total = 0.0
            before = self.count.current
            self.implied_nest(self.line, (inner,))  # type: ignore[attr-defined]
            for k in range(inner):
                self.count.operation("mul")
                self.count.operation("add")
                rows = i[:1] if len(left.shape) == 2 else ()
                columns = i[len(rows) :]
                total += left.get((*rows, k)) * right.get((k, *columns))
            self.count.current = before
            return total

        return Lazy(shape, element)

    # ------------------------------------------------------------------ rearrangements

    def intrinsic_transpose(self, args: Any) -> Lazy:
        source = self.value(args[0])
        return Lazy(source.shape[::-1], lambda i: source.get(i[::-1]))

    def intrinsic_cshift(self, args: Any) -> Lazy:
        array, shift, dim = self._named(args, "array", "shift", "dim")
        source, by = self.value(array), self.value(shift)
        d = self.value(dim) - 1 if dim is not None else 0
        n = source.shape[d]
        return Lazy(source.shape, lambda i: source.get((*i[:d], (i[d] + by) % n, *i[d + 1 :])))

    def intrinsic_eoshift(self, args: Any) -> Lazy:
        array, shift, boundary, dim = self._named(args, "array", "shift", "boundary", "dim")
        source, by = self.value(array), self.value(shift)
        edge = self.value(boundary) if boundary is not None else 0.0
        d = self.value(dim) - 1 if dim is not None else 0
        n = source.shape[d]

        def element(i: tuple[int, ...]) -> Any:
            k = i[d] + by
            return source.get((*i[:d], k, *i[d + 1 :])) if 0 <= k < n else edge

        return Lazy(source.shape, element)

    def intrinsic_spread(self, args: Any) -> Lazy:
        array, dim, copies = self._named(args, "source", "dim", "ncopies")
        source, d, n = self.value(array), self.value(dim) - 1, self.value(copies)
        shape = source.shape if isinstance(source, View | Lazy) else ()
        return Lazy((*shape[:d], n, *shape[d:]), lambda i: source.get((*i[:d], *i[d + 1 :])))

    def intrinsic_reshape(self, args: Any) -> Lazy:
        source, shape = self.value(args[0]), self.value(args[1])
        extents = tuple(shape.get(i) for i in indices(shape.shape))
        values = [source.get(i) for i in indices(source.shape)]
        order = {i: n for n, i in enumerate(indices(extents))}
        return Lazy(extents, lambda i: values[order[i]])
