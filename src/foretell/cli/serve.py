"""`foretell serve`."""

from __future__ import annotations

import json
import shlex
import shutil
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from foretell import files, interruption
from foretell.cli import common
from foretell.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from foretell.serve.store.workspace import Role, Workspace
    from foretell.serve.web.settings import Settings

_STORE = click.option("--store", default="", metavar="URL", help="sqlite:///FILE or postgresql+pg8000://…; where not "
                      "given a file of this user.")  # fmt: skip
#: bytes of a store that is looked at as a whole at the start
_LOOKED_AT = 64 << 20
_FOLDER = click.option("--folder", type=common.PATH, help="Where journals, caches and the SQLite file are.")


def store_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Where the workspace is."""
    return _STORE(_FOLDER(function))


@click.group("serve", invoke_without_command=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8137, show_default=True, help="0: a free one.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A name of the server. May be "
              "repeated.")  # fmt: skip
@store_options
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes that predict.")
@click.option(
    "--trusted-header", default="", metavar="HEADER", help="The header in which a reverse proxy says who asks."
)
@click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS", help="Address of the proxy whose header is "
              "believed; where not given this computer's. May be repeated.")  # fmt: skip
@click.option("--dask", default="", metavar="ADDRESS", help="The scheduler of a Dask cluster that computes "
              "explorations, tcp://HOST:PORT.")  # fmt: skip
@click.option("--mpi", default="", metavar="LAUNCHER", help="What launches MPI ranks that compute "
              "explorations, such as 'mpiexec -n 9'.")  # fmt: skip
@click.option("--https", is_flag=True, help="Behind a proxy with https: cookies are sent over nothing else.")
@click.pass_context
def command(ctx: click.Context, /, store: str, folder: Path | None, **given: Any) -> None:
    """A page to write code on and see its predicted time, and the same over HTTP."""
    ctx.obj = _settings(store, folder, given)
    if ctx.invoked_subcommand is None:
        from foretell.serve.server import secured, serve

        if store:  # a wrong one is an error now, not at the first question
            _workspace(ctx.obj)
        else:
            _check_file(ctx.obj.folder / "workspace.sqlite")
        with interruption.keeping("its jobs go on when it is started again"):
            serve(secured(ctx.obj, lambda: len(_workspace(ctx.obj).users())), lambda text: click.echo(text))


def _settings(store: str, folder: Path | None, given: dict[str, Any]) -> Settings:
    from foretell.serve.web.settings import Settings, data_folder

    if not given.get("proxies"):
        given.pop("proxies", None)
    if "mpi" in given:
        given["mpi"] = _launcher(given["mpi"], given["dask"])
    return Settings(store=store, folder=folder or data_folder(), **given)


def _launcher(text: str, dask: str) -> tuple[str, ...]:
    """The words of --mpi; what would fail at the first job is refused now."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise InputError(f"--mpi {text}: {error}", hint="--mpi 'mpiexec -n 9'") from None
    if words and dask:
        raise InputError("--mpi and --dask: explorations have one engine")
    if words and shutil.which(words[0]) is None:
        raise InputError(f"--mpi: no program {words[0]}", hint="--mpi 'mpiexec -n 9'")
    if words and find_spec("mpi4py") is None:
        raise MissingExtraError("mpi4py", "mpi")
    return words


def _check_file(path: Path) -> None:
    """Refuses a damaged workspace at the start, without the packages that open it for work."""
    import sqlite3

    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master")
            damage = (
                connection.execute("PRAGMA quick_check(1)").fetchone()[0] if path.stat().st_size < _LOOKED_AT else "ok"
            )
    except sqlite3.DatabaseError as error:
        damage = str(error)
    if damage != "ok":
        hint = "put a back-up in its place, or move it away to begin a new one"
        raise InputError(f"the store is damaged: {damage}", file=path, hint=hint)


def _workspace(settings: Settings) -> Workspace:
    try:
        from foretell.serve.store.database import Database
        from foretell.serve.store.workspace import Workspace
    except ModuleNotFoundError as error:
        raise MissingExtraError(str(error.name), "web") from None
    settings.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Workspace(Database(settings.store_url))


@command.group("users")
def users() -> None:
    """Accounts of the workspace."""


@users.command("add")
@click.argument("name")
@click.option("--role", type=click.Choice(["read", "write", "admin"]), default="write", show_default=True)
@click.password_option(help="Asked for where not given; better not on the command line.")
@click.pass_obj
def add_user(settings: Settings, name: str, role: Role, password: str) -> None:
    """Adds a user, or changes his password and role."""
    _workspace(settings).set_user(name, password, role)


@users.command("list")
@click.pass_obj
def list_users(settings: Settings) -> None:
    """Names and roles."""
    for name, role in _workspace(settings).users():
        click.echo(f"{name} {role}")


@users.command("token")
@click.argument("name")
@click.option("--days", type=click.IntRange(1, 3650), default=365, show_default=True, help="How long it is valid.")
@click.pass_obj
def user_token(settings: Settings, name: str, days: int) -> None:
    """A token with which programs and agents ask as this user; a new password ends it."""
    from foretell.serve.web.sessions import Signer

    workspace = _workspace(settings)
    known = workspace.role_of(name)
    if known is None:
        raise InputError(f"no user {name!r}")
    click.echo(Signer(workspace.secret("sessions")).cookie(name, known[1], days * 86400))


@users.command("remove")
@click.argument("name")
@click.pass_obj
def remove_user(settings: Settings, name: str) -> None:
    """Removes a user; his sessions end."""
    if not _workspace(settings).remove_user(name):
        raise InputError(f"no user {name!r}")


@command.command("export")
@click.argument("project")
@click.argument("file", type=common.PATH)
@click.pass_obj
def export(settings: Settings, project: str, file: Path) -> None:
    """Writes a project as one file."""
    _export(settings, project, file)


@command.command("import")
@click.argument("file", type=common.PATH)
@click.pass_obj
def import_(settings: Settings, file: Path) -> None:
    """Makes a project of an exported file."""
    document = exported_project(file)
    if document is None:
        raise InputError("is no exported project", file=file)
    click.echo(_workspace(settings).imported(document, "import"))


@click.command("export")
@click.argument("project")
@click.argument("file", type=common.PATH)
@store_options
def export_project(project: str, file: Path, store: str, folder: Path | None) -> None:
    """Writes a project of the workspace as one file, which `foretell import` reads."""
    _export(_settings(store, folder, {}), project, file)


def _export(settings: Settings, project: str, file: Path) -> None:
    files.write_text(file, json.dumps(_workspace(settings).exported(project)))
    common.wrote(file)


def exported_project(file: Path) -> dict[str, Any] | None:
    """The document of an exported project; None where the file is something else."""
    text = files.read_text(file)
    if not text.lstrip().startswith("{") or '"foretell-project"' not in text:
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) and document.get("format") == "foretell-project" else None


def import_project(document: dict[str, Any], store: str, folder: Path | None) -> None:
    """`foretell import` of an exported project."""
    click.echo(_workspace(_settings(store, folder, {})).imported(document, "import"))
