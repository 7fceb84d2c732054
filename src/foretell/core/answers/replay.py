"""Results of replaying measured tuning spaces."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.core.answers.answers import CaseSet, Refusal

#: choices of the tuner that are measured in turn: the best of the first so many
FIRST = (1, 5, 16)
#: times the optimum: close enough to end a search
WITHIN = 1.05


@dataclass(frozen=True, slots=True)
class Beside:
    """A strategy of another tuner on the same configurations: `top` as of a `SpaceReplay`, by the number of
    configurations measured; `runs` until one is within 5 % of the optimum (None: not within the budget)."""

    strategy: str
    top: Mapping[int, float]
    runs: float | None


@dataclass(frozen=True, slots=True)
class SpaceReplay:
    """The replay of one tuning space. A share of the optimum is its time over that of the choice.

    `top` are shares of the best of the first configurations in predicted order, by their number, `random` those of
    random ones; `hybrid` that of the hybrid search, `hybrid_runs` its measurements until one is within 5 % (None:
    never), `random_runs` the expected number at random. `error` is the median error of the times, `rate` predicted
    configurations per second and core, beyond compiling (0: all came from a journal). `refused` are the strategies
    beside it that fail on the space, with what they raise.
    """

    name: str
    set: CaseSet
    configurations: int
    predicted: int
    spearman: float
    top: Mapping[int, float]
    random: Mapping[int, float]
    hybrid: float
    hybrid_runs: int | None
    random_runs: float
    error: float
    rate: float
    chosen: str
    best: str
    beside: tuple[Beside, ...] = ()
    refused: tuple[Refusal, ...] = ()

    @property
    def fewest_beside(self) -> float | None:
        """Runs to within 5 % of the optimum of the best strategy beside it; None where none comes there."""
        return min((item.runs for item in self.beside if item.runs is not None), default=None)

    @property
    def factor(self) -> float | None:
        """Runs to within 5 % without predictions, of the best strategy, by those of hybrid."""
        if self.fewest_beside is None or self.hybrid_runs is None:
            return None
        return self.fewest_beside / self.hybrid_runs


@dataclass(frozen=True, slots=True)
class Replay:
    """Measured spaces on one machine, replayed; `beside` says what other tuners are shown beside them, or why none."""

    machine: str
    spaces: tuple[SpaceReplay, ...]
    beside: str = ""

    def summary(self, which: CaseSet) -> dict[str, float]:
        """Least and median share of the first choice, and of hybrid, over the spaces of a set."""
        own = [space for space in self.spaces if space.set == which]
        if not own:
            return {}
        first, hybrid = [space.top[1] for space in own], [space.hybrid for space in own]
        return {
            "spaces": len(own),
            "top_1_least": min(first),
            "top_1_median": median(first),
            "hybrid_least": min(hybrid),
            "spearman_median": median(space.spearman for space in own),
        }
