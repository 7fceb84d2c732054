"""Messages between a CUDA program with the stand-in library and foretell; the other end is cpp/standin/message.hpp."""

from __future__ import annotations

import array
import socket
import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from foretell import limits
from foretell.errors import InputError

PROTOCOL_VERSION = 2
_HEAD = struct.Struct("<IIQ")
_ANSWER = struct.Struct("<iI")
_LENGTH = struct.Struct("<I")
#: the largest message: machine code
_LARGEST = 1 << 31


class Operation(IntEnum):
    """What a message is about; the numbers are part of the protocol."""

    HELLO = 1
    MODULE = 2
    PLACE = 3
    FUNCTION = 4
    VARIABLE = 5
    LAUNCH = 6
    ALLOCATE = 7
    RELEASE = 8
    COPY = 9
    SET = 10
    STREAM = 11
    RECORD = 12
    WAIT = 13
    SYNCHRONISE = 14
    ELAPSED = 15
    OCCUPANCY = 16
    MISSING = 17
    GRAPH = 18
    FUNCTION_LIMIT = 19
    HEAP = 20
    LIBRARY = 21


@dataclass(slots=True)
class Message:
    """A message, read from its start; `host_s` is the time that the program spent outside of CUDA before it."""

    operation: Operation
    host_s: float
    data: bytes
    position: int = 0

    def get(self, form: str) -> tuple[Any, ...]:
        """The next numbers, in the notation of `struct`."""
        layout = struct.Struct("<" + form)
        if self.position + layout.size > len(self.data):
            raise InputError(f"the program sent a message {self.operation.name} that is cut off")
        values = layout.unpack_from(self.data, self.position)
        self.position += layout.size
        return values

    def block(self) -> bytes:
        """The next bytes, after their length."""
        (size,) = self.get("I")
        begin = self.position
        self.position += size
        if self.position > len(self.data):
            raise InputError(f"the program sent a message {self.operation.name} that is cut off")
        return self.data[begin : self.position]

    def text(self) -> str:
        """The next text."""
        return self.block().decode(errors="replace")


def packed(text: str | bytes) -> bytes:
    """Text or bytes after their length."""
    data = text.encode() if isinstance(text, str) else text
    return _LENGTH.pack(len(data)) + data


class Connection:
    """The socket of one program."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end

    def receive(self) -> Message | None:
        """The next message; None when the program closed its end."""
        head = self._read(_HEAD.size)
        if head is None:
            return None
        number, size, host_ns = _HEAD.unpack(head)
        if number not in list(Operation) or size > _LARGEST:
            raise InputError("the program does not speak the protocol of this version's stand-in library")
        limits.require_bytes(size, f"a message {Operation(number).name} of the program")
        data = self._read(size) if size else b""
        return None if data is None else Message(Operation(number), host_ns * 1e-9, data)

    def answer(self, status: int, data: bytes = b"", descriptor: int | None = None) -> None:
        """Answers a question; a file descriptor may go with it. A negative status ends the program."""
        rights = []
        if descriptor is not None:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]
        try:
            self._socket.sendmsg([_ANSWER.pack(status, len(data))], rights)
            self._socket.sendall(data)
        except OSError:  # the program has ended
            return

    def _read(self, size: int) -> bytes | None:
        blocks, left = [], size
        while left:
            try:
                block = self._socket.recv(min(left, 1 << 20))
            except OSError:
                return None
            if not block:
                return None
            blocks.append(block)
            left -= len(block)
        return b"".join(blocks)
