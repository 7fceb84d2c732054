"""Lengths of irregularly accessed arrays that nobody has told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.characterize.layout.array_lengths import assumed_lengths
from foretell.core.nest.loopnest import Loops
from foretell.frontends.read import read

if TYPE_CHECKING:
    from pathlib import Path

_SOURCE = """
void f(int n, int m, double *x, const int *index, const unsigned char *bytes, const unsigned *words, double *out) {
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      out[i] += x[SUBSCRIPT];
}
"""


@pytest.mark.parametrize(
    ("subscript", "length"),
    [
        ("bytes[i]", 256),
        ("words[i] & 31", 32),
        ("words[i] % 10", 10),
        ("2 * bytes[i] + 1", 512),
        ("index[i]", 1000),  # as long as the longest loop
        ("words[i]", 1000),
        ("words[i] & index[i]", 1000),
        ("(words[i] & 3) - bytes[i]", 1000),
        ("bytes[i] * index[i]", 1000),
    ],
)
def test_the_index_or_the_longest_loop_bounds_the_length(tmp_path: Path, subscript: str, length: int) -> None:
    file = tmp_path / "f.c"
    file.write_text(_SOURCE.replace("SUBSCRIPT", subscript))
    (nest,) = read(file).facet(Loops).averaged.nests
    lengths, notes = assumed_lengths(nest, {"n": 1000, "m": 10})
    assert lengths == {"x_length": length}
    assert [text.startswith("x: assumed to have") for text in notes] == [True]
    assert assumed_lengths(nest, {"n": 1000, "m": 10, "x_length": 5}) == ({}, [])


def test_other_loops_of_the_function_tell_the_length(tmp_path: Path) -> None:
    file = tmp_path / "rank.c"
    file.write_text(
        "void f(int n, int m, const int *key, int *count) {\n"
        "  for (int i = 1; i <= m; i++) count[i] = 0;\n"
        "  for (int i = 0; i < n; i++) count[key[i]]++;\n"
        "  for (int i = 0; i < n; i++) count[2 * key[i]]++;\n"
        "}\n"
    )
    first, second, third = read(file).facet(Loops).averaged.nests
    values = {"n": 1000, "m": 10}
    assert assumed_lengths(second, values, (first, second, third))[0] == {"count_length": 11.0}
    assert assumed_lengths(second, values, (third,))[0] == {"count_length": 1000.0}
