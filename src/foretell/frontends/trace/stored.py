"""Traces in files: the results of one run, stored for any number of predictions."""

from __future__ import annotations

import json
import lzma
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from foretell import files
from foretell.core.facets.trace import (
    Band,
    Chain,
    Instructions,
    Operations,
    Reuse,
    Schedule,
    StackDistances,
    Trace,
    TracedLoop,
    Trips,
    Width,
)
from foretell.core.workload import Workload
from foretell.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_FORMAT = "foretell-trace-1"


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
    try:
        path.write_bytes(lzma.compress(data) if path.suffix == files.PACKED else data)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from None


def read(path: Path) -> Workload:
    """Reads a workload from a file that `write` wrote."""
    text = files.read_text(path)
    try:
        document = json.loads(text)
        if document["format"] != _FORMAT:
            raise InputError(f"is not a trace that this version reads: {document['format']!r}", file=path)
        return Workload(
            name=str(document["name"]),
            facets=(_trace(document["trace"]),),
            origin=str(document["origin"]),
            input_hash=str(document["input_hash"]),
            assumptions=tuple(map(str, document["assumptions"])),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"is not a trace: {error}", file=path) from None


def _trace(given: dict[str, Any]) -> Trace:
    reassociated = given["reassociated"]
    parts = {
        "operations": Operations(**given["operations"]),
        "schedule": _schedule(given["schedule"]),
        "instructions": Instructions(**given["instructions"]),
        "distances": tuple(_distances(one) for one in given["distances"]),
        "loops": tuple(_loop(one) for one in given["loops"]),
        "reassociated": None if reassociated is None else _schedule(reassociated),
        "command": tuple(given["command"]),
    }
    return Trace(**{**given, **parts})


def _schedule(given: dict[str, Any]) -> Schedule:
    return Schedule(
        given["depth"], tuple(Width(**one) for one in given["widths"]), tuple(Band(**one) for one in given["bands"])
    )


def _distances(given: dict[str, Any]) -> StackDistances:
    return StackDistances(**{**given, "reuses": tuple(Reuse(**one) for one in given["reuses"])})


def _chain(given: dict[str, Any]) -> Chain:
    return Chain(**{**given, "operations": Operations(**given.get("operations", {}))})


def _loop(given: dict[str, Any]) -> TracedLoop:
    parts = {
        "operations": Operations(**given["operations"]),
        "instructions": Instructions(**given["instructions"]),
        "schedule": _schedule(given["schedule"]),
        "carried": tuple(given["carried"]),
        "executions": tuple(Trips(**one) for one in given.get("executions", ())),
        "chain": _chain(given.get("chain", {})),
        "distances": tuple(_distances(one) for one in given.get("distances", ())),
    }
    return TracedLoop(**{**given, **parts})
