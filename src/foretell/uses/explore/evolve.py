"""Spaces too large to enumerate: a population of designs that gets better (NSGA-II, Deb et al., IEEE Trans. Evol.
Comput. 6(2), 2002), on the grid of the axes."""

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
    #: a design in each row: the place of its value on every axis
    Genomes = NDArray[np.int64]

#: how often in a row nothing new may be found before all is taken to be seen
_PATIENCE = 20
#: designs by chance that constraints choose from
_STRANGERS = 1 << 14


@record
class Generation:
    """Designs that were looked at together: those that can be built and run, and what is kept of all."""

    points: Points
    summary: Summary
    #: of the numbers of all designs, so that a record is not taken for another generation's
    checksum: int


def search(
    study: Study,
    spec: SearchSpec,
    part: tuple[int, int] = (1, 1),
    known: Iterable[Generation] = (),
    keep: Callable[[Generation], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """The summary of at most as many designs as the part `(i, n)` of a search has; the same for the same seed.

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
    """Designs by their numbers: as they are known, or looked at now."""
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
    """Designs to look at: of those that chance makes, those that keep the constraints which need no time. While nothing
    lives, very many are made, for few may keep them."""
    for _ in range(_PATIENCE):
        made = _offspring(living, sizes, population if len(living) > 1 or not study.early else _STRANGERS, random)
        kept = made[evaluate.allowed(study, made)]
        if len(kept):
            return kept[:population]
    return made[:population]


def _offspring(living: Points, sizes: Indices, population: int, random: np.random.Generator) -> Indices:
    """Children of the living, each value from one of two parents, some changed; immigrants while there are too few."""
    immigrants = random.integers(0, sizes, size=(population, len(sizes)))
    if len(living) < 2:
        return _number(immigrants, sizes)
    genomes = _genomes(living.index, sizes)
    mothers, fathers = (genomes[random.integers(0, len(genomes), population)] for _ in range(2))
    children = np.where(random.random(mothers.shape) < 0.5, mothers, fathers)
    steps = random.integers(-1, 2, size=children.shape)
    near = np.clip(children + steps, 0, sizes - 1)
    # one value of a child changes in the mean, half of them to a neighbour, half to any
    change = random.random(children.shape)
    rate = 1 / len(sizes)
    children = np.where(change < rate / 2, near, np.where(change < rate, immigrants, children))
    return _number(children, sizes)


def _fittest(points: Points, population: int) -> Points:
    """Front after front, the last one by who stands most alone."""
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
    """How far apart a point's neighbours are, over all objectives; those at an end stay."""
    total = np.zeros(len(objectives[0]))
    for column in objectives:
        order = np.argsort(column, kind="stable")
        span = column[order[-1]] - column[order[0]]
        gaps = np.full(len(column), np.inf)
        gaps[1:-1] = (column[order[2:]] - column[order[:-2]]) / (span or 1.0)
        total[order] += gaps
    return total


def _number(genomes: Genomes, sizes: Indices) -> Indices:
    """The last axis varies fastest, as in the space."""
    result = np.zeros(len(genomes), dtype=np.int64)
    for position, size in enumerate(sizes):
        result = result * size + genomes[:, position]
    return result


def _genomes(numbers: Indices, sizes: Indices) -> Genomes:
    genomes = np.empty((len(numbers), len(sizes)), dtype=np.int64)
    for position in range(len(sizes) - 1, -1, -1):
        genomes[:, position] = numbers % sizes[position]
        numbers = numbers // sizes[position]
    return genomes
