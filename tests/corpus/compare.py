"""Compares what the analyser says about a program with what the program did when it was counted.

A nest is looked up in the recorded tree by the lines of its loops, evaluated at the integers that the running
procedure had, and compared kind by kind and array by array.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from foretell.core.symbolic.ops import OPERATORS
from foretell.core.symbolic.poly import Atom, Poly
from foretell.errors import InputError
from foretell.frontends.analysis import analyse
from foretell.frontends.fortran import parse_fortran
from foretell.frontends.source import ir
from tests.support.frontends.c import parse_c

if TYPE_CHECKING:
    from collections.abc import Iterator

    from count import Case

    from foretell.core.nest.loopnest import Access, LoopNest, Loops

TOLERANCE = 0.05
STATUSES = ("refused", "bound", "assumed", "exact")
#: not arithmetic on floating-point numbers, or derived from other counts
IGNORED = {"int", "convert", "compare", "fma", "neg", "floor", "ceil", "round", "mod", "fmod"}
NAMES = {"fabs": "abs", "fmin": "minmax", "fmax": "minmax", "min": "minmax", "max": "minmax"}


@dataclass
class Node:
    """A recorded context: a loop, or (line 0) a call."""

    file: str
    function: str
    line: int
    record: dict[str, Any]
    parent: Node | None
    children: list[Node] = field(default_factory=list)

    @property
    def is_call(self) -> bool:
        return self.line == 0 and self.parent is not None

    def loops(self) -> Iterator[Node]:
        """The loops directly inside, calls looked through."""
        for child in self.children:
            if child.is_call:
                yield from child.loops()
            else:
                yield child

    def scalars(self) -> dict[str, int]:
        return {name: value for name, value, varies in self.record["scalars"] if not varies}


@dataclass(frozen=True)
class Verdict:
    """One nest, judged."""

    file: str
    function: str
    line: int
    status: str
    result: str  # 'agrees', 'close', 'per iteration', 'bound holds', 'differs', 'not run', 'refused'
    detail: str = ""

    @property
    def good(self) -> bool:
        """What counts as characterised: exact and equal, or assumed and close."""
        if self.result in ("agrees", "per iteration"):
            return True
        return self.result == "close" and self.status != "exact"


@dataclass
class Counts:
    trips: Fraction = Fraction(0)
    operations: Counter[str] = field(default_factory=Counter)
    reads: Counter[str] = field(default_factory=Counter)
    writes: Counter[str] = field(default_factory=Counter)


def analyse_files(files: tuple[Path, ...]) -> Loops:
    c = [f for f in files if f.suffix == ".c"]
    fortran = [f for f in files if f.suffix != ".c"]
    units: tuple[ir.Unit, ...] = ()
    if c:
        units += parse_c(c, includes=[c[0].parent])
    if fortran:
        units += tuple(parse_fortran(fortran))
    return analyse(ir.Program(units))


def tree(contexts: list[dict[str, Any]]) -> list[Node]:
    nodes: list[Node] = []
    for record in contexts:
        parent = nodes[record["parent"]] if record["parent"] >= 0 else None
        node = Node(record.get("file", ""), record.get("function", ""), record.get("line", 0), record, parent)
        nodes.append(node)
        if parent is not None:
            parent.children.append(node)
    return nodes


# ---------------------------------------------------------------------------------------------- what happened


def _normal(operations: dict[str, int], calls: list[Any]) -> Counter[str]:
    """The counter's kinds in the analyser's words."""
    out: Counter[str] = Counter()
    words = {"sub": "add", "div_literal": "div_const"}
    for kind, n in operations.items():
        if kind != "const":
            out[words.get(kind, kind)] += n
    for name, header, n in calls:
        if header:
            continue
        base = name.removesuffix("f") if name.endswith("f") and name != "f" else name
        if base == "fma":
            out.update({"add": n, "mul": n})
        elif match := re.fullmatch(r"powi(\d+)", base):
            size = int(match[1])
            out["mul"] += n * (size.bit_length() - 1 + bin(size).count("1") - 1)
        elif base == "powi":
            out["pow"] += n
        elif base not in ("sign",):
            out[NAMES.get(base, base)] += n
    return out


def _add_node(total: Counts, node: Node) -> None:
    total.operations.update(_normal(node.record["operations"], node.record["calls"]))
    for name, _, kind, write, header, n in node.record["accesses"]:
        if not header and kind != 3:
            (total.writes if write else total.reads)[name] += n


def _add_bounds(total: Counts, loop: Node) -> None:
    """Elements read to find a loop's bounds, once for every time it is entered."""
    entries, iterations = loop.record["entries"], loop.record["iterations"]
    evaluated = {1: entries, 2: entries + iterations, 3: iterations}
    for name, _, kind, write, header, n in loop.record["accesses"]:
        if header and kind != 3 and not write:
            total.reads[name] += n * entries // evaluated[header]


