"""What a program did around its launches, in the order of its calls: the part of a capture that makes it a program.

A step is a method of the timeline (uses/program_run/timeline.py) with its numbers. In a file it is a list: the name and
the numbers. Streams and events are numbers of the program; `synchronise` with stream EVERY_STREAM waits for all.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from foretell import files, limits
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

EVERY_STREAM = 0xFFFFFFFF
#: families of calls of closed libraries, and kinds of numbers (cpp/standin/runtime/library_calls.hpp)
_FAMILIES, _KINDS = 6, 6
#: step -> how many numbers it has, or may have
_NUMBERS: dict[str, int | tuple[int, ...]] = {
    "advance": 1,  # seconds of the host
    "launch": 4,  # number in the capture, stream, executed warp instructions (0: unknown), bytes that migrate
    #: of the launch that follows: cycles of waits for clocks, of all blocks and the most of one; lines and sectors that
    #: were read over the link, bytes written and their runs, updates of a word, rounds of loads, of all and of one
    #: printf of it (where there is any): calls by warps, lines, the most calls of a warp; malloc and free: pieces taken
    #: and given, the most calls of a warp; managed memory: pages fetched, large pages of these, faults in turn
    "beyond": (9, 12, 15, 18),
    "copy": 5,  # stream, kind of memory of source and target, bytes, whether asynchronous
    "set": 2,  # stream, bytes
    "wrote": 2,  # address and bytes of what the copy or set that follows writes on the device
    "stream": 2,  # number, flags
    "record": 2,  # event, stream
    "wait": 2,  # stream, event
    "synchronise": 2,  # stream, event
    "graph": 1,  # whether one begins
    "library": 7,  # stream, what a call of a closed library does, kind of numbers, four sizes
}
#: kinds of memory of a copy, as the stand-in numbers them
_MOST_KINDS = 8
#: the largest number of a step, and the longest time of the host: a sum of them stays finite
_LARGEST, _LONGEST_S = 10**18, 1e9
#: steps of one program, at the default time limit
_MOST_STEPS = 10_000_000


class RecordedStep(NamedTuple):
    """A call of the program."""

    kind: str
    numbers: tuple[float, ...]


def encoded(steps: Sequence[RecordedStep]) -> bytes:
    """The steps as they are stored."""
    return json.dumps([[step.kind, *step.numbers] for step in steps], separators=(",", ":")).encode()


def decoded(data: bytes, launches: int) -> tuple[RecordedStep, ...]:
    """The steps of stored bytes, checked; `launches` are those of the capture."""
    document = files.parse_json(data.decode(errors="replace"))
    if not isinstance(document, list):
        raise InputError("is damaged: its steps are no list")
    if len(document) > (most := limits.share(_MOST_STEPS)):
        raise limits.too_long(f"has more than {most} steps")
    return tuple(_step(number, item, launches) for number, item in enumerate(document))


def _step(number: int, item: object, launches: int) -> RecordedStep:
    kind = item[0] if isinstance(item, list) and item else None
    if not isinstance(item, list) or not isinstance(kind, str) or not _has_numbers(kind, len(item) - 1):
        raise InputError(f"is damaged: step {number} is {str(item)[:40]!r}")
    numbers = item[1:]
    whole = numbers if kind != "advance" else []
    right = all(type(value) in (int, float) and 0 <= value <= _LARGEST for value in numbers)
    longest = max(numbers) if kind == "advance" else 0.0
    if not right or not all(isinstance(value, int) for value in whole) or longest > _LONGEST_S:
        raise InputError(f"is damaged: step {number} has the numbers {str(numbers)[:60]}")
    if (kind == "launch" and numbers[0] >= launches) or (kind == "copy" and max(numbers[1:3]) >= _MOST_KINDS):
        raise InputError(f"is damaged: step {number} names a launch or memory that it does not have")
    if kind == "library" and (numbers[1] >= _FAMILIES or numbers[2] >= _KINDS):
        raise InputError(f"is damaged: step {number} names a library's call that is not known")
    return RecordedStep(kind, tuple(numbers))


def _has_numbers(kind: str, count: int) -> bool:
    """Whether a step of this kind may have so many numbers."""
    known = _NUMBERS.get(kind, ())
    return count in (known if isinstance(known, tuple) else (known,))
