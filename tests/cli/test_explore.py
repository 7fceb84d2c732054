"""`foretell explore` as a user runs it: answers in every form, wrong input with one clear message."""

from __future__ import annotations

import csv
import io
import json
import sys
from typing import TYPE_CHECKING

import jsonschema
import pytest

from tests.support import schema
from tests.support.cli import refused, run
from tests.support.explore import GOOD, big, write

if TYPE_CHECKING:
    from pathlib import Path

WITH_TRADEOFF = GOOD + '[tradeoff]\nbetween = ["cores", "bw"]\nkeep = "cores*bw"\ntotal = 3072\n'


@pytest.fixture
def space(tmp_path: Path) -> Path:
    return write(tmp_path, WITH_TRADEOFF)


def test_table_names_what_matters(space: Path) -> None:
    out = run("explore", space).out
    for text in ("84 designs around sw26010", "fastest design for each", "no other one beats in time, area, power",
                 "is the baseline balanced?", "bw alone", "cores*bw = 3072", "assumed: core_mm2"):  # fmt: skip
        assert text in out


def test_json_follows_its_schema(space: Path) -> None:
    document = json.loads(run("explore", space, "--format", "json").out)
    schema.check(document, "explore")
    assert document["points"] == 84
    assert document["applications"][1] == {"name": "n_body", "weight": 3.0, "model": "sunway 4"}
    assert document["tradeoff"]["rows"][0]["is_baseline"]
    document["front"][0]["number"] = "first"
    with pytest.raises(jsonschema.ValidationError):
        schema.check(document, "explore")


def test_csv_has_a_row_for_each_design_of_the_front(space: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("explore", space, "--format", "csv").out)))
    document = json.loads(run("explore", space, "--format", "json").out)
    assert [int(row["point"]) for row in rows] == [design["number"] for design in document["front"]]
    assert float(rows[0]["time_s"]) == document["front"][0]["objectives"]["time"]
    assert float(rows[0]["memory.bandwidth"]) == document["front"][0]["parameters"]["memory.bandwidth"]


@pytest.mark.parametrize(
    ("objectives", "ending"), [('["time", "area", "power"]', "png"), ('["time", "area"]', "svg"), ('["time"]', "png")]
)
def test_plots(tmp_path: Path, objectives: str, ending: str) -> None:
    path = write(tmp_path, WITH_TRADEOFF.replace('["time", "area", "power"]', objectives))
    target = tmp_path / f"plot.{ending}"
    assert run("explore", path, "--plot", target).code == 0
    assert target.stat().st_size > 5000


def test_nothing_to_draw_says_so(tmp_path: Path) -> None:
    text = 'machine = "sw26010"\n[[application]]\ncode = "example:vector-add"\n[axes]\nrows = [1, 2]\n'
    assert "nothing to draw" in refused("explore", write(tmp_path, text), "--plot", tmp_path / "p.png")


def test_machine_set_mode_and_option(space: Path) -> None:
    plain = json.loads(run("explore", space, "--format", "json").out)
    faster = json.loads(run("explore", space, "--set", "memory.delta_delay=5cycle", "--format", "json").out)
    paper = json.loads(run("explore", space, "--mode", "paper", "--format", "json").out)
    other = json.loads(run("explore", space, "--option", "mrp_rounding=none", "--format", "json").out)
    chip = json.loads(run("explore", space, "--on", "sw26010-chip", "--format", "json").out)
    assert len({document["key"] for document in (plain, faster, paper, other, chip)}) == 5
    assert chip["machine"] == "sw26010-chip"


def test_shards_and_merge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, big(200_000))
    whole = run("explore", path, "--format", "json").out
    for part in ("1/2", "2/2"):
        assert "of the space" in run("explore", path, "--shard", part).out
    journals = sorted(tmp_path.glob("*.journal"))
    assert [journal.name for journal in journals] == ["space.shard-1-of-2.journal", "space.shard-2-of-2.journal"]
    assert run("explore", "--merge", *journals, "--format", "json").out == whole
    moved = path.rename(tmp_path / "moved.toml")
    assert "no such file" in refused("explore", "--merge", *journals)
    again = json.loads(run("explore", "--merge", moved, *journals, "--format", "json").out)
    assert {**again, "name": ""} == {**json.loads(whole), "name": ""}
    error = refused("explore", "--merge", moved, journals[0])
    assert "blocks are in none" in error
    assert "run --shard 2/2 (again)" in error
    moved.write_text(big(200_001))
    assert "has changed since" in refused("explore", "--merge", moved, *journals)
    assert "needs journals" in refused("explore", "--merge", moved, code=2)
    assert "not a journal" in refused("explore", "--merge", write(tmp_path, "x = 1\n", "x.txt"))


