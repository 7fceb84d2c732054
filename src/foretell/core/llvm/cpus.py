"""Names of processors as LLVM has them: by model number, unless the features that are here contradict it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_GRANITE = frozenset({"graniterapids", "graniterapids-d", "diamondrapids"})
_SAPPHIRE = _GRANITE | {"sapphirerapids", "emeraldrapids"}
#: feature, the first processor that has it, and the names of all that do (LLVM 22, X86TargetParser); newest first
_FIRST_WITH = (("amx-fp16", "graniterapids", _GRANITE), ("amx-tile", "sapphirerapids", _SAPPHIRE))


def host_name(name: str, features: Collection[str]) -> str:
    """The processor that LLVM takes for this one by its model number; a virtual machine may show another number than
    its host's, and passes its instructions on: then the first processor that has them."""
    for feature, first, having in _FIRST_WITH:
        if feature in features:
            return name if name in having else first
    return name


def features_here(reported: Mapping[str, object]) -> frozenset[str]:
    """The features that are there, of LLVM's table of what is and is not."""
    return frozenset(word for word, here in reported.items() if here)
