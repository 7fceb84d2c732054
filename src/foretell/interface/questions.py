"""The questions: predict, why, rank, split, tune, explore, validate, describe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import api, frontends, machines, units
from foretell.api import Case
from foretell.core.answers.answers import Predictions
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.files import real
from foretell.interface.keywords import KEYWORDS, axis_of, machine_list, question
from foretell.interface.wording import public

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from foretell.api import Code, On
    from foretell.core.answers.advising import Advising
    from foretell.core.answers.answers import Explanation, Split, Validation
    from foretell.core.answers.check import Check
    from foretell.core.answers.description import Description, KernelDescription, KernelList
    from foretell.core.answers.exploration import Exploration
    from foretell.core.answers.prediction import Prediction
    from foretell.core.answers.program_run import ProgramRun
    from foretell.core.answers.tuning import Strategy, Tuning
    from foretell.core.machine.machine import Machine
    from foretell.interface.keywords import Asked, Machined, Question, Sizes
    from foretell.uses.explore import Job

_MACHINED = ("set", "mode", "model", "options")


@public(KEYWORDS)
def predict(code: Code, on: On, **asked: Unpack[Asked]) -> Prediction:
    """How long `code` takes on a machine, and what bounds it.

    `code` is a file, `"example:NAME"` or a `Workload`; `on` a machine's name, its file, or a `Machine`. `parameters`
    are the sizes of the code, `threads` those of a CPU (or "all"), `set` other numbers for the machine, `function` a
    part of a source; GPU code has a launch: `grid`, `block`, `args`, or `launch`.
    """
    return question(asked).case(code, on).predict()


@public(KEYWORDS)
def predict_many(
    code: Code, on: On | Sequence[On], points: Sequence[Mapping[str, float]] | None = None, **asked: Unpack[Asked]
) -> Predictions:
    """The times at many sizes and on several machines; what cannot be predicted is refused with its reason.

    `parameters` may be ranges (`{"n": "64:1024:32"}`) or lists; `points` lists the values of the parameters instead.
    Of a file of launches, every launch is predicted.
    """
    wanted = question(asked)
    return _joined([_at_points(wanted, code, each, points) for each in machine_list(on)])


def _at_points(wanted: Question, code: Code, on: On, points: Sequence[Mapping[str, float]] | None) -> Predictions:
    machine = wanted.machine(on)
    reader = wanted.reader(code)
    asked = list(wanted.space(machine, reader).points())
    every = asked if points is None else [{**point, **fixed} for fixed in asked for point in points]
    return api.predict_many(reader, machine, every, **wanted.how())


def _joined(answers: Sequence[Predictions], fastest_first: bool = False) -> Predictions:
    predictions = [entry for answer in answers for entry in answer]
    if fastest_first:
        predictions.sort(key=lambda entry: (entry.at_least, entry.time_s))
    return Predictions(tuple(predictions), tuple(entry for answer in answers for entry in answer.refused))


@public(KEYWORDS)
def prepare(code: Code, on: On, **asked: Unpack[Asked]) -> Case:
    """Code, machine and model, loaded once: `case.predict()`, and the first argument of `sweep`, `why` and `tune`."""
    return question(asked).case(code, on)


@public()
def sweep(case: Case, columns: Mapping[str, ArrayLike]) -> NDArray[np.float64]:
    """The times in seconds at many design points at once; a column is a machine parameter or one of the code."""
    return api.sweep(case, columns)


@public(KEYWORDS)
def why(code: Code | Case, on: On | None = None, **asked: Unpack[Asked]) -> Explanation:
    """What the time of `code` depends on, and what to change."""
    from foretell.uses.why import why as explain

    return explain(_case(code, on, asked))


@public(KEYWORDS)
def advise(code: str | Path, on: On, *, depth: int = 1, only: Sequence[str] = (), **asked: Unpack[Asked]) -> Advising:
    """What to change in `code`, a file in C, Fortran or CUDA: changes with their predicted gains, the best first.

    `depth`: changes in sequence at most; `only`: kinds of change.
    """
    from foretell.interface.changed import ChangedFiles
    from foretell.uses.advise import advise as tried

    file, function = frontends.file_and_function(code)
    named = {**asked, **({"function": function} if function else {})}
    return tried(ChangedFiles(on, named), frontends.locate(file), depth, only)


@public(KEYWORDS)
def rank(
    code: Code | Sequence[Code],
    on: On | Sequence[On] | None = None,
    *,
    measured: Mapping[str, str | float] | None = None,
    **asked: Unpack[Asked],
) -> Predictions:
    """Which machine is fastest for a code, or which of several codes: fastest first. `on`: the whole library if not
    given. `measured` are times by machine."""
    from foretell.uses.rank import rank as ranked

    wanted = question(asked)
    readers = [wanted.reader(each) for each in ([code] if isinstance(code, str | Path | Workload) else code)]
    chosen = [wanted.machine(each) for each in machine_list(on if on is not None else machines.library())]
    times, how = _seconds(measured), wanted.how()
    if wanted.threads != "all":
        return ranked(readers, chosen, parameters=wanted.point(chosen[0], *readers), measured=times, **how)
    answers = [ranked(readers, [each], parameters=wanted.point(each, *readers), **how) for each in chosen]
    return replace(_joined(answers, fastest_first=True), measured=times)


@public(("set", "why", "seconds", "check_races", "estimate_libraries"))
def run(
    command: Sequence[str],
    on: On | Sequence[On],
    *,
    why: bool = False,
    check_races: bool = False,
    estimate_libraries: bool = False,
    seconds: float = 3600.0,
    set: Mapping[str, str | float] | None = None,
) -> ProgramRun:
    """Runs a CUDA program without a GPU, and tells how long it would take: the program sees the first machine, all are
    predicted.

    `command` is the program with its arguments; its output is not shown. `why`: what changes would bring;
    `check_races`: races of its kernels are among the answer's faults; `estimate_libraries`: cuBLAS, cuFFT and
    cuRAND are computed here, with estimated times.
    """
    from foretell.uses.program_run.run import run_program

    wanted = question({} if set is None else {"set": set})
    chosen = [wanted.machine(each) for each in machine_list(on)]
    return run_program(
        command, chosen, seconds=seconds, explain=why, check_races=check_races, estimate_libraries=estimate_libraries
    )


@public(("set", "why"))
def predict_program(
    capture: str | Path, on: On | Sequence[On], *, why: bool = False, set: Mapping[str, str | float] | None = None
) -> ProgramRun:
    """How long the program of a capture takes on machines: kernels, copies, timeline, critical path.

    `capture` is a file of `foretell record`, or of `foretell run --record`. `why`: what changes would bring.
    """
    from foretell.uses.program_run.replay import predict_capture

    wanted = question({} if set is None else {"set": set})
    return predict_capture(Path(capture), [wanted.machine(each) for each in machine_list(on)], explain=why)


@public(KEYWORDS)
def split(
    code: Code | Sequence[Case],
    on: Sequence[On] = (),
    *,
    items: int | None = None,
    transfer: str | float = 0.0,
    measured: Mapping[str, str | float] | None = None,
    **asked: Unpack[Asked],
) -> Split:
    """How to divide the work of a code between devices. `transfer` are the bytes of the whole work that go over a
    device's link ("2GiB"), `measured` times of the whole work by machine."""
    from foretell.uses.split import Work
    from foretell.uses.split import split as divided

    wanted = question(asked)
    if isinstance(code, str | Path | Workload):
        cases: Sequence[Case] = [wanted.case(code, each) for each in machine_list(on)]
    else:
        cases = code
    size = units.parse_as(transfer, "B") if isinstance(transfer, str) else float(transfer)
    return divided(cases, Work(items, size), _seconds(measured))


