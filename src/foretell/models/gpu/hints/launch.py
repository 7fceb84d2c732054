"""What the launch costs: the last wave of blocks, the gap between kernels, resident warps."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from foretell.core.answers.answers import Advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.gpu.warps import Warps
    from foretell.models.gpu.launched import Prepared, Run
    from foretell.models.gpu.occupancy import Occupancy

#: shares of the time below which nothing is said
_TAIL, _LAUNCH = 0.05, 0.2


def of_launch(facet: Warps, prepared: Prepared, run: Run) -> Iterator[Advice]:
    """Estimates that concern the grid as a whole."""
    yield from _tail(facet, prepared, run)
    yield from _between(prepared, run)


def _seconds(run: Run, cycles: float) -> float:
    return cycles / run.prepared.there.machine.value("clock.frequency")


def _tail(facet: Warps, prepared: Prepared, run: Run) -> Iterator[Advice]:
    """Blocks that do not divide evenly: the busiest multiprocessor has more than its share."""
    blocks = prod(facet.launch.grid)
    even = blocks / prepared.count
    share = even / prepared.mine
    if share > 1 - _TAIL:
        return
    running = run.seconds - _seconds(run, prepared.between)
    time = run.seconds - running * (1 - share)
    action = f"{blocks} blocks on {prepared.count} multiprocessors: the busiest has {prepared.mine}, "
    action += f"an even share is {even:.3g}: "
    resident = prepared.count * prepared.resident
    full = f"choose blocks so that the last wave is full, or loop over blocks in a grid of {resident}"
    action += "use smaller blocks, or several threads for what one does now" if even < 1 else full
    yield Advice("tail wave", action, time, run.seconds - time, note="estimate: all multiprocessors work equally long")


def _between(prepared: Prepared, run: Run) -> Iterator[Advice]:
    """A kernel that is short beside the gap to the next one."""
    gap = _seconds(run, prepared.between)
    if gap < _LAUNCH * run.seconds:
        return
    time = run.seconds - gap
    action = f"the launch is {gap / run.seconds:.0%} of the time: join the kernel with those around it, "
    action += "or launch the sequence as a CUDA graph"
    yield Advice("launch", action, time, gap, note="estimate: without the gap between two kernels")


def of_occupancy(facet: Warps, fits: Occupancy, base: float) -> Iterator[Advice]:
    """What limits the resident warps; a fact, whose effect recompiling shows."""
    if fits.limiter not in ("registers", "shared memory"):
        return
    own = facet.kernel.own_shared_bytes + facet.launch.shared_bytes
    used = f"{facet.kernel.registers} registers a thread" if fits.limiter == "registers" else f"{own} bytes a block"
    action = f"{fits.limiter} ({used}) limit a multiprocessor to {fits.warps} warps"
    yield Advice("occupancy", action, base, 0.0, note="estimate: a fact without a time")
