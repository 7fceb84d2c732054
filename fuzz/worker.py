"""One process that fuzzes one target: mutates, executes, keeps inputs that reach new blocks, and tells what it did.

State goes to a folder of the worker: `input` (the current input, in a mapped file), `state.json`, `trace.txt` (of a
crash) and finds. So the parent knows what a worker did that crashed or was killed.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import hashlib
import json
import mmap
import os
import random
import resource
import signal
import struct
import sys
import time
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import coverage as blocks  # ours, beside this file
from mutations import LARGEST, Mutator
from targets import ADDRESS_SPACE, seeds_of

if TYPE_CHECKING:
    from targets import Target

#: processor seconds after which an input counts as one that does not end
LONGEST = 10.0
#: the limits of foretell itself, and of the process: what is counted in the code must hold before the process's limit
_TIME_S, _MEMORY_GIB = 5.0, 1.0
#: executions between two notes of the state
_BETWEEN = 200


class Hang(BaseException):
    """An input that takes too long."""


@dataclass
class State:
    """What a worker did so far; `finds` maps where an error is to the file of its first input and the message."""

    executions: int = 0
    seconds: float = 0.0
    corpus: int = 0
    loaded: int = 0
    entered: dict[str, int] = field(default_factory=dict)
    finds: dict[str, tuple[str, str]] = field(default_factory=dict)
    done: bool = False


def outcome(target: Target, data: bytes, *, refusals: bool = False) -> str:
    """Empty for an answer or (without `refusals`) a refusal, else the finding in one line."""
    from foretell.errors import ForetellError

    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        target.read(data)
    except ForetellError as error:
        return f"refused: {error}" if refusals else ""
    except Hang:
        return f"hang: more than {LONGEST:g} s of processor time"
    except MemoryError:
        return "memory: more than the limit"
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}: {str(error)[:80]}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


def limit_process(address_space: int = ADDRESS_SPACE) -> None:
    """Limits of this process, and of foretell in it."""
    os.environ |= {"FORETELL_LIMIT_TIME": str(_TIME_S), "FORETELL_LIMIT_MEMORY": str(_MEMORY_GIB)}
    os.environ["FORETELL_CACHE"] = "off"
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def stop(*_: object) -> None:
        raise Hang

    signal.signal(signal.SIGVTALRM, stop)


class CurrentInput:
    """The current input and its number in a mapped file: the parent reads it when this process crashed or hangs."""

    _HEAD = struct.Struct("<QQ")

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(self._HEAD.size + LARGEST))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 0)

    def set(self, number: int, data: bytes) -> None:
        """Notes the input that is executed next."""
        self._map[: self._HEAD.size + len(data)] = self._HEAD.pack(number, len(data)) + data

    @classmethod
    def read(cls, path: Path) -> tuple[int, bytes]:
        """The number and bytes of the input that a process executes or executed last."""
        try:
            content = path.read_bytes()
            number, size = cls._HEAD.unpack_from(content)
        except (OSError, struct.error):
            return 0, b""
        return number, content[cls._HEAD.size : cls._HEAD.size + size]


def keep(folder: Path, target: str, data: bytes) -> str:
    """Writes the input of a find; returns its name."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{target}-{hashlib.sha256(data).hexdigest()[:10]}.bin"
    (folder / name).write_bytes(data)
    return name


def place(reason: str) -> str:
    """Where a find is; two finds in one place are one."""
    return reason.split(": ")[0]


@dataclass(frozen=True)
class Folders:
    """Where a worker writes: its own state, inputs of finds, and those that reach new blocks (None: not kept)."""

    own: Path
    finds: Path
    corpus: Path | None = None

    def inputs(self, target: str) -> list[bytes]:
        """The inputs of a target that were kept before, oldest first."""
        if self.corpus is None:
            return []
        files = sorted(self.corpus.glob(f"{target}-*.bin"), key=lambda file: (file.stat().st_mtime_ns, file.name))
        return [file.read_bytes() for file in files]


class Worker:
    """The loop."""

    def __init__(self, target: Target, seed: str, folders: Folders) -> None:
        self._target, self._folders = target, folders
        self._current, self._state = CurrentInput(folders.own / "input"), State()
        self._corpus = [*seeds_of(target), *folders.inputs(target.name)]
        words = [word.encode() for word in target.words.split()]
        self._mutator = Mutator(words, random.Random(f"{target.name} {seed}"))
        self._covered = 0

    def run(self, executions: int, end: float) -> None:
        """Executes so many inputs, or until that moment."""
        begun, waiting = time.monotonic(), list(reversed(self._corpus))
        while self._state.executions < executions and time.monotonic() < end:
            self.execute(waiting.pop() if waiting else self._mutator.changed(self._corpus))
            self._state.seconds = time.monotonic() - begun
            if self._state.executions % _BETWEEN == 0:
                self.tell()
        self._state.done = True
        self.tell()

    def execute(self, data: bytes) -> None:
        """Executes one input; it joins the corpus if it reaches new blocks."""
        self._current.set(self._state.executions + 1, data)
        reason = outcome(self._target, data)
        self._state.executions += 1
        if reason and place(reason) not in self._state.finds:
            self._state.finds[place(reason)] = (keep(self._folders.finds, self._target.name, data), reason)
            self.tell()
        reached = blocks.SEEN.count(1)
        if reached > self._covered:
            self._covered = reached
            self._keep(data)

    def _keep(self, data: bytes) -> None:
        if data not in self._corpus:
            self._corpus.append(data)
            if self._folders.corpus is not None:
                keep(self._folders.corpus, self._target.name, data)

    def tell(self) -> None:
        """Writes the state; complete under its name, or as before."""
        self._state.corpus, self._state.loaded = len(self._corpus), blocks.blocks()
        self._state.entered = blocks.entered()
        part = self._folders.own / "state.part"
        part.write_text(json.dumps(asdict(self._state)))
        part.replace(self._folders.own / "state.json")


def start(target: Target, seed: str, folders: Folders, executions: int, seconds: float) -> int:
    """Starts a worker process; returns its number."""
    folders.own.mkdir(parents=True, exist_ok=True)
    parent, end = os.getpid(), time.monotonic() + seconds
    child = os.fork()
    if child:
        return child
    status = 1
    with contextlib.suppress(BaseException):
        _in_child(parent, folders.own, target.address_space)
        Worker(target, seed, folders).run(executions, end)
        status = 0
    os._exit(status)


def _in_child(parent: int, folder: Path, address_space: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_process(address_space)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    faulthandler.enable((folder / "trace.txt").open("w"))
    gc.collect()
    from foretell.running import die_with_parent

    die_with_parent(parent)
