"""`foretell check`."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foretell import files
from foretell.cli import common, config
from foretell.cli.input.dimensions import dimensions_option
from foretell.errors import CheckError, InputError
from foretell.files import real
from foretell.uses.check.configured.configuration import NAME, Code, Configuration, read_configuration
from foretell.uses.check.git import Repository
from foretell.uses.check.run import Job, check
from foretell.uses.check.versions import opened, saved_text

if TYPE_CHECKING:
    from foretell.core.answers.check import Bisection, Check
    from foretell.uses.check.versions import Version

#: format -> module and function that write it; the others are those of every command
_OWN = {
    "github": ("foretell.report.ci.github", "workflow_commands"),
    "sarif": ("foretell.report.ci.check_sarif", "dumps"),
    "junit": ("foretell.report.ci.junit", "dumps"),
    "bencher": ("foretell.report.ci.benchmarks", "bencher"),
    "smaller-is-better": ("foretell.report.ci.benchmarks", "smaller_is_better"),
}
_FORMATS = ("table", "json", "csv", "markdown", *_OWN)
_SUMMARY = "GITHUB_STEP_SUMMARY"
_MOST_WORKERS = 64


@click.command("check")
@click.argument("versions", nargs=-1, metavar="[BASE [HEAD]]")
@click.option("--base", help="The version before: a git reference, a folder, a file, or a saved result; main.")
@click.option("--head", help="The version after, as --base; HEAD. A dot is the work tree.")
@click.option(
    "--config", "file", type=common.PATH, help=f"What to compare; {NAME} here or above, up to the repository."
)
@click.option("--init", is_flag=True, help=f"Write a first {NAME} from the functions and kernels that are here.")
@common.on_option(False, "A machine, instead of those of the file; repeatable.")
@common.repeatable("limit", "LIMIT", "5%, 2ms, or NAME*@MACHINE=3%|50us; counts more than those of the file.", "limits")
@click.option("--only", multiple=True, metavar="CODE", help="Compare this code of the file alone; repeatable.")
@common.define_option
@click.option("--function", "--kernel", "function", help="The function, where --base and --head are files.")
@dimensions_option("grid", "Of a kernel in a file: blocks of the grid.")
@dimensions_option("block", "Of a kernel in a file: threads of a block.")
@common.repeatable("arg", "TEXT", "Of a kernel in a file: an argument.", "args")
@click.option("--cc", default=None, help="Of a function in a file: the compiler.")
@click.option("--cflags", default=None, help="Of a function in a file: flags of the compiler.")
@click.option("--format", "format_", type=click.Choice(_FORMATS), default="table", show_default=True, help="On stdout.")
@common.repeatable("output", "FORMAT=FILE", "Also write this format into a file: sarif=check.sarif.", "outputs")
@click.option("--save", type=common.PATH, help="Keep the predictions of the head, as a --base of later checks.")
@click.option("--bisect", "bisected", metavar="LIMIT", help="Which commit first made the worst code slower than this.")
@click.option("--strict", is_flag=True, help="What cannot be compared fails the check, too.")
@click.option("--jobs", type=click.IntRange(0, _MOST_WORKERS), default=None, help="Processes; as many as CPUs.")
def command(**given: Any) -> None:
    """Compares two versions of code by prediction: nothing is run.

    Exit code 4: a limit is broken. What is compared is in foretell.toml (--init writes a first one), or on the command
    line where --base and --head are files.
    """
    given |= _named_versions(given, given.pop("versions"))
    folder = Path.cwd()
    if given["init"]:
        _initialise(folder, given["on"])
        return
    outputs = _outputs(given["outputs"])
    configuration, folder = _configuration(given, folder)
    with ExitStack() as stack:
        base, head = _sides(given, folder, configuration, stack)
        with common.keeping_cached(), common.progress("predicting") as say:
            job = Job(_workers(given["jobs"]), config.machine_file, say)
            answer, outcomes = check(configuration, base, head, job, folder)
            bisection = _bisected(given["bisected"], configuration, base, head, answer, job, folder)
    answer = _with_repository_paths(answer, folder)
    if given["save"]:
        files.write_text(given["save"], saved_text(outcomes, head.label))
    for format_, path in outputs.items():
        files.write_text(path, formatted(answer, format_) + "\n")
    _write(answer, bisection, given["format_"])
    _fail(answer, given["strict"], bool(base.saved or head.saved))


def _named_versions(given: dict[str, Any], versions: tuple[str, ...]) -> dict[str, str]:
    """Versions without an option, in the order that git and diff have: the one before, the one after."""
    if len(versions) > 2:
        raise click.UsageError(f"{len(versions)} versions: two are compared, BASE and HEAD")
    named = dict(zip(("base", "head"), versions, strict=False))
    for side, version in named.items():
        if given[side]:
            raise click.UsageError(f"{version} and --{side} {given[side]}: say one of them")
    return named


def _with_repository_paths(answer: Check, folder: Path) -> Check:
    """Files relative to the repository, as services want them, where the configuration is in a folder of it."""
    repository = Repository.around(folder)
    below = repository.folder_of(folder) if repository else Path()

    def inside(name: str) -> str:
        return (below / name).as_posix() if name else ""

    changes = (replace(c, file=inside(c.file), former_file=inside(c.former_file)) for c in answer.changes)
    return replace(answer, changes=tuple(changes))


def _workers(jobs: int | None) -> int:
    return min(_MOST_WORKERS, len(os.sched_getaffinity(0))) if jobs is None else jobs


def _initialise(folder: Path, machines: tuple[str, ...]) -> None:
    from foretell.uses.check.configured.initial import first_configuration

    file = folder / NAME
    if file.exists():
        raise InputError("is there already: remove it first", file=file)
    text = first_configuration(folder, machines)
    files.write_text(file, text)
    named = "\n[code." in text
    left = "set sizes, launches and machines, then: foretell check" if named else "no code yet: its comments say why"
    click.echo(f"{file}: written; {left}", err=True)


def _outputs(given: tuple[str, ...]) -> dict[str, Path]:
    wanted = common.pairs(given, "--output")
    for name in wanted:
        if name not in _FORMATS:
            raise click.UsageError(f"--output {name}: formats are {', '.join(_FORMATS)}")
    return {name: Path(text) for name, text in wanted.items()}


def _configuration(given: dict[str, Any], folder: Path) -> tuple[Configuration, Path]:
    """What is compared: of the file, or of the command line where both versions are files."""
    if _is_code(given["base"]) or _is_code(given["head"]):
        return _with_limits(_of_files(given), given["limits"]), folder
    file = given["file"] or _nearest_file(folder)
    configuration = read_configuration(file)
    if unknown := [name for name in given["only"] if name not in configuration.codes]:
        raise InputError(f"no code {unknown[0]!r}", file=file, hint=f"codes: {', '.join(configuration.codes)}")
    kept = {name: code for name, code in configuration.codes.items() if name in (given["only"] or configuration.codes)}
    if given["on"]:
        kept = {
            name: replace(code, values={**code.values, "machines": list(given["on"])}) for name, code in kept.items()
        }
    return _with_limits(replace(configuration, codes=kept), given["limits"]), real(Path(file)).parent


def _is_code(given: str | None) -> bool:
    return given is not None and Path(given).is_file() and Path(given).suffix != ".json"


def _nearest_file(folder: Path) -> Path:
    """The file here, or in a folder above, up to that of the repository."""
    repository = Repository.around(folder)
    top = real(repository.root) if repository else folder
    for above in (folder, *folder.parents):
        if (above / NAME).is_file():
            return above / NAME
        if above == top:
            break
    raise InputError(f"no {NAME} here", hint="foretell check --init writes a first one")


def _of_files(given: dict[str, Any]) -> Configuration:
    """A configuration of one code, whose file has another name in each version."""
    base, head = given["base"], given["head"]
    if not (_is_code(base) and _is_code(head)):
        raise InputError("--base and --head: two files, or two versions", hint="a file is compared with a file")
    if not given["on"]:
        raise click.UsageError("files are compared on machines: --on MACHINE")
    values: dict[str, Any] = {"file": Path(head).name, "machines": list(given["on"])}
    sizes = common.pairs(given["defines"], "-D")
    name = {"function": "function"} if not given["grid"] else {"function": "kernel"}
    texts = {"function": given["function"], "grid": given["grid"], "block": given["block"], "compiler": given["cc"]}
    texts |= {"flags": given["cflags"], "args": list(given["args"]), "sizes": sizes}
    values |= {name.get(key, key): value for key, value in texts.items() if value}
    return Configuration("the command line", {given["function"] or Path(head).stem: Code("", values)})


def _with_limits(configuration: Configuration, limits: tuple[str, ...]) -> Configuration:
    common_limits = [text for text in limits if "=" not in text]
    rules = {**configuration.limits, **common.pairs([text for text in limits if "=" in text], "--limit")}
    limit = common_limits[-1] if common_limits else configuration.limit
    named = {name: replace(code, name=name) for name, code in configuration.codes.items()}
    made = replace(configuration, codes=named, limit=limit, limits=rules)
    made.rules()  # a wrong limit is an error now, not after minutes
    return made


def _sides(
    given: dict[str, Any], folder: Path, configuration: Configuration, stack: ExitStack
) -> tuple[Version, Version]:
    builds = any("build" in code.values for code in configuration.codes.values())
    base, head = given["base"], given["head"]
    if _is_code(base):
        from foretell.uses.check.versions import single_file

        code = next(iter(configuration.codes.values()))
        return (stack.enter_context(single_file(path, code.values["file"])) for path in (base, head))  # type: ignore[return-value]
    if base is None:
        repository = Repository.around(folder, needed=True)
        if repository is None:
            raise InputError(f"{folder} is in no git repository", hint="name two folders: --base OLD --head NEW")
        base = repository.usual_base()
    versions = [stack.enter_context(opened(side, folder, builds)) for side in (base, head or "HEAD")]
    return versions[0], replace(versions[1], asked=head is not None)


def _bisected(
    limit: str | None, configuration: Configuration, base: Version, head: Version, answer: Check, job: Job, folder: Path
) -> Bisection | None:
    if limit is None:
        return None
    from foretell.uses.check.bisect import Range, bisect

    repository = Repository.around(folder)
    if repository is None or base.commit is None or head.commit is None:
        raise InputError("--bisect needs two versions of a git repository")
    if not answer.changes:
        lost = next(iter(answer.not_compared), None)
        said = f"; {lost.code}@{lost.machine} ({lost.side}): {lost.reason}" if lost else ""
        raise InputError(f"--bisect: nothing could be compared{said}")
    worst = max(answer.changes, key=lambda change: (change.growth, change.name))
    commits = (base.commit, *repository.between(base.commit, head.commit))
    return bisect(Range(configuration, repository, commits, worst, job, folder), limit)


def formatted(answer: Check, format_: str) -> str:
    """A check as text of a format."""
    from importlib import import_module

    if format_ in _OWN:
        module, function = _OWN[format_]
        text: str = getattr(import_module(module), function)(answer)
        return text
    return common.rendered("check", answer, format_, color=False)


def _write(answer: Check, bisection: Bisection | None, format_: str) -> None:
    if bisection is not None:
        common.write("bisection", bisection, "table" if format_ in _OWN else format_)
    elif format_ in _OWN:
        click.echo(formatted(answer, format_))
        _summarise(answer, format_)
    else:
        common.write("check", answer, format_)
    sys.stdout.flush()


def _summarise(answer: Check, format_: str) -> None:
    """Adds the summary of the step, where GitHub runs this."""
    path = os.environ.get(_SUMMARY, "")
    if format_ != "github" or not path:
        return
    from foretell.report.ci.github import summary

    try:
        with Path(path).open("a", encoding="utf-8") as handle:
            handle.write(summary(formatted(answer, "markdown")) + "\n")
    except OSError as error:
        raise InputError(f"{_SUMMARY} cannot be written: {error.strerror}", file=path) from None


def _fail(answer: Check, strict: bool, saved: bool) -> None:
    if answer.broken:
        raise CheckError(f"{len(answer.broken)} of {len(answer.changes)} break a limit: {answer.broken[0].headline}")
    if strict and answer.not_compared:
        first = answer.not_compared[0]
        raise CheckError(f"{first.code}@{first.machine} is not compared ({first.side}): {first.reason}")
    if not answer.changes and answer.not_compared:
        first = answer.not_compared[0]
        said = f"nothing could be compared; {first.code}@{first.machine} ({first.side}): {first.reason}"
        if saved:  # it is of another version of the model, or of another machine
            raise InputError(said)
        click.echo(f"foretell: {said}", err=True)
