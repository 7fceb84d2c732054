"""Disassembles a function of an object or executable, with what it calls, to assembly text, by objdump."""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell import running
from foretell.core.outlined import bodies_of
from foretell.errors import InputError, ToolError, UnsupportedError
from foretell.frontends.native.elf_machine import instruction_set
from foretell.frontends.native.functions import chosen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_TOOLS = {
    "x86-64": ("objdump", "x86_64-linux-gnu-objdump", "llvm-objdump"),
    "aarch64": ("objdump", "aarch64-linux-gnu-objdump", "llvm-objdump"),
}
_SECONDS, _LONGEST = 60, 1 << 30
_SYMBOL = re.compile(r"^([0-9a-f]+) <([^>]+)>:")
_NAMED = re.compile(r"^([^\s:/][^\n]*?)\(\):$")
_PLACE = re.compile(r"^(/?[^\s:][^:]*):(\d+)(?: \(discriminator \d+\))?$")
_LINE = re.compile(r"^\s*([0-9a-f]+):\s+([a-z].*)$")
_RELOCATION = re.compile(r"^\s+[0-9a-f]+: R_\w+\s+(\S+)")
_TARGET = re.compile(r"\b([0-9a-f]+) <([^>]+)>")
#: a comment of x86-64 follows spaces; `#8` is an immediate of AArch64, after a comma or a bracket
_COMMENT = re.compile(r"(?<![,\[])\s+#\s+")
#: functions of the runtime that start a parallel region
STARTS = frozenset({"GOMP_parallel", "__kmpc_fork_call"})
#: functions that the linker adds to every program (gcc's crtstuff)
_OF_STARTUP = frozenset({"deregister_tm_clones", "register_tm_clones", "frame_dummy", "call_weak_fn"})
_JUMPS = re.compile(r"^(?:bnd |notrack )?(j\w+|call\w*|b|bl|b\.\w+|cbn?z|tbn?z)\b")


@dataclass
class _Row:
    """An instruction."""

    address: int
    text: str
    line: str = ""
    symbol: str = ""


@dataclass
class _Symbol:
    name: str
    rows: list[_Row] = field(default_factory=list)
    #: functions of the source whose code is in it
    inlined: set[str] = field(default_factory=set)


def disassembled(path: Path, name: str) -> tuple[str, str, str, tuple[str, ...]]:
    """Assembly text of a function and of what it calls, the instruction set, its symbol, and what must be said."""
    isa = instruction_set(path)
    symbols = _read(path, isa)
    if not any(symbol.rows for symbol in symbols.values()):
        raise InputError("holds no code", file=path)
    if re.fullmatch(r"0x[0-9a-fA-F]+", name):
        label = f"at_{int(name, 16):x}"
        symbols[label] = _Symbol(label, _reachable(symbols, int(name, 16), path))
        notes: tuple[str, ...] = (f"the code that is reached from {name}",)
        root = label
    else:
        root, notes = _root(symbols, name, path)
    lines = any(row.line for row in symbols[root].rows)
    notes += () if lines else ("no line information (-g): times are not divided between source lines",)
    return "".join(_written(symbols, root)), isa, root, notes


def symbol_names(path: Path) -> tuple[str, ...]:
    """The functions of an object or executable, those that start and end every program left out."""
    symbols = _read(path, instruction_set(path)).values()
    named = [one for one in symbols if one.rows and not one.name.startswith((".", "_")) and "@" not in one.name]
    with_lines = [one for one in named if any(row.line for row in one.rows)]
    return tuple(one.name for one in with_lines or named if one.name not in _OF_STARTUP)


def _root(symbols: dict[str, _Symbol], name: str, path: Path) -> tuple[str, tuple[str, ...]]:
    try:
        return chosen([symbol for symbol in symbols if not symbol.startswith(".")], name, path)
    except InputError:
        into = sorted(symbol.name for symbol in symbols.values() if name in symbol.inlined)
        if not into:
            raise
        raise InputError(
            f"{name} has no code of its own: it was inlined into {', '.join(into)}", file=path,
            hint=f"ask for {path}:{into[0]}, or compile with -fno-inline-functions",
        ) from None  # fmt: skip


def _read(path: Path, isa: str) -> dict[str, _Symbol]:
    tools = [tool for tool in _TOOLS[isa] if shutil.which(tool)]
    if not tools:
        raise ToolError("compiled code is read with objdump, and there is none: install binutils")
    said = ""
    for tool in tools:
        text, said = _said(tool, path)
        if _LINE.search(text) or re.search(r"^[ \t]*[0-9a-f]+:\t", text, re.MULTILINE):
            return _parsed(text.splitlines())
    raise UnsupportedError(
        f"none of {', '.join(tools)} decodes {isa}: {said.strip().splitlines()[0] if said.strip() else 'no code'}",
        file=path, hint=f"install binutils for it (Debian: binutils-{isa.replace('_', '-')}-linux-gnu)",
    )  # fmt: skip


