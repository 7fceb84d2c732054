"""Parses numbers as tools print them: in the C locale, or in the user's.

A lone «1.234» may be 1234 or 1.234. The format of the other numbers of a file decides («27.595.520» and «65,77»
mean a decimal comma); if none does, the number is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

_PLAIN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
_NUMBER = re.compile(r"([-+]?)(\d[\d.,]*|[.,]\d+)((?:[eE][-+]?\d+)?)", re.ASCII)
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
#: unambiguous thousands separators: no-break spaces, Swiss apostrophes
_SPACES = re.compile(r"(?<=\d)[\u00a0\u202f\u2009 '’](?=\d{3}(?!\d))")
_OTHER = {".": ",", ",": "."}
#: digits of a whole number that is finite in any case
_SHORT = 300


@dataclass(frozen=True, slots=True)
class Style:
    """The decimal separator of a file; None if undetermined."""

    decimal: str | None


C_LOCALE = Style(".")


def plain(text: str) -> float | None:
    """A number in the C locale, or None."""
    if not _PLAIN.fullmatch(text):
        return None
    value = float(text)
    return value if abs(value) < float("inf") else None


def is_number(text: str) -> bool:
    """Whether a text is a number in some locale."""
    return _PLAIN.fullmatch(text) is not None or _NUMBER.fullmatch(_SPACES.sub("", text.strip())) is not None


def style_of(texts: Iterable[str]) -> Style:
    """The number style of a file; contradictory numbers are an error."""
    proofs: dict[str, str] = {}
    for text in texts:
        if decimal := _evidence(_SPACES.sub("", text.strip())):
            proofs.setdefault(decimal, text)
        if len(proofs) == 2:
            raise InputError(
                f"{proofs['.']!r} has a decimal point and {proofs[',']!r} a decimal comma: numbers of two locales",
                hint="write the file again in one locale, for example with LC_ALL=C",
            )
    return Style(next(iter(proofs), None))


def parse(text: str, style: Style, what: str = "") -> float:
    """Parses a number in the locale of its file; InputError for anything else, and for ambiguous numbers."""
    if text.isascii() and text.isdigit() and len(text) < _SHORT:  # most of them
        return float(text)
    shown = f"{what}: {text[:60]!r}" if what else repr(text[:60])
    match = _NUMBER.fullmatch(_SPACES.sub("", text.strip()))
    if match is None:
        raise InputError(f"{shown} is not a number")
    sign, body, exponent = match.groups()
    if "." in body or "," in body:
        body = _to_point(body, style, shown)
    value = plain(sign + body + exponent)
    if value is None:
        raise InputError(f"{shown} is not a finite number")
    return value


def count(text: str, style: Style, what: str) -> float:
    """Parses a number that is not negative."""
    value = parse(text, style, what)
    if value < 0:
        raise InputError(f"{what}: {text} is no count")
    return value


def _to_point(body: str, style: Style, shown: str) -> str:
    decimal = style.decimal
    if decimal is None:
        raise InputError(
            f"{shown} is ambiguous: a decimal number or one with a thousands separator",
            hint="export again with LC_ALL=C, or say --decimal point or --decimal comma",
        )
    whole, point, fraction = body.partition(decimal)
    separator = _OTHER[decimal]
    if separator in fraction or decimal in fraction:
        raise InputError(f"{shown} is not a number with a decimal {'point' if decimal == '.' else 'comma'}")
    if separator in whole and not _GROUPED.fullmatch(whole):
        raise InputError(f"{shown} is not grouped in thousands")
    return whole.replace(separator, "") + ("." if point else "") + fraction


def _evidence(text: str) -> str | None:
    """The decimal separator that one number proves, if any."""
    match = _NUMBER.fullmatch(text)
    body, exponent = (match[2], match[3]) if match else ("", "")
    points, commas = body.count("."), body.count(",")
    if points and commas:
        return max(".", ",", key=body.rindex)
    if not points and not commas:
        return None
    mark = "." if points else ","
    if points + commas > 1:
        return _OTHER[mark] if _GROUPED.fullmatch(body) else None
    whole, fraction = body.split(mark)
    thousands = len(fraction) == 3 and 1 <= len(whole) <= 3 and not whole.startswith("0") and not exponent
    return None if thousands else mark
