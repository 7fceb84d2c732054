"""Pages: rendered here, with forms that work without JavaScript; with it, the same fragments are fetched."""

from __future__ import annotations

import asyncio
import hmac
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from foretell.errors import InputError
from foretell.serve.pool.pool import AnswerError
from foretell.serve.web import fragments, sessions
from foretell.serve.web.api import answer_to, job_document, job_of, new_job, stream_of, user_of
from foretell.serve.web.replies import as_json, body_of, error_of, require, site_of, status_of, visitor_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.datastructures import FormData
    from starlette.requests import Request

Document = dict[str, Any]
_FOLDER = Path(__file__).parent
#: what a new page shows
START = """void triad(int n, double *restrict a, const double *b, const double *c, double s) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + s * c[i];
}
"""
LANGUAGES = {"c": "code.c", "cpp": "code.cpp", "fortran": "code.f90", "cuda": "code.cu", "sass": "code.sass",
             "toml": "code.toml"}  # fmt: skip
#: questions of the form, with the words of its buttons
BUTTONS = {"annotate": "predict", "why": "why", "advise": "advise", "rank": "all machines", "check": "compare",
           "sizes": "time against size"}  # fmt: skip
_FIELDS = ("language", "code", "base", "machine", "machine_file", "parameters", "threads", "set", "function", "cflags",
           "grid", "block", "args")  # fmt: skip
