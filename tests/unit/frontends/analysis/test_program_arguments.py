"""Sizes of `main` in a run without arguments, members of structs that calls hand down, extents of components."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError
from foretell.frontends import read

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.workload import Workload

HEAD = """\
#include <stdlib.h>
#include <getopt.h>
double a[1000];
void f(int n) { for (int i = 0; i < n; i++) a[i] = i; }
"""


def main_of(tmp_path: Path, body: str, suffix: str = "c") -> Workload:
    file = tmp_path / f"p.{suffix}"
    file.write_text(f"{HEAD}int main(int argc, char **argv)\n{{\n{body}\nf(n);\nreturn 0;\n}}\n")
    return read(file)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int n = argc > 1 ? atoi(argv[1]) : 1024;", 1024),
        ("int n = 100; if (argc > 1) n = atoi(argv[1]);", 100),
        ("int n = 100; if (argc == 1) { n = 7; } else { n = atoi(argv[1]); }", 7),
        ("int n = (argc < 2) ? 64 : atoi(argv[1]);", 64),
        ("int n = 30; for (int i = 1; i < argc; i++) n = atoi(argv[i]);", 30),
        ('int n = 40, c; while ((c = getopt(argc, argv, "n:")) != -1) n = atoi(optarg);', 40),
    ],
)
def test_a_size_has_its_default(tmp_path: Path, body: str, value: int) -> None:
    found = main_of(tmp_path, body)
    loops = found.facet(Loops)
    assert [(default, name) for _, default, name, _ in loops.defaults if name == "n"] == [(value, "n")]
    assert "argc" not in found.symbols - found.parameters.keys()
    name = next(name for name, _, variable, _ in loops.defaults if variable == "n")
    assert found.parameters[name] == value
    given = found.with_parameters({"n": 5})
    assert given.parameters[name] == 5  # -D n=5 is for the variable, whatever its line
    assert loops.default_notes(given.parameters) == ()
    assert loops.default_notes(found.parameters) == (
        f"main, line 7: n = {value}, as in a run without arguments (another: -D n=…)",
    )


def test_an_end_of_the_program_is_no_choice(tmp_path: Path) -> None:
    found = main_of(tmp_path, "if (argc < 2) { return 1; }\nint n = atoi(argv[1]);")
    assert not [name for name in found.parameters if name.startswith("n@")]  # it must be given


def test_a_value_that_is_no_constant_stays(tmp_path: Path) -> None:
    found = main_of(tmp_path, 'int m = atoi(getenv("M")); int n = argc > 1 ? atoi(argv[1]) : m;')
    assert all(variable != "n" for *_, variable, _ in found.facet(Loops).defaults)


def test_members_are_handed_down(tmp_path: Path) -> None:
    file = tmp_path / "s.c"
    file.write_text(
        "typedef struct { double *x; int count; } points;\n"
        "void move(points p) { for (int i = 0; i < p.count; i++) p.x[i] += 1; }\n"
        "void both(points *p) { for (int i = 0; i < p->count; i++) p->x[i] += 1; }\n"
        "int main(void) { points p; p.count = 500; for (int t = 0; t < 3; t++) { move(p); both(&p); } return 0; }\n"
    )
    sites = {site.callee: dict(site.arguments) for site in read(file).facet(Loops).calls}
    assert sites["move"]["p.count"] == "500"


def test_members_that_a_callee_changes_are_unknown(tmp_path: Path) -> None:
    file = tmp_path / "s.c"
    file.write_text(
        "typedef struct { double *x; int count; } points;\n"
        "void grow(points *p) { for (int i = 0; i < 3; i++) p->x[i] = 0; p->count = p->count * 2; }\n"
        "void move(points *p) { for (int i = 0; i < p->count; i++) p->x[i] += 1; }\n"
        "int main(void) { points p; p.count = 500; for (int t = 0; t < 3; t++) { move(&p); grow(&p); } return 0; }\n"
    )
    sites = {site.callee: dict(site.arguments) for site in read(file).facet(Loops).calls}
    assert sites["move"].get("p.count") != "500"


def test_extents_of_allocated_components(tmp_path: Path) -> None:
    file = tmp_path / "f.f90"
    file.write_text(
        "program p\n  type state\n    double precision, allocatable :: u(:,:)\n  end type\n  type(state) :: s\n"
        "  allocate(s%u(30,20))\n  s%u = 1\nend program\n"
    )
    nest = read(file).facet(Loops).nests[0]
    assert [loop.trips.constant for loop in nest.loops] == [20, 30]


def test_a_component_allocated_elsewhere_has_named_extents(tmp_path: Path) -> None:
    file = tmp_path / "f.f90"
    file.write_text(
        "module m\n  type state\n    double precision, allocatable :: u(:,:)\n  end type\ncontains\n"
        "  subroutine zero(s)\n    type(state), intent(inout) :: s\n    s%u = 0\n  end subroutine\nend module\n"
    )
    assert read(file).symbols >= {"s.u_size1", "s.u_size2"}


def test_whole_numbers(tmp_path: Path) -> None:
    file = tmp_path / "f.c"
    file.write_text("void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 0; }\n")
    with pytest.raises(InputError, match="whole number"):
        read(file).with_parameters({"n": 1.5})
