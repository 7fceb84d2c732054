"""Search strategies as ask and tell: a search asks for variants to be predicted or judged, and is told their times.

`carry_out` is the loop around any search; a `Bench` predicts and judges the variants of one space.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from foretell.core.answers.tuning import Variant

#: variants done, their total, the best so far
Progress = Callable[[int, int, "Variant"], None]

#: prior of the logarithm of measured / predicted: an offset of all variants, one of each bottleneck, one that
#: neighbours share, and noise. 0.10 to 0.15 is the mean error of GPU predictions (validation/README.md)
_COMMON, _RESOURCE, _LOCAL, _NOISE = 0.15, 0.10, 0.10, 0.02
#: the local part falls to 1/e where this share of the parameters differs
_LENGTH = 0.35
#: a search ends when a further measurement is expected to gain less than this share of the time
_GAIN = 0.002


@dataclass(frozen=True, slots=True)
class Ask:
    """The variants, by index, to be predicted or judged next; `warps`: as if no more were resident at a time."""

    what: Literal["predict", "judge"]
    numbers: Sequence[int]
    warps: int | None = None
    #: as single predictions, not as some of many
    precise: bool = False


class Search(Protocol):
    """A strategy: it asks until it asks for nothing."""

    def ask(self) -> Ask | None:
        """The next batch; None at the end."""

    def tell(self, number: int, variant: Variant) -> None:
        """The result of one variant that was asked for."""


class Predictor(Protocol):
    """Predicts variants of a space."""

    def predict(
        self, numbers: Sequence[int], warps: int | None = None, *, precise: bool = False
    ) -> Iterable[tuple[int, Variant]]:
        """Predicts variants, in any order; `warps` limits those that are resident at a time; `precise`: as single
        predictions, where those of many are quicker."""


class Bench(Predictor, Protocol):
    """Predicts and judges variants of a space."""

    def judge(self, number: int, variant: Variant) -> Variant:
        """Simulates or measures a variant."""


@dataclass(slots=True)
class Ledger:
    """What a search knows of the variants, and the order in which it learned it."""

    variants: list[Variant]
    order: list[int] = field(default_factory=list)
    predict_s: float = 0.0
    judge_s: float = 0.0
    best: int = -1

    def learn(self, number: int, variant: Variant) -> None:
        """Replaces a variant by what is now known of it."""
        self.variants[number] = variant
        self.order.append(number)
        if self.best < 0 or self._rank(number) < self._rank(self.best):
            self.best = number
        elif number == self.best:  # its time is known better, and may be longer
            self.best = min(self.order, key=self._rank)

    def _rank(self, number: int) -> tuple[bool, float, int]:
        """Judged times count more than predicted ones; of equal ones the first of the space, whichever came first."""
        variant = self.variants[number]
        return variant.judged_s is None, variant.time_s, number


def carry_out(search: Search, bench: Bench, ledger: Ledger, progress: Progress) -> None:
    """Runs a search to its end."""
    done, asked = 0, 0
    while ask := search.ask():
        asked += len(ask.numbers)
        known = len(ledger.order)
        for number, variant in _results(ask, bench, ledger):
            if ask.warps is None:
                ledger.learn(number, variant)
            search.tell(number, variant)
            done += 1
            progress(done, asked, ledger.variants[ledger.best])
        if ask.warps is None:  # workers answer in any order, and a journal first
            places = {number: place for place, number in enumerate(ask.numbers)}
            ledger.order[known:] = sorted(ledger.order[known:], key=places.__getitem__)


def _results(ask: Ask, bench: Bench, ledger: Ledger) -> Iterator[tuple[int, Variant]]:
    if ask.what == "judge":
        for number in ask.numbers:
            start = time.process_time()
            variant = bench.judge(number, ledger.variants[number])
            ledger.judge_s += time.process_time() - start
            yield number, variant
        return
    start = time.process_time()
    for number, variant in bench.predict(ask.numbers, ask.warps, precise=ask.precise):
        ledger.predict_s += time.process_time() - start
        yield number, variant
        start = time.process_time()


class Static:
    """Predicts every variant and judges none; then predicts the `refined` best ones again, precisely."""

    def __init__(self, count: int, refined: int = 0) -> None:
        self._pending: range | None = range(count)
        self._refined = refined
        self._times: dict[int, float] = {}

    def ask(self) -> Ask | None:
        """All variants, once; then the best of them."""
        numbers, self._pending = self._pending, None
        if numbers:
            return Ask("predict", numbers)
        best = heapq.nsmallest(self._refined, self._times, key=lambda number: (self._times[number], number))
        self._refined = 0
        return Ask("predict", best, precise=True) if best else None

    def tell(self, number: int, variant: Variant) -> None:
        """Times of what can run."""
        if not variant.reason and variant.judged_s is None:
            self._times[number] = variant.time_s


class Dynamic(Static):
    """Predicts every variant, then judges every one that can run, best first."""

    def __init__(self, count: int, refined: int = 0) -> None:
        super().__init__(count, refined)
        self._able: list[tuple[float, int]] = []

    def ask(self) -> Ask | None:
        """All variants to be predicted, then those that can run."""
        if asked := super().ask():
            return asked
        numbers = [number for _, number in sorted(self._able)]
        self._able = []
        return Ask("judge", numbers) if numbers else None

    def tell(self, number: int, variant: Variant) -> None:
        """Keeps what can run."""
        super().tell(number, variant)
        if variant.judged_s is None and not variant.reason:
            self._able.append((variant.time_s, number))


class Hybrid:
    """Predicts every variant, then judges one at a time: the one with the largest expected gain.

    The logarithm of judged / predicted is a Gaussian process over the variants: an offset of all, one of each
    bottleneck, one that variants with equal parameters share. What was judged corrects the predictions of the others
    and says how sure they are. The search ends after `budget` judgements, or when none is expected to gain `gain`.
    """

    def __init__(self, count: int, budget: int, gain: float = _GAIN, refined: int = 0) -> None:
        self._all, self._budget, self._gain = Static(count, refined), budget, gain
        self._variants: dict[int, Variant] = {}
        self._judged: dict[int, float] = {}
        self._failed: set[int] = set()

    def ask(self) -> Ask | None:
        """All variants to be predicted; then one to be judged."""
        if asked := self._all.ask():
            return asked
        spent = len(self._judged) + len(self._failed)
        pending = [n for n in self._variants if n not in self._judged and n not in self._failed]
        if spent >= self._budget or not pending:
            return None
        mean, deviation = self.corrected(pending)
        if not self._judged:
            return Ask("judge", [pending[int(np.argmin(mean))]])
        gain = _expected_gain(mean, deviation, math.log(min(self._judged.values())))
        chosen = int(np.argmax(gain))
        if self._gain and gain[chosen] < self._gain:
            return None
        return Ask("judge", [pending[chosen if self._gain else int(np.argmin(mean))]])

    def tell(self, number: int, variant: Variant) -> None:
        """A predicted or a judged variant."""
        self._all.tell(number, variant)
        if variant.judged_s is not None:
            self._judged[number] = variant.judged_s
        elif variant.reason:
            self._failed.add(number) if number in self._variants else None
        else:
            self._variants[number] = variant

    def corrected(self, numbers: Sequence[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Mean and standard deviation of the logarithm of the time of variants, given all that was judged."""
        predicted = np.log([self._variants[n].predicted_s or math.inf for n in numbers])
        prior = math.sqrt(_COMMON**2 + _RESOURCE**2 + _LOCAL**2)
        if not self._judged:
            return predicted, np.full(len(numbers), prior)
        known = list(self._judged)
        residual = np.log([self._judged[n] / (self._variants[n].predicted_s or 1.0) for n in known])
        own = self._covariance(known, known) + _NOISE**2 * np.eye(len(known))
        cross = self._covariance(numbers, known)
        solved = np.linalg.solve(own, np.column_stack([residual, cross.T]))
        variance = prior**2 - np.einsum("ij,ji->i", cross, solved[:, 1:])
        return predicted + cross @ solved[:, 0], np.sqrt(np.maximum(variance, 0.0))

    def _covariance(self, left: Sequence[int], right: Sequence[int]) -> NDArray[np.float64]:
        first, second = self._features(left), self._features(right)
        same = first[0][:, None] == second[0][None, :]
        differ = (first[1][:, None, :] != second[1][None, :, :]).mean(axis=2)
        local = _LOCAL**2 * np.exp(-differ / _LENGTH)
        return np.asarray(_COMMON**2 + _RESOURCE**2 * same + local)

    def _features(self, numbers: Sequence[int]) -> tuple[NDArray[np.str_], NDArray[np.str_]]:
        """The bottleneck, and the values of all parameters."""
        chosen = [self._variants[number] for number in numbers]
        binds = np.array([f"{variant.resource} {variant.limit}" for variant in chosen])
        return binds, np.array([[str(value) for value in variant.parameters.values()] for variant in chosen])


