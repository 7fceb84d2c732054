"""Nests of loops that may be empty for some outer iterations, against running them."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.caches.nests import of_c, only

#: what a bound of an inner loop can be
ENDS = ["0", "n", "m", "i", "i + 2", "n - i", "m - 2 * i", "5", "i + m", "-i", "n + m - i"]
CONDITIONS = ["1", "j == n", "j == i", "j > i", "j != m", "j >= 2 && j <= n", "i == j + 1"]


def _value(text: str, **names: int) -> int:
    return int(eval(text.replace("&&", "and"), {}, names))


def _count(low: str, high: str, third: str, condition: str, n: int, m: int) -> int:
    total = 0
    for i in range(n):
        for j in range(_value(low, i=i, n=n, m=m), _value(high, i=i, n=n, m=m) + 1):
            for _ in range(_value(third, i=j, m=m), m):
                total += _value(condition, i=i, j=j, n=n, m=m)
    return total


def _may_be_asked(low: str, high: str, n: int, m: int) -> bool:
    """Parameters are taken to be large, and loops over them alone to run (or to end just before they start)."""
    return "i" in low + high or _value(high, n=n, m=m) - _value(low, n=n, m=m) >= -1


@given(
    low=st.sampled_from(ENDS),
    high=st.sampled_from(ENDS),
    third=st.sampled_from(["0", "i", "m - i"]),
    condition=st.sampled_from(CONDITIONS),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_counts_of_ragged_nests(low: str, high: str, third: str, condition: str) -> None:
    inner = third.replace("i", "j")
    nest = only(
        of_c(
            "void f(int n, int m, double *a) {"
            f" for (int i = 0; i < n; i++) for (int j = {low}; j <= {high}; j++)"
            f" for (int k = {inner}; k < m; k++) if ({condition}) a[k] *= 2.0; }}"
        )
    )
    assert nest.status == "exact"
    for n, m in product((6, 8), (7, 10)):
        if not _may_be_asked(low, high, n, m):
            continue
        wanted = _count(low, high, third, condition, n, m)
        assert nest.total_operations()["mul"].evaluate({"n": n, "m": m}) == wanted, (n, m)
