"""Launch descriptions, from the command line or a TOML file.

    --grid 64,64 --block 32,32 --arg 'f32[4194304]' --arg 'i32[1024]@random(0,4194304)' --arg 2048

or

    [[launch]]
    name = "large"      # optional: tells launches of one kernel apart
    kernel = "matmul"
    grid = [64, 64]
    block = [32, 32]
    shared = 0
    args = ["f32[4194304]", "f32[4194304]", "f32[4194304]", 2048]
    branch = { 42 = 0.1 }   # where it depends on data: the share of lanes that jump, by source line or 0xOFFSET
    trip = { 57 = 100 }     # and the trip count of a loop
    l1_hit = 0.35           # measured: hit rate of L1, in sectors of loads
    l2_hit = 0.9            # and hit rate of L2, in sectors that miss L1
    region = { load = "10-20" }  # lines with a name, for `why`

Arguments come in the order of the parameters: a pointer is `type[count]` (f16 f32 f64 i8 … u64, vectors like
f32x4), a scalar its value (2048, 1.5, or with its type: f64:1.5). The contents of an index array follow an @:
random(low,high), iota, permutation, offsets(mean) (where the rows of a sparse matrix start), or the name of a .npy
file.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from foretell import files
from foretell.core.gpu.launch import (
    ELEMENT_BYTES,
    Argument,
    Contents,
    Dim3,
    Element,
    Launch,
    Override,
    Pointer,
    Region,
    Scalar,
    Structure,
)
from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_POINTER = re.compile(r"([a-z]+\d+)(?:x(\d+))?\[(\d+)\](?:@(.+))?")
_SCALAR = re.compile(r"(?:([a-z]+\d+):)?([-+]?(?:\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?|\.\d+|0x[0-9a-fA-F]+))")
_RANDOM = re.compile(r"random\(\s*(-?\d+)\s*,\s*(-?\d+)\s*\)")
_OFFSETS = re.compile(r"offsets\(\s*(\d{1,9})\s*\)")
_REPEATED = re.compile(r"\s*(\d{1,6})\s*\*(.*)", re.DOTALL)
#: maximum fields of a structure, the bytes of parameters (CUDA C++ Programming Guide, 12.1: 32,764), and nesting
#: depth of structures
_MOST_FIELDS, _DEEPEST = 32764, 8
_CONTENTS = ("iota", "permutation", "random", "offsets")
_KEYS = (
    "name", "kernel", "grid", "block", "shared", "args", "branch", "trip", "l1_hit", "l2_hit", "region",
)  # fmt: skip
_MOST_THREADS = 1024
_LARGEST = {"grid": (2**31 - 1, 65535, 65535), "block": (1024, 1024, 64)}
_LARGEST_ARRAY = 1 << 48


def parse_launch(
    kernel: str | None,
    grid: str,
    block: str,
    arguments: Sequence[str],
    shared_bytes: int = 0,
    overrides: tuple[Override, ...] = (),
) -> Launch:
    """The launch described by command-line options."""
    return Launch(
        kernel,
        _dimensions(grid.split(","), "grid"),
        _dimensions(block.split(","), "block"),
        tuple(parse_argument(text) for text in arguments),
        shared_bytes,
        overrides=overrides,
    )


def parse_overrides(branches: Mapping[str, str], rounds: Mapping[str, str]) -> tuple[Override, ...]:
    """Parses LINE=SHARE of branches and LINE=ROUNDS of loops; a code offset is hexadecimal, 0x1a0."""
    found = []
    for place, text in branches.items():
        try:
            share = float(text)
        except ValueError:
            share = math.nan
        if not 0 <= share <= 1:
            raise InputError(f"branch {place}: {text!r} is not a share between 0 and 1")
        found.append(Override(*_place(place), share=share))
    for place, text in rounds.items():
        if not re.fullmatch(r"[1-9]\d{0,8}", text):
            raise InputError(f"trip {place}: {text!r} is not a number of rounds")
        found.append(Override(*_place(place), rounds=int(text)))
    return tuple(found)


def parse_regions(given: Mapping[str, str]) -> tuple[Region, ...]:
    """Parses NAME=FIRST-LAST: source lines, or code offsets such as 0x1a0-0x2f0."""
    found = []
    for name, text in given.items():
        first, dash, last = text.partition("-")
        (low, offset), (high, same) = _place(first.strip()), _place((last if dash else first).strip())
        if offset != same or high < low:
            raise InputError(f"region {name}: {text!r} is not a range such as 10-20 or 0x1a0-0x2f0")
        found.append(Region(name, low, high, offset))
    return tuple(found)


def _place(text: str) -> tuple[int, bool]:
    if not re.fullmatch(r"\d{1,9}|0x[0-9a-fA-F]{1,8}", text):
        raise InputError(f"{text!r} is neither a source line nor a place in the code such as 0x1a0")
    return int(text, 0), text.startswith("0x")


def read_launches(path: Path) -> tuple[Launch, ...]:
    """Reads the launches of a TOML file."""
    document = files.parse_toml(files.read_text(path), path)
    entries = document.get("launch")
    if len(document) != 1 or not isinstance(entries, list) or not entries:
        raise InputError("a launch file has [[launch]] tables and nothing else", file=path)
    try:
        return tuple(parse_entry(entry) for entry in entries)
    except InputError as error:
        raise error.at(path) from None


def parse_argument(text: str, depth: int = 0) -> Argument:
    """Parses one argument: f32[1024], i32[8]@iota, 2048, f64:1.5; a structure: {f32[1024], 64*f32:0.5}."""
    stripped = text.strip()
    if stripped.startswith("{") and stripped.endswith("}"):
        return _structure(stripped, depth + 1)
    if found := _POINTER.fullmatch(stripped):
        return _pointer(found, stripped)
    if found := _SCALAR.fullmatch(stripped):
        kind, digits = found[1] or "", found[2].replace("_", "")
        if kind and kind not in ELEMENT_BYTES:
            raise InputError(f"{text!r}: unknown type {kind!r}{nearest(kind, ELEMENT_BYTES)}")
        value = float(int(digits, 16)) if "0x" in digits else float(digits)
        if not math.isfinite(value):
            raise InputError(f"{text!r} is not a finite number")
        return Scalar(value, kind or ("" if value == int(value) and "." not in digits else "float"))
    raise InputError(
        f"{text!r} is not an argument",
        hint="a pointer is f32[1024] or i32[8]@random(0,9); a scalar 2048 or f64:1.5; a structure {f32[1024], 4}",
    )


def _structure(text: str, depth: int) -> Structure:
    fields: list[Argument] = []
    for part in _parts(text[1:-1]):
        repeated = _REPEATED.fullmatch(part)
        count, name = (int(repeated[1]), repeated[2]) if repeated else (1, part)
        if depth > _DEEPEST or not 0 < count <= _MOST_FIELDS - len(fields):
            raise InputError(f"a structure has 1 to {_MOST_FIELDS} fields, {_DEEPEST} in each other")
        fields += [parse_argument(name, depth)] * count
    return Structure(tuple(fields))


def _parts(text: str) -> Iterator[str]:
    """Splits at commas outside of brackets."""
    depth = begin = 0
    for place, letter in enumerate(text):
        depth += (letter in "{(") - (letter in "})")
        if letter == "," and depth == 0:
            yield text[begin:place]
            begin = place + 1
    yield text[begin:]


def _pointer(found: re.Match[str], text: str) -> Pointer:
    kind, lanes, count = found[1], int(found[2] or 1), int(found[3])
    if kind not in ELEMENT_BYTES:
        raise InputError(f"{text!r}: unknown type {kind!r}{nearest(kind, ELEMENT_BYTES)}")
    if lanes not in (1, 2, 3, 4, 8):
        raise InputError(f"{text!r}: a vector has 2, 3, 4 or 8 lanes")
    element = Element(kind, lanes)
    if count < 1 or count * element.bytes > _LARGEST_ARRAY:
        raise InputError(f"{text!r}: an array has between 1 element and 256 TiB")
    return Pointer(element, count, _contents(found[4], text) if found[4] else None)


def _contents(text: str, whole: str) -> Contents:
    if text in ("iota", "permutation"):
        return Contents("iota" if text == "iota" else "permutation")
    if found := _RANDOM.fullmatch(text):
        low, high = int(found[1]), int(found[2])
        if not -(2**63) <= low < high <= 2**63:
            raise InputError(f"{whole!r}: random(low,high) needs low < high")
        return Contents("random", low, high)
    if found := _OFFSETS.fullmatch(text):
        if int(found[1]) < 1:
            raise InputError(f"{whole!r}: offsets(mean) needs a mean of at least 1")
        return Contents("offsets", int(found[1]))
    if text.endswith(".npy"):
        return Contents("file", file=text)
    raise InputError(
        f"{whole!r}: contents {text!r} are not understood{nearest(text, _CONTENTS)}",
        hint="known: random(low,high), iota, permutation, offsets(mean), FILE.npy",
    )


def parse_entry(entry: Any) -> Launch:
    """Parses one [[launch]] table."""
    if not isinstance(entry, dict):
        raise InputError("launch: must be [[launch]] tables")
    for key in entry:
        if key not in _KEYS:
            raise InputError(f"launch.{key}: unknown key{nearest(key, _KEYS)}")
    shared, given = entry.get("shared", 0), entry.get("args", [])
    for key in ("kernel", "name"):
        if not isinstance(entry.get(key, ""), str):
            raise InputError(f"launch.{key}: must be a name")
    if isinstance(shared, bool) or not isinstance(shared, int) or shared < 0:
        raise InputError("launch.shared: must be a number of bytes")
    if not isinstance(given, list):
        raise InputError("launch.args: must be a list")
    return Launch(
        entry.get("kernel"),
        _dimensions(_listed(entry, "grid"), "grid"),
        _dimensions(_listed(entry, "block"), "block"),
        tuple(parse_argument(str(item)) for item in given),
        shared,
        entry.get("name", ""),
        parse_overrides(_table(entry, "branch"), _table(entry, "trip")),
        _rate(entry, "l1_hit"),
        _rate(entry, "l2_hit"),
        parse_regions(_table(entry, "region")),
    )


def _table(entry: dict[str, Any], key: str) -> dict[str, str]:
    value = entry.get(key, {})
    if not isinstance(value, dict):
        raise InputError(f"launch.{key}: must be a table of lines")
    return {str(place): str(item) for place, item in value.items()}


def _rate(entry: dict[str, Any], key: str) -> float | None:
    value = entry.get(key)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1):
        raise InputError(f"launch.{key}: must be a share between 0 and 1")
    return value


def _listed(entry: dict[str, Any], key: str) -> list[str]:
    if key not in entry:
        raise InputError(f"launch.{key}: is missing")
    value = entry[key]
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _dimensions(words: Sequence[str], what: str) -> Dim3:
    if not 1 <= len(words) <= 3 or not all(re.fullmatch(r"\s*\d{1,10}\s*", word) for word in words):
        raise InputError(f"{what}: write one to three whole numbers, such as 64,64")
    x, y, z = sizes = (*(int(word) for word in words), 1, 1)[:3]
    if min(sizes) < 1:
        raise InputError(f"{what} {sizes}: every dimension is at least 1")
    if any(size > most for size, most in zip(sizes, _LARGEST[what], strict=True)):
        raise InputError(f"{what} {sizes} is larger than {_LARGEST[what]}")
    if what == "block" and math.prod(sizes) > _MOST_THREADS:
        raise InputError(f"a block of {math.prod(sizes)} threads is larger than {_MOST_THREADS}")
    return x, y, z