def near_the_best(best: Variant, variants: Sequence[Variant]) -> tuple[int, ...]:
    """The variants whose predicted time is longer than that of the best by less than a standard deviation of the error
    of their ratio, fastest first, as indices; none if the best was judged.

    Of two variants the offset of all cancels out. What is left is that of the bottleneck, where they have different
    ones, and the local one, as far as their parameters differ: the same prior as that of the hybrid search.
    """
    if best.judged_s is not None or not best.predicted_s:
        return ()
    slower = {}
    for number, variant in enumerate(variants):
        if variant.reason or variant.excluded or not variant.predicted_s:
            continue
        other = (variant.resource, variant.limit) != (best.resource, best.limit)
        values = zip(variant.parameters.values(), best.parameters.values(), strict=True)
        differ = sum(mine != theirs for mine, theirs in values) / max(1, len(best.parameters))
        local = _LOCAL**2 * (1 - math.exp(-differ / _LENGTH))
        ratio = math.log(variant.predicted_s / best.predicted_s)
        if variant.parameters == best.parameters or ratio < math.sqrt(2 * (_RESOURCE**2 * other + local)):
            slower[number] = ratio
    return tuple(sorted(slower, key=lambda number: (slower[number], number)))


def _expected_gain(mean: NDArray[np.float64], deviation: NDArray[np.float64], best: float) -> NDArray[np.float64]:
    """Expected improvement on the best logarithm of a time so far (Jones et al. 1998, equation 15)."""
    spread = np.maximum(deviation, 1e-9)
    z = (best - mean) / spread
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    below = np.array([math.erf(value / math.sqrt(2)) for value in z]) / 2 + 0.5
    return np.asarray((best - mean) * below + spread * density)


def judged(variant: Variant, seconds: float) -> Variant:
    """The variant with its simulated or measured time."""
    return replace(variant, judged_s=seconds)
