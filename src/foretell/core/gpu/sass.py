"""Decoded machine code of one GPU kernel: instructions with operands, dependences and control bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Space = Literal["R", "UR", "P", "UP", "B", "SB"]

#: size of one instruction in bytes on every architecture since sm_70
INSTRUCTION_BYTES = 16


class Register(NamedTuple):
    """One 32-bit register, predicate, convergence barrier (B) or dependence counter (SB)."""

    space: Space
    index: int  # type: ignore[assignment]  # of a register; tuples have a method of this name

    def __str__(self) -> str:
        return f"{self.space}{self.index}"


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand in the disassembler's notation, parsed.

    `kind`: register, immediate, float, constant (c[bank][offset]), memory ([…]), special (SR_TID.X), label (a branch
    target) or other. `registers` are the names in it: the register itself, the index of a constant, the address
    registers of a memory operand (base first), None for one that is always zero or true.
    """

    kind: Literal["register", "immediate", "float", "constant", "memory", "special", "label", "other"]
    text: str
    registers: tuple[Register | None, ...] = ()
    space: Space | None = None
    modifiers: tuple[str, ...] = ()
    negated: bool = False
    absolute: bool = False
    inverted: bool = False
    value: int = 0
    bank: int = 0
    wide_address: bool = False
    descriptor: Register | None = None


@dataclass(frozen=True, slots=True)
class Control:
    """Scheduling bits of an instruction word.

    `stall` cycles until the next issue; a variable-latency instruction decrements `write_barrier` when its result is
    available and `read_barrier` when its operands are read; `wait_mask` names the counters to wait for.
    """

    stall: int
    yields: bool
    write_barrier: int | None
    read_barrier: int | None
    wait_mask: int
    reuse: int


@dataclass(frozen=True, slots=True)
class Guard:
    """The guard predicate of an instruction."""

    register: Register | None
    negated: bool


class SassInstruction(NamedTuple):
    """One instruction. The first `destinations` operands are written; `line` is the source line, 0 where unknown. A
    tuple: kernels have thousands, and a dataclass takes four times as long to make."""

    offset: int
    opcode: str
    modifiers: tuple[str, ...]
    guard: Guard | None
    operands: tuple[Operand, ...]
    control: Control
    defs: frozenset[Register]
    uses: frozenset[Register]
    encoding: tuple[int, int]
    destinations: int = 0
    line: int = 0

    @property
    def text(self) -> str:
        """Returns opcode and operands in the disassembler's notation."""
        return self.full_opcode + (" " + ",".join(item.text for item in self.operands) if self.operands else "")

    @property
    def full_opcode(self) -> str:
        return ".".join((self.opcode, *self.modifiers))


@dataclass(frozen=True, slots=True)
class Parameter:
    """A kernel parameter: its offset in the constant bank of parameters."""

    ordinal: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class ConstantLayout:
    """Offsets of the launch values in constant bank 0 of an architecture."""

    block_dim: int
    grid_dim: int
    parameters: int
    dynamic_shared: int


#: bytes of shared memory reserved for the system, and the first architecture that does so
_RESERVED_SHARED, _RESERVED_FROM = 1024, 90


@dataclass(frozen=True, slots=True)
class SassKernel:
    """One kernel of a cubin. `shared_bytes` is static; `constants` are the initialised banks other than 0."""

    name: str
    arch: int
    instructions: tuple[SassInstruction, ...]
    registers: int
    shared_bytes: int
    parameters: tuple[Parameter, ...]
    parameter_base: int
    max_threads: tuple[int, int, int] | None = None
    cluster: tuple[int, int, int] = (1, 1, 1)  # blocks that start together and share their shared memory
    barriers: int = 0
    stack_bytes: int = 0
    source_file: str = ""
    constants: tuple[tuple[int, bytes], ...] = ()
    notes: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Hashes only some fields: kernels are cache keys, and their text is long."""
        return hash((self.name, self.arch, len(self.instructions), self.registers))

    @property
    def own_shared_bytes(self) -> int:
        """Static shared memory without the system's part of every block, which `shared_bytes` includes from sm_90 on
        (by nvcc 13: 4096 bytes are 4096 up to sm_89, 5120 for sm_90, 100 and 120)."""
        reserved = _RESERVED_SHARED if self.arch >= _RESERVED_FROM else 0
        return max(0, self.shared_bytes - reserved)

    @property
    def layout(self) -> ConstantLayout:
        """Returns the layout of constant bank 0; sm_100 moved the launch values behind a reserved area. What depends on
        clusters is there 0xa0 * SR_CgaSize bytes before, which is 0 here (nvcc 13: c[0x0][R7+0x2ac])."""
        if self.arch >= 100:
            return ConstantLayout(0x360, 0x370, self.parameter_base, 0x2AC)
        return ConstantLayout(0x0, 0xC, self.parameter_base, 0x2C)
