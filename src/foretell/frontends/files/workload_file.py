"""Reads workload files: hand-written descriptions of kernels in TOML.

    name = "vector-add"

    [parameters]                       # defaults, changed with -D
    N = 1024

    [offload]
    extent = "N"                       # distributed round-robin in tiles …
    tile = 1
    cores = 64                         # … over at most this many cores (default: all)
    scratchpad = "3*8*N*tile"          # live bytes of one core (default: one buffer a request)
    double_buffer = false

    [[offload.dma]]                    # requests of one core; it waits for all pieces of one
    name = "copyin A B"
    count = "chunks_per_core"
    chunks = [{ bytes = "8*N", count = 2 }]
    out = false                        # true: to memory, after the computation

    [[offload.gload]]
    bytes = 8
    count = 100

    [offload.instructions]             # of the busiest core
    floating = "N*chunks_per_core"
    ilp = 4

    [[offload.block]]                  # or, instead: scheduled cycles of basic blocks
    cycles = 9
    executions = "N"

Every number may be an expression in the parameters and in `active_cores`, `chunks`, `chunks_per_core`.

Instead of `[offload]`, or in addition, a `[trace]` table describes a run (see `trace_file`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from foretell import files
from foretell.core.columns.expression import Expression, constant
from foretell.core.facets.offload import DERIVED, Block, Chunk, Decomposition, Instructions, Offload, Request
from foretell.core.workload import Workload
from foretell.errors import InputError, nearest
from foretell.frontends.files.toml_keys import KeyedFile as _File
from foretell.frontends.files.toml_keys import known as _known
from foretell.frontends.files.toml_keys import table as _table
from foretell.frontends.files.toml_keys import text as _text
from foretell.frontends.files.trace_file import read_trace

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.workload import Facet

_TOP = ("name", "description", "parameters", "offload", "trace")
_OFFLOAD = ("cores", "extent", "tile", "scratchpad", "double_buffer", "dma", "gload", "instructions", "block")
_INSTRUCTIONS = ("floating", "fixed", "scratchpad", "divsqrt", "ilp")


def read_workload(path: Path) -> Workload:
    """Reads the workload that a TOML file describes."""
    text = files.read_text(path)
    document = files.parse_toml(text, path)
    file = _File(path, text)
    _known(file, "", document, _TOP)
    name = _text(file, document, "name", path.stem)
    parameters = _parameters(file, _table(file, document, "parameters"))
    facets = _facets(file, document, name)
    symbols = frozenset().union(*(facet.symbols for facet in facets))
    unused = sorted(set(parameters) - symbols)
    if unused:
        raise file.error(f"parameters.{unused[0]}", f"is used nowhere{nearest(unused[0], symbols)}")
    return Workload(name, facets, parameters, str(path), files.content_hash(text.encode()))


def _facets(file: _File, document: dict[str, Any], name: str) -> tuple[Facet, ...]:
    """The facets that the file describes; at least one table is required."""
    facets: list[Facet] = []
    if "offload" in document:
        facets.append(_offload(file, _table(file, document, "offload")))
    if "trace" in document:
        facets.append(read_trace(file, _table(file, document, "trace"), name))
    if not facets:
        raise file.error("offload", "the file describes no work: an [offload] table (or a [trace] table) is missing")
    return tuple(facets)


def _offload(file: _File, table: dict[str, Any]) -> Offload:
    _known(file, "offload", table, _OFFLOAD)
    cores, extent, tile, scratchpad = (
        _optional(file, table, "offload", key) for key in ("cores", "extent", "tile", "scratchpad")
    )
    offload = Offload(
        decomposition=Decomposition(cores, extent, tile or constant(1)),
        dma=tuple(_dma(file, entry, n) for n, entry in enumerate(_tables(file, table, "dma"))),
        gload=tuple(_gload(file, entry, n) for n, entry in enumerate(_tables(file, table, "gload"))),
        instructions=_instructions(file, _table(file, table, "instructions")),
        blocks=tuple(
            Block(*_entry(file, entry, "offload.block", "cycles", executions=1))
            for entry in _tables(file, table, "block")
        ),
        scratchpad_bytes=scratchpad,
        double_buffer=_flag(file, table, "offload", "double_buffer"),
    )
    if not (offload.dma or offload.gload or offload.blocks or "instructions" in table):
        raise file.error("offload", "there is no work: give dma, gload, instructions or block")
    return offload


def _dma(file: _File, entry: dict[str, Any], position: int) -> Request:
    _known(file, "offload.dma", entry, ("name", "count", "chunks", "out"))
    chunks = entry.get("chunks")
    if not isinstance(chunks, list) or not chunks or not all(isinstance(chunk, dict) for chunk in chunks):
        raise file.error("offload.dma.chunks", "must be a list of { bytes = …, count = …, offset = … }")
    return Request(
        _text(file, entry, "name", f"dma {position + 1}"),
        tuple(_chunk(file, chunk) for chunk in chunks),
        _optional(file, entry, "offload.dma", "count") or constant(1),
        _flag(file, entry, "offload.dma", "out"),
    )


def _entry(file: _File, entry: dict[str, Any], prefix: str, required: str, **optional: int) -> list[Expression]:
    """The expressions of a table: a key that it must have, then others with their defaults."""
    _known(file, prefix, entry, (required, *optional))
    others = [_optional(file, entry, prefix, key) or constant(default) for key, default in optional.items()]
    return [_required(file, entry, prefix, required), *others]


def _chunk(file: _File, entry: dict[str, Any]) -> Chunk:
    size, count, offset = _entry(file, entry, "offload.dma.chunks", "bytes", count=1, offset=0)
    return Chunk(size, count, offset)


def _gload(file: _File, entry: dict[str, Any], position: int) -> Request:
    numbers = {key: value for key, value in entry.items() if key != "name"}
    size, count = _entry(file, numbers, "offload.gload", "bytes", count=1)
    return Request(_text(file, entry, "name", f"gload {position + 1}"), (Chunk(size),), count)


def _instructions(file: _File, table: dict[str, Any]) -> Instructions:
    _known(file, "offload.instructions", table, _INSTRUCTIONS)
    given = {name: _required(file, table, "offload.instructions", name) for name in table}
    if given and "ilp" not in given:
        raise file.error("offload.instructions", "ilp (the average number of instructions in flight) is missing")
    return Instructions(**given)


def _parameters(file: _File, table: dict[str, Any]) -> dict[str, float]:
    for name, value in table.items():
        if not name.isidentifier() or name in DERIVED:
            raise file.error(f"parameters.{name}", "is not a name that a parameter can have")
        if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
            raise file.error(f"parameters.{name}", "must be a finite number")
    return {name: float(value) for name, value in table.items()}


def _finite(value: float) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _required(file: _File, table: dict[str, Any], prefix: str, key: str) -> Expression:
    if key not in table:
        raise file.error(f"{prefix}.{key}", "is missing")
    raw = table[key]
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise file.error(f"{prefix}.{key}", "must be a number or an expression")
    try:
        return Expression(raw if isinstance(raw, str) else repr(raw))
    except InputError as error:
        raise file.error(f"{prefix}.{key}", error.message) from None


def _flag(file: _File, table: dict[str, Any], prefix: str, key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise file.error(f"{prefix}.{key}", "must be true or false")
    return value


def _optional(file: _File, table: dict[str, Any], prefix: str, key: str) -> Expression | None:
    return _required(file, table, prefix, key) if key in table else None


def _tables(file: _File, table: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise file.error(f"offload.{key}", f"must be [[offload.{key}]] tables")
    return value
