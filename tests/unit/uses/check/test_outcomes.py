"""What outcomes depend on, what they keep, and how two are compared."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from foretell import api, machines
from foretell.core.answers.check import Limit
from foretell.errors import CacheWarning, InputError
from foretell.uses.annotate import annotated
from foretell.uses.check.configured.configuration import Code, Configuration
from foretell.uses.check.configured.limits import parse_limit
from foretell.uses.check.dependences import compiler_version, files_read, outcome_key
from foretell.uses.check.differences import _held, unpack_code
from foretell.uses.check.items import Item, expanded, functions_with_loops, kernels
from foretell.uses.check.outcome import predicted, rounded
from foretell.uses.check.predicting import Task, _said, keep, kept, outcomes
from foretell.uses.check.run import Job, check
from foretell.uses.check.verdicts import check_alike, compared, resolution, verdict_of
from foretell.uses.check.versions import Version, read_saved, saved_text
from tests.support.repository import FAST_SUM, SUM


@pytest.fixture(autouse=True)
def _private_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))


def item(name: str = "sum.c", **values: Any) -> Item:
    return Item("sum", (name,), "sum", {"file": name, "sizes": {"n": 1000}, **values})


def an_outcome(**other: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "time_s": 1e-3, "interval_s": [], "bounds": [], "parts": [["core", 1e-3]], "lines": [], "facts": {},
        "parameters": {}, "options": {}, "code": "", "compiler": "", "model": "cpu", "model_version": 2,
        "machine_hash": "x", "bound_by": "core", "at_least": False,
    }  # fmt: skip
    return {**made, **other}


# ------------------------------------------------------------------------------------------- keys


def test_a_key_depends_on_everything_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "sum.c").write_text('#include "a.h"\n#include <far.h>\n' + SUM)
    (tmp_path / "a.h").write_text('#include "b.h"\n')
    (tmp_path / "b.h").write_text("\n")
    (tmp_path / "include" / "far.h").write_text("\n")
    (tmp_path / "unused.h").write_text("\n")
    machine = machines.load("zen4")
    whole = item(flags="-O2 -I include")
    assert files_read(whole, tmp_path) == ["a.h", "b.h", "include/far.h", "sum.c"]
    assert files_read(item(), tmp_path) == ["a.h", "b.h", "sum.c"]
    keys = [outcome_key(whole, tmp_path, machine), outcome_key(whole, tmp_path, machines.load("zen5"))]
    (tmp_path / "unused.h").write_text("// no\n")
    assert outcome_key(whole, tmp_path, machine) == keys[0]
    (tmp_path / "b.h").write_text("#define X\n")
    keys.append(outcome_key(whole, tmp_path, machine))
    keys.append(outcome_key(item(flags="-O3 -I include"), tmp_path, machine))
    monkeypatch.setenv("CFLAGS", "-O1")
    keys.append(outcome_key(whole, tmp_path, machine))
    assert len(set(keys)) == len(keys)


def test_an_include_by_macro_may_be_any_header(tmp_path: Path) -> None:
    (tmp_path / "sum.c").write_text("#define H <x.h>\n#include H\n" + SUM)
    (tmp_path / "z.h").write_text("")
    (tmp_path / "f.f90").write_text("include 'z.h'\n")
    assert files_read(item(), tmp_path) == ["sum.c", "z.h"]
    assert files_read(item("f.f90"), tmp_path) == ["f.f90", "z.h"]


def test_versions_of_compilers() -> None:
    assert compiler_version(item("a.f90"), "x86-64", "") == ""
    assert compiler_version(item(compiler="none"), "x86-64", "") == "none"
    assert compiler_version(item(compiler="no-such-compiler"), "x86-64", "") == ""
    assert compiler_version(item("a.cu"), "", "") == compiler_version(item("b.cu"), "", "")


# ------------------------------------------------------------------------------------------- outcomes


def task(root: Path, *names: str) -> Task:
    return Task(str(root), item(), tuple((name, name) for name in names), ("",) * len(names))


def test_outcomes_are_plain_and_independent_of_the_folder(tmp_path: Path) -> None:
    made = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sum.c").write_text(SUM)
        made.append(outcomes(task(tmp_path / folder, "zen4", "neoverse-n1")))
    assert made[0] == made[1]
    assert json.loads(json.dumps(made[0])) == made[0]
    assert made[0][0]["lines"][0][0] == "sum.c"
    assert str(tmp_path) not in json.dumps(made)


def test_lines_of_kept_outcomes_are_those_of_the_version(tmp_path: Path) -> None:
    (tmp_path / "sum.c").write_text(SUM)
    first = outcomes(task(tmp_path, "zen4"))[0]
    (tmp_path / "sum.c").write_text("// one\n// two\n" + SUM)
    second = outcomes(task(tmp_path, "zen4"))[0]
    assert second["time_s"] == first["time_s"]
    assert [line[1] for line in second["lines"]] == [line[1] + 2 for line in first["lines"]]


def test_what_cannot_be_predicted_is_an_outcome(tmp_path: Path) -> None:
    assert outcomes(task(tmp_path, "zen4")) == [{"error": "sum.c: no such file"}]
    (tmp_path / "sum.c").write_text(SUM)
    assert "error" in outcomes(task(tmp_path, "h200"))[0]
    wrong = Task(str(tmp_path), item(sizes={"n": "many"}), (("zen4", "zen4"),), ("",))
    assert "n is a number" in outcomes(wrong)[0]["error"]
    (tmp_path / "-fplugin=x.c").write_text(SUM)
    option = Task(str(tmp_path), item("-fplugin=x.c"), (("zen4", "zen4"),), ("",))
    assert "starts with a dash" in outcomes(option)[0]["error"]
    outside = Task(str(tmp_path), item("../sum.c"), (("zen4", "zen4"),), ("",))
    assert "outside of the version" in outcomes(outside)[0]["error"]


def test_a_damaged_entry_is_computed_again_and_said(tmp_path: Path) -> None:
    key = "0" * 64
    keep(key, {"error": "x"})
    assert kept(key) == {"error": "x"}
    (entry,) = (tmp_path / "cache" / "check").iterdir()
    entry.write_bytes(entry.read_bytes().replace(b"x", b"y"))
    with pytest.warns(CacheWarning, match="is damaged"):
        assert kept(key) is None


def test_facts_of_a_kernel(tmp_path: Path) -> None:
    unpack_code(tmp_path)
    launch: dict[str, Any] = {"kernel": "bounds_spill", "grid": 1024, "block": 256}
    launch["args"] = ["f32[12582912]", "f32[262144]", 262144]
    base, head = (
        predicted(api.prepare(tmp_path / f"cuda/bounds_spill.{side}.sass", "h200", **launch))
        for side in ("base", "head")
    )
    change = compared("spill", "h200", base, head, parse_limit("5%"))
    assert change.verdict == "slower"
    whats = {reason.what: (reason.base, reason.head) for reason in change.reasons}
    assert whats["registers"][0] > whats["registers"][1]  # type: ignore[operator]
    assert whats["local memory of a thread"][1] > 0  # type: ignore[operator]
    assert change.broken


@pytest.mark.parametrize(
    ("lines_of", "file"), [("k.cu", "src/k.cu"), ("deep.cuh", "include/deep.cuh"), ("", "src/k.cu"), ("x.h", "x.h")]
)
def test_lines_of_a_kernel_are_those_of_the_header_that_it_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines_of: str, file: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("src", "include"):
        Path(folder).mkdir()
    Path("src/k.cu").write_text('#include "../include/near.cuh"\n')
    Path("include/near.cuh").write_text('#include "deep.cuh"\n#include "near.cuh"\n')
    Path("include/deep.cuh").write_text("first\nsecond\n")
    warps = SimpleNamespace(kernel=SimpleNamespace(source_file=lines_of))
    workload = SimpleNamespace(origin="src/k.cu", find=lambda _: warps)
    model = SimpleNamespace(source_lines=lambda *_: ())
    case: Any = SimpleNamespace(workload=workload, model=model, machine=None, settings=None)
    code: Any = SimpleNamespace(line=2, share=0.5)
    timed = [one for one in annotated(case, [code], 1.0) if one.time_s]
    assert [(one.file, one.line, one.time_s) for one in timed] == [(file, 2, 0.5)]
    assert timed[0].text == ("second" if lines_of == "deep.cuh" else "")


# ------------------------------------------------------------------------------------------- verdicts


def test_verdicts() -> None:
    base = an_outcome(code="a")
    assert verdict_of(base, an_outcome(code="a", time_s=9.0)) == "same code"
    assert verdict_of(base, an_outcome(code="b", time_s=1.019e-3)) == "no difference"
    assert verdict_of(base, an_outcome(code="b", time_s=1.1e-3)) == "slower"
    assert verdict_of(base, an_outcome(code="b", time_s=0.9e-3)) == "faster"
    assert verdict_of(an_outcome(), an_outcome()) == "no difference"  # unknown code is not claimed to be the same
    assert compared("a", "m", base, an_outcome(code="a", time_s=9.0), Limit("", 0.0)).growth == 0.0
    assert resolution("machine-code") == resolution("cpu") < resolution("sunway")


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"model": "gpu"}, "another model"),
        ({"model_version": 3}, "another version of the model: 2 before, 3 now"),
        ({"machine_hash": "y"}, "another machine"),
        ({"parameters": {"n": 3.0}}, "other sizes: none before, n=3 now"),
        ({"compiler": "gcc"}, "only the code of the head"),
        ({"at_least": True}, "the head is only a lower bound"),
    ],
)
def test_only_like_is_compared_with_like(other: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_alike(an_outcome(), an_outcome(**other))


def test_a_function_whose_loop_went_into_what_it_calls_is_compared() -> None:
    """Two models follow compiled code: a difference that they may have themselves is none, a greater one says it."""
    base = an_outcome(compiler="gcc 13: -O2", code="a", model="machine-code", model_version=1)
    near, far = (an_outcome(compiler="gcc 13: -O2", code="b", time_s=time_s) for time_s in (1.04e-3, 1.2e-3))
    assert compared("a", "m", base, near, None).verdict == "no difference"
    change = compared("a", "m", base, far, None)
    assert (change.verdict, change.resolution) == ("slower", 0.05)
    assert ("model", "machine-code", "cpu") in [(reason.what, reason.base, reason.head) for reason in change.reasons]
    with pytest.raises(InputError, match="another model"):
        check_alike(an_outcome(model="machine-code"), an_outcome())


def test_outcomes_have_no_digits_that_hosts_differ_in() -> None:
    """One unit in the last place, as fused multiplications or another mathematical library give."""
    value = 0.1 + 0.2
    above = math.nextafter(value, 1.0)
    nested = {"time_s": value, "parts": [["core", above]], "facts": {"registers": (32, ""), "hit rate": (value, "%")}}
    assert rounded(nested) == {
        "time_s": 0.3,
        "parts": [["core", 0.3]],
        "facts": {"registers": [32, ""], "hit rate": [0.3, "%"]},
    }
    assert rounded(1.23456789012e-300) == pytest.approx(1.23456789012e-300, rel=1e-9)


def test_code_of_another_compiler_is_another_code() -> None:
    """A saved result of another host; what a version itself asks for, and equal code, are compared."""
    there = an_outcome(compiler="gcc 13.3.0: gcc -O3", code="x", options={"cc": ""})
    here = an_outcome(compiler="gcc 12.2.0: gcc -O3", code="y", options={"cc": ""})
    with pytest.raises(InputError, match=r"another compiler: gcc 13\.3\.0 before, gcc 12\.2\.0 now"):
        check_alike(there, here)
    check_alike(there, here | {"code": "x"})
    check_alike(there, here | {"options": {"cc": "gcc-12"}})
    check_alike(there, here | {"compiler": "gcc 13.3.0: gcc -O2"})  # other flags are a reason


def test_reasons_name_parts_facts_and_lines() -> None:
    base = an_outcome(facts={"registers": [32, ""], "vector width": ["32 B", ""]}, lines=[["a.c", 3, "x;", 1e-3]])
    head = an_outcome(
        time_s=2e-3, parts=[["core", 1.5e-3], ["L2 bandwidth", 5e-4]], bound_by="L2",
        facts={"registers": [64, ""], "vector width": ["scalar", ""]},
        lines=[["a.c", 5, "x;", 1.5e-3], ["a.c", 6, "y;", 5e-4]],
    )  # fmt: skip
    change = compared("a", "m", base, head, None)
    texts = [reason.text for reason in change.reasons]
    assert texts[0] == "bound by core → L2"
    assert texts[1:3] == ["core 1 ms → 1.5 ms", "L2 bandwidth 0 s → 500 us"]
    assert "registers 32 → 64" in texts
    assert "vector width 32 B → scalar" in texts
    assert "«x;» 1 ms → 1.5 ms" in texts
    assert (change.file, change.line) == ("a.c", 5)


def test_an_edited_line_is_told_once() -> None:
    base = an_outcome(lines=[["a.c", 3, "x;", 1e-3], ["a.c", 4, "old;", 1e-3], ["a.c", 9, "z;", 1e-3]])
    lines = [["a.c", 3, "x;", 1e-3], ["a.c", 5, "new;", 3e-3], ["a.c", 10, "z;", 1e-3], ["a.c", 11, "w;", 2e-3]]
    head = an_outcome(time_s=6e-3, lines=lines)
    texts = [reason.text for reason in compared("a", "m", base, head, None).reasons]
    assert "«new;» (was «old;») 1 ms → 3 ms" in texts
    assert "«w;» none → 2 ms" in texts
    assert len([text for text in texts if "old;" in text]) == 1


def test_an_edited_line_is_told_with_the_line_that_it_is_most_like() -> None:
    """A loop's head has time of its own in one version alone: two lines stand where one was."""
    base = an_outcome(lines=[["a.c", 3, "for (int i = 0; i < n; i++)", 1e-5], ["a.c", 4, "x[i] *= f;", 1e-3]])
    head = an_outcome(time_s=3e-3, lines=[["a.c", 4, "x[i] /= f;", 3e-3]])
    texts = [reason.text for reason in compared("a", "m", base, head, None).reasons]
    assert "«x[i] /= f;» (was «x[i] *= f;») 1 ms → 3 ms" in texts
    swapped = [reason.text for reason in compared("a", "m", head, base, None).reasons]
    assert "«x[i] *= f;» (was «x[i] /= f;») 3 ms → 1 ms" in swapped