def test_journal_and_fresh(tmp_path: Path) -> None:
    path, journal = write(tmp_path, big(100_000)), tmp_path / "j"
    first = run("explore", path, "--journal", journal, "--format", "json").out
    size = journal.stat().st_size
    assert run("explore", path, "--journal", journal, "--format", "json").out == first
    assert journal.stat().st_size == size
    path.write_text(big(100_000).replace("seed = 3", "seed = 5"))
    assert "journal of another exploration" in refused("explore", path, "--journal", journal)
    assert run("explore", path, "--journal", journal, "--fresh").code == 0


def test_a_large_space_gets_a_journal_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.cli import explore

    monkeypatch.setattr(explore, "_JOURNAL_POINTS", 1000)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = write(tmp_path, big(70_000))
    assert run("explore", path).code == 0
    folder = tmp_path / "cache" / "foretell" / "explore"
    assert folder.is_dir()
    assert list(folder.iterdir()) == []  # done: nothing is left to continue


def test_progress_only_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import contextlib

    from foretell.cli.explore import command

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    path = write(tmp_path, big(200_000))
    assert run("explore", path).err == ""
    screen = Terminal()
    with contextlib.redirect_stdout(io.StringIO()):
        monkeypatch.setattr(sys, "stderr", screen)
        command([str(path)], standalone_mode=False)
    assert "200000/200000" in screen.getvalue()
    assert "0:00:00" in screen.getvalue()


