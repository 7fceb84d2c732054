"""Parameters without a value. Means of data that a time needs (iterations of loops that data end, lengths of rows) get
one by a rule, which is named and widens the interval; of others a message says what each is, and where."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files
from foretell.core.nest.averages import is_average
from foretell.errors import InputError
from foretell.models.cpu.incore.calls.on_data.open_ends import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from foretell.core.answers.prediction import Prediction
    from foretell.core.nest.functions import FunctionInfo
    from foretell.core.nest.loopnest import LoopNest, Loops
    from foretell.core.workload import Workload

_AT_LINE = re.compile(r"(.+)@(\d+)(?:~\d+)?")
_TRIPS = re.compile(r"trips_L(\d+)")
#: iterations of a loop that data end
_IS_COUNT = re.compile(r"trips_L\d+(?:~\d+)?")
#: the fewest and the most that such a mean may be
ENDS = 1.0, ROUNDS**2
_LACKING = "parameters without a value: "
#: as many members of structs are named
_SHOWN = 8
_EXTENT = re.compile(r"(.+)_size(\d)")


class MissingValuesError(InputError):
    """Parameters of loop nests without a value."""

    @property
    def names(self) -> str:
        """The parameters."""
        return self.message.removeprefix(_LACKING)


class NothingRunsError(InputError):
    """No loop of a program has a round at these sizes."""


def missing_values(
    lacking: Mapping[str, LoopNest | None], nests: Iterable[LoopNest] = (), infos: Iterable[FunctionInfo] = ()
) -> MissingValuesError:
    """The error that names all parameters without a value, explains invented names, and the functions of a file.
    `infos`: the functions; what their code computes may follow from members of structs."""
    names = sorted(lacking)
    lines = [f"give each with -D, e.g. -D {names[0]}=512"]
    lines += [f"{name} is {text}" for name in names if (text := explained(name, lacking[name]))]
    functions = list(dict.fromkeys(nest.function for nest in nests))
    members = [name for info in infos if info.name in functions for name in _members(info)]
    if members and any(_AT_LINE.fullmatch(name) or _TRIPS.fullmatch(name) for name in names):
        shown = " ".join(f"-D {name}=…" for name in members[:_SHOWN])
        lines.append(f"or what they may follow from, with which compiled code is followed: {shown}")
    if len(functions) > 1:
        lines.append(f"or predict one function alone, as FILE:FUNCTION: {', '.join(sorted(functions))}")
    return MissingValuesError(f"{_LACKING}{', '.join(names)}", hint="\n  ".join(lines))


def _members(info: FunctionInfo) -> Iterator[str]:
    """The whole numbers of structs that a function is handed."""
    for argument in info.arguments:
        yield from (f"{argument.name}.{part.name}" for _, part in argument.fields if part.kind == "integer")


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


def are_computed(names: Sequence[str], loops: Loops, function: str) -> bool:
    """Whether a function's code computes these sizes: iterations of a loop (`trips_L7`), local variables. Means of
    data, parameters, global variables and their members are only known where they are given: code that is followed
    without them would go round no loop."""
    parameters = (one.parameters for one in loops.functions if one.name == function)
    given = {*chain(*parameters), *(name for name, _ in loops.globals)}
    return not any(is_average(name) or name.partition(".")[0] in given for name in names)


def with_estimates(loops: Loops, workload: Workload, names: Sequence[str]) -> Workload | None:
    """The workload with values for names that it lacks, where all of them are means of data."""
    outermost = [nest.loops[0].trips.symbols() for nest in loops.averaged.nests]
    sizes = {name for symbols in outermost if symbols <= {*names} for name in symbols}
    if not all(name not in sizes and (_IS_COUNT.fullmatch(name) or is_average(name)) for name in names):
        return None  # how often an outermost loop goes round, by itself, is a size of the data, and any
    facets = tuple(replace(loops, estimated=tuple(names)) if one is loops else one for one in workload.facets)
    return replace(workload, facets=facets, parameters={**workload.parameters, **dict.fromkeys(names, ROUNDS)})


def estimated(loops: Loops | None, values: Mapping[str, object]) -> tuple[str, ...]:
    """The names whose values are still those of the rule."""
    return tuple(name for name in loops.estimated if values.get(name) == ROUNDS) if loops is not None else ()


def estimate_notes(names: Sequence[str]) -> tuple[str, ...]:
    """What is said of them."""
    limits = f"{ENDS[0]:g} to {ENDS[1]:.2g}"
    return tuple(
        f"{name} is not given and depends on data: {ROUNDS:.2g} by a rule ({limits} are possible; known: -D {name}=…)"
        for name in names
    )


def widened(answer: Prediction, at: Callable[[float], Prediction]) -> Prediction:
    """The answer with an interval from that of the fewest, or of the fewest with which any loop runs (numbers that are
    halved are soon none, of short rows a loop skips the first element), to that of the most."""
    fewest, most = ENDS
    ends = (answer, _smallest(at, fewest), at(most))
    found = [one.interval_s for one in ends if one.interval_s is not None]
    return replace(answer, interval_s=(min(low for low, _ in found), max(high for _, high in found)))


def _smallest(at: Callable[[float], Prediction], value: float) -> Prediction:
    """The prediction at a value, or at the next power of two times it that can be predicted, below that of the rule."""
    while value < ROUNDS / 2:
        with contextlib.suppress(NothingRunsError):
            return at(value)
        value *= 2
    return at(value)
