"""Divides the time of each nest between the source lines of its loops.

Core time goes to lines by the cycles of the compiled code where that has line numbers; else by the operations, loads
and stores that the statements of a line execute. Transfer time goes to lines by the bytes that they access. Of a nest's
time, core and transfers have parts in proportion to their times alone.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from foretell.core.answers.breakdown import SourceLine
from foretell.core.columns.tape import real
from foretell.core.nest.loopnest import iterations
from foretell.core.nest.statements import Branch, Inner, Invoke, Op, Ref, Set, Store, parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from foretell.core.columns.expression import Value
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.nest.statements import Expression, Statement
    from foretell.models.cpu.nest_time import NestTime

#: executions of a statement under a condition, of those of the statement around it: unknown, so half
_UNDER_CONDITION = 0.5


def source_lines(runs: Sequence[NestTime]) -> tuple[SourceLine, ...]:
    """The lines of all nests at one point, in the order of files and lines."""
    times: dict[tuple[str, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for run in runs:
        count, values = float(run.count), run.run.values
        core = _shares(dict(run.core.line_cycles) or _work(run.nest, values))
        accessed = _accessed(run.nest, values)
        moving = _shares(accessed) or core
        alone = float(run.core_seconds) + float(run.moving)
        of_core = float(run.core_seconds) / alone if alone else 1.0
        seconds = count * float(run.seconds)
        for line in core.keys() | moving.keys() | accessed.keys():
            entry = times[run.nest.file, line]
            core_s = seconds * of_core * core.get(line, 0.0)
            entry[0] += core_s + seconds * (1 - of_core) * moving.get(line, 0.0)
            entry[1] += core_s
            entry[2] += count * accessed.get(line, 0.0)
    whole = sum(entry[0] for entry in times.values())
    return tuple(
        SourceLine(file, line, "", time, time / whole if whole else 0.0, core_s, accessed_bytes)
        for (file, line), (time, core_s, accessed_bytes) in sorted(times.items())
    )


def _shares(weights: Mapping[int, float]) -> dict[int, float]:
    total = sum(weights.values())
    return {line: weight / total for line, weight in weights.items()} if total else {}


def _accessed(nest: LoopNest, values: Mapping[str, Value]) -> dict[int, float]:
    """Bytes that the references of each line load and store in one execution of the nest."""
    found: dict[int, float] = defaultdict(float)
    for array in nest.arrays:
        for access in array.accesses:
            executions = max(0.0, float(real(nest.blocks[access.block].executions.evaluate(values))))
            found[access.line] += executions * (access.reads + access.writes) * array.type.size
    return dict(found)


def _work(nest: LoopNest, values: Mapping[str, Value]) -> dict[int, float]:
    """Operations, loads and stores of each line in one execution of the nest."""
    found: dict[int, float] = defaultdict(float)
    for depth, level in enumerate(nest.levels, start=nest.shared + 1):
        executions = max(0.0, float(real(iterations(nest.loops, depth).evaluate(values))))
        for line, weight in _weights(level):
            found[line] += weight * executions
    return dict(found) if any(found.values()) else {nest.line: 1.0}


def _weights(statements: Iterable[Statement], share: float = 1.0) -> Iterator[tuple[int, float]]:
    for statement in statements:
        match statement:
            case Store() | Set():
                store = 1.0 if isinstance(statement, Store) else 0.0
                yield statement.line, share * (store + _size(statement.value))
            case Branch():
                yield statement.line, share * (1.0 + _size(statement.condition))
                yield from _weights((*statement.then, *statement.other), share * _UNDER_CONDITION)
            case Invoke():
                yield statement.line, share * (1.0 + sum(map(_size, statement.args)))
            case Inner():
                pass


def _size(expression: Expression) -> float:
    """Operations and loads of an expression."""
    return sum(1.0 for part in parts(expression) if isinstance(part, Op | Ref))
