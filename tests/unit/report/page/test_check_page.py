"""What pages of checks, rankings and validations show, and that pictures have room for their labels."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from foretell.core.answers.check import Check, Reason
from foretell.report import json as json_report
from foretell.report.page import html, svg
from foretell.report.page.build import _assumed, _statistic, page
from foretell.report.page.elements import Picture, Point, Source, Table
from tests.unit.report.page.test_page import a_check


def pictures(check: Check) -> list[Picture]:
    built = page(json.loads(json_report.dumps(json_report.check(check))))
    return [part for part in built.sections if isinstance(part, Picture)]


def test_growth_is_drawn_over_the_time_before() -> None:
    check = a_check()
    instant = replace(check.changes[0], base_s=0.0, code="nothing before")
    (picture,) = pictures(replace(check, changes=(*check.changes, instant)))
    assert [point.y for point in picture.points] == pytest.approx([2.0, 1.001, 1.0])
    ((_, one), (_, other)) = picture.lines[0].points
    assert one == other == 1.0
    assert "polyline" in svg.picture(picture)
    assert pictures(replace(check, changes=check.changes[2:])) == []  # the same code: nothing to see
    assert pictures(replace(check, changes=check.changes[:1])) == []  # of one code, the table says it


def test_the_growth_stands_beside_the_verdict() -> None:
    built = page(json.loads(json_report.dumps(json_report.check(a_check()))))
    table = next(part for part in built.sections if isinstance(part, Table))
    assert table.columns[2:5] == ("verdict", "change", "before")
    assert table.rows[0][2:5] == ("slower", "+100.0 %", "1 ms")


@pytest.mark.parametrize("unit", ["s", "MiB of cache", ""])
def test_labels_of_the_upright_axis_have_room_beside_its_name(unit: str) -> None:
    points = tuple(Point(x, 1e5 * x, "a") for x in (1.0, 2.0, 5.5))
    drawn = str(svg.picture(Picture("p", "x", "area", points, "", unit)))
    ends = re.findall(r'<text x="([\d.]+)"[^>]*text-anchor="end">([^<]+)<', drawn)
    assert len(ends) >= 3
    for x, label in ends:
        assert float(x) - 8.5 * len(label) >= 14 + 17 / 2  # letters of 17 px, as small screens have them


def test_counts_have_no_exponents() -> None:
    assert Reason("instructions", 1048544.0, 2786262.0).text == "instructions 1,048,544 → 2,786,262"
    assert Reason("registers", 14, 18).text == "registers 14 → 18"
    assert svg._shown(2e5, "") == "200,000"
    assert svg._shown(0.25, "") == "0.25"


def test_what_machines_assume_by_themselves_has_their_names() -> None:
    entries = [
        {"machine": "zen4", "assumptions": ["len < 16 does not hold", "compiled code followed: gcc", "zen4: no L4"]},
        {"machine": "zen3", "assumptions": ["compiled code followed: clang", "len < 16 does not hold"]},
    ]
    assert _assumed(entries) == [
        "len < 16 does not hold", "zen4: compiled code followed: gcc", "zen4: no L4",
        "zen3: compiled code followed: clang",
    ]  # fmt: skip


def test_shares_of_a_validation_are_percentages() -> None:
    assert _statistic("mape", 0.423) == "42.3%"
    assert _statistic("interval_ratio", 5.2345) == "5.23"
    assert _statistic("n", 40) == "40"


def test_sources_have_no_indentation_that_all_lines_have() -> None:
    lines = ((3, "\t\tfor (;;)", 0.2, "1 s"), (4, "", 0.0, ""), (5, "            x++;", 0.8, "4 s"))
    drawn = str(html._source(Source("a.c", lines)))
    assert "<td>for (;;)</td>" in drawn
    assert "<td>    x++;</td>" in drawn
