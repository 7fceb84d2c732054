"""The frozen types keep their promises."""

from __future__ import annotations

import inspect
import sys
from dataclasses import FrozenInstanceError, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell.core.answers.answers import ValidationPoint
from foretell.core.answers.prediction import Bound, Part, Prediction
from foretell.core.columns.expression import Expression, constant
from foretell.core.columns.space import Axis, Space
from foretell.core.facets.offload import Chunk, Decomposition, Offload, Request
from foretell.core.workload import Facet, Workload
from foretell.errors import InputError, MachineError
from foretell.frontends.read import read
from foretell.models.base import Inputs
from tests.support.models.sunway import kernel, machine

if TYPE_CHECKING:
    from pathlib import Path


def prediction(time_s: float = 2.0, **changes: object) -> Prediction:
    given: dict[str, object] = {
        "time_s": time_s,
        "bounds": (Bound("a", 1.0, "x", "latency"), Bound("b", 2.0, "y", "throughput")),
        "parts": (Part("p", 3.0), Part("overlap", -1.0)),
        "model": "m",
        "model_version": 1,
        "mode": "default",
        "machine": "mm",
        "machine_hash": "",
        "workload": "w",
        "input_hash": "",
    }
    return Prediction(**{**given, **changes})  # type: ignore[arg-type]


def test_the_bottleneck_is_the_largest_bound() -> None:
    assert (prediction().bottleneck.bound, prediction().bottleneck.limit) == ("b", "throughput")


@pytest.mark.parametrize(
    "changes",
    [
        {"time_s": float("nan")},
        {"time_s": -1.0},
        {"bounds": ()},
        {"parts": (Part("p", 2.1),)},
        {"bounds": (Bound("a", 2.1, "x", "latency"),)},
    ],
)
def test_a_prediction_that_breaks_its_rules_cannot_be_made(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"time|bound|parts"):
        prediction(**changes)


def test_paper_mode_may_fall_below_a_bound() -> None:
    assert prediction(bounds=(Bound("a", 2.1, "x", "latency"),), mode="paper").time_s == 2.0


def test_values_are_frozen_equal_and_hashable() -> None:
    with pytest.raises(FrozenInstanceError):
        prediction().time_s = 1.0  # type: ignore[misc]
    assert prediction() == prediction()
    assert hash(Expression("N+1")) == hash(Expression("N+1"))
    assert Request("r", (Chunk(constant(1)),)) == Request("r", (Chunk(constant(1)),))


def test_a_workload_knows_its_symbols_and_refuses_others() -> None:
    offload = Offload(Decomposition(extent=Expression("N*M")), scratchpad_bytes=Expression("8*chunks_per_core*K"))
    workload = Workload("w", (offload,), {"N": 1.0})
    assert workload.symbols == {"N", "M", "K"}  # chunks_per_core follows from the decomposition
    assert workload.with_parameters({"M": 2}).parameters == {"N": 1.0, "M": 2}
    with pytest.raises(InputError, match="has no parameter 'L'"):
        workload.with_parameters({"L": 2})


def test_a_missing_facet_says_what_there_is() -> None:
    class Loops(Facet):
        pass

    with pytest.raises(InputError, match="needs the facet Loops; this input gave Offload"):
        kernel(cycles=1).facet(Loops)
    with pytest.raises(InputError, match="model sunway needs Offload; w gave nothing"):
        foretell.predict(Workload("w", ()), machine(), model="sunway")
    with pytest.raises(InputError, match="no model can answer: w gave Loops"):
        foretell.predict(Workload("w", (Loops(),)), machine())


def test_equal_content_has_an_equal_hash() -> None:
    assert kernel(cycles=1).input_hash == kernel(cycles=1).input_hash
    assert kernel(cycles=1).input_hash != kernel(cycles=2).input_hash
    assert machine().content_hash == replace(machine(), name="other", title="x").content_hash
    assert machine().content_hash != machine(memory__latency=221).content_hash


def test_a_machine_converts_latencies_and_names_what_is_missing() -> None:
    on = machine()
    assert on.cycles("memory.latency") == 220
    assert on.seconds("memory.latency") == pytest.approx(220 / 1.45e9)
    with pytest.raises(MachineError, match=r"has no sync.global \(one synchronisation"):
        on.value("sync.global")
    assert on.with_values({"sync.global": 1.0})["sync.global"].source.kind == "assumed"
    with pytest.raises(MachineError, match=r"did you mean 'sync.global'\?"):
        on.with_values({"sync.globl": 1.0})


