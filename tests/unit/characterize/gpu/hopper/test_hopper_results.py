"""Complete execution against what an H200 computed: asynchronous copies, warpgroups, clusters, products, textures."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from foretell import files
from tests.support import hopper

RESULTS = json.loads(files.read_text(hopper.FOLDER / "results.json"))
MAPS = sorted(name for name, item in RESULTS.items() if "map" in item)
#: filters, whose last bit the order of the sum decides; layouts that are refused here
CLOSE = sorted(name for name, item in RESULTS.items() if "begin" in item)
REFUSED = {name for name in RESULTS if "interleave" in name}


@pytest.mark.parametrize("name", sorted(set(RESULTS) - {*CLOSE} - REFUSED))
def test_the_gpu_computes_the_same_bytes(name: str) -> None:
    arrays, record = hopper.execute(name)
    assert record.error is None
    for part, expected in RESULTS[name].items():
        if part != "map":
            assert hashlib.sha256(arrays[int(part)].tobytes()).hexdigest() == expected


@pytest.mark.parametrize("name", CLOSE)
def test_the_gpu_filters_to_the_last_bit(name: str) -> None:
    arrays, record = hopper.execute(name)
    assert record.error is None
    expected = np.frombuffer(bytes.fromhex(RESULTS[name]["begin"]), np.float32)
    last = 2.0**-11 if "halves" in name else 0 if "bytes" in name else 2.0**-24  # below 1, of FP16 and of FP32
    assert np.abs(arrays[2][:64] - expected).max() <= last


@pytest.mark.parametrize("name", MAPS)
def test_tensor_maps_are_those_of_the_driver(name: str) -> None:
    (own,) = (item for item in hopper.CASES[name].arguments if isinstance(item, hopper.cases.Map))
    assert hopper.encoded(own, 0)[8:].rstrip(b"\0").hex() == RESULTS[name]["map"]


def test_all_kernels_here_are_executed_completely() -> None:
    modules = {case.module for case in hopper.CASES.values()}
    refused = {name: hopper.program(module, name).refused for module in modules for name in hopper.kernels(module)}
    assert not {name: item for name, item in refused.items() if item}
