"""The server without processes and sockets: API, pages with forms, jobs, projects."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from foretell.serve.web import fragments, mcp, openapi
from foretell.serve.web.api import QUESTIONS, ROUTES
from foretell.serve.web.workspace_page import question_of
from tests.support import schema
from tests.support.explore import GOOD
from tests.support.serve.web import ASKED, TOKEN, TRIAD, Client, local, multipart

if TYPE_CHECKING:
    from collections.abc import Iterator

FIELDS = {
    "language": "c", "name": "", "code": TRIAD, "base": "", "machine": "zen4", "machine_file": "",
    "parameters": "n=1000",
    "threads": "", "set": "", "function": "", "cflags": "", "grid": "", "block": "", "args": "",
}  # fmt: skip
PAGE = {"accept": "text/html"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with Client(local(tmp_path_factory.mktemp("serve"), rate=1e6, burst=1e6, beat_s=0.1, lost_after_s=0.3)) as opened:
        opened.headers["authorization"] = f"Bearer {TOKEN}"
        yield opened


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, str]]:
    with Client(local(tmp_path_factory.mktemp("browser"), rate=1e6, burst=1e6)) as opened:
        yield opened, opened.enter()


# ------------------------------------------------------------------------------------------------- the API


def test_answers_are_the_documents_of_the_command_line(client: Client) -> None:
    for question in ("predict", "why", "rank"):
        reply = client.post(f"/api/v1/{question}", {**ASKED, "on": ["zen4"] if question == "rank" else "zen4"})
        assert reply.status == 200, reply.text
        schema.check(reply.json())


def test_errors_have_kind_message_and_status(client: Client) -> None:
    cases: list[tuple[int, Any, str]] = [
        (422, {**ASKED, "parameters": {}}, "without a value"),
        (422, {**ASKED, "on": "nowhere"}, "nowhere"),
        (422, {**ASKED, "launch": "/etc/passwd"}, "unknown key"),
        (422, {**ASKED, "job": {}}, "only in POST"),
        (422, [1], "not a JSON object"),
    ]
    for status, document, said in cases:
        reply = client.post("/api/v1/predict", document)
        assert (reply.status, said in reply.json()["error"]["message"]) == (status, True), reply.text
    assert client.request("POST", "/api/v1/predict", b"{").status == 422
    assert client.request("POST", "/api/v1/predict", b'{"code": NaN}').status == 422
    assert client.request("POST", "/api/v1/predict", b"[" * 100_000).status == 422
    assert client.post("/api/v1/nothing", ASKED).status == 404
    assert client.get("/api/v1/nothing").status == 405
    assert client.get("/nothing").status == 404


@pytest.mark.parametrize("path", ["/r/a\0b", "/jobs/\0", "/projects/\0", "/machines/\0/m.toml"])
def test_names_that_no_store_keeps_are_wrong_input(client: Client, path: str) -> None:
    assert client.get(path).status == 422
    assert client.get(path, accept="text/html").status == 422


def test_machines_are_listed_and_shown(client: Client) -> None:
    names = [entry["name"] for entry in client.get("/api/v1/machines").json()["machines"]]
    assert "zen4" in names
    assert client.get("/api/v1/machines/zen4").json()["parameters"]["cores.count"]["value"] == 96
    assert client.post("/api/v1/machine", {"on": {"name": "m.toml", "text": "= x"}}).status == 422
    assert client.get("/healthy").json() == {"healthy": True, "confined": True}


def test_the_description_names_every_route(client: Client) -> None:
    document = client.get("/api/openapi.json").json()
    assert document == openapi.description()
    described = {(path, method.upper()) for path, entry in document["paths"].items() for method in entry}
    routes = {
        (route.path, method) for route in (*ROUTES, *mcp.ROUTES) for method in route.methods or () if method != "HEAD"
    }
    routes -= {("/api/v1/{question}", "POST"), ("/api/openapi.json", "GET"), ("/healthy", "GET")}
    assert described == routes | {(f"/api/v1/{name}", "POST") for name in QUESTIONS}


def test_a_kept_answer_shows_what_it_showed(client: Client) -> None:
    reply = client.post("/api/v1/runs", {"question": "predict", "document": ASKED, "title": "<b>title</b>"})
    assert reply.status == 201
    kept = client.get(f"/api/v1/runs/{reply.json()['id']}").json()
    assert kept["asked"] == ASKED
    assert kept["answer"]["time_s"] > 0
    assert kept["versions"]["machine_hash"] == kept["answer"]["machine_hash"]
    page = client.get(reply.json()["link"], **PAGE).text
    assert "&lt;b&gt;title&lt;/b&gt;" in page
    assert client.get("/api/v1/runs/none").status == 404
    assert client.get("/r/none", **PAGE).status == 404
    assert client.post("/api/v1/runs", {"question": "predict", "document": 3}).status == 422


def test_a_kept_answer_is_a_report_to_send_and_has_a_title(client: Client) -> None:
    for question, title in (("annotate", "triad on zen4"), ("sizes", "sizes of n"), ("why", "triad on zen4"),
                            ("advise", "triad on zen4")):  # fmt: skip
        kept = client.post("/api/v1/runs", {"question": question, "document": ASKED}).json()
        assert title in client.get(f"/api/v1/runs/{kept['id']}").json()["title"]
        report = client.get(f"{kept['link']}/report")
        assert report.status == 200
        assert report.header("content-disposition") == f'attachment; filename="foretell-{kept["id"]}.html"'
        assert report.text.startswith("<!doctype html>")
        assert title in report.text
    assert client.get("/r/nothing/report").status == 404
    assert fragments.title("predict", {"schema_version": 0}) == "predict"


def test_projects_files_export_and_import(client: Client) -> None:
    assert client.post("/api/v1/projects", {"name": "p1"}).status == 201
    assert client.post("/api/v1/projects", {"name": "p1"}).status == 422
    assert client.request("PUT", "/api/v1/projects/p1/code/a.c", TRIAD.encode()).json() == {"version": 1}
    assert client.request("PUT", "/api/v1/projects/p1/code/..a", b"").status == 422
    assert client.get("/api/v1/projects/p1/code/a.c").json()["name"] == "a.c"
    assert client.get("/api/v1/projects/p1/code/none.c").status == 404
    asked = {"question": "predict", "document": ASKED, "project": "p1"}
    assert client.post("/api/v1/runs", asked).status == 201
    whole = client.get("/api/v1/projects/p1").json()
    assert (len(whole["files"]), len(whole["runs"])) == (1, 1)
    exported = client.get("/api/v1/export/p1")
    assert "attachment" in exported.header("content-disposition")
    assert client.post("/api/v1/import", exported.json()).json() == {"name": "p1-2"}
    assert client.post("/api/v1/import", {"format": "x"}).status == 422
    assert {"name": "p1-2"}.items() <= client.get("/api/v1/projects").json()["projects"][1].items()


def finished(client: Client, job: str) -> dict[str, Any]:
    """A job at its end: its events end there."""
    *_, last = client.get(f"/api/v1/jobs/{job}/events").text.removesuffix("\n\n").split("\n\n")
    document: dict[str, Any] = json.loads(last.removeprefix("data: "))
    assert document["state"] not in ("queued", "running")
    return document


def test_jobs_run_show_their_progress_and_keep_their_answer(client: Client) -> None:
    tuned = {"code": {"example": "hotspot.c"}, "on": "sw26010", "parameters": {"n": 64, "m": 64}}
    reply = client.post("/api/v1/jobs", {"question": "tune", "document": tuned})
    assert reply.status == 201
    job = finished(client, reply.json()["id"])
    assert job["state"] == "done", job
    assert job["progress"]["done"] == job["progress"]["total"]
    assert client.get(f"/api/v1/runs/{job['run']}").json()["answer"]["best"]
    events = client.get(f"/api/v1/jobs/{job['id']}/events").text
    assert json.loads(events.removeprefix("data: "))["state"] == "done"
    assert "link to this answer" in client.get(reply.json()["link"], **PAGE).text
    wrong = client.post("/api/v1/jobs", {"question": "explore", "document": {"code": {"name": "s.toml", "text": "="}}})
    failed = finished(client, wrong.json()["id"])
    assert failed["state"] == "failed"
    assert failed["error"]["message"]
    assert len(client.get("/api/v1/jobs").json()["jobs"]) >= 2
    assert client.request("DELETE", f"/api/v1/jobs/{job['id']}").json() == {"cancelled": False}
    for body in ({"question": "predict", "document": tuned}, {"question": "tune", "document": 3},
                 {"question": "tune", "document": {**tuned, "job": {"journal": "/etc/passwd"}}}):  # fmt: skip
        assert client.post("/api/v1/jobs", body).status == 422
    assert client.get("/api/v1/jobs/none").status == 404


def test_a_job_whose_worker_ends_is_begun_again(client: Client) -> None:
    from foretell.serve.pool.pool import AnswerError

    assert client.site.runner is not None
    pool: Any = client.site.runner._pool
    right, failures = pool.ask, [AnswerError.of("ended", "killed"), OSError("the store")]

    async def failing(*asked: Any, **how: Any) -> Any:
        if failures:
            raise failures.pop()
        return await right(*asked, **how)

    pool.ask = failing
    try:
        tuned = {"code": {"example": "hotspot.c"}, "on": "sw26010", "parameters": {"n": 32, "m": 32}}
        reply = client.post("/api/v1/jobs", {"question": "tune", "document": tuned})
        job = finished(client, reply.json()["id"])
    finally:
        pool.ask = right
    assert (job["state"], job["attempt"], failures) == ("done", 3, [])


def test_a_running_job_is_cancelled_with_its_question(client: Client) -> None:
    assert client.site.runner is not None
    pool: Any = client.site.runner._pool
    right, begun, ended = pool.ask, threading.Event(), threading.Event()

    async def endless(*_: Any, **__: Any) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    pool.ask = endless
    try:
        tuned = {"code": {"example": "hotspot.c"}, "on": "sw26010", "parameters": {"n": 32, "m": 32}}
        job = client.post("/api/v1/jobs", {"question": "tune", "document": tuned}).json()["id"]
        assert begun.wait(30)
        assert client.request("DELETE", f"/api/v1/jobs/{job}").json() == {"cancelled": True}
        assert ended.wait(30)
    finally:
        pool.ask = right
    assert finished(client, job)["state"] == "cancelled"


def own_machine() -> bytes:
    """A machine file of a user: the numbers of another with a name of its own."""
    import foretell

    text = (Path(foretell.__file__).parent / "machines/data/cpu/zen4.toml").read_text()
    return text.replace('name = "zen4"', 'name = "mine"').encode()


def test_files_of_projects_are_machines_codes_and_profiles(browser: tuple[Client, str]) -> None:
    """In questions, in every menu, in tables over all machines; a kept answer has their contents."""
    client, csrf = browser
    told = {"x_csrf_token": csrf}
    client.post("/api/v1/projects", {"name": "own"}, **told)
    for kind, name, data in (("machine", "mine.toml", own_machine()), ("code", "t.c", TRIAD.encode()),
                             ("space", "s.toml", GOOD.encode()), ("code", "b.o", b"\x7fELF\xff")):  # fmt: skip
        assert client.request("PUT", f"/api/v1/projects/own/{kind}/{name}", data, told).status == 200
    on, code = {"project": "own", "machine": "mine.toml"}, {"project": "own", "kind": "code", "name": "t.c"}
    answer = client.post("/api/v1/predict", {**ASKED, "on": on, "code": code}, **told).json()
    assert (answer["machine"], answer["workload"]) == ("mine", "triad")
    both = client.post("/api/v1/rank", {**ASKED, "on": ["zen4", on]}, **told).json()
    assert {entry["machine"] for entry in both["predictions"]} == {"zen4", "mine"}
    assert "mine" in {e["machine"] for e in client.post("/live/rank", ASKED, **told).json()["answer"]["predictions"]}
    run = client.post("/api/v1/runs", {"question": "predict", "document": {**ASKED, "on": on}}, **told).json()["id"]
    kept = client.get(f"/api/v1/runs/{run}").json()
    assert 'name = "mine"' in kept["asked"]["on"]["text"]
    for page in ("/", "/jobs"):
        assert '<option value="own/mine.toml">' in client.get(page, **PAGE).text
    assert "/machines/own/mine.toml" in client.get("/machines", **PAGE).text
    assert "memory.bandwidth" in client.get("/machines/own/mine.toml", **PAGE).text
    shown = client.submit("/", {**FIELDS, "csrf": csrf, "question": "annotate", "machine": "own/mine.toml"}).text
    assert "triad on mine" in shown
    opened = client.get("/?project=own&kind=code&name=t.c", **PAGE).text
    assert 'value="t.c"' in opened
    assert (
        '<option value="own/mine.toml" selected>'
        in client.get("/?project=own&kind=machine&name=mine.toml", **PAGE).text
    )
    assert "cores*bw" in client.get("/jobs?project=own&kind=space&name=s.toml", **PAGE).text
    assert client.get("/?project=own&kind=code&name=b.o", **PAGE).status == 422
    missing = client.post("/api/v1/predict", {**ASKED, "on": {"project": "own", "machine": "../x"}}, **told)
    assert (missing.status, "no machine" in missing.text) == (422, True)


def test_changes_are_applied_and_answers_shared_without_javascript(browser: tuple[Client, str]) -> None:
    client, csrf = browser
    asked = {**FIELDS, "csrf": csrf, "parameters": "n=100000"}
    advised = client.submit("/", {**asked, "question": "advise"}).text
    number = advised.count("apply-")
    assert number
    texts = [client.submit("/", {**asked, "question": f"apply-{n}"}).text for n in range(number)]
    assert any("#pragma omp" in text for text in texts)
    assert client.submit("/", {**asked, "question": "apply-99"}).status == 422
    shared = client.submit("/", {**asked, "question": "share"})
    assert shared.status == 303
    assert "what made it" in client.get(shared.header("location"), **PAGE).text


def test_a_cuda_kernel_is_tuned_by_the_form_of_jobs(
    browser: tuple[Client, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from foretell.serve.pool import long_jobs

    client, csrf = browser
    tuned: list[Any] = []
    monkeypatch.setattr(long_jobs, "tune_kernel", lambda _, wanted, given, __: tuned.append((wanted, given)) or {})
    fields = {"question": "tune-cuda", "code": "__global__ void f(int n) {}", "machine": "h200", "parameters": "n=64",
              "axes": "B=32,64", "constraints": "B <= 64", "grid": "n/B", "block": "B", "args": "n", "budget": "",
              "strategy": "static"}  # fmt: skip
    begun = client.submit("/jobs", {**fields, "csrf": csrf})
    assert begun.status == 303, begun.text
    finished(client, begun.header("location").removeprefix("/jobs/"))
    (wanted, given), *_ = tuned
    assert (wanted.code.name, wanted.keywords["grid"]) == ("kernel.cu", "n/B")
    assert given["job"]["axes"] == {"B": "32,64"}
    assert given["job"]["constraints"] == ["B <= 64"]


def test_jobs_of_a_store_that_does_not_answer_are_a_message(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy.exc import OperationalError

    from foretell.errors import InputError
    from foretell.serve.store.queue import Queue

    def broken(*_: object) -> None:
        raise OperationalError("SELECT secret", {}, OSError("gone"))

    monkeypatch.setattr(Queue, "get", broken)
    for path in ("/api/v1/jobs/x", "/api/v1/jobs/x/events"):
        assert client.get(path).status == 503

    async def closed() -> None:
        raise InputError("the store cannot be opened")

    monkeypatch.setattr(client.site, "queue", closed)
    assert client.get("/api/v1/jobs/x").status == 503


def test_a_store_that_does_not_answer_is_a_message(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gone, or with all its connections in use."""
    from sqlalchemy import exc

    from foretell.serve.store.workspace import Workspace

    for error in (exc.OperationalError("SELECT secret", {}, OSError("gone")), exc.TimeoutError("QueuePool secret")):

        def broken(*_: object, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(Workspace, "projects", broken)
        reply = client.get("/api/v1/projects")
        assert reply.status == 503
        assert "secret" not in reply.text


# ------------------------------------------------------------------------------------------------- pages and forms


def test_the_workspace_works_without_javascript(browser: tuple[Client, str]) -> None:
    client, csrf = browser
    page = client.get("/", **PAGE).text
    assert "void triad" in page
    assert '<option value="zen4" selected>' in page
    for question in ("annotate", "rank", "sizes", "why"):
        reply = client.submit("/", {**FIELDS, "csrf": csrf, "question": question})
        assert reply.status == 200, (question, reply.text)
        assert 'class="headline"' in reply.text
    compared = client.submit(
        "/", {**FIELDS, "csrf": csrf, "question": "check", "base": TRIAD.replace("b[i] +", "b[i] /")}
    )
    assert "faster" in compared.text
    wrong = client.submit("/", {**FIELDS, "csrf": csrf, "parameters": "n"})
    assert wrong.status == 422
    assert "write NAME=VALUE" in wrong.text


def test_live_answers_have_fragment_lines_and_diagnostics(browser: tuple[Client, str]) -> None:
    client, csrf = browser
    told = {"x_csrf_token": csrf, "x_stream": "tab"}
    shown = client.post("/live/annotate", {**ASKED, "guess": True, "parameters": {}}, **told).json()
    assert shown["html"].startswith("<article>")
    assert any("n = 1000 is assumed" in note["message"] for note in shown["diagnostics"])
    failed = client.post("/live/annotate", {**ASKED, "code": {"name": "a.c", "text": "void f( {"}}, **told)
    assert failed.status == 422
    assert failed.json()["diagnostics"][0]["severity"] == "error"
    advice = client.post("/live/advise", {**ASKED, "parameters": {"n": 100000}}, **told).json()
    assert 'data-change="0"' in advice["html"]
    ranked = client.post("/live/rank", ASKED, **told).json()
    assert len(ranked["answer"]["predictions"]) > 10


def test_pages_of_machines_projects_and_jobs(browser: tuple[Client, str]) -> None:
    client, csrf = browser
    assert "EPYC 9654" in client.get("/machines", **PAGE).text
    assert "memory.bandwidth" in client.get("/machines/zen4", **PAGE).text
    assert client.get("/machines/none", **PAGE).status == 422
    assert client.submit("/projects", {"name": "mine", "csrf": csrf}).header("location") == "/projects/mine"
    assert "mine" in client.get("/projects", **PAGE).text
    parts = multipart({"csrf": csrf, "kind": "machine"}, "m.toml", b"name = 1")
    uploaded = client.request("POST", "/projects/mine", parts[0], {"content-type": parts[1], **PAGE})
    assert uploaded.status == 303, uploaded.text
    assert "m.toml" in client.get("/projects/mine", **PAGE).text
    assert client.submit("/projects/mine", {"csrf": csrf, "kind": "code"}).status == 422
    fields = {"question": "tune", "code": "example:hotspot.c", "machine": "sw26010", "parameters": "n=64 m=64"}
    begun = client.submit("/jobs", {**fields, "csrf": csrf, "budget": "x", "strategy": ""})
    assert begun.status == 303, begun.text
    job = begun.header("location")
    assert client.submit(job, {"csrf": csrf}).status == 303
    assert client.get(job, **PAGE).status == 200
    assert job.removeprefix("/jobs/") in client.get("/jobs", **PAGE).text
    assert client.submit("/jobs", {"question": "no", "code": "x", "csrf": csrf}).status == 422


def test_a_page_has_the_chosen_theme_from_the_start(browser: tuple[Client, str]) -> None:
    client, _ = browser
    for theme, expected in (("dark", 1), ("light", 1), ('"><b>', 0)):
        page = client.get("/machines", cookie=f"{client.cookie}; foretell-theme={theme}", **PAGE).text
        assert page.count(f'<body class="foretell" data-theme="{theme}">') == expected
        assert page.count("<body") == 1


def test_a_form_becomes_a_question() -> None:
    asked = question_of(
        {**FIELDS, "language": "cuda", "grid": "4", "args": "f32[8]\n\n 3 ", "set": "memory.bandwidth=64GB/s",
         "machine_file": "name = 1", "base": "x"}
    )  # fmt: skip
    assert asked["code"]["name"] == "code.cu"
    assert asked["base"] == {"name": "code.cu", "text": "x"}
    assert asked["on"] == {"name": "machine.toml", "text": "name = 1"}
    assert asked["args"] == ["f32[8]", "3"]
    assert asked["set"] == {"memory.bandwidth": "64GB/s"}
    assert asked["parameters"] == {"n": 1000}


def test_fragments_name_lines_and_refusals() -> None:
    assert fragments.error_diagnostics({"message": "a.c:7: no"})[0]["line"] == 7
    assert fragments.error_diagnostics({"message": "no", "line": 3})[0]["line"] == 3
    assert fragments.pairs("x=1.5, y=2 z=a") == {"x": 1.5, "y": 2, "z": "a"}
    assert "damaged" in fragments.answer("predict", {"schema_version": 1, "time_s": 1, "bounds": 3, "parts": 3})
    hostile = {"headline": "<script>", "changes": [], "refused_changes": [
        {"line": 1, "title": "<i>", "reason": "\"'"}]}  # fmt: skip
    shown = fragments.answer("advise", hostile)
    assert "<script>" not in shown
    assert "<i>" not in shown
    assert "no change makes it faster" in shown


# ------------------------------------------------------------------------------------------------- coding agents


def rpc(client: Client, method: str, **given: Any) -> dict[str, Any]:
    reply = client.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": given})
    document: dict[str, Any] = reply.json()
    assert (document["jsonrpc"], document["id"]) == ("2.0", 1)
    return document


def test_agents_ask_by_the_model_context_protocol(client: Client) -> None:
    begun = rpc(client, "initialize", protocolVersion="2025-03-26")["result"]
    assert begun["protocolVersion"] == "2025-03-26"
    assert rpc(client, "initialize", protocolVersion="1")["result"]["protocolVersion"] == "2025-06-18"
    assert client.post("/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 202
    assert rpc(client, "ping")["result"] == {}
    assert {tool["name"] for tool in rpc(client, "tools/list")["result"]["tools"]} == {
        "predict", "why", "advise", "rank", "check",
    }  # fmt: skip
    called = rpc(client, "tools/call", name="predict", arguments=ASKED)["result"]
    assert called["structuredContent"]["time_s"] > 0
    assert called["content"][0]["text"].startswith("triad on zen4: ")
    base = {"name": "triad.c", "text": TRIAD.replace("b[i] +", "b[i] /")}
    compared = rpc(client, "tools/call", name="check", arguments={**ASKED, "base": base})["result"]
    assert "1 faster" in compared["content"][0]["text"]
    wrong = rpc(client, "tools/call", name="predict", arguments={"code": {"name": "/etc/passwd", "text": ""}})["result"]
    assert wrong["isError"]
    assert mcp.summary({"predictions": [], "refused": []}) == "nothing can be predicted"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"id": 1}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "x"}, -32601),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rm"}}, -32602),
    ],
)
def test_wrong_messages_have_codes(client: Client, message: dict[str, Any], code: int) -> None:
    assert client.post("/mcp", message).json()["error"]["code"] == code
    assert client.get("/mcp").status == 405
