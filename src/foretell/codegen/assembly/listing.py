"""Parses assembly text, as gcc -S, clang -S and LLVM print it, into functions of basic blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.codegen.assembly import aarch64, x86
from foretell.codegen.assembly.instruction import TRAPS, returns
from foretell.errors import InputError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.codegen.assembly.instruction import Instruction

_LABEL = re.compile(r'^\s*("[^"]+"|[\w.$@]+):\s*(.*)$')
_LOC = re.compile(r"\.loc\s+(\d+)\s+(\d+)")
_TYPED = re.compile(r'\.type\s+"?([^\s,"]+)"?,\s*[@%]function')
_GOES_TO = re.compile(r"\b(?:callq?|jmpq?|bl?)\s+([\w.$]+)")
#: a jump to an address in a register or a table, and an entry of a table of labels with its directive
_INDIRECT = re.compile(r"\s+(?:notrack\s+)?(?:jmpq?\s+\*|br\s+x)")
_ENTRY = re.compile(r"\s*\.(long|quad|[248]byte|x?word|hword|byte)\s+\(?(\.?L\w+)(?:\s*-\s*\.?L\w+)?")
_WIDTHS = {"byte": 1, "hword": 2, "2byte": 2, "quad": 8, "xword": 8, "8byte": 8}
_UNLIKELY = re.compile(r"(.+)\.cold(?:\.\d+)?$")
_LABELS = re.compile(r"(?<![\w.])\.?L\w+")
_FILE = re.compile(r'\.file\s+(\d+)(?:\s+"([^"]*)")?\s+"([^"]*)"')
#: LLVM prints the name of the IR block after a label, or after '%bb.N:' where there is none
_IR_BLOCK = re.compile(r"(?:#|//)\s*%([\w.~-]+)\s*$")


@record
class JumpTable:
    """A table of jump targets: its label, the bytes of an entry, and the block that each entry leads to."""

    label: str
    width: int
    blocks: tuple[int, ...]


@record
class Block:
    """Basic block; `successors` are indices into the function's blocks."""

    label: str
    instructions: tuple[Instruction, ...]
    successors: tuple[int, ...]
    #: IR block that it was generated from, if given in the text
    origin: str = ""
    #: where the jump through a table at its end goes
    table: JumpTable | None = None
    #: whether the compiler put it apart, as code that is rarely executed
    unlikely: bool = False


@record
class Function:
    name: str
    blocks: tuple[Block, ...]


@dataclass
class _Open:
    """Basic block during parsing."""

    label: str
    origin: str = ""
    unlikely: bool = False
    aliases: list[str] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)


def function_names(text: str) -> list[str]:
    """The functions of an assembly file, as its directives name them."""
    return list(dict.fromkeys(_TYPED.findall(text)))


def read_listing(text: str, isa: str, name: str = "", root: str = "") -> tuple[Function, ...]:
    """Parses the functions of an assembly file; with `root`, that one and those that it calls. Lines that cannot be
    parsed are errors that name the line."""
    if (of := _syntax(text)[0]) not in ("", isa):
        raise InputError(f"the assembly is for {of}, the machine is {isa}", file=name or None)
    syntax = "intel" if isa == "x86-64" and _syntax(text)[1] else "att"
    typed = _typed(text)
    lines = _reached(text, root) if root in typed else list(enumerate(text.splitlines(), start=1))
    tables = _tables(lines)
    targets = _operands(lines, isa) | {entry for table in tables.values() for _, entry in table}
    reader = _Reader(isa, syntax, name, typed, targets)
    for number, line in lines:
        if line:
            reader.read(number, line)
    if not reader.functions:
        raise InputError("no function was found in the assembly", file=name or None)
    parsed = [_function(title, blocks, tables) for title, blocks in _with_unlikely(reader.functions)]
    return tuple(function for function in parsed if function.blocks)


def _operands(lines: Sequence[tuple[int, str]], isa: str) -> set[str]:
    """The last operand of every instruction: among them are the labels that jumps go to."""
    before = r"[^/\n]" if isa == "aarch64" else r"[^#\n]"  # a comment; `#31` is an immediate of AArch64
    target = re.compile(rf"[ \t]+(?!\.)[a-z][\w.]*[ \t]+(?:{before}*[ \t,*])?([\w.$]+)")
    return {match[1] for _, line in lines if (match := target.match(line))}


