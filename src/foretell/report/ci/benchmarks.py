"""Predicted times of the head for services that plot benchmarks: Bencher's metric format, `customSmallerIsBetter`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foretell.core.answers.check import Change, Check

_NANOSECONDS = 1e9


def bencher(item: Check) -> str:
    """Latency in nanoseconds with its interval, by CODE@MACHINE."""
    return json.dumps({change.name: {"latency": _metric(change)} for change in _ordered(item)}, indent=2)


def _metric(change: Change) -> dict[str, float]:
    metric = {"value": change.head_s * _NANOSECONDS}
    if change.interval_s is not None:
        low, high = change.interval_s
        metric |= {"lower_value": low * _NANOSECONDS, "upper_value": high * _NANOSECONDS}
    return metric


def smaller_is_better(item: Check) -> str:
    """A list of name, unit, value, range and a text with the verdict."""
    return json.dumps([_entry(change) for change in _ordered(item)], indent=2)


def _entry(change: Change) -> dict[str, object]:
    entry: dict[str, object] = {"name": change.name, "unit": "ns", "value": change.head_s * _NANOSECONDS}
    if change.interval_s is not None:
        entry["range"] = f"{change.interval_s[0] * _NANOSECONDS:.6g}–{change.interval_s[1] * _NANOSECONDS:.6g}"
    return {**entry, "extra": "\n".join([change.headline, *(reason.text for reason in change.reasons)])}


def _ordered(item: Check) -> list[Change]:
    return sorted(item.changes, key=lambda change: change.name)
