"""Parses AArch64 instructions: registers read and written, memory operand, and cost class."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from foretell.codegen.assembly.instruction import Immediate, Instruction, Label, Memory, Operand, Register
from foretell.codegen.assembly.x86_operands import number, split_operands
from foretell.errors import InputError

FLAGS = "nzcv"
CALLER_SAVED = frozenset([FLAGS, *(f"x{n}" for n in range(19)), *(f"v{n}" for n in range(32))])
_SCALAR_BYTES = {"b": 1, "h": 2, "s": 4, "d": 8, "q": 16}
_CONDITIONS = (
    "eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al|any|none|first|nfrst|last|nlast|tcont|tstop|pmore|plast"
)

#: (pattern, kind) for instructions on vector registers, for all element types
_VECTOR = [
    (re.compile(pattern), kind)
    for pattern, kind in (
        (r"f(?:add|sub|abd|addp)|faddv|fadda", "add"),
        (r"fn?mul|fmulx", "multiply"),
        (r"f(?:n?m(?:add|sub)|ml[as]|nml[as]|mad|msb|nmad|nmsb|cmla)", "fma"),
        (r"fdivr?", "divide"),
        (r"fsqrt", "sqrt"),
        (r"fr(?:ecp|sqrt)\w", "reciprocal"),
        (r"f(?:min|max)(?:nm)?[pv]?", "minmax"),
        (r"fcmp[eq]?|fccmpe?", "compare_flags"),
        (r"fcm\w\w|facg[et]|cm(?:eq|ge|gt|hi|hs|le|lt|tst)", "compare"),
        (r"f(?:abs|neg)", "logic"),
        (r"frint\w", "round"),
        (r"fcvt[a-z]*2?|[su]cvtf", "convert"),
        (r"fcsel|bsl|bit|bif|sel", "blend"),
        (r"fmov|mov|movi|mvni|orr(?=$)", "move"),
        (
            r"dup|ins|ext|zip[12]|uzp[12]|trn[12]|rev\d+|xtn2?|tbl|tbx|splice|compact|clast[ab]|last[ab]|index",
            "shuffle",
        ),
        (r"umov|smov", "from_vector"),
        (r"(?:add|sub|abs|neg|addp|addv|[su]addl[pv]?\d?|[su]addw2?|[su]abd|sqadd|uqadd|[su]hadd)", "add"),
        (r"[su](?:min|max)[pv]?", "minmax_int"),
        (r"[su]mull2?|[su]ml[as]l2?|[su]dot", "multiply_wide"),
        (r"mul|ml[as]|mad|msb", "multiply"),
        (r"(?:and|orr|eor|bic|orn|not|mvn|eon)", "logic"),
        (
            r"[su]?shl[l]?2?|[su]shr|[su]r?sra|r?shrn2?|sshll2?|ushll2?|[su]xtl2?|asr|lsl|lsr|[su]qxtu?n2?|[su]unpk(?:lo|hi)|[su]adalp",
            "shift",
        ),
        (r"cnt|clz|rbit", "add"),
    )
]
#: instructions on general registers, by kind
_SCALAR_WORDS = {
    "add": "add sub adds subs and ands orr eor bic bics orn eon neg negs mvn cmp cmn tst adc sbc adr adrp rev rev16 "
    "rev32 rbit clz sxtw sxth sxtb uxtw uxth uxtb bfi bfxil bfc ubfx sbfx ubfiz sbfiz extr ccmp ccmn incb inch incw "
    "incd decb dech decw decd cntb cnth cntw cntd addvl rdvl",
    "shift": "lsl lsr asr ror lslv lsrv asrv",
    "select": "csel csinc csinv csneg cset csetm cinc cinv cneg",
    "multiply": "mul madd msub mneg smull umull smulh umulh smaddl umaddl",
    "divide": "sdiv udiv",
    "move": "mov movz movk movn",
    "none": "nop hint bti dmb dsb isb yield paciasp autiasp",
    "jump": "b br cbz cbnz tbz tbnz",
    "call": "bl blr",
    "mask": "whilelo whilelt whilele whilels ptrue pfalse ptest brkn cntp punpklo",
    "return": "ret",
}
_SCALAR = {word: kind for kind, words in _SCALAR_WORDS.items() for word in words.split()}
_NO_RESULT = re.compile(r"cmp|cmn|tst|fcmpe?|fccmpe?|ccmp|ccmn|b|b\.\w+|br|bl|blr|cbn?z|tbn?z|ret|nop|prfm|st\w+")
_ADDS_UP = re.compile(
    r"f?ml[as]\w*|[su]ml[as]l2?|fcmla|bsl|bit|bif|movk|ins|bfi|bfxil|bfc|[su]r?sra|[su]adalp|[su]dot|tbx|\w+n2|inc\w|dec\w"
)


#: sums, and bitwise operations that set flags: slower with an operand that is shifted (others are not)
_SUM = re.compile(r"adds?|subs?|cmp|cmn|negs?|ands|tst|bics")
_ATOMIC = re.compile(r"(?:swp|ld(?:add|clr|set|eor|[su]max|[su]min))(?:a?l?)[bh]?")
#: a second operand that is shifted by more than four bits or to the right, or extended
_SHIFTED = re.compile(r"[xw]\d+,\s*(?:(?:lsr|asr|ror)\s*#?\d+|lsl\s*#?(?:[5-9]|\d\d)|[su]xt[bhwx](?:\s*#?\d)?)\s*$")
#: gcc writes `bne` where clang and the manual have `b.ne`
_CONDITIONAL = re.compile(r"^b(eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al)$")


def parse(text: str, line: int, syntax: str, source_line: int = 0, source_file: str = "") -> Instruction:
    """Parses one instruction from a line without label and comment."""
    mnemonic, _, rest = text.replace("\t", " ").partition(" ")
    mnemonic = re.sub(_CONDITIONAL, r"b.\1", mnemonic.lower())
    operands, element, lanes_bytes, merging = _operands(rest.strip())
    memory = next((o for o in operands if isinstance(o, Memory)), None)
    kind, element, known, width = _class(mnemonic, operands, element, lanes_bytes, memory is None and "[" in rest)
    if mnemonic in ("bfi", "bfxil") or (_SUM.fullmatch(mnemonic) and _SHIFTED.search(rest.lower())):
        kind = "add_shifted"
    loads, stores = kind == "load", kind == "store"
    reads, writes = _effects(mnemonic, operands, memory, merging)
    if kind == "call":
        writes |= CALLER_SAVED
    target = next((o.name for o in operands if isinstance(o, Label)), "") if kind == "jump" else ""
    return Instruction(
        mnemonic=mnemonic, operands=tuple(operands), text=" ".join(text.split()), line=line, kind=kind,
        element=element, bytes=width, reads=frozenset(reads), writes=frozenset(writes), memory=memory, loads=loads,
        stores=stores, moved=_moved(mnemonic, operands) if loads or stores else 0,
        pieces=_pieces(mnemonic, operands) if loads or stores else 1, known=known, target=target,
        ends=mnemonic in ("b", "br", "ret"), source_line=source_line, source_file=source_file,
    )  # fmt: skip


@lru_cache(maxsize=512)
def register(name: str) -> tuple[Register, str, int] | None:
    """Parses a register name: register, element type, and vector width in bytes (0 for scalars)."""
    if name in ("sp", "wsp"):
        return Register("sp", 8), "i64", 0
    if name in ("xzr", "wzr"):
        return Register("", 8), "i64", 0
    if match := re.fullmatch(r"([xw])(\d+)", name):
        return Register(f"x{match[2]}", 8 if match[1] == "x" else 4), "i64", 0
    if match := re.fullmatch(r"([bhsdq])(\d+)", name):
        size = _SCALAR_BYTES[match[1]]
        return Register(f"v{match[2]}", size, "vector"), f"f{min(size, 8) * 8}", 16 if size == 16 else 0
    if match := re.fullmatch(r"v(\d+)\.(\d*)([bhsd])(?:\[\d+\])?", name):
        size = _SCALAR_BYTES[match[3]]
        width = int(match[2]) * size if match[2] else size
        return Register(f"v{match[1]}", width, "vector"), f"f{8 * size}", width if match[2] else 0
    if match := re.fullmatch(r"z(\d+)(?:\.([bhsd]))?(?:\[\d+\])?", name):
        size = _SCALAR_BYTES[match[2] or "d"]
        return Register(f"v{match[1]}", 16, "vector"), f"f{8 * size}", 16
    if match := re.fullmatch(r"p(\d+)(?:\.[bhsd])?(?:/[mz])?", name):
        return Register(f"p{match[1]}", 2, "mask"), "i64", 0
    return None


def _operands(text: str) -> tuple[list[Operand], str, int, bool]:
    """Operands as written (destination first); element type and width of the vectors; whether predication is
    merging."""
    operands: list[Operand] = []
    element, width, merging = "", 0, False
    parts = [piece for part in split_operands(text) for piece in _listed(part)]
    for part in parts:
        lowered = part.lower()
        merging |= bool(re.fullmatch(r"p\d+/m", lowered))
        if part.startswith("["):
            operands.append(_memory(part))
        elif made := register(lowered):
            if made[0].name:
                operands.append(made[0])
            if made[0].file == "vector":
                element, width = element or made[1], max(width, made[2])
        elif part.startswith("#") or number(part) is not None:
            value = number(part.removeprefix("#"))
            if operands and isinstance(operands[-1], Memory) and value is not None:  # [x0], #16
                operands[-1] = replace(operands[-1], moves_base=value)
            else:
                operands.append(Immediate(value))
        elif re.fullmatch(r"(?:lsl|lsr|asr|sxtw|uxtw|sxtx|uxtx|msl|mul)(?:\s*#?\d+)?", lowered) or re.fullmatch(
            _CONDITIONS, lowered
        ):
            continue
        else:
            operands.append(Label(part))
    return operands, element, width, merging


def _listed(part: str) -> list[str]:
    """Expands {v0.2d, v1.2d} and {v0.2d-v1.2d} to single registers."""
    if not part.startswith("{"):
        return [part]
    inside = part[1:].split("}")[0]
    if match := re.fullmatch(r"\s*([vz])(\d+)(\S*)\s*-\s*[vz](\d+)\S*\s*", inside):
        return [f"{match[1]}{n}{match[3]}" for n in range(int(match[2]), int(match[4]) + 1)]
    return [piece.strip() for piece in inside.split(",")]


def _memory(text: str) -> Memory:
    """Parses a memory operand: [x0], [x0, 16]!, [x0, x1, lsl 3]."""
    inside = [piece.strip() for piece in text.rstrip("!").strip("[]").split(",")]
    base = register(inside[0].lower())
    if base is None:
        raise InputError(f"unknown register in the address {text}")
    shift, index, scale, symbol = 0, "", 1, ""
    for piece in inside[1:]:
        value = number(piece.removeprefix("#"))
        made = register(piece.lower())
        if value is not None:
            shift = value
        elif made:
            index = made[0].name
        elif match := re.search(r"(?:lsl|sxtw|uxtw)\s*#?(\d+)", piece):
            scale = 1 << int(match[1])
        elif not re.search(r"sxtw|uxtw|mul vl", piece):
            symbol = piece
    gathers = any(re.fullmatch(r"z\d+\.[sd]", piece.lower()) for piece in inside)
    memory = Memory(base[0].name, index, scale, shift, symbol, gathers)
    return replace(memory, moves_base=shift) if text.endswith("!") else memory


def _class(mnemonic: str, operands: list[Operand], element: str, width: int, lane: bool) -> tuple[str, str, bool, int]:
    """Kind, element type, whether the class is known, and the vector width."""
    vector = any(isinstance(o, Register) and o.file == "vector" for o in operands)
    if re.match(r"ld(?!ar$)\w+|prfm", mnemonic):
        return "load", element or "i64", True, width
    if re.match(r"st\w+", mnemonic):
        return "store", element or "i64", True, width
    if mnemonic.startswith("b.") or mnemonic in ("b", "cbz", "cbnz", "tbz", "tbnz"):
        return "jump", "i64", True, 0
    if vector and mnemonic in ("mov", "fmov") and lane:
        return "shuffle", element or "f64", True, 16
    if vector:
        general = [o for o in operands if isinstance(o, Register) and o.file == "general"]
        for pattern, kind in _VECTOR:
            if pattern.fullmatch(mnemonic):
                floating = mnemonic.startswith("f") or kind in ("convert", "load", "store", "move", "shuffle")
                if general and kind in ("move", "shuffle", "convert"):
                    to = isinstance(operands[0], Register) and operands[0].file == "vector"
                    ways = ("convert_from_general", "convert_to_general", "to_vector", "from_vector")
                    kind = ways[2 * (kind != "convert") + (not to)]
                elif kind == "move" and len([o for o in operands if isinstance(o, Register)]) == 2:
                    kind = "logic"  # a copy of a vector register is not eliminated
                name = element or "f64"
                return kind, name if floating else f"i{name[1:]}", True, width
        return "add", element or "f64", False, width
    if mnemonic in _SCALAR:
        kind = _SCALAR[mnemonic]
        narrow = kind in ("multiply", "divide") and any(isinstance(o, Register) and o.bytes == 4 for o in operands)
        return kind, "i32" if narrow else "i64", True, 0
    return "add", "i64", False, 0


def _effects(mnemonic: str, operands: list[Operand], memory: Memory | None, merging: bool) -> tuple[set[str], set[str]]:
    reads: set[str] = set()
    writes: set[str] = set()
    loads = bool(re.match(r"ld\w+", mnemonic))
    pair = loads and re.match(r"ldn?p", mnemonic)
    for position, operand in enumerate(operands):
        if not isinstance(operand, Register):
            continue
        listed = loads and operand.file == "vector"
        place = int(bool(_ATOMIC.fullmatch(mnemonic)))  # of the result: an atomic operation reads its first operand
        written = not _NO_RESULT.fullmatch(mnemonic) and (place <= position <= place + bool(pair) or listed)
        if written:
            writes.add(operand.name)
        if not written or merging or _ADDS_UP.fullmatch(mnemonic):
            reads.add(operand.name)
    if memory is not None:
        reads |= {name for name in (memory.base, memory.index) if name}
        if memory.moves_base is not None:
            writes.add(memory.base)
    if re.fullmatch(r"(?:adds|subs|ands|bics|negs|cmp|cmn|tst|fcmpe?|fccmpe?|ccmp|ccmn|ptest|while\w+)", mnemonic):
        writes.add(FLAGS)
    if re.fullmatch(r"b\.\w+|cs\w+|c(?:inc|inv|neg)|fcsel|adc|sbc|f?ccm[pn]e?", mnemonic):
        reads.add(FLAGS)
    return reads - {""}, writes - {""}


def _moved(mnemonic: str, operands: list[Operand]) -> int:
    registers = _data(operands)
    if not registers:
        return 8
    if re.match(r"(?:ld|st)[1-4]", mnemonic):
        return sum(register.bytes for register in registers)
    sized = {"b": 1, "h": 2, "w": 4} if mnemonic[2:3] in ("r", "u") else {}
    size = sized.get(mnemonic[-1], registers[0].bytes)
    return size * (2 if re.match(r"(?:ld|st)n?p", mnemonic) else 1)


def _pieces(mnemonic: str, operands: list[Operand]) -> int:
    """Accesses of an instruction: two loads for a pair of registers of eight bytes or more, one store for 16 bytes."""
    registers = _data(operands)
    several = len(registers) if re.match(r"(?:ld|st)(?:n?p|[1-4])", mnemonic) else 1
    least = 8 if mnemonic.startswith("ld") else 16
    return several if registers and registers[0].bytes >= least else 1


def _data(operands: list[Operand]) -> list[Register]:
    return [operand for operand in operands if isinstance(operand, Register) and operand.file != "mask"]
