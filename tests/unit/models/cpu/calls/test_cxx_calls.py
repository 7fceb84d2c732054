"""Calls of C++ functions in twelve styles: executed instructions as callgrind counts them; arguments of such calls."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from foretell.api import predict
from foretell.codegen.assembly.listing import read_listing
from foretell.errors import InputError
from foretell.frontends import read_options
from foretell.frontends.native.arguments import parse_arguments
from foretell.frontends.native.functions import find_function
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu.incore.calls.whole_call import follow_call
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.machine_code.model import call_arguments_of

#: g++ 12.2 for AArch64 of functions.cpp, without alignment, at -O2 and -O3, and callgrind's counts of a call of each
_FOLDER = Path(__file__).parents[4] / "data/asm/whole_call/cxx"
_COUNTS: dict[str, dict[str, int]] = json.loads((_FOLDER / "counts.json").read_text())
_ARGUMENTS = {
    "axpy<double>": ["n", "f64:2", "f64[n]", "f64[n]"],
    "axpy<float>": ["n", "f32:2", "f32[n]", "f32[n]"],
    "total": ["vector<f64>[n]"],
    "apply_lambda": ["n", "f64[n]", "f64:2"],
    "transpose_class": ["f64[n*n]", "f64[n*n]", "n"],
    "scale_alg": ["f64[n]", "n", "f64:2"],
    "dot": ["f64[n]", "f64[n]", "n"],
    "drift": ["{vector<f64>[n], vector<f64>[n]}", "f64:0.1"],
    "add": ["vector<f64>[n]", "vector<f64>[n]"],
    "Stencil::apply": ["{f64:0.5}", "f64[n]", "f64[n]", "n"],
    "lib::smooth": ["f64[3]", "f64[n]", "f64[n]", "n"],
    "fill_iter": ["f64[n]", "end", "f64:1"],
    "rows8": ["f64[8*n]", "f64[n]", "n"],
}
_CASES = [(level, *key.rsplit(" ", 1), count) for level, counts in _COUNTS.items() for key, count in counts.items()]


@cache
def _text(level: str) -> str:
    return (_FOLDER / f"functions-{level}.s").read_text()


@pytest.mark.parametrize(("level", "function", "n", "count"), _CASES)
def test_executed_instructions_are_those_of_callgrind(level: str, function: str, n: str, count: int) -> None:
    text, machine = _text(level), load("neoverse-n1")
    root, _ = find_function(text, function, _FOLDER)
    given = call_arguments_of(parse_arguments(_ARGUMENTS[function]), {"n": float(n)})
    functions = read_listing(text, "aarch64", root=root)
    followed = follow_call(functions, root, machine, Costs(machine), given.values, given.words, strides=True)
    assert not followed.result.failure
    assert not followed.guessed
    assert sum(followed.counts) == pytest.approx(count, abs=0.5)


@pytest.mark.parametrize("function", _ARGUMENTS)
def test_each_has_a_time_that_grows_with_its_size(function: str) -> None:
    name = f"{_FOLDER / 'functions-O3.s'}:{function}"
    workload = read(name, read_options(args=_ARGUMENTS[function]))
    times = [predict(workload, "neoverse-n1", parameters={"n": n}).time_s for n in (64.0, 256.0)]
    assert 2 < times[1] / times[0] < 100


def test_members_of_a_struct_lie_as_in_c() -> None:
    record = parse_arguments(["{i8:1, n, i64:n*n, f32:1, f64[n], vector<f64>[n], f64:2}"])
    given = call_arguments_of(record, {"n": 5.0})
    (table,) = given.values
    assert table is not None
    places = {place - table: word for place, word in given.words}
    assert places[0] == 1
    assert places[4] == 5
    assert places[8] == 25
    assert sorted(places) == [0, 4, 8, 24, 32, 40, 48]
    assert places[40] - places[32] == 40


@pytest.mark.parametrize("text", ["{i33:1}", "{f65[n]}", "{n +}"])
def test_wrong_members_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="--arg"):
        parse_arguments([text])
