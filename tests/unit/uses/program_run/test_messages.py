"""The protocol of the stand-in library."""

from __future__ import annotations

import re
import socket
import struct
from pathlib import Path

import pytest

from foretell.errors import InputError
from foretell.uses.program_run.messages import PROTOCOL_VERSION, Connection, Message, Operation, packed

HEADER = Path(__file__).parents[4] / "cpp" / "standin" / "message.hpp"


def test_operations_have_the_numbers_of_the_library() -> None:
    text = HEADER.read_text()
    listed = {name.upper(): int(number) for name, number in re.findall(r"^    (\w+) = (\d+),", text, re.MULTILINE)}
    assert listed == {item.name: item.value for item in Operation}
    assert f"protocol_version = {PROTOCOL_VERSION};" in text


def test_a_message_is_read_in_order() -> None:
    message = Message(Operation.COPY, 0.0, struct.pack("<IQ", 7, 9) + packed("name") + packed(b"\1\2"))
    assert message.get("IQ") == (7, 9)
    assert message.text() == "name"
    assert message.block() == b"\1\2"


@pytest.mark.parametrize("data", [b"\1\2", struct.pack("<I", 9) + b"abc"])
def test_a_message_that_is_cut_off_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="cut off"):
        Message(Operation.MODULE, 0.0, data).block()


def test_a_connection_delivers_messages_and_answers() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(struct.pack("<IIQ", Operation.RECORD, 8, 2_000_000_000) + struct.pack("<II", 1, 2))
        message = Connection(ours).receive()
        assert message is not None
        assert (message.operation, message.host_s, message.get("II")) == (Operation.RECORD, 2.0, (1, 2))
        Connection(ours).answer(5, b"abc")
        assert theirs.recv(100) == struct.pack("<iI", 5, 3) + b"abc"
        theirs.sendall(struct.pack("<IIQ", 99, 0, 0))
        with pytest.raises(InputError, match="protocol"):
            Connection(ours).receive()


def test_the_end_of_the_program_ends_the_messages() -> None:
    ours, theirs = socket.socketpair()
    with ours:
        theirs.sendall(b"\1\0\0")
        theirs.close()
        assert Connection(ours).receive() is None
        Connection(ours).answer(0)  # to nobody
