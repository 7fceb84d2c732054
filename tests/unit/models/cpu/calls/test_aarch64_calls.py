"""Predictions of calls of AArch64 code, on any host: from the assembly that gcc made."""

from __future__ import annotations

from pathlib import Path

import pytest

from foretell.api import predict
from foretell.codegen.assembly import aarch64
from foretell.codegen.compiled.installed import Compiler
from foretell.core.nest.loopnest import Loops
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu.compiled_code import CompiledCode
from foretell.models.cpu.incore.calls import chosen_compiler
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.incore.loop_body import issue_slots
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


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("ld2 {v0.2d - v1.2d}, [x3], 32", 8), ("st2 {v2.4s, v3.4s}, [x4]", 8), ("ld3 {v0.2d - v2.2d}, [x3]", 12),
        ("st1 {v0.2d, v1.2d}, [x3]", 1), ("ldp q0, q1, [x3]", 1), ("ld2 {v0.8b - v1.8b}, [x3], 16", 4),
    ],
)  # fmt: skip
def test_loads_that_take_structures_apart_stop_the_decoder(text: str, slots: float) -> None:
    """Measured on a Neoverse N1: ld2 of 16 bytes each 2.1 cycles of four slots, ld3 3.1, of 8 bytes half as many."""
    instruction = aarch64.parse(text, 1, "")
    assert issue_slots([instruction], Costs(load("neoverse-n1")), False)[0].issued == slots
    assert issue_slots([instruction], Costs(load("zen4")), False)[0].issued == 1  # not known there


@pytest.mark.parametrize(
    ("text", "kind"),
    [("xtn v0.4h, v1.4s", "shuffle"), ("sqxtun v0.8b, v1.8h", "shift"), ("uadalp v0.4s, v1.8h", "shift")],
)
def test_narrowing_has_units_of_its_own(text: str, kind: str) -> None:
    """Measured: xtn half a cycle as shuffles are, those that saturate or add up one, as shifts."""
    instruction = aarch64.parse(text, 1, "")
    assert (instruction.kind, instruction.known) == (kind, True)
    assert ("v0" in instruction.reads) == text.startswith("uadalp")


@pytest.mark.parametrize(("here", "flag"), [("neoverse-n1", "-march=native"), ("zen4", "-mcpu=neoverse-n1")])
def test_native_means_the_machine_that_is_asked_for(here: str, flag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An architecture is no CPU for Arm: -mcpu names one."""
    monkeypatch.setattr(chosen_compiler, "host_cpu", lambda: here)
    settings = CpuModel().settings("default", {"flags": "-O2 -march=native"})
    compiler = Compiler(("gcc",), "gcc 12", "aarch64")
    assert chosen_compiler.flags_for(Path("a.c"), compiler, load("neoverse-n1"), settings) == ("-O2", flag)
