"""`foretell report`."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foretell import files
from foretell.cli import common
from foretell.errors import CheckError, InputError

if TYPE_CHECKING:
    from foretell.report.page.elements import Page

#: commands whose answers can be shown
_COMMANDS = ("predict", "why", "rank", "explore", "tune", "split", "validate", "check", "describe", "machines", "run")
_MOST_BYTES = 256 << 20
_OUTPUT = ("-o", "--output")


@click.command("report", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-o", "--output", type=common.PATH, default=Path("report.html"), show_default=True, help="-: to stdout.")
@click.option("--format", "format_", type=click.Choice(["html", "markdown"]), default="html", show_default=True)
@click.argument("given", nargs=-1, required=True, type=click.UNPROCESSED, metavar="ANSWER.json… | COMMAND…")
def command(output: Path, format_: str, given: tuple[str, ...]) -> None:
    """An answer as one HTML file that opens without a network: ANSWER.json of `--format json`, or a command to run.

    foretell report predict code.c --on zen4 -D n=1000; several files are shown side by side.
    """
    output, given = _output_behind(output, given)
    documents, said = _documents(given)
    pages = [_page(document, name) for name, document in documents]
    if format_ == "markdown":
        from foretell.report.page import markdown

        text = "\n\n".join(map(markdown.render, pages))
    else:
        from foretell.report.page import html

        text = html.document([_with_machines(page) for page in pages], said)
    if str(output) == "-":
        click.echo(text)
        return
    files.write_text(output, text)
    click.echo(f"{output}: written, {len(text.encode()) >> 10} KiB", err=True)


def _output_behind(output: Path, given: tuple[str, ...]) -> tuple[Path, tuple[str, ...]]:
    """The file of `-o` behind the answers or the command, where that has no such option of its own."""
    from foretell.cli import foretell

    own_words = given[: _program_at(given)]
    at = next((place for place, word in enumerate(own_words[:-1]) if place and word in _OUTPUT), 0)
    own = foretell.get_command(click.get_current_context(), given[0]) if given[0] in _COMMANDS else None
    if not at or any(given[at] in parameter.opts for parameter in (own.params if own else ())):
        return output, given
    return Path(given[at + 1]), (*given[:at], *given[at + 2 :])


def _program_at(words: tuple[str, ...]) -> int:
    """Where a program with its own words begins: behind them nothing is foretell's."""
    return words.index("--") if "--" in words else len(words)


def _documents(given: tuple[str, ...]) -> tuple[list[tuple[str, Any]], str]:
    """The documents with their names, and the command that made them."""
    if given[0] in _COMMANDS and not Path(given[0]).is_file():
        return [("", _run(given))], shlex.join(("foretell", *given))
    return [(name, _read(name)) for name in given], ""


def _read(name: str) -> Any:
    path = Path(name)
    try:
        return json.loads(files.read_text(path, _MOST_BYTES))
    except (ValueError, RecursionError):
        hint = f"an answer of --format json, or a command: {', '.join(_COMMANDS)}"
        raise InputError("is no JSON", file=path, hint=hint) from None


def _run(words: tuple[str, ...]) -> Any:
    """Runs a command and reads its JSON; a check that did not pass has an answer, too, and a program that failed."""
    from foretell.cli import foretell

    out, place, ended = io.StringIO(), _program_at(words), None
    with contextlib.redirect_stdout(out):
        try:
            wanted = [*words[:place], "--format", "json", *words[place:]]
            foretell(wanted, prog_name="foretell", standalone_mode=False)
        except CheckError as error:
            print(f"foretell: {error}", file=sys.stderr)
        except SystemExit as error:  # the status of a program
            ended = error
    try:
        return json.loads(out.getvalue())
    except ValueError:
        if ended is not None:
            raise ended from None
        raise InputError(f"{shlex.join(words)} gives no answer that can be shown") from None


def _page(document: Any, name: str) -> Page:
    from foretell.report.page.build import page

    try:
        return page(document)
    except InputError as error:
        raise error.at(name or "the answer") from None


def _with_machines(page: Page) -> Page:
    """The page with the numbers of its machines, where the library has the same ones."""
    from foretell import machines
    from foretell.report.page.html import machine_table

    wanted = dict(_machines(page.document))
    tables = []
    for name, content_hash in wanted.items():
        with contextlib.suppress(InputError):
            machine = machines.load(name)
            tables += [machine_table(machine)] if machine.content_hash == content_hash else []
    return replace(page, sections=(*page.sections, *tables))


def _machines(document: dict[str, Any]) -> list[tuple[str, str]]:
    """Names and hashes of the machines that a document names."""
    if "machine_hash" in document:
        return [(str(document["machine"]), str(document["machine_hash"]))]
    inner = (
        [document["prediction"]] if isinstance(document.get("prediction"), dict) else document.get("predictions", [])
    )
    listed = document.get("machines", {})
    own = list(listed.items()) if isinstance(listed, dict) else []
    return own + [pair for entry in inner if isinstance(entry, dict) for pair in _machines(entry)]
