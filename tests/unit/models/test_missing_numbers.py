"""A missing number never makes a machine faster without an assumption that names it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import foretell
from foretell.core.machine.machine import Source
from foretell.core.machine.parameters import parameter
from foretell.errors import InputError
from foretell.machines import completed, load
from foretell.machines.estimates import estimated, facts, group_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from foretell.core.answers.prediction import Prediction
    from foretell.core.machine.machine import Machine

ROOT = Path(__file__).parents[3]
KERNELS = ROOT / "src/foretell/uses/measure/kernels"
TRACES = ROOT / "src/foretell/uses/recorded/trace"
PROBE = str(ROOT / "validation/cpu/cascade-lake-2026-11-16-gcc/machine.toml")
#: every parameter of the first so many is deleted, then every n-th: the whole product takes minutes
CASES = [
    ("example:stencil7.c", "neoverse-n1", {"n": 100.0}, 3),
    (f"{KERNELS}/triad.c", "zen4", {"n": 1e7, "threads": 8.0}, 1),
    (f"{KERNELS}/transpose.c", PROBE, {"n": 900.0, "threads": 2.0}, 7),
    (f"{KERNELS}/copy.c", "blue-gene-q", {"n": 1e6, "threads": 4.0}, 1),
    (f"{TRACES}/cutcp-48-300.trace.xz", "cascade-lake", {}, 8),
    (f"{TRACES}/cutcp-48-300.trace.xz", "i7-4700", {}, 1),
    (f"{TRACES}/boxes-2-6.trace.xz", "a100", {}, 4),
    ("example:nekbone-like", "xeon-phi-7120p", {}, 1),
    ("example:nekbone-like", PROBE, {}, 11),
    ("example:fig5", "h200", {}, 9),
]


def names(notes: Iterable[str], path: str) -> bool:
    """Whether a note names a parameter, alone or as one of several kinds of a bandwidth."""
    head, end = group_of(path).removesuffix("bandwidth"), "_bandwidth"
    kind = path.removeprefix(head).removesuffix(end)
    lists = [note.split(head + "{", 1)[1].split("}")[0].split(",") for note in notes if head + "{" in note]
    return any(path in note for note in notes) or (path.endswith(end) and any(kind in kinds for kinds in lists))


def without(machine: Machine, path: str) -> Machine:
    return replace(machine, quantities={name: q for name, q in machine.quantities.items() if name != path})


@pytest.mark.parametrize(("code", "name", "sizes", "step"), CASES, ids=lambda value: str(value).rsplit("/", 1)[-1])
def test_deleting_a_number_is_never_free(code: str, name: str, sizes: Mapping[str, float], step: int) -> None:
    machine = load(name)
    whole = foretell.prepare(code, machine, parameters=sizes)
    base = whole.predict().time_s
    paths = [path for path in machine.quantities if not path.startswith("pipeline.")][::step]
    paths += [path for path in machine.quantities if path.startswith(("pipeline.divide_f64.", "pipeline.fma_f64."))]
    answered = 0
    for path in paths:
        answer = tried(code, whole.workload, without(machine, path))
        if answer is None or parameter(path).otherwise is not None:
            continue
        answered += 1
        assert answer.time_s >= base * (1 - 1e-9) or names(answer.assumptions, path), path
    assert answered > len(paths) / 4


def tried(code: str, workload: foretell.Workload, machine: Machine) -> Prediction | None:
    try:
        return foretell.predict(workload, machine)
    except InputError:  # refused by name: no answer is no wrong answer
        return None


def test_one_thread_does_not_get_the_bandwidth_of_the_socket() -> None:
    for name in ("cascade-lake", "sapphire-rapids", "zen4", "neoverse-n1"):
        one = foretell.predict(f"{KERNELS}/triad.c", name, parameters={"n": 1e8, "threads": 1.0})
        moved = one.details["bytes_from_B"]
        assert isinstance(moved, dict)
        total = moved["memory"]
        assert isinstance(total, float)
        assert total / one.time_s < 40e9, name  # no core draws more; the sockets have 48 to 378 GB/s


def test_a_region_costs_microseconds_on_a_machine_that_was_not_probed() -> None:
    answer = foretell.predict(f"{KERNELS}/triad.c", "cascade-lake", parameters={"n": 100, "threads": 20})
    assert 1e-6 < answer.time_s < 10e-6
    assert names(answer.assumptions, "sync.launch")
    assert not names(foretell.predict(f"{KERNELS}/triad.c", "cascade-lake", parameters={"n": 100}).assumptions, "sync")


def test_estimates_widen_the_interval_by_what_they_do_to_the_time() -> None:
    machine = load(PROBE)
    lacking = without(without(machine, "memory.core_bandwidth"), "memory.core_copy_bandwidth")
    ratios = []
    for item in (machine, lacking):
        low, high = foretell.predict(f"{KERNELS}/triad.c", item, parameters={"n": 1e8}).interval_s or (1.0, 1.0)
        ratios.append(high / low)
    assert ratios[1] > 1.2 * ratios[0]


def test_every_estimate_has_a_rule_and_a_factor() -> None:
    for name in ("zen4", "ivy-bridge", "i5-2400", "a100", "blue-gene-q"):
        machine = load(name)
        whole = completed(machine)
        new = [path for path in estimated(whole) if path not in machine]
        assert new
        for path in new:
            assert whole[path].source.reference
            assert facts(path).factor > 1
            assert whole[path].unit in parameter(path).units
            assert whole.value(path) > 0
        assert completed(whole) is whole
    assert completed(load("sw26010")) == load("sw26010")


def test_many_sizes_have_the_notes_of_some() -> None:
    points = [{"n": 1000.0 * number} for number in range(1, 90)]
    found = foretell.predict_many(f"{KERNELS}/triad.c", "zen4", points, options={"cc": "none"}).predictions
    assert len({entry.assumptions for entry in found}) < 4
    assert names(found[-1].assumptions, "level.L2.core_bandwidth")
    for entry in found:
        assert entry.interval_s is not None
        assert entry.interval_s[0] <= entry.time_s <= entry.interval_s[1]


def test_emulated_kernels_name_what_is_estimated_too() -> None:
    launch = {"kernel": "copy_f32", "grid": "64", "block": "128", "args": ("f32[8192]", "f32[8192]", "8192")}
    code = ROOT / "src/foretell/uses/recorded/gpu/copy_f32.sass.xz"
    found = foretell.predict(code, "a100", model="saake", **launch)  # type: ignore[arg-type]
    assert names(found.assumptions, "sync.launch")
    assert found.interval_s is not None
    assert found.interval_s[0] < found.time_s < found.interval_s[1]
    literal = foretell.predict(code, "a100", model="saake", mode="paper", **launch)  # type: ignore[arg-type]
    assert not names(literal.assumptions, "sync.launch")


def test_instruction_costs_of_another_core_are_named_once() -> None:
    found = foretell.predict(f"{KERNELS}/triad.c", "zen2", parameters={"n": 1e5}, options={"cc": "none"})
    told = [note for note in found.assumptions if "pipeline.*" in note]
    assert len(told) == 1
    assert "zen4" in told[0]
    machine = without(load(PROBE), "pipeline.divide_f64.gap")
    found = foretell.predict(f"{KERNELS}/divide.c", machine, parameters={"n": 1e4}, options={"cc": "none"})
    assert names(found.assumptions, "pipeline.divide_f64.gap")


def test_instruction_costs_of_another_core_widen_the_interval() -> None:
    known = load("cascade-lake")
    taken_over = Source("estimated", "taken over from another")
    costs = {
        path: replace(q, source=taken_over) for path, q in known.quantities.items() if path.startswith("pipeline.")
    }
    ends = []
    for machine in (known, replace(known, quantities={**known.quantities, **costs})):
        found = foretell.predict(f"{KERNELS}/divide.c", machine, parameters={"n": 500}, options={"cc": "none"})
        ends.append(found.interval_s or (1.0, 1.0))
    (low, high), (lower, higher) = ends
    assert higher / lower > 1.5 * high / low  # divisions bound the loop: their gap is within a factor of 1.5


def test_a_core_draws_as_many_lines_as_the_measured_machine_of_its_family() -> None:
    machine = completed(load("graviton4"))
    measured = load("neoverse-n1")
    lines = measured.value("memory.core_bandwidth") * measured.value("memory.latency") / 64
    assert machine.value("memory.core_bandwidth") * machine.value("memory.latency") / 64 == pytest.approx(
        lines, rel=0.02
    )
    apple = completed(load("apple-m1"))
    most = apple.value("memory.hardware_bandwidth")
    rates = [path for path in apple.quantities if path.startswith("memory.") and path.endswith("bandwidth")]
    assert all(apple.value(path) <= most for path in rates)
    assert apple.value("memory.bandwidth") >= apple.value("memory.core_read_bandwidth")
