"""Whole calls of compiled code: executed instructions as callgrind counts them; what repeats, is sampled or left."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from foretell.codegen.assembly.listing import read_listing
from foretell.machines import load
from foretell.models.cpu.incore.calls import whole_call
from foretell.models.cpu.incore.calls.whole_call import Followed, follow_call
from foretell.models.cpu.incore.instruction_costs import Costs

if TYPE_CHECKING:
    from foretell.codegen.assembly.listing import Function

#: gcc 12.2 -O3 -march=haswell of functions.c, without alignment (callgrind counts the filling, the text has none), and
#: the instructions that callgrind 3.19 counts in the functions of that file
_FOLDER = Path(__file__).parents[4] / "data/asm/whole_call"
_COUNTS: dict[str, int] = json.loads((_FOLDER / "counts.json").read_text())
#: the same of gcc 12.2 for AArch64, at -O2 and -O3: instructions at addresses of that file, by callgrind 3.19
_AARCH64: dict[str, dict[str, int]] = json.loads((_FOLDER / "aarch64/counts.json").read_text())
_TABLES = 1 << 41


def _array(number: int) -> int:
    """Where the program that was counted has its arrays, up to a multiple of a large page."""
    return (1 << 40) + (number << 24) + 448 * (8 - number % 9)


@cache
def _functions(name: str = "functions.s", isa: str = "x86-64") -> tuple[Function, ...]:
    return read_listing((_FOLDER / name).read_text(), isa)


#: parameters in their order: n and m are the sizes of a case, letters arrays
_PARAMETERS = {
    "axpy": "n A B", "dot": "n A B", "matmul": "n A B C", "matmul_vla": "n A B C", "gemv": "m n A B C",
    "trisolv": "n A B C", "jacobi2d": "m n A B", "seidel": "m n A", "syrk": "n m A B", "lu": "n A", "calls": "n m A",
    "blocks": "n m A B", "count": "n A", "powers": "n A", "strided": "n m A B", "bytes": "n A B", "stencil3": "n A B",
    "many": "n 1 2 3 4 5 6 A", "downwards": "n A", "whiles": "n A", "sum_u": "n A", "recursive": "n",
    "durbin": "n A B", "fill": "n A",
}  # fmt: skip


def _followed(function: str, n: int, m: int = 0, *, level: str = "") -> Followed:
    """A call of a function; `level`: of the code for AArch64 with this optimisation."""
    machine = load("neoverse-n1" if level else "cascade-lake")
    functions = _functions(f"aarch64/functions-{level}.s", "aarch64") if level else _functions()
    words: list[tuple[int, int]] = []
    if function == "rows":
        pitch = 8 * (m + m % 2)
        tables = [_TABLES, _TABLES + (1 << 20)]
        words = [(table + 8 * i, _array(k) + i * pitch) for k, table in enumerate(tables) for i in range(n)]
        arguments = [n, m, *tables]
    elif function == "structs":
        words = [(_TABLES, n), (_TABLES + 4, m), (_TABLES + 8, _array(0)), (_TABLES + 16, _array(1))]
        arguments = [_TABLES]
    else:
        known = {"n": n, "m": m, "A": _array(0), "B": _array(1), "C": _array(2)}
        arguments = [known[word] if word in known else int(word) for word in _PARAMETERS[function].split()]
    return follow_call(functions, function, machine, Costs(machine), arguments, words)


@pytest.mark.parametrize("case", _COUNTS)
def test_executed_instructions_are_those_of_the_program(case: str) -> None:
    function, *sizes = case.split()
    followed = _followed(function, *map(int, sizes))
    assert followed.result.failure == ""
    assert sum(followed.result.counts) == _COUNTS[case]


@pytest.mark.parametrize(("level", "case"), [(level, case) for level in _AARCH64 for case in _AARCH64[level]])
def test_executed_instructions_of_aarch64_are_those_of_the_program(level: str, case: str) -> None:
    function, *sizes = case.split()
    followed = _followed(function, *map(int, sizes), level=level)
    assert followed.result.failure == ""
    assert not followed.guessed
    assert sum(followed.counts) == _AARCH64[level][case]


@pytest.mark.parametrize(
    ("function", "sizes"),
    [("lu", (150,)), ("jacobi2d", (300, 40)), ("matmul", (150,)), ("syrk", (120, 90)), ("stencil3", (60,))],
)
def test_samples_of_outer_loops_represent_the_call(
    function: str, sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_call, "LIMIT", 10**8)
    whole = _followed(function, *sizes)
    monkeypatch.setattr(whole_call, "LIMIT", whole.result.executed // 4)
    sampled = _followed(function, *sizes)
    monkeypatch.setattr(whole_call, "LIMIT", whole.result.executed)
    just = _followed(function, *sizes)  # samples say that it is short enough for being followed whole
    assert not just.result.sampled
    assert just.result.counts == whole.result.counts
    assert not whole.result.sampled
    assert sampled.result.sampled
    assert sampled.result.executed < whole.result.executed
    assert sum(sampled.result.counts) == pytest.approx(sum(whole.result.counts), rel=0.03)
    assert sum(sampled.cycles) == pytest.approx(sum(whole.cycles), rel=0.1)


def test_long_loops_take_as_long_as_they_iterate() -> None:
    calls = [_followed("axpy", n) for n in (40_001, 80_001, 4_000_001)]
    counts = [sum(call.result.counts) for call in calls]
    assert counts[2] - counts[1] == 98 * (counts[1] - counts[0])
    assert calls[2].result.executed < 100_000
    assert sum(calls[2].cycles) == pytest.approx(50 * sum(calls[1].cycles), rel=0.02)


def test_a_call_of_memset_takes_the_time_of_its_bytes() -> None:
    few, many = (_followed("fill", n) for n in (1000, 101_000))
    assert sum(few.result.counts) == sum(many.result.counts)
    store = Costs(load("cascade-lake")).store(32).gap
    assert sum(many.cycles) - sum(few.cycles) == pytest.approx(800_000 / 32 * store)


def test_a_call_of_memcpy_returns_its_first_argument() -> None:
    # durbin indexes by the result: were it unknown, the call would not end
    assert _followed("durbin", 60).result.failure == ""


def test_calls_without_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_call, "LIMIT", 20_000)
    assert _followed("recursive", 40).result.failure == "long"
