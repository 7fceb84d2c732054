"""Values and operations: types, casts, complex numbers, powers, branches, dummy arguments laid over actual ones."""

from __future__ import annotations

import pytest

from tests.support.caches.nests import analyse_text, array, movers, of_c, of_fortran, offsets, only


def operations(expression: str, kind: str = "double") -> dict[str, int]:
    text = f"""#include <math.h>
    #include <complex.h>
    void f(int n, {kind} *a, {kind} *b, {kind} *c, int *k) {{ for (int i = 0; i < n; i++) a[i] = {expression}; }}"""
    found = only(of_c(text)).operations()
    return {name: int(count) for name, count in found.items() if name not in ("int", "convert", "fma")}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("b[i] - c[i]", {"add": 1}),
        ("b[i]*c[i] + a[i]", {"mul": 1, "add": 1}),
        ("b[i]/c[i]", {"div": 1}),
        ("b[i]/3.0", {"div_const": 1}),
        ("b[i]*(1.0/3.0)", {"mul": 1}),  # literals are folded
        ("-b[i]", {"neg": 1}),
        ("sqrt(b[i]) + exp(c[i])", {"sqrt": 1, "exp": 1, "add": 1}),
        ("fabs(b[i])", {"abs": 1}),
        ("fmax(b[i], c[i])", {"minmax": 1}),
        ("fma(b[i], c[i], a[i])", {"mul": 1, "add": 1}),
        ("pow(b[i], 1.5)", {"pow": 1}),
        ("k[i] + k[i]*2", {}),
        ("b[i] + k[i]", {"add": 1}),
    ],
)
def test_operations_by_kind(expression: str, expected: dict[str, int]) -> None:
    assert operations(expression) == expected


def test_fma_pairs_and_mixed_precision() -> None:
    nest = only(of_c("void f(int n, float *a, double *b) { for (int i = 0; i < n; i++) a[i] = a[i]*b[i] + a[i]; }"))
    assert dict(nest.operations())["fma"] == 1
    assert {use.name: use.type.name for use in nest.arrays} == {"a": "float", "b": "double"}
    assert nest.operations()["convert"] == 3  # a twice to double, the sum back


def test_complex_arithmetic_counts_real_operations() -> None:
    loops = of_fortran(
        """
subroutine z(a, b, n)
  integer :: n, i
  complex(8) :: a(n), b(n)
  real(8) :: s
  do i = 1, n
    a(i) = a(i)*b(i) + b(i)
  end do
end subroutine
"""
    )
    found = only(loops).operations()
    assert (found["mul"], found["add"]) == (4, 4)
    assert array(only(loops), "a").type.name == "double complex"


def test_fortran_powers_are_multiplications() -> None:
    text = """
subroutine p(a, b, n)
  integer :: n, i
  real(8) :: a(n), b(n)
  do i = 1, n
    a(i) = b(i)**2 + b(i)**3 + b(i)**0.5d0
  end do
end subroutine
"""
    found = only(of_fortran(text)).operations()
    assert (found["mul"], found["pow"]) == (3, 1)


def test_named_constants_are_literals_in_fortran() -> None:
    text = """
subroutine p(a, n)
  integer, parameter :: m = 4
  real(8), parameter :: third = 3.0d0
  integer :: n, i
  real(8) :: a(n)
  do i = 1, n
    a(i) = a(i)/third + a(i)/(m - 1)
  end do
end subroutine
"""
    assert only(of_fortran(text)).operations()["div_const"] == 2


def test_values_after_branches() -> None:
    text = """void f(int n, int side, double *a, double *b) {
      int off; if (side > 0) off = 1; else off = -1;
      for (int i = 1; i < n; i++) a[i + off] = b[i]; }"""
    nest = only(of_c(text))
    (access,) = array(nest, "a").accesses
    assert access.subscripts[0].offset.evaluate({"side": 3}) == 1
    assert access.subscripts[0].offset.evaluate({"side": -3}) == -1


