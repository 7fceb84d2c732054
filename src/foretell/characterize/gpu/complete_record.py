"""What a complete execution of a launch did: instructions, what was printed, why it ended, which accesses raced."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from foretell.core.gpu.launch import Dim3


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an execution ended before its end, and where: code offset and source line, block and thread."""

    kind: str
    message: str
    opcode: str
    offset: int
    line: int
    block: Dim3
    thread: Dim3
    address: int
    size: int
    waits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Race:
    """Two accesses of one word, at code offsets and source lines, by threads without an order between them; `count`
    words or threads raced there."""

    message: str
    offsets: tuple[int, int]
    lines: tuple[int, int]
    shared: bool
    count: int


@dataclass(frozen=True, slots=True)
class LinkTraffic:
    """What a launch did to memory of the host: lines and sectors that it read, bytes that it wrote and their runs in
    lines, the most updates of a word, and how often blocks waited for reads: the sum of all, and the most of one."""

    lines: int
    sectors: int
    written: int
    runs: int
    updates: int
    rounds: int
    longest_rounds: int


@dataclass(frozen=True, slots=True)
class PageFaults:
    """Pages of managed memory (64 KiB) that a launch fetched, the large ones (2 MiB) that they lie in, and the most
    faults of a warp that follow each other."""

    pages: int
    large: int
    in_turn: int


@dataclass(frozen=True, slots=True)
class Printing:
    """Calls of printf by warps, the lines that these printed, and the most calls of one warp."""

    calls: int
    lines: int
    longest: int


@dataclass(frozen=True, slots=True)
class HeapCalls:
    """Pieces of memory that threads took by malloc and gave by free, and the most calls of one warp."""

    taken: int
    given: int
    longest: int


@dataclass(frozen=True, slots=True)
class Record:
    """What an execution did: warp instructions, by opcode and by place in the text, and what the kernel printed."""

    instructions: int
    opcodes: dict[str, int]
    executions: np.ndarray = field(repr=False, compare=False)
    printed: str
    error: Fault | None
    threads: int
    #: cycles that passed in loops that wait for a clock: of all blocks, and the most of one
    waited: int = 0
    longest_wait: int = 0
    link: LinkTraffic | None = None
    #: instructions of loops that wait for other blocks, beyond their first rounds
    waiting: int = 0
    #: on managed pages: the most of a warp that follow each other
    faults_in_turn: int = 0
    printing: Printing | None = None
    heap: HeapCalls | None = None
    races: tuple[Race, ...] = ()
    #: more global memory was used than is looked at for races
    races_limited: bool = False
