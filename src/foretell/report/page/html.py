"""Pages as one HTML file that needs nothing else, and as a fragment for notebooks.

The policy of the file forbids everything but its own style and script, which are named by their hashes: text of an
answer can never become code. Inline styles and event handlers do not exist.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from foretell import units
from foretell.report.page import svg
from foretell.report.page.elements import Bar, Notes, Page, Source, Table
from foretell.report.page.markup import Html, clean, element, markup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.report.page.elements import Cell, Section

#: columns of a tab in a source
_TAB = 4
#: shares of the time from which a line has the next colour of heat
_HEAT = (0.01, 0.05, 0.15, 0.35, 0.6)
#: cells up to this length are not broken
_SHORT = 18
#: bytes of data inside a page; more is left out, and said
_MOST_DATA = 600_000


def document(pages: Sequence[Page], command: str = "") -> str:
    """One file with one answer, or with several side by side."""
    title = pages[0].title if len(pages) == 1 else f"{len(pages)} answers compared"
    style, script = asset("page.css"), asset("page.js")
    policy = (
        f"default-src 'none'; style-src 'sha256-{_digest(style)}'; script-src 'sha256-{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"foretell {version('foretell')}"),
        element("title", title),
        element("style", Html(style)),
    )
    shown = article(pages[0]) if len(pages) == 1 else _compared(pages)
    button = element("button", "light / dark", type="button", id="theme", hidden=True)
    header = element("header", element("h1", title), button)
    main = element("main", header, shown, _repeated(command), [_data(page, n) for n, page in enumerate(pages)])
    tip = element("div", id="tip", role="tooltip", hidden=True)
    body = element("body", main, tip, element("script", Html(script)), class_="foretell")
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def fragment(page: Page) -> str:
    """An answer inside of a notebook."""
    return element("div", element("style", Html(asset("page.css"))), article(page), class_="foretell")


@cache
def asset(name: str) -> str:
    return (resources.files("foretell.report.page") / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def article(page: Page) -> Html:
    """The headline and the sections of an answer."""
    return element(
        "article", element("p", page.headline, class_="headline"), [_section(part) for part in page.sections]
    )


def _section(section: Section) -> Html:
    if isinstance(section, Table):
        return _framed(section.title, _table(section), section.folded)
    if isinstance(section, Notes):
        listed = element("ul", [element("li", item) for item in section.items], class_="notes")
        return _framed(section.title, listed, section.folded)
    if isinstance(section, Source):
        return _framed(section.file, _source(section), False)
    if not section.points and not section.lines:
        return Html("")
    named = f"picture: {section.title}"
    drawn = element("div", svg.picture(section), class_="scroll", tabindex=0, role="region", aria_label=named)
    return _framed(section.title, drawn, False)


def _framed(title: str, body: Html, folded: bool) -> Html:
    if folded:
        return element("details", element("summary", title), body)
    return element("section", [element("h2", title)] if title else [], body)


def _table(section: Table) -> Html:
    head = element("tr", [element("th", name, scope="col") for name in section.columns])
    keys = section.keys or (None,) * len(section.rows)
    rows = [
        element("tr", [_cell(cell) for cell in row], data_row=key) for key, row in zip(keys, section.rows, strict=True)
    ]
    more = [element("p", f"… and {section.more} more, in the data below", class_="more")] if section.more else []
    table = element("table", element("thead", head), element("tbody", rows))
    return element("div", table, more, class_="scroll", tabindex=0, role="region", aria_label=section.title or "table")


def _cell(cell: Cell) -> Html:
    if isinstance(cell, Bar):
        return element("td", svg.bar(cell))
    return element("td", cell, class_="short" if len(cell) <= _SHORT else None)


def _source(section: Source) -> Html:
    """Lines with their shares, without the indentation that all have."""
    texts = [text.expandtabs(_TAB) for _, text, _, _ in section.lines]
    indented = min((len(text) - len(text.lstrip()) for text in texts if text.strip()), default=0)
    rows = [
        element(
            "tr",
            element("td", f"{share:.1%}" if share else "", class_=f"share {_heat(share)}".strip(), title=time),
            element("td", str(line), class_="number"),
            element("td", text[indented:] or " "),
        )
        for (line, _, share, time), text in zip(section.lines, texts, strict=True)
    ]
    table = element("table", element("tbody", rows), class_="code")
    return element("div", table, class_="scroll", tabindex=0, role="region", aria_label=f"source {section.file}")


def _heat(share: float) -> str:
    level = sum(share >= least for least in _HEAT)
    return f"h{level}" if level else ""


def _compared(pages: Sequence[Page]) -> Html:
    """A table of the times that answers have in common, then the answers side by side."""
    names = list(dict.fromkeys(name for page in pages for name, _ in page.times))
    times = [dict(page.times) for page in pages]
    if all(len(page.times) == 1 for page in pages):  # one time each, whatever it is called
        names = ["time"]
        times = [{"time": page.times[0][1]} for page in pages]
    rows = tuple(tuple(_times_row(name, times)) for name in names)
    columns = ("", *(f"{n}: {page.title}" for n, page in enumerate(pages, start=1)), "last to first")
    table = [_section(Table("times", columns, rows))] if rows else []
    sides = [element("section", element("h2", f"{n}: {page.title}"), article(page)) for n, page in enumerate(pages, 1)]
    return element("div", table, element("div", sides, class_="side"))


def _times_row(name: str, times: Sequence[dict[str, float]]) -> list[str]:
    found = [own.get(name) for own in times]
    shown = ["" if seconds is None else units.show(seconds, "s") for seconds in found]
    first, last = found[0], found[-1]
    return [name, *shown, f"{last / first:.3f}x" if first and last is not None else ""]


def _repeated(command: str) -> Html:
    said = [element("p", "made by ", element("code", command))] if command else []
    return element("footer", said, element("p", f"foretell {version('foretell')}"))


def _data(page: Page, number: int) -> Html:
    """The document, readable and for programs; too much of it is left out."""
    readable = json.dumps(page.document, indent=1, ensure_ascii=False)
    if len(readable) > _MOST_DATA:
        return element("p", f"the data is not included: {len(readable) >> 10} KiB of JSON", class_="more")
    compact = json.dumps(page.document, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    block = element("script", Html(compact), type="application/json", id=f"answer-{number}")
    name = "data as JSON" if number == 0 else f"data as JSON, {number + 1}"
    shown = element("details", element("summary", name), element("pre", markup(clean(readable)), tabindex=0))
    return Html(shown + block)


def machine_table(machine: Any) -> Table:
    """The numbers of a machine with their sources."""
    rows = tuple(
        (path, units.show(quantity.value, quantity.unit), quantity.source.kind, quantity.source.reference)
        for path, quantity in machine.quantities.items()
    )
    return Table(f"numbers of {machine.name}", ("parameter", "value", "source", "reference"), rows, folded=True)
