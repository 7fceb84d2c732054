"""Who is answered next, and equal questions with one answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from foretell.serve.pool.pool import AnswerError
from foretell.serve.pool.shared import SharedAnswers
from foretell.serve.pool.turns import Turns

if TYPE_CHECKING:
    from collections.abc import Awaitable


@dataclass(eq=False)
class Worker:
    name: str
    stream: str = ""


async def settled() -> None:
    """All tasks have gone as far as they can."""
    for _ in range(10):
        await asyncio.sleep(0)


def run(work: Awaitable[None]) -> None:
    asyncio.run(asyncio.wait_for(work, 30))  # type: ignore[arg-type]


def test_users_take_turns_and_the_oldest_question_of_each_is_first() -> None:
    async def work() -> None:
        turns: Turns[Worker] = Turns()
        order: list[str] = []

        async def ask(user: str, name: str) -> None:
            worker = await turns.take(user, "")
            order.append(name)
            await asyncio.sleep(0)
            turns.give_back(user, worker)

        asking = [asyncio.ensure_future(ask("greedy", f"g{number}")) for number in range(4)]
        await settled()
        asking += [asyncio.ensure_future(ask("ann", f"a{number}")) for number in range(2)]
        await settled()
        assert len(turns) == 6
        turns.add(Worker("w"))
        await asyncio.gather(*asking)
        assert order == ["g0", "a0", "g1", "a1", "g2", "g3"]
        assert turns._served == {}

    run(work())


def test_a_stream_goes_to_the_worker_that_has_read_its_code() -> None:
    async def work() -> None:
        turns: Turns[Worker] = Turns()
        first, second = Worker("1"), Worker("2", "tab")
        turns.add(first)
        turns.add(second)
        assert await turns.take("ann", "tab") is second
        assert await turns.take("ann", "other") is first
        assert first.stream == "other"

    run(work())


def test_a_cancelled_ticket_costs_no_worker() -> None:
    async def work() -> None:
        turns: Turns[Worker] = Turns()
        waiting = asyncio.ensure_future(turns.take("ann", ""))
        both = asyncio.ensure_future(turns.take("bob", ""))
        await settled()
        waiting.cancel()
        await settled()
        assert len(turns) == 1
        turns.add(Worker("w"))  # bob has it, but is cancelled before he runs again
        both.cancel()
        await settled()
        assert [worker.name for worker in turns.free] == ["w"]
        assert not turns._in_work

    run(work())


class Slow:
    """A pool whose answers come when the test says so."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.cancelled = 0
        self.gates: list[asyncio.Future[Any]] = []

    async def ask(self, question: str, document: Any, **_: Any) -> Any:
        self.asked.append((question, document))
        gate = asyncio.get_running_loop().create_future()
        self.gates.append(gate)
        try:
            return await gate
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


def test_equal_questions_share_one_answer_now_and_later() -> None:
    async def work() -> None:
        pool = Slow()
        shared = SharedAnswers(pool)  # type: ignore[arg-type]
        both = [
            asyncio.ensure_future(shared.ask("predict", document)) for document in ({"a": 1, "b": 2}, {"b": 2, "a": 1})
        ]
        await settled()
        assert len(pool.asked) == 1
        both[0].cancel()
        await settled()
        assert pool.cancelled == 0  # the other one still waits
        pool.gates[0].set_result({"time_s": 1.5})
        assert await both[1] == {"time_s": 1.5}
        again = await shared.ask("predict", {"a": 1, "b": 2})
        again["time_s"] = 0  # of his own copy
        assert await shared.ask("predict", {"a": 1, "b": 2}) == {"time_s": 1.5}
        assert len(pool.asked) == 1
        other = asyncio.ensure_future(shared.ask("why", {"a": 1, "b": 2}))
        await settled()
        assert len(pool.asked) == 2
        other.cancel()
        await settled()
        assert (pool.cancelled, shared._flights) == (1, {})

    run(work())


def test_a_newer_question_of_a_stream_ends_the_older_but_not_that_of_others() -> None:
    async def work() -> None:
        pool = Slow()
        shared = SharedAnswers(pool)  # type: ignore[arg-type]
        older = asyncio.ensure_future(shared.ask("predict", {"n": 1}, stream="a"))
        friend = asyncio.ensure_future(shared.ask("predict", {"n": 1}, stream="b"))
        await settled()
        newer = asyncio.ensure_future(shared.ask("predict", {"n": 2}, stream="a"))
        with pytest.raises(AnswerError, match="replaced by a newer"):
            await older
        assert pool.cancelled == 0
        pool.gates[0].set_result({"n": 1})
        pool.gates[1].set_result({"n": 2})
        assert [await friend, await newer] == [{"n": 1}, {"n": 2}]
        alone = asyncio.ensure_future(shared.ask("predict", {"n": 3}, stream="a"))
        await settled()
        last = asyncio.ensure_future(shared.ask("predict", {"n": 2}, stream="a"))
        assert await last == {"n": 2}
        with pytest.raises(AnswerError):
            await alone
        await settled()
        assert pool.cancelled == 1
        assert shared._streams == {}

    run(work())


def test_errors_are_not_kept_and_a_client_that_leaves_is_no_conflict() -> None:
    async def work() -> None:
        pool = Slow()
        shared = SharedAnswers(pool)  # type: ignore[arg-type]
        asking = asyncio.ensure_future(shared.ask("predict", {}, stream="a"))
        await settled()
        pool.gates[0].set_exception(AnswerError.of("limit", "too long"))
        with pytest.raises(AnswerError, match="too long"):
            await asking
        asking = asyncio.ensure_future(shared.ask("predict", {}, stream="a"))
        await settled()
        assert len(pool.asked) == 2
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    run(work())


def test_kept_answers_have_a_limit_of_bytes() -> None:
    async def work() -> None:
        pool = Slow()
        shared = SharedAnswers(pool, most_bytes=100)  # type: ignore[arg-type]
        for number in range(5):
            asking = asyncio.ensure_future(shared.ask("predict", {"n": number}))
            await settled()
            pool.gates[-1].set_result({"text": "x" * 30})
            await asking
        assert 0 < shared._bytes <= 100
        assert shared._bytes == sum(map(len, shared._kept.values()))

    run(work())
