"""What the routes share: workers, store, sessions, jobs. The store is opened when it is first needed."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sys
from typing import TYPE_CHECKING, Any, TypeVar

from foretell.errors import InputError
from foretell.serve.pool.pool import AnswerError, Pool
from foretell.serve.pool.shared import SharedAnswers
from foretell.serve.web.sessions import Signer

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.serve.store.queue import Queue
    from foretell.serve.store.workspace import Workspace
    from foretell.serve.web.jobs import Runner
    from foretell.serve.web.settings import Settings

Document = dict[str, Any]
R = TypeVar("R")


class Site:
    """One running server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = Pool(settings.workers, settings.limits, settings.folder.resolve() / "workers")
        self.answers = SharedAnswers(self.pool)
        self.owner = secrets.token_hex(8)
        self.runner: Runner | None = None
        self._workspace: Workspace | None = None
        self._queue: Queue | None = None
        self._opening = asyncio.Lock()
        self._job_changed = asyncio.Event()
        self._signer: Signer | None = None

    async def start(self) -> None:
        """Starts the workers; opens the store and looks for jobs in the background."""
        from foretell.serve.web.jobs import Runner

        self.settings.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        await self.pool.start()
        self.runner = Runner(self)
        self.runner.start()

    async def stop(self) -> None:
        """Puts running jobs back, ends the workers, closes the store."""
        if self.runner is not None:
            await self.runner.stop()
        await self.pool.close()
        if self._workspace is not None:
            self._workspace.database.close()

    async def workspace(self) -> Workspace:
        """The store, opened once."""
        async with self._opening:
            if self._workspace is None:
                self._workspace = await asyncio.to_thread(self._open)
            return self._workspace

    async def queue(self) -> Queue:
        from foretell.serve.store.queue import Queue

        if self._queue is None:
            workspace = await self.workspace()
            self._queue = Queue(workspace.database, self.owner, self.settings.lost_after_s)
        return self._queue

    async def stored(self, call: Callable[[Workspace], R]) -> R:
        """Calls the store in a thread, so that others are served meanwhile."""
        from sqlalchemy.exc import DBAPIError
        from sqlalchemy.exc import TimeoutError as NoConnectionError

        try:
            workspace = await self.workspace()
            return await asyncio.to_thread(call, workspace)
        except (DBAPIError, NoConnectionError) as error:
            sys.stderr.write(f"foretell serve: the store: {type(error).__name__}\n")
            raise AnswerError.of("busy", "the store does not answer", "ask again in a moment") from None

    async def queued(self, call: Callable[[Queue], R]) -> R:
        """Calls the queue in a thread; a store that does not answer is said."""
        queue = await self._queue_or_busy()
        return await self.stored(lambda _: call(queue))

    async def _queue_or_busy(self) -> Queue:
        try:
            return await self.queue()
        except InputError as error:
            raise AnswerError.of("busy", error.message, "ask again in a moment") from None

    def note_job(self) -> None:
        """A job of this server has changed: who follows one looks now."""
        changed, self._job_changed = self._job_changed, asyncio.Event()
        changed.set()

    async def job_changed(self, seconds: float) -> None:
        """Waits until a job of this server has changed, at most so long: another server may run it."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._job_changed.wait(), seconds)

    async def signer(self) -> Signer:
        """Signs sessions: with a key of this process for one user, with that of the store for accounts."""
        if self._signer is None:
            local = bool(self.settings.token)
            self._signer = Signer(
                secrets.token_bytes(32) if local else await self.stored(lambda store: store.secret("sessions"))
            )
        return self._signer

    def require_confinement(self) -> None:
        """One user may read his own files; of others, nobody asks where workers see the host's."""
        if self.pool.confined is False and not self.settings.token:
            raise AnswerError.of(
                "refused", "workers cannot be confined here", "the server needs a Linux kernel with Landlock (5.13)"
            )

    async def role_of(self, name: str) -> tuple[str, str] | None:
        return await self.stored(lambda store: store.role_of(name))

    async def machines(self) -> Document:
        """The library; its answer is kept."""
        return await self.answers.ask("machines", {})

    def _open(self) -> Workspace:
        from foretell.serve.store.database import Database
        from foretell.serve.store.workspace import Workspace

        return Workspace(Database(self.settings.store_url))
