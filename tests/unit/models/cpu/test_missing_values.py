"""What a name stands for that the source does not have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from foretell import api
from foretell.core.answers.answers import CodeLine
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError
from foretell.frontends import SourceOptions, read, read_sources
from foretell.models.cpu.missing_values import explained, missing_values
from foretell.models.cpu.program import program
from foretell.uses import annotate

if TYPE_CHECKING:
    from pathlib import Path


def test_names_are_explained(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("void f(int n, double *a) {\n  for (int i = 0; i < n; i++)\n    a[i] = 0;\n}\n")
    nest = read(file).facet(Loops).nests[0]
    assert explained("n", nest) == ""
    assert explained("n@2", nest) == "n as it is in line 2: for (int i = 0; i < n; i++)"
    assert explained("n@99", nest) == "n as it is in line 99"
    assert explained("trips_L3", nest) == "the number of iterations of the loop in line 3: a[i] = 0;"
    assert explained("trips_L3", None) == "the number of iterations of the loop in line 3"
    assert explained("s.u_size2", nest) == "the extent of s.u in its dimension 2"
    assert explained("n@2", replace(nest, file="nosuch.c")) == "n as it is in line 2"
    error = missing_values({"n@2": nest, "m": None}, [nest, replace(nest, function="g")])
    assert error.message == "parameters without a value: m, n@2"
    assert "FILE:FUNCTION: f, g" in str(error)


def test_lines_of_a_listing_are_added_up() -> None:
    listing = [CodeLine(f"{k:04x}", line, "FADD", 1.0, 0.25) for k, line in enumerate((5, 5, 7, 0))]
    lines = annotate._by_line(listing, "nosuch.cu", 8.0)
    assert [(entry.line, entry.share, entry.time_s) for entry in lines] == [(5, 0.5, 4.0), (7, 0.25, 2.0)]
    assert annotate._by_line(listing, "", 8.0) == ()
    assert annotate._texts("nosuch.cu") == {}
    assert lines[0].text == ""


def test_a_number_that_decided_a_condition_is_passed_on_to_calls(tmp_path: Path) -> None:
    file = tmp_path / "calls.f90"
    file.write_text(
        "subroutine outer(n, m, d)\ninteger n, m, i\ndouble precision d(n)\ndo i = 1, n\nd(i) = d(i) + 1\n"
        "if (m > 0) call inner(m, d)\nend do\nend subroutine\n"
        "subroutine inner(n, x)\ninteger n, k\ndouble precision x(*)\ndo k = 1, n\nx(k) = x(k) * 2\n"
        "end do\nend subroutine\n"
    )
    loops = read_sources([file], SourceOptions(choices=(("m", "10"),))).facet(Loops)
    runs = {run.nest.function: run for run in program(loops, {"n": 500.0}).runs}
    assert (runs["inner"].values["n"], runs["inner"].count, runs["outer"].values["n"]) == (10, 500, 500)


SOLVE = """void solve(int n, const long *first, const long *row, const double *l, double *x) {
  for (int j = 0; j < n; j++) {
    x[j] /= l[first[j]];
    for (long p = first[j] + 1; p < first[j + 1]; p++) x[row[p]] -= l[p] * x[j];
  }
}
"""
HASH = """static void mix(unsigned long *acc, const unsigned long *secret, unsigned long start) {
  for (int i = 0; i < 4; i++) acc[i] += start ^ secret[i];
}
void all(unsigned long *acc, const unsigned long *secret, unsigned long n) {
  for (unsigned long k = 0; k < n; k++) mix(acc, secret, n * 11400714785074694791UL);
}
"""


def test_rows_without_their_first_element_have_an_interval(tmp_path: Path) -> None:
    """With one element a row, the fewest that the rule allows, no loop runs: the interval begins at two."""
    file = tmp_path / "solve.c"
    file.write_text(SOLVE)
    answer, two = (
        api.predict(str(file), "emerald-rapids", parameters={"n": 3000, **given}, options={"cc": "none"})
        for given in ({}, {"first_step": 2.0})
    )
    assert answer.interval_s is not None
    assert two.interval_s is not None
    assert answer.interval_s[0] == pytest.approx(two.interval_s[0], rel=0.02)
    assert answer.interval_s[1] > 20 * answer.interval_s[0]


def test_an_argument_that_is_no_size_may_have_any_value(tmp_path: Path) -> None:
    file = tmp_path / "hash.c"
    file.write_text(HASH)
    answer = api.predict(str(file), "emerald-rapids", parameters={"n": 1000}, options={"cc": "none"})
    assert 1e-7 < answer.time_s < 1e-4
    file.write_text(HASH.replace("i < 4", "i < start"))
    with pytest.raises(InputError, match="larger than any size of a program"):
        api.predict(str(file), "emerald-rapids", parameters={"n": 1000}, options={"cc": "none"})


def test_a_size_that_other_functions_have_as_a_number_is_a_size(tmp_path: Path) -> None:
    """`radius` of one function is a floating-point number, of the other the distance of two elements."""
    source = tmp_path / "blur.c"
    source.write_text(
        "float spread(float radius) { return radius * radius; }\n"
        "void line(float *o, const float *a, int n, int radius) {\n"
        "  for (int i = radius; i < n; i++)\n    o[i] = a[i - radius] + a[i];\n}\n"
    )
    options = SourceOptions(kernel="line", choices=(("radius", "5"), ("n", "100")))
    workload = read_sources([source], options)
    assert "n" in workload.symbols
    assert "radius" not in {name for name, _ in workload.facet(Loops).given}


CONTEXT = """#include <stddef.h>
#include <string.h>
struct inner { char tag; double scale; };
struct context { unsigned sum; unsigned char buffer[64]; struct inner in; int pairs[3][2]; unsigned count; };
void update(struct context *c, const unsigned char *p, size_t n) {
  unsigned count = c->count;
  while (n > 0) {
    unsigned left = 64 - count, k = n < left ? n : left;
    memcpy(c->buffer + count, p, k);
    count += k; p += k; n -= k;
    if (count == 64) {
      count = 0;
      for (int i = 0; i < 64; i++) c->sum = c->sum * 31 + c->buffer[i];
    }
  }
  c->count = count;
}
"""


def test_members_behind_arrays_and_structs_are_where_the_compiler_has_them(tmp_path: Path) -> None:
    source = tmp_path / "context.c"
    source.write_text(CONTEXT)
    info = next(one for one in read(source).facet(Loops).functions if one.name == "update")
    # sum, buffer, (4 bytes to align) in.tag, in.scale, pairs, count
    assert {part.name: at for at, part in info.arguments[0].fields} == {
        "sum": 0, "in.tag": 72, "in.scale": 80, "count": 112,
    }  # fmt: skip


def test_members_that_only_compiled_code_needs_are_named_and_taken(tmp_path: Path) -> None:
    source = tmp_path / "context.c"
    source.write_text(CONTEXT)
    with pytest.raises(InputError, match=r"-D c.sum=… -D c.in.tag=… -D c.count=…"):
        program(read(source).facet(Loops), {"n": 4096.0, "threads": 1.0})
    given = (("n", "4096"), ("c.count", "0"))
    loops = read_sources([source], SourceOptions(kernel="update", choices=given)).facet(Loops)
    assert ("c.count", 0) in loops.given
