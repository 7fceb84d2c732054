"""`foretell serve` as a user starts it, and its other commands."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from typing import TYPE_CHECKING
from unittest import mock

import pytest

from foretell.serve import server
from foretell.serve.web.settings import Settings
from tests.support import cli
from tests.support.serve.web import ASKED

if TYPE_CHECKING:
    from pathlib import Path


def test_a_started_server_answers_and_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "foretell", "serve", "--port", "0", "--folder", str(tmp_path), "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        link = re.search(r"(http://127\.0\.0\.1:\d+/)\?token=(\S+)", process.stdout.readline())
        assert link is not None
        asked = urllib.request.Request(
            f"{link[1]}api/v1/predict", json.dumps(ASKED).encode(), {"Authorization": f"Bearer {link[2]}"}
        )
        with urllib.request.urlopen(asked, timeout=60) as reply:
            assert json.load(reply)["time_s"] > 0
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(f"{link[1]}api/v1/machines", timeout=60)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
    assert link[2] not in said
    assert "Traceback" not in said


def test_what_the_server_is_told(tmp_path: Path) -> None:
    said: list[str] = []
    with mock.patch("uvicorn.Server") as started:
        server.serve(Settings(port=0, token="secret", folder=tmp_path), said.append)
        server.serve(Settings(host="::1", port=0, folder=tmp_path), said.append)
    assert re.fullmatch(r"foretell serves http://127\.0\.0\.1:\d+/\?token=secret", said[0])
    assert "[::1]" in said[1]
    for call in started.return_value.run.call_args_list:
        (listening,) = call.kwargs["sockets"]
        listening.close()


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with server._socket(Settings(port=0)) as taken:
        port = str(taken.getsockname()[1])
        assert "cannot listen" in cli.refused("serve", "--port", port, "--folder", tmp_path)


def test_a_wrong_store_is_refused_at_the_start(tmp_path: Path) -> None:
    own = ("serve", "--port", "0", "--folder", tmp_path)
    assert "not the URL of a database" in cli.refused(*own, "--store", "nonsense")
    assert "cannot be opened" in cli.refused(*own, "--store", f"sqlite:///{tmp_path}/none/w.sqlite")


def test_a_damaged_store_of_the_user_is_refused_at_the_start(tmp_path: Path) -> None:
    from foretell.serve.store.database import Database

    own = ("serve", "--port", "0", "--folder", tmp_path)
    file = tmp_path / "workspace.sqlite"
    file.write_text("no database, but long enough to be looked at " * 40)
    assert "the store is damaged" in cli.refused(*own)
    file.unlink()
    Database(f"sqlite:///{file}").close()
    whole = file.read_bytes()
    with mock.patch("foretell.serve.server.serve") as served:
        assert cli.run(*own).code == 0
    assert served.call_count == 1
    file.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    assert "the store is damaged" in cli.refused(*own)


def test_missing_packages_are_named(tmp_path: Path) -> None:
    for module in ("uvicorn", "foretell.serve.store.database"):
        with mock.patch.dict(sys.modules, {module: None}):
            users = ("users", "list") if "store" in module else ()
            assert "foretell[web]" in cli.refused("serve", "--port", "0", "--folder", tmp_path, *users, code=1)


def test_accounts_are_added_listed_and_removed(tmp_path: Path) -> None:
    own = ("serve", "--folder", tmp_path)
    refusal = cli.refused(*own, "--host", "0.0.0.0", "--port", "0")
    assert "no accounts" in refusal
    assert cli.run(*own, "users", "add", "ann", "--role", "admin", "--password", "a long password").code == 0
    assert cli.run(*own, "users", "list").out == "ann admin\n"
    assert len(cli.run(*own, "users", "token", "ann").out) > 100
    assert "no user" in cli.refused(*own, "users", "token", "bob")
    assert "10 to 200" in cli.refused(*own, "users", "add", "bob", "--password", "short")
    assert cli.run(*own, "users", "remove", "ann").code == 0
    assert "no user" in cli.refused(*own, "users", "remove", "ann")


def test_a_project_is_exported_and_imported(tmp_path: Path) -> None:
    from foretell.serve.store.database import Database
    from foretell.serve.store.workspace import Workspace

    store = Workspace(Database(f"sqlite:///{tmp_path / 'workspace.sqlite'}"))
    store.add_project("p", "ann")
    store.save("p", "code", "a.c", b"int x;", "ann")
    store.database.close()
    own = ("serve", "--folder", tmp_path)
    assert cli.run(*own, "export", "p", tmp_path / "p.json").code == 0
    assert cli.run(*own, "import", tmp_path / "p.json").out == "p-2\n"
    assert "no project" in cli.refused(*own, "export", "q", tmp_path / "q.json")
    (tmp_path / "bad.json").write_text("{")
    assert "no exported project" in cli.refused(*own, "import", tmp_path / "bad.json")


def test_the_short_words_do_the_same(tmp_path: Path) -> None:
    from foretell.serve.store.database import Database
    from foretell.serve.store.workspace import Workspace

    url = f"sqlite:///{tmp_path / 'w.sqlite'}"
    store = Workspace(Database(url))
    store.add_project("p", "ann")
    store.save("p", "code", "a.c", b"int x;", "ann")
    assert cli.run("export", "p", tmp_path / "p.json", "--store", url).code == 0
    long_form = cli.run("serve", "--store", url, "export", "p", tmp_path / "q.json")
    assert long_form.code == 0
    assert (tmp_path / "p.json").read_bytes() == (tmp_path / "q.json").read_bytes()
    assert cli.run("import", tmp_path / "p.json", "--store", url).out == "p-2\n"
    assert store.item("p-2", "code", "a.c") == b"int x;"
    store.database.close()
    indented = json.dumps(json.loads((tmp_path / "p.json").read_text()), indent=2, sort_keys=True)
    (tmp_path / "p.json").write_text(indented)
    assert cli.run("import", tmp_path / "p.json", "--folder", tmp_path / "other").out == "p\n"
    assert "no project 'q'" in cli.refused("export", "q", tmp_path / "q.json", "--store", url)
    (tmp_path / "cut.json").write_text(indented[:40] + '"foretell-project"')
    assert "cut.json" in cli.refused("import", tmp_path / "cut.json", "--store", url)


def test_what_launches_ranks_is_looked_at_at_the_start(tmp_path: Path) -> None:
    own = ("serve", "--port", "0", "--folder", tmp_path, "--mpi")
    assert "no program nothing-of-this-name" in cli.refused(*own, "nothing-of-this-name -n 3")
    assert "No closing quotation" in cli.refused(*own, "mpiexec '")
    assert "one engine" in cli.refused(*own, "true -n 3", "--dask", "tcp://10.0.0.1:8786")
    with mock.patch("foretell.cli.serve.find_spec", return_value=None):
        assert "foretell[mpi]" in cli.refused(*own, "true -n 3", code=1)
    with mock.patch("foretell.cli.serve.find_spec"), mock.patch("foretell.serve.server.serve") as served:
        assert cli.run(*own, "true -n 3").code == 0
    assert served.call_args.args[0].mpi == ("true", "-n", "3")
