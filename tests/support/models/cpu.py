"""Small sources and shipped kernels as nests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import Loops
from foretell.frontends import read
from foretell.uses.validate import KERNELS

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.workload import Workload


def source(tmp_path: Path, text: str) -> Workload:
    path = tmp_path / "k.c"
    path.write_text(text)
    return read(path)


def nest(name: str) -> LoopNest:
    return read(KERNELS / f"{name}.c").facet(Loops).nests[0]
