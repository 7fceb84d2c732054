"""Evolutionary search on the grid of the axes, for spaces too large to enumerate (NSGA-II, Deb et al., IEEE Trans.
Evol. Comput. 6(2), 2002)."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

from foretell.core.columns.space import Axis
from foretell.errors import InputError
from foretell.records import record
from foretell.uses import pareto
from foretell.uses.explore import evaluate
from foretell.uses.explore.summary import Points, Summary, join

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from foretell.uses.explore.specification import SearchSpec
    from foretell.uses.explore.study import Study

    Indices = NDArray[np.int64]
    #: one design per row: the index of its value on every axis
    Genomes = NDArray[np.int64]

#: consecutive generations without a new design after which the search ends
_PATIENCE = 20
#: random designs from which the constraints select
_IMMIGRANTS = 1 << 14


@record
class Generation:
    """Designs that were evaluated together: the feasible ones, and a summary of all."""

    points: Points
    summary: Summary
    #: checksum of the numbers of all designs, which identifies the generation of a record
    checksum: int


def search(
    study: Study,
    spec: SearchSpec,
    part: tuple[int, int] = (1, 1),
    known: Iterable[Generation] = (),
    keep: Callable[[Generation], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Evaluates at most as many designs as the part `(i, n)` of a search has; returns their summary, deterministic for
    a seed.

    The first generations may be known from a run that was stopped; `keep` gets every new one.
    """
    evaluations = spec.evaluations * part[0] // part[1] - spec.evaluations * (part[0] - 1) // part[1]
    random = np.random.default_rng(spec.seed if part == (1, 1) else (spec.seed, *part))
    sizes = np.array([len(axis.values) for axis in study.space.axes if isinstance(axis, Axis)], dtype=np.int64)
    accumulator = evaluate.empty(study)
    finished = iter(known)
    seen: set[int] = set()
    living = Points.none(len(study.objectives))
    idle = 0
    while len(seen) < evaluations and idle < _PATIENCE:
        wanted = _candidates(study, living, sizes, spec.population, random)
        new = sorted(
            [number for number in dict.fromkeys(wanted.tolist()) if number not in seen][: evaluations - len(seen)]
        )
        idle = 0 if new else idle + 1
        if not new:
            continue
        seen.update(new)
        generation = _generation(study, new, next(finished, None), keep)
        accumulator.merge(generation.summary)
        living = _fittest(join([living, generation.points]) if len(living) else generation.points, spec.population)
        if progress:
            progress(len(seen), evaluations)
    return accumulator.summary()


def _generation(
    study: Study, numbers: list[int], known: Generation | None, keep: Callable[[Generation], None] | None
) -> Generation:
    """Looks up designs by their numbers, or evaluates them."""
    checksum = zlib.crc32(np.array(numbers, dtype="<i8").tobytes())
    if known is not None:
        if known.checksum != checksum:
            raise InputError(
                "the journal's designs are not those of this search: another version of numpy?",
                hint="--fresh starts it anew",
            )
        return known
    chunk = evaluate.evaluate_numbers(study, numbers)
    found = Generation(chunk.points, evaluate.summarized(study, chunk), checksum)
    if keep:
        keep(found)
    return found


def _candidates(study: Study, living: Points, sizes: Indices, population: int, random: np.random.Generator) -> Indices:
    """Chooses designs to evaluate: of random offspring, those that satisfy the constraints which need no time. While
    there are no feasible designs, very many are generated, since few may satisfy them."""
    for _ in range(_PATIENCE):
        made = _offspring(living, sizes, population if len(living) > 1 or not study.early else _IMMIGRANTS, random)
        kept = made[evaluate.allowed(study, made)]
        if len(kept):
            return kept[:population]
    return made[:population]


def _offspring(living: Points, sizes: Indices, population: int, random: np.random.Generator) -> Indices:
    """Children of the population, each value from one of two parents, with mutations; random immigrants while there are
    too few."""
    immigrants = random.integers(0, sizes, size=(population, len(sizes)))
    strides = _strides(sizes)
    if len(living) < 2:
        return np.asarray(immigrants @ strides, dtype=np.int64)
    genomes: Genomes = living.index[:, None] // strides % sizes
    mothers, fathers = (genomes[random.integers(0, len(genomes), population)] for _ in range(2))
    children = np.where(random.random(mothers.shape) < 0.5, mothers, fathers)
    steps = random.integers(-1, 2, size=children.shape)
    near = np.clip(children + steps, 0, sizes - 1)
    # on average one value of a child mutates, half of them to a neighbour, half to any
    change = random.random(children.shape)
    rate = 1 / len(sizes)
    children = np.where(change < rate / 2, near, np.where(change < rate, immigrants, children))
    return np.asarray(children @ strides, dtype=np.int64)


def _strides(sizes: Indices) -> Indices:
    """Numbers between neighbours on each axis: the last axis varies fastest, as in the space."""
    return np.append(np.cumprod(sizes[:0:-1])[::-1], 1)


def _fittest(points: Points, population: int) -> Points:
    """Selects front by front, within the last one by crowding distance."""
    left = np.arange(len(points))
    chosen: list[Indices] = []
    room = population
    while room > 0 and len(left):
        rest = points.take(left)
        front = pareto.front(rest.objectives)
        if len(front) > room:
            crowd = _distance([column[front] for column in rest.objectives])
            front = front[np.sort(np.argsort(-crowd, kind="stable")[:room])]
        chosen.append(left[front])
        room -= len(front)
        left = np.delete(left, front)
    return points.take(np.sort(np.concatenate(chosen))) if chosen else points


def _distance(objectives: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Crowding distance: the distance between a point's neighbours, over all objectives; the extremes are always
    kept."""
    total = np.zeros(len(objectives[0]))
    for column in objectives:
        order = np.argsort(column, kind="stable")
        span = column[order[-1]] - column[order[0]]
        gaps = np.full(len(column), np.inf)
        gaps[1:-1] = (column[order[2:]] - column[order[:-2]]) / (span or 1.0)
        total[order] += gaps
    return total
