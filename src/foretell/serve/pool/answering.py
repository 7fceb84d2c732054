"""Answers questions in a worker: each with the document that the command line writes with `--format json`."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import frontends, machines
from foretell.core.machine.parameters import parameter
from foretell.errors import InputError
from foretell.interface.changed import ChangedFiles
from foretell.interface.keywords import axis_of, question
from foretell.report import json as documents
from foretell.report.page import roofline
from foretell.report.plain import only, plain
from foretell.serve.pool import asked as checks
from foretell.serve.pool import long_jobs
from foretell.uses.annotate import annotated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from foretell.api import Case
    from foretell.core.machine.machine import Machine
    from foretell.core.workload import Workload
    from foretell.serve.pool.asked import Code, Wanted
    from foretell.serve.pool.codes import Codes
    from foretell.uses.explore.engine import Engine

Document = dict[str, Any]
#: the size that a parameter without a value gets on request, always named in the answer
GUESSED_SIZE = 1000.0
#: sizes of a curve over one parameter, and the factor that it spans to each side
_CURVE_POINTS, _CURVE_SPAN = 12, 32.0
#: questions that a capture answers as a program
_OF_PROGRAMS = frozenset({"predict", "why", "rank"})
_COMPLETE = frozenset({"annotate", "predict", "why", "advise", "sizes", "tune", "check"})


class Answers:
    """Answers by name of the question."""

    def __init__(self, codes: Codes, engine: Callable[[], Engine] | None = None) -> None:
        """`engine` computes the blocks of explorations; None: this process."""
        self._codes, self._engine = codes, engine
        self._by_name: dict[str, Callable[[Wanted, Mapping[str, Any], Callable[[Document], None]], Document]] = {
            "annotate": self._annotate,
            "predict": lambda wanted, given, _: documents.prediction(self._case(wanted, given).predict()),
            "why": self._why,
            "advise": self._advise,
            "rank": self._rank,
            "check": self._check,
            "sizes": self._sizes,
            "tune": self._tune,
            "explore": self._explore,
        }

    @property
    def names(self) -> tuple[str, ...]:
        return ("machines", "machine", *self._by_name)

    def answer(self, name: str, given: Mapping[str, Any], progress: Callable[[Document], None]) -> Document:
        """The document of an answer. InputError: what is wrong with the question."""
        if name == "machines":
            return _machine_list()
        if name == "machine":
            return self._machine(given)
        if name not in self._by_name:
            raise InputError(f"no question {name!r}")
        wanted = checks.wanted(given)
        if name in _COMPLETE and not wanted.on:
            raise InputError("on: which machine?", hint="a name of GET /api/v1/machines, or a machine file as a text")
        if wanted.code.is_capture and name in _OF_PROGRAMS and not wanted.keywords.get("function"):
            return {"schema_version": documents.SCHEMA_VERSION, **self._program(name, wanted)}
        document = self._by_name[name](wanted, given, progress)
        return {"schema_version": documents.SCHEMA_VERSION, **document}

    # --------------------------------------------------------------------------------------------- one prediction

    def _case(self, wanted: Wanted, given: Mapping[str, Any], code: Code | None = None) -> Case:
        """The case of a question; with `guess`, sizes without a value get one."""
        case = self._codes.case(code or wanted.code, wanted)
        missing = _missing(case.workload)
        if not missing or not given.get("guess"):
            return case
        sizes = {**wanted.keywords.get("parameters", {}), **dict.fromkeys(missing, GUESSED_SIZE)}
        return self._codes.case(code or wanted.code, wanted, parameters=sizes)

    def _annotate(self, wanted: Wanted, given: Mapping[str, Any], _: object) -> Document:
        """A prediction, its source lines, and what can be changed: sizes of the code, numbers of the machine."""
        case = self._case(wanted, given)
        prediction = case.predict()
        listing = case.model.listing(case.workload, case.machine, case.settings)
        lines = annotated(case, listing, prediction.time_s)
        named = wanted.keywords.get("parameters", {})
        return {
            "prediction": documents.prediction(prediction),
            "roofline": roofline.document(prediction, case.machine),
            "lines": [plain(line) for line in lines if line.time_s],
            "sizes": _sizes_of(case.workload, named),
            "machine_parameters": _machine_parameters(case, machines.completed(self._codes.machine(wanted.on[0]))),
        }

    def _why(self, wanted: Wanted, given: Mapping[str, Any], _: object) -> Document:
        from foretell.uses.why import why

        return documents.explanation(why(self._case(wanted, given)))

    def _advise(self, wanted: Wanted, given: Mapping[str, Any], progress: Callable[[Document], None]) -> Document:
        from foretell.uses.advise import advise

        keywords = dict(wanted.keywords)
        sizes = self._case(wanted, given).workload.parameters
        keywords["parameters"] = {
            **{k: v for k, v in sizes.items() if k != "threads"},
            **keywords.get("parameters", {}),
        }
        depth, only = checks.depth_and_kinds(given)
        machine = self._codes.machine(wanted.on[0])
        file = frontends.locate(self._codes.file(wanted.code))
        answer = advise(ChangedFiles(machine, keywords), file, depth, only, lambda text: progress({"note": text}))
        document = documents.advising(answer)
        for shown, change in zip(document["changes"], answer.changes, strict=True):
            shown["text"] = change.text
        return document

    # --------------------------------------------------------------------------------------------- several predictions

    def _rank(self, wanted: Wanted, given: Mapping[str, Any], _: object) -> Document:
        from foretell.uses.rank import rank

        asked = question(dict(wanted.keywords))  # type: ignore[arg-type]
        every, damaged = self._machines(wanted.on or machines.library())
        every = [asked.machine(machine) for machine in every]
        reader = self._codes.reader(wanted.code, asked)
        all_threads = asked.threads == "all"
        sizes = {axis.name: axis.values[0] for axis in (axis_of(n, v) for n, v in asked.parameters.items())}
        if asked.threads is not None and not all_threads:
            sizes["threads"] = float(asked.threads)
        missing = _missing(reader.workload(every[0]).with_parameters(_known(sizes, reader.chosen)))
        if given.get("guess"):
            sizes |= dict.fromkeys(missing, GUESSED_SIZE)
        sizes = _known(sizes, reader.chosen)
        document = documents.predictions(rank(reader, every, parameters=sizes, all_threads=all_threads, **asked.how()))
        return {**document, "refused": [*document["refused"], *damaged]}

    def _program(self, name: str, wanted: Wanted) -> Document:
        """A capture as a program: its kernels, copies and timeline; all GPUs, if none is named."""
        from foretell.uses.program_run.replay import predict_capture, rank_capture

        asked = question(dict(wanted.keywords))  # type: ignore[arg-type]
        every, damaged = self._machines(wanted.on or machines.library())
        chosen = [asked.machine(machine) for machine in every if wanted.on or machine.kind == "gpu"]
        path = Path(self._codes.file(wanted.code))
        answer = rank_capture(path, chosen) if name == "rank" else predict_capture(path, chosen, explain=name == "why")
        document = documents.program_run(replace(answer, command=(wanted.code.name,)))
        return {**document, "refused": [*document["refused"], *damaged]}

    def _machines(self, wanted: Sequence[str | Code]) -> tuple[list[Machine], list[Document]]:
        """Machines of a table; a file among several that cannot be used is refused, not the table."""
        usable, refused = [], []
        for each in wanted:
            try:
                usable.append(self._codes.machine(each))
            except InputError as error:
                if isinstance(each, str) or len(wanted) == 1:
                    raise
                refused.append({"name": _label(each), "reason": error.message})
        return usable, refused

    def _sizes(self, wanted: Wanted, given: Mapping[str, Any], _: object) -> Document:
        """The times over one size, the first if none is named, from a 32nd to 32 times its value."""
        case = self._case(wanted, given)
        every = [entry["name"] for entry in _sizes_of(case.workload, {})]
        name = str(given.get("sizes") or next(iter(every), ""))
        middle = case.workload.parameters.get(name)
        if middle is None or not middle > 0:
            raise InputError(f"sizes: {name[:40]!r} is no size of this code with a value")
        steps = [_CURVE_SPAN ** (2 * k / (_CURVE_POINTS - 1) - 1) for k in range(_CURVE_POINTS)]
        values = sorted({float(max(1, round(middle * step))) for step in steps})
        answers = case.predict_many([{name: value} for value in values])
        points = [
            {"size": value, **only(entry, "time_s", "interval_s"), "bound_by": entry.bottleneck.resource}
            for value, entry in zip(values, answers, strict=True)
            if not isinstance(entry, InputError)
        ]
        return {"parameter": name, "points": points}

    def _check(self, wanted: Wanted, given: Mapping[str, Any], _: object) -> Document:
        """Two versions of a code: the verdict and what moved."""
        from foretell.core.answers.check import Check
        from foretell.uses.check.outcome import of_program, predicted
        from foretell.uses.check.verdicts import compared

        if wanted.base is None:
            raise InputError("base: give the version before")
        if wanted.base.is_capture and wanted.code.is_capture:
            machine, kernel = self._codes.machine(wanted.on[0]), wanted.keywords.get("function", "")
            files = [Path(self._codes.file(code)) for code in (wanted.base, wanted.code)]
            before, after = (of_program(path, machine, kernel) for path in files)
        else:
            before, after = (predicted(self._case(wanted, given, code)) for code in (wanted.base, wanted.code))
        change = compared(wanted.code.name or wanted.code.example, _label(wanted.on[0]), before, after, None)
        hashes, versions = {change.machine: after["machine_hash"]}, {after["model"]: after["model_version"]}
        return documents.check(Check("base", "head", (change,), (), hashes, versions))

    # --------------------------------------------------------------------------------------------- long jobs

    def _tune(self, wanted: Wanted, given: Mapping[str, Any], progress: Callable[[Document], None]) -> Document:
        if long_jobs.is_kernel(wanted):
            return long_jobs.tune_kernel(self._codes, wanted, given, progress)
        return long_jobs.tune(self._case(wanted, given), given, progress)

    def _explore(self, wanted: Wanted, given: Mapping[str, Any], progress: Callable[[Document], None]) -> Document:
        return long_jobs.explore(self._codes, wanted, given, progress, self._engine)

    def _machine(self, given: Mapping[str, Any]) -> Document:
        on = checks.machine(given.get("on"))
        return {"schema_version": documents.SCHEMA_VERSION, **documents.machine(self._codes.machine(on))}


def _missing(workload: Workload) -> list[str]:
    needed = workload.symbols - workload.optional - workload.parameters.keys()
    return sorted(name for name in needed if name != "threads")


def _known(sizes: Mapping[str, float], chosen: frozenset[str]) -> dict[str, float]:
    return {name: value for name, value in sizes.items() if name not in chosen}


def _sizes_of(workload: Workload, given: Mapping[str, object]) -> list[Document]:
    """The sizes of a code with their values, and whether the client gave them."""
    names = sorted(workload.symbols | workload.parameters.keys())
    return [
        {"name": name, "value": workload.parameters[name], "given": name in given}
        for name in names
        if name in workload.parameters and name != "threads"
    ]


def _machine_parameters(case: Case, unchanged: Machine) -> list[Document]:
    """The numbers of the machine that the model reads, with those before the client set others."""
    read = dict.fromkeys(path for path in case.model.reads(case.machine) if path in case.machine)
    usable = [path for path in read if case.machine.value(path) > 0 and math.isfinite(case.machine.value(path))]
    return [
        {
            "path": path,
            **only(case.machine[path], "value", "unit"),
            "meaning": parameter(path).meaning,
            "original": unchanged.value(path) if path in unchanged else case.machine.value(path),
        }
        for path in usable
    ]


def _machine_list() -> Document:
    rows = []
    for name in machines.library():
        machine = machines.load(name)
        rows.append({"name": name, "kind": machine.kind, "title": machine.title})
    return {"schema_version": documents.SCHEMA_VERSION, "machines": rows}


def _label(on: str | Code) -> str:
    return on if isinstance(on, str) else on.name.removesuffix(".toml")
