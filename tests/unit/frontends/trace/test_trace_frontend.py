"""The trace front end: what it sees, and what it says when it cannot."""

from __future__ import annotations

import importlib.util
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from foretell import frontends
from foretell.core.facets.trace import Schedule, Trace
from foretell.errors import InputError, ToolError, UnsupportedError
from foretell.frontends.trace import TraceOptions, read_trace, stored, toolchain
from foretell.frontends.trace.result import schedule
from foretell.frontends.trace.run import run
from tests.support.frontends.traced import HAS_FLANG, KERNELS, Built, build, compare, needs_compiler

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_compiler

FEATURES = r"""
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
typedef double four __attribute__((vector_size(32)));
double a[4096] __attribute__((aligned(32))), b[4096], total;
char *kept;
__attribute__((noinline)) void sum(int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; total = s; }
__attribute__((noinline)) void chain(int n) { double x = 1; for (int i = 0; i < n; i++) x = x * 0.5 + 1; total = x; }
__attribute__((noinline)) void marks(int n) {
    for (int i = 0; i < n; i++) {
        a[i] = 1;
#pragma foretell sync
    }
}
__attribute__((noinline)) void anti(int n) { for (int i = 0; i < n; i++) { a[i] = a[i + 1] + 1; b[0] = a[i]; } }
__attribute__((noinline)) void vectors(int n) {
    four *v = (four *)a;
    for (int i = 1; i < n; i++) v[i] = v[i - 1] * v[i] + v[i];
}
__attribute__((noinline)) void sweep(int n) {
    for (int t = 0; t < 4; t++) for (int i = 1; i < n - 1; i++) b[i] = 0.5 * (b[i - 1] + a[i]);
}
__attribute__((noinline)) void heap(int n) {
    for (int i = 0; i < n; i++) {
        double *p = calloc(8, sizeof *p);
        p[1] += a[i] + p[2];
        p = realloc(p, 1000 * sizeof *p);
        b[i] = fabs(p[1]) * p[1];
        free(p);
    }
}
__attribute__((noinline)) void trouble(int kind) {
    if (kind == 1) abort();
    if (kind == 2) *(volatile int *)8 = 1;
    if (kind == 3) for (;;) total += 1;
    if (kind == 4) for (int i = 0; i < 1000000; i++) puts("far too much of it");
    if (kind == 5) { kept = malloc(1l << 30); memset(kept, 1, 1l << 30); }
}
int main(int c, char **v) {
    int n = atoi(v[2]);
    for (int i = 0; i < 4096; i++) a[i] = b[i] = 1.0 / (i + 1);
    switch (*v[1]) {
        case 's': sum(n); break;
        case 'c': chain(n); break;
        case 'm': marks(n); break;
        case 'a': anti(n); break;
        case 'v': vectors(n); break;
        case 'w': sweep(n); break;
        case 'h': heap(n); break;
        case 't': trouble(n); break;
    }
    return 0;
}
"""

THROWS = r"""
#include <cstdlib>
double a[64];
__attribute__((noinline)) void inner(int i) {
    for (int j = 0; j < 4; j++) { a[j] += 1; if (j == i) throw i; }
}
__attribute__((noinline)) void outer(int n) {
    for (int i = 0; i < n; i++) { try { inner(i); } catch (int k) { a[k + 8] = a[k] * 2; } }
}
int main(int, char **v) { outer(std::atoi(v[1])); return 0; }
"""


@pytest.fixture
def features(tmp_path: Path) -> Path:
    path = tmp_path / "features.c"
    path.write_text(FEATURES)
    return path


