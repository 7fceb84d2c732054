"""Attributes of a GPU as the CUDA driver numbers them (CUdevice_attribute), from a machine."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from foretell.errors import MachineError
from foretell.uses.program_run.messages import packed

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

#: equal on every GPU since compute capability 7.5 (CUDA C++ Programming Guide, table of technical specifications)
_COMMON = {
    1: 1024, 2: 1024, 3: 1024, 4: 64, 5: 2**31 - 1, 6: 65535, 7: 65535, 8: 48 << 10, 9: 64 << 10, 10: 32, 11: 2**31 - 1,
    14: 512, 15: 1, 19: 1, 30: 512, 31: 1, 32: 1, 40: 3, 41: 1, 51: 32, 78: 1, 79: 1, 80: 1, 83: 1, 89: 1, 90: 1, 91: 1,
    95: 1, 99: 1, 102: 1, 115: 1, 129: 1,
}  # fmt: skip
#: the largest textures and surfaces (the same table)
_LARGEST_TEXTURES = {
    21: 131072, 22: 131072, 23: 65536, 24: 16384, 25: 16384, 26: 16384, 27: 32768, 28: 32768, 29: 2048, 42: 32768,
    43: 2048, 45: 32768, 46: 32768, 47: 8192, 48: 8192, 49: 32768, 52: 32768, 53: 32768, 54: 2046, 55: 32768,
    56: 131072, 57: 65536, 58: 16384, 59: 16384, 60: 16384, 61: 32768, 62: 2048, 63: 32768, 64: 32768, 65: 2048,
    66: 32768, 67: 32768, 68: 2046, 69: 1 << 28, 70: 131072, 71: 65000, 72: 2097120, 73: 32768, 74: 32768, 77: 32768,
}  # fmt: skip
#: a bus width in bits, with which clock and width give the bandwidth of the machine, as programs compute it
_BUS_BITS = 4096
#: architectures with a double-precision unit for every second single-precision one
_FULL_DOUBLE = (80, 90, 100)


def architecture(machine: Machine) -> int:
    """90 of sm_90; only NVIDIA GPUs run CUDA programs."""
    found = re.fullmatch(r"sm_(\d+)[a-z]?", machine.traits.get("target.cpu", ""))
    if found is None:
        raise MachineError(f"{machine.name!r} is not an NVIDIA GPU: a CUDA program does not run on it")
    return int(found[1])


def device_bytes(machine: Machine) -> int:
    """Memory of the device."""
    architecture(machine)
    if "memory.size" not in machine:
        raise MachineError(f"{machine.name!r} does not say how much memory it has", hint="--set memory.size='24 GB'")
    return int(machine.value("memory.size"))


def attributes(machine: Machine) -> dict[int, int]:
    """Values by the numbers of CUdevice_attribute."""
    arch = architecture(machine)

    def number(path: str, default: float = 0.0) -> int:
        return int(machine.value(path)) if path in machine else int(default)

    return {
        **_COMMON,
        **_LARGEST_TEXTURES,
        12: number("occupancy.registers", 65536),
        13: number("clock.frequency") // 1000,
        16: number("cores.count"),
        36: int(machine.value("memory.bandwidth") / (2 * _BUS_BITS / 8) / 1000),
        37: _BUS_BITS,
        38: number("level.L2.size"),
        39: 32 * number("occupancy.warps"),
        75: arch // 10,
        76: arch % 10,
        81: number("scratchpad.size", 64 << 10),
        82: number("occupancy.registers", 65536),
        87: 2 if arch in _FULL_DOUBLE else 64,
        97: number("occupancy.shared_per_block", 48 << 10),
        106: number("occupancy.blocks", 16),
        111: number("occupancy.shared_reserved"),
        120: int(arch >= 90),
    }


def described(machine: Machine, base: int, size: int) -> bytes:
    """The answer to HELLO: addresses, memory, architecture, name, attributes."""
    name = machine.title or machine.name
    values = attributes(machine)
    head = struct.pack("<QQQi", base, size, device_bytes(machine), architecture(machine)) + packed(name)
    listed = b"".join(struct.pack("<iq", key, value) for key, value in values.items())
    return head + struct.pack("<I", len(values)) + listed
