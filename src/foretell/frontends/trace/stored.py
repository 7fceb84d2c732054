"""Traces in files: the results of one run, stored for any number of predictions."""

from __future__ import annotations

import json
import lzma
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from foretell import decoding, files
from foretell.core.facets.trace import Trace
from foretell.core.workload import Workload
from foretell.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_FORMAT = "foretell-trace-1"
#: -1 is the parent of an outermost loop
_SIGNED = frozenset({"parent"})


@dataclass(frozen=True)
class _Document:
    """The content of a trace file."""

    format: str
    name: str
    origin: str
    input_hash: str
    assumptions: tuple[str, ...]
    trace: Trace


def write(workload: Workload, path: Path) -> None:
    """Writes a workload with its trace, compressed where the name ends in .xz."""
    document = {
        "format": _FORMAT,
        "name": workload.name,
        "origin": workload.origin,
        "input_hash": workload.input_hash,
        "assumptions": list(workload.assumptions),
        "trace": asdict(workload.facet(Trace)),
    }
    data = (json.dumps(document, separators=(",", ":")) + "\n").encode()
    files.write_bytes(path, lzma.compress(data) if path.suffix == files.PACKED else data)


def read(path: Path) -> Workload:
    """Reads a workload from a file that `write` wrote."""
    document = files.parse_json(files.read_text(path), path)
    if not isinstance(document, dict) or document.get("format") != _FORMAT:
        raise InputError(f"is not a trace that this version reads ({_FORMAT})", file=path)
    try:
        stored = decoding.decoded(_Document, document, "", _SIGNED)
        _check_loops(stored.trace)
    except InputError as error:
        raise InputError(f"is not a trace: {error.message.lstrip('.')}", file=path) from None
    return Workload(
        name=stored.name,
        facets=(stored.trace,),
        origin=stored.origin,
        input_hash=stored.input_hash,
        assumptions=stored.assumptions,
    )


def _check_loops(trace: Trace) -> None:
    """Refuses what no run can have: loops before their parent, parts that are more than the whole."""
    for index, loop in enumerate(trace.loops):
        if not -1 <= loop.parent < index:
            raise InputError(f"trace.loops[{index}].parent: must be -1 or an earlier loop, is {loop.parent}")
    if trace.vectorised > trace.operations.total:
        raise InputError("trace.vectorised: is more than all operations")
    for index, distances in enumerate(trace.distances):
        if distances.line < 1 or distances.line & (distances.line - 1):
            raise InputError(f"trace.distances[{index}].line: must be a power of two, is {distances.line}")
