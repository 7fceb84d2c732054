"""`foretell explore`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foretell import cache
from foretell.cli import common
from foretell.errors import InputError
from foretell.files import real
from foretell.uses import explore as use
from foretell.uses.explore import engine, store
from foretell.uses.explore.study import FORMAT

if TYPE_CHECKING:
    from collections.abc import Callable

    from foretell.core.answers.exploration import Exploration
    from foretell.core.answers.prediction import Mode
    from foretell.uses.explore.specification import SpaceFile
    from foretell.uses.explore.study import Study

_MOST_THREADS = 1 << 20
#: spaces with more points, and emulations, get a journal even if none is requested
_JOURNAL_POINTS = 20_000_000
_SHARD = "I/N"


@click.command("explore")
@click.argument("files", nargs=-1, required=True, metavar="SPACE", type=common.PATH)
@common.on_option(False, "The machine to start from; default: the one the space file names.")
@common.set_option
@click.option("--mode", type=common.mode_choice, help="paper: the literal equations.")
@click.option("--model", default=None, help="The model to use; chosen by what the codes give.")
@common.option_option
@common.format_option
@common.plot_option
@click.option("--threads", metavar="N", help="Threads of applications that name none: a number; all: as many as cores.")
@click.option("--points", type=common.PATH, help="Also write every design (.csv, .parquet).")
@click.option("--workers", type=click.IntRange(1, 4096), help="Processes; default: one for each core.")
@click.option("--engine", "engine_name", type=click.Choice(["auto", "serial", "processes", "mpi", "dask"]),
              default="auto", show_default=True, help="Who computes.")  # fmt: skip
@click.option("--dask", "address", metavar="ADDRESS", help="The scheduler of a Dask cluster, tcp://HOST:PORT.")
@click.option("--journal", type=common.PATH, help="Where finished blocks are kept.")
@click.option("--resume/--fresh", default=True, help="Continue from the journal (default), or begin anew.")
@click.option("--shard", metavar=_SHARD, help="Only the I-th of N parts, for job arrays; --merge joins them.")
@click.option("--merge", is_flag=True, help="The arguments are journals of shards (after SPACE, if it moved).")
@click.option("--no-progress", is_flag=True, help="No progress bar.")
def command(
    files: tuple[Path, ...],
    on: tuple[str, ...],
    overrides: tuple[str, ...],
    mode: Mode | None,
    model: str | None,
    options: tuple[str, ...],
    threads: str | None,
    format_: str,
    plot: Path | None,
    merge: bool,
    no_progress: bool,
    **how: Any,
) -> None:
    """The best designs in the SPACE of a file: fronts, best machines, over- and under-design.

    A space file names codes, a machine, axes, constraints and objectives.
    """
    if len(on) > 1:
        raise click.UsageError("explore takes one --on MACHINE")
    recipe = {"on": on[0] if on else None, "set": list(overrides), "mode": mode, "model": model,
              "options": list(options), "threads": _threads(threads)}  # fmt: skip
    if merge:
        answer = _merge(files, recipe)
    else:
        if len(files) != 1:
            raise click.UsageError("explore takes one SPACE file; --merge joins journals")
        study, file = _study(files[0], recipe)
        with common.progress_bar(study.name, no_progress) as progress:
            space = str(files[0]) if str(files[0]).startswith("example:") else str(real(files[0]))
            answer = _run(study, file, {**recipe, "space": space, "shard": how["shard"]}, how, progress)
    common.draw("exploration", answer, plot)
    common.write("exploration", answer, format_)


def _study(path: Path, recipe: dict[str, Any]) -> tuple[Study, SpaceFile]:
    file = use.read_space(path)
    name = recipe["on"]
    if name is None and recipe["set"]:
        if file.machine is None:
            raise click.UsageError("--set needs a machine: --on MACHINE, or one in the space file")
        name = file.machine
    machine = None if name is None else common.load_machine(name, recipe["set"])
    chosen = common.pairs(recipe["options"], "--option")
    how = {"mode": recipe["mode"], "model": recipe["model"], "options": chosen, "threads": recipe.get("threads")}
    return use.prepare_study(file, machine, **how), file


def _threads(text: str | None) -> int | str | None:
    if text is None or text == common.ALL:
        return text
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_THREADS:
        raise click.UsageError(f"--threads {text}: one number, or all; several: an axis threads of the space file")
    return int(text)


def _run(
    study: Study, file: SpaceFile, recipe: dict[str, Any], how: dict[str, Any], progress: Callable[[int, int], None]
) -> Exploration:
    shard = _shard(how["shard"])
    journal, automatic = _journal(study, file, how["journal"], shard)
    job = use.Job(
        engine=engine.choose(how["engine_name"], study, how["workers"], how["address"]),
        journal=journal,
        fresh=not how["resume"],
        shard=shard,
        points=how["points"],
        recipe=recipe,
        progress=progress,
    )
    with common.keeping_in(journal):
        answer = use.run(study, file, job)
    if job.points is not None:
        common.wrote(job.points)
    if automatic and journal is not None:
        journal.unlink(missing_ok=True)  # created automatically, and nothing is left to resume
    return answer


def _shard(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    part, slash, parts = text.partition("/")
    if not slash or not part.isdecimal() or not parts.isdecimal() or not 1 <= int(part) <= int(parts):
        raise click.UsageError(f"--shard {text}: write {_SHARD} with I from 1 to N")
    return int(part), int(parts)


def _journal(
    study: Study, file: SpaceFile, given: Path | None, shard: tuple[int, int] | None
) -> tuple[Path | None, bool]:
    """Returns the path of the journal, and whether it was chosen automatically."""
    if given is not None:
        return given, False
    if shard is not None:
        return Path(f"{file.path.stem}.shard-{shard[0]}-of-{shard[1]}.journal"), False
    points = file.search.evaluations if file.search else study.space.size
    if points < _JOURNAL_POINTS and not study.emulated:
        return None, False
    folder = cache.folder()
    name = study.key.removeprefix("sha256:")[:24]
    return (folder / "explore" / f"{name}-{FORMAT}.journal" if folder else None), True


def _merge(files: tuple[Path, ...], recipe: dict[str, Any]) -> Exploration:
    """Merges journals; the space is the first argument if that is one, else the one recorded in the journals."""
    moved = files[0] if files[0].suffix == ".toml" else None
    journals = files[1:] if moved else files
    if not journals:
        raise click.UsageError("--merge needs journals")
    header = store.read_header(journals[0])
    if header is None:
        raise InputError("is torn at its first line: nothing was finished", file=journals[0])
    known = {**header.recipe, **{key: value for key, value in recipe.items() if value}}
    if moved is None and "space" not in known:
        raise click.UsageError("this journal does not say which space it is of: give SPACE before the journals")
    study, file = _study(moved or Path(known["space"]), known)
    if study.key != header.key:
        raise InputError(
            "the space, a code, the machine or the model has changed since this journal was written", file=journals[0]
        )
    return use.merge(study, file, journals)
