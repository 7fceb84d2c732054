"""Pages: rendered here, with forms that work without JavaScript; with it, the same fragments are fetched."""

from __future__ import annotations

import hmac
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from foretell import units
from foretell.report.page import html
from foretell.serve.pool.pool import AnswerError
from foretell.serve.web import fragments, sessions
from foretell.serve.web.api import job_document, job_of, new_job, user_of
from foretell.serve.web.references import machine_menu, machine_of, resolved
from foretell.serve.web.replies import require, site_of, visitor_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.datastructures import FormData
    from starlette.requests import Request

    from foretell.serve.store.workspace import KeptRun

Document = dict[str, Any]
_FOLDER = Path(__file__).parent
_JOB_FIELDS = ("question", "code", "machine", "parameters", "strategy", "budget", "axes", "constraints", "grid",
               "block", "args")  # fmt: skip
#: a job's choice -> its question and the name of its code
_JOB_KINDS = {"tune": ("tune", "code.c"), "tune-cuda": ("tune", "kernel.cu"), "explore": ("explore", "space.toml")}
_EXAMPLE_JOB = {"question": "tune", "code": "example:hotspot.c", "machine": "sw26010", "parameters": "n=512 m=512"}


@cache
def _templates() -> Environment:
    loader = FileSystemLoader(_FOLDER / "templates")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {"moment": _moment, "shown": units.show}
    return made


def _moment(text: str) -> str:
    """A time of the store for people."""
    return f"{text[:16].replace('T', ' ')} UTC"


