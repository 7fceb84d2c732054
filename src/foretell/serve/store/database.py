"""Opens the database of a URL, and brings its tables to this version."""

from __future__ import annotations

import logging
import sqlite3
import threading
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from foretell.errors import InputError, ToolError
from foretell.serve.store.tables import Base

if TYPE_CHECKING:
    from collections.abc import Iterator

#: the newest migration (`migrations/versions`)
NEWEST = "0001"
_MIGRATIONS = Path(__file__).parent / "migrations"
#: how long a writer waits for the others
_WAIT_S = 60


class Database:
    """Connections to one database; a block of `write` is one transaction, kept whole or not at all."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self._writer = threading.Lock() if self.is_sqlite else nullcontext()
        try:
            _upgrade(self.engine)
        except sa.exc.DBAPIError as error:  # also where no server answers
            raise InputError(f"the store cannot be opened: {_reason(error)}", hint=_HINT) from None

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction that writes. SQLite has one writer at a time: threads of this server take turns before they
        take a connection (SQLite itself sleeps and tries again, and readers would find no connection free); other
        processes are waited for here, and not in the middle."""
        with self._writer, Session(self.engine) as session, session.begin():
            if self.is_sqlite:
                session.execute(sa.text("BEGIN IMMEDIATE"))
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        with Session(self.engine) as session:
            yield session

    def close(self) -> None:
        self.engine.dispose()


_HINT = "--store sqlite:///FILE, or postgresql+pg8000://USER@HOST/NAME"


def _engine(url: str) -> sa.Engine:
    try:
        parsed = sa.engine.make_url(url)
        if parsed.get_backend_name() == "sqlite":
            engine = sa.create_engine(parsed, connect_args={"timeout": _WAIT_S}, pool_timeout=_WAIT_S)
            sa.event.listen(engine, "connect", _configure_sqlite)
            return engine
        # a connection that is gone is replaced, and is no traceback
        logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
        return sa.create_engine(parsed, pool_pre_ping=True, pool_timeout=_WAIT_S)
    except sa.exc.ArgumentError:
        raise InputError("--store: not the URL of a database", hint=_HINT) from None
    except ModuleNotFoundError as error:
        raise ToolError(f"this store needs the package {error.name}: pip install {error.name}") from None


def _configure_sqlite(connection: Any, _: object) -> None:
    """WAL: readers and the writer do not wait for each other; transactions are begun by us."""
    if isinstance(connection, sqlite3.Connection):
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")


def _upgrade(engine: sa.Engine) -> None:
    """A new database gets all tables at once; an older one the migrations that it lacks."""
    present = sa.inspect(engine).get_table_names()
    if "alembic_version" in present:
        with engine.connect() as connection:
            version = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
        if version != NEWEST:
            migrate(engine)
        return
    if present:
        raise InputError("the store is a database of something else", hint=_HINT)
    try:
        with engine.begin() as connection:
            Base.metadata.create_all(connection)
            connection.execute(sa.text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
            connection.execute(sa.text("INSERT INTO alembic_version VALUES (:version)"), {"version": NEWEST})
    except sa.exc.DatabaseError:
        if "alembic_version" not in sa.inspect(engine).get_table_names():  # another server has just made them
            raise


def migrate(engine: sa.Engine, version: str = "head") -> None:
    """Brings the tables to a version by Alembic."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)


def _reason(error: sa.exc.DBAPIError) -> str:
    """The first line of what the database says, without the URL."""
    return str(error.orig).strip().splitlines()[0][:200]
