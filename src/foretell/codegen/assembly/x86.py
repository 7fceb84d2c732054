"""Parses x86-64 instructions: registers read and written, memory accesses, and cost class."""

from __future__ import annotations

import re

from foretell.codegen.assembly import x86_operands
from foretell.codegen.assembly.instruction import Instruction, Label, Memory, Operand, Register
from foretell.codegen.assembly.x86_classes import classify, plain_mnemonic

FLAGS = "flags"
CALLER_SAVED = frozenset(
    ["rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", FLAGS, *(f"zmm{n}" for n in range(32)),
     *(f"k{n}" for n in range(8))]
)  # fmt: skip
_LETTER_BYTES = {"b": 1, "w": 2, "l": 4, "q": 8}
#: size suffixes of vector instructions: d is a double word
_LETTER = {"b": 1, "w": 2, "d": 4, "q": 8}
#: instructions that write only flags, or nothing
_NO_RESULT = re.compile(
    r"cmp|test|bt|v?u?comis[sd]|v?p?test(?:p[sd])?|kortest\w|ktest\w|push|prefetch\w*|nop\w*|j\w+|call|ret"
)
#: the destination is write-only (instructions without `v` that do not accumulate)
_OVERWRITES = re.compile(
    r"mov\w*|lea|set\w+|pop|popcnt|tzcnt|lzcnt|bsf|bsr|andn|sh[lr]x|sarx|rorx|bextr|bls\w+|mulx|pdep|pext|"
    r"cvt\w*2p[sd]|cvtt?p[sd]2\w+|cvtt?s[sd]2si[lq]?|sqrtp[sd]|r(?:cp|sqrt)ps|pshuf(?:d|lw|hw)|pabs\w|pmov[sz]x\w+|lddqu|"
    r"roundp[sd]|pextr\w|extractps|k\w+|cqto|cltq|cltd|cdqe?|cqo|cwtl|cwde"
)
_OVERWRITES_MEMORY = re.compile(
    r"v?mov\w*|set\w+|v?(?:p?extr\w+|extract\w+)|vcvtps2ph|vp?compress\w+|vpmovu?s?[wdq][bwd]|kmov\w|pop"
)
#: vector instructions that accumulate into their destination
_ADDS_UP = re.compile(r"vf(?:n?m|madd|msub)\w+|vpternlog\w|vperm[it]2\w+|vpdp\w+|vpmadd52\w+|vfixup\w+")
_NO_FLAGS = re.compile(
    r"mov\w*|lea|not|push|pop|xchg|sh[lr]x|sarx|rorx|mulx|pdep|pext|bswap|cltq|cqto|cltd|cdqe?|cqo|cwtl|cwde|cmov\w+|set\w+|nop\w*|call|ret|j\w+|k(?!ortest|test)\w+"
)
_PREFIXES = frozenset(["rep", "repz", "lock", "notrack", "bnd", "data16", "{vex}", "{vex2}", "{vex3}", "{evex}"])
_READS_FLAGS = re.compile(r"j(?!mp)\w+|cmov\w+|set\w+|adc|sbb")


def parse(text: str, line: int, syntax: str, source_line: int = 0, source_file: str = "") -> Instruction:
    """Parses one instruction from a line without label and comment."""
    text = " ".join(text.split())
    name, _, rest = text.partition(" ")
    if name in _PREFIXES and rest:
        name, _, rest = rest.partition(" ")
    mnemonic = name.lower()
    operands, mask, size = _operands(rest, syntax)
    return _Made(mnemonic, operands, mask, size, text, line, (source_line, source_file)).instruction()


def _operands(text: str, syntax: str) -> tuple[tuple[Operand, ...], str, int]:
    """Operands with the destination first, the mask, and the size of the memory operand, if given in the text."""
    operands, mask, size = [], "", 0
    for part in x86_operands.split_operands(text):
        if syntax == "att":
            operand, its_mask = x86_operands.att_operand(part)
        else:
            operand, its_mask, its_size = x86_operands.intel_operand(part)
            size = its_size or size
        mask = its_mask or mask
        operands.append(operand)
    return tuple(reversed(operands) if syntax == "att" else operands), mask, size


