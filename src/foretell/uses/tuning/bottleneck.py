"""Walks through a space by what binds: Algorithms 2 and 3 of the SAAKE paper.

A unit stride is the next value of one axis. Paper mode is the walk alone. Default mode goes on from the best
configuration of the walk to better neighbours, until there is none.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import TYPE_CHECKING

from foretell.uses.tuning.search import Ask
from foretell.uses.tuning.space import neighbours

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from foretell.core.answers.tuning import Variant
    from foretell.core.machine.machine import Machine
    from foretell.uses.tuning.space import Configuration, KernelSpace

#: moves of a walk, at most (SK-6: the printed algorithm may not end)
_MOST_MOVES = 64

Step = Generator[Ask, dict[int, "Variant"], "int | None"]


class Bottleneck:
    """The search. It starts at a configuration; `paper`: Algorithms 2 and 3 alone."""

    def __init__(
        self,
        space: KernelSpace,
        configurations: Sequence[Configuration],
        machine: Machine,
        start: int,
        *,
        paper: bool = False,
    ) -> None:
        self._space, self._configurations, self._start, self._paper = space, configurations, start, paper
        self._number = {_key(values): number for number, values in enumerate(configurations)}
        self._registers, self._lanes = machine.value("occupancy.registers"), machine.value("occupancy.warp")
        self._known: dict[int, Variant] = {}
        self._told: dict[int, Variant] = {}
        self._walk = self._run()
        self._begun = False

    def ask(self) -> Ask | None:
        """The variants that the next step needs."""
        try:
            ask = self._walk.send(self._told) if self._begun else next(self._walk)
        except StopIteration:
            return None
        self._begun, self._told = True, {}
        return ask

    def tell(self, number: int, variant: Variant) -> None:
        """A predicted variant."""
        self._told[number] = variant

    def _run(self) -> Step:
        yield from self._algorithm_2()
        if not self._paper:
            yield from self._descend()
        return None

    def _algorithm_2(self) -> Step:
        """Keeps the best at the current occupancy and at the one before; ends when lower occupancy does not help."""
        current, seen = self._start, {self._start}
        yield from self._predicted([current])
        warps, best, before = self._known[current].warps, current, -1
        for _ in range(_MOST_MOVES):
            following = yield from self._algorithm_3(current)
            if following is None or following in seen:  # SK-6
                break
            seen.add(following)
            current = following
            if self._known[current].warps < warps:
                if before >= 0 and self._time(best) >= self._time(before):
                    return before
                before, best, warps = best, current, self._known[current].warps
            elif self._time(current) < self._time(best):
                best = current
        return best

    def _algorithm_3(self, current: int) -> Step:
        """The next configuration, by the bottleneck of the current one."""
        variant = self._known[current]
        if variant.reason:
            return self._first_that_runs(current)
        if variant.limit == "latency":
            return (yield from self._more_parallelism(current, variant))
        return (yield from self._less_occupancy(current, variant))

    def _first_that_runs(self, current: int) -> int | None:
        """From a configuration that cannot run: one that was predicted, if any."""
        able = [number for number, variant in self._known.items() if not variant.reason and number != current]
        return min(able, key=self._time, default=None)

    def _more_parallelism(self, current: int, variant: Variant) -> Step:
        """Latency-bound on r: goes K unit strides along the axis that raises the utilisation of r most,
        K = 1 + ceil((1 - U) / dU), with U = requests * gap / T (SK-4, SK-5)."""
        resource, used = variant.resource, _utilisation(variant, variant.resource)
        strides = self._strides(current, larger=True)
        yield from self._predicted([number for _, number in strides])
        able = [(axis, number) for axis, number in strides if not self._known[number].reason]
        gains = {axis: _utilisation(self._known[number], resource) - used for axis, number in able}
        axis = max(gains, key=lambda name: gains[name], default=None)
        if axis is None or gains[axis] <= 0:
            return None
        factor = 1 + math.ceil((1 - used) / gains[axis])
        target = self._along(current, axis, factor)
        yield from self._predicted([target])
        return target if not self._known[target].reason else dict(able)[axis]

    def _less_occupancy(self, current: int, variant: Variant) -> Step:
        """Throughput-bound on r: finds the largest occupancy below the current one at which something else binds, and
        the neighbour with the fewest transactions on that among those whose registers allow this occupancy."""
        of_block = max(1, math.ceil(self._threads(current) / self._lanes))
        for warps in range(variant.warps - of_block, 0, -of_block):
            told = yield Ask("predict", [current], warps)
            other = told[current]
            if not other.reason and (other.resource, other.limit) != (variant.resource, variant.limit):
                break
        else:
            return None
        most = math.floor(self._registers / (warps * self._lanes))
        strides = self._strides(current, larger=False)
        yield from self._predicted([number for _, number in strides])
        able = [n for _, n in strides if not self._known[n].reason and 0 < self._known[n].registers <= most]
        return min(able, key=lambda n: self._known[n].throughput_s.get(other.resource, 0.0), default=None)

    def _descend(self) -> Step:
        """From the best known configuration to its best neighbour, as long as that is faster."""
        for _ in range(_MOST_MOVES):
            best = min(self._known, key=self._time)
            yield from self._predicted([number for _, number in self._strides(best, larger=False)])
            if min(self._known, key=self._time) == best:
                return best
        return None

    def _predicted(self, numbers: Iterable[int]) -> Generator[Ask, dict[int, Variant], None]:
        """Asks for those that are not known yet."""
        wanted = [number for number in dict.fromkeys(numbers) if number not in self._known]
        if wanted:
            self._known |= yield Ask("predict", wanted)

    def _strides(self, current: int, *, larger: bool) -> list[tuple[str, int]]:
        """Neighbours with the axis that differs; `larger`: along rising values only."""
        own = self._configurations[current]
        found = []
        for axis, other in neighbours(self._space, own):
            values = next(entry.values for entry in self._space.axes if entry.name == axis)
            rising = values.index(other[axis]) > values.index(own[axis])
            number = self._number.get(_key(other))
            if number is not None and (rising or not larger):
                found.append((axis, number))
        return found

    def _along(self, current: int, axis: str, factor: int) -> int:
        """The configuration whose value is the largest up to `factor` times the current one, at least the next."""
        own = self._configurations[current]
        values = next(entry.values for entry in self._space.axes if entry.name == axis)
        later = values[values.index(own[axis]) + 1 :]
        reached = [value for value in later if isinstance(value, str) or value <= float(own[axis]) * factor]
        for value in reversed(reached or later[:1]):
            number = self._number.get(_key({**own, axis: value}))
            if number is not None:
                return number
        return self._number[_key({**own, axis: later[0]})]

    def _threads(self, number: int) -> int:
        return math.prod(self._space.reading(self._configurations[number])["block"])  # type: ignore[arg-type]

    def _time(self, number: int) -> float:
        return self._known[number].time_s


def _utilisation(variant: Variant, resource: str) -> float:
    """Requests times gap over the time: the share of the throughput of a resource that is used."""
    return variant.throughput_s.get(resource, 0.0) / variant.time_s


def _key(configuration: Configuration) -> tuple[object, ...]:
    return tuple(configuration.values())
