"""Kills of server, worker and database in the middle of jobs: every job must end with the result of an undisturbed run.

python -m benchmarks.serve.kills [KILLS] [SEED]

Where PostgreSQL is installed it is the store, and one kill in three is one of it; otherwise the store is SQLite.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.serve.started import Server
from tests.support.serve.postgres import Postgres, programs

JOB = {
    "question": "tune",
    "document": {
        "code": {"example": "hotspot.c"}, "on": "sw26010", "parameters": {"n": 512, "m": 512},
        "job": {"strategy": "hybrid", "budget": 100},
    },
}  # fmt: skip
#: what may differ between two runs of the same job
_TIMES = ("static_cpu_s", "judge_cpu_s", "resumed")


def state(server: Server, job: str) -> dict[str, Any]:
    status, answer = server.ask("GET", f"/api/v1/jobs/{job}")
    return json.loads(answer) if status == 200 else {"state": "unknown"}


def begun(server: Server) -> str:
    status, answer = server.ask("POST", "/api/v1/jobs", JOB)
    assert status == 201, answer
    return str(json.loads(answer)["id"])


def ended(server: Server, job: str) -> dict[str, Any]:
    while (found := state(server, job))["state"] in ("queued", "running", "unknown"):
        time.sleep(0.1)
    assert found["state"] == "done", found
    answer: dict[str, Any] = json.loads(server.ask("GET", f"/api/v1/runs/{found['run']}")[1])["answer"]
    return {name: value for name, value in answer.items() if name not in _TIMES}


def killed(server: Server, target: str, folder: str, database: Postgres | None) -> Server:
    """Kills one of them, and starts it again; workers are started by their server."""
    if target == "server":
        server.kill()
        return Server(Path(folder), 1, database.url if database else "")
    if target == "database":
        assert database is not None
        database.kill()
        time.sleep(0.5)
        database.start()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.kill(random.choice(server.workers() or [2**22]), signal.SIGKILL)
    return server


def main(kills: int, seed: int) -> None:
    if programs() is None:
        disturbed(kills, seed, None)
        return
    with Postgres() as database:
        disturbed(kills, seed, database)


def disturbed(kills: int, seed: int, database: Postgres | None) -> None:
    choose = random.Random(seed)
    targets = ["server", "worker", *(["database"] if database else [])]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), 1, database.url if database else "")
        began = time.monotonic()
        expected = ended(server, begun(server))
        whole = time.monotonic() - began
        print(f"undisturbed: {whole:.1f} s")
        done, counts = 0, Counter[str]()
        while done < kills:
            job = begun(server)
            while done < kills and state(server, job)["state"] in ("queued", "running", "unknown"):
                time.sleep(choose.uniform(0.2, 0.7) * whole)
                done += 1
                target = choose.choice(targets)
                server = killed(server, target, folder, database)
                counts[target] += 1
            assert ended(server, job) == expected
            print(f"{done} kills; attempts of the last job: {state(server, job)['attempt']}")
        server.__exit__()
    print(f"{kills} kills ({dict(counts)}), seed {seed}: every job ended with the same result")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