class _Reader:
    """The functions of a listing and their open blocks, while its lines are read."""

    def __init__(self, isa: str, syntax: str, name: str, typed: frozenset[str], targets: set[str]) -> None:
        self.functions: list[tuple[str, list[_Open]]] = []
        self._isa, self._syntax, self._name = isa, syntax, name
        self._typed, self._targets = typed, targets
        self._comment = re.compile(r"//|;|(?<!\w)@" if isa == "aarch64" else "#")
        self._files = dict[str, str]()
        self._source_line, self._source_file = 0, ""

    def read(self, number: int, raw: str) -> None:
        """Reads one line: labels, then a directive or an instruction."""
        origin = match[1] if (match := _IR_BLOCK.search(raw)) else ""
        line = self._comment.split(raw, maxsplit=1)[0]
        while match := _LABEL.match(line):
            label = match[1].strip('"')
            if origin or label in self._targets or not label.startswith((".L", "L")):
                _start(self.functions, label, origin, self._typed)
            line = match[2]
        line = line.strip()
        if not line and origin and self.functions and "%bb." in raw:
            self.functions[-1][1].append(_Open("", origin))
        if line.startswith("."):
            self._directive(line)
        elif line and self.functions:
            self._instruction(number, line)

    def _directive(self, line: str) -> None:
        """Notes the source line and file of the instructions that follow."""
        if match := _LOC.match(line):
            self._source_line, self._source_file = int(match[2]), self._files.get(match[1], "")
        elif match := _FILE.match(line):
            relative = match[2] and not match[3].startswith("/")
            self._files[match[1]] = f"{match[2]}/{match[3]}" if relative else match[3]

    def _instruction(self, number: int, line: str) -> None:
        """Adds an instruction to the open block; after a branch, to a new one."""
        try:
            parsed = _parsed(line, self._isa, self._syntax)
        except InputError as error:
            raise InputError(error.message, file=self._name or None, line=number, hint=line) from None
        blocks = self.functions[-1][1]
        if blocks[-1].instructions and blocks[-1].instructions[-1].branches:
            blocks.append(_Open(""))
        blocks[-1].instructions.append(
            replace(parsed, line=number, source_line=self._source_line, source_file=self._source_file)
        )


@lru_cache(maxsize=8192)  # versions of a code have most of their instructions in common
def _parsed(line: str, isa: str, syntax: str) -> Instruction:
    one = (aarch64.parse if isa == "aarch64" else x86.parse)(line, 0, syntax)
    stops = line in TRAPS or (one.kind == "call" and not returns(line.split()[-1]))
    return replace(one, ends=True) if stops else one


def _with_unlikely(functions: list[tuple[str, list[_Open]]]) -> list[tuple[str, list[_Open]]]:
    """The functions, each with the code that gcc put apart as unlikely: `NAME.cold`, `NAME.cold.1`."""
    found = dict(functions)
    for name in [*found]:
        if (match := _UNLIKELY.match(name)) and match[1] in found:
            found[match[1]] = found[match[1]] + [replace(block, unlikely=True) for block in found.pop(name)]
    return list(found.items())


@lru_cache(maxsize=8)
def _syntax(text: str) -> tuple[str, bool]:
    """The instruction set, and whether the text may be in Intel's syntax."""
    intel = re.search(r"^[ \t]*\.intel_syntax", text, re.MULTILINE) or not re.search(
        r"%(?:r\w\w|e\w\w|[xyz]mm\d)", text
    )
    return _written_for(text), bool(intel)


@lru_cache(maxsize=8)
def _typed(text: str) -> frozenset[str]:
    return frozenset(function_names(text))


def _written_for(text: str) -> str:
    """Detects the instruction set by register names that only one has; '' where ambiguous."""
    names = {
        "x86-64": r"\b(?:r[a-d]x|e[a-d]x|r[sd]i|e[sd]i|rsp|r(?:8|9|1[0-5])d?|[xyz]mm\d+)\b",
        "aarch64": r"\b(?:[xw]\d+|[vz]\d+\.\d*[bhsd]|q\d+)\b",
    }
    lines = "\n".join(re.findall(r"^[ \t]+(?!\.)[^#/\n\"]*", text, re.MULTILINE))
    matching = [isa for isa, pattern in names.items() if re.search(pattern, lines)]
    return matching[0] if len(matching) == 1 else ""


@record
class _Whole:
    """An assembly file: its lines, which of them are a function's, and those that all functions need."""

    lines: tuple[str, ...]
    ranges: dict[str, range]
    #: names of the parts of functions that are rarely executed
    unlikely: dict[str, list[str]]
    common: tuple[int, ...]


