"""Limits of a check, in the grammar of Gungraun: `5%` of growth, `2ms` of time, or both as `3%|50us`.

A rule has a pattern for CODE@MACHINE (`*` and `?`; without @, for every machine). Of several that fit, the one with the
longest pattern counts; that of a line of its own counts more than the common `limit`.
"""

from __future__ import annotations

import math
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from foretell import units
from foretell.core.answers.check import Limit
from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_PERCENT = re.compile(r"\+?(\d+(?:\.\d+)?)\s*%")


def parse_limit(text: str, pattern: str = "*") -> Limit:
    """Reads a limit; an error says what the grammar is."""
    soft = hard = None
    for part in text.split("|"):
        if (found := _PERCENT.fullmatch(part.strip())) and soft is None:
            soft = float(found[1]) / 100
        elif hard is None and not found:
            hard = _seconds(part.strip(), text)
        else:
            raise _wrong(text)
    return Limit(f"{pattern} = {text}", soft, hard)


def _seconds(part: str, text: str) -> float:
    try:
        seconds = units.parse_as(part, "s")
    except InputError:
        raise _wrong(text) from None
    if not (math.isfinite(seconds) and seconds > 0):
        raise _wrong(text)
    return seconds


def _wrong(text: str) -> InputError:
    return InputError(f"{text!r} is not a limit", hint="write 5% (growth), 2ms (time), or both: 3%|50us")


class Limits:
    """All rules of a check."""

    def __init__(self, common: str | None, rules: Mapping[str, str]) -> None:
        self._common = None if common is None else parse_limit(common)
        self._rules = {pattern: parse_limit(text, pattern) for pattern, text in rules.items()}

    def of(self, code: str, machine: str) -> Limit | None:
        """The limit of a code on a machine."""
        fitting = [pattern for pattern in self._rules if _fits(pattern, code, machine)]
        return self._rules[max(fitting, key=lambda pattern: (len(pattern), pattern))] if fitting else self._common

    def check_used(self, names: Iterable[tuple[str, str]]) -> None:
        """Refuses a rule that fits no name: it would silently check nothing."""
        pairs = list(names)
        for pattern in self._rules:
            if not any(_fits(pattern, *pair) for pair in pairs):
                known = [f"{code}@{machine}" for code, machine in pairs]
                close = nearest(pattern, [*known, *(code for code, _ in pairs)])
                listed = ", ".join(known[:6]) + (", …" if len(known) > 6 else "")
                raise InputError(f"limit {pattern!r} fits no code{close}", hint=f"there are: {listed}")


def _fits(pattern: str, code: str, machine: str) -> bool:
    own, at, of_machine = pattern.rpartition("@")
    return fnmatchcase(code, own if at else pattern) and fnmatchcase(machine, of_machine if at else "*")


def broken(limit: Limit | None, base_s: float, head_s: float, slower: bool) -> str:
    """Which limit is not kept, in words; '' if none. Growth that the model cannot tell from nothing breaks none."""
    if limit is None:
        return ""
    growth = head_s / base_s - 1 if base_s > 0 else 0.0
    if slower and limit.soft is not None and growth > limit.soft:
        return f"{100 * growth:+.1f} % is more than {100 * limit.soft:g} % ({limit.rule})"
    if limit.hard_s is not None and head_s > limit.hard_s:
        return f"{units.show(head_s, 's')} is more than {units.show(limit.hard_s, 's')} ({limit.rule})"
    return ""
