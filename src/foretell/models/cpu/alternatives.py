"""Conditions that no loop changes: which nests of a function run.

A condition on parameters is evaluated. One that is not known is taken to hold as the source suggests (pointers are not
null, computed numbers are not equal), and said; where it decides between loops and others, the user is asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.columns.tape import real
from foretell.errors import InputError
from foretell.models.cpu.notes import Note

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import Choice, LoopNest
    from foretell.models.cpu.program import Run

_WORDS, _WORDS_TO = ("does not hold", "holds"), ("not to hold", "to hold")
#: function, line and text of a condition
_Condition = tuple[str, int, str]


def chosen(runs: Sequence[Run], notes: list[Note]) -> list[Run]:
    """The runs that the conditions around them allow, with the number of their calls; says what was taken."""
    both = _both_sided(runs)
    left: list[Run] = []
    said: dict[str, Note] = {}
    for run in runs:
        count: Value = run.count
        for choice in run.nest.choices:
            share = _share(run.nest, choice, run.values, both)
            count = count * share
            if note := _note(run.nest, choice, share, _known(choice, run.values), both):
                said[note.text] = note
        if np.any(count):
            left.append(replace(run, count=count))
    if runs and not left:
        raise InputError(f"no loop runs with these values: {'; '.join(said)}")
    notes += said.values()
    return left


def are_alternatives(nest: LoopNest, other: LoopNest) -> bool:
    """Whether two nests run on different sides of a condition."""
    sides = {_key(nest, choice): choice.holds for choice in nest.choices}
    return any(sides.get(_key(other, choice), choice.holds) != choice.holds for choice in other.choices)


def running(nests: Sequence[LoopNest], values: Mapping[str, Value]) -> tuple[bool | None, ...]:
    """Whether each nest of a function runs, as its conditions say; None where that is not known or differs."""
    sides: dict[_Condition, set[bool]] = {}
    for nest in nests:
        for choice in nest.choices:
            sides.setdefault(_key(nest, choice), set()).add(choice.holds)
    both = {key for key, found in sides.items() if len(found) > 1}
    return tuple(_runs(nest, values, both) for nest in nests)


def _runs(nest: LoopNest, values: Mapping[str, Value], both: set[_Condition]) -> bool | None:
    trips = float(real(nest.trips.evaluate(values))) if nest.trips.symbols() <= set(values) else 1.0
    if trips <= 0:
        return None
    try:
        shares = [float(real(_share(nest, choice, values, both))) for choice in nest.choices]
    except InputError:  # between alternatives: asked for when the nests are chosen
        return None
    return False if 0.0 in shares else True if all(share == 1 for share in shares) else None


def _both_sided(runs: Sequence[Run]) -> set[_Condition]:
    """Conditions with loops on both sides."""
    sides: dict[_Condition, set[bool]] = {}
    for run in runs:
        for choice in run.nest.choices:
            sides.setdefault(_key(run.nest, choice), set()).add(choice.holds)
    return {key for key, found in sides.items() if len(found) > 1}


def _key(nest: LoopNest, choice: Choice) -> _Condition:
    return nest.function, choice.line, choice.text


def _known(choice: Choice, values: Mapping[str, Value]) -> bool:
    return choice.given or (choice.share is not None and choice.share.symbols() <= set(values))


def _share(nest: LoopNest, choice: Choice, values: Mapping[str, Value], both: set[_Condition]) -> Value:
    """How often the nest's side is taken: 1 or 0 where the condition is known."""
    if choice.share is not None and _known(choice, values):
        return real(choice.share.evaluate(values))
    if choice.given or choice.probability in (0, 1):
        return float(choice.probability)
    if _key(nest, choice) in both:
        raise _asked(nest, choice, values)
    return 1.0


def _asked(nest: LoopNest, choice: Choice, values: Mapping[str, Value]) -> InputError:
    names = sorted(choice.share.symbols() - set(values)) if choice.share is not None else []
    ways = [f"-D {name}=… (a number, a letter or NULL)" for name in names if name.isidentifier()]
    ways.append(f"--branch {choice.line}=1 if it holds, {choice.line}=0 if not")
    return InputError(
        f"{nest.function}: «{choice.text}» is not known, and decides which loops run",
        file=nest.file,
        line=choice.line,
        hint="give " + ", or ".join(ways),
    )


def _note(nest: LoopNest, choice: Choice, share: Value, known: bool, both: set[_Condition]) -> Note | None:
    """What was taken, where it matters: between alternatives, for loops that do not run, and where it is not known."""
    where = f"{nest.function}, line {choice.line}: «{choice.text}»"
    if known and np.ndim(share) == 0 and 0 < float(share) < 1:
        return Note(f"{where} holds {float(share if choice.holds else 1 - share):.3g} of the time")
    if known and _key(nest, choice) not in both:
        return Note(f"{where} {_WORDS[not choice.holds]}", np.equal(share, 0))
    if known:
        return Note(f"{where} {_WORDS[choice.holds]}", np.not_equal(share, 0))
    if choice.probability in (0, 1):
        return Note(f"{where} is taken {_WORDS_TO[choice.holds == bool(share)]}")
    return Note(f"{where} is taken {_WORDS_TO[choice.holds]}; if not: --branch {choice.line}={1 - choice.holds}")
