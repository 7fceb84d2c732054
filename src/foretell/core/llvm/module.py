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
from foretell.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Block:
    """A basic block."""

    label: str
    instructions: list[Instruction] = field(default_factory=list)

    @property
    def terminator(self) -> Instruction:
        return self.instructions[-1]

    @property
    def phis(self) -> list[Instruction]:
        return [instruction for instruction in self.instructions if instruction.opcode == "phi"]


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
        numbered = (line for line in self.lines if line.startswith("!") and line[1:2].isdigit())
        entries = (line.partition(" = ") for line in numbered)
        self.metadata = {int(number[1:]): entry for number, _, entry in entries if _is_short(number[1:])}

    @cached_property
    def functions(self) -> dict[str, Function]:
        """Returns the defined functions, by name without @."""
        return {function.name: function for function in self._functions()}

    @cached_property
    def types(self) -> dict[str, str]:
        """Returns the named types and their definitions."""
        matches = (re.match(rf"(%{NAME}) = type (.*)", line) for line in self.lines)
        return {match[1]: match[2] for match in matches if match}

    def location(self, number: int) -> tuple[str, int, int]:
        """Returns file, line and column of a debug location; ('', 0, 0) where there is none."""
        text = self.metadata.get(number, "")
        if "inlinedAt:" in text and not text.startswith("!DILocation"):
            text = ""
        return self._file(_field(text, "scope")), _field(text, "line"), _field(text, "column")

    def _file(self, scope: int) -> str:
        for _ in range(64):
            text = self.metadata.get(scope, "")
            file = _field(text, "file")
            if file:
                name = re.search(r'filename: "([^"]*)"', self.metadata.get(file, ""))
                return name[1] if name else ""
            scope = _field(text, "scope")
        return ""

    def source_name(self, function: Function) -> str:
        """Returns the source name of a function, or its IR name where that is unknown."""
        name = re.search(r'\bname: "([^"]+)"', self.metadata.get(function.subprogram, ""))
        return name[1] if name else function.name

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
                last = self._end_of(at)
                try:
                    function = _function(self.lines, at, last)
                except (ValueError, LookupError, RecursionError) as error:
                    reason = str(error) or type(error).__name__
                    raise InputError(f"LLVM IR that is not understood: {reason[:100]}", line=at + 1) from None
                yield function
                at = last
            at += 1

    def _end_of(self, first: int) -> int:
        try:
            return self.lines.index("}", first)
        except ValueError:
            raise InputError("a function of LLVM IR without its end", line=first + 1) from None


def _is_short(number: str) -> bool:
    return number.isascii() and number.isdigit() and len(number) < 19


def _field(text: str, name: str) -> int:
    number = re.search(rf"\b{name}: !?(\d{{1,18}})(?!\d)", text)
    return int(number[1]) if number else 0


def _function(lines: list[str], first: int, last: int) -> Function:
    header = lines[first]
    cursor = Cursor(header, header.index("@"))
    name = take_global(cursor)
    cursor.at = cursor.text.index("(", cursor.at)
    parameters = tuple(_parameters(cursor.bracketed()))
    result = _result_type(header[: header.index("@")])
    subprogram = re.search(r"!dbg !(\d{1,18})(?!\d)", header)
    # The unnamed entry block has the number that follows the parameters.
    entry = f"v{sum(re.fullmatch('%v[0-9]+', parameter.text) is not None for parameter in parameters)}"
    blocks = list(_blocks(lines[first + 1 : last], entry))
    return Function(name, header, result, parameters, blocks, first, last, int(subprogram[1]) if subprogram else 0)


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
        own = name[1] if name and len(name[1]) < len(part) else f"%{number}"
        yield Operand(type_, named(own))


def _blocks(lines: list[str], entry: str) -> Iterator[Block]:
    block = Block(entry)
    for line in _joined(lines):
        label = None if line.startswith(" ") else re.match(rf"({NAME}):", line)
        if label:
            if block.instructions:
                yield block
            block = Block(f"v{label[1]}" if label[1].isdigit() else label[1])
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
