"""The gain of a change: its interval, and which bound moved."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from foretell import units

if TYPE_CHECKING:
    from foretell.core.answers.advising import AdvisedChange
    from foretell.core.answers.prediction import Prediction

#: correlation of the logarithmic errors before and after a change whose times are spent in the same parts: of the loop
#: pairs of the tuning half, 0.32 where less than half of the time is in common (5 pairs), 0.59 up to nine tenths (19),
#: 0.81 above (9); 0.8 times the share gives 0.3, 0.6 and 0.8
_CORRELATION = 0.8
#: by which the half-width of loops is multiplied. Of the 95 pairs of 39 nests of the tuning half, every factor from
#: 1.26 to 1.75 has 86 inside, the fewest that are nine tenths: their geometric middle. With the least one, chosen
#: without a nest, 85 pairs of left-out nests are inside. For GPU kernels it would be 0.95: their interval is left as it
#: is
LOOPS, KERNELS = 1.48, 1.0
#: two measurements of one program differ by this: of 12 emitted changes of the tuning half that leave the code as it
#: is, 11 measured gains are within a factor of 1.03
_REPEATED = 0.03


def gain(before: Prediction, after: Prediction) -> float:
    """How many times as fast the code is after a change."""
    return before.time_s / after.time_s if after.time_s > 0 else math.inf


def rank(change: AdvisedChange, hopeful: bool = False) -> tuple[bool, bool, float, int]:
    """The order of changes: those that gain for certain first, options last. What is only screened is not certain,
    unless one is `hopeful`: it may be so once it is predicted."""
    doubtful = change.interval[0] <= 1 or (change.basis == "screened" and not hopeful)
    return change.is_option, doubtful, -change.gain, len(change.ids)


def gain_interval(before: Prediction, after: Prediction, factor: float = KERNELS) -> tuple[float, float]:
    """Where the measured gain should lie.

    A gain is a ratio of two times with logarithmic half-widths a and b, so its own is √(a² + b² - 2 r a b), times a
    `factor`. The errors of what both have in common cancel: r is in proportion to the share of the time that both spend
    in the same parts.
    """
    ratio = gain(before, after)
    if is_same_code(before, after):
        return ratio * math.exp(-_REPEATED), ratio * math.exp(_REPEATED)
    same = _CORRELATION * _common_share(before, after)
    widths = []
    for side in (0, 1):
        a, b = _half_width(before, side), _half_width(after, 1 - side)
        widths.append(max(_REPEATED, factor * math.sqrt(max(0.0, a * a + b * b - 2 * same * a * b))))
    return ratio * math.exp(-widths[0]), ratio * math.exp(widths[1])


def is_same_code(before: Prediction, after: Prediction) -> bool:
    """Whether the compiler makes the same code of both: every part takes the same time."""
    return before.parts == after.parts


def _half_width(prediction: Prediction, side: int) -> float:
    if prediction.interval_s is None or prediction.interval_s[side] <= 0 or prediction.time_s <= 0:
        return 0.0
    return abs(math.log(prediction.interval_s[side] / prediction.time_s))


def _common_share(before: Prediction, after: Prediction) -> float:
    """The part of both times that is spent for the same resources: the smaller share of each part, summed."""
    shares = [_shares(before), _shares(after)]
    return math.fsum(min(shares[0].get(name, 0.0), share) for name, share in shares[1].items())


def _shares(prediction: Prediction) -> dict[str, float]:
    positive = {part.name: part.time_s for part in prediction.parts if part.time_s > 0}
    total = math.fsum(positive.values())
    return {name: time / total for name, time in positive.items()} if total > 0 else {}


def moved_bound(before: Prediction, after: Prediction) -> str:
    """Which bound fell or rose most, from what to what."""
    earlier = {bound.name: bound.time_s for bound in before.bounds}
    later = {bound.name: bound.time_s for bound in after.bounds}
    names = {**earlier, **later}
    name = max(names, key=lambda one: abs(earlier.get(one, 0.0) - later.get(one, 0.0)))
    limit = after.bottleneck.bound
    text = f"{name}: {_shown(earlier.get(name, 0.0))} → {_shown(later.get(name, 0.0))}"
    return text if limit in (name, before.bottleneck.bound) else f"{text}; now bound by {limit}"


def _shown(seconds: float) -> str:
    return units.show(seconds, "s") if seconds else "none"