def test_a_reason_names_files_within_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """nvcc names them by the private folder in which a version is, which is another one each time."""
    monkeypatch.chdir(tmp_path)
    error = InputError("nvcc cannot compile this", file=Path.cwd() / "src" / "k.cu", line=3)
    assert _said(error).startswith("src/k.cu:3: nvcc cannot")


# ------------------------------------------------------------------------------------------- items and versions


def test_functions_and_files_by_pattern(tmp_path: Path) -> None:
    (tmp_path / "b.c").write_text(SUM + SUM.replace("sum", "total") + "int plain(int x) { return x; }\n")
    (tmp_path / "a.c").write_text(SUM)
    code = Code("all", {"file": "*.c", "functions": ["s*", "extra"], "sizes": {"n": 3}})
    made = expanded(code, tmp_path)
    names = [entry.name for entry in made if isinstance(entry, Item)]
    assert names == ["all:a.c:extra", "all:a.c:sum", "all:b.c:extra", "all:b.c:sum"]
    assert functions_with_loops(tmp_path, ("b.c",)) == ["sum", "total"]
    assert functions_with_loops(tmp_path, ("b.c",)) == ["sum", "total"]  # from the cache
    (nothing,) = expanded(Code("none", {"file": "*.f90", "functions": ["*"]}), tmp_path)
    assert "no file fits" in str(nothing)
    (broken,) = expanded(Code("bad", {"file": "missing.c", "functions": ["*"]}), tmp_path)
    assert "no such file" in str(broken)
    with pytest.raises(InputError, match="patterns are relative"):
        expanded(Code("out", {"file": "../*.c"}), tmp_path)
    (tmp_path / "k.cu").write_text("/* __global__ void no() */ __global__ void yes(int *x) { *x = 1; }\n")
    assert functions_with_loops(tmp_path, ("k.cu",)) == kernels((tmp_path / "k.cu").read_text()) == ["yes"]
    (tmp_path / "x.toml").write_text("")
    with pytest.raises(InputError, match="functions by pattern are those of"):
        functions_with_loops(tmp_path, ("x.toml",))


