"""Launches from a profile: `ncu --csv` has kernels, grids and blocks, but not their arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.frontends.counters.readers import ncu
from foretell.frontends.counters.readers.lines import Lines, head
from foretell.frontends.gpu.launch import parse_launch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from foretell.core.gpu.launch import Launch

_SHARED = "launch__shared_mem_per_block_dynamic"


def is_profile(path: Path) -> bool:
    """Whether a file is a page of Nsight Compute rather than a launch file."""
    return ncu.is_ncu(head(path))


def read_profile(path: Path, arguments: Sequence[str] = ()) -> tuple[Launch, ...]:
    """Each distinct kernel, grid and block of a profile once; all with the same arguments."""
    launches: dict[tuple[str, str, str], Launch] = {}
    lines = Lines(path)
    try:
        for entry in ncu.launches(lines):
            key = (_plain(entry.kernel), _sizes(entry.grid), _sizes(entry.block))
            if key not in launches:
                shared = int(entry.metrics.get(_SHARED, (0.0, ""))[0])
                launches[key] = parse_launch(*key, arguments, shared)
    except InputError as error:
        raise error if error.file else lines.error(error.message, error.hint) from None
    return tuple(launches.values())


def _plain(name: str) -> str:
    """A kernel's name without return type, parameters and namespace: void ns::k<4>(int) is k."""
    return re.split(r"[<(]", name.removeprefix("void "))[0].rpartition("::")[2].strip()


def _sizes(text: str) -> str:
    """Converts '(64, 8, 1)' to 64,8,1."""
    return text.strip("() ").replace(" ", "")
