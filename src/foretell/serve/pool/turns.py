"""Who gets the next free worker: users in turn, so that one who asks much does not delay the others."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar


class Worker(Protocol):
    """A worker knows the stream that it answered last: it has read the code."""

    stream: str


W = TypeVar("W", bound=Worker)


@dataclass(eq=False, slots=True)
class _Ticket(Generic[W]):
    """Somebody who waits."""

    user: str
    stream: str
    given: asyncio.Future[W]


class Turns(Generic[W]):
    """Free workers, and tickets in the order in which they came.

    Next is the user with the fewest questions in work, of these the one who was served longest ago, of his tickets the
    oldest. A ticket that is cancelled (a newer question of the same editor) costs no worker.
    """

    def __init__(self) -> None:
        self.free: list[W] = []
        self._tickets: list[_Ticket[W]] = []
        self._in_work: Counter[str] = Counter()
        self._served: dict[str, int] = {}
        self._number = 0

    def __len__(self) -> int:
        return len(self._tickets)

    async def take(self, user: str, stream: str) -> W:
        """Waits for a worker."""
        ticket: _Ticket[W] = _Ticket(user, stream, asyncio.get_running_loop().create_future())
        self._tickets.append(ticket)
        self._hand_out()
        try:
            return await ticket.given
        except asyncio.CancelledError:
            if ticket in self._tickets:
                self._tickets.remove(ticket)
            elif ticket.given.done() and not ticket.given.cancelled():  # both in the same turn of the loop
                self.give_back(user, ticket.given.result())
            raise

    def give_back(self, user: str, worker: W) -> None:
        """A worker has answered."""
        self.leave(user)
        self.add(worker)

    def leave(self, user: str) -> None:
        """A question of a user has ended; its worker may be gone."""
        self._in_work[user] -= 1
        if self._in_work[user] <= 0:
            del self._in_work[user]
        if not self._in_work and not self._tickets:
            self._served.clear()

    def add(self, worker: W) -> None:
        """A worker is free."""
        self.free.append(worker)
        self._hand_out()

    def _hand_out(self) -> None:
        while self.free and self._tickets:
            ticket = min(self._tickets, key=lambda each: (self._in_work[each.user], self._served.get(each.user, 0)))
            self._tickets.remove(ticket)
            same = [worker for worker in self.free if ticket.stream and worker.stream == ticket.stream]
            worker = (same or self.free)[0]
            self.free.remove(worker)
            worker.stream = ticket.stream
            self._number += 1
            self._in_work[ticket.user] += 1
            self._served[ticket.user] = self._number
            ticket.given.set_result(worker)
