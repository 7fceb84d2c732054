"""Listens and serves until it is told to end."""

from __future__ import annotations

import secrets
import socket
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.errors import InputError, MissingExtraError
from foretell.serve.web.settings import Settings, is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable


def serve(settings: Settings, say: Callable[[str], None]) -> None:
    """Runs the server; `say` gets the link."""
    try:
        import uvicorn

        from foretell.serve.web.app import create_app
    except ModuleNotFoundError as error:
        raise MissingExtraError(str(error.name), "web") from None
    listening = _socket(settings)
    port = listening.getsockname()[1]
    settings = replace(settings, port=port)
    application, _ = create_app(settings)
    shown = f"http://{settings.host if ':' not in settings.host else f'[{settings.host}]'}:{port}/"
    say(f"foretell serves {shown}" + (f"?token={settings.token}" if settings.token else ""))
    config = uvicorn.Config(
        application, log_level="critical", access_log=False, server_header=False, date_header=False,
        limit_concurrency=1000, timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=64 << 10, proxy_headers=False,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[listening])


def secured(settings: Settings, users: Callable[[], int]) -> Settings:
    """Settings with a way to authenticate: a token on a loopback address, else accounts or a proxy that names users."""
    if settings.trusted_header or not is_loopback(settings.host):
        if not settings.trusted_header and not users():
            hint = "foretell serve users add NAME --role admin"
            raise InputError(f"{settings.host} is reached by others, and there are no accounts", hint=hint)
        return replace(settings, token="")
    return replace(settings, token=settings.token or secrets.token_urlsafe(24))


def _socket(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as error:
        listening.close()
        raise InputError(
            f"cannot listen on {settings.host}:{settings.port}: {error.strerror}", hint="--port 0 takes a free port"
        ) from None
    listening.listen(128)
    listening.set_inheritable(False)
    return listening
