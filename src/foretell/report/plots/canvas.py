"""Figures, axes of times, and files: what all plots share."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from foretell import files, units
from foretell.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from foretell.core.answers.prediction import Prediction

#: panels of the longest row of a few, and of many
_FEW, _MOST_COLUMNS = 3, 4
_ENDINGS = (".png", ".svg", ".pdf")
#: letters of a title before it goes on in the next line
_TITLE_LETTERS = 52
#: a logarithmic axis up to this ratio has ticks at 2 and 5, too
_FEW_DECADES = 200


def new_figure(panels: int, width: float = 6.4, height: float = 4.8) -> tuple[Any, list[Any]]:
    """A figure with so many panels in as few rows as possible."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "plot") from None
    rows = 1 if panels <= _FEW else max(2, -(-panels // _MOST_COLUMNS))
    columns = -(-panels // rows)
    figure = Figure(figsize=(width * columns, height * rows), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for unused in axes[panels:]:
        unused.set_axis_off()
    return figure, axes[:panels]


def save(figure: Any, path: Path) -> None:
    """Writes the figure; the suffix says how."""
    if path.suffix.lower() not in _ENDINGS:
        raise InputError(f"a plot ends in {', '.join(_ENDINGS)}", file=path)
    with warnings.catch_warnings(), files.replacing(path) as part:
        # on a busy machine: finding the best place of a legend took a second
        warnings.filterwarnings("ignore", message="Creating legend")
        figure.savefig(part)


def title(axis: Any, text: str) -> None:
    """A title that is broken where it is longer than its panel."""
    import textwrap

    axis.set_title(textwrap.fill(text, _TITLE_LETTERS, break_on_hyphens=False))


def in_seconds(axis: Any) -> None:
    """Labels the ticks of an x or y axis of times with ns, µs, ms; on a short logarithmic axis also between decades."""
    in_units(axis, "s")


def in_units(axis: Any, unit: str) -> None:
    """Labels ticks with prefixes of the unit."""
    from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter

    axis.set_major_formatter(EngFormatter(unit=unit, sep=" "))
    if axis.get_scale() == "log":
        low, high = sorted(axis.get_view_interval())
        if high < _FEW_DECADES * low:
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high > 5 * low else range(1, 10)))
        axis.set_minor_formatter(NullFormatter())


def seconds(value: float) -> str:
    """A time as a label."""
    return units.show(value, "s").replace("us", "µs")


def rows_of_bars(axis: Any, labels: Sequence[str]) -> None:
    """Names horizontal bars, the first on top; a few bars are no thicker than many."""
    axis.set_yticks(range(len(labels)), labels)
    axis.set_ylim(max(len(labels), 4) - 0.4, -0.6)


def legend_outside(axis: Any, heading: str | None = None) -> None:
    """A legend to the right of the panel, where it covers nothing."""
    axis.legend(title=heading, loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0.0, fontsize=8)


def sizes_text(item: Prediction, without: str = "") -> str:
    """The parameters of a prediction for a title."""
    return ", ".join(f"{name}={_size(value)}" for name, value in item.parameters.items() if name != without)


def _size(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:g}"
