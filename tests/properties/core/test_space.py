"""Points by number: the same as all points in a row, however they are cut."""

from __future__ import annotations

import itertools
import pickle
from unittest import mock

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from foretell.core.columns import space as module
from foretell.core.columns.space import Axis, Method, Range, Sample, Space

sizes = st.lists(st.integers(1, 6), min_size=1, max_size=5)


def grid(counts: list[int]) -> Space:
    return Space(tuple(Axis(f"a{n}", tuple(n + k / 7 for k in range(count))) for n, count in enumerate(counts)))


@given(sizes, st.data())
def test_a_block_is_a_slice_of_the_product(counts: list[int], data: st.DataObject) -> None:
    space = grid(counts)
    every = np.array(list(itertools.product(*(axis.values for axis in space.axes))))
    start = data.draw(st.integers(0, space.size))
    stop = data.draw(st.integers(start, space.size))
    block = space.block(start, stop)
    assert np.array_equal(np.stack(list(block.values()), axis=1), every[start:stop])
    assert list(block) == [axis.name for axis in space.axes]


@given(sizes, st.sampled_from(["", "random", "sobol"]), st.data())
def test_points_by_their_numbers(counts: list[int], method: Method | str, data: st.DataObject) -> None:
    space = grid(counts)
    if method:
        space = Space(space.axes, sample=Sample(method, 9, (space.axes[0].name,), seed=3))
    numbers = data.draw(st.lists(st.integers(0, space.size - 1), max_size=8))
    every = space.block(0, space.size)
    found = space.at(numbers)
    assert list(found) == [axis.name for axis in space.axes]
    assert all(np.array_equal(found[name], every[name][numbers]) for name in found)


@given(sizes, st.integers(1, 40), st.data())
def test_boxes_hold_every_point_once(counts: list[int], chunk: int, data: st.DataObject) -> None:
    space = grid(counts)
    every = np.array(list(itertools.product(*(axis.values for axis in space.axes))))
    start = data.draw(st.integers(0, space.size))
    stop = data.draw(st.integers(start, space.size))
    with mock.patch.object(module, "CHUNK", chunk):
        boxes = list(space.boxes(start, stop))
    assert [n for box in boxes for n in sorted(box.numbers())] == list(range(start, stop))
    for box in boxes:
        assert box.size <= chunk
        assert list(box.shape) == sorted(box.shape)
        found = np.stack([box.spread(column) for column in box.columns.values()], axis=1)
        assert np.array_equal(found, every[box.numbers()])


@given(sizes, st.data())
def test_a_condition_on_few_axes_leaves_the_others_alone(counts: list[int], data: st.DataObject) -> None:
    space = grid(counts)
    (box,) = space.boxes(0, space.size)
    names = data.draw(st.sets(st.sampled_from([axis.name for axis in space.axes]), min_size=1))
    edge = data.draw(st.floats(0, 12))
    total = sum(box.columns[name] for name in sorted(names))
    kept, take = box.keep(np.atleast_1d(total <= edge))
    holds = box.spread(total) <= edge
    assert sorted(kept.numbers()) == sorted(box.numbers()[holds])
    for name, column in box.columns.items():
        whole = dict(zip(box.numbers(), box.spread(column), strict=True))
        assert kept.spread(kept.columns[name]).tolist() == [whole[n] for n in kept.numbers()]
        if name not in names and len(names) < len(box.shape):
            assert kept.columns[name].size == column.size
    assert np.array_equal(kept.spread(take(total)), kept.spread(sum(kept.columns[n] for n in sorted(names))))
    assert take(3.0).tolist() == [3.0]


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
