"""The HTTP API: questions, machines, jobs, projects and kept answers, with the documents of `--format json`."""

from __future__ import annotations

import base64
import contextlib
import json
from typing import TYPE_CHECKING, Any

from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from foretell.serve.pool.pool import AnswerError
from foretell.serve.web import fragments
from foretell.serve.web.jobs import ENDED, JOBS
from foretell.serve.web.openapi import description
from foretell.serve.web.references import resolved
from foretell.serve.web.replies import as_json, body_of, require, site_of, visitor_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from foretell.serve.store.queue import Job
    from foretell.serve.web.site import Site

Document = dict[str, Any]
#: questions that are answered at once
QUESTIONS = ("predict", "annotate", "why", "advise", "rank", "check", "sizes")
#: seconds between two looks at a job whose progress is followed, if another server runs it
_LOOK_S = 0.5
#: seconds that advice and tables over all machines may take
_LONGER_S = {"advise": 180.0, "rank": 180.0}


def stream_of(request: Request) -> str:
    """Questions of one editor: a newer one ends the older."""
    stream = request.headers.get("x-stream", "")[:40]
    return f"{user_of(request)}/{stream}" if stream else ""


def user_of(request: Request) -> str:
    """The key by which users take turns: name and session."""
    visitor = visitor_of(request)
    return f"{visitor.name}/{visitor.session[-12:]}"


async def answer_to(site: Site, question: str, document: Document, stream: str = "", user: str = "") -> Document:
    """Asks a worker; a question that was replaced by a newer one is a conflict, not a failure."""
    if question not in QUESTIONS:
        raise AnswerError.of("missing", f"no question {question[:40]!r}")
    if "job" in document:
        raise AnswerError.of("input", "job: only in POST /api/v1/jobs")
    site.require_confinement()
    document, seconds = await resolved(site, document), _LONGER_S.get(question)
    return await site.answers.ask(question, document, stream=stream, user=user, seconds=seconds)


async def ask(request: Request) -> Response:
    """POST /api/v1/{question}"""
    question, document = request.path_params["question"], await body_of(request)
    return as_json(await answer_to(site_of(request), question, document, stream_of(request), user_of(request)))


async def machines(request: Request) -> Response:
    """GET /api/v1/machines"""
    return as_json(await site_of(request).machines())


async def machine(request: Request) -> Response:
    """GET /api/v1/machines/{name}, POST /api/v1/machine with the text of a machine file"""
    given = {"on": request.path_params["name"]} if request.method == "GET" else await body_of(request)
    site = site_of(request)
    return as_json(await site.answers.ask("machine", await resolved(site, given), user=user_of(request)))


# ------------------------------------------------------------------------------------------------- kept answers


async def keep_run(request: Request) -> Response:
    """POST /api/v1/runs: answers a question and keeps the answer under a link."""
    visitor, body, site = require(request, "write"), await body_of(request), site_of(request)
    question, asked = str(body.get("question", "")), body.get("document")
    if not isinstance(asked, dict):
        raise AnswerError.of("input", "document: give the question as an object")
    title, project = str(body.get("title", ""))[:200], _project(body)
    run = await kept_run(site, question, asked, visitor.name, title, project, user_of(request))
    return as_json({"id": run, "link": f"/r/{run}"}, 201)


async def kept_run(
    site: Site,
    question: str,
    document: Document,
    author: str,
    title: str = "",
    project: str | None = None,
    user: str = "",
) -> str:
    """Answers and keeps a question, with the contents of all files that it names; returns the id of its link."""
    asked = await resolved(site, document)
    answer = await answer_to(site, question, asked, user=user)
    named = title or fragments.title(question, answer)
    return await site.stored(lambda store: store.keep_run(question, asked, answer, author, named, project))


async def get_run(request: Request) -> Response:
    """GET /api/v1/runs/{id}: the answer as it was given, with what made it."""
    run = await site_of(request).stored(lambda store: store.run(request.path_params["id"]))
    if run is None:
        raise AnswerError.of("missing", "no such answer is kept")
    names = ("id", "question", "title", "asked", "answer", "versions", "author", "created", "project")
    return as_json({name: getattr(run, name) for name in names})


def _project(body: Document) -> str | None:
    return str(body["project"]) if body.get("project") else None


# ------------------------------------------------------------------------------------------------- jobs


async def add_job(request: Request) -> Response:
    """POST /api/v1/jobs {"question": "tune", "document": {…}}"""
    visitor, body, site = require(request, "write"), await body_of(request), site_of(request)
    job = await new_job(site, str(body.get("question", "")), body.get("document"), visitor.name, _project(body))
    return as_json({"id": job, "link": f"/jobs/{job}"}, 201)


async def new_job(site: Site, question: str, asked: object, author: str, project: str | None = None) -> str:
    """Puts a job into the queue; its question is checked first."""
    from foretell.serve.pool import asked as checks
    from foretell.serve.store.workspace import canonical, new_id

    if question not in JOBS:
        raise AnswerError.of("input", f"question: {question[:40]!r} is none of {', '.join(JOBS)}")
    if not isinstance(asked, dict):
        raise AnswerError.of("input", "document: give the question as an object")
    given = await resolved(site, asked)
    checks.wanted(given)
    site.require_confinement()
    if checks.job(given).journal is not None:
        raise AnswerError.of("input", "job.journal: the server chooses it")
    job = new_id()
    digest = await site.stored(lambda store: store.put(canonical(given)))
    await site.queued(lambda queue: queue.add(job, question, digest, author, project))
    if site.runner is not None:
        site.runner.wake()
    return job