WRONG = [
    ('machine = "sw26010"', 'machine = "sw26011"', "did you mean 'sw26010'?"),
    ("cores = [64, 96, 128]", "coers = [64]", "did you mean 'cores'?"),
    ('"clock.frequency" =', '"clock.frequencies" =', "did you mean 'clock.frequency'?"),
    ('"clock.frequency" = [', '"level.L2.size" = [', "expected B"),
    ("rows = [1, 2]", "row = [1, 2]", "did you mean 'rows'?"),
    ("rows = [1, 2]", "rows = []", "space.toml:14: axes.rows: the space is empty"),
    ("rows = [1, 2]", "rows = [1, 1]", "appears twice"),
    ("rows = [1, 2]", 'rows = "1:2:0"', "is not a range"),
    ("rows = [1, 2]", 'rows = "4:1:1"', "is not a range"),
    ("rows = [1, 2]", "rows = [1, nan]", "finite number"),
    ("rows = [1, 2]", "rows = true", "must be a number"),
    ("rows = [1, 2]", 'rows = ["1 GB"]', "expected a pure number"),
    ("rows = [1, 2]", "rows = { from = 1, to = 2 }", "can only be sampled"),
    ("rows = [1, 2]", "rows = { from = 2, to = 1, count = 2 }", "from is not below to"),
    ("rows = [1, 2]", 'rows = { from = 0, to = 2, count = 3, scale = "log" }', "positive from"),
    ("rows = [1, 2]", "rows = { values = [1], times = [2] }", "give one of values"),
    ("rows = [1, 2]", "rows = { valeus = [1] }", "did you mean 'values'?"),
    ("rows = [1, 2]", "rows = [0.5]", "whole number"),
    ("cores = [64, 96, 128]", "cores = [64, 96.5]", "96.5 is not a whole number"),
    ("cores = [64, 96, 128]", "cores = [64, -1]", "not positive"),
    ("cores = [64, 96, 128]", 'cores = [64]\n"cores.count" = [64]', "is on two axes"),
    ("cores = [64, 96, 128]", "cores = [8, 16]", "64 cores asked for"),
    ('["1.2 GHz", "1.45 GHz"]', '["1.2 GHz", "1450 MHz", "1.3 GHz"]', "neither rise nor fall"),
    ('["1.2 GHz", "1.45 GHz"]', '["1.2 GHz", "1.45 GB"]', "is in B"),
    ('["1.2 GHz", "1.45 GHz"]', "[1.2]", "in no unit"),
    ('unit = "GB/s"', 'unit = "GB"', "is in B/s or B/cycle, not in GB"),
    ('unit = "GB/s"', 'unit = "GBs"', "unknown unit"),
    ('path = "memory.bandwidth"', 'path = "memory.bandwith"', "did you mean 'memory.bandwidth'?"),
    ('"cores.per_group" = "cores"', '"cores.per_group" = "cors"', "'cors' in 'cors' is not known"),
    ('"cores.per_group" = "cores"', '"cores.per_group" = "time"', "cannot follow the time"),
    ('"cores.per_group" = "cores"', '"cores.per_group" = "cores - 96"', "not positive at some points"),
    ('"cores.per_group" = "cores"', '"memory.bandwidth" = "cores"', "is an axis itself"),
    ("cores*bw <= 6000", "cores*bw <= 1", "exclude all 84 designs"),
    ("cores*bw <= 6000", "time <= 0", "exclude all 84 designs"),
    ("cores*bw <= 6000", "coers <= 1", "did you mean 'cores'?"),
    ("cores*bw <= 6000", "cores <=", "not an arithmetic expression"),
    ("[objectives]", '[figures]\narea = "1/(cores - 64)"\n[objectives]', "is not a finite real number"),
    ("rows = [1, 2]", "rows = [1]\nmemory.latency = [3]", "in no unit"),
    ("rows = [1, 2]", "rows = [1]\nmemory.latencies = ['3 cycle']", "did you mean 'memory.latency'?"),
    ('["time", "area", "power"]', '["tiem"]', "did you mean 'time'?"),
    ('["time", "area", "power"]', '["time", "time"]', "different objectives"),
    ('["time", "area", "power"]', '["time", "cost"]', "'cost_per_mm2'"),
    ('["time", "area", "power"]', '"time"', "must be a list"),
    ("weight = 3", "weight = 0", "must be positive"),
    ("weight = 3", 'weight = 3\nname = "vector_add"', "two are called 'vector_add'"),
    ("weight = 3", "weight = 3\nparameters = { N = 3 }", "has no parameter 'N'"),
    ('code = "example:n-body"', 'code = "nowhere.toml"', "no such file"),
    ("[objectives]", '[objectives]\nseed = "big"', "no seed 'big'"),
    ("[objectives]", "[objectives]\ntop = 0", "whole number from 1"),
    ("[objectives]", '[sample]\nmethod = "sobol"\n[objectives]', "sample.points: is missing"),
    ("[objectives]", '[sample]\npoints = 4\ngrid = ["row"]\n[objectives]', "did you mean 'rows'?"),
    ("[objectives]", "[surprise]\n[objectives]", "surprise: unknown key"),
    ("[objectives]", '[tradeoff]\nbetween = ["cores", "bw"]\nkeep = "cores"\ntotal = 7\n[objectives]', "no pair"),
    ("[objectives]", '[tradeoff]\nbetween = ["cores", "rows"]\nkeep = "cores"\ntotal = 7\n[objectives]', "not a param"),
    ('machine = "sw26010"', 'machine = "sw26010"\nmode = "papr"', "did you mean 'paper'?"),
    ('[[application]]\ncode = "example:n-body"\nweight = 3', "[application.x]", "application.x: unknown key"),
    ('cores = "cores.count"', '"a b" = "cores.count"', "is not a name"),
    ('cores = "cores.count"', 'cores = { unit = "" }', "has no path"),
    ('cores = "cores.count"', "cores = 3", "must be a path"),
    ("rows = [1, 2]", 'rows = "1:2:3:4"', "is not first:last:step"),
    ("rows = [1, 2]", 'rows = "a:b"', "is not a number"),
    ("rows = [1, 2]", "rows = { from = 1 }", "from needs to"),
    ("rows = [1, 2]", 'rows = { from = 1, to = 2, scale = "lgo" }', "is not linear or log"),
    ("rows = [1, 2]", "rows = { from = 1, to = 2, step = 1, count = 2 }", "neither count nor"),
    ("rows = [1, 2]", "rows = { from = 1, to = 2, step = -1 }", "is not a range"),
    ("rows = [1, 2]", "rows = { times = [] }", "the space is empty"),
    ("[objectives]", '[sample]\nmethod = "sobl"\npoints = 3\n[objectives]', "is not sobol or random"),
    (
        "[objectives]",
        '[sample]\npoints = 3\ngrid = ["rows", "bw", "cores", "clock.frequency"]\n[objectives]',
        "nothing is left to sample",
    ),
    ("[objectives]", '[coefficients]\n"a b" = 3\n[objectives]', "is not a name"),
    ("[objectives]", "[figures]\ntime = 3\n[objectives]", "not a name that a figure can have"),
    ("[objectives]", '[tradeoff]\nbetween = ["cores"]\n[objectives]', "must name two axes"),
    ("[objectives]", '[tradeoff]\nbetween = ["cores", "bw"]\n[objectives]', "keep: is missing"),
    ("[objectives]", '[tradeoff]\nbetween = ["cores", "b"]\nkeep = 1\ntotal = 1\n[objectives]', "is not an axis"),
    ("[objectives]", '[tradeoff]\nbetween = ["cores", "bw"]\nkeep = "x"\ntotal = 1\n[objectives]', "is not known"),
    ("[objectives]", '[tradeoff]\nbetween = ["cores", "bw"]\nkeep = "time"\ntotal = 1\n[objectives]', "be a time"),
    (
        "[objectives]",
        '[tradeoff]\nbetween = ["cores", "bw"]\nkeep = "cores*bw"\ntotal = 3072\n'
        'set = { "level.L2.size" = "1 MiB" }\n[objectives]',
        "has no level.L2.size",
    ),
    (
        "[objectives]",
        '[tradeoff]\nbetween = ["cores", "bw"]\nkeep = "cores*bw"\ntotal = 3072\n'
        'set = { "memory.latency" = "1 ns" }\n[objectives]',
        "the machine gives it in cycle",
    ),
    ("[follow]", '[follow]\n"level.L2.size" = "cores"', "has no level.L2.size"),
    ('["time", "area", "power"]', '["2*time"]', "is not a name"),
    ('"clock.frequency" = ["1.2 GHz", "1.45 GHz"]', '"memory.latency" = ["100 ns"]', "gives it in cycle"),
    ('"clock.frequency" = ["1.2 GHz", "1.45 GHz"]', '"level.L2.size" = ["1 MiB"]', "has no level.L2.size"),
    ("[objectives]", '[scaling]\nparameters = ["cor"]\n[objectives]', "unknown parameter 'cor'"),
]


