"""Which executed instructions only wait: for other blocks, or for a clock."""

from __future__ import annotations

import numpy as np
import pytest

from foretell.characterize.gpu.waits_for_others import waiting
from foretell.frontends.gpu.sass import listing

WAITS = """foretell sass 1
kernel waits
arch 90
registers 8
shared 0
barriers 0
stack 0
parameters 0x210
code
0000 S2R R0, SR_TID.X ; 0000000000000000 000fe20000000000
0010 {looks} ; 0000000000000000 000fe20000000000
0020 {more} ; 0000000000000000 000fe20000000000
0030 ISETP.NE.AND P0, PT, R2, RZ, PT ; 0000000000000000 000fe20000000000
0040 @!P0 BRA 0x10 ; 0000000000000000 000fe20000000000
0050 EXIT ; 0000000000000000 000fe20000000000
"""


def _count(looks: str, more: str, rounds: int) -> int:
    kernel = listing.read(WAITS.format(looks=looks, more=more))
    executions = np.array([4, *([rounds] * 4), 4])
    return waiting(kernel, executions)


@pytest.mark.parametrize(
    ("looks", "more", "counts"),
    [
        ("LD.E.STRONG.GPU R2, [R4.64]", "YIELD", True),
        ("LDG.E.STRONG.GPU R2, [R4.64]", "NOP", True),
        ("CS2R R2, SR_CLOCKLO", "NOP", True),
        ("LDG.E R2, [R4.64]", "NOP", False),  # a list, say
        ("LDG.E.STRONG.GPU R2, [R4.64]", "STG.E [R6.64], R2", False),  # a queue, say
    ],
)
def test_loops_that_wait(looks: str, more: str, counts: bool) -> None:
    """All rounds but the first of each warp."""
    assert _count(looks, more, 1000) == (4 * 996 if counts else 0)
    assert _count(looks, more, 4) == 0
