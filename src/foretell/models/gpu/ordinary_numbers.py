"""Fills arrays whose contents are not given with ordinary numbers, where loaded floating-point numbers decide what the
code does.

Library functions have slow paths for large, tiny and infinite arguments, and loops whose length follows from an
argument (`fmod`, iterations that converge). With ordinary numbers both are executed as they mostly run.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from foretell.characterize.gpu.functional import BUDGET, Execution, execute
from foretell.core.gpu.launch import Argument, Contents, Pointer, Scalar, Structure
from foretell.core.gpu.recent import remembered
from foretell.errors import InputError
from foretell.models.saake.machine_code import executed

if TYPE_CHECKING:
    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.warps import Warps

_LOW, _HIGH = 0.5, 1.5
#: numbers that are not known are taken to be smaller (cpp/gpu/functional/arithmetic/float.cpp)
_LARGE = 1e4
_FLOATING = ("f16", "bf16", "f32", "f64")
_ORDINARY = Contents("random", _LOW, _HIGH)
#: what is assumed of numbers that decide what the code does
NOTE = f"arrays of floating-point numbers whose contents are not given hold numbers from {_LOW:g} to {_HIGH:g}"
#: warp instructions of a block beyond which these numbers are taken not to end a loop, and of all blocks that are
#: executed with them: a prediction takes seconds
_LONGEST, _TOGETHER = 2_000_000, 10_000_000


class Resolved(NamedTuple):
    """A launch and its executed blocks; `filled`: arrays without contents have ordinary numbers in it;
    `unended`: with these numbers a block did not end within so many times its instructions."""

    facet: Warps
    execution: Execution
    filled: bool
    unended: float = 0.0


@remembered(8)
def resolved(facet: Warps, enough: int = BUDGET) -> Resolved:
    """The launch with ordinary numbers in its arrays, if that decides more of its branches, and its executed blocks.
    What the user says of branches holds as it is. `enough`: warp instructions of the blocks that are executed first."""
    blind = executed(facet, enough)
    as_given = Resolved(facet, blind, filled=False)
    launch = _filled(facet.launch)
    extreme = blind.record.took_for_ordinary and any(map(_is_extreme, facet.launch.arguments))
    divides = _divides(facet, blind)
    if launch == facet.launch or facet.launch.overrides or not (_undecided(blind) or extreme or divides):
        return as_given
    most = max(_LONGEST, 2 * max(blind.block_instructions))
    try:
        execution = execute(facet.kernel, launch, budget=most, enough=max(most, _TOGETHER))
    except InputError:  # it does not end with these numbers
        return as_given._replace(unended=most / max(blind.block_instructions))
    more = extreme or (divides and execution.block_instructions != blind.block_instructions)
    if _undecided(execution) >= _undecided(blind) + more:
        return as_given
    return Resolved(replace(facet, launch=launch), execution, filled=True)


def _divides(facet: Warps, execution: Execution) -> bool:
    """Whether it asks if numbers need the slow path of a division: results that become tiny do, whatever ordinary
    numbers they follow from (validation/h200/further, v_cyclic_reduction)."""
    text = facet.kernel.instructions
    return any(
        item.opcode == "FCHK" and counts.executions for item, counts in zip(text, execution.instructions, strict=True)
    )


def _is_extreme(argument: Argument) -> bool:
    """Whether it is a number with which ordinary ones need not give others: sines of large numbers take another path
    (validation/h200/kinds, k_sine_large)."""
    if isinstance(argument, Structure):
        return any(map(_is_extreme, argument.fields))
    return isinstance(argument, Scalar) and argument.kind in _FLOATING and abs(argument.value) >= _LARGE


def _undecided(execution: Execution) -> int:
    """Instructions whose branches or addresses depend on unknown data."""
    return sum(bool(counts.unknown_branches or counts.unknown_addresses) for counts in execution.instructions)


def _filled(launch: Launch) -> Launch:
    return replace(launch, arguments=tuple(map(_with_numbers, launch.arguments)))


def _with_numbers(argument: Argument) -> Argument:
    if isinstance(argument, Structure):
        return Structure(tuple(map(_with_numbers, argument.fields)))
    if isinstance(argument, Pointer) and argument.contents is None and argument.element.floating:
        return replace(argument, contents=_ORDINARY)
    return argument