def _add_tests(total: Counts, loop: Node) -> None:
    """The condition of a loop that is not counted is work like any other: done once per test."""
    for name, _, kind, write, header, n in loop.record["accesses"]:
        if header >= 2 and kind != 3:
            (total.writes if write else total.reads)[name] += n


def _with_calls(node: Node, inlined: set[str]) -> Iterator[Node]:
    """A context and the inlined calls in it, but no loops."""
    yield node
    for child in node.children:
        if child.is_call and child.function in inlined:
            yield from _with_calls(child, inlined)


def _paths(node: Node, lines: list[int], depth: int = 0) -> Iterator[list[Node]]:
    """Chains of loops below a call that stand at the given lines."""
    if depth == len(lines):
        yield []
        return
    for child in node.loops():
        if child.line == lines[depth]:
            for rest in _paths(child, lines, depth + 1):
                yield [child, *rest]


# ---------------------------------------------------------------------------------------------- what was said


def _leaves(poly: Poly) -> Iterator[str]:
    """Symbols and data atoms that need a value."""
    for mono in poly.terms:
        for atom in mono:
            if not isinstance(atom, Atom):
                yield atom
            elif atom.op == "sum":
                inner, variable, *bounds = atom.args
                yield from (leaf for leaf in _leaves(inner) if leaf != str(variable))
                for bound in bounds:
                    yield from _leaves(bound)
            elif atom.op in OPERATORS:
                for argument in atom.args:
                    yield from _leaves(argument)
            else:
                yield atom


def _plain(name: str) -> str:
    """`a[i + 1].b` → `a.b`; `(*p).n` → `p.n`."""
    text = name
    while re.search(r"\[[^\[\]]*\]", text):
        text = re.sub(r"\[[^\[\]]*\]", "", text)
    return text.replace("->", ".").replace("%", ".").replace("(*", "").replace(")", "").split("~")[0].split("#")[0]


def _values(poly: Poly, known: dict[str, int]) -> dict[str, int] | str:
    """Values for the leaves of a polynomial, or the one that has none."""
    out = {}
    for leaf in _leaves(poly):
        name = leaf if leaf in known else _plain(leaf)
        if name not in known:
            return str(leaf)
        out[leaf] = known[name]
    return out


def _value(poly: Poly, known: dict[str, int]) -> Fraction:
    values = _values(poly, known)
    if isinstance(values, str):
        raise InputError(f"no value is known for {values}")
    return Fraction(poly.evaluate(values))


def _expected(nest: LoopNest, known: dict[str, int], total: Counts, times: Fraction) -> None:
    total.trips += times * _value(nest.trips, known)
    executions = [_value(block.executions, known) * times for block in nest.blocks]
    for block, runs in zip(nest.blocks, executions, strict=True):
        for kind, n in block.operations:
            total.operations[kind] += n * runs
    for name, access in _accesses(nest):
        total.reads[name] += access.reads * executions[access.block]
        total.writes[name] += access.writes * executions[access.block]


def _accesses(nest: LoopNest) -> Iterator[tuple[str, Access]]:
    """Elements that are data: integer members of structs in arrays describe the data, and are left out."""
    for array in nest.arrays:
        if (
            array.name == "mask" and nest.language == "fortran" and array.type.kind == "bool"
        ):  # the temporary of a WHERE construct: no array of the source
            continue
        if not (array.component and array.type.kind in ("int", "uint", "bool") and not array.component.isdigit()):
            name = f"{array.name}.{array.component}" if _is_member(array.component) else array.name
            for access in array.accesses:
                yield name, access


def _is_member(component: str) -> bool:
    return bool(component) and not component.isdigit()


def _per_iteration(nest: LoopNest, path: list[Node], total: Counts) -> None:
    """With trips that hang on data: the recorded iterations, what is said about one of them."""
    total.trips += path[-1].record["iterations"]
    for block in nest.blocks:
        runs = path[block.depth - 1].record["iterations"] * block.probability
        for kind, n in block.operations:
            total.operations[kind] += n * runs
    for name, access in _accesses(nest):
        block = nest.blocks[access.block]
        runs = path[block.depth - 1].record["iterations"] * block.probability
        total.reads[name] += access.reads * runs
        total.writes[name] += access.writes * runs


# ---------------------------------------------------------------------------------------------- judgement


def _differences(said: Counts, seen: Counts, share: float) -> list[str]:
    out = []

    def check(what: str, a: Fraction | int, b: Fraction | int) -> None:
        if abs(a - b) > share * abs(b):
            out.append(f"{what}: expected {float(b):g}, got {float(a):g}")

    check("trips", said.trips, seen.trips)
    for kind in sorted((set(said.operations) | set(seen.operations)) - IGNORED):
        check(kind, said.operations[kind], seen.operations[kind])
    for what, a, b in (("reads", said.reads, seen.reads), ("writes", said.writes, seen.writes)):
        check(what, sum(a.values()), sum(b.values()))
        if set(_used(a)) == set(_used(b)):  # the same names: compare array by array
            for name in _used(a):
                check(f"{what} of {name}", a[name], b[name])
    return out


