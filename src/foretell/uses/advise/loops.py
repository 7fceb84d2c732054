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
from foretell.transform.catalogue import Choices, attempted, candidates
from foretell.transform.kinds import COMPILED_ONLY, ENABLING, IDS, OPTIONS, codee
from foretell.transform.program import Change, Program
from foretell.transform.text.source import edited
from foretell.uses.advise.edits import whole_edit
from foretell.uses.advise.forked import shared_out
from foretell.uses.advise.gain import gain, gain_interval, moved_bound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from foretell.api import Case
    from foretell.core.answers.prediction import Prediction
    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import Access
    from foretell.transform.catalogue import Candidate
    from foretell.transform.text.source import Language
    from foretell.uses.advise.asked import Origin

#: sequences that go on from one length to the next (and one more that makes others possible), and those that are
#: predicted in full
BEAM, FULL = 2, 4
#: a further change of a sequence must gain so much
_MORE = 1.01
#: tiles are tried where they could make a program so many times as fast as the fastest one
_WORTH_TILING = 1.05
_CORE, _TILE, _ORDER, _VECTORS = "core", "tile", "interchange", "vectorise"
_SCREENED = tuple(kind for kind in IDS if kind not in (*COMPILED_ONLY, *OPTIONS))
_FORTRAN = (".f", ".for", ".f77", ".ftn", ".f90", ".f95", ".f03", ".f08", ".f18")


