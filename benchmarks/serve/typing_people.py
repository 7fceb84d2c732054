"""People who type at once: each pauses every few seconds, and the editor asks for his text of that moment.

python -m benchmarks.serve.typing_people [PEOPLE] [SECONDS] [WORKERS] [BROKEN]

The pauses of one person are exponential with a mean of PAUSE_S, at least the 0.3 s that the editor waits after the last
key. A newer text ends the question of the older, as in the editor: its connection is closed. One pause in ten is after
going back to an earlier text, one in four (BROKEN; 0 is hardest for the server) in the middle of a statement, which is
answered by what is wrong with it; all others change a number, so that the code is compiled and followed anew. Times are
those from the question to the answer of texts that were not replaced. On a machine that does other things, too, the
processor time of an answer says what to expect of a quiet one.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.serve.started import TRIAD, Server

PAUSE_S, DELAY_S = 4.0, 0.3
BACK, BROKEN = 0.1, 0.25
#: codes with a place for an edit
CODES = (
    TRIAD.replace("b[i] +", "b[i] * EDIT.5 +"),
    """void smooth(int n, double *restrict out, const double *in) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      out[i * n + j] = 0.EDIT * (in[i * n + j - 1] + in[i * n + j + 1] + in[(i - 1) * n + j] + in[(i + 1) * n + j]);
}
""",
    """double dot(int n, const double *a, const double *b) {
  double s = 0.EDIT;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}
""",
    """void product(int n, double *restrict c, const double *a, const double *b) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        c[i * n + j] += EDIT.0 * a[i * n + k] * b[k * n + j];
}
""",
)


@dataclass
class Seen:
    times: list[float] = field(default_factory=list)
    replaced: int = 0
    errors: list[int] = field(default_factory=list)


def question(code: str, edit: int, whole: bool = True) -> dict[str, object]:
    text = code.replace("EDIT", str(edit))
    text = text if whole else text[: text.rfind(";")].rsplit(" ", 1)[0]
    sizes = {"n": 1000000 if "i * n" not in text else 1000}
    return {"code": {"name": "code.c", "text": text}, "on": "zen4", "parameters": sizes, "guess": True}


async def asked(port: int, stream: str, document: dict[str, object]) -> int:
    """One question over a connection of its own, which a newer one closes."""
    body = json.dumps(document).encode()
    head = (
        f"POST /live/annotate HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer benchmark\r\n"
        f"X-Stream: {stream}\r\nContent-Type: application/json\r\nAccept-Encoding: gzip\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head.encode() + body)
        reply = await reader.read(-1)
        return int(reply.split(b" ", 2)[1]) if reply else 0
    finally:
        writer.close()


async def person(port: int, number: int, until: float, broken: float, seen: Seen) -> None:
    choose = random.Random(number)
    code, edits = CODES[number % len(CODES)], [number]
    running: asyncio.Task[None] | None = None

    async def ask(edit: int, whole: bool) -> None:
        began = time.monotonic()
        status = await asked(port, str(number), question(code, edit, whole))
        if status == 200 or (status == 422 and not whole):
            seen.times.append(time.monotonic() - began)
        elif status != 409:
            seen.errors.append(status)

    while time.monotonic() < until:
        await asyncio.sleep(DELAY_S + choose.expovariate(1 / (PAUSE_S - DELAY_S)))
        if running is not None and not running.done():
            running.cancel()
            seen.replaced += 1
        edit = choose.choice(edits) if choose.random() < BACK else choose.randrange(10**6)
        edits.append(edit)
        running = asyncio.ensure_future(ask(edit, choose.random() >= broken))
    if running is not None:
        await asyncio.gather(running, return_exceptions=True)


async def everybody(port: int, people: int, seconds: float, broken: float) -> Seen:
    seen, until = Seen(), time.monotonic() + seconds
    await asyncio.gather(*(person(port, number, until, broken, seen) for number in range(people)))
    return seen


def report(what: str, seen: Seen, spent: tuple[float, float]) -> None:
    times = sorted(seen.times) or [float("nan")]
    middle, late = statistics.median(times), times[int(0.9 * (len(times) - 1))]
    each = [1000 * part / max(1, len(seen.times)) for part in spent]
    print(f"{what}: median {middle:.2f} s, 90 % {late:.2f} s of {len(seen.times)} answers; {seen.replaced} replaced; "
          f"errors {seen.errors}; processor time of an answer: {each[0]:.0f} ms server, {each[1]:.0f} ms workers and "
          "compilers")  # fmt: skip


def measured(server: Server, people: int, seconds: float, broken: float) -> tuple[Seen, tuple[float, float]]:
    before = server.processor_seconds()
    seen = asyncio.run(everybody(server.port, people, seconds, broken))
    after = server.processor_seconds()
    return seen, (after[0] - before[0], after[1] - before[1])


def main(people: int, seconds: float, workers: int, broken: float) -> None:
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder), workers) as server:
        print(f"up in {server.start_s:.2f} s, {server.start_cpu_s:.2f} s of processor time")
        for code in CODES:  # every worker has started
            server.ask("POST", "/live/annotate", question(code, 0))
        report("alone", *measured(server, 1, min(seconds, 20), broken))
        report(f"{people} people", *measured(server, people, seconds, broken))
        print(f"memory: {server.resident_bytes() >> 20} MiB")


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:]]
    usual = [50, 60.0, 2, BROKEN]
    people, seconds, workers, broken = [*given, *usual[len(given) :]]
    main(int(people), seconds, int(workers), broken)
