"""Pictures as SVG, drawn in the colours of the page; each point has a tooltip and can be focused."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from foretell import units
from foretell.report.page.markup import Html, element

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.report.page.elements import Bar, Line, Picture, Point

_WIDTH, _HEIGHT = 640, 360
_RIGHT, _TOP, _BOTTOM = 16, 14, 46
#: room beside the labels of the upright axis for its name, and that of a letter as small screens have it
_NAME, _LETTER = 40, 8.5
_BAR, _BAR_HEIGHT = 240, 12
_TICKS = 5
#: numbers without a unit from which on they are counts, and that squared are too long
_COUNTS = 10_000
#: ticks below which a short logarithmic axis is divided equally
_FEWEST = 3
#: colours of lines
_SERIES = 6


def bar(item: Bar) -> Html:
    """A bar in proportion to its value."""
    width = _pixels(item.value, item.longest)
    shapes = [element("rect", class_=f"bar {item.color}", width=width, height=_BAR_HEIGHT)]
    if item.interval is not None:
        low, high = (_pixels(end, item.longest) for end in item.interval)
        shapes.append(element("rect", class_="interval", x=low, y=5, width=max(high - low, 1), height=2))
    return element("svg", shapes, class_="bars", viewBox=f"0 0 {_BAR} {_BAR_HEIGHT}", aria_hidden="true")


def _pixels(value: float, longest: float) -> int:
    return max(0, min(_BAR, round(_BAR * value / longest))) if longest > 0 else 0


def picture(item: Picture) -> Html:
    """Points in a plane with labelled axes."""
    corners = [(point.x, point.y) for point in item.points] + [at for line in item.lines for at in line.points]
    scale = item.logarithmic and all(x > 0 and y > 0 for x, y in corners)
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    if item.equal:
        xs = ys = [*xs, *ys]
    left = _left(ys, scale, item.y_unit)
    to_x = _axis(xs, scale, left, _WIDTH - _RIGHT)
    to_y = _axis(ys, scale, _HEIGHT - _BOTTOM, _TOP)
    shapes = [*_grid(item, xs, ys, to_x, to_y, scale, left)]
    if item.line:
        path = " ".join(f"{to_x(point.x):.1f},{to_y(point.y):.1f}" for point in item.points)
        shapes.append(element("polyline", points=path, class_="curve"))
    for number, line in enumerate(item.lines):
        shapes += _line(number, line, to_x, to_y)
    shapes += [_dot(point, to_x(point.x), to_y(point.y)) for point in item.points]
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    brush = "front" if any(point.key for point in item.points) else None
    return element("svg", shapes, class_="picture", viewBox=box, role="group", aria_label=item.title, data_brush=brush)


def _left(values: list[float], logarithmic: bool, unit: str) -> float:
    """Where the upright axis is: beside the longest of its labels."""
    return round(_NAME + _LETTER * max(len(_shown(value, unit)) for value in _ticks(values, logarithmic, unit)), 1)


def _dot(point: Point, x: float, y: float) -> Html:
    color = point.color if point.series is None else f"series s{point.series % _SERIES}"
    return element(
        "circle", element("title", point.label), cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, class_=f"point {color}",
        tabindex=0, role="img", aria_label=point.label, data_tip=point.label, data_row=point.key or None,
    )  # fmt: skip


def _line(number: int, line: Line, to_x: Callable[[float], float], to_y: Callable[[float], float]) -> list[Html]:
    """A line, and its label in the list at the lower right, where no roof is; without one, it is for the eye."""
    path = " ".join(f"{to_x(x):.1f},{to_y(y):.1f}" for x, y in line.points)
    if not line.label:
        return [element("polyline", points=path, class_="equal")]
    series = f"s{number % _SERIES}"
    y = _HEIGHT - _BOTTOM - 12 - 16 * number
    right = _WIDTH - _RIGHT - 8
    return [
        element("polyline", element("title", line.label), points=path, class_=f"curve {series}"),
        element("text", line.label, x=right - 18, y=y, dy=4, text_anchor="end"),
        element("line", class_=f"curve {series}", x1=right - 12, x2=right, y1=y, y2=y),
    ]


def _axis(values: list[float], logarithmic: bool, start: float, end: float) -> Callable[[float], float]:
    """A map from values to pixels, with some room at both ends."""
    change = math.log10 if logarithmic else float
    low, high = change(min(values)), change(max(values))
    room = (high - low) * 0.05 or abs(high) * 0.05 or 1.0
    low, high = low - room, high + room
    return lambda value: start + (change(value) - low) / (high - low) * (end - start)


def _ticks(values: list[float], logarithmic: bool, unit: str = "") -> list[float]:
    """Round numbers between the ends: powers of ten; of a short logarithmic axis 1, 2 and 5 times these; else equal
    steps."""
    low, high = min(values), max(values)
    if low == high:
        return [low]
    if logarithmic:
        first, last = math.ceil(math.log10(low)), math.floor(math.log10(high))
        if last - first >= 2:  # not too many
            return [10.0**power for power in range(first, last + 1, -(-(last - first + 1) // (2 * _TICKS)))]
        each = (factor * 10.0**power for power in range(first - 1, last + 1) for factor in (1, 2, 5))
        if len(inside := [value for value in each if low <= value <= high]) >= _FEWEST:
            return inside
    step = _step(high - low, unit)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def _step(span: float, unit: str) -> float:
    """The round step that gives three to _TICKS ticks or so: of bytes a power of two, else 1, 2, 2.5 or 5 times a power
    of ten."""
    least = span / _TICKS
    if unit == "B":
        return float(2.0 ** math.ceil(math.log2(least)))
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= least * (1 - 1e-9))


def _grid(
    item: Picture,
    xs: list[float],
    ys: list[float],
    to_x: Callable[[float], float],
    to_y: Callable[[float], float],
    logarithmic: bool,
    left: float,
) -> list[Html]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    shapes: list[Html] = []
    for value in _ticks(xs, logarithmic, item.x_unit):
        x = f"{to_x(value):.1f}"
        shapes.append(element("line", class_="grid", x1=x, x2=x, y1=_TOP, y2=bottom))
        shapes.append(element("text", _shown(value, item.x_unit), x=x, y=bottom + 16, text_anchor="middle"))
    for value in _ticks(ys, logarithmic, item.y_unit):
        y = f"{to_y(value):.1f}"
        shapes.append(element("line", class_="grid", x1=left, x2=right, y1=y, y2=y))
        shapes.append(element("text", _shown(value, item.y_unit), x=left - 6, y=y, dy=4, text_anchor="end"))
    if item.equal:
        low, high = min(xs), max(xs)
        ends = {"x1": to_x(low), "y1": to_y(low), "x2": to_x(high), "y2": to_y(high)}
        shapes.append(element("line", class_="equal", **{key: f"{end:.1f}" for key, end in ends.items()}))
    shapes.append(element("text", item.x, class_="axis", x=(left + right) / 2, y=_HEIGHT - 8, text_anchor="middle"))
    turned = f"rotate(-90 14 {(_TOP + bottom) / 2})"
    shapes.append(
        element("text", item.y, class_="axis", x=14, y=(_TOP + bottom) / 2, text_anchor="middle", transform=turned)
    )
    return shapes


def _shown(value: float, unit: str) -> str:
    if unit:
        return units.show(value, unit)
    return f"{value:,.0f}" if _COUNTS <= abs(value) < _COUNTS**2 else f"{value:.4g}"