def _said(tool: str, path: Path) -> tuple[str, str]:
    command = [tool, "-d", "-r", "-l", "--no-show-raw-insn", str(path.resolve())]
    with tempfile.TemporaryFile("w+b") as out:
        done = running.run(command, running.Limits(_SECONDS), output=out)
        out.seek(0)
        return out.read(_LONGEST).decode(errors="replace"), done.text


def _parsed(lines: Iterable[str]) -> dict[str, _Symbol]:
    """The symbols of a listing with their instructions."""
    symbols: dict[str, _Symbol] = {}
    now, place = _Symbol(""), ""
    for line in lines:
        if match := _SYMBOL.match(line):
            now, place = symbols.setdefault(match[2], _Symbol(match[2])), ""
        elif match := _LINE.match(line):
            now.rows.append(_Row(int(match[1], 16), re.split(r"\s+//|\s+;", match[2])[0].strip(), place))
        elif (match := _RELOCATION.match(line)) and now.rows:
            now.rows[-1].symbol = match[1]
        elif match := _NAMED.match(line):
            now.inlined.add(match[1])
        elif match := _PLACE.match(line):
            place = f"{match[1]}:{match[2]}"
    return symbols


def _reachable(symbols: dict[str, _Symbol], start: int, path: Path) -> list[_Row]:
    """The instructions that are reached from an address by jumps: a function of a stripped file."""
    rows = {row.address: row for symbol in symbols.values() for row in symbol.rows}
    following = dict(zip(sorted(rows), sorted(rows)[1:], strict=False))
    if start not in rows:
        raise InputError(f"no instruction at 0x{start:x}", file=path)
    waiting, reached = [start], set[int]()
    while waiting:
        address = waiting.pop()
        if address in reached or address not in rows:
            continue
        reached.add(address)
        text = rows[address].text
        if _JUMPS.match(text) and not text.startswith(("call", "bl ")) and (match := _TARGET.search(text)):
            waiting.append(int(match[1], 16))
        if not re.match(r"(?:bnd |repz |notrack )?(?:ret|jmp|hlt|ud2)|b\s", text) and address in following:
            waiting.append(following[address])
    return [rows[address] for address in sorted(reached)]


def _written(symbols: dict[str, _Symbol], root: str) -> Iterator[str]:
    """Assembly text of a function and of all that it calls here."""
    order = [root]
    files: dict[str, int] = {}
    for name in order:
        rows = symbols[name].rows
        inside = {row.address for row in rows}
        goals = {goal for row in rows for goal in _goals(row) if goal in inside}
        yield f"\t.type {name}, @function\n{name}:\n"
        line = ""
        for row in rows:
            if row.address in goals:
                yield f".L{row.address:x}:\n"
            if row.line and row.line != line:
                line = row.line
                yield from _located(line, files)
            text, callee = _instruction(row, inside)
            called = [callee] if callee in symbols else bodies_of(name, symbols) if callee in STARTS else []
            order += [other for other in called if other not in order and symbols[other].rows]
            yield f"\t{text}\n"


def _located(line: str, files: dict[str, int]) -> Iterator[str]:
    file, _, number = line.rpartition(":")
    if file not in files:
        files[file] = len(files) + 1
        yield f'\t.file {files[file]} "{file}"\n'
    yield f"\t.loc {files[file]} {number}\n"


def _goals(row: _Row) -> Iterator[int]:
    if _JUMPS.match(row.text) and (match := _TARGET.search(row.text)):
        yield int(match[1], 16)


def _instruction(row: _Row, inside: set[int]) -> tuple[str, str]:
    """The text of an instruction as a compiler writes it, and the function that it goes to."""
    text, comment = (*_COMMENT.split(row.text, maxsplit=1), "")[:2]
    text = re.sub(r"^(?:bnd|notrack|data16|repz(?= ret)|cs)\s+", "", text)
    if re.match(r"(?:cs |data16 )*nop|xchg\s+%ax,%ax|endbr64", text):
        return "nop", ""
    text = re.sub(r"0x([89a-f][0-9a-f]{15})\b", lambda match: str(int(match[1], 16) - (1 << 64)), text)
    relocated = re.sub(r"[-+]0x[0-9a-f]+$", "", row.symbol)
    if _JUMPS.match(text) and (match := _TARGET.search(text)):
        goal = int(match[1], 16)
        if not row.symbol and goal in inside and not text.startswith("call"):
            return f"{text[: match.start()]}.L{goal:x}", ""
        name = (relocated or match[2]).partition("@")[0].partition("+")[0]
        return f"{text[: match.start()]}{name}", name
    if text.startswith("adrp"):
        named = _TARGET.search(text)
        return re.sub(r"[0-9a-f]+ <[^>]+>", relocated or (named[2] if named else ".LC"), text), ""
    if "(%rip)" in text:
        named = _TARGET.search(comment)
        symbol = relocated if row.symbol else named[2] if named else ".LC"
        symbol = ".LC" if symbol.startswith((".rodata", ".LC")) else symbol
        return re.sub(r"-?(?:0x)?[0-9a-f]*\(%rip\)", f"{symbol}(%rip)", text), ""
    return text, ""
