"""Names of the bodies of parallel regions, which gcc and clang move into functions of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: what follows the name of the function: `._omp_fn.0` of gcc, `.omp_outlined` and `.omp_outlined.1` of clang
SUFFIX = r"\.(?:_omp_fn\.\d+|omp_outlined[\w.$]*)"
_SUFFIX = re.compile(SUFFIX)


def is_outlined(name: str) -> bool:
    """Whether a function is the body of a parallel region."""
    return _SUFFIX.search(name) is not None


def bodies_of(function: str, names: Iterable[str]) -> list[str]:
    """The bodies of the parallel regions of a function, among the names."""
    return [name for name in names if name.startswith(f"{function}.") and _SUFFIX.match(name, len(function))]
