"""States the assumptions of a prediction from counters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.facets.counts import BLOCKS
from foretell.core.machine import capacity
from foretell.models.counters import inputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.facets.counts import Counts
    from foretell.core.machine.machine import Machine
    from foretell.models.counters.breakdown import Application

_NOT_MODELLED = "not modelled: thread management, coherence beyond linear scaling, branch misses, compiler differences"


def notes(counts: Counts, baseline: Machine, machine: Machine, application: Application, role: str) -> tuple[str, ...]:
    """All assumptions, most specific first."""
    return (
        *_calibration(application),
        *_launch(counts, baseline, application),
        *_corunners(counts, machine, application),
        *_middle(counts, baseline, machine, role),
        *dict.fromkeys((*capacity.said(baseline), *capacity.said(machine))),
        *_streams(baseline, machine),
        *_estimates(counts),
        *_factors(baseline, machine, application),
        _NOT_MODELLED,
    )


def _calibration(application: Application) -> Iterator[str]:
    for block in application.blocks:
        a = block.analysis
        if a["traffic_factor"] < 1:
            yield (
                f"{block.name}: the counted traffic needs {1 / a['traffic_factor']:.3g} times the bandwidth of the "
                "baseline machine; it is scaled down to fit (R-9b)"
            )
        if a["access_width"] > 1:
            yield f"{block.name}: the baseline made {a['access_width']:.3g} memory accesses per cycle (R-9b)"
        if a["issue_width"] > 1:
            yield (
                f"{block.name}: the baseline issued {a['issue_width']:.3g} instructions per cycle; the model issues "
                "one, so instructions are counted in issue slots"
            )


def _launch(counts: Counts, baseline: Machine, application: Application) -> Iterator[str]:
    if "threads" in application.parameters:
        return
    if counts.cores == baseline.value("cores.count"):
        yield f"all {application.cores:g} cores are used, as all cores of the baseline were (-D threads=N for fewer)"
    else:
        many = "1 core is used" if application.cores == 1 else f"{application.cores:g} cores are used"
        yield f"{many}, as in the measured run (-D threads=N for more)"


def _corunners(counts: Counts, machine: Machine, application: Application) -> Iterator[str]:
    if counts.cores == 1 and application.cores > 1 and "cores.hidden_smt" in machine:
        yield (
            f"the measured thread had a core to itself; the slowest of {application.cores:g} threads shares one as the "
            "machine file gives (cores.hidden_smt, cores.corunners)"
        )
        unknown = [block.name for block in counts.blocks if not set(inputs.WINDOWS) <= set(block.events)]
        if unknown and "cores.reorder_buffer" in machine:
            names = ", ".join(unknown)
            yield f"no cyclesHalfWindow in the profile: the SMT slowdown of dependency chains is ignored for {names}"


def _middle(counts: Counts, baseline: Machine, machine: Machine, role: str) -> Iterator[str]:
    event = inputs.middle_event(baseline)
    if role != "none" or event is None:
        return
    counted = all(event in block.events for block in counts.blocks)
    why = "the target has no such level" if counted else "they were not counted"
    yield f"hits in {inputs.levels(baseline).middle} are counted as hits in the last level: {why} (R-12)"


def _streams(baseline: Machine, machine: Machine) -> Iterator[str]:
    path = "cores.streams_per_thread"
    for item in dict.fromkeys((baseline.name, machine.name)):
        if path not in (baseline if item == baseline.name else machine):
            yield f"{item}: one instruction stream for each thread ({path} is not given)"


def _estimates(counts: Counts) -> Iterator[str]:
    """Events used by the model that are not hardware counts, and their origin."""
    simulated: dict[str, list[str]] = {}
    for block in counts.blocks:
        for event, count in block.events.items():
            if event in BLOCKS and count.source in ("simulated", "sampled"):
                simulated.setdefault(count.source, []).append(event)
    for source, names in simulated.items():
        yield f"{source}, not counted: {', '.join(dict.fromkeys(names))}"
    estimated = [(e, c.origin) for b in counts.blocks for e, c in b.events.items() if c.source == "estimated"]
    for event, origin in dict.fromkeys(estimated):
        if event in BLOCKS:
            yield f"{event} is estimated: {origin}"


def _factors(baseline: Machine, machine: Machine, application: Application) -> Iterator[str]:
    if baseline.name != machine.name and not {"alpha", "beta", "gamma"} & set(application.parameters):
        yield "the target executes as many instructions as the baseline (-D alpha, beta, gamma correct it)"