@pytest.fixture(scope="module")
def trouble(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("trouble")
    source = folder / "features.c"
    source.write_text(FEATURES)
    return build(source, "trouble", folder)


def traced(source: Path, kernel: str, *arguments: str, **options: object) -> Trace:
    chosen = replace(TraceOptions(kernel=kernel, arguments=arguments), **options)  # type: ignore[arg-type]
    return read_trace([source], chosen).facet(Trace)


def test_vectors_copies_and_the_heap_as_the_slow_machine_sees_them(features: Path, tmp_path: Path) -> None:
    built = build(features, "vectors", tmp_path)
    compare(built, "v", "9")


def test_a_sum_as_a_tree(features: Path) -> None:
    found = traced(features, "sum", "s", "1000", reassociate=True, helper=False)
    assert (found.schedule.depth, found.operations.total) == (1000, 1000)
    assert found.reassociated is not None
    assert found.reassociated.depth == 10
    assert found.reassociated.operations == 1000
    assert [loop.verdict for loop in found.loops] == ["reduction"]


def test_more_levels_than_are_counted_one_by_one(features: Path) -> None:
    found = traced(features, "chain", "c", "2500000")
    assert found.operations.total == 5_000_000
    assert found.schedule.depth == pytest.approx(5_000_000, abs=2)
    assert found.schedule.operations == pytest.approx(5_000_000)


def test_marks_in_the_source_are_the_synchronisation_points(features: Path) -> None:
    found = traced(features, "marks", "m", "17")
    assert (found.sync_points, found.sync_given) == (17, True)


def test_given_synchronisation_points_win(features: Path) -> None:
    found = traced(features, "anti", "a", "9", sync=3, all_dependences=True)
    assert (found.sync_points, found.sync_given) == (3, True)
    assert found.loops[0].carried == ("WAR", "WAW")
    assert found.loops[0].verdict == "parallel"


def test_times_that_overflow_are_renumbered(features: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = build(features, "sweep", tmp_path)
    monkeypatch.setenv("FORETELL_NOW", str(0xF0000000 - 200))
    compare(built, "w", "60")


def test_exceptions_leave_loops(tmp_path: Path) -> None:
    source = tmp_path / "throws.cpp"
    source.write_text(THROWS)
    found = traced(source, "outer", "6")
    assert [loop.entries for loop in found.loops] == [1, 6]
    assert found.loops[1].parent == 0
    assert found.operations.total == 1 + 2 + 3 + 4 + 4 + 4 + 4


@pytest.mark.parametrize("rate", [0.1, 0.01])
def test_sampled_distances_are_near_the_exact_ones(rate: float) -> None:
    """Also of caches with fewer lines than one over the rate, which a sample cannot see into."""
    source = KERNELS / "heat2d.c"
    exact = traced(source, "heat", "300", "3", lines=(64,), dependences=False).distances_at(64)
    found = traced(source, "heat", "300", "3", lines=(64,), sample=rate, dependences=False).distances_at(64)
    assert found.rate == rate
    capacities = [2**power for power in range(4, 16)]
    errors = [
        abs(float(exact.misses(n)) / exact.references - float(found.misses(n)) / found.references) for n in capacities
    ]
    assert sum(errors) / len(errors) < 0.01
    assert found.references == pytest.approx(exact.references, rel=0.01)


def test_heap_memory_that_is_used_again_holds_nothing(features: Path) -> None:
    found = traced(features, "heap", "h", "20")
    assert [loop.verdict for loop in found.loops] == ["parallel"]
    # Of p[1] += a + p[2] one addition is left, because the compiler knows the zeros; realloc moves its level along.
    assert found.schedule.depth == 2
    assert (found.operations.add, found.operations.multiply) == (20, 20)


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        ("1", {}, "was ended by SIGABRT"),
        ("2", {}, "was ended by SIGSEGV"),
        ("3", {"seconds": 1.0}, "ran for more than 1 s"),
        ("4", {"output": 1000}, "wrote more than 1000 bytes"),
        ("5", {"memory": 200 << 20}, "used more than"),
    ],
)
def test_programs_that_fail(
    trouble: Built, tmp_path: Path, kind: str, options: dict[str, object], message: str
) -> None:
    chosen = replace(TraceOptions(arguments=("t", kind)), **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=message):
        run(trouble.program, chosen, tmp_path)


