"""`foretell why --try`: changes of the code that are tried in the model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from foretell import files as user_files
from foretell import frontends
from foretell.cli import common
from foretell.errors import InputError
from foretell.uses.advise.asked import has_threads

if TYPE_CHECKING:
    from foretell.api import Case
    from foretell.core.answers.advising import Advising


def advised(code: str, on: str, request: common.Request, depth: int, only: tuple[str, ...]) -> Advising:
    """Tries changes of CODE in the model."""
    from foretell.uses.advise import advise

    if request.asm:
        raise click.UsageError("--try changes the source: its assembly is made anew, so leave --asm out")
    file = Path(frontends.file_and_function(code)[0])
    named = request.launch["kernel"] or frontends.file_and_function(code)[1]
    if named and ":" in named:
        raise click.UsageError(f"--try moves lines: name the function alone, without the line ({named})")
    with common.progress(f"{code} on {on}: changing the code") as say:
        return advise(_Asked(on, named, request), frontends.locate(file), depth, only, say)


class _Asked:
    """The question as asked, for any file."""

    def __init__(self, on: str, kernel: str | None, request: common.Request) -> None:
        self._on = on
        self._request = replace(request, launch={**request.launch, "kernel": kernel})

    def again(self, file: Path, flags: str, threads: int, **launch: object) -> Case:
        """Prepares another file, with further flags, on other threads, or launched otherwise."""
        wanted = self._request
        joined = " ".join(part for part in (wanted.cflags or "", flags) if part)
        nvcc = " ".join(part for part in (wanted.launch["nvcc"], str(launch.pop("nvcc", ""))) if part)
        wanted = replace(wanted, cflags=joined or None, launch={**wanted.launch, **launch, "nvcc": nvcc})
        if threads > 0:
            wanted = replace(wanted, threads=str(threads))
        elif threads and wanted.threads in (None, "1"):
            wanted = replace(wanted, threads=common.ALL)
        elif not threads and wanted.threads and not has_threads(file):
            wanted = replace(wanted, threads=None)
        return wanted.case(wanted.reader(str(file)), self._on)


def emitted(answer: Advising, file: Path, pick: int | None) -> None:
    """Writes the source after the change number `pick`; without a number, after the first that changes the source."""
    if pick is not None and pick > len(answer.changes):
        raise InputError(f"--pick {pick}: there are {len(answer.changes)} changes")
    ranks = [pick] if pick is not None else range(1, len(answer.changes) + 1)
    rank = next((one for one in ranks if answer.changes[one - 1].edits), None)
    if rank is None:
        named = f"«{answer.changes[(pick or 1) - 1].title}»" if answer.changes else "none that was found"
        raise InputError(f"--emit: {named} is no change of the source")
    chosen, first = answer.changes[rank - 1], answer.changes[0]
    user_files.write_text(file, chosen.text)
    passed = "" if rank == (pick or 1) else f"; it is number {rank}, as «{first.title}» is no change of the source"
    click.echo(f"{file}: {chosen.title}{passed}", err=True)
