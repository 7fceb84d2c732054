"""Kinds and sizes in bytes of `real(8)`, `integer*8`, `c_double`, `selected_real_kind(15)` and others."""

from __future__ import annotations

import string

from foretell.frontends.source import ir

_ISO_ENV = {
    "int8": 1, "int16": 2, "int32": 4, "int64": 8, "real32": 4, "real64": 8, "real128": 16, "logical8": 1,
    "logical32": 4, "output_unit": 6, "input_unit": 5, "error_unit": 0, "iostat_end": -1, "iostat_eor": -2,
}  # fmt: skip
_ISO_C = {
    f"c_{name}": size
    for size, names in (
        (1, "signed_char int8_t bool char"),
        (2, "short int16_t"),
        (4, "int int32_t float float_complex"),
        (8, "long long_long size_t intptr_t ptrdiff_t int64_t double double_complex"),
        (16, "long_double"),
    )
    for name in names.split()
}
#: constants of the intrinsic modules
INTRINSIC_MODULES: dict[str, dict[str, int]] = {
    "iso_fortran_env": _ISO_ENV,
    "iso_c_binding": _ISO_C,
    **{f"ieee_{name}": {} for name in ("arithmetic", "exceptions", "features")},
    **{name: {} for name in ("omp_lib", "omp_lib_kinds", "openacc")},
}

CHARACTER = ir.Unknown("character")
LOGICAL = ir.Scalar("bool", 4)


def default_implicit() -> dict[str, ir.Type]:
    """Default implicit typing: i to n are integers, all other letters reals."""
    return {letter: ir.INT if letter in "ijklmn" else ir.FLOAT for letter in string.ascii_lowercase}


def scalar(word: str, size: int | None) -> ir.Type:
    """The type of an intrinsic type name with a kind in bytes (per part for complex)."""
    size = size or 4
    types = {
        "integer": ir.Scalar("int", size),
        "real": ir.Scalar("float", size),
        "complex": ir.Scalar("complex", 2 * size),
        "logical": ir.Scalar("bool", size),
        "byte": ir.Scalar("int", 1),
    }
    return types.get(word, ir.Unknown(word))


def selected_real_kind(digits: int, exponent: int) -> int:
    """The smallest real kind with that many decimal digits and that exponent range; 16 if none of 4 and 8 has."""
    if digits <= 6 and exponent <= 37:
        return 4
    return 8 if digits <= 15 and exponent <= 307 else 16


def selected_int_kind(digits: int) -> int:
    """The smallest integer kind that holds every number of that many digits."""
    return next((size for size, most in ((1, 2), (2, 4), (4, 9), (8, 18)) if digits <= most), 16)
