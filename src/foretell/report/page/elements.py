"""What a page consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Color = Literal["time", "limit", "other"]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar in proportion to its value, with a thin line from end to end of its interval."""

    value: float
    longest: float
    color: Color = "time"
    interval: tuple[float, float] | None = None


Cell = str | Bar


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text and bars; `more` counts rows that are left out."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    more: int = 0
    folded: bool = False
    #: names of the rows, by which points of a picture refer to them
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Notes:
    """A list of sentences."""

    title: str
    items: tuple[str, ...]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """Lines of a file: number, text, share of the time, and the time in words."""

    file: str
    lines: tuple[tuple[int, str, float, str], ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a picture; `label` is its tooltip."""

    x: float
    y: float
    label: str
    color: Color = "time"
    #: the row of a table that says more
    key: str = ""
    #: the line that it belongs to, by number
    series: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points (x, y), with a label in the picture."""

    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """Points in a plane; `equal` draws the line on which both coordinates are equal, `line` joins the points. Where
    points name rows of a table, a page can select both together."""

    title: str
    x: str
    y: str
    points: tuple[Point, ...]
    x_unit: str = ""
    y_unit: str = ""
    logarithmic: bool = False
    equal: bool = False
    line: bool = False
    lines: tuple[Line, ...] = ()


Section = Table | Notes | Source | Picture


@dataclass(frozen=True, slots=True)
class Page:
    """A title, the answer in a sentence or two, and sections; `document` is the plain data it was built of."""

    title: str
    headline: str
    sections: tuple[Section, ...]
    kind: str
    document: dict[str, Any] = field(default_factory=dict)
    #: seconds by name, for a comparison with other pages
    times: tuple[tuple[str, float], ...] = ()
