"""A small GPU, and abstract programs built from plain lists."""

from __future__ import annotations

from foretell.core.columns.expression import constant
from foretell.core.gpu.warps import AbstractProgram, Footprint, Instruction, Resource
from foretell.core.machine.machine import Machine, Quantity, Source
from foretell.core.workload import Workload
from foretell.models.saake.algorithm1 import Emulation, Emulator
from foretell.models.saake.kernel import resolve
from foretell.models.saake.model import EmulateModel

_SOURCE = Source("assumed", "a test")


def gpu(**values: float) -> Machine:
    """A GPU of one multiprocessor at 1 Hz: seconds are cycles. Other numbers as `cores_count=13`."""
    numbers = {
        "clock.frequency": (1.0, "1/s"),
        "cores.count": (1.0, ""),
        "occupancy.warp": (32.0, ""),
        "occupancy.warps": (64.0, ""),
        "occupancy.blocks": (16.0, ""),
        "occupancy.registers": (65536.0, ""),
        "occupancy.schedulers": (1.0, ""),
        "scratchpad.size": (49152.0, "B"),
    }
    quantities = {path: Quantity(value, unit, _SOURCE) for path, (value, unit) in numbers.items()}
    machine = Machine("toy", "toy GPU", "gpu", quantities)
    given = {path: values[path.replace(".", "_")] for path in numbers if path.replace(".", "_") in values}
    return machine.with_values(given) if given else machine


def program(
    resources: dict[str, dict[str, float]], text: list[dict[str, object]], warps: int = 1, resident: int = 1
) -> AbstractProgram:
    """The facet of a golden case: instructions with `id`, `res` and `deps`."""
    return AbstractProgram(
        body=tuple(
            Instruction(
                label=f"S{line['id']}",
                resource=str(line["res"]),
                after=tuple(f"S{other}" for other in line["deps"]),  # type: ignore[attr-defined]
                transactions=constant(float(line.get("transactions", 1))),  # type: ignore[arg-type]
            )
            for line in text
        ),
        resources=tuple(
            Resource(name, constant(pipe["latency"]), constant(pipe["gap"])) for name, pipe in resources.items()
        ),
        footprint=Footprint(warps=constant(warps), resident=constant(resident)),
    )


def chains(latency: float, gap: float, count: int, length: int, per_warp: int = 1) -> AbstractProgram:
    """`count` warps of `per_warp` interleaved chains of `length` dependent requests to one resource."""
    text: list[dict[str, object]] = []
    for step in range(length):
        for chain in range(per_warp):
            before = [f"{step - 1}_{chain}"] if step else []
            text.append({"id": f"{step}_{chain}", "res": "R", "deps": before})
    return program({"R": {"latency": latency, "gap": gap}}, text, warps=count)


def emulate(
    facet: AbstractProgram, *, mode: str = "default", machine: Machine | None = None, **options: str
) -> Emulation:
    """One residency, with its trace."""
    kernel = resolve(facet, {}, machine or gpu())
    settings = EmulateModel().settings(mode, options)  # type: ignore[arg-type]
    return Emulator(kernel, settings).run(kernel.occupancy.blocks, trace=True)


def workload(facet: AbstractProgram) -> Workload:
    """A workload of this facet alone."""
    return Workload("toy", (facet,))