def test_sizes_of_functions_by_pattern_are_those_they_have(tmp_path: Path) -> None:
    (tmp_path / "sum.c").write_text(SUM)
    many = Item("sum", ("sum.c",), "sum", {"sizes": {"n": 1000, "m": 3}, "threads": 1}, chosen=True)
    (outcome,) = outcomes(Task(str(tmp_path), many, (("zen4", "zen4"),), ("",)))
    assert outcome["parameters"]["n"] == 1000
    (refused,) = outcomes(Task(str(tmp_path), item(sizes={"n": 1, "m": 3}), (("zen4", "zen4"),), ("",)))
    assert "has no parameter 'm'" in refused["error"]


def test_new_and_removed_codes_are_listed(tmp_path: Path) -> None:
    codes = {"sum": Code("sum", {"file": "sum.c", "functions": ["*"], "sizes": {"n": 100}})}
    for folder, text in (("old", SUM), ("new", FAST_SUM.replace("sum", "total"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sum.c").write_text(text)
    versions = [Version(name, tmp_path / name) for name in ("old", "new")]
    answer, _ = check(Configuration("x", codes, ("zen4",)), versions[0], versions[1], Job(), tmp_path)
    assert [(entry.code, entry.side) for entry in answer.not_compared] == [("sum:sum", "head"), ("sum:total", "base")]
    assert "new" in answer.not_compared[1].reason


def test_saved_results(tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    path.write_text(saved_text({"a": {"zen4": an_outcome(), "h200": {"error": "no"}}}, "main"))
    assert read_saved(path)["a"]["zen4"] == an_outcome()
    for damaged in ('{"kind": "foretell check", "outcomes": {"a": {"b": {"time_s": 1}}}}', "[]", "{", '{"kind": 3}'):
        path.write_text(damaged)
        with pytest.raises(InputError, match="is no saved result"):
            read_saved(path)


def test_time_that_overlaps_is_kept_as_a_negative_part() -> None:
    """Warnings are errors here: an entry that the reader refuses is told and made anew."""
    outcome = an_outcome(parts=[["core", 1e-3], ["memory bandwidth", 4e-4], ["overlap", -4e-4]])
    keep("a" * 64, outcome)
    assert kept("a" * 64) == outcome


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((8, "i32[8]", "i32[4]"), "one_place"),
        ((8, "u8[8]=3", "i32[4]"), "one_place"),
        ((8, "u8[8]", "u32[256]"), "two_places"),
        ((8, "u8[8]", "f32[256]"), "repeated"),
        ((8, "u8[8]@random", "u32[256]"), "repeated"),
        ((8,), "repeated"),
    ],
)
def test_measured_data_are_described_as_they_were_filled(arguments: tuple[object, ...], said: str) -> None:
    assert _held(arguments) == said
