"""Which code of a module a GPU runs, and what goes wrong in programs that are not as they should be."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from foretell import machines
from foretell.core.gpu.image import Variable
from foretell.errors import InputError, ToolError
from foretell.uses.program_run import modules
from foretell.uses.program_run.modules import Code, LoadError, Module, constant_bytes
from foretell.uses.program_run.run import run_program

if TYPE_CHECKING:
    from collections.abc import Callable

TWICE = """
import ctypes, os
cuda = ctypes.CDLL("libcudart.so.13")
count = ctypes.c_int()
assert cuda.cudaGetDeviceCount(ctypes.byref(count)) == 0
os.system("%s -c 'import ctypes; ctypes.CDLL(\\"libcudart.so.13\\").cudaFree(None)'")
"""


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Module]:
    """A module with machine code and PTX of these architectures."""

    def made(cubins: tuple[int, ...], ptx: tuple[int, ...] = (), compiler: bool = True) -> Module:
        def entries(kind: str, archs: tuple[int, ...]) -> tuple[SimpleNamespace, ...]:
            return tuple(SimpleNamespace(arch=arch, data=f"{kind}{arch}".encode()) for arch in archs)

        def found(_: object) -> tuple[SimpleNamespace, ...]:
            if not cubins:
                raise InputError("there is no GPU machine code")
            return entries("sm", cubins)

        def compiled(text: bytes, arch: int) -> bytes:
            if not compiler:
                raise ToolError("there is no nvcc")
            return text + f" for {arch}".encode()

        monkeypatch.setattr(modules.container, "cubins", found)
        monkeypatch.setattr(modules.container, "ptx_entries", lambda _: entries("ptx", ptx))
        monkeypatch.setattr(modules, "_bytes_of", lambda entry: entry.data)
        monkeypatch.setattr(modules, "_compiled", compiled)
        return Module(b"a fatbin")

    return made


@pytest.mark.parametrize(
    ("cubins", "ptx", "compiler", "cubin", "noted"),
    [
        ((80, 90), (), True, b"sm90", False),
        ((80, 86, 120), (80,), True, b"ptx80 for 90", False),
        ((75, 80), (75,), False, b"sm80", True),
        ((100,), (), True, b"sm100", True),
        ((), (52, 75), True, b"ptx75 for 90", False),
    ],
)
def test_the_nearest_code_is_chosen(
    module: Callable[..., Module],
    cubins: tuple[int, ...],
    ptx: tuple[int, ...],
    compiler: bool,
    cubin: bytes,
    noted: bool,
) -> None:
    code = module(cubins, ptx, compiler).code(90)
    assert code.cubin == cubin
    assert bool(code.note) is noted


@pytest.mark.parametrize(("ptx", "number"), [((), modules.NO_IMAGE), ((80,), 218)])
def test_without_any_code_loading_fails(module: Callable[..., Module], ptx: tuple[int, ...], number: int) -> None:
    with pytest.raises(LoadError) as caught:
        module((), ptx, compiler=False).code(90)
    assert caught.value.number == number


def test_constants_end_with_the_last_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {"a": Variable("constant", 8, 4), "b": Variable("global", 64, 4)}
    monkeypatch.setattr(modules, "device_image", lambda _: SimpleNamespace(variables=variables))
    assert constant_bytes(Code(b"", 90)) == 12


def test_a_second_process_with_cuda_is_refused() -> None:
    command = [sys.executable, "-c", TWICE % sys.executable]
    with pytest.raises(InputError, match="second process"):
        run_program(command, [machines.load("h200")], seconds=60)


def test_a_program_that_takes_too_long_is_ended() -> None:
    with pytest.raises(ToolError, match="longer than"):
        run_program([sys.executable, "-c", "while True: pass"], [machines.load("h200")], seconds=0.5)
