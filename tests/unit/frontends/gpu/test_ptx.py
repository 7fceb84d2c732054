"""PTX is assembled like CUDA source is compiled."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from foretell.errors import InputError, ToolError
from foretell.frontends.gpu import workload
from foretell.frontends.gpu.binary import nvcc
from foretell.frontends.gpu.summaries import read_summaries

if TYPE_CHECKING:
    from pathlib import Path

needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc on this machine")
SOURCE = """
__global__ void axpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
"""


@pytest.fixture(scope="module")
def ptx(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ptx")
    (folder / "k.cu").write_text(SOURCE)
    subprocess.run(["nvcc", "-ptx", "-arch=sm_80", "-o", folder / "k.ptx", folder / "k.cu"], check=True)
    return folder / "k.ptx"


@needs_nvcc
def test_the_same_instructions_as_from_source(ptx: Path) -> None:
    source, assembled = (workload.read_kernel(path, arch=80) for path in (ptx.with_suffix(".cu"), ptx))
    assert [i.opcode for i in assembled.instructions] == [i.opcode for i in source.instructions]
    assert workload.depends_on_machine(ptx)


@needs_nvcc
def test_it_is_listed(ptx: Path) -> None:
    (kernel,) = read_summaries(ptx, arch=80)
    assert kernel.name.startswith("axpy")
    assert [parameter.bytes for parameter in kernel.parameters] == [4, 4, 8, 8]


@needs_nvcc
def test_an_error_has_its_line(ptx: Path, tmp_path: Path) -> None:
    lines = ptx.read_text().splitlines()
    broken = tmp_path / "broken.ptx"
    broken.write_text("\n".join([*lines[:10], "no such thing;", *lines[10:]]))
    with pytest.raises(InputError, match="nvcc cannot compile this") as refused:
        workload.read_kernel(broken, arch=80)
    assert refused.value.line == 11


def test_without_nvcc_it_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvcc.shutil, "which", lambda _: None)
    (tmp_path / "k.ptx").write_text(".version 8.0\n")
    with pytest.raises(ToolError, match="need nvcc"):
        workload.read_kernel(tmp_path / "k.ptx")
