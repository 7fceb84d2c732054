"""Guards: conditions between a loop and the loops and statements inside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import Choice
from foretell.core.symbolic.poly import ONE
from foretell.frontends.analysis.walk.state import BranchItem, Item, LoopItem
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    from foretell.core.symbolic.poly import Poly


@record
class Guard:
    """A condition that controls a statement."""

    text: str
    share: Poly | None
    probability: Fraction
    line: int
    #: loop-invariant in the loops around
    fixed: bool = False
    guessed: bool = False
    #: whether the user gives the probability
    given: bool = False
    #: whether it is the condition of a branch that does not hold
    negated: bool = False
    #: whether it updates a running extreme
    extreme: bool = False


Guards = tuple[Guard, ...]


@record
class Link:
    """A loop of the chain with the conditions between it and its parent."""

    loop: LoopItem
    guards: Guards


def loops_in(items: Iterable[Item]) -> Iterator[tuple[LoopItem, Guards]]:
    """The immediate inner loops, with their guards."""
    for item in items:
        if isinstance(item, LoopItem):
            yield item, ()
        elif isinstance(item, BranchItem):
            taken, missed = sides(item)
            for loop, guards in loops_in(item.then):
                yield loop, (taken, *guards)
            for loop, guards in loops_in(item.other):
                yield loop, (missed, *guards)


def sides(branch: BranchItem) -> tuple[Guard, Guard]:
    """The condition of a branch and its negation."""
    taken = Guard(
        branch.text,
        branch.share,
        branch.probability,
        branch.line,
        branch.fixed,
        branch.guessed,
        branch.given,
        extreme=branch.extreme_over > 0,
    )
    missed = replace(
        taken,
        text=f"not ({branch.text})",
        share=None if branch.share is None else ONE - branch.share,
        probability=1 - branch.probability,
        negated=True,
    )
    return taken, missed


def choice_of(guard: Guard) -> Choice:
    """The alternative that a guard takes, as nests keep it."""
    text = guard.text.removeprefix("not (").removesuffix(")") if guard.negated else guard.text
    share = None if guard.guessed or guard.given else guard.share
    return Choice(text, guard.line, not guard.negated, share, guard.probability, guard.given)
