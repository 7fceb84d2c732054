"""Inputs that once crashed, did not end, or were internal errors: each is answered or refused with its reason."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from foretell import frontends
from foretell.core.answers.prediction import Bound, Part, Prediction
from foretell.errors import InputError
from tests.support.cli import refused, run

if TYPE_CHECKING:
    from pathlib import Path

_PROGRAM = """resource GM latency=500 gap={gap}
warps {warps}
resident {resident}
schedulers 1
S1: GM
S2: GM after=S1
"""


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"warps": 65536}, "65536 warps on one multiprocessor"),
        ({"resident": 65536}, "196608 warps on one multiprocessor"),
        ({"resident": "1e15"}, "warps on one multiprocessor"),
        ({"gap": "1e308"}, "beyond 2^53 cycles"),
        ({"gap": "1e16"}, "beyond 2^53 cycles"),
    ],
)
def test_abstract_programs_beyond_any_gpu(tmp_path: Path, given: dict[str, Any], reason: str) -> None:
    file = tmp_path / "k.prog"
    file.write_text(_PROGRAM.format(**{"gap": 100, "warps": 3, "resident": 1, **given}))
    assert reason in refused("predict", file, "--on", "h200")


def test_emulations_are_limited_by_their_steps(tmp_path: Path) -> None:
    file = tmp_path / "k.prog"
    file.write_text(_PROGRAM.format(gap=100, warps=64, resident=1))
    text = file.read_text().replace("S1:", "loop 1000\nS1:") + "end\n"
    file.write_text(text)
    assert run("predict", file, "--on", "h200").code == 0
    message = refused("predict", file, "--on", "h200", "--limit-time", "0.01")
    assert "takes more than 1000000 steps" in message
    assert "--limit-time" in message
    assert "needs" in refused("predict", file, "--on", "h200", "--limit-memory", "1e-6")


def _nested(depth: int, use: str) -> str:
    structs = "".join(f"struct s{n}{{struct s{n - 1} a,b;}};" for n in range(1, depth))
    return f"struct s0{{int x;}};{structs}{use}"


@pytest.mark.parametrize("depth", [19, 90])
def test_structures_in_structures(tmp_path: Path, depth: int) -> None:
    """2^depth members, but each type is looked at once; also where two files have the same types."""
    last = f"s{depth - 1}"
    use = f"void f(struct {last}*p,int n){{for(int i=0;i<n;i++)p[i].a.a.a=p[i].b.a.a;}}"
    (tmp_path / "a.c").write_text(_nested(depth, use))
    (tmp_path / "b.c").write_text(_nested(depth, use.replace(" f(", " g(")))
    result = run("describe", tmp_path / "a.c", tmp_path / "b.c")
    assert result.code == 0, result.err
    assert "2 nests" in result.out


def test_chains_of_calls(tmp_path: Path) -> None:
    """Each function calls the one before it twice: 2^depth calls, of which a counted number is followed."""
    chain = "".join(f"double f{n}(double x){{return f{n - 1}(x)+f{n - 1}(x);}}\n" for n in range(1, 20))
    text = f"double f0(double x){{return x+1;}}\n{chain}"
    (tmp_path / "a.c").write_text(f"{text}void k(int n,double*a){{for(int i=0;i<n;i++)a[i]=f19(a[i]);}}\n")
    result = run("describe", tmp_path / "a.c", "--limit-time", "10")
    assert result.code == 0, result.err
    assert "calls: the work of further ones is not counted" in result.out


@pytest.mark.parametrize(
    "text",
    [
        '#include "/dev/zero"\n',
        "#include </dev/zero>\n",
        '#define X "/dev/zero"\n#include X\n',
        '#inc\\\nlude "/dev/zero"\n',
        '#include "inner.h"\n',
        '#include "pipe.h"\n',
        '%:include "/dev/zero"\n',
    ],
)
def test_includes_of_special_files(tmp_path: Path, text: str) -> None:
    (tmp_path / "inner.h").write_text('\n\n#include "link.h"\n')
    (tmp_path / "link.h").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.h")
    (tmp_path / "a.c").write_text(f"{text}void f(int n,double*a){{for(int i=0;i<n;i++)a[i]=1;}}\n")
    message = refused("describe", tmp_path / "a.c")
    assert "is no regular file: it cannot be included" in message
    assert ".c:" in message or ".h:3" in message


def test_a_line_of_perf_that_could_be_matched_in_many_ways(tmp_path: Path) -> None:
    file = tmp_path / "p.txt"
    line = "   4,000   cycles   #  " + "( +- 1% )" * 400 + " " * 4000 + "x"
    file.write_text(f" Performance counter stats for './a':\n\n{line}\n\n   1.0 seconds time elapsed\n")
    assert "not a line of perf stat" in refused("import", file)


_SEARCH = """int find(const int *a, int n, int key) {
  int k = 0;
  while (a[k] != key) {
    if (k >= n) break;
    k++;
  }
  return k;
}
"""


@pytest.mark.parametrize(
    ("share", "says"),
    [  # powers of ten that take minutes to compute; rounds that no float can have
        ("1e-999999999", "trips_L3"),
        ("0e999999999", "trips_L3"),
        ("1e-320", "trips_L3"),
        ("1e999999999", "a share is between 0 and 1"),
        ("-1e400", "a share is between 0 and 1"),
        ("1/0", "give LINE=SHARE"),
        ("nan", "a share is between 0 and 1"),
        ("1e-18", "more than any loop has"),
    ],
)
def test_shares_of_conditions_that_no_count_has(tmp_path: Path, share: str, says: str) -> None:
    (tmp_path / "a.c").write_text(_SEARCH)
    asked = ("predict", tmp_path / "a.c", "--on", "zen4", "-D", "n=10", "-D", "key=7", "--branch", f"4={share}")
    assert says in refused(*asked)


_HUGE = "9" * 400


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.json", f'[{{"counter-value": "1.0", "unit": "", "event": "cycles", "pcnt-running": {_HUGE}}}]', "finite"),
        ("b.json", f'{{"format": "foretell-profile", "version": 1, "regions": [{_HUGE}]}}', "not a finite number"),
        ("c.json", '{"format": "foretell-profile", "version": 1, "regions": [NaN]}', "not a finite number"),
        ("d.json", '{"format": "foretell-profile", "version": 1, "regions": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_numbers_that_overflow(tmp_path: Path, name: str, text: str, reason: str) -> None:
    (tmp_path / name).write_text(text)
    assert reason in refused("import", tmp_path / name)


def test_ranges_with_steps_that_are_too_small(tmp_path: Path) -> None:
    (tmp_path / "k.prog").write_text(_PROGRAM.format(gap="N", warps=3, resident=1) + "parameter N = 1\n")
    for step in ("1e-308", "1e-9", "5e-324"):
        message = refused("predict", tmp_path / "k.prog", "--on", "h200", "-D", f"N=16:128:{step}")
        assert "values, more than 10000000" in message


def test_transfers_beyond_what_can_be_counted(tmp_path: Path) -> None:
    file = tmp_path / "w.toml"
    file.write_text(
        'name = "w"\n[offload]\ncores = 64\n[[offload.dma]]\nname = "in"\n'
        'chunks = [{ bytes = "1e60" }]\n[[offload.block]]\ncycles = "1"\n'
    )
    assert "is out of all proportion" in refused("predict", file, "--on", "sw26010", "--option", "scratchpad=flag")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", 3),
        ("\taddq\n\tcmovle\t%rax\n\tmovzbl\t%al\n\tvpunpcklqdq\t%xmm0\n\tret\n", 0),
        ("\taddq\t$99999999999999999999, 99999999999999999999(%rdi)\n\tret\n", 0),
        ("\t.intel_syntax noprefix\n\tmov\trax, [rdi+x*y]\n\tret\n", 3),
    ],
)
def test_assembly_that_no_assembler_takes(tmp_path: Path, body: str, code: int) -> None:
    """A function without instructions, instructions without operands, numbers and addresses without a meaning."""
    (tmp_path / "a.s").write_text(f"\t.text\n\t.globl\trun\n\t.type\trun, @function\nrun:\n{body}")
    words = ("predict", tmp_path / "a.s", "--on", "emerald-rapids", "--function", "run", "--arg", "f64[64]")
    result = run(*words)
    assert result.code in (code, 3), result.err
    assert "internal error" not in result.err
    assert code == 0 or result.err.startswith("foretell: ")


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), -1.0, 1e19])
def test_times_that_no_run_can_have(seconds: float) -> None:
    bounds, parts = (Bound("b", 0.0, "r", "latency"),), (Part("p", seconds),)
    with pytest.raises(InputError, match="computes a time of"):
        Prediction(seconds, bounds, parts, "m", 1, "default", "on", "", "w", "")


# ------------------------------------------------------------------------------------------ traces


def _document() -> dict[str, Any]:
    loop = {
        "function": "f", "file": "f.c", "line": 3, "parent": -1, "entries": 1, "iterations": 4, "least_trips": 4,
        "most_trips": 4, "verdict": "parallel", "executions": [{"entries": 1, "trips": 4.0, "share": 1.0}],
    }  # fmt: skip
    reuse = {"distance": 0, "references": 7.0, "last": 0}
    trace = {
        "kernel": "f", "operations": {"add": 4}, "vectorised": 4, "sync_points": 0, "loops": [loop],
        "schedule": {"depth": 1, "widths": [{"operations": 4.0, "levels": 1}]},
        "distances": [{"line": 64, "cold": 1.0, "bytes": 64.0, "reuses": [reuse]}],
        "reassociated": None,
    }  # fmt: skip
    return {"format": "foretell-trace-1", "name": "f", "origin": "f.c", "input_hash": "sha256:0", "assumptions": [],
            "trace": trace}  # fmt: skip


def test_a_trace_that_is_right(tmp_path: Path) -> None:
    (tmp_path / "a.trace").write_text(json.dumps(_document()))
    assert frontends.read(tmp_path / "a.trace").name == "f"


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("trace", "operations", "add"), {}, "trace.operations.add: must be a whole number, is {}"),
        (("trace", "operations", "add"), 1e19, "must be a whole number"),
        (("trace", "operations", "add"), -1, "must be not negative"),
        (("trace", "operations", "add"), True, "must be a whole number"),
        (("trace", "operations"), [], "trace.operations: must be an object"),
        (("trace", "schedule", "widths"), 7, "trace.schedule.widths: must be a list"),
        (("trace", "distances", 0, "cold"), 1e63, "must be a number below 2^62"),
        (("trace", "distances", 0, "line"), 48, "must be a power of two"),
        (("trace", "distances", 0, "reuses", 0, "references"), [], "reuses[0].references: must be a number"),
        (("trace", "loops", 0, "parent"), 0, "must be -1 or an earlier loop"),
        (("trace", "loops", 0, "parent"), 7, "must be -1 or an earlier loop"),
        (("trace", "loops", 0, "verdict"), "maybe", "must be one of parallel, reduction, sequential"),
        (("trace", "loops", 0, "verdict"), [], "must be one of parallel, reduction, sequential"),
        (("trace", "vectorised"), 5, "more than all operations"),
        (("trace", "lops"), [], "unknown key 'lops' (did you mean 'loops'?)"),
        (("trace", "kernel"), ..., "trace.kernel: is missing"),
        (("format",), "foretell-trace-9", "is not a trace that this version reads"),
    ],
)
def test_traces_are_checked_before_use(tmp_path: Path, path: tuple[Any, ...], value: Any, reason: str) -> None:
    document = _document()
    around: Any = document
    for key in path[:-1]:
        around = around[key]
    if value is ...:
        del around[path[-1]]
    else:
        around[path[-1]] = value
    (tmp_path / "a.trace").write_text(json.dumps(document))
    assert reason in refused("describe", tmp_path / "a.trace")
