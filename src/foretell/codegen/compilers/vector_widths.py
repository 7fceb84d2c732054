"""How wide the vectors of x86-64 CPUs are, by the names that compilers have for them."""

from __future__ import annotations

import re

_WIDE = re.compile(r".*(avx512|lake|rapids|x86-64-v4|znver[4-9]|knl|knm)")
_NARROW = re.compile(r"(sky|alder|meteor|raptor|arrow|lunar|panther|kaby|coffee)lake(-s)?")
#: those without AVX
_OLD = re.compile(
    r"x86-64(-v2)?|core2|penryn|nehalem|westmere|corei7|bonnell|atom|silvermont|slm|goldmont(-plus)?|tremont"
    r"|k8(-sse3)?|opteron(-sse3)?|athlon.*|amdfam10|barcelona|btver1|nocona"
)
_AVX512, _AVX, _SSE = 512, 256, 128


def has_avx512(cpu: str) -> bool:
    """Whether a CPU has masks and scatter instructions."""
    return _WIDE.fullmatch(cpu) is not None and _NARROW.fullmatch(cpu) is None


def widest_vectors(cpu: str) -> int:
    """Bits of its widest vectors; of one that is not known, those of AVX."""
    if _OLD.fullmatch(cpu):
        return _SSE
    return _AVX512 if has_avx512(cpu) else _AVX
