"""Projects, files, answers and users of a workspace, and a project as one file."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa

from foretell.errors import InputError
from foretell.records import record
from foretell.serve.store import passwords
from foretell.serve.store.tables import Blob, Item, Project, Run, Setting, User, storable

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from foretell.serve.store.database import Database

Document = dict[str, Any]
Role = Literal["read", "write", "admin"]
ROLES: tuple[Role, ...] = ("read", "write", "admin")
KINDS = ("code", "machine", "profile", "space")
#: no letters that look alike; 10 of them are 55 bits
_LETTERS = "23456789abcdefghijkmnpqrstuvwxyz"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+@ -]{0,62}")
_FORMAT = "foretell-project"
MOST_ITEM_BYTES = 4 << 20


@record
class KeptRun:
    """A kept answer with its question."""

    id: str
    question: str
    title: str
    asked: Document
    answer: Document
    versions: Document
    author: str
    created: str
    project: str | None


def new_id() -> str:
    """A short id that cannot be guessed."""
    return "".join(secrets.choice(_LETTERS) for _ in range(10))


def canonical(document: Document) -> bytes:
    """The same bytes for equal documents."""
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def versions_of(answer: Document) -> Document:
    """What made an answer: the package, and model, machine and input as the answer names them."""
    prediction = answer.get("prediction", answer)
    names = ("model", "model_version", "mode", "machine_hash", "input_hash")
    return {"foretell": version("foretell"), **{name: prediction[name] for name in names if name in prediction}}


class Workspace:
    """One database, used from any thread."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # ------------------------------------------------------------------------------------------------- settings, users

    def secret(self, name: str) -> bytes:
        """A random key that is made once for the whole workspace."""
        with self.database.read() as session:
            if (row := session.get(Setting, name)) is not None:
                return bytes.fromhex(row.value)
        with self.database.write() as session:
            made = sa.select(Setting.value).where(Setting.name == name)
            if (value := session.scalar(made)) is None:
                value = secrets.token_hex(32)
                session.add(Setting(name=name, value=value))
            return bytes.fromhex(value)

    def set_user(self, name: str, password: str, role: Role) -> None:
        """Adds a user, or changes password and role."""
        _check_name(name, "user")
        if role not in ROLES:
            raise InputError(f"role {role!r}: one of {', '.join(ROLES)}")
        hashed = passwords.hashed(password)
        with self.database.write() as session:
            if (row := session.get(User, name)) is None:
                session.add(User(name=name, password=hashed, role=role, created=datetime.now(UTC)))
            else:
                row.password, row.role = hashed, role

    def remove_user(self, name: str) -> bool:
        with self.database.write() as session:
            done = session.execute(sa.delete(User).where(User.name == name))
            return bool(done.rowcount)  # type: ignore[attr-defined]

    def users(self) -> list[tuple[str, str]]:
        """Names and roles."""
        with self.database.read() as session:
            return [(row.name, row.role) for row in session.scalars(sa.select(User).order_by(User.name))]

    def role_of(self, name: str) -> tuple[str, str] | None:
        """The role of a user, and what changes with his password."""
        with self.database.read() as session:
            row = session.get(User, name)
            return None if row is None else (row.role, row.password[-16:])

    def verified(self, name: str, password: str) -> bool:
        """Whether this is the password; takes as long for unknown users."""
        with self.database.read() as session:
            row = session.get(User, name)
        return passwords.matches(password, row.password if row is not None else passwords.NOBODY) and row is not None

    # ------------------------------------------------------------------------------------------------- answers

    def keep_run(
        self,
        question: str,
        asked: Document,
        answer: Document,
        author: str,
        title: str = "",
        project: str | None = None,
        versions: Document | None = None,
    ) -> str:
        """Keeps an answer for ever; the id is its link. The same answer to the same question has one link. `versions`
        made it, where these are not ours."""
        with self.database.write() as session:
            self._require_project(session, project)
            digests = self._blob(session, canonical(asked)), self._blob(session, canonical(answer))
            same = (Run.question == question, Run.asked == digests[0], Run.answer == digests[1])
            where = Run.project.is_(None) if project is None else Run.project == project
            if (known := session.scalar(sa.select(Run.id).where(*same, where))) is not None:
                return known
            run = Run(
                id=new_id(), project=project, question=question, title=title[:200], asked=digests[0],
                answer=digests[1], versions=versions or versions_of(answer), author=author, created=datetime.now(UTC),
            )  # fmt: skip
            session.add(run)
            return run.id

    def run(self, run: str) -> KeptRun | None:
        """The kept answer behind a link, as it was given; None if there is none."""
        with self.database.read() as session:
            row = session.get(Run, run)
            return None if row is None else self._kept(session, row)

    def runs(self, project: str | None = None, most: int = 50) -> list[Document]:
        """The newest answers of a project, or those without one."""
        where = Run.project.is_(None) if project is None else Run.project == project
        with self.database.read() as session:
            rows = session.scalars(sa.select(Run).where(where).order_by(Run.created.desc(), Run.id).limit(most))
            return [
                {"id": r.id, "question": r.question, "title": r.title, "author": r.author, "created": _iso(r.created)}
                for r in rows
            ]

    def content(self, digest: str) -> bytes | None:
        with self.database.read() as session:
            row = session.get(Blob, digest)
            return None if row is None else row.data

    def put(self, data: bytes) -> str:
        """Keeps a content; returns its digest."""
        with self.database.write() as session:
            return self._blob(session, data)

    # ------------------------------------------------------------------------------------------------- projects

    def add_project(self, name: str, author: str) -> bool:
        """Makes a project; False where there is one of this name."""
        _check_name(name, "project")
        with self.database.write() as session:
            if session.get(Project, name) is not None:
                return False
            session.add(Project(name=name, author=author, created=datetime.now(UTC)))
            return True

    def projects(self) -> list[Document]:
        with self.database.read() as session:
            rows = session.scalars(sa.select(Project).order_by(Project.name))
            return [{"name": row.name, "author": row.author, "created": _iso(row.created)} for row in rows]

    def save(self, project: str, kind: str, name: str, data: bytes, author: str) -> int:
        """Keeps a file as the next version of its name; the same content again is no new version."""
        _check_item(kind, name, data)
        with self.database.write() as session:
            self._require_project(session, project, lock=True)
            where = (Item.project == project, Item.kind == kind, Item.name == name)
            newest = session.scalars(sa.select(Item).where(*where).order_by(Item.version.desc()).limit(1)).first()
            digest = self._blob(session, data)
            if newest is not None and newest.digest == digest:
                return newest.version
            number = 1 if newest is None else newest.version + 1
            session.add(
                Item(
                    project=project, kind=kind, name=name, version=number, digest=digest, author=author,
                    created=datetime.now(UTC),
                )
            )  # fmt: skip
            return number

    def items(self, project: str) -> list[Document]:
        """All versions of all files of a project."""
        with self.database.read() as session:
            rows = session.scalars(
                sa.select(Item).where(Item.project == project).order_by(Item.kind, Item.name, Item.version)
            )
            return [_item(row) for row in rows]

    def machines(self) -> list[tuple[str, str]]:
        """Project and name of every machine file."""
        query = sa.select(Item.project, Item.name).where(Item.kind == "machine").distinct()
        with self.database.read() as session:
            return [(row.project, row.name) for row in session.execute(query.order_by(Item.project, Item.name))]

    def item(self, project: str, kind: str, name: str, number: int | None = None) -> bytes | None:
        """A file: the newest version, or one of them."""
        query = sa.select(Item).where(Item.project == project, Item.kind == kind, Item.name == name)
        query = query.where(Item.version == number) if number is not None else query.order_by(Item.version.desc())
        with self.database.read() as session:
            row = session.scalars(query.limit(1)).first()
            blob = None if row is None else session.get(Blob, row.digest)
            return None if blob is None else blob.data

    # ------------------------------------------------------------------------------------------------- one file

    def exported(self, project: str) -> Document:
        """A project as one document: all versions of its files, and its answers."""
        with self.database.read() as session:
            self._require_project(session, project)
            rows = session.scalars(sa.select(Run).where(Run.project == project).order_by(Run.created, Run.id)).all()
            runs = [self._kept(session, row) for row in rows]
        files = []
        for entry in self.items(project):
            data = self.item(project, entry["kind"], entry["name"], entry["version"]) or b""
            files.append({**entry, "data": data.hex()})
        kept = [{name: getattr(run, name) for name in _OF_RUN} for run in runs]
        return {"format": _FORMAT, "version": 1, "project": project, "files": files, "runs": kept}

    def imported(self, document: object, author: str) -> str:
        """Makes a project of an exported document, under its name or the next free one."""
        wanted, files, runs = _of_export(document)
        name, number = wanted, 1
        while not self.add_project(name, author):
            number += 1
            name = f"{wanted[:50]}-{number}"
        for file in files:
            self.save(name, *file)
        for question, asked, answer, by, title, versions in runs:
            self.keep_run(question, asked, answer, by, title, name, versions)
        return name

    # ------------------------------------------------------------------------------------------------- parts

    def _blob(self, session: Session, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        known = session.scalar(sa.select(Blob.digest).where(Blob.digest == digest))
        if known is None:
            values = {"digest": digest, "data": data, "created": datetime.now(UTC)}
            session.execute(self._insert()(Blob).values(**values).on_conflict_do_nothing(index_elements=["digest"]))
        return digest

    def _insert(self) -> Any:
        from sqlalchemy.dialects import postgresql, sqlite

        return sqlite.insert if self.database.is_sqlite else postgresql.insert

    def _require_project(self, session: Session, project: str | None, lock: bool = False) -> None:
        """Refuses unknown projects; `lock` lets one writer at a time number the versions."""
        if project is None:
            return
        query = sa.select(Project).where(Project.name == project)
        if session.scalars(query.with_for_update() if lock else query).first() is None:
            raise InputError(f"no project {project!r}")

    def _kept(self, session: Session, row: Run) -> KeptRun:
        asked, answer = (session.get_one(Blob, digest).data for digest in (row.asked, row.answer))
        return KeptRun(
            row.id, row.question, row.title, json.loads(asked), json.loads(answer), dict(row.versions), row.author,
            _iso(row.created), row.project,
        )  # fmt: skip


_OF_RUN = ("question", "title", "asked", "answer", "versions", "author", "created")


def _check_name(name: str, what: str) -> None:
    if not _NAME.fullmatch(name):
        raise InputError(f"{what} name {name[:40]!r}: letters, digits, and _ . + @ - up to 63 characters")


def _check_item(kind: str, name: str, data: bytes) -> None:
    _check_name(name, "file")
    if kind not in KINDS:
        raise InputError(f"kind {kind!r}: one of {', '.join(KINDS)}")
    if len(data) > MOST_ITEM_BYTES:
        raise InputError(f"{len(data)} bytes, more than {MOST_ITEM_BYTES}")


def _of_export(document: object) -> tuple[str, list[Any], list[Any]]:
    """Name, files and answers of an exported project: all is checked before the first of them is kept."""
    if not isinstance(document, dict) or document.get("format") != _FORMAT or document.get("version") != 1:
        raise InputError("is no exported project", hint="foretell export PROJECT FILE writes one")
    try:
        name = str(document["project"])
        files = [_exported_file(entry) for entry in document["files"]]
        runs = [_exported_run(entry) for entry in document["runs"]]
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"is a damaged project: {type(error).__name__}: {error}") from None
    _check_name(name, "project")
    return name, files, runs


def _exported_file(entry: Document) -> tuple[str, str, bytes, str]:
    kind, name, data = str(entry["kind"]), str(entry["name"]), bytes.fromhex(entry["data"])
    _check_item(kind, name, data)
    return kind, name, data, storable(str(entry["author"])[:64])


def _exported_run(entry: Document) -> tuple[str, Document, Document, str, str, Document]:
    texts = [storable(str(entry[name])) for name in ("question", "author", "title")]
    asked, answer, versions = (dict(entry[name]) for name in ("asked", "answer", "versions"))
    return texts[0][:20], asked, answer, texts[1][:64], texts[2][:200], versions


def _item(row: Item) -> Document:
    return {
        "kind": row.kind, "name": row.name, "version": row.version, "digest": row.digest, "author": row.author,
        "created": _iso(row.created),
    }  # fmt: skip


def _iso(moment: datetime) -> str:
    return moment.isoformat()
