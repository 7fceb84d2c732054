"""Where the time goes: nests, rates, annotated source and port pressure of the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.core.answers.breakdown import LoopCode, NestShare, PortPressure, Rate, by_function
from foretell.report.sections import breakdown
from foretell.report.text import render
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path

TWO = """\
void scale(int n, double s, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] *= s;
}

double dot(int n, const double *x, const double *y)
{
    double t = 0;
    for (int i = 0; i < n; i++)
        t += x[i] * y[i];
    return t;
}

double solve(int n, int steps, double *a, double *b)
{
    double r = 0;
    for (int t = 0; t < steps; t++) {
        r += dot(n, a, b);
        scale(n, r, a);
    }
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            b[i] = a[i] + r;
    return r;
}
"""


@pytest.fixture
def two(tmp_path: Path) -> Path:
    file = tmp_path / "two.c"
    file.write_text(TWO)
    return file


def test_nests_sum_to_the_time_and_count_calls(two: Path) -> None:
    found = run(
        "predict", f"{two}:solve", "--on", "neoverse-n1", "-D", "n=5000", "-D", "steps=7", "--format", "json"
    ).json()
    nests = {(nest["function"], nest["line"]): nest for nest in found["nests"]}
    assert set(nests) == {("dot", 10), ("scale", 3), ("solve", 22)}
    assert sum(nest["time_s"] for nest in nests.values()) == pytest.approx(found["time_s"], rel=1e-12)
    assert sum(nest["share"] for nest in nests.values()) == pytest.approx(1)
    assert (nests["dot", 10]["calls"], nests["solve", 22]["calls"]) == (7, 1)
    assert nests["dot", 10]["iterations"] == 7 * 5000
    assert nests["dot", 10]["flops"] == 7 * 5000 * 2
    clock = 2.497e9
    dot = nests["dot", 10]
    assert dot["cycles_per_iteration"] == pytest.approx(dot["time_s"] * clock / dot["iterations"], rel=1e-3)
    assert dot["resource"] == "latency"  # a sum waits for its last addition


def test_rates_are_work_by_time(two: Path) -> None:
    found = run("predict", f"{two}:dot", "--on", "neoverse-n1", "-D", "n=1e7", "--format", "json").json()
    rates = {rate["name"]: rate for rate in found["rates"]}
    assert rates["floating point"]["value"] == pytest.approx(2e7 / found["time_s"])
    assert rates["from memory"]["value"] == pytest.approx(1.6e8 / found["time_s"], rel=0.01)
    assert rates["flop per byte from memory"]["value"] == pytest.approx(1 / 8, rel=0.01)
    assert 0 < rates["from memory"]["of_peak"] <= 1
    assert 0 < rates["instructions per cycle"]["value"] < 4


def test_the_screen_shows_them(two: Path) -> None:
    shown = run("predict", f"{two}:solve", "--on", "neoverse-n1", "-D", "n=5000", "-D", "steps=7").out
    assert "where the time goes, by loop nest" in shown
    assert "cycles/iteration" in shown
    assert "Gflop/s" in shown
    assert "instructions per cycle" in shown


def test_annotated_source_and_port_pressure(two: Path) -> None:
    ask = ("why", f"{two}:solve", "--on", "neoverse-n1", "-D", "n=5000", "-D", "steps=7")
    shown = run(*ask, "--lines", "--assembly").out
    assert "two.c by line" in shown
    assert "t += x[i] * y[i];" in shown
    assert "void scale(int n, double s, double *x)" in shown  # lines around, without time
    assert "cycles of a pass on each port" in shown
    assert "by line" not in run(*ask).out
    found = run(*ask, "--format", "json").json()
    lines = {line["line"]: line for line in found["lines"]}
    assert sum(line["time_s"] for line in lines.values()) == pytest.approx(found["prediction"]["time_s"])
    assert lines[11]["accessed_bytes"] == 7 * 5000 * 16
    assert {code["function"] for code in found["code"]} == {"dot", "scale", "solve"}
    for code in found["code"]:
        assert all(len(one["cycles"]) == len(code["ports"]) for one in code["instructions"])


def test_lines_and_code_as_csv(two: Path) -> None:
    ask = ("why", f"{two}:dot", "--on", "neoverse-n1", "-D", "n=5000", "--format", "csv")
    lines = run(*ask, "--lines").out.splitlines()
    assert lines[0].startswith("file,line,text,time_s,share")
    assert len(lines) == 2
    code = run(*ask, "--assembly").out.splitlines()
    assert code[0].startswith("function,line,text,executions,")
    assert len(code) > 3


def test_many_nests_are_added_up() -> None:
    shares = [
        NestShare(f"f{k % 3}", "a.c", k, 1, 1, 10, 1.0, 0.05, "core", "issue", 2.0 if k else None, 1.0, 0.0)
        for k in range(20)
    ]
    functions = by_function(shares)
    assert [entry.nests for entry in functions] == [7, 7, 6]
    text = "\n".join(render(part, color=False) for part in breakdown._nests(shares))
    assert "by function" in text
    assert "8 others" in text


def test_a_line_of_a_header_is_named_with_its_file() -> None:
    shares = [
        NestShare("f", file, 42, 1, 1, 10, 1.0, 0.5, "core", "issue", 2.0, 1.0, 0.0)
        for file in ("a.cpp", "/usr/include/c++/12/bits/expr.hpp")
    ]
    text = "\n".join(render(part, color=False) for part in breakdown._nests(shares))
    assert [line.split()[1] for line in text.splitlines() if line.startswith("f ")] == ["42", "expr.hpp:42"]


def test_rates_have_the_field_s_units() -> None:
    assert breakdown.shown(Rate("L1 hit rate", 0.25, "%")) == "25.0%"
    assert breakdown.shown(Rate("floating point", 2.5e9, "flop/s")) == "2.5 Gflop/s"
    assert breakdown.shown(Rate("instructions per cycle", 1.5, "")) == "1.5"


def test_totals_are_column_sums() -> None:
    code = LoopCode(
        "f", 1, "gcc", 4, ("p0", "p1"), (("ports", 2.0),),
        (PortPressure("add", 0, 1.0, (0.5, 0.5)), PortPressure("mul", 0, 0.5, (0.25, 1.0))),
    )  # fmt: skip
    assert code.totals == (0.75, 1.5)
    assert "0.5 times" in "\n".join(render(part, color=False) for part in breakdown.assembly([code]))


ASSEMBLY = """\
	.file 1 "scale.c"
	.globl scale
	.type scale, @function
