"""Repositories, first configurations, and the replay of measured pairs."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from foretell.core.answers.check import Difference, Differences
from foretell.errors import InputError, ToolError
from foretell.report import csv, text
from foretell.report import json as json_report
from foretell.report.ci import check_sarif, github, junit
from foretell.uses.check import differences as replay
from foretell.uses.check.configured.configuration import Code, Configuration, read_configuration
from foretell.uses.check.configured.initial import first_configuration
from foretell.uses.check.git import Commit, Repository
from foretell.uses.check.predicting import build
from foretell.uses.check.run import Job, Machines, _of_head, predict_version
from foretell.uses.check.versions import Version, opened
from tests.support.repository import SUM, project
from tests.unit.report.page.test_page import HOSTILE, a_check

if TYPE_CHECKING:
    from pathlib import Path


def test_a_repository_without_a_usual_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = project(tmp_path / "project")
    repository = Repository.around(made.root)
    assert repository is not None
    assert repository.usual_base() == "main"
    made.git("branch", "--move", "main", "trunk")
    with pytest.raises(InputError, match="none of main, master"):
        repository.usual_base()
    head = repository.commit("HEAD")
    assert Commit(head.hash, head.hash).label == head.hash[:12]
    with pytest.raises(InputError, match="no version"):
        repository.commit("a\0b")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolError, match="git is not installed"):
        Repository.around(made.root)


def test_links_of_a_commit_lead_to_its_own_files_alone(tmp_path: Path) -> None:
    made = project(tmp_path / "project")
    (tmp_path / "secret").write_text("secret")
    targets = {
        "to.c": "sum.c",
        "again.c": "to.c",
        "out.c": "../secret",
        "far.c": str(tmp_path / "secret"),
        "no.c": "no",
    }
    for name, target in targets.items():
        (made.root / name).symlink_to(target)
    made.git("add", "--all")
    made.git("commit", "--message", "links")
    repository = Repository.around(made.root)
    assert repository is not None
    written = tmp_path / "version"
    written.mkdir()
    repository.write(repository.commit("HEAD"), written)
    assert (written / "again.c").read_text() == (written / "to.c").read_text() == (made.root / "sum.c").read_text()
    for name in ("out.c", "far.c", "no.c"):
        assert not (written / name).is_symlink()
        assert (written / name).read_text() == targets[name]


def test_submodules_are_part_of_a_version_where_their_commits_are_here(tmp_path: Path) -> None:
    part, made = project(tmp_path / "part"), project(tmp_path / "project")
    made.git("-c", "protocol.file.allow=always", "submodule", "add", "--quiet", str(part.root), "part")
    made.commit("part")
    repository = Repository.around(made.root)
    assert repository is not None
    for name in ("here", "lost"):
        (tmp_path / name).mkdir()
        repository.write(repository.commit("HEAD"), tmp_path / name)
        made.git("submodule", "deinit", "--force", "--all")
    assert (tmp_path / "here" / "part" / "sum.c").read_text() == (part.root / "sum.c").read_text()
    assert not (tmp_path / "lost" / "part" / "sum.c").exists()


def test_a_first_configuration_names_the_folders_of_headers_of_kernels(tmp_path: Path) -> None:
    for name, content in {
        "kernels/k.cu": '#include "set/size.cuh"\n#include "near.cuh"\n__global__ void k(word *x) { x[0] = 1; }\n',
        "kernels/near.cuh": "",
        "lib/include/set/size.cuh": '#include "word.cuh"\n',
        "types/word.cuh": "typedef float word;\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    table = tomllib.loads(first_configuration(tmp_path, ()))["code"]["k"]
    assert table["nvcc"] == "-Ilib/include -Itypes"


def test_a_first_configuration_has_names_as_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "größe.c").write_text(SUM)
    made = first_configuration(tmp_path, ())
    assert 'file = "größe.c"' in made
    assert made.endswith("\n")
    assert tomllib.loads(made)["code"]["sum"]["file"] == "größe.c"


def test_a_folder_is_copied_where_something_is_built(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "sum.c").write_text(SUM)
    with opened(str(tmp_path / "a"), tmp_path, builds=True) as version:
        assert version.root is not None
        build("touch made", version.root)
        assert (version.root / "made").exists()
    assert not (tmp_path / "a" / "made").exists()
    with pytest.raises(InputError, match="exit code 3"):
        build("exit 3", tmp_path)


def test_machine_files_are_relative_to_the_configuration(tmp_path: Path) -> None:
    loaded = Machines(Job(), tmp_path)
    assert loaded.file("zen4") == "zen4"
    assert loaded.file("own.toml") == str(tmp_path / "own.toml")
    codes = {"a": Code("a", {"file": "none_*.c", "functions": ["*"]})}
    outcomes = predict_version(Configuration("", codes, ("zen4",)), Version("x", tmp_path), Job(), loaded)
    assert "no file fits" in outcomes["a"]["zen4"]["error"]


def test_a_first_configuration_of_a_database(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no function with a loop"):
        first_configuration(tmp_path, ())
    (tmp_path / "sum.c").write_text(SUM)
    (tmp_path / "bad.c").write_bytes(b"\0")
    (tmp_path / "unlisted.c").write_text(SUM.replace("sum", "other"))
    entries = [{"directory": str(tmp_path), "file": name, "command": "cc"} for name in ("sum.c", "bad.c", "/x.c")]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    made = first_configuration(tmp_path, ("zen5",))
    assert made.count("machines =") == 1
    assert made.startswith('machines = ["zen5"]')
    assert "[code.sum]" in made
    assert "# bad.c: not read" in made
    assert "other" not in made
    (tmp_path / "foretell.toml").write_text(made)
    assert list(read_configuration(tmp_path / "foretell.toml").codes) == ["sum"]
    (tmp_path / "compile_commands.json").write_text("[3]")
    with pytest.raises(InputError, match="is not a compilation database"):
        first_configuration(tmp_path, ())


def test_a_first_configuration_has_what_a_database_of_another_language_leaves_out(tmp_path: Path) -> None:
    """Databases of C and C++ often list neither Fortran nor CUDA; a C source that they leave out is not built."""
    (tmp_path / "sum.c").write_text(SUM)
    (tmp_path / "unlisted.c").write_text(SUM.replace("sum", "other"))
    (tmp_path / "add.cu").write_text("__global__ void add(int n, float *x) { x[threadIdx.x] += n; }\n")
    (tmp_path / "scale.f90").write_text(
        "subroutine scale(n, x)\n  integer :: n, i\n  real(8) :: x(n)\n"
        "  do i = 1, n\n    x(i) = 2 * x(i)\n  end do\nend\n"
    )
    entry = {"directory": str(tmp_path), "file": "sum.c", "command": "cc"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    (tmp_path / "foretell.toml").write_text(first_configuration(tmp_path, ()))
    assert set(read_configuration(tmp_path / "foretell.toml").codes) == {"sum", "add", "scale"}


def test_a_head_that_was_named_is_compiled_as_its_own_file_says(tmp_path: Path) -> None:
    """As the base is; what is compared, and its sizes, are those of the file here."""
    (tmp_path / "foretell.toml").write_text(
        'machines = ["zen4"]\n[code.a]\nfile = "old.c"\nfunction = "f"\nflags = "-O1"\nsizes = { n = 5 }\n'
    )
    here = Configuration("", {"a": Code("a", {"file": "new.c", "flags": "-O3", "sizes": {"n": 9}})})
    then = _of_head(here, Version("x", tmp_path, asked=True)).codes["a"].values
    assert (then["file"], then["flags"], then["sizes"]) == ("old.c", "-O1", {"n": 9})
    assert _of_head(here, Version("x", tmp_path)).codes == here.codes


def test_a_first_configuration_has_sizes_that_are_members(tmp_path: Path) -> None:
    (tmp_path / "scale.c").write_text(
        "struct image { int width, height; float *data; };\nvoid scale(struct image *im, float s)\n{\n"
        "    for (int k = 0; k < im->width * im->height; k++)\n        im->data[k] *= s;\n}\n"
    )
    made = first_configuration(tmp_path, ())
    assert 'sizes = { "im.height" = 1000, "im.width" = 1000 }' in made
    (tmp_path / "foretell.toml").write_text(made)
    read = read_configuration(tmp_path / "foretell.toml")
    outcome = predict_version(read, Version("x", tmp_path), Job(), Machines(Job(), tmp_path))["scale"]["zen4"]
    assert outcome["time_s"] > 0
    (tmp_path / "foretell.toml").write_text(made.replace('"im.height" = 1000, ', ""))
    read = read_configuration(tmp_path / "foretell.toml")
    refused = predict_version(read, Version("x", tmp_path), Job(), Machines(Job(), tmp_path))["scale"]["zen4"]
    assert 'without a value: im.height; give each in its table, e.g. sizes = { "im.height" = 512 }' in refused["error"]


def test_a_first_configuration_has_the_flags_of_the_database(tmp_path: Path) -> None:
    for folder in ("src", "include", "build"):
        (tmp_path / folder).mkdir()
    (tmp_path / "include" / "word.h").write_text("typedef float word;\n")
    (tmp_path / "src" / "a.c").write_text(
        '#include "word.h"\nvoid f(int n, word *x)\n{\n    for (int i = 0; i < n; i++)\n        x[i] += STEP;\n}\n'
    )
    command = "gcc -I../include -isystem /usr/include -DSTEP=2 -O2 -MD -o a.o -c ../src/a.c"
    entry = {"directory": str(tmp_path / "build"), "file": "../src/a.c", "command": command}
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps([entry]))
    made = first_configuration(tmp_path, ())
    assert 'flags = "-Iinclude -isystem/usr/include -DSTEP=2 -O2"' in made
    (tmp_path / "foretell.toml").write_text(made)
    read = read_configuration(tmp_path / "foretell.toml")
    outcome = predict_version(read, Version("x", tmp_path), Job(), Machines(Job(), tmp_path))["f"]["zen4"]
    assert outcome["time_s"] > 0


def test_a_first_configuration_launches_kernels_along_the_axes_that_they_use(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(
        "__global__ void plane(int n, float *x) { x[blockIdx.y * n + threadIdx.y + threadIdx.x + blockIdx.x] = 0; }\n"
        "__global__ void space(int n, float *x) { if (n) { x[threadIdx.z] = blockIdx.z + blockIdx.x + blockIdx.y; } }\n"
        "__global__ void rows(int n, float *x) { x[blockIdx.y * n + threadIdx.x] = 0; }\n"
        "__global__ void line(int n, float *x) { x[blockIdx.x * 256 + threadIdx.x] = 0; }\n"
    )
    codes = tomllib.loads(first_configuration(tmp_path, ()))["code"]
    launches = {name: (code["grid"], code["block"]) for name, code in codes.items()}
    assert launches == {
        "line": ([4096], [256]),
        "plane": ([32, 128], [32, 8]),
        "rows": ([1, 1024], [256]),
        "space": ([4, 32, 64], [32, 4, 2]),
    }
    assert codes["plane"]["args"] == [1024, "f32[1048576]"]


def test_a_first_configuration_of_a_project_with_a_makefile(tmp_path: Path) -> None:
    """Functions of headers are listed once, those of one name in two files both, with the flags of the Makefile."""
    (tmp_path / "include").mkdir()
    body = "(int n, word *x) { for (int i = 0; i < n; i++) x[i] += STEP; }\n"
    (tmp_path / "include" / "word.h").write_text(f"typedef float word;\nstatic inline void shared{body}")
    for name in ("a", "b"):
        own = f"void {name}(int n, word *x) {{ shared(n, x); twin(n, x); }}\n"
        (tmp_path / f"{name}.c").write_text(f'#include "word.h"\nstatic void twin{body}{own}')
    (tmp_path / "Makefile").write_text("CFLAGS = -O2 -Iinclude -DSTEP=2\nall: a.o b.o\n")
    made = first_configuration(tmp_path, ("zen4",))
    codes = tomllib.loads(made)["code"]
    assert {*codes} >= {"shared", "twin", "twin in b.c"}
    assert [code["file"] for name, code in codes.items() if "twin" in name] == ["a.c", "b.c"]
    assert {code["flags"] for code in codes.values()} == {"-O2 -Iinclude -DSTEP=2"}
    assert 'function = "shared"  # of include/word.h' in made
    (tmp_path / "foretell.toml").write_text(made.replace("sizes = {  }", ""))
    read = read_configuration(tmp_path / "foretell.toml")
    outcomes = predict_version(read, Version("x", tmp_path), Job(), Machines(Job(), tmp_path))
    assert all(outcomes[name]["zen4"]["time_s"] > 0 for name in ("shared", "twin", "twin in b.c"))


def test_a_first_configuration_says_what_is_compared_in_callers(tmp_path: Path) -> None:
    loop = "{ float s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }\n"
    (tmp_path / "sums.hpp").write_text(
        f"namespace num {{\ninline float total(const float *x, int n) {loop}"
        f"template <class T> float unused(const T *x, int n) {loop}}}\n"
    )
    (tmp_path / "mean.cpp").write_text(
        '#include "sums.hpp"\nfloat mean(const float *x, int n, int m) { return num::total(x, n * m) / (n * m); }\n'
    )
    made = first_configuration(tmp_path, ())
    assert tomllib.loads(made)["code"]["mean"]["args"] == ["f32[1000000]", 1000, 1000]
    assert "# sums.hpp: num::total, num::unused: no code of their own" in made


def test_a_first_configuration_lists_instances_of_kernels(tmp_path: Path) -> None:
    (tmp_path / "add.cuh").write_text(
        "template <typename T, int N> __global__ void add(T *x, T by) { x[blockIdx.x * N + threadIdx.x] += by; }\n"
        "template <int N> __global__ void unused(float *x) { x[threadIdx.x] = N; }\n"
        "__global__ void plain(float *x) { x[threadIdx.x] = 0; }\n"
    )
    (tmp_path / "main.cu").write_text(
        '#include "add.cuh"\ntemplate __global__ void add<double, 256>(double *, double);\n'
        "void run(float *x) { add<float, 128><<<8, 128>>>(x, 1.0f); }\n"
        "template <int M> void any(float *x) { add<float, M><<<8, M>>>(x, 1.0f); }\n"
    )
    made = first_configuration(tmp_path, ())
    codes = tomllib.loads(made)["code"]
    assert {*codes} == {"plain", "add<double, 256>", "add<float, 128>"}
    assert codes["add<double, 256>"]["args"] == ["f64[1048576]", "f64:1.0"]
    assert "# main.cu: unused is a template that nobody launches here" in made


def test_pairs_of_versions_are_replayed() -> None:
    names = ("c/sum_lanes", "c/counters_split", "c/axpy_comment", "c/copy_bound", "cuda/copy_wide", "cuda/whitespace")
    answer = replay.differences(only=names)
    told = {point.pair: point.told for point in answer.points}
    same = dict.fromkeys(("c/axpy_comment", "cuda/whitespace"), "same code")
    faster = dict.fromkeys(("c/sum_lanes", "c/counters_split", "cuda/copy_wide"), "faster")
    assert told == faster | same
    assert [name for name, _ in answer.refused] == ["c/copy_bound"]
    shown = text.render(text.differences(answer), color=False)
    assert "c/sum_lanes" in shown
    assert json_report.differences(answer)["summary"]["all"]["pairs"] == 4  # one is disturbed
    assert len(csv.differences(answer)) == 5
    with pytest.raises(InputError, match="no pair can be predicted; c/copy_bound"):
        replay.differences(only=("c/copy_bound",))


def test_pairs_of_an_emerald_rapids_are_as_far_apart_as_measured() -> None:
    """Divisions of 64 and 32 bits, a short loop that issue bounds, a chain with an exit; each within an eighth."""
    names = ("price_long_division", "murmur_noinline", "mandelbrot_exit", "wide_rows")
    answer = replay.differences(only=tuple(f"emerald/{name}" for name in names))
    assert not answer.refused
    for point in answer.points:
        assert point.set == "tuning"
        assert point.right
        assert (1 + point.predicted) / (1 + point.measured) == pytest.approx(1, abs=0.125)
    assert answer.summary()["tuning, emerald"]["right_15_percent"] == 1


def test_pairs_on_a_machine_whose_host_masks_its_model_are_as_far_apart_as_measured() -> None:
    """A division that a chain of reads waits for, tables in place of bits, a literal of double; each within 30 %."""
    names = ("ring_queue_power_mask", "morton_magic_bits", "gelu_double_literal", "residual_two_accumulators")
    answer = replay.differences(only=tuple(f"granite/{name}" for name in names))
    assert len(answer.points) == len(names)
    for point in answer.points:
        assert point.set == "tuning"
        assert point.right
        assert (1 + point.predicted) / (1 + point.measured) == pytest.approx(1, abs=0.3)
    assert answer.summary()["tuning, granite"]["right_15_percent"] == 1


def test_statistics_of_pairs() -> None:
    def pair(name: str, told: str, predicted: float, measured: float, disturbed: bool = False) -> Difference:
        return Difference(name, "type", "report", told, 1.0, predicted, 1.0, measured, disturbed)  # type: ignore[arg-type]

    points = (
        pair("c/a", "slower", 1.2, 1.3), pair("c/b", "faster", 0.8, 1.06), pair("cuda/c", "no difference", 1.0, 1.5),
        pair("cuda/d", "slower", 1.1, 1.0), pair("cuda/e", "faster", 0.1, 9.0, disturbed=True),
        pair("arm/f", "same code", 1.0, 1.2),  # what was measured is no difference of the code
    )  # fmt: skip
    summary = Differences(points).summary()
    assert summary["report"] == {
        "pairs": 5, "above_5_percent": 3, "right_5_percent": pytest.approx(1 / 3), "above_15_percent": 2,
        "right_15_percent": 0.5, "equal": 1, "alarms": 1, "same_code": 1,
    }  # fmt: skip
    assert summary["all, c"]["pairs"] == 2
    assert "tuning" not in summary


# ------------------------------------------------------------------------------------------- formats of services


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_in_formats_of_services(name: str) -> None:
    item = a_check(name)
    commands = github.workflow_commands(item).split("\n")
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in commands)
    results = json.loads(check_sarif.dumps(item))["runs"][0]["results"]
    assert {result["ruleId"] for result in results} == {"foretell/limit", "foretell/not-compared"}
    from xml.etree import ElementTree

    suite = ElementTree.fromstring(junit.dumps(item))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "1", "1")


def test_the_worst_ten_are_annotated_and_the_others_counted() -> None:
    item = a_check()
    worst_first = tuple(
        replace(item.changes[0], code=f"code {number}", head_s=1 - number / 100) for number in range(13)
    )
    lines = github.workflow_commands(replace(item, changes=worst_first)).split("\n")
    assert [line.partition("title=code ")[2].split("@")[0] for line in lines[:-1]] == [str(n) for n in range(10)]
    assert lines[-1].endswith("(3 more in the summary)")


def test_fingerprints_do_not_depend_on_times_or_lines() -> None:
    first, second = (json.loads(check_sarif.dumps(a_check()))["runs"][0]["results"] for _ in range(2))
    assert first[0]["partialFingerprints"] == second[0]["partialFingerprints"]
    assert first[0]["partialFingerprints"] != first[1]["partialFingerprints"]
    assert "locations" not in json.loads(check_sarif.dumps(a_check("/absolute.c")))["runs"][0]["results"][0]


def test_a_summary_fits() -> None:
    long = "| row |\n" * 200_000
    short = github.summary(long)
    assert len(short.encode()) <= github.SUMMARY_BYTES
    assert short.endswith("does not fit into a summary)\n")
    assert github.summary("x") == "x"
    assert "<Check" in repr(a_check())


def test_a_process_that_dies_is_an_outcome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.uses.check import run
    from foretell.uses.tuning.workers import DeadWorkerError, Workers

    def dies(self: Workers, argument: object) -> None:
        raise DeadWorkerError

    monkeypatch.setattr(Workers, "call", dies)
    monkeypatch.setenv("FORETELL_CACHE", "off")
    (tmp_path / "sum.c").write_text(SUM)
    codes = {"sum": Code("sum", {"file": "sum.c", "function": "sum", "sizes": {"n": 3}})}
    job = Job(2)
    made = run.predict_version(
        Configuration("", codes, ("zen4",)), Version("x", tmp_path), job, Machines(job, tmp_path)
    )
    assert made["sum"]["zen4"] == {"error": "the process that predicted it died"}


def test_progress_is_told_with_each_function_that_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.uses.tuning.workers import Workers

    said: list[str] = []
    before: list[int] = []

    def called(self: Workers, argument: object) -> list[dict[str, str]]:
        before.append(len(said))
        return [{"error": "no"}]

    monkeypatch.setattr(Workers, "call", called)
    monkeypatch.setenv("FORETELL_CACHE", "off")
    (tmp_path / "sum.c").write_text(SUM)
    codes = {name: Code(name, {"file": "sum.c", "function": name}) for name in ("a", "b", "c")}
    job = Job(2, progress=said.append)
    predict_version(Configuration("", codes, ("zen4",)), Version("x", tmp_path), job, Machines(job, tmp_path))
    assert before == [0, 1, 2]
    assert said == ["x: 1 of 3: a", "x: 2 of 3: b", "x: 3 of 3: c"]


def test_other_forms_of_pages_and_checks() -> None:
    many = a_check()
    same = [replace(many.changes[2], code=f"same {number}") for number in range(12)]
    shown = text.render(text.check(replace(many, changes=(*many.changes, *same))), color=False)
    assert "and 3 more with the same code" in shown
    assert csv.check(many)[0]["verdict"] == "slower"
    unlimited = replace(many.changes[0], limit=None, broken="")
    assert "slower" in github.workflow_commands(replace(many, changes=(unlimited,))).split("\n")[0]
