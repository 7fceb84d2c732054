"""What changes of a program or of its machine would bring: its timeline is worked out anew with other times.

Each change is an upper bound of what the like of it can bring: nothing else of the program is changed. Kernels on a
machine with more multiprocessors or a faster memory are predicted anew (`session.Session`); all else is replayed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from foretell.core.answers.program_run import PathPart, ProgramChange
from foretell.frontends.gpu.binary.cubin import plain_name
from foretell.uses.program_run.timeline import Step, Timeline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from foretell.core.answers.program_run import Operation
    from foretell.uses.program_run.link import Link, LinkCopy

#: streams of their own for copies that overlap with everything else, by direction
_OWN_STREAM = {"to device": 1_000_000, "to host": 1_000_001}
_FASTER = 2.0
#: smaller gains are not named
_NOTICED = 1.005
#: steps that belong to a series of launches
_SERIES = ("submit", "record", "wait", "advance", "stream")


def replayed(timeline: Timeline, steps: Iterable[Step], graph_overlap_s: float | None = None) -> Timeline:
    """The timeline of other steps."""
    overlap = timeline.graph_overlap_s if graph_overlap_s is None else graph_overlap_s
    result = Timeline(timeline.launch_s, timeline.event_s, overlap)
    for step in steps:
        getattr(result, step.method)(*step.arguments)
    return result


def changes(timeline: Timeline, link: Link, copies: Mapping[int, LinkCopy], start_s: float) -> list[ProgramChange]:
    """What each change of the program brings, the best first. `copies` are those over the link by operation; `start_s`
    is the start that the time of each kernel includes."""
    steps = timeline.steps
    quicker = replace(link, pinned=_FASTER * link.pinned)
    tried = {
        "a link of twice the bandwidth": replayed(timeline, _timed(steps, copies, quicker.seconds)),
        "copies from pinned memory": replayed(
            timeline, _timed(steps, copies, lambda item: link.seconds(replace(item, pinned=True)))
        ),
        "copies overlapped with kernels": replayed(timeline, _overlapped(steps)),
        "launches in graphs": replayed(timeline, _in_graphs(steps)),
        "launches fused": replayed(timeline, _fused(steps, start_s), graph_overlap_s=0.0),
        "nothing done by the host between calls": replayed(timeline, (s for s in steps if s.method != "advance")),
    }
    return worthwhile(ProgramChange(name, other.end_s, timeline.end_s) for name, other in tried.items())


def worthwhile(tried: Iterable[ProgramChange]) -> list[ProgramChange]:
    """Those that bring something, the best first."""
    return sorted((item for item in tried if item.gain > _NOTICED), key=lambda item: -item.gain)


def path_parts(timeline: Timeline, operations: Sequence[Operation]) -> tuple[PathPart, ...]:
    """The critical path by kernel, direction of copies, and host, the longest first."""
    seconds: dict[tuple[str, str], float] = {}
    for number, time in timeline.critical_path():
        item = None if number is None else operations[number]
        key = ("host", "host") if item is None else (item.kind, plain_name(item.name))
        seconds[key] = seconds.get(key, 0.0) + time
    parts = (PathPart(kind, name, time, time / timeline.end_s) for (kind, name), time in seconds.items() if time > 0)
    return tuple(sorted(parts, key=lambda part: -part.time_s))


def _timed(steps: Sequence[Step], copies: Mapping[int, LinkCopy], seconds: Callable[[LinkCopy], float]) -> list[Step]:
    """The same steps with other times of copies over the link."""
    result = []
    for step in steps:
        if step.method == "submit" and step.arguments[0] in copies:
            operation, stream, _, *more = step.arguments
            result.append(Step("submit", (operation, stream, seconds(copies[cast("int", operation)]), *more)))
        else:
            result.append(step)
    return result


def _overlapped(steps: Sequence[Step]) -> list[Step]:
    """Copies in streams of their own, which nobody waits for but the end."""
    result = [Step("stream", (number, 1)) for number in _OWN_STREAM.values()]
    after_copy = False
    for step in steps:
        is_copy = step.method == "submit" and step.arguments[3] in _OWN_STREAM
        if is_copy:
            operation, _, seconds, engine, share = step.arguments
            result.append(Step("submit", (operation, _OWN_STREAM[str(engine)], seconds, engine, share)))
        elif not (after_copy and step.method == "synchronise"):
            result.append(step)
        after_copy = is_copy
    return [*result, Step("synchronise", ())]


def _in_graphs(steps: Sequence[Step]) -> Iterator[Step]:
    """Each series of submissions between two waits of the host is one graph."""
    inside = False
    for step in steps:
        if step.method == "graph":
            continue
        if step.method == "submit" and not inside:
            yield Step("graph", (True,))
            inside = True
        elif inside and step.method not in _SERIES:
            yield Step("graph", (False,))
            inside = False
        yield step


def _fused(steps: Sequence[Step], start_s: float) -> Iterator[Step]:
    """Kernels that follow each other in a stream are one: they start once. The host submits each series once."""
    last: object = None
    for step in _in_graphs(steps):
        if step.method == "submit" and step.arguments[3] == "compute":
            operation, stream, seconds, *more = step.arguments
            left = cast("float", seconds) - (start_s if last == stream else 0.0)
            last = stream
            yield Step("submit", (operation, stream, max(0.0, left), *more))
            continue
        if step.method in ("submit", "synchronise", "wait"):
            last = None
        yield step
