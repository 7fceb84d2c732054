"""Random requests: no answer may be a 5xx but 503, none may hold a traceback.

python -m benchmarks.serve.random_requests [COUNT] [SEED]
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.serve.started import TRIAD, Server

PATHS = (
    "/", "/login", "/jobs", "/projects", "/projects/x", "/machines", "/machines/zen4", "/r/x", "/mcp", "/live/annotate",
    "/api/v1/predict", "/api/v1/annotate", "/api/v1/why", "/api/v1/rank", "/api/v1/check", "/api/v1/machines",
    "/api/v1/machine", "/api/v1/runs", "/api/v1/runs/x", "/api/v1/jobs", "/api/v1/jobs/x", "/api/v1/jobs/x/events",
    "/api/v1/projects", "/api/v1/projects/x/code/y", "/api/v1/export/x", "/api/v1/import", "/static/../x",
    "/static/site.js", "/?project=x&kind=code&name=y", "/jobs?project=x&kind=space&name=y", "/machines/x/y",
    "/r/%00", "/jobs/%00", "/projects/%00", "/machines/%ED%A0%80/x",
)  # fmt: skip
METHODS = ("GET", "POST", "POST", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH")
KEYS = ("code", "on", "base", "parameters", "threads", "set", "function", "args", "cflags", "question", "document",
        "job", "name", "text", "base64", "example", "method", "jsonrpc", "id", "params", "format", "project", "files",
        "runs", "machine", "kind", "axes", "constraints", "strategy", "grid", "block")  # fmt: skip
WORDS = ("", "zen4", "h200", "a.c", "../../etc/passwd", "tune", "2.0", "tools/call", "\0", "\ud800", "𝕏" * 50,
         "x" * 5000, "%00", "<script>", "-O3", "n", "1e400", "foretell-project", TRIAD,
         "#include __FILE__\n" + TRIAD)  # fmt: skip


def value(choose: random.Random, depth: int = 0) -> Any:
    kind = choose.randrange(8 if depth < 3 else 5)
    if kind == 0:
        return choose.choice((None, True, False))
    if kind == 1:
        return choose.choice((0, -1, 1e308, 2**70, 0.5, 1000))
    if kind < 5:
        return choose.choice(WORDS)
    if kind == 5:
        return [value(choose, depth + 1) for _ in range(choose.randrange(4))]
    return {choose.choice(KEYS): value(choose, depth + 1) for _ in range(choose.randrange(5))}


def body(choose: random.Random) -> bytes:
    if choose.random() < 0.1:
        return choose.randbytes(choose.randrange(200))
    document = value(choose)
    if choose.random() < 0.3:
        document = {
            "code": {"name": "a.c", "text": TRIAD},
            "on": "zen4",
            "cc": "none",
            choose.choice(KEYS): value(choose),
        }
    return json.dumps(document).encode()


def main(count: int, seed: int) -> None:
    choose = random.Random(seed)
    seen: Counter[int] = Counter()
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server:
        for number in range(count):
            path, method, sent = choose.choice(PATHS), choose.choice(METHODS), body(choose)
            kind = choose.choice(
                ("application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/x")
            )
            status, answer = server.ask(
                method, path, sent, content_type=kind, accept=choose.choice(("text/html", "*/*"))
            )
            seen[status] += 1
            if (status >= 500 and status != 503) or status == 0 or b"Traceback" in answer:
                print(f"request {number}: {method} {path} {kind} {sent[:400]!r}: {status} {answer[:300]!r}")
    print(f"{count} requests, seed {seed}: {dict(sorted(seen.items()))}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
