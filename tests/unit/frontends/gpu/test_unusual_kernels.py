"""Kernels that do what few do: each is predicted, and what is not followed is said."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from foretell.api import predict
from foretell.characterize.gpu.functional import execute
from foretell.core.gpu import opcodes
from foretell.core.gpu.warps import Warps
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.frontends.gpu.launch import parse_launch
from foretell.machines import load
from tests.support.frontends.cubins import kernel_of

if TYPE_CHECKING:
    from foretell.characterize.gpu.functional import Execution
    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.sass import SassKernel

MANY, FEW = "f32[16384]", "f32[256]"
ARGUMENTS = {
    "jump_table": ["i32[8]@iota", FEW],
    "recursion": ["i32[256]", "8"],
    "pointers": [FEW, "1"],
    "texture": ["u64:5", MANY],
    "surface": ["u64:5"],
    "talks": [MANY, MANY, "16384"],
    "polls": ["i32[1]", MANY],
    "largest": ["i32[1]", MANY],
    "stack": ["i32[100]@random(0,64)", MANY, "100"],
    "hints": ["f32x4[16384]", "f32x4[49152]", "16384"],
    "bytes": ["i32[32]", "i32[256]"],
    "specialised": ["f32[4096]", "f32[2048]", "16"],
    "generic": ["f32[1024]", MANY, "32"],
    "masks": [MANY],
    "spaces": [FEW],
    "dynamic": ["f32[1024]", "f32[1024]", "1024"],
    "by_value": ["{u8:120, i16:2, f32[4096], 5, f64:2, 3*f32:0.5}", MANY],
}


def _launched(launch: Launch, arch: int | str) -> Workload:
    assert launch.kernel is not None
    kernel = kernel_of(f"unusual_sm{arch}.cubin", launch.kernel)
    return Workload(launch.kernel, (Warps(kernel, launch),), origin="a test", input_hash="")


def _workload(name: str, arch: int) -> Workload:
    return _launched(parse_launch(name, "64", "256", ARGUMENTS[name]), arch)


@dataclass(frozen=True)
class Run:
    """One launch, executed."""

    kernel: SassKernel
    execution: Execution

    def counts(self, *names: str) -> tuple[int, int]:
        """Executions of some opcodes in one warp, and branches among them that were not known."""
        found = [
            counts
            for item, counts in zip(self.kernel.instructions, self.execution.instructions, strict=True)
            if item.opcode in names
        ]
        warps = 8 * len(self.execution.blocks)
        return sum(c.executions for c in found) // warps, sum(c.unknown_branches for c in found)


def _run(name: str, arch: int) -> Run:
    facet = _workload(name, arch).facet(Warps)
    return Run(facet.kernel, execute(facet.kernel, facet.launch))


@pytest.mark.parametrize("arch", [75, 90, 120])
@pytest.mark.parametrize("name", ARGUMENTS)
def test_every_kernel_is_predicted(name: str, arch: int) -> None:
    workload = _workload(name, arch)
    unknown = {i.opcode for i in workload.facet(Warps).kernel.instructions if not opcodes.known(i.opcode)}
    assert not unknown
    assert 1e-6 < predict(workload, "h200").time_s < 1e-3


@pytest.mark.parametrize("arch", [75, 90, 120])
def test_a_jump_table_is_followed(arch: int) -> None:
    """The numbers in it are known, and so is the way that each leads."""
    run = _run("jump_table", arch)
    jumps, unknown = run.counts("BRX")
    assert 1 <= jumps <= 16
    assert unknown == 0
    assert not any("branches that depend on data" in text for text in run.execution.assumptions)


@pytest.mark.parametrize("arch", [75, 90, 120])
def test_recursion_is_followed(arch: int) -> None:
    """One return for each call, or for each Fibonacci number where the compiler makes a loop of the second call."""
    calls, looped = [1, 1], [1, 1]
    while len(calls) <= 8:
        calls.append(1 + calls[-1] + calls[-2])
        looped.append(looped[-1] + looped[-2])
    run = _run("recursion", arch)
    both = sum(item.opcode == "CALL" for item in run.kernel.instructions) == 3
    assert run.counts("RET") == (calls[8] if both else looped[8], 0)


@pytest.mark.parametrize("arch", [75, 90, 120])
def test_calls_through_pointers_are_said_to_be_left_out(arch: int) -> None:
    told = _run("pointers", arch).execution.assumptions
    assert any(text.startswith("functions called by addresses that are not known are left out") for text in told)


@pytest.mark.parametrize("arch", [75, 90, 120])
def test_generic_addresses_lead_to_the_memory_that_they_are_of(arch: int) -> None:
    """The same loads, once of shared and once of global memory: 32 lines of the latter, turns of both."""
    run = _run("generic", arch)
    loads = [
        counts
        for item, counts in zip(run.kernel.instructions, run.execution.instructions, strict=True)
        if item.opcode == "LD"
    ]
    warps = 8 * len(run.execution.blocks)
    assert sum(counts.executions for counts in loads) == 2 * 32 * warps
    assert sum(counts.sectors for counts in loads) == 4 * 32 * warps
    assert sum(counts.wavefronts for counts in loads) == 2 * 32 * warps
    assert not any("addresses" in text for text in run.execution.assumptions)


@pytest.mark.parametrize("arch", [75, 90, 120])
def test_structures_by_value_are_laid_out_as_the_compiler_does(arch: int) -> None:
    """Five times two rounds are read from it, and it is scaled."""
    run = _run("by_value", arch)
    assert run.counts("LD", "LDG") == (10, 0)
    assert run.counts("DMUL")[0] == 1
    assert not any("depend on data" in text for text in run.execution.assumptions)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("1", "argument 1: the parameter has 48 bytes: it is a structure"),
        ("f32[4]", "it is not a pointer"),
        ("{f32[4], 3}", "argument 1: the parameter has 48 bytes, the structure given has 16"),
    ],
)
def test_what_does_not_fit_a_structure_is_refused(argument: str, message: str) -> None:
    launch = parse_launch("by_value", "64", "256", [argument, MANY])
    with pytest.raises(InputError, match=message):
        execute(_launched(launch, 90).facet(Warps).kernel, launch)


@pytest.mark.parametrize("arch", [75, 90, 120])
def test_dynamic_shared_memory_that_is_not_given_is_said(arch: int) -> None:
    launch = parse_launch("dynamic", "64", "256", ARGUMENTS["dynamic"])
    kernel = _launched(launch, arch).facet(Warps).kernel
    (told,) = execute(kernel, launch).assumptions
    assert f"has {kernel.shared_bytes} bytes of shared memory and uses {kernel.shared_bytes + 4096}" in told
    assert not execute(kernel, replace(launch, shared_bytes=4096)).assumptions


@pytest.mark.parametrize("arch", [75, 90, 120])
def test_which_memory_an_address_is_of_is_known(arch: int) -> None:
    """Half of the warps ask shared memory, half global memory."""
    run = _run("spaces", arch)
    stored = {"STS": 0, "STG": 0}
    for item, counts in zip(run.kernel.instructions, run.execution.instructions, strict=True):
        if item.opcode in stored:
            stored[item.opcode] += counts.active_lanes
    assert stored == dict.fromkeys(stored, 4 * 32 * len(run.execution.blocks))
    assert not run.execution.assumptions


@pytest.mark.parametrize("arch", [75, 80, 90])
def test_a_grid_that_waits_has_something_to_wait_with(arch: int) -> None:
    launch = parse_launch("whole_grid", "64", "256", [FEW])
    assert not execute(_launched(launch, arch).facet(Warps).kernel, launch).assumptions


def test_registers_that_a_warp_waits_for_are_there() -> None:
    launch = parse_launch("registers_moved", "64", "256", [FEW])
    found = execute(_launched(launch, "90a").facet(Warps).kernel, launch)
    assert max(counts.executions for counts in found.instructions) <= 8 * len(found.blocks)
    assert not found.assumptions


@pytest.mark.parametrize("arch", [90, 120])
def test_shared_memory_of_other_blocks_is_waited_for(arch: int) -> None:
    """Three of the four loads of a thread are from other blocks of its cluster."""
    workload = _launched(parse_launch("cluster", "64", "256", [MANY, MANY]), arch)
    machine = load("h200")
    farther = machine.with_values({"cluster.latency": 10 * machine.value("cluster.latency")})
    found = predict(workload, machine)
    assert predict(workload, farther).time_s > 1.2 * found.time_s
    assert not any("addresses that depend on data" in text for text in found.assumptions)


@pytest.mark.parametrize("arch", [75, 90, 120])
def test_masks_of_lanes_are_known(arch: int) -> None:
    run = _run("masks", arch)
    (store,) = (
        counts
        for item, counts in zip(run.kernel.instructions, run.execution.instructions, strict=True)
        if item.opcode == "STG"
    )
    assert store.sectors == 4 * 8 * len(run.execution.blocks)
    assert not run.execution.assumptions


@pytest.mark.parametrize("name", ["texture", "surface"])
def test_textures_take_turns_of_l1_and_their_traffic_is_said_to_be_missing(name: str) -> None:
    found = predict(_workload(name, 90), "h200")
    assert any(text.startswith("traffic not counted: ") for text in found.assumptions)
    (turns,) = (bound for bound in found.bounds if bound.name == "L1 throughput")
    # 64 blocks on 132 multiprocessors: two fetches of eight warps, eight cycles each
    assert turns.time_s * 1.98e9 >= 2 * 8 * 8
