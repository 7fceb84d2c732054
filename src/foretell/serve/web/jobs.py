"""Runs long jobs of the queue in workers: one at a time for each server, in a pool of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell.serve.pool.pool import AnswerError, Pool
from foretell.serve.web import fragments

if TYPE_CHECKING:
    from foretell.serve.store.queue import Job
    from foretell.serve.web.site import Site

#: questions that are jobs, and the longest time of one
JOBS = ("tune", "explore")
ENDED = ("done", "failed", "cancelled")
_LONGEST_S = 24 * 3600.0
#: seconds after which progress is told at the earliest
_TOLD_S = 0.25
#: seconds between two looks at an empty queue
_LOOK_S = 2.0


class Runner:
    """Claims jobs and carries them out; a job survives the end of this server in its journal."""

    def __init__(self, site: Site) -> None:
        self._site = site
        limits = replace(site.settings.limits, seconds=_LONGEST_S, processor_seconds=3600.0, questions=50)
        self._pool = Pool(1, limits, site.pool.folder, warm=False, dask=site.settings.dask, mpi=site.settings.mpi)
        self._started = False
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._stopping = False
        #: set where the end of a job could not be told to the store
        self.lost = asyncio.Event()

    def start(self) -> None:
        self._task = asyncio.ensure_future(self._loop())

    def wake(self) -> None:
        """There is a new job."""
        self._wake.set()

    async def stop(self) -> None:
        """Puts the running job back into the queue."""
        self._stopping = True
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self._pool.close()

    async def _loop(self) -> None:
        """Works until it is stopped. A store that does not answer is asked again; a job that it could not be told the
        end of counts as lost, and is claimed again."""
        await self._pause()  # the first users before the packages of the store
        while True:
            try:
                queue = await self._site.queue()
                job = await asyncio.to_thread(queue.claim)
                if job is not None and job.state == "running":
                    await self._run(job)
            except Exception as error:
                sys.stderr.write(f"foretell serve: jobs: {type(error).__name__}\n")
                self.lost.set()
                job = None
            if job is None:
                await self._pause()

    async def _pause(self) -> None:
        """Until there is a new job, or for a while: another server may have left one."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._wake.wait(), min(_LOOK_S, self._site.settings.beat_s))
        self._wake.clear()

    async def _run(self, job: Job) -> None:
        """Carries out one job, with a beat; a job that is cancelled or taken over ends here."""
        queue = await self._site.queue()
        if not self._started:
            await self._pool.start()
            self._started = True
        progress, moved = dict[str, Any](), asyncio.Event()
        asking = asyncio.ensure_future(self._answer(job, progress, moved))
        asking.add_done_callback(lambda _: moved.set())
        try:
            while not asking.done():
                await self._until_news(asking, moved)
                if not await self._goes_on(job, progress):
                    asking.cancel()
                    return
            await self._finish(job, asking)
        except asyncio.CancelledError:
            asking.cancel()
            if self._stopping:
                await asyncio.to_thread(queue.release, job)
            raise

    async def _until_news(self, asking: asyncio.Future[dict[str, Any]], moved: asyncio.Event) -> None:
        """Until the job has ended, has got further, or a beat is due; not more often than _TOLD_S."""
        await asyncio.wait([asking], timeout=min(_TOLD_S, self._site.settings.beat_s))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(moved.wait(), self._site.settings.beat_s)
        moved.clear()

    async def _goes_on(self, job: Job, progress: dict[str, Any]) -> bool:
        """Tells the store how far the job is; False where it was cancelled or is another server's. A store that does
        not answer ends no job."""
        queue = await self._site.queue()
        try:
            goes_on = await asyncio.to_thread(queue.beat, job, dict(progress))
            self._site.note_job()  # who follows it reads the store
            return goes_on
        except Exception as error:
            sys.stderr.write(f"foretell serve: jobs: {type(error).__name__}\n")
            return True

    async def _answer(self, job: Job, progress: dict[str, Any], moved: asyncio.Event) -> dict[str, Any]:
        def note(document: dict[str, Any]) -> None:
            progress.update(document)
            moved.set()

        asked = await self._asked(job)
        journals = Path(self._pool.folder) / "journals"
        journals.mkdir(mode=0o700, parents=True, exist_ok=True)
        given = {**asked, "job": {**asked.get("job", {}), "journal": str(journals / f"{job.id}.journal")}}
        return await self._pool.ask(job.question, given, progress=note)

    async def _asked(self, job: Job) -> dict[str, Any]:
        data = await self._site.stored(lambda store: store.content(job.asked))
        asked: dict[str, Any] = json.loads(data or b"{}")
        return asked

    async def _finish(self, job: Job, asking: asyncio.Future[dict[str, Any]]) -> None:
        queue = await self._site.queue()
        try:
            answer = asking.result()
        except AnswerError as error:
            if error.document["kind"] == "ended":
                await asyncio.to_thread(queue.retry, job)
            else:
                await asyncio.to_thread(queue.finish, job, None, error.document)
            self._site.note_job()
            return
        asked, title = await self._asked(job), fragments.title(job.question, answer)
        run = await self._site.stored(
            lambda store: store.keep_run(job.question, asked, answer, job.author, title, job.project)
        )
        await asyncio.to_thread(queue.finish, job, run)
        self._site.note_job()
        (Path(self._pool.folder) / "journals" / f"{job.id}.journal").unlink(missing_ok=True)
