"""Which multiprocessors get which blocks, against what an H200 did (validation/h200/micro/placement.cu)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from foretell import files
from foretell.machines import load
from foretell.models.gpu.placement import placed
from tests.unit.models.gpu.test_gpu_mechanisms import MEASURED

_ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in files.read_text(MEASURED / "micro" / "placement.jsonl.xz").splitlines()
]
_FULL = [
    row
    for row in _ROWS
    if "place" in row and row["place"] * row["rows"] <= 132 * row["resident"] and row["place"] * row["rows"] > 132
]


def _on_h200(blocks: int) -> np.ndarray[Any, Any]:
    value = load("h200").value
    return placed(blocks, 132, int(value("placement.few")), int(value("placement.every")))


@pytest.mark.parametrize("row", _FULL, ids=lambda row: f"{row['place']}x{row['rows']}-{row['shared']}")
def test_multiprocessors_have_as_many_blocks_as_on_the_gpu(row: dict[str, Any]) -> None:
    count = row["place"] * row["rows"]
    ours, theirs = (
        np.sort(np.bincount(where, minlength=132)) for where in (_on_h200(count), np.array(row["multiprocessors"]))
    )
    assert (ours == theirs).all()


@pytest.mark.parametrize(("width", "height"), [(16, 32), (64, 8)])
def test_the_busiest_multiprocessor_of_a_grid_of_triangles(width: int, height: int) -> None:
    """Blocks of length 1 to `width` in every row, as in causal attention: with blocks in turn over all multiprocessors
    the busiest of the first grid would have 1.21 of the mean, and has 1.61."""
    row = next(row for row in _ROWS if row.get("rows") == height and row.get("place") == width)
    work = np.arange(width * height) % width + 1.0
    ours, theirs = (
        np.bincount(where, work, 132).max() / (work.sum() / 132)
        for where in (_on_h200(width * height), np.array(row["multiprocessors"]))
    )
    assert ours == pytest.approx(theirs, rel=0.07)


def test_without_small_clusters_blocks_go_in_turn() -> None:
    assert (placed(300, 108, 0, 0) == np.arange(300) % 108).all()
    assert (placed(30, 4, 8, 92) == np.arange(30) % 4).all()  # a GPU with hardly any multiprocessors
