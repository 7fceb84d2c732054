"""Machine code of any size: what is not asked for is not read, and no step takes longer than the file is long.

FORETELL_LARGE=300 makes files of that many megabytes (disk and two minutes needed); without it they are small.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from foretell.errors import InputError
from foretell.frontends.gpu.binary import elf
from foretell.frontends.gpu.binary.cubin import read_cubin
from foretell.frontends.gpu.sass import kernels
from tests.support.frontends.cubins import built, decoded
from tests.support.large_code import module, program

if TYPE_CHECKING:
    from pathlib import Path

MEGABYTES = int(os.environ.get("FORETELL_LARGE", "6"))
KERNEL_BYTES = 16_000
MOST_RESIDENT = 1 << 30

LAUNCH = ("--grid", "64", "--block", "256", *("--arg", "f32[16384]") * 3, "--arg", "16384", "--on", "h200")


#: the command line, then what it and the disassembler had resident at most, in KiB (ru_maxrss of the process itself
#: would hold what the process that started it had)
_MEASURED = """
import contextlib, pathlib, resource
from foretell.cli import main
with contextlib.suppress(SystemExit):
    main()
status = pathlib.Path("/proc/self/status").read_text()
own = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:"))
print(max(int(own), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
"""


def _predicted(path: Path, kernel: str) -> tuple[str, int]:
    """The answer of a process of its own, and the bytes that it had resident at most."""
    command = [sys.executable, "-c", _MEASURED, "predict", str(path), "--kernel", kernel, *LAUNCH]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    *_, most = output.split()
    return output, int(most) << 10


def test_a_module_of_many_kernels(tmp_path: Path) -> None:
    path = tmp_path / "many.cubin"
    count = (MEGABYTES << 20) // KERNEL_BYTES
    names = [f"vecadd_{number:05d}" for number in range(count)]
    path.write_bytes(module(built("simple_sm90.cubin").read_bytes(), "vecadd", names, KERNEL_BYTES))
    output, most = _predicted(path, names[-1])
    assert names[-1] in output
    assert most < min(MOST_RESIDENT, (256 << 20) + 16 * MEGABYTES * 1024)
    with pytest.raises(InputError, match="did you mean") as error:
        kernels.read_kernel(path, names[7] + "x")
    assert f"and {count - 40} more" in (error.value.hint or "")


def test_a_program_of_many_modules(tmp_path: Path) -> None:
    path = tmp_path / "many"
    cubin, count = built("simple_sm90.cubin").read_bytes(), (MEGABYTES << 20) // (4 * KERNEL_BYTES)
    parts = ([f"k{number}_{k}" for k in range(4)] for number in range(count))
    program(path, (module(cubin, "vecadd", names, KERNEL_BYTES) for names in parts))
    output, most = _predicted(path, f"k{count - 1}_2")
    assert f"k{count - 1}_2" in output
    assert most < min(MOST_RESIDENT, 256 << 20)


@pytest.mark.parametrize("file", ["simple_sm90.cubin", "traced_sm120.cubin", "wide_sm75.cubin", "lines_sm90.cubin"])
def test_a_kernel_alone_is_the_kernel(file: str) -> None:
    """Taken out of its module it is disassembled as inside, with the functions it calls and the symbols it names."""
    kernel = max(decoded(file), key=lambda item: len(item.instructions))
    assert kernels.decode_kernel(built(file).read_bytes(), kernel.name) == kernel


def test_unusual_kernels_alone_are_the_kernels() -> None:
    """With calls of themselves and through pointers, tables of jumps, and symbols of other memories."""
    data = built("unusual_sm90.cubin").read_bytes()
    for kernel in decoded("unusual_sm90.cubin"):
        assert kernels.decode_kernel(data, kernel.name) == kernel


def test_a_written_file_is_read_back() -> None:
    cubin = read_cubin(elf.Source.of(built("simple_sm90.cubin").read_bytes()))
    data, symbol = cubin.alone("reduce")
    again = elf.open_elf(elf.Source.of(data))
    assert again.symbols()[symbol].name == "reduce"
    assert again.content(again.find(".text.reduce")) == cubin.kernel("reduce").code
    assert again.find(".text.matmul") is None
    assert len(data) < 4 * len(cubin.kernel("reduce").code) + 4096
