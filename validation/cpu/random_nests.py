"""Random loop nests: the traffic that a prediction takes, level by level, against the exact simulator.

python validation/cpu/random_nests.py SEED NESTS [OUTPUT.json]      (a second for two nests or three)

A nest has one to four loops (whole, with a step, backwards, triangular, in tiles, or a repetition that moves nothing)
and one to four arrays: rows of any length or of a power of two, references in stars, boxes or at random places,
diagonals, transposed and reversed ones, sums of variables, several views of one array as in a factorisation. Sizes are
such that what a loop touches is about as large as one of the caches. The simulator runs the nest twice and counts the
second time, all levels together.

Errors are relative to what moves, or to a twentieth of the data where less does.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from foretell import frontends
from foretell.characterize.footprints.footprints import footprints
from foretell.characterize.simulate.addresses import stream
from foretell.characterize.simulate.cachesim import CacheLevel, Simulation
from foretell.core.nest.loopnest import Loops, iterations
from foretell.errors import ForetellError
from foretell.machines import load
from foretell.models.base import Inputs
from foretell.models.cpu.model import CpuModel
from foretell.models.cpu.parallel import Split
from foretell.models.cpu.transfers.volumes import level_volumes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.core.nest.loopnest import LoopNest

CACHES = (CacheLevel("L1", 32 << 10, 64, 8), CacheLevel("L2", 256 << 10, 64, 8), CacheLevel("L3", 2 << 20, 64, 16))
#: accesses of one run
ACCESSES = (5_000, 3_000_000)
LEAST_SHARE = 0.05
AIM = 0.03
SIZES_OF_A_NEST = 3


# -------------------------------------------------------------------------------------- making nests


@dataclass
class Axis:
    """A loop variable that subscripts use: the number of its values, and its loops."""

    name: str
    extent: str
    loops: list[str]


@dataclass
class Maker:
    """One random nest, as C."""

    rng: random.Random
    axes: list[Axis] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    halo: int = 0

    def text(self) -> str:
        rng = self.rng
        self.halo = rng.choice([0, 0, 1, 1, 2, 4])
        wanted = rng.choice([1, 2, 2, 2, 3, 3, 3, 4])
        for number in range(wanted):
            self.axes.append(self.axis("ijkl"[number]))
        loops = [loop for axis in self.axes for loop in axis.loops]
        if rng.random() < 0.15:
            rng.shuffle(self.axes)
        if rng.random() < 0.15 and all(len(axis.loops) == 1 for axis in self.axes):
            self.classes.append("repeated")
            loops.insert(rng.randrange(len(loops)), "for (int r = 0; r < 5; r++)")
        loops = self.in_tiles(loops)
        arrays, terms = zip(*(self.array("abcd"[k]) for k in range(rng.choice([1, 1, 2, 2, 3, 4]))), strict=True)
        value = " + ".join(term for some in terms for term in some)
        target = rng.choice([some[0] for some in terms])
        if rng.random() < 0.2:
            body = f"sum += {value};"
            start, end = "double sum = 0; ", " return sum;"
        else:
            body, start, end = f"{target} = {value};", "", " return 0;"
        indent = "\n".join("  " * (k + 1) + loop for k, loop in enumerate(loops))
        return f"double f(int n, {', '.join(arrays)}) {{ {start}\n{indent}\n      {body}\n{end} }}\n"

    def in_tiles(self, loops: list[str]) -> list[str]:
        """The loops over tiles go outside, mostly."""
        outer = [loop for loop in loops if "_" in loop.split("=")[0]]
        return outer + [loop for loop in loops if loop not in outer] if self.rng.random() < 0.8 else loops

    def axis(self, name: str) -> Axis:
        rng, h = self.rng, self.halo
        outer = [axis for axis in self.axes if len(axis.loops) == 1 and axis.extent == "n"]
        kind = rng.choice(["whole"] * 5 + ["step", "backwards", "tile"] + ["triangle"] * 3)
        if kind == "triangle" and outer:
            self.classes.append("triangle")
            other = rng.choice(outer).name
            head = rng.choice(
                [
                    f"{name} = {h}; {name} <= {other}; {name}++",
                    f"{name} = {h}; {name} < {other}; {name}++",
                    f"{name} = {other}; {name} < n - {h}; {name}++",
                    f"{name} = {other} + 1; {name} < n - {h}; {name}++",
                ]
            )
            return Axis(name, "n", [f"for (int {head})"])
        if kind == "tile":
            self.classes.append("tile")
            size = rng.choice([4, 8, 10, 16, 32])
            outside = f"for (int {name}_ = 0; {name}_ < n; {name}_++)"
            inside = f"for (int {name} = {size} * {name}_; {name} < {size} * {name}_ + {size}; {name}++)"
            return Axis(name, f"{size} * n", [outside, inside])
        if kind == "step":
            self.classes.append("step")
            head = f"{name} = {h}; {name} < n - {h}; {name} += {rng.choice([2, 2, 3, 5, 8, 11])}"
        elif kind == "backwards":
            self.classes.append("backwards")
            head = f"{name} = n - {h + 1}; {name} >= {h}; {name}--"
        else:
            head = f"{name} = {h}; {name} < n - {h}; {name}++"
        return Axis(name, "n", [f"for (int {head})"])

    def array(self, name: str) -> tuple[str, list[str]]:
        """The declaration of an array, and its references."""
        rng = self.rng
        rank = rng.randint(1, len(self.axes))
        used = sorted(rng.sample(range(len(self.axes)), rank))
        if rank > 1 and rng.random() < 0.2:
            self.classes.append("turned")
            rng.shuffle(used)
        axes = [self.axes[k] for k in used]
        forms = [self.form(axis) for axis in axes]
        if rank > 1 and rng.random() < 0.07 and axes[0].extent == axes[1].extent:
            self.classes.append("diagonal")
            forms[1] = forms[0]
        extents = [extent for _, extent in forms]
        if rng.random() < 0.3:
            extents[-1] += f" + {rng.randint(1, 13)}"
        if rank > 1 and rng.random() < 0.2:
            self.classes.append("power of two")
            extents[-1] = str(2 ** rng.randint(6, 11))
        kind = rng.choice(["double", "double", "double", "float"])
        declared = f"{kind} {name}" + "".join(f"[{extent}]" for extent in extents)
        references = [self.reference(name, forms, offsets) for offsets in self.places(forms)]
        if len(axes) < len(self.axes) and rank > 1 and rng.random() < 0.25:
            references += list(self.other_view(name, axes))
        return declared, list(dict.fromkeys(references))

    def form(self, axis: Axis) -> tuple[str, str]:
        """A subscript, with OFFSET where one may be added, and the values it needs."""
        rng, plain = self.rng, axis.extent
        chosen = rng.random()
        if plain == "n" and chosen < 0.06:
            self.classes.append("strided")
            factor = rng.choice([2, 3, 4, 9])
            return f"{factor} * {axis.name} OFFSET", f"{factor} * n"
        if plain == "n" and chosen < 0.1 and len(self.axes) > 1:
            other = rng.choice([one for one in self.axes if one is not axis])
            if other.extent == "n":
                self.classes.append("sum of two")
                return f"{axis.name} + {other.name} OFFSET", "2 * n"
        if plain == "n" and chosen < 0.16:
            self.classes.append("reversed")
            return f"n - 1 - {axis.name} OFFSET", "n"
        return f"{axis.name} OFFSET", plain

    def places(self, forms: list[tuple[str, str]]) -> list[tuple[int, ...]]:
        """Offsets of the references."""
        rng, rank = self.rng, len(forms)
        origin = (0,) * rank
        movable = [k for k, (_, extent) in enumerate(forms) if extent == "n"]
        if not self.halo or not movable or rng.random() < 0.45:
            return [origin]
        shape = rng.choice(["star", "star", "box", "some", "ahead and behind"])
        self.classes.append(shape)
        h = self.halo
        if shape == "star":
            distances = range(1, h + 1) if rng.random() < 0.5 else [h]
            return [origin] + [
                tuple(sign * by if at == k else 0 for at in range(rank))
                for k in movable
                for by in distances
                for sign in (-1, 1)
            ]
        if shape == "box":
            found = [origin]
            for k in movable[-2:]:
                found = [(*one[:k], one[k] + by, *one[k + 1 :]) for one in found for by in (-1, 0, 1)]
            return found
        if shape == "some":
            return [
                tuple(rng.randint(-h, h) if k in movable else 0 for k in range(rank)) for _ in range(rng.randint(2, 5))
            ]
        k = rng.choice(movable)
        return [tuple(sign * h if at == k else 0 for at in range(rank)) for sign in (-1, 1)]

    def reference(self, name: str, forms: list[tuple[str, str]], offsets: tuple[int, ...]) -> str:
        parts = (
            form.replace("OFFSET", f"+ {by}" if by > 0 else f"- {-by}" if by < 0 else "").strip()
            for (form, _), by in zip(forms, offsets, strict=True)
        )
        return name + "".join(f"[{part}]" for part in parts)

    def other_view(self, name: str, axes: list[Axis]) -> Iterator[str]:
        """As a factorisation does: the same array with another variable in one place."""
        others = [one for one in self.axes if one not in axes and one.extent == "n"]
        if not others or any(axis.extent != "n" for axis in axes):
            return
        self.classes.append("several views")
        other = self.rng.choice(others).name
        names = [axis.name for axis in axes]
        for k in range(len(names)) if self.rng.random() < 0.5 else [0]:
            yield name + "".join(f"[{other if at == k else one}]" for at, one in enumerate(names))


def made(seed: int) -> tuple[str, tuple[str, ...]]:
    """The nest of a seed: its text, and what is special about it."""
    maker = Maker(random.Random(seed))
    return maker.text(), tuple(dict.fromkeys(maker.classes))


# -------------------------------------------------------------------------------------- sizes, and both answers


def machine() -> Inputs:
    """A machine with these caches, and nothing known about pages."""
    base = load("zen4")
    sizes = {f"level.{one.name}.size": float(one.size) for one in CACHES}
    ways = {f"level.{one.name}.ways": float(one.ways or 0) for one in CACHES if f"level.{one.name}.ways" in base}
    return Inputs(base.with_values({**sizes, **ways}), {})


def sizes(nest: LoopNest, rng: random.Random) -> Iterator[int]:
    """Sizes at which what some loop touches is between a half and twice one of the caches."""
    runs = iterations(nest.loops, len(nest.loops))
    references = sum((a.reads > 0) + (a.writes > 0) for array in nest.arrays for a in array.accesses)
    ladder = _ladder()
    touched = footprints(nest, {"n": ladder}, 64.0)
    found: set[int] = set()
    for _ in range(8 * SIZES_OF_A_NEST):
        wanted = rng.choice(CACHES).size * 2 ** rng.uniform(-1, 1)
        depth = rng.randrange(len(nest.loops))
        enough = np.broadcast_to(touched.together(depth) >= wanted, ladder.shape)
        size = int(ladder[np.argmax(enough) if enough.any() else -1])
        size = max(12, size - rng.randrange(max(1, size // 12)))
        if rng.random() < 0.15:
            size = 1 << (size.bit_length() - 1)
        if ACCESSES[0] <= float(runs.evaluate({"n": size})) * references <= ACCESSES[1]:
            found.add(size)
        if len(found) == SIZES_OF_A_NEST:
            break
    yield from sorted(found)


def _ladder() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Sizes from 12 to four million, a twelfth apart."""
    found = [12]
    while found[-1] < 1 << 22:
        found.append(found[-1] + max(1, found[-1] // 12))
    return np.array(found, dtype=float)


@dataclass(frozen=True)
class Point:
    """Bytes that come into one level at one size, both ways; whether the prediction says that it simulated, or that it
    is in doubt."""

    seed: int
    classes: tuple[str, ...]
    n: int
    level: str
    data: float
    predicted: float
    exact: float
    simulated: bool
    doubted: bool

    @property
    def error(self) -> float:
        return (self.predicted - self.exact) / max(self.exact, LEAST_SHARE * self.data)

    @property
    def moves(self) -> bool:
        """Whether there is something to compare."""
        return max(self.predicted, self.exact) > LEAST_SHARE * self.data


def compared(seed: int, inputs: Inputs, folder: Path) -> Iterator[Point]:
    text, classes = made(seed)
    path = folder / "nest.c"
    path.write_text(text)
    nests = frontends.read(path).facet(Loops).nests
    settings = CpuModel().settings("default", {"stores": "allocate"})
    if len(nests) != 1 or nests[0].status == "refused":
        return
    nest = nests[0]
    for n in sizes(nest, random.Random(seed)):
        try:
            exact = simulated(nest, n)
        except ForetellError:
            return
        values = {"n": float(n)}
        found = level_volumes(nest, inputs, settings, values, Split(None, 1.0))
        data = float(footprints(nest, values, 64.0).together(0))
        for cache, supplier, moved in zip(CACHES, found.reads, exact, strict=True):
            predicted = float(found.reads[supplier] + found.columns[supplier] / 2)
            notes = [
                note for note in (one.text for one in found.notes if np.any(one.holds)) if f" {cache.name} " in note
            ]
            entered = any("is simulated" in note for note in notes)
            doubted = any("not certain" in note for note in notes)
            yield Point(seed, classes, n, cache.name, data, predicted, moved, entered, doubted and not entered)


def simulated(nest: LoopNest, n: int) -> list[float]:
    accesses = stream(nest, {"n": n})
    simulation = Simulation(CACHES, tuple(one.name for one in accesses.references))
    simulation.run(accesses)
    before = simulation.counts()
    simulation.run(accesses)
    after = simulation.counts()
    return [(b.misses - a.misses) * 64.0 for a, b in zip(before.levels, after.levels, strict=True)]


# -------------------------------------------------------------------------------------- what came out


def summary(points: list[Point]) -> dict[str, dict[str, float]]:
    closed = [point for point in points if not point.simulated]
    groups = {
        "closed form, nothing said": [point for point in closed if not point.doubted],
        "closed form, said to be in doubt": [point for point in closed if point.doubted],
        "simulated": [point for point in points if point.simulated],
        "all": points,
    }
    return {name: _figures([abs(one.error) for one in some if one.moves]) for name, some in groups.items()}


def _figures(errors: list[float]) -> dict[str, float]:
    if not errors:
        return {"points": 0}
    order = sorted(errors)
    return {
        "points": len(order),
        "within_3pct": round(sum(error <= AIM for error in order) / len(order), 4),
        "median": round(median(order), 5),
        "p90": round(order[int(0.9 * (len(order) - 1))], 4),
        "p99": round(order[int(0.99 * (len(order) - 1))], 4),
        "worst": round(order[-1], 3),
    }


def all_points(first: int, count: int) -> list[Point]:
    inputs = machine()
    with tempfile.TemporaryDirectory() as folder:
        return [point for seed in range(first, first + count) for point in compared(seed, inputs, Path(folder))]


def main() -> None:
    first, count = int(sys.argv[1]), int(sys.argv[2])
    points = all_points(first, count)
    found = summary(points)
    print(json.dumps(found, indent=1))
    off = [p for p in points if p.moves and abs(p.error) > AIM and not p.simulated and not p.doubted]
    for point in sorted(off, key=lambda one: -abs(one.error)):
        print(f"{point.seed:7} n={point.n:<7} {point.level} {100 * point.error:+7.1f} %  {', '.join(point.classes)}")
    print(Counter(name for point in off for name in point.classes or ("plain",)).most_common())
    if len(sys.argv) > 3:
        Path(sys.argv[3]).write_text(json.dumps({"seed": first, "nests": count, "summary": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
