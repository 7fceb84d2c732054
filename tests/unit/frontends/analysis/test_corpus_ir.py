"""The corpus lowered to the statement IR and interpreted prints what the compiled programs print.

Weaker than the counts (the front ends are the analyser's own), but it tells a wrong lowering from a wrong analysis.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from foretell.frontends.fortran import parse_fortran
from foretell.frontends.source import ir
from tests.corpus import count
from tests.support.frontends.c import parse_c
from tests.support.frontends.ir_interpreter import Interpreter

sys.path.insert(0, str(Path(count.__file__).parent))

from oracle.fortran_run import agree

# `test_corpus.py` takes the front ends through the same programs, and the interpreter is no part of the package.
NO_EXTENTS = "an ALLOCATE of a component or pointer has no extents in the IR"
#: minutes in the interpreter; they run with FORETELL_SLOW=1
SLOW = {"c/app_multigrid.c", "c/app_structured.c", "c/app_md.c"}
UNINTERPRETED = {
    "fortran/app_sweep.f90": NO_EXTENTS,
    "fortran/derived.f90": NO_EXTENTS,
    "fortran/pointers.f90": "the interpreter does not know extents behind a pointer to a section",
    "fortran/shifts.f90": "cshift is modelled as a shifted access: what wraps around the edge is not (said in a note)",
}


def _parameters(language: str) -> list[Any]:
    out = []
    for case in count.cases():
        if case.language == language:
            reason = UNINTERPRETED.get(case.name)
            marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
            if case.name in SLOW and not os.environ.get("FORETELL_SLOW"):
                marks.append(pytest.mark.skip(reason="slow: set FORETELL_SLOW=1"))
            out.append(pytest.param(case, id=case.name, marks=marks))
    return out


def _printed(case: count.Case) -> str:
    return str(case.recorded()["printed"])


@pytest.mark.parametrize("case", _parameters("c"))
def test_c(case: count.Case) -> None:
    machine = Interpreter(ir.Program(parse_c(case.files, includes=[case.files[0].parent])), max_steps=20_000_000)
    machine.call("main")
    assert agree("".join(machine.output), _printed(case))


@pytest.mark.parametrize("case", _parameters("fortran"))
def test_fortran(case: count.Case) -> None:
    said: list[Any] = []

    def write(machine: Interpreter, *values: Any) -> int:
        said.extend(values)
        return 0

    text = "\n".join(file.read_text().lower() for file in case.files)
    name = re.search(r"^\s*program\s+(\w+)", text, flags=re.M)
    assert name is not None
    externals = {"print": write, "write": write, "deallocate": lambda *_: 0}
    machine = Interpreter(ir.Program(tuple(parse_fortran(case.files))), externals=externals, max_steps=20_000_000)
    machine.call(name[1])
    numbers = [v for v in said if isinstance(v, int | float) and not isinstance(v, bool)]
    assert agree(" ".join(map(repr, numbers)), _printed(case))
