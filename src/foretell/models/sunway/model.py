"""The SW26010 model as a `Model`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from foretell import units
from foretell.core.answers.prediction import Bound, Detail, Part, Prediction
from foretell.core.facets.offload import Offload
from foretell.core.machine.parameters import known
from foretell.errors import InputError
from foretell.models.base import Inputs, Model, Option, Settings, swept
from foretell.models.sunway import advice, equations, tuning
from foretell.models.sunway.evaluate import evaluate, in_closed_form, is_simulated
from foretell.models.sunway.simulator import TooLongError, simulate
from foretell.models.sunway.work import Work, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from foretell.core.answers.answers import Advice
    from foretell.core.answers.prediction import Limit, Mode
    from foretell.core.columns.space import Space
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Facet, Workload
    from foretell.models.base import Columns

_NOT_MODELLED = "not modelled: the management core, the instruction cache, branch divergence (SW-18)"


class SunwayModel(Model):
    """Simulates memory requests that compete for one controller; in paper mode overlapped in virtual groups."""

    name = "sunway"
    version = 4
    title = "SW26010 model: DMA, Gload and computation of cores that share memory controllers"
    many = 500  # each point below is a simulation
    facets: ClassVar[tuple[type[Facet], ...]] = (Offload,)
    parameters = (
        "clock.frequency",
        "cores.count",
        "cores.groups",
        "cores.per_group",
        "memory.bandwidth",
        "memory.latency",
        "memory.transaction",
        "memory.delta_delay",
        "pipeline.floating.latency",
        "pipeline.fixed.latency",
        "pipeline.divsqrt.latency",
        "scratchpad.latency",
        "scratchpad.size",
        "gload.size",
    )
    options = (
        Option("mrp_rounding", ("floor", "round", "none"), "floor", "floor", "whole requests in a group, SW-1"),
        Option("group_rounding", ("ceil", "none"), "ceil", "ceil", "whole virtual groups, equation (9)"),
        Option("latency_floor", ("average", "base"), "average", "base", "floor of a request's time, SW-5"),
        Option("transactions", ("per_chunk", "per_request"), "per_chunk", "per_request", "ceiling in (5), SW-4"),
        Option("divide", ("unpipelined", "pipelined"), "unpipelined", "pipelined", "divide and sqrt in (6), SW-6"),
        Option("double_buffer", ("consistent", "equation_14"), "consistent", "equation_14", "its saving, SW-10"),
        Option("core_groups", ("scaled", "apart"), "scaled", "scaled", "several core groups, SW-13"),
        Option(
            "overlap",
            ("simulated", "queue", "virtual_groups"),
            "simulated",
            "virtual_groups",
            "what is hidden: by simulation, by a closed form, by (7)-(9) and (14)",
        ),
        Option("loops", ("listed", "pipelined"), "listed", "listed", "whether iterations overlap, SW-7"),
        Option("scratchpad", ("reject", "flag"), "reject", "flag", "buffers that do not fit, SW-12"),
    )

    def predict(self, workload: Workload, machine: Machine, settings: Settings) -> Prediction:
        """T_total = T_mem + T_comp − T_overlap, the parts by equations (2)-(6) and the overlap by the option."""
        self.require(machine)
        inputs = Inputs(machine, {})
        work = resolve(workload.facet(Offload), workload.parameters, inputs, settings)
        notes = [*workload.assumptions, *_scratchpad_notes(work, inputs, settings), *_ilp_notes(work, machine)]
        terms, assumed = evaluate(workload, work, inputs, settings)
        to_seconds = 1 / machine.value("clock.frequency")
        t_comp, t_mem = terms["compute"] * to_seconds, terms["memory"] * to_seconds
        bounds = _bounds(terms, to_seconds, _limit(work, machine))
        return self.answer(
            workload,
            machine,
            settings,
            time_s=terms["time_s"],
            bounds=bounds,
            parts=(
                Part("DMA", terms["dma"] * to_seconds),
                Part("Gload", terms["gload"] * to_seconds),
                Part("compute", t_comp),
                Part("overlap", -terms["overlap"] * to_seconds),
            ),
            assumptions=(*notes, *assumed, _NOT_MODELLED),
            interval_s=(
                min(max(bound.time_s for bound in bounds), terms["time_s"]),
                max(t_mem + t_comp, terms["time_s"]),
            ),
            details=_details(work, terms, inputs),
        )

    def sweep(self, workload: Workload, machine: Machine, settings: Settings, columns: Columns) -> NDArray[np.float64]:
        """Evaluates all design points in one compiled loop; then simulates those that can run, if the options say
        so."""
        self.require(machine)
        points = max((column.size for column in columns.values()), default=1)
        inputs, parameters = swept(workload, machine, columns)
        work = resolve(workload.facet(Offload), parameters, inputs, settings)
        result = equations.times(work, inputs, settings, points)
        result[np.isnan(result)] = np.inf  # counts that overflow
        if settings["scratchpad"] == "reject":
            result[np.broadcast_to(_overflows(work, inputs), points)] = np.inf
        if is_simulated(settings):
            for point in np.flatnonzero(np.isfinite(result)):
                here = {name: float(column[point % column.size]) for name, column in columns.items()}
                result[point] = _simulated_at(workload, machine, settings, here) or result[point]
        return result

    def for_many(self, settings: Settings) -> Settings:
        """The closed form of the queue instead of a simulation of each point."""
        return in_closed_form(settings)

    def settings(self, mode: Mode = "default", given: Mapping[str, str] | None = None) -> Settings:
        """As in every model; a replaced choice is reported with its successor."""
        if given and given.get("overlap") == "rounds":
            raise InputError("option overlap=rounds was replaced by the simulator", hint="--option overlap=simulated")
        return super().settings(mode, given)

    def search_space(self, workload: Workload, machine: Machine) -> Space:
        """Tile sizes and unroll factors."""
        return tuning.search_space(workload, machine)

    def simulate(self, workload: Workload, machine: Machine, settings: Settings) -> float:
        """Simulates the kernel transaction by transaction, whatever `overlap` is."""
        self.require(machine)
        return simulate(workload, machine, settings.options).time_s

    def advise(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[Advice, ...]:
        """DMA granularity, double buffering, active cores, work per core and core groups, each by the whole model."""
        self.require(machine)
        return advice.advise(workload, Inputs(machine, {}), settings)


def _simulated_at(workload: Workload, machine: Machine, settings: Settings, point: Mapping[str, float]) -> float | None:
    """Seconds at one point of a sweep; None where it takes too long to simulate."""
    on = machine.with_values({path: value for path, value in point.items() if known(path)})
    there = workload.with_parameters({name: value for name, value in point.items() if not known(name)})
    try:
        return simulate(there, on, settings.options).time_s
    except TooLongError:
        return None


def _bounds(terms: dict[str, float], to_seconds: float, compute_limit: Limit) -> tuple[Bound, ...]:
    bandwidth = (terms["dma_bandwidth"] + terms["gload_bandwidth"]) * to_seconds
    latency = (terms["dma_latency"] + terms["gload_latency"]) * to_seconds
    return (
        Bound("compute", min(terms["compute"], terms["total"]) * to_seconds, "core pipelines", compute_limit),
        Bound("memory bandwidth", bandwidth, "memory", "throughput"),
        Bound("memory latency", latency, "memory", "latency"),
    )


def _limit(work: Work, machine: Machine) -> Limit:
    """Computation is latency-bound as long as fewer instructions are in flight than the pipeline holds."""
    counted = work.floating + work.fixed + work.scratchpad + work.divsqrt
    full = work.ilp >= machine.value("cores.max_ilp") if "cores.max_ilp" in machine else False
    return "latency" if counted > 0 and not full else "throughput"


def _overflows(work: Work, inputs: Inputs) -> NDArray[np.bool_]:
    """Where buffers cannot fit: live bytes as given, or else any single request, against the scratchpad."""
    size = inputs.value("scratchpad.size")
    if work.live_bytes_given:
        return np.asarray(work.buffer_bytes > size)
    largest = np.asarray(0.0)
    for transfer in work.dma:
        largest = np.maximum(largest, transfer.bytes)
    return np.asarray(largest > size)


def _scratchpad_notes(work: Work, inputs: Inputs, settings: Settings) -> list[str]:
    size = float(inputs.value("scratchpad.size"))
    needed = float(work.buffer_bytes)
    notes = [] if work.live_bytes_given or not work.dma else ["scratchpad: one buffer for each DMA request"]
    if needed <= size:
        return notes
    message = f"the buffers need {units.show(needed, 'B')} of scratchpad, one core has {units.show(size, 'B')} (SW-12)"
    if settings["scratchpad"] == "reject" and bool(_overflows(work, inputs)):
        raise InputError(message, hint="use smaller tiles, or --option scratchpad=flag to predict all the same")
    return [*notes, message]


def _ilp_notes(work: Work, machine: Machine) -> list[str]:
    if "cores.max_ilp" in machine and work.ilp > machine.value("cores.max_ilp"):
        return [f"avg_ILP {work.ilp:g} exceeds the largest of this machine, {machine.value('cores.max_ilp'):g}"]
    return []


def _details(work: Work, terms: dict[str, float], inputs: Inputs) -> dict[str, Detail]:
    """The paper's own quantities under the paper's names; times in cycles."""
    saving = terms["double_buffer_saving"]
    return {
        "active_cores": float(work.active_cores),
        "core_groups": terms["core_groups"],
        "chunks_per_core": float(work.chunks_per_core),
        "T_total_cycles": terms["total"],
        "T_mem_cycles": terms["memory"],
        "T_DMA_cycles": terms["dma"],
        "T_g_cycles": terms["gload"],
        "T_comp_cycles": terms["compute"],
        "T_overlap_cycles": terms["overlap"],
        "T_DMA_overlap_cycles": terms["dma_overlap"],
        "T_g_overlap_cycles": terms["gload_overlap"],
        "double_buffer_saving_cycles": None if math.isnan(saving) else saving,
        "DMA": _kind_details("dma", terms, inputs),
        "Gload": _kind_details("gload", terms, inputs),
        "scratchpad_B": float(work.buffer_bytes),
        "balance": float(work.balance),
        **_of_all_cores(work, terms),
        **_scheduled(work, inputs),
    }


def _of_all_cores(work: Work, terms: dict[str, float]) -> dict[str, Detail]:
    """Floating-point instructions and bytes of all cores: those of the busiest, times cores and balance."""
    kinds = ("floating", "divsqrt")
    counted = work.scheduled or {"floating": work.floating, "divsqrt": work.divsqrt}
    cores = float(work.active_cores) * float(work.balance)
    return {
        "floating_instructions": sum(float(counted.get(kind, 0.0)) for kind in kinds) * cores,
        "moved_B": (terms["dma_bytes"] + terms["gload_bytes"]) * cores,
    }


def _scheduled(work: Work, inputs: Inputs) -> dict[str, Detail]:
    """Instructions of scheduled loops and the avg_ILP that their cycles imply (SW-7)."""
    if not work.scheduled:
        return {}
    counts: dict[str, Detail] = {kind: float(count) for kind, count in work.scheduled.items()}
    latencies = {
        "floating": inputs.value("pipeline.floating.latency"),
        "fixed": inputs.value("pipeline.fixed.latency"),
        "scratchpad": inputs.cycles("scratchpad.latency"),
        "divsqrt": inputs.value("pipeline.divsqrt.latency"),
    }
    work_cycles = sum(float(latencies[kind] * count) for kind, count in work.scheduled.items())
    cycles = float(work.block_cycles)
    return {"instructions": counts, "avg_ILP": work_cycles / cycles if cycles else None}


def _kind_details(kind: str, terms: dict[str, float], inputs: Inputs) -> dict[str, Detail]:
    requests, transactions = terms[f"{kind}_requests"], terms[f"{kind}_transactions"]
    moved = transactions * float(inputs.value("memory.transaction"))
    return {
        "requests": requests,
        "avg_MRT": transactions / requests if requests else None,
        "MRP": None if math.isnan(terms[f"{kind}_mrp"]) else terms[f"{kind}_mrp"],
        "NG": None if math.isnan(terms[f"{kind}_groups"]) else terms[f"{kind}_groups"],
        "bytes_B": terms[f"{kind}_bytes"],
        "efficiency": terms[f"{kind}_bytes"] / moved if moved else None,
    }
