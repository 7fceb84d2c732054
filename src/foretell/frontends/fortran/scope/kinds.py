"""Kinds and sizes in bytes of `real(8)`, `integer*8`, `c_double`, `selected_real_kind(15)` and others."""

from __future__ import annotations

import string

from foretell.frontends.source import ir

_ISO_ENV = {
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "real32": 4,
    "real64": 8,
    "real128": 16,
    "logical8": 1,
    "logical32": 4,
    "output_unit": 6,
    "input_unit": 5,
    "error_unit": 0,
    "iostat_end": -1,
    "iostat_eor": -2,
}
_ISO_C = {
    "c_int": 4,
    "c_short": 2,
    "c_long": 8,
    "c_long_long": 8,
    "c_signed_char": 1,
    "c_size_t": 8,
    "c_intptr_t": 8,
    "c_ptrdiff_t": 8,
    "c_int8_t": 1,
    "c_int16_t": 2,
    "c_int32_t": 4,
    "c_int64_t": 8,
    "c_float": 4,
    "c_double": 8,
    "c_long_double": 16,
    "c_float_complex": 4,
    "c_double_complex": 8,
    "c_bool": 1,
    "c_char": 1,
}
#: constants of the intrinsic modules
INTRINSIC_MODULES: dict[str, dict[str, int]] = {
    "iso_fortran_env": _ISO_ENV,
    "iso_c_binding": _ISO_C,
    "ieee_arithmetic": {},
    "ieee_exceptions": {},
    "ieee_features": {},
    "omp_lib": {},
    "omp_lib_kinds": {},
    "openacc": {},
}

CHARACTER = ir.Unknown("character")
LOGICAL = ir.Scalar("bool", 4)


def default_implicit() -> dict[str, ir.Type]:
    """Default implicit typing: i to n are integers, all other letters reals."""
    return {letter: ir.INT if letter in "ijklmn" else ir.FLOAT for letter in string.ascii_lowercase}


def scalar(word: str, size: int | None) -> ir.Type:
    """The type of an intrinsic type name with a kind in bytes (per part for complex)."""
    match word:
        case "integer":
            return ir.Scalar("int", size or 4)
        case "real":
            return ir.Scalar("float", size or 4)
        case "complex":
            return ir.Scalar("complex", 2 * (size or 4))
        case "logical":
            return ir.Scalar("bool", size or 4)
        case "byte":
            return ir.Scalar("int", 1)
        case "character":
            return CHARACTER
        case _:
            return ir.Unknown(word)


def selected_real_kind(digits: int, exponent: int) -> int:
    """The smallest real kind with that many decimal digits and that exponent range; 16 if none of 4 and 8 has."""
    if digits <= 6 and exponent <= 37:
        return 4
    return 8 if digits <= 15 and exponent <= 307 else 16


def selected_int_kind(digits: int) -> int:
    """The smallest integer kind that holds every number of that many digits."""
    return next((size for size, most in ((1, 2), (2, 4), (4, 9), (8, 18)) if digits <= most), 16)
