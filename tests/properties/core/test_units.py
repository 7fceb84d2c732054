"""Units survive the way out and back in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell import units
from foretell.errors import InputError, UnitError

values = st.floats(1e-12, 1e15)


@given(values, st.sampled_from(["s", "B", "B/s", "flop/s", "1/s", "cycle", "", "B/cycle", "flop/cycle", "W"]))
def test_what_is_shown_reads_back(value: float, unit: str) -> None:
    shown = units.show(value, unit, digits=17)
    read = units.parse(shown)
    assert read.value == pytest.approx(value, rel=1e-12)
    assert read.unit == unit


@given(st.floats(1, 1000), st.sampled_from(["k", "M", "G", "T"]), st.sampled_from(["Ki", "Mi", "Gi", "Ti"]))
def test_binary_and_decimal_prefixes_differ(value: float, decimal: str, binary: str) -> None:
    if decimal.lower() == binary[0].lower():
        ratio = units.parse(f"{value}{binary}B").value / units.parse(f"{value}{decimal}B").value
        assert ratio == pytest.approx(1.024 ** {"k": 1, "M": 2, "G": 3, "T": 4}[decimal])


@given(st.text(max_size=30))
def test_any_text_is_a_measure_or_an_error(text: str) -> None:
    try:
        measure = units.parse(text)
    except UnitError:
        return
    assert isinstance(measure.value, float)


@given(st.text(max_size=30), st.sampled_from(["B", "s", ""]))
def test_parse_as_gives_the_dimension_or_an_error(text: str, dimension: str) -> None:
    try:
        value = units.parse_as(text, dimension)
    except InputError:
        return
    assert units.parse(text) == units.Measure(value, dimension)
