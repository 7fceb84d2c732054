"""Calls, pointers, structures, index arrays, program structure, and what happens to what is not understood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.nest.statements import Store
from foretell.frontends.analysis import analyse
from foretell.frontends.analysis.walk import statements
from foretell.frontends.source import ir
from tests.support.caches.nests import analyse_text, array, movers, of_c, of_fortran, offsets, only

if TYPE_CHECKING:
    import pytest

    from foretell.frontends.analysis.walk.state import State


def test_helpers_without_loops_are_expanded_everywhere() -> None:
    nest = only(
        of_c(
            """static inline int idx(int n, int i, int j) { return i*n + j; }
            static double sq(double x) { return x*x; }
            void f(int n, double *a) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)
              a[idx(n, i, j)] = sq(a[idx(n, j, i)]) + 1.0; }"""
        )
    )
    assert nest.operations() == {"mul": 1, "add": 1, "fma": 1} or nest.operations()["mul"] == 1
    assert {movers(access) for access in array(nest, "a").accesses} == {("j", "i"), ("i", "j")}


def test_a_private_function_on_the_current_row_is_part_of_the_nest() -> None:
    loops = of_c(
        """static double dot(const double *x, const double *y, int n) {
             double s = 0.0; for (int k = 0; k < n; k++) s += x[k]*y[k]; return s; }
           void mv(int n, double *A, double *x, double *y) { for (int i = 0; i < n; i++) y[i] = dot(A + i*n, x, n); }"""
    )
    nest = only(loops)
    assert nest.function == "mv"
    assert movers(array(nest, "A").accesses[0]) == ("k", "i")
    assert str(nest.trips) == "n**2"
    assert loops.loops_seen == loops.loops_kept == 2


def test_functions_with_loops_are_nests_of_their_own_with_call_sites() -> None:
    loops = of_c(
        """void scale(int n, double *a) { for (int i = 0; i < n; i++) a[i] *= 2.0; }
           void run(int m, int n, double *a) { for (int t = 0; t < m; t++) { scale(n, a); scale(2*n, a); } }"""
    )
    assert [nest.function for nest in loops.nests] == ["scale", "run"]
    sites = [site for site in loops.calls if site.callee == "scale"]
    assert [str(site.count) for site in sites] == ["m", "m"]
    assert dict(sites[1].arguments) == {"n": "2*n", "a": "a[0]"}


def test_recursion_is_stated_and_does_not_hang() -> None:
    loops = of_c(
        """static void down(int l, int n, double *a) {
             for (int i = 0; i < n; i++) a[i] += 1.0; if (l) down(l-1, n/2, a); }
           void f(int n, double *a) { for (int t = 0; t < 3; t++) down(5, n, a); }"""
    )
    assert [nest.status for nest in loops.nests] == ["exact", "exact"]
    assert any("calls itself" in note.text for note in loops.nests[1].remarks)


def test_unknown_functions_are_stated() -> None:
    nest = only(
        of_c("double g(double); void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = g(a[i]) + 1.0; }")
    )
    assert nest.status == "assumed"
    assert "g is not among the given files" in nest.assumptions[0].text


def test_function_pointers_with_a_known_target_are_followed() -> None:
    loops = of_c(
        """static double twice(double x) { return 2.0*x; }
           static double (*op)(double) = twice;
           void f(int n, double *a) { double (*g)(double) = twice;
             for (int i = 0; i < n; i++) a[i] = g(a[i]) + op(a[i]); }"""
    )
    nest = only(loops)
    assert nest.operations()["mul"] == 2
    assert nest.status == "exact"


def test_members_by_dot_and_by_arrow_are_one_array() -> None:
    text = """typedef struct { int n; double *u; } grid;
    void f(grid *g) { for (int i = 1; i < g->n; i++) g->u[i] = (*g).u[i-1]; }"""
    nest = only(of_c(text))
    assert offsets(array(nest, "g.u")) == {("0",): (0, 1), ("-1",): (1, 0)}
    assert str(nest.trips) == "g.n - 1"


def test_arrays_of_structures_have_components() -> None:
    text = """typedef struct { double x, v; int id; } particle;
    void push(int n, double dt, particle *p) { for (int i = 0; i < n; i++) p[i].x += dt*p[i].v; }"""
    nest = only(of_c(text))
    assert [(use.name, use.component, use.reads, use.writes) for use in nest.arrays] == [
        ("p", "v", 1, 0),
        ("p", "x", 1, 1),
    ]


def test_gathers_name_their_index_array() -> None:
    nest = only(
        of_c(
            """void spmv(int n, const int *row, const int *col, const double *v, const double *x, double *y) {
            for (int i = 0; i < n; i++) { double s = 0.0;
              for (int j = row[i]; j < row[i+1]; j++) { int c = col[j]; s += v[j]*x[c]; } y[i] = s; } }"""
        )
    )
    (access,) = array(nest, "x").accesses
    assert access.subscripts[0].index == "col"
    assert str(nest.trips) == "-row[0] + row[n]"
    assert array(nest, "col").reads == 1


def test_compound_assignment_finds_its_address_once() -> None:
    nest = only(of_c("void f(int n, int *p, double *a) { for (int i = 0; i < n; i++) a[p[i]] += 1.0; }"))
    assert (array(nest, "p").reads, array(nest, "a").reads, array(nest, "a").writes) == (1, 1, 1)


def test_rows_looked_up_for_each_block_are_parameters_of_the_inner_loops() -> None:
    text = """typedef struct { int lo, hi, stride; double **vec; } box;
    void f(int nb, box *b, int id) { for (int k = 0; k < nb; k++) {
      int lo = b[k].lo, hi = b[k].hi, stride = b[k].stride; double *u = b[k].vec[id];
      for (int j = lo; j < hi; j++) for (int i = lo; i < hi; i++) u[j*stride + i] = u[(j-1)*stride + i] + 1.0; } }"""
    nest = only(of_c(text))
    assert [(str(loop.lower), str(loop.upper)) for loop in nest.loops[1:]] == [("lo", "hi - 1")] * 2
    use = next(use for use in nest.arrays if use.writes)
    assert use.name == "u"
    assert offsets(use) == {("0", "0", "0"): (0, 1), ("0", "-1", "0"): (1, 0)}
    assert movers(use.accesses[0]) == ("i", "j", "k")


def test_c_and_fortran_call_each_other() -> None:
    loops = analyse_text(
        {
            "a.c": """void scale_(int *n, double *a); double half(double *x) { return 0.5 * *x; }
            void f(int n, double *a) { for (int t = 0; t < 4; t++) scale_(&n, a); }""",
            "b.f90": """
