"""SAAKE on machine code: the emulation model for compiled kernels, with derived counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from foretell.core.gpu.warps import Warps
from foretell.models.base import Option
from foretell.models.saake.machine_code import to_kernel
from foretell.models.saake.model import EmulateModel, waves_option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.answers.answers import Sensitivity
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Facet, Workload
    from foretell.models.base import Settings
    from foretell.models.saake.kernel import Kernel


class SaakeModel(EmulateModel):
    """Algorithm 1 on a cubin. Trip counts, addresses and paths come from executing sampled blocks."""

    name = "saake"
    version = 1
    title = "SAAKE: abstract emulation of GPU machine code"
    facets: ClassVar[tuple[type[Facet], ...]] = (Warps,)
    parameters: ClassVar[tuple[str, ...]] = (
        "clock.frequency",
        "cores.count",
        "level.L2.latency",
        "memory.bandwidth",
        "memory.latency",
        "occupancy.registers",
        "occupancy.schedulers",
        "occupancy.warp",
        "occupancy.warps",
        "scratchpad.latency",
        "scratchpad.size",
    )
    options: ClassVar[tuple[Option, ...]] = (
        *(option for option in EmulateModel.options if option.name != "waves"),
        waves_option("backfill"),
        Option("caches", ("footprint", "none"), "footprint", "none", "where L2 miss rates come from"),
    )

    def reads(self, machine: Machine) -> tuple[str, ...]:
        """Beside the needed parameters, the optional ones that this machine has."""
        more = ("level.L2.bandwidth", "level.L2.size", "scratchpad.bandwidth", "sync.launch", "occupancy.blocks")
        units = [path for path in machine.quantities if path.startswith("pipeline.")]
        known = [path for path in units if path.endswith((".latency", ".gap"))]
        return (*self.parameters, *(path for path in more if path in machine), *known)

    def sensitivities(self, workload: Workload, machine: Machine, settings: Settings) -> tuple[Sensitivity, ...]:
        """None beside those of the machine's parameters: every resource is the machine's."""
        return ()

    def kernel(
        self, workload: Workload, parameters: Mapping[str, float], machine: Machine, settings: Settings
    ) -> Kernel:
        """Executes sampled blocks, and maps their order and transactions to the machine's resources."""
        launch = 0.0
        if settings.mode == "default" and "sync.launch" in machine:
            launch = machine.cycles("sync.launch")
        return to_kernel(workload.facet(Warps), machine, settings["caches"] == "footprint", launch)