def test_a_kernel_that_is_never_called(features: Path) -> None:
    with pytest.raises(InputError, match="the kernel was never called"):
        traced(features, "sum", "x", "1")


def test_kernels_that_are_not_there(features: Path) -> None:
    with pytest.raises(InputError, match=r"no function 'summ' \(did you mean 'sum'\?\)"):
        traced(features, "summ")


def test_sources_that_do_not_compile(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text("int main( { return 0; }\n")
    with pytest.raises(InputError, match=r"wrong.c: does not compile: wrong.c:1:\d+: error: expected"):
        traced(source, "main")


def test_wrong_files(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match=r"cannot trace '\.java' files"):
        traced(tmp_path / "a.java", "main")
    with pytest.raises(InputError, match="no such file"):
        traced(tmp_path / "a.c", "main")


@pytest.mark.parametrize(
    ("options", "message"),
    [({"lines": (48,)}, "power of two"), ({"sample": 0.0}, "above 0"), ({"lines": (16, 32, 64, 128, 256)}, "four")],
)
def test_wrong_options(features: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        traced(features, "sum", **options)


def test_without_a_compiler(features: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(ToolError, match=r"pip install 'foretell\[trace\]'"):
        traced(features, "sum")
    with pytest.raises(ToolError, match="needs flang"):
        toolchain.flang()
    with pytest.raises(ToolError, match="sources of the trace engines are missing"):
        toolchain.runtime_sources()


def test_the_systems_clang_is_second_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    assert toolchain.toolchain(tmp_path).cxx == ("/bin/clang++",)


def test_several_files_and_ir(tmp_path: Path) -> None:
    first, second = tmp_path / "first.c", tmp_path / "second.c"
    first.write_text(
        "double twice(double);\ndouble a[9];\nvoid k(int n) { for (int i = 1; i < n; i++) a[i] = twice(a[i - 1]); }\n"
    )
    second.write_text("void k(int);\ndouble twice(double x) { return x + x; }\nint main(void) { k(6); return 0; }\n")
    found = read_trace([first, second], TraceOptions(kernel="k")).facet(Trace)
    assert (found.schedule.depth, found.operations.add) == (5, 5)
    assert found.loops[0].verdict == "sequential"
    tools = toolchain.toolchain(tmp_path)
    texts = []
    for source in (first, second):
        text = tools.to_ir(source, ())
        texts.append(tmp_path / f"{source.stem}.ll")
        texts[-1].write_text(text)
    again = read_trace(texts, TraceOptions(kernel="k")).facet(Trace)
    assert again.schedule == found.schedule


def test_a_trace_in_a_file(features: Path, tmp_path: Path) -> None:
    workload = read_trace([features], TraceOptions(kernel="anti", arguments=("a", "5")))
    path = tmp_path / "x.trace"
    stored.write(workload, path)
    assert frontends.read(path).facets == workload.facets
    smaller = tmp_path / "x.trace.xz"
    stored.write(workload, smaller)
    assert smaller.stat().st_size < path.stat().st_size
    assert frontends.read(smaller).facets == workload.facets
    with pytest.raises(InputError, match="cannot be written"):
        stored.write(workload, tmp_path / "none" / "x.trace")
    for text, message in (("{", "not valid JSON"), ('{"format": "x"}', "this version reads"), ("[]", "is not a trace")):
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            frontends.read(path)


@pytest.mark.skipif(not HAS_FLANG, reason="needs flang")
@pytest.mark.parametrize(
    ("file", "kernel", "verdicts", "sync"),
    [
        ("materials.f90", "materials", ["sequential", "parallel", "parallel", "parallel", "parallel"], 3),
        ("gauss_seidel.f90", "relax", ["sequential"] * 3, 0),
    ],
)
def test_fortran(file: str, kernel: str, verdicts: list[str], sync: int) -> None:
    found = traced(KERNELS / file, kernel, "9", "2")
    assert [loop.verdict for loop in found.loops] == verdicts
    assert found.sync_points == sync


def test_many_widths_are_put_together() -> None:
    import numpy as np

    counts = np.arange(1, 10001, dtype=np.uint64)
    found = schedule(counts, 0)
    assert found.depth == 10000
    assert len(found.widths) < 4096
    assert found.operations == pytest.approx(10000 * 10001 / 2)
    assert sum(band.operations for band in found.bands) == 10000 * 10001 // 2
    assert schedule(np.zeros(3, dtype=np.uint64), 0) == Schedule()


def test_the_helper_thread_changes_nothing(features: Path, tmp_path: Path) -> None:
    alone = traced(features, "sweep", "w", "4000", helper=False)
    helped = traced(features, "sweep", "w", "4000", helper=True)
    assert alone.distances == helped.distances


LANES = """
@p = global [2 x double] [double 1.0, double 2.0], align 16
@q = global double 0.0, align 8
@r = global i32 0, align 4
define void @kernel() noinline {
  %a = load <2 x double>, ptr @p, align 16
  %b = shufflevector <2 x double> %a, <2 x double> poison, <2 x i32> <i32 1, i32 0>
  %c = fadd <2 x double> %a, %b
  %e = extractelement <2 x double> %c, i32 0
  %f = call double @llvm.fmuladd.f64(double %e, double %e, double 1.0)
  %i = insertelement <2 x double> %c, double %f, i32 1
  %g = fmul <2 x double> %i, %i
  store <2 x double> %g, ptr @p, align 8
  %old = atomicrmw fadd ptr @q, double %f seq_cst
  %pair = cmpxchg ptr @r, i32 0, i32 1 seq_cst seq_cst
  %seen = extractvalue { i32, i1 } %pair, 0
  %wide = sitofp i32 %seen to double
  %abs = call double @llvm.fabs.f64(double %old)
  %most = call double @llvm.maxnum.f64(double %abs, double %wide)
  store double %most, ptr @q, align 8
  ret void
}
define i32 @main() {
  call void @kernel()
  ret i32 0
}
declare double @llvm.fmuladd.f64(double, double, double)
declare double @llvm.fabs.f64(double)
declare double @llvm.maxnum.f64(double, double)
"""


def test_vectors_fused_operations_and_atomics_in_ir(tmp_path: Path) -> None:
    source = tmp_path / "lanes.ll"
    source.write_text(LANES)
    found = traced(source, "kernel")
    # Level 1: two sums, and the maximum, whose operands were in memory before. 2: the product of the fused operation,
    # and lane 0 of the products. 3: its sum. 4: lane 1, and the atomic addition.
    assert [(one.operations, one.levels) for one in found.schedule.widths] == [(1.0, 1), (2.0, 2), (3.0, 1)]
    assert (found.operations.add, found.operations.multiply, found.operations.compare) == (4, 3, 1)
    assert (found.instructions.load, found.instructions.store) == (3, 4)
    assert found.distances_at(64).references >= 7


def test_a_loop_with_two_entries_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "jump.c"
    source.write_text(
        "int n; double a[9];\n__attribute__((noinline)) void k(int m) {\n  int i = 0;\n  if (m & 1) goto in;\n"
        "again: a[i & 7] += 1; if (m > 90) a[2] = m;\nin: a[(i + 1) & 7] *= 2; i++; if (i < m) goto again;\n}\n"
        "int main(int c, char **v) { k(c + 4); return 0; }\n"
    )
    try:
        found = traced(source, "k")
    except UnsupportedError as error:
        assert "two entries" in str(error)
    else:  # the compiler may give such a loop one entry
        assert found.loops[0].verdict == "sequential"