_JOB_FIELDS = ("question", "code", "machine", "parameters", "strategy", "budget")


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(_FOLDER / "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


async def render(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of a template, with what every page shows."""
    visitor = request.scope.get("visitor")
    csrf = (await site_of(request).signer()).csrf(visitor.session) if visitor else ""
    common = {"csrf": csrf, "visitor": visitor, "nonce": request.scope["nonce"], "path": request.url.path}
    return HTMLResponse(_templates().get_template(template).render(**common, **values), status)


async def form_of(request: Request, files: int = 0) -> FormData:
    """The fields of a form, after its CSRF value."""
    form = await request.form(max_files=files, max_fields=60)
    if request.scope.get("csrf_needed"):
        right = (await site_of(request).signer()).csrf(visitor_of(request).session)
        if not hmac.compare_digest(str(form.get(sessions.CSRF_FIELD, "")).encode(), right.encode()):
            raise AnswerError.of("refused", "the form is too old: load the page again")
    return form


# ------------------------------------------------------------------------------------------------- the workspace


async def workspace(request: Request) -> Response:
    """GET /: the editor; with ?token= the way in."""
    if "token" in request.query_params:
        return await _enter(request)
    return await _shown(request, _fields({}), "")


async def _enter(request: Request) -> Response:
    site, given = site_of(request), request.query_params["token"]
    if not site.settings.token or not hmac.compare_digest(given.encode(), site.settings.token.encode()):
        return RedirectResponse("/login", 303)
    return _logged_in((await site.signer()).cookie("local"), site.settings.https)


def _logged_in(cookie: str, https: bool) -> Response:
    response = RedirectResponse("/", 303)
    response.set_cookie(sessions.COOKIE, cookie, max_age=14 * 86400, httponly=True, samesite="strict", secure=https)
    return response


async def _shown(request: Request, fields: Mapping[str, str], answer: str, status: int = 200) -> Response:
    library = (await site_of(request).machines())["machines"]
    return await render(
        request, "workspace.html", status, fields=fields, answer=Markup(answer), machines=library,
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
    status = 200
    try:
        document = question_of(fields)
        given = await answer_to(site_of(request), question, document, user=user_of(request))
        answer = fragments.answer(question, given)
    except (AnswerError, InputError) as error:
        answer, status = fragments.failure(error_of(error)), status_of(error_of(error))
    return await _shown(request, fields, answer, status)


def question_of(fields: Mapping[str, str]) -> Document:
    """The question of a form."""
    name = LANGUAGES.get(fields["language"], "code.c")
    document: Document = {"code": {"name": name, "text": fields["code"].replace("\r\n", "\n")}, "guess": True}
    if fields["base"].strip():
        document["base"] = {"name": name, "text": fields["base"].replace("\r\n", "\n")}
    if fields["machine_file"].strip():
        document["on"] = {"name": "machine.toml", "text": fields["machine_file"]}
    elif fields["machine"]:
        document["on"] = fields["machine"]
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
    question, document = request.path_params["question"], await body_of(request)
    if question == "rank":
        document = {key: value for key, value in document.items() if key != "on"}
    try:
        answer = await answer_to(site_of(request), question, document, stream_of(request), user_of(request))
    except (AnswerError, InputError) as error:
        failed = error_of(error)
        shown = {"html": fragments.failure(failed), "error": failed, "diagnostics": fragments.error_diagnostics(failed)}
        return as_json(shown, status_of(failed))
    shown = {"html": fragments.answer(question, answer), "answer": answer}
    if question == "annotate":
        shown["diagnostics"] = fragments.diagnostics(answer)
    return as_json(shown)


# ------------------------------------------------------------------------------------------------- kept answers, jobs


async def kept(request: Request) -> Response:
    """GET /r/{id}: an answer as it was given."""
    run = await site_of(request).stored(lambda store: store.run(request.path_params["id"]))
    if run is None:
        raise AnswerError.of("missing", "no such answer is kept")
    return await render(
        request, "run.html", run=run, answer=Markup(fragments.answer(run.question, run.answer)),
        state=json.dumps(run.asked),
    )  # fmt: skip


async def jobs(request: Request) -> Response:
    """GET /jobs and the form that begins one."""
    site = site_of(request)
    if request.method == "POST":
        visitor, form = require(request, "write"), await form_of(request)
        fields = {name: str(form.get(name, "")) for name in _JOB_FIELDS}
        job = await new_job(site, fields["question"], _job_question(fields), visitor.name)
        return RedirectResponse(f"/jobs/{job}", 303)
    queue = await site.queue()
    rows = [job_document(job) for job in await asyncio.to_thread(queue.list)]
    library = (await site.machines())["machines"]
    return await render(request, "jobs.html", jobs=rows, machines=library)


def _job_question(fields: Mapping[str, str]) -> Document:
    name = "space.toml" if fields["question"] == "explore" else "code.c"
    document: Document = {"code": {"name": name, "text": fields["code"]}}
    if fields["code"].startswith("example:"):
        document["code"] = {"example": fields["code"].strip().removeprefix("example:")}
    if fields["machine"]:
        document["on"] = fields["machine"]
    if fields["parameters"].strip():
        document["parameters"] = fragments.pairs(fields["parameters"])
    if fields["question"] == "tune":
        budget = fields["budget"] if fields["budget"].isdigit() else "10"
        document["job"] = {"strategy": fields["strategy"] or "static", "budget": int(budget[:6])}
    return document


async def job(request: Request) -> Response:
    """GET /jobs/{id}: progress and result; POST cancels."""
    current = await job_of(request)
    site = site_of(request)
    if request.method == "POST":
        require(request, "write")
        await form_of(request)
        queue = await site.queue()
        await asyncio.to_thread(queue.cancel, current.id)
        return RedirectResponse(f"/jobs/{current.id}", 303)
    run = None if current.run is None else await site.stored(lambda store: store.run(str(current.run)))
    answer = "" if run is None else fragments.answer(run.question, run.answer)
    return await render(request, "job.html", job=job_document(current), answer=Markup(answer))


# ------------------------------------------------------------------------------------------------- projects, machines


async def projects(request: Request) -> Response:
    site = site_of(request)
    if request.method == "POST":
        visitor, form = require(request, "write"), await form_of(request)
        name = str(form.get("name", ""))
        await site.stored(lambda store: store.add_project(name, visitor.name))
        return RedirectResponse(f"/projects/{name}", 303)
    rows = await site.stored(lambda store: store.projects())
    recent = await site.stored(lambda store: store.runs())
    return await render(request, "projects.html", projects=rows, runs=recent)


async def project(request: Request) -> Response:
    """GET /projects/{project}; POST uploads a file into it."""
    name, site = request.path_params["project"], site_of(request)
    if request.method == "POST":
        visitor, form = require(request, "write"), await form_of(request, files=1)
        upload, kind = form.get("file"), str(form.get("kind", ""))
        if upload is None or isinstance(upload, str):
            raise AnswerError.of("input", "no file was chosen")
        data, file_name = await upload.read(), str(upload.filename or "")
        await upload.close()
        await site.stored(lambda store: store.save(name, kind, file_name, data, visitor.name))
        return RedirectResponse(f"/projects/{name}", 303)
    files = await site.stored(lambda store: store.items(name))
    runs = await site.stored(lambda store: store.runs(name))
    return await render(request, "project.html", name=name, files=files, runs=runs)


async def machines(request: Request) -> Response:
    library = (await site_of(request).machines())["machines"]
    return await render(request, "machines.html", machines=library)


async def machine(request: Request) -> Response:
    document = await site_of(request).answers.ask("machine", {"on": request.path_params["name"]})
    return await render(request, "machine.html", machine=document)


# ------------------------------------------------------------------------------------------------- in and out


async def login(request: Request) -> Response:
    """GET and POST /login: name and password, or a note where the link is."""
    site = site_of(request)
    failed = False
    if request.method == "POST" and not site.settings.token:
        form = await request.form()
        name, password = str(form.get("name", ""))[:64], str(form.get("password", ""))[:200]
        if await site.stored(lambda store: store.verified(name, password)):
            role = await site.role_of(name)
            return _logged_in((await site.signer()).cookie(name, role[1] if role else ""), site.settings.https)
        failed = True
    status = 403 if failed else 200
    return await render(request, "login.html", status, accounts=not site.settings.token, failed=failed)


async def logout(request: Request) -> Response:
    await form_of(request)
    response = RedirectResponse("/login", 303)
    response.delete_cookie(sessions.COOKIE)
    return response


ROUTES = [
    Route("/", workspace, methods=["GET"]),
    Route("/", workspace_form, methods=["POST"]),
    Route("/live/{question}", live, methods=["POST"]),
    Route("/r/{id}", kept),
    Route("/jobs", jobs, methods=["GET", "POST"]),
    Route("/jobs/{id}", job, methods=["GET", "POST"]),
    Route("/projects", projects, methods=["GET", "POST"]),
    Route("/projects/{project}", project, methods=["GET", "POST"]),
    Route("/machines", machines),
    Route("/machines/{name}", machine),
    Route("/login", login, methods=["GET", "POST"]),
    Route("/logout", logout, methods=["POST"]),
]
