"""The lowered program does what the compiled one does: gcc is the oracle, the IR runs in our interpreter."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from foretell.frontends.source import ir
from tests.support.frontends.c import parse_c
from tests.support.frontends.ir_interpreter import Interpreter

PROGRAM = Path(__file__).parents[3] / "data" / "c" / "constructs.c"
CASES = re.findall(r"static void case_(\w+)\(void\)", PROGRAM.read_text())


def by_case(output: str) -> dict[str, str]:
    parts = output.split("\n== ")[1:]
    return {part.partition(" ")[0]: part.partition(" ")[2].strip() for part in parts}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler to compare with")
    binary = tmp_path_factory.mktemp("oracle") / "constructs"
    flags = ["-std=gnu11", "-O0", "-ffp-contract=off", "-fsigned-char", "-fwrapv", "-w"]
    subprocess.run([compiler, *flags, "-o", str(binary), str(PROGRAM), "-lm"], check=True)
    return by_case(subprocess.run([str(binary)], check=True, capture_output=True, text=True, timeout=30).stdout)


@pytest.fixture(scope="module")
def unit() -> ir.Unit:
    (unit,) = parse_c([PROGRAM])
    return unit


@pytest.mark.parametrize("name", CASES)
def test_the_lowered_program_prints_what_the_compiled_one_prints(
    name: str, unit: ir.Unit, compiled: dict[str, str]
) -> None:
    machine = Interpreter(ir.Program((unit,)))
    machine.output = f"\n== {name} "
    machine.call(f"case_{name}")
    assert by_case(machine.output)[name] == compiled[name]


def test_nothing_in_the_cases_was_given_up(unit: ir.Unit) -> None:
    assert unit.diagnostics == ()
    assert [(f.name, f.errors) for f in unit.functions if f.errors] == []
    assert "Opaque(" not in repr(unit)
