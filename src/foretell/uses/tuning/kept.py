"""Predictions of configurations that are kept between runs, by machine code, launch, machine, model and this package.

A second search of a space, with another strategy or with further axes, then only reads the code.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from foretell import cache, decoding, files
from foretell.core.answers.tuning import Variant
from foretell.core.gpu.warps import Warps
from foretell.errors import InputError

if TYPE_CHECKING:
    from foretell.core.workload import Workload

_KIND = cache.Kind("configurations", version=1)
#: contents of arrays that the launch names, but does not hold
_ELSEWHERE = ("file", "recorded")


def key_of(workload: Workload, *parts: object) -> str | None:
    """The key of a prediction; None where the launch does not say all that decides it."""
    facet = workload.find(Warps)
    launches = [] if facet is None else [facet.launch, *facet.launch.before]
    contents = [pointer.contents for launch in launches for pointer in launch.pointers]
    if not workload.input_hash or any(item is not None and item.kind in _ELSEWHERE for item in contents):
        return None
    return cache.key_of(cache.package_hash(), workload.input_hash, *parts)


def read(key: str | None) -> Variant | None:
    """What was predicted before."""
    data = _KIND.read(key) if key else None
    if data is None:
        return None
    try:
        return decoding.decoded(Variant, files.parse_json(data.decode()), "entry")
    except (InputError, UnicodeDecodeError):  # not ours, in spite of its checksum
        return None


def write(key: str | None, variant: Variant) -> None:
    """Keeps a prediction."""
    if key:
        _KIND.write(key, json.dumps(asdict(variant)).encode())
