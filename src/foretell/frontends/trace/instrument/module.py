"""Emits an instrumented version of every function of a module that the kernel may reach.

An instrumented function computes the same as the original; in addition, it counts its blocks, computes the level of
every value, keeps levels and write times in shadow memory, and passes its references to the locality engines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.core.facets.trace import Chain
from foretell.core.llvm.syntax import NAME
from foretell.frontends.trace.cfg import flow
from foretell.frontends.trace.instrument.function import FunctionWriter
from foretell.frontends.trace.instrument.helpers import helpers
from foretell.frontends.trace.instrument.loop_scalars import scalars
from foretell.frontends.trace.instrument.shadow_values import Types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.llvm.module import Function, Module
    from foretell.frontends.trace.cfg import Flow, Loop
    from foretell.frontends.trace.instrument.loop_scalars import Carried
    from foretell.frontends.trace.instrument.writer import Counted
    from foretell.frontends.trace.options import TraceOptions

TRACED = ".foretell"


@dataclass(slots=True)
class StaticLoop:
    """A loop of a function in the compiler's IR."""

    file: str
    line: int
    recurrence: int = 0  #: line of a loop-carried register value that makes the loop sequential; 0: none
    recurrent: bool = False
    reduction: bool = False
    reduction_line: int = 0
    chain: Chain = field(default_factory=Chain)
    memory_chain: Chain = field(default_factory=Chain)  #: from a load to a store of one iteration
    scan: bool = False


@dataclass(slots=True)
class TracedFunction:
    """The meaning of the counters of an instrumented function."""

    name: str
    shown: str  #: name in the source
    blocks: list[Counted] = field(default_factory=list)
    block_loops: list[int] = field(default_factory=list)  #: index of the innermost loop of each block, or -1
    loops: list[StaticLoop] = field(default_factory=list)


@dataclass(slots=True)
class Instrumented:
    """Modules with their instrumented functions, and descriptions of those."""

    texts: list[str] = field(default_factory=list)
    functions: list[TracedFunction] = field(default_factory=list)
    unseen: set[str] = field(default_factory=set)  #: external functions, whose body is not instrumented
    jumps: bool = False  #: whether it calls setjmp


def instrument(modules: Sequence[Module], kernel: str, options: TraceOptions) -> Instrumented:
    """Instruments modules. The analysis starts when the function `kernel` is called, and ends when it returns."""
    instrumented = Instrumented()
    reached = reachable(modules, kernel)
    everywhere = {name for module in modules for name, one in module.functions.items() if not one.internal}
    for module in modules:
        _ModuleWriter(module, kernel, options, instrumented, reached, everywhere & reached).write()
    return instrumented


def reachable(modules: Sequence[Module], kernel: str) -> set[str]:
    """Functions that the kernel may call: directly, or through an address taken anywhere."""
    defined = {name: one for module in modules for name, one in module.functions.items()}
    mentioned = {name: _mentioned(one, defined) for name, one in defined.items()}
    in_data = {
        name
        for module in modules
        for line in module.lines
        if line.startswith("@")
        for name in re.findall(rf"@({NAME})", line)
        if name in defined
    }
    instrumented: set[str] = set()
    stack = [kernel, *in_data]
    while stack:
        name = stack.pop()
        if name not in instrumented:
            instrumented.add(name)
            stack.extend(mentioned[name])
    return instrumented


def _mentioned(function: Function, defined: dict[str, Function]) -> set[str]:
    text = " ".join(one.text for block in function.blocks for one in block.instructions)
    return {name for name in re.findall(rf"@({NAME})", text) if name in defined}


