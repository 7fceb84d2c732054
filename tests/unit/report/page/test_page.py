"""Pages: of every answer, escaped, without anything from elsewhere."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

import foretell
from foretell.core.answers.check import Bisected, Bisection, Change, Check, Limit, NotCompared, Reason
from foretell.errors import InputError
from foretell.report import json as json_report
from foretell.report.page import html, markdown
from foretell.report.page.build import page
from foretell.report.page.markup import element
from tests.support.cli import refused, run

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = (
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "]]>--><!--", "</script><script>", "' onload='x",
    "\u202egnp.exe", "a\x00b\x1b[31m", "{{7*7}}", "| a | b |", "`x`", "@everyone", "javascript:alert(1)",
)  # fmt: skip


class _Parsed(HTMLParser):
    """Elements with attributes, and the visible text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def a_check(name: str = "sum") -> Check:
    reasons = (Reason("core", 1e-3, 2e-3, "s"), Reason("vector width", "32 B", "scalar"), Reason("new", None, 0.5, "%"))
    slower = Change(
        name, "zen4", "slower", 1e-3, 2e-3, 0.02, (1e-3, 3e-3), reasons, Limit("* = 5%", 0.05), "too slow", name, 3
    )
    same = replace(slower, code="other", verdict="same code", head_s=1e-3, reasons=(), broken="", interval_s=None)
    close = replace(slower, code="third", verdict="no difference", head_s=1.001e-3, broken="")
    return Check(
        name,
        "head",
        (slower, close, same),
        (NotCompared(name, "zen4", "head", name),),
        {"zen4": "sha256:0"},
        {"cpu": 2},
    )


def documents() -> dict[str, Any]:
    case = foretell.prepare("example:vector-add", "sw26010")
    answers: dict[str, Any] = {
        "prediction": case.predict(),
        "predictions": foretell.predict_many("example:vector-add", "sw26010", parameters={"N": "256:1024:256"}),
        "explanation": foretell.why(case),
        "split": foretell.split([case]),
        "tuning": foretell.tune(case, axes={"rows": [1, 2]}),
        "validation": foretell.validate("sunway-nbody"),
        "check": a_check(),
        "bisection": Bisection("sum", "zen4", "5%", 1e-3, (Bisected("a", "x", 1e-3), Bisected("b", "y", None, "no"))),
        "exploration": foretell.explore("example:sunway-designs"),
        "machine": foretell.machine("sw26010"),
    }  # fmt: skip
    return {name: json.loads(json_report.dumps(getattr(json_report, name)(answer))) for name, answer in answers.items()}


@pytest.fixture(scope="module")
def every() -> dict[str, Any]:
    return documents()


def test_every_answer_has_a_page(every: dict[str, Any]) -> None:
    for name, document in every.items():
        text = html.document([page(document)], f"foretell {name}")
        parsed = _Parsed(text)
        assert len(text.encode()) < 1_000_000
        tags = [tag for tag, _ in parsed.elements]
        assert tags.count("script") == 2  # ours, and the data
        assert not {"img", "link", "iframe", "object", "a"} & set(tags)
        assert page(document).headline[:20] in parsed.text
        data = re.search(r'<script type="application/json" id="answer-0">(.*?)</script>', text, re.DOTALL)
        assert data is not None
        assert json.loads(data[1]) == document
        assert markdown.render(page(document)).startswith("### ")


def test_pictures_and_sources_are_in_the_pages(every: dict[str, Any]) -> None:
    assert "<polyline" in html.document([page(every["predictions"])])
    assert html.document([page(every["validation"])]).count("<circle") == 4
    assert html.document([page(every["exploration"])]).count("<circle") > 10
    line = {
        "file": "a.c",
        "line": 3,
        "text": "x <y>",
        "time_s": 1e-3,
        "share": 0.7,
        "core_s": 0.0,
        "accessed_bytes": 0.0,
    }
    explained = {**every["explanation"], "lines": [line, {**line, "line": 4, "share": 0.0}]}
    text = html.document([page(explained)])
    assert 'class="share h5"' in text
    assert "x &lt;y&gt;" in text
    assert " 70.0%     3 x <y>" in markdown.render(page(explained))


