"""Parses abstract programs: the instructions of every warp of a GPU kernel, as a text file.

    # Fig. 5 of the SAAKE paper
    parameter K = 128                  # a default, changed with -D
    resource GM latency=500 gap=100    # cycles; a resource that is not declared is a pipeline of the machine
    resource FU latency=100 gap=20
    warps 3                            # of one block
    blocks 4096                        # the grid (default: as many as the machine holds at once)
    registers 32                       # of one thread    ┐ decide how many blocks fit on one
    shared 2048                        # bytes of a block ┘ multiprocessor …
    resident 4                         # … or give the number
    schedulers 1                       # of one multiprocessor (default: the machine's)
    issue 1                            # instructions that one scheduler issues in a cycle

    region CR1 miss=0.3                # the lines below belong to this region; its miss rate
    S1: GM                             # LABEL: RESOURCE; one instruction
    S2: FU after=S1                    # waits for the latest execution of S1 (several: after=S1,S2)
    S3: GM after=S2 transactions=32    # requests one after another, as of an uncoalesced access
    S4: GM cached=L2 miss=0.2          # the share 1 − miss of the executions goes to L2 instead
    barrier                            # all warps of the block
    loop K                             # a body that is executed K times
      S5: FU after=S5
    end
    branch N>64                        # known: the first path where it holds, else the second
      S6: FU
    or
      S7: GM
    end
    branch                             # depends on data: all paths, one after another
      S8: FU
    end

Every number may be an expression (without blanks) in the parameters.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from foretell import files
from foretell.core.columns.expression import Expression
from foretell.core.gpu.warps import AbstractProgram, Barrier, Branch, Footprint, Instruction, Loop, Node, Resource, walk
from foretell.core.workload import Workload
from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

_NAME = r"[A-Za-z_][A-Za-z0-9_.]*"
_INSTRUCTION = re.compile(rf"({_NAME})\s*:\s*({_NAME})(.*)")
_PARAMETER = re.compile(r"parameter\s+([A-Za-z_]\w*)\s*=\s*(\S+)\s*")
_SETTINGS = ("warps", "blocks", "registers", "shared", "resident", "schedulers", "issue")
_STATEMENTS = ("parameter", "resource", "region", "barrier", "loop", "branch", "or", "end", *_SETTINGS)
_DEEPEST = 50


@dataclass(slots=True)
class _Open:
    """A loop or branch without its `end` so far."""

    kind: str
    expression: Expression | None
    line: int
    paths: list[list[Node]] = field(default_factory=lambda: [[]])


@dataclass(slots=True)
class _State:
    """The state of the parser."""

    parameters: dict[str, float] = field(default_factory=dict)
    resources: dict[str, Resource] = field(default_factory=dict)
    settings: dict[str, Expression] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    references: list[tuple[str, int]] = field(default_factory=list)
    region: str = ""
    region_miss: Expression | None = None
    stack: list[_Open] = field(default_factory=lambda: [_Open("program", None, 0)])

    def add(self, node: Node) -> None:
        self.stack[-1].paths[-1].append(node)


def read_program(path: Path) -> Workload:
    """Reads the workload of a .prog file."""
    text = files.read_text(path)
    try:
        workload = parse_program(text, path.stem)
    except InputError as error:
        raise error.at(path) from None
    return replace(workload, origin=str(path))


def parse_program(text: str, name: str) -> Workload:
    """Parses the text of an abstract program to a workload."""
    state = _State()
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split("#", 1)[0].strip()
        if line:
            _statement(state, line, number)
    program = _finish(state)
    return Workload(
        name=name,
        facets=(program,),
        parameters=state.parameters,
        input_hash=files.content_hash(text.encode()),
        assumptions=_assumptions(program),
    )


def _statement(state: _State, line: str, number: int) -> None:
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    match word:
        case "parameter":
            _parameter(state, line, number)
        case "resource":
            _resource(state, rest, number)
        case "region":
            _region(state, rest, number)
        case "barrier" if not rest:
            state.add(Barrier(state.region))
        case "loop" | "branch":
            _open(state, word, rest, number)
        case "or" if not rest:
            _or(state, number)
        case "end" if not rest:
            _end(state, number)
        case _ if word in _SETTINGS:
            _once(word, state.settings, number)
            state.settings[word] = _expression(rest, number)
        case _:
            _instruction(state, line, number)


def _parameter(state: _State, line: str, number: int) -> None:
    match = _PARAMETER.fullmatch(line)
    if not match:
        raise InputError("write: parameter NAME = VALUE", line=number)
    try:
        value = float(match[2])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{match[2]!r} is not a finite number", line=number)
    _once(match[1], state.parameters, number)
    state.parameters[match[1]] = value


def _resource(state: _State, rest: str, number: int) -> None:
    name, _, keys = rest.partition(" ")
    if not re.fullmatch(_NAME, name):
        raise InputError("write: resource NAME latency=CYCLES gap=CYCLES", line=number)
    given = _keys(keys, ("latency", "gap"), number)
    for key in ("latency", "gap"):
        if key not in given:
            raise InputError(f"resource {name} has no {key}", line=number)
    _once(name, state.resources, number)
    latency, gap = (_positive(given[key], f"{key} of {name}", number) for key in ("latency", "gap"))
    state.resources[name] = Resource(name, latency, gap)


def _region(state: _State, rest: str, number: int) -> None:
    name, _, keys = rest.partition(" ")
    if not re.fullmatch(_NAME, name):
        raise InputError("write: region NAME, or region NAME miss=RATE", line=number)
    given = _keys(keys, ("miss",), number)
    state.region = name
    state.region_miss = _expression(given["miss"], number) if "miss" in given else None


def _instruction(state: _State, line: str, number: int) -> None:
    match = _INSTRUCTION.fullmatch(line)
    if not match:
        word = line.split()[0]
        raise InputError(
            f"{line[:60]!r} is not understood{nearest(word, _STATEMENTS)}",
            line=number,
            hint="an instruction is LABEL: RESOURCE [after=…] [transactions=…] [cached=…] [miss=…]",
        )
    label, resource = match[1], match[2]
    given = _keys(match[3], ("after", "transactions", "cached", "miss"), number)
    after = tuple(name for name in given.get("after", "").split(",") if name)
    _once(label, state.labels, number)
    state.labels[label] = number
    state.references += [(name, number) for name in after]
    if "miss" in given and "cached" not in given:
        raise InputError("a miss rate needs cached=RESOURCE, where hits go", line=number)
    miss = _expression(given["miss"], number) if "miss" in given else state.region_miss
    cached = given.get("cached", "")
    if cached and miss is None:
        raise InputError("cached= needs a miss rate: miss=RATE here or at the region", line=number)
    state.add(
        Instruction(
            label=label,
            resource=resource,
            after=after,
            transactions=_expression(given.get("transactions", "1"), number),
            cached=cached,
            miss_rate=miss if cached and miss is not None else _expression("1", number),
            region=state.region,
        )
    )


def _open(state: _State, kind: str, rest: str, number: int) -> None:
    if kind == "loop" and not rest:
        raise InputError("a loop needs its trip count: loop COUNT", line=number)
    if len(state.stack) > _DEEPEST:
        raise InputError(f"nested more than {_DEEPEST} deep", line=number)
    state.stack.append(_Open(kind, _expression(rest, number) if rest else None, number))


def _or(state: _State, number: int) -> None:
    inner = state.stack[-1]
    if inner.kind != "branch":
        raise InputError("'or' outside a branch", line=number)
    if inner.expression is not None and len(inner.paths) == 2:
        raise InputError("a branch on a condition has two paths", line=number)
    inner.paths.append([])


def _end(state: _State, number: int) -> None:
    if len(state.stack) == 1:
        raise InputError("'end' without loop or branch", line=number)
    inner = state.stack.pop()
    paths = tuple(tuple(path) for path in inner.paths)
    if inner.kind == "loop" and inner.expression is not None:
        state.add(Loop(inner.expression, paths[0]))
    else:
        state.add(Branch(paths, inner.expression))


def _finish(state: _State) -> AbstractProgram:
    if len(state.stack) > 1:
        raise InputError(f"{state.stack[-1].kind} without end", line=state.stack[-1].line)
    if not state.labels:
        raise InputError("the program has no instructions", line=1)
    for name, number in state.references:
        if name not in state.labels:
            raise InputError(f"after={name}: there is no such instruction{nearest(name, state.labels)}", line=number)
    given = state.settings
    return AbstractProgram(
        body=tuple(state.stack[0].paths[0]),
        resources=tuple(state.resources.values()),
        footprint=Footprint(
            warps=given.get("warps", Footprint().warps),
            registers=given.get("registers"),
            shared_bytes=given.get("shared"),
            resident=given.get("resident"),
            blocks=given.get("blocks"),
        ),
        schedulers=given.get("schedulers"),
        issue_width=given.get("issue"),
    )


def _assumptions(program: AbstractProgram) -> tuple[str, ...]:
    notes = []
    if _data_dependent(program.body):
        notes.append("branches that depend on data: all paths are executed, one after another")
    if any(isinstance(node, Instruction) and node.cached for node in walk(program.body)):
        notes.append("cache hits by the given miss rates, spread evenly over the accesses of a region")
    return tuple(notes)


def _data_dependent(body: tuple[Node, ...]) -> bool:
    branches = [node for node in body if isinstance(node, Branch)]
    inner = [path for branch in branches for path in branch.paths] + [n.body for n in body if isinstance(n, Loop)]
    return any(branch.condition is None for branch in branches) or any(map(_data_dependent, inner))


def _keys(text: str, known: tuple[str, ...], number: int) -> dict[str, str]:
    """The KEY=VALUE words of a line."""
    given: dict[str, str] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals or not value:
            raise InputError(f"{word!r}: write KEY=VALUE, without blanks", line=number)
        if key not in known:
            hint = "known here: " + ", ".join(known)
            raise InputError(f"unknown key {key!r}{nearest(key, known)}", line=number, hint=hint)
        _once(key, given, number)
        given[key] = value
    return given


def _once(name: str, seen: Container[str], number: int) -> None:
    if name in seen:
        raise InputError(f"{name!r} is given twice", line=number)


def _positive(text: str, what: str, number: int) -> Expression:
    """An expression that must be positive; one of parameters is checked with their values, by the model."""
    found = _expression(text, number)
    if not found.names and not (value := float(found.evaluate({}))) > 0:
        raise InputError(f"{what}: {text!r} must be positive, is {value:g}", line=number)
    return found


def _expression(text: str, number: int) -> Expression:
    try:
        return Expression(text)
    except InputError as error:
        raise InputError(error.message, line=number, hint=error.hint) from None
