"""Text of the breakdown of a time: loop nests, rates, annotated source, code with its port pressure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from foretell import units
from foretell.core.answers.breakdown import by_function
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from foretell.core.answers.breakdown import LoopCode, NestShare, Rate, SourceLine
    from foretell.core.answers.prediction import Prediction

#: maximum nests in a table; the others are added up
_SHOWN = 12
#: suffixes of files that other files include
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc", ".tcc")
#: the bottleneck of nests whose arithmetic is taken to run at peak, and how many the headline names
_AT_PEAK, _NAMED = "arithmetic", 4
#: the ends of an interval that the headline says more of
_WIDE = 4.0


def sections(item: Prediction) -> Iterator[RenderableType]:
    """Where the time goes, and what the code reaches."""
    if item.nests:
        yield from _nests(item.nests)
    if item.rates:
        yield _rates(item.rates)


def at_peak(item: Prediction) -> str:
    """The nests whose code could not be followed or generated, for the headline; empty where there is none."""
    return nests_at_peak(item.at_least, [(nest.function, nest.line, nest.bottleneck) for nest in item.nests])


def nests_at_peak(at_least: bool, nests: Sequence[tuple[str, int, str]]) -> str:
    """The same of function, line and bottleneck of each nest."""
    if not at_least or not nests:
        return ""
    named = [f"{function}:{line}" for function, line, bottleneck in nests if bottleneck == _AT_PEAK]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return f"{', '.join(named[:_NAMED])}{more}" or "nests that transfers bound"


def hardly_known(interval: Sequence[float] | None, uncertainty: object) -> str:
    """What makes an interval wider than a factor of `_WIDE`, for the headline; empty where it is narrower."""
    if not interval or not isinstance(uncertainty, dict) or interval[1] <= _WIDE * interval[0]:
        return ""
    causes = sorted(uncertainty, key=lambda cause: -uncertainty[cause])
    return ", ".join(cause for cause in causes[:2] if uncertainty[cause] >= uncertainty[causes[0]] / 2)


def _nests(nests: Sequence[NestShare]) -> Iterator[RenderableType]:
    functions = by_function(nests)
    if 1 < len(functions) < len(nests):
        table = new_table("function", "file", "nests", "time", "share", title="where the time goes, by function")
        for entry in functions:
            file = Path(entry.file).name
            table.add_row(entry.function, file, str(entry.nests), units.show(entry.time_s, "s"), f"{entry.share:.1%}")
        yield table
    columns = ("function", "line", "calls", "iterations", "time", "share", "cycles/iteration", "bound by")
    table = new_table(*columns, title="where the time goes, by loop nest")
    for nest in nests[:_SHOWN]:
        cycles = "" if nest.cycles_per_iteration is None else f"{nest.cycles_per_iteration:.3g}"
        limit = nest.bottleneck if nest.resource in nest.bottleneck else f"{nest.bottleneck}: {nest.resource}"
        time = units.show(nest.time_s, "s")
        counts = (count(nest.calls), count(nest.iterations))
        table.add_row(nest.function, place(nest.file, nest.line), *counts, time, f"{nest.share:.1%}", cycles, limit)
    rest = nests[_SHOWN:]
    if rest:
        time, share = units.show(sum(nest.time_s for nest in rest), "s"), sum(nest.share for nest in rest)
        table.add_row(f"{len(rest)} others", "", "", "", time, f"{share:.1%}", "", "")
    yield table


def place(file: str, line: int) -> str:
    """The line of a nest; in a header, which no command names, with its file."""
    return f"{Path(file).name}:{line}" if Path(file).suffix in _HEADERS else str(line)


def count(value: float) -> str:
    """A count for people: 1000, 1.5, 134.2 M."""
    return str(int(value)) if value < 1e6 and value == int(value) else units.show(value, "")


def _rates(rates: Sequence[Rate]) -> RenderableType:
    table = new_table("rate", "reached", "of the machine's", title="what it reaches")
    for rate in rates:
        table.add_row(rate.name, shown(rate), "" if rate.of_peak is None else f"{rate.of_peak:.1%}")
    return table


def shown(rate: Rate) -> str:
    """The value with its unit."""
    if rate.unit == "%":
        return f"{rate.value:.1%}"
    if rate.unit in ("", "flop/B"):
        return f"{rate.value:.3g} {rate.unit}".rstrip()
    return units.show(rate.value, rate.unit)


def annotated(lines: Sequence[SourceLine]) -> Iterator[RenderableType]:
    """The source with time, share and bytes of each line that takes time."""
    for file in dict.fromkeys(entry.file for entry in lines):
        own = [entry for entry in lines if entry.file == file]
        table = new_table("time", "share", "accessed", "line", "source", title=f"{Path(file).name} by line")
        for entry in own:
            moved = units.show(entry.accessed_bytes, "B") if entry.accessed_bytes else ""
            text = Text(entry.text.expandtabs(4), no_wrap=True, overflow="ellipsis")
            time = (units.show(entry.time_s, "s"), f"{entry.share:.1%}") if entry.time_s else ("", "")
            table.add_row(*time, moved, str(entry.line), text)
        yield table


def assembly(codes: Sequence[LoopCode]) -> Iterator[RenderableType]:
    """The code of innermost loops: cycles of each instruction on each port."""
    for code in codes:
        bounds = ", ".join(f"{name} {cycles:.3g}" for name, cycles in code.bounds)
        many = "s" if code.iterations != 1 else ""
        title = f"{code.function}, line {code.line}: {code.made_by}; {code.iterations:g} iteration{many} in a pass"
        table = new_table(*code.ports, "instruction", title=title)
        for one in code.instructions:
            cells = (f"{cycles:.2f}" if cycles else "" for cycles in one.cycles)
            often = "" if one.executions == 1 else f"  ({one.executions:.3g} times)"
            table.add_row(*cells, Text(one.text + often))
        table.add_row(*(f"{total:.2f}" for total in code.totals), Text("cycles of a pass on each port"))
        yield table
        yield Text(f"bounds of a pass in cycles: {bounds}")
