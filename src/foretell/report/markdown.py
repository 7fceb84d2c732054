"""Answers as Markdown, for comments of reviews."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from foretell.report.sections import advising as section

if TYPE_CHECKING:
    from foretell.core.answers.advising import Advising


def advising(item: Advising) -> str:
    """A headline, the ranked changes, and those refused."""
    lines = [f"**{item.headline}**", "", _row(section.COLUMNS), _row(["---"] * len(section.COLUMNS))]
    lines += [_row(section.row(item, change)) for change in item.changes]
    if item.refused:
        lines += ["", _row(("refused", "line", "reason")), _row(["---"] * 3)]
        lines += [_row((f"{entry.id} {entry.title}".strip(), str(entry.line), entry.reason)) for entry in item.refused]
    return "\n".join(lines)


def _row(cells: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def dumps(kind: str, answer: object) -> str:
    """An answer as Markdown: by a table of its own, or as its page."""
    if kind == "advising":
        return advising(cast("Advising", answer))
    from foretell.report.page import markdown

    return markdown.dumps(kind, answer)
