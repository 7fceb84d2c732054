"""Spaces from the arguments of Kernel Tuner's `tune_kernel`, against its rules evaluated by Python itself."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from foretell.errors import InputError
from foretell.integrations.kernel_tuner import kernel_space

if TYPE_CHECKING:
    from pathlib import Path

PARAMS: dict[str, list[Any]] = {
    "block_size_x": [16, 32, 48, 64], "block_size_y": [1, 2, 4], "tile": [1, 2, 3], "mode": ["plain", "fast"],
}  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "k.cu"
    path.write_text('extern "C" __global__ void k(float* x, int n) { x[block_size_x] = tile; }\n')
    return path


def space(source: Path, **more: Any) -> Any:
    arguments = [np.zeros(100, np.float32), np.int32(7)]
    return kernel_space("k", str(source), (1000, 37), arguments, PARAMS, **more)


def every() -> list[dict[str, Any]]:
    return [dict(zip(PARAMS, values, strict=True)) for values in itertools.product(*PARAMS.values())]


TEXTS = [
    "block_size_x*block_size_y % 32 == 0 or tile == 1",
    "not (block_size_x == 48 and tile in [2, 3])",
    "min(block_size_x, block_size_y, tile) <= 2",
]


@pytest.mark.parametrize(
    "restrictions",
    [
        TEXTS,
        lambda p: all(eval(text, {}, dict(p)) for text in TEXTS),
        [lambda block_size_x, block_size_y, tile, mode: block_size_x * block_size_y % 32 == 0 or tile == 1, *TEXTS[1:]],
        [(lambda block_size_x, tile: not (block_size_x == 48 and tile > 1), ["block_size_x", "tile"]), *TEXTS[::2]],
    ],
)
def test_restrictions_as_texts_and_functions(source: Path, restrictions: Any) -> None:
    """The same configurations as Python's own evaluation; values are integers, as in a script."""
    found = space(source, restrictions=restrictions).configurations()
    wanted = [values for values in every() if all(eval(text, {}, dict(values)) for text in TEXTS)]
    assert 0 < len(wanted) < len(every())
    assert found == wanted


def grids(made: Any) -> list[tuple[list[int], list[int]]]:
    readings = [made.reading(values) for values in made.configurations()]
    return [(reading["grid"], reading["block"]) for reading in readings]


def test_the_grid_of_divisors_in_all_their_forms(source: Path) -> None:
    """Texts, lists, numbers and functions; without one, the parameter of the block's dimension, or one."""

    def wanted(x: Any, y: Any) -> list[tuple[list[int], list[int]]]:
        return [
            ([math.ceil(1000 / x(p)), math.ceil(37 / y(p)), 1], [p["block_size_x"], p["block_size_y"], 1])
            for p in every()
        ]

    assert grids(space(source)) == wanted(lambda p: p["block_size_x"], lambda p: p["block_size_y"])
    tiled = wanted(lambda p: p["block_size_x"] * p["tile"], lambda _: 1)
    for divisor in (["block_size_x", "tile"], "block_size_x*tile", lambda p: p["block_size_x"] * p["tile"]):
        assert grids(space(source, grid_div_x=divisor, grid_div_y=1)) == tiled
    assert grids(space(source, grid_div_x=["block_size_x", lambda p: p["tile"]], grid_div_y=[])) == tiled
    named = kernel_space("k", source, 64, [], {"threads": [32, 64]}, block_size_names=["threads"])
    assert grids(named) == [([2, 1, 1], [32, 1, 1]), ([1, 1, 1], [64, 1, 1])]
    usual = kernel_space("k", source, lambda p: (512 * p["tile"], "8"), [], {"tile": [1, 2]})
    assert grids(usual) == [([512, 8, 1], [256, 1, 1]), ([1024, 8, 1], [256, 1, 1])]


def test_arguments_and_flags(source: Path, tmp_path: Path) -> None:
    counted, places = np.arange(6, dtype=np.int32), np.array([3, 1, 2], np.int64)
    given = [np.zeros((4, 5), np.float64), np.float32(0.5), counted, np.full(9, 2, np.uint8), places]
    made = kernel_space("k", source, 64, given, {"tile": [2]}, compiler_options=["-O1"], defines={"SIZE": 4},
                        smem_args={"size": lambda p: 8 * p["tile"]}, folder=tmp_path)  # fmt: skip
    reading = made.reading(made.configurations()[0])
    texts = ["f64[20]", "f32:0.5", "i32[6]@iota", "u8[9]@constant(2)", f"i64[3]@{tmp_path / 'argument-4.npy'}"]
    assert reading["args"] == texts
    assert (reading["dynamic_shared"], reading["nvcc"]) == (16, "-Dkernel_tuner=1 -DSIZE=4 -O1 -Dtile=2")
    assert np.load(tmp_path / "argument-4.npy").tolist() == places.tolist()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"kernel_source": "void k() {\n}"}, "the source is given as text"),
        ({"kernel_source": "elsewhere.cu"}, "there is no such file"),
        ({"arguments": [3]}, "argument 0 is a int"),
        ({"arguments": [np.zeros(2, np.complex64)]}, "argument 0 is a ndarray of complex64"),
        ({"arguments": [np.array([5, 3])]}, "may be addresses"),
        ({"restrictions": [3]}, "a restriction is a int"),
        ({"restrictions": [lambda tile: tile > 9]}, "no configuration of 2 satisfies the constraints: <lambda>"),
        ({"restrictions": lambda p: 1 / 0}, "<lambda> fails for tile=1: ZeroDivisionError"),
        ({"grid_div_x": ["tile", None]}, "None is neither a number"),
        ({"grid_div_x": ["width"]}, "width is neither an axis nor a constant"),
        ({"defines": {"A": lambda p: 1}}, "the macro A is a function"),
    ],
)
def test_what_cannot_be_read(source: Path, changes: dict[str, Any], says: str) -> None:
    given: dict[str, Any] = {
        "kernel_name": "k",
        "kernel_source": str(source),
        "problem_size": 64,
        "arguments": [],
        "tune_params": {"tile": [1, 2]},
    }
    with pytest.raises(InputError, match=says.replace("[", r"\[")):
        kernel_space(**{**given, **changes}).configurations()
