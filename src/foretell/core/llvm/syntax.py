"""Parses one instruction of LLVM IR at the level of operands."""

from __future__ import annotations

import re
from dataclasses import dataclass

from foretell.errors import UnsupportedError
from foretell.records import record

NAME = r'(?:[-a-zA-Z$._0-9]+|"[^"]*")'
_LOCAL = re.compile(rf"%({NAME})")
_WORD = re.compile(r"[a-zA-Z_][a-zA-Z_0-9.]*")
_OPEN, _CLOSE = "([{<", ")]}>"
_ATTACHED = re.compile(r", !([a-zA-Z._]+) !(\d+)")
_UNNAMED = re.compile(r"%(\d+)\b")
_HEAD = re.compile(rf"(?:(%{NAME}) = )?(?:(?:tail|musttail|notail) +)*({_WORD.pattern})")
_FLAGS = re.compile(
    r" *(?:(?:nnan|ninf|nsz|arcp|contract|afn|reassoc|fast|nuw|nsw|exact|disjoint|inbounds|nusw|nneg|samesign|"
    r"volatile|atomic|tail|musttail|notail|weak)\b *)*"
)
#: fast path for the most frequent types and values: without brackets, quotes, or a following function type
_PLAIN_TYPE = re.compile(r" *([a-zA-Z]\w*)(?=,| [%@\d-])")
_PLAIN_VALUE = re.compile(r' *([^ ,()\[\]{}<>"]+)(?=[ ,)\]}]|$)')
_CONSTANT_EXPRESSIONS = frozenset(
    ["getelementptr", "bitcast", "inttoptr", "ptrtoint", "trunc", "add", "sub", "xor", "shl", "mul",
     "addrspacecast", "splat", "blockaddress", "dso_local_equivalent", "no_cfi"]
)  # fmt: skip


@record
class Operand:
    """A typed value: `text` is a name (%x, @x) or a constant."""

    type: str
    text: str

    @property
    def is_local(self) -> bool:
        """Whether it is defined by an instruction or an argument."""
        return self.text.startswith("%")


@dataclass(slots=True)
class Instruction:
    """One instruction. `text` has no metadata; `type` is that of the result, `void` where there is none."""

    text: str
    opcode: str
    result: str = ""
    type: str = "void"
    operands: tuple[Operand, ...] = ()
    labels: tuple[str, ...] = ()  #: targets of a terminator; of a phi, the predecessor block of each operand
    callee: str = ""  #: of a call: @name, %name, or asm
    extra: str = ""  #: predicate of a comparison, element type of an address, indices, alignment
    line: int = 0  #: number of its debug location
    loop: int = 0  #: number of its loop metadata

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the operands that are defined by instructions or arguments."""
        return tuple(operand.text for operand in self.operands if operand.is_local)


class Cursor:
    """A position in one line of IR."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at

    def space(self) -> None:
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1

    def peek(self, text: str) -> bool:
        """Whether this text follows."""
        self.space()
        return self.text.startswith(text, self.at)

    def take(self, text: str) -> bool:
        """Consumes this text if it follows."""
        follows = self.peek(text)
        self.at += len(text) if follows else 0
        return follows

    def word(self) -> str:
        """Returns the next word without consuming it."""
        self.space()
        word = _WORD.match(self.text, self.at)
        return word.group() if word else ""

    def take_word(self) -> str:
        word = self.word()
        self.at += len(word)
        return word

    def flags(self) -> None:
        self.at = _FLAGS.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches nothing at least

    def bracketed(self) -> str:
        """Consumes text from an opening bracket to the matching closing one."""
        first, depth = self.at, 0
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign == '"':
                self.at = self.text.index('"', self.at + 1)
            elif sign in _OPEN:
                depth += 1
            elif sign in _CLOSE:
                depth -= 1
            self.at += 1
            if depth == 0:
                return self.text[first : self.at]
        raise UnsupportedError(f"LLVM IR: a bracket is not closed: {self.text.strip()[:80]}")

    def type(self) -> str:
        if plain := _PLAIN_TYPE.match(self.text, self.at):
            self.at = plain.end()
            return plain.group(1)
        self.space()
        first = self.at
        if self.text[self.at : self.at + 1] in ("[", "{", "<"):
            self.bracketed()
        elif self.text[self.at : self.at + 1] == "%":
            self.local()
        elif not self.take_word():
            raise UnsupportedError(f"LLVM IR: a type is missing: {self.text[first:].strip()[:80]}")
        if self.text.startswith(" addrspace(", self.at):
            self.at += len(" addrspace")
            self.bracketed()
        while self.peek("("):  # a function type
            self.bracketed()
        return self.text[first : self.at].strip()

    def local(self) -> str:
        name = _LOCAL.match(self.text, self.at)
        if name is None:
            raise UnsupportedError(f"LLVM IR: a name is missing: {self.text[self.at :].strip()[:80]}")
        self.at = name.end()
        return name.group()

    def value(self) -> str:
        """Parses a value: a name or a constant."""
        plain = _PLAIN_VALUE.match(self.text, self.at)
        if plain and plain.group(1) not in _CONSTANT_EXPRESSIONS:
            self.at = plain.end()
            return plain.group(1)
        self.space()
        first = self.at
        while self.at < len(self.text) and self.text[self.at] not in " ,)]}":
            if self.text[self.at] in "([{<":
                self.bracketed()
            elif self.text[self.at] == '"':
                self.at = self.text.index('"', self.at + 1) + 1
            else:
                self.at += 1
        if self.text[first : self.at] in _CONSTANT_EXPRESSIONS:
            while not self.peek("("):
                word = self.take_word()
                if not word:
                    raise UnsupportedError(f"LLVM IR: a constant expression without operands: {self.text.strip()[:80]}")
                if word == "inrange":
                    self.bracketed()
            self.bracketed()
        return self.text[first : self.at].strip()

    def operand(self) -> Operand:
        return Operand(self.type(), self.value())


