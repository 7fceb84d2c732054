"""Nests as XML: one canonical form out, every variant of the report in."""

from __future__ import annotations

import pytest

from foretell.errors import InputError
from foretell.frontends.files.nest_xml import read_xml
from foretell.report.nest_xml import write_xml
from tests.support.caches.nests import array, of_c, of_fortran, offsets

SOURCE = """
#include <math.h>
typedef struct { double x, y; } pair;
void a(int n, const int *idx, double *u, pair *p) {
  for (int k = 1; k < n; k++) {
    u[k] = 0.5*u[k-1];
    for (int i = 0; i < n; i += 2) { u[n*k + i] += exp(u[idx[i]]) / p[i].x; if (u[i] > 0.0) p[i].y = sqrt(u[i])/3.0; }
  }
  while (u[0] > 0.0) u[0] -= 1.0;
}
void b(int n, int m, double *u) {
  for (int ii = 0; ii < n; ii += m) for (int i = ii; i < (ii+m < n ? ii+m : n); i++) u[i+n] = i; }
"""

FIG_3 = """<loop line="166" lvar="k" lb="1" ub="nz-1" stride="1" adds="0" mults="0">
<loop line="167" lvar="j" lb="1" ub="ny-1" stride="1" adds="0" mults="0">
<loop line="177" lvar="i" lb="1" ub="nx-1" stride="1" adds="5" mults="1">
<array name="U" component="" type="double" access="readonly">
<access offset="(-1 ,0 ,0 )" lvar="(i, j, k)" reads="1" writes="0"/>
<access offset="(0 ,1 ,0 )" lvar="(i, j, k)" reads="1" writes="0"/>
</array>
</loop></loop></loop>"""

FIG_7 = """<loop line="22" lvar="block" lb="0" ub="level->num_my_blocks" stride="1" adds="0" mults="0" divs="0">
<loop line="76" lvar="k" lb="klo" ub="khi" stride="1" adds="0" mults="0" divs="0">
<loop line="77" lvar="j" lb="jlo" ub="jhi" stride="1" adds="0" mults="0" divs="0">
<loop line="78" lvar="i" lb="ilo +((j ^ k ^ s ^ color000) & 1) + 1 - ghosts"
 ub="ihi" stride="2" adds="9" mults="5" divs="0">
<array name="alpha" component="" datatype="double" accesstype="readonly">
<access offset="(0 0 0 0 0 )" dependentloopvar="( i j k)" reads="2" writes="0"/>
</array>
<array name="phi" component="" datatype="double" accesstype="readwrite">
<access offset="(-1 0 0 0)" lvar="( i j k)" reads="1" writes="0"/>
<access offset="(0 0 0 0 0 )" lvar="( i j k)" reads="14" writes="1"/>
</array>
</loop></loop></loop></loop>"""


@pytest.fixture(scope="module")
def document() -> str:
    loops = of_c(SOURCE)
    fortran = of_fortran("subroutine s(a,n)\ninteger n\nreal a(0:n)\na(1:n) = a(0:n-1)*2.0\nend subroutine\n")
    return write_xml([*loops.nests, *fortran.nests])


def test_the_round_trip_is_exact(document: str) -> None:
    assert write_xml(read_xml(document)) == document
    assert document.count("<nest ") == 4


def test_nests_keep_what_the_document_says(document: str) -> None:
    first = read_xml(document)[0]
    assert [str(loop.upper) for loop in first.loops] == ["n - 1", "n - 1"]
    assert first.status == "assumed"
    assert first.operations()["exp"] == 1
    assert first.operations()["sqrt"] * 2 == 1  # under a condition on data
    assert array(first, "p", "x").reads == 1
    assert {one.subscripts[-1].index for one in array(first, "u").accesses if one.subscripts[-1].index} == {"idx"}


def test_the_report_s_own_files_are_read() -> None:
    (nest,) = read_xml(FIG_3)
    assert offsets(array(nest, "U")) == {("-1", "0", "0"): (1, 0), ("0", "1", "0"): (1, 0)}
    assert str(nest.trips) == "nx*ny*nz - nx*ny - nx*nz - ny*nz + nx + ny + nz - 1"
    assert nest.operations() == {"add": 5, "mul": 1}


def test_exclusive_bounds_need_a_flag() -> None:
    # EX-6: `k<khi` was written as ub="khi"
    (nest,) = read_xml(FIG_7, exclusive=True)
    assert [str(loop.upper) for loop in nest.loops] == ["level.num_my_blocks - 1", "khi - 1", "jhi - 1", "ihi - 1"]
    assert str(nest.loops[-1].lower) == "-ghosts + ilo + mod(color000 + j + k + s, 2) + 1"
    assert offsets(array(nest, "phi")) == {("-1", "0", "0"): (1, 0), ("0", "0", "0"): (14, 1)}  # EX-7
    (old,) = read_xml(FIG_7)
    assert str(old.loops[1].upper) == "khi"
    again = write_xml([nest])
    assert write_xml(read_xml(again, exclusive=True)) == again  # our own files say that theirs are inclusive


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("<loop", "not valid XML"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><nests/>", "entities"),
        ("<nests><nest><loop lb='0' ub='n'/></nest></nests>", "no lvar"),
        ("<nests><nest><loop lvar='i' ub='n'/></nest></nests>", "no lb"),
        ("<nests><nest><loop lvar='i' lb='0' ub='n +'/></nest></nests>", "not an expression"),
        ("<nests><nest status='fine'><loop lvar='i' lb='0' ub='n'/></nest></nests>", "status"),
        ("<nests><nest><loop lvar='i' lb='0' ub='n' adds='x'/></nest></nests>", "not a number"),
        (FIG_3.replace("(-1 ,0 ,0 )", "(-1, 0)"), "does not fit"),
        (FIG_7.replace("(0 0 0 0 0 )", "(0 0 0 0 1 )"), "does not fit"),
        (FIG_3.replace('type="double"', 'type="quaternion"'), "known type"),
    ],
)
def test_wrong_documents_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_xml(text, file="x.xml")