def test_pointers_that_differ_on_two_paths_are_stated() -> None:
    text = """void f(int n, int side, double *a, double *b) {
      double *p; if (side > 0) p = a; else p = b;
      for (int i = 1; i < n; i++) p[i] = 0.0; }"""
    nest = only(of_c(text))
    assert nest.status == "assumed"
    assert "p points to different arrays" in nest.assumptions[0].text


def test_flat_memory_seen_as_a_cube() -> None:
    text = """void f(int ny, int nx, int nz, double *flat) {
      double (*a)[ny][nx] = (double (*)[ny][nx]) flat;
      for (int k = 1; k < nz; k++) for (int j = 0; j < ny; j++) for (int i = 0; i < nx; i++)
        a[k][j][i] = a[k-1][j][i]; }"""
    nest = only(of_c(text))
    assert offsets(array(nest, "flat")) == {("0", "0", "0"): (0, 1), ("0", "0", "-1"): (1, 0)}


def test_initial_values_that_nothing_changes_hold() -> None:
    loops = of_c("static int size = 64; void f(double *a) { for (int i = 0; i < size; i++) a[i] = 0.0; }")
    assert only(loops).trips == 64
    loop = "for (int i = 0; i < size; i++) a[i] = 0.0;"
    changed = of_c(f"static int size = 64; void g(int n) {{ size = n; }} void f(double *a) {{ {loop} }}")
    assert str(only(changed).trips) == "size"


FORTRAN = """
subroutine outer(a, n, m)
  integer, intent(in) :: n, m
  real(8), intent(inout) :: a(n,0:m)
  integer :: i, j
  do j = 1, m
    do i = 2, n
      {call}
    end do
  end do
contains
  {callee}
end subroutine
"""


@pytest.mark.parametrize(
    ("call", "callee", "expected"),
    [
        (  # the whole array, subscripts from another lower bound
            "call put(a, i, j)",
            "subroutine put(x, i, j)\nreal(8) :: x(:,0:)\ninteger :: i, j\nx(i,j) = x(i-1,j)\nend subroutine",
            {("0", "0"): (0, 1), ("-1", "0"): (1, 0)},
        ),
        (  # a column, by its first element
            "call put(a(1,j), i, n)",
            "subroutine put(x, i, k)\ninteger :: k, i\nreal(8) :: x(k)\nx(i) = x(i-1)\nend subroutine",
            {("0", "0"): (0, 1), ("-1", "0"): (1, 0)},
        ),
        (  # one element, by reference
            "call put(a(i,j-1))",
            "subroutine put(x)\nreal(8) :: x\nx = x + 1.0d0\nend subroutine",
            {("0", "-1"): (1, 1)},
        ),
    ],
)
def test_dummies_are_laid_over_actual_arguments(
    call: str, callee: str, expected: dict[tuple[str, ...], tuple[int, int]]
) -> None:
    nest = only(of_fortran(FORTRAN.format(call=call, callee=callee)))
    assert nest.status == "exact"
    assert offsets(array(nest, "a")) == expected
    assert all(movers(access) == ("i", "j") for access in array(nest, "a").accesses)


def test_one_dimension_keeps_its_lower_bound() -> None:
    text = "subroutine s(x, n)\ninteger :: n, i\nreal(8) :: x(n)\ndo i = 2, n\nx(i) = x(i-1)\nend do\nend subroutine\n"
    assert offsets(array(only(of_fortran(text)), "x")) == {("0",): (0, 1), ("-1",): (1, 0)}


def test_c_helpers_called_from_fortran_by_reference() -> None:
    loops = analyse_text(
        {
            "b.f90": """
subroutine f(a, n)
  integer :: n, i
  real(8) :: a(n), half
  external half
  do i = 1, n
    a(i) = half(a(i)) + 1.0d0
  end do
end subroutine
""",
            "a.c": "double half_(double *x) { return 0.5 * *x; }",
        }
    )
    nest = loops.nests[0]
    assert nest.operations().get("mul") == 1
    assert nest.status == "exact"