def named(text: str) -> str:
    """Returns the text with a name for every unnamed value."""
    return _UNNAMED.sub(r"%v\1", text)


def take_global(cursor: Cursor) -> str:
    name = re.compile(rf"@({NAME})").match(cursor.text, cursor.at)
    if name is None:
        raise UnsupportedError(f"LLVM IR: a name is missing: {cursor.text[cursor.at :].strip()[:80]}")
    cursor.at = name.end()
    return name[1]


def split(text: str) -> list[str]:
    """Splits at commas outside brackets."""
    parts, depth, first, quoted = [], 0, 0, False
    for at, sign in enumerate(text):
        if sign == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif sign in _OPEN:
            depth += 1
        elif sign in _CLOSE:
            depth -= 1
        elif sign == "," and depth == 0:
            parts.append(text[first:at].strip())
            first = at + 1
    rest = text[first:].strip()
    return [*parts, rest] if rest else parts


def parse_instruction(line: str) -> Instruction:
    """Parses one instruction, without its metadata."""
    attached = {name: int(number) for name, number in _ATTACHED.findall(line)}
    text = named((_ATTACHED.sub("", line) if attached else line).strip())
    head = _HEAD.match(text)
    result, opcode = (head.group(1) or "", head.group(2)) if head else ("", "")
    cursor = Cursor(text, head.end() if head else 0)
    made = Instruction(text, opcode, result, line=attached.get("dbg", 0), loop=attached.get("llvm.loop", 0))
    if opcode not in _READERS:
        raise UnsupportedError(f"LLVM IR: the instruction {opcode!r} is not supported: {text[:80]}")
    cursor.flags()
    _READERS[opcode](cursor, made)
    return made


def _binary(cursor: Cursor, made: Instruction) -> None:
    first = cursor.operand()
    cursor.take(",")
    made.type = first.type
    made.operands = (first, Operand(first.type, cursor.value()))


def _unary(cursor: Cursor, made: Instruction) -> None:
    made.operands = (cursor.operand(),)
    made.type = made.operands[0].type


def _compare(cursor: Cursor, made: Instruction) -> None:
    made.extra = cursor.take_word()
    _binary(cursor, made)
    lanes = re.match(r"<(\d+) x ", made.type)
    made.type = f"<{lanes[1]} x i1>" if lanes else "i1"


def _cast(cursor: Cursor, made: Instruction) -> None:
    made.operands = (cursor.operand(),)
    cursor.take("to")
    made.type = cursor.type()


def _select(cursor: Cursor, made: Instruction) -> None:
    _listed(cursor, made)
    made.type = made.operands[1].type


def _listed(cursor: Cursor, made: Instruction) -> None:
    operands = [cursor.operand()]
    while cursor.take(","):
        operands.append(cursor.operand())
    made.operands = tuple(operands)


def _phi(cursor: Cursor, made: Instruction) -> None:
    made.type = cursor.type()
    operands, labels = [], []
    while cursor.take("[") or cursor.take(", ["):
        operands.append(Operand(made.type, cursor.value()))
        cursor.take(",")
        cursor.space()
        labels.append(cursor.local()[1:])
        cursor.take("]")
    made.operands, made.labels = tuple(operands), tuple(labels)


def _load(cursor: Cursor, made: Instruction) -> None:
    made.type = cursor.type()
    cursor.take(",")
    made.operands = (cursor.operand(),)
    made.extra = _alignment(cursor)


def _store(cursor: Cursor, made: Instruction) -> None:
    value = cursor.operand()
    cursor.take(",")
    made.operands = (value, cursor.operand())
    made.extra = _alignment(cursor)


def _alignment(cursor: Cursor) -> str:
    match = re.search(r"\balign (\d+)", cursor.text[cursor.at :])
    return match.group(1) if match else "1"


def _element(cursor: Cursor, made: Instruction) -> None:
    _listed(cursor, made)
    whole = made.operands[0].type
    if made.opcode == "extractelement":
        made.type = element_type(whole)
    elif made.opcode == "shufflevector":
        lanes = re.match(r"<(\d+) x ", made.operands[2].type)
        made.type = f"<{lanes.group(1) if lanes else 1} x {element_type(whole)}>"
    else:
        made.type = whole


