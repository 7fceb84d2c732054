"""Calls of compiled code without its source: cycles and transfers are those of the same loops read from a source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell.api import predict
from foretell.codegen.compiled.installed import zig_compiler
from foretell.errors import InputError, UnsupportedError
from foretell.frontends import read_options
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu.machine_code import model as machine_code
from foretell.models.cpu.machine_code.model import MachineCodeModel
from foretell.models.cpu.machine_code.nests import code_nests
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.models.cpu.machine_code.nests import CodeNest

#: void sweep(long n, double *a, double *b): rows of b are sums of two neighbours in rows of a, four at once
_SWEEP = """
	.type sweep, @function
sweep:
	testq	%rdi, %rdi
	jle	.L9
	leaq	(,%rdi,8), %r8
	movq	%rdi, %rcx
.L2:
	xorl	%eax, %eax
.L3:
	vmovupd	(%rsi,%rax), %ymm0
	vaddpd	8(%rsi,%rax), %ymm0, %ymm0
	vmovupd	%ymm0, (%rdx,%rax)
	addq	$32, %rax
	cmpq	%r8, %rax
	jne	.L3
	addq	%r8, %rsi
	addq	%r8, %rdx
	decq	%rcx
	jne	.L2
.L9:
	ret
	.type twice, @function
twice:
	pushq	%rbx
	movq	%rdi, %rbx
	call	sweep
	popq	%rbx
	ret
	.type open, @function
open:
.L20:
	movq	(%rsi), %rax
	addq	$8, %rsi
	testq	%rax, %rax
	jne	.L20
	ret
	.type plain, @function
plain:
	leaq	1(%rdi), %rax
	movq	%rax, (%rsi)
	ret
"""
#: double total(int n, Shape **s): calls the first virtual function of each
_VIRTUAL = """
	.file 1 "shapes.cpp"
	.type total, @function
total:
	pushq	%rbp
	pushq	%rbx
	movq	%rsi, %rbx
	leaq	(%rsi,%rdi,8), %rbp
.L2:
	.loc 1 4 10
	movq	(%rbx), %rdi
	movq	(%rdi), %rax
	call	CALLEE
	addq	$8, %rbx
	cmpq	%rbp, %rbx
	jne	.L2
	popq	%rbx
	popq	%rbp
	ret