subroutine scale(n, a)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  integer :: i
  do i = 1, n
    a(i) = a(i)*2.0d0
  end do
end subroutine
""",
        }
    )
    assert [(site.callee, str(site.count)) for site in loops.calls] == [("scale", "4")]
    assert {nest.function: nest.status for nest in loops.nests} == {"f": "exact", "scale": "exact"}


def test_fortran_elements_passed_on_are_addresses() -> None:
    loops = of_fortran(
        """
subroutine outer(a, n)
  integer :: n, j
  real(8) :: a(n,n)
  do j = 1, n
    call add(a(1,j))
  end do
contains
  subroutine add(x)
    real(8) :: x
    x = x + 1.0d0
  end subroutine
end subroutine
"""
    )
    nest = loops.nests[0]
    assert nest.operations().get("add") == 1


def test_messages_have_sizes() -> None:
    loops = of_c(
        """typedef int MPI_Datatype; typedef int MPI_Comm;
           extern MPI_Datatype MPI_DOUBLE; extern MPI_Comm MPI_COMM_WORLD;
           int MPI_Send(const void*, int, MPI_Datatype, int, int, MPI_Comm);
           void f(int n, int m, double *a) {
             for (int i = 0; i < m; i++) MPI_Send(a + i*n, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); }"""
    )
    (message,) = loops.messages
    assert (message.function, str(message.count), str(message.bytes)) == ("MPI_Send", "m", "8*n")


def test_structure_of_a_program() -> None:
    loops = of_c("double total; void f(int n, double *a) { for (int i = 0; i < n; i++) total += a[i]; }")
    assert [(info.name, info.loops, info.reliable) for info in loops.functions] == [("f", 1, True)]
    assert ("total", "double") in loops.globals
    assert ("f.n", "int") in loops.scalars


def test_statements_are_kept_for_code_generation() -> None:
    nest = only(of_c("void f(int n, double *a, double *b) { for (int i = 1; i < n; i++) a[i] = b[i-1]*0.5; }"))
    ((store,),) = nest.levels
    assert isinstance(store, Store)
    assert (store.target.array, [str(one) for one in store.target.subscripts]) == ("a", ["i"])


# ---------------------------------------------------------------------------------------------- trouble


def _program(*body: ir.Stmt, errors: tuple[ir.Diagnostic, ...] = (), seen: int = 1) -> ir.Program:
    variables = (ir.Variable("i", "i", ir.INT, "local", 1),)
    parameters = (
        ir.Variable("n", "n", ir.INT, "parameter", 1),
        ir.Variable("a", "a", ir.Pointer(ir.DOUBLE), "parameter", 1),
    )
    function = ir.Function("f", "f", parameters, variables, body, ir.Void(), "x.c", 1, 9, "c", errors=errors)
    return ir.Program((ir.Unit("x.c", "c", (function,), loops_seen=seen),))


def _loop(*body: ir.Stmt) -> ir.Loop:
    return ir.Loop("i", ir.Const(0, ir.INT), ir.Name("n", ir.INT), ir.Const(1, ir.INT), body, 3)


def test_what_the_front_end_could_not_lower_refuses_the_nest() -> None:
    loops = analyse(_program(_loop(ir.Opaque(4, "inline assembly")), seen=1))
    nest = only(loops)
    assert (nest.status, nest.reason) == ("refused", "line 4: inline assembly")
    lost = analyse(_program(_loop(ir.Opaque(4, "a loop that cannot be read", loops=2)), seen=3))
    assert lost.loops_seen == lost.loops_kept == 3


def test_errors_in_a_function_mark_its_nests() -> None:
    store = ir.Assign(
        ir.Index(ir.Name("a", ir.Pointer(ir.DOUBLE)), (ir.Name("i", ir.INT),)), ir.Const(1.0, ir.DOUBLE), 4
    )
    error = ir.Diagnostic("x.c", 4, "use of undeclared identifier 'b'", "error")
    loops = analyse(_program(_loop(store), errors=(error,)))
    assert only(loops).status == "refused"
    assert not loops.functions[0].reliable


def test_deep_expressions_are_no_trouble() -> None:
    term: ir.Expr = ir.Const(1.0, ir.DOUBLE)
    load = ir.Index(ir.Name("a", ir.Pointer(ir.DOUBLE)), (ir.Name("i", ir.INT),))
    for _ in range(2000):
        term = ir.Binary("+", term, load)
    nest = only(analyse(_program(_loop(ir.Assign(load, term, 4)))))
    assert nest.operations()["add"] == 2000


def test_trouble_in_one_function_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def trip(state: State, one: ir.Assign) -> None:
        raise KeyError("planted")

    monkeypatch.setattr(statements, "_assign", trip)
    loops = analyse(_program(_loop(ir.Assign(ir.Name("i", ir.INT), ir.Const(1, ir.INT), 4))))
    nest = only(loops)
    assert nest.status == "refused"
    assert "planted" in nest.reason
    assert loops.loops_seen == loops.loops_kept == 1


def test_an_index_with_looked_up_parts_stays_affine() -> None:
    text = """typedef struct { int lo[2], n[2]; } box;
    void f(const box *b, double *u, int m) { for (int j = 0; j < m; j++) for (int i = 0; i < m; i++) {
      int p = (i - b->lo[0]) + b->n[0]*(j - b->lo[1]); u[p] = 2.0*u[p + b->n[0]]; } }"""
    nest = only(of_c(text))
    use = next(use for use in nest.arrays if use.writes)
    assert all(movers(access) == ("i", "j") for access in use.accesses)


def test_what_is_taken_for_granted_is_said() -> None:
    # EX-14: unknown pointers are different arrays
    text = "void f(int n, int s, double *a, double *b) { for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) %s }"
    nest = only(of_c(text % "a[j*s + i] = b[j*s + i];"))
    assert nest.status == "exact"
    texts = [note.text for note in nest.remarks]
    assert texts == ["a, b are assumed not to overlap", "subscripts of a, b are assumed to stay inside rows of s"]
    promised = text.replace("double *a", "double *restrict a").replace("double *b", "double *restrict b")
    assert len(only(of_c(promised % "a[j*s + i] = b[j*s + i];")).remarks) == 1


def test_names_that_share_storage_are_an_assumption_of_every_nest() -> None:
    loops = of_fortran(
        "subroutine s(t)\n real(8) :: t, a(100), b(10,10)\n equivalence (a(1), b(1,1))\n"
        " do i = 1, 100\n a(i) = t\n end do\nend subroutine\n"
        "subroutine r(t)\n real(8) :: t(9)\n do i = 1, 9\n t(i) = 0\n end do\nend subroutine\n"
    )
    first, second = loops.nests
    assert (first.status, second.status) == ("assumed", "exact")
    (note,) = first.assumptions
    assert note.line == 3
    assert note.text.startswith("equivalence (a(1), b(1,1)): names that share storage")


def test_an_expanded_function_brings_its_assumptions_along() -> None:
    loops = of_fortran(
        "subroutine s(t, n)\n real(8) :: t(n)\n do i = 1, n\n call one(t(i))\n end do\nend subroutine\n"
        "subroutine one(x)\n real(8) :: x, y, z\n equivalence (y, z)\n y = x\n x = 2*z\nend subroutine\n"
    )
    (nest,) = loops.nests
    assert nest.status == "assumed"
    assert any("share storage" in note.text for note in nest.assumptions)


def test_values_of_one_name_are_told_apart() -> None:
    """Named values and parameters may share a name across functions; nothing that is remembered may mix them."""
    loops = of_c(
        """void f(int n, int c, const double *x, double *y) { for (int i = 0; i < n; i++) y[i] = x[c]; }
        void g(int n, const int *one, const double *x, double *y) {
          for (int i = 0; i < n; i++) { int c = one[i]; y[i] = x[c]; } }
        void h(int n, const int *two, const double *x, double *y) {
          for (int j = 0; j < n; j++) { int c = two[j]; y[j] = x[c]; } }"""
    )
    found = [array(nest, "x").accesses[0].subscripts[0].index for nest in loops.nests]
    assert found == ["", "one", "two"]


def test_no_call_changes_a_named_constant() -> None:
    loops = of_fortran(
        "subroutine s(a, n)\n integer, parameter :: m = 10\n integer :: n, i\n real :: a(m)\n"
        " do i = 1, n\n call unknown(a, m)\n end do\n call unknown(a, m)\n"
        " do i = 1, m\n a(i) = 0\n end do\nend subroutine\n"
    )
    assert [str(nest.trips) for nest in loops.nests] == ["n", "10"]


def test_a_square_divides_nothing() -> None:
    text = "subroutine f(n, a)\n integer :: n, i\n real(8) :: a(n)\n do i = 1, n\n a(i) = a(i)**{}\n end do\nend\n"
    assert only(of_fortran(text.format("2"))).operations() == {"mul": 1}
    assert only(of_fortran(text.format("(-2)"))).operations() == {"mul": 1, "div": 1}


def test_a_reason_is_said_once_with_its_lines() -> None:
    loops = of_c(
        'void f(int n) {\n  asm volatile("nop");\n  asm volatile("nop");\n  for (int i = 0; i < n; i++) ;\n}\n'
    )
    assert loops.functions[0].reason == "lines 2, 3: inline assembly is not modelled"
