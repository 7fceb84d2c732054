"""Limits on time and memory: counted, stated, and visible."""

from __future__ import annotations

import os
import signal

import pytest

from foretell import limits
from foretell.errors import InputError
from tests.support.cli import refused, run


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(limits.TIME, raising=False)
    monkeypatch.delenv(limits.MEMORY, raising=False)


def test_defaults_and_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (limits.seconds(), limits.memory_bytes()) == (60.0, 8 << 30)
    monkeypatch.setenv(limits.TIME, "2")
    monkeypatch.setenv(limits.MEMORY, "0.5")
    assert (limits.seconds(), limits.memory_bytes()) == (2.0, 1 << 29)
    assert (limits.steps(100), limits.share(600)) == (200, 20)
    for wrong in ("x", "0", "-1", "nan", "inf"):
        monkeypatch.setenv(limits.TIME, wrong)
        with pytest.raises(InputError, match="is not a positive number"):
            limits.seconds()


def test_a_budget_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.TIME, "2")
    budget = limits.Budget("counting", per_second=5)
    for _ in range(10):
        budget.spend()
    with pytest.raises(limits.LimitError, match="counting takes more than 10 steps, the limit for 2 s"):
        budget.spend()


def test_memory_is_refused_before_it_is_taken() -> None:
    limits.require_bytes(8 << 30, "this")
    with pytest.raises(limits.LimitError, match=r"this needs 8\.5 GiB, more than the limit of 8 GiB"):
        limits.require_bytes(8.5 * 2**30, "this")


def _spin() -> None:
    while True:
        with limits.watched("what is inside"):  # the outer one counts
            pass


def test_what_is_not_counted_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_watching", True)
    monkeypatch.setenv(limits.TIME, "0.01")
    before = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(limits.LimitError, match=r"this takes longer than 0\.01 s"), limits.watched("this"):
        _spin()
    assert signal.getsignal(signal.SIGVTALRM) is before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_a_library_leaves_signals_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_watching", False)
    with limits.watched("this"):
        assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_options_hold_until_the_command_ends() -> None:
    assert (
        run("predict", "example:vector-add", "--on", "sw26010", "--limit-time", "30", "--limit-memory", "1").code == 0
    )
    assert limits.TIME not in os.environ
    assert "--limit-time" in refused("predict", "example:vector-add", "--on", "sw26010", "--limit-time", "0", code=2)
    assert "FORETELL_LIMIT_MEMORY" in run("machines", "show", "--help").out
