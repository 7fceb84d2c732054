"""Programs: a capture is chosen or dropped, and is predicted as a program. Both ways answer with the same fragment: the
form, which works without JavaScript, and the page's script, which shows how much was sent."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.routing import Route

from foretell.errors import InputError
from foretell.serve.pool.asked import CAPTURE, MOST_CAPTURE_BYTES
from foretell.serve.pool.pool import AnswerError
from foretell.serve.web import fragments
from foretell.serve.web.api import answer_to, stream_of, user_of
from foretell.serve.web.pages import form_of, render
from foretell.serve.web.references import machine_menu, machine_of
from foretell.serve.web.replies import as_json, error_of, site_of, status_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

Document = dict[str, Any]
#: questions that a capture answers as a program, with the words of their buttons
BUTTONS = {"predict": "predict", "why": "why", "rank": "all GPUs"}
_USUAL_MACHINE = "h200"


async def program(request: Request) -> Response:
    """GET /program; POST answers the form on the whole page."""
    if request.method == "GET":
        return await _shown(request, _USUAL_MACHINE)
    form = await form_of(request, files=1)
    upload, on, question = (form.get(name) for name in ("capture", "machine", "question"))
    machine, name, data = str(on or _USUAL_MACHINE), "", b""
    if upload is not None and not isinstance(upload, str):
        name, data = str(upload.filename or ""), await upload.read()
        await upload.close()
    shown, status = await _answered(request, str(question or "predict"), name, data, machine)
    return await _shown(request, machine, shown["html"], status)


async def live(request: Request) -> Response:
    """POST /program/{question}?name=&on= with the bytes of a capture: the fragment of its answer."""
    query = request.query_params
    data = await request.body()
    shown, status = await _answered(
        request, request.path_params["question"], query.get("name", ""), data, query.get("on", _USUAL_MACHINE)
    )
    return as_json(shown, status)


async def _shown(request: Request, machine: str, answer: str = "", status: int = 200) -> Response:
    menu = [each for each in await machine_menu(site_of(request)) if not each["label"].endswith(("(cpu)", "(sunway)"))]
    return await render(
        request, "program.html", status, answer=Markup(answer), machines=menu, machine=machine, buttons=BUTTONS,
        most_bytes=MOST_CAPTURE_BYTES,
    )  # fmt: skip


async def _answered(request: Request, question: str, name: str, data: bytes, machine: str) -> tuple[Document, int]:
    """The fragment of an answer, or of what is wrong."""
    try:
        _check(question, name, data)
        document: Document = {"code": {"name": name, "base64": base64.b64encode(data).decode()}}
        if question != "rank":
            document["on"] = machine_of(machine)
        answer = await answer_to(site_of(request), question, document, stream_of(request), user_of(request))
    except (AnswerError, InputError) as error:
        failed = error_of(error)
        return {"html": fragments.failure(failed), "error": failed}, status_of(failed)
    return {"html": fragments.answer(question, answer, document)}, 200


def _check(question: str, name: str, data: bytes) -> None:
    if question not in BUTTONS:
        raise InputError(f"no question {question[:40]!r}")
    if not data:
        raise InputError("no capture was chosen", hint="foretell run --record FILE, and foretell record, write one")
    if not name.endswith(CAPTURE):
        raise InputError(f"{name[:80]!r} is no capture: its name does not end in {CAPTURE}")


ROUTES = [Route("/program", program, methods=["GET", "POST"]), Route("/program/{question}", live, methods=["POST"])]
