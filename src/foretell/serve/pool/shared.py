"""Equal questions share one answer: while it is being made, and afterwards as long as there is room.

An answer depends on its question alone: codes and machine files are texts in it, and the package does not change while
the server runs. Errors are not kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foretell.serve.pool.pool import AnswerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.serve.pool.pool import Pool

Document = dict[str, Any]
#: bytes of the answers that are kept, as JSON
MOST_BYTES = 32 << 20


@dataclass(eq=False, slots=True)
class _Flight:
    """A question in work, and how many wait for it."""

    task: asyncio.Task[Document]
    waiting: int = 0


class SharedAnswers:
    """Asks a pool. A newer question of the same stream ends the older; an answer that nobody waits for any more is
    cancelled."""

    def __init__(self, pool: Pool, most_bytes: int = MOST_BYTES) -> None:
        self._pool, self._most_bytes = pool, most_bytes
        self._flights: dict[str, _Flight] = {}
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._streams: dict[str, asyncio.Task[Any]] = {}

    async def ask(
        self,
        question: str,
        document: Mapping[str, Any],
        *,
        stream: str = "",
        user: str = "",
        seconds: float | None = None,
    ) -> Document:
        """The answer; AnswerError: why there is none, `cancelled` where a newer question replaced this one."""
        task = asyncio.current_task()
        if stream and task is not None:
            if (older := self._streams.get(stream)) is not None:
                older.cancel()
            self._streams[stream] = task
        try:
            return await self._answer(question, document, stream, user, seconds)
        except asyncio.CancelledError:
            if stream and task is not None and self._streams.get(stream) is not task and task.uncancel() == 0:
                raise AnswerError.of("cancelled", "replaced by a newer question") from None
            raise
        finally:
            if stream and self._streams.get(stream) is task:
                del self._streams[stream]

    async def _answer(
        self, question: str, document: Mapping[str, Any], stream: str, user: str, seconds: float | None
    ) -> Document:
        key = _key(question, document)
        if (kept := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            answer: Document = json.loads(kept)
            return answer
        flight = self._flights.get(key)
        if flight is None:
            asking = self._pool.ask(question, document, stream=stream, user=user, seconds=seconds)
            flight = self._flights[key] = _Flight(asyncio.ensure_future(self._landed(key, asking)))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                flight.task.cancel()
                self._flights.pop(key, None)  # who asks the same now is not to get the cancelled one

    async def _landed(self, key: str, asking: Any) -> Document:
        own = asyncio.current_task()
        try:
            answer: Document = await asking
        finally:
            if (flight := self._flights.get(key)) is not None and flight.task is own:
                del self._flights[key]
        self._keep(key, json.dumps(answer).encode())
        return answer

    def _keep(self, key: str, data: bytes) -> None:
        self._bytes += len(data) - len(self._kept.pop(key, b""))
        self._kept[key] = data
        while self._bytes > self._most_bytes and self._kept:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest)


def _key(question: str, document: Mapping[str, Any]) -> str:
    text = json.dumps([question, document], sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
