"""What the options of a tool make of its format, and what other tools make of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from foretell.core.facets.counts import CodeBlock, Counts
from foretell.errors import InputError
from foretell.frontends.counters import read_profile
from tests.support.frontends import profiles

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.workload import Workload


def read(tmp_path: Path, text: str) -> Workload:
    path = tmp_path / "profile.txt"
    path.write_text(text, encoding="utf-8")
    return read_profile([path])


def blocks(tmp_path: Path, text: str) -> dict[str, CodeBlock]:
    return {block.name: block for block in read(tmp_path, text).facet(Counts).blocks}


# -------------------------------------------------------------------------------------------------- perf


@pytest.mark.parametrize(("text", "seconds"), [(profiles.PERF_TEXT, 1.4008), (profiles.PERF_TEXT_COMMA, 1.400838706)])
def test_what_perf_writes_for_people(text: str, seconds: float, tmp_path: Path) -> None:
    """Counts are whole, so that marks in them are thousands in every locale."""
    found = blocks(tmp_path, text)["program"]
    assert found.value("cycles") == 2_189_570_373
    assert found.value("instructions") == 3_786_461_825
    assert found.value("time_s") == seconds
    work = read(tmp_path, text)
    assert any("cycles was multiplexed: counted in 83.3 %" in item for item in work.assumptions)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2,189,570,373", "2,189,57,373", "not a line of perf stat"),
        ("2,189,570,373", "S0-D0-C0   2   2,189,570,373", "not a line of perf stat"),
        ("msec task", "parsec task", "not a line of perf stat"),
        ("            1.4008 +- 0.0012 seconds time elapsed  ( +-  0.09% )\n", "", "cut off"),
        ("   <not supported>", " Performance counter stats for 'b':\n   <not supported>", "a second run"),
    ],
)
def test_text_of_perf_that_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in profiles.PERF_TEXT
    with pytest.raises(InputError, match=message):
        read(tmp_path, profiles.PERF_TEXT.replace(old, new))


def test_a_program_that_stayed_on_one_kind_of_core(tmp_path: Path) -> None:
    """perf says «not counted» of cores of the other kind; where no kind has counted, nobody knows."""
    work = read(tmp_path, profiles.PERF_HYBRID)
    assert work.facet(Counts).blocks[0].value("cycles") == 4.5e9
    assert any("cycles was not counted on cpu_atom" in item for item in work.assumptions)
    nothing = profiles.PERF_HYBRID.replace("4500000000", "<not counted>")
    assert "cycles" not in blocks(tmp_path, nothing)["program"].events


def test_metrics_of_perf_that_are_no_numbers(tmp_path: Path) -> None:
    """perf writes them as C does, which is no JSON."""
    line = '{"counter-value" : "%s", "unit" : "", "event" : "cycles", "event-runtime" : 1, "pcnt-running" : 100.00, '
    line += '"metric-value" : -nan, "metric-unit" : "GHz"}\n'
    assert blocks(tmp_path, line % "5")["program"].value("cycles") == 5
    with pytest.raises(InputError, match="nan"):
        read(tmp_path, line % "nan")


def test_perf_json_in_any_layout(tmp_path: Path) -> None:
    """One object a line, over several lines, in a list, in one line: the same numbers."""
    entries = [json.loads(line) for line in profiles.PERF_JSON.splitlines() if line.startswith("{")]
    expected = blocks(tmp_path, profiles.PERF_JSON)
    for text in (
        "\n".join(json.dumps(entry, indent=2) for entry in entries),
        json.dumps(entries),
        json.dumps(entries, indent=4),
        "[" + ",\n".join(json.dumps(entry) for entry in entries) + "]",
    ):
        assert blocks(tmp_path, text + "\n") == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  }\n]\n", ""),  # cut off
        ('"unit": "ns",', ""),  # nobody knows what the number is
        ('"event": "duration_time",', ""),
        ("[\n  {", '[\n  7,\n  {"a": {'),
        ('    "unit": "",\n', '    "unit": "",\n' + '    "x": 1,\n' * 70),
    ],
)
def test_broken_perf_objects_are_refused(tmp_path: Path, old: str, new: str) -> None:
    assert old in profiles.PERF_PRETTY
    with pytest.raises(InputError):
        read(tmp_path, profiles.PERF_PRETTY.replace(old, new, 1))


def test_perf_cores_in_intervals(tmp_path: Path) -> None:
    """An interval in which a program did not run adds nothing; a core without a counter lacks nothing."""
    block = blocks(tmp_path, profiles.PERF_CORES)["program"]
    assert block.value("instructions") == 7 + 14 + 4
    assert block.events["instructions"].running == 0.5
    assert block.value("time_s") == pytest.approx((20101465 + 23967348) * 1e-9)
    # the counter had no turn although the program ran: nobody knows what it would have counted
    text = profiles.PERF_CORES.replace("instructions,0,100.00", "instructions,0,0.00")
    assert "instructions" not in blocks(tmp_path, text)["program"].events
    # and a program that never ran as a whole is not zero, either
    alone = "<not counted>,,instructions,0,100.00,,\n5,,cycles,10,100.00,,\n"
    assert "instructions" not in blocks(tmp_path, alone)["program"].events


def test_perf_json_of_cores_in_intervals(tmp_path: Path) -> None:
    lines = [
        '{"interval": 0.02, "core": "S0-D0-C0", "aggregate-number": 1, "counter-value": "9", "unit": "", '
        '"event": "instructions", "event-runtime": 5, "pcnt-running": 100.0}',
        '{"interval": 0.02, "core": "S0-D0-C1", "counters": 0, "counter-value": "<not counted>", "unit": "", '
        '"event": "instructions", "event-runtime": 0, "pcnt-running": 100.0}',
        '{"interval": 0.04, "core": "S0-D0-C0", "aggregate-number": 1, "counter-value": "<not counted>", '
        '"unit": "", "event": "instructions", "event-runtime": 0, "pcnt-running": 100.0}',
    ]
    assert blocks(tmp_path, "\n".join(lines) + "\n")["program"].value("instructions") == 9


def test_perf_repeats_are_means(tmp_path: Path) -> None:
    text = "708088,,instructions,1.48%,708088,100.00,0.032,\n21186606,ns,duration_time,4.40%,21186606,100.00,,\n"
    block = blocks(tmp_path, text)["program"]
    assert (block.value("instructions"), block.value("time_s")) == (708088, pytest.approx(0.021186606))


# ------------------------------------------------------------------------------------------------ LIKWID


def as_json(text: str) -> str:
    """What LIKWID's filter makes of such a CSV."""
    document: dict[str, dict[str, list[dict[str, str]]]] = {}
    header: list[str] = []
    table: list[dict[str, str]] = []
    for line in text.splitlines():
        row = line.rstrip(",").split(",")
        if row[0] == "TABLE":
            _, number, kind = row[1].split()
            table = document.setdefault(f"Group {number}", {}).setdefault(kind, [])
        elif row[0] in ("Event", "Metric"):
            header = row
        elif header:
            table.append(dict(zip(header, row, strict=False)))
    return json.dumps(document, indent=1) + "\n"


