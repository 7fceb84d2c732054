"""Advice for C and Fortran: transformations of loops, composed by beam search.

Each changed source is read and predicted by the same path as the original: parsed, compiled and followed. As that takes
most of a second, candidates are first screened by the model with generated instead of compiled code (`screening.py`);
the best of each length go on (the beam), and the best of all are predicted in full.
"""

from __future__ import annotations

import gc
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.codegen.compiled.installed import cpu_flag
from foretell.core.answers.advising import AdvisedChange, Advising, RefusedChange
from foretell.errors import InputError, nearest
from foretell.files import read_text, temporary_folder
from foretell.transform.catalogue import Choices, attempted, candidates
from foretell.transform.kinds import COMPILED_ONLY, ENABLING, IDS, OPTIONS, codee
from foretell.transform.program import Change, conditions
from foretell.transform.text.source import edited
from foretell.uses.advise.edits import whole_edit
from foretell.uses.advise.forked import shared_out
from foretell.uses.advise.gain import LOOPS, gain, gain_interval, is_same_code, moved_bound, rank
from foretell.uses.advise.screening import SCREENED, Screening, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from foretell.core.answers.prediction import Prediction
    from foretell.core.machine.machine import Machine
    from foretell.core.nest.loopnest import Access
    from foretell.transform.catalogue import Candidate
    from foretell.transform.program import Program
    from foretell.uses.advise.asked import Origin

#: sequences that go on from one length to the next (and one more that makes others possible), those that are predicted
#: in full, and tiles of a program for which code is generated
BEAM, FULL, TILES = 2, 4, 2
#: a further change of a sequence must gain so much
_MORE = 1.01
#: how often another change may turn out to be the best when the best one is predicted in full
_ROUNDS = 3
#: tiles are tried where they could make a program so many times as fast as the fastest one
_WORTH_TILING = 1.05
#: and a further tiled loop where it saves so much
_WORTH_A_LOOP = 1.1
#: by which a predicted gain may be larger than the screened one; a change that needs more to be the best is not
#: predicted
_DOUBT = 2.0
#: a divided loop that is so many times as fast for each thread leaves nothing for a loop inside it
_OCCUPIED = 0.8
_TILE, _ORDER, _VECTORS, _UNROLL = "tile", "interchange", "vectorise", "unroll_and_jam"
_DIVIDE = ("parallelise", "collapse")
#: changes of compiled code that leave transfers as they are
_CORE_ONLY = ("hoist", "vectorise")


def advise_loops(origin: Origin, depth: int, only: Sequence[str], say: Callable[[str], None]) -> Advising:
    """Tries changes of a source, up to `depth` in sequence; `only` names the kinds of change."""
    kinds = _kinds(only)
    gc.freeze()  # what is there is no garbage: looking through it, again and again, took a tenth of the search
    try:
        with temporary_folder() as folder:
            return _Search(origin, kinds, Screening(origin, Path(folder))).run(depth, say)
    finally:
        gc.unfreeze()


def _kinds(only: Sequence[str]) -> tuple[str, ...]:
    for name in only:
        if name not in IDS:
            raise InputError(f"no transformation is called {name!r}{nearest(name, IDS)}", hint=", ".join(IDS))
    return tuple(name for name in IDS if name in only) if only else IDS


