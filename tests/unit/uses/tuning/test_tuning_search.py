"""Searches over GPU kernels: predictions, the walk by what binds, measurements, journals, results in other formats."""

from __future__ import annotations

import json
import math
import os
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import foretell.uses
from foretell import files, machines
from foretell.core.answers.tuning import Tuning, Variant
from foretell.errors import InputError, OptionError, ToolError
from foretell.frontends.gpu.binary import nvcc
from foretell.report import csv, text
from foretell.report.plots import answers
from foretell.report.plots.tuning import importance
from foretell.uses.tuning import kernels, replay, results
from foretell.uses.tuning.accuracy import known_of
from foretell.uses.tuning.bottleneck import Bottleneck
from foretell.uses.tuning.kernels import KernelBench, Target
from foretell.uses.tuning.measure import Command
from foretell.uses.tuning.search import Hybrid, Ledger, Static, carry_out, judged
from foretell.uses.tuning.space import Axis, KernelSpace
from foretell.uses.tuning.tuner import KernelJob, tune_kernel
from foretell.uses.tuning.workers import DeadWorkerError, Workers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from foretell.core.machine.machine import Machine

LISTING = Path(foretell.uses.__file__).parent / "recorded" / "gpu" / "copy_f32.sass.xz"


@pytest.fixture(scope="module")
def h200() -> Machine:
    return machines.load("h200")


def copy(**changes: Any) -> KernelSpace:
    """A kernel in machine code: only its launch is tuned. A block of 2048 threads is not possible."""
    given: dict[str, Any] = {
        "axes": (Axis("BLOCK", (32.0, 256.0, 2048.0)), Axis("TWICE", (1.0, 2.0))),
        "grid": ("ceil(n/BLOCK)",),
        "block": ("BLOCK",),
        "arguments": ("f32[n]", "f32[n]", "n"),
        "constants": {"n": float(1 << 18)},
        "name": "copy",
    }
    return KernelSpace(LISTING, **{**given, **changes})


def test_static_predicts_all_and_marks_what_cannot_run(h200: Machine) -> None:
    found = tune_kernel(copy(), Target(h200))
    assert found.best.parameters["BLOCK"] == 256
    assert [variant.invalidity for variant in found.variants] == ["", "", "", "", "runtime", "runtime"]
    case = foretell.predict(
        LISTING, h200, grid=1 << 10, block=256, args=["f32[262144]", "f32[262144]", 262144]
    )  # the same as a single prediction
    assert found.best.predicted_s == case.time_s
    assert (found.best.resource, found.best.limit) == (case.bottleneck.resource, case.bottleneck.limit)
    assert found.speedup == pytest.approx(found.default.time_s / found.best.time_s)
    assert found.best.warps > 0
    assert found.best.registers > 0


