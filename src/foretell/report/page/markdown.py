"""Pages as Markdown: the headline, tables, lists; no pictures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from foretell.report import json
from foretell.report.page.build import page
from foretell.report.page.elements import Bar, Notes, Source, Table

if TYPE_CHECKING:
    from foretell.report.page.elements import Page, Section

#: characters that Markdown or HTML would read as something else
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!@])")


def dumps(kind: str, answer: object) -> str:
    """An answer as Markdown."""
    document: dict[str, Any] = getattr(json, kind)(answer)
    return render(page({"schema_version": json.SCHEMA_VERSION, **document}))


def render(shown: Page) -> str:
    """A page as Markdown."""
    parts = [f"### {escaped(shown.title)}", escaped(shown.headline)]
    parts += [text for section in shown.sections if (text := _section(section))]
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    """Text on one line, shown as it is. A mention (@name) is none."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split())).replace("\\@", "@\u200b")


def _section(section: Section) -> str:
    if isinstance(section, Table):
        return _folded(section.title, _table(section)) if section.folded else _titled(section.title, _table(section))
    if isinstance(section, Notes):
        listed = "\n".join(f"- {escaped(item)}" for item in section.items)
        return _folded(section.title, listed) if section.folded else _titled(section.title, listed)
    if isinstance(section, Source):
        rows = [f"{share:6.1%} {line:5d} {text}" for line, text, share, _ in section.lines]
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", "\n".join(rows))), 3)
        return _titled(section.file, "\n".join([fence, *rows, fence]))
    return ""


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
