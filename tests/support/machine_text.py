"""A small machine file, and what is wrong with changed ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.errors import InputError
from foretell.machines import load

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = """\
name = "plain"
title = "A machine"
kind = "cpu"
source = "sheet"

[sources.sheet]
kind = "datasheet"
reference = "Vendor, document, page 1"

[clock]
frequency = "2 GHz"

[cores]
count = 4
sockets = 2
per_socket = 2
flops_per_cycle = "8 flop/cycle"

[peak]
double = "64 Gflop/s"

[level.L1]
size = "32 KiB"
latency = "4 cycle"

[level.L2]
size = "1 MiB"
latency = "10 ns"

[memory]
bandwidth = "20 GB/s"
latency = "100 ns"
"""


def error_of(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        load(path)
    return caught.value


def changed(old: str, new: str) -> str:
    assert old in PLAIN
    return PLAIN.replace(old, new, 1)
