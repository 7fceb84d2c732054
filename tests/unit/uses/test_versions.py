"""Versions of the same codes told apart: orders, relative times, splits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.core.answers.answers import OrderTest, ValidationPoint
from foretell.errors import InputError
from foretell.uses.error_statistics import Code, summarise_versions
from foretell.uses.validate import validate
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path


def code(predicted: tuple[float, ...], measured: tuple[float, ...], bound: float = 0.1) -> Code:
    order = OrderTest("code", ("a", "b", "c"), predicted, measured, 0.03)
    points = tuple(
        ValidationPoint(name, "report", p, m, bound_s=bound)
        for name, p, m in zip(order.versions, predicted, measured, strict=True)
    )
    return Code(order, points)


def test_pairs_ties_and_the_commonest_order() -> None:
    codes = [
        code((1.0, 2.0, 4.0), (1.0, 2.0, 4.0)),
        code((1.0, 2.0, 4.0), (4.0, 2.0, 1.0)),
        code((1.0, 2.0, 4.0), (1.0, 2.0, 2.02)),  # b and c are a tie
    ]
    found = summarise_versions(codes, [])
    assert found.pairs == 8
    assert found.in_order == 5 / 8
    assert found.commonest == 5 / 8  # a before b and c in two of three, b before c in one of two
    assert found.other_orders == 1
    assert found.split is None


def test_relative_times_are_of_the_slower_to_the_faster() -> None:
    found = summarise_versions([code((1.0, 2.0, 4.0), (1.0, 4.0, 16.0))], [])
    assert found.relative_error == pytest.approx(0.5)
    assert summarise_versions([code((2.0, 4.0, 8.0), (1.0, 2.0, 4.0))], []).relative_error == 0


def test_bounds_are_beaten_beyond_the_slack() -> None:
    assert summarise_versions([code((1.0, 1.0, 1.0), (0.96, 0.94, 3.0), bound=1.0)], []).beaten == 1
    assert summarise_versions([code((1.0, 1.0, 1.0), (1.0, 2.0, 3.0), bound=1.0)], []).over_bound == 2


def test_a_split_by_wrong_times_is_slower() -> None:
    """Shares of 1/2 each instead of 2/3 and 1/3: the slow one takes half of 2 instead of a third of it."""
    found = summarise_versions([code((1.0, 1.0, 9.0), (1.0, 2.0, 9.0))], ["a", "b"])
    assert found.split == pytest.approx((2 / 3) / 1.0)
    assert found.split_least == found.split


def test_the_shipped_examples_are_summarise_versions() -> None:
    answer = run("validate", "trace", "--format", "json").json()
    told = answer["versions"]["all"]
    assert told["codes"] == 40
    assert told["beaten"] == 0
    assert told["in_order"] >= 0.9
    assert told["commonest"] < told["in_order"]
    assert told["other_orders"] >= 5
    assert told["split"] >= 0.9
    sets = {"tuning", "report", "all"}
    assert sets | {f"optimised, {name}" for name in sets} == set(answer["versions"])
    best = answer["versions"]["optimised, all"]
    assert best["codes"] == 8
    assert best["beaten"] == 0
    assert best["over_bound"] <= 3


def test_versions_that_share_work_must_be_there(tmp_path: Path) -> None:
    case = 'workload = "example:blocked-matrix"\nmachine = "{}"\nmeasured = "9 ms"\n'
    text = 'split = ["one", "three"]\n'
    for number, machine in enumerate(("i5-2400", "tesla-k20x", "i5-2400", "tesla-k20x")):
        text += f"[case.c{number}]\n" + case.format(machine)
    text += '[order.x]\none = ["c0"]\ntwo = ["c1"]\n[order.y]\none = ["c2"]\ntwo = ["c3"]\n'
    file = tmp_path / "v.toml"
    file.write_text(text)
    with pytest.raises(InputError, match="list of versions"):
        validate(file)
    file.write_text(text.replace('"three"', '"two"'))
    assert set(validate(file).versions) <= {"tuning", "report", "all"}
    file.write_text(text.replace("[order.y]\none", "[order.y]\nother"))
    assert validate(file).versions == {}
