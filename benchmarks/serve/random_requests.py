"""Random requests: no answer may be a 5xx but 503, none may hold a traceback.

python -m benchmarks.serve.random_requests [COUNT] [SEED]
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmarks.serve.started import TRIAD, Server
from foretell.serve.web import api, mcp, pages, workspace_page

#: beside the routes: nothing of ours, and questions in the address
PATHS = (
    "/static/../x", "/static/site.js", "/?project=x&kind=code&name=y", "/jobs?project=x&kind=space&name=y", "/?token=x",
    "/?project=%00&kind=code&name=%ED%A0%80", "/nothing",
)  # fmt: skip
METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH")
ROUTES = (*workspace_page.ROUTES, *pages.ROUTES, *api.ROUTES, *mcp.ROUTES)
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


def target(choose: random.Random) -> tuple[str, str]:
    """A method and a path: mostly those of a route, with random words in its places."""
    if choose.random() < 0.1:
        return choose.choice(METHODS), choose.choice(PATHS)
    route = choose.choice(ROUTES)
    path = re.sub(
        r"\{\w+\}", lambda _: quote(choose.choice((*KEYS, *WORDS))[:300], safe="", errors="surrogatepass"), route.path
    )
    known = sorted(route.methods or ("GET",))
    return choose.choice(known if choose.random() < 0.9 else METHODS), path


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
            (method, path), sent = target(choose), body(choose)
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
