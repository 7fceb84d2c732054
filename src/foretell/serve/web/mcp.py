"""The Model Context Protocol: coding agents ask predict, why, advise, rank and check as tools.

Streamable HTTP without sessions (specification 2025-06-18): each POST is one JSON-RPC message and has its answer in its
response. There is nothing that the server would say by itself, so that GET is not offered.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import Route

from foretell import units
from foretell.errors import InputError
from foretell.serve.pool.pool import AnswerError
from foretell.serve.web import openapi
from foretell.serve.web.api import answer_to, user_of
from foretell.serve.web.replies import as_json, body_of, error_of, site_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from foretell.serve.web.site import Site

Document = dict[str, Any]
_VERSIONS = ("2025-06-18", "2025-03-26")
_TOOLS = ("predict", "why", "advise", "rank", "check")
#: codes of JSON-RPC 2.0
_NO_METHOD, _WRONG_PARAMETERS, _WRONG_REQUEST = -32601, -32602, -32600
_ABOUT = "Predicts how fast code runs on a machine, and why, without running it. Sizes are given in `parameters`."


async def endpoint(request: Request) -> Response:
    """POST /mcp"""
    message = await body_of(request)
    number, method = message.get("id"), message.get("method")
    if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
        return _error(number, _WRONG_REQUEST, "not a JSON-RPC 2.0 request")
    if "id" not in message:  # a notification has no answer
        return Response(status_code=202)
    given = message.get("params") or {}
    if not isinstance(given, dict):
        return _error(number, _WRONG_PARAMETERS, "params: not an object")
    if method == "initialize":
        return _result(number, _introduced(given))
    if method == "ping":
        return _result(number, {})
    if method == "tools/list":
        return _result(number, {"tools": tools()})
    if method == "tools/call":
        return await _called(site_of(request), user_of(request), number, given)
    return _error(number, _NO_METHOD, f"no method {method[:40]!r}")


def _introduced(given: Document) -> Document:
    wanted = given.get("protocolVersion")
    return {
        "protocolVersion": wanted if wanted in _VERSIONS else _VERSIONS[0],
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": "foretell", "version": version("foretell")},
        "instructions": _ABOUT,
    }


def tools() -> list[Document]:
    """The tools with the schema of their questions."""
    schema = openapi.question_schema()
    return [
        {"name": name, "description": openapi.QUESTIONS[name], "inputSchema": schema, "annotations": _READS}
        for name in _TOOLS
    ]


_READS = {"readOnlyHint": True, "openWorldHint": False}


async def _called(site: Site, user: str, number: object, given: Document) -> Response:
    name, asked = given.get("name"), given.get("arguments") or {}
    if name not in _TOOLS or not isinstance(asked, dict):
        return _error(number, _WRONG_PARAMETERS, f"no tool {str(name)[:40]!r}; tools: {', '.join(_TOOLS)}")
    try:
        answer = await answer_to(site, str(name), asked, user=user)
    except (AnswerError, InputError) as error:
        failed = error_of(error)
        text = "\n".join(part for part in (failed["message"], failed.get("hint")) if part)
        return _result(number, {"content": [{"type": "text", "text": text}], "isError": True})
    content = [{"type": "text", "text": summary(answer)}]
    return _result(number, {"content": content, "structuredContent": answer, "isError": False})


def summary(answer: Document) -> str:
    """An answer in a few lines; the document has the rest."""
    if "headline" in answer:
        return str(answer["headline"])
    entries = answer.get("predictions") or [answer.get("prediction", answer)]
    return "\n".join(_sentence(entry) for entry in entries if "time_s" in entry) or "nothing can be predicted"


def _sentence(entry: Document) -> str:
    low, high = (units.show(end, "s") for end in entry["interval_s"] or [entry["time_s"]] * 2)
    time = units.show(entry["time_s"], "s")
    return (
        f"{entry['workload']} on {entry['machine']}: {time} ({low} to {high}), bound by {entry['bottleneck']['bound']}"
    )


def _result(number: object, result: Document) -> Response:
    return as_json({"jsonrpc": "2.0", "id": number, "result": result})


def _error(number: object, code: int, message: str) -> Response:
    return as_json({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}})


ROUTES = [Route("/mcp", endpoint, methods=["POST"])]
