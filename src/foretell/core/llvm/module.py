"""Parses modules of LLVM IR at the level of operands.

A module is kept as lines; functions are parsed into blocks of instructions. Instructions keep their own text, with
every unnamed value given a name, so that new instructions can be inserted between them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from foretell.core.llvm.syntax import NAME, Cursor, Instruction, Operand, named, parse_instruction, split, take_global

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Block:
    """A basic block."""

    label: str
    instructions: list[Instruction] = field(default_factory=list)

    @property
    def terminator(self) -> Instruction:
        """Its last instruction."""
        return self.instructions[-1]

    @property
    def phis(self) -> list[Instruction]:
        """Its phi instructions."""
        return [one for one in self.instructions if one.opcode == "phi"]


@dataclass(slots=True)
class Function:
    """A function defined in the module."""

    name: str
    header: str  #: the text from `define` to `{`
    result: str
    parameters: tuple[Operand, ...]
    blocks: list[Block]
    first: int  #: first line in the module
    last: int
    subprogram: int = 0

    @property
    def internal(self) -> bool:
        """Whether other modules cannot see the function, or have their own copy."""
        head = self.header.split("@", 1)[0]
        return bool(re.search(r"\b(internal|private|linkonce|linkonce_odr|available_externally)\b", head))


class Module:
    """The text of a module and its definitions."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.metadata = self._metadata()

    @cached_property
    def functions(self) -> dict[str, Function]:
        """Returns the defined functions, by name without @."""
        return {one.name: one for one in self._functions()}

    @cached_property
    def types(self) -> dict[str, str]:
        """Returns the named types and their definitions."""
        found = {}
        for line in self.lines:
            match = re.match(rf"(%{NAME}) = type (.*)", line)
            if match:
                found[match.group(1)] = match.group(2)
        return found

    def _metadata(self) -> dict[int, str]:
        found = {}
        for line in self.lines:
            if line.startswith("!") and line[1:2].isdigit():
                number, _, text = line.partition(" = ")
                found[int(number[1:])] = text
        return found

    def location(self, number: int) -> tuple[str, int, int]:
        """Returns file, line and column of a debug location; ('', 0, 0) where there is none."""
        text = self.metadata.get(number, "")
        while "inlinedAt:" in text and not text.startswith("!DILocation"):
            text = ""
        line = _field(text, "line")
        return self.file_of(_field(text, "scope")), line, _field(text, "column")

    def file_of(self, scope: int) -> str:
        """Returns the file of a scope."""
        for _ in range(64):
            text = self.metadata.get(scope, "")
            file = _field(text, "file")
            if file:
                found = re.search(r'filename: "([^"]*)"', self.metadata.get(file, ""))
                return found.group(1) if found else ""
            scope = _field(text, "scope")
        return ""

    def source_name(self, function: Function) -> str:
        """Returns the source name of a function, or its IR name where that is unknown."""
        found = re.search(r'\bname: "([^"]+)"', self.metadata.get(function.subprogram, ""))
        return found.group(1) if found else function.name

    def loop_location(self, number: int) -> tuple[str, int, int]:
        """Returns the start of a loop, from its metadata."""
        for item in re.findall(r"!(\d+)", self.metadata.get(number, "")):
            if self.metadata.get(int(item), "").startswith("!DILocation"):
                return self.location(int(item))
        return "", 0, 0

    def _functions(self) -> Iterator[Function]:
        at = 0
        while at < len(self.lines):
            if self.lines[at].startswith("define "):
                last = at
                while self.lines[last] != "}":
                    last += 1
                yield _function(self.lines, at, last)
                at = last
            at += 1


def _field(text: str, name: str) -> int:
    found = re.search(rf"\b{name}: !?(\d+)", text)
    return int(found.group(1)) if found else 0


def _function(lines: list[str], first: int, last: int) -> Function:
    header = lines[first]
    cursor = Cursor(header, header.index("@"))
    name = take_global(cursor)
    cursor.at = cursor.text.index("(", cursor.at)
    inside = cursor.bracketed()
    result = _result_type(header[: header.index("@")])
    subprogram = re.search(r"!dbg !(\d+)", header)
    parameters = tuple(_parameters(inside))
    # The unnamed entry block has the number that follows the parameters.
    entry = f"%v{sum(one.text.startswith('%v') and one.text[2:].isdigit() for one in parameters)}"
    blocks = list(_blocks(lines[first + 1 : last], entry[1:]))
    return Function(
        name, header, result, parameters, blocks, first, last, int(subprogram.group(1)) if subprogram else 0
    )


def _result_type(head: str) -> str:
    """Parses the result type in front of a function's name."""
    text = head.rstrip()
    if text.endswith(("}", "]", ">")):
        depth = 0
        for at in range(len(text) - 1, -1, -1):
            depth += text[at] in "}]>"
            depth -= text[at] in "{[<"
            if depth == 0:
                return text[at:]
    return text.rsplit(" ", 1)[-1]


def _parameters(inside: str) -> Iterator[Operand]:
    for number, part in enumerate(split(inside[1:-1])):
        if part == "...":
            continue
        type_ = Cursor(part).type()
        name = re.search(rf"(%{NAME})$", part)
        own = name.group(1) if name and len(name.group(1)) < len(part) else f"%{number}"
        yield Operand(type_, named(own))


def _blocks(lines: list[str], entry: str) -> Iterator[Block]:
    block = Block(entry)
    for line in _joined(lines):
        label = None if line.startswith(" ") else re.match(rf"({NAME}):", line)
        if label:
            if block.instructions:
                yield block
            block = Block(f"v{label.group(1)}" if label.group(1).isdigit() else label.group(1))
        elif line.strip() and not line.lstrip().startswith((";", "#dbg")):
            block.instructions.append(parse_instruction(line))
    yield block


def _joined(lines: list[str]) -> Iterator[str]:
    """Joins instructions that span lines (switch, invoke, landingpad); an instruction starts at an indent of two."""
    pending = ""
    for line in lines:
        goes_on = line.startswith(("   ", "  ]"))
        if goes_on and not line.lstrip().startswith("#dbg"):
            pending += " " + line.strip()
            continue
        if pending:
            yield pending
        pending = line
    yield pending
