"""Advice for C and Fortran: transformations of loops, composed by beam search.

Each changed source is read and predicted by the same path as the original: parsed, compiled and followed. As that takes
most of a second, candidates are first screened by the model with generated instead of compiled code; the best of each
length go on (the beam), and the best of all are predicted in full.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.core.answers.advising import AdvisedChange, Advising, RefusedChange
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError, nearest
from foretell.files import read_text
from foretell.records import record
from foretell.transform.catalogue import ENABLING, IDS, Choices, attempted, candidates, codee
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text.source import edited
from foretell.uses.advise.edits import whole_edit
from foretell.uses.advise.gain import gain, gain_interval, moved_bound

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.api import Case
    from foretell.core.answers.prediction import Prediction
    from foretell.core.machine.machine import Machine
    from foretell.transform.catalogue import Candidate
    from foretell.uses.advise.asked import Origin

#: sequences that go on from one length to the next (and one more that makes others possible), and those that are
#: predicted in full
BEAM, FULL = 2, 5
#: a further change of a sequence must gain so much
_MORE = 1.01
#: changes of compiled code that generated code does not show: predicted in full, after the best sequence
_COMPILED_ONLY = ("restrict", "flags")
_FORTRAN = (".f", ".for", ".f77", ".ftn", ".f90", ".f95", ".f03", ".f08", ".f18")


@record
class _State:
    """A program after some changes."""

    program: Program
    changes: tuple[Change, ...] = ()
    screened_s: float = 0.0

    @property
    def flags(self) -> str:
        return " ".join(change.flags for change in self.changes if change.flags)

    @property
    def threads(self) -> bool:
        return any(change.threads for change in self.changes)

    def goes_on_with(self, candidate: Candidate) -> bool:
        """Sequences go through the kinds in one order, and through the lines for each kind: few are met twice."""
        if not self.changes:
            return True
        last = self.changes[-1]
        kind, before = IDS.index(candidate.id), IDS.index(last.transformation)
        return kind > before or (kind == before and candidate.line > last.line)


def advise_loops(origin: Origin, depth: int, only: Sequence[str], say: Callable[[str], None]) -> Advising:
    """Tries changes of a source, up to `depth` in sequence; `only` names the kinds of change."""
    search = _Search(origin, _kinds(only))
    with tempfile.TemporaryDirectory() as folder:
        return search.run(Path(folder), depth, say)


def _kinds(only: Sequence[str]) -> tuple[str, ...]:
    for name in only:
        if name not in IDS:
            raise InputError(f"no transformation is called {name!r}{nearest(name, IDS)}", hint=", ".join(IDS))
    return tuple(name for name in IDS if name in only) if only else IDS


class _Search:
    def __init__(self, origin: Origin, kinds: tuple[str, ...]) -> None:
        self._origin, self._kinds = origin, kinds
        self._text = read_text(origin.file)
        self._refused: dict[tuple[str, int, str], RefusedChange] = {}
        self._tried = 0
        self._number = 0

    def run(self, folder: Path, depth: int, say: Callable[[str], None]) -> Advising:
        self._folder = folder
        base = self._origin.case.predict()
        start = _State(self._program(self._text, self._origin.case), (), self._screen(self._origin.case))
        beam, every, direct = [start], [], []
        for length in range(1, depth + 1):
            say(f"changes in sequence: {length}")
            following = [self._next(before) for before in beam]
            direct += [one for one in following[0] if one.changes[-1].transformation in _COMPILED_ONLY]
            states = [state for after in following for state in after]
            screened = sorted((one for one in states if one.screened_s), key=lambda one: one.screened_s)
            every += screened
            enabling = [one for one in screened[BEAM:] if one.changes[-1].transformation in ENABLING]
            beam = screened[:BEAM] + enabling[:1]
            if not beam:
                break
        every.sort(key=lambda one: one.screened_s)
        say("predicting the best")
        full = [*_distinct(every)[:FULL], *direct]
        changes = [change for state in full if (change := self._predicted(state, base)) is not None]
        changes += [self._screened(state, start, base) for state in every if state not in full]
        changes = _worthwhile(changes)
        changes.sort(key=lambda one: (-one.gain, len(one.ids)))
        return Advising(base, str(self._origin.file), tuple(changes), tuple(self._refused.values()), self._tried)

    def _program(self, text: str, case: Case) -> Program:
        loops = case.workload.find(Loops)
        if loops is None:
            raise InputError("--try changes loops of C and Fortran, and launches of CUDA", file=self._origin.file)
        fortran = self._origin.file.suffix.lower() in _FORTRAN
        return Program(text, "fortran" if fortran else "c", loops.nests, str(self._origin.file))

    def _next(self, before: _State) -> list[_State]:
        """The program after each further change that is possible."""
        result = []
        machine = self._origin.case.machine
        choices = Choices(self._kinds, _tile_sizes(machine), flags=self._origin.case.settings["flags"])
        for candidate in candidates(before.program, choices):
            if not before.goes_on_with(candidate):
                continue
            change = attempted(candidate)
            if isinstance(change, RefusedError):
                self._refuse(candidate.id, candidate.line, candidate.text, change.reason)
            elif (state := self._changed(before, change)) is not None:
                result.append(state)
        return result

    def _refuse(self, identifier: str, line: int, title: str, reason: str) -> None:
        key = (identifier, line, reason)
        self._refused.setdefault(key, RefusedChange(identifier, line, title, reason))

    def _changed(self, before: _State, change: Change) -> _State | None:
        """The state after a change, screened; None where the result cannot be read."""
        state = _State(before.program, (*before.changes, change))
        text = edited(before.program.text, change.edits)
        try:
            case = self._case(text, state)
            program = self._program(text, case)
            self._tried += 1
            skipped = change.transformation in _COMPILED_ONLY
            return replace(state, program=program, screened_s=0.0 if skipped else self._screen(case))
        except InputError as error:
            self._refuse(change.transformation, change.line, change.title, f"the result is not read: {error.message}")
            return None

    def _case(self, text: str, state: _State) -> Case:
        self._number += 1
        folder = self._folder / str(self._number)
        folder.mkdir()
        file = folder / self._origin.file.name
        file.write_text(text)
        include = f"-I{self._origin.file.resolve().parent}"
        return self._origin.asked.again(file, f"{include} {state.flags}".strip(), state.threads)

    @staticmethod
    def _screen(case: Case) -> float:
        """The time by the model's settings for many points, from generated code and closed forms of the caches."""
        quick = case.for_many()
        settings = replace(quick.settings, options={**quick.settings.options, "cc": "none", "simulate": "none"})
        return case.model.predict(case.workload, case.machine, settings).time_s

    def _screened(self, state: _State, start: _State, base: Prediction) -> AdvisedChange:
        ratio = start.screened_s / state.screened_s
        change = self._described(state, base.time_s / ratio)
        low, high = base.interval_s or (base.time_s, base.time_s)
        spread = (ratio * low / base.time_s, ratio * high / base.time_s) if base.time_s else (ratio, ratio)
        return replace(change, gain=ratio, interval=spread, why="by generated code", basis="screened")

    def _predicted(self, state: _State, base: Prediction) -> AdvisedChange | None:
        last = state.changes[-1]
        try:
            after = self._case(state.program.text, state).predict()
        except InputError as error:
            self._refuse(last.transformation, last.line, last.title, error.message)
            return None
        change = self._described(state, after.time_s)
        threads = int(after.parameters.get("threads", 0)) if state.threads else 0
        interval, why = gain_interval(base, after), moved_bound(base, after)
        return replace(change, gain=gain(base, after), interval=interval, why=why, threads=threads)

    def _described(self, state: _State, time_s: float) -> AdvisedChange:
        """The changes in words; gain and reason follow."""
        ids = tuple(change.transformation for change in state.changes)
        return AdvisedChange(
            ids=ids,
            steps=tuple(change.title for change in state.changes),
            line=state.changes[0].line,
            time_s=time_s,
            gain=1.0,
            interval=(1.0, 1.0),
            why="",
            provided=tuple(dict.fromkeys(text for change in state.changes for text in change.provided)),
            codee=tuple(name for name in map(codee, ids) if name),
            flags=state.flags,
            text=state.program.text,
            edits=whole_edit(self._text, state.program.text),
        )


def _worthwhile(changes: Sequence[AdvisedChange]) -> list[AdvisedChange]:
    """Leaves out sequences of which a part gains as much: no further change without a further gain."""

    def as_good(part: AdvisedChange, whole: AdvisedChange) -> bool:
        return {*part.steps} < {*whole.steps} and part.gain * _MORE >= whole.gain

    return [change for change in changes if not any(as_good(part, change) for part in changes)]


def _tile_sizes(machine: Machine) -> tuple[int, ...]:
    """Sizes by footprints: three square tiles of 8-byte elements fit L1, or L2; a power of two."""
    sizes = []
    for level in machine.levels[:2]:
        size = machine.value(f"level.{level}.size")
        sizes.append(1 << max(3, int((size / 24) ** 0.5).bit_length() - 1))
    return tuple(dict.fromkeys(sizes)) or (32,)


def _distinct(states: Sequence[_State]) -> list[_State]:
    """States without those that give the same text."""
    return list({state.program.text: state for state in reversed(states)}.values())[::-1]
