"""A job whose database is killed in the middle, and the server meanwhile."""

from __future__ import annotations

import asyncio
import gc
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.serve import postgres
from tests.support.serve.web import TOKEN, Client, local

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("pg8000")
pytestmark = pytest.mark.skipif(postgres.programs() is None, reason="needs PostgreSQL's initdb")
TUNED = {"code": {"example": "hotspot.c"}, "on": "sw26010", "parameters": {"n": 32, "m": 32}}


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_job_survives_its_database(tmp_path: Path) -> None:
    """The result comes while the database is away: the job is carried out again when it is back."""
    with postgres.Postgres() as database:
        settings = local(tmp_path, store=database.url, rate=1e6, burst=1e6, beat_s=0.1, lost_after_s=0.5)
        with Client(settings) as client:
            client.headers["authorization"] = f"Bearer {TOKEN}"
            assert client.site.runner is not None
            pool: Any = client.site.runner._pool
            right = pool.ask
            gates = {name: asyncio.Event() for name in ("begun", "go on")}

            async def held(*asked: Any, **how: Any) -> Any:
                gates["begun"].set()
                await gates["go on"].wait()
                return await right(*asked, **how)

            pool.ask = held
            job = client.post("/api/v1/jobs", {"question": "tune", "document": TUNED}).json()["id"]
            client.call(gates["begun"].wait())
            database.kill()
            assert client.get(f"/api/v1/jobs/{job}").status == 503
            assert client.get("/api/v1/projects").status == 503
            assert client.get("/projects", accept="text/html").status == 503
            client.call(_set(gates["go on"]))
            client.call(_failed_once(client))
            database.start()
            *_, last = client.get(f"/api/v1/jobs/{job}/events").text.removesuffix("\n\n").split("\n\n")
            done = json.loads(last.removeprefix("data: "))
            assert done["state"] == "done", done
            assert done["attempt"] >= 2
            assert client.get(f"/api/v1/runs/{done['run']}").json()["answer"]["best"]
    gc.collect()  # here, and not in another test: the driver leaves sockets of the killed database to it


async def _set(event: asyncio.Event) -> None:
    event.set()


async def _failed_once(client: Client) -> None:
    """The runner has tried to tell the end of the job, in vain."""
    runner: Any = client.site.runner
    await asyncio.wait_for(runner.lost.wait(), 60)