@pytest.mark.parametrize("form", [str, as_json])
def test_likwid_groups_take_turns(tmp_path: Path, form: type[str]) -> None:
    """3 s under the first group and 1 s under the second: what only one counted is scaled to all 4 s."""
    block = blocks(tmp_path, form(profiles.LIKWID_GROUPS))["program"]
    assert block.value("time_s") == 4
    assert block.value("instructions") == 1000 + 2000 + 400 + 500
    assert block.events["instructions"].running == 1
    assert block.value("LD") == pytest.approx(70 * 4)
    assert block.events["LD"].running == 0.25
    assert block.value("missesL1") == pytest.approx((30 + 60) * 4 / 3)


def test_likwid_groups_without_run_times(tmp_path: Path) -> None:
    """What all groups counted is known all the same."""
    text = profiles.LIKWID_GROUPS.replace("Runtime (RDTSC) [s],1,1,,\n", "")
    block = blocks(tmp_path, text)["program"]
    assert block.value("instructions") == 3900
    assert "LD" not in block.events
    assert "1 of 2 groups" in block.missing["LD"]


def test_a_counter_of_the_socket_that_no_thread_shows(tmp_path: Path) -> None:
    text = profiles.LIKWID_CSV.replace("MBOX0C0,700000,0", "MBOX0C0,-,0")
    assert "LD" not in blocks(tmp_path, text)["triad"].events
    shown = profiles.LIKWID_CSV.replace("MBOX0C0,700000,0", "MBOX0C0,-,700000")
    assert blocks(tmp_path, shown)["triad"].value("LD") == 700000