class _Made:
    """Instruction during parsing."""

    def __init__(
        self,
        written: str,
        operands: tuple[Operand, ...],
        mask: str,
        size: int,
        text: str,
        line: int,
        source: tuple[int, str],
    ) -> None:
        self.written, self.operands, self.mask, self.size = written, operands, mask, size
        self.name = plain_mnemonic(written)
        self.text, self.line, self.source = text, line, source
        self.registers = [o for o in operands if isinstance(o, Register)]
        self.memory = next((o for o in operands if isinstance(o, Memory)), None)
        self.vector = max((r.bytes for r in self.registers if r.file == "vector"), default=0)

    def instruction(self) -> Instruction:
        kind, element, known = self._class()
        reads, writes = self._effects()
        loads, stores = self._touches(kind)
        if kind == "call":
            writes |= CALLER_SAVED
        idiom = self._clears()
        packed = self._packed()
        target = next((o.name for o in self.operands if isinstance(o, Label)), "") if kind in ("jump", "call") else ""
        return Instruction(
            mnemonic=self.name, operands=self.operands, text=self.text, line=self.line,
            kind="zero" if idiom else kind, element=element, bytes=self.vector if packed else 0,
            reads=frozenset() if idiom or self._all_ones() else frozenset(reads), writes=frozenset(writes),
            memory=self.memory, loads=loads, stores=stores, moved=self._moved() if loads or stores else 0,
            known=known, target=target if kind == "jump" else "",
            ends=kind == "return" or self.name == "jmp", source_line=self.source[0], source_file=self.source[1],
        )  # fmt: skip

    def _class(self) -> tuple[str, str, bool]:
        match = classify(self.name)
        if self.name == "movx" and self.memory is not None:
            return "move", "i64", True
        if match is None:
            return ("add", "f64" if self.vector else "i64", False)
        kind, element = match
        general = [r for r in self.registers if r.file == "general"]
        if kind == "divide" and element == "i64":
            size = general[0].bytes if general else _LETTER_BYTES.get(self.written[-1], 8)
            element = "i32" if size == 4 else element
        elif kind in ("move", "move_mask"):
            kind = self._moves(kind, general)
        elif kind == "shift" and not self.vector and any(r.name == "rcx" and r.bytes == 1 for r in general[1:]):
            kind = "shift_by"  # by a register: its flags depend on whether the count is zero
        elif kind == "compare" and self.operands and self._is_vector(self.operands[0]):
            kind = "compare_lanes"  # the result is a vector, no mask
        elif kind == "lea" and self.memory is not None and self.memory.index and self.memory.scale > 1:
            kind = "lea_scaled"
        elif self.memory is not None:
            kind = self._with_memory(kind, element)
        return kind, element, True

    def _moves(self, kind: str, general: list[Register]) -> str:
        """The kind of a move: between register files, under a mask, or of one half of a register."""
        if kind == "move_mask":
            return kind if not general else "from_mask" if self.operands[0] in general else "to_mask"
        if self.mask and self.operands[0] is not self.memory:
            return "blend"
        if self.memory in self.operands[1:] and re.fullmatch(r"v?mov[lh]p[sd]", self.name):
            return "shuffle"  # movhpd and similar merge the loaded half with the other one
        if self.memory is None and self.vector and general:
            return "from_vector" if self.operands[0] in general else "to_vector"
        return kind

    def _with_memory(self, kind: str, element: str) -> str:
        """The kind of an operation with a memory operand, where the load or store does part of it."""
        stores = self.operands[0] is self.memory
        if stores and kind == "permute":
            return "move"  # one half of a register is stored as it is
        if kind == "permute" and re.search(r"broadcast(?![bw])", self.name):
            return "move"
        if self.name.endswith("movddup") and self.vector == 16:
            return "move"  # broadcast of one loaded element
        if kind in ("insert", "extract"):
            return "shuffle_two"
        if kind == "permute" and "insert" in self.name:
            return "blend"  # of the loaded part into the register
        if kind == "convert_from_general" or (kind == "convert" and element == "f64"):
            return "convert_loaded"  # to wider elements: needs no shuffle after the load
        return kind

    @staticmethod
    def _is_vector(operand: Operand) -> bool:
        return isinstance(operand, Register) and operand.file == "vector"

    def _packed(self) -> bool:
        """Whether it operates on the whole register; `sd` and `ss` operate on one element."""
        if "broadcast" in self.name or "perm" in self.name or re.match(r"v?p(?:min|max)", self.name):
            return True
        return not re.search(r"(?<!p)s[sd]$|s[sd]2|2s[sd][lq]?$|mov[dq]$|si[lq]?$", self.name)

    def _clears(self) -> bool:
        """Zero idiom x ^ x: no dependence on x."""
        if not re.fullmatch(r"v?p?xor(?:p[sd]|[dq])?|v?p?sub[bwdq]?|sub", self.name) or self.memory is not None:
            return False
        names = [r.name for r in self.registers]
        sources = names[1:] if len(names) == 3 else names
        return len(sources) == 2 and sources[0] == sources[1] and len(self.operands) == len(names)

    def _all_ones(self) -> bool:
        """Ones idiom pcmpeq x, x: no dependence on x, but it is executed all the same."""
        names = {r.name for r in self.registers[-2:]}
        return bool(re.fullmatch(r"v?pcmpeq[bwdq]", self.name)) and self.memory is None and len(names) == 1

    def _effects(self) -> tuple[set[str], set[str]]:
        reads: set[str] = set()
        writes: set[str] = set()
        one_operand = self.name in ("div", "idiv", "mul", "imul") and len(self.operands) == 1
        no_result = one_operand or bool(_NO_RESULT.fullmatch(self.name))
        results = 0 if no_result else 2 if self.name == "mulx" else 1
        for position, operand in enumerate(self.operands):
            if isinstance(operand, Register):
                written = position < results
                if written:
                    writes.add(operand.name)
                if not written or self._reads_destination():
                    reads.add(operand.name)
            elif isinstance(operand, Memory):
                reads |= {name for name in (operand.base, operand.index) if name and name != "rip"}
        if self.mask:
            reads.add(self.mask.removesuffix("z"))
        self._implicit(reads, writes)
        return reads, writes

    def _reads_destination(self) -> bool:
        """Whether the destination is also read. A gather merges into its destination, but does not wait for it: gcc
        clears no register before one, and an Emerald Rapids runs such loops at the gathers' throughput, a fifth of the
        time of a chain of them."""
        if re.match(r"v?p?gather", self.name):
            return False
        if self.mask and not self.mask.endswith("z"):
            return True
        if self.name.startswith("v"):
            return bool(_ADDS_UP.fullmatch(self.name))
        if self.name == "imul" and len(self.operands) == 3:
            return False
        if re.fullmatch(r"movs[sd]|mov[lh]p[sd]|movhlps|movlhps", self.name):  # merges
            return self.memory is None or "p" in self.name[4:]
        return not _OVERWRITES.fullmatch(self.name)

    def _implicit(self, reads: set[str], writes: set[str]) -> None:
        name = self.name
        if _READS_FLAGS.fullmatch(name):
            reads.add(FLAGS)
        scalar = classify(name) is not None and not self.vector
        if (scalar and not _NO_FLAGS.fullmatch(name)) or "comis" in name or "test" in name:
            writes.add(FLAGS)
        if name == "mulx":
            reads.add("rdx")
        elif name in ("div", "idiv", "mul") or (name == "imul" and len(self.operands) == 1):
            reads |= {"rax"} if name.endswith("mul") else {"rax", "rdx"}
            writes |= {"rax", "rdx"}
        elif name in ("cqto", "cqo", "cltd", "cdq"):
            reads.add("rax")
            writes.add("rdx")
        elif name in ("cltq", "cdqe", "cwtl", "cwde"):
            reads.add("rax")
            writes.add("rax")
        elif name in ("push", "pop", "call", "ret"):
            reads.add("rsp")
            writes.add("rsp")
        elif re.match(r"v?p?gather", name):  # the mask is cleared
            vectors = [r.name for r in self.registers if r.file == "vector"]
            writes |= {self.mask.removesuffix("z")} if self.mask else set(vectors[1:])

    def _touches(self, kind: str) -> tuple[bool, bool]:
        """Whether memory is read and written."""
        if kind in ("load", "store", "return") and self.memory is None:
            return kind in ("load", "return"), kind == "store"
        if self.memory is None or kind in ("lea", "lea_scaled", "none", "jump", "call"):
            return kind == "jump" and self.memory is not None, False
        if self.operands[0] is not self.memory or _NO_RESULT.fullmatch(self.name):
            return True, kind == "store" and self.name == "push"
        return kind != "scatter" and not _OVERWRITES_MEMORY.fullmatch(self.name), True

    def _moved_vector(self) -> int:
        """Bytes that a vector instruction loads or stores, where the text does not give them."""
        name = self.name.removeprefix("v")
        if "si2" in name:  # a conversion: the source size counts
            return _LETTER_BYTES.get(self.written[-1], 4)
        if re.search(r"s[sd]2", name):
            return 4 if "ss2" in name else 8
        if re.match(r"cvtt?(?:ps|u?dq)2pd|cvtps2u?qq", name):
            return self.vector // 2
        if match := re.match(r"pmov[sz]x([bwd])([wdq])", name):
            return self.vector * _LETTER[match[1]] // _LETTER[match[2]]
        if match := re.match(r"p(?:extr|insr|broadcast)([bwdq])", name):
            return _LETTER[match[1]]
        if match := re.match(r"(?:extract|insert|broadcast)[fi](\d+)(?:x(\d))?", name):
            return int(match[1]) * int(match[2] or 1) // 8
        if re.search(r"broadcast|s[sd]$|mov[lh]p[sd]$", name) or (name == "movddup" and self.vector == 16):
            return 4 if re.search(r"ss$|ps$", name) else 8
        return {"movq": 8, "movd": 4}.get(name, self.vector)

    def _moved(self) -> int:
        if self.size:
            return self.size
        if self.vector:
            return self._moved_vector()
        if self.name == "movx":  # movslq, movzbl: the second-last letter is the source size
            return _LETTER_BYTES.get(self.written[4:5], 4)
        if self.registers:
            return self.registers[0].bytes
        return _LETTER_BYTES.get(self.written[-1], 8)
