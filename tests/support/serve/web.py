"""A browser without a window: requests to the application in this process, with cookies; workers in this process."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from foretell.serve.pool.answering import Answers
from foretell.serve.pool.codes import Codes
from foretell.serve.pool.pool import AnswerError
from foretell.serve.pool.shared import SharedAnswers
from foretell.serve.pool.worker import error_document
from foretell.serve.web.app import create_app
from foretell.serve.web.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

TOKEN = "a-token-for-tests"
TRIAD = """void triad(int n, double *restrict a, const double *b, const double *c, double s) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + s * c[i];
}
"""
ASKED: dict[str, Any] = {
    "code": {"name": "triad.c", "text": TRIAD},
    "on": "zen4",
    "parameters": {"n": 1000},
    "cc": "none",
}


class InProcess:
    """Answers without worker processes, for tests of what is around them."""

    confined = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._codes = Codes(folder / "codes")
        self._answers = Answers(self._codes)

    async def start(self) -> None:
        (self.folder / "codes").mkdir(parents=True, exist_ok=True)

    async def close(self) -> None:
        pass

    async def ask(
        self, question: str, document: Mapping[str, Any], *, progress: Any = None, **_: Any
    ) -> dict[str, Any]:
        try:
            answer = self._answers.answer(question, document, progress or (lambda _: None))
        except Exception as error:
            raise AnswerError(error_document(error)) from error
        plain: dict[str, Any] = json.loads(self._codes.without_folder(json.dumps(answer)))
        return plain


@dataclass
class Reply:
    """What came back."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")


@dataclass
class Client:
    """Asks an application that runs in a loop of its own."""

    settings: Settings
    workers: bool = False
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    address: str = "127.0.0.1"

    def __enter__(self) -> Client:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.call(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self.call(self.site.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> None:
        self.app, self.site = create_app(self.settings)
        if not self.workers:
            self.site.pool = InProcess(self.settings.folder / "workers")  # type: ignore[assignment]
            self.site.answers = SharedAnswers(self.site.pool)
        await self.site.start()
        if not self.workers and self.site.runner is not None:
            self.site.runner._pool = self.site.pool

    def call(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(120)

    def get(self, path: str, **headers: str) -> Reply:
        return self.request("GET", path, headers=headers)

    def post(self, path: str, document: object, **headers: str) -> Reply:
        body = json.dumps(document).encode()
        return self.request("POST", path, body, {"content-type": "application/json", **headers})

    def submit(self, path: str, fields: Mapping[str, str], **headers: str) -> Reply:
        """Sends a form, as a browser without JavaScript does."""
        kind = {"content-type": "application/x-www-form-urlencoded", "accept": "text/html"}
        return self.request("POST", path, urlencode(fields).encode(), {**kind, **headers})

    def request(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Reply:
        given = {"host": f"127.0.0.1:{self.settings.port}", "content-length": str(len(body)), **self.headers}
        given |= {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        if self.cookie and "cookie" not in given:
            given["cookie"] = self.cookie
        reply: Reply = self.call(exchange(self.app, method, path, body, given, self.address))
        if kept := reply.header("set-cookie"):
            self.cookie = kept.partition(";")[0]
        return reply

    def enter(self) -> str:
        """Follows the link with the token; returns the CSRF value of the page."""
        self.get(f"/?token={TOKEN}")
        return csrf_of(self.get("/login", accept="text/html").text)


def multipart(fields: Mapping[str, str], name: str, data: bytes, field: str = "file") -> tuple[bytes, str]:
    """A form with a file, as a browser sends it."""
    mark = b"--mark\r\n"
    body = b"".join(
        mark + f'Content-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields.items()
    )
    head = f'Content-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'.encode()
    return body + mark + head + data + b"\r\n--mark--\r\n", "multipart/form-data; boundary=mark"


async def exchange(
    app: Any, method: str, path: str, body: bytes, headers: Mapping[str, str], address: str = "127.0.0.1"
) -> Reply:
    """One request to an ASGI application."""
    name, _, query = path.partition("?")
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": name, "raw_path": name.encode(), "query_string": query.encode(), "root_path": "",
        "headers": [(key.lower().encode(), value.encode("latin-1")) for key, value in headers.items()],
        "client": (address, 1234), "server": ("127.0.0.1", 80),
    }  # fmt: skip
    sent: list[Any] = []
    bodies = [body]

    async def receive() -> Any:
        if not bodies:
            await asyncio.Event().wait()  # the client stays
        return {"type": "http.request", "body": bodies.pop(), "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    begin = sent[0]
    return Reply(
        begin["status"],
        [(key.decode(), value.decode("latin-1")) for key, value in begin["headers"]],
        b"".join(message.get("body", b"") for message in sent[1:]),
    )


def csrf_of(page: str) -> str:
    """The value of the session's forms."""
    return page.partition('name="csrf" content="')[2].partition('"')[0]


def local(folder: Path, **more: Any) -> Settings:
    """Settings of a server for one user."""
    return Settings(token=TOKEN, folder=folder, **more)
