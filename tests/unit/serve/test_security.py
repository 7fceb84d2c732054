"""Attacks, each as a test: other sites, other hosts, too much, guessing, other people's roles, markup."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest

from foretell.errors import InputError, ToolError
from foretell.serve.server import secured
from foretell.serve.web.app import create_app
from foretell.serve.web.sessions import Buckets, Signer, Visitor
from foretell.serve.web.settings import Settings, data_folder, is_loopback
from tests.support.serve.web import ASKED, TOKEN, Client, csrf_of, local

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGE = {"accept": "text/html"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with Client(local(tmp_path)) as opened:
        yield opened


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Client]:
    with Client(Settings(host="0.0.0.0", names=("perf.example",), folder=tmp_path, rate=1e6, burst=1e6)) as opened:
        for name, role in (("reader", "read"), ("writer", "write")):
            opened.call(opened.site.stored(lambda store, n=name, r=role: store.set_user(n, f"{n}-password", r)))
        yield opened


def test_nobody_comes_in_without_the_token(client: Client) -> None:
    assert client.get("/api/v1/machines").status == 401
    assert client.get("/api/v1/machines", authorization="Bearer wrong").status == 401
    assert client.get("/", **PAGE).header("location") == "/login"
    assert client.get("/?token=wrong", **PAGE).header("location") == "/login"
    assert client.cookie == ""
    assert client.get("/api/v1/machines", authorization=f"Bearer {TOKEN}").status == 200
    assert "link that" in client.get("/login", **PAGE).text


def test_the_session_cookie_cannot_be_read_by_scripts_or_sent_by_other_sites(client: Client) -> None:
    reply = client.get(f"/?token={TOKEN}", **PAGE)
    cookie = reply.header("set-cookie").lower()
    assert reply.header("location") == "/"
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert TOKEN.lower() not in cookie
    assert client.get("/", **PAGE).status == 200
    client.cookie = client.cookie[:-1] + ("0" if client.cookie[-1] != "0" else "1")
    assert client.get("/api/v1/machines").status == 401
    client.cookie = "foretell_session=;;\x01="
    assert client.get("/api/v1/machines").status == 401


def test_requests_of_other_sites_are_refused(client: Client) -> None:
    csrf = client.enter()
    assert client.post("/api/v1/predict", ASKED).status == 403
    assert client.post("/api/v1/predict", ASKED, x_csrf_token="wrong").status == 403
    right = {"x_csrf_token": csrf}
    assert client.post("/api/v1/predict", ASKED, **right).status == 200
    assert client.post("/api/v1/predict", ASKED, **right, origin="https://evil.example").status == 403
    assert client.post("/api/v1/predict", ASKED, **right, sec_fetch_site="cross-site").status == 403
    assert client.submit("/projects", {"name": "x"}).status == 403
    assert client.submit("/", {"csrf": "wrong"}).status == 403
    assert client.submit("/logout", {"csrf": csrf}).header("location") == "/login"


def test_other_host_names_are_refused(client: Client) -> None:
    for host in ("evil.example", "evil.example:8137", "127.0.0.1:1", "", "localhost.evil.example:8137"):
        assert client.get("/healthy", host=host).status == 421
    assert client.get("/healthy", host="localhost:8137").status == 200


def test_answers_forbid_scripts_frames_and_sniffing(client: Client) -> None:
    client.enter()
    reply = client.get("/", **PAGE)
    policy = reply.header("content-security-policy")
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert reply.header("x-content-type-options") == "nosniff"
    assert reply.header("cache-control") == "no-store"
    for mark in ("<script>", "onclick", "onload", 'style="', "javascript:"):
        assert mark not in reply.text
    assert client.get("/", **PAGE).header("content-security-policy") != policy


def test_behind_https_cookies_and_pages_stay_there(tmp_path: Path) -> None:
    with Client(local(tmp_path, https=True)) as client:
        assert "secure" in client.get(f"/?token={TOKEN}", **PAGE).header("set-cookie").lower()
        reply = client.get("/nothing", **PAGE)
        assert (reply.status, "This did not work" in reply.text) == (404, True)
        assert "max-age" in reply.header("strict-transport-security")
        assert "--heat" in client.get("/static/page.css").text
        client.cookie = 'foretell_session="\\'
        assert client.get("/api/v1/machines").status == 401


def test_workers_and_jobs_start_and_end_with_the_server(tmp_path: Path) -> None:
    app, site = create_app(local(tmp_path))
    messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])
    sent: list[str] = []

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message["type"])

    async def run() -> None:
        with mock.patch.object(site, "start") as start, mock.patch.object(site, "stop") as stop:
            await app({"type": "lifespan", "app": app, "state": {}}, receive, send)  # type: ignore[arg-type]
        start.assert_awaited_once()
        stop.assert_awaited_once()

    asyncio.run(run())
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


def test_bodies_and_rates_have_limits(tmp_path: Path) -> None:
    with Client(local(tmp_path, body_bytes=1000, rate=0.001, burst=8)) as client:
        client.headers["authorization"] = f"Bearer {TOKEN}"
        assert client.request("POST", "/api/v1/predict", b"x" * 1001).status == 413
        for length in ("1e9", "-1"):
            assert client.request("POST", "/api/v1/predict", b"{}", {"content-length": length}).status == 413
        unsaid = client.request("POST", "/api/v1/predict", b"x" * 1001, {"content-length": "0"})
        assert unsaid.status == 413
        statuses = [client.get("/healthy").status for _ in range(12)]
        assert statuses[0] == 200
        last = client.get("/healthy")
        assert last.status == 429
        assert int(last.header("retry-after")) >= 1


def test_hostile_names_and_sources_are_escaped(client: Client) -> None:
    csrf = client.enter()
    evil = '"><script>alert(1)</script>'
    document = {**ASKED, "code": {"name": "a.c", "text": f"// {evil}\n{ASKED['code']['text']}"}}
    run = client.post("/api/v1/runs", {"question": "annotate", "document": document, "title": evil}, x_csrf_token=csrf)
    for page in (client.get(run.json()["link"], **PAGE).text, client.get("/projects", **PAGE).text):
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page
    shown = client.submit("/", {"csrf": csrf, "language": evil, "code": evil, "function": evil, "machine": "zen4"})
    assert "<script>alert" not in shown.text


def test_files_of_the_host_are_no_codes_machines_or_static_files(client: Client) -> None:
    client.headers["authorization"] = f"Bearer {TOKEN}"
    for path in ("/static/../guard.py", "/static/%2e%2e/guard.py", "/static/..%2fguard.py", "/static//etc/passwd"):
        assert client.get(path).status in (404, 405), path
    attacks: list[dict[str, Any]] = [
        {"code": {"name": "../../etc/passwd", "text": ""}}, {"code": {"example": "../../../etc/passwd"}},
        {"on": "/etc/passwd"}, {"args": ["f32[8]@/etc/passwd"]}, {"cflags": "-include /etc/passwd"},
    ]  # fmt: skip
    for changed in attacks:
        reply = client.post("/api/v1/predict", {**ASKED, **changed})
        assert reply.status == 422
        assert "root:" not in reply.text


def test_members_of_an_imported_project_cannot_leave_it(client: Client, tmp_path: Path) -> None:
    client.headers["authorization"] = f"Bearer {TOKEN}"
    good = {"kind": "code", "name": "a.c", "data": b"int x;".hex(), "author": "ann"}
    for wrong in ({"name": "../../evil.c"}, {"name": "/etc/cron.d/evil"}, {"name": "a/../../b.c"}, {"name": ""},
                  {"kind": "../machine"}, {"kind": "user"}, {"data": "zz"}, {"data": "00" * (5 << 20)},
                  {"name": "x" * 300}, {"name": "a\0b"}):  # fmt: skip
        document = {
            "format": "foretell-project",
            "version": 1,
            "project": "p",
            "files": [{**good, **wrong}],
            "runs": [],
        }
        reply = client.post("/api/v1/import", document)
        assert reply.status in (413, 422), wrong
    for project in ("../p", "/etc", ""):
        document = {"format": "foretell-project", "version": 1, "project": project, "files": [good], "runs": []}
        assert client.post("/api/v1/import", document).status == 422
    assert not list(tmp_path.rglob("*evil*"))


def test_uploads_have_a_limit(client: Client) -> None:
    client.headers["authorization"] = f"Bearer {TOKEN}"
    client.post("/api/v1/projects", {"name": "p"})
    assert client.request("PUT", "/api/v1/projects/p/code/a.c", b"x" * ((4 << 20) + 1)).status == 422
    assert client.request("PUT", "/api/v1/projects/p/code/a.c", b"x" * (9 << 20)).status == 413
    assert client.request("PUT", "/api/v1/projects/p/code/a.c", b"x").status == 200


def test_links_of_the_file_system_are_not_followed(client: Client) -> None:
    """Neither below the static files, nor where workers write the codes of clients."""
    from foretell.serve.web import app

    client.headers["authorization"] = f"Bearer {TOKEN}"
    link = app._STATIC / "linked.txt"
    link.symlink_to("/etc/passwd")
    try:
        reply = client.get("/static/linked.txt")
    finally:
        link.unlink()
    assert reply.status == 404
    assert "root:" not in reply.text


def test_secrets_are_in_no_message(team: Client, capfd: pytest.CaptureFixture[str]) -> None:
    """Passwords, tokens and the URL of the store: neither in answers nor in what the server writes."""
    from foretell.serve.store.database import Database

    assert log_in(team, "reader", "a-wrong-password") == 403
    assert log_in(team, "writer") == 303
    session = team.cookie
    csrf = csrf_of(team.get("/login", **PAGE).text)
    team.post("/api/v1/projects", {"name": "../x"}, x_csrf_token=csrf)
    team.post("/api/v1/predict", {"code": 3}, x_csrf_token=csrf)
    with pytest.raises((InputError, ToolError)) as caught:  # without the driver the package is named
        Database("postgresql+pg8000://ann:a-password-of-the-store@127.0.0.1:1/x")
    written = capfd.readouterr()
    for secret in ("a-wrong-password", "writer-password", session.partition("=")[2], "a-password-of-the-store", csrf):
        assert secret not in written.out + written.err + str(caught.value)


def test_an_internal_error_says_nothing_to_the_client(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    client.headers["authorization"] = f"Bearer {TOKEN}"

    async def broken(*_: Any, **__: Any) -> None:
        raise KeyError("a secret of the server")

    client.site.pool.ask = broken  # type: ignore[method-assign, assignment]
    try:
        reply = client.post("/api/v1/predict", ASKED)
    except KeyError:  # the server's own middleware raises again for its log
        reply = None
    assert reply is None or (reply.status == 500 and "secret" not in reply.text)
    said = capsys.readouterr().err
    assert "internal error" in said
    assert TOKEN not in said


# ------------------------------------------------------------------------------------------------- accounts


def log_in(team: Client, name: str, password: str = "") -> int:
    team.cookie = ""
    team.headers["host"] = "perf.example"
    given = {"name": name, "password": password or f"{name}-password"}
    return team.submit("/login", given).status


def test_accounts_have_passwords_and_roles(team: Client) -> None:
    assert log_in(team, "reader", "wrong-password") == 403
    assert log_in(team, "nobody") == 403
    assert log_in(team, "reader") == 303
    csrf = csrf_of(team.get("/login", **PAGE).text)
    assert team.post("/api/v1/predict", ASKED, x_csrf_token=csrf).status == 200
    for path, body in (("/api/v1/projects", {"name": "x"}), ("/api/v1/jobs", {}), ("/api/v1/runs", {})):
        reply = team.post(path, body, x_csrf_token=csrf)
        assert (reply.status, reply.json()["error"]["kind"]) == (403, "refused")
    assert log_in(team, "writer") == 303
    csrf = csrf_of(team.get("/login", **PAGE).text)
    assert team.post("/api/v1/projects", {"name": "x"}, x_csrf_token=csrf).status == 201


def test_programs_ask_with_a_token_of_a_user(team: Client) -> None:
    role = team.call(team.site.role_of("reader"))
    token = team.call(team.site.signer()).cookie("reader", role[1], 60)
    asked = {"authorization": f"Bearer {token}", "host": "perf.example"}
    assert team.post("/api/v1/predict", ASKED, **asked).status == 200
    assert team.post("/api/v1/projects", {"name": "x"}, **asked).status == 403
    assert team.post("/api/v1/predict", ASKED, **{**asked, "authorization": f"Bearer {token}0"}).status == 401
    team.call(team.site.stored(lambda store: store.set_user("reader", "another-password", "read")))
    assert team.post("/api/v1/predict", ASKED, **asked).status == 401


def test_a_team_is_not_served_where_workers_see_the_host(team: Client) -> None:
    log_in(team, "writer")
    csrf = csrf_of(team.get("/login", **PAGE).text)
    team.site.pool.confined = False
    jobs = {"question": "tune", "document": ASKED}
    for path, body in (("/api/v1/predict", ASKED), ("/api/v1/jobs", jobs)):
        reply = team.post(path, body, x_csrf_token=csrf)
        assert (reply.status, "Landlock" in reply.text) == (403, True)


def test_a_new_password_or_a_removed_account_ends_sessions(team: Client) -> None:
    log_in(team, "writer")
    assert team.get("/api/v1/machines").status == 200
    team.call(team.site.stored(lambda store: store.set_user("writer", "another-password", "write")))
    assert team.get("/api/v1/machines").status == 401
    assert log_in(team, "writer", "another-password") == 303
    team.call(team.site.stored(lambda store: store.remove_user("writer")))
    assert team.get("/api/v1/machines").status == 401
    assert team.get("/api/v1/machines", authorization="Bearer ").status == 401


def test_passwords_cannot_be_guessed_quickly(team: Client) -> None:
    statuses = [log_in(team, "reader", f"guess-{number:06}") for number in range(8)]
    assert statuses[-1] == 429


def test_a_proxy_says_who_asks(tmp_path: Path) -> None:
    with Client(Settings(trusted_header="X-User", folder=tmp_path)) as client:
        client.call(client.site.stored(lambda store: store.set_user("ann", "some password", "read")))
        assert client.get("/api/v1/machines").status == 401
        assert client.get("/api/v1/machines", x_user="ann").status == 200
        assert client.get("/api/v1/machines", x_user="bob").status == 401
        client.address = "10.0.0.7"  # not the proxy: anybody could write the header
        assert client.get("/api/v1/machines", x_user="ann").status == 401


def test_other_proxies_are_named(tmp_path: Path) -> None:
    with Client(Settings(trusted_header="X-User", proxies=("10.0.0.7",), folder=tmp_path)) as client:
        client.call(client.site.stored(lambda store: store.set_user("ann", "some password", "read")))
        assert client.get("/api/v1/machines", x_user="ann").status == 401
        client.address = "10.0.0.7"
        assert client.get("/api/v1/machines", x_user="ann").status == 200


def test_other_addresses_need_accounts(tmp_path: Path) -> None:
    local_one = secured(Settings(folder=tmp_path), lambda: 0)
    assert len(local_one.token) >= 32
    with pytest.raises(InputError, match="no accounts"):
        secured(Settings(host="0.0.0.0", folder=tmp_path), lambda: 0)
    assert secured(Settings(host="0.0.0.0", token="x", folder=tmp_path), lambda: 1).token == ""
    assert secured(Settings(trusted_header="X-User", folder=tmp_path), lambda: 0).token == ""
    assert [is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "x.example")] == [
        True, True, True, False, False,
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------- parts


def test_cookies_expire_and_are_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    signer = Signer(b"k" * 32)
    cookie = signer.cookie("ann", "stamp")
    opened = signer.opened(cookie)
    assert opened is not None
    assert opened["name"] == "ann"
    assert Signer(b"x" * 32).opened(cookie) is None
    assert signer.opened("") is None
    broken = "!!!"
    assert signer.opened(f"{broken}.{signer._signature(broken)}") is None
    monkeypatch.setattr("time.time", lambda: 4e9)
    assert signer.opened(cookie) is None
    assert signer.csrf("a") != signer.csrf("b")


def test_buckets_fill_again_and_do_not_grow_without_end() -> None:
    buckets = Buckets(1.0, 2.0, most=3)
    assert [buckets.take("a", now) for now in (0.0, 0.0)] == [0.0, 0.0]
    assert buckets.take("a", 0.0) == pytest.approx(1.0)
    assert buckets.take("a", 1.0) == 0.0
    for name in "bcde":
        buckets.take(name, 1.0)
    assert len(buckets._level) <= 3


def test_roles_include_lower_ones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert Visitor("x", "admin", True).may("read")
    assert not Visitor("x", "read", True).may("write")
    assert not Visitor("x", "none", True).may("read")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "foretell"
    assert json.dumps(sorted(Settings(host="0.0.0.0", names=("a:1",), port=5).hosts))
