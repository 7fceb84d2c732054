"""Concurrent writers on one store: nothing lost, nothing double.

python -m benchmarks.serve.concurrent_writes URL [OPERATIONS] [WRITERS]
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import sqlalchemy as sa

from foretell.serve.store.database import Database
from foretell.serve.store.queue import Queue
from foretell.serve.store.workspace import Workspace, new_id

if TYPE_CHECKING:
    from collections.abc import Callable


def told(operation: Callable[[], object]) -> None:
    """Asks again where no connection was free for a minute: nothing was written then. The server never has so many
    writers at once as this."""
    while True:
        try:
            operation()
        except sa.exc.TimeoutError:
            print("no connection was free: asked again", flush=True)
        else:
            return


def main(url: str, operations: int, writers: int) -> None:
    database = Database(url)
    store, project = Workspace(database), f"p-{new_id()}"
    store.add_project(project, "benchmark")
    asked = store.put(b"{}")
    queue, jobs, claimed = Queue(database, "server"), [new_id() for _ in range(operations)], list[str]()

    def write(number: int) -> None:
        told(lambda: store.save(project, "code", "a.c", str(number).encode(), "benchmark"))
        told(lambda: queue.add(jobs[number], "tune", asked, "benchmark"))

    def claim(number: int) -> None:
        own = Queue(database, f"server {number}")
        while (job := own.claim()) is not None:
            claimed.append(job.id)
            assert own.finish(job, None)

    began = time.monotonic()
    with ThreadPoolExecutor(writers) as threads:
        list(threads.map(write, range(operations)))
        list(threads.map(claim, range(writers)))
    seconds = time.monotonic() - began
    assert [entry["version"] for entry in store.items(project)] == list(range(1, operations + 1))
    assert sorted(claimed) == sorted(jobs)
    print(f"{operations} files and {operations} jobs by {writers} writers: none lost, none double, {seconds:.1f} s")
    database.close()


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[2:]]
    main(sys.argv[1], given[0] if given else 1000, given[1] if len(given) > 1 else 50)
