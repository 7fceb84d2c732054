"""The description of the HTTP API (OpenAPI 3.1)."""

from __future__ import annotations

from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from foretell.serve.pool.asked import COMPILERS, SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Mapping

Document = dict[str, Any]
QUESTIONS = {
    "predict": "How long a code takes on a machine, and what bounds it: the document of `foretell predict`.",
    "annotate": "The same with the time of each source line, the sizes of the code and the machine's numbers.",
    "why": "What the time depends on, and what to change: the document of `foretell why`.",
    "advise": "Changes of the code with their predicted gains, and the changed text.",
    "rank": "The code on all machines, or on those in `on`: the document of `foretell rank`.",
    "check": "The versions `base` and `code` compared: the document of `foretell check`.",
    "sizes": "The time against the size that `sizes` names, from a 32nd to 32 times its value.",
}
_TEXT, _NUMBER, _FLAG = {"type": "string"}, {"type": "number"}, {"type": "boolean"}
_VALUES = {"type": "object", "additionalProperties": {"type": ["string", "number"]}}


def description() -> Document:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "foretell", "version": version("foretell"), "description": _ABOUT},
        "security": [{"token": []}, {"session": []}],
        "paths": {**_questions(), **_machines(), **_runs(), **_jobs(), **_projects(), **_MCP},
        "components": {"schemas": _schemas(), "securitySchemes": _SECURITY},
    }


_ABOUT = (
    "Answers are the documents of the command line's --format json (docs/reference/schema). Codes and machine files "
    "are texts; no key names a file of the host. A client that keeps asking while somebody types sends the same header "
    "X-Stream: a newer question ends the older, which is answered by 409."
)
_MCP: Document = {
    "/mcp": {
        "post": {
            "summary": "The Model Context Protocol, for coding agents.",
            "responses": {"200": {"description": "a JSON-RPC response"}},
        }
    }
}
_SECURITY = {
    "token": {"type": "http", "scheme": "bearer"},
    "session": {"type": "apiKey", "in": "cookie", "name": "foretell_session"},
}


def question_schema() -> Document:
    """The JSON schema of a question, with all it refers to inside."""
    example = {"type": "object", "required": ["example"], "properties": {"example": _TEXT}}
    return {
        "type": "object",
        "required": ["code"],
        "properties": {
            "code": {"oneOf": [_code(), example, _project_file()]},
            "base": {**_code(), "description": "the version before, of check"},
            "on": {"description": 'a machine of the library, a machine file, {"project", "machine"}, or a list'},
            "parameters": _VALUES, "threads": {"type": ["integer", "string"]}, "set": _VALUES, "function": _TEXT,
            "cflags": _TEXT, "cc": {"enum": list(COMPILERS)}, "nvcc": _TEXT, "grid": _TEXT, "block": _TEXT,
            "args": {"type": "array", "items": _TEXT}, "dynamic_shared": _NUMBER, "arch": _NUMBER, "start": _TEXT,
            "mode": {"enum": ["default", "paper"]}, "model": _TEXT, "options": _VALUES, "depth": _NUMBER,
            "only": {"type": "array", "items": _TEXT}, "sizes": _TEXT,
            "guess": {**_FLAG, "description": "sizes without a value are 1000, which the answer says"},
        },
    }  # fmt: skip


def _project_file() -> Document:
    return {
        "type": "object",
        "required": ["project", "name"],
        "properties": {"project": _TEXT, "kind": {"enum": ["code", "profile", "space"]}, "name": _TEXT},
    }


def _code() -> Document:
    suffixes = ", ".join(SUFFIXES)
    return {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {**_TEXT, "description": f"ends in {suffixes}"}, "text": _TEXT, "base64": _TEXT},
    }


def _schemas() -> Document:
    error = {
        "type": "object",
        "properties": {"error": {"type": "object", "properties": {"kind": _TEXT, "message": _TEXT, "hint": _TEXT}}},
    }
    return {"Question": question_schema(), "Error": error, "Answer": {"type": "object"}}


def _ref(name: str) -> Document:
    return {"$ref": f"#/components/schemas/{name}"}


def _body(schema: Document) -> Document:
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def _operation(summary: str, body: Document | None = None, names: Mapping[str, str] = MappingProxyType({})) -> Document:
    answers = {
        "default": {"description": "done", "content": {"application/json": {"schema": _ref("Answer")}}},
        "422": {"description": "not usable", "content": {"application/json": {"schema": _ref("Error")}}},
    }
    parameters = [
        {"name": n, "in": "path", "required": True, "schema": _TEXT, "description": d} for n, d in names.items()
    ]
    return {
        "summary": summary,
        "responses": answers,
        **({"parameters": parameters} if parameters else {}),
        **({"requestBody": _body(body)} if body else {}),
    }


def _questions() -> Document:
    return {f"/api/v1/{name}": {"post": _operation(text, _ref("Question"))} for name, text in QUESTIONS.items()}


def _machines() -> Document:
    return {
        "/api/v1/machines": {"get": _operation("The machines of the library.")},
        "/api/v1/machines/{name}": {"get": _operation("All numbers of a machine.", names={"name": "of the library"})},
        "/api/v1/machine": {"post": _operation("Checks a machine file.", {"type": "object"})},
    }


def _runs() -> Document:
    asked = {"type": "object", "properties": {"question": _TEXT, "document": _ref("Question"), "title": _TEXT}}
    return {
        "/api/v1/runs": {"post": _operation("Answers a question and keeps the answer.", asked)},
        "/api/v1/runs/{id}": {"get": _operation("An answer as it was given.", names={"id": "of its link"})},
    }


def _jobs() -> Document:
    asked = {"type": "object", "properties": {"question": {"enum": ["tune", "explore"]}, "document": _ref("Question")}}
    job = {"id": "of the job"}
    return {
        "/api/v1/jobs": {"get": _operation("The newest jobs."), "post": _operation("Begins a job.", asked)},
        "/api/v1/jobs/{id}": {
            "get": _operation("A job.", names=job),
            "delete": _operation("Cancels a job.", names=job),
        },
        "/api/v1/jobs/{id}/events": {"get": _operation("Its progress as server-sent events.", names=job)},
    }


def _projects() -> Document:
    project = {"project": "its name"}
    file = {**project, "kind": "code, machine, profile or space", "name": "of the file"}
    return {
        "/api/v1/projects": {"get": _operation("All projects."), "post": _operation("A new one.", {"type": "object"})},
        "/api/v1/projects/{project}": {"get": _operation("Files and answers of a project.", names=project)},
        "/api/v1/projects/{project}/{kind}/{name}": {
            "get": _operation("The newest version of a file.", names=file),
            "put": _operation("A new version of a file: the body is its content.", names=file),
        },
        "/api/v1/export/{project}": {"get": _operation("A project as one file.", names=project)},
        "/api/v1/import": {"post": _operation("A project from such a file.", {"type": "object"})},
    }
