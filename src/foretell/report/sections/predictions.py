"""Several predictions as one table: what can be compared by a ratio, and what each row assumes by itself."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from foretell import units
from foretell.core.answers.comparison import comparison
from foretell.records import record
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from foretell.core.answers.answers import Predictions, Refusal
    from foretell.core.answers.comparison import Comparison
    from foretell.core.answers.prediction import Prediction

#: footnotes that are printed, and names of candidates refused for one reason; JSON has all of them
_FOOTNOTES, _NAMES = 40, 8
#: missing numbers of a machine that are all printed
_LACKING = 3
#: notes on estimates, of which a footnote has the names only
_ESTIMATED = "estimated for "


@record
class _Notes:
    """Assumptions that all rows share, numbers of the footnotes that rows have beside them, and classes of rows."""

    shared: tuple[str, ...]
    own: dict[str, int]
    classes: Comparison

    def of(self, entry: Prediction) -> str:
        """The numbers of a row's footnotes."""
        return " ".join(str(self.own[text]) for text in _footnotes(self.classes, entry, self.shared))


def table(item: Predictions) -> RenderableType:
    """A row per prediction, in their order; then what could not be predicted, footnotes, and what all rows assume."""
    notes = _notes(item)
    told = [Text(f"[{number}] {text}") for text, number in islice(notes.own.items(), _FOOTNOTES)]
    if len(notes.own) > _FOOTNOTES:
        told.append(Text(f"and {len(notes.own) - _FOOTNOTES} more footnotes: --format json"))
    shared = Text("\n".join(f"assumed: {note}" for note in notes.shared))
    return Group(_rows(item, notes), refused(item.refused), *told, shared)


def refused(items: Sequence[Refusal]) -> RenderableType:
    """A line per reason, with the candidates that it holds for."""
    rows = new_table("", "why there is no answer", title="not predicted")
    for reason, those in by_reason((item.name, item.reason) for item in items).items():
        more = [f"and {len(those) - _NAMES} more"] if len(those) > _NAMES + 1 else []
        rows.add_row(", ".join([*those[:_NAMES], *more] if more else those), reason)
    return rows if items else Text("", end="")


def by_reason(refusals: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Names by what is said of each."""
    names: dict[str, list[str]] = {}
    for name, reason in refusals:
        names.setdefault(_reason(name, reason), []).append(name)
    return names


def _reason(name: str, reason: str) -> str:
    """Why a machine has no answer, without its name; of many missing numbers the first two, which is enough to see
    that it is of another kind."""
    reason = reason.removeprefix(f"machine {name!r} ").replace(f"{name!r} is", "this is")
    head, colon, listed = reason.partition(": ")
    names = listed.split(", ")
    if not head.startswith("lacks what model") or len(names) <= _LACKING:
        return reason
    return f"{head}{colon}{', '.join(names[:2])} and more"


def _notes(item: Predictions) -> _Notes:
    items = item.predictions
    first = items[0].assumptions if items else ()
    shared = tuple(note for note in first if all(note in entry.assumptions for entry in items))
    classes = comparison(items)
    texts = dict.fromkeys(text for entry in items for text in _footnotes(classes, entry, shared))
    return _Notes(shared, {text: number for number, text in enumerate(texts, start=1)}, classes)


def _footnotes(classes: Comparison, entry: Prediction, shared: Sequence[str]) -> list[str]:
    """What one row assumes and others do not: why it is set apart, its estimates, its other notes."""
    own = [note for note in entry.assumptions if note not in shared and not note.startswith(_ESTIMATED)]
    apart = classes.apart(entry)
    estimated = ", ".join(entry.estimates) if entry.estimates and not apart.startswith("estimated") else ""
    return [
        *([f"~ not compared by a ratio, {apart}"] if apart else []),
        *([f"estimated: {estimated}"] if estimated else []),
        *own,
    ]


def _rows(item: Predictions, notes: _Notes) -> Table:
    items = item.predictions
    first = items[0].parameters if items else {}
    varying = [
        name
        for name in first
        if all(name in entry.parameters for entry in items) and len({entry.parameters[name] for entry in items}) > 1
    ]
    some = {
        "model": len({entry.method for entry in items}) > 1,
        "threads": "threads" not in varying and any(map(_threads, items)),
        "measured": bool(item.measured),
        "notes": bool(notes.own),
    }
    rows: Table | None = None
    for entry in items:
        cells = _cells(item, entry, notes, varying, some)
        rows = rows or new_table(*cells)
        rows.add_row(*cells.values())
    return rows or new_table("workload", "machine", "time")


def _cells(
    item: Predictions, entry: Prediction, notes: _Notes, varying: Sequence[str], some: dict[str, bool]
) -> dict[str, str]:
    """The cells of a row by column; `some` says which optional columns the table has."""
    relative, reached = notes.classes.relative(entry), item.reached(entry)
    mark = "at least " if entry.at_least else "~ " if notes.classes.apart(entry) else ""
    measured = "" if reached is None else units.show(item.measured[entry.machine], "s")
    return {
        "workload": entry.workload,
        "machine": entry.machine,
        **({"model": " ".join(entry.method).strip()} if some["model"] else {}),
        **{name: f"{entry.parameters[name]:g}" for name in varying},
        **({"threads": _threads(entry)} if some["threads"] else {}),
        "time": mark + units.show(entry.time_s, "s"),
        "relative": "" if relative is None else f"{relative:.2f}x",
        **({"measured": measured, "reached": "" if reached is None else f"{reached:.0%}"} if some["measured"] else {}),
        "bottleneck": entry.bottleneck.bound,
        "limit": entry.bottleneck.limit,
        **({"notes": notes.of(entry)} if some["notes"] else {}),
    }


def _threads(entry: Prediction) -> str:
    count = entry.details.get("threads")
    return f"{count:g}" if isinstance(count, float) else ""
