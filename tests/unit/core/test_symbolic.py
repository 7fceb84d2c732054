"""Polynomials: arithmetic, printing and reading, evaluation, summation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from foretell.core.symbolic.poly import (
    ONE,
    ZERO,
    Poly,
    apply,
    at_least_zero,
    element,
    exact_quotient,
    floor_div,
    is_zero,
    maximum,
    minimum,
    modulo,
    named,
    number,
    parity,
    same_powers,
    symbol,
    unnamed,
)
from foretell.core.symbolic.sums import sum_over, trip_count
from foretell.core.symbolic.text import parse
from foretell.errors import InputError

i, j, k, n, m = (symbol(name) for name in "ijknm")


def test_equal_polynomials_are_one_key() -> None:
    assert (i + j) * (i - j) == i * i - j * j
    assert len({(i + 1) * 2, i * 2 + 2, 2 * (1 + i)}) == 1
    assert i - i == 0
    assert hash(i + j) == hash(j + i)


@pytest.mark.parametrize(
    ("polys", "expected"),
    [
        ([n * m, n * m - 1], (("n", "m"),)),
        ([n * m * i, n * m + i * i], (("n", "m"),)),
        ([n * m, n * n * m], ()),  # n stands for more than its part of the product
        ([n * m, m + 1], ()),
        ([floor_div(n * m, 8)], (("n", "m"),)),
        ([n * m, floor_div(n, 8)], ()),
        ([n * n * m * m], (("n", "m"),)),
        ([number(3)], ()),
    ],
)
def test_symbols_that_occur_in_nothing_but_their_product(
    polys: list[Poly], expected: tuple[tuple[str, ...], ...]
) -> None:
    assert same_powers(("n", "m", "i"), polys) == expected


@pytest.mark.parametrize(
    ("poly", "text"),
    [
        (ZERO, "0"),
        (n - 1, "n - 1"),
        (-n, "-n"),
        (n * n / 2 - n / 2, "n**2/2 - n/2"),
        ((n + 2) * (m + 2), "m*n + 2*m + 2*n + 4"),
        (minimum(i + 32, n), "min(i + 32, n)"),
        (modulo(i + j + 3, 2), "mod(i + j + 1, 2)"),
        (element("row", [i + 1]) - element("row", [i]), "row[i + 1] - row[i]"),
        (floor_div(n + 1, 2), "floor(n + 1, 2)"),
    ],
)
def test_text_and_back(poly: Poly, text: str) -> None:
    assert str(poly) == text
    assert parse(text) == poly


def test_parse_takes_bounds_as_the_report_prints_them() -> None:
    # EX-7: the bound of Fig. 7, with xor and a bare ampersand
    bound = parse("ilo +((j ^ k ^ s ^ color000) & 1) + 1 - ghosts")
    assert str(bound) == "-ghosts + ilo + mod(color000 + j + k + s, 2) + 1"
    assert parse("level->num_my_blocks") == symbol("level.num_my_blocks")


@pytest.mark.parametrize("text", ["", "1 +", "n)", "(n", "n/m", "2**n", "a b", "$", "f(1", "(" * 500, "1/0"])
def test_what_is_no_expression_says_so(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


def test_linear_parts() -> None:
    found = ((k * (n + 2) + j) * (m + 2) + i - 3).coefficients("ijk")
    assert found is not None
    parts, rest = found
    assert parts == {"i": ONE, "j": m + 2, "k": (n + 2) * (m + 2)}
    assert rest == -3
    assert (i * j).coefficients("ij") is None
    assert element("idx", [i]).coefficients("i") is None  # hidden in an atom


def test_floors_let_go_of_whole_multiples() -> None:
    assert floor_div(2 * n + 3, 2) == n + 1
    assert floor_div(number(-7), 2) == -4
    assert apply("div", (number(-7), number(2))) == -3  # C truncates
    assert apply("rem", (number(-7), number(2))) == -1
    assert floor_div(n * m, m) == n


def test_extremes_of_comparable_values() -> None:
    assert minimum(n, n + 3) == n
    assert maximum(n, n + 3, n - 1) == n + 3
    assert minimum(minimum(n, m), i) == minimum(n, minimum(m, i))


def test_parity_is_a_sum() -> None:
    value = apply("xor", (apply("xor", (i, j)), k))
    assert modulo(parity(value), 2) == modulo(i + j + k, 2)
    for a in range(3):
        for b in range(3):
            assert modulo(parity(apply("xor", (number(a), number(b)))), 2) == (a ^ b) & 1


def test_evaluation_at_numbers_and_at_arrays() -> None:
    poly = minimum(n, 10) * m - modulo(n, 3)
    sizes = np.arange(1, 30)
    assert poly.evaluate({"n": 20, "m": 5}) == 48
    assert poly.evaluate({"n": sizes, "m": 5}).tolist() == [poly.evaluate({"n": int(s), "m": 5}) for s in sizes]


def test_fractions_and_bits_at_arrays_of_floats() -> None:
    """Whole numbers stay whole: the sixth of a product of three neighbours has no rounding in it."""
    pyramid = n * (n + 1) * (2 * n + 1) / 6
    sizes = np.arange(1.0, 2000.0)
    found = pyramid.evaluate({"n": sizes})
    assert found.dtype == np.float64
    assert found.tolist() == [pyramid.evaluate({"n": int(size)}) for size in sizes]
    for op in ("shr", "and", "or", "xor"):
        poly = apply(op, (n, m))
        assert poly.evaluate({"n": 44.0, "m": 3.0}) == poly.evaluate({"n": 44, "m": 3})
        assert poly.evaluate({"n": np.array([44.0]), "m": 3.0}).tolist() == [poly.evaluate({"n": 44, "m": 3})]
    # what is cut to a multiple of eight, `n & ~(size_t)7`, has a mask beyond whole numbers of 64 bits with a sign
    cut, at = apply("and", (n, number(2**64 - 8))), (44, 47, 48)
    assert (
        cut.evaluate({"n": np.array(at, dtype=float)}).tolist() == [cut.evaluate({"n": k}) for k in at] == [40, 40, 48]
    )
    logarithm = apply("ilog", (n, number(3)))
    assert logarithm.evaluate({"n": sizes}).tolist() == [logarithm.evaluate({"n": int(s)}) for s in sizes]
    assert [logarithm.evaluate({"n": k}) for k in (0, 1, 2, 3, 8, 9, 26, 27)] == [-1, 0, 0, 1, 1, 2, 2, 3]


def test_a_missing_value_is_named() -> None:
    with pytest.raises(InputError, match="no value is given for m"):
        (n * m).evaluate({"n": 1})
    with pytest.raises(InputError, match="depends on data"):
        element("idx", [n]).evaluate({"n": 1})
    with pytest.raises(InputError, match="divides by zero"):
        floor_div(n, m).evaluate({"n": 1, "m": 0})


def test_exact_quotients() -> None:
    assert exact_quotient((n + 2) * (m + 2), n + 2) == m + 2
    assert exact_quotient(n * m + 1, n) is None
    assert exact_quotient(n, ZERO) is None


def test_a_named_value_prints_short_and_depends_on_what_it_holds() -> None:
    stride = named("stride", element("strides", [k]))
    assert str(j * stride) == "j*stride"
    assert (j * stride).depends_on("k")
    assert unnamed(j * stride, "k") == j * element("strides", [k])


# ---------------------------------------------------------------------------------------------- sums


def test_triangles_and_pyramids() -> None:
    assert sum_over(sum_over(ONE, "j", i + 1, n - 1), "i", ZERO, n - 1) == n * n / 2 - n / 2
    lu = sum_over((n - k - 1) * (n - k - 1), "k", ZERO, n - 2)
    assert str(lu) == "n**3/3 - n**2/2 + n/6"


def test_tiles_are_the_whole() -> None:
    inner = trip_count(i, minimum(i + 31, n), ONE)
    assert sum_over(inner, "i", ONE, n, number(32)) == n
    c_style = trip_count(i, minimum(i + 32, n) - 1, ONE)
    assert sum_over(c_style, "i", ZERO, n - 1, number(32)) == n


def test_rows_of_a_sparse_matrix_telescope() -> None:
    length = element("row", [i + 1]) - element("row", [i])
    assert sum_over(length, "i", ZERO, n - 1) == element("row", [n]) - element("row", [ZERO])
    start, end = named("start", element("row", [i])), named("end", element("row", [i + 1]))
    assert sum_over(end - start, "i", ZERO, n - 1) == element("row", [n]) - element("row", [ZERO])


def test_conditions_are_counted() -> None:
    assert sum_over(is_zero(i), "i", ZERO, n - 1) == 1
    assert sum_over(at_least_zero(i - 1), "i", ZERO, n - 1) == maximum(0, n - 1)
    both = at_least_zero(i - 2) * at_least_zero(5 - i)
    assert sum_over(both, "i", ZERO, n - 1).evaluate({"n": 100}) == 4


def test_a_sum_without_closed_form_is_still_exact() -> None:
    body = floor_div(n - modulo(i + j, 2), 2)
    total = sum_over(sum_over(body, "j", ZERO, n - 1), "i", ZERO, n - 1)
    size = 7
    expected = sum((size - (a + b) % 2) // 2 for a in range(size) for b in range(size))
    assert total.evaluate({"n": size}) == expected
    assert total.evaluate({"n": np.array([size, size])}).tolist() == [expected, expected]
    assert parse(str(total)) == total


def test_expressions_that_explode_are_refused() -> None:
    many = sum((symbol(f"x{position}") for position in range(80)), ZERO)
    with pytest.raises(InputError, match="grows"):
        many * many * many


def test_powers_that_do_not_fit() -> None:
    """Whole where they can be, endless where no float holds them, nothing for a negative shift; arrays alike."""
    size = parse("pow(2, b)")
    values = {3: 8, 62: 2**62, 1023: 2**1023, 5000: math.inf, 10**12: math.inf, -3: 0}
    assert [size.evaluate({"b": b}) for b in values] == list(values.values())
    exponents = np.array([3.0, 62.0, 5000.0, -3.0])
    assert list(size.evaluate({"b": exponents})) == [8.0, 2.0**62, math.inf, 0.0]


def test_powers_of_an_indicator_are_itself() -> None:
    n, m = symbol("n"), symbol("m")
    positive = at_least_zero(n - 1)
    assert positive * positive == positive
    product = (positive * n + m) * (positive * n + 2)
    for values in ({"n": -3, "m": 5}, {"n": 4, "m": 7}):
        indicator = int(values["n"] >= 1)
        expected = (indicator * values["n"] + values["m"]) * (indicator * values["n"] + 2)
        assert product.evaluate(values) == expected