def test_the_policy_names_style_and_script_and_nothing_else(every: dict[str, Any]) -> None:
    parsed = _Parsed(html.document([page(every["prediction"])]))
    (policy,) = [a["content"] for tag, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert not [
        key for _, attributes in parsed.elements for key in attributes if key.startswith("on") or key == "style"
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text(name: str) -> None:
    document = json.loads(json_report.dumps(json_report.check(a_check(name))))
    text = html.document([page(document)], f"foretell check {name}")
    plain = html.document([page(json.loads(json_report.dumps(json_report.check(a_check()))))])
    tags = [tag for tag, _ in _Parsed(text).elements if tag not in ("code", "p")]
    assert tags == [tag for tag, _ in _Parsed(plain).elements if tag not in ("code", "p")]
    used = {key for _, attributes in _Parsed(text).elements for key in attributes}
    assert used <= {key for _, attributes in _Parsed(plain).elements for key in attributes} | {"class"}
    assert "\u202e" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert "<script>alert" not in text
    rendered = markdown.render(page(document))
    assert "<script>" not in rendered.replace("\\<", "").replace("\\>", "")
    assert "@everyone" not in rendered


def test_an_attribute_cannot_be_a_handler() -> None:
    with pytest.raises(ValueError, match="not an attribute"):
        element("p", onclick="x")
    assert (
        element("p", "<", ["a", element("b")], class_="x", hidden=True, title=None, x=0)
        == '<p class="x" hidden x="0">&lt;a<b></b></p>'
    )


def test_answers_side_by_side(every: dict[str, Any]) -> None:
    twice = {**every["prediction"], "time_s": 2 * every["prediction"]["time_s"]}
    text = html.document([page(every["prediction"]), page(twice)])
    assert "2.000x" in text
    assert text.count("<article>") == 2
    mixed = html.document([page(every["predictions"]), page(every["check"])])
    assert "2 answers compared" in mixed


def test_data_that_is_too_much_is_left_out(every: dict[str, Any]) -> None:
    large = {**every["bisection"], "commits": [{"commit": str(n), "title": "x" * 600} for n in range(2000)]}
    text = html.document([page(large)])
    assert len(text.encode()) < 1_000_000
    assert "the data is not included" in text
    assert "and 1800 more" in text


@pytest.mark.parametrize(
    ("document", "message"),
    [([], "is no answer"), ({}, "is no answer"), ({"schema_version": 1, "predictions": [3], "refused": []}, "damaged")],
)
def test_what_is_no_answer(document: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        page(document)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: dict[str, Any]) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("report", "predict", "example:vector-add", "--on", "sw26010")
    assert result.code == 0, result.err
    text = (tmp_path / "report.html").read_text()
    assert "made by <code>foretell predict example:vector-add --on sw26010</code>" in text
    assert "numbers of sw26010" in text
    (tmp_path / "a.json").write_text(json.dumps(every["check"]))
    assert run("report", "--format", "markdown", "-o", "-", "a.json", "a.json").out.count("### sum → head") == 2
    (tmp_path / "b.json").write_text("{")
    assert "b.json: is no JSON" in refused("report", "b.json")
    (tmp_path / "c.json").write_text("{}")
    assert "c.json: is no answer of foretell" in refused("report", "c.json")
    assert "no such file" in refused("report", "nothing.json")
    assert "cannot be written" in refused("report", "-o", "no/folder.html", "a.json")
    assert "No such option" in refused("report", "machines", "--help", code=2)


def test_the_output_may_stand_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("predict", "example:vector-add", "--on", "sw26010")
    assert "behind.html: written" in run("report", *words, "-o", "behind.html").err
    (tmp_path / "a.json").write_text(run(*words, "--format", "json").out)
    assert "files.html: written" in run("report", "a.json", "--output", "files.html").err
    assert (tmp_path / "behind.html").read_text().count("<!") == (tmp_path / "files.html").read_text().count("<!")
    assert "no such file" in refused("report", "a.json", "-o")  # the name is missing: taken for an answer
    assert "No such option" not in refused("report", "check", "-o", "check.html")  # `--output` alone is its own


def test_markdown_is_a_format_of_every_command() -> None:
    result = run("predict", "example:vector-add", "--on", "sw26010", "--format", "markdown")
    assert result.code == 0
    assert "| DMA | 786.4 us |" in result.out
    listed = run("machines", "diff", "zen4", "zen5", "--format", "markdown")
    assert listed.out.startswith("```\nparameter")
