"""Quantities with units: the only module with prefixes and conversions.

Inside foretell everything is in SI base units: seconds, bytes, hertz, flop, watt. Cycles stay cycles (a conversion to
seconds needs a clock). Decimal and binary prefixes are distinct: 1 GB is 10^9 bytes, 1 GiB is 2^30 bytes; «KB» is
neither and is refused.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from foretell.errors import UnitError
from foretell.records import record

_DECIMAL = {
    "": 1.0,
    "f": 1e-15,
    "p": 1e-12,
    "n": 1e-9,
    "u": 1e-6,
    "µ": 1e-6,
    "μ": 1e-6,
    "m": 1e-3,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "P": 1e15,
    "E": 1e18,
}
#: what 64K, 1M, 2G mean as numbers of elements in arguments of a call
BINARY_PREFIXES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50}

#: base unit -> (exponents of the base dimensions, permitted prefixes)
_BASES: dict[str, tuple[dict[str, int], dict[str, float]]] = {
    "B": ({"B": 1}, _DECIMAL | _BINARY),
    "byte": ({"B": 1}, {"": 1.0}),
    "bytes": ({"B": 1}, {"": 1.0}),
    "s": ({"s": 1}, _DECIMAL),
    "min": ({"s": 1}, {"": 60.0}),
    "h": ({"s": 1}, {"": 3600.0}),
    "Hz": ({"s": -1}, _DECIMAL),
    "cycle": ({"cycle": 1}, {"": 1.0}),
    "cycles": ({"cycle": 1}, {"": 1.0}),
    "flop": ({"flop": 1}, _DECIMAL),
    "FLOP": ({"flop": 1}, _DECIMAL),
    "FLOPS": ({"flop": 1, "s": -1}, _DECIMAL),
    "instruction": ({"instruction": 1}, _DECIMAL),
    "W": ({"W": 1}, _DECIMAL),
    "J": ({"W": 1, "s": 1}, _DECIMAL),
    "mm2": ({"mm2": 1}, {"": 1.0}),
    "%": ({}, {"": 0.01}),
    "1": ({}, {"": 1.0}),
}

_NUMBER = re.compile(r"\s*([-+]?(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*")


@record
class Unit:
    """A unit in SI base units: `scale` times the product of base dimensions to integer powers."""

    scale: float
    powers: tuple[tuple[str, int], ...]

    @property
    def si(self) -> str:
        """Returns the SI spelling of the dimension, such as 'B/s', 'cycle' or '' for a pure number."""
        top = [_power(name, n) for name, n in self.powers if n > 0]
        bottom = [_power(name, -n) for name, n in self.powers if n < 0]
        if not bottom:
            return "*".join(top)
        return "/".join(["*".join(top) or "1", *bottom])


@record
class Measure:
    """A number in SI base units with the SI spelling of its dimension."""

    value: float
    unit: str


def _power(name: str, n: int) -> str:
    return name if n == 1 else f"{name}^{n}"


@lru_cache(maxsize=1024)
def parse_unit(text: str) -> Unit:
    """Parses a unit: 'GB/s' → Unit(1e9, byte per second). The empty string is the pure number."""
    scale = 1.0
    powers: dict[str, int] = {}
    for position, factor in enumerate(text.strip().split("/") if text.strip() else []):
        sign = 1 if position == 0 else -1
        for part in factor.split("*"):
            factor_scale, exponents = _parse_factor(part.strip(), text)
            scale *= factor_scale**sign
            for name, n in exponents.items():
                powers[name] = powers.get(name, 0) + sign * n
    return Unit(scale, tuple(sorted((name, n) for name, n in powers.items() if n)))


def _parse_factor(text: str, whole: str) -> tuple[float, dict[str, int]]:
    name, _, exponent = text.partition("^")
    if exponent and not re.fullmatch(r"-?[1-9]", exponent):
        raise UnitError(f"unit {whole!r}: the exponent {exponent!r} is not a small integer")
    n = int(exponent) if exponent else 1
    for base, (exponents, prefixes) in _BASES.items():
        prefix = name.removesuffix(base)
        if name.endswith(base) and prefix in prefixes:
            return prefixes[prefix] ** n, {key: n * power for key, power in exponents.items()}
    hint = "write kB for 1000 bytes or KiB for 1024" if name == "KB" else "known: " + ", ".join(_BASES)
    raise UnitError(f"unknown unit {name!r} in {whole!r}", hint=hint)


def parse(text: str) -> Measure:
    """Parses a quantity: '28GB/s' → Measure(28e9, 'B/s'). A number without a unit is a pure number."""
    number = _NUMBER.match(text)
    if number is None:
        raise UnitError(f"{text!r} is not a number with a unit")
    unit = parse_unit(text[number.end() :])
    value = float(number[1].replace("_", "")) * unit.scale
    if not math.isfinite(value):
        raise UnitError(f"{text!r} is not a finite number")
    return Measure(value, unit.si)


def parse_as(text: str, dimension: str) -> float:
    """Returns the SI value of `text`, which must have the dimension spelled `dimension` ('B', 'B/s', 's', '')."""
    measure = parse(text)
    if measure.unit != parse_unit(dimension).si:
        wanted = f"a unit of {dimension}" if dimension else "a pure number"
        raise UnitError(f"{text!r} is in {measure.unit or 'no unit'}, expected {wanted}")
    return measure.value


_LARGE = (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3), ("", 1.0))
_SMALL = (("m", 1e-3), ("u", 1e-6), ("n", 1e-9), ("p", 1e-12))


def show(value: float, unit: str, digits: int = 4) -> str:
    """Formats a value in SI base units for people: 786.4 us, 32 GB/s, 64 KiB, 220 cycles."""
    if not math.isfinite(value):
        return f"{value}"
    binary = _binary_scale(value) if unit == "B" else None
    if binary is not None:
        return f"{_digits(value / _BINARY[binary], 6)} {binary}B"
    if unit in ("1/s", "s^-1"):
        unit = "Hz"
    if unit in ("", "cycle", "mm2") or value == 0:
        return f"{_digits(value, digits)} {unit}".rstrip()
    ladder = _LARGE if unit[0] in "Bf" else _LARGE + _SMALL
    for prefix, scale in ladder:
        if abs(value) >= scale * 0.99999999:
            return f"{_digits(value / scale, digits)} {prefix}{unit}"
    prefix, scale = ladder[-1]
    return f"{_digits(value / scale, digits)} {prefix}{unit}"


def _binary_scale(value: float) -> str | None:
    """Returns the binary prefix in which a size is a multiple of 1/8, such as 30.5 MiB; None if there is none."""
    fitting = [prefix for prefix, scale in _BINARY.items() if value >= scale]
    return fitting[-1] if fitting and value % (_BINARY[fitting[-1]] / 8) == 0 else None


def _digits(value: float, digits: int) -> str:
    if value == int(value) and abs(value) < 1e7:
        return str(int(value))
    return f"{value:.{digits}g}"
