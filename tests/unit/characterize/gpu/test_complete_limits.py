"""Kernels that want more memory than the limit, or to use the host's printf for something else."""

from __future__ import annotations

import mmap
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from foretell import limits
from foretell.characterize.gpu import complete, functional
from foretell.errors import InputError
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.sass import listing
from tests.support.complete import CASES, image, program
from tests.support.frontends.cubins import kernel_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_MIB = 1 << 20


@pytest.fixture
def mapped() -> Iterator[tuple[int, np.ndarray]]:
    """A file in memory of 512 MiB without pages, and numbers in it."""
    file = os.memfd_create("device")
    os.ftruncate(file, 512 * _MIB)
    array: np.ndarray = np.frombuffer(mmap.mmap(file, 512 * _MIB), np.float32)  # unmapped with its last view
    yield file, array
    os.close(file)


@pytest.mark.skipif(sys.platform != "linux", reason="files in memory need Linux")
@pytest.mark.parametrize("threads", [1, 2])
def test_pages_of_the_device_are_counted_while_a_launch_runs(
    mapped: tuple[int, np.ndarray], threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """512 MiB would be touched; the launch ends near 24 MiB, not after it."""
    file, array = mapped
    x, y = np.split(array, 2)
    count = len(x)
    monkeypatch.setenv(limits.MEMORY, repr(24 / 1024))
    with pytest.raises(limits.LimitError, match=r"a launch of saxpy occupies more than the limit of 0.0234375 GiB"):
        complete.run(
            program("floating", "saxpy"), None, (count // 64, 1, 1), (64, 1, 1), [x, y, 2.0, count], threads=threads,
            memory_file=file,
        )  # fmt: skip
    assert 23 * _MIB < os.fstat(file).st_blocks * 512 < 40 * _MIB


def test_memory_of_the_engine_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block with its registers, and the frames of a deep recursion."""
    x, y = np.ones(64, np.float32), np.ones(64, np.float32)
    arguments = [x, y, 2.0, 64]
    monkeypatch.setenv(limits.MEMORY, "1e-6")
    with pytest.raises(limits.LimitError, match="occupies more than the limit"):
        complete.run(program("floating", "saxpy"), None, (1, 1, 1), (64, 1, 1), arguments)
    monkeypatch.setenv(limits.MEMORY, "0.01")
    assert complete.run(program("floating", "saxpy"), None, (1, 1, 1), (64, 1, 1), arguments).error is None


@pytest.mark.parametrize(("form", "says"), [(b"%n8x", "%8x"), (b"%-9x", "%-9x"), (b"%$8x", "%8x"), (b"%08x", "%08x")])
def test_a_format_reaches_nothing_of_the_host(form: bytes, says: str) -> None:
    """%n would write where the kernel says; only flags, widths and precisions go to the host's printf."""
    case = CASES["prints"]
    own = image(case.module)
    assert b"%08x" in own.memory.data
    changed = replace(own, memory=replace(own.memory, data=own.memory.data.replace(b"%08x", form)))
    data = np.arange(0x1000, 0x1000 + 64, dtype=np.uint32)
    record = complete.run(program(case.module, "prints"), changed, (1, 1, 1), (32, 1, 1), [data])
    assert f": {says % 0x1000} " in record.printed


def test_a_width_is_bounded() -> None:
    """A width of 2^31 would take seconds of the host for each call."""
    case = CASES["prints"]
    own = image(case.module)
    changed = replace(own, memory=replace(own.memory, data=own.memory.data.replace(b"block %d of", b"b%99999999d")))
    data = np.arange(64, dtype=np.uint32)
    record = complete.run(program(case.module, "prints"), changed, (1, 1, 1), (32, 1, 1), [data])
    assert len(record.printed) < 2000


def test_the_memory_limit_holds_for_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instructions and lines are counted: a smaller limit of memory allows fewer of both."""
    kernel = kernel_of("simple_sm90.cubin", "vecadd")
    launch = parse_launch(None, "4", "256", ["f32[1024]", "f32[1024]", "f32[1024]", "1024"])
    assert functional.Runner(kernel, launch)._budget == functional.BUDGET
    monkeypatch.setenv(limits.MEMORY, "1e-6")
    with pytest.raises(
        InputError, match=r"more than 134 instructions, or asks for more than 8 lines.*\n.*--limit-memory"
    ):
        functional.execute(kernel, launch)


_ENDLESS = """foretell sass 1
kernel endless
arch 90
registers 8
shared 0
barriers 0
stack 0
parameters 0x210
code
0000 BRA 0x0 ; fffffffc00fc7947 000fc0000383ffff
0010 EXIT ; 000000000000794d 000fea0003800000
"""


def test_a_budget_is_looked_at_in_time() -> None:
    """Not only after the share of a block, which may be a thousand times as much."""
    endless = complete.program_of(listing.read(_ENDLESS))
    record = complete.run(endless, None, (1, 1, 1), (32, 1, 1), [], budget=1000)
    assert record.error is not None
    assert "--limit-time raises this limit" in record.error.message
    assert 1000 < record.instructions < 100_000


def _repeated(line: str, times: int = 4) -> str:
    """A kernel that does nothing else, forever."""
    text = (
        _ENDLESS[: _ENDLESS.index("0000")].replace("registers 8", "registers 255").replace("shared 0", "shared 65536")
    )
    code = [*[line] * times, "BRA 0x0"]
    return text + "".join(f"{16 * k:04x} {one} ; 0000000000007918 000fc00000000000\n" for k, one in enumerate(code))


@pytest.mark.parametrize(
    ("line", "each"),
    [  # multiply-adds, or what is moved or compared, in 32 lanes
        ("HGMMA.64x256x16.F32 R24,gdesc[UR4],R24", 16 * 256 * 16 / 32),
        ("QGMMA.64x8x32.F32.E4M3.E4M3 R24,gdesc[UR4],R24", 16 * 8 * 32 / 32),
        ("HMMA.16816.F32 R8,R12,R8,R4", 16 * 8 * 16 / 32),
        ("HMMA.SP.16832.F32 R8,R12,R8,R4,R2,0x0", 16 * 8 * 32 / 32),
        ("IMMA.8816.S8.S8 R8,R12.ROW,R8.COL,R4", 8 * 8 * 16 / 32),
        ("DMMA.8x8x4 R8,R12,R14,R4", 8 * 8 * 4 / 32),
        ("LDSM.16.M88.4 R8,[R4]", 4 * 8 * 8 / 32),
        ("STSM.16.M88.2 [R4],R8", 2 * 8 * 8 / 32),
        ("MATCH.ANY R4,R5", 32 * 32 / 32),
        ("FFMA R4,R5,R6,R4", 0),
    ],
)
def test_a_heavy_instruction_counts_for_its_work(line: str, each: float) -> None:
    """An endless loop of the largest product took 0.3 ms for an instruction of which the budget has 0.1 us."""
    budget = 200_000
    endless = complete.program_of(listing.read(_repeated(line)))
    record = complete.run(endless, None, (1, 1, 1), (128, 1, 1), [], budget=budget)
    assert record.error is not None
    assert record.error.kind == "budget"
    counted = record.instructions * (1 + 4 / 5 * each)
    assert budget < counted < 1.4 * budget + 4 * 5 * (1 + each)


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        ("stack 0", "stack 21474836480", "a thread cannot have 21474836480 bytes of local memory"),
        ("shared 0", "shared 21474836480", "a block cannot have 21474836480 bytes of shared memory and 0 of dynamic"),
        ("parameters 0x210", "parameters 0xfffd", "not within the 65536 bytes of a bank of constants"),
        ("parameters 0x210", "parameters 0x2147483648", "not within the 65536 bytes of a bank of constants"),
        ("code", "parameter 4294967292 4\ncode", "not within the 65536 bytes of a bank of constants"),
        ("code", "constant 32 00\ncode", "there is no bank 32"),
    ],
)
def test_memory_that_no_gpu_has(line: str, instead: str, says: str) -> None:
    text = _ENDLESS.replace("code", "parameter 0 4\ncode", 1).replace(line, instead, 1)
    with pytest.raises(InputError, match=says):
        complete.run(complete.program_of(listing.read(text)), None, (1, 1, 1), (32, 1, 1), [bytes(4)], budget=1000)
