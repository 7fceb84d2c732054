"""People who type: each changes its code every few hundred milliseconds and waits for the answer.

python -m benchmarks.serve.typing_people [PEOPLE] [SECONDS]
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.serve.started import TRIAD, Server

PAUSE_S = 0.3


def typed(number: int) -> dict[str, object]:
    text = TRIAD.replace("b[i] +", f"b[i] * {number}.5 +")
    return {"code": {"name": "triad.c", "text": text}, "on": "zen4", "parameters": {"n": 1000000}}


def person(server: Server, number: int, until: float, times: list[float], errors: list[int]) -> None:
    choose = random.Random(number)
    while time.monotonic() < until:
        began = time.monotonic()
        status, _ = server.ask("POST", "/api/v1/annotate", typed(choose.randrange(10**6)), x_stream=str(number))
        (times if status == 200 else errors).append(time.monotonic() - began if status == 200 else status)  # type: ignore[arg-type]
        time.sleep(PAUSE_S * choose.uniform(1, 3))


def main(people: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server:
        print(f"up in {server.start_s:.2f} s")
        while server.ask("POST", "/api/v1/annotate", typed(0))[0] != 200:
            time.sleep(0.1)
        alone: list[float] = []
        person(server, 0, time.monotonic() + min(seconds, 10), alone, [])
        print(f"alone: median {1000 * statistics.median(alone):.0f} ms of {len(alone)}")
        before, times, errors = server.resident_bytes(), list[float](), list[int]()
        until = time.monotonic() + seconds
        each = [threading.Thread(target=person, args=(server, n, until, times, errors)) for n in range(people)]
        for thread in each:
            thread.start()
        for thread in each:
            thread.join()
        middle = 1000 * statistics.median(times) if times else float("nan")
        print(f"{people} people: median {middle:.0f} ms of {len(times)}; other than 200: {errors}")
        print(f"memory: {before >> 20} MiB before, {server.resident_bytes() >> 20} MiB after")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50, float(sys.argv[2]) if len(sys.argv) > 2 else 30.0)
