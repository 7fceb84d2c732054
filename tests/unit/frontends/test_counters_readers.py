"""Readers of counter profiles: what each format says, and what must be refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from foretell import frontends
from foretell.core.facets.counts import Counts
from foretell.errors import InputError
from foretell.frontends.counters import FORMATS, Launch, detect, read_profile
from foretell.frontends.counters.readers import neutral
from foretell.frontends.counters.readers.lines import Lines
from foretell.frontends.counters.readers.ncu import launches
from tests.support.frontends import profiles
from tests.support.frontends.profile_files import blocks, given, read, values, written
from tests.support.frontends.profiles import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", SAMPLES)
def test_formats_are_told_apart_by_content(name: str, tmp_path: Path) -> None:
    text, expected = SAMPLES[name]
    found = detect(written(tmp_path, text, "x.dat"))
    assert found is not None
    assert found.name == expected
    assert sum(entry.matches(text) for entry in FORMATS) >= 1


@pytest.mark.parametrize("name", SAMPLES)
def test_marks_and_line_ends_do_not_matter(name: str, tmp_path: Path) -> None:
    plain = read(tmp_path, SAMPLES[name][0])
    (tmp_path / "dos").write_bytes(b"\xef\xbb\xbf" + SAMPLES[name][0].replace("\n", "\r\n").encode())
    assert blocks(read_profile([tmp_path / "dos"])) == blocks(plain)
    if not name.endswith("json") and not name.startswith("papi"):
        (tmp_path / "wide").write_text(SAMPLES[name][0], encoding="utf-16")
        assert blocks(read_profile([tmp_path / "wide"])) == blocks(plain)


def test_neutral_csv(tmp_path: Path) -> None:
    workload = read(tmp_path, profiles.NEUTRAL_CSV)
    found = blocks(workload)
    facet = workload.facet(Counts)
    assert (workload.name, facet.machine_name, facet.cores, facet.threads_per_core) == (
        "two-blocks",
        "blue-gene-q",
        16,
        1,
    )
    assert found["dp"].value("time") == 1.25e9
    assert found["dp"].events["instFP"].running == 0.625
    assert found["dp"].events["ST"].source == "estimated"
    assert found["add"].value("time_s") == 0.25
    assert any("multiplexed" in note and "instFP" in note for note in workload.assumptions)
    with pytest.raises(InputError, match=r"instInt .* is not known.*blocks the instruction time"):
        found["add"].value("instInt")


def test_json_is_written_and_read_back(tmp_path: Path) -> None:
    for name in ("foretell-csv", "foretell-json", "perf-csv", "cachegrind", "papi", "vtune"):
        workload = read(tmp_path, SAMPLES[name][0])
        counts = workload.facet(Counts)
        again = read(tmp_path, neutral.write(workload.name, counts, workload.assumptions) + "\n")
        back = again.facet(Counts)
        for old, new in zip(counts.blocks, back.blocks, strict=True):
            assert values(new) == pytest.approx(values(old))
            assert {e: c.source for e, c in new.events.items()} == {e: c.source for e, c in old.events.items()}
            assert dict(new.missing) == dict(old.missing)
        assert again.assumptions == workload.assumptions
        assert (back.cores, back.machine_name, back.tool) == (counts.cores, counts.machine_name, counts.tool)


def test_perf_json(tmp_path: Path) -> None:
    workload = read(tmp_path, profiles.PERF_JSON)
    block = blocks(workload)["program"]
    assert values(block) == {"time_s": 2.0, "cycles": 4e9, "instructions": 8e9}
    assert block.events["cycles"].running == 0.75
    assert "perf counted user code only" in workload.assumptions
    assert "LLC-load-misses is <not supported>" in block.missing["hitsLLC"]


def test_perf_csv_needs_the_cores_for_elapsed_cycles(tmp_path: Path) -> None:
    text = profiles.PERF_CSV.replace("2000000000,ns,duration_time,2000000000,100.00,,\n", "")
    assert "needs the number of cores" in blocks(read(tmp_path, text))["program"].missing["time"]
    block = blocks(read(tmp_path, text, Launch(cores=4)))["program"]
    assert block.value("time") == 1e9
    assert block.events["time"].source == "estimated"
    assert block.value("hitsL1") == 4e9 - 6e7
    assert "the counter never ran" in block.missing["hitsLLC"] or "<not counted>" in block.missing["hitsLLC"]


def test_perf_intervals_add_up_and_decimal_commas_are_understood(tmp_path: Path) -> None:
    block = blocks(read(tmp_path, profiles.PERF_INTERVALS))["program"]
    assert block.value("cycles") == 1500
    assert block.events["cycles"].running == 0.5


def test_perf_counts_of_two_kinds_of_cores_add_up(tmp_path: Path) -> None:
    text = "9000,,cpu_core/instructions/u,64,100.00,,\n1000,,cpu_atom/instructions/u,64,100.00,,\n"
    assert blocks(read(tmp_path, text))["program"].value("instructions") == 10_000
    with pytest.raises(InputError, match="given twice"):
        read(tmp_path, text.replace("atom", "core"))


def test_perf_json_with_a_comma_too_many(tmp_path: Path) -> None:
    fields = '"counter-value" : "3112.0", "unit" : "", "event" : "instructions", "pcnt-running" : 100.00'
    assert blocks(read(tmp_path, f"{{{fields}, }}\n"))["program"].value("instructions") == 3112


def test_perf_csv_of_a_comma_locale_is_refused(tmp_path: Path) -> None:
    broken = profiles.PERF_CSV.replace("22.55,msec", "22,55,msec")
    with pytest.raises(InputError, match=r"not a line of perf|no profile"):
        read(tmp_path, broken)


def test_papi_threads_are_summed_and_times_are_not(tmp_path: Path) -> None:
    block = blocks(read(tmp_path, profiles.PAPI))["computation"]
    assert block.value("instructions") == 2917520595 + 2917520000
    assert block.value("time_s") == pytest.approx(0.9)
    assert block.value("instInt") == 2917520595 + 2917520000 - 20971520 - 20971000


def test_papi_ranks_are_files(tmp_path: Path) -> None:
    files = [written(tmp_path, profiles.PAPI, f"rank_{n:06}.json") for n in range(3)]
    block = blocks(read_profile(files))["computation"]
    assert block.value("instructions") == 3 * (2917520595 + 2917520000)
    assert block.value("time_s") == pytest.approx(0.9)


def test_papi_lists_of_older_versions(tmp_path: Path) -> None:
    text = (
        '{"papi_version": "6.0", "threads": [{"id": "7", "regions": '
        '[{"name": "a", "region_count": "2", "PAPI_TOT_INS": "12"}]}]}'
    )
    assert values(blocks(read(tmp_path, text))["a"]) == {"instructions": 12}


@pytest.mark.parametrize("text", [profiles.LIKWID_CSV, profiles.LIKWID_JSON], ids=["csv", "json"])
def test_likwid(text: str, tmp_path: Path) -> None:
    block = blocks(read(tmp_path, text))["triad"]
    assert block.value("instructions") == 3e6
    assert block.value("cycles") == 1.1e7
    assert "CAS_COUNT_WR" in block.missing["ST"]
    if "STRUCT" in text:
        assert block.value("time_s") == 1.5
        assert block.value("LD") == 700000


def test_a_core_that_was_not_counted_is_not_zero(tmp_path: Path) -> None:
    text = profiles.LIKWID_CSV.replace("FIXC0,1000000,2000000", "FIXC0,1000000,-")
    block = blocks(read(tmp_path, text))["triad"]
    assert "instructions" not in block.events
    assert "thread 1" in block.missing["instInt"]


def test_vtune_prefixes_and_thousands(tmp_path: Path) -> None:
    found = blocks(read(tmp_path, profiles.VTUNE))
    assert values(found["dot<double, 2>"]) == {"instructions": 6.39e9, "cycles": 4.2e9, "loads": 1e9}
    assert found["main"].value("loads") == 1500500
    assert found["main"].events["loads"].source == "sampled"


@pytest.mark.parametrize("name", ["cachegrind", "callgrind"])
def test_valgrind(name: str, tmp_path: Path) -> None:
    text = SAMPLES[name][0]
    program = blocks(read(tmp_path, text))["a.out"]
    expected = {
        "instructions": 350, "loads": 130, "stores": 25, "numAccess": 155, "missesL1": 27, "hitsL1": 128,
        "missesLLC": 14, "hitsLLC": 13, "LD": 14, "ST": 8,
    }  # fmt: skip
    calls = {"parallelRegions": 0} if name == "callgrind" else {}  # cachegrind knows of no call
    assert values(program) == {**expected, **calls}
    assert program.events["ST"].source == "estimated"
    assert program.events["instructions"].source == "simulated"
    functions = blocks(read(tmp_path, text, Launch(whole=False)))
    assert functions["dot"].value("instructions") == 300
    assert functions["main"].value("missesL1") == 11
    assert any("49152 B" in note for note in read(tmp_path, text).assumptions)
    with pytest.raises(InputError, match="summary"):
        read(tmp_path, text.replace("3 100", "3 101"))


def test_callgrind_counts_teams_of_threads(tmp_path: Path) -> None:
    text = SAMPLES["callgrind"][0]
    assert "calls=" in text
    started = re.sub(r"cfn=.*", "cfn=(77) GOMP_parallel@@GOMP_4.0", text, count=1)
    calls = int(re.search(r"calls=(\d+)", text)[1])  # type: ignore[index]
    assert blocks(read(tmp_path, started))["a.out"].value("parallelRegions") == calls
    with pytest.raises(InputError, match="number of calls"):
        read(tmp_path, re.sub(r"calls=\d+", "calls=x", started))


def test_ncu_launches_add_up_and_sections_must_agree(tmp_path: Path) -> None:
    block = blocks(read(tmp_path, profiles.NCU_DETAILS))["void copy<4, 2>(float *)"]
    assert block.value("time_s") == pytest.approx(1171.5e-6 + 2.25e-3)
    assert block.value("instructions") == 2595520 + 1000
    contradictory = profiles.NCU_DETAILS.replace(
        '"Occupancy","Duration","us","1,171.50"', '"Occupancy","Duration","us","9.5"'
    )
    with pytest.raises(InputError, match="Duration of this launch"):
        read(tmp_path, contradictory)


def test_ncu_for_the_gpu_front_end(tmp_path: Path) -> None:
    found = list(launches(Lines(written(tmp_path, profiles.NCU_RAW))))
    assert [launch.identity for launch in found] == ["0", "1"]
    assert found[0].metrics["gpu__time_duration.sum"] == (pytest.approx(117.344e-6), "s")
    assert found[0].texts == {"launch__func_cache_config": "CachePreferNone"}
    assert (found[0].block, found[0].grid) == ("(256, 1, 1)", "(128, 1, 1)")


def test_ncu_numbers_of_another_locale(tmp_path: Path) -> None:
    found = next(launches(Lines(written(tmp_path, profiles.NCU_LOCALE))))
    assert found.metrics["dram__bytes.sum"] == (27595520, "byte")
    assert found.metrics["gpu__time_duration.sum"][0] == pytest.approx(117344e-9)
    assert found.metrics["sm__throughput.avg.pct"] == (65.77, "%")


def test_ambiguous_numbers_are_refused_unless_the_user_decides(tmp_path: Path) -> None:
    lines = [line for line in profiles.NCU_LOCALE.splitlines() if "27.595" not in line and "65,77" not in line]
    text = "\n".join(lines) + "\n"
    with pytest.raises(InputError, match=r"'117.344' is ambiguous"):
        read(tmp_path, text)
    assert blocks(read(tmp_path, text, Launch(decimal=",")))["sgemm"].value("time_s") == pytest.approx(117344e-9)
    assert blocks(read(tmp_path, text, Launch(decimal=".")))["sgemm"].value("time_s") == pytest.approx(117.344e-9)


def test_numbers_of_two_locales_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two locales"):
        read(tmp_path, profiles.NCU_LOCALE.replace("65,77", "65.7"))


def test_rocprof_times_count_once_a_dispatch(tmp_path: Path) -> None:
    block = next(iter(blocks(read(tmp_path, profiles.ROCPROF)).values()))
    assert block.value("time_s") == pytest.approx(10240e-9 + 9800e-9)
    assert block.value("instructions") == 300000


def test_hpm_is_marked_unverified(tmp_path: Path) -> None:
    workload = read(tmp_path, profiles.HPM)
    assert values(blocks(workload)["program"])["instInt"] == 2e9 - 1.5e8
    assert "unverified" in workload.assumptions[0]


def test_events_that_contradict_each_other_are_named(tmp_path: Path) -> None:
    text = "region,event,value\na,instructions,10\na,instFP,11\n"
    block = blocks(read(tmp_path, text))["a"]
    assert "instInt" not in block.events
    assert "contradict" in block.missing["instInt"]


def test_an_event_given_twice_is_a_contradiction(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="given twice, as 10 and 11"):
        read(tmp_path, "region,event,value\na,LD,10\na,LD,11\n")
    assert blocks(read(tmp_path, "region,event,value\na,LD,10\na,LD,10\n"))["a"].value("LD") == 10


def test_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    text = "region;event;value;unit\na;time_s;1,5;s\na;LD;27.595.520;\n"
    assert values(blocks(read(tmp_path, text))["a"]) == {"time_s": 1.5, "LD": 27595520}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a,LD,-3,", "no count"),
        ("a,LD,nan,", "not a number"),
        ("a,LD,1e999,", "not a finite number"),
        ("a,LD,12x,", "not a number"),
        ("a,instInts,12,", "did you mean 'instInt'"),
        ("a,time,3,s", "time_s is elapsed seconds"),
        ("a,time_s,3,KB", "unknown unit"),
        (",LD,3,", "no region"),
        ("a,LD,3", "3 columns instead of 4"),
        ('a,"LD,3,', "not valid CSV"),
        ("a,LD,3,\na,ST,1,", "no end: the file is cut off"),
    ],
)  # fmt: skip
def test_wrong_rows_are_refused_with_their_line(line: str, message: str, tmp_path: Path) -> None:
    text = f"region,event,value,unit\n{line}" + ("" if "cut off" in message else "\n")
    with pytest.raises(InputError, match=message) as caught:
        read(tmp_path, text)
    assert caught.value.line in (2, 3)


def test_given_events_fill_gaps(tmp_path: Path) -> None:
    workload = read(tmp_path, profiles.CACHEGRIND, given({("", "time_s"): 0.5, ("a.out", "instFP"): 50.0}))
    block = blocks(workload)["a.out"]
    assert (block.value("time_s"), block.value("instInt")) == (0.5, 300)
    assert block.events["time_s"].source == "given"
    with pytest.raises(InputError, match="for no region"):
        read(tmp_path, profiles.NEUTRAL_CSV, given({("", "ST"): 1.0}))
    with pytest.raises(InputError, match=r"no region 'dpp' .did you mean 'dp'"):
        read(tmp_path, profiles.NEUTRAL_CSV, given({("dpp", "ST"): 1.0}))


def test_files_of_two_formats_are_not_one_run(tmp_path: Path) -> None:
    files = [written(tmp_path, profiles.PAPI, "a"), written(tmp_path, profiles.HPM, "b")]
    with pytest.raises(InputError, match="several formats"):
        read_profile(files)


def test_what_is_no_profile(tmp_path: Path) -> None:
    for text in ("1.0,apples,pears,3,4\n", "7;red;round;1;2;3\n", '{"a": [1, 2]}\n', "region,value\na,1\n"):
        assert detect(written(tmp_path, text)) is None, text
    with pytest.raises(InputError, match="no such file"):
        read_profile([tmp_path / "absent"])
    with pytest.raises(InputError, match="not a regular file"):
        read_profile([tmp_path])
    with pytest.raises(InputError, match="no profile that foretell knows"):
        read(tmp_path, "int main() { return 0; }\n")
    (tmp_path / "x.bin").write_bytes(bytes(range(256)))
    with pytest.raises(InputError, match="no front end"):
        frontends.read(tmp_path / "x.bin")
