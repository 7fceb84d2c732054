"""The durable queue of long jobs. Several servers share it: a job has one owner at a time, and no result counts twice.

queued ──claim──▶ running ──finish──▶ done | failed
   ▲                 │
   └─ no beat for 30 s (its server was killed): claimed again, from its journal
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from foretell.records import record
from foretell.serve.store.tables import JobRow

if TYPE_CHECKING:
    from foretell.serve.store.database import Database

Document = dict[str, Any]
#: seconds without a beat after which a job has lost its server
LOST_AFTER_S = 30.0
#: attempts after which a job that ends its server every time is given up
MOST_ATTEMPTS = 25
ENDED = ("done", "failed", "cancelled")


@record
class Job:
    """A job as its readers see it."""

    id: str
    question: str
    state: str
    asked: str
    owner: str
    attempt: int
    progress: Document
    error: Document
    run: str | None
    project: str | None
    author: str
    created: str


class Queue:
    """Jobs of one database, claimed in the name of one server."""

    def __init__(self, database: Database, owner: str, lost_after_s: float = LOST_AFTER_S) -> None:
        self._database, self._owner, self._lost_after_s = database, owner, lost_after_s

    def add(self, job: str, question: str, asked: str, author: str, project: str | None = None) -> None:
        """Puts a job at the end of the queue; `asked` is the digest of its question."""
        with self._database.write() as session:
            session.add(
                JobRow(
                    id=job, project=project, question=question, asked=asked, state="queued", owner="", attempt=0,
                    beat=0.0, progress={}, error={}, run=None, author=author, created=datetime.now(UTC),
                )
            )  # fmt: skip

    def claim(self) -> Job | None:
        """The oldest job that nobody runs, now ours."""
        lost = time.time() - self._lost_after_s
        waits = sa.or_(JobRow.state == "queued", sa.and_(JobRow.state == "running", JobRow.beat < lost))
        query = sa.select(JobRow).where(waits).order_by(JobRow.created, JobRow.id).limit(1)
        with self._database.write() as session:
            row = session.scalars(query.with_for_update(skip_locked=True)).first()
            if row is None:
                return None
            row.owner, row.attempt, row.beat = self._owner, row.attempt + 1, time.time()
            row.state = "running" if row.attempt <= MOST_ATTEMPTS else "failed"
            if row.state == "failed":
                row.error = {"kind": "limit", "message": f"given up after {MOST_ATTEMPTS} attempts"}
            session.flush()
            return _job(row)

    def beat(self, job: Job, progress: Document | None = None) -> bool:
        """Says that the job goes on; False where it is no longer ours, or was cancelled."""
        values: Document = {"beat": time.time()}
        if progress is not None:
            values["progress"] = progress
        return self._ours(job, values)

    def finish(self, job: Job, run: str | None, error: Document | None = None) -> bool:
        """Ends a job; False where another server has it by now, whose result counts."""
        state = "failed" if error else "done"
        return self._ours(job, {"state": state, "run": run, "error": error or {}})

    def release(self, job: Job) -> bool:
        """Puts a job back that this server cannot finish because it ends; the attempt does not count."""
        return self._ours(job, {"state": "queued", "attempt": job.attempt - 1})

    def retry(self, job: Job) -> bool:
        """Puts a job back whose worker ended; the attempt counts."""
        return self._ours(job, {"state": "queued"})

    def cancel(self, job: str) -> bool:
        """Cancels a job, wherever it runs; its server notices at the next beat."""
        update = sa.update(JobRow).where(JobRow.id == job, JobRow.state.not_in(ENDED)).values(state="cancelled")
        with self._database.write() as session:
            return bool(session.execute(update).rowcount)  # type: ignore[attr-defined]

    def get(self, job: str) -> Job | None:
        with self._database.read() as session:
            row = session.get(JobRow, job)
            return None if row is None else _job(row)

    def list(self, most: int = 50) -> list[Job]:
        """The newest jobs first."""
        with self._database.read() as session:
            rows = session.scalars(sa.select(JobRow).order_by(JobRow.created.desc(), JobRow.id).limit(most))
            return [_job(row) for row in rows]

    def _ours(self, job: Job, values: Document) -> bool:
        """Changes the row only if this attempt of this server still has it."""
        mine = (JobRow.id == job.id, JobRow.owner == self._owner, JobRow.attempt == job.attempt)
        update = sa.update(JobRow).where(*mine, JobRow.state == "running").values(**values)
        with self._database.write() as session:
            return bool(session.execute(update).rowcount)  # type: ignore[attr-defined]


def _job(row: JobRow) -> Job:
    return Job(
        row.id, row.question, row.state, row.asked, row.owner, row.attempt, dict(row.progress), dict(row.error),
        row.run, row.project, row.author, row.created.isoformat(),
    )  # fmt: skip