def test_the_good_one_is_good(tmp_path: Path) -> None:
    assert run("explore", write(tmp_path)).code == 0


@pytest.mark.parametrize(("old", "new", "message"), WRONG, ids=[message for *_, message in WRONG])
def test_wrong_space_files(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    error = refused("explore", write(tmp_path, GOOD.replace(old, new)))
    assert message in error
    assert len(error.splitlines()) <= 3


def test_nothing_can_run(tmp_path: Path) -> None:
    text = GOOD.replace("rows = [1, 2]", "rows = [64, 128]")
    assert "no design can run: 84 of 84" in refused("explore", write(tmp_path, text.replace("6000", "9000")))


def test_an_impossible_constraint_is_refused_before_a_large_space_is_looked_at(tmp_path: Path) -> None:
    large = GOOD.replace("[64, 96, 128]", "{ from = 64, to = 4000, step = 1 }").replace(
        "step = 8 }", "count = 100000 }"
    )
    alone = refused("explore", write(tmp_path, large.replace("cores*bw <= 6000", "bw < 10")))
    assert "exclude all" in alone
    both = large.replace('["cores*bw <= 6000"]', '["cores <= 70", "cores > 80"]')
    assert "constraints: cores <= 70; cores > 80" in refused("explore", write(tmp_path, both))


def test_sizes_that_only_an_axis_gives(tmp_path: Path) -> None:
    """They are whole in a sample, a step of zero is a design that cannot run, and the baseline takes the first."""
    (tmp_path / "strided.c").write_text("void f(int n, int s, double *a) { for (int i = 0; i < n; i += s) a[i] += 1; }")
    text = """machine = "sapphire-rapids"
[[application]]
code = "strided.c"
[axes]
n = { from = 1000, to = 9000 }
s = [2, 0]
"level.L2.size" = { times = [1, 2] }
[sample]
method = "sobol"
points = 8
grid = ["s"]
"""
    document = json.loads(run("explore", write(tmp_path, text), "--format", "json").out)
    assert document["points"] == 16
    assert document["infeasible"] == 8
    assert all(design["parameters"]["n"] % 1 == 0 for design in document["top"])
    assert document["baseline"]["parameters"]["n"] == 1000
    assert "the baseline of strided has s = 2, the first of its axis" in document["assumptions"]
    assert all(verdict["balance"] != "no effect known" for verdict in document["verdicts"])


def test_an_axis_with_a_unit_that_is_no_parameter(tmp_path: Path) -> None:
    text = GOOD.replace("rows = [1, 2]", 'bandwith = ["32 GB/s"]')
    assert '[names] bandwith = "…"' in refused("explore", write(tmp_path, text))


def test_usage_errors(tmp_path: Path) -> None:
    path = write(tmp_path)
    assert "one SPACE file" in refused("explore", path, path, code=2)
    assert "I from 1 to N" in refused("explore", path, "--shard", "3/2", code=2)
    assert "one --on" in refused("explore", path, "--on", "a", "--on", "b", code=2)
    assert "no such file" in refused("explore", tmp_path / "no.toml")
    assert "is a directory" in refused("explore", tmp_path)
