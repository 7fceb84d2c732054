"""Dependences that only whole numbers exclude: steps of loops, quotients and remainders."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from foretell.characterize.loops import integer_points
from foretell.characterize.loops.integer_points import has_integer_point
from foretell.core.symbolic.poly import symbol
from tests.unit.transform.programs import changes, program, refusals

if TYPE_CHECKING:
    from pathlib import Path

DIVIDED = "divide the loop over i between threads"


def loop(head: str, body: str) -> str:
    return f"void f(int n, double a[restrict n], const double x[restrict n]) {{\nfor ({head})\n{{ {body} }}\n}}\n"


@pytest.mark.parametrize(
    ("head", "body", "allowed"),
    [
        ("int i = 0; i < n; i += 4", "a[i] += x[i]; a[i + 1] += x[i + 1]; a[i + 3] += a[i];", True),
        ("int i = 0; i < n; i += 4", "a[i] += x[i]; a[i + 4] += x[i + 1];", False),
        ("int i = 0; i < n; i += 2", "a[i] = a[i + 1];", True),
        ("int i = n; i >= 0; i -= 3", "a[i] = a[i + 2] + a[i + 1];", True),
        ("int i = n; i >= 0; i -= 3", "a[i] = a[i + 3];", False),
        ("int i = 0; i < n; i++", "a[i / 2] += x[i];", False),
        ("int i = 0; i < n; i += 2", "a[i / 2] += x[i];", True),
        ("int i = 0; i < n; i++", "a[i % 8] += x[i];", False),
        ("int i = 0; i < 8; i++", "a[i % 8] += x[i];", True),
        ("int i = 0; i < 8; i++", "a[(i - 4) / 2] += x[i];", False),  # rounded towards zero: -1 and 1 to 0
    ],
)
def test_iterations_that_meet(head: str, body: str, allowed: bool, tmp_path: Path) -> None:
    given = program(loop(head, body), tmp_path)
    assert (DIVIDED in changes(given, "parallelise")) == allowed, refusals(given, "parallelise")


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integer_points, "is_installed", lambda: False)
    monkeypatch.setattr("foretell.transform.directions.is_installed", lambda: False)
    text = loop("int i = 0; i < n; i += 3", "a[i] = a[i + 2];")
    (reason,) = refusals(program(text, tmp_path), "parallelise")
    assert "which islpy (the extra loops) may exclude" in reason


@pytest.mark.parametrize(("step", "shift"), list(product((1, 2, 3, 5), range(6))))
def test_against_counting(step: int, shift: int) -> None:
    """Two multiples of a step below 12, `shift` apart."""
    i, j = symbol("i"), symbol("j")
    system = [i, -i + 12, j, -j + 12, i - j - shift, j - i + shift]
    every = range(0, 13, step)
    assert has_integer_point(system, [(i, step), (j, step)]) == any(a - b == shift for a in every for b in every)
