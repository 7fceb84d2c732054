"""Traces in files: the results of one run, stored for any number of predictions."""

from __future__ import annotations

import json
import lzma
from dataclasses import asdict, is_dataclass
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from foretell import files
from foretell.core.facets.trace import Trace
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
            facets=(_decoded(Trace, document["trace"]),),
            origin=str(document["origin"]),
            input_hash=str(document["input_hash"]),
            assumptions=tuple(map(str, document["assumptions"])),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"is not a trace: {error}", file=path) from None


def _decoded(kind: Any, value: Any) -> Any:
    """A value of an annotated type (a dataclass, a tuple of values, or a plain value) from its JSON form."""
    if isinstance(kind, UnionType):
        return None if value is None else _decoded(get_args(kind)[0], value)
    if get_origin(kind) is tuple:
        return tuple(_decoded(get_args(kind)[0], item) for item in value)
    if not isinstance(kind, type) or not is_dataclass(kind):
        return value
    types = _types(kind)
    return kind(**{name: _decoded(types[name], item) for name, item in value.items()})


_types = cache(get_type_hints)
