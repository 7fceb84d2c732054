"""The message for parameters without a value: what each is, and where."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from foretell.core.nest.loopnest import LoopNest

_AT_LINE = re.compile(r"(.+)@(\d+)(?:~1)?")
_TRIPS = re.compile(r"trips_L(\d+)")
_LACKING = "parameters without a value: "
_EXTENT = re.compile(r"(.+)_size(\d)")


class MissingValuesError(InputError):
    """Parameters of loop nests without a value."""

    @property
    def names(self) -> str:
        """The parameters."""
        return self.message.removeprefix(_LACKING)


def missing_values(lacking: Mapping[str, LoopNest | None], nests: Iterable[LoopNest] = ()) -> MissingValuesError:
    """The error that names all parameters without a value, explains invented names, and the functions of a file."""
    names = sorted(lacking)
    lines = [f"give each with -D, e.g. -D {names[0]}=512"]
    lines += [f"{name} is {text}" for name in names if (text := explained(name, lacking[name]))]
    functions = list(dict.fromkeys(nest.function for nest in nests))
    if len(functions) > 1:
        lines.append(f"or predict one function alone, as FILE:FUNCTION: {', '.join(sorted(functions))}")
    return MissingValuesError(f"{_LACKING}{', '.join(names)}", hint="\n  ".join(lines))


def explained(name: str, nest: LoopNest | None) -> str:
    """What a name stands for that is not one of the source."""
    if found := _TRIPS.fullmatch(name):
        return f"the number of iterations of the loop in line {found[1]}{_source(nest, int(found[1]))}"
    if found := _AT_LINE.fullmatch(name):
        return f"{found[1]} as it is in line {found[2]}{_source(nest, int(found[2]))}"
    if found := _EXTENT.fullmatch(name):
        return f"the extent of {found[1]} in its dimension {found[2]}"
    if name.endswith("_step"):
        return f"the mean difference of neighbours in {name.removesuffix('_step')}: the mean length of a row"
    return ""


def _source(nest: LoopNest | None, line: int) -> str:
    """The text of a line, where the file can be read."""
    if nest is None:
        return ""
    try:
        text = files.read_text(Path(nest.file)).splitlines()
    except InputError:
        return ""
    return f": {text[line - 1].strip()}" if 0 < line <= len(text) else ""
