"""Fuzzes targets by coverage with several processes, or replays all inputs that were found before.

    python fuzz/run.py --workers 16 --seconds 40                          # every target for 40 s on 16 cores
    python fuzz/run.py --workers 2 --executions 20000 c llvm              # two of them, 20,000 inputs each
    python fuzz/run.py --workers 16 --seconds 40 --finds OUT --summary OUT/summary.json
    python fuzz/run.py --executions 20000 --sums S.json --corpus C        # goes on where the last such run stopped
    python fuzz/run.py --sums S.json --table                              # what all of them did
    python fuzz/run.py --replay                                           # the regression corpus, as CI does

A target ends after `--seconds` or `--executions`, whichever is first. With `--executions` alone a run is determined by
its `--seed`. With `--sums`, executions of earlier runs count; `--corpus` keeps inputs that reached new blocks. A worker
that crashes, or whose input does not end, is a find: its input is kept, and another worker takes its place. Inputs of
finds go to `--finds` (fuzz/regressions), where `--replay` finds them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import coverage as blocks  # ours, beside this file
from sums import Sums
from targets import TARGETS, Target, seeds_of
from worker import LONGEST, CurrentInput, Folders, keep, limit_process, outcome, place, start

REGRESSIONS = Path(__file__).parent / "regressions"
_UNLIMITED = 1 << 60
#: processor seconds in one input after which a worker is killed, since it does not even hear its own timer
_KILLED_AFTER = 2 * LONGEST
#: seconds between two looks at the workers, and those without progress at all (a wait, not work) that are too many
_LOOK, _STUCK = 0.2, 120.0
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Slot:
    """A place for a worker: the process, and what processes in this place did before."""

    number: int
    folder: Path
    executions: int = _UNLIMITED
    process: int = 0
    restarts: int = 0
    input: int = -1  #: number of the input that was executed at the last look
    since: tuple[float, float] = (0.0, 0.0)  #: when it began: processor time, and wall time


@dataclass
class Result:
    """What was done for a target."""

    target: str
    executions: int = 0
    seconds: float = 0.0
    restarts: int = 0
    corpus: int = 0
    loaded: int = 0
    entered: dict[str, int] = field(default_factory=dict)
    finds: dict[str, tuple[str, str]] = field(default_factory=dict)
    interrupted: bool = False

    def add(self, state: dict[str, Any]) -> None:
        """Adds what one process did."""
        self.executions += state.get("executions", 0)
        self.corpus, self.loaded = (max(getattr(self, name), state.get(name, 0)) for name in ("corpus", "loaded"))
        self.entered |= state.get("entered", {})
        self.finds = {**{key: tuple(value) for key, value in state.get("finds", {}).items()}, **self.finds}

    def document(self) -> dict[str, Any]:
        """For the summary."""
        finds = [{"place": key, "file": file, "reason": reason} for key, (file, reason) in sorted(self.finds.items())]
        return {
            "target": self.target, "executions": self.executions, "seconds": round(self.seconds, 1),
            "restarts": self.restarts, "corpus": self.corpus, "blocks_loaded": self.loaded,
            "blocks": len(self.entered), "statements": sum(self.entered.values()), "finds": finds,
        }  # fmt: skip


class Campaign:
    """The workers of one target."""

    def __init__(self, target: Target, given: argparse.Namespace, base: Path, before: int = 0) -> None:
        """`before`: executions of earlier runs, which count and decide which inputs come next."""
        self._target, self._given = target, given
        self._seed, self._end = f"{given.seed} {before}", time.monotonic() + given.seconds
        each = _UNLIMITED if given.executions is None else -(-(given.executions - before) // given.workers)
        self._slots = [Slot(number, base / str(number), each) for number in range(given.workers)]
        self._result = Result(target.name)

    def run(self) -> Result:
        """Runs the workers to their end; on an interrupt they are killed, and what they did counts."""
        begun = time.monotonic()
        try:
            for slot in self._slots:
                self._start(slot)
            while any(slot.process for slot in self._slots):
                time.sleep(_LOOK)
                for slot in self._slots:
                    self._look(slot)
        except KeyboardInterrupt:
            self._result.interrupted = True
        finally:
            self._kill_all()
        self._result.seconds = time.monotonic() - begun
        return self._result

    def _start(self, slot: Slot) -> None:
        left = self._end - time.monotonic()
        if left <= 0 or slot.executions <= 0:
            return
        seed = f"{self._seed} {slot.number} {slot.restarts}"
        shutil.rmtree(slot.folder, ignore_errors=True)
        slot.input, slot.since = -1, (0.0, time.monotonic())
        folders = Folders(slot.folder, self._given.finds, self._given.corpus)
        slot.process = start(self._target, seed, folders, slot.executions, left)

    def _look(self, slot: Slot) -> None:
        """Takes notice of an end; kills a worker whose input does not end."""
        if not slot.process:
            return
        ended, status = os.waitpid(slot.process, os.WNOHANG)
        if ended:
            self._ended(slot, os.waitstatus_to_exitcode(status))
        elif self._hangs(slot):
            os.kill(slot.process, signal.SIGKILL)
            os.waitpid(slot.process, 0)
            self._ended(slot, 0, "hang: does not end, and was killed")

    def _ended(self, slot: Slot, status: int, reason: str = "") -> None:
        slot.process = 0
        state = _state(slot.folder)
        number, data = CurrentInput.read(slot.folder / "input")
        if status or reason:
            state["executions"] = max(state.get("executions", 0), number)
            reason = reason or f"crash {status}{_where(slot.folder)}: ended with {status}"
            name = keep(self._given.finds, self._target.name, data)
            state["finds"] = {**state.get("finds", {}), place(reason): (name, reason)}
        self._result.add(state)
        slot.executions -= max(1, state.get("executions", 0))
        if not state.get("done"):
            slot.restarts += 1
            self._result.restarts += 1
            self._start(slot)

    def _hangs(self, slot: Slot) -> bool:
        number, _ = CurrentInput.read(slot.folder / "input")
        used, now = _processor_s(slot.process), time.monotonic()
        if number != slot.input:
            slot.input, slot.since = number, (used, now)
        return used - slot.since[0] > _KILLED_AFTER or (now - slot.since[1] > _STUCK and now > self._end)

    def _kill_all(self) -> None:
        for slot in self._slots:
            if slot.process:
                os.kill(slot.process, signal.SIGKILL)
                os.waitpid(slot.process, 0)
                self._result.add(_state(slot.folder))
                slot.process = 0


def _state(folder: Path) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads((folder / "state.json").read_text())
    except (OSError, ValueError):
        return {}
    return document


def _where(folder: Path) -> str:
    """The innermost line of Python of a crash."""
    try:
        lines = (folder / "trace.txt").read_text(errors="replace").split("\n")
    except OSError:
        return ""
    inner = next((line.split('"') for line in lines if line.strip().startswith("File")), [])
    return f" at {Path(inner[1]).name}{inner[2].replace(', line ', ':').split(' in ')[0]}" if len(inner) > 2 else ""


def _processor_s(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


#: targets whose seeds are not replayed: each takes all of its seconds; is an index without the bytes that it names; is
#: no kernel where nvcc is not installed
_SEEDS_NOT_REPLAYED = ("c++", "capture", *(() if shutil.which("nvcc") else ("cubin",)))


def replay() -> int:
    """Runs all inputs that were found before, and a seed of each target, which must not be refused: a target that says
    no to everything finds nothing. Returns the number that are still finds."""
    limit_process(max(target.address_space for target in TARGETS.values()))
    failed = 0
    for target in TARGETS.values():
        reasons = [
            outcome(target, seed, refusals=True) for seed in seeds_of(target) if target.name not in _SEEDS_NOT_REPLAYED
        ]
        if reasons and all(reasons):
            failed += 1
            print(f"seeds of {target.name}: {reasons[0]}")
    for file in sorted(REGRESSIONS.glob("*.bin")):
        reason = outcome(TARGETS[file.name.rpartition("-")[0]], file.read_bytes())
        print(f"{file.name}: {reason or 'mended'}")
        failed += bool(reason)
    return failed


def summary(results: list[Result], given: argparse.Namespace) -> dict[str, Any]:
    """One document of a run."""
    return {
        "format": "foretell fuzz 1", "seed": given.seed, "workers": given.workers, "seconds_each": given.seconds,
        "executions_each": given.executions, "machine": platform.machine(), "python": platform.python_version(),
        "executions": sum(result.executions for result in results),
        "finds": sum(len(result.finds) for result in results),
        "targets": [result.document() for result in results],
    }  # fmt: skip


def fuzz_all(given: argparse.Namespace) -> int:
    """Runs the targets one after the other; the summary is complete after each."""
    blocks.follow("foretell.")
    results: list[Result] = []
    sums = Sums(given.sums)
    with tempfile.TemporaryDirectory(prefix="foretell-fuzz-") as base:
        for name in given.targets or TARGETS:
            result = Campaign(TARGETS[name], given, Path(base), sums.executions(name)).run()
            results.append(result)
            sums.add(name, vars(result))
            print(json.dumps(result.document()), flush=True)
            if given.summary:
                given.summary.write_text(json.dumps(summary(results, given), indent=1) + "\n")
            if result.interrupted:
                break
    return 1 if any(result.finds for result in results) else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", help=f"all, if none is named: {', '.join(TARGETS)}")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600.0, help="of each target")
    parser.add_argument("--executions", type=int, help="of each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--finds", type=Path, default=REGRESSIONS, help="folder for inputs that fail")
    parser.add_argument("--summary", type=Path, help="where the summary goes (JSON)")
    parser.add_argument("--sums", type=Path, help="sums over runs (JSON)")
    parser.add_argument("--corpus", type=Path, help="folder for inputs that reach new blocks, and to start from")
    parser.add_argument("--table", action="store_true", help="prints the sums")
    given = parser.parse_args()
    unknown = [name for name in given.targets if name not in TARGETS]
    if unknown:
        parser.error(f"no target {unknown[0]!r}: {', '.join(TARGETS)}")
    if given.replay:
        return 1 if replay() else 0
    if given.table:
        print(Sums(given.sums).table())
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    return fuzz_all(given)


if __name__ == "__main__":
    sys.exit(main())
