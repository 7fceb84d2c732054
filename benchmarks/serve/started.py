"""A server that a benchmark starts, and requests to it."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

TRIAD = """void triad(int n, double *restrict a, const double *b, const double *c, double s) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + s * c[i];
}
"""
#: a server with short beats, so that a killed one is noticed in a second
_START = """
import sys
from pathlib import Path
from foretell.serve.server import serve
from foretell.serve.web.settings import Settings
print("begun", flush=True)
serve(Settings(port=0, token="benchmark", folder=Path(sys.argv[1]), workers=int(sys.argv[2]), rate=1e9, burst=1e9,
               beat_s=0.3, lost_after_s=1.0, store=sys.argv[3]), lambda text: print(text, flush=True))
"""


class Server:
    """A started server; `kill` ends it as a power cut does."""

    def __init__(self, folder: Path, workers: int = 2, store: str = "") -> None:
        command = [sys.executable, "-c", _START, str(folder), str(workers), store]
        began = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.process.stdout.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)", self.process.stdout.readline())
        assert found is not None
        self.port = int(found[1])
        while self.ask("GET", "/healthy")[0] != 200:
            time.sleep(0.01)
        self.start_s, self.start_cpu_s = time.monotonic() - began, _processor_seconds(self.process.pid)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def workers(self) -> list[int]:
        """Process ids of the workers."""
        task = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(word) for word in task.read_text().split()]

    def resident_bytes(self) -> int:
        """Memory of the server and its workers."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in (self.process.pid, *self.workers())]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE")

    def processor_seconds(self) -> tuple[float, float]:
        """Of the server, and of its workers with the compilers that they started."""
        return _processor_seconds(self.process.pid), sum(map(_processor_seconds, self.workers()))

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        given = {
            "Authorization": "Bearer benchmark",
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        try:
            connection.request(method, path, data, given)
            reply = connection.getresponse()
            return reply.status, reply.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            connection.close()


def _processor_seconds(process: int) -> float:
    """Processor time of a process and of its children that have ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
