"""Lowers mathematical functions of the source to IR: an instruction, a few, or a library call.

Functions that compilers inline become intrinsics; sqrt only where errno is not needed. All others are calls by their
libm names: LLVM knows these names, and the in-core model knows their costs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell.codegen.ir.values import BOOL, DISCRETE, Pair, real_part, value_type
from foretell.codegen.load_llvmlite import load_ir
from foretell.core.mathematics import COMPUTED
from foretell.errors import UnsupportedError

if TYPE_CHECKING:
    from foretell.codegen.ir.values import Arithmetic
    from foretell.core.nest.statements import ElementType

#: functions that never set errno, with their LLVM intrinsics
_INTRINSICS = {
    "fabs": "fabs", "abs": "fabs", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "round": "round",
    "rint": "rint", "nearbyint": "nearbyint", "copysign": "copysign", "sign": "copysign", "fma": "fma",
    "fmin": "minnum", "fmax": "maxnum",
}  # fmt: skip
_LIBRARY = COMPUTED - {"exp10", "sincos"} | {"fdim"}
_COMPLEX_LIBRARY = frozenset({"cexp", "clog", "csqrt", "exp", "log", "sqrt", "sin", "cos", "pow"})


class Functions:
    """Emits calls of mathematical functions on values of type `kind`."""

    def __init__(self, arithmetic: Arithmetic, module: Any) -> None:
        self._ir, self._a, self._module = load_ir(), arithmetic, module

    def of(self, name: str, args: list[Any], kind: ElementType, result: ElementType) -> Any:
        """name(args); `kind` is the common type of the arguments."""
        if kind.kind == "complex":
            return self._of_complex(name, args, kind, result)
        if name in ("min", "max") and kind.kind == "float" and self._a.rules.number_wins:
            return self._a.convert(self._of_floats(f"f{name}", args, kind), kind, result)
        if name in ("min", "max"):
            return self._extreme(name, args, kind)
        if name in ("isnan", "isinf", "isfinite") and kind.kind == "float":
            return self._a.convert(self._classified(name, args[0], kind), BOOL, result)
        if kind.kind in DISCRETE:
            return self._of_integers(name, args, kind, result)
        value = self._of_floats(name, args, kind)
        return self._a.convert(value, kind, result)

    def _of_floats(self, name: str, args: list[Any], kind: ElementType) -> Any:
        if name in self._a.rules.library:
            return self.call(self._c_name(name, kind), value_type(kind), args, plain=True)
        if name == "sqrt" and not self._a.rules.checked:
            return self.intrinsic("sqrt", args)
        if name in _INTRINSICS:
            return self.intrinsic(_INTRINSICS[name], args)
        if name in ("int", "real", "dble", "nint", "lround", "llround"):
            return args[0] if "round" not in name and name != "nint" else self.intrinsic("round", args)
        if name in ("mod", "modulo"):
            return self.call(self._c_name("fmod", kind), value_type(kind), args)
        if name == "rsqrt":
            return self._a.binary("/", self._a.constant(1.0, kind), self._of_floats("sqrt", args, kind), kind)
        if name in _LIBRARY or name == "sqrt":
            return self.call(self._c_name(name, kind), value_type(kind), args)
        raise UnsupportedError(f"no code can be generated for a call of {name}")

    def _of_integers(self, name: str, args: list[Any], kind: ElementType, result: ElementType) -> Any:
        a = self._a
        if name in ("real", "dble", "int"):
            return a.convert(args[0], kind, result)
        if name == "abs":
            return self._a.choose(a.compare("<", args[0], a.constant(0, kind), kind), a.negate(args[0], kind), args[0])
        if name == "mod":
            return a.binary("%", args[0], args[1], kind)
        if name == "modulo":  # has the sign of the divisor
            rest = a.binary("%", args[0], args[1], kind)
            zero = a.constant(0, kind)
            apart = a.compare("<", a.binary("^", rest, args[1], kind), zero, kind)
            moved = a.choose(apart, a.binary("+", rest, args[1], kind), rest)
            return a.choose(a.compare("==", rest, zero, kind), rest, moved)
        if name == "sign":
            positive = self._of_integers("abs", args[:1], kind, result)
            test = a.compare("<", args[1], a.constant(0, kind), kind)
            return a.choose(test, a.negate(positive, kind), positive)
        raise UnsupportedError(f"no code can be generated for {name} of {kind.name} values")

    def _of_complex(self, name: str, args: list[Any], kind: ElementType, result: ElementType) -> Any:
        part, value = real_part(kind), args[0]
        match name:
            case "conj":
                return Pair(value.re, self._a.negate(value.im, part))
            case "creal" | "real" | "dble":
                return self._a.convert(value.re, part, result)
            case "cimag" | "aimag":
                return value.im
            case "cabs" | "abs":
                return self.call(self._c_name("hypot", part), value_type(part), [value.re, value.im])
            case "cmplx":
                return value if len(args) == 1 else Pair(value.re, args[1].re)
        if name not in _COMPLEX_LIBRARY or len(args) > 1:
            raise UnsupportedError(f"no code can be generated for {name} of {kind.name} values")
        both = self._ir.LiteralStructType([value_type(part)] * 2)
        plain = name if name in ("cexp", "clog", "csqrt") else f"c{name}"
        found = self.call(self._c_name(plain, part), both, [value.re, value.im])
        return Pair(self._a.b.extract_value(found, 0), self._a.b.extract_value(found, 1))

    def _extreme(self, name: str, args: list[Any], kind: ElementType) -> Any:
        chosen = args[0]
        for other in args[1:]:
            test = self._a.compare("<" if name == "min" else ">", chosen, other, kind)
            chosen = self._a.choose(test, chosen, other)
        return chosen

    def _classified(self, name: str, value: Any, kind: ElementType) -> Any:
        if name == "isnan":
            return self._a.b.fcmp_unordered("uno", value, value)
        infinity = self._a.constant(float("inf"), kind)
        return self._a.b.fcmp_ordered("==" if name == "isinf" else "<", self.intrinsic("fabs", [value]), infinity)

    def intrinsic(self, name: str, args: list[Any]) -> Any:
        """Calls LLVM's intrinsic of that name."""
        kind = args[0].type
        function = self._module.declare_intrinsic(
            f"llvm.{name}", [kind], self._ir.FunctionType(kind, [kind] * len(args))
        )
        return self._a.b.call(function, args, fastmath=self._a.rules.flags)

    def unknown_zero(self, kind: Any) -> Any:
        """Loop-invariant value from outside of the module, opaque to LLVM."""
        name = f"zero.{kind}"
        variable = self._module.globals.get(name)
        if variable is None:
            variable = self._ir.GlobalVariable(self._module, kind, name)
            variable.linkage, variable.global_constant = "external", True
        value = self._a.b.load(variable)
        value.set_metadata("invariant.load", self._module.add_metadata([]))
        return value

    def call(self, name: str, result: Any, args: list[Any], plain: bool = False) -> Any:
        """Calls an external function; `plain`: hides its semantics from LLVM."""
        function = self._module.globals.get(name)
        if function is None:
            kind = self._ir.FunctionType(result, [argument.type for argument in args])
            function = self._ir.Function(self._module, kind, name)
            if plain:
                function.attributes.add("nobuiltin")
            if not self._a.rules.checked:  # errno is not needed: the call has no side effect
                function.attributes.add("nounwind")
                function.attributes.add("readnone")
        return self._a.b.call(function, args, fastmath=self._a.rules.flags)

    @staticmethod
    def _c_name(name: str, kind: ElementType) -> str:
        return f"{name}f" if kind.size == 4 else name
