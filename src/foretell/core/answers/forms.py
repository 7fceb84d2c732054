"""Forms of an answer in Python: text, HTML, dictionary, JSON, data frame.

The reports know the answers, not the other way round: an answer finds its report by name, when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar, Literal

from foretell.errors import ToolError

Library = Literal["pandas", "polars"]
_LIBRARIES: tuple[Library, ...] = ("pandas", "polars")


class Answer:
    """An answer with the forms that the command line writes; `report_name` names the function of each report."""

    __slots__ = ()
    report_name: ClassVar[str]

    def __str__(self) -> str:
        """The table that the command line shows."""
        text: str = _report("text").render(self._form("text"), color=False)
        return text

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        html: str = _report("html").page(self.report_name, self)
        return html

    def to_dict(self) -> dict[str, Any]:
        """Plain data in SI units, the unit in the key: the document of `--format json`."""
        document: dict[str, Any] = self._form("json")
        return document

    def to_json(self) -> str:
        """The document as JSON, with the version of its schema."""
        text: str = _report("json").dumps(self.to_dict())
        return text

    def to_csv(self) -> str:
        """One row per item, units in the names of the columns."""
        text: str = _report("csv").dumps(self._form("csv"))
        return text

    def to_dataframe(self, library: Library | None = None) -> Any:
        """The rows of `to_csv` as a data frame of pandas or polars: of `library`, or of the first that is installed."""
        frames = _data_frames((library,) if library else _LIBRARIES)
        rows = self._form("csv")
        names = dict.fromkeys(name for row in rows for name in row)
        return frames.DataFrame({name: [row.get(name) for row in rows] for name in names})

    def _form(self, report: str) -> Any:
        return getattr(_report(report), self.report_name)(self)


def _report(name: str) -> Any:
    return import_module(f"foretell.report.{name}")


def _data_frames(libraries: tuple[Library, ...]) -> Any:
    """The first of these packages that is installed."""
    for name in libraries:
        try:
            return import_module(name)
        except ImportError:
            continue
    raise ToolError(f"a data frame needs the package {' or '.join(libraries)}: pip install {libraries[0]}")
