"""Answers as HTML for notebooks: tables with bars, styled inline, for light and dark backgrounds."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from foretell import units
from foretell.report import text
from foretell.report.sections import breakdown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.core.answers.answers import Explanation, Predictions, Refusal, Split
    from foretell.core.answers.prediction import Prediction
    from foretell.core.answers.tuning import Tuning

#: width of the longest bar in pixels
_WIDTH = 240
_BLUE, _RED, _GREY = "#4c78a8", "#c44e52", "#9aa0a6"
#: variants of a code that are shown
_MOST_VARIANTS = 20


def page(report_name: str, item: Any) -> str:
    """An answer as HTML; one without bars as its text."""
    draw = _DRAWN.get(report_name)
    if draw is not None:
        return f'<div class="foretell">{draw(item)}</div>'
    return f"<pre>{escape(text.render(getattr(text, report_name)(item), color=False))}</pre>"


def _prediction(item: Prediction) -> str:
    scale = max([item.time_s, *(abs(part.time_s) for part in item.parts)])
    parts = [
        (part.name, _time(part.time_s), _bar(abs(part.time_s), scale, _GREY if part.time_s < 0 else _BLUE))
        for part in item.parts
        if part.time_s
    ]
    bounds = sorted(item.bounds, key=lambda bound: -bound.time_s)
    limits = [(bound.name, _time(bound.time_s), _bar(bound.time_s, scale, _RED), bound.resource) for bound in bounds]
    return (
        _headline(item)
        + _table("what the time is made of", ("part", "time", ""), parts)
        + _table("what the time would be if only this limited it", ("bound", "time", "", "resource"), limits)
        + _notes(item.assumptions)
    )


def _headline(item: Prediction) -> str:
    low, high = item.interval_s or (item.time_s, item.time_s)
    between = f" (between {_time(low)} and {_time(high)})" if high > low and not item.at_least else ""
    at_peak = breakdown.at_peak(item)
    peak = f" (arithmetic at peak in {escape(at_peak)})" if at_peak else ""
    time = f"{'at least ' * item.at_least}{_time(item.time_s)}{peak}"
    sizes = ", ".join(f"{name} = {value:g}" for name, value in item.parameters.items())
    return (
        f"<p><b>{escape(item.workload)}</b> on <b>{escape(item.machine)}</b>: <b>{time}</b>{between}<br>"
        f"bound by {escape(item.bottleneck.resource)}: {escape(item.bottleneck.bound)}"
        f"{'<br>' + escape(sizes) if sizes else ''}</p>"
    )


def _predictions(item: Predictions) -> str:
    longest = max((max(entry.time_s, *(entry.interval_s or (0.0, 0.0))) for entry in item.predictions), default=0.0)
    varying = _varying(item.predictions)
    rows = [
        (
            entry.workload,
            entry.machine,
            *(f"{entry.parameters[name]:g}" for name in varying),
            f"{'at least ' * entry.at_least}{_time(entry.time_s)}",
            _bar(entry.time_s, longest, _GREY if entry.at_least else _BLUE, entry.interval_s),
            entry.bottleneck.bound,
        )
        for entry in item.predictions
    ]
    columns = ("workload", "machine", *varying, "time", "", "bottleneck")
    return _table("", columns, rows) + _refused(item.refused)


def _varying(items: Sequence[Prediction]) -> list[str]:
    shared = set.intersection(*(set(entry.parameters) for entry in items)) if items else set()
    return sorted(name for name in shared if len({entry.parameters[name] for entry in items}) > 1)


def _explanation(item: Explanation) -> str:
    known = [entry for entry in item.sensitivities if entry.elasticity]
    scale = max((abs(entry.elasticity or 0.0) for entry in known), default=0.0)
    rows = [
        (
            entry.parameter,
            units.show(entry.value, entry.unit),
            f"{entry.elasticity or 0.0:+.3f}",
            _bar(abs(entry.elasticity or 0.0), scale, _RED if (entry.elasticity or 0.0) > 0 else _BLUE),
        )
        for entry in known
    ]
    advice = [(entry.title, entry.action, _time(entry.time_s), _time(entry.saving_s)) for entry in item.advice]
    return (
        _prediction(item.prediction)
        + _table("% of time for 1 % of the parameter", ("machine parameter", "now", "elasticity", ""), rows)
        + _table("what to change in the code", ("change", "what to do", "time", "saves"), advice)
    )


def _split(item: Split) -> str:
    shares = [(e.machine, f"{e.share:.1%}", _bar(e.share, 1.0, _BLUE), _time(e.time_s)) for e in item.shares]
    ways = [("split by predicted cost", item.split_s), ("even split", item.even_s)]
    ways += [("best device alone", item.best_alone_s)]
    longest = max(seconds for _, seconds in ways)
    times = [(name, _time(seconds), _bar(seconds, longest, _GREY)) for name, seconds in ways]
    return (
        _table(item.workload, ("device", "share", "", "its time"), shares)
        + _table("", ("work", "time", ""), times)
        + _refused(item.refused)
    )


def _tuning(item: Tuning) -> str:
    known = sorted((v for v in item.variants if v.predicted_s is not None), key=lambda v: v.predicted_s or 0.0)
    longest = max((variant.predicted_s or 0.0 for variant in known), default=0.0)
    rows = [
        (
            ", ".join(f"{name}={value:g}" for name, value in variant.parameters.items()),
            _time(variant.predicted_s or 0.0),
            _bar(variant.predicted_s or 0.0, longest, _BLUE),
        )
        for variant in known[:_MOST_VARIANTS]
    ]
    title = f"{item.workload} on {item.machine}: {len(rows)} of {len(item.variants)} variants, best first"
    return _table(title, ("variant", "predicted", ""), rows) + _notes(item.assumptions)


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; cells that are bars come as HTML, all others are escaped."""
    if not rows:
        return ""
    head = "".join(f"<th style='text-align:left'>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    caption = f"<caption style='text-align:left'><i>{escape(title)}</i></caption>" if title else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class _Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def _cell(content: str) -> str:
    return f"<td style='text-align:left'>{content if isinstance(content, _Html) else escape(content)}</td>"


def _bar(value: float, longest: float, color: str, interval: tuple[float, float] | None = None) -> _Html:
    """A bar in proportion to its value, with a thin line from end to end of its interval."""
    width = _pixels(value, longest)
    line = ""
    if interval is not None:
        low, high = (_pixels(end, longest) for end in interval)
        line = (
            f"<div style='position:absolute;top:5px;left:{low}px;width:{max(high - low, 1)}px;height:2px;"
            f"background:currentColor;opacity:0.6'></div>"
        )
    return _Html(
        f"<div style='position:relative;width:{_WIDTH}px;height:12px'>"
        f"<div style='width:{width}px;height:12px;background:{color}'></div>{line}</div>"
    )


def _pixels(value: float, longest: float) -> int:
    return round(_WIDTH * value / longest) if longest > 0 else 0


def _refused(items: Sequence[Refusal]) -> str:
    return _table("not predicted", ("", "why there is no answer"), [(item.name, item.reason) for item in items])


def _notes(items: Sequence[str]) -> str:
    return f"<p><small>{'<br>'.join(f'assumed: {escape(item)}' for item in items)}</small></p>" if items else ""


def _time(seconds: float) -> str:
    return units.show(seconds, "s")


_DRAWN: dict[str, Callable[[Any], str]] = {
    "prediction": _prediction,
    "predictions": _predictions,
    "explanation": _explanation,
    "split": _split,
    "tuning": _tuning,
}
