"""Answers and errors as HTTP responses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from foretell.errors import InputError
from foretell.serve.pool.pool import AnswerError

if TYPE_CHECKING:
    from starlette.requests import Request

    from foretell.serve.web.sessions import Visitor
    from foretell.serve.web.site import Site

Document = dict[str, Any]
#: HTTP status by kind of error
_STATUS = {
    "input": 422,
    "limit": 422,
    "ended": 422,
    "tool": 424,
    "busy": 503,
    "cancelled": 409,
    "missing": 404,
    "refused": 403,
}


def site_of(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


def visitor_of(request: Request) -> Visitor:
    visitor: Visitor = request.scope["visitor"]
    return visitor


def require(request: Request, role: str) -> Visitor:
    """The visitor, if he may do this."""
    visitor = visitor_of(request)
    if not visitor.may(role):
        raise AnswerError.of("refused", f"this needs the role {role}")
    return visitor


def as_json(document: Document, status: int = 200) -> Response:
    return Response(json.dumps(document, allow_nan=False), status, media_type="application/json")


async def body_of(request: Request) -> Document:
    """The JSON object of a request."""
    try:
        document = json.loads(await request.body() or b"{}", parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise AnswerError.of("input", "the body is not JSON") from None
    if not isinstance(document, dict):
        raise AnswerError.of("input", "the body is not a JSON object")
    return document


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def error_of(error: Exception) -> Document:
    """An error as its document."""
    if isinstance(error, AnswerError):
        return error.document
    if isinstance(error, InputError):
        return {"kind": "input", "message": error.message, "hint": error.hint}
    return {"kind": "internal", "message": "internal error"}


def status_of(document: Document) -> int:
    return _STATUS.get(str(document.get("kind")), 500)
