"""Profiles as documents: the chooser, wrong documents, regions and ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell import frontends
from foretell.core.facets.counts import Counts
from foretell.errors import InputError
from foretell.frontends.counters import FORMATS, read_profile
from foretell.frontends.counters.events import load, normal
from foretell.frontends.counters.readers import neutral
from tests.support.frontends import profiles
from tests.support.frontends.profile_files import blocks, read, values, written

if TYPE_CHECKING:
    from pathlib import Path


def test_the_door_reads_profiles(tmp_path: Path) -> None:
    assert frontends.read(written(tmp_path, profiles.NEUTRAL_CSV, "p.csv")).name == "two-blocks"
    assert frontends.read("example:nekbone-like").find(Counts) is not None


def test_every_map_names_known_events() -> None:
    from foretell.core.facets.counts import EVENTS

    for entry in FORMATS:
        for name in entry.maps:
            for rule in load(name):
                assert rule.event in EVENTS, rule
                assert rule.add, rule
    assert normal("MEM_LOAD_RETIRED.L1_HIT") == normal("mem_load_retired_l1_hit")


def test_long_files_take_constant_memory(tmp_path: Path) -> None:
    import tracemalloc

    def peak(count: int) -> int:
        text = "desc: x\ncmd: ./a\nevents: Ir Dr\nfn=f\n"
        body = "".join(f"{line} 10 1\nfn=f{line % 50}\n" for line in range(count))
        path = written(tmp_path, f"{text}{body}summary: {10 * count} {count}\n")
        tracemalloc.start()
        block = blocks(read_profile([path]))["a"]
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert block.value("instructions") == 10 * count
        return top

    peak(1000)  # the event maps are loaded once
    assert min(peak(20_000) for _ in range(3)) < 1.3 * peak(2000)  # what coverage takes meanwhile counts as well


def test_passes_over_the_same_kernels_are_not_ranks(tmp_path: Path) -> None:
    first = written(tmp_path, profiles.ROCPROF.replace("SQ_INSTS", "OTHER"), "pass_1.csv")
    second = written(tmp_path, profiles.ROCPROF, "pass_2.csv")
    block = next(iter(blocks(read_profile([first, second])).values()))
    assert block.value("time_s") == pytest.approx(10240e-9 + 9800e-9)
    assert block.value("instructions") == 300000


def test_regions_inside_others_are_not_counted_twice(tmp_path: Path) -> None:
    inner = '"1": {"name": "inner", "parent_region_id": "0", "PAPI_TOT_INS": "7"}, "0": {"name": "computation"'
    workload = read(tmp_path, profiles.PAPI.replace('"0": {"name": "computation"', inner, 1))
    whole = blocks(read(tmp_path, profiles.PAPI))["computation"].value("instructions")
    found = {name: block.value("instructions") for name, block in blocks(workload).items()}
    assert found == {"inner": 7, "computation": whole - 7}
    assert any("'inner' counted is left out of 'computation'" in note for note in workload.assumptions)


def test_vtune_totals_are_not_self_counts(tmp_path: Path) -> None:
    text = profiles.VTUNE.replace("THREAD (K)", "THREAD:Self (K)").replace("ALL_LOADS (K)", "THREAD:Total (K)")
    found = blocks(read(tmp_path, text))["main"]
    assert values(found) == {"instructions": 12e6, "cycles": 9e6}


def test_a_profile_can_carry_its_machine(tmp_path: Path) -> None:
    from dataclasses import replace

    import foretell
    from foretell.machines import load
    from tests.support.models.counters import SYNTHETIC, block, profile

    workload = profile(block(**SYNTHETIC))
    text = neutral.write("travels", workload.facet(Counts)) + "\n"
    again = read(tmp_path, text)
    carried = again.facet(Counts).machine
    assert carried is not None
    assert carried.content_hash == load("blue-gene-q").content_hash
    assert "embedded in the profile" in carried["clock.frequency"].source.reference
    assert foretell.predict(again, "xeon-phi-7120p").time_s == foretell.predict(workload, "xeon-phi-7120p").time_s
    named = replace(workload.facet(Counts), machine=None, machine_name="blue-gene-q")
    assert '"machine": "blue-gene-q"' in neutral.write("named", named)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"version": 1', '"version": 2', "version 2"),
        ('"cores": 16', '"cores": 0', "cores must be"),
        ('"cores": 16', '"cores": true', "cores must be"),
        ('"tool": "perf-csv"', '"tool": 3', "tool must be a text"),
        ('"tool": "perf-csv"', '"tol": "x"', "unknown key 'tol'.*did you mean 'tool'"),
        ('"machine": "blue-gene-q"', '"machine": 3', "machine must be a name"),
        ('"machine": "blue-gene-q"', '"machine": {"name": "x", "kind": "toaster", "parameters": {}}', "kind or levels"),
        ('"machine": "blue-gene-q"', '"machine": {"name": "x", "parameters": 3}', "parameters and traits"),
        ('"machine": "blue-gene-q"', '"machine": {"name": "x", "parameters": {}, "traits": {"a": 1}}', "traits must"),
        ('"machine": "blue-gene-q"', '"machine": {"name": "x", "parameters": {"a.b": {}}}', "not a machine parameter"),
        (
            '"machine": "blue-gene-q"',
            '"machine": {"name": "x", "parameters": {"memory.size": {"value": -1, "unit": "B"}}}',
            "positive number",
        ),
        (
            '"machine": "blue-gene-q"',
            '"machine": {"name": "x", "parameters": {"memory.size": {"value": 1, "unit": "s"}}}',
            "unit 's' is not one of",
        ),
        ('"instInt": 8e9', '"instInt": -8e9', "not negative"),
        ('"instInt": 8e9', '"instInt": 1e999', "not a finite number"),
        ('"instInt": 8e9', '"instInt": "8e9"', "must be a number"),
        ('"instInt": 8e9', '"instInts": 8e9', "did you mean 'instInt'"),
        ('"instInt": 8e9', '"instInt": 8e9, "instInt": 9e9', "given twice"),
        ('"source": "counter"', '"source": "oracle"', "not as documented"),
        ('"missing": {"ST"', '"missing": {"XY"', "reason for known events"),
        ('"missing": {"ST": "not counted"}', '"missing": 3', "must be objects"),
        ('"name": "dp", ', "", "an object with a name"),
        ('"regions": [', '"regions": [], "notes": 3, "x": [', "unknown key"),
        ('"regions": [', '"notes": 3, "regions": [', "notes must be"),
    ],
)
def test_wrong_json_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in profiles.NEUTRAL_JSON
    with pytest.raises(InputError, match=message):
        read(tmp_path, profiles.NEUTRAL_JSON.replace(old, new))


@pytest.mark.parametrize(
    ("source", "old", "new", "message"),
    [
        (profiles.PAPI, '"threads": {', '"threads": 3, "x": {', "threads must be an object or a list"),
        (profiles.PAPI, '"regions": {', '"region": {', "has no regions"),
        (profiles.PAPI, '"PAPI_TOT_INS": "2917520595"', '"PAPI_TOT_INS": "many"', "not a count"),
        (profiles.PAPI, '"PAPI_TOT_INS": "2917520595"', '"PAPI_TOT_INS": {"min": "1"}', "has no total"),
        (profiles.LIKWID_JSON, '"Raw"', '"Cooked"', "no table of raw counts"),
        (profiles.LIKWID_JSON, '"1000000"', '"million"', "is not a number"),
        (profiles.LIKWID_JSON, '"Event": "INSTR_RETIRED_ANY"', '"Event": ""', "without an event"),
        (profiles.LIKWID_CSV, "MEM_DP,4,\nRegion", "MEM_DP,x,\nRegion", "how many rows"),
        (profiles.LIKWID_CSV, "Event,Counter,HWThread 0,HWThread 1,,\n", "", "without a header|cells in a table"),
        (profiles.ROCPROF, "317095766775957", "1", "not in order"),
        (profiles.ROCPROF, '"Dispatch_Id"', '"Dispatch"', "no column Dispatch_Id"),
        (profiles.PERF_JSON, '"pcnt-running" : 75.00', '"pcnt-running" : 175.00', "no count"),
        (profiles.CALLGRIND, "cfn=(1)", "cfn=(9)", "used before it is given"),
        (profiles.CALLGRIND, "+1 200", "?1 200", "not a line of callgrind"),
        (profiles.NCU_RAW, '"sm__inst_executed.sum"', '"gpu__time_duration.sum"', "names a column twice"),
        (profiles.HPM, ":      1500000000", "", "has no value|not a number"),
    ],
)
def test_wrong_documents_are_refused(source: str, old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in source
    with pytest.raises(InputError, match=message):
        read(tmp_path, source.replace(old, new))


def test_vtune_without_names(tmp_path: Path) -> None:
    text = profiles.VTUNE.replace("Function,", "Where,").replace("Module", "X")
    with pytest.raises(InputError, match="no column names the functions"):
        read(tmp_path, text)


def test_floating_point_of_one_precision_and_what_a_sum_lacks(tmp_path: Path) -> None:
    """LIKWID's groups count one precision; a sum of which only a part was counted names the rest."""
    widths = ("SCALAR", "128B_PACKED", "256B_PACKED", "512B_PACKED")
    rows = [f"{n + 1},,fp_arith_inst_retired.{w.lower()}_double,9,100.00,," for n, w in enumerate(widths)]
    (block,) = read(tmp_path, "\n".join(rows) + "\n").facet(Counts).blocks
    assert block.value("instFP") == 10
    assert "single precision is not counted" in block.events["instFP"].origin
    (block,) = read(tmp_path, "\n".join(rows[:3]) + "\n").facet(Counts).blocks
    assert block.missing["instFP"].startswith("the profile lacks FP_ARITH_INST_RETIRED.")


def test_a_region_in_which_nothing_happened_is_left_out(tmp_path: Path) -> None:
    """VTune lists modules that it met in no sample; a block without time could not be predicted."""
    text = "region,event,value\nsolve,cycles,7\nidle,cycles,0\nidle,LD,0\n"
    found = read(tmp_path, text)
    assert set(blocks(found)) == {"solve"}
    assert any(note.endswith("is zero: idle") for note in found.assumptions)
    assert set(blocks(read(tmp_path, "region,event,value\nidle,cycles,0\n"))) == {"idle"}
