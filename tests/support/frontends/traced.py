"""Programs traced step by step, so that every step can be compared with a slow reference."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foretell.core.llvm.module import Module
from foretell.frontends.trace import _protected, find_kernel
from foretell.frontends.trace.instrument.module import Instrumented, instrument
from foretell.frontends.trace.options import TraceOptions
from foretell.frontends.trace.result import RawLoop, RawTrace, read_raw
from foretell.frontends.trace.run import _environment
from foretell.frontends.trace.toolchain import Toolchain, toolchain
from tests.support.frontends.llvm_machine import Machine

HAS_COMPILER = find_spec("ziglang") is not None or shutil.which("clang") is not None
needs_compiler = pytest.mark.skipif(not HAS_COMPILER, reason="needs ziglang (foretell[trace]) or clang")
HAS_FLANG = any(shutil.which(name) for name in ("flang", "flang-22", "flang-new-19", "flang-new"))
KERNELS = Path(sys.modules["foretell"].__file__ or "").parent / "examples" / "kernels"


@dataclass
class Built:
    """A traced program and the canonical module it was made of."""

    module: Module
    kernel: str
    found: Instrumented
    program: Path
    folder: Path
    options: TraceOptions

    def run(self, *arguments: str) -> tuple[RawTrace, np.ndarray[Any, np.dtype[np.uint64]]]:
        """What the runtime saw, and every reference it was given."""
        result, dump = self.folder / "result", self.folder / "dump"
        options = replace(self.options, arguments=arguments)
        environment = {**_environment(options, result), "FORETELL_DUMP": str(dump)}
        subprocess.run([str(self.program), *arguments], env=environment, check=True, capture_output=True, timeout=60)
        return read_raw(result), np.fromfile(dump, dtype=np.uint64)

    def reference(self, *arguments: str) -> Machine:
        """What the slow machine saw."""
        machine = Machine(self.module, self.kernel)
        machine.main(list(arguments))
        return machine


def build(source: Path, kernel: str, folder: Path, options: TraceOptions | None = None) -> Built:
    """Compiles, instruments and links one file."""
    options = options or TraceOptions(helper=False)
    tools: Toolchain = toolchain(folder)
    raw = Module(tools.to_ir(source, options.flags))
    name = find_kernel([raw], kernel)
    module = Module(tools.canonical(_protected(raw, name), "m"))
    found = instrument([module], name, options)
    fortran = source.suffix == ".f90"
    program = tools.linked([tools.compiled(found.texts[0], "m")], fortran, source.suffix == ".cpp")
    return Built(module, name, found, program, folder, options)


def keyed(raw: RawTrace, found: Instrumented) -> dict[Any, RawLoop]:
    """The loops that ran, by function and index and the loop around the call."""

    def key(one: RawLoop) -> tuple[Any, ...]:
        around = raw.loops[one.parent]
        while around.id and around.function == one.function:
            around = raw.loops[around.parent]
        own = (found.functions[one.function].name, one.index)
        return (key(around), own) if around.id else (own,)

    return {key(one): one for one in raw.loops.values() if one.id and one.entries}


def levels(raw: RawTrace) -> Counter[int]:
    """Operations of each level, of all loops together."""
    total: Counter[int] = Counter()
    for one in raw.loops.values():
        for level in np.flatnonzero(one.levels):
            total[int(level)] += int(one.levels[level])
    return total


def brute_force(addresses: np.ndarray[Any, np.dtype[np.uint64]], shift: int) -> tuple[int, Counter[int]]:
    """First touches, and references by stack distance, from a list in order of use."""
    stack: list[int] = []
    cold, found = 0, Counter()
    goes_on = np.uint64(1 << 63)
    for address in addresses.tolist():
        line = (address & ~int(goes_on)) >> shift
        if address & int(goes_on) and stack and stack[0] == line:
            continue
        if line in stack:
            distance = stack.index(line)
            found[distance] += 1
            del stack[distance]
        else:
            cold += 1
        stack.insert(0, line)
    return cold, found


def compare(built: Built, *arguments: str) -> None:
    """Traced and reference agree on everything."""
    raw, addresses = built.run(*arguments)
    machine = built.reference(*arguments)
    check_dependences(built, raw, machine)
    check_references(addresses, machine)
    check_distances(raw, addresses)


def check_dependences(built: Built, raw: RawTrace, machine: Machine) -> None:
    assert levels(raw) == machine.levels
    ours = keyed(raw, built.found)
    assert set(ours) == set(machine.loops)
    for key, record in machine.loops.items():
        one = ours[key]
        seen = (one.entries, one.iterations, bool(one.carried & 1), bool(one.carried & 2))
        assert seen == (record.entries, record.iterations, record.raw, record.reduction), key


def check_references(addresses: np.ndarray[Any, np.dtype[np.uint64]], machine: Machine) -> None:
    """The same accesses in the same order, up to where each object lies."""
    plain = addresses[addresses < np.uint64(1 << 63)]
    assert len(plain) == len(machine.references)
    bases: dict[int, int] = {}
    for address, (place, _) in zip(plain.tolist(), machine.references, strict=True):
        number, offset = place >> 32, place & 0xFFFFFFFF
        assert bases.setdefault(number, address - offset) == address - offset


def check_distances(raw: RawTrace, addresses: np.ndarray[Any, np.dtype[np.uint64]]) -> None:
    """The distances of all loops together against a list of lines."""
    for shift in raw.loops[0].distances:
        cold, found = 0, Counter[int]()
        for loop in raw.loops.values():
            first_touches, rows = loop.distances.get(shift, (0, []))
            cold += first_touches
            found.update({int(first): int(count) for first, _, count in rows})
        assert (cold, dict(found)) == brute_force(addresses, shift)