def _used(counts: Counter[str]) -> list[str]:
    return sorted(name for name, n in counts.items() if n)


def _chain(nest: LoopNest) -> tuple[Any, ...]:
    """What identifies a chain of loops: the lines; for the loops of an array statement also how many they are."""
    rank = sum(loop.implied for loop in nest.loops)
    lines = tuple(loop.line for loop in nest.loops)
    return (Path(nest.file).name, lines, rank, nest.function)


def judge(
    nests: list[LoopNest], nodes: list[Node], inlined: set[str], uncounted: set[tuple[str, int]] = frozenset()
) -> Verdict:
    """Nests with the same loops (several array statements on one line, a function expanded twice) against the run."""
    nest = nests[0]
    file, lines, rank, function = _chain(nest)
    status = min((n.status for n in nests), key=STATUSES.index)
    head = (file, nest.function, nest.line, status)
    if status == "refused":
        return Verdict(*head, "refused", nest.reason)
    said, seen, unknown = Counts(), Counts(), ""
    found = False
    for call in (n for n in nodes if n.is_call and n.function == function):
        paths = [p for p in _paths(call, list(lines)) if p[-1].file == file and p[-1].record.get("rank", rank) == rank]
        for path in paths:
            found = True
            shared = min(n.shared for n in nests)
            for node, loop in list(zip(path, nest.loops, strict=True))[shared:]:
                if not loop.counted:
                    _add_tests(seen, node)
                for part in _with_calls(node, inlined):
                    _add_node(seen, part)
                    for inner in part.children:
                        if not inner.is_call and (inner.file, inner.line) not in uncounted:
                            _add_bounds(seen, inner)
            seen.trips += path[-1].record["iterations"]
        for first in {id(p[0]): p[0] for p in paths}.values():
            own = [p for p in paths if p[0] is first]
            unknown = _say(nests, call.scalars(), first, own, said) or unknown
    if not found:
        return Verdict(*head, "not run")
    return _verdict(head, said, seen, unknown)


def _say(nests: list[LoopNest], known: dict[str, int], first: Node, paths: list[list[Node]], said: Counts) -> str:
    """Adds what the nests say about one call; what had no value."""
    # the recorded loop was entered once for each of the statements on its line, or calls that were expanded
    times = Fraction(first.record["entries"], len(nests))
    part = Counts()
    try:
        for nest in nests:
            _expected(nest, known, part, times)
        unknown = ""
    except (InputError, TypeError) as error:
        unknown = str(error).split("\n")[0]
        part = Counts()
        for path in paths:
            _per_iteration(nests[0], path, part)
    said.trips += part.trips
    said.operations.update(part.operations)
    said.reads.update(part.reads)
    said.writes.update(part.writes)
    return unknown


def _verdict(head: tuple[str, str, int, str], said: Counts, seen: Counts, unknown: str) -> Verdict:
    exact = _differences(said, seen, 0.0)
    if not exact:
        return Verdict(*head, "per iteration" if unknown else "agrees", unknown)
    close = _differences(said, seen, TOLERANCE)
    if not close:
        return Verdict(*head, "close", "; ".join(exact))
    if head[3] == "bound" and _covers(said, seen):
        return Verdict(*head, "bound holds")
    return Verdict(*head, "differs", "; ".join(close) + (f" [{unknown}]" if unknown else ""))


def _covers(said: Counts, seen: Counts) -> bool:
    """Whether an upper bound is one."""
    pairs = ((said.operations, seen.operations), (said.reads, seen.reads), (said.writes, seen.writes))
    return said.trips >= seen.trips and all(sum(a.values()) >= sum(b.values()) for a, b in pairs)


def lost(loops: Loops, nodes: list[Node]) -> list[str]:
    """Innermost loops that ran and that no nest speaks of."""
    known = {(Path(n.file).name, n.line) for n in loops.nests}
    outer = {(loop.file, loop.line) for loop in nodes if not loop.is_call and any(True for _ in loop.loops())}
    ran = {(n.file, n.line) for n in nodes if n.parent is not None and not n.is_call} - outer
    return [f"{file}:{line}" for file, line in sorted(ran - known)]


def judge_case(case: Case) -> tuple[list[Verdict], list[str]]:
    """Every nest of a program, and the loops that got lost."""
    loops = analyse_files(case.files)
    nodes = tree(case.recorded()["contexts"])
    inlined = {site.callee for site in loops.calls if site.treatment == "inlined"}
    groups: dict[tuple[Any, ...], list[LoopNest]] = {}
    for nest in loops.nests:
        groups.setdefault(_chain(nest), []).append(nest)
    uncounted = {(Path(n.file).name, loop.line) for n in loops.nests for loop in n.loops if not loop.counted}
    verdicts = [judge(nests, nodes, inlined, uncounted) for nests in groups.values()]
    missing = lost(loops, nodes)
    if loops.loops_seen > loops.loops_kept:
        missing.append(f"{loops.loops_seen} loops seen, {loops.loops_kept} kept")
    return verdicts, missing
