"""Calls: library functions under one name for all precisions, compiler builtins as what they mean."""

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

#: builtins whose value is their first argument
TRANSPARENT = _names(
    "__builtin_expect __builtin_expect_with_probability __builtin_assume_aligned __builtin_launder "
    "__builtin_unpredictable"
)
#: builtins that say something to the compiler and do nothing
SILENT = _names(
    "__builtin_assume __builtin_prefetch __builtin_unreachable __assume __builtin_va_start __builtin_va_end "
    "__builtin_va_copy"
)


def library_name(name: str) -> str:
    """'sqrt' for sqrtf and __builtin_sqrtl, 'max' for fmaxf, 'abs' for labs; any other name as it is."""
    name = name.removeprefix("__builtin_")
    base = name
    if name not in _REAL and name not in _COMPLEX and name[-1:] in ("f", "l"):
        base = name[:-1]
    if base not in _REAL and base not in _COMPLEX:
        base = name
    return _RENAMED.get(base, base)


def is_library(name: str) -> bool:
    """Whether a name is the C library's: a declaration of one's own does not make it another function."""
    return name.startswith("__builtin_") or library_name(name) != name or name in _REAL or name in _COMPLEX


def is_math(name: str) -> bool:
    """Whether a function computes a number and does nothing else."""
    return name in _REAL or name in _COMPLEX or name in ("abs", "min", "max")
