"""Formats tuning results as a table and as rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from foretell import units
from foretell.report.plain import only
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from foretell.core.answers.tuning import Tuning, Variant

#: number of best variants shown
_SHOWN = 10


def text(item: Tuning) -> RenderableType:
    """Lists the choice, then the best variants, then those that could not run."""
    best = sorted((v for v in item.variants if not v.reason), key=_time)
    table = new_table("variant", "predicted", "simulated", "relative")
    for variant in [item.default, *best[:_SHOWN]]:
        table.add_row(
            ("as it is: " if variant is item.default else "") + _shown(variant),
            _seconds(variant.predicted_s) or variant.reason,
            _seconds(variant.judged_s),
            f"{_time(variant) / _time(best[0]):.3f}x" if not variant.reason else "",
        )
    return Group(Text.from_markup(_headline(item)), table, *(Text(line) for line in _remarks(item)))


def _headline(item: Tuning) -> str:
    gain = "" if item.speedup is None else f", {item.speedup:.2f} times as fast as it is"
    return f"[bold]{item.workload} on {item.machine}[/bold]: {_shown(item.best)}{gain}"


def _remarks(item: Tuning) -> list[str]:
    able = sum(not variant.reason for variant in item.variants)
    judged = sum(variant.judged_s is not None for variant in item.variants)
    lines = [f"{len(item.variants)} variants, {able} can run, {judged} simulated ({item.strategy})"]
    lines += [f"  {count} pruned: {reason}" for reason, count in _by_cause(item).items()]
    lines.append(f"CPU: {item.static_cpu_s:.3g} s to predict all" + (
        f", {item.judge_cpu_s:.3g} s to simulate" if item.judge_cpu_s else ""
    ))  # fmt: skip
    if item.loss is not None:
        lines.append(f"the model's own choice is {item.loss:.2%} slower than the best simulated")
    return lines + [f"assumed: {note}" for note in item.assumptions]


def _by_cause(item: Tuning) -> dict[str, int]:
    """Merges reasons with the same text before their first number into one cause, shown with its first numbers."""
    causes: dict[str, tuple[str, int]] = {}
    for reason, count in item.pruned.items():
        words = re.split(r"\d", reason, maxsplit=1)[0]
        shown, before = causes.get(words, (reason, 0))
        causes[words] = (shown, before + count)
    return dict(causes.values())


def rows(item: Tuning) -> list[dict[str, object]]:
    """Returns one row per variant."""
    return [{**variant.parameters, **only(variant, "predicted_s", "judged_s", "reason")} for variant in item.variants]


def _time(variant: Variant) -> float:
    return variant.judged_s if variant.judged_s is not None else variant.predicted_s or float("inf")


def _seconds(value: float | None) -> str:
    return "" if value is None else units.show(value, "s")


def _shown(variant: Variant) -> str:
    return " ".join(f"{name}={value:g}" for name, value in variant.parameters.items())
