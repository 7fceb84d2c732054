"""How a program is traced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """What to run, what to look at, and what the run may use.

    `sample` is the share of lines whose distances are measured (SHARDS); 1 measures all. `helper` lets a second
    thread measure distances. `dependences` switches levels and loop-carried dependences, `all_dependences` adds
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
    input: Path | None = None  #: what the program reads as its standard input
    folder: Path | None = None  #: where it runs
    seconds: float = 600.0
    memory: int = 8 << 30
    output: int = 1 << 20


def sampling(options: TraceOptions) -> tuple[int, int]:
    """How a line is chosen: the bits that its address loses, and the hash of 64 bits that it must be below."""
    return max(options.lines).bit_length() - 1, int(options.sample * 2**32) << 32
