"""Predictions of calls of AArch64 code, on any host: from the assembly that gcc made."""

from __future__ import annotations

from pathlib import Path

import pytest

from foretell.api import predict
from foretell.codegen.compiled.installed import Compiler
from foretell.core.nest.loopnest import Loops
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu import compiled_code
from foretell.models.cpu.compiled_code import CompiledCode
from foretell.models.cpu.model import CpuModel

_FOLDER = Path(__file__).parents[4] / "data/asm/whole_call"


def _code(function: str, **options: str) -> tuple[CompiledCode, Loops]:
    loops = read(f"{_FOLDER / 'functions.c'}:{function}").facet(Loops)
    return CompiledCode(loops, load("neoverse-n1"), CpuModel().settings("default", options)), loops


def test_assembly_for_aarch64_is_followed() -> None:
    asm = str(_FOLDER / "aarch64/functions-O3.s")
    found = predict(
        read(f"{_FOLDER / 'functions.c'}:axpy"), "neoverse-n1", parameters={"n": 1003.0}, options={"asm": asm}
    )
    assert any(text.startswith("compiled code followed") for text in found.assumptions)
    assert any(text.startswith("usual numbers of a core") and "cores.scheduler" in text for text in found.assumptions)
    (issued,) = (rate.value for rate in found.rates if rate.name == "instructions per cycle")
    assert issued == pytest.approx(502 * 7 / (found.time_s * load("neoverse-n1").value("clock.frequency")), rel=0.02)
    code, loops = _code("axpy", asm=asm)
    part = code.cycles(loops.nests[0], load("neoverse-n1"), {"n": 1003})
    # two elements an iteration of seven instructions, four of which issue in a cycle
    assert part.cycles == pytest.approx(502 * 7 / 4, rel=0.03)
    assert sum(count for _, count in part.instructions) == pytest.approx(502 * 7, rel=0.02)


@pytest.mark.parametrize(("here", "flag"), [("neoverse-n1", "-march=native"), ("zen4", "-mcpu=neoverse-n1")])
def test_native_means_the_machine_that_is_asked_for(here: str, flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An architecture is no CPU for Arm: -mcpu names one."""
    monkeypatch.setattr(compiled_code, "host_cpu", lambda: here)
    settings = CpuModel().settings("default", {"flags": "-O2 -march=native"})
    compiler = Compiler(("gcc",), "gcc 12", "aarch64")
    assert compiled_code.flags_for(Path("a.c"), compiler, load("neoverse-n1"), settings) == ("-O2", flag)
