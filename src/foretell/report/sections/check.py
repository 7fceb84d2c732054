"""A check as text and as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.text import Text

from foretell import units
from foretell.report.plain import plain, without
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from foretell.core.answers.check import Bisection, Change, Check, Differences

#: changes of the same code that are listed
_UNCHANGED_SHOWN = 10
#: measured growth from which a verdict on a pair is right or wrong
_APART = 0.05


def text(item: Check) -> RenderableType:
    """The headline, a row for each change, the reasons of those that matter, what was not compared."""
    table = new_table("code", "machine", "verdict", "before", "after", "change", "limit")
    different = [change for change in item.changes if change.verdict != "same code" or change.broken]
    same = [change for change in item.changes if change not in different]
    for change in (*different, *same[:_UNCHANGED_SHOWN]):
        times = (units.show(seconds, "s") for seconds in (change.base_s, change.head_s))
        limit = "" if change.limit is None else change.limit.rule.partition(" = ")[2]
        shown = f"{limit} broken" if change.broken else limit
        table.add_row(change.shown, change.machine, change.verdict, *times, f"{100 * change.growth:+.1f} %", shown)
    more = len(same) - _UNCHANGED_SHOWN
    notes = [Text(f"… and {more} more with the same code")] if more > 0 else []
    missing = new_table("code", "machine", "side", "why it is not compared")
    for entry in item.not_compared:
        missing.add_row(entry.code, entry.machine, entry.side, entry.reason)
    head = Text(f"{item.base} → {item.head}: {item.headline}")
    said = [line for change in different for line in _reasons(change)]
    return Group(head, *([table] if item.changes else []), *notes, *said, *([missing] if item.not_compared else []))


def _reasons(change: Change) -> list[Text]:
    if change.verdict not in ("slower", "faster"):
        return []
    at = f"{change.file}:{change.line}: " if change.line else ""
    lines = [f"{at}{change.headline}" + (f"; broken: {change.broken}" if change.broken else "")]
    return [Text(line) for line in (*lines, *(f"  {reason.text}" for reason in change.reasons))]


def document(item: Check) -> dict[str, Any]:
    """The plain data of a check."""
    return {
        **without(item, "changes", "not_compared"),
        "headline": item.headline,
        "counts": item.counts,
        "broken": len(item.broken),
        "changes": [{**plain(change), "growth": change.growth} for change in item.changes],
        "not_compared": plain(item.not_compared),
    }


def rows(item: Check) -> list[dict[str, object]]:
    """A row for each change."""
    return [
        {
            "code": change.code,
            "machine": change.machine,
            "verdict": change.verdict,
            "base_s": change.base_s,
            "head_s": change.head_s,
            "growth": change.growth,
            "broken": change.broken,
            "former_file": change.former_file,
            "file": change.file,
            "line": change.line,
            "reasons": "; ".join(reason.text for reason in change.reasons),
        }
        for change in item.changes
    ]


def differences_text(item: Differences) -> RenderableType:
    """A row for each pair, then the statistics."""
    table = new_table("pair", "edit", "set", "predicted", "measured", "told", "")
    for point in item.points:
        wrong = "" if point.right or point.told == "same code" or abs(point.measured) <= _APART else "wrong"
        growth = (f"{100 * value:+.1f} %" for value in (point.predicted, point.measured))
        table.add_row(point.pair, point.edit, point.set, *growth, point.told, "disturbed" if point.disturbed else wrong)
    counts = new_table("pairs of", "number", "> 5 %", "told", "> 15 %", "told", "equal", "alarms")
    for name, own in item.summary().items():
        shares = {key: f"{own[key]:.1%}" if key in own else "" for key in ("right_5_percent", "right_15_percent")}
        counts.add_row(
            name, f"{own['pairs']:g}", f"{own['above_5_percent']:g}", shares["right_5_percent"],
            f"{own['above_15_percent']:g}", shares["right_15_percent"], f"{own['equal']:g}", f"{own['alarms']:g}",
        )  # fmt: skip
    refused = [Text(f"{name}: {reason}") for name, reason in item.refused]
    return Group(table, counts, *refused)


def differences_document(item: Differences) -> dict[str, Any]:
    """The plain data of a replay of pairs."""
    pairs = [{**plain(p), "predicted": p.predicted, "measured": p.measured, "right": p.right} for p in item.points]
    refused = [{"name": name, "reason": reason} for name, reason in item.refused]
    return {"pairs": pairs, "summary": item.summary(), "refused": refused}


def bisection_text(item: Bisection) -> RenderableType:
    """The commits that were predicted, in their order."""
    table = new_table("commit", "time", "title")
    for entry in item.commits:
        time = entry.reason if entry.time_s is None else units.show(entry.time_s, "s")
        table.add_row(f"{'→ ' * (entry.commit == item.first)}{entry.commit[:12]}", time, entry.title)
    return Group(Text(item.headline), table)
