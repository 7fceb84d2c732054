"""Rooflines of pages, and pictures whose points name rows of a table."""

from __future__ import annotations

import math
import re

import pytest

import foretell
from foretell import machines
from foretell.report.page import html, roofline, svg
from foretell.report.page.build import page, refused
from foretell.report.page.elements import Line, Picture, Point, Table

TRIAD = """void triad(int n, double *restrict a, const double *b, const double *c, double s) {
  for (int i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}
"""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[foretell.Prediction, dict[str, object]]:
    file = tmp_path_factory.mktemp("code") / "triad.c"
    file.write_text(TRIAD)
    prediction = foretell.predict(file, "zen4", parameters={"n": 1_000_000}, cc="none")
    document = roofline.document(prediction, machines.completed(machines.load("zen4")))
    assert document is not None
    return prediction, document


def test_a_point_lies_at_its_work_and_bytes_and_below_every_roof(drawn: tuple[foretell.Prediction, dict]) -> None:
    prediction, document = drawn
    assert document["reached"]["work_per_s"] == pytest.approx(2e6 / prediction.time_s)  # two operations an element
    slopes = {level["name"]: level["bandwidth_B_s"] for level in document["levels"]}
    assert set(document["reached"]["work_per_B"]) <= {*slopes}
    for name, intensity in document["reached"]["work_per_B"].items():
        roof = min(document["peak"]["work_per_s"], slopes[name] * intensity)
        assert document["reached"]["work_per_s"] <= roof * 1.001, name


def test_roofs_have_the_slope_of_their_bandwidth_and_end_at_the_peak(drawn: tuple[foretell.Prediction, dict]) -> None:
    _, document = drawn
    picture = roofline.picture(document)
    peak, *levels = picture.lines
    assert {y for _, y in peak.points} == {document["peak"]["work_per_s"]}
    for line, level in zip(levels, document["levels"], strict=True):
        (x0, y0), (x1, y1) = line.points
        assert y0 / x0 == pytest.approx(level["bandwidth_B_s"])
        assert y1 / x1 == pytest.approx(level["bandwidth_B_s"])
        assert y1 == pytest.approx(document["peak"]["work_per_s"])
        assert line.label.startswith(f"{level['name']}: ")
    assert [point.series for point in picture.points] == [
        1 + [level["name"] for level in document["levels"]].index(name) for name in document["reached"]["work_per_B"]
    ]


def test_a_prediction_without_counted_work_has_no_roofline() -> None:
    prediction = foretell.predict("example:vector-add", "sw26010")
    document = roofline.document(prediction, machines.load("sw26010"))
    if document is not None:
        assert document["work"] == "floating-point instruction"
        assert "floating-point instruction" in roofline.picture(document).x
        document["reached"]["work_per_B"]["elsewhere"] = 1.0
        assert roofline.picture(document).points[-1].series is None
        document["peak"]["work_per_s"] = 10.0
        assert roofline.picture(document).lines[0].label.endswith("10 floating-point instruction/s")


def test_lines_are_drawn_with_their_labels_and_powers_of_ten() -> None:
    lines = (Line("<roof>", ((0.01, 1e3), (1.0, 1e5))), Line("flat", ((0.01, 1e5), (10.0, 1e5))))
    shown = svg.picture(Picture("p", "x", "y", (), logarithmic=True, lines=lines))
    assert shown.count("<polyline") == 2
    assert "&lt;roof&gt;" in shown
    ticks = [float(text) for text in re.findall(r'text-anchor="middle">([-+.\de]+)<', shown)]
    assert ticks == [0.01, 0.1, 1.0, 10.0]
    assert all(math.log10(tick).is_integer() for tick in ticks)


@pytest.mark.parametrize(("values", "logarithmic", "unit", "expected"), [
    ([52.5, 62.32], False, "W", [54, 56, 58, 60, 62]),
    ([911.8e-6, 1.068e-3], False, "s", [0.00095, 0.001, 0.00105]),
    ([0.2697e9, 38.4e9], True, "flop/s", [0.5e9, 1e9, 2e9, 5e9, 10e9, 20e9]),
    ([911.8e-6, 1.068e-3], True, "s", [0.00095, 0.001, 0.00105]),
    ([0, 100_000], False, "B", [0, 32768, 65536, 98304]),
    ([-3, 3], False, "", [-2, 0, 2]),
    ([7, 7], True, "", [7]),
])  # fmt: skip
def test_ticks_are_round_numbers(values: list[float], logarithmic: bool, unit: str, expected: list[float]) -> None:
    assert svg._ticks(values, logarithmic, unit) == pytest.approx(expected)


def test_machines_without_an_answer_share_a_line_for_each_reason() -> None:
    refusals = [{"name": name, "reason": f"model cpu needs a cpu; {name!r} is a gpu"} for name in ("a100", "h200")]
    refusals.append({"name": "old", "reason": "machine 'old' has no cache"})
    (shown,) = refused({"refused": refusals})
    assert isinstance(shown, Table)
    assert [tuple(row) for row in shown.rows] == [
        ("a100, h200", "model cpu needs a cpu; this is a gpu"), ("old", "has no cache"),
    ]  # fmt: skip


def test_points_and_rows_of_a_front_have_the_same_names() -> None:
    front = [{"parameters": {"n": k}, "objectives": {"time": k, "area": 5 - k}} for k in range(1, 4)]
    del front[1]["objectives"]["area"]
    document = {
        "schema_version": 1, "name": "s", "machine": "m", "points": 3, "front": front, "best": [],
        "objectives": [{"name": "time", "unit": "s"}, {"name": "area", "unit": "mm2"}],
        "axes": [{"parameter": "n", "label": "n", "unit": ""}],
    }  # fmt: skip
    built = page(document)
    table = next(part for part in built.sections if isinstance(part, Table))
    picture = next(part for part in built.sections if isinstance(part, Picture))
    assert table.keys == ("0", "1", "2")
    assert [point.key for point in picture.points] == ["0", "2"]
    shown = html.article(built)
    assert re.findall(r'<tr data-row="(\d)"', shown) == ["0", "1", "2"]
    assert re.findall(r'<circle[^>]*data-row="(\d)"', shown) == ["0", "2"]
    assert 'data-brush="front"' in shown
    plain = svg.picture(Picture("p", "x", "y", (Point(1, 1, "a"), Point(2, 2, "b"))))
    assert "data-brush" not in plain
    assert "data-row" not in plain
