"""Answers in a notebook: bars as long as the times, everything escaped."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

import foretell
from foretell.core.answers.answers import Predictions, Refusal
from foretell.core.answers.breakdown import NestShare
from foretell.core.answers.prediction import Bound, Part, Prediction
from foretell.report import html, text
from foretell.report.sections import breakdown


class _Balanced(HTMLParser):
    """Counts open elements; a text between tags is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(html: str) -> str:
    parser = _Balanced()
    parser.feed(html)
    assert parser.open == []
    return html


def bars(html: str) -> list[int]:
    return [int(width) for width in re.findall(r'<rect class="bar \w+" width="(\d+)"', html)]


@pytest.fixture(scope="module")
def case() -> foretell.Case:
    return foretell.prepare("example:vector-add", "sw26010")


def test_bars_are_in_proportion_to_times(case: foretell.Case) -> None:
    first = case.predict()
    second = replace(first, time_s=2 * first.time_s, parts=tuple(replace(p, time_s=2 * p.time_s) for p in first.parts),
                     interval_s=None)  # fmt: skip
    html = checked(Predictions((replace(first, interval_s=None), second))._repr_html_())
    assert bars(html) == [120, 240]


def test_every_part_and_bound_has_a_bar(case: foretell.Case) -> None:
    answer = case.predict()
    html = checked(answer._repr_html_())
    assert len(bars(html)) == sum(part.time_s != 0 for part in answer.parts) + len(answer.bounds)
    assert "between 786.4 us and 989.8 us" in html


def test_the_other_answers(case: foretell.Case) -> None:
    explained = foretell.why(case)
    assert len(bars(checked(explained._repr_html_()))) > len(bars(case.predict()._repr_html_()))
    assert "100.0%" in checked(foretell.split([case])._repr_html_())
    assert "best first" in checked(foretell.tune(case, axes={"rows": [1, 2]})._repr_html_())
    assert "predicted against measured" in checked(foretell.validate("sunway-nbody")._repr_html_())
    assert "<pre>" in checked(case.workload._repr_html_())


def test_what_users_name_is_escaped(case: foretell.Case) -> None:
    answer = replace(case.predict(), workload="<script>x</script>", assumptions=("a < b",))
    many = Predictions((answer,), (Refusal("<b>", "x < y"),))
    assert "<script>" not in answer._repr_html_() + many._repr_html_()
    assert "a &lt; b" in checked(answer._repr_html_())
    assert "x &lt; y" in checked(many._repr_html_())
    assert "not predicted" not in checked(Predictions((), ())._repr_html_())


def test_the_headline_names_nests_at_peak() -> None:
    """A time that leaves out in-core execution says so where it stands."""
    nest = NestShare("spmv", "a.c", 18, 1, 1.0, 8.0, 0.0, 0.0, "arithmetic", "cores", None, None, 0.0)
    given = Prediction(
        1.0, (Bound("b", 1.0, "memory", "throughput"),), (Part("b", 1.0),), "cpu", 1, "default", "m", "", "w", ""
    )
    item = replace(given, at_least=True, nests=tuple(replace(nest, line=line) for line in range(5)))
    assert breakdown.at_peak(item) == "spmv:0, spmv:1, spmv:2, spmv:3 and 1 more"
    assert breakdown.at_peak(replace(item, at_least=False)) == ""
    assert breakdown.at_peak(replace(item, nests=(replace(nest, bottleneck="memory"),))) == "nests that transfers bound"
    assert "arithmetic at peak in spmv:0" in html.page("prediction", item)
    assert "a lower bound: arithmetic at peak" in text.render(text.prediction(item), color=False)