@lru_cache(maxsize=8)
def _whole(text: str) -> _Whole:
    lines, typed = tuple(text.splitlines()), frozenset(function_names(text))
    starts = [(number, line.split(":")[0].strip(' \t"')) for number, line in enumerate(lines) if ":" in line]
    starts = [(number, label) for number, label in starts if label in typed]
    bounds = [number for number, _ in starts] + [len(lines)]
    ranges = {label: range(number, end) for (number, label), end in zip(starts, bounds[1:], strict=True)}
    unlikely: dict[str, list[str]] = {}
    for match in filter(None, map(_UNLIKELY.match, ranges)):
        unlikely.setdefault(match[1], []).append(match[0])
    directive = starts[0][0] if starts else 0
    files = (number for number in range(directive, len(lines)) if ".file" in lines[number])
    return _Whole(lines, ranges, unlikely, (*range(directive), *files))


def _reached(text: str, root: str) -> list[tuple[int, str]]:
    """The lines, with their numbers, of all functions that `root` reaches by calls and jumps, and of no function."""
    whole = _whole(text)
    kept = dict.fromkeys([root])
    waiting = [root]
    while waiting:
        label = waiting.pop()
        span = whole.ranges.get(label, range(0))
        names = dict.fromkeys(_GOES_TO.findall("\n".join(whole.lines[span.start : span.stop])))
        names |= dict.fromkeys(whole.unlikely.get(label, ()))
        more = [name for name in names if name in whole.ranges and name not in kept]
        kept |= dict.fromkeys(more)
        waiting += more
    wanted = {*whole.common, *(number for label in kept for number in whole.ranges.get(label, ()))}
    return [(number + 1, whole.lines[number]) for number in sorted(wanted)]


def _start(functions: list[tuple[str, list[_Open]]], label: str, origin: str, typed: frozenset[str]) -> None:
    """Starts a function or a block at a label; data labels before the first function are ignored."""
    if label in typed or (not label.startswith((".L", "L")) and not typed):
        functions.append((label, [_Open(label, origin)]))
    elif functions:
        blocks = functions[-1][1]
        if blocks and not blocks[-1].instructions:
            blocks[-1].aliases.append(label)
            blocks[-1].origin = blocks[-1].origin or origin
        else:
            blocks.append(_Open(label, origin))


def _tables(lines: list[tuple[int, str]]) -> dict[str, list[tuple[int, str]]]:
    """The tables of labels by their own label: bytes and label of each entry. Only of text with indirect jumps."""
    tables: dict[str, list[tuple[int, str]]] = {}
    if not any(_INDIRECT.match(line) for _, line in lines):
        return tables
    label = ""
    for _, line in lines:
        if match := _LABEL.match(line):
            label = match[1]
        elif match := _ENTRY.match(line):
            tables.setdefault(label, []).append((_WIDTHS.get(match[1], 4), match[2]))
    return tables


def _table_of(blocks: list[_Open], number: int, tables: dict[str, list[tuple[int, str]]]) -> str:
    """The label of the table that the jump at the end of a block goes through: the one that it names, or the nearest
    one whose address is put into a register from which the block loads."""
    last = blocks[number].instructions
    if not (last[-1].ends and last[-1].kind == "jump" and not last[-1].target):
        return ""
    bases = {one.memory.base for one in last if one.memory is not None and one.loads}
    for block in reversed(blocks[: number + 1]):
        for one in reversed(block.instructions):
            mentioned = [match[0] for match in _LABELS.finditer(one.text) if match[0] in tables]
            if mentioned and (one is last[-1] or one.writes & bases):
                return mentioned[0]
    return ""


def _function(name: str, opened: list[_Open], tables: dict[str, list[tuple[int, str]]]) -> Function:
    blocks = [block for block in opened if block.instructions]
    numbers: dict[str, int] = {}
    following = 0
    for block in opened:  # an empty block's labels belong to the next one
        numbers |= dict.fromkeys(filter(None, (block.label, *block.aliases)), following)
        following += bool(block.instructions)
    made = []
    for number, block in enumerate(blocks):
        last = block.instructions[-1]
        ahead = [numbers.get(last.target, len(blocks)), len(blocks) if last.ends else number + 1]
        table = None
        if label := _table_of(blocks, number, tables):
            ahead = [numbers.get(entry, len(blocks)) for _, entry in tables[label]]
            table = JumpTable(label, tables[label][0][0], tuple(place for place in ahead if place < len(blocks)))
        successors = tuple(dict.fromkeys(successor for successor in ahead if successor < len(blocks)))
        made.append(Block(block.label, tuple(block.instructions), successors, block.origin, table, block.unlikely))
    return Function(name, tuple(made))
