"""Answers as HTML fragments: those of reports, and forms around them. Text of answers is always escaped."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from foretell import units
from foretell.errors import InputError
from foretell.report.page import html, roofline
from foretell.report.page.build import page
from foretell.report.page.elements import Page, Picture, Point
from foretell.report.page.markup import Html, element

if TYPE_CHECKING:
    from collections.abc import Mapping

Document = dict[str, Any]
#: FILE:LINE at the begin of a message
_AT_LINE = re.compile(r"(?:^|[\s:])[\w.+-]+\.\w+:(\d+)\b")
#: lines of a version that are compared as text
_MOST_LINES = 3000
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def answer(question: str, document: Document, asked: Mapping[str, Any] = MappingProxyType({})) -> Html:
    """The fragment of an answer to a question."""
    if question == "check":
        return element("div", _versions(asked), html.article(page(document)))
    if question == "advise":
        return _advice(document)
    try:
        return html.article(page_of(question, document))
    except InputError as error:
        return failure({"message": error.message})


def page_of(question: str, document: Document) -> Page:
    """An answer as the page of a report."""
    if question == "annotate":
        return _prediction(document)
    return _sizes(document) if question == "sizes" else page(document)


def title(question: str, document: Document) -> str:
    """What a kept answer is called in lists."""
    if "headline" in document:
        return str(document["headline"])
    try:
        return page_of(question, document).headline
    except InputError:
        return question


def failure(error: Mapping[str, Any]) -> Html:
    """Why there is no answer."""
    parts = [element("p", error["message"], class_="error")]
    if error.get("hint"):
        parts.append(element("p", error["hint"], class_="hint"))
    return element("div", parts, class_="failure", role="alert")


def _prediction(document: Document) -> Page:
    """A prediction with its roofline, after what the time is made of."""
    shown = page({"schema_version": document["schema_version"], **document["prediction"]})
    if not document.get("roofline"):
        return shown
    first = min(len(shown.sections), 2)
    picture = roofline.picture(document["roofline"])
    return replace(shown, sections=(*shown.sections[:first], picture, *shown.sections[first:]))


def _versions(asked: Mapping[str, Any]) -> Html:
    """What changed between two texts: as a list of lines, in whose place the page puts both side by side."""
    texts = [(asked.get(key) or {}).get("text") for key in ("base", "code")]
    if not all(isinstance(text, str) for text in texts):
        return Html("")
    before, after = (str(text).splitlines()[:_MOST_LINES] for text in texts)
    lines = list(difflib.unified_diff(before, after, "before", "now", lineterm="", n=2))
    said = "\n".join(lines) if lines else "the texts are equal"
    return element("div", element("pre", said, tabindex=0), id="versions", class_="versions")


def _sizes(document: Document) -> Page:
    name = document["parameter"]
    points = tuple(Point(entry["size"], entry["time_s"], _point_label(name, entry)) for entry in document["points"])
    picture = Picture(f"time against {name}", name, "time", points, y_unit="s", logarithmic=True, line=True)
    return Page(name, f"{len(points)} sizes of {name}, each predicted", (picture,), "sizes", document)


def _point_label(name: str, entry: Document) -> str:
    return f"{name} = {entry['size']:g}: {units.show(entry['time_s'], 's')}, bound by {entry['bound_by']}"


def _advice(document: Document) -> Html:
    """Changes with their gains; a change of the text has a button that puts it into the editor."""
    changes = [_change(number, entry) for number, entry in enumerate(document["changes"])]
    refused = [
        element("li", f"line {entry['line']}: {entry['title']}: {entry['reason']}")
        for entry in document["refused_changes"]
    ]
    more = [element("details", element("summary", "refused"), element("ul", refused))] if refused else []
    nothing = [] if changes else [element("p", "no change makes it faster", class_="more")]
    return element("article", element("p", document["headline"], class_="headline"), nothing, changes, more)


def _change(number: int, entry: Document) -> Html:
    low, high = entry["interval"]
    gain = f"{entry['gain']:.2f}× faster ({low:.2f} to {high:.2f})"
    said = [element("strong", entry["title"]), " ", element("span", gain, class_="gain")]
    facts = [f"line {entry['line']}", entry["legality"], entry["basis"], entry["why"]]
    facts += [f"flags: {entry['flags']}"] if entry["flags"] else []
    facts += [f"{entry['threads']} threads"] if entry["threads"] else []
    button = element("button", "apply", name="question", value=f"apply-{number}", class_="apply", data_change=number)
    shown = [element("summary", "changed code"), element("pre", entry["text"], tabindex=0)]
    parts = [button, element("details", shown)] if entry["text"] else [button]
    return element("section", element("p", said), element("p", "; ".join(facts), class_="more"), parts)


def diagnostics(document: Document) -> list[Document]:
    """Assumptions, and sizes that were not given, as notes for lines of the editor; line 1 where none is named."""
    notes = []
    for entry in document.get("sizes", ()):
        if not entry["given"]:
            text = f"{entry['name']} = {entry['value']:g} is assumed; give it a value"
            notes.append({"line": 1, "severity": "warning", "message": text})
    for text in document["prediction"]["assumptions"]:
        named = _AT_LINE.search(text)
        if named:
            notes.append({"line": int(named[1]), "severity": "info", "message": text})
    return notes


def error_diagnostics(error: Mapping[str, Any]) -> list[Document]:
    """An error at its line."""
    line = error.get("line")
    named = _AT_LINE.search(error["message"])
    number = int(line) if line else int(named[1]) if named else 1
    return [{"line": number, "severity": "error", "message": error["message"]}]


def pairs(text: str) -> dict[str, str | float]:
    """NAME=VALUE words of a form field."""
    result: dict[str, str | float] = {}
    for word in re.split(r"[\s,;]+", text.strip()):
        if not word:
            continue
        name, equals, value = word.partition("=")
        if not equals or not name or not value:
            raise InputError(f"{word[:40]!r}: write NAME=VALUE")
        result[name] = _number(value)
    return result


def _number(text: str) -> str | float:
    if not _NUMBER.fullmatch(text):
        return text
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 1e15 else value