@record
class _State:
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

    def goes_on_with(self, candidate: Candidate) -> bool:
        """Sequences go through the kinds in one order, and change no line twice in the same way; what two of them give
        alike is met once."""
        if not self.changes:
            return True
        last = self.changes[-1]
        kind, before = IDS.index(candidate.id), IDS.index(last.transformation)
        return kind > before or (kind == before and candidate.line != last.line)


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
        #: the shortest screened time, by threads
        self._fastest: dict[int, float] = {}
        self._met: set[tuple[str, str, int]] = set()
        self._programs: dict[tuple[str, int], Program] = {}
        #: seconds that a change of a loop saves, of all and of the core
        self._saved: dict[tuple[str, str, str, int], tuple[float, float]] = {}
        self._tried = 0

    def run(self, folder: Path, depth: int, say: Callable[[str], None]) -> Advising:
        self._folder = folder
        base = self._origin.case.predict()
        self._choices = self._chosen(base)
        start = _State(self._text)
        screened = self._screen(start, self._origin.case)
        if isinstance(screened, InputError):
            raise screened
        start = self._with_times(start, screened)
        every = self._searched(start, depth, say)
        say("predicting the best")
        full = _distinct(every)[:FULL]
        predicted = self._all_predicted(full, base)
        predicted |= self._compiled(start, predicted, base, depth)
        predicted |= self._summed(every, base, depth)
        changes = [*predicted.values()]
        changes += [self._screened(state, start, base) for state in every if state not in full]
        changes = _worthwhile(changes)
        changes.sort(key=lambda one: (one.is_option, -one.gain, len(one.ids)))
        return Advising(base, str(self._origin.file), tuple(changes), tuple(self._refused.values()), self._tried)

    def _chosen(self, base: Prediction) -> Choices:
        """What to try on this machine, with this compiler, beside the threads that were asked for."""
        case = self._origin.case
        compiler = "clang" if any("followed" in text and "clang" in text for text in base.assumptions) else "gcc"
        threads = _thread_counts(case.machine, int(base.parameters.get("threads", 1)))
        domains = "cores.numa_domains"
        return Choices(
            self._kinds,
            _tile_sizes(case.machine),
            flags=case.settings["flags"],
            compiler=compiler,
            threads=threads,
            domains=int(case.machine.value(domains)) if domains in case.machine else 0,
        )

    def _searched(self, start: _State, depth: int, say: Callable[[str], None]) -> list[_State]:
        """Sequences that generated code shows, found by beam search; the fastest first."""
        beam, every = [start], []
        for length in range(1, depth + 1):
            say(f"changes in sequence: {length}")
            states = [state for before in beam for state in self._next(before, _SCREENED)]
            screened = sorted((one for one in states if one.screened_s), key=lambda one: one.screened_s)
            every += screened
            enabling = [one for one in screened[BEAM:] if one.changes[-1].transformation in ENABLING]
            beam = screened[:BEAM] + enabling[:1]
            if not beam:
                break
        return sorted(every, key=lambda one: one.screened_s)

    def _compiled(
        self, start: _State, predicted: Mapping[_State, AdvisedChange], base: Prediction, depth: int
    ) -> dict[_State, AdvisedChange]:
        """Changes that only compiled code shows, and those with another result: of the code as it is, and after the
        best sequence as long as they gain."""
        result = self._all_predicted(self._next(start, (*COMPILED_ONLY, *OPTIONS)), base)
        while True:
            both = {state: one for state, one in {**predicted, **result}.items() if not one.is_option}
            best = max(both, key=lambda state: both[state].gain, default=start)
            if len(best.changes) >= depth or best is start or both[best].gain <= 1:
                return result
            further = self._all_predicted(self._next(best, COMPILED_ONLY), base)
            result |= further
            if not any(change.gain > _MORE * both[best].gain for change in further.values()):
                return result

    def _summed(self, every: Sequence[_State], base: Prediction, depth: int) -> dict[_State, AdvisedChange]:
        """Orders of loops whose innermost one adds up along rows: slow by themselves, since additions wait for each
        other, but fast in vectors."""
        orders = [one for one in every if [change.transformation for change in one.changes] == [_ORDER]]
        if depth < 2 or not orders:
            return {}
        best = min(orders, key=lambda one: (_strided(self._read(one)), one.screened_s))
        if _strided(self._read(best)) >= _strided(self._read(_State(self._text))):
            return {}
        return self._all_predicted(self._next(best, (_VECTORS,)), base)

    def _all_predicted(self, states: Sequence[_State], base: Prediction) -> dict[_State, AdvisedChange]:
        """The changes of states, predicted in full; refused where this is not possible."""
        result = {}
        for state, after in zip(states, shared_out(self._after, states), strict=True):
            if isinstance(after, InputError):
                last = state.changes[-1]
                self._refuse(last.transformation, last.line, last.title, after.message)
            else:
                result[state] = self._predicted(state, base, after)
        return result

    def _after(self, state: _State) -> Prediction | InputError:
        try:
            return self._case(state).predict()
        except InputError as error:
            return error

    def _read(self, state: _State, case: Case | None = None) -> Program:
        """The program of a state, read once."""
        key = state.text, state.threads
        if key not in self._programs:
            loops = (case or self._case(state)).workload.find(Loops)
            if loops is None:
                raise InputError("--try changes loops of C and Fortran, and launches of CUDA", file=self._origin.file)
            language: Language = "fortran" if self._origin.file.suffix.lower() in _FORTRAN else "c"
            self._programs[key] = Program(state.text, language, loops.nests, str(self._origin.file))
        return self._programs[key]

    def _next(self, before: _State, kinds: Sequence[str]) -> list[_State]:
        """The program after each further change of some kinds that is possible. Refusals of changed programs are not
        kept: their lines are not those of the file."""
        ids = tuple(kind for kind in self._choices.ids if kind in kinds)
        every = candidates(self._read(before), replace(self._choices, ids=ids))
        possible = [candidate for candidate in every if before.goes_on_with(candidate)]
        result = self._all_changed(before, [one for one in possible if one.id != _TILE])
        tiles = [one for one in possible if one.id == _TILE]  # last: others may make them needless
        if tiles and not self._is_hopeless(before):
            result += self._all_changed(before, tiles)
        return result

    def _all_changed(self, before: _State, every: Sequence[Candidate]) -> list[_State]:
        """The states after each change that is possible, screened."""
        changed: list[tuple[_State, Candidate]] = []
        for candidate in every:
            change = attempted(candidate)
            if isinstance(change, Change):
                changed += ((state, candidate) for state in self._changed(before, change))
            elif not before.changes:
                self._refuse(candidate.id, candidate.line, candidate.text, change.reason)
        unknown = [state for state, candidate in changed if self._saving(before, candidate) is None]
        screened = dict(zip(unknown, shared_out(self._screen, unknown), strict=True))
        states = (self._after_screen(before, state, one, screened.get(state)) for state, one in changed)
        return [state for state in states if state is not None]

    def _is_hopeless(self, before: _State) -> bool:
        """Whether tiles cannot make a program the fastest: they save transfers alone, and even without any it would
        take longer than the fastest that is known on as many threads."""
        fastest = self._fastest.get(before.threads, before.screened_s) / _WORTH_TILING
        hopeless = 0 < fastest <= before.least_s
        if hopeless and not before.changes:
            share = 1 - before.least_s / before.screened_s
            self._refuse(_TILE, 1, "", f"transfers are {share:.0%} of the time, and tiles save nothing else")
        return hopeless

    def _refuse(self, identifier: str, line: int, title: str, reason: str) -> None:
        key = (identifier, line, reason)
        self._refused.setdefault(key, RefusedChange(identifier, line, title, reason))

    def _changed(self, before: _State, change: Change) -> Iterator[_State]:
        """The state after a change; none where it was met before."""
        state = _State(edited(before.text, change.edits), (*before.changes, change))
        met = (state.text, state.flags, state.threads)
        if met not in self._met:
            self._met.add(met)
            self._tried += 1
            yield state

    def _saving(self, before: _State, candidate: Candidate) -> tuple[float, float] | None:
        """What a change saves without being screened: nothing that generated code shows, or what the change of the same
        loop saved in a program that differs elsewhere."""
        if candidate.id not in _SCREENED:
            return 0.0, 0.0
        saved = self._saved.get(_key(before, candidate)) if candidate.scope else None
        return saved if saved is not None and before.screened_s > 2 * saved[0] else None

    def _after_screen(
        self, before: _State, state: _State, candidate: Candidate, screened: tuple[float, float] | InputError | None
    ) -> _State | None:
        """The state with its screened times; None where it cannot be read."""
        if isinstance(screened, InputError):
            if not before.changes:
                last = state.changes[-1]
                self._refuse(last.transformation, last.line, last.title, f"the result is not read: {screened.message}")
            return None
        if screened is not None:
            self._saved[_key(before, candidate)] = before.screened_s - screened[0], before.least_s - screened[1]
            return self._with_times(state, screened)
        if candidate.id not in _SCREENED:
            return state
        saved, of_core = self._saved[_key(before, candidate)]
        return replace(state, screened_s=before.screened_s - saved, least_s=before.least_s - of_core)

    def _case(self, state: _State) -> Case:
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        file = folder / self._origin.file.name
        file.write_text(state.text)
        include = f"-I{self._origin.file.resolve().parent}"
        return self._origin.asked.again(file, f"{include} {state.flags}".strip(), state.threads)

    def _screen(self, state: _State, case: Case | None = None) -> tuple[float, float] | InputError:
        """The time by the model's settings for many points, from generated code and closed forms of the caches; and
        that without transfers."""
        try:
            case = case or self._case(state)
            self._read(state, case)
            quick = case.for_many()
            settings = replace(quick.settings, options={**quick.settings.options, "cc": "none", "simulate": "none"})
            said = case.model.predict(case.workload, case.machine, settings)
        except InputError as error:
            return error
        return said.time_s, next((bound.time_s for bound in said.bounds if bound.name == _CORE), 0.0)

    def _with_times(self, state: _State, screened: tuple[float, float]) -> _State:
        time, core = screened
        self._fastest[state.threads] = min(time, self._fastest.get(state.threads, time))
        return replace(state, screened_s=time, least_s=core)

    def _screened(self, state: _State, start: _State, base: Prediction) -> AdvisedChange:
        ratio = start.screened_s / state.screened_s
        change = self._described(state, base.time_s / ratio)
        low, high = base.interval_s or (base.time_s, base.time_s)
        spread = (ratio * low / base.time_s, ratio * high / base.time_s) if base.time_s else (ratio, ratio)
        return replace(change, gain=ratio, interval=spread, why="by generated code", basis="screened")

    def _predicted(self, state: _State, base: Prediction, after: Prediction) -> AdvisedChange:
        change = self._described(state, after.time_s)
        threads = int(after.parameters.get("threads", 0)) if state.threads else 0
        interval, why = gain_interval(base, after), moved_bound(base, after)
        return replace(change, gain=gain(base, after), interval=interval, why=why, threads=threads)

    def _described(self, state: _State, time_s: float) -> AdvisedChange:
        """The changes in words; gain and reason follow."""
        ids = tuple(change.transformation for change in state.changes)
        return AdvisedChange(
            is_option=any(name in OPTIONS for name in ids),
            ids=ids,
            steps=_titles(state.changes),
            line=state.changes[0].line,
            time_s=time_s,
            gain=1.0,
            interval=(1.0, 1.0),
            why="",
            provided=tuple(dict.fromkeys(text for change in state.changes for text in change.provided)),
            codee=tuple(name for name in map(codee, ids) if name),
            flags=state.flags,
            text=state.text,
            edits=whole_edit(self._text, state.text),
        )


