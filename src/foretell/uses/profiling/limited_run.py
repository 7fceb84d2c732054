"""Runs a program of the user, or a tool on it, to its success; every failure is one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell import running
from foretell.errors import ToolError
from foretell.running import FREE, Finished, Limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.running import Confinement

__all__ = ["Finished", "Limits", "run"]


def run(
    command: Sequence[str],
    limits: Limits,
    environment: Mapping[str, str] | None = None,
    confinement: Confinement = FREE,
) -> Finished:
    """Runs a command to completion. A crash, a failure or an exceeded limit is a `ToolError` that says which."""
    finished = running.run(command, limits, environment=environment, merged=True, whole=False, confinement=confinement)
    if finished.code:
        lines = finished.text.strip().splitlines()[-3:]
        shown = " ".join(command[:3])[:200]
        raise ToolError(f"{shown}: {_failure(finished)}" + "".join(f"\n  {line[:200]}" for line in lines))
    return finished


def _failure(finished: Finished) -> str:
    if running.signal_name(-finished.code) == "SIGILL":
        return (
            "crashed (SIGILL: an instruction that is not known here). valgrind knows no AVX-512: compile with "
            "-march=haswell (or x86-64-v3) instead of -march=native, or count with --with perf"
        )
    return finished.failure
