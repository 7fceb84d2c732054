"""Loops that data or an alignment may end early, and the loops behind them; names of -D in texts of macros."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.core.nest.loopnest import Loops
from foretell.frontends import SourceOptions, read_sources
from tests.support.caches.nests import of_c

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "#include <stddef.h>\n#include <stdint.h>\n"
LEAD = """unsigned total(const unsigned char *p, size_t n) {{
  unsigned s = 0;
  while ({condition}) {{ s += *p++; n--; }}
  for (size_t i = 0; i < n / 8; i++) s ^= ((const unsigned *)p)[2 * i];
  return s;
}}
"""


@pytest.mark.parametrize(
    "condition",
    ["n && ((size_t)p & 7) != 0", "((uintptr_t)p & (sizeof(long) - 1)) && n > 0", "n > 0 && (uintptr_t)p % 16 != 0"],
)
def test_a_loop_up_to_an_alignment_is_not_entered(condition: str) -> None:
    loops = of_c(HEAD + LEAD.format(condition=condition))
    runs = {nest.line: nest.trips.evaluate({"n": 800}) for nest in loops.nests}
    assert runs == {6: 100} or runs == {6: 100, 5: 0}
    assert "p begins at a multiple" in "; ".join(note.text for nest in loops.nests for note in nest.assumptions)


@pytest.mark.parametrize("condition", ["n && ((size_t)p & 4096)", "n && ((size_t)(p + 1) & 7)", "n && *p == ' '"])
def test_a_loop_behind_one_that_data_end_goes_on_from_there(condition: str) -> None:
    """At most a line is known of where arrays begin, and nothing of places inside them."""
    loops = of_c(HEAD + LEAD.format(condition=condition))
    first, rest = sorted(loops.nests, key=lambda nest: nest.line)
    assert first.trips.evaluate({"n": 800}) == 800
    assert first.status == "bound"
    assert rest.trips.symbols() == {"n", "trips_L5"}
    assert rest.trips.evaluate({"n": 800, "trips_L5": 80}) == 90
    assert rest.trips.evaluate({"n": 800, "trips_L5": 10**6}) == 0


OLD_STYLE = """#define ADD(p, i) {sum += (p)[i]; total += sum;}
unsigned long both(sum, data, n) unsigned long sum; const unsigned char *data; unsigned long n; {
  unsigned long total = 0;
  for (unsigned long i = 0; i < n; i++) ADD(data, i)
  return sum ^ total;
}
"""


@pytest.mark.parametrize("kind", ["unsigned long", "length_type", "my_uint"])
def test_a_parameter_in_the_text_of_a_macro_is_none_of_the_preprocessor(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "a.c"
    head = "typedef unsigned long length_type, my_uint;\n"
    file.write_text(head + OLD_STYLE.replace("unsigned long sum", f"{kind} sum"))
    loops = read_sources([file], SourceOptions(values=(("sum", "1"), ("n", "9")))).facet(Loops)
    assert [nest.function for nest in loops.nests] == ["both"]
    assert not loops.macros


def test_a_macro_that_only_texts_of_macros_use_is_still_one(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("#define SIZE (N * 2)\nvoid f(int N2, double *a) { int i; for (i = 0; i < SIZE; i++) a[i] = 0; }\n")
    loops = read_sources([file], SourceOptions(values=(("N", "5"),))).facet(Loops)
    assert dict(loops.macros) == {"N": "5"}
    assert loops.nests[0].trips.evaluate({}) == 10
