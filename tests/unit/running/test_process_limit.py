"""How many processes a program may have: forks wait for the supervisor, so that it is never outrun."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from foretell import running
from foretell.running import FREE, Confinement, Limits

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="supervisors need Linux")

_MOST = 40
#: each new process leaves a mark before it multiplies further
_MULTIPLIES = """
import os
while True:
    if os.fork() == 0:
        marks = os.open('marks', os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        os.write(marks, b'x')
        os.close(marks)
"""
_ONE_AFTER_THE_OTHER = "import os\nfor k in range(400):\n    if os.fork() == 0: os._exit(0)\n    os.wait()"
_SIDE_BY_SIDE = """
import os, sys
ours, theirs = os.pipe()
for k in range(int(sys.argv[1])):
    if os.fork() == 0:
        os.read(ours, 1)
        os._exit(0)
os.write(theirs, b'x' * 64)
"""
_THREADS = "import threading\nfor k in range(300):\n    t = threading.Thread(target=int)\n    t.start()\n    t.join()"


def _limits() -> Limits:
    return Limits(60, processes=_MOST)


@pytest.mark.parametrize("confinement", [FREE, Confinement()], ids=["tool", "program of the user"])
def test_what_multiplies_is_ended_at_the_limit(confinement: Confinement, tmp_path: Path) -> None:
    """However busy the machine is. Forks that were let go and are not done yet are not counted: one for each process at
    most."""
    with pytest.raises(running.StoppedError) as stopped:
        running.run(
            [sys.executable, "-ISc", _MULTIPLIES], _limits(), folder=tmp_path, confinement=confinement.beside(tmp_path)
        )
    assert stopped.value.limit == "processes"
    assert f"more than {_MOST} processes" in str(stopped.value)
    assert len((tmp_path / "marks").read_bytes()) <= 2 * _MOST


@pytest.mark.parametrize("program", [_ONE_AFTER_THE_OTHER, _THREADS], ids=["processes", "threads"])
def test_only_those_alive_at_once_count(program: str) -> None:
    assert running.run([sys.executable, "-ISc", program], _limits()).code == 0


@pytest.mark.parametrize(("more", "ends"), [(-3, True), (3, False)])
def test_the_limit_is_where_it_is_said(more: int, ends: bool) -> None:
    """The program itself and the process that waits for it count as well."""
    command = [sys.executable, "-ISc", _SIDE_BY_SIDE, str(_MOST + more)]
    if ends:
        assert running.run(command, _limits()).code == 0
    else:
        with pytest.raises(running.StoppedError):
            running.run(command, _limits())


def test_a_program_that_runs_another_under_a_limit() -> None:
    """The kernel gives the inner one no say over forks of its own: the outer one's counts, and it looks by itself."""
    inner = f"from foretell import running\nrunning.run([{sys.executable!r}, '-ISc', {_ONE_AFTER_THE_OTHER!r}])"
    assert running.run([sys.executable, "-c", inner], Limits(60)).code == 0