def test_what_is_looked_up_by_data_is_data() -> None:
    loops = of_c(
        "void f(int n, int first, const int *next, const int *kind, double *a) {"
        " for (int p = first; p; p = next[p]) { int k = kind[p];"
        " if (k > 5) for (int i = 0; i < n; i++) a[i] += 1; } }"
    )
    (nest,) = loops.nests
    assert any("holds half of the time" in note.text for note in nest.assumptions)


_SELECTION = """
void sort(int n, double *d) {
  for (int i = 0; i < n - 1; i++) {
    int least = 0;
    for (int j = 1; j < n - i; j++) if (d[j] <= d[least]) least = j;
    double t = d[least]; d[least] = d[n - 1 - i]; d[n - 1 - i] = t;
  }
}"""


def test_an_index_that_data_decide_is_a_gather_and_no_size() -> None:
    nest = only(of_c(_SELECTION))
    assert (nest.parameters, nest.address_parameters) == (("n",), ())
    gathered = {one.subscripts[0].index for one in array(nest, "d").accesses}
    assert gathered == {"", "least"}  # the loops move the others
    assert nest.assumptions[-1].text == "least chooses what is taken to be in the cache"


def test_an_index_that_is_loaded_through_itself_is_a_gather() -> None:
    text = "double f(int n, double *a, int *next) { double s = 0; int i = 0; for (int k = 0; k < n; k++) {"
    nest = only(of_c(text + " s += a[i]; i = next[i]; } return s; }"))
    assert [array(nest, name).accesses[0].subscripts[0].index for name in ("a", "next")] == ["i", "i"]


def test_a_counter_that_wraps_around_stays_in_the_cache() -> None:
    text = "void f(int n, int m, char *a, char *key) { for (int i = 0, k = 0; i < n; i++) { a[i] ^= key[k];"
    nest = only(of_c(text + " if (++k == m) k = 0; } }"))
    assert [one.index for one in array(nest, "key").accesses[0].subscripts] == [""]
    assert nest.assumptions[-1].text == "k chooses what is taken to be in the cache"


def test_an_index_that_is_found_before_the_nest_stays_a_row() -> None:
    text = """void f(int n, double *a, int *b) {
      int k = 0;
      for (int i = 0; i < n; i++) if (b[i] > b[k]) k = i;
      for (int j = 0; j < n; j++) a[k * n + j] = 0;
    }"""
    row = array(of_c(text).nests[1], "a").accesses[0].subscripts
    assert all(not one.index for one in row)


@pytest.mark.parametrize(("limit", "index"), [("", "k"), ("if (k > m - 2) k = m - 2;", "")])
def test_a_place_in_a_table_is_a_gather_unless_it_has_limits(limit: str, index: str) -> None:
    text = f"""void f(int n, int m, double *x, double *table, double *y) {{ for (int i = 0; i < n; i++) {{
      int k = (int)x[i]; {limit}
      y[i] = table[k + 1] - table[k];
    }} }}"""
    nest = only(of_c(text))
    assert {one.subscripts[0].index for one in array(nest, "table").accesses} == {index}
    said = "k chooses what is taken to be in the cache" in [note.text for note in nest.assumptions]
    assert said == bool(limit)


@pytest.mark.parametrize("body", ["if (k[i] < x) out[m++] = i;", "{ out[m] = i; m += k[i] < x; }"])
def test_a_place_that_is_added_to_moves_along(body: str) -> None:
    text = f"long f(int n, int *k, int x, int *out) {{ long m = 0; for (int i = 0; i < n; i++) {body} return m; }}"
    nest = only(of_c(text))
    assert movers(array(nest, "out").accesses[0]) == ("i",)
    assert nest.assumptions[-1].text == "m is taken to move by one element in each iteration"
