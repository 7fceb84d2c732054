"""Every command from end to end, in every format."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from importlib import resources
from typing import TYPE_CHECKING

import pytest

from tests.support.cli import refused, run

if TYPE_CHECKING:
    from pathlib import Path

VECTOR_ADD = ("example:vector-add", "--on", "sw26010")
COMMANDS = [
    ("predict", *VECTOR_ADD),
    ("predict", *VECTOR_ADD, "-D", "N=256:1024:256"),
    ("why", *VECTOR_ADD),
    ("rank", "example:vector-add"),
    ("describe", "example:vector-add"),
    ("describe", "example:stencil7.c"),
    ("describe", "example:stencil7.f90", "-D", "n=100"),
    ("machines", "list"),
    ("machines", "show", "sw26010-chip"),
    ("machines", "diff", "sw26010", "sw26010-chip"),
    ("validate", "sunway-nbody"),
    ("tune", "example:hotspot.c", "--on", "sw26010", "-D", "n=200", "-D", "m=256", "--axis", "tile_j=0"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_writes_every_format(command: tuple[str, ...]) -> None:
    table = run(*command)
    assert (table.code, table.err) == (0, "")
    assert table.out.strip()
    assert run(*command, "--format", "json").json()["schema_version"] == 1
    rows = list(csv.DictReader(io.StringIO(run(*command, "--format", "csv").out)))
    assert rows
    assert all(None not in row for row in rows)


def test_predict_json_is_the_vector_addition_of_the_paper() -> None:
    document = run("predict", *VECTOR_ADD, "--option", "overlap=virtual_groups", "--format", "json").json()
    assert document["time_s"] == pytest.approx(786.432e-6, rel=1e-12)
    assert document["bottleneck"] == {"bound": "memory bandwidth", "resource": "memory", "limit": "throughput"}
    assert sum(part["time_s"] for part in document["parts"]) == pytest.approx(document["time_s"])
    assert document["parameters"] == {"N": 1024, "rows": 1}


def test_predict_over_ranges_and_machines() -> None:
    result = run("predict", *VECTOR_ADD, "--on", "sw26010-chip", "-D", "N=256,512", "--format", "json")
    predictions = result.json()["predictions"]
    assert [(p["machine"], p["parameters"]["N"]) for p in predictions] == [
        ("sw26010", 256),
        ("sw26010", 512),
        ("sw26010-chip", 256),
        ("sw26010-chip", 512),
    ]


def test_a_point_that_cannot_run_does_not_hide_the_others() -> None:
    document = run("predict", *VECTOR_ADD, "-D", "rows=1,2,4", "--format", "json").json()
    assert [p["parameters"]["rows"] for p in document["predictions"]] == [1, 2]
    assert [entry["name"] for entry in document["refused"]] == ["sw26010 rows=4"]
    assert "scratchpad" in document["refused"][0]["reason"]
    assert "not predicted" in run("predict", *VECTOR_ADD, "-D", "rows=1,2,4").out
    assert "none of 2 points" in refused("predict", *VECTOR_ADD, "-D", "rows=4,8")


def test_set_changes_the_machine_and_its_hash() -> None:
    code = (*VECTOR_ADD, "--option", "overlap=virtual_groups", "--format", "json")  # whose time is all bandwidth
    usual = run("predict", *code).json()
    doubled = run("predict", *code, "--set", "memory.bandwidth=64GB/s").json()
    assert doubled["time_s"] == pytest.approx(usual["time_s"] / 2)
    assert doubled["machine_hash"] != usual["machine_hash"]


def test_paper_mode_and_options_reach_the_model() -> None:
    literal = run("predict", *VECTOR_ADD, "--mode", "paper", "--format", "json").json()
    assert literal["mode"] == "paper"
    assert literal["options"]["latency_floor"] == "base"
    unrounded = run("predict", *VECTOR_ADD, "--option", "mrp_rounding=none", "--format", "json").json()
    assert unrounded["details"]["DMA"]["MRP"] == pytest.approx(2570 / (11.6 * 48))


def test_rank_puts_the_whole_chip_first_and_says_why_others_are_out() -> None:
    document = run("rank", "example:vector-add", "--format", "json").json()
    assert [p["machine"] for p in document["predictions"]] == ["sw26010-chip", "sw26010"]
    assert all("lacks what model sunway needs" in entry["reason"] for entry in document["refused"])


def test_machines_check_names_problems(tmp_path: Path) -> None:
    good = run("machines", "check", "sw26010")
    assert good.code == 0
    assert "SW-15" in good.err  # an accepted conflict is a warning that cites the decision
    bad = tmp_path / "bad.toml"
    bad.write_text('name = "bad"\nbase = "sw26010"\nsource = "table"\n[cores]\ncount = 63\n')
    assert "counts" in refused("machines", "check", bad, code=4)
    assert "counts" in refused("predict", "example:vector-add", "--on", bad)


def test_a_file_of_the_user_works_where_a_name_does(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('name = "mine"\nbase = "sw26010"\nsource = "table"\n[memory]\nbandwidth = "64 GB/s"\n')
    groups = ("--option", "overlap=virtual_groups")  # whose time is all bandwidth
    document = run("predict", "example:vector-add", "--on", mine, *groups, "--format", "json").json()
    assert document["time_s"] == pytest.approx(786.432e-6 / 2)
    assert "64 GB/s" in run("machines", "diff", "sw26010", mine).out


def test_validate_lists_and_can_fail(tmp_path: Path) -> None:
    assert "sunway-nbody" in run("validate").out.split()
    assert run("validate", "sunway-nbody", "--fail-above", "0.2").code == 0
    failed = run("validate", "sunway-nbody", "--fail-above", "0.001")
    assert failed.code == 4
    assert "exceeds" in failed.err
    for ending in ("png", "svg"):
        target = tmp_path / f"scatter.{ending}"
        assert run("validate", "sunway-nbody", "--plot", target).code == 0
        assert target.stat().st_size > 1000


def test_why_plots(tmp_path: Path) -> None:
    target = tmp_path / "why.png"
    assert run("why", "example:n-body", "--on", "sw26010", "--plot", target).code == 0
    assert target.read_bytes().startswith(b"\x89PNG")
    assert "ends in" in refused("why", *VECTOR_ADD, "--plot", tmp_path / "why.txt")
    assert "cannot be written" in refused("why", *VECTOR_ADD, "--plot", tmp_path / "no" / "why.png")


def test_help_and_version() -> None:
    text = run("--help").out
    assert all(name in text for name in ("predict", "why", "rank", "describe", "machines", "validate"))
    assert run("--version").out.startswith("foretell")
    assert run("predict", "--help").code == 0


def test_color_only_where_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.cli import common

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert common.color()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not common.color()
    from rich.text import Text

    from foretell.report import text

    assert "\x1b[" in text.render(Text("bold", style="bold"), color=True)
    assert "\x1b[" not in text.render(Text("bold", style="bold"), color=False)


def test_as_a_process_with_a_reader_that_stops_early() -> None:
    command = f"{sys.executable} -m foretell predict example:vector-add --on sw26010 -D N=1:5000 --format csv | head -2"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.startswith("workload,")
    assert done.stderr == ""


def test_the_library_as_csv_is_its_table() -> None:
    rows = list(csv.DictReader(io.StringIO(run("machines", "list", "--format", "csv").out)))
    assert list(rows[0]) == ["name", "kind", "cores", "clock_Hz", "memory_bandwidth_B_per_s", "title"]
    zen4 = next(row for row in rows if row["name"] == "zen4")
    assert (zen4["cores"], zen4["clock_Hz"]) == ("96", "2400000000")


def test_help_does_not_import_what_it_does_not_need() -> None:
    code = "import sys, foretell.cli as c\ntry: c.main()\nexcept SystemExit: pass\nprint(sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True, env={**os.environ}
    )
    loaded = done.stdout.splitlines()[-1]
    assert not any(
        f"'{name}'" in loaded for name in ("numpy", "rich", "matplotlib", "foretell._core", "foretell.models")
    )


def test_describe_gives_the_same_nest_for_both_languages() -> None:
    written = [run("describe", f"example:stencil7.{ending}", "--xml").out for ending in ("c", "f90")]
    bodies = [re.sub(r' (file|line|language)="[^"]*"', "", text) for text in written]
    assert bodies[0] == bodies[1]
    assert bodies[0].count("<access") == 8


def test_describe_shows_one_function(tmp_path: Path) -> None:
    file = tmp_path / "two.c"
    loop = "(int n, double *a) { for (int i = 0; i < n; i++) a[i]++; }"
    file.write_text(f"void f{loop}\nvoid g{loop}\n")
    nests = run("describe", str(file), "--function", "g", "--format", "json").json()["nests"]
    assert [nest["function"] for nest in nests] == ["g"]
    assert "functions with loops: f, g" in refused("describe", str(file), "--function", "h")


def test_describe_puts_numbers_in(tmp_path: Path) -> None:
    document = run("describe", "example:stencil7.c", "-D", "n=100", "--format", "json").json()
    nest = document["nests"][0]
    assert (nest["status"], nest["trips"], nest["flops"]["add"]) == ("exact", 98**3, 6)
    assert document["summary"]["exact"] == 1
    macro = tmp_path / "macro.c"
    macro.write_text("double a[N];\nvoid f(void) { for (int i = 0; i < N; i++) a[i] = 0; }\n")
    document = run("describe", macro, "-D", "N=64", "--format", "json").json()
    assert document["nests"][0]["trips"] == 64  # N is declared nowhere: it is for the preprocessor


def test_describe_reads_folders_and_databases(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.c").write_text(
            f"#ifdef TWICE\n#define N 20\n#else\n#define N 10\n#endif\n"
            f"void {name}(double *a) {{ for (int i = 0; i < N; i++) a[i] = 0; }}\n"
        )
    folder = run("describe", tmp_path, "--format", "json").json()
    assert [nest["trips"] for nest in folder["nests"]] == [10, 10]
    database = tmp_path / "compile_commands.json"
    database.write_text(
        json.dumps([{"directory": str(tmp_path), "file": "two.c", "arguments": ["cc", "-DTWICE", "-c", "two.c"]}])
    )
    commands = run("describe", database, "--format", "json").json()
    assert [nest["trips"] for nest in commands["nests"]] == [20]
    database.write_text("[]")
    assert "names no C or Fortran source" in refused("describe", database)


def test_describe_says_what_loops_allow(tmp_path: Path) -> None:
    path = tmp_path / "k.c"
    path.write_text(
        "void f(int n, double *a, double *b, double *s) {\n"
        "  for (int i = 0; i < n; i++) a[i] = 2 * b[i];\n"
        "  for (int i = 1; i < n; i++) a[i] = a[i - 1] + b[i];\n"
        "  for (int i = 0; i < n; i++) s[0] += b[i];\n"
        "}\n"
    )
    nests = run("describe", path, "-D", "n=100", "--format", "json").json()["nests"]
    assert [nest["verdicts"][0]["verdict"] for nest in nests] == ["parallel", "sequential", "reduction"]
    assert nests[1]["dependences"][0]["distance"] == ["1"]
    assert nests[0]["distinct_elements"] == {"a": 100, "b": 100}
    assert nests[0]["distinct_lines"] == {"a": 13, "b": 13}
    text = run("describe", path, "-D", "n=100").out
    assert "parallel" in text
    assert "100 different elements, 13 lines" in text


def test_describe_refuses_with_the_way_out(tmp_path: Path) -> None:
    assert "no file uses this name" in refused("describe", "example:stencil7.c", "-D", "q=3")
    assert "whole number" in refused("describe", "example:stencil7.c", "-D", "n=1.5")
    assert "is a number" in refused("describe", "example:stencil7.c", "-D", "n=x")
    assert "holds no C or Fortran source" in refused("describe", tmp_path)
    cpp = tmp_path / "k.cpp"
    cpp.write_text("int main() {}")
    assert "--trace" in refused("describe", cpp)
    assert "model sunway needs Offload" in refused(
        "predict", "example:stencil7.c", "--on", "sw26010", "--model", "sunway"
    )


def test_stdout_holds_only_data() -> None:
    result = run("machines", "check", "sw26010")
    assert "warning" not in result.out
    json.loads(run("machines", "show", "sw26010", "--format", "json").out)


def test_tune_emits_draws_and_continues(tmp_path: Path) -> None:
    command = ("tune", "example:hotspot.c", "--on", "sw26010", "-D", "n=200", "-D", "m=256", "--axis", "tile_j=0",
               "--axis", "unroll_j=1,4", "--strategy", "hybrid", "--budget", "2")  # fmt: skip
    emitted, picture, journal = tmp_path / "tuned.c", tmp_path / "t.svg", tmp_path / "j"
    first = run(*command, "--emit", str(emitted), "--plot", str(picture), "--journal", str(journal), "--format", "json")
    assert first.json()["resumed"] == 0
    assert picture.exists()
    best = first.json()["best"]["parameters"]
    again = run("predict", str(emitted), "--on", "sw26010", "-D", "n=200", "-D", "m=256", "--format", "json").json()
    assert {name: again["parameters"][name] for name in best} == best
    second = run(*command, "--journal", str(journal), "--format", "json").json()
    assert second["resumed"] == 3  # two variants and the code as it is
    assert "one --on" in refused(*command, "--on", "sw26010-chip", code=2)
    assert "cannot be written" in refused(*command, "--emit", str(tmp_path / "no" / "where.c"))
    assert "nothing to tune" in refused("tune", "example:n-body", "--on", "sw26010")
    own = run("tune", "example:n-body", "--on", "sw26010", "--axis", "buffer_KiB=8,16,32,64")
    assert own.code == 0


def test_a_function_of_a_cpu_source_with_what_it_calls(tmp_path: Path) -> None:
    file = tmp_path / "two.c"
    file.write_text(
        """void leaf(int n, double *a) { for (int i = 0; i < n; i++) a[i] += 1; }
        void twice(int n, double *a, double *b) { leaf(n, a); leaf(n, b); }
        void alone(int m, double *a) {
          for (int i = 0; i < m; i++) a[i] *= 2;
          for (int i = 0; i < m; i++) a[i] += 2; }"""
    )

    def time_of(kernel: str, size: str) -> float:
        got = run("predict", str(file), "--on", "neoverse-n1", "--kernel", kernel, "-D", size, "--format", "json")
        return float(got.json()["time_s"])

    assert time_of("twice", "n=100000") == pytest.approx(2 * time_of("leaf", "n=100000"))
    assert time_of("alone", "m=100000") > time_of("alone:4", "m=100000") > 0
    assert "no loops in 'alone:9'" in refused("predict", str(file), "--on", "neoverse-n1", "--kernel", "alone:9")


def test_gpus_are_ranked_for_a_kernel_and_alike_refusals_grouped() -> None:
    kernel = str(resources.files("foretell") / "uses" / "recorded" / "gpu" / "copy_f32.sass.xz")
    launch = ("--grid", "64", "--block", "256", *("--arg", "f32[16384]") * 2, "--arg", "16384")
    got = run("rank", kernel, *launch, "--on", "h200", "--on", "a100", "--on", "zen4", "--on", "neoverse-n1")
    assert got.code == 0
    assert "neoverse-n1" in next(line for line in got.out.splitlines() if "needs a gpu" in line)


def test_a_kernel_is_chosen_by_its_function() -> None:
    sizes = ("-D", "n=100", "-D", "m=100")
    assert run("predict", "example:hotspot.c", "--on", "sw26010", "--kernel", "hotspot", *sizes).code == 0
    wrong = ("predict", "example:hotspot.c", "--on", "sw26010", "--function", "x", *sizes)
    assert "functions with loops: hotspot" in refused(*wrong)
    assert "for sources" in refused("predict", "example:n-body", "--on", "sw26010", "--kernel", "x", code=2)
