"""Processes elsewhere that compute the explorations of a worker; it connects to them before it confines itself."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.errors import InputError, ToolError

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.uses.explore.engine import Engine


def prepared(connect: Callable[[], Engine]) -> Callable[[], Engine]:
    """Connects at once, while this process still may; who asks later gets the engine, or why there is none."""
    try:
        connected = connect()
    except (ToolError, InputError) as error:
        failure = error

        def refuse() -> Engine:
            raise failure

        return refuse
    return lambda: connected


def dask_cluster(address: str) -> Engine:
    """The workers of a Dask scheduler."""
    from foretell.uses.explore import engine

    return engine.dask(address)


def mpi_ranks() -> Engine:
    """The other ranks. Their executor is opened here, once, and every rank answers before the first exploration: the
    libraries of MPI open what they share only when it is used."""
    from foretell.uses.explore import engine

    ranks = engine.mpi()
    executor = ranks.open()
    list(executor.map(abs, range(4 * ranks.workers)))
    return replace(ranks, open=lambda: nullcontext(executor))
