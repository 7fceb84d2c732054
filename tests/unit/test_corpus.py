"""The analyser against the corpus: every nest must say what the program did when it was counted."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from tests.corpus import compare, count

CASES = {case.name: case for case in count.cases()}
#: nests that depend on data: no static count can be right, only a stated one
DATA = "depends on data: the stated probability is not what this input does"
#: program → (file, line of the innermost loop) → why the counts cannot agree, or do not agree yet
EXPECTED_FAILURES: dict[str, dict[tuple[str, int], str]] = {}


def _has_fortran() -> bool:
    found = subprocess.run(["gcc", "-print-prog-name=f951"], capture_output=True, text=True, check=False)
    return found.returncode == 0 and "/" in found.stdout


HAS_GCC = shutil.which("gcc") is not None
HAS_FORTRAN = HAS_GCC and _has_fortran()


def _parameters() -> list[object]:
    return [pytest.param(case, id=name) for name, case in CASES.items()]


@pytest.mark.parametrize("case", _parameters())
def test_counts_agree(case: count.Case) -> None:
    verdicts, missing = compare.judge_case(case)
    known = EXPECTED_FAILURES.get(case.name, {})
    wrong = [v for v in verdicts if not v.good and v.result not in ("not run", "bound holds", "refused")]
    unexpected = [v for v in wrong if (v.file, v.line) not in known]
    assert not unexpected
    assert {(v.file, v.line) for v in wrong} == set(known), "a listed failure does not fail any more"
    assert not missing


@pytest.mark.parametrize("case", _parameters())
def test_the_sources_are_those_that_were_counted(case: count.Case) -> None:
    assert json.loads(case.counts.read_text())["sha256"] == count._digest(case)


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in CASES.values() if c.language == "c"])
@pytest.mark.skipif(not HAS_GCC, reason="needs gcc")
def test_recount_c(case: count.Case) -> None:
    assert count.same(json.loads(case.counts.read_text()), count.measure(case))


@pytest.mark.parametrize(
    "case", [pytest.param(c, id=c.name) for c in CASES.values() if c.language == "fortran"]
)
def test_recount_fortran(case: count.Case) -> None:
    """The interpreter needs no compiler; with one, its output is checked against the compiled program."""
    record = count.measure(case, check=HAS_FORTRAN)
    assert count.same(json.loads(case.counts.read_text()), record)


def test_a_planted_error_is_seen() -> None:
    """One flop more in the record, and the comparison must fail."""
    case = CASES["c/st7_native.c"]
    contexts = json.loads(case.counts.read_text())["contexts"]
    loops = compare.analyse_files(case.files)
    nest = next(n for n in loops.nests if n.function == "sweep")
    assert compare.judge([nest], compare.tree(contexts), set()).result == "agrees"
    inner = next(c for c in contexts if c["operations"].get("div_literal"))
    inner["operations"]["add"] += 1
    assert compare.judge([nest], compare.tree(contexts), set()).result != "agrees"


def test_enough_of_the_corpus_is_characterised() -> None:
    """Nine of ten innermost loops of the larger programs: exact and equal, or assumed and within 5 %."""
    verdicts = [v for name, case in CASES.items() if "app_" in name for v in compare.judge_case(case)[0]]
    ran = [v for v in verdicts if v.result != "not run"]
    assert sum(v.good for v in ran) >= 0.9 * len(ran)