async def list_jobs(request: Request) -> Response:
    jobs = await site_of(request).queued(lambda queue: queue.list())
    return as_json({"jobs": [job_document(job) for job in jobs]})


async def get_job(request: Request) -> Response:
    return as_json(job_document(await job_of(request)))


async def cancel_job(request: Request) -> Response:
    """DELETE /api/v1/jobs/{id}"""
    require(request, "write")
    job = await job_of(request)
    cancelled = await site_of(request).queued(lambda queue: queue.cancel(job.id))
    site_of(request).note_job()
    return as_json({"cancelled": cancelled})


async def follow_job(request: Request) -> Response:
    """GET /api/v1/jobs/{id}/events: server-sent events until the job has ended."""
    job, site = await job_of(request), site_of(request)

    async def events() -> AsyncIterator[str]:
        last, current = "", job
        while True:
            text = json.dumps(job_document(current))
            if text != last:
                yield f"data: {text}\n\n"
                last = text
            if current.state in ENDED or await request.is_disconnected():
                return
            await site.job_changed(_LOOK_S)
            with contextlib.suppress(AnswerError):  # a store that does not answer is asked again
                newer: Job | None = await site.queued(lambda queue: queue.get(job.id))
                current = newer or current

    return StreamingResponse(events(), media_type="text/event-stream")


async def job_of(request: Request) -> Job:
    """The job of the path."""
    job: Job | None = await site_of(request).queued(lambda queue: queue.get(request.path_params["id"]))
    if job is None:
        raise AnswerError.of("missing", "no such job")
    return job


def job_document(job: Job) -> Document:
    names = ("id", "question", "state", "attempt", "progress", "error", "run", "project", "author", "created")
    return {name: getattr(job, name) for name in names}


# ------------------------------------------------------------------------------------------------- projects


async def projects(request: Request) -> Response:
    """GET and POST /api/v1/projects"""
    site = site_of(request)
    if request.method == "GET":
        return as_json({"projects": await site.stored(lambda store: store.projects())})
    visitor, name = require(request, "write"), str((await body_of(request)).get("name", ""))
    if not await site.stored(lambda store: store.add_project(name, visitor.name)):
        raise AnswerError.of("input", f"there is a project {name!r}")
    return as_json({"name": name}, 201)


async def project(request: Request) -> Response:
    """GET /api/v1/projects/{project}: its files and answers."""
    name, site = request.path_params["project"], site_of(request)
    files = await site.stored(lambda store: store.items(name))
    runs = await site.stored(lambda store: store.runs(name))
    return as_json({"name": name, "files": files, "runs": runs})


async def item(request: Request) -> Response:
    """GET and PUT /api/v1/projects/{project}/{kind}/{name}"""
    path, site = request.path_params, site_of(request)
    where = path["project"], path["kind"], path["name"]
    if request.method == "GET":
        data = await site.stored(lambda store: store.item(*where))
        if data is None:
            raise AnswerError.of("missing", "no such file")
        return as_json({"name": where[2], "base64": base64.b64encode(data).decode()})
    visitor, data = require(request, "write"), await request.body()
    version = await site.stored(lambda store: store.save(*where, data, visitor.name))
    return as_json({"version": version})


async def export_project(request: Request) -> Response:
    """GET /api/v1/export/{project}: a project as one file."""
    name = request.path_params["project"]
    document = await site_of(request).stored(lambda store: store.exported(name))
    named = {"content-disposition": 'attachment; filename="project.foretell.json"'}
    return Response(json.dumps(document), media_type="application/json", headers=named)


async def import_project(request: Request) -> Response:
    """POST /api/v1/import with such a file."""
    visitor, body = require(request, "write"), await body_of(request)
    name = await site_of(request).stored(lambda store: store.imported(body, visitor.name))
    return as_json({"name": name}, 201)


async def openapi(_: Request) -> Response:
    """GET /api/openapi.json"""
    return as_json(description())


async def healthy(request: Request) -> Response:
    """GET /healthy: whether the server answers; nothing about the workspace."""
    return as_json({"healthy": True, "confined": site_of(request).pool.confined})


ROUTES = [
    Route("/healthy", healthy),
    Route("/api/openapi.json", openapi),
    Route("/api/v1/machines", machines),
    Route("/api/v1/machines/{name}", machine),
    Route("/api/v1/machine", machine, methods=["POST"]),
    Route("/api/v1/runs", keep_run, methods=["POST"]),
    Route("/api/v1/runs/{id}", get_run),
    Route("/api/v1/jobs", list_jobs, methods=["GET"]),
    Route("/api/v1/jobs", add_job, methods=["POST"]),
    Route("/api/v1/jobs/{id}", get_job, methods=["GET"]),
    Route("/api/v1/jobs/{id}", cancel_job, methods=["DELETE"]),
    Route("/api/v1/jobs/{id}/events", follow_job),
    Route("/api/v1/projects", projects, methods=["GET", "POST"]),
    Route("/api/v1/projects/{project}", project),
    Route("/api/v1/projects/{project}/{kind}/{name}", item, methods=["GET", "PUT"]),
    Route("/api/v1/export/{project}", export_project),
    Route("/api/v1/import", import_project, methods=["POST"]),
    Route("/api/v1/{question}", ask, methods=["POST"]),
]
