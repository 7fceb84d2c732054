"""Messages between the server and a worker: JSON documents, each after its length in four bytes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, BinaryIO

from foretell.errors import ToolError

if TYPE_CHECKING:
    import asyncio

Document = dict[str, Any]
_LENGTH = 4
#: the largest message: an answer with all its lines and points is below a megabyte
MOST_BYTES = 32 << 20


def encoded(document: Document) -> bytes:
    """A message; an error where it is larger than any answer should be."""
    data = json.dumps(document, allow_nan=False).encode()
    if len(data) > MOST_BYTES:
        raise ToolError(f"the answer has {len(data) >> 20} MiB, more than the limit of {MOST_BYTES >> 20} MiB")
    return len(data).to_bytes(_LENGTH, "little") + data


def read(stream: BinaryIO) -> Document | None:
    """The next message; None at the end."""
    head = stream.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    document: Document = json.loads(stream.read(int.from_bytes(head, "little")))
    return document


async def receive(stream: asyncio.StreamReader) -> Document:
    """The next message of a worker; asyncio.IncompleteReadError where it has ended."""
    size = int.from_bytes(await stream.readexactly(_LENGTH), "little")
    document: Document = json.loads(await stream.readexactly(size))
    return document
