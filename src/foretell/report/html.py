"""Answers as HTML for notebooks: the page of an answer as a fragment, or its text."""

from __future__ import annotations

from html import escape
from typing import Any

from foretell.report import json, text
from foretell.report.page import build
from foretell.report.page.html import fragment


def page(report_name: str, item: Any) -> str:
    """An answer as HTML; one without a page of its own as its text."""
    if report_name in build.PAGES:
        document: dict[str, Any] = getattr(json, report_name)(item)
        return fragment(build.page({"schema_version": json.SCHEMA_VERSION, **document}))
    return f"<pre>{escape(text.render(getattr(text, report_name)(item), color=False))}</pre>"
