"""Launch descriptions, from the command line or a TOML file.

    --grid 64x64 --block 32,32 --arg 'f32[4M]' --arg 'i32[1024]@random(0,4194304)' --arg 2048

or

    [[launch]]
    name = "large"      # optional: tells launches of one kernel apart
    kernel = "matmul"
    grid = [64, 64]
    block = [32, 32]
    shared = 0
    args = ["f32[4M]", "f32[4M]", "f32[4M]", 2048]
    branch = { 42 = 0.1 }   # where it depends on data: the share of lanes that jump, by source line or 0xOFFSET
    trip = { "57#2" = 100 } # and the trip count of a loop; #2: the second branch of the line
    l1_hit = 0.35           # measured: hit rate of L1, in sectors of loads
    l2_hit = 0.9            # and hit rate of L2, in sectors that miss L1
    start = "cold"          # L2 holds nothing; warm: what an equal launch left; after NAME: what that launch left
    region = { load = "10-20" }  # lines with a name, for `why`

    [[launch]]          # the same launch with other contents
    name = "sparse"
    base = "large"
    arg = { 1 = "f32[4M]@rows.npy" }    # argument 1, counted from 0

Arguments come in the order of the parameters: a pointer is `type[count]` (f16 f32 f64 i8 … u64, vectors like
f32x4, structures like struct{i32,f32x2}), a scalar its value (2048, 1.5, or with its type: f64:1.5). The contents of an
array follow an @, as numbers of its type: random(low,high), normal(mean,deviation), constant(value), iota,
permutation, offsets(mean) (where the rows of a sparse matrix start; of elements of two numbers: start and length), or a
file relative to the launch file, .npy or raw bytes (.bin). An array with a name, `x=f32[4M]`, is the same in all
launches of a file: those then run in order, each after the one before.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping  # noqa: TC003  # tables are checked against it
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from foretell import decoding, files
from foretell.core.gpu.launch import Dim3, Launch, Override, Region
from foretell.errors import InputError, nearest
from foretell.frontends.files.toml_keys import KeyedFile
from foretell.frontends.gpu.arguments import parse_argument

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class _Table:
    """What a table [[launch]] may hold; what texts mean is read afterwards."""

    name: str = ""
    kernel: str | None = None
    grid: int | str | tuple[int | str, ...] = ()
    block: int | str | tuple[int | str, ...] = ()
    shared: int = 0
    args: tuple[int | float | str, ...] = ()
    branch: Mapping[str, int | float | str] = field(default_factory=dict)
    trip: Mapping[str, int | str] = field(default_factory=dict)
    l1_hit: float | None = None
    l2_hit: float | None = None
    region: Mapping[str, int | str] = field(default_factory=dict)
    start: str = ""
    base: str | None = None
    arg: Mapping[str, int | float | str] = field(default_factory=dict)


#: fields that may be negative: values of arguments
_SIGNED = frozenset({"args", "arg"})
_KEYS = tuple(entry.name for entry in fields(_Table))
_MOST_THREADS = 1024
_LARGEST = {"grid": (2**31 - 1, 65535, 65535), "block": (1024, 1024, 64)}
#: launches that L2 may remember: their data are looked at
_REMEMBERED = 8
#: launches of which one may be a variant of the other, and so on
_LONGEST_CHAIN = 64


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
        _dimensions(re.split(r"[,xX]", grid), "grid"),
        _dimensions(re.split(r"[,xX]", block), "block"),
        tuple(parse_argument(text) for text in arguments),
        shared_bytes,
        overrides=overrides,
    )


def parse_overrides(branches: Mapping[str, str], rounds: Mapping[str, str]) -> tuple[Override, ...]:
    """Parses LINE=SHARE of branches and LINE=ROUNDS of loops; LINE#2 is the second branch of a line, a code offset is
    hexadecimal, 0x1a0."""
    overrides = []
    for location, text in branches.items():
        try:
            share = float(text)
        except ValueError:
            share = math.nan
        if not 0 <= share <= 1:
            raise InputError(f"branch {location}: {text!r} is not a share between 0 and 1")
        line, offset, occurrence = _occurrence(location)
        overrides.append(Override(line, offset, share=share, occurrence=occurrence))
    for location, text in rounds.items():
        if not re.fullmatch(r"[1-9]\d{0,8}", text):
            raise InputError(f"trip {location}: {text!r} is not a number of rounds")
        line, offset, occurrence = _occurrence(location)
        overrides.append(Override(line, offset, rounds=int(text), occurrence=occurrence))
    return tuple(overrides)


def parse_regions(given: Mapping[str, str]) -> tuple[Region, ...]:
    """Parses NAME=FIRST-LAST: source lines, or code offsets such as 0x1a0-0x2f0."""
    regions = []
    for name, text in given.items():
        first, dash, last = text.partition("-")
        (low, offset), (high, same) = _place(first.strip()), _place((last if dash else first).strip())
        if offset != same or high < low:
            raise InputError(f"region {name}: {text!r} is not a range such as 10-20 or 0x1a0-0x2f0")
        regions.append(Region(name, low, high, offset))
    return tuple(regions)


def _occurrence(text: str) -> tuple[int, bool, int]:
    """Line or offset, whether it is an offset, and which branch of the line (0: all)."""
    place, mark, number = text.partition("#")
    if mark and (place.startswith("0x") or not re.fullmatch(r"[1-9]\d{0,5}", number)):
        raise InputError(f"{text!r}: the second branch of line 42 is 42#2")
    return (*_place(place), int(number or 0))


def _place(text: str) -> tuple[int, bool]:
    if not re.fullmatch(r"\d{1,9}|0x[0-9a-fA-F]{1,8}", text):
        raise InputError(f"{text!r} is neither a source line nor a place in the code such as 0x1a0")
    return int(text, 16 if text.startswith("0x") else 10), text.startswith("0x")


def read_launches(path: Path) -> tuple[Launch, ...]:
    """Reads the launches of a TOML file; an error has the line of its key."""
    text = files.read_text(path)
    document = files.parse_toml(text, path)
    entries = document.get("launch")
    if len(document) != 1 or not isinstance(entries, list) or not entries:
        raise InputError("a launch file has [[launch]] tables and nothing else", file=path)
    file = KeyedFile(path, text)
    tables = []
    for number, entry in enumerate(entries):
        with _at(file, number):
            tables.append(_decoded(entry))
    launches = []
    for number, given in enumerate(tables):
        with _at(file, number):
            launches.append(_launch(_whole(given, tables), path.parent))
    return tuple(launches)


@contextmanager
def _at(file: KeyedFile, number: int) -> Iterator[None]:
    """Errors about a table, or one of its keys, have its line."""
    try:
        yield
    except InputError as error:
        if error.file is not None:
            raise
        words = re.match(r"(?:launch\.)?(\w+)", error.message)
        key = f"launch[{number}].{words[1] if words else ''}"
        raise InputError(error.message, file=file.path, line=files.key_line(file.text, key), hint=error.hint) from None


def parse_entry(entry: Any, folder: Path | None = None) -> Launch:
    """Parses one [[launch]] table; names of files are relative to `folder`."""
    return _launch(_decoded(entry), folder)


def _decoded(entry: Any) -> dict[str, Any]:
    """A checked table, with what it says itself alone."""
    if not isinstance(entry, dict):
        raise InputError("launch: must be [[launch]] tables")
    for key in entry:
        if key not in _KEYS:
            raise InputError(f"launch.{key}: unknown key{nearest(key, _KEYS)}")
    table = decoding.decoded(_Table, entry, "launch", _SIGNED, table="a table")
    return {key: getattr(table, key) for key in entry}


def _whole(entry: dict[str, Any], entries: list[dict[str, Any]], depth: int = 0) -> dict[str, Any]:
    """The table with what it takes over from its base: all that it does not say itself; `arg` changes single
    arguments."""
    if "base" not in entry:
        return entry
    wanted = entry["base"]
    bases = [other for other in entries if other.get("name") == wanted]
    if len(bases) != 1 or bases[0] is entry or depth == _LONGEST_CHAIN:
        names = [other["name"] for other in entries if "name" in other]
        raise InputError(f"launch.base: there is no one launch {wanted!r}{nearest(wanted, names)}")
    base = _whole(bases[0], entries, depth + 1)
    own = {key: value for key, value in entry.items() if key not in ("base", "arg")}
    changed = _changed({**base, **own}.get("args", ()), entry.get("arg", {}))
    return {**base, "name": "", **own, "args": changed}


def _changed(arguments: Sequence[Any], given: Mapping[str, Any]) -> tuple[Any, ...]:
    """A list of arguments with some replaced, by their position from 0."""
    result = list(arguments)
    for place, text in given.items():
        if not re.fullmatch(r"\d{1,5}", place) or int(place) >= len(result):
            raise InputError(f"launch.arg.{place}: there are {len(result)} arguments, counted from 0")
        result[int(place)] = text
    return tuple(result)


def _launch(entry: dict[str, Any], folder: Path | None) -> Launch:
    """The launch of a checked table."""
    if "arg" in entry:
        raise InputError("launch.arg: changes arguments of a base; a launch without one has args")
    return Launch(
        entry.get("kernel"),
        _dimensions(_listed(entry, "grid"), "grid"),
        _dimensions(_listed(entry, "block"), "block"),
        tuple(parse_argument(str(item), folder) for item in entry.get("args", ())),
        entry.get("shared", 0),
        entry.get("name", ""),
        parse_overrides(_texts(entry, "branch"), _texts(entry, "trip")),
        _rate(entry, "l1_hit"),
        _rate(entry, "l2_hit"),
        parse_regions(_texts(entry, "region")),
        parse_start(entry.get("start", "")),
    )


def in_order(listed: Sequence[Launch]) -> tuple[Launch, ...]:
    """The launches of a list, each with those before it where it starts after one: as it says itself, or since it has a
    named array of an earlier one."""
    result = []
    for number, launch in enumerate(listed):
        earlier = tuple(listed[:number])
        start = launch.start or ("after" if _names(launch) & _names(*earlier) else "")
        before: tuple[Launch, ...] = ()
        if start.startswith("after"):
            before = _up_to(start.removeprefix("after").strip(), launch, earlier)
        result.append(replace(launch, start=start, before=before))
    return tuple(result)


def _names(*launches: Launch) -> set[str]:
    return {pointer.name for launch in launches for pointer in launch.pointers} - {""}


def _up_to(name: str, launch: Launch, earlier: tuple[Launch, ...]) -> tuple[Launch, ...]:
    """The last of the earlier launches, up to a named one (the last, if none is named)."""
    places = [place for place, other in enumerate(earlier) if not name or name in (other.name, other.kernel)]
    if not places:
        known = [other.name or other.kernel or "" for other in earlier]
        whose = f"launch {launch.name or launch.kernel}"
        raise InputError(
            f"{whose}: start = 'after{' ' * bool(name)}{name}': there is no such launch before it{nearest(name, known)}"
        )
    return earlier[max(0, places[-1] + 1 - _REMEMBERED) : places[-1] + 1]


def parse_start(text: object) -> str:
    """What L2 holds at the start: cold, warm, or after the launch before (after) or a named one (after NAME)."""
    words = text.split(None, 1) if isinstance(text, str) else ["?"]
    if not words or words in (["cold"], ["warm"], ["after"]) or (words[0] == "after" and len(words) == 2):
        return " ".join(words)
    raise InputError(f"launch.start: {text!r} is none of cold, warm, after NAME")


def _texts(entry: Mapping[str, Any], key: str) -> dict[str, str]:
    return {place: str(item) for place, item in entry.get(key, {}).items()}


def _rate(entry: Mapping[str, Any], key: str) -> float | None:
    value: float | None = entry.get(key)
    if value is not None and value > 1:
        raise InputError(f"launch.{key}: must be a share between 0 and 1")
    return value


def _listed(entry: Mapping[str, Any], key: str) -> list[str]:
    if key not in entry:
        raise InputError(f"launch.{key}: is missing")
    value = entry[key]
    return [str(item) for item in value] if isinstance(value, tuple) else re.split(r"[,xX]", str(value))


def _dimensions(words: Sequence[str], description: str) -> Dim3:
    if not 1 <= len(words) <= 3 or not all(re.fullmatch(r"\s*\d{1,10}\s*", word) for word in words):
        raise InputError(f"{description}: write one to three whole numbers, such as 64,64 or 64x64")
    x, y, z = sizes = (*(int(word) for word in words), 1, 1)[:3]
    if min(sizes) < 1:
        raise InputError(f"{description} {sizes}: every dimension is at least 1")
    if any(size > most for size, most in zip(sizes, _LARGEST[description], strict=True)):
        raise InputError(f"{description} {sizes} is larger than {_LARGEST[description]}")
    if description == "block" and math.prod(sizes) > _MOST_THREADS:
        raise InputError(f"a block of {math.prod(sizes)} threads is larger than {_MOST_THREADS}")
    return x, y, z
