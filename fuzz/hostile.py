"""Runs the hostile programs of the tests, and tells how long after its limit each is gone, with all that it started.

    python fuzz/hostile.py                # the slowest, and a table
    python fuzz/hostile.py --seconds 2    # with another limit of time

Gone means: the run has returned, and no process has the mark of the program in its environment. A program that ends by
itself, or by another limit than that of time, counts from the end of its time or from its own end. Ends with 1 if a
program needs more than five seconds, or something is left.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from foretell import running
from foretell.running import Confinement, Limits
from tests.unit.running.test_hostile_programs import PROGRAMS, Hostile

_MARK = "FORETELL_HOSTILE_MARK"
_PROMISED_S = 5.0


@dataclass(frozen=True)
class Gone:
    """How a program ended, when (seconds from its start), and what was left."""

    name: str
    outcome: str
    seconds: float
    left: int

    def after(self, limit_s: float) -> float:
        """Seconds after the limit of time; 0 for one that was gone before."""
        return max(0.0, self.seconds - limit_s)


def run(program: Hostile, limit_s: float) -> Gone:
    """Runs a program under its limits until nothing of it is there, or six times as long as promised."""
    mark = secrets.token_hex(8)
    command = [sys.executable, "-ISc", program.python] if program.python else ["/bin/sh", "-c", program.shell]
    limits = Limits(limit_s, memory_bytes=4 << 30, output_bytes=1 << 20, file_bytes=8 << 20, processes=100)
    with tempfile.TemporaryDirectory(prefix="foretell-hostile-", ignore_cleanup_errors=True) as folder:
        begun = time.monotonic()
        try:
            done = running.run(
                command, limits, environment={_MARK: mark, "FORETELL_TEST_MARK": mark}, folder=folder,
                confinement=Confinement(), whole=False,
            )  # fmt: skip
            outcome = str(done.code)
        except running.StoppedError as error:
            outcome = error.limit
        while (left := _marked(mark)) and time.monotonic() - begun < limit_s + 6 * _PROMISED_S:
            time.sleep(0.01)
        return Gone(program.name, outcome, time.monotonic() - begun, left)


def _marked(mark: str) -> int:
    """The number of processes that have the mark in their environment."""
    found = 0
    for process in Path("/proc").iterdir():
        if process.name.isdecimal() and int(process.name) != os.getpid():
            try:
                found += mark.encode() in (process / "environ").read_bytes()
            except OSError:
                continue
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="limit of time of each program")
    given = parser.parse_args()
    ended = [run(program, given.seconds) for program in PROGRAMS]
    print("| program | ended by | seconds after the limit | left |\n|---|---|--:|--:|")
    for item in sorted(ended, key=lambda item: -item.after(given.seconds)):
        print(f"| {item.name} | {item.outcome} | {item.after(given.seconds):.2f} | {item.left} |")
    worst = max(item.after(given.seconds) for item in ended)
    left = sum(item.left for item in ended)
    print(f"{len(ended)} programs, the slowest gone {worst:.2f} s after its limit, {left} processes left")
    return 1 if worst > _PROMISED_S or left else 0


if __name__ == "__main__":
    sys.exit(main())
