"""Runs a check: both versions predicted, each code compared on each machine."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import machines
from foretell.core.answers.check import Check, NotCompared
from foretell.errors import InputError
from foretell.files import real
from foretell.uses.check.items import Item, Unread, expanded
from foretell.uses.check.predicting import Task, build, keep, kept, outcome_keys, outcomes
from foretell.uses.check.renames import Former, renamed_codes, said_of_files, with_files_of
from foretell.uses.check.verdicts import compared
from foretell.uses.tuning.workers import DeadWorkerError, Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from foretell.core.answers.check import Change
    from foretell.core.machine.machine import Machine
    from foretell.uses.check.configured.configuration import Configuration
    from foretell.uses.check.outcome import Outcome
    from foretell.uses.check.versions import Version

#: functions of one file that a process predicts in a row
_TOGETHER = 8
#: outcomes by code, then by machine
Outcomes = dict[str, dict[str, "Outcome"]]


@dataclass(frozen=True)
class Job:
    """How to run: worker processes (0: this process), where machines by name are, and who is told about progress."""

    workers: int = 0
    machine_file: Callable[[str], str | Path] = lambda name: name
    progress: Callable[[str], None] = lambda text: None


@dataclass
class Machines:
    """Machines by the name that the configuration gives them, each loaded once."""

    job: Job
    folder: Path
    loaded: dict[str, Machine] = field(default_factory=dict)

    def get(self, name: str) -> Machine:
        if name not in self.loaded:
            self.loaded[name] = machines.load(self.file(name))
        return self.loaded[name]

    def file(self, name: str) -> str:
        """The name in the library, or the file: relative to the folder of the configuration."""
        given = self.job.machine_file(name)
        if isinstance(given, Path) or given.endswith(".toml"):
            return str(real(self.folder / given))
        return given


def check(configuration: Configuration, base: Version, head: Version, job: Job, folder: Path) -> tuple[Check, Outcomes]:
    """Compares two versions; also returns the outcomes of the head, for saving. `folder` is where machine files are."""
    rules = configuration.rules()
    loaded = Machines(job, folder)
    named = {
        name: loaded.get(name) for code in configuration.codes.values() for name in configuration.machines_of(code)
    }
    of_base, of_head = _of_base(configuration, base, head), _of_head(configuration, head)
    old = base.saved or predict_version(of_base, base, job, loaded)
    new = head.saved or predict_version(of_head, head, job, loaded)
    gone, added = ([name for name in own if name not in other] for own, other in ((old, new), (new, old)))
    formers = renamed_codes(of_head, base, head, gone, added) | _other_files(of_base, of_head, new)
    old = _under_names_of_head(old, formers)
    old, new = _with_functions(old, new), _with_functions(new, old)
    pairs = [(code, machine) for code, found in {**old, **new}.items() for machine in found]
    rules.check_used(pairs)
    changes: list[Change] = []
    missing: list[NotCompared] = []
    for code, machine in dict.fromkeys(pairs):
        before, after = old.get(code, {}).get(machine), new.get(code, {}).get(machine)
        refusal = _refusal(code, machine, before, after)
        if refusal is None and before and after:
            try:
                change = compared(code, machine, before, after, rules.of(code, machine))
                changes.append(replace(change, former_file=formers[code].file) if code in formers else change)
            except InputError as error:
                refusal = NotCompared(code, machine, "both", error.message)
        if refusal is not None:
            missing.append(refusal)
    missing = [_with_new_names(entry, of_head, base, head) for entry in missing]
    changes.sort(key=lambda change: (not change.broken, -change.growth, change.name))
    return _answer(base, head, changes, missing, named, new), new


def _answer(
    base: Version,
    head: Version,
    changes: list[Change],
    missing: list[NotCompared],
    named: Mapping[str, Machine],
    new: Outcomes,
) -> Check:
    models = {o["model"]: o["model_version"] for own in new.values() for o in own.values() if "model" in o}
    return Check(
        base.label,
        head.label,
        tuple(changes),
        tuple(sorted(missing, key=lambda entry: (entry.code, entry.machine))),
        {name: machine.content_hash for name, machine in sorted(named.items())},
        dict(sorted(models.items())),
    )


def _of_base(configuration: Configuration, base: Version, head: Version) -> Configuration:
    """The base is made as its own file says; without one, as that of the head, under the names of files of the base."""
    if (own := base.configuration()) is not None:
        return as_it_says(own, configuration)
    if base.root is None or head.root is None:
        return configuration
    codes = {name: with_files_of(code, base.root, head.root) for name, code in configuration.codes.items()}
    return replace(configuration, codes=codes)


def _other_files(of_base: Configuration, of_head: Configuration, new: Outcomes) -> dict[str, Former]:
    """Codes that are said to have one other file in the base."""
    both = ((code, of_base.codes[name]) for name, code in of_head.codes.items() if name in of_base.codes)
    return {
        code.name: Former(code.name, before.files[0])
        for code, before in both
        if len(code.files) == len(before.files) == 1 and code.files != before.files and code.name in new
    }


def _under_names_of_head(old: Outcomes, formers: Mapping[str, Former]) -> Outcomes:
    """The outcomes of the base under the names that their codes have in the head."""
    names = {former.name: name for name, former in formers.items()}
    return {names.get(name, name): outcomes for name, outcomes in old.items()}


def _with_functions(outcomes: Outcomes, others: Outcomes) -> Outcomes:
    """The outcomes of a version, with the functions that the other one has in a file that cannot be read here, each
    with the reason, instead of the file."""
    result = dict(outcomes)
    for name, own in outcomes.items():
        inside = [code for code in others if code.startswith(f"{name}:")]
        if inside and all("error" in outcome for outcome in own.values()):
            del result[name]
            result |= dict.fromkeys(inside, own)
    return result


def _with_new_names(entry: NotCompared, of_head: Configuration, base: Version, head: Version) -> NotCompared:
    """What is not compared since its file has another name in the head: with that name."""
    named = (code for name, code in of_head.codes.items() if f"{entry.code}:".startswith(f"{name}:"))
    code = next(named, None)
    if entry.side != "head" or code is None or base.root is None or head.root is None:
        return entry
    said = said_of_files(code, base.root, head.root)
    return replace(entry, reason=f"{entry.reason}; {said}") if said else entry


def _of_head(configuration: Configuration, head: Version) -> Configuration:
    """A head that was named is made as its own file says, as the base is: that file may say other flags and names of
    files than the one here, which is of today."""
    own = head.configuration() if head.asked else None
    return as_it_says(own, configuration) if own else configuration


def as_it_says(own: Configuration, head: Configuration) -> Configuration:
    """What a version itself says of each code, at the sizes and on the machines of the head."""
    codes = {name: own.codes.get(name, code).like(code) for name, code in head.codes.items()}
    return type(head)(own.path, codes, head.machines, head.limit, head.limits)


def _refusal(code: str, machine: str, before: Outcome | None, after: Outcome | None) -> NotCompared | None:
    if before is None and after is not None and "error" in after:
        return NotCompared(code, machine, "head", f"{after['error']}; it is not in the base")
    if before is None:
        return NotCompared(code, machine, "base", "is not in the base: it is new")
    if after is None:
        return NotCompared(code, machine, "head", "is not in the head: it was removed, or renamed")
    if "error" in before and "error" in after:
        return NotCompared(code, machine, "both", after["error"])
    if "error" in before:
        return NotCompared(code, machine, "base", before["error"])
    return NotCompared(code, machine, "head", after["error"]) if "error" in after else None


def predict_version(configuration: Configuration, version: Version, job: Job, loaded: Machines) -> Outcomes:
    """Predicts everything that a configuration names in a version."""
    assert version.root is not None
    root, results, tasks = version.root, Outcomes(), list[Task]()
    failed = _build(configuration, root)
    for code in configuration.codes.values():
        names = configuration.machines_of(code)
        chosen = {name: loaded.get(name) for name in names}
        if code.name in failed:
            results[code.name] = {name: {"error": failed[code.name]} for name in names}
            continue
        for item in expanded(code, root):
            if isinstance(item, Unread):
                results[item.name] = {name: {"error": str(item)} for name in names}
                continue
            results[item.name], task = _kept_or_task(item, root, chosen, loaded)
            tasks += [task] if task else []
    for task, done in _run(tasks, job, version.label):
        for (name, _), key, outcome in zip(task.machines, task.keys, done, strict=True):
            results[task.item.name][name] = outcome
            if "error" not in outcome:
                keep(key, outcome)
    return results


def _build(configuration: Configuration, root: Path) -> dict[str, str]:
    """Runs each build command once; codes whose build failed, with what was said."""
    said: dict[str, str] = {}
    done: dict[str, str] = {}
    for name, code in configuration.codes.items():
        command = code.values.get("build")
        if command is None:
            continue
        if command not in done:
            try:
                build(command, root)
                done[command] = ""
            except InputError as error:
                done[command] = error.message
        if done[command]:
            said[name] = done[command]
    return said


def _kept_or_task(
    item: Item, root: Path, chosen: Mapping[str, Machine], loaded: Machines
) -> tuple[dict[str, Outcome], Task | None]:
    """The outcomes that the cache has, and a task for the others."""
    keys = dict(zip(chosen, outcome_keys(item, root, chosen), strict=True))
    own = {name: outcome for name, key in keys.items() if (outcome := kept(key)) is not None}
    rest = [name for name in chosen if name not in own]
    ordered = {name: own.get(name, {}) for name in chosen}
    task = Task(str(root), item, tuple((name, loaded.file(name)) for name in rest), tuple(keys[name] for name in rest))
    return ordered, task if rest else None


def _run(tasks: list[Task], job: Job, label: str) -> Iterable[tuple[Task, list[Outcome]]]:
    """Runs tasks, here or in workers; the order of results is that of the tasks, whoever is first."""
    if not tasks:
        return
    if job.workers < 1:
        for number, task in enumerate(tasks, start=1):
            job.progress(f"{label}: {number} of {len(tasks)}: {task.item.name}")
            yield task, outcomes(task)
        return
    groups = _by_file(tasks)
    numbers = count(1)
    with Workers(min(job.workers, len(groups)), f"{__name__}:outcomes") as workers:

        def call(task: Task) -> list[Outcome]:
            try:
                result: list[Outcome] = workers.call(task)
            except DeadWorkerError:
                result = [{"error": "the process that predicted it died"}] * len(task.machines)
            job.progress(f"{label}: {next(numbers)} of {len(tasks)}: {task.item.name}")  # as it is done, in any order
            return result

        futures = [(group, workers.submit(lambda own: [call(task) for task in own], group)) for group in groups]
        for group, future in futures:
            yield from zip(group, future.result(), strict=True)


def _by_file(tasks: list[Task]) -> list[list[Task]]:
    """Tasks of the same files together: one process compiles a file for all its functions. Many functions of one file
    are divided, so that no process waits for another."""
    groups: dict[tuple[str, ...], list[Task]] = {}
    for task in tasks:
        groups.setdefault(task.item.files, []).append(task)
    return [own[first : first + _TOGETHER] for own in groups.values() for first in range(0, len(own), _TOGETHER)]
