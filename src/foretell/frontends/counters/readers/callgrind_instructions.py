"""Reads executed instructions and jumps by address from a callgrind.out (--dump-instr=yes and --collect-jumps=yes)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from foretell.frontends.counters.readers.valgrind import OUTSIDE, region_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.frontends.counters.readers.lines import Lines

#: (region, object file) -> address in the object -> execution count
Executed = dict[tuple[str, str], dict[int, int]]
#: (region, object file) -> address of a jump or call -> target in the same file -> count
Jumps = dict[tuple[str, str], dict[int, dict[int, int]]]


class _Ran(NamedTuple):
    """The execution count of an instruction, or the count of a jump to a target."""

    where: tuple[str, str]
    address: int
    times: int
    target: int | None


def executed(lines: Lines) -> Executed:
    """Execution counts of the instructions of each object file; memory grows with the executed instructions."""
    found: Executed = {}
    for where, address, count, target in _records(lines):
        if target is None:
            table = found.setdefault(where, {})
            table[address] = table.get(address, 0) + count
    return found


def jumps(lines: Lines) -> Jumps:
    """Counts of each jump and call by target; jumps not taken are not counted."""
    found: Jumps = {}
    for where, address, count, target in _records(lines):
        if target is not None:
            ways = found.setdefault(where, {}).setdefault(address, {})
            ways[target] = ways.get(target, 0) + count
    return found


def _records(lines: Lines) -> Iterator[_Ran]:
    names: dict[str, str] = {}
    region, object_, callee, address = OUTSIDE, "", "", 0
    jump: tuple[int, int] | None = None
    for text in lines:
        if text.startswith("desc: Trigger:"):
            region = region_of(text.removeprefix("desc:").strip()) or OUTSIDE
        elif text.startswith("ob="):
            object_ = callee = _name(text[3:], names)
        elif text.startswith("cob="):
            callee = _name(text[4:], names)
        elif text.startswith(("calls=", "jump=", "jcnd=")):
            jump = _jump(text.partition("=")[2], address, lines)
        elif text[:1] in "0123456789+-*" and text:
            fields = text.split()
            address = _address(fields[0], address, lines)
            if jump is not None and callee == object_:
                yield _Ran((region, object_), address, *jump)
            elif jump is None and len(fields) > 2:
                yield _Ran((region, object_), address, _count(fields[2], lines), None)
            callee, jump = object_, None


def _jump(text: str, address: int, lines: Lines) -> tuple[int, int]:
    """Parses `calls=TIMES TARGET`, `jump=TIMES TARGET` or `jcnd=TIMES/EXECUTED TARGET`; the next line is the origin."""
    fields = text.split()
    if len(fields) < 2:
        raise lines.error("expected how often, and where to")
    return _count(fields[0].partition("/")[0], lines), _address(fields[1], address, lines)


def _address(field: str, previous: int, lines: Lines) -> int:
    """Parses an address: absolute (0x…), relative to the line before (+n, -n), or the same (*)."""
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
