"""Options of tracing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """The program to run, the measurements to make, and the limits of the run.

    `sample` is the share of lines whose distances are measured (SHARDS); 1 measures all. `helper` lets a second
    thread measure distances. `dependences` enables levels and loop-carried dependences, `all_dependences` adds
    write-after-read and write-after-write.
    """

    kernel: str = "main"
    arguments: tuple[str, ...] = ()
    lines: tuple[int, ...] = (64, 128)
    sample: float = 1.0
    locality: bool = True
    dependences: bool = True
    all_dependences: bool = False
    reassociate: bool = False
    helper: bool = True
    sync: int | None = None
    flags: tuple[str, ...] = ()  #: for the compiler: -I, -D, -std
    includes: tuple[Path, ...] = ()
    input: Path | None = None  #: the program's standard input
    folder: Path | None = None  #: its working directory
    seconds: float = 600.0
    memory: int = 8 << 30
    output: int = 1 << 20


def sampling(options: TraceOptions) -> tuple[int, int]:
    """The sampling filter of lines: the bits that an address is shifted by, and the threshold of its 64-bit hash."""
    return max(options.lines).bit_length() - 1, int(options.sample * 2**32) << 32
