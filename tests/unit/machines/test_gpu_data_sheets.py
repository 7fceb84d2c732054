"""Numbers of NVIDIA's data sheets in the files of GPUs, against each other and against a second statement of them."""

from __future__ import annotations

import pytest

from foretell.machines import load

#: multiprocessors, boost clock in MHz, bandwidth of memory in GB/s, FP32 Tflop/s: data sheets and white papers
SHEETS = {
    "v100": (80, 1530, 900, 15.7),
    "t4": (40, 1590, 320, 8.1),
    "a100": (108, 1410, 2039, 19.5),
    "a4000": (48, 1560, 448, 19.2),
    "a6000": (84, 1800, 768, 38.7),
    "a10": (72, 1695, 600, 31.2),
    "l4": (58, 2040, 300, 30.3),
    "l40": (142, 2490, 864, 90.5),
    "h100": (132, None, 3350, 67.0),
    "h200": (132, None, 4800, 67.0),
    "rtx-2080-ti": (68, 1545, 616, 13.4),
    "rtx-3090": (82, 1695, 936, 35.6),
    "rtx-4090": (128, 2520, 1008, 82.6),
}
#: FP32 products of a multiprocessor in each cycle (CUDA C++ Programming Guide, arithmetic instructions)
LANES = {"v100": 64, "t4": 64, "a100": 64, "rtx-2080-ti": 64}


@pytest.mark.parametrize("name", SHEETS)
def test_numbers_are_those_of_the_data_sheet(name: str) -> None:
    machine, (count, clock, bandwidth, flops) = load(name), SHEETS[name]
    assert machine.value("cores.count") == count
    if clock is not None:
        assert machine.value("clock.frequency") == pytest.approx(clock * 1e6, rel=0.01)
        lanes = LANES.get(name, 128)
        assert 2 * lanes * count * machine.value("clock.frequency") == pytest.approx(flops * 1e12, rel=0.04)
    assert machine.value("memory.hardware_bandwidth") == pytest.approx(bandwidth * 1e9, rel=0.02)
    assert machine.value("memory.bandwidth") < machine.value("memory.hardware_bandwidth")
