"""Predicts the items of one version on machines: from the cache, or anew, in this process or in worker processes."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import api, frontends, machines, running
from foretell.cache import Kind
from foretell.errors import InputError, ToolError
from foretell.frontends.source.readings import shared
from foretell.records import record
from foretell.uses.check.configured.marked_lines import located
from foretell.uses.check.dependences import outcome_key, reading_key
from foretell.uses.check.items import Item, checked
from foretell.uses.check.outcome import of_program, predicted, read_kept

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload
    from foretell.frontends import Reader
    from foretell.uses.check.outcome import Outcome

_KEPT = Kind("check", version=2)
_CAPTURE = ".capture"
#: the way out of commands that take sizes as options; a check has them in its file
_BY_OPTION = re.compile(r"give each with -D, e\.g\. -D ([^\s=]+)=(\d+)")
_BY_ARGUMENT = "give all arguments in order: --arg n --arg 'f64[n]'"
_BY_TRIP = re.compile(r"give --trip \S+=N, or --trip-from-run '\./app' that counts \(C\+\+\); -D of C")
_BY_FOLDER = "give the folder of the header with --cflags '-I FOLDER'"
#: keys of a table that a capture can have
_OF_CAPTURES = ("file", "files", "kernel", "function", "machines", "build")
#: limits of a build
_BUILD = running.Limits(1800.0, output_bytes=1 << 30, processes=2048)


@record
class Task:
    """An item of a version, the machines (name, file or name of the library), and the keys of its outcomes."""

    root: str
    item: Item
    machines: tuple[tuple[str, str], ...]
    keys: tuple[str, ...]


def kept(key: str) -> Outcome | None:
    """The outcome of a key, if the cache has it."""
    return read_kept(_KEPT, key)


def keep(key: str, outcome: Outcome) -> None:
    """Keeps an outcome."""
    _KEPT.write(key, json.dumps(outcome).encode())  # in their order, as an answer lists them


def outcomes(task: Task) -> list[Outcome]:
    """The outcomes of an item on its machines; an error is an outcome, too."""
    with contextlib.chdir(task.root):  # files have the same names in every version
        try:
            for name in task.item.files:
                checked(Path(task.root), name)
            if _is_program(task.item):
                return [_program(task.item, machine) for _, machine in task.machines]
            with shared(reading_key(task.item, Path(task.root))):
                reader = _reader(task.item)
        except (InputError, ToolError) as error:
            return [{"error": _said(error)}] * len(task.machines)
        return [_outcome(task.item, reader, machine) for _, machine in task.machines]


def _outcome(item: Item, reader: Reader, on: str) -> Outcome:
    try:
        machine = machines.load(on)
        workload = _workload(item, reader, machine)
        case = api.prepare(workload, machine, parameters=_sizes(item, workload, reader), options=_options(item))
        return predicted(case)
    except (InputError, ToolError) as error:
        return {"error": _said(error)}


def _is_program(item: Item) -> bool:
    return len(item.files) == 1 and item.files[0].endswith(_CAPTURE)


def _program(item: Item, on: str) -> Outcome:
    """The outcome of a capture, as a program or one of its kernels."""
    unknown = [key for key in item.values if key not in _OF_CAPTURES]
    try:
        if unknown:
            raise InputError(f"{unknown[0]}: a capture has its launches")
        return of_program(Path(item.files[0]), machines.load(on), item.function)
    except (InputError, ToolError) as error:
        return {"error": _said(error)}


def _workload(item: Item, reader: Reader, machine: Machine) -> Workload:
    """The code; of a kernel with the launches of a capture, the one with most work."""
    if str(item.values.get("launch", "")).endswith(_CAPTURE):
        return reader.workloads(machine)[0]
    return reader.workload(machine)


def _said(error: Exception) -> str:
    """The message in one line, with the way out that this file's reader has, and names of files within the version:
    the folder that it is in is another one each time."""
    said = "; ".join(" ".join(line.split()) for line in str(error).splitlines())
    said = said.replace(f"{Path.cwd()}/", "")
    said = _BY_TRIP.sub('say it in its table: trip = { "text of the line" = N }', said)
    said = said.replace(_BY_FOLDER, 'give the folder of the header in its table: nvcc = "-IFOLDER"')
    said = said.replace(_BY_ARGUMENT, 'give all arguments in order in its table: args = [1000, "f64[1000]"]')
    return _BY_OPTION.sub(r'give each in its table, e.g. sizes = { "\1" = \2 }', said)


def _reader(item: Item) -> Reader:
    values = item.values
    shape = {
        key: values[key]
        for key in ("grid", "block", "args", "dynamic_shared", "nvcc", "launch", "start")
        if key in values
    }
    shape |= located(item.files, values)
    texts = {name: str(value) for name, value in values.get("sizes", {}).items()}
    options = frontends.read_options(
        kernel=item.function or None, cflags=values.get("flags", ""), macros=texts, choices=texts, **shape
    )
    return frontends.Reader(list(item.files), options)


def _sizes(item: Item, workload: Workload, reader: Reader) -> dict[str, float]:
    given: Mapping[str, Any] = {**values} if (values := item.values.get("sizes")) else {}
    if "threads" in item.values:
        given = {**given, "threads": item.values["threads"]}
    known = {name: value for name, value in given.items() if name not in reader.chosen}
    if item.chosen:  # of many functions, each has some of the sizes
        own = workload.symbols | {*workload.parameters, "threads"}
        known = {name: value for name, value in known.items() if name in own}
    return {name: _number(name, value) for name, value in known.items()}


def _number(name: str, value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"size {name} = {value!r} is not a number") from None


def _options(item: Item) -> dict[str, str]:
    from foretell.codegen.compilers.flags import DEFAULT_FLAGS

    values = item.values
    flags = values.get("flags", "")
    given = {"cc": values.get("compiler", ""), "alias": values.get("alias", "")}
    given["flags"] = flags if not flags or " -O" in f" {flags}" else f"{DEFAULT_FLAGS} {flags}"
    named = {name: str(value) for name, value in values.get("options", {}).items()}
    return named | {name: text for name, text in given.items() if text}


def outcome_keys(item: Item, root: Path, loaded: Mapping[str, Machine]) -> tuple[str, ...]:
    """The cache keys of an item's outcomes."""
    return tuple(outcome_key(item, root, machine) for machine in loaded.values())


def build(command: str, root: Path) -> None:
    """Runs a build command of a version in its folder, where alone it may write: the version is somebody's code."""
    try:
        done = running.run(
            ["sh", "-c", command], _BUILD, environment={"LC_ALL": "C"}, folder=root, whole=False,
            confinement=running.Confinement.current().beside(root),
        )  # fmt: skip
    except ToolError as error:
        raise InputError(f"build {command!r}: {error}") from None
    if done.code:
        said = done.messages.strip().splitlines()
        hint = "it writes only below its folder and has no network; --allow FOLDER permits more"
        raise InputError(f"build {command!r}: {said[-1] if said else f'exit code {done.code}'}", hint=hint)
