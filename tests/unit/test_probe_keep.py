"""Numbers of earlier probes beside a new one."""

from __future__ import annotations

from foretell.core.machine import Source
from foretell.machines import load
from foretell.machines.probe.keep import keep_better
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
    assert draft.values["memory.core_bandwidth"][0] == 14e9
    assert "earlier probe" in draft.notes["memory.core_bandwidth"]
    assert draft.values["memory.core_read_bandwidth"][0] == 12e9
    assert draft.values["memory.bandwidth"][0] == 20e9
    assert draft.values["level.L2.core_bandwidth"][0] == 1e9
    assert draft.values["level.L3.bandwidth"][0] == 50e9
    assert "level.L3.bandwidth" not in draft.missing
    assert draft.values["memory.overlap"][0] == 0.2
    assert draft.values["memory.latency"][0] == 100e-9
    assert "level.L1.size" not in draft.values
