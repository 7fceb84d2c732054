"""HTML and SVG elements whose text and attributes are always escaped."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: elements without an end
_VOID = frozenset({"meta", "br", "hr", "input"})
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
#: characters that HTML does not allow, and those that change the direction of text
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


def element(name: str, /, *content: str | Iterable[str], **attributes: object) -> Html:
    """An element. Content is escaped unless it is markup; `class_` is class, `data_x` is data-x; an attribute that is
    None or False is left out."""
    given = "".join(_attribute(key, value) for key, value in attributes.items() if not _is_absent(value))
    if name in _VOID:
        return Html(f"<{name}{given}>")
    return Html(f"<{name}{given}>{''.join(map(markup, _flat(content)))}</{name}>")


def _is_absent(value: object) -> bool:
    return value is None or value is False  # 0 is a value


def _flat(content: Iterable[str | Iterable[str]]) -> Iterable[str]:
    for part in content:
        if isinstance(part, str):
            yield part
        else:
            yield from part


def _attribute(key: str, value: object) -> str:
    name = key.rstrip("_").replace("_", "-")
    if not _NAME.fullmatch(name) or name.lower().startswith("on"):
        raise ValueError(f"not an attribute of a report: {name!r}")
    return f" {name}" if value is True else f' {name}="{escape(clean(str(value)), quote=True)}"'


def markup(text: str) -> Html:
    """Text as markup: escaped, unless it is."""
    return text if isinstance(text, Html) else Html(escape(clean(text), quote=True))


def clean(text: str) -> str:
    """Text without characters that a page cannot have or that reorder it."""
    return _CONTROLS.sub("\ufffd", text)
