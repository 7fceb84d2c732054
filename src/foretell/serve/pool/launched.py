"""Becomes the launcher of MPI ranks, which ends with the server. Started as

python -m foretell.serve.pool.launched PARENT mpiexec -n 9 PROGRAM …
"""

from __future__ import annotations

import os
import sys

from foretell import running

#: what launchers and MPI libraries are told by their environment
_VARIABLES = ("SLURM_", "PMI", "OMPI_", "PRTE_", "MPI", "I_MPI_", "HYDRA_", "UCX_", "FI_")


def environment() -> dict[str, str]:
    """Variables of this process that ranks need."""
    return {name: value for name, value in os.environ.items() if name.startswith(_VARIABLES)}


def command(launcher: tuple[str, ...], module: str, *words: str) -> list[str]:
    """The command that runs a module on the first rank; the others compute what it gives them."""
    ranks = [*launcher, sys.executable, "-m", "mpi4py.futures", "-m", module, *words]
    return [sys.executable, "-m", __name__, str(os.getpid()), *ranks]


def main(parent: int, words: list[str]) -> None:
    """The end of the server ends the launcher also where no signal can be caught (`kill -9`)."""
    running.die_with_parent(parent)
    os.execvp(words[0], words)


if __name__ == "__main__":  # pragma: no cover
    main(int(sys.argv[1]), sys.argv[2:])
