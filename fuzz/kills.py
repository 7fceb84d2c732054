"""Kills commands at positions over their whole run, and starts them again: answers must be those of a run left alone.

    python fuzz/kills.py --kills 200                    # spread over all commands that can run here
    python fuzz/kills.py --kills 20 --parallel 8 tune serve
    python fuzz/kills.py --kills 200 --parallel 8 --seconds 240    # as many of them as begin in that time
    python fuzz/kills.py --positions 200                # journals cut at positions over their whole length

A kill comes when the journal has a given part of its final bytes (commands without one: of their time). Mostly SIGKILL;
every fourth is SIGTERM or SIGINT. Prints a line for each case; ends with 1 if an answer differs or a process is left.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from scenarios import Scenario, ServedJob, dask_cluster, scenarios

_MARK = "FORETELL_KILLS_MARK"
_SIGNALS = (*(signal.SIGKILL,) * 3, signal.SIGTERM, *(signal.SIGKILL,) * 3, signal.SIGINT)
_LOOK_S, _LEFT_S, _LONGEST_S = 0.002, 5.0, 900.0
_APART = 0.6180339887  # positions of one command follow each other far apart


@dataclass(frozen=True)
class Reference:
    """A run that was left alone: its answer, final bytes of the journal (largest seen), and seconds."""

    answer: object
    bytes: int
    seconds: float


@dataclass(frozen=True)
class Verdict:
    """What became of a case."""

    name: str
    part: float
    signal: str
    outcome: str
    at: int

    @property
    def failed(self) -> bool:
        return self.outcome not in ("same", "same (ended before)")


def whole(scenario: Scenario, folder: Path) -> Reference:
    """Runs a command to its end."""
    begun, largest = time.monotonic(), 0
    process = scenario.start(folder, {})
    try:
        if isinstance(scenario, ServedJob):
            answer = scenario.finish(folder, process)
            return Reference(answer, scenario.position(folder), time.monotonic() - begun)
        while process.poll() is None and time.monotonic() - begun < _LONGEST_S:
            largest = max(largest, scenario.position(folder) if scenario.journal else 0)
            time.sleep(_LOOK_S)
    finally:
        process.kill()
        process.wait()
    if process.returncode not in (0, 4):  # 4: a check found something slower
        raise RuntimeError(f"{scenario.name}: exit {process.returncode}: {(folder / 'stderr').read_text()[-300:]}")
    position = scenario.position(folder) if scenario.journal else 0
    return Reference(scenario.result(folder), max(largest, position), time.monotonic() - begun)


def kill(scenario: Scenario, folder: Path, like: Reference, part: float, number: int) -> tuple[int, bool, list[str]]:
    """Starts a command and kills it at a part of its run: the position, whether it had ended, processes left behind."""
    mark, begun = secrets.token_hex(8), time.monotonic()
    process = scenario.start(folder, {_MARK: mark})
    while process.poll() is None:
        done = scenario.position(folder) / max(1, like.bytes) if scenario.journal else 0.0
        late = time.monotonic() - begun > (part * like.seconds if not scenario.journal else 3 * like.seconds + 5)
        if (scenario.journal and done >= part) or late:
            break
        time.sleep(_LOOK_S)
    ended = process.poll() is not None
    if not ended:
        process.send_signal(number)
        process.wait()
    return scenario.position(folder) if scenario.journal else 0, ended, left(mark)


def left(mark: str) -> list[str]:
    """Processes of a killed command that still exist after five seconds."""
    end = time.monotonic() + _LEFT_S
    while True:
        alive = [path.name for path in Path("/proc").iterdir() if path.name.isdecimal() and _has(path, mark)]
        if not alive or time.monotonic() > end:
            return alive
        time.sleep(0.05)


def _has(process: Path, mark: str) -> bool:
    try:
        return mark.encode() in (process / "environ").read_bytes()
    except OSError:
        return False


def case(
    scenario: Scenario, base: Path, like: Reference, part: float, number: int, end: float = math.inf
) -> Verdict | None:
    """Kills once, starts again, compares; none that would begin after the end."""
    if time.monotonic() > end:
        return None
    folder = base / f"{scenario.name}-{part:.4f}-{secrets.token_hex(2)}"
    folder.mkdir()
    scenario.prepare(folder)
    try:
        at, ended, alive = kill(scenario, folder, like, part, number)
        again = whole(scenario, folder)
        outcome = "same" if again.answer == like.answer else "DIFFERS"
        outcome = f"left behind: {alive}" if alive else outcome + (" (ended before)" if ended else "")
    except Exception as error:
        at, outcome = 0, f"{type(error).__name__}: {error}"
    if outcome.startswith("same"):
        shutil.rmtree(folder, ignore_errors=True)
    return Verdict(scenario.name, part, signal.Signals(number).name, outcome, at)


def kill_many(given: argparse.Namespace, base: Path) -> list[Verdict]:
    """Kills every command as often as the others, at parts of its run that are equally far apart."""
    end = time.monotonic() + given.seconds
    chosen = [_with_cluster(item) for item in scenarios() if not given.commands or item.name in given.commands]
    each, more = divmod(given.kills, len(chosen))
    verdicts: list[Verdict] = []
    with ThreadPoolExecutor(given.parallel) as pool:
        references = list(pool.map(lambda item: _reference(item, base), chosen))
        kills: list[tuple[float, int, Scenario, Reference, int]] = []
        for number, (scenario, like) in enumerate(zip(chosen, references, strict=True)):
            if like is None:
                continue
            for index in range(each + (number < more)):
                kills.append(((index * _APART) % 1, number, scenario, like, index))
        kills.sort(key=lambda one: one[:2])  # of all commands in turn, so that any time has them over whole runs
        counts = Counter(number for _, number, *_ in kills)
        cases = [
            pool.submit(case, scenario, base, like, (index + 0.5) / counts[number], _SIGNALS[index % 8], end)
            for _, number, scenario, like, index in kills
        ]
        for future in as_completed(cases):
            item = future.result()
            if item is None:
                continue
            verdicts.append(item)
            print(f"{item.name:16} at {item.part:6.1%} ({item.at} bytes) {item.signal:8} {item.outcome}", flush=True)
    return verdicts


def _reference(scenario: Scenario, base: Path) -> Reference | None:
    folder = base / f"{scenario.name}-whole"
    folder.mkdir()
    scenario.prepare(folder)
    try:
        return whole(scenario, folder)
    except Exception as error:
        print(f"{scenario.name}: cannot run here: {error}", flush=True)
        return None


def _with_cluster(scenario: Scenario) -> Scenario:
    if "DASK" not in scenario.words:
        return scenario
    address, _ = dask_cluster()
    words = tuple(address if word == "DASK" else word for word in scenario.words)
    return Scenario(scenario.name, words, scenario.journal, scenario.outputs, scenario.prepare)


def cut_many(count: int, base: Path) -> list[Verdict]:
    """Cuts a complete journal at positions over its length, and continues from there."""
    verdicts: list[Verdict] = []
    scenario = next(item for item in scenarios() if item.name == "tune")
    folder = base / "cuts"
    folder.mkdir()
    like = whole(scenario, folder)
    content = (folder / "journal").read_bytes()
    for number in range(count):
        position = 1 + number * (len(content) - 1) // max(1, count - 1)
        (folder / "journal").write_bytes(content[:position])
        outcome = "same" if whole(scenario, folder).answer == like.answer else "DIFFERS"
        verdicts.append(Verdict("cut", position / len(content), "-", outcome, position))
        print(f"cut at byte {position:7} of {len(content)}: {outcome}", flush=True)
    return verdicts


def summary(verdicts: list[Verdict]) -> dict[str, object]:
    """Kills and failures of each command."""
    names = list(dict.fromkeys(item.name for item in verdicts))
    rows = {name: [item for item in verdicts if item.name == name] for name in names}
    return {
        "format": "foretell kills 1",
        "cases": len(verdicts),
        "failures": sum(item.failed for item in verdicts),
        "commands": {
            name: {
                "kills": len(items),
                "ended_before": sum("before" in item.outcome for item in items),
                "failures": [item.outcome for item in items if item.failed],
            }
            for name, items in rows.items()
        },
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="*", help="all that can run here, if none is named")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--positions", type=int, default=0)
    parser.add_argument("--parallel", type=int, default=1, help="cases at a time")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after which no kill begins")
    parser.add_argument("--summary", type=Path, help="where the summary goes (JSON)")
    given = parser.parse_args()
    os.environ["FORETELL_ANSWERS"] = "off"
    with tempfile.TemporaryDirectory(prefix="foretell-kills-") as base:
        os.environ.setdefault("FORETELL_CACHE", f"{base}/cache")
        try:
            verdicts = kill_many(given, Path(base)) if given.kills else []
            verdicts += cut_many(given.positions, Path(base)) if given.positions else []
        finally:
            _end_cluster()
    document = summary(verdicts)
    if given.summary:
        given.summary.write_text(json.dumps(document, indent=1) + "\n")
    print(f"{document['cases']} cases, {document['failures']} failures")
    return 1 if document["failures"] else 0


def _end_cluster() -> None:
    if dask_cluster.cache_info().currsize:
        process = dask_cluster()[1]
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


if __name__ == "__main__":
    sys.exit(main())
