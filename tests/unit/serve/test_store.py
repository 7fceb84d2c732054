"""The store: contents by hash, answers that stay, a queue that loses nothing; on SQLite, and on PostgreSQL where its
programs are found."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from foretell.errors import InputError, ToolError
from foretell.serve.store import passwords, queue
from foretell.serve.store.database import NEWEST, Database, migrate
from foretell.serve.store.queue import Queue
from foretell.serve.store.tables import Base, Run
from foretell.serve.store.workspace import Workspace, new_id
from tests.support.serve import postgres as postgresql

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL that this test starts."""
    pytest.importorskip("pg8000")
    if postgresql.programs() is None:
        pytest.skip("needs PostgreSQL's initdb")
    with postgresql.Postgres() as database:
        yield database.url


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'w.sqlite'}"
    else:
        url = request.getfixturevalue("postgres")
        engine = sa.create_engine(url)
        with engine.begin() as connection:
            connection.execute(sa.text("DROP SCHEMA public CASCADE"))
            connection.execute(sa.text("CREATE SCHEMA public"))
        engine.dispose()
    database = Database(url)
    yield Workspace(database)
    database.close()


ASKED, ANSWER = {"on": "zen4", "n": 1}, {"time_s": 1.5, "model": "cpu", "model_version": 2, "machine_hash": "sha256:x"}


def test_an_answer_is_kept_with_what_made_it_and_has_one_link(store: Workspace) -> None:
    run = store.keep_run("predict", ASKED, ANSWER, "ann", "a title")
    kept = store.run(run)
    assert kept is not None
    assert (kept.asked, kept.answer, kept.title, kept.author) == (ASKED, ANSWER, "a title", "ann")
    assert kept.versions["model_version"] == 2
    assert kept.versions["machine_hash"] == "sha256:x"
    assert store.keep_run("predict", dict(reversed(ASKED.items())), ANSWER, "bob") == run
    assert store.keep_run("predict", ASKED, {**ANSWER, "time_s": 2.0}, "ann") != run
    assert [entry["id"] for entry in store.runs()][-1] == run
    assert store.run("nothing") is None


def test_files_have_versions_and_equal_contents_are_kept_once(store: Workspace) -> None:
    assert store.add_project("p", "ann")
    assert not store.add_project("p", "bob")
    assert [store.save("p", "code", "a.c", data, "ann") for data in (b"1", b"1", b"2", b"1")] == [1, 1, 2, 3]
    assert store.item("p", "code", "a.c") == b"1"
    assert store.item("p", "code", "a.c", 2) == b"2"
    assert store.item("p", "code", "b.c") is None
    assert [entry["version"] for entry in store.items("p")] == [1, 2, 3]
    assert store.content(store.items("p")[1]["digest"]) == b"2"
    assert [entry["name"] for entry in store.projects()] == ["p"]


def test_machines_of_all_projects_are_listed_once(store: Workspace) -> None:
    for project in ("p", "q"):
        store.add_project(project, "ann")
        for data in (b"1", b"2"):
            store.save(project, "machine", "m.toml", data, "ann")
    store.save("p", "code", "a.c", b"", "ann")
    assert store.machines() == [("p", "m.toml"), ("q", "m.toml")]


def test_a_project_goes_through_one_file(store: Workspace) -> None:
    store.add_project("p", "ann")
    store.save("p", "machine", "m.toml", b"\x00\xff", "ann")
    store.keep_run("predict", ASKED, ANSWER, "ann", "t", "p")
    name = store.imported(store.exported("p"), "bob")
    assert name == "p-2"
    assert store.item(name, "machine", "m.toml") == b"\x00\xff"
    (entry,) = store.runs(name)
    kept = store.run(entry["id"])
    assert kept is not None
    assert kept.answer == ANSWER


def test_an_imported_answer_names_what_made_it_not_who_imported_it(store: Workspace) -> None:
    store.add_project("p", "ann")
    store.keep_run("predict", ASKED, ANSWER, "ann", "t", "p")
    document = store.exported("p")
    document["runs"][0]["versions"]["foretell"] = "0.0.1"
    (entry,) = store.runs(store.imported(document, "bob"))
    kept = store.run(entry["id"])
    assert kept is not None
    assert kept.versions == {**document["runs"][0]["versions"], "foretell": "0.0.1"}


def test_a_damaged_export_leaves_no_half_project(store: Workspace) -> None:
    store.add_project("p", "ann")
    store.save("p", "code", "a.c", b"1", "ann")
    store.keep_run("predict", ASKED, ANSWER, "ann", "t", "p")
    whole = store.exported("p")
    (file,), (run,) = whole["files"], whole["runs"]
    for damaged in (None, {}, {**whole, "files": [file, {}]}, {**whole, "runs": [{"asked": 3}]}, {**whole, "files": 3},
                    {**whole, "project": "../x"}, {**whole, "files": [file, {**file, "kind": "x"}]},
                    {**whole, "runs": [run, {**run, "title": "a\0b"}]}):  # fmt: skip
        with pytest.raises(InputError):
            store.imported(damaged, "bob")
        assert [entry["name"] for entry in store.projects()] == ["p"]