@public(KEYWORDS)
def tune(
    code: Code | Case,
    on: On | None = None,
    *,
    axes: Mapping[str, Sizes] | None = None,
    strategy: Strategy = "static",
    budget: int = 10,
    journal: str | Path | None = None,
    fresh: bool = False,
    **asked: Unpack[Asked],
) -> Tuning:
    """The best variant of a code: tile sizes and unroll factors, or the values of `axes` ({"tile": [16, 32]}).

    `strategy`: predict every variant ("static"), simulate every one ("dynamic"), or the `budget` best ("hybrid").
    """
    from foretell.uses.tuning.annotated import Job as Search
    from foretell.uses.tuning.annotated import search_space
    from foretell.uses.tuning.annotated import tune as search

    case = _case(code, on, asked)
    space = search_space(case, [axis_of(name, values) for name, values in (axes or {}).items()])
    return search(case, space, Search(strategy, budget, None if journal is None else Path(journal), fresh))


@public(_MACHINED)
def explore(
    space: str | Path,
    on: On | None = None,
    *,
    job: Job | None = None,
    threads: int | str | None = None,
    **asked: Unpack[Machined],
) -> Exploration:
    """The best designs in the space of a file; `on` replaces its machine. `job` says engine, journal, shard, points;
    `threads` are those of applications that name none, or "all"."""
    from foretell.uses import explore as exploring

    file = exploring.read_space(space)
    base, numbers = on if on is not None else file.machine, asked.get("set") or {}
    if numbers and base is None:
        raise InputError("set= needs a machine: on=, or one in the space file")
    start = on if base is None or not numbers else machines.overridden(api.loaded(base), numbers)
    how: dict[str, Any] = {
        "mode": asked.get("mode"),
        "model": asked.get("model"),
        "options": asked.get("options"),
        "threads": threads,
    }
    return exploring.run(exploring.prepare_study(file, start, **how), file, job or exploring.Job())


