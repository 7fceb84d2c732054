"""The workspace: a form with the code and its machine, and the answer. Every button works without JavaScript."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from foretell.errors import InputError
from foretell.serve.pool.pool import AnswerError
from foretell.serve.web import fragments
from foretell.serve.web.api import answer_to, kept_run, stream_of, user_of
from foretell.serve.web.pages import enter, form_of, render
from foretell.serve.web.references import every_machine, machine_menu, machine_of, resolved
from foretell.serve.web.replies import as_json, body_of, error_of, require, site_of, status_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from foretell.serve.web.site import Site

Document = dict[str, Any]
#: what a new page shows
START = """void triad(int n, double *restrict a, const double *b, const double *c, double s) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + s * c[i];
}
"""
LANGUAGES = {"c": "code.c", "cpp": "code.cpp", "fortran": "code.f90", "cuda": "code.cu", "sass": "code.sass",
             "assembly": "code.s", "profile": "profile.csv", "toml": "code.toml"}  # fmt: skip
#: questions of the form, with the words of its buttons
BUTTONS = {"annotate": "predict", "why": "why", "advise": "advise", "rank": "all machines", "check": "compare",
           "sizes": "time against size"}  # fmt: skip
_FIELDS = ("language", "name", "code", "base", "machine", "machine_file", "parameters", "threads", "set", "function",
           "cflags", "grid", "block", "args")  # fmt: skip
_APPLY = re.compile(r"apply-(\d{1,4})")
_SUFFIX_LANGUAGE = {
    ".c": "c", ".cpp": "cpp", ".cc": "cpp", ".cxx": "cpp", ".f": "fortran", ".f90": "fortran", ".cu": "cuda",
    ".sass": "sass", ".s": "assembly", ".toml": "toml",
}  # fmt: skip


async def workspace(request: Request) -> Response:
    """GET /: the editor; with ?token= the way in; with ?project=&kind=&name= that file is in the editor."""
    query = request.query_params
    if "token" in query:
        return await enter(request)
    if "project" in query:
        return await _shown(request, await _opened(site_of(request), dict(query)), "")
    return await _shown(request, _fields({}), "")


async def _opened(site: Site, query: Mapping[str, str]) -> dict[str, str]:
    """The fields with a file of a project: a machine is chosen, anything else becomes the code."""
    fields = _fields({})
    if query.get("kind") == "machine":
        return {**fields, "machine": f"{query['project']}/{query.get('name', '')}"}
    file = (await resolved(site, {"code": dict(query)}))["code"]
    if "text" not in file:
        raise AnswerError.of("input", f"{file['name']} is no text: ask for it by POST /api/v1/predict")
    suffix = file["name"][file["name"].rfind(".") :].lower()
    language = "profile" if query.get("kind") == "profile" else _SUFFIX_LANGUAGE.get(suffix, "profile")
    return {**fields, "language": language, "name": file["name"], "code": file["text"], "parameters": ""}


async def _shown(request: Request, fields: Mapping[str, str], answer: str, status: int = 200) -> Response:
    menu = await machine_menu(site_of(request))
    return await render(
        request, "workspace.html", status, fields=fields, answer=Markup(answer), machines=menu,
        languages=list(LANGUAGES), buttons=BUTTONS,
    )  # fmt: skip


def _fields(given: Mapping[str, Any]) -> dict[str, str]:
    usual = {"language": "c", "code": START, "machine": "zen4", "parameters": "n=1000000"}
    if not given:
        return {name: usual.get(name, "") for name in _FIELDS}
    return {name: str(given.get(name, "")) for name in _FIELDS}


async def workspace_form(request: Request) -> Response:
    """POST /: the answer to the form, on the whole page."""
    form = await form_of(request)
    fields = _fields(form)
    question = str(form.get("question", "annotate"))
    if question == "share":
        return await _share(request, fields)
    status = 200
    try:
        if (chosen := _APPLY.fullmatch(question)) is not None:
            fields, question = await _applied(request, fields, int(chosen[1])), "annotate"
        document = await _asked(site_of(request), question, question_of(fields))
        given = await answer_to(site_of(request), question, document, user=user_of(request))
        answer = fragments.answer(question, given, document)
    except (AnswerError, InputError) as error:
        answer, status = fragments.failure(error_of(error)), status_of(error_of(error))
    return await _shown(request, fields, answer, status)


async def _share(request: Request, fields: Mapping[str, str]) -> Response:
    """Keeps the answer and goes to its link."""
    visitor, site, document = require(request, "write"), site_of(request), question_of(fields)
    run = await kept_run(site, "annotate", document, visitor.name, user=user_of(request))
    return RedirectResponse(f"/r/{run}", 303)


async def _applied(request: Request, fields: dict[str, str], number: int) -> dict[str, str]:
    """The fields after a change that advice proposed; the same advice is kept from before."""
    document = question_of(fields)
    changes = (await answer_to(site_of(request), "advise", document, user=user_of(request)))["changes"]
    if number >= len(changes):
        raise AnswerError.of("input", "no such change: ask for advice again")
    change = changes[number]
    flags = f"{fields['cflags'] or '-O3 -march=native'} {change['flags']}" if change["flags"] else fields["cflags"]
    threads = str(change["threads"]) if change["threads"] else fields["threads"]
    return {**fields, "code": change["text"] or fields["code"], "cflags": flags, "threads": threads}


async def _asked(site: Site, question: str, document: Document) -> Document:
    """The table over all machines has those of projects, too."""
    return {**document, "on": await every_machine(site)} if question == "rank" else document


def question_of(fields: Mapping[str, str]) -> Document:
    """The question of a form."""
    name = fields["name"].strip() or LANGUAGES.get(fields["language"], "code.c")
    document: Document = {"code": {"name": name, "text": fields["code"].replace("\r\n", "\n")}, "guess": True}
    if fields["base"].strip():
        document["base"] = {"name": name, "text": fields["base"].replace("\r\n", "\n")}
    if fields["machine_file"].strip():
        document["on"] = {"name": "machine.toml", "text": fields["machine_file"]}
    elif fields["machine"]:
        document["on"] = machine_of(fields["machine"])
    for key in ("parameters", "set"):
        if fields[key].strip():
            document[key] = fragments.pairs(fields[key])
    for key in ("threads", "function", "cflags", "grid", "block"):
        if fields[key].strip():
            document[key] = fields[key].strip()
    if fields["args"].strip():
        document["args"] = [line.strip() for line in fields["args"].splitlines() if line.strip()]
    return document


async def live(request: Request) -> Response:
    """POST /live/{question}: the fragment of an answer with what the editor shows beside its lines."""
    question, site = request.path_params["question"], site_of(request)
    document = await _asked(site, question, await body_of(request))
    try:
        answer = await answer_to(site, question, document, stream_of(request), user_of(request))
    except (AnswerError, InputError) as error:
        failed = error_of(error)
        shown = {"html": fragments.failure(failed), "error": failed, "diagnostics": fragments.error_diagnostics(failed)}
        return as_json(shown, status_of(failed))
    shown = {"html": fragments.answer(question, answer, document), "answer": answer}
    if question == "annotate":
        shown["diagnostics"] = fragments.diagnostics(answer)
    return as_json(shown)


ROUTES = [
    Route("/", workspace, methods=["GET"]),
    Route("/", workspace_form, methods=["POST"]),
    Route("/live/{question}", live, methods=["POST"]),
]
