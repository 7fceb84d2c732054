"""Worker processes and the tasks that call them."""

from __future__ import annotations

import threading

from foretell.uses.tuning.workers import DeadWorkerError, Workers


def test_a_task_of_many_calls_ends_with_its_workers() -> None:
    """An interruption ends them while a task still has calls to make: none starts a process anew."""
    answers: list[object] = []

    def many() -> None:
        for _ in range(8):
            try:
                answers.append(workers.call(1_000.0))
            except DeadWorkerError:
                answers.append("dead")

    with Workers(1, f"{__name__}:long_answer") as workers:
        task = workers.submit(many)
        while not workers._processes:
            threading.Event().wait(0.01)
    task.result()
    assert answers == ["dead"] * 8
    assert len(workers._processes) == 1


def long_answer(seconds: float) -> None:
    threading.Event().wait(seconds)
