"""Assembly without the OpenMP runtime: calls of it are replaced by what they do in a team of one thread.

`GOMP_parallel` calls the outlined body (`kernel._omp_fn.0`) with the data of the region, `__kmpc_fork_call` of LLVM its
own (`kernel.omp_outlined`) with the shared variables; a thread alone gets all iterations, of static and of dynamic
schedules. So the body is followed where it is called, and does the work of all threads: the model divides it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.outlined import SUFFIX
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

#: functions that start a parallel region
STARTS = frozenset({"GOMP_parallel", "__kmpc_fork_call"})
_LABEL = re.compile(r"(?!\.L)[\w.$]+:")
_RUNTIME = re.compile(r"\b(?:GOMP_|omp_get_|__kmpc_)")
_BODY = re.compile(rf"([\w.$]+{SUFFIX})")
#: calls that do nothing for a thread alone
_NOTHING = re.compile(
    r"GOMP_(?:loop_end(?:_nowait)?|barrier|atomic_(?:start|end)|critical_(?:start|end))"
    r"|__kmpc_(?:for_static_(?:init|fini)\w*|barrier|push_num_threads|end_reduce\w*)"
)
#: calls that return a number
_RETURNS = {
    "omp_get_num_threads": 1, "omp_get_max_threads": 1, "omp_get_thread_num": 0, "omp_in_parallel": 0,
    "__kmpc_global_thread_num": 0, "__kmpc_reduce": 1, "__kmpc_reduce_nowait": 1,
}  # fmt: skip
_NEXT = re.compile(r"GOMP_loop_\w+_next")
_START = re.compile(r"GOMP_loop_(?:nonmonotonic_|maybe_nonmonotonic_)?(dynamic|guided|static|runtime)_start")


@record
class _Words:
    """How an instruction set writes what stands for a call."""

    call: re.Pattern[str]
    result: str
    move: str
    store: str
    arguments: tuple[str, ...]
    #: takes the first argument on the stack to the last register, and puts the stack back
    unstacked: tuple[str, ...]
    stacked: tuple[str, ...]

    def moved(self, to: str, source: str) -> str:
        return self.move.format(to=to, source=source)


_ISAS = {
    "x86-64": _Words(
        re.compile(r"^\s+(call|jmp)q?\s+([\w.$]+)(?:@PLT)?\s*$"), "\tmovl\t${}, %eax", "\tmovq\t{source}, {to}",
        "\tmovq\t{source}, ({to})", ("%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9"),
        ("\tmovq\t(%rsp), %r9", "\taddq\t$8, %rsp"), ("\tsubq\t$8, %rsp",),
    ),
    "aarch64": _Words(
        re.compile(r"^\s+(bl|b)\s+([\w.$]+)\s*$"), "\tmov\tw0, {}", "\tmov\t{to}, {source}",
        "\tstr\t{source}, [{to}]", ("x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7"),
        ("\tldr\tx7, [sp]", "\tadd\tsp, sp, 8"), ("\tsub\tsp, sp, 8",),
    ),
}  # fmt: skip
_RETURN = {"call": "", "jmp": "\tret", "bl": "", "b": "\tret"}
#: out-of-line atomics of gcc for AArch64, and the instruction that they stand for
_SWAP = re.compile(r"__aarch64_cas(?:4|8)_\w+")


def without_runtime(text: str, isa: str) -> str:
    """The text of an assembly file with calls of the OpenMP runtime replaced."""
    if isa not in _ISAS or not _RUNTIME.search(text):
        return text
    return "\n".join(_replaced(text.splitlines(), _ISAS[isa]))


def _replaced(lines: list[str], isa: _Words) -> Iterator[str]:
    body, function, regions = "", "", 0
    labels = {line.rstrip(":") for line in lines if _LABEL.fullmatch(line)}
    for line in lines:
        found = isa.call.match(line)
        if _LABEL.fullmatch(line) and not _BODY.match(line):
            body, function, regions = "", line.rstrip(":"), 0
        if found is None:
            mentioned = _BODY.search(line)
            body = mentioned[1] if mentioned and not line.lstrip().startswith(".") else body
            yield line
            continue
        if found[2] in STARTS:  # objects do not name the body where they take its address
            numbered = f"{function}._omp_fn.{regions}"
            body, regions = body or (numbered if numbered in labels else ""), regions + 1
        instead = _instead(found[2], found[1], body, isa)
        yield from [line] if instead is None else instead
        body = "" if found[2] in STARTS else body


def _instead(name: str, jump: str, body: str, isa: _Words) -> list[str] | None:
    """The lines in place of a call or of a jump that ends a function; None: it stays."""
    back = [_RETURN[jump]] if _RETURN[jump] else []
    if name == "GOMP_parallel" and body:
        return [isa.moved(isa.arguments[0], isa.arguments[1]), f"\t{jump}\t{body}"]
    if name == "__kmpc_fork_call" and body:
        shifted = [isa.moved(to, source) for to, source in zip(isa.arguments[2:], isa.arguments[3:], strict=False)]
        return [*shifted, *isa.unstacked, f"\t{jump}\t{body}", *isa.stacked]
    if name in _RETURNS:
        return [isa.result.format(_RETURNS[name]), *back]
    if _NEXT.fullmatch(name):
        return [isa.result.format(0), *back]
    if _NOTHING.fullmatch(name):
        return back
    if _SWAP.fullmatch(name) and isa.arguments[0] == "x0":
        return ["\tcas\tx0, x1, [x2]", *back]
    if started := _START.fullmatch(name):
        first, last = (3, 4) if started[1] == "runtime" else (4, 5)
        stores = [isa.store.format(to=isa.arguments[at], source=isa.arguments[n]) for n, at in enumerate((first, last))]
        return [*stores, isa.result.format(1), *back]
    return None
