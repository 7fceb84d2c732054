from __future__ import annotations

import pytest

from foretell import units
from foretell.errors import UnitError


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("28GB/s", 28e9, "B/s"),
        ("16KiB", 16384, "B"),
        ("1.6GHz", 1.6e9, "1/s"),
        ("1 GB", 1e9, "B"),
        ("1 GiB", 2**30, "B"),
        ("220 cycle", 220, "cycle"),
        ("9 cycles", 9, "cycle"),
        ("0.004 us", 4e-9, "s"),
        ("4 µs", 4e-6, "s"),
        ("765 GFLOPS", 765e9, "flop/s"),
        ("765 Gflop/s", 765e9, "flop/s"),
        ("32 B/cycle", 32, "B/cycle"),
        ("1_000", 1000, ""),
        ("50 %", 0.5, ""),
        ("2 h", 7200, "s"),
        ("3 min", 180, "s"),
        ("3 J", 3, "W*s"),
        ("4 mm2", 4, "mm2"),
        ("1e-3 1/cycle", 1e-3, "1/cycle"),
        ("2 s^2", 2, "s^2"),
    ],
)
def test_parse(text: str, value: float, unit: str) -> None:
    measure = units.parse(text)
    assert measure.value == pytest.approx(value, rel=1e-15)
    assert measure.unit == unit


@pytest.mark.parametrize("text", ["", "GB", "1 KB", "1 parsec", "1 s^x", "nan", "inf s", "1e999 s", "1 B/", "1 GiHz"])
def test_not_a_measure(text: str) -> None:
    with pytest.raises(UnitError):
        units.parse(text)


def test_kb_is_refused_with_the_way_out() -> None:
    with pytest.raises(UnitError, match="kB for 1000 bytes or KiB for 1024"):
        units.parse("64 KB")


def test_parse_as_wants_the_dimension() -> None:
    assert units.parse_as("64 GB/s", "B/s") == 64e9
    with pytest.raises(UnitError, match="is in B, expected a unit of B/s"):
        units.parse_as("64 GB", "B/s")
    with pytest.raises(UnitError, match="expected a pure number"):
        units.parse_as("64 GB", "")


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (786.432e-6, "s", "786.4 us"),
        (1.127e-3, "s", "1.127 ms"),
        (0.0, "s", "0 s"),
        (32e9, "B/s", "32 GB/s"),
        (65536, "B", "64 KiB"),
        (1.25 * 2**20, "B", "1.25 MiB"),
        (32e9, "B", "32 GB"),
        (100, "B", "100 B"),
        (1.45e9, "1/s", "1.45 GHz"),
        (220, "cycle", "220 cycle"),
        (64, "", "64"),
        (1e-15, "s", "0.001 ps"),
        (float("inf"), "s", "inf"),
        (-203.4e-6, "s", "-203.4 us"),
    ],
)
def test_show(value: float, unit: str, text: str) -> None:
    assert units.show(value, unit) == text
