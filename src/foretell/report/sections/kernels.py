"""GPU kernels without a launch, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from foretell import units
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from foretell.core.answers.description import KernelDescription, KernelList, KernelSummary


def several(item: KernelList) -> RenderableType:
    """A row per kernel, then their parameters, and how one is chosen."""
    first = item.kernels[0]
    table = new_table("kernel", "registers", "shared memory", "instructions", *_sizes(first), title=_title(first))
    for entry in item.kernels:
        shares = [f"{row.share:.0%}" if row.blocks else "-" for row in entry.occupancy]
        shared = units.show(float(entry.shared_bytes), "B")
        blanks = [""] * (len(first.occupancy) - len(shares))
        table.add_row(entry.name, str(entry.registers), shared, str(entry.instructions), *shares, *blanks)
    example = f"--kernel '{first.name}'" if "<" in first.name else f"--kernel {first.name}"
    declared = [Text(f"  {entry}", no_wrap=True, overflow="ignore") for entry in item.kernels]
    return Group(table, Text("parameters", style="italic"), *declared, Text(f"more about one: {example}"))


def one(item: KernelDescription) -> RenderableType:
    """Parameters, resources, occupancy and branches of a kernel."""
    summary = item.summary
    head = Text(
        f"{summary}, sm_{summary.arch}: {summary.instructions} instructions, {summary.registers} registers, "
        f"{summary.shared_bytes} bytes of static shared memory"
    )
    return Group(head, *_parameters(summary), *_occupancy(summary), *_branches(item))


def _title(item: KernelSummary) -> str:
    if not item.occupancy:
        return f"kernels, sm_{item.arch}"
    return f"kernels, sm_{item.arch}; occupancy of {item.machine} by threads of a block"


def _sizes(item: KernelSummary) -> list[str]:
    return [str(row.threads) for row in item.occupancy]


def _parameters(item: KernelSummary) -> list[RenderableType]:
    if not item.parameters:
        return [Text("no parameters")]
    table = new_table("--arg", "name", "type", "bytes", title="parameters, in the order of --arg")
    for number, entry in enumerate(item.parameters, start=1):
        table.add_row(str(number), entry.name or "?", entry.type or "?", str(entry.bytes))
    return [table]


def _occupancy(item: KernelSummary) -> list[RenderableType]:
    if not item.occupancy:
        return []
    title = f"occupancy of a multiprocessor of {item.machine}"
    table = new_table("threads of a block", "blocks", "share", "limited by", title=title)
    for row in item.occupancy:
        table.add_row(str(row.threads), str(row.blocks), f"{row.share:.0%}", row.limiter)
    return [table]


def _branches(item: KernelDescription) -> list[RenderableType]:
    if not item.branches:
        return [Text("no conditional branches")]
    table = new_table("place", "offset", "kind", title="branches that --branch and --trip can name")
    for point in item.branches:
        table.add_row(point.place, f"{point.offset:#x}", "loop" if point.loop else "branch")
    return [table]
