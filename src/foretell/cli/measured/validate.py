"""`foretell validate`."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foretell import files as user_files
from foretell import frontends, machines
from foretell.cli import common, config
from foretell.cli.input import completion
from foretell.cli.input.number import Number
from foretell.errors import CheckError, InputError, ToolError
from foretell.files import temporary_folder
from foretell.uses.validate import ADVICE, CPU, DIFFERENCES, SPLIT, TUNING, compare, shipped, validate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.answers.answers import Validation
    from foretell.core.machine.machine import Machine
    from foretell.uses.measure import Case, Earlier, Request

_COMPILERS = ("gcc", "clang")


@click.command("validate")
@click.argument("name", required=False)
@click.argument("files", nargs=-1, type=common.PATH)
@common.format_option
@click.option("--plot", type=common.PATH, help="Also draw predicted against measured into this file.")
@click.option(
    "--fail-above", type=Number(min=0), help="Exit 4 if the mean error of the report set is larger (0.2 = 20 %)."
)
@click.option(
    "--suite",
    type=click.Choice(["kernels", "styles"]),
    default="kernels",
    show_default=True,
    help="cpu: the shipped functions to run: loops of ours, or functions in the styles of other codes.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    help="Functions of --suite styles, or predictions of tuning, that run at once.",
)
@click.option(
    "--on",
    default=None,
    metavar="MACHINE",
    shell_complete=completion.machines,
    help="cpu: this machine's file, or here; probed now if not given.",
)
@common.define_option
@click.option("--function", default=None, help="cpu: the function of FILES to run; the only one with loops.")
@click.option("--threads", default=None, help="cpu: how many threads, a list; 1,2, of --suite styles 1.")
@click.option(
    "--compiler", "compilers", multiple=True, help="cpu: any, as a command (clang-19); gcc and clang if installed."
)
@click.option("--flags", default="-O3 -march=native", show_default=True, help="cpu: of the compiler.")
@click.option("--seconds", type=Number(min=0.01), default=0.1, help="cpu: measuring time of a case and round.")
@click.option("--rounds", type=click.IntRange(1), default=5, help="cpu: how often all cases are run.")
@click.option(
    "--patience",
    type=Number(min=0),
    default=30.0,
    show_default=True,
    help="cpu: seconds for which disturbed cases are then visited again, at most.",
)
@click.option(
    "--record", type=common.PATH, help="cpu: also write the measurements into this file, or add a round to it."
)
@click.option(
    "--own-code",
    type=common.NamedPath(path_type=Path, file_okay=False),
    help="cpu: keep the compilers' assembly in this folder, and predict from it as well (one thread).",
)
@click.option("--option", "options", multiple=True, metavar="NAME=CHOICE", help="cpu: a decision of the model.")
@click.option(
    "--space", "spaces", multiple=True, help="tuning: a space, repeatable; all of them. advice: loops or kernels."
)
@click.option("--most", type=click.IntRange(2), help="tuning: configurations of each space, drawn at random; all.")
@click.option("--journal", type=common.PATH, help="tuning: where predictions are kept; a rerun continues.")
def command(
    name: str | None,
    files: tuple[Path, ...],
    format_: str,
    plot: Path | None,
    fail_above: float | None,
    record: Path | None,
    **cpu: Any,
) -> None:
    """Predictions against measurements: NAME is a shipped validation or a file of recorded cases.

    `validate cpu` compiles and runs loops on this machine, the shipped ones or those of FILES. With --suite styles it
    runs functions in the styles of other codes; with --record it goes on where it was stopped. `validate tuning`
    replays measured tuning spaces of GPU kernels, `validate advice` measured changes of loops and kernels, `validate
    differences` measured pairs of versions, `validate split` work divided
    between a CPU and a GPU. Without NAME, lists the shipped validations.
    """
    if name is None:
        click.echo(json.dumps({"validations": shipped()}) if format_ == "json" else "\n".join(shipped()))
        return
    if name in (DIFFERENCES, SPLIT, TUNING, ADVICE):
        _replay(name, cpu, format_)
        return
    answer = _measured_here(files, cpu, record) if name == CPU else _recorded_cases(name, files)
    common.draw("validation", answer, plot)
    common.write("validation", answer, format_)
    for which, report in answer.summary.items():
        if fail_above is not None and which.endswith("report") and report.mape > fail_above:
            raise CheckError(f"mean error {report.mape:.1%} of the {which} set exceeds {fail_above:.1%}")


def _measured_here(files: tuple[Path, ...], cpu: dict[str, Any], record: Path | None) -> Validation:
    """Times loops on this machine, and compares them with their predictions."""
    if cpu["suite"] == "styles" and (files or cpu["defines"] or cpu["own_code"]):
        raise click.UsageError("--suite styles has files and sizes of its own: no FILES, -D and --own-code")
    options = common.pairs(cpu["options"], "--option")
    return _measured(_request(files, cpu), options, cpu["on"] or "machine.toml", record)


def _recorded_cases(name: str, files: tuple[Path, ...]) -> Validation:
    """Compares predictions with the recorded times of a shipped validation, or of a file."""
    if files:
        raise click.UsageError("files are measured by `validate cpu`")
    with common.progress(f"predicting the cases of {name}"):
        return validate(name)


def _replay(name: str, given: dict[str, Any], format_: str) -> None:
    """Predicts a recorded set of variants of codes, and writes how good choices by prediction would have been."""
    if name == DIFFERENCES:
        _replayed_differences(format_)
    elif name == SPLIT:
        _replayed_splits(format_)
    elif name == TUNING:
        _replayed_spaces(given, format_)
    else:
        _replayed_pairs(given["spaces"], format_)


def _replayed_spaces(given: dict[str, Any], format_: str) -> None:
    from foretell.integrations.kernel_tuner_replay import with_strategies
    from foretell.uses.tuning.replay import ReplayJob, replay

    job = ReplayJob(given["spaces"], given["most"], given["journal"], workers=given["jobs"])
    with common.progress("predicting") as say:

        def progress(name: str) -> Any:
            return lambda done, total, best: say(f"{name}: {done} of {total}")

        answer = replay(given["on"] or "h200", job, progress)
    with common.progress("Kernel Tuner's strategies on") as say:
        answer = with_strategies(answer, job.most, say)
    common.write("replay", answer, format_)


def _replayed_pairs(kinds: Sequence[str], format_: str) -> None:
    from foretell.uses.advise.replay import PairRecording, replay

    with common.progress("predicting") as say:
        answer = replay(PairRecording(), kinds, say)
    common.write("pair_replay", answer, format_)


def _replayed_differences(format_: str) -> None:
    from foretell.uses.check.differences import differences

    with common.progress("predicting both versions of") as say:
        answer = differences(say)
    common.write("differences", answer, format_)


def _replayed_splits(format_: str) -> None:
    from foretell.uses.dividing.replay import replay

    with common.progress("predicting the devices of") as say:
        answer = replay(say)
    common.write("split_replay", answer, format_)


def _request(files: tuple[Path, ...], cpu: dict[str, Any]) -> Request:
    from foretell.uses.measure import Build, Request

    compilers = cpu["compilers"] or tuple(name for name in _COMPILERS if shutil.which(name))
    if not compilers:
        raise ToolError(f"no compiler: none of {', '.join(_COMPILERS)} is installed")
    threads, folder = cpu["threads"] or ("1" if cpu["suite"] == "styles" else "1,2"), cpu["own_code"]
    files, named = _functions(files)
    if named and cpu["function"] not in (None, named):
        raise click.UsageError(f"FILE:{named} names a function, and --function another: {cpu['function']}")
    for file in files:  # what is wrong with it is said before this machine is probed, which takes half a minute
        frontends.read(file)
    machine = machines.load(config.machine_file(cpu["on"])) if cpu["on"] is not None else _here()
    cores = machine.value("cores.count")
    counts = _counts(threads, cores)
    if not all(1 <= count <= cores for count in counts):
        raise InputError(f"--threads {threads}: the machine has {cores:g} cores")
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be made: {error.strerror}", file=folder) from None
    return Request(
        machine,
        tuple(Build(name, tuple(cpu["flags"].split())) for name in compilers),
        files,
        points=tuple(common.space(cpu["defines"]).points()) if cpu["defines"] else (),
        threads=counts,
        workers=cpu["jobs"],
        function=cpu["function"] or named,
        **{name: cpu[name] for name in ("seconds", "rounds", "patience", "own_code", "suite")},
    )


def _counts(threads: str, cores: float) -> tuple[int, ...]:
    """The numbers of threads; `all` is that of the cores."""
    try:
        return tuple(int(cores) if part == common.ALL else int(part) for part in threads.split(","))
    except ValueError:
        raise click.UsageError(f"--threads {threads}: write whole numbers, as in 1,2, or all") from None


def _functions(files: tuple[Path, ...]) -> tuple[tuple[Path, ...], str | None]:
    """The files, and the function that one of them names as FILE:FUNCTION."""
    split = [frontends.file_and_function(file) for file in files]
    named = {function for _, function in split if function}
    if len(named) > 1:
        raise click.UsageError(f"several functions are named: {', '.join(sorted(named))}; measure one at a time")
    return tuple(Path(file) for file, _ in split), next(iter(named), None)


def _here() -> Machine:
    """Probes this machine in half a minute."""
    from foretell.machines.probe import probe

    with common.progress("probing this machine") as progress, temporary_folder() as folder:
        path = Path(folder) / "here.toml"
        path.write_text(probe(quick=True, progress=lambda what, share: progress(what)), encoding="utf-8")
        return machines.load(path)


def _measured(request: Request, options: dict[str, str], machine_file: str, file: Path | None) -> Validation:
    from foretell.uses.measure import Earlier, measure_cases, recorded

    record = _Record(Earlier.read(file), request.machine, machine_file) if file is not None else None
    if record and request.suite == "styles":
        request = replace(request, done=record.earlier.undisturbed)
    with common.progress("measuring") as progress:
        cases, refused = measure_cases(request, progress, *([record.write] if record else []))
    title = f"CPU kernels on {request.machine.title}"
    best = record.cases if record else cases
    return compare("cpu", title, [recorded(case, request.machine, options) for case in best], refused)


@dataclass
class _Record:
    """A file of measurements, rewritten after every round; its previous contents count as an earlier round."""

    earlier: Earlier
    machine: Machine
    machine_file: str
    cases: tuple[Case, ...] = ()

    def write(self, cases: Sequence[Case]) -> None:
        from foretell.uses.measure import recording

        self.cases = self.earlier.joined(cases)
        user_files.write_text(self.earlier.path, recording(self.cases, self.machine, self.machine_file))
