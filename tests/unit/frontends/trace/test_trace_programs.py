"""Programs unlike the examples: jumps, threads, large stacks, C++ names, arrays that Fortran's runtime assigns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.core.facets.trace import Trace
from foretell.errors import InputError
from foretell.frontends.trace import TraceOptions, read_trace
from foretell.frontends.trace.toolchain import folded
from tests.support.frontends.traced import HAS_FLANG, needs_compiler

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.workload import Workload

JUMPS = r"""
#include <setjmp.h>
static jmp_buf out;
static double a[100];
__attribute__((noinline)) static void inner(int i) {
    for (int j = 0; j < 100; ++j) { a[j] = a[j] * 0.5 + j; if (j == i) longjmp(out, 1); }
}
__attribute__((noinline)) static double kernel(int n) {
    volatile int count = 0;
    for (volatile int i = 0; i < n; ++i) if (setjmp(out) == 0) inner(i % 90); else count++;
    return a[5] + count;
}
int main(void) { return kernel(3000) == 0; }
"""
THREADS = r"""
#include <pthread.h>
#include <unistd.h>
static double a[4][1000];
void *work(void *p) { double *x = p; usleep(100000); for (int i = 1; i < 1000; ++i) x[i] += x[i - 1]; return 0; }
double kernel(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; ++i) pthread_create(&t[i], 0, work, a[i]);
    for (int i = 0; i < 4; ++i) pthread_join(t[i], 0);
    return a[0][999];
}
int main(void) { return kernel() != 0; }
"""
STACK = r"""
__attribute__((noinline)) double kernel(int n) {
    double a[3000][1000];
    for (int i = 0; i < n; ++i) for (int j = 0; j < 1000; ++j) a[i * 7 % 3000][j] = i + 0.5 * j;
    double s = 0;
    for (int j = 0; j < 1000; ++j) s += a[7][j];
    return s;
}
int main(void) { return kernel(30) == 0; }
"""
TEMPLATES = r"""
#include <stdexcept>
#include <vector>
template <class T> __attribute__((noinline)) T checked(const std::vector<T> &v, std::size_t i) {
    T best = v[0];
    for (std::size_t at = 1; at <= i; ++at) {
        if (at >= v.size()) throw std::out_of_range("outside");
        best = best < v[at] ? v[at] : best;
    }
    return best;
}
__attribute__((noinline)) double kernel(const std::vector<double> &v) {
    double s = 0;
    for (int i = 0; i < 20; ++i) try { s += checked(v, 5 * i); } catch (const std::out_of_range &) { s *= 2; }
    return s;
}
int main() { std::vector<double> v(50, 1.5); return kernel(v) == 0; }
"""
ASSIGNED = """
program main
  implicit none
  real(8), allocatable :: a(:), b(:)
  real(4), allocatable :: c(:)
  allocate(a(100), b(100))
  a = 1d0
  call kernel(100)
  print *, sum(a), sum(c)
contains
  subroutine kernel(n)
    integer, intent(in) :: n
    integer :: t
    do t = 1, 10
      b = a
      c = b(n:1:-1)
      a = c * 0.5d0 + 1d0
    end do
  end subroutine
end program
"""


def traced(source: Path, text: str, kernel: str = "kernel") -> Workload:
    source.write_text(text)
    return read_trace([source], TraceOptions(kernel=kernel, lines=(64,), helper=False))


@needs_compiler
def test_jumps_leave_loops_of_other_functions(tmp_path: Path) -> None:
    """More jumps than loops may be nested: those that were left do not count as running."""
    found = traced(tmp_path / "jumps.c", JUMPS)
    outer = found.facet(Trace).loops[0]
    assert (outer.entries, outer.iterations, outer.verdict) == (1, 3000, "sequential")
    assert any("longjmp" in one for one in found.assumptions)


@needs_compiler
def test_threads_are_named_and_a_kernel_in_several_is_refused(tmp_path: Path) -> None:
    found = traced(tmp_path / "threads.c", THREADS)
    assert "threads that the kernel starts are not traced" in found.assumptions
    with pytest.raises(InputError, match="several threads at once"):
        traced(tmp_path / "threads.c", THREADS, kernel="work")


@needs_compiler
def test_arrays_of_24_megabytes_on_the_stack(tmp_path: Path) -> None:
    assert traced(tmp_path / "stack.c", STACK).facet(Trace).loops[0].iterations == 30


@needs_compiler
def test_functions_have_the_names_of_the_source(tmp_path: Path) -> None:
    loops = traced(tmp_path / "templates.cpp", TEMPLATES).facet(Trace).loops
    assert {one.function for one in loops} == {"kernel", "checked<double>"}


@needs_compiler
@pytest.mark.skipif(not HAS_FLANG, reason="needs flang")
def test_values_go_through_arrays_that_fortrans_runtime_assigns(tmp_path: Path) -> None:
    """Two operations in each of ten steps wait for each other, through copies, a reversal and another precision."""
    trace = traced(tmp_path / "assigned.f90", ASSIGNED).facet(Trace)
    assert (trace.schedule.depth, trace.loops[0].verdict) == (20, "sequential")


def test_products_of_sizes_are_folded() -> None:
    """n times the size of an element is the address of element n of an array at 0."""
    size = "i64 ptrtoint (ptr getelementptr ({}, ptr null, {} {}) to i64)"
    for element in ("i8", "{ ptr, [2 x i64] }"):
        product = f"i64 mul ({size.format(element, 'i32', 1)}, i64 40)"
        assert folded(f"a {product}, {product} z") == "a {0}, {0} z".format(size.format(element, "i64", 40))


OPENMP = """
#include <omp.h>
#include <stdio.h>
__attribute__((noinline)) double kernel(int n, const double *x) {
    double sum = omp_get_thread_num();
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}
int main(int argc, char **argv) {
    double x[100];
    for (int i = 0; i < 100; i++) x[i] = argc + i;
    omp_set_num_threads(4);
    printf("%d %g\\n", omp_get_max_threads(), kernel(100, x));
    return omp_get_wtime() < 0;
}
"""


@needs_compiler
def test_openmp_is_traced_by_one_thread_without_its_library(tmp_path: Path) -> None:
    assert traced(tmp_path / "omp.c", OPENMP).facet(Trace).loops[0].iterations == 100
