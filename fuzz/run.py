"""Runs fuzz targets for a given time, or replays all inputs that were found before.

    python fuzz/run.py --seconds 60               # each target for a minute
    python fuzz/run.py --seconds 600 c llvm       # two of them
    python fuzz/run.py --replay                   # the regression corpus (fuzz/regressions), as CI does

A target runs in a process of its own, so that a crash of the compiled core is a finding and not the end. Inputs that
reach new blocks of the code are kept in memory and mutated further. Findings go to fuzz/regressions/TARGET-HASH.bin.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import mmap
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import coverage as blocks  # ours, beside this file
from targets import ROOT, TARGETS, Target

REGRESSIONS = Path(__file__).parent / "regressions"
#: processor seconds after which an input counts as one that does not end
_LONGEST = 10.0
_LARGEST = 1 << 16
_NUMBERS = [b"0", b"-1", b"1e308", b"1e-308", b"9" * 40, b"65536", b"2147483648", b"nan", b"inf", b"0x7fffffffffffffff"]


class Hang(BaseException):
    """An input that takes too long."""


def _stop(*_: object) -> None:
    raise Hang


def outcome(target: Target, data: bytes) -> str:
    """Empty for an answer or a refusal, else the finding in one line."""
    from foretell.errors import ForetellError

    signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST)
    try:
        target.read(data)
    except ForetellError:
        return ""
    except Hang:
        return f"hang: more than {_LONGEST:g} s"
    except MemoryError:
        return "memory"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}: {str(error)[:80]}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


# ---------------------------------------------------------------------------------------------- mutations


def mutated(data: bytes, others: list[bytes], words: list[bytes], rng: random.Random) -> bytes:
    """One to eight changes at random."""
    result = bytearray(data)
    for _ in range(1 << rng.randrange(4)):
        change = rng.choice(_CHANGES)
        change(result, others, words, rng)
    return bytes(result[:_LARGEST])


def _span(data: bytearray, rng: random.Random) -> tuple[int, int]:
    first = rng.randrange(len(data) + 1)
    return first, min(len(data), first + rng.randrange(1, 40))


def _flip(data: bytearray, _: list[bytes], __: list[bytes], rng: random.Random) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _byte(data: bytearray, _: list[bytes], __: list[bytes], rng: random.Random) -> None:
    if data:
        data[rng.randrange(len(data))] = rng.randrange(256)


def _delete(data: bytearray, _: list[bytes], __: list[bytes], rng: random.Random) -> None:
    first, last = _span(data, rng)
    del data[first:last]


def _repeat(data: bytearray, _: list[bytes], __: list[bytes], rng: random.Random) -> None:
    first, last = _span(data, rng)
    data[first:first] = data[first:last] * rng.choice([1, 1, 2, 3, 50])


def _word(data: bytearray, _: list[bytes], words: list[bytes], rng: random.Random) -> None:
    first, last = _span(data, rng)
    data[first : rng.choice([first, last])] = rng.choice(words)


def _number(data: bytearray, _: list[bytes], __: list[bytes], rng: random.Random) -> None:
    digits = [k for k in range(len(data)) if 48 <= data[k] < 58]
    if digits:
        first = last = rng.choice(digits)
        while last < len(data) and 48 <= data[last] < 58:
            last += 1
        data[first:last] = rng.choice(_NUMBERS)


def _splice(data: bytearray, others: list[bytes], _: list[bytes], rng: random.Random) -> None:
    other = rng.choice(others)
    first, last = _span(bytearray(other), rng)
    at = rng.randrange(len(data) + 1)
    data[at:at] = other[first : first + rng.choice([last - first, 400])]


def _line(data: bytearray, _: list[bytes], __: list[bytes], rng: random.Random) -> None:
    lines = bytes(data).split(b"\n")
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    data[:] = b"\n".join(lines)


_Change = Callable[[bytearray, list[bytes], list[bytes], random.Random], None]
_CHANGES: list[_Change] = [_flip, _byte, _delete, _repeat, _word, _word, _number, _splice, _line]


# ---------------------------------------------------------------------------------------------- a target


def seeds_of(target: Target) -> list[bytes]:
    """The seeds, small enough to be mutated often."""
    files = [file for pattern in target.seeds for file in sorted(ROOT.glob(pattern))]
    data = [file.read_bytes() for file in files] + [seed for make in target.made for seed in make()]
    return [seed for seed in data if len(seed) <= _LARGEST] or [b""]


def fuzz(target: Target, seconds: float, seed: int, told: Path) -> None:
    """Runs one target; `told` gets the state after every input, so that a crash leaves its input behind."""
    signal.signal(signal.SIGVTALRM, _stop)
    rng, begun = random.Random(seed), time.monotonic()
    corpus = seeds_of(target)
    words = [word.encode() for word in target.words.split()] + _NUMBERS
    state: dict[str, object] = {"executions": 0, "corpus": 0, "findings": {}}
    findings: dict[str, str] = {}
    covered = count = 0
    waiting = list(corpus)
    current = _Shared(told.with_suffix(".input"))
    while time.monotonic() - begun < seconds:  # a crash begins anew, with other random numbers
        data = waiting.pop() if waiting else mutated(rng.choice(corpus), corpus, words, rng)
        current.set(data)
        reason = outcome(target, data)
        count += 1
        if reason and _place(reason) not in findings:
            findings[_place(reason)] = keep(target, data, reason)
        reached = blocks.SEEN.count(1)
        if reached > covered:
            covered = reached
            corpus.append(data)
        if count % 200 == 0 or reason:
            state = {"executions": count, "blocks": covered, "of": blocks.blocks(), "corpus": len(corpus),
                     "seconds": round(time.monotonic() - begun, 1), "findings": findings}  # fmt: skip
            told.write_text(json.dumps(state))
    state |= {"executions": count, "blocks": covered, "of": blocks.blocks(), "corpus": len(corpus),
              "seconds": round(time.monotonic() - begun, 1), "findings": findings}  # fmt: skip
    told.write_text(json.dumps(state))


class _Shared:
    """The current input in a mapped file: there for the parent when this process crashes."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(8 + _LARGEST))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)

    def set(self, data: bytes) -> None:
        self._map[: 8 + len(data)] = len(data).to_bytes(8, "little") + data

    @staticmethod
    def read(path: Path) -> bytes:
        content = path.read_bytes()
        return content[8 : 8 + int.from_bytes(content[:8], "little")]