@public()
def validate(name: str | Path) -> Validation:
    """Predictions against recorded measurements: of a shipped validation ("gpu"), or of a file."""
    from foretell.uses.validate import validate as compare

    return compare(name)


@public()
def check(base: str | Path, head: str | Path = ".", *, config: str | Path = "foretell.toml", workers: int = 0) -> Check:
    """Compares two versions of what a `foretell.toml` names, by prediction: git references, folders or saved results.

    `answer.broken` are the changes that break a limit. `workers` are processes; 0: this one.
    """
    from foretell.uses.check.configured.configuration import read_configuration
    from foretell.uses.check.run import Job
    from foretell.uses.check.run import check as compare
    from foretell.uses.check.versions import opened

    configuration, folder = read_configuration(Path(config)), real(Path(config)).parent
    builds = any("build" in code.values for code in configuration.codes.values())
    with opened(str(base), folder, builds) as before, opened(str(head), folder, builds) as after:
        return compare(configuration, before, after, Job(workers), folder)[0]


@public()
def describe(
    code: str | Path | Sequence[str | Path],
    *,
    on: On | None = None,
    function: str | None = None,
    parameters: Mapping[str, str | float] | None = None,
    includes: Sequence[str | Path] = (),
    branch: Mapping[str, str] | Mapping[int, float] | None = None,
    arch: int | None = None,
    nvcc: str = "",
) -> Description | KernelList | KernelDescription | Workload:
    """What foretell sees in a code: loop nests of sources, kernels of GPU code, the workload of any other file.

    `parameters` are values of macros and sizes; `function` chooses one of a source, or a kernel; `on` is the GPU whose
    occupancy is shown.
    """
    from foretell.uses.describe import describe as describe_program
    from foretell.uses.describe import describe_kernels

    files = [code] if isinstance(code, str | Path) else list(code)
    values = {name: str(value) for name, value in (parameters or {}).items()}
    if len(files) == 1 and frontends.is_machine_code(frontends.locate(files[0])):
        device = None if on is None else api.loaded(on)
        return describe_kernels(frontends.locate(files[0]), function, arch, nvcc, device)
    if len(files) == 1 and not frontends.is_source(files[0]):
        sizes = {name: axis_of(name, value).values[0] for name, value in values.items()}
        return frontends.read(files[0]).with_parameters(sizes)
    shares = tuple((str(line), str(share)) for line, share in (branch or {}).items())
    folders = tuple(Path(folder) for folder in includes)
    options = frontends.SourceOptions(folders, tuple(values.items()), kernel=function, branches=shares)
    return describe_program(lambda: frontends.read_sources(files, options))


@public()
def machine(on: On, *, set: Mapping[str, str | float] | None = None) -> Machine:
    """A machine of the library, or of a file; `set` are other numbers: {"memory.bandwidth": "64GB/s"}."""
    return machines.overridden(api.loaded(on), set or {})


def _case(code: Code | Case, on: On | None, asked: Asked) -> Case:
    if isinstance(code, Case):
        if on is not None or asked:
            raise InputError("a prepared case has its machine and its parameters: give nothing else")
        return code
    if on is None:
        raise InputError("on which machine?", hint='on="zen4", a machine file, or a Machine')
    return question(asked).case(code, on)


def _seconds(measured: Mapping[str, str | float] | None) -> dict[str, float]:
    given = measured or {}
    return {name: units.parse_as(time, "s") if isinstance(time, str) else float(time) for name, time in given.items()}
