"""Computes the clock of a nest: dense wide-vector floating-point code lowers it.

A core lowers its clock if such instructions are issued back to back; isolated ones have no effect (x86 cores of the
Skylake family, where the probe finds 3.1, 2.7 and 2.4 GHz). 64-byte vectors run at the clock of 32-byte arithmetic even
without arithmetic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foretell.core.machine.parameters import VECTOR_CLOCKS

if TYPE_CHECKING:
    from foretell.core.columns.expression import Value
    from foretell.models.base import Inputs
    from foretell.models.cpu.core_time import CoreTime

#: instructions per cycle that lower the clock; measured on a Cascade Lake: one in two cycles lowers it, one in three
#: does not
_SUSTAINED = 0.4


def knows_vectors(inputs: Inputs) -> bool:
    """Whether the machine has vector clocks."""
    return any(path in inputs.machine for path in VECTOR_CLOCKS.values())


def running_clock(inputs: Inputs, core: CoreTime, seconds: Value) -> Value:
    """The clock of code that takes `seconds` of a core at the nominal one."""
    usual = inputs.value("clock.frequency")
    cycles = np.maximum(seconds * usual, 1e-300)
    sustained = core.arithmetic / cycles >= _SUSTAINED
    computing = vector_clock(inputs, core.arithmetic_bytes)
    moving = vector_clock(inputs, core.vector_bytes // 2)
    return np.where(sustained, np.minimum(computing, moving), moving)


def vector_clock(inputs: Inputs, width: int) -> Value:
    """The clock with vectors of `width` bytes, or the widest known below; it scales with the nominal clock."""
    usual = inputs.value("clock.frequency")
    known = [path for bytes_, path in VECTOR_CLOCKS.items() if bytes_ <= width and path in inputs.machine]
    if not known:
        return usual
    # of a machine with another clock, that of vectors is as much slower
    return usual * np.minimum(1.0, inputs.value(known[-1]) / inputs.machine.original("clock.frequency"))