def _place(reason: str) -> str:
    return reason.split(": ")[0]


def keep(target: Target, data: bytes, reason: str) -> str:
    """Writes a finding; it stays until somebody mends it, and then as a regression test."""
    REGRESSIONS.mkdir(exist_ok=True)
    name = f"{target.name}-{hashlib.sha256(data).hexdigest()[:10]}.bin"
    (REGRESSIONS / name).write_bytes(data)
    return f"{name}: {reason}"


def run(target: Target, seconds: float, seed: int) -> dict[str, object]:
    """Runs a target in processes of its own until the time is up; a crash of one is a finding."""
    told = Path(tempfile.gettempdir()) / f"foretell-fuzz-{os.getpid()}-{target.name}.json"
    total: dict[str, object] = {"target": target.name, "executions": 0, "findings": {}}
    end = time.monotonic() + seconds
    while time.monotonic() < end - 1:
        told.write_text("{}")
        child = os.fork()
        if child == 0:
            sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            fuzz(target, end - time.monotonic(), seed, told)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        part = json.loads(told.read_text() or "{}")
        findings = {**total["findings"], **part.get("findings", {})}  # type: ignore[dict-item]
        if status:
            data = _Shared.read(told.with_suffix(".input"))
            findings[f"crash {status}"] = keep(target, data, f"crash: ended with {status}")
        executions = int(str(total["executions"])) + part.get("executions", 0)
        total |= {**part, "executions": executions, "findings": findings}
        seed += 1
    for file in (told, told.with_suffix(".input")):
        file.unlink(missing_ok=True)
    return total


def replay() -> int:
    """Runs all inputs that were found before; returns the number that are still findings."""
    signal.signal(signal.SIGVTALRM, _stop)
    failed = 0
    for file in sorted(REGRESSIONS.glob("*.bin")):
        reason = outcome(TARGETS[file.name.rpartition("-")[0]], file.read_bytes())
        print(f"{file.name}: {reason or 'mended'}")
        failed += bool(reason)
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS], help="all, if none is named")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--table", type=Path, help="where the table of executions goes (JSON)")
    given = parser.parse_args()
    if given.replay:
        return 1 if replay() else 0
    blocks.follow("foretell.")
    results = []
    for name in given.targets or TARGETS:
        results.append(run(TARGETS[name], given.seconds, given.seed))
        print(json.dumps(results[-1]), flush=True)
        if given.table:
            given.table.write_text(json.dumps(results, indent=1) + "\n")
    return 1 if any(result["findings"] for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
