"""Functions that have no code of their own: compilers put them into their callers, or make clones that only these call.

What runs is the caller's code, with the constants that it hands down: a loop over `width` pixels that one caller runs
with 64 is another code than one for any number. So the caller is followed, and its cycles are divided by the calls.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from foretell.core.columns.tape import real
from foretell.core.symbolic.text import parse
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from foretell.core.nest.loopnest import CallSite, Loops
    from foretell.models.cpu.compiled_code import NestCycles

    Part = TypeVar("Part", bound=NestCycles)

#: callers of callers that are looked at
_DEEPEST = 8


def running_in(
    loops: Loops, function: str, names: Collection[str], sizes: Mapping[str, int]
) -> tuple[str, float] | None:
    """The function with code (`names`) in which another one runs, and how often in one call; None where several call
    it, or the caller has another value under a name of its parameters."""
    number = 1.0
    for _ in range(_DEEPEST):
        sites = [site for site in loops.calls if site.callee == function and site.treatment == "separate"]
        if len(sites) != 1 or _clashes(sites[0], loops):
            return None
        count = sites[0].count
        often = float(real(count.evaluate(sizes))) if count.symbols() <= sizes.keys() else 0.0
        if often < 1:
            return None
        number, function = number * often, sites[0].caller
        if function in names:
            return function, number
    return None


def _clashes(site: CallSite, loops: Loops) -> bool:
    """Whether a parameter has the name of one of the caller's, and another value."""
    own = {name for info in loops.functions if info.name == site.caller for name in info.parameters}
    return any(name in own and _number(text) not in ("", name) for name, text in site.arguments)


def _number(text: str) -> str:
    """An integer argument as a polynomial; '' of others."""
    try:
        return str(parse(text)) if "[" not in text else ""
    except InputError:
        return ""


def per_call(part: Part, number: float) -> Part:
    """What one of so many calls has of the cycles and instructions."""
    if number == 1:
        return part
    less, more = part.doubt
    return replace(
        part,
        cycles=part.cycles / number,
        accesses=part.accesses / number,
        instructions=tuple((one, count / number) for one, count in part.instructions),
        doubt=(less / number, more / number),
        lines=tuple((line, cycles / number) for line, cycles in part.lines),
        chained=part.chained / number,
    )
