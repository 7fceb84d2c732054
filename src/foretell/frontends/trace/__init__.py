"""Traces sequential code: compiles it to LLVM IR, instruments and runs it, and reads the results as a `Trace`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.core.workload import Workload
from foretell.errors import InputError, nearest
from foretell.files import content_hash, temporary_folder
from foretell.frontends.trace.instrument import library
from foretell.frontends.trace.options import TraceOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.core.facets.trace import Schedule, Trace
    from foretell.core.llvm.module import Module
    from foretell.frontends.trace.instrument.module import Instrumented
    from foretell.frontends.trace.result import RawTrace
    from foretell.frontends.trace.toolchain import Toolchain

__all__ = ["TraceOptions", "read_trace"]

_ASSUMPTIONS = (
    "the trace holds for this input: other arguments take other paths",
    "operations are floating-point ones; sign changes, conversions and moves take no level",
    "a value depends on what it is computed from, not on the addresses or branches that led to it",
    "block copies and fills count as loads and stores of 8 bytes",
)


def read_trace(
    sources: Sequence[Path], options: TraceOptions, progress: Callable[[str], None] = lambda _: None
) -> Workload:
    """Traces a kernel in a program with one run of it."""
    from foretell.frontends.trace.toolchain import check_suffix, toolchain

    for source in sources:
        check_suffix(source)
    _check(options)
    with temporary_folder() as name:
        build = _Build(toolchain(Path(name)), sources, options, progress)
        trace = build.trace()
    return Workload(
        name=f"{sources[0].stem}:{trace.kernel}",
        facets=(trace,),
        origin=" ".join(map(str, sources)),
        input_hash=content_hash(b"".join(source.read_bytes() for source in sources) + repr(options).encode()),
        assumptions=(*_ASSUMPTIONS, *build.assumptions),
    )


def _check(options: TraceOptions) -> None:
    for line in options.lines:
        if line < 16 or line > 1 << 16 or line & (line - 1):
            raise InputError(f"--line {line}: must be a power of two from 16 to 65536")
    if not 1 <= len(set(options.lines)) <= 4:
        raise InputError("--line: from one to four sizes can be traced in one run")
    if not 0 < options.sample <= 1:
        raise InputError(f"--sample {options.sample:g}: must be above 0 and at most 1")


class _Build:
    """The build of one program, from sources to a trace."""

    def __init__(
        self, tools: Toolchain, sources: Sequence[Path], options: TraceOptions, progress: Callable[[str], None]
    ) -> None:
        self.tools = tools
        self.sources = sources
        self.options = replace(options, lines=tuple(sorted(set(options.lines))))
        self.progress = progress
        self.assumptions: list[str] = []

    def trace(self) -> Trace:
        """Compiles, runs, and reads the result."""
        from foretell.core.llvm.module import Module
        from foretell.frontends.trace.result import build

        self.progress("compiling")
        flags = (*(f"-I{folder}" for folder in self.options.includes), *self.options.flags)
        raw = [Module(self.tools.to_ir(source, flags)) for source in self.sources]
        kernel = find_kernel(raw, self.options.kernel)
        texts = [_protected(module, kernel) for module in raw]
        vectorised = frozenset().union(
            *(self.tools.vectorised(text, f"m{number}") for number, text in enumerate(texts))
        )
        modules = [Module(self.tools.canonical(text, f"m{number}")) for number, text in enumerate(texts)]
        instrumented, done = self._run(modules, kernel, self.options)
        trace = build(done, instrumented.functions, vectorised, self.options, self.options.kernel)
        self._note(instrumented, done)
        if self.options.reassociate:
            trace = replace(trace, reassociated=self._reassociated(modules, kernel))
        return trace

    def _reassociated(self, modules: list[Module], kernel: str) -> Schedule:
        """The schedule with tree reductions, from a separate run."""
        from foretell.frontends.trace.result import build

        options = replace(self.options, locality=False, all_dependences=False)
        instrumented, done = self._run(modules, kernel, options)
        return build(done, instrumented.functions, frozenset(), options, kernel).schedule

    def _run(self, modules: list[Module], kernel: str, options: TraceOptions) -> tuple[Instrumented, RawTrace]:
        from foretell.frontends.trace.instrument.module import instrument
        from foretell.frontends.trace.result import read_raw
        from foretell.frontends.trace.run import run
        from foretell.frontends.trace.toolchain import CXX, FORTRAN

        # The strict schedule and the one with tree reductions need separate runs.
        chosen = options if not options.locality else replace(options, reassociate=False)
        instrumented = instrument(modules, kernel, chosen)
        self.progress("compiling the traced program")
        objects = [self.tools.compiled(text, f"m{number}") for number, text in enumerate(instrumented.texts)]
        suffixes = {source.suffix.lower() for source in self.sources}
        program = self.tools.linked(objects, bool(suffixes & FORTRAN), bool(suffixes & CXX), options.flags)
        self.progress("running the traced program")
        return instrumented, read_raw(run(program, chosen, self.tools.folder))

    def _note(self, instrumented: Instrumented, done: RawTrace) -> None:
        if instrumented.unseen:
            names = ", ".join(sorted(instrumented.unseen)[:8])
            more = len(instrumented.unseen) - 8
            self.assumptions.append(
                "the insides of these functions are not traced: " + names + (f" and {more} more" if more > 0 else "")
            )
        if instrumented.unseen & library.THREADS:
            self.assumptions.append("threads that the kernel starts are not traced")
        if instrumented.jumps:
            self.assumptions.append("iterations of a loop that longjmp leaves from inside a call are not counted")
        if done.shift:
            self.assumptions.append(f"levels were counted in groups of {1 << done.shift}")
        if done.calls > 1:
            self.assumptions.append(
                f"the kernel was called {done.calls} times; stores of other code in between are not traced"
            )


def find_kernel(modules: Sequence[Module], name: str) -> str:
    """The function with the name that the user gives, plain or as mangled by C++ or Fortran."""
    defined = [symbol for module in modules for symbol in module.functions]
    wanted = name.lower()
    rules = (
        lambda symbol: symbol == name,
        lambda symbol: symbol == f"{wanted}_",
        lambda symbol: name == "main" and symbol == "_QQmain",
        lambda symbol: re.match(rf"_Z(L|N\w*?)?{len(name)}{re.escape(name)}(?!\d)", symbol) is not None,
        lambda symbol: symbol.strip('"').lower().endswith(f"p{wanted}") and symbol.startswith("_Q"),
    )
    for rule in rules:
        matches = [symbol for symbol in defined if rule(symbol)]
        if len(matches) == 1:
            return matches[0]
        if matches:
            listed = ", ".join(matches)
            raise InputError(f"several functions are called {name!r}: {listed}", hint="give --kernel the whole name")
    raise InputError(
        f"the program defines no function {name!r}{nearest(name, defined)}",
        hint="functions: " + ", ".join(sorted(defined)[:20]),
    )


def _protected(module: Module, kernel: str) -> str:
    """The module with a kernel that is not inlined into its callers."""
    function = module.functions.get(kernel)
    if function is not None and " noinline" not in function.header:
        header = function.header
        at = header.index(")", header.rindex("%") if "%" in header else header.index("(")) + 1
        match = re.search(r" (#\d+|!dbg|personality|\{)", header[at:])
        place = at + match.start() if match else len(header)
        module.lines[function.first] = f"{header[:place]} noinline{header[place:]}"
    return "\n".join(module.lines)