@pytest.mark.parametrize("name", ["a\0b", "\0", "\ud800"])
def test_every_store_refuses_names_that_cannot_be_kept(store: Workspace, name: str) -> None:
    """PostgreSQL would fail for NUL, and both would for half a surrogate pair: no text reaches them unchecked."""
    queue, digest = Queue(store.database, "s1"), store.put(b"{}")
    store.add_project("p", "ann")
    calls = (
        lambda: store.run(name), lambda: store.runs(name), lambda: store.items(name), lambda: store.exported(name),
        lambda: store.item("p", name, "a.c"), lambda: store.item("p", "code", name), lambda: store.content(name),
        lambda: store.role_of(name), lambda: store.verified(name, "correct horse"), lambda: store.remove_user(name),
        lambda: store.keep_run("predict", ASKED, ANSWER, name), lambda: store.secret(name),
        lambda: store.keep_run("predict", ASKED, ANSWER, "ann", name),
        lambda: store.keep_run("predict", ASKED, ANSWER, "ann", "", name), lambda: store.add_project("q", name),
        lambda: queue.get(name), lambda: queue.cancel(name), lambda: queue.add(new_id(), "tune", digest, "ann", name),
    )  # fmt: skip
    for call in calls:
        with pytest.raises(InputError, match="characters that no name has"):
            call()
    assert store.runs() == []
    assert queue.list() == []


def test_wrong_names_kinds_and_sizes_are_refused(store: Workspace) -> None:
    store.add_project("p", "ann")
    for name in ("", "../x", "a/b", "<b>", "x" * 80):
        with pytest.raises(InputError):
            store.add_project(name, "ann")
    for kind, name, data in (("x", "a.c", b""), ("code", "../a", b""), ("code", "a.c", b"x" * (5 << 20))):
        with pytest.raises(InputError):
            store.save("p", kind, name, data, "ann")
    for call in (lambda: store.save("q", "code", "a.c", b"", "ann"), lambda: store.exported("q")):
        with pytest.raises(InputError, match="no project"):
            call()


def test_users_have_hashed_passwords_and_roles(store: Workspace) -> None:
    store.set_user("ann", "correct horse", "admin")
    first = store.role_of("ann")
    assert first is not None
    assert first[0] == "admin"
    assert store.verified("ann", "correct horse")
    assert not store.verified("ann", "wrong horse!")
    assert not store.verified("bob", "correct horse")
    store.set_user("ann", "another horse", "read")
    assert store.role_of("ann") not in (None, first)
    assert store.users() == [("ann", "read")]
    with pytest.raises(InputError):
        store.set_user("ann", "correct horse", "king")  # type: ignore[arg-type]
    assert store.remove_user("ann")
    assert not store.remove_user("ann")
    assert store.role_of("ann") is None
    assert store.secret("k") == store.secret("k")


def test_passwords_are_salted_and_long_enough() -> None:
    assert passwords.hashed("correct horse") != passwords.hashed("correct horse")
    assert "correct" not in passwords.hashed("correct horse")
    with pytest.raises(InputError):
        passwords.hashed("short")


def test_concurrent_writers_lose_and_double_nothing(store: Workspace) -> None:
    store.add_project("p", "ann")
    start = threading.Barrier(8)

    def write(worker: int) -> None:
        start.wait()
        for number in range(12):
            store.save("p", "code", "a.c", f"{worker}/{number}".encode(), "ann")
            store.keep_run("predict", {"number": number}, ANSWER, "ann")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(8)))
    assert [entry["version"] for entry in store.items("p")] == list(range(1, 97))
    assert len({entry["digest"] for entry in store.items("p")}) == 96
    with store.database.read() as session:
        kept = session.scalars(sa.select(Run.asked)).all()
    assert len(set(kept)) == 12
    if store.database.is_sqlite:  # one writer at a time; on PostgreSQL two equal answers at once may have two links
        assert len(kept) == 12


def test_writers_of_one_sqlite_take_turns_before_they_take_a_connection(tmp_path: Path) -> None:
    """Else each would hold a connection while it sleeps, and readers would wait for one."""
    database = Database(f"sqlite:///{tmp_path / 'w.sqlite'}")
    store, start, held = Workspace(database), threading.Barrier(10), list[int]()
    sa.event.listen(database.engine, "checkout", lambda *_: held.append(database.engine.pool.checkedout()))

    def write(worker: int) -> None:
        start.wait()
        for number in range(5):
            store.put(f"{worker}/{number}".encode())

    with ThreadPoolExecutor(10) as threads:
        list(threads.map(write, range(10)))
    database.close()
    assert len(held) == 50
    assert max(held) == 1


