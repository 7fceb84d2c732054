"""Loop nests as pictures: what an iteration does, and what a nest touches."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from foretell.core.nest.loopnest import Loops
from foretell.report.plots import canvas

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.answers.description import Description, NestFacts
    from foretell.core.nest.loopnest import LoopNest

    Nests = list[tuple[LoopNest, NestFacts]]

#: nests of a picture, those with the most work an iteration
_MOST = 24
_LINE = 64


def panels(item: Description) -> list[Callable[[Any], None]]:
    """A plot function for each panel with data."""
    read = zip(item.workload.facet(Loops).nests, item.facts, strict=True)
    known = [(nest, facts) for nest, facts in read if nest.status != "refused" and nest.loops]
    known.sort(key=lambda pair: -sum(_work(pair[0]).values()))
    drawn: list[Callable[[Any], None]] = [partial(_per_iteration, item.workload.name, known[:_MOST])] if known else []
    touched = [(nest, facts) for nest, facts in known[:_MOST] if facts.lines]
    return [*drawn, partial(_footprints, touched)] if touched else drawn


def _work(nest: LoopNest) -> dict[str, float]:
    """Operations, loads and stores of an iteration; a fused multiply-add is no third operation beside its two."""
    counts = {kind: float(count) for kind, count in nest.operations().items() if kind != "fma"}
    counts["load"] = float(sum(array.reads for array in nest.arrays))
    counts["store"] = float(sum(array.writes for array in nest.arrays))
    return {kind: count for kind, count in counts.items() if count}


def _per_iteration(name: str, known: Nests, axis: Any) -> None:
    _stacked(axis, known, [_work(nest) for nest, _ in known])
    axis.set(xlabel="operations, loads and stores of an iteration")
    canvas.title(axis, name)


def _footprints(known: Nests, axis: Any) -> None:
    sizes = [{array: float(lines) * _LINE for array, lines in (facts.lines or {}).items()} for _, facts in known]
    _stacked(axis, known, sizes)
    axis.set(xlabel="bytes that the nest touches, in lines of 64 B")
    canvas.in_units(axis.xaxis, "B")
    canvas.title(axis, "footprint by array")


def _stacked(axis: Any, known: Nests, rows: list[dict[str, float]]) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    left = [0.0] * len(rows)
    for name in names:
        widths = [row.get(name, 0.0) for row in rows]
        axis.barh(range(len(rows)), widths, left=left, label=name)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    canvas.rows_of_bars(axis, [f"{nest.function}:{nest.line}" for nest, _ in known])
    canvas.legend_outside(axis)