class _Search:
    def __init__(self, origin: Origin, kinds: tuple[str, ...], screening: Screening) -> None:
        self._origin, self._kinds, self._screening = origin, kinds, screening
        self._text = read_text(origin.file)
        self._refused: dict[tuple[str, int, str], RefusedChange] = {}
        self._met: set[tuple[str, str, int]] = set()
        self._tried = 0

    def run(self, depth: int, say: Callable[[str], None]) -> Advising:
        base = self._origin.case.predict()
        self._choices = self._chosen(base)
        start = State(self._text)
        screened = self._screening.times(start, self._origin.case)
        if isinstance(screened, InputError):
            raise screened
        start = self._screening.with_times(start, screened)
        every = self._searched(start, depth, say)
        say("predicting the best")
        predicted = self._best(_distinct(every)[:FULL], start, base)
        predicted |= self._compiled(start, predicted, base, depth)
        predicted |= self._summed(every, base, depth)
        changes = self._settled(predicted, {state: self._screened(state, start, base) for state in every}, base)
        changes[:1] = [self._with_accesses(change, predicted, start) for change in changes[:1]]
        return Advising(base, str(self._origin.file), tuple(changes), tuple(self._refused.values()), self._tried)

    def _settled(
        self, predicted: dict[State, AdvisedChange], screened: dict[State, AdvisedChange], base: Prediction
    ) -> list[AdvisedChange]:
        """The changes that are worth while, the best first. The best is predicted in full, as is the best without more
        threads, and every change that these begin with, so that the answer says what each step brings."""
        for _ in range(_ROUNDS):
            known = {**screened, **predicted}
            ranked = sorted(known, key=lambda state: rank(known[state], hopeful=True))
            best = [*ranked[:1], *[state for state in ranked if not state.threads][:1]]
            first = [one for one in known if any(one.changes == last.changes[: len(one.changes)] for last in best)]
            if not (doubtful := [state for state in first if state not in predicted]):
                break
            predicted |= self._all_predicted(doubtful, base)
            screened = {state: one for state, one in screened.items() if state not in doubtful}
        return sorted(_worthwhile([*{**screened, **predicted}.values()]), key=rank)

    def _chosen(self, base: Prediction) -> Choices:
        """What to try on this machine, with this compiler, beside the threads that were asked for."""
        case = self._origin.case
        compiler = "clang" if any("followed" in text and "clang" in text for text in base.assumptions) else "gcc"
        asked = int(base.parameters.get("threads", 1))
        threads = _thread_counts(case.machine, asked)
        self._cores = asked if asked > 1 else max(threads, default=1)
        domains = "cores.numa_domains"
        return Choices(
            self._kinds,
            _tile_sizes(case.machine),
            flags=self._screening.flags or case.settings["flags"],
            cpu=cpu_flag(case.machine.traits.get("target.isa", ""), case.machine.traits.get("target.cpu") or "native"),
            compiler=compiler,
            threads=threads,
            domains=int(case.machine.value(domains)) if domains in case.machine else 0,
        )

    def _searched(self, start: State, depth: int, say: Callable[[str], None]) -> list[State]:
        """Sequences that generated code shows, found by beam search; the fastest first."""
        beam, every = [start], []
        for length in range(1, depth + 1):
            say(f"changes in sequence: {length}")
            states = [state for before in beam for state in self._next(before, SCREENED)]
            screened = sorted((one for one in states if one.screened_s), key=lambda one: one.screened_s)
            every += screened
            enabling = [one for one in screened[BEAM:] if one.last.transformation in ENABLING]
            beam = screened[:BEAM] + enabling[:1]
            if not beam:
                break
        return sorted(every, key=lambda one: one.screened_s)

    def _with_accesses(
        self, change: AdvisedChange, predicted: Mapping[State, AdvisedChange], start: State
    ) -> AdvisedChange:
        """The best change, with the arrays that were accessed down their columns before it and are not after it."""
        state = next((state for state, one in predicted.items() if one is change), start)
        before = self._screening.read(start)
        if before.language != "c" or not {_ORDER, _TILE} & {*change.ids}:
            return change
        gone = sorted(_down_columns(before) - _down_columns(self._screening.read(state)))
        text = f"{', '.join(gone)} no longer accessed down columns, a new line each iteration; {change.why}"
        return replace(change, why=text) if gone else change

    def _best(self, states: Sequence[State], start: State, base: Prediction) -> dict[State, AdvisedChange]:
        """The fastest states, predicted in full: first those that may be the best by their screened times, then those
        that still may after what was predicted."""
        close = [one for one in states if one.screened_s <= _DOUBT * states[0].screened_s]
        result = self._all_predicted(close, base)
        fastest = min((one.time_s for one in result.values()), default=math.inf)
        scale = base.time_s / start.screened_s if start.screened_s > 0 else 1.0
        rest = [one for one in states if one not in close and one.screened_s * scale <= _DOUBT * fastest]
        return result | self._all_predicted(rest, base)

    def _compiled(
        self, start: State, predicted: Mapping[State, AdvisedChange], base: Prediction, depth: int
    ) -> dict[State, AdvisedChange]:
        """Changes that only compiled code shows, and those with another result: of the code as it is, and after the
        best sequence as long as they gain."""
        result = self._all_predicted(self._hopeful(start, predicted.values(), base), base)
        while True:
            both = {state: one for state, one in {**predicted, **result}.items() if not one.is_option}
            best = max(both, key=lambda state: both[state].gain, default=start)
            if len(best.changes) >= depth or best is start or both[best].gain <= 1:
                return result
            further = self._all_predicted(self._next(best, COMPILED_ONLY), base)
            result |= further
            if not any(change.gain > _MORE * both[best].gain for change in further.values()):
                return result

    def _hopeful(self, start: State, predicted: Iterable[AdvisedChange], base: Prediction) -> list[State]:
        """Changes of the code as it is that only compiled code shows, bounds first: those that leave transfers as they
        are cannot be the best where transfers alone take longer than another change."""
        states = self._next(start, (*COMPILED_ONLY, *OPTIONS))
        bound = self._screening.bound(start) if any(one.last.transformation in _CORE_ONLY for one in states) else 0.0
        share = bound / start.screened_s if isinstance(bound, float) and start.screened_s > 0 else 0.0
        fastest = min((one.time_s for one in predicted), default=base.time_s)
        if share * base.time_s <= fastest:
            return states
        reason = f"at peak arithmetic the code would still take {share:.0%} of its time: another change gains more"
        for change in (one.last for one in states if one.last.transformation in _CORE_ONLY):
            self._refuse(change.transformation, change.line, change.title, reason)
        return [one for one in states if one.last.transformation not in _CORE_ONLY]

    def _summed(self, every: Sequence[State], base: Prediction, depth: int) -> dict[State, AdvisedChange]:
        """Orders of loops whose innermost one adds up along rows: slow by themselves, since additions wait for each
        other, but fast in vectors."""
        orders = [one for one in every if [change.transformation for change in one.changes] == [_ORDER]]
        if depth < 2 or not orders:
            return {}
        best = min(orders, key=lambda one: (_strided(self._screening.read(one)), one.screened_s))
        if _strided(self._screening.read(best)) >= _strided(self._screening.read(State(self._text))):
            return {}
        return self._all_predicted(self._next(best, (_VECTORS,)), base)

    def _all_predicted(self, states: Sequence[State], base: Prediction) -> dict[State, AdvisedChange]:
        """The changes of states, predicted in full; refused where this is not possible."""
        result = {}
        for state, after in zip(states, shared_out(self._screening.predicted, states), strict=True):
            if isinstance(after, InputError):
                self._refuse(state.last.transformation, state.last.line, state.last.title, after.message)
            elif state.last.transformation in COMPILED_ONLY and len(state.changes) == 1 and is_same_code(base, after):
                reason = f"to {state.last.title} leaves the code as it is"
                self._refuse(state.last.transformation, state.last.line, "", reason)
            else:
                result[state] = self._predicted(state, base, after)
        return result

    def _next(self, before: State, kinds: Sequence[str]) -> list[State]:
        """The program after each further change of some kinds that is possible. Refusals of changed programs are not
        kept: their lines are not those of the file."""
        ids = tuple(kind for kind in self._choices.ids if kind in kinds)
        every = candidates(self._screening.read(before), replace(self._choices, ids=ids))
        possible = [candidate for candidate in every if before.goes_on_with(candidate)]
        later = [one for one in possible if self._waits(one)]
        result = self._all_screened(before, [one for one in possible if one.id != _TILE and one not in later])
        gained = {one.last.line for one in result if one.last.transformation == _UNROLL and _is_faster(one, before)}
        later = [one for one in later if one.id != _UNROLL or one.line not in gained]
        result += self._all_screened(before, self._unoccupied(before, later, possible, result))
        tiles = [one for one in possible if one.id == _TILE]  # last: others may make them needless
        if tiles and not self._is_hopeless(before):
            result += self._tiled(before, tiles)
        return result

    def _waits(self, candidate: Candidate) -> bool:
        """Whether a change is tried after others, which may make it needless."""
        if candidate.id == _UNROLL:
            return candidate.size < max(self._choices.factors)
        return candidate.id in _DIVIDE and candidate.size > 0

    def _unoccupied(
        self, before: State, later: Sequence[Candidate], every: Sequence[Candidate], screened: Sequence[State]
    ) -> list[Candidate]:
        """Leaves out divided loops inside one that gains nearly as much as there are threads: all work already, and
        threads that start more often gain no more."""
        enough = _OCCUPIED * self._cores
        busy = {
            one.last.line
            for one in screened
            if one.last.transformation in _DIVIDE and before.screened_s >= enough * one.screened_s
        }
        outer = [one for one in every if one.id in _DIVIDE and one.size == 0 and one.line in busy]
        inside = [one for one in later if one.id in _DIVIDE and any(_is_inside(one, other) for other in outer)]
        needless = [one for one in inside if isinstance(attempted(one), Change)]
        for candidate in needless if not before.changes else ():
            reason = "a loop around it can be divided, and occupies all threads"
            self._refuse(candidate.id, candidate.line, candidate.text, reason)
        return [one for one in later if one not in needless]

    def _all_screened(self, before: State, every: Sequence[Candidate]) -> list[State]:
        """The states after each change that is possible, screened."""
        return self._with_times(before, self._all_changed(before, every))

    def _all_changed(self, before: State, every: Sequence[Candidate]) -> list[tuple[State, Candidate]]:
        """The states after each change that is possible; the others are refused."""
        changed: list[tuple[State, Candidate]] = []
        for candidate in every:
            change = attempted(candidate)
            if isinstance(change, Change):
                changed += ((state, candidate) for state in self._changed(before, change))
            elif not before.changes:
                self._refuse(candidate.id, candidate.line, candidate.text, change.reason)
        return changed

    def _with_times(self, before: State, changed: Sequence[tuple[State, Candidate]]) -> list[State]:
        unknown = [state for state, candidate in changed if self._screening.saving(before, candidate) is None]
        screened = dict(zip(unknown, shared_out(self._screening.times, unknown), strict=True))
        states = (self._after_screen(before, state, one, screened.get(state)) for state, one in changed)
        return [state for state in states if state is not None]

    def _tiled(self, before: State, every: Sequence[Candidate]) -> list[State]:
        """Tiles, bounds first: they save transfers, which need no code; it is generated for the best of them."""
        changed = self._all_changed(before, every)
        if len(changed) <= TILES:
            return self._with_times(before, changed)
        bounds = shared_out(self._screening.bound, [state for state, _ in changed])
        order = sorted(zip(bounds, changed, strict=True), key=lambda one: _with_overhead(one[0], one[1][1]))
        for bound, (state, _) in order[TILES:] if not before.changes else ():
            reason = "other tiles have fewer transfers"
            reason = reason if isinstance(bound, float) else f"the result is not read: {bound.message}"
            self._refuse(_TILE, state.last.line, state.last.title, reason)
        return self._with_times(before, [one for _, one in order[:TILES]])

    def _is_hopeless(self, before: State) -> bool:
        """Whether tiles cannot make a program the fastest: they save transfers alone, and even without any it would
        take longer than the fastest that is known on as many threads."""
        fastest = self._screening.fastest(before) / _WORTH_TILING
        hopeless = 0 < fastest <= before.least_s
        if hopeless and not before.changes:
            share = 1 - before.least_s / before.screened_s
            self._refuse(_TILE, 1, "", f"transfers are {share:.0%} of the time, and tiles save nothing else")
        return hopeless

    def _refuse(self, identifier: str, line: int, title: str, reason: str) -> None:
        key = (identifier, line, reason)
        self._refused.setdefault(key, RefusedChange(identifier, line, title, reason))

    def _changed(self, before: State, change: Change) -> Iterator[State]:
        """The state after a change; none where it was met before."""
        state = State(edited(before.text, change.edits), (*before.changes, change))
        met = (state.text, state.flags, state.threads)
        if met not in self._met:
            self._met.add(met)
            self._tried += 1
            yield state

    def _after_screen(
        self, before: State, state: State, candidate: Candidate, screened: tuple[float, float] | InputError | None
    ) -> State | None:
        """The state with its screened times; None where it cannot be read."""
        if isinstance(screened, InputError):
            if not before.changes:
                last, reason = state.last, f"the result is not read: {screened.message}"
                self._refuse(last.transformation, last.line, last.title, reason)
            return None
        if screened is not None:
            self._screening.keep(before, candidate, screened)
            return self._screening.with_times(state, screened)
        if candidate.id not in SCREENED:
            return state
        saved, of_core = self._screening.saving(before, candidate) or (0.0, 0.0)
        return replace(state, screened_s=before.screened_s - saved, least_s=before.least_s - of_core)

    def _screened(self, state: State, start: State, base: Prediction) -> AdvisedChange:
        ratio = start.screened_s / state.screened_s
        change = self._described(state, base.time_s / ratio)
        low, high = base.interval_s or (base.time_s, base.time_s)
        spread = (ratio * low / base.time_s, ratio * high / base.time_s) if base.time_s else (ratio, ratio)
        return replace(change, gain=ratio, interval=spread, why="by generated code", basis="screened")

    def _predicted(self, state: State, base: Prediction, after: Prediction) -> AdvisedChange:
        change = self._described(state, after.time_s)
        interval, why = gain_interval(base, after, LOOPS), moved_bound(base, after)
        return replace(change, gain=gain(base, after), interval=interval, why=why)

    def _described(self, state: State, time_s: float) -> AdvisedChange:
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
            provided=conditions(text for change in state.changes for text in change.provided),
            codee=tuple(name for name in map(codee, ids) if name),
            flags=state.flags,
            threads=self._cores if state.threads < 0 else state.threads,
            text=state.text,
            edits=whole_edit(self._text, state.text),
        )