# ------------------------------------------------------------------------------------------------- the queue


def add(store: Workspace, own: Queue, count: int) -> list[str]:
    digest = store.put(b"{}")
    jobs = [new_id() for _ in range(count)]
    for job in jobs:
        own.add(job, "tune", digest, "ann")
    return jobs


def test_a_job_goes_from_queued_to_done(store: Workspace) -> None:
    own = Queue(store.database, "s1")
    (number,) = add(store, own, 1)
    job = own.claim()
    assert job is not None
    assert (job.id, job.state, job.attempt) == (number, "running", 1)
    assert own.claim() is None
    assert own.beat(job, {"done": 1, "total": 2})
    assert own.get(number).progress == {"done": 1, "total": 2}  # type: ignore[union-attr]
    assert own.finish(job, "run1")
    assert not own.finish(job, "run2")
    assert own.get(number).run == "run1"  # type: ignore[union-attr]
    assert [entry.state for entry in own.list()] == ["done"]
    assert own.get("nothing") is None


def test_a_job_of_a_killed_server_is_taken_over_and_the_late_result_does_not_count(store: Workspace) -> None:
    killed, other = Queue(store.database, "s1"), Queue(store.database, "s2", lost_after_s=-1.0)
    add(store, killed, 1)
    lost = killed.claim()
    taken = other.claim()
    assert lost is not None
    assert taken is not None
    assert (taken.id, taken.attempt) == (lost.id, 2)
    assert not killed.beat(lost)
    assert not killed.finish(lost, "late")
    assert other.finish(taken, "right")


def test_jobs_are_cancelled_released_and_given_up(store: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Queue(store.database, "s1")
    first, second = add(store, own, 2)
    job = own.claim()
    assert job is not None
    assert own.cancel(job.id)
    assert not own.cancel(job.id)
    assert not own.beat(job)
    again = own.claim()
    assert again is not None
    assert {job.id, again.id} == {first, second}
    assert own.retry(again)
    again = own.claim()
    assert again is not None
    assert again.attempt == 2
    assert own.release(again)
    assert own.get(again.id).state == "queued"  # type: ignore[union-attr]
    monkeypatch.setattr(queue, "MOST_ATTEMPTS", 0)
    given_up = own.claim()
    assert given_up is not None
    assert given_up.state == "failed"
    assert "given up" in given_up.error["message"]


def test_many_servers_never_have_the_same_job(store: Workspace) -> None:
    first = Queue(store.database, "s0")
    jobs = add(store, first, 30)
    claimed: list[str] = []

    def drain(server: int) -> None:
        own = Queue(store.database, f"s{server}")
        while (job := own.claim()) is not None:
            claimed.append(job.id)
            assert own.finish(job, None)

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(drain, range(6)))
    assert sorted(claimed) == sorted(jobs)


# ------------------------------------------------------------------------------------------------- tables


def test_migrations_make_the_tables_of_the_models(tmp_path: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    engine = sa.create_engine(f"sqlite:///{tmp_path / 'migrated.sqlite'}")
    migrate(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        assert connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == NEWEST
    engine.dispose()
    reopened = Database(f"sqlite:///{tmp_path / 'migrated.sqlite'}")
    Workspace(reopened).add_project("p", "ann")
    reopened.close()


def test_the_first_migration_makes_every_table(tmp_path: Path) -> None:
    """The same without Alembic's loader, which hides the lines from the measurement of coverage."""
    from importlib import import_module

    from alembic.migration import MigrationContext
    from alembic.operations import Operations

    first = import_module("foretell.serve.store.migrations.versions.0001_first_tables")
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'first.sqlite'}")
    with engine.begin() as connection, Operations.context(MigrationContext.configure(connection)):
        first.upgrade()
    assert set(sa.inspect(engine).get_table_names()) == set(Base.metadata.tables)
    engine.dispose()


def test_an_older_database_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.serve.store import database

    url = f"sqlite:///{tmp_path / 'w.sqlite'}"
    Database(url).close()
    asked: list[object] = []
    monkeypatch.setattr(database, "NEWEST", "9999")
    monkeypatch.setattr(database, "migrate", asked.append)
    Database(url).close()
    assert len(asked) == 1


def test_what_is_no_store_of_ours_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database, but long enough to be looked at " * 40)
    other = sa.create_engine(f"sqlite:///{tmp_path / 'other.sqlite'}")
    with other.begin() as connection:
        connection.execute(sa.text("CREATE TABLE t (x INTEGER)"))
    other.dispose()
    for url in ("nonsense", f"sqlite:///{tmp_path / 'text'}", f"sqlite:///{tmp_path}/none/w.sqlite",
                f"sqlite:///{tmp_path / 'other.sqlite'}"):  # fmt: skip
        with pytest.raises(InputError):
            Database(url)
    with pytest.raises((ToolError, InputError)):
        Database("mysql+nodriver://x@localhost/y")
