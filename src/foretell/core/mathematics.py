"""Names of mathematical library functions (C11, 7.12, and compiler builtins), shared by front ends, code generation and
cost models."""

from __future__ import annotations

_COMPUTED = """
    acos asin atan atan2 cos sin tan sincos acosh asinh atanh cosh sinh tanh exp exp2 exp10 expm1 log log2 log10 log1p
    pow cbrt hypot erf erfc tgamma lgamma fmod remainder
"""
_PASSED_ON = """
    fabs copysign floor ceil trunc rint nearbyint round roundeven lround llround lrint llrint canonicalize
"""
#: functions computed by a polynomial or a loop: about as long as a power or an exponential
COMPUTED = frozenset(_COMPUTED.split())
#: functions that change at most the sign or the fraction: the value passes through
PASSED_ON = frozenset(_PASSED_ON.split())