def _with_overhead(bound: float | InputError, tile: Candidate) -> float:
    """What a tile takes at least; each tiled loop must save so much that it is worth its shorter rows."""
    return bound * _WORTH_A_LOOP**tile.size if isinstance(bound, float) else math.inf


def _is_inside(candidate: Candidate, other: Candidate) -> bool:
    """Whether the loop of a change is that of another, or inside it: the text of one has that of the other."""
    return candidate.scope.partition(": ")[2] in other.scope


def _is_faster(state: State, before: State) -> bool:
    return state.screened_s < before.screened_s


def _strided(program: Program) -> int:
    """References of innermost loops that go down columns: neighbouring iterations are not neighbours in memory."""
    return sum(
        _goes_down(access, nest.loops[-1].variable)
        for nest in program.nests
        for use in nest.arrays
        for access in use.accesses
    )


def _down_columns(program: Program) -> set[str]:
    """Arrays that an innermost loop accesses down columns."""
    return {
        use.name
        for nest in program.nests
        for use in nest.arrays
        if any(_goes_down(access, nest.loops[-1].variable) for access in use.accesses)
    }


def _goes_down(access: Access, variable: str) -> bool:
    by_speed = [dict(subscript.coefficients).get(variable) for subscript in reversed(access.subscripts)]
    return any(factor is not None and (at > 0 or factor.integer != 1) for at, factor in enumerate(by_speed))


def _titles(changes: Sequence[Change]) -> tuple[str, ...]:
    """The titles of changes, with their line where several have the same."""
    titles = [change.title for change in changes]
    return tuple(
        f"{change.title} (line {change.line})" if titles.count(change.title) > 1 else change.title for change in changes
    )


def _steps(change: AdvisedChange) -> set[str]:
    """What a change consists of; flags one by one."""
    flags = {
        word for one, text in zip(change.ids, change.steps, strict=True) if one == "flags" for word in text.split()
    }
    return {text for one, text in zip(change.ids, change.steps, strict=True) if one != "flags"} | flags


def _worthwhile(changes: Sequence[AdvisedChange]) -> list[AdvisedChange]:
    """Leaves out sequences of which a part gains as much: no further change without a further gain."""

    def as_good(part: AdvisedChange, whole: AdvisedChange) -> bool:
        return _steps(part) < _steps(whole) and part.gain * _MORE >= whole.gain

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


def _distinct(states: Sequence[State]) -> list[State]:
    """States without those that give the same text."""
    return list({state.text: state for state in reversed(states)}.values())[::-1]
