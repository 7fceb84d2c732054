"""Every request passes here first: host, size, who asks, how often; every answer leaves with headers that keep scripts
and frames of others out."""

from __future__ import annotations

import hmac
import json
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException

from foretell.serve.web import sessions
from foretell.serve.web.sessions import Buckets, Signer, Visitor

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from foretell.serve.web.settings import Settings

#: needs nobody to be known
_OPEN = ("/static/", "/login", "/healthy")
_SAFE = ("GET", "HEAD", "OPTIONS")
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
#: logins of one address in a minute
_LOGINS_PER_S, _LOGINS = 5 / 60, 5.0


class _RefusedError(Exception):
    def __init__(self, status: int, message: str, wait_s: float = 0.0) -> None:
        super().__init__(message)
        self.status, self.message, self.wait_s = status, message, wait_s


class Guard:
    """Wraps the application. Requests that pass have `scope["visitor"]` and `scope["nonce"]`."""

    def __init__(self, app: ASGIApp, settings: Settings, signer: Callable[[], Awaitable[Signer]], roles: Any) -> None:
        """`roles(name)` says role and stamp of a user, or None."""
        self._app, self._settings, self._signer, self._roles = app, settings, signer, roles
        self._requests = Buckets(settings.rate, settings.burst)
        self._logins = Buckets(_LOGINS_PER_S, _LOGINS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["nonce"] = secrets.token_urlsafe(16)
        sender = _with_headers(send, scope["nonce"], self._settings.https)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        started = False

        async def noted(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await sender(message)

        try:
            await self._check(scope, headers)
            await self._app(scope, _limited(receive, self._settings.most_bytes(scope["path"])), noted)
        except _RefusedError as error:
            if not started:
                await _refuse(error, scope, headers, sender)

    async def _check(self, scope: Scope, headers: dict[str, str]) -> None:
        path, method = scope["path"], scope["method"]
        if headers.get("host", "").lower() not in self._settings.hosts:
            raise _RefusedError(421, "this server is not known under that name")
        length = headers.get("content-length", "0")
        most = self._settings.most_bytes(path)
        if not length.isdigit() or int(length) > most:
            raise _RefusedError(413, f"more than {most} bytes")
        address = (scope.get("client") or ("",))[0]
        visitor = await self._visitor(headers, address)
        scope["visitor"] = visitor
        wait = self._requests.take(f"user {visitor.name}" if visitor else f"from {address}")
        if path == "/login" and method == "POST":
            wait = max(wait, self._logins.take(address))
        if wait:
            raise _RefusedError(429, "too many requests", wait)
        if visitor is None and not (path.startswith(_OPEN) or (path == "/" and "token=" in _query(scope))):
            raise _RefusedError(401, "who asks? open the link that the server printed, or log in")
        if method not in _SAFE:
            self._check_origin(headers)
            scope["csrf_needed"] = visitor is not None and visitor.forgeable
            if scope["csrf_needed"] and not _is_form(headers):
                await self.check_csrf(visitor, headers.get(sessions.CSRF_HEADER, ""))

    async def _visitor(self, headers: dict[str, str], address: str) -> Visitor | None:
        settings = self._settings
        if settings.trusted_header:
            name = headers.get(settings.trusted_header.lower(), "") if address in settings.proxies else ""
            return await self._user(name[:64], True, f"proxy:{name}") if name else None
        kind, _, token = headers.get("authorization", "").partition(" ")
        if settings.token and kind.lower() == "bearer":
            known = hmac.compare_digest(token.strip().encode(), settings.token.encode())
            return Visitor("local", "admin", False) if known else None
        if kind.lower() == "bearer":
            given = (await self._signer()).opened(token.strip())
            return None if given is None else await self._user(given["name"], False, "", given["stamp"])
        cookie = _cookie(headers.get("cookie", ""))
        body = (await self._signer()).opened(cookie) if cookie else None
        if body is None:
            return None
        if settings.token:
            return Visitor("local", "admin", True, cookie)
        return await self._user(body["name"], True, cookie, body["stamp"])

    async def _user(self, name: str, forgeable: bool, session: str, stamp: str | None = None) -> Visitor | None:
        known = await self._roles(name)
        if known is None or (stamp is not None and known[1] != stamp):
            return None
        return Visitor(name, known[0], forgeable, session)

    def _check_origin(self, headers: dict[str, str]) -> None:
        """Browsers say from which site a request comes."""
        origin = headers.get("origin")
        site = headers.get("sec-fetch-site", "same-origin")
        if site not in ("same-origin", "none") or (origin and urlsplit(origin).netloc not in self._settings.hosts):
            raise _RefusedError(403, "the request comes from another site")

    async def check_csrf(self, visitor: Visitor | None, given: str) -> None:
        """Refuses a request without the value of its session's forms."""
        right = (await self._signer()).csrf(visitor.session if visitor else "")
        if not hmac.compare_digest(given.encode(), right.encode()):
            raise _RefusedError(403, "the form is too old: load the page again")


def _limited(receive: Receive, most: int) -> Receive:
    """Counts the bytes of a body whose length was not said."""
    total = 0

    async def limited() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > most:  # inside of the application, which answers it
            raise HTTPException(413, f"more than {most} bytes")
        return message

    return limited


def _query(scope: Scope) -> str:
    return str(scope.get("query_string", b"").decode("latin-1"))


def _is_form(headers: dict[str, str]) -> bool:
    """Forms carry their CSRF value in the body, which the page checks."""
    kind = headers.get("content-type", "")
    return kind.startswith(("application/x-www-form-urlencoded", "multipart/form-data"))


def _cookie(header: str) -> str:
    try:
        morsel = SimpleCookie(header).get(sessions.COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel is not None else ""


def _with_headers(send: Send, nonce: str, https: bool) -> Send:
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    more = {**_HEADERS, "content-security-policy": policy}
    if https:
        more["strict-transport-security"] = "max-age=31536000"

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = message.setdefault("headers", [])
            present = {name.lower() for name, _ in own}
            if b"cache-control" not in present:
                own.append((b"cache-control", b"no-store"))
            own.extend((name.encode(), value.encode()) for name, value in more.items())
        await send(message)

    return sending


async def _refuse(error: _RefusedError, scope: Scope, headers: dict[str, str], send: Send) -> None:
    """A page for people, a document for programs."""
    wants_page = "text/html" in headers.get("accept", "") and not scope["path"].startswith("/api")
    if wants_page and error.status == 401:
        await _respond(send, 303, b"", [(b"location", b"/login")])
        return
    document = {"error": {"kind": "refused", "message": error.message}}
    body = error.message.encode() if wants_page else json.dumps(document).encode()
    kind = b"text/plain; charset=utf-8" if wants_page else b"application/json"
    more = [(b"retry-after", str(max(1, round(error.wait_s))).encode())] if error.wait_s else []
    await _respond(send, error.status, body, [(b"content-type", kind), *more])


async def _respond(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
