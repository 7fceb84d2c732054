"""Runs Algorithm 1 in the compiled core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell import _core, limits
from foretell.errors import InputError

if TYPE_CHECKING:
    from foretell.models.base import Settings
    from foretell.models.saake.kernel import Kernel


#: steps of the emulator in a second: issued instructions, and warps that a scheduler looks at
STEPS_PER_SECOND = 1e8
#: numbers that it keeps of a warp, besides one for each instruction of the text
_WARP_WORDS = 10


@dataclass(frozen=True, slots=True)
class Event:
    """One issued instruction; times in cycles. `resource` is empty for a barrier."""

    warp: int
    label: str
    resource: str
    issue: float
    start: float
    finish: float
    pipe_admit: float


@dataclass(frozen=True, slots=True)
class Emulation:
    """One residency of a multiprocessor; cycles, and the activity of each resource."""

    cycles: float
    instructions: float
    requests: dict[str, float]
    busy: dict[str, float]
    printed_busy: dict[str, float]
    printed_busy_unbounded: dict[str, float]
    trace: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """The critical path of dependences of one warp, and the cycles of each resource on it."""

    cycles: float
    share: dict[str, float]


class Emulator:
    """A kernel loaded into the core; `run` emulates a number of its blocks on one multiprocessor."""

    def __init__(self, kernel: Kernel, settings: Settings) -> None:
        self._kernel = kernel
        text = [
            _core.EmulateInstruction(
                resource=entry.resource,
                region=entry.region,
                cached=entry.cached,
                transactions=entry.transactions,
                miss_rate=entry.miss_rate,
                after=list(entry.after),
            )
            for entry in kernel.text
        ]
        self._program = _core.EmulateProgram(text, kernel.order)
        self._rules = rules(settings)

    def cycles(self, blocks: int, kernel: Kernel | None = None, *, at_once: int | None = None) -> float:
        """The cycles of `blocks` blocks, for the kernel itself or with other latencies and gaps."""
        chosen = kernel or self._kernel
        warps = min(blocks, at_once or blocks) * chosen.warps
        return float(self._emulated(chosen, warps, blocks, trace=False).cycles)

    def run(self, blocks: int, *, at_once: int | None = None, trace: bool = False) -> Emulation:
        """The full account of `blocks` blocks; with `at_once`, each is replaced by the next when it ends."""
        kernel = self._kernel
        warps = min(blocks, at_once or blocks) * kernel.warps
        result = self._emulated(kernel, warps, blocks, trace)
        names = kernel.resources
        return Emulation(
            cycles=result.cycles,
            instructions=result.instructions,
            requests=dict(zip(names, result.requests, strict=True)),
            busy=dict(zip(names, result.busy, strict=True)),
            printed_busy=dict(zip(names, result.printed_busy, strict=True)),
            printed_busy_unbounded=dict(zip(names, result.printed_busy_unbounded, strict=True)),
            trace=tuple(_event(event, kernel) for event in result.trace),
        )

    def _emulated(self, kernel: Kernel, warps: int, blocks: int, trace: bool) -> _core.EmulateResult:
        limits.require_bytes(warps * (len(kernel.text) + _WARP_WORDS) * 8.0, f"the emulation of {warps} warps")
        most = limits.steps(STEPS_PER_SECOND)
        try:
            return _core.emulate_run(
                self._program,
                _machine(kernel),
                self._rules,
                warps=warps,
                warps_per_block=kernel.warps,
                blocks=blocks,
                trace=trace,
                most_steps=most,
            )
        except ValueError:  # std::length_error
            raise limits.too_long(f"the emulation of {warps} warps takes more than {most} steps") from None
        except OverflowError:
            raise InputError(
                "a time of the emulation is beyond 2^53 cycles", hint="smaller latencies, gaps and trip counts"
            ) from None

    def chain(self) -> Chain:
        """A lower bound that neither more warps nor more throughput can shorten."""
        cycles, share = _core.emulate_critical_path(self._program, _machine(self._kernel))
        return Chain(cycles, dict(zip(self._kernel.resources, share, strict=True)))


def rules(settings: Settings) -> _core.EmulateRules:
    """Encodes the options for the compiled core."""
    result = _core.EmulateRules()
    result.clock_never_falls = settings["clock"] == "monotone"
    result.all_instructions = settings["finish"] == "all"
    result.misses_to_memory = settings["misses"] == "memory"
    result.oldest = settings["order"] == "oldest"
    return result


def _machine(kernel: Kernel) -> _core.EmulateMachine:
    return _core.EmulateMachine(
        resources=len(kernel.resources),
        latency=kernel.latency.ravel().tolist(),
        gap=kernel.gap.ravel().tolist(),
        schedulers=kernel.schedulers,
        issue_width=kernel.issue_width,
    )


def _event(event: _core.EmulateEvent, kernel: Kernel) -> Event:
    return Event(
        warp=event.warp,
        label=kernel.text[event.instruction].label,
        resource=kernel.resources[event.resource] if event.resource >= 0 else "",
        issue=event.issue,
        start=event.start,
        finish=event.finish,
        pipe_admit=event.admit,
    )
