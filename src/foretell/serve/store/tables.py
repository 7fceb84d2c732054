"""The tables. Contents are kept once, by their hash; everything else refers to them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    DateTime,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.exc import DontWrapMixin
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from foretell.errors import InputError


class UnstorableError(InputError, DontWrapMixin):
    """A text that no database keeps; SQLAlchemy passes it on as it is."""


def storable(text: str) -> str:
    """The text, if every database keeps it: PostgreSQL has no NUL, and none has half a surrogate pair."""
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise UnstorableError(f"{text[:40]!r} has characters that no name has")
    return text


class Text(TypeDecorator[str]):
    """A short text; what is not storable is refused before a database is asked, so that all of them answer alike."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: object) -> str | None:
        return None if value is None else storable(value)


class Base(DeclarativeBase):
    """All tables."""

    type_annotation_map = {dict[str, Any]: JSON, datetime: DateTime(timezone=True)}  # noqa: RUF012 - SQLAlchemy's way


class Setting(Base):
    """A value of the workspace itself, such as the key that signs sessions."""

    __tablename__ = "settings"
    name: Mapped[str] = mapped_column(Text(40), primary_key=True)
    value: Mapped[str] = mapped_column(Text(400))


class User(Base):
    """Somebody who may log in. `password` is a salted hash (scrypt); role: read, write or admin."""

    __tablename__ = "users"
    name: Mapped[str] = mapped_column(Text(64), primary_key=True)
    password: Mapped[str] = mapped_column(Text(300))
    role: Mapped[str] = mapped_column(Text(10))
    created: Mapped[datetime]


class Blob(Base):
    """A content by its SHA-256: a source, a machine file, a question, an answer."""

    __tablename__ = "blobs"
    digest: Mapped[str] = mapped_column(Text(64), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)
    created: Mapped[datetime]


class Project(Base):
    """A name under which files and answers are kept together."""

    __tablename__ = "projects"
    name: Mapped[str] = mapped_column(Text(64), primary_key=True)
    author: Mapped[str] = mapped_column(Text(64))
    created: Mapped[datetime]


class Item(Base):
    """A file of a project: a code, a machine, a profile, a space. Each saving is a new version."""

    __tablename__ = "items"
    __table_args__ = (UniqueConstraint("project", "kind", "name", "version"),)
    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    project: Mapped[str] = mapped_column(ForeignKey("projects.name"))
    kind: Mapped[str] = mapped_column(Text(10))
    name: Mapped[str] = mapped_column(Text(64))
    version: Mapped[int]
    digest: Mapped[str] = mapped_column(ForeignKey("blobs.digest"))
    author: Mapped[str] = mapped_column(Text(64))
    created: Mapped[datetime]


class Run(Base):
    """An answer that was kept: its question, and the versions that made it. `id` is its short link."""

    __tablename__ = "runs"
    __table_args__ = (Index("runs_by_project", "project", "created"),)
    id: Mapped[str] = mapped_column(Text(16), primary_key=True)
    project: Mapped[str | None] = mapped_column(ForeignKey("projects.name"), nullable=True)
    question: Mapped[str] = mapped_column(Text(20))
    title: Mapped[str] = mapped_column(Text(200))
    asked: Mapped[str] = mapped_column(ForeignKey("blobs.digest"))
    answer: Mapped[str] = mapped_column(ForeignKey("blobs.digest"))
    versions: Mapped[dict[str, Any]]
    author: Mapped[str] = mapped_column(Text(64))
    created: Mapped[datetime]


class JobRow(Base):
    """A long job. `owner` is the server that runs it, `attempt` counts the times it was begun, `beat` is when its owner
    last said that it lives."""

    __tablename__ = "jobs"
    __table_args__ = (Index("jobs_by_state", "state", "created"),)
    id: Mapped[str] = mapped_column(Text(16), primary_key=True)
    project: Mapped[str | None] = mapped_column(ForeignKey("projects.name"), nullable=True)
    question: Mapped[str] = mapped_column(Text(20))
    asked: Mapped[str] = mapped_column(ForeignKey("blobs.digest"))
    state: Mapped[str] = mapped_column(Text(10))
    owner: Mapped[str] = mapped_column(Text(40))
    attempt: Mapped[int]
    beat: Mapped[float] = mapped_column(Double)
    progress: Mapped[dict[str, Any]]
    error: Mapped[dict[str, Any]]
    run: Mapped[str | None] = mapped_column(Text(16), nullable=True)
    author: Mapped[str] = mapped_column(Text(64))
    created: Mapped[datetime]
