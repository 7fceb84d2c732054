"""Workload files: a kernel described by hand, in TOML.

    name = "vector-add"

    [parameters]                       # defaults, changed with -D
    N = 1024

    [offload]
    extent = "N"                       # dealt round-robin in tiles …
    tile = 1
    cores = 64                         # … over at most so many cores (default: all)
    scratchpad = "3*8*N*tile"          # live bytes of one core (default: one buffer a request)
    double_buffer = false

    [[offload.dma]]                    # requests of one core; it waits for all pieces of one
    name = "copyin A B"
    count = "chunks_per_core"
    chunks = [{ bytes = "8*N", count = 2 }]

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
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foretell import files
from foretell.core.expression import Expression, constant
from foretell.core.offload import DERIVED, Block, Chunk, Decomposition, Instructions, Offload, Request
from foretell.core.workload import Workload
from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    from pathlib import Path

_TOP = ("name", "description", "parameters", "offload")
_OFFLOAD = ("cores", "extent", "tile", "scratchpad", "double_buffer", "dma", "gload", "instructions", "block")
_INSTRUCTIONS = ("floating", "fixed", "scratchpad", "divsqrt", "ilp")


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    text: str

    def error(self, key: str, message: str) -> InputError:
        return InputError(f"{key}: {message}", file=self.path, line=files.key_line(self.text, key))


def read_workload(path: Path) -> Workload:
    """The workload that a TOML file describes."""
    text = files.read_text(path)
    document = files.parse_toml(text, path)
    file = _File(path, text)
    _known(file, "", document, _TOP)
    if "offload" not in document:
        raise file.error("offload", "the file describes no work: an [offload] table is missing")
    parameters = _parameters(file, _table(file, document, "parameters"))
    offload = _offload(file, _table(file, document, "offload"))
    unused = sorted(set(parameters) - offload.symbols)
    if unused:
        raise file.error(f"parameters.{unused[0]}", f"is used nowhere{nearest(unused[0], offload.symbols)}")
    return Workload(
        name=_text(file, document, "name", path.stem),
        facets=(offload,),
        parameters=parameters,
        origin=str(path),
        input_hash=files.content_hash(text.encode()),
    )


def _offload(file: _File, table: dict[str, Any]) -> Offload:
    _known(file, "offload", table, _OFFLOAD)
    double_buffer = table.get("double_buffer", False)
    if not isinstance(double_buffer, bool):
        raise file.error("offload.double_buffer", "must be true or false")
    offload = Offload(
        decomposition=Decomposition(
            cores=_optional(file, table, "offload", "cores"),
            extent=_optional(file, table, "offload", "extent"),
            tile=_optional(file, table, "offload", "tile") or constant(1),
        ),
        dma=tuple(_dma(file, entry, n) for n, entry in enumerate(_tables(file, table, "dma"))),
        gload=tuple(_gload(file, entry, n) for n, entry in enumerate(_tables(file, table, "gload"))),
        instructions=_instructions(file, _table(file, table, "instructions")),
        blocks=tuple(_block(file, entry) for entry in _tables(file, table, "block")),
        scratchpad_bytes=_optional(file, table, "offload", "scratchpad"),
        double_buffer=double_buffer,
    )
    if not (offload.dma or offload.gload or offload.blocks or "instructions" in table):
        raise file.error("offload", "there is no work: give dma, gload, instructions or block")
    return offload


def _dma(file: _File, entry: dict[str, Any], position: int) -> Request:
    _known(file, "offload.dma", entry, ("name", "count", "chunks"))
    chunks = entry.get("chunks")
    if not isinstance(chunks, list) or not chunks or not all(isinstance(chunk, dict) for chunk in chunks):
        raise file.error("offload.dma.chunks", "must be a list of { bytes = …, count = …, offset = … }")
    return Request(
        _text(file, entry, "name", f"dma {position + 1}"),
        tuple(_chunk(file, chunk) for chunk in chunks),
        _optional(file, entry, "offload.dma", "count") or constant(1),
    )


def _chunk(file: _File, entry: dict[str, Any]) -> Chunk:
    _known(file, "offload.dma.chunks", entry, ("bytes", "count", "offset"))
    return Chunk(
        _required(file, entry, "offload.dma.chunks", "bytes"),
        _optional(file, entry, "offload.dma.chunks", "count") or constant(1),
        _optional(file, entry, "offload.dma.chunks", "offset") or constant(0),
    )


def _gload(file: _File, entry: dict[str, Any], position: int) -> Request:
    _known(file, "offload.gload", entry, ("name", "count", "bytes"))
    return Request(
        _text(file, entry, "name", f"gload {position + 1}"),
        (Chunk(_required(file, entry, "offload.gload", "bytes")),),
        _optional(file, entry, "offload.gload", "count") or constant(1),
    )


def _instructions(file: _File, table: dict[str, Any]) -> Instructions:
    _known(file, "offload.instructions", table, _INSTRUCTIONS)
    given = {name: _required(file, table, "offload.instructions", name) for name in table}
    if given and "ilp" not in given:
        raise file.error(
            "offload.instructions", "ilp (the average number of instructions in flight) is missing"
        )
    return Instructions(**given)


def _block(file: _File, entry: dict[str, Any]) -> Block:
    _known(file, "offload.block", entry, ("cycles", "executions"))
    return Block(
        _required(file, entry, "offload.block", "cycles"),
        _optional(file, entry, "offload.block", "executions") or constant(1),
    )


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


def _optional(file: _File, table: dict[str, Any], prefix: str, key: str) -> Expression | None:
    return _required(file, table, prefix, key) if key in table else None


def _known(file: _File, prefix: str, table: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in table:
        if key not in keys:
            path = f"{prefix}.{key}" if prefix else key
            raise file.error(path, f"unknown key{nearest(key, keys)}")


def _table(file: _File, table: dict[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise file.error(key, "must be a table")
    return value


def _tables(file: _File, table: dict[str, Any], key: str) -> list[dict[str, Any]]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise file.error(f"offload.{key}", f"must be [[offload.{key}]] tables")
    return value


def _text(file: _File, table: dict[str, Any], key: str, default: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str) or not value.strip():
        raise file.error(key, "must be a text")
    return value
