"""Loops that calculate with long double have a time, by that of double."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell import api
from foretell.codegen.long_doubles import as_doubles
from foretell.core.nest.loopnest import Loops
from foretell.frontends import Reader, read_options
from foretell.machines import load

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.prediction import Prediction
    from foretell.core.workload import Workload

_VARIANCE = """\
double variance(int n, const double *x, double mean)
{
    TYPE sum = 0;
    for (int i = 0; i < n; i++) {
        TYPE delta = x[i] - mean;
        sum += (delta * delta - sum) / (i + 1);
    }
    return sum;
}
"""


def _code(path: Path, kind: str) -> Workload:
    path.write_text(_VARIANCE.replace("TYPE", kind))
    return Reader(path, read_options()).workload()


def _predicted(path: Path, kind: str) -> Prediction:
    return api.predict(_code(path, kind), load("sapphire-rapids"), parameters={"n": 1000}, options={"cc": "none"})


def test_long_doubles_are_as_fast_as_doubles_and_less_certain(tmp_path: Path) -> None:
    long, double = (_predicted(tmp_path / "variance.c", kind) for kind in ("long double", "double"))
    assert not long.at_least
    assert long.time_s == pytest.approx(double.time_s, rel=0.01)
    assert any("long double is taken to be as fast as double" in one for one in long.assumptions)
    assert long.interval_s is not None
    assert double.interval_s is not None
    assert long.interval_s[1] - long.time_s > 0.9 * double.time_s > double.interval_s[1] - double.time_s


def test_other_nests_stay_as_they_are(tmp_path: Path) -> None:
    nest = _code(tmp_path / "variance.c", "double").facet(Loops).nests[0]
    assert as_doubles(nest) is nest
    path = tmp_path / "array.c"
    path.write_text("void f(int n, long double *a) { for (int i = 0; i < n; i++) a[i] *= 2; }")
    nest = Reader(path, read_options()).workload().facet(Loops).nests[0]
    assert as_doubles(nest) is nest  # what is in memory has its size
