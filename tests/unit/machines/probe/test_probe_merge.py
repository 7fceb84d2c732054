"""Numbers of earlier probes beside a new one."""

from __future__ import annotations

from foretell.core.machine.machine import Source
from foretell.machines import load
from foretell.machines.probe.merge import keep_better
from foretell.machines.probe.write import Draft


def test_what_was_disturbed_less_stays() -> None:
    draft = Draft("here", "here")
    draft.sources = {"streams": Source("measured", "new"), "walks": Source("measured", "new")}
    now = {
        "memory.core_bandwidth": 10e9,
        "memory.core_read_bandwidth": 12e9,
        "memory.bandwidth": 20e9,
        "level.L2.core_bandwidth": 1e9,
        "memory.overlap": 0.2,
    }
    for path, value in now.items():
        draft.put(path, value, "streams")
    draft.put("memory.latency", 100e-9, "walks", "s")
    draft.missing["level.L3.bandwidth"] = "the threads hardly ever ran at the same time"
    before = load("neoverse-n1").with_values(
        {
            "memory.core_bandwidth": 14e9,  # better: stays
            "memory.core_read_bandwidth": 11e9,  # worse
            "memory.bandwidth": 30e9,  # of all cores: the new one counts
            "level.L2.core_bandwidth": 60e9,  # another machine
            "level.L3.bandwidth": 50e9,  # lacking now
            "memory.overlap": 0.9,
        }
    )
    keep_better(draft, before)
    value, source = draft.values["memory.core_bandwidth"]
    assert value == 14e9
    assert draft.sources[source] == before["memory.core_bandwidth"].source
    assert "earlier probe" in draft.notes["memory.core_bandwidth"]
    assert draft.values["memory.core_read_bandwidth"][0] == 12e9
    assert draft.values["memory.bandwidth"][0] == 20e9
    assert draft.values["level.L2.core_bandwidth"][0] == 1e9
    assert draft.values["level.L3.bandwidth"][0] == 50e9
    assert "level.L3.bandwidth" not in draft.missing
    assert draft.values["memory.overlap"][0] == 0.2
    assert draft.values["memory.latency"][0] == 100e-9
    assert "level.L1.size" not in draft.values


def test_all_cores_are_never_slower_than_one_of_an_earlier_probe() -> None:
    """A file with less bandwidth of all cores than of one would be refused when it is read."""
    draft = Draft("here", "here")
    draft.sources = {"streams": Source("measured", "new")}
    for path in ("memory.core_bandwidth", "memory.bandwidth", "memory.core_read_bandwidth", "memory.read_bandwidth"):
        draft.put(path, 20e9, "streams")
    keep_better(draft, load("neoverse-n1").with_values({"memory.core_bandwidth": 21e9, "memory.bandwidth": 30e9}))
    assert draft.values["memory.core_bandwidth"][0] == draft.values["memory.bandwidth"][0] == 21e9
    assert draft.values["memory.read_bandwidth"][0] == 20e9


def test_of_numbers_that_did_not_settle_the_better_one_stays() -> None:
    """Of every kind; and no instruction time that converged, for a slow clock makes it too short."""
    now = {
        "memory.bandwidth": (20e9, "B/s"),
        "memory.latency": (130e-9, "s"),
        "sync.global": (300e-9, "s"),
        "pipeline.add_f64.gap": (0.6, "cycle"),
        "pipeline.multiply_f64.gap": (0.5, "cycle"),
        "level.L3.available": (0.2, ""),
    }
    before = load("neoverse-n1").with_values(
        {
            "memory.bandwidth": 30e9,
            "memory.latency": 110e-9,
            "sync.global": 400e-9,  # worse
            "pipeline.add_f64.gap": 0.5,
            "pipeline.multiply_f64.gap": 0.4,
            "level.L3.available": 0.3,  # of another hour
            "level.L2.detected_size": 1 << 20,
        }
    )
    draft = Draft("here", "here", {"streams": Source("measured", "new")})
    for path, (value, unit) in now.items():
        doubt = "" if "multiply" in path else "varied"
        draft.put(path, value, "streams", before[path].unit if path in before else unit, doubt=doubt)
    draft.missing["level.L2.detected_size"] = "the latency of a walk does not rise near this size"
    keep_better(draft, before)
    assert draft.values["level.L2.detected_size"][0] == 1 << 20
    assert {path: draft.values[path][0] for path in now} == {
        "memory.bandwidth": 30e9,
        "memory.latency": 110e-9,
        "sync.global": 300e-9,
        "pipeline.add_f64.gap": 0.5,
        "pipeline.multiply_f64.gap": 0.5,
        "level.L3.available": 0.2,
    }
    assert draft.doubts == {"sync.global", "level.L3.available"}


def test_the_end_of_a_level_that_this_probe_does_not_see_is_that_of_an_earlier_one() -> None:
    """As a part of the level; sizes stay."""
    plain = {"level.L3.size": 32.0 * 2**20}
    parts = plain | {"level.L3.available": 0.25, "level.L3.available_all": 0.5}
    for numbers, expected in ((parts, (0.25, 0.5)), (plain, (None, None))):
        draft = Draft("here", "here", {"system": Source("measured", "new")})
        draft.put("level.L3.size", 32 << 20, "system")
        draft.missing["level.L3.available"] = "sets up to this size are not found to be faster than larger ones"
        keep_better(draft, load("neoverse-n1").with_values(numbers))
        found = [draft.values.get(f"level.L3.{name}", (None, ""))[0] for name in ("available", "available_all")]
        assert tuple(found) == expected
        assert draft.values["level.L3.size"][0] == 32 << 20
        assert ("level.L3.available" in draft.missing) == (expected[0] is None)
        assert "level.L3.detected_size" not in draft.values
    draft = Draft("here", "here", {"streams": Source("measured", "new")})
    draft.put("level.L3.available", 0.3, "streams")  # seen, so this hour's counts
    keep_better(draft, load("neoverse-n1").with_values(parts))
    assert draft.values["level.L3.available"][0] == 0.3
    assert "level.L3.available_all" not in draft.values