def test_a_latency_in_seconds_follows_a_swept_clock() -> None:
    on = machine()
    quantity = replace(on["memory.latency"], value=1e-7, unit="s")
    on = replace(on, quantities={**on.quantities, "memory.latency": quantity})
    clock = np.array([1e9, 2e9])
    assert Inputs(on, {"clock.frequency": clock}).cycles("memory.latency") == pytest.approx([100, 200])
    assert on.cycles("memory.latency") == pytest.approx(145)
    assert on.seconds("memory.latency") == 1e-7


def test_axes_and_spaces() -> None:
    assert Axis.parse("N", "64:256:64").values == (64, 128, 192, 256)
    assert Axis.parse("N", "3:1:-1").values == (3, 2, 1)
    assert Axis.parse("N", "1:3").values == (1, 2, 3)
    assert Axis.parse("N", "0:1:0.1").values[-1] == pytest.approx(1)
    space = Space((Axis("a", (1, 2, 3)), Axis("b", (1, 2))), (Expression("a + b <= 3"),))
    points = list(space.points())
    assert points == [{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 1}]
    columns = space.columns()
    assert [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)] == points


def test_expressions_with_conditions() -> None:
    condition = Expression("not (N < 2 or N > 4) and N != 3")
    assert [condition.evaluate({"N": float(n)}) for n in range(1, 6)] == [0, 1, 0, 1, 0]
    assert condition.evaluate({"N": np.arange(1.0, 6.0)}) == pytest.approx([0, 1, 0, 1, 0])
    assert Expression("+N").evaluate({"N": 2.0}) == 2
    with pytest.raises(InputError, match="not a finite"):
        Expression("1/N").evaluate({"N": np.array([0.0, 1.0])})
    with pytest.raises(InputError, match="too large"):
        Expression("1" * 400)
    with pytest.raises(InputError, match="cannot be evaluated: a number in it is too large"):
        Expression("9.0**9**9 > N").evaluate({"N": 2.0})
    with pytest.raises(InputError, match="longer than"):
        Expression("1+" * 400 + "1")
    assert Expression("-" * 490 + "1").evaluate({}) == 1


@pytest.mark.parametrize(
    "text",
    ["N in [1, M]", "N not in (1, M, 4)", "N in []", "N not in []", "min(N, M, 2) + max(1, M, N, 3)", "N < 4 in [4]"],
)
def test_values_among_others_as_python_has_them(text: str) -> None:
    for m in (2.0, 3.0):
        wanted = [float(eval(text, {}, {"N": float(n), "M": m})) for n in range(1, 6)]
        assert [Expression(text).evaluate({"N": float(n), "M": m}) for n in range(1, 6)] == wanted
        found = Expression(text).evaluate({"N": np.arange(1.0, 6.0), "M": m})
        assert np.broadcast_to(found, 5).tolist() == wanted
    assert Expression("N in [1, M]").names == {"N", "M"}


@pytest.mark.parametrize("text", ["N in M", "N in 'ab'", "N in [*M]", "(N in [1, 1]) in [0, 1]"])
def test_values_among_what_is_no_list_of_numbers(text: str) -> None:
    """A condition inside another would be written as often as the outer list is long, for each."""
    with pytest.raises(InputError, match="is not understood"):
        Expression(text)


def test_expressions_nested_too_deeply() -> None:
    def below(frames: int) -> Expression:
        return below(frames - 1) if frames else Expression("-" * 490 + "N")

    with pytest.raises(InputError, match="nested too deeply"):
        below(sys.getrecursionlimit() - len(inspect.stack()) - 100)
    assert Expression("-" * 490 + "N").evaluate({"N": 2.0}) == 2


def test_truths_are_numbers_also_of_arrays() -> None:
    n = np.arange(5.0)
    for text in ("-(N < 3)", "(N > 1) - (N > 3)", "-(N > 1 and N < 4)", "-(not N)", "(1 < 2) and (N < 2)"):
        found = Expression(text)
        assert found.evaluate({"N": n}) == pytest.approx([found.evaluate({"N": one}) for one in n.tolist()])


def test_errors_of_validation_points() -> None:
    assert ValidationPoint("c", "report", 1.1, 1.0).error == pytest.approx(0.1)


def test_public_names() -> None:
    for name in foretell.__all__:
        assert getattr(foretell, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = foretell.nothing


def test_an_integer_parameter_that_no_size_depends_on_may_have_a_value(tmp_path: Path) -> None:
    file = tmp_path / "f.c"
    file.write_text("void f(char uplo, int n, double *a) {\n  for (int i = 0; i < n; i++) a[i] = 1.0;\n}\n")
    workload = read(file)
    assert workload.symbols == {"n"}
    assert workload.with_parameters({"n": 5, "uplo": 76}).parameters == {"threads": 1, "n": 5, "uplo": 76}
    with pytest.raises(InputError, match="has no parameter 'a'"):
        workload.with_parameters({"a": 1})