def element_type(type_: str) -> str:
    """Returns the element type of a vector."""
    return type_[type_.index(" x ") + 3 : -1]


def _member(cursor: Cursor, made: Instruction) -> None:
    operands = [cursor.operand()]
    cursor.take(",")
    if made.opcode == "insertvalue":
        operands.append(cursor.operand())
        cursor.take(",")
    made.operands = tuple(operands)
    made.extra = cursor.text[cursor.at :].strip()
    made.type = operands[0].type if made.opcode == "insertvalue" else "?"


def _branch(cursor: Cursor, made: Instruction) -> None:
    made.labels = tuple(re.findall(rf"label %({NAME})", cursor.text))
    if not cursor.peek("label"):
        made.operands = (cursor.operand(),)


def _return(cursor: Cursor, made: Instruction) -> None:
    if not cursor.peek("void"):
        made.operands = (cursor.operand(),)


def _address(cursor: Cursor, made: Instruction) -> None:
    made.extra = cursor.type()
    cursor.take(",")
    _listed(cursor, made)
    vectors = (re.match(r"<(\d+) x ", operand.type) for operand in made.operands)
    made.type = next((f"<{lanes.group(1)} x ptr>" for lanes in vectors if lanes), "ptr")


def _other(cursor: Cursor, made: Instruction) -> None:
    made.extra = cursor.text[cursor.at :].strip()


def _update(cursor: Cursor, made: Instruction) -> None:
    """atomicrmw op ptr p, ty v …; cmpxchg ptr p, ty old, ty new …"""
    if made.opcode == "atomicrmw":
        made.extra = cursor.take_word()
    _listed(cursor, made)
    kind = made.operands[1].type
    made.type = f"{{ {kind}, i1 }}" if made.opcode == "cmpxchg" else kind


_PARAMETER_ATTRIBUTE = re.compile(
    r"(?:noundef|nonnull|signext|zeroext|inreg|noalias|nocapture|readonly|readnone|writeonly|returned|nofree|"
    r"immarg|noext|nest|swiftself|allocptr|allocalign|dead_on_unwind|writable|dead_on_return)\b ?"
    r"|(?:align|dereferenceable|dereferenceable_or_null|captures|range|initializes|nofpclass|byval|sret|elementtype|"
    r"inalloca|preallocated|byref)(?: ?\((?:[^()]|\([^()]*\))*\)| \d+) ?"
)
_CONVENTION = re.compile(r"(?:fastcc|coldcc|ccc|tailcc|cc ?\d+|x86_\w+|swiftcc|preserve_\w+)\b ?")


def _attributes(cursor: Cursor) -> str:
    """Skips attributes of a parameter or a result, and returns them."""
    first = cursor.at
    while True:
        cursor.space()
        match = _PARAMETER_ATTRIBUTE.match(cursor.text, cursor.at) or _CONVENTION.match(cursor.text, cursor.at)
        if not match:
            return cursor.text[first : cursor.at]
        cursor.at = match.end()


def _call(cursor: Cursor, made: Instruction) -> None:
    _attributes(cursor)
    type_ = cursor.type()
    made.type = type_[: type_.index("(")].strip() if "(" in type_ and not type_.startswith("{") else type_
    if cursor.peek("asm"):
        made.callee = "asm"
        made.extra = cursor.text[cursor.at :]
        return
    if cursor.text[cursor.at] == "@":
        made.callee = "@" + take_global(cursor)
    elif cursor.text[cursor.at] == "%":
        made.callee = cursor.local()
    else:  # a constant expression
        made.callee = cursor.value()
    cursor.space()
    inside = cursor.bracketed()
    made.operands = tuple(_argument(part) for part in split(inside[1:-1]))
    made.extra = cursor.text[cursor.at :].strip()
    if made.opcode == "invoke":
        made.labels = tuple(re.findall(rf"label %({NAME})", made.extra))


def _argument(part: str) -> Operand:
    cursor = Cursor(part)
    if cursor.peek("metadata"):
        return Operand("metadata", part)
    type_ = cursor.type()
    _attributes(cursor)
    return Operand(type_, cursor.value())


_BINARY = (
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
    "fadd", "fsub", "fmul", "fdiv", "frem",
)  # fmt: skip
_CASTS = (
    "trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp", "ptrtoint", "inttoptr",
    "bitcast", "addrspacecast", "ptrtoaddr",
)  # fmt: skip
_READERS = {
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_CASTS, _cast),
    **dict.fromkeys(("fneg", "freeze"), _unary),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    **dict.fromkeys(("extractelement", "insertelement", "shufflevector"), _element),
    **dict.fromkeys(("extractvalue", "insertvalue"), _member),
    **dict.fromkeys(("br", "switch"), _branch),
    **dict.fromkeys(("call", "invoke"), _call),
    **dict.fromkeys(("alloca", "fence", "unreachable", "resume", "landingpad", "va_arg"), _other),
    **dict.fromkeys(("atomicrmw", "cmpxchg"), _update),
    "getelementptr": _address,
    "load": _load,
    "phi": _phi,
    "ret": _return,
    "select": _select,
    "store": _store,
}
