"""Members of records: where they lie, which lines they share, and the code that loads them."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.characterize.footprints.footprints import footprints
from foretell.characterize.layout.struct_members import whole_records
from foretell.characterize.simulate.addresses import stream
from foretell.characterize.simulate.cachesim import CacheLevel, simulate
from tests.support.caches.nests import of_c, of_fortran, only
from tests.support.models.codegen import run

if TYPE_CHECKING:
    from foretell.core.nest.loopnest import LoopNest, Member

C_TYPES = {
    "char": ctypes.c_byte,
    "short": ctypes.c_short,
    "int": ctypes.c_int,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "char *": ctypes.c_char_p,
}


def struct_of(fields: list[tuple[str, str, int]]) -> tuple[str, type[ctypes.Structure]]:
    """The C text of a record, and what ctypes makes of it."""
    text = " ".join(f"{kind} {name}{f'[{times}]' if times else ''};" for kind, name, times in fields)
    own = [(name, C_TYPES[kind] * times if times else C_TYPES[kind]) for kind, name, times in fields]
    return text, type("S", (ctypes.Structure,), {"_fields_": own})


def members(nest: LoopNest) -> dict[str, Member | None]:
    return {f"{array.name}.{array.component}".strip("."): array.member for array in nest.arrays}


@pytest.mark.parametrize(
    "fields",
    [
        [("double", "a", 0), ("double", "b", 0), ("double", "c", 0)],
        [("char", "a", 0), ("double", "b", 0), ("short", "c", 0)],
        [("float", "a", 0), ("int", "b", 0), ("double", "c", 0), ("short", "d", 0)],
        [("short", "a", 3), ("char *", "b", 0), ("char", "c", 5), ("float", "d", 0)],
    ],
)
def test_places_are_those_of_ctypes(fields: list[tuple[str, str, int]]) -> None:
    text, truth = struct_of(fields)
    for kind, name, times in fields:
        if kind == "char *":
            continue
        element = f"s[i].{name}" + ("[1]" if times else "")
        nest = only(
            of_c(f"struct S {{{text}}}; void f(int n, struct S *s) {{ for (int i = 0; i < n; i++) {element} = 1; }}")
        )
        (member,) = members(nest).values()
        assert member is not None
        assert (member.records, member.size, member.offset) == ("s", ctypes.sizeof(truth), getattr(truth, name).offset)
        stride = nest.arrays[0].dims[0].stride
        assert stride is not None
        assert stride.integer == ctypes.sizeof(truth) // ctypes.sizeof(C_TYPES[kind])


@pytest.mark.parametrize(
    "declared",
    [
        "union U { double a; double b; char c[24]; }",
        "struct U { char c; double a; double b; } __attribute__((packed))",
        "struct U { int u : 3; int v : 5; int w : 2; double a, b; }",
    ],
)
def test_layouts_that_nobody_knows_are_arrays_of_their_own(declared: str) -> None:
    name = declared.split("{")[0]
    nest = only(of_c(f"{declared}; void f(int n, {name} *s) {{ for (int i = 0; i < n; i++) s[i].a = s[i].b; }}"))
    assert set(members(nest).values()) == {None}
    assert whole_records(nest) is nest


def test_records_in_records_and_behind_pointers() -> None:
    text = """struct in { float a, b; }; struct out { struct in q[4]; double w; }; struct g { int n; struct in *p; };
    void f(int n, struct out *z, struct g *g, double *r)
    { for (int i = 0; i < n; i++) r[i] = z[i].q[2].b + z[i].w + g->p[i].a; }"""
    nest = only(of_c(text))
    found = {name: member and (member.records, member.size, member.offset) for name, member in members(nest).items()}
    assert found == {"z.w": ("z", 40, 32), "z.q.b": ("z", 40, 4), "g.p.a": ("g.p", 8, 0), "r": None}
    joined = next(array for array in whole_records(nest).arrays if array.name == "z")
    places = [tuple(one.offset.integer for one in access.subscripts) for access in joined.accesses]
    assert sorted(places) == [(0, 5), (0, 8)]  # pieces of four bytes: 2 * 8 + 4, and 32
    strides, extents = zip(*((dim.stride, dim.extent) for dim in joined.dims), strict=True)
    assert [stride and stride.integer for stride in strides] == [10, 1]
    assert extents[-1] is not None
    assert extents[-1].integer == 10  # forty bytes of a record


def test_derived_types_of_fortran() -> None:
    text = """subroutine s(n, p, e)
  type t
    real(8) :: x(3), v(3)
    real(8) :: m
    integer :: id
  end type
  integer :: n, i
  type(t) :: p(n)
  real(8) :: e(n)
  do i = 1, n
    e(i) = p(i)%m * p(i)%v(2)
  end do
end subroutine"""
    nest = only(of_fortran(text))
    found = {name: member and (member.size, member.offset) for name, member in members(nest).items()}
    assert found == {"p.m": (64, 48), "p.v": (64, 24), "e": None}
    joined = next(array for array in whole_records(nest).arrays if array.name == "p")
    # p.v(2) is the fifth number of a record
    assert {access.subscripts[-1].offset.integer for access in joined.accesses} == {6, 4}


PARTICLES = """struct s { double x[3], v[3], q, m, e, t; };
void f(int n, struct s *p, double *r) { for (int i = 0; i < n; i++) r[i] = BODY; }"""


@pytest.mark.parametrize(
    ("body", "lines_each"),
    [
        ("p[i].m * p[i].v[0] * p[i].v[2]", 80 / 64),
        ("p[i].x[0] + p[i].t", 80 / 64),
        ("p[i].q", 1.0),
        ("p[i].x[0] + p[i].x[1] + p[i].x[2] + p[i].v[0] + p[i].v[1] + p[i].q + p[i].m", 80 / 64),
    ],
)
def test_members_share_lines_as_in_the_simulator(body: str, lines_each: float) -> None:
    nest = whole_records(only(of_c(PARTICLES.replace("BODY", body))))
    n = 4000
    misses = simulate([CacheLevel("L1", 32768, 64, 8)], [stream(nest, {"n": n})]).levels[0].misses
    closed = sum(footprints(nest, {"n": float(n)}, 64.0).traffic(32768.0).values()) / 64
    assert closed == pytest.approx(misses, rel=0.03)
    assert misses == pytest.approx(n * (lines_each + 8 / 64), rel=0.1)


def test_members_that_are_not_indexed_alike_stay_apart() -> None:
    text = """struct s { double x[4], m; };
    void f(int n, struct s *p, int *k, double *r) { for (int i = 0; i < n; i++) r[i] = p[i].m + p[i].x[k[i]]; }"""
    nest = only(of_c(text))
    assert whole_records(nest) is nest


def test_generated_code_reads_and_writes_the_members() -> None:
    text = """struct s { double x, y; float w; int id; };
    void f(int n, struct s *p)
    { for (int i = 0; i < n; i++) { p[i].y = 2 * p[i].x + p[i].y; p[i].id = p[i].id + 3; } }"""
    kind = np.dtype([("x", "f8"), ("y", "f8"), ("w", "f4"), ("id", "i4")], align=True)
    records = np.zeros(5, kind)
    for position, name in enumerate(kind.names or ()):
        records[name] = np.arange(5) + 10 * position
    expected = records.copy()
    expected["y"] += 2 * expected["x"]
    expected["id"] += 3
    run(only(of_c(text)), {"p": records}, {"n": 5})
    np.testing.assert_array_equal(records, expected)
