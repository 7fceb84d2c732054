"""CUDA source is compiled by NVRTC where nvcc is not installed: with a stand-in for the library, and with the real one
where its package is."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from foretell.errors import InputError, ToolError
from foretell.frontends.gpu import workload
from foretell.frontends.gpu.binary import nvcc, nvrtc, nvrtc_process

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = """
#include "scale.h"
extern "C" __global__ void scale(int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= FACTOR;
}
"""
#: compiles nothing: writes its options as a cubin, refuses those that begin with --bad
STAND_IN = """
import pathlib, sys
library, source, output, *options = sys.argv[1:]
if any(option.startswith("--bad") for option in options):
    sys.exit(source + "(3): error: no such thing")
pathlib.Path(output).write_bytes("\\n".join(options).encode())
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "scale.h").write_text("#define FACTOR 2.0f\n")
    path = tmp_path / "k.cu"
    path.write_text(SOURCE)
    return path


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of packages with a library that the stand-in does not open; no nvcc."""
    library = tmp_path / "packages" / "nvidia" / "cu13" / "lib" / "libnvrtc.so.13"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"library")
    (library.parents[1] / "include").mkdir()
    process = tmp_path / "process.py"
    process.write_text(STAND_IN)
    monkeypatch.setattr(nvrtc, "_PROCESS", process)
    monkeypatch.setattr(nvrtc, "_packages", lambda: [tmp_path / "packages"])
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    nvrtc.find.cache_clear()
    yield library
    nvrtc.find.cache_clear()


def test_without_nvcc_the_library_compiles(source: Path, installed: Path) -> None:
    assert nvrtc.find() == installed
    options = nvcc.compile_source(source, 80, ("-O2", "-DN=4")).decode().splitlines()
    assert options[:3] == ["-lineinfo", "-arch=sm_80", "-DN=4"]
    assert options[3:] == [f"-I{source.parent}", f"-I{installed.parents[1] / 'include'}"]


def test_a_cubin_is_kept_until_a_header_changes(source: Path, installed: Path, tmp_path: Path) -> None:
    first = nvcc.compile_source(source, 80)
    (tmp_path / "process.py").write_text(STAND_IN.replace('"\\n".join', '"; ".join'))
    assert nvcc.compile_source(source, 80) == first
    (source.parent / "scale.h").write_text("#define FACTOR 3.0f // three\n")
    assert nvcc.compile_source(source, 80) != first


def test_its_errors_have_their_line(source: Path, installed: Path) -> None:
    with pytest.raises(InputError, match="NVRTC cannot compile this: no such thing") as refused:
        nvcc.compile_source(source, 80, ("--bad",))
    assert refused.value.line == 3


def test_ptx_and_what_cannot_be_run_are_refused(source: Path, installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ToolError, match="need nvcc"):
        nvcc.compile_source(source.with_suffix(".ptx"), 80)
    monkeypatch.setattr(nvrtc.sys, "executable", "/nowhere/python")
    with pytest.raises(ToolError, match="NVRTC did not run"):
        nvcc.compile_source(source, 80)


def test_without_either_it_says_what_to_install(source: Path, installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "_packages", list)
    nvrtc.find.cache_clear()
    with pytest.raises(ToolError, match=r"pip install 'foretell\[nvrtc\]'"):
        nvcc.compile_source(source, 80)


def test_headers_that_include_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text('#include "b.h"\n#include "absent.h"\n')
    (tmp_path / "b.h").write_text('#include "a.h"\n')
    assert set(nvrtc.included(tmp_path / "a.h", ())) == {tmp_path / "a.h", tmp_path / "b.h"}


class Library:
    """NVRTC as the process sees it: compiles what does not say `bad`."""

    def __init__(self, *, begins: bool = True) -> None:
        self.begins, self.options, self.gone = begins, b"", False

    def nvrtcCreateProgram(self, program: Any, text: bytes, *_: object) -> int:  # noqa: N802 (NVRTC's names)
        self.text = text
        return 0 if self.begins else 1

    def nvrtcCompileProgram(self, program: Any, count: int, words: Any) -> int:  # noqa: N802
        self.options = b" ".join(words[:count])
        return int(b"bad" in self.text)

    def nvrtcGetProgramLogSize(self, program: Any, size: Any) -> None:  # noqa: N802
        size._obj.value = len(b"a warning") + 1

    def nvrtcGetProgramLog(self, program: Any, content: Any) -> None:  # noqa: N802
        content.value = b"a warning"

    def nvrtcGetCUBINSize(self, program: Any, size: Any) -> None:  # noqa: N802
        size._obj.value = 4

    def nvrtcGetCUBIN(self, program: Any, content: Any) -> None:  # noqa: N802
        content.raw = b"\x7fELF"

    def nvrtcDestroyProgram(self, program: Any) -> None:  # noqa: N802
        self.gone = True


def test_the_process_writes_a_cubin_or_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    library = Library()

    def load(name: str) -> Library:
        opened.append(Path(name).name)
        return library

    monkeypatch.setattr(ctypes, "CDLL", load)
    (tmp_path / "libnvrtc-builtins.so.13.0").touch()
    source, output = tmp_path / "k.cu", tmp_path / "k.cubin"
    source.write_text("good")
    given = (str(tmp_path / "libnvrtc.so.13"), str(source), str(output), "-arch=sm_90", "-DN=1")
    assert nvrtc_process.main(*given) == 0
    assert opened == ["libnvrtc-builtins.so.13.0", "libnvrtc.so.13"]
    assert (output.read_bytes(), library.options, library.gone) == (b"\x7fELF", b"-arch=sm_90 -DN=1", True)
    output.unlink()
    source.write_text("bad")
    assert nvrtc_process.main(*given) == 1
    assert not output.exists()
    assert capsys.readouterr().err == "a warninga warning"
    library.begins = False
    assert nvrtc_process.main(*given) == 1


@pytest.mark.skipif(nvrtc.find() is None, reason="nvidia-cuda-nvrtc is not installed")
def test_the_real_library_gives_a_kernel(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    kernel = workload.read_kernel(source, arch=80)
    assert kernel.name == "scale"
    assert any(item.opcode == "FMUL" or item.opcode == "FADD" for item in kernel.instructions)
    assert {item.line for item in kernel.instructions} & {4, 5}
