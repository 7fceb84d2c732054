"""Points by number: the same as all points in a row, however they are cut."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from foretell.core import space as module
from foretell.core.space import Axis, Method, Range, Sample, Space

sizes = st.lists(st.integers(1, 6), min_size=1, max_size=5)


def grid(counts: list[int]) -> Space:
    return Space(
        tuple(Axis(f"a{n}", tuple(n + k / 7 for k in range(count))) for n, count in enumerate(counts))
    )


@given(sizes, st.data())
def test_a_block_is_a_slice_of_the_product(counts: list[int], data: st.DataObject) -> None:
    space = grid(counts)
    every = np.array(list(itertools.product(*(axis.values for axis in space.axes))))
    start = data.draw(st.integers(0, space.size))
    stop = data.draw(st.integers(start, space.size))
    block = space.block(start, stop)
    assert np.array_equal(np.stack(list(block.values()), axis=1), every[start:stop])
    assert list(block) == [axis.name for axis in space.axes]


@given(st.integers(1, 3000), st.integers(1, 60), st.integers(0, 10**9), st.integers(0, 3 * module.CHUNK))
def test_slow_and_fast_axes_cycle_alike(run: int, count: int, start: int, length: int) -> None:
    axis = Axis("a", tuple(float(k) for k in range(count)))
    expected = (np.arange(start, start + length) // run) % count
    assert np.array_equal(axis.cycle(run, start, start + length), expected.astype(np.float64))


@given(st.sampled_from(["sobol", "random"]), st.integers(1, 5000), st.integers(0, 2**40), sizes, st.data())
def test_a_sample_does_not_depend_on_the_cut(
    method: Method, points: int, seed: int, counts: list[int], data: st.DataObject
) -> None:
    axes = (*grid(counts).axes, Range("x", 2, 8, log=True), Range("n", 1, 9, whole=True))
    space = Space(axes, (), Sample(method, points, ("x", "n"), seed))
    start = data.draw(st.integers(0, space.size - 1))
    stop = data.draw(st.integers(start, min(space.size, start + 10_000)))
    cut = data.draw(st.integers(start, stop))
    whole, left, right = space.block(start, stop), space.block(start, cut), space.block(cut, stop)
    for name, column in whole.items():
        assert np.array_equal(column, np.concatenate([left[name], right[name]]))
    assert ((whole["x"] >= 2) & (whole["x"] <= 8)).all()
    assert np.array_equal(whole["n"] % 1, np.zeros(stop - start))
    for index in {start, stop - 1} - {-1}:
        if start <= index < stop:
            again = pickle.loads(pickle.dumps(space)).point(index)
            assert again == {name: column[index - start] for name, column in whole.items()}
