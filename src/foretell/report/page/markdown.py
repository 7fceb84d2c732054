"""Pages as Markdown: the headline, tables, lists; no pictures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from foretell.report import json, text
from foretell.report.page.build import PAGES, page
from foretell.report.page.elements import Bar, Notes, Source, Table

if TYPE_CHECKING:
    from foretell.report.page.elements import Page, Section

#: characters that Markdown or HTML would read as something else
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!@])")


def dumps(kind: str, answer: object) -> str:
    """An answer as Markdown; one without a page of its own as its text."""
    if kind not in PAGES:
        return "\n".join(_fenced(text.render(getattr(text, kind)(answer), color=False).split("\n")))
    document: dict[str, Any] = getattr(json, kind)(answer)
    return render(page({"schema_version": json.SCHEMA_VERSION, **document}))


def render(shown: Page) -> str:
    """A page as Markdown."""
    parts = [f"### {escaped(shown.title)}", *([escaped(shown.headline)] if shown.headline != shown.title else [])]
    parts += [body for section in shown.sections if (body := _section(section))]
    return "\n\n".join(parts)


def escaped(words: str) -> str:
    """Text on one line, shown as it is. A mention (@name) is none."""
    return _SPECIAL.sub(r"\\\1", " ".join(words.split())).replace("\\@", "@\u200b")


def _section(section: Section) -> str:
    if isinstance(section, Table):
        return _folded(section.title, _table(section)) if section.folded else _titled(section.title, _table(section))
    if isinstance(section, Notes):
        listed = "\n".join(f"- {escaped(item)}" for item in section.items)
        return _folded(section.title, listed) if section.folded else _titled(section.title, listed)
    if isinstance(section, Source):
        rows = [f"{share:6.1%} {line:5d} {code}" for line, code, share, _ in section.lines]
        return _titled(section.file, "\n".join(_fenced(rows)))
    return ""


def _fenced(lines: list[str]) -> list[str]:
    """Lines as they are, between fences longer than any in them."""
    longest = max((len(run) for run in re.findall("`+", "\n".join(lines))), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence, *lines, fence]


def _titled(title: str, body: str) -> str:
    return f"**{escaped(title)}**\n\n{body}" if title else body


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{escaped(title)}</summary>\n\n{body}\n\n</details>"


def _table(section: Table) -> str:
    kept = [n for n in range(len(section.columns)) if not any(isinstance(row[n], Bar) for row in section.rows)]
    lines = [_row([section.columns[n] for n in kept]), _row(["---"] * len(kept), raw=True)]
    lines += [_row([str(row[n]) for n in kept]) for row in section.rows]
    more = [f"\n… and {section.more} more"] if section.more else []
    return "\n".join([*lines, *more])


def _row(cells: list[str], raw: bool = False) -> str:
    return "| " + " | ".join(cells if raw else map(escaped, cells)) + " |"
