"""Memory of server and workers over many predictions of different texts.

python -m benchmarks.serve.many_predictions [COUNT] [WORKERS]

Prints the resident memory after each tenth; fails where the last tenth has more than a tenth more than the second.
"""

from __future__ import annotations

import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.serve.started import Server
from benchmarks.serve.typing_people import CODES, question


def main(count: int, workers: int) -> None:
    choose = random.Random(1)
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), workers) as server:

        def one(_: int) -> int:
            code = choose.choice(CODES[:3])
            return server.ask("POST", "/live/annotate", question(code, choose.randrange(10**9)))[0]

        seen = []
        with ThreadPoolExecutor(workers) as threads:
            for part in range(10):
                statuses = set(threads.map(one, range(count // 10)))
                assert statuses == {200}, statuses
                seen.append(server.resident_bytes())
                print(f"{(part + 1) * (count // 10)} predictions: {seen[-1] >> 20} MiB", flush=True)
        spent = server.processor_seconds()
        print(f"processor time: {spent[0]:.0f} s server, {spent[1]:.0f} s workers")
    growth = seen[-1] / seen[1] - 1
    assert growth <= 0.1, f"{growth:+.0%} from the second to the last tenth"
    print(f"{growth:+.1%} from the second to the last tenth")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, int(sys.argv[2]) if len(sys.argv) > 2 else 2)
