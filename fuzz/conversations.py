"""Targets that are no files of the user: what programs and earlier runs tell foretell.

Binary messages are written as text, a line each, so that mutations change numbers and not lengths: the number of the
operation, then fields such as I:5 (32 bits), Q:7 (64 bits), t:name and b:00ff (text and bytes after their
length). Lines of a journal get their checksums here.
"""

from __future__ import annotations

import re
import struct
import zlib
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

#: at most so many messages of one input
_MOST = 64
_BYTES = {"I": 4, "i": 4, "Q": 8}
#: instructions of a sampled launch: the endless kernel meets this limit as any other, in a hundredth of the time
_INSTRUCTIONS = 20_000
#: a loop without an end, and stores beyond every array: faults and limits of launches are reached
_KERNEL = """foretell sass 1
kernel endless
arch 90
registers 8
shared 0
barriers 0
stack 0
parameters 0x210
code
0000 BRA 0x0 ; fffffffc00fc7947 000fc0000383ffff
0010 EXIT ; 000000000000794d 000fea0003800000
"""


def messages(text: str) -> Iterator[tuple[int, bytes]]:
    """The operations of a text, and their packed fields."""
    for line in text.split("\n")[:_MOST]:
        words = line.split()
        if words and re.fullmatch(r"-?\d+", words[0]):
            yield int(words[0][:18]) & 0xFFFFFFFF, b"".join(map(_field, words[1:]))


def _field(word: str) -> bytes:
    kind, _, value = word.partition(":")
    if kind in _BYTES:
        number = int(value, 0) if re.fullmatch(r"-?(?:0x[0-9a-fA-F]{1,16}|[1-9]\d{0,18}|0)", value) else 0
        return (number & ((1 << 8 * _BYTES[kind]) - 1)).to_bytes(_BYTES[kind], "little")
    data = value.encode()
    if kind == "b":
        data = bytes.fromhex(value) if re.fullmatch(r"(?:[0-9a-fA-F]{2})*", value) else data
    return struct.pack("<I", len(data)) + data


class _Spoken:
    """A connection whose program says what an input says."""

    def __init__(self, text: str) -> None:
        from foretell.uses.program_run.messages import Message, Operation

        known = list(Operation)
        spoken = [(number, data) for number, data in messages(text) if number in known]
        self._messages = iter([Message(Operation(number), 1e-6, data) for number, data in spoken])

    def receive(self) -> Any:
        return next(self._messages, None)

    def answer(self, status: int, data: bytes = b"", descriptor: int | None = None) -> None:
        """Nobody listens."""


@cache
def _kernel() -> Any:
    from foretell.frontends.gpu.sass import listing

    return listing.read(_KERNEL)


class _Module:
    """A module with one kernel, and variables in both memories; reading cubins is a target of its own."""

    globals_address = constants_address = 0

    def __init__(self, data: bytes) -> None:
        from foretell.core.gpu.image import Bytes, DeviceImage, Variable

        variables = {"v": Variable("global", 0, 16), "c": Variable("constant", 0, 16)}
        image = DeviceImage(90, Bytes(bytes(64)), variables, {}, {})
        self._code = SimpleNamespace(
            cubin=data, arch=90, note="", image=image, names=["endless"], kernel=lambda _: _kernel(), has_heap=True
        )

    def code(self, _: int) -> SimpleNamespace:
        return self._code


def session(data: bytes) -> object:
    """A CUDA program that says anything."""
    from foretell import machines
    from foretell.characterize.gpu import functional
    from foretell.uses.program_run import modules
    from foretell.uses.program_run.session import Session

    modules.Module = _Module  # type: ignore[assignment,misc]
    functional._BUDGET_PASSED = _INSTRUCTIONS
    spoken = Session([machines.load("h200")], budget=10_000)
    try:
        spoken.serve(_Spoken(data.decode("utf-8", "replace")))  # type: ignore[arg-type]
    finally:
        spoken.memory.close()
    return [device.timeline.critical_path() for device in spoken.devices]


def launch_log(file: Callable[[bytes, str], Path]) -> Callable[[bytes], object]:
    """What the recorder beside a GPU writes."""

    def read(data: bytes) -> object:
        from foretell.uses.program_run.beside_gpu.record import pack

        entries = messages(data.decode("utf-8", "replace"))
        log = b"".join(struct.pack("<IQ", number, len(content)) + content for number, content in entries)
        return pack([file(log, "a.launches")], "all", 1 << 20)

    return read


def journal(file: Callable[[bytes, str], Path]) -> Callable[[bytes], object]:
    """The journals of explore and of both kinds of tune: all that each reads of a line with a right checksum."""

    def read(data: bytes) -> object:
        from foretell.uses.explore import store
        from foretell.uses.explore.summary import decode
        from foretell.uses.journal import entries
        from foretell.uses.tuning import annotated, tuner

        lines = [f"{zlib.crc32(line):08x} ".encode() + line + b"\n" for line in data.rstrip().split(b"\n")]
        path = file(b"".join(lines), "journal")
        if b"foretell-explore" in lines[0]:
            store.read_header(path)
            return [decode(entry.summary, 3, 1) for entry in store._entries(path)]
        if b"foretell-tune-kernel" in lines[0]:
            return list(entries(path, tuner._Entry, tuner._SIGNED))
        return list(entries(path, annotated._Entry, frozenset({"point"})))

    return read
