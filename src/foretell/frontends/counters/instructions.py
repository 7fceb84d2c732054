"""Executed instructions by address, from a callgrind.out made with --dump-instr=yes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.counters.valgrind import OUTSIDE, region_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.counters.lines import Lines

#: (region, object file) -> address in the object -> times executed
Executed = dict[tuple[str, str], dict[int, int]]


def executed(lines: Lines) -> Executed:
    """How often each instruction of each object file ran; the memory needed is that of the instructions that did."""
    found: Executed = {}
    for region, object_, address, count in _costs(lines):
        table = found.setdefault((region, object_), {})
        table[address] = table.get(address, 0) + count
    return found


def _costs(lines: Lines) -> Iterator[tuple[str, str, int, int]]:
    names: dict[str, str] = {}
    region, object_, address, inclusive = OUTSIDE, "", 0, False
    for text in lines:
        if text.startswith("desc: Trigger:"):
            region = region_of(text.removeprefix("desc:").strip()) or OUTSIDE
        elif text.startswith(("ob=", "cob=")):
            resolved = _name(text.partition("=")[2], names)
            object_ = resolved if text.startswith("ob=") else object_
        elif text.startswith("calls="):
            inclusive = True
        elif text[:1] in "0123456789+-*" and text:
            fields = text.split()
            address = _address(fields[0], address, lines)
            if not inclusive and len(fields) > 2:
                yield region, object_, address, _count(fields[2], lines)
            inclusive = False


def _address(field: str, previous: int, lines: Lines) -> int:
    """Absolute (0x…), relative to the line before (+n, -n), or the same (*)."""
    try:
        if field == "*":
            return previous
        return previous + int(field, 0) if field[0] in "+-" else int(field, 16)
    except ValueError:
        raise lines.error("not an address; the file was not made with --dump-instr=yes") from None


def _count(field: str, lines: Lines) -> int:
    if not field.isdecimal():
        raise lines.error("not a count")
    return int(field)


def _name(text: str, names: dict[str, str]) -> str:
    short, _, rest = text.partition(" ")
    if not short.startswith("("):
        return text
    if rest:
        names[short] = rest
    return names.get(short, "")
