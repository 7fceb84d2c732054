"""The counter model beyond its equations: launches, levels, decisions, notes, and the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import foretell
from foretell.core.facets.counts import CodeBlock, Count, Counts
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.frontends.counters import read_profile
from foretell.frontends.counters.readers import neutral
from foretell.machines import load
from foretell.uses.why import why
from tests.support.cli import refused, run
from tests.support.frontends.profiles import CACHEGRIND, NEUTRAL_CSV
from tests.support.models.counters import SYNTHETIC, block, profile, three_levels

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.machine.machine import Machine

BGQ = load("blue-gene-q")


def blocks(answer: foretell.Prediction) -> list[dict[str, Any]]:
    found: Any = answer.details["blocks"]
    return list(found)


def test_a_run_on_the_whole_machine_uses_the_whole_target() -> None:
    whole = profile(block(**SYNTHETIC))
    part = profile(block(**SYNTHETIC), cores=4)
    phi = foretell.predict(whole, "xeon-phi-7120p")
    assert phi.details["cores"] == 61
    assert any("all 61 cores are used" in note for note in phi.assumptions)
    assert foretell.predict(part, "xeon-phi-7120p").details["cores"] == 4
    assert (
        foretell.predict(part, "xeon-phi-7120p", parameters={"threads": 8, "threads_per_core": 2}).details["cores"] == 4
    )
    assert (
        foretell.predict(whole, "xeon-phi-7120p", parameters={"threads": 32, "threads_per_core": 4}).details["cores"]
        == 8
    )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"threads": 17}, "threads=17 is not a multiple of threads_per_core=2"),
        ({"threads": 80}, "runs 1 to 4 threads per core"),
        ({"threads": 17, "threads_per_core": 1}, "17 cores asked for, machine 'blue-gene-q' has 16"),
        ({"threads_per_core": 5}, "runs 1 to 4 threads per core"),
        ({"threads_per_core": 1.5}, "runs 1 to 4 threads per core"),
        ({"threads": 3, "threads_per_core": 2}, "not a multiple"),
        ({"threads": 0}, "must be positive"),
        ({"beta": -1}, "must be positive"),
    ],
)  # fmt: skip
def test_launches_that_the_machine_cannot_run(parameters: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        foretell.predict(profile(block(**SYNTHETIC)), "blue-gene-q", parameters=parameters)


def test_a_shared_cache_stays_shared_when_cores_are_added() -> None:
    """32 cores on the LLC of 16: half of it for each, not two of them (the golden case), in predictions and sweeps."""
    work = profile(block(**SYNTHETIC))
    more = BGQ.with_values({"cores.count": 32})
    rate = blocks(foretell.predict(work, more))[0]["hits"]["memory"]
    assert rate == pytest.approx(0.01 * 2**0.5)
    times = foretell.sweep(foretell.prepare(work, BGQ), {"cores.count": np.array([32.0])})
    assert times[0] == pytest.approx(foretell.predict(work, more).time_s, rel=1e-12)
    two = more.with_values({"level.LLC.shared_by": 16})
    assert blocks(foretell.predict(work, two))[0]["hits"]["memory"] == pytest.approx(0.01 * 2**0.5)  # as the file says


def test_memory_latency_keeps_its_seconds_when_the_clock_changes() -> None:
    """R-11, in predictions and sweeps; `cycles` keeps the number."""
    work = profile(block(**SYNTHETIC))
    fast = BGQ.with_values({"clock.frequency": 3.2e9})
    aml = {
        choice: blocks(foretell.predict(work, fast, options={"memory_latency": choice}))[0]["aML"]
        for choice in ("seconds", "cycles")
    }
    assert aml["cycles"] == pytest.approx(7.05)
    assert aml["seconds"] == pytest.approx(7.05 + 213 * 0.01)
    swept = foretell.sweep(foretell.prepare(work, BGQ), {"clock.frequency": np.array([3.2e9])})
    assert swept[0] == pytest.approx(foretell.predict(work, fast).time_s, rel=1e-12)


def test_the_file_s_numbers_are_remembered_and_forgotten() -> None:
    changed = BGQ.with_values({"cores.count": 32}).with_values({"cores.count": 64})
    assert changed.original("cores.count") == 16
    back = changed.with_values({"cores.count": 16})
    assert back.content_hash == BGQ.content_hash
    assert changed.content_hash != BGQ.content_hash


def test_a_level_between_takes_part_where_its_hits_were_counted() -> None:
    machine = three_levels()
    events = {**SYNTHETIC, "hitsLLC": 1e8, "hitsL2": 1.5e8}
    work = profile(block(**events), machine=machine, cores=8)
    same = foretell.predict(work, machine)
    assert same.time_s == pytest.approx(0.5, rel=1e-12)
    assert blocks(same)[0]["hits"] == pytest.approx({"L1": 0.94, "L2": 0.03, "L3": 0.02, "memory": 0.01})
    larger = foretell.predict(work, three_levels(level_L2_size=4 << 20))
    assert blocks(larger)[0]["hits"] == pytest.approx({"L1": 0.94, "L2": 0.045, "L3": 0.005, "memory": 0.01})
    uncounted = profile(block(**SYNTHETIC), machine=machine, cores=8)
    answer = foretell.predict(uncounted, machine)
    assert blocks(answer)[0]["hits"]["L2"] == 0
    assert any(
        "hits in L2 are counted as hits in the last level: they were not counted" in n for n in answer.assumptions
    )


def test_hits_of_a_prefetch_buffer_follow_the_l1_misses() -> None:
    """R-12: with hitsL1p counted, a larger L1 takes from the buffer in proportion; a target without one has none."""
    events = {**SYNTHETIC, "hitsLLC": 1e8, "hitsL1p": 1.5e8}
    work = profile(block(**events))
    assert foretell.predict(work, "blue-gene-q").time_s == pytest.approx(0.625, rel=1e-12)
    larger = foretell.predict(work, BGQ.with_values({"level.L1.size": 65536}))
    assert blocks(larger)[0]["hits"] == pytest.approx({"L1": 0.97, "L1p": 0.015, "LLC": 0.005, "memory": 0.01})
    phi = foretell.predict(work, "xeon-phi-7120p")
    assert any("the target has no such level" in note for note in phi.assumptions)


def test_a_profile_faster_than_the_machine_is_calibrated_and_said_so() -> None:
    """R-9b: too much traffic, too many accesses and too many instructions a cycle; the identity holds all the same."""
    events = {**SYNTHETIC, "time": 2e8, "LD": 3e8}
    answer = foretell.predict(profile(block(**events)), "blue-gene-q")
    assert answer.time_s == pytest.approx(2e8 / 1.6e9, rel=1e-12)
    text = " ".join(answer.assumptions)
    for words in ("times the bandwidth", "memory accesses per cycle", "instructions per cycle"):
        assert words in text
    with pytest.raises(InputError, match="the literal equations give no time"):  # an overlap larger than the time
        foretell.predict(profile(block(**events)), "xeon-phi-7120p", mode="paper")


def test_overlap_that_breaks_a_bound_is_refused_in_default_mode() -> None:
    events = {**SYNTHETIC, "instInt": 1.2e10, "instFP": 2e9, "hitsL1": 4.9e9, "hitsLLC": 8e7, "LD": 9e7, "ST": 4e7}
    machine = BGQ.with_values({"cores.count": 32})
    with pytest.raises(InputError, match="falls below"):
        foretell.predict(
            profile(block(**events)),
            machine,
            options={"overlap": "literal", "traffic": "unscaled", "bandwidth": "added"},
        )


def test_blocks_without_instructions_or_accesses() -> None:
    """Edge cases of the specification: times of zero, and only defined ratios (R-10)."""
    no_inst = {**SYNTHETIC, "instInt": 0.0, "instFP": 0.0}
    no_mem = {**SYNTHETIC, "numAccess": 0.0, "hitsL1": 0.0, "hitsLLC": 0.0, "LD": 0.0, "ST": 0.0}
    nothing = {**no_mem, "instInt": 0.0, "instFP": 0.0}
    for events, zero in ((no_inst, "timeInst_s"), (no_mem, "timeMem_s"), (nothing, "timeInst_s")):
        same = foretell.predict(profile(block(**events)), "blue-gene-q")
        assert same.time_s == pytest.approx(0.625, rel=1e-12)
        assert same.details[zero] == 0
        half = foretell.predict(profile(block(**events)), "blue-gene-q", parameters={"threads": 8})
        assert half.time_s == pytest.approx(0.625 if events is nothing else half.time_s)


def test_breakdown_columns_add_up() -> None:
    answer = foretell.predict(profile(block("a", **SYNTHETIC), block("b", **SYNTHETIC)), "xeon-phi-7120p")
    for entry in blocks(answer):
        assert entry["timeInst_s"] + entry["timeMem_s"] - entry["timeOverlap_s"] == pytest.approx(entry["time_s"])
        inst = entry["timeInstInt_s"] + entry["timeInstFP_s"] - entry["timeInstOverlap_s"]
        assert inst == pytest.approx(entry["timeInst_s"])
        assert sum(entry["hits"].values()) == pytest.approx(1)
        assert sum(entry["latency_s"].values()) == pytest.approx(entry["timeLat_s"])
        assert entry["memory_bound_by"] == "latency"


def test_instruction_counts_of_the_target_and_the_naive_model() -> None:
    """Section 4.4: alpha follows from beta and gamma; the naive model knows nothing else."""
    work = profile(block(**SYNTHETIC))
    plain = foretell.predict(work, "blue-gene-q")
    more = foretell.predict(work, "blue-gene-q", parameters={"beta": 1.4, "gamma": 1.4})
    assert more.details["timeInst_s"] == pytest.approx(1.4 * plain.details["timeInst_s"])  # type: ignore[operator]
    assert more.details["naive_time_s"] == pytest.approx(1.4 * 0.625)
    mixed = foretell.predict(work, "blue-gene-q", parameters={"beta": 1.3, "gamma": 0.7})
    assert mixed.details["naive_time_s"] == pytest.approx((2 * 1.3 + 0.7) / 3 * 0.625)
    forced = foretell.predict(work, "blue-gene-q", parameters={"alpha": 2})
    assert forced.details["naive_time_s"] == pytest.approx(1.25)
    assert foretell.predict(work, "blue-gene-q", parameters={"threads": 8}).details["naive_time_s"] == pytest.approx(
        1.25
    )


def test_a_block_s_cycles_may_be_seconds() -> None:
    events = {name: value for name, value in SYNTHETIC.items() if name != "time"}
    assert foretell.predict(profile(block(**events, time_s=0.625)), "blue-gene-q").time_s == pytest.approx(0.625)


@pytest.mark.parametrize(
    ("change", "message"), [({"hitsLLC": 4e8}, "the caches serve"), ({"time": 0.0}, "must be positive")]
)
def test_events_that_contradict_each_other(change: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        foretell.predict(profile(block(**{**SYNTHETIC, **change})), "blue-gene-q")


def test_what_a_profile_must_say() -> None:
    found = block(**SYNTHETIC)
    counts = Counts((found,), 16, 1, machine=BGQ)
    for facet, message in (
        (replace(counts, machine=None), "on which machine"),
        (replace(counts, cores=None), "how many cores"),
        (replace(counts, cores=17), "used 17 cores"),
        (replace(counts, blocks=()), "no code block"),
        (replace(counts, machine=None, machine_name="blue-gene-q", machine_hash="sha256:0"), "other numbers"),
        (replace(counts, blocks=(CodeBlock("b", {"time": Count(1.0, "counter", "x")}),)), "instInt"),
    ):
        with pytest.raises(InputError, match=message):
            foretell.predict(Workload("w", (facet,)), "blue-gene-q")


def test_machines_that_lack_a_number_are_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"sw26010.*two levels of cache|two levels of cache.*sw26010"):
        foretell.predict(profile(block(**SYNTHETIC)), "sw26010")
    with pytest.raises(InputError, match="'h200' is a GPU"):
        foretell.predict(profile(block(**SYNTHETIC)), "h200")
    with pytest.raises(InputError, match="needs numbers that machine 'zen4' does not have"):
        foretell.predict(profile(block(**SYNTHETIC)), "zen4", mode="paper")
    answer = foretell.predict(profile(block(**SYNTHETIC)), "zen4")
    assert any("memory.latency" in note for note in answer.assumptions)


def test_why_names_what_the_time_depends_on() -> None:
    found = why(foretell.prepare(profile(block(**SYNTHETIC)), "blue-gene-q"))
    by_name = {item.parameter: item.elasticity for item in found.sensitivities}
    assert by_name["level.L1.latency"] is not None
    assert by_name["level.L1.latency"] > 0
    assert by_name["memory.bandwidth"] is not None
    assert -0.01 < by_name["memory.bandwidth"] < 0  # far from saturated: threads seldom meet at memory


# ------------------------------------------------------------------------------------------ command line


def test_project_an_example() -> None:
    same = run("predict", "example:nekbone-like", "--on", "blue-gene-q", "--format", "json").json()
    assert same["time_s"] == pytest.approx(2.6e9 / 1.6e9)
    assert [entry["name"] for entry in same["details"]["blocks"]] == ["grad", "dp", "add2s"]
    scaled = run(
        "predict", "example:nekbone-like", "--on", "xeon-phi-7120p", "-D", "threads=61", "--format", "json"
    ).json()
    assert scaled["time_s"] < same["time_s"]
    assert scaled["parameters"] == {"threads": 61}


@pytest.mark.parametrize("format_", ["table", "json", "csv"])
def test_describe_a_profile(format_: str) -> None:
    result = run("describe", "example:nekbone-like", "--format", format_)
    assert result.code == 0, result.err
    assert "hitsLLC" in result.out
    if format_ == "json":
        assert result.json()["counts"]["blocks"][1]["events"]["hitsL1"]["value"] == 1.1418e9


def test_import_makes_a_profile_that_predicts(tmp_path: Path) -> None:
    source, target = tmp_path / "cachegrind.out.7", tmp_path / "p.json"
    source.write_text(CACHEGRIND)
    assert "on which machine" in refused("predict", source, "--on", "blue-gene-q")
    refused("import", source, "--measured-on", "blue-gene-qq")
    result = run(
        "import", source, "--measured-on", "blue-gene-q", "--cores", "1", "--give", "time_s=1us", "--give", "instFP=50",
        "-o", target,
    )  # fmt: skip
    assert (result.code, result.out) == (0, "")
    assert json.loads(target.read_text())["machine_hash"] == BGQ.content_hash
    answer = run("predict", target, "--on", "blue-gene-q", "--format", "json").json()
    assert answer["time_s"] == pytest.approx(1e-6)
    assert any("estimated" in note for note in answer["assumptions"])
    assert any("49152 B" in note for note in answer["assumptions"])


def test_a_machine_file_of_the_user_travels_with_the_profile(tmp_path: Path) -> None:
    mine, source, target = tmp_path / "mine.toml", tmp_path / "p.csv", tmp_path / "p.json"
    mine.write_text('name = "mine"\nbase = "blue-gene-q"\n')
    source.write_text(
        NEUTRAL_CSV.replace("# machine: blue-gene-q\n", "").replace("add,time_s,250,ms,100,counter\n", "")
    )
    assert run("import", source, "--measured-on", mine, "-o", target).code == 0
    mine.unlink()
    answer = run("predict", target, "--on", "blue-gene-q", "--format", "json").json()
    assert answer["time_s"] == pytest.approx(1.25e9 / 1.6e9)
    assert answer["details"]["baseline_machine"] == "mine"


def test_import_refuses_what_is_wrong(tmp_path: Path) -> None:
    source = tmp_path / "p.csv"
    source.write_text(NEUTRAL_CSV)
    assert "expected a number in s" in refused("import", source, "--give", "dp:time_s=3GB")
    assert "unknown event" in refused("import", source, "--give", "dp:tim=3")
    assert "cannot be written" in refused("import", source, "-o", tmp_path / "no" / "p.json")
    assert "write NAME=VALUE" in refused("import", source, "--give", "ST", code=2)
    assert run("import", source).code == 0


def curved(*points: tuple[float, float]) -> CodeBlock:
    return replace(block("block", **SYNTHETIC), curve=points)


def miss_rates(code: Workload, machine: Machine, **options: str) -> tuple[float, float]:
    """Beyond L1, and to memory, of the only block."""
    hits = blocks(foretell.predict(code, machine, options=options))[0]["hits"]
    return 1 - hits["L1"], hits["memory"]


def test_a_curve_of_misses_takes_the_place_of_the_square_root() -> None:
    """16 KiB of L1 and 1 MiB of LLC a thread in the baseline; misses fall as 1/size between the L1 sizes, not at all
    below, and the LLC lies on a flat part."""
    shape = ((8192.0, 8e8), (16384.0, 4e8), (32768.0, 2e8), (float(2**22), 2e8))
    base = load("blue-gene-q")
    code = profile(curved(*shape))
    l1, memory = miss_rates(code, base)
    assert (l1, memory) == pytest.approx((0.06, 0.01))  # the measured rates: the curve only scales them
    for factor, expected in ((2, 0.03), (0.5, 0.12), (0.25, 0.12), (2**0.5, 0.06 / 2**0.5)):
        changed = base.with_values({"level.L1.size": factor * base.value("level.L1.size")})
        assert miss_rates(code, changed)[0] == pytest.approx(expected, rel=1e-9), factor
        assert miss_rates(code, changed, caches="square_root")[0] == pytest.approx(0.06 * factor**-0.5)
    less = base.with_values({"level.LLC.size": base.value("level.LLC.size") / 4})
    assert miss_rates(code, less)[1] == pytest.approx(0.01)  # flat: a stream misses what it misses


def test_curves_in_a_sweep() -> None:
    """Blocks with and without a curve, every point as if predicted alone."""
    plain, bent = block("plain", **SYNTHETIC), curved((4096.0, 9e8), (65536.0, 1e8))
    code = profile(plain, replace(bent, name="bent"), replace(plain, name="last"))
    sizes = load("blue-gene-q").value("level.L1.size") * np.geomspace(0.1, 9, 300)
    case = foretell.prepare(code, "blue-gene-q")
    alone = [foretell.predict(code, load("blue-gene-q").with_values({"level.L1.size": size})).time_s for size in sizes]
    assert list(foretell.sweep(case, {"level.L1.size": sizes})) == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize(
    "curve", ["[]", "[[1, 2, 3]]", "[[2, 5], [1, 4]]", "[[1, 4], [2, 5]]", "[[1, 0]]", "[[0, 1]]", '"x"', "[[1, -1]]"]
)
def test_wrong_curves(curve: str, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(
        '{"format": "foretell-profile", "version": 1, "regions": [{"name": "a", "events": {}, "miss_curve": '
        + curve
        + "}]}"
    )
    with pytest.raises(InputError, match="miss_curve"):
        read_profile([path])


def test_a_curve_is_written_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    code = profile(curved((4096.0, 9e8), (65536.0, 1e8)))
    path.write_text(neutral.write("p", code.facet(Counts)))
    assert read_profile([path]).facet(Counts).blocks[0].curve == ((4096.0, 9e8), (65536.0, 1e8))
