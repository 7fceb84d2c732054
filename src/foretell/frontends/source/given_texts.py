"""The texts that a user gives with `-D` and `--branch`: numbers, words, shares."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

#: of a condition, that is written exactly
_LEAST_SHARE = 2.0**-62


def is_number(text: str) -> bool:
    """Whether a text is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def is_word(text: str) -> bool:
    """Whether a value is no number and no range of numbers: a letter, a string, NULL."""
    try:
        for part in re.split("[:,]", text):
            float(part)
    except ValueError:
        return True
    return False


def unquoted(text: str) -> str:
    """A word without quotes around it."""
    quoted = len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]
    return text[1:-1] if quoted else text


def whole(name: str, text: str) -> int:
    """The whole number that is given for a parameter of a loop."""
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"-D {name}={text}: a parameter of a loop is a number") from None
    if value != int(value):
        raise InputError(f"-D {name}={text}: a parameter of a loop is a whole number")
    return int(value)


def shares_of_time(given: Sequence[tuple[str, str]]) -> dict[tuple[str, int], Fraction]:
    """Probabilities of conditions, by file name (or none) and line."""
    shares: dict[tuple[str, int], Fraction] = {}
    for location, text in given:
        file, _, line = location.rpartition(":")
        try:
            share = shares[file, int(line)] = _share(text)
        except (ValueError, ZeroDivisionError):
            raise InputError(f"--branch {location}={text}: give LINE=SHARE or FILE:LINE=SHARE") from None
        if not 0 <= share <= 1:
            raise InputError(f"--branch {location}={text}: a share is between 0 and 1")
    return shares


def _share(text: str) -> Fraction:
    """Exactly what is written. Of powers of ten only those are computed that a share can have."""
    rough = 1.0 if "/" in text else float(text)
    return Fraction(text) if _LEAST_SHARE < rough <= 1 else Fraction(max(-1.0, min(rough, 2.0)))
