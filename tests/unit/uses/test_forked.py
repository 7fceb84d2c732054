"""Calls in forked copies: results in order, whatever happens to a copy."""

from __future__ import annotations

import os
import pickle
import signal
import threading

import pytest

from foretell.errors import InputError
from foretell.uses.advise.forked import _answer, shared_out

HERE = os.getpid()


def test_results_are_in_the_order_of_the_items() -> None:
    results = shared_out(lambda number: (number * number, os.getpid()), range(7), processes=3)
    assert [square for square, _ in results] == [0, 1, 4, 9, 16, 25, 36]
    assert len({process for _, process in results}) == 3


def test_one_process_and_no_items() -> None:
    assert shared_out(lambda number: os.getpid(), [1, 2], processes=1) == [HERE, HERE]
    assert shared_out(str, []) == []


def test_what_a_dead_copy_should_have_done_is_done_here() -> None:
    def call(number: int) -> int:
        if os.getpid() != HERE:
            os._exit(9)
        return number

    assert shared_out(call, [1, 2, 3, 4], processes=2) == [1, 2, 3, 4]


def test_errors_are_raised_and_copies_end(monkeypatch: pytest.MonkeyPatch) -> None:
    copies: list[int] = []
    fork = os.fork

    def noted() -> int:
        copies.append(fork())
        return copies[-1]

    def call(number: int) -> int:
        raise InputError(f"number {number}")

    monkeypatch.setattr(os, "fork", noted)
    with pytest.raises(InputError, match="number 1"):
        shared_out(call, [1, 2], processes=2)
    assert len(copies) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(copies[0], 0)


def test_no_copies_of_a_process_with_threads() -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert shared_out(lambda _: os.getpid(), [1, 2, 3]) == [HERE] * 3
    finally:
        stop.set()
        thread.join()


def test_a_copy_never_returns_to_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(os, "_exit", ended)
    before = signal.getsignal(signal.SIGINT)
    reading, writing = os.pipe()
    try:
        with pytest.raises(SystemExit):
            _answer(writing, abs, [-1, -2])
        with os.fdopen(reading, "rb") as pipe:
            assert pickle.loads(pipe.read()) == [1, 2]
    finally:
        signal.signal(signal.SIGINT, before)
