"""Cross-checks of machine files; hashes, differences and the table of parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell import files
from foretell.core.machine import parameters
from foretell.core.machine.machine import Machine, Quantity, Source, diff
from foretell.errors import MachineError
from foretell.machines import library, load, resolve
from foretell.machines.checks import CHECKS, check
from tests.support.machine_text import PLAIN, changed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[..., Path]


# --- cross-checks -----------------------------------------------------------------------------------------


CONTRADICTIONS = {
    "counts": ("count = 4", "count = 5"),
    "peak": ('double = "64 Gflop/s"', 'double = "60 Gflop/s"'),
    "peak.core": ('double = "64 Gflop/s"', 'double = "64 Gflop/s"\ncore = "17 Gflop/s"'),
    "peak.single": ("count = 4", "count = 4\nlanes = 8"),
    "sizes": ('"32 KiB"', '"2 MiB"'),
    "available": ("[level.L2]", "[level.L2]\navailable = 25"),  # per cent, somebody thought
    "latencies": ('"10 ns"', '"1 ns"'),
    "bandwidths": ("[memory]", '[memory]\nhardware_bandwidth = "10 GB/s"'),
}


def contradicting(name: str) -> str:
    """PLAIN with numbers that only the named check objects to."""
    text = changed(*CONTRADICTIONS[name])
    if name == "counts":
        return text.replace("64 Gflop/s", "80 Gflop/s")
    if name == "peak.single":
        return text.replace("[peak]", '[peak]\nsingle = "140 Gflop/s"')
    return text


def accepting(name: str, text: str) -> str:
    return text + f'\n[[conflict]]\ncheck = "{name}"\ndecision = "D-1"\nnote = "printed so"\n'


@pytest.mark.parametrize("name", CHECKS)
def test_a_contradiction_is_an_error(write: Write, name: str) -> None:
    _, problems = resolve(write(contradicting(name)))
    assert [problem.split(":")[0] for problem in problems] == [name]
    with pytest.raises(MachineError, match="machines check"):
        load(write(contradicting(name)))


@pytest.mark.parametrize("name", CHECKS)
def test_an_accepted_contradiction_is_a_warning(write: Write, name: str) -> None:
    machine = load(write(accepting(name, contradicting(name))))
    assert len(machine.warnings) == 1
    assert "accepted, D-1: printed so" in machine.warnings[0]


@pytest.mark.parametrize("name", CHECKS)
def test_an_unneeded_acceptance_is_an_error(write: Write, name: str) -> None:
    _, problems = resolve(write(accepting(name, PLAIN)))
    assert problems == (f"conflict: the check '{name}' passes, so nothing is to be accepted",)


@pytest.mark.parametrize(
    ("left", "together", "fine"), [(0.2, 0.5, True), (0.2, 1.0, True), (0.5, 0.2, False), (0.2, 1.1, False)]
)
def test_one_core_gets_no_more_of_a_level_than_all(write: Write, left: float, together: float, fine: bool) -> None:
    _, problems = resolve(write(changed("[level.L2]", f"[level.L2]\navailable = {left}\navailable_all = {together}")))
    assert [problem.split(":")[0] for problem in problems] == ([] if fine else ["available"])


def test_a_variant_may_resolve_its_base_s_conflict(write: Write) -> None:
    write(accepting("peak", contradicting("peak")), "a.toml")
    fixed = 'name = "b"\nbase = "a.toml"\nsource = "sheet"\n[peak]\ndouble = "64 Gflop/s"\n'
    assert load(write(fixed, "b.toml")).warnings == ()


def test_a_variant_inherits_its_base_s_conflict(write: Write) -> None:
    write(accepting("peak", contradicting("peak")), "a.toml")
    assert len(load(write('name = "b"\nbase = "a.toml"\n', "b.toml")).warnings) == 1


@pytest.mark.parametrize(("peak", "fine"), [("62.8", True), ("65.2", True), ("62.6", False), ("65.4", False)])
def test_a_peak_may_be_two_percent_off(write: Write, peak: str, fine: bool) -> None:
    _, problems = resolve(write(changed('"64 Gflop/s"', f'"{peak} Gflop/s"')))
    assert (problems == ()) is fine


def test_a_prefetch_buffer_may_be_small(write: Write) -> None:
    text = changed("[level.L2]", '[level.L1p]\nrole = "prefetch_buffer"\nsize = "4 KiB"\n\n[level.L2]')
    assert load(write(text)).levels == ("L1", "L1p", "L2")


def test_latencies_in_cycles_and_seconds_are_compared_through_the_clock(write: Write) -> None:
    # 25 cycles of 2 GHz are 12.5 ns, longer than the L2's 10 ns
    _, problems = resolve(write(changed('"4 cycle"', '"25 cycle"')))
    assert problems == ("latencies: level.L1.latency is longer than level.L2.latency",)


def test_latencies_without_a_clock_are_not_compared(write: Write) -> None:
    text = changed('[clock]\nfrequency = "2 GHz"\n', "").replace('"4 cycle"', '"25 cycle"')
    assert resolve(write(text))[1] == ()


def test_one_core_cannot_draw_more_than_all(write: Write) -> None:
    text = changed("[memory]", '[level.L3]\nbandwidth = "10 GB/s"\ncore_bandwidth = "11 GB/s"\n\n[memory]')
    assert resolve(write(text))[1] == ("bandwidths: level.L3.core_bandwidth exceeds level.L3.bandwidth",)


def test_every_check_of_the_rules_can_be_named(write: Write) -> None:
    found = {finding.check for name in CHECKS for finding in check(resolve(write(contradicting(name)))[0])}
    assert found == set(CHECKS)


# --- the machine itself -----------------------------------------------------------------------------------


def test_with_values_keeps_units_and_the_original(write: Write) -> None:
    machine = load(write(PLAIN))
    before = machine.content_hash
    other = machine.with_values({"level.L1.latency": 8, "memory.size": 1e9})
    assert other["level.L1.latency"] == Quantity(8.0, "cycle", Source("assumed", "set by the user"))
    assert other["memory.size"].unit == "B"
    assert machine.value("level.L1.latency") == 4
    assert machine.content_hash == before


def test_with_values_refuses_an_unknown_parameter(write: Write) -> None:
    with pytest.raises(MachineError, match="did you mean"):
        load(write(PLAIN)).with_values({"memory.bandwith": 1.0})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "plain"', 'name = "other"'),
        ('title = "A machine"', 'title = "Another"'),
        ('kind = "datasheet"', 'kind = "paper"'),
        ("page 1", "page 2"),
        ("[level.L1]", "[level.L1]  # the first"),
        ('"1 MiB"', '"1024 KiB"'),
    ],
)
def test_the_hash_ignores_names_and_sources(write: Write, old: str, new: str) -> None:
    assert load(write(PLAIN)).content_hash == load(write(changed(old, new), "b.toml")).content_hash


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('kind = "cpu"', 'kind = "gpu"'),
        ("[level.L1]", "[level.L0]"),
        ("[memory]", '[memory]\nwrite_allocate = "yes"'),
        ('"10 ns"', '"20 cycle"'),
    ],
)
def test_the_hash_sees_kind_levels_traits_and_units(write: Write, old: str, new: str) -> None:
    assert load(write(PLAIN)).content_hash != load(write(changed(old, new), "b.toml")).content_hash


@pytest.mark.parametrize("name", library())
def test_the_hash_sees_every_value(name: str) -> None:
    machine = load(name)
    hashes = {machine.with_values({path: q.value * 2}).content_hash for path, q in machine.quantities.items()}
    assert len(hashes | {machine.content_hash}) == len(machine.quantities) + 1


def test_a_shipped_machine_is_read_once() -> None:
    assert load("sw26010") is load("sw26010")


def test_machines_are_equal_by_value(write: Write) -> None:
    assert load(write(PLAIN)) == load(write(PLAIN, "again.toml"))
    assert isinstance(load(write(PLAIN)), Machine)


def test_a_diff_lists_what_differs_and_nothing_else(write: Write) -> None:
    left = load(write(PLAIN))
    text = changed('"20 GB/s"', '"40 GB/s"').replace('"10 ns"', '"20 cycle"')
    right = load(write(text + 'size = "1 GB"\n', "b.toml"))
    found = {difference.path: difference for difference in diff(left, right).differences}
    assert set(found) == {"memory.bandwidth", "level.L2.latency", "memory.size"}
    assert found["memory.bandwidth"].ratio == pytest.approx(2.0)
    assert found["level.L2.latency"].ratio is None
    assert (found["memory.size"].left, found["memory.size"].unit) == (None, "B")
    assert diff(left, left).differences == ()
    near = load(write(changed('"20 GB/s"', '"20.8 GB/s"'), "c.toml"))
    assert [one.path for one in diff(left, near).differences] == ["memory.bandwidth"]
    assert diff(left, near, 0.05).differences == ()
    assert diff(left, near, 0.05).agreeing == diff(left, near, 0.05).common == len(left.quantities)
    assert diff(left, right, 0.05).agreeing == len(left.quantities) - 2


def test_what_others_did_in_an_hour_is_no_difference_of_machines(write: Write) -> None:
    plain = PLAIN.replace("[level.L2]", "[level.L2]\navailable_all = 0.9")  # in one hour only
    left, right = (
        load(
            write(
                text.replace("[cores]", f"[cores]\ncorunners = {share}").replace(
                    "[level.L2]", f"[level.L2]\navailable = {share}"
                ),
                name,
            )
        )
        for text, share, name in ((PLAIN, 0.2, "a.toml"), (plain, 0.6, "b.toml"))
    )
    found = diff(left, right, 0.05)
    assert found.differences == ()
    conditions = {"cores.corunners", "level.L2.available", "level.L2.available_all"}
    assert {one.path for one in found.conditions} == conditions
    assert found.common == found.agreeing == len(left.quantities) - 2


# --- the parameter table ----------------------------------------------------------------------------------


def test_every_parameter_has_a_meaning_and_units() -> None:
    for entry in parameters.TABLE:
        assert len(entry.meaning) > 5
        assert entry.units
        assert parameters.known(entry.path.replace("*", "X"))


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("a = 1\n[t]\na = 2\n", "t.a", 3),
        ("a = 1\n[t]\na = 2\n", "a", 1),
        ('[ t . "u" ]\nb = 1\n', "t.u.b", 2),
        ("[t]\nu = { b = 1 }\n", "t.u.b", 2),
        ("[t]\nu.b = 1\n", "t.u.b", 2),
        ("[t]\n\n'x.y' = 1\n", "t.x.y", 3),
        ("[[t]]\nb = 1\n", "t.b", 2),
        ("[t.u]\nb = 1\n", "t", 1),
        ("[t]\nb = 1\n", "t.c", 1),
        ("# a = 1\na = 2\r\n", "a", 2),
        ("b = 1\n", "a", None),
        ("", "a", None),
    ],
)
def test_key_line(text: str, key: str, line: int | None) -> None:
    assert files.key_line(text, key) == line


def test_groups_of_a_base_are_inherited_as_estimates(write: Write) -> None:
    text = 'name = "heir"\nkind = "cpu"\nbase = "zen4"\ninherit = ["pipeline"]\n'
    machine = load(write(text))
    assert machine["pipeline.fma_f64.latency"].source.kind == "estimated"
    assert "memory.bandwidth" not in machine
    assert machine.levels == ()
    for wrong in ('"pipeline"', '["pipelines"]'):
        with pytest.raises(MachineError, match="must be a list of groups"):
            load(write(text.replace('["pipeline"]', wrong)))
    same = load(write(text + "same_core = true\n"))
    assert same["pipeline.fma_f64.latency"].source.kind == "derived"
    with pytest.raises(MachineError, match="must be true or false"):
        load(write(text + 'same_core = "yes"\n'))
