"""Expressions against Python's own arithmetic, scalars against arrays, and any text at all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell.core.columns.expression import Expression
from foretell.errors import InputError

numbers = st.integers(1, 1000).map(str) | st.sampled_from(["N", "M", "0.5", "1e3"])


def combine(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = st.tuples(parts, st.sampled_from(["+", "-", "*", "/", "//", "%"]), parts).map(
        lambda item: f"({item[0]} {item[1]} {item[2]})"
    )
    calls = st.tuples(st.sampled_from(["ceil", "floor", "abs"]), parts).map(lambda item: f"{item[0]}({item[1]})")
    pairs = st.tuples(st.sampled_from(["min", "max"]), parts, parts).map(lambda i: f"{i[0]}({i[1]}, {i[2]})")
    return binary | calls | pairs


texts = st.recursive(numbers, combine, max_leaves=8)
values = st.integers(1, 1_000_000).map(float)


@given(texts, values, values)
def test_scalar_equals_python(text: str, n: float, m: float) -> None:
    functions = {"ceil": math.ceil, "floor": math.floor, "abs": abs, "min": min, "max": max}
    try:
        expected = eval(text, {"__builtins__": {}}, {**functions, "N": n, "M": m})
    except ZeroDivisionError:
        with pytest.raises(InputError):
            Expression(text).evaluate({"N": n, "M": m})
        return
    assert Expression(text).evaluate({"N": n, "M": m}) == pytest.approx(float(expected), rel=1e-12)


@given(texts, st.lists(values, min_size=1, max_size=5), values)
def test_arrays_equal_scalars(text: str, ns: list[float], m: float) -> None:
    expression = Expression(text)
    try:
        expected = [expression.evaluate({"N": n, "M": m}) for n in ns]
    except InputError:
        return
    found = expression.evaluate({"N": np.array(ns), "M": m})
    assert np.broadcast_to(found, len(ns)) == pytest.approx(expected, rel=1e-12)


@given(st.text(max_size=60))
def test_any_text_is_an_expression_or_an_error(text: str) -> None:
    try:
        expression = Expression(text)
        expression.evaluate(dict.fromkeys(expression.names, 2.0))
    except InputError:
        pass


@given(st.text(alphabet="N0123456789.()+-*/%<>= ,abceilmx", max_size=60))
def test_arithmetic_looking_text_is_an_expression_or_an_error(text: str) -> None:
    try:
        expression = Expression(text)
        expression.evaluate(dict.fromkeys(expression.names, 2.0))
    except InputError:
        pass