def test_likwid_groups_that_never_ran_or_contradict(tmp_path: Path) -> None:
    never = profiles.LIKWID_GROUPS.replace("[s],1,1", "[s],0,0")
    assert "never ran" in blocks(tmp_path, never)["program"].missing["LD"]
    twice = profiles.LIKWID_GROUPS.replace("L2,3", "L2,4").replace(
        "L1D_REPLACEMENT", "INSTR_RETIRED_ANY,FIXC0,1,2,\nL1D_REPLACEMENT"
    )
    with pytest.raises(InputError, match="given twice on thread 0"):
        read(tmp_path, twice)


# ---------------------------------------------------------------------------------- PAPI, rocprofv3, VTune


def test_papi_regions_inside_others_are_parts(tmp_path: Path) -> None:
    found = blocks(tmp_path, profiles.PAPI_NESTED)
    counts = {name: block.value("instructions") for name, block in found.items()}
    assert counts == {"step": 500 - 300 - 20, "solve": 300 - 40 + 250, "halo": 60}
    assert sum(counts.values()) == 500 + 250
    seconds = {name: block.value("time_s") for name, block in found.items()}
    assert seconds == pytest.approx({"step": 350e-9, "solve": 500e-9, "halo": 150e-9})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"parent_region_id": "1"', '"parent_region_id": "9"', "'9', which is not there"),
        ('"0", "real_time_nsec": "600"', '"2", "real_time_nsec": "600"', "or in it"),
        ('"40"', '"301"', "more than that of 'solve'"),
        ('"name": "halo", "parent_region_id": "1"', '"name": "", "parent_region_id": "1"', "no name"),
    ],
)  # fmt: skip
def test_papi_regions_that_contradict_each_other(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in profiles.PAPI_NESTED
    with pytest.raises(InputError, match=message):
        read(tmp_path, profiles.PAPI_NESTED.replace(old, new, 1))


def test_what_papi_does_not_know_of_a_part_is_not_known_of_the_rest(tmp_path: Path) -> None:
    found = blocks(tmp_path, profiles.PAPI_NESTED.replace('"40"', '"n/a"'))
    assert "instructions" not in found["halo"].events
    assert "instructions" not in found["solve"].events
    assert found["step"].value("instructions") == 180


def test_rocprof_agents_run_side_by_side(tmp_path: Path) -> None:
    block = blocks(tmp_path, profiles.ROCPROF_AGENTS)["add(float*, int)"]
    assert block.value("instructions") == 800
    assert block.value("time_s") == pytest.approx(2000e-9)


def test_vtune_modules_and_precise_events(tmp_path: Path) -> None:
    found = blocks(tmp_path, profiles.VTUNE_TABS)
    assert (found["a.out"].value("instructions"), found["a.out"].value("loads")) == (6390000, 1000000)
    assert found["libm.so.6"].value("instructions") == 2000
    assert "loads" not in found["libm.so.6"].events
    other = profiles.VTUNE_TABS.replace("\t", "^")
    assert blocks(tmp_path, other) == found


def test_tables_of_likwid(tmp_path: Path) -> None:
    """As it draws them: counts of all threads, without what a socket shows on one thread only, and no statistics."""
    found = blocks(tmp_path, profiles.LIKWID_TEXT)["solve"]
    assert found.value("instructions") == 402683300 + 402683100
    assert found.value("time_s") == 0.067344
    with pytest.raises(InputError, match="cut off"):
        read(tmp_path, profiles.LIKWID_TEXT.rstrip().rpartition("\n")[0] + "\n")
    with pytest.raises(InputError, match="3 cells in a table of 4 columns"):
        read(tmp_path, profiles.LIKWID_TEXT.replace("|     100000 |      -     |", "|     100000 |"))