def test_equal_code_and_launch_are_predicted_once(h200: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    kernels._KNOWN.clear()
    calls: list[object] = []
    usual = kernels._variant
    monkeypatch.setattr(kernels, "_variant", lambda *args: calls.append(args) or usual(*args))
    monkeypatch.setattr(kernels, "_MOST_KNOWN", 1)
    bench = KernelBench(copy(), copy().configurations(), Target(h200, kept=False))
    assert len(list(bench.predict(range(4)))) == 4
    assert len(calls) == 2  # TWICE changes nothing
    assert bench.spent.configurations == 4
    assert bench.spent.rate > 0
    assert kernels.Spent().rate == 0


def test_the_tuners_times_are_those_of_single_predictions(h200: Machine) -> None:
    space = copy()
    for machine in (h200, machines.load("a100")):
        found = tune_kernel(space, Target(machine))
        alone = foretell.predict(LISTING, machine, **space.reading(dict(found.best.parameters)))
        assert found.best.predicted_s == alone.time_s
        beyond = [note for note in found.assumptions if note not in alone.assumptions]
        assert found.assumptions[: len(alone.assumptions)] == alone.assumptions
        assert beyond == [known_of(machine)]


def test_without_the_source_nothing_is_known_of_assumptions(h200: Machine) -> None:
    space = copy(arguments=("f32[n]",))
    assert KernelBench(space, space.configurations(), Target(h200)).assumptions(0) == ()


def test_workers_give_the_same_and_survive_a_dead_one(h200: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    space = copy(axes=(Axis("BLOCK", (32.0, 256.0)),))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    bench = KernelBench(space, space.configurations(), Target(h200), workers=2)
    alone = KernelBench(space, space.configurations(), Target(h200))
    assert sorted(bench.predict([0, 1]), key=lambda pair: pair[0]) == list(alone.predict([0, 1]))
    code = alone._grouped([0], Target(h200))[0][0]

    def dead(*_: object) -> None:
        raise DeadWorkerError

    with Workers(1, "os:kill") as workers:
        monkeypatch.setattr(workers, "call", dead)
        _, (variant,), _ = kernels._elsewhere(workers, code)
    assert variant.invalidity == "timeout"


def test_a_worker_that_dies_is_started_anew() -> None:
    with Workers(1, "tests.unit.uses.tuning.test_tuning_search:answer") as workers:
        assert workers.submit(workers.call, 4).result() == 8
        with pytest.raises(InputError, match="odd"):
            workers.submit(workers.call, 3).result()
        with pytest.raises(DeadWorkerError):
            workers.submit(workers.call, 0).result()
        assert workers.submit(workers.call, 6).result() == 12


def answer(number: int) -> int:
    if number == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    if number % 2:
        raise InputError("odd")
    return 2 * number


def test_what_does_not_compile_is_marked_and_a_missing_tool_is_not(
    tmp_path: Path, h200: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "k.cu"
    source.write_text("broken")
    space = replace(copy(), source=source)

    def refuse(error: Exception, *_: object) -> bytes:
        raise error

    monkeypatch.setattr(nvcc, "compile_source", partial(refuse, InputError("expected a declaration")))
    bench = KernelBench(space, space.configurations()[:1], Target(h200, arch=90))
    ((_, variant),) = bench.predict([0])
    assert (variant.invalidity, variant.reason) == ("compile", "expected a declaration")
    with pytest.raises(InputError, match="none of 6 configurations can run"):
        tune_kernel(space, Target(h200))
    monkeypatch.setattr(nvcc, "compile_source", partial(refuse, ToolError("no nvcc")))
    with pytest.raises(ToolError, match="no nvcc"):
        list(bench.predict([0]))


def test_a_launch_that_is_no_number_is_marked(h200: Machine) -> None:
    space = copy(grid=("n/BLOCK/3",))
    ((_, variant),) = KernelBench(space, space.configurations(), Target(h200)).predict([0])
    assert variant.invalidity == "constraints"


# ------------------------------------------------------------------------------------------ strategies


class Landscape:
    """Times by a formula: predicted too fast by a factor for one resource."""

    def __init__(self, space: KernelSpace) -> None:
        self.configurations = space.configurations()
        self.judged: list[int] = []

    def true(self, number: int) -> float:
        x, y = (float(value) for value in self.configurations[number].values())
        return 1.0 + (math.log2(x) - 5) ** 2 / 10 + (math.log2(y) - 2) ** 2 / 10

    def predict(
        self, numbers: Sequence[int], warps: int | None = None, *, precise: bool = False
    ) -> Iterable[tuple[int, Variant]]:
        for number in numbers:
            values = self.configurations[number]
            limit = "latency" if float(values["x"]) < 32 and warps is None else "throughput"
            resource = "memory" if limit == "throughput" and warps is None else "L2"
            time = self.true(number) * (0.5 if resource == "memory" else 1.0)
            used = {"memory": time * 0.9, "L2": time * min(0.9, float(values["x"]) / 64)}
            yield (
                number,
                Variant(values, time, resource=resource, limit=limit, throughput_s=used, registers=32, warps=8),
            )

    def judge(self, number: int, variant: Variant) -> Variant:
        self.judged.append(number)
        return judged(variant, self.true(number))


def plane() -> KernelSpace:
    axis = tuple(float(2**power) for power in range(9))
    return KernelSpace(LISTING, (Axis("x", axis), Axis("y", axis)), ("1",), ("x",), constants={})


def test_hybrid_learns_the_offset_of_a_resource() -> None:
    """All predictions of `memory` are too small by two; the optimum is among them, and so are many that look better
    than the true best of the others."""
    space = plane()
    bench, ledger = Landscape(space), Ledger([Variant(values) for values in space.configurations()])
    carry_out(Hybrid(81, budget=16), bench, ledger, lambda *_: None)
    assert ledger.variants[ledger.best].judged_s == pytest.approx(1.0, rel=0.05)
    assert 1 <= len(bench.judged) <= 16
    assert len(set(bench.judged)) == len(bench.judged)


def test_hybrid_skips_what_cannot_be_measured_and_keeps_its_budget() -> None:
    space = plane()
    bench = Landscape(space)
    bench.judge = lambda number, variant: replace(variant, reason="no", invalidity="runtime")  # type: ignore[method-assign]
    ledger = Ledger([Variant(values) for values in space.configurations()])
    carry_out(Hybrid(81, budget=3), bench, ledger, lambda *_: None)
    assert len(ledger.order) == 81 + 3


def test_the_walk_by_what_binds_goes_up_and_ends(h200: Machine) -> None:
    space = plane()
    bench, values = Landscape(space), space.configurations()
    for paper in (True, False):
        ledger = Ledger([Variant(entry) for entry in values])
        carry_out(Bottleneck(space, values, h200, 0, paper=paper), bench, ledger, lambda *_: None)
        assert len(set(ledger.order)) < 81
        best = ledger.variants[ledger.best]
    assert best.parameters == {"x": 32.0, "y": 4.0}  # the descent to better neighbours finds the optimum
    assert ledger.order[0] == 0


def test_algorithm_3_takes_k_unit_strides(h200: Machine) -> None:
    """Latency-bound with U = x/64 of the throughput: dU = 1/64 at x = 1, K = 1 + ceil((1 - U) / dU) = 64."""
    space = plane()
    walk = Bottleneck(space, space.configurations(), h200, 0, paper=True)
    bench = Landscape(space)
    asked = []
    for _ in range(3):
        ask = walk.ask()
        assert ask is not None
        asked.append([space.configurations()[number] for number in ask.numbers])
        for number, variant in bench.predict(ask.numbers, ask.warps):
            walk.tell(number, variant)
    assert asked == [[{"x": 1.0, "y": 1.0}], [{"x": 2.0, "y": 1.0}, {"x": 1.0, "y": 2.0}], [{"x": 64.0, "y": 1.0}]]


def test_a_walk_that_cannot_start_goes_nowhere(h200: Machine) -> None:
    space = copy()
    values = space.configurations()
    ledger = Ledger([Variant(entry) for entry in values])
    carry_out(Bottleneck(space, values, h200, 4), KernelBench(space, values, Target(h200)), ledger, lambda *_: None)  # type: ignore[arg-type]
    assert ledger.variants[ledger.best].parameters["BLOCK"] == 256


def test_bottleneck_on_a_kernel(h200: Machine) -> None:
    for mode in ("default", "paper"):
        found = tune_kernel(copy(), Target(h200, mode=mode), KernelJob("bottleneck"))  # type: ignore[arg-type]
        assert found.best.predicted_s
    assert len(found.order) == len(found.variants)


# ------------------------------------------------------------------------------------------ measuring


def test_measured_by_a_command(h200: Machine, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    job = KernelJob("hybrid", budget=2, journal=journal, measure=Command("sh -c 'echo {flags} >&2; echo {BLOCK} us'"))
    found = tune_kernel(copy(), Target(h200), job)
    assert found.best.judged_s == pytest.approx(float(found.best.parameters["BLOCK"]) * 1e-6)
    again = tune_kernel(copy(), Target(h200), job)
    assert again.resumed == 6 + sum(variant.judged_s is not None for variant in found.variants)
    assert again.variants == found.variants
    lines = journal.read_text().splitlines()
    journal.write_text("\n".join(lines[:3]) + "\n" + lines[3][:30])  # as a kill leaves it
    assert tune_kernel(copy(), Target(h200), KernelJob(journal=journal)).resumed == 2
    with pytest.raises(InputError, match="another search"):
        tune_kernel(copy(constraints=("BLOCK < 64",)), Target(h200), KernelJob(journal=journal))
    every = tune_kernel(copy(), Target(h200), KernelJob("dynamic", measure=Command("echo 1")))
    assert sum(variant.judged_s == 1 for variant in every.variants) == 4
    with pytest.raises(OptionError, match="measures"):
        tune_kernel(copy(), Target(h200), KernelJob("hybrid"))


@pytest.mark.parametrize(
    ("command", "outcome"),
    [
        ("echo 1.5 ms", 0.0015),
        ("sh -c 'echo wrong >&2; exit 3'", "ended with code 3: wrong"),
        ("sh -c 'exit 3'", "ended with code 3"),
        ("sh -c 'kill -STOP $$'", "no result after 0.2 s"),
        ("echo fast", "must be a time"),
        ("true", "and is nothing"),
        ("echo -1", "must be a time"),
        ("/no/such/command", "cannot be run"),
        ("'", "No closing quotation"),
        (" ", "no command"),
    ],
)
def test_what_a_measuring_command_may_do(command: str, outcome: float | str) -> None:
    measure, variant = Command(command, timeout_s=0.2 if "STOP" in command else 60.0), Variant({"BLOCK": 32.0}, 1.0)
    if isinstance(outcome, float):
        assert measure.run(copy(), variant).judged_s == outcome
    elif "sh -c" in command:
        assert outcome in measure.run(copy(), variant).reason
    else:
        with pytest.raises(InputError, match=outcome):
            measure.run(copy(), variant)


def test_flags_are_words_of_their_own(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text("BLOCK")
    words = Command("build {flags} b={BLOCK}").words(replace(copy(), source=source), {"BLOCK": 32.0, "TWICE": 1.0})
    assert words == ["build", "-DBLOCK=32", "b=32"]


# ------------------------------------------------------------------------------------------ results


def some() -> Tuning:
    able = Variant({"BLOCK": 32.0, "KIND": "a"}, 2e-3, 1e-3, resource="L2", limit="latency")
    variants = (
        able,
        Variant({"BLOCK": 64.0, "KIND": "a"}, 4e-3),
        Variant({"BLOCK": 128.0, "KIND": "a"}, reason="too much", invalidity="compile"),
        Variant({"BLOCK": 128.0, "KIND": "b"}, reason="killed", invalidity="timeout"),
    )
    return Tuning("k", "h200", "hybrid", variants[1], able, variants, 1.0, 2.0, judge="measured", order=(1, 0, 2, 3))


def test_results_in_the_formats_of_other_tuners(tmp_path: Path) -> None:
    document = json.loads(results.t4(some()))
    assert [entry["invalidity"] for entry in document["results"]] == ["correct", "correct", "compile", "timeout"]
    assert document["results"][0]["times"]["runtimes"] == [1.0]
    assert document["results"][1]["measurements"][0] == {"name": "time", "value": 4.0, "unit": "ms"}
    axes = (Axis("BLOCK", (32.0, 64.0, 128.0)), Axis("KIND", ("a", "b")))
    cache = json.loads(results.kernel_tuner_cache(some(), copy(axes=axes)))
    assert cache["tune_params_keys"] == ["BLOCK", "KIND"]
    assert [entry["time"] for entry in cache["cache"].values()] == [
        1.0, 4.0, "CompilationFailedConfig", "RuntimeFailedConfig"
    ]  # fmt: skip
    assert next(iter(cache["cache"])) == "32,a"
    assert "#define BLOCK 32" in results.macros(some())


def test_text_table_and_plots(tmp_path: Path) -> None:
    shown = text.render(text.tuning(some()), color=False)
    assert "default: BLOCK=64 KIND=a" in shown
    assert "L2 latency" in shown
    assert "1 measured (hybrid)" in shown
    assert shown.splitlines()[1].split() == ["variant", "predicted", "measured", "relative", "bottleneck"]
    unmeasured = replace(some(), default=some().variants[1], variants=some().variants[1:])
    header = text.render(text.tuning(unmeasured), color=False).splitlines()[1]
    assert header.split() == ["variant", "predicted", "relative"]
    assert "invalidity" in csv.dumps(csv.tuning(some()))
    answers.tuning(some(), tmp_path / "t.svg")
    assert (tmp_path / "t.svg").exists()
    assert importance(some()) == {"KIND": 0.0, "BLOCK": pytest.approx(1.0)}


# ------------------------------------------------------------------------------------------ recorded spaces


def test_recorded_spaces_have_the_configurations_that_were_measured() -> None:
    spaces = files.parse_toml(files.read_text(replay.FOLDER / "spaces.toml"), "spaces.toml")
    for name in replay.names():
        recorded = replay.read(name, "h200")
        drawn = spaces[name].get("drawn", {}).get("most", 0)
        least = drawn or (200 if recorded.space.is_triton else 400)
        assert len(recorded.configurations) >= least
        assert all(recorded.space.allows(values) for values in recorded.configurations)
        recorded.space.reading(recorded.configurations[0])
        assert len(replay.read(name, "h200", 7).configurations) == 7
    with pytest.raises(InputError, match="no recorded space 'gem'"):
        replay.read("gem", "h200")
    with pytest.raises(InputError, match="not measured on a100"):
        replay.read("gemm", "a100")


def test_spaces_of_triton_kernels_are_left_out_without_triton(monkeypatch: pytest.MonkeyPatch) -> None:
    triton = {name for name in replay.names() if replay.read(name, "h200", 1).space.is_triton}
    assert triton == {name for name in replay.names() if name.startswith("triton_")}
    assert len(triton) >= 7
    monkeypatch.setattr(replay, "find_spec", lambda _: None)
    assert set(replay.replayable()) == set(replay.names()) - triton
    monkeypatch.setattr(replay, "find_spec", lambda _: object())
    assert replay.replayable() == replay.names()


def test_rank_correlation_with_ties_against_its_definition() -> None:
    import numpy as np

    left, right = np.array([1.0, 2, 2, 4, 5]), np.array([2.0, 1, 3, 3, 9])
    ranks = np.array([1, 2.5, 2.5, 4, 5]), np.array([2, 1, 3.5, 3.5, 5])
    assert replay.spearman(left, right) == pytest.approx(np.corrcoef(*ranks)[0, 1])
    assert math.isnan(replay.spearman(left[:1], right[:1]))
    assert replay.spearman(left, np.ones(5)) == 0


@pytest.mark.parametrize("journaled", [False, True])
def test_a_replay_with_perfect_predictions_is_perfect(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, journaled: bool
) -> None:
    whole = replay.read("gemm", "h200")
    times = dict(zip(map(repr, whole.configurations), whole.seconds, strict=True))

    def predict(
        self: KernelBench, numbers: Sequence[int], warps: int | None = None, *, precise: bool = False
    ) -> Iterable[tuple[int, Variant]]:
        for number in numbers:
            values = self._configurations[number]
            yield number, Variant(values, times[repr(values)])

    monkeypatch.setattr(KernelBench, "predict", predict)
    journal = tmp_path / "journal" if journaled else None
    found = replay.replay("h200", replay.ReplayJob(("gemm",), 50, journal))
    (space,) = found.spaces
    assert (space.top[1], space.hybrid, space.hybrid_runs) == (1, 1, 1)
    assert space.spearman == pytest.approx(1)
    assert space.random[1] < space.random[5] < 1
    assert found.summary("tuning")["top_1_least"] == 1
    assert found.summary("report") == {}


def test_a_space_that_cannot_be_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    def predict(
        self: KernelBench, numbers: Sequence[int], warps: int | None = None, *, precise: bool = False
    ) -> Iterable[tuple[int, Variant]]:
        return [(number, Variant({}, reason="no tool")) for number in numbers]

    monkeypatch.setattr(KernelBench, "predict", predict)
    with pytest.raises(InputError, match="gemm: no configuration could be predicted: no tool"):
        replay.replay("h200", replay.ReplayJob(("gemm",), 3))


def test_a_time_that_was_not_measured_fails() -> None:
    recorded = replace(replay.read("gemm", "h200", 2), seconds=(math.inf, 1.0))
    bench = replay._Recording([Variant(values, 1.0) for values in recorded.configurations], recorded)
    assert bench.judge(0, Variant({}, 1.0)).invalidity == "runtime"
    assert Static(2).ask() is not None


def test_a_worker_answers_until_its_pipe_ends() -> None:
    import io
    import pickle

    from foretell.uses.tuning import workers

    calls, replies = io.BytesIO(), io.BytesIO()
    for number in (4, 3):
        workers._write(calls, pickle.dumps(number))
    calls.seek(0)
    workers.serve("tests.unit.uses.tuning.test_tuning_search:answer", calls, replies)
    replies.seek(0)
    assert pickle.loads(workers._read(replies)) == (False, 8)
    raised, error = pickle.loads(workers._read(replies))
    assert raised
    assert error.message == "odd"


def test_algorithm_2_ends_where_less_occupancy_does_not_help(h200: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times 5, 3, 4 at 64, 32, 16 warps: the step to 8 warps finds 4 no better than 3, and returns the 3."""
    space = KernelSpace(LISTING, (Axis("x", (1.0, 2.0, 4.0, 8.0)),), ("1",), ("x",))
    walk = Bottleneck(space, space.configurations(), h200, 0, paper=True)
    times = (5.0, 3.0, 4.0, 9.0)
    known = {n: Variant(values, times[n], warps=64 >> n) for n, values in enumerate(space.configurations())}

    def following(current: int) -> Any:
        yield from walk._predicted([current + 1])
        return current + 1

    monkeypatch.setattr(walk, "_algorithm_3", following)

    def driven() -> Any:
        result = yield from walk._algorithm_2()
        ends.append(result)

    ends: list[int | None] = []
    steps = driven()
    asked = next(steps, None)
    while asked is not None:
        try:
            asked = steps.send({number: known[number] for number in asked.numbers})
        except StopIteration:
            asked = None
    assert ends == [1]
