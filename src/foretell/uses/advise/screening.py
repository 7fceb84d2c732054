"""Programs that a search goes through, and their quick times.

A program is screened by the model's settings for many points: generated instead of compiled code, closed forms of the
caches. Its bound is quicker still: arithmetic at peak, so that transfers alone are left, for which no code is needed.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.codegen.compiled.database import usual_flags
from foretell.codegen.compilers.flags import DEFAULT_FLAGS
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError
from foretell.records import record
from foretell.transform.kinds import COMPILED_ONLY, IDS, OPTIONS
from foretell.transform.program import Program

if TYPE_CHECKING:
    from foretell.api import Case
    from foretell.core.answers.prediction import Prediction
    from foretell.transform.catalogue import Candidate
    from foretell.transform.program import Change
    from foretell.transform.text.source import Language
    from foretell.uses.advise.asked import Origin

#: changes that generated code shows
SCREENED = tuple(kind for kind in IDS if kind not in (*COMPILED_ONLY, *OPTIONS))
_CORE = "core"
_QUICK = {"cc": "none", "simulate": "none"}
_FORTRAN = (".f", ".for", ".f77", ".ftn", ".f90", ".f95", ".f03", ".f08", ".f18")


@record
class State:
    """A program after some changes; it is read where it is changed further."""

    text: str
    changes: tuple[Change, ...] = ()
    screened_s: float = 0.0
    #: the time without transfers
    least_s: float = 0.0

    @property
    def flags(self) -> str:
        return " ".join(change.flags for change in self.changes if change.flags)

    @property
    def threads(self) -> int:
        return next((change.threads for change in reversed(self.changes) if change.threads), 0)

    @property
    def last(self) -> Change:
        return self.changes[-1]

    def goes_on_with(self, candidate: Candidate) -> bool:
        """Sequences go through the kinds in one order, and change no line twice in the same way; what two of them give
        alike is met once."""
        if not self.changes:
            return True
        kind, before = IDS.index(candidate.id), IDS.index(self.last.transformation)
        return kind > before or (kind == before and candidate.line != self.last.line)


class Screening:
    """Reads, screens and predicts programs; each is read once."""

    def __init__(self, origin: Origin, folder: Path) -> None:
        self._origin, self._folder = origin, folder
        #: flags that nobody gave, but the environment or a database beside the file, which a changed file has not
        is_usual = origin.case.settings["flags"] == DEFAULT_FLAGS
        self.flags = usual_flags(origin.file) if is_usual else ""
        self._programs: dict[tuple[str, int], Program] = {}
        #: the shortest screened time, by threads
        self._fastest: dict[int, float] = {}
        #: seconds that a change of a loop saves, of all and of the core
        self._saved: dict[tuple[str, str, str, int], tuple[float, float]] = {}

    def case(self, state: State) -> Case:
        """The question for the changed program."""
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        file = folder / self._origin.file.name
        file.write_text(state.text)
        include = f"-I{self._origin.file.resolve().parent}"
        flags = " ".join(text for text in (self.flags, include, state.flags) if text)
        return self._origin.asked.again(file, flags, state.threads)

    def read(self, state: State, case: Case | None = None) -> Program:
        """The program of a state, read once."""
        key = state.text, state.threads
        if key not in self._programs:
            loops = (case or self.case(state)).workload.find(Loops)
            if loops is None:
                raise InputError("--try changes loops of C and Fortran, and launches of CUDA", file=self._origin.file)
            language: Language = "fortran" if self._origin.file.suffix.lower() in _FORTRAN else "c"
            self._programs[key] = Program(state.text, language, loops.nests, str(self._origin.file))
        return self._programs[key]

    def predicted(self, state: State) -> Prediction | InputError:
        """The prediction in full, or why there is none."""
        try:
            return self.case(state).predict()
        except InputError as error:
            return self._named(error)

    def times(self, state: State, case: Case | None = None) -> tuple[float, float] | InputError:
        """The screened time, and that without transfers."""
        try:
            said = self._quick(state, case, _QUICK)
        except InputError as error:
            return self._named(error)
        return said.time_s, next((bound.time_s for bound in said.bounds if bound.name == _CORE), 0.0)

    def bound(self, state: State) -> float | InputError:
        """The time with arithmetic at peak: what transfers take at least."""
        try:
            return self._quick(state, None, {**_QUICK, "core": "peak"}).time_s
        except InputError as error:
            return self._named(error)

    def _named(self, error: InputError) -> InputError:
        """An error of a changed file, which lies in a folder of its own, with the name that the user gave."""
        own = rf"{re.escape(str(self._folder))}/[^/\s]+/{re.escape(self._origin.file.name)}"
        return InputError(re.sub(own, str(self._origin.file), error.message))

    def _quick(self, state: State, case: Case | None, options: dict[str, str]) -> Prediction:
        case = case or self.case(state)
        self.read(state, case)
        quick = case.for_many()
        settings = replace(quick.settings, options={**quick.settings.options, **options})
        return case.model.predict(case.workload, case.machine, settings)

    def with_times(self, state: State, times: tuple[float, float]) -> State:
        """The state with its screened times, which may be the shortest so far."""
        time, core = times
        self._fastest[state.threads] = min(time, self._fastest.get(state.threads, time))
        return replace(state, screened_s=time, least_s=core)

    def fastest(self, state: State) -> float:
        """The shortest screened time of programs with as many threads."""
        return self._fastest.get(state.threads, state.screened_s)

    def saving(self, before: State, candidate: Candidate) -> tuple[float, float] | None:
        """What a change saves without being screened: nothing that generated code shows, or what the change of the same
        loop saved in a program that differs elsewhere."""
        if candidate.id not in SCREENED:
            return 0.0, 0.0
        saved = self._saved.get(_key(before, candidate)) if candidate.scope else None
        return saved if saved is not None and before.screened_s > 2 * saved[0] else None

    def keep(self, before: State, candidate: Candidate, after: tuple[float, float]) -> None:
        """Keeps what a change saved."""
        self._saved[_key(before, candidate)] = before.screened_s - after[0], before.least_s - after[1]


def _key(before: State, candidate: Candidate) -> tuple[str, str, str, int]:
    """A change of a loop, whatever differs elsewhere in the program."""
    return candidate.id, candidate.text, candidate.scope, before.threads
