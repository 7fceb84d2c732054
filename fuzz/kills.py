"""Kills `explore` and `tune` at many moments and resumes them: the answers must be those of a run that was left alone.

    python fuzz/kills.py --kills 200            # processes killed (SIGKILL, SIGTERM, SIGINT) at random moments
    python fuzz/kills.py --positions 200        # journals cut at positions over their whole length

Prints a line for each case and ends with 1 if an answer differs or something is left behind.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_MARK = "FORETELL_KILLS_MARK"
_SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
_VOLATILE = ("seconds", "elapsed_s", "resumed", "cpu_s", "static_cpu_s", "judge_cpu_s", "engine", "rate")


def commands(folder: Path) -> dict[str, list[str]]:
    """What is killed; each keeps a journal."""
    tune = ["tune", "example:hotspot.c", "--on", "sw26010", "-D", "n=256", "-D", "m=256"]
    explore = ["explore", "example:sunway-designs", "--no-progress"]
    return {
        "explore": [*explore, "--journal", str(folder / "a.journal"), "--workers", "1"],
        "explore-workers": [*explore, "--journal", str(folder / "b.journal"), "--workers", "2"],
        "explore-points": [*explore, "--journal", str(folder / "c.journal"), "--points", str(folder / "p.csv")],
        "tune": [*tune, "--journal", str(folder / "d.journal")],
    }


def answer(words: list[str], folder: Path) -> tuple[object, str]:
    """The answer without what differs between runs, and the points that were written."""
    done = subprocess.run(
        [sys.executable, "-m", "foretell", *words, "--format", "json"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stderr}")
    points = folder / "p.csv"
    return _stable(json.loads(done.stdout)), points.read_text() if points.exists() else ""


def _stable(value: object) -> object:
    if isinstance(value, dict):
        return {key: _stable(item) for key, item in value.items() if not key.endswith(_VOLATILE)}
    return [_stable(item) for item in value] if isinstance(value, list) else value


def killed(words: list[str], number: int, delay: float, mark: str) -> None:
    """Starts a command and ends it after a while."""
    process = subprocess.Popen(
        [sys.executable, "-m", "foretell", *words, "--format", "json"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, _MARK: mark},
    )  # fmt: skip
    time.sleep(delay)
    process.send_signal(number)
    process.wait()


def left(mark: str) -> list[str]:
    """Processes of a killed command that are still there after five seconds."""
    end = time.monotonic() + 5
    while True:
        found = [path.name for path in Path("/proc").iterdir() if path.name.isdecimal() and _has(path, mark)]
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.05)


def _has(process: Path, mark: str) -> bool:
    try:
        return mark.encode() in (process / "environ").read_bytes()
    except OSError:
        return False


def kill_many(count: int, rng: random.Random) -> int:
    """Kills each command in turn, several times before it may end; returns the number of failures."""
    failures = 0
    with tempfile.TemporaryDirectory() as base:
        reference: dict[str, tuple[tuple[object, str], float]] = {}
        for case in range(count):
            folder = Path(base) / str(case)
            folder.mkdir()
            name, words = list(commands(folder).items())[case % len(commands(folder))]
            if name not in reference:
                begun = time.monotonic()
                reference[name] = (answer(words, folder), time.monotonic() - begun)
                _empty(folder)
            expected, seconds = reference[name]
            mark, number = secrets.token_hex(8), rng.choice(_SIGNALS)
            killed(words, number, rng.uniform(0.1, 1.0) * seconds, mark)
            alive = left(mark)
            same = answer(words, folder) == expected
            failures += bool(alive) or not same
            verdict = "same" if same else "DIFFERS"
            print(f"{case:4} {name:16} {signal.Signals(number).name:8} {verdict} {alive or ''}", flush=True)
    return failures


def _empty(folder: Path) -> None:
    for file in folder.iterdir():
        file.unlink()


def cut_many(count: int) -> int:
    """Cuts a complete journal at positions over its length, and continues from there."""
    failures = 0
    if not count:
        return 0
    with tempfile.TemporaryDirectory() as base:
        folder = Path(base)
        words = commands(folder)["tune"]
        expected, journal = answer(words, folder), folder / "d.journal"
        whole = journal.read_bytes()
        for case in range(count):
            position = 1 + case * (len(whole) - 1) // max(1, count - 1)
            journal.write_bytes(whole[:position])
            same = answer(words, folder) == expected
            failures += not same
            print(f"{case:4} cut at byte {position:7} of {len(whole)}: {'same' if same else 'DIFFERS'}", flush=True)
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--positions", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    failures = kill_many(given.kills, random.Random(given.seed)) + cut_many(given.positions)
    print(f"{given.kills + given.positions} cases, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
