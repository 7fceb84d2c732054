"""Ways in which public code is written: bodies in included files, numbers that steer what runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.api import predict
from foretell.codegen.assembly.x86 import parse
from foretell.codegen.assembly.x86_semantics import meaning
from foretell.core.nest.loopnest import Loops
from foretell.frontends import read_options
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu.incore.loop_body import issue_slots
from tests.unit.models.cpu.calls.test_compiled_code import CC, needs_compiler

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.prediction import Prediction

_BODY = """{
  TYPE sum = 0;
  for (int i = 0; i < n; i++)
    x[i] = x[i] * s;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 16; k++)
      sum += x[i] / (k + 1);
  return sum;
}
"""
_UNIT = """#define TYPE double
double both(int n, double *x, double s)
#include "body.inc"
double scaled(int n, double *x, double s)
{
#define TYPE double
#include "body.h"
}
#include "whole.h"
"""
_STEERED = """void scaled_sum(int n, double alpha, double beta, double *x, const double *a)
{
  if (alpha == 0.0 && beta == 1.0)
    return;
  if (beta == 0.0) {
    for (int i = 0; i < n; i++)
      x[i] = 0;
  } else if (beta != 1.0) {
    for (int i = 0; i < n; i++)
      x[i] *= beta;
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 8; k++)
      x[i] += alpha / a[k];
}
"""


def _predicted(code: str, sizes: dict[str, float], flags: str = "-O2", **choices: str) -> Prediction:
    workload = read(code, read_options(choices=choices))
    return predict(workload, load("cascade-lake"), parameters=sizes, options={"cc": CC, "flags": flags})


@needs_compiler
@pytest.mark.parametrize("function", ["both", "scaled", "whole"])
def test_a_body_in_an_included_file_is_followed_in_its_unit(tmp_path: Path, function: str) -> None:
    for name, start in (("body.inc", ""), ("body.h", ""), ("whole.h", "TYPE whole(int n, TYPE *x, TYPE s)\n")):
        (tmp_path / name).write_text(start + _BODY)
    file = tmp_path / "unit.c"
    file.write_text(_UNIT)
    found = _predicted(f"{file}:{function}", {"n": 1000.0})
    plain = tmp_path / "plain.c"
    plain.write_text(_UNIT.partition("double scaled")[0].replace('#include "body.inc"\n', _BODY))
    expected = _predicted(f"{plain}:both", {"n": 1000.0})
    assert not any("not followed" in text for text in found.assumptions)
    assert found.time_s == pytest.approx(expected.time_s, rel=0.02)
    parts, wanted = ([entry.time_s for entry in answer.nests] for answer in (found, expected))
    assert parts == pytest.approx(wanted, rel=0.05)


def test_a_function_knows_its_unit_and_what_its_body_includes(tmp_path: Path) -> None:
    for name in ("body.h", "body.inc", "whole.h"):
        (tmp_path / name).write_text(_BODY if name != "whole.h" else "")
    file = tmp_path / "unit.c"
    file.write_text(_UNIT)
    loops = read(f"{file}:scaled").facet(Loops)
    info = next(one for one in loops.functions if one.name == "scaled")
    assert info.unit == str(file)
    assert [name.rpartition("/")[2] for name in info.included] == ["body.h"]


@needs_compiler
def test_floating_point_parameters_choose_what_runs(tmp_path: Path) -> None:
    file = tmp_path / "steered.c"
    file.write_text(_STEERED)
    found = _predicted(f"{file}:scaled_sum", {"n": 1000.0}, alpha="1", beta="0.5")
    assert "scaled_sum, line 5: «beta == 0.0» does not hold" in found.assumptions
    assert not any("not followed" in text for text in found.assumptions)
    assert {entry.line for entry in found.nests} == {9, 13}
    zero = _predicted(f"{file}:scaled_sum", {"n": 1000.0}, alpha="1", beta="0")
    assert {entry.line for entry in zero.nests} == {6, 13}


def test_a_parameter_that_changes_decides_nothing(tmp_path: Path) -> None:
    file = tmp_path / "changed.c"
    file.write_text(_STEERED.replace("{\n  if (alpha", "{\n  beta = beta * alpha;\n  if (alpha"))
    found = read(f"{file}:scaled_sum", read_options(choices={"alpha": "1", "beta": "0.5"})).facet(Loops)
    assert not any(choice.given for nest in found.nests for choice in nest.choices if choice.text.startswith("beta"))


def test_integers_are_kept_in_mask_registers() -> None:
    saved, restored = (parse(text, 1, "att") for text in ("kmovq %rdi, %k1", "kmovq %k1, %rax"))
    assert (meaning(saved).operation, meaning(saved).a, meaning(saved).bits) == ("move", "rdi", 64)
    assert (meaning(restored).a, meaning(restored).to) == ("k1", "rax")


def test_a_nest_without_instructions_has_no_slots() -> None:
    assert issue_slots([], None, True) == []  # type: ignore[arg-type]
