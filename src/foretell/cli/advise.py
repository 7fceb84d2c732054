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
    from foretell.core.answers.advising import AdvisedChange, Advising


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
    """Writes the source after the change number `pick`; without a number, after the first that changes the source, is
    predicted to be faster and keeps the results."""
    if pick is not None and pick > len(answer.changes):
        raise InputError(f"--pick {pick}: there are {len(answer.changes)} changes")
    rank = pick or _first_written(answer)
    chosen, first = answer.changes[rank - 1], answer.changes[0]
    if not chosen.edits:
        raise InputError(f"--emit: «{chosen.title}» is no change of the source")
    user_files.write_text(file, chosen.text)
    passed = "" if rank == (pick or 1) else f"; it is number {rank}, as «{first.title}» {_unlike(first)}"
    click.echo(f"{file}: {chosen.title}{passed}", err=True)


def _first_written(answer: Advising) -> int:
    """The number of the first change that is written unless the user picks another."""
    ranks = range(1, len(answer.changes) + 1)
    written = [rank for rank in ranks if answer.changes[rank - 1].edits]
    if not written:
        named = f"«{answer.changes[0].title}» is no change of the source" if answer.changes else "no change was found"
        raise InputError(f"--emit: {named}; the table says why others are not possible")
    for rank in written:
        if answer.changes[rank - 1].gains:
            return rank
    first = answer.changes[written[0] - 1]
    raise InputError(f"--emit: «{first.title}» {_unlike(first)}; --pick {written[0]} writes it all the same")


def _unlike(change: AdvisedChange) -> str:
    """Why a change is not the one that is written."""
    if not change.edits:
        return "is no change of the source"
    return "has another result" if change.is_option else f"is not predicted to be faster ({change.gain:.2f} ×)"