"""
_ARGUMENTS = ("n", "f64[n*n]", "f64[n*n]")


@pytest.fixture
def assembly(tmp_path: Path) -> Path:
    file = tmp_path / "sweep.s"
    file.write_text(_SWEEP)
    return file


def _nests(file: Path, function: str, n: int) -> list[CodeNest]:
    code = read(f"{file}:{function}", read_options(args=_ARGUMENTS)).facet(machine_code.MachineCode)
    settings = MachineCodeModel().settings("default", {})
    followed, _ = machine_code._followed(code, load("cascade-lake"), settings, {"n": float(n)})
    return code_nests(followed, function, "")


@pytest.mark.parametrize("function", ["sweep", "twice"])
def test_loops_and_accesses_are_those_of_the_source(assembly: Path, function: str) -> None:
    (one,) = _nests(assembly, function, 400)
    assert [int(loop.trips.constant or 0) for loop in one.nest.loops] == [400, 400]  # elements, not vectors
    a, b = one.nest.arrays
    assert [int(dim.stride.constant or 0) for dim in a.dims if dim.stride is not None] == [400, 1]
    assert (a.writes, b.reads) == (0, 0)
    assert b.writes == 1
    executed = sum(count for _, count in one.instructions)
    assert executed == pytest.approx(400 * (6 * 100 + 5), rel=0.01)


def test_the_time_is_that_of_the_source(assembly: Path, tmp_path: Path) -> None:
    source = tmp_path / "sweep.c"
    source.write_text(
        "void sweep(long n, double *a, double *b) {\n for (long i = 0; i < n; i++)\n  for (long j = 0; j < n; j++)\n"
        "   b[i * n + j] = a[i * n + j] + a[i * n + j + 1];\n}\n"
    )
    machine = load("cascade-lake")
    for n in (40.0, 400.0, 4000.0):
        own = predict(read(f"{assembly}:sweep", read_options(args=_ARGUMENTS)), machine, parameters={"n": n})
        same = predict(read(source), machine, parameters={"n": n}, options={"asm": str(assembly)})
        assert own.time_s == pytest.approx(same.time_s, rel=0.02)


def test_code_without_loops_has_a_time(assembly: Path) -> None:
    found = predict(read(f"{assembly}:plain", read_options(args=("1", "f64[1]"))), load("cascade-lake"))
    assert 0 < found.time_s < 1e-7


def test_what_cannot_be_followed_is_refused(assembly: Path) -> None:
    with pytest.raises(InputError, match="how often the loop that ends in a line that is not known goes round"):
        predict(read(f"{assembly}:open", read_options(args=("1", "f64[8]"))), load("cascade-lake"))
    workload = read(f"{assembly}:sweep", read_options(args=("8", "f64[64]", "f64[64]")))
    with pytest.raises(InputError, match="the assembly is for x86-64"):
        predict(workload, load("neoverse-n1"))


def test_sizes_that_no_call_has_are_refused(assembly: Path) -> None:
    workload = read(f"{assembly}:sweep", read_options(args=("n", "f64[64]", "f64[64]")))
    for size, words in ((1e20, "n=1e.20: larger than any size of a program"), (float("nan"), "n is not a number")):
        with pytest.raises(InputError, match=words):
            predict(workload, load("cascade-lake"), parameters={"n": size})


def test_the_command_line_sweeps_sizes(assembly: Path) -> None:
    arguments = [word for text in _ARGUMENTS for word in ("--arg", text)]
    result = run("predict", f"{assembly}:sweep", *arguments, "-D", "n=40:120:40", "--on", "cascade-lake")
    assert result.code == 0, result.err
    assert "n" in result.out
    assert run("why", f"{assembly}:sweep", *arguments, "-D", "n=40", "--on", "cascade-lake").code == 0
    missing = run("predict", f"{assembly}:sweep", *arguments, "--on", "cascade-lake")
    assert missing.code == 3
    assert "-D n=" in missing.err


def test_sweeps_follow_each_point(assembly: Path) -> None:
    workload, model = read(f"{assembly}:sweep", read_options(args=_ARGUMENTS)), MachineCodeModel()
    settings, machine = model.settings("default", {}), load("cascade-lake")
    times = model.sweep(workload, machine, settings, {"n": np.array([40.0, 80.0]), "memory.bandwidth": np.array([1e9])})
    assert times[1] > 2 * times[0]


@pytest.mark.skipif(zig_compiler("x86-64") is None, reason="needs a compiler of C++ for x86-64")
def test_functions_in_cxx_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "vectors.cpp"
    file.write_text(
        "#include <vector>\ntemplate <class T> struct Scaled { T by; void operator()(std::vector<T>& x) const {\n"
        "  for (auto& v : x) v *= by; } };\nvoid scale(std::vector<double>& x, double by) { Scaled<double>{by}(x); }\n"
        "double total(int n, const double *a) { double s = 0; auto add = [&](int i) { s += a[i]; };\n"
        "  for (int i = 0; i < n; i++) add(i);\n  return s; }\n"
    )
    machine, options = load("cascade-lake"), {"cc": "zig"}
    times = []
    for n in (1000.0, 4000.0):
        scaled = read(f"{file}:scale", read_options(args=("vector<f64>[n]", "f64:2")))
        summed = read(f"{file}:total", read_options(args=("n", "f64[n]")))
        times.append([predict(one, machine, parameters={"n": n}, options=options) for one in (scaled, summed)])
    assert 2 < times[1][0].time_s / times[0][0].time_s < 8
    assert times[0][1].time_s == pytest.approx(1000 * 4 / machine.value("clock.frequency"), rel=0.1)  # a chain of sums
    assert any("zig clang" in text for text in times[0][0].assumptions)
    with pytest.raises(UnsupportedError, match="no compiler"):
        predict(scaled, machine, parameters={"n": 8.0}, options={"cc": "none"})


@pytest.mark.parametrize("callee", ["*(%rax)", "*%rax", "elsewhere"])
def test_a_call_of_what_is_not_known_is_said_and_widens_the_interval(tmp_path: Path, callee: str) -> None:
    file = tmp_path / "shapes.s"
    file.write_text(_VIRTUAL.replace("CALLEE", callee))
    machine = load("cascade-lake")
    found = predict(read(f"{file}:total", read_options(args=("1000", "i64[1000]"))), machine)
    what = "elsewhere" if callee == "elsewhere" else "a call through a pointer in line 4"
    assert any(text.startswith(what) and "taken as 60 cycles" in text for text in found.assumptions)
    each = 1000 * 60 / machine.value("clock.frequency")
    assert found.time_s > each
    low, high = found.interval_s
    assert low < found.time_s - 0.8 * each  # nine tenths of the call may be missing
    assert high > found.time_s + 2.9 * each  # or it takes four times as long


def test_a_loop_without_calls_and_jumps_on_data_is_not_in_doubt(assembly: Path) -> None:
    (one,) = _nests(assembly, "sweep", 400)
    assert one.doubt[0] == 0


def test_numbers_beyond_the_core_are_varied_without_following_again(
    assembly: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen groups of estimates are varied, three times each; the call depends on the latency of L1 alone."""
    machine_code._call.cache_clear()
    followed: list[int] = []
    before = machine_code.follow_call
    monkeypatch.setattr(machine_code, "follow_call", lambda *a, **k: (followed.append(1), before(*a, **k))[1])
    code = read(str(assembly), read_options(kernel="sweep", args=["n", "f64[n*n]", "f64[n*n]"]))
    answer = predict(code, "emerald-rapids", parameters={"n": 300})
    assert any("estimated for emerald-rapids" in text for text in answer.assumptions)
    assert 1 <= len(followed) <= 4
    machine_code._call.cache_clear()


def test_a_sweep_of_the_machine_is_that_of_single_predictions(assembly: Path) -> None:
    code = read(str(assembly), read_options(kernel="sweep", args=["n", "f64[n*n]", "f64[n*n]"]))
    code, machine = code.with_parameters({"n": 3000.0}), load("cascade-lake")
    columns = {
        "memory.bandwidth": np.array([1e9, 2e9, 1e9, 5e8]),
        "pipeline.forward.latency": np.array([5.0, 5.0, 6.0, 5.0]),
    }
    model = MachineCodeModel()
    settings = model.settings("default", {})
    found = model.sweep(code, machine, settings, columns)
    for place, time in enumerate(found):
        other = machine.with_values({name: float(column[place]) for name, column in columns.items()})
        assert time == pytest.approx(model.predict(code, other, settings).time_s, rel=1e-9)
    assert len(set(found)) >= 2