def _key(before: _State, candidate: Candidate) -> tuple[str, str, str, int]:
    """A change of a loop, whatever differs elsewhere in the program."""
    return candidate.id, candidate.text, candidate.scope, before.threads


def _strided(program: Program) -> int:
    """References of innermost loops that go down columns: neighbouring iterations are not neighbours in memory."""
    return sum(
        _goes_down(access, nest.loops[-1].variable)
        for nest in program.nests
        for use in nest.arrays
        for access in use.accesses
    )


def _goes_down(access: Access, variable: str) -> bool:
    by_speed = [dict(subscript.coefficients).get(variable) for subscript in reversed(access.subscripts)]
    return any(factor is not None and (at > 0 or factor.integer != 1) for at, factor in enumerate(by_speed))


def _titles(changes: Sequence[Change]) -> tuple[str, ...]:
    """The titles of changes, with their line where several have the same."""
    titles = [change.title for change in changes]
    return tuple(
        f"{change.title} (line {change.line})" if titles.count(change.title) > 1 else change.title for change in changes
    )


def _worthwhile(changes: Sequence[AdvisedChange]) -> list[AdvisedChange]:
    """Leaves out sequences of which a part gains as much: no further change without a further gain."""

    def as_good(part: AdvisedChange, whole: AdvisedChange) -> bool:
        return {*part.steps} < {*whole.steps} and part.gain * _MORE >= whole.gain

    return [change for change in changes if not any(as_good(part, change) for part in changes)]


def _thread_counts(machine: Machine, asked: int) -> tuple[int, ...]:
    """Other numbers of threads: half and all of the cores, and one."""
    cores = int(machine.value("cores.count")) if "cores.count" in machine else 1
    return tuple(sorted({1, max(1, cores // 2), cores} - {asked}))


def _tile_sizes(machine: Machine) -> tuple[int, ...]:
    """Sizes by footprints: three square tiles of 8-byte elements fit L1, or L2; a power of two."""
    sizes = []
    for level in machine.levels[:2]:
        size = machine.value(f"level.{level}.size")
        sizes.append(1 << max(3, int((size / 24) ** 0.5).bit_length() - 1))
    return tuple(dict.fromkeys(sizes)) or (32,)


def _distinct(states: Sequence[_State]) -> list[_State]:
    """States without those that give the same text."""
    return list({state.text: state for state in reversed(states)}.values())[::-1]