scale:
	.loc 1 3 3
	testq %rdi, %rdi
	jle .L1
	leaq (%rsi,%rdi,8), %rax
.L3:
	.loc 1 4 5
	vmovsd (%rsi), %xmm0
	vaddsd %xmm0, %xmm0, %xmm0
	vmovsd %xmm0, (%rsi)
	.loc 1 3 3
	addq $8, %rsi
	cmpq %rax, %rsi
	jne .L3
.L1:
	ret
	.size scale, .-scale
"""


def test_compiled_code_has_cycles_by_line(tmp_path: Path) -> None:
    source, code = tmp_path / "scale.c", tmp_path / "scale.s"
    source.write_text("void scale(long n, double *a)\n{\n  for (long i = 0; i < n; i++)\n    a[i] = a[i] + a[i];\n}\n")
    code.write_text(ASSEMBLY)
    found = run("why", source, "--on", "sapphire-rapids", "-D", "n=1000", "--asm", code, "--format", "json").json()
    lines = {line["line"]: line for line in found["lines"]}
    assert lines[4]["core_s"] > 0
    assert lines[4]["accessed_bytes"] == 24000
    shown = {one["text"]: one for one in found["code"][0]["instructions"]}
    assert shown["vaddsd %xmm0, %xmm0, %xmm0"]["line"] == 4
    assert shown["vaddsd %xmm0, %xmm0, %xmm0"]["executions"] == 1  # of an iteration
    assert 3 in {line["line"] for line in found["lines"]}  # the loop's own instructions