async def render(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of a template, with what every page shows."""
    visitor = request.scope.get("visitor")
    csrf = (await site_of(request).signer()).csrf(visitor.session) if visitor else ""
    theme = request.cookies.get("foretell-theme")
    common = {"csrf": csrf, "visitor": visitor, "nonce": request.scope["nonce"], "path": request.url.path,
              "theme": theme if theme in ("light", "dark") else ""}  # fmt: skip
    return HTMLResponse(_templates().get_template(template).render(**common, **values), status)


async def form_of(request: Request, files: int = 0) -> FormData:
    """The fields of a form, after its CSRF value."""
    form = await request.form(max_files=files, max_fields=60)
    if request.scope.get("csrf_needed"):
        right = (await site_of(request).signer()).csrf(visitor_of(request).session)
        if not hmac.compare_digest(str(form.get(sessions.CSRF_FIELD, "")).encode(), right.encode()):
            raise AnswerError.of("refused", "the form is too old: load the page again")
    return form


async def enter(request: Request) -> Response:
    """GET /?token=: the way in for one user."""
    site, given = site_of(request), request.query_params["token"]
    if not site.settings.token or not hmac.compare_digest(given.encode(), site.settings.token.encode()):
        return RedirectResponse("/login", 303)
    return _logged_in((await site.signer()).cookie("local"), site.settings.https)


def _logged_in(cookie: str, https: bool) -> Response:
    response = RedirectResponse("/", 303)
    response.set_cookie(sessions.COOKIE, cookie, max_age=14 * 86400, httponly=True, samesite="strict", secure=https)
    return response


# ------------------------------------------------------------------------------------------------- kept answers, jobs


async def kept(request: Request) -> Response:
    """GET /r/{id}: an answer as it was given."""
    run = await _run_of(request)
    return await render(
        request, "run.html", run=run, answer=Markup(fragments.answer(run.question, run.answer, run.asked)),
        state=json.dumps(run.asked),
    )  # fmt: skip


async def report(request: Request) -> Response:
    """GET /r/{id}/report: the same as one HTML file to send. It has its own policy, and is saved, not shown here."""
    run = await _run_of(request)
    named = {"content-disposition": f'attachment; filename="foretell-{run.id}.html"'}
    return HTMLResponse(html.document([fragments.page_of(run.question, run.answer)]), headers=named)


async def _run_of(request: Request) -> KeptRun:
    run = await site_of(request).stored(lambda store: store.run(request.path_params["id"]))
    if run is None:
        raise AnswerError.of("missing", "no such answer is kept")
    return run


async def jobs(request: Request) -> Response:
    """GET /jobs and the form that begins one; ?project=&kind=&name= puts a file of a project into the form."""
    site = site_of(request)
    if request.method == "POST":
        visitor, form = require(request, "write"), await form_of(request)
        fields = {name: str(form.get(name, "")) for name in _JOB_FIELDS}
        question, _ = _JOB_KINDS.get(fields["question"], (fields["question"], ""))
        job = await new_job(site, question, _job_question(fields), visitor.name)
        return RedirectResponse(f"/jobs/{job}", 303)
    rows = [job_document(job) for job in await site.queued(lambda queue: queue.list())]
    fields = {**dict.fromkeys(_JOB_FIELDS, ""), **_EXAMPLE_JOB}
    if "project" in request.query_params:
        file = (await resolved(site, {"code": dict(request.query_params)}))["code"]
        kind = next((key for key, (_, name) in _JOB_KINDS.items() if name[-5:] == file["name"][-5:]), "tune")
        kind = "tune-cuda" if file["name"].endswith(".cu") else kind
        fields |= {"question": kind, "code": file.get("text", ""), "machine": "", "parameters": ""}
    return await render(request, "jobs.html", jobs=rows, machines=await machine_menu(site), fields=fields)


def _job_question(fields: Mapping[str, str]) -> Document:
    _, name = _JOB_KINDS.get(fields["question"], ("", "code.c"))
    document: Document = {"code": {"name": name, "text": fields["code"].replace("\r\n", "\n")}}
    if fields["code"].startswith("example:"):
        document["code"] = {"example": fields["code"].strip().removeprefix("example:")}
    if fields["machine"]:
        document["on"] = machine_of(fields["machine"])
    if fields["parameters"].strip():
        document["parameters"] = fragments.pairs(fields["parameters"])
    if fields["question"] == "explore":
        return document
    for key in ("grid", "block"):
        if fields[key].strip():
            document[key] = fields[key].strip()
    if fields["args"].strip():
        document["args"] = [line.strip() for line in fields["args"].splitlines() if line.strip()]
    budget = fields["budget"] if fields["budget"].isdigit() else "10"
    conditions = [line.strip() for line in fields["constraints"].splitlines() if line.strip()]
    axes = dict(word.split("=", 1) for word in fields["axes"].split() if "=" in word)
    document["job"] = {"strategy": fields["strategy"] or "static", "budget": int(budget[:6]), "axes": axes,
                       "constraints": conditions}  # fmt: skip
    return document


async def job(request: Request) -> Response:
    """GET /jobs/{id}: progress and result; POST cancels."""
    current = await job_of(request)
    site = site_of(request)
    if request.method == "POST":
        require(request, "write")
        await form_of(request)
        await site.queued(lambda queue: queue.cancel(current.id))
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
    """GET /machines: the library, and those of projects."""
    site = site_of(request)
    own = await site.stored(lambda store: store.machines())
    return await render(request, "machines.html", machines=(await site.machines())["machines"], own=own)


async def machine(request: Request) -> Response:
    """GET /machines/{name} and /machines/{project}/{name}"""
    site, path = site_of(request), request.path_params
    on = {"project": path["project"], "machine": path["name"]} if "project" in path else path["name"]
    document = await site.answers.ask("machine", await resolved(site, {"on": on}), user=user_of(request))
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
    Route("/r/{id}", kept),
    Route("/r/{id}/report", report),
    Route("/jobs", jobs, methods=["GET", "POST"]),
    Route("/jobs/{id}", job, methods=["GET", "POST"]),
    Route("/projects", projects, methods=["GET", "POST"]),
    Route("/projects/{project}", project, methods=["GET", "POST"]),
    Route("/machines", machines),
    Route("/machines/{name}", machine),
    Route("/machines/{project}/{name}", machine),
    Route("/login", login, methods=["GET", "POST"]),
    Route("/logout", logout, methods=["POST"]),
]