class _ModuleWriter:
    """The instrumented text of one module."""

    def __init__(
        self,
        module: Module,
        kernel: str,
        options: TraceOptions,
        instrumented: Instrumented,
        reached: set[str],
        external: set[str],
    ) -> None:
        self.module = module
        self.kernel = kernel
        self.options = options
        self.instrumented = instrumented
        self.own = [function for name, function in module.functions.items() if name in reached]
        self.traced = {function.name for function in self.own} | external
        self.types = Types(module.types)

    def write(self) -> None:
        """Appends the module to the result."""
        lines = list(self.module.lines)
        added: list[str] = []
        table: list[str] = []
        for function in self.own:
            added += self._function(function)
            table.append(f"{{ ptr, ptr }} {{ ptr @{function.name}, ptr {traced_name(function.name)} }}")
            if function.name == self.kernel:
                lines[function.first : function.last + 1] = [
                    *_wrapper(function),
                    *[""] * (function.last + 1 - function.first - len(_wrapper(function))),
                ]
        present = {one.name for one in self.own}
        added += [
            f"declare void {traced_name(name)}()" for name in sorted(self.traced - present) if self._mentions(name)
        ]
        text = "\n".join([*lines, *added, *_registration(table), helpers(), self._intrinsics(added)])
        self.instrumented.texts.append(text)

    def _mentions(self, name: str) -> bool:
        return any(line.startswith("declare ") and f"@{name}(" in line for line in self.module.lines)

    def _function(self, function: Function) -> list[str]:
        number = len(self.instrumented.functions)
        graph = flow(function)
        carried = scalars(graph)
        described = TracedFunction(function.name, self.module.source_name(function))
        writer = FunctionWriter(
            function, graph, carried, self.types, self.module, self.options, self.traced, number, traced_name
        )
        text = writer.write()
        self.instrumented.unseen |= writer.unseen
        self.instrumented.jumps |= bool(writer.returning)
        described.blocks = writer.counted
        for label in graph.blocks:
            loop = graph.loop_of(label)
            described.block_loops.append(loop.index if loop else -1)
        for loop, registers in zip(graph.loops, carried.loops, strict=True):
            described.loops.append(self._static_loop(loop, registers, graph))
        self.instrumented.functions.append(described)
        return text

    def _static_loop(self, loop: Loop, registers: Carried, graph: Flow) -> StaticLoop:
        made = StaticLoop(*self._loop_place(loop, graph))
        if registers.recurrence is not None:
            made.recurrent = True
            made.recurrence = self.module.location(registers.recurrence.line)[1]
        made.chain, made.memory_chain, made.scan = registers.chain, registers.memory_chain, registers.scan
        if registers.reductions:
            made.reduction = True
            made.reduction_line = self.module.location(registers.reductions[0].line)[1]
        return made

    def _loop_place(self, loop: Loop, graph: Flow) -> tuple[str, int]:
        """File and line of a loop: from the compiler's metadata, otherwise its first instruction with a line."""
        for label in loop.latches:
            file, line, _ = self.module.loop_location(graph.blocks[label].terminator.loop)
            if line:
                return file, line
        for one in graph.blocks[loop.header].instructions:
            file, line, _ = self.module.location(one.line)
            if line:
                return file, line
        return "", 0

    def _intrinsics(self, added: list[str]) -> str:
        """Declarations of the intrinsics that instrumented code uses and the module lacks."""
        wanted = {"i32 @llvm.ctlz.i32(i32, i1)", "i32 @llvm.cttz.i32(i32, i1)"}
        for shape in set(re.findall(r"@llvm\.umax\.(\w+)\(", "\n".join(added))):
            type_ = f"<{shape[1:-3]} x i32>" if shape.startswith("v") else "i32"
            wanted.add(f"{type_} @llvm.umax.{shape}({type_}, {type_})")
        declared = "\n".join(line for line in self.module.lines if line.startswith("declare "))
        missing = [one for one in sorted(wanted) if f"@{one.split('@')[1].split('(')[0]}(" not in declared]
        return "\n".join(f"declare {one}" for one in missing)


def traced_name(name: str) -> str:
    """The name of the instrumented version of a function."""
    return f'@"{name.strip(chr(34))}{TRACED}"'


def _wrapper(function: Function) -> list[str]:
    """A wrapper with the kernel's name that runs the instrumented version."""
    header = re.sub(r"\s+#\d+|\s+!dbg !\d+", "", function.header)
    header = re.sub(r"%(\d+)(?=[,)])", r"%v\1", header)
    arguments = ", ".join(f"{one.type} {one.text}" for one in function.parameters)
    convention = re.search(r"\b(\w+cc|cc \d+) ", header[: header.index("@")])
    how = f"{convention.group(1)} " if convention else ""
    call = f"call {how}{function.result} {traced_name(function.name)}({arguments})"
    if function.result == "void":
        body = [f"  {call}", "  call void @ft_finish()", "  ret void"]
    else:
        body = [f"  %r = {call}", "  call void @ft_finish()", f"  ret {function.result} %r"]
    return [header, "  call void @ft_begin()", *body, "}"]


def _registration(table: list[str]) -> list[str]:
    """A table of functions and their instrumented versions, where the runtime finds those of all modules."""
    if not table:
        return []
    return [
        f"@ft.table = internal constant [{len(table)} x {{ ptr, ptr }}] [{', '.join(table)}], "
        'section "ft_pairs", align 8',
        '@llvm.compiler.used = appending global [1 x ptr] [ptr @ft.table], section "llvm.metadata"',
    ]
