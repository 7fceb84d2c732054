"""Who asks: signed cookies, tokens, and what protects forms of other sites (CSRF)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any

from foretell.records import record

COOKIE = "foretell_session"
CSRF_FIELD, CSRF_HEADER = "csrf", "x-csrf-token"
_LIFETIME_S = 14 * 24 * 3600


@record
class Visitor:
    """Somebody who is known: by cookie, bearer token or the header of a proxy. `forgeable`: the browser adds what
    identifies him by itself, so that other sites could ask in his name."""

    name: str
    role: str
    forgeable: bool
    session: str = ""

    def may(self, role: str) -> bool:
        """Whether his role includes another."""
        order = ("read", "write", "admin")
        return self.role in order and order.index(self.role) >= order.index(role)


class Signer:
    """Signs and checks values with one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def cookie(self, name: str, stamp: str = "", lifetime_s: int = _LIFETIME_S) -> str:
        """The value of a session cookie, or a token for programs; `stamp` changes with the password."""
        body = json.dumps({"name": name, "stamp": stamp, "until": int(time.time()) + lifetime_s}).encode()
        text = base64.urlsafe_b64encode(body).decode().rstrip("=")
        return f"{text}.{self._signature(text)}"

    def opened(self, cookie: str) -> dict[str, Any] | None:
        """The content of a cookie that we signed and that has not expired."""
        text, _, signature = cookie.partition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(text).encode()):
            return None
        try:
            body: dict[str, Any] = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        except ValueError:  # cannot be, we signed it
            return None
        return body if body["until"] > time.time() else None

    def csrf(self, session: str) -> str:
        """The value that forms of a session carry."""
        return self._signature(f"csrf:{session}")

    def _signature(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()


class Buckets:
    """Token buckets by name: `rate` per second, at most `burst` at once."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._level: dict[str, tuple[float, float]] = {}

    def take(self, name: str, now: float | None = None) -> float:
        """Takes one; returns 0, or the seconds to wait."""
        moment = time.monotonic() if now is None else now
        level, before = self._level.get(name, (self._burst, moment))
        level = min(self._burst, level + (moment - before) * self._rate)
        if len(self._level) >= self._most:
            self._level.clear()
        if level < 1:
            self._level[name] = (level, moment)
            return (1 - level) / self._rate
        self._level[name] = (level - 1, moment)
        return 0.0
