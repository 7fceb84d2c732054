"""Lowers calls: library functions under one name for all precisions, compiler builtins as their equivalents."""

from __future__ import annotations

from foretell.core.mathematics import COMPUTED, PASSED_ON


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FURTHER = _names("fdim fma fmax fmin frexp ilogb ldexp logb modf nextafter scalbn sqrt")
_REAL = COMPUTED | _FURTHER | (PASSED_ON - {"canonicalize", "roundeven"})
_COMPLEX = _names(
    "cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin csinh "
    "csqrt ctan ctanh"
)
_RENAMED = {"fmax": "max", "fmin": "min", "labs": "abs", "llabs": "abs", "imaxabs": "abs"}

#: builtins that return their first argument
TRANSPARENT = _names(
    "__builtin_expect __builtin_expect_with_probability __builtin_assume_aligned __builtin_launder "
    "__builtin_unpredictable"
)
#: compiler hints without effect
SILENT = _names(
    "__builtin_assume __builtin_prefetch __builtin_unreachable __assume __builtin_va_start __builtin_va_end "
    "__builtin_va_copy"
)


def library_name(name: str) -> str:
    """The generic name: 'sqrt' for sqrtf and __builtin_sqrtl, 'max' for fmaxf, 'abs' for labs; otherwise unchanged."""
    name = name.removeprefix("__builtin_")
    base = name
    if name not in _REAL and name not in _COMPLEX and name[-1:] in ("f", "l"):
        base = name[:-1]
    if base not in _REAL and base not in _COMPLEX:
        base = name
    return _RENAMED.get(base, base)


def is_library(name: str) -> bool:
    """Whether a name belongs to the C library, even if the user declares it again."""
    return name.startswith("__builtin_") or library_name(name) != name or name in _REAL or name in _COMPLEX


def is_math(name: str) -> bool:
    """Whether a function is pure: computes a number without side effects."""
    return name in _REAL or name in _COMPLEX or name in ("abs", "min", "max")
