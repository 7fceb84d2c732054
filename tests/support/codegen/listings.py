"""Generated code beside a compiler's own: work of an element in each."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from foretell.codegen.compilers import host
from foretell.codegen.compilers.flags import parse_flags
from foretell.codegen.generate import UserAssembly, generated, given
from foretell.uses.validate import KERNELS
from tests.support.caches.nests import of_c
from tests.support.host import IS_X86, X86_GCC

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.codegen.assembly.loops import AsmLoop
    from foretell.core.nest.loopnest import LoopNest


CPU = "sapphirerapids"


def _major(name: str) -> int:
    """The major version of a clang; 0 if it is not here."""
    if shutil.which(name) is None:
        return 0
    said = subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"version (\d+)", said)
    return int(found[1]) if found else 0


#: the imitated clang is that of LLVM 19 to 22: earlier ones write, among others, other shuffles
CLANG = next(
    (name for name in ("clang", "clang-22", "clang-21", "clang-20", "clang-19") if IS_X86 and 19 <= _major(name) <= 22),
    "",
)
needs_clang = pytest.mark.skipif(not CLANG, reason="needs clang 19 to 22")


def nest_of(text: str) -> LoopNest:
    (nest,) = of_c(text).nests
    return nest


def made_of(nest: LoopNest, compiler: str = "gcc") -> list[str]:
    """Mnemonics of the main loop."""
    code = generated(nest, "x86-64", CPU, parse_flags("-O3", compiler))
    return [one.mnemonic for one, _ in code.loops[0].instructions()]


def work(loop: AsmLoop, elements: int) -> dict[str, float]:
    """Arithmetic of each kind, loads and stores of one source iteration."""
    counted: Counter[str] = Counter()
    for one, share in loop.instructions():
        if one.bytes and one.kind in ("add", "multiply", "fma", "permute", "shuffle", "shuffle_two", "convert"):
            counted[one.kind] += share  # type: ignore[assignment]
        counted["load"] += share * one.loads  # type: ignore[assignment]
        counted["store"] += share * one.stores  # type: ignore[assignment]
    return {kind: count / elements for kind, count in counted.items() if count}


def both(name: str, compiler: str, tmp_path: Path) -> tuple[dict[str, float], dict[str, float]]:
    """What the generated main loop of a shipped kernel does, and what the compiler's own does."""
    return both_of(KERNELS / f"{name}.c", compiler, tmp_path)


def both_of(source: Path, compiler: str, tmp_path: Path) -> tuple[dict[str, float], dict[str, float]]:
    """The same for any file."""
    nest = nest_of(source.read_text())
    target = tmp_path / "own.s"
    command = X86_GCC if compiler == "gcc" else compiler
    subprocess.run([command, "-O3", f"-march={CPU}", "-S", "-o", target, source], check=True, capture_output=True)
    own = given(nest, "x86-64", UserAssembly(target.read_text()))
    code = generated(nest, "x86-64", CPU, parse_flags("-O3", host.named(command)))
    return work(code.loops[0], code.elements[0]), work(own.loops[0], own.elements[0])
