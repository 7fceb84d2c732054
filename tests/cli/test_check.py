"""`foretell check` in real git repositories."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

import foretell
from tests.support.cli import refused, run
from tests.support.repository import CONFIGURATION, FAST_SUM, SUM, Project, project

if TYPE_CHECKING:
    from pathlib import Path


ONE_HOST = {"LANG": "C", "TZ": "UTC", "PYTHONHASHSEED": "1", "PYTHONUTF8": "0", "OMP_NUM_THREADS": "1"}
ANOTHER_HOST = {
    "LANG": "de_DE.UTF-8",
    "LC_ALL": "tr_TR.UTF-8",
    "TZ": "Asia/Kolkata",
    "PYTHONHASHSEED": "77",
    "COLUMNS": "40",
}


@pytest.fixture(scope="module")
def _cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, _cache: str) -> Project:
    monkeypatch.setenv("FORETELL_CACHE", _cache)
    made = project(tmp_path / "project")
    monkeypatch.chdir(made.root)
    return made


def test_a_comment_is_the_same_code(repository: Project) -> None:
    repository.commit("say more", sum_c="// four partial sums\n\n" + FAST_SUM.replace("s = 0", "s = 0 /* first */"))
    result = run("check", "--jobs", "0", "--format", "json")
    assert result.code == 0, result.err
    document = result.json()
    (change,) = document["changes"]
    assert change["verdict"] == "same code"
    assert change["growth"] == 0.0
    assert change["base_s"] == change["head_s"]
    assert document["base"].startswith("main (")


def test_a_slower_version_breaks_the_limit_and_says_why(repository: Project) -> None:
    repository.commit("simplify", sum_c=SUM)
    result = run("check", "--jobs", "0")
    assert result.code == 4
    assert "1 of 1 break a limit: sum@zen4: slower" in result.err
    assert "sum.c:5: sum@zen4: slower" in result.out
    assert "cycles per iteration" in result.out
    assert "«s += a[i];»" in result.out
    assert repository.git("status", "--porcelain") == ""  # nothing was touched


def test_from_python_and_in_a_folder_of_the_repository(repository: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository.root / "lib").mkdir()
    for name in ("sum.c", "foretell.toml"):
        repository.git("mv", name, f"lib/{name}")
    base = repository.commit("move")
    (repository.root / "lib" / "sum.c").write_text(SUM)
    monkeypatch.chdir(repository.root / "lib")
    answer = foretell.check(base)
    assert [change.verdict for change in answer.broken] == ["slower"]
    assert "slower" in answer._repr_html_()
    repository.commit("simplify")
    result = run("check", "--jobs", "0", "--base", base, "--format", "json")
    assert result.json()["changes"][0]["file"] == "lib/sum.c"


def test_a_faster_version_and_a_higher_limit_pass(repository: Project) -> None:
    repository.commit("simplify", sum_c=SUM)
    faster = run("check", "--jobs", "0", "--base", "HEAD", "--head", "main", "--format", "json")
    assert faster.code == 0
    assert faster.json()["changes"][0]["verdict"] == "faster"
    assert run("check", "--jobs", "0", "--limit", "sum@zen4=1000%").code == 0


def test_formats_of_services(repository: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit("simplify", sum_c=SUM)
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    names = ("sarif", "junit", "bencher", "smaller-is-better", "markdown", "csv", "json")
    outputs = [word for name in names for word in ("--output", f"{name}={tmp_path / name}")]
    result = run("check", "--jobs", "0", "--format", "github", *outputs)
    assert result.code == 4
    first, last = result.out.splitlines()
    assert first.startswith("::error file=sum.c,line=5,title=sum@zen4%3A slower%2C +")
    assert "::+" in first
    assert "%25 is more than 5 %25" in first
    assert last == "::notice title=foretell check::1 limit broken: 1 slower"
    assert "| sum | zen4 | slower |" in summary.read_text()
    sarif = json.loads((tmp_path / "sarif").read_text())
    (found,) = sarif["runs"][0]["results"]
    assert found["ruleId"] == "foretell/limit"
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "sum.c"
    suite = ElementTree.fromstring((tmp_path / "junit").read_text())
    assert suite.get("failures") == "1"
    metric = json.loads((tmp_path / "bencher").read_text())["sum@zen4"]["latency"]
    assert metric["lower_value"] <= metric["value"] <= metric["upper_value"]
    (entry,) = json.loads((tmp_path / "smaller-is-better").read_text())
    assert (entry["name"], entry["unit"], entry["value"]) == ("sum@zen4", "ns", metric["value"])


def test_a_file_that_does_not_build_is_listed_and_others_go_on(repository: Project) -> None:
    second = CONFIGURATION + '[code.other]\nfile = "other.c"\nfunction = "sum"\nsizes = { n = 1000 }\n'
    repository.commit("more", other_c=SUM, foretell_toml=second)
    repository.git("checkout", "--quiet", "-b", "more")
    repository.commit("break", sum_c="int broken(")
    result = run("check", "--jobs", "0", "--base", "main")
    assert result.code == 0  # sum is broken, other is new
    assert "nothing could be compared" in result.err
    result = run("check", "--jobs", "0", "--base", "change", "--format", "json")
    assert result.code == 0, result.err
    document = result.json()
    assert [change["code"] for change in document["changes"]] == ["other"]
    assert document["changes"][0]["verdict"] == "same code"
    assert [(entry["code"], entry["side"]) for entry in document["not_compared"]] == [("sum", "head")]
    assert run("check", "--jobs", "0", "--base", "change", "--strict").code == 4


def test_folders_files_and_saved_results(repository: Project, tmp_path: Path) -> None:
    repository.commit("simplify", sum_c=SUM)
    saved = tmp_path / "main.json"
    assert run("check", "--jobs", "0", "--base", "main", "--head", "main", "--save", saved).code == 0
    assert "slower" in run("check", "--jobs", "0", "--base", saved, "--head", ".").out
    old = tmp_path / "old"
    old.mkdir()
    (old / "sum.c").write_text(FAST_SUM)
    assert "slower" in run("check", "--jobs", "0", "--base", old, "--head", ".").out
    files = (old / "sum.c", "sum.c", "--on", "zen4", "--function", "sum", "-D", "n=1000")
    result = run("check", "--jobs", "0", *files, "--limit", "3%")
    assert result.code == 4
    assert "sum@zen4: slower" in result.err
    document = json.loads(saved.read_text())
    document["outcomes"]["sum"]["zen4"]["model_version"] = 0
    saved.write_text(json.dumps(document))
    stale = run("check", "--jobs", "0", "--base", saved, "--head", ".")
    assert stale.code == 3
    assert "another version of the model: 0 before" in stale.err


def test_the_first_slow_commit_is_found(repository: Project) -> None:
    repository.commit("notes", notes_md="one")
    repository.commit("broken", sum_c="int x(")
    culprit = repository.commit("simplify the sum", sum_c=SUM)
    for number in range(3):
        repository.commit(f"later {number}", notes_md=str(number))
    result = run("check", "--jobs", "0", "--bisect", "10%", "--format", "json")
    document = result.json()
    assert document["first"] == culprit
    assert "simplify the sum" in document["headline"]
    assert len(document["commits"]) < 7
    calm = run("check", "--jobs", "0", "--bisect", "1000%")
    assert "no commit breaks 1000%" in calm.out


def test_a_first_configuration_is_written(repository: Project) -> None:
    (repository.root / "foretell.toml").unlink()
    kernel = "__global__ void scale(float *x, float f, int n) { x[threadIdx.x] *= f; } // void no(int)\n"
    (repository.root / "k.cu").write_text(kernel + "template <int N> __global__ void t(float *x) { x[0] = N; }\n")
    assert run("check", "--init").code == 0
    text = (repository.root / "foretell.toml").read_text()
    assert '[code.sum]\nfile = "sum.c"\nfunction = "sum"' in text
    assert "n = 1000" in text
    assert '[code.scale]\nfile = "k.cu"\nkernel = "scale"' in text
    assert 'args = ["f32[1048576]", "f32:1.0", 1048576]' in text
    assert "code.t]" not in text
    assert "is there already" in refused("check", "--init")
    assert run("check", "--jobs", "0", "--base", "main", "--head", ".", "--only", "sum").code == 0


def test_wrong_input(repository: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no version 'nowhere' in the repository" in refused("check", "--base", "nowhere")
    assert "no version '--upload-pack=x'" in refused("check", "--base=--upload-pack=x")
    assert "limit 'dot*' fits no code" in refused("check", "--jobs", "0", "--limit", "dot*=3%")
    assert "is not a limit" in refused("check", "--limit", "fast")
    assert "no code 'dot'" in refused("check", "--only", "dot")
    assert "formats are" in refused("check", "--output", "pdf=x", code=2)
    assert "two files, or two versions" in refused("check", "--base", "sum.c")
    assert "3 versions: two are compared" in run("check", "a", "b", "c").err
    assert "main and --base main: say one of them" in run("check", "main", "--base", "main").err
    assert "--on MACHINE" in refused("check", "--base", "sum.c", "--head", "sum.c", code=2)
    assert "--bisect needs two versions" in refused("check", "--jobs", "0", "--head", ".", "--bisect", "3%")
    (tmp_path / "bad.json").write_text("{}")
    assert "is no saved result" in refused("check", "--base", tmp_path / "bad.json")
    (repository.root / "foretell.toml").write_text('[code.a]\nfle = "x"\n')
    assert "foretell.toml:2: code.a.fle: unknown key (did you mean 'file'?)" in refused("check")
    monkeypatch.chdir(tmp_path)
    assert "no foretell.toml here" in refused("check")
    (tmp_path / "foretell.toml").write_text(CONFIGURATION)
    assert "is in no git repository" in refused("check")
    assert "no such folder" in refused("check", "--base", "a", "--head", "b")


def test_hostile_names_stay_names(repository: Project, tmp_path: Path) -> None:
    name = "$(touch pwned);`touch pwned`,%0A::error::x"
    branch = "b$(touch-pwned)"
    repository.git("checkout", "--quiet", "-b", branch)
    repository.git("mv", "sum.c", f"{name}.c")
    text = CONFIGURATION.replace('"sum.c"', json.dumps(f"{name}.c"))
    repository.commit("rename", foretell_toml=text)
    (repository.root / "link.c").symlink_to("/etc/passwd")
    repository.commit("link")
    result = run("check", "--jobs", "0", "--base", "main", "--head", branch, "--format", "github")
    assert result.code == 0, result.err
    assert not list(repository.root.rglob("pwned"))
    assert [line for line in result.out.splitlines() if not line.startswith("::notice")] == []


def test_workers_and_hash_seeds_do_not_change_the_answer(
    repository: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit("simplify", sum_c=SUM)
    answers = []
    for jobs, seed in (("2", "1"), ("1", "2"), ("0", "3")):
        monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / f"cache-{jobs}"))
        monkeypatch.setenv("PYTHONHASHSEED", seed)  # of the workers
        answers.append(run("check", "--jobs", jobs, "--format", "json").out)
    assert answers[0] == answers[1] == answers[2] != ""


def test_the_answer_does_not_depend_on_the_host(repository: Project, tmp_path: Path) -> None:
    """Another folder, home, time zone, language, encoding and hash seed: the same bytes."""
    repository.commit("simplify", sum_c=SUM)
    moved = tmp_path / "elsewhere" / "größe"
    moved.parent.mkdir()
    shutil.copytree(repository.root, moved)
    answers = []
    for number, (folder, own) in enumerate(((repository.root, ONE_HOST), (moved, ANOTHER_HOST))):
        home = tmp_path / f"home-{number}"
        home.mkdir()
        places = {"HOME": str(home), "TMPDIR": str(home), "FORETELL_CACHE": str(home / "cache")}
        command = [sys.executable, "-m", "foretell", "check", "--jobs", "0", "--format", "json"]
        environment = {"PATH": os.environ["PATH"], **own, **places}
        answers.append(subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False))
    assert [answer.returncode for answer in answers] == [4, 4], answers[0].stderr
    assert answers[0].stdout == answers[1].stdout != b""


def test_a_build_command_runs_in_a_copy(repository: Project) -> None:
    text = CONFIGURATION.replace('file = "sum.c"', 'file = "made.c"\nbuild = "cp sum.c made.c"')
    repository.commit("build", sum_c=SUM, foretell_toml=text)
    assert "slower" in run("check", "--jobs", "0").out
    assert not (repository.root / "made.c").exists()
    failing = text.replace("cp sum.c made.c", "echo no >&2; false")
    repository.commit("fail", foretell_toml=failing)
    result = run("check", "--jobs", "0", "--base", "HEAD~1")
    assert result.code == 0
    assert "build 'echo no >&2; false': no" in result.out


_HEADER = """\
#pragma once
#include <cstddef>
#include <vector>
namespace mat {
template <class T> void scale(std::size_t n, T f, const T *x, T *y)
{
    for (std::size_t i = 0; i < n; i++)
        y[i] = f * x[i];
}
template <class T> T dot(const std::vector<T> &a, const std::vector<T> &b)
{
    T s = 0;
    for (std::size_t i = 0; i < a.size(); i++)
        s += a[i] * b[i];
    return s;
}
struct Sum {
    double state = 0;
    __attribute__((noinline)) void add(int n, const double *x)
    {
        for (int i = 0; i < n; i++)
            state += x[i];
    }
};
}  // namespace mat
"""
_INSTANCES = """\
#include "mat.hpp"
template void mat::scale<double>(std::size_t, double, const double *, double *);
template double mat::dot<double>(const std::vector<double> &, const std::vector<double> &);
void all(mat::Sum &sum, const double *x) { sum.add(100, x); }
extern "C" float total(int n, const float *__restrict x)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += x[i];
    return s;
}
"""


def test_a_project_of_headers_is_checked_from_its_first_file_on(
    repository: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORETELL_CC", "")
    for folder, name, text in (("include", "mat.hpp", _HEADER), ("test", "test.cpp", _INSTANCES)):
        (repository.root / folder).mkdir()
        (repository.root / folder / name).write_text(text)
    (repository.root / "foretell.toml").unlink()
    (repository.root / "sum.c").unlink()
    assert run("check", "--init").code == 0
    made = (repository.root / "foretell.toml").read_text()
    assert 'args = [1000, "f64:1.0", "f64[1000]", "f64[1000]"]' in made
    assert 'args = ["vector<f64>[1000]", "vector<f64>[1000]"]' in made
    assert 'function = "total"' in made
    assert 'args = [1000, "f32[1000]"]' in made  # of its definition: its symbol has no parameters
    assert "# test/test.cpp: mat::Sum::add(int, double const*): write its table" in made  # the object comes first
    repository.commit("templates")
    (repository.root / "include" / "mat.hpp").write_text(_HEADER.replace("f * x[i]", "x[i] / f"))
    divided = repository.commit("divide")
    result = run("check", "--jobs", "0", "--base", "HEAD~1", "--head", "HEAD")
    assert result.code == 4
    assert "include/mat.hpp:8: mat::scale@zen4: slower" in result.out
    assert "«y[i] = x[i] / f;» (was «y[i] = f * x[i];»)" in result.out
    found = run("check", "--jobs", "0", "--base", "HEAD~1", "--head", "HEAD", "--bisect", "10%", "--format", "json")
    assert json.loads(found.out)["first"] == divided
