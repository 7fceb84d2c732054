"""llvm-mca's opinion of a loop, as a program of its own: its models differ from release to release, so its version is
part of what it says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.codegen.emit import TRIPLES
from foretell.errors import ToolError

if TYPE_CHECKING:
    from foretell.codegen.assembly.loops import AsmLoop

_ITERATIONS = 100
_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Opinion:
    """Cycles of one pass of a loop, and which llvm-mca said so."""

    cycles: float
    version: str


def second_opinion(loop: AsmLoop, isa: str, cpu: str) -> Opinion:
    """What llvm-mca says about the loop on a CPU that LLVM knows."""
    program = shutil.which("llvm-mca")
    if program is None:
        raise ToolError("llvm-mca is not installed: there is no second opinion (it comes with LLVM's tools)")
    text = "\n".join(one.text for one, _ in loop.instructions())
    command = [program, f"-mtriple={TRIPLES[isa]}", f"-mcpu={cpu}", f"-iterations={_ITERATIONS}", "-json", "-"]
    said = _run(command, text)
    found = re.search(r"version (\S+)", _run([program, "--version"], ""))
    try:
        total = json.loads(said)["CodeRegions"][0]["SummaryView"]["TotalCycles"]
        return Opinion(float(total) / _ITERATIONS, found[1] if found else "unknown")
    except (ValueError, KeyError, IndexError, TypeError):
        raise ToolError("llvm-mca's answer is not the JSON that was expected") from None


def _run(command: list[str], text: str) -> str:
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise ToolError(f"llvm-mca did not run: {error}") from None
    if done.returncode:
        raise ToolError(
            f"llvm-mca failed: {done.stderr.strip().splitlines()[0] if done.stderr.strip() else 'no message'}"
        )
    return done.stdout
