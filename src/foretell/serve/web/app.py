"""The application: routes, static files, errors, behind the guard."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from foretell.errors import InputError
from foretell.report.page import html
from foretell.serve.pool.pool import AnswerError
from foretell.serve.web import api, mcp, pages, program_page, workspace_page
from foretell.serve.web.guard import Guard
from foretell.serve.web.replies import as_json, error_of, status_of
from foretell.serve.web.site import Site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from foretell.serve.web.settings import Settings

_STATIC = Path(__file__).parent / "static"


def create_app(settings: Settings) -> tuple[ASGIApp, Site]:
    """The application and what it shares."""
    site = Site(settings)

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        await site.start()
        try:
            yield
        finally:
            await site.stop()

    static = Mount("/static", StaticFiles(directory=_STATIC))
    errors: dict[Any, Any] = {AnswerError: _failed, InputError: _failed, HTTPException: _http_error, Exception: _bug}
    own = [*workspace_page.ROUTES, *program_page.ROUTES, *pages.ROUTES, *api.ROUTES, *mcp.ROUTES]
    routes = [*own, Route("/static/page.css", _report_style), static]
    application = Starlette(routes=routes, exception_handlers=errors, lifespan=running)
    application.state.site = site
    guarded = Guard(application, settings, site.signer, site.role_of)
    return GZipMiddleware(guarded, minimum_size=1000), site


async def _report_style(_: Request) -> Response:
    """The style of reports, which answers have here, too."""
    return Response(html.asset("page.css"), media_type="text/css")


def _wants_page(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api")


async def _failed(request: Request, error: Exception) -> Response:
    """An error of the user or of a worker: a page for people, a document for programs."""
    document = error_of(error)
    status = status_of(document)
    if _wants_page(request):
        return await pages.render(request, "error.html", status, error=document)
    return as_json({"error": document}, status)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    document = {"kind": "refused", "message": error.detail}
    if _wants_page(request):
        return await pages.render(request, "error.html", error.status_code, error=document)
    return as_json({"error": document}, error.status_code)


async def _bug(_: Request, error: Exception) -> Response:
    """One line for the operator, nothing of it for the client."""
    sys.stderr.write(f"foretell serve: internal error: {type(error).__name__}: {error}\n")
    return PlainTextResponse("internal error", 500)
