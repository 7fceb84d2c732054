"""Works out when the operations of a program would have run on the GPU.

The host submits operations to streams. An operation starts when the host has submitted it, when what its stream got
before has ended, and when its engine is free: the multiprocessors, or the copy engine of its direction. Kernels run
side by side if together they need no more multiprocessors than there are. What the program did is kept as steps, so
that a timeline with other times can be worked out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Engine = Literal["compute", "to device", "to host"]
#: the default stream, which waits for all others and they for it; streams with this flag do not
_DEFAULT, _NOT_BLOCKING = 0, 1
#: in the place of a span: nothing but the host was waited for
HOST = -1


@dataclass(frozen=True, slots=True)
class Span:
    """An operation on the timeline, in seconds; `operation` is its index in the run. `cause` is the span that it waited
    for, `host_cause` the one that the host waited for before it submitted this one; HOST where there is none."""

    operation: int
    stream: int
    start_s: float
    end_s: float
    cause: int = HOST
    host_cause: int = HOST
    #: its own time: the difference of start and end is rounded by when the host began
    seconds: float = 0.0


class Step(NamedTuple):
    """A call of a method of the timeline."""

    method: str
    arguments: tuple[object, ...]


class _Ready(NamedTuple):
    """When something can go on, and the span that decides it."""

    time_s: float = 0.0
    span: int = HOST


@dataclass(slots=True)
class Timeline:
    """One GPU. `launch_s` is the host's time for a submission, `event_s` for an event. The time of a kernel includes
    its start; in a graph the start of the next kernel overlaps by `graph_overlap_s`."""

    launch_s: float
    event_s: float = 0.0
    graph_overlap_s: float = 0.0
    host_s: float = 0.0
    spans: list[Span] = field(default_factory=list)
    waited_s: float = 0.0
    steps: list[Step] = field(default_factory=list)
    _ready: dict[int, _Ready] = field(default_factory=dict)
    _overlap: dict[int, float] = field(default_factory=dict)
    _flags: dict[int, int] = field(default_factory=dict)
    _events: dict[int, _Ready] = field(default_factory=dict)
    _engines: dict[str, _Ready] = field(default_factory=dict)
    _running: list[tuple[_Ready, float]] = field(default_factory=list)
    _in_graph: bool = False
    _host_cause: int = HOST

    def advance(self, seconds: float) -> None:
        """The host does something of its own."""
        self._note("advance", seconds)
        self.host_s += seconds

    def stream(self, number: int, flags: int) -> None:
        """Adds a stream."""
        self._note("stream", number, flags)
        self._flags[number] = flags

    def graph(self, begins: bool) -> None:
        """Operations between begin and end are submitted at once."""
        self._note("graph", begins)
        if begins:
            self.host_s += self.launch_s
        self._in_graph = begins

    def submit(self, operation: int, stream: int, seconds: float, engine: Engine, share: float = 1.0) -> Span:
        """Adds an operation that takes this time on an engine; a kernel needs this share of the multiprocessors."""
        self._note("submit", operation, stream, seconds, engine, share)
        if not self._in_graph:
            self.host_s += self.launch_s
        number = len(self.spans)
        if engine == "compute":
            start = self._start_kernel(number, stream, seconds, share)
        else:
            start = max(self._after(stream), self._engines.get(engine, _Ready()))
            self._engines[engine] = _Ready(start.time_s + seconds, number)
        end = start.time_s + seconds
        self._ready[stream] = _Ready(end, number)
        span = Span(operation, stream, start.time_s, end, start.span, self._host_cause, seconds)
        self.spans.append(span)
        return span

    def _start_kernel(self, number: int, stream: int, seconds: float, share: float) -> _Ready:
        after, overlap = self._after(stream), self._overlap.get(stream, 0.0) if self._in_graph else 0.0
        earliest = max(_Ready(self.host_s), _Ready(after.time_s - overlap, after.span))
        start = self._room(earliest, share)
        self._overlap[stream] = min(self.graph_overlap_s, seconds) if self._in_graph else 0.0
        self._running.append((_Ready(start.time_s + seconds - self._overlap[stream], number), share))
        return start

    def record(self, event: int, stream: int) -> None:
        """An event happens when its stream has done what was submitted before."""
        self._note("record", event, stream)
        self._events[event] = self._after(stream)
        if not self._in_graph:
            self.host_s += self.event_s

    def wait(self, stream: int, event: int) -> None:
        """What is submitted to the stream later starts after the event."""
        self._note("wait", stream, event)
        self._ready[stream] = max(self._ready.get(stream, _Ready()), self._events.get(event, _Ready()))

    def synchronise(self, stream: int | None = None, event: int = 0) -> None:
        """The host waits for an event, a stream, or all streams."""
        self._note("synchronise", stream, event)
        if event:
            until = self._events.get(event, _Ready())
        elif stream is None:
            until = max(self._ready.values(), default=_Ready())
        else:
            until = self._stream_ready(stream)
        if until.time_s > self.host_s:
            self.waited_s += until.time_s - self.host_s
            self.host_s, self._host_cause = until

    def elapsed(self, first: int, last: int) -> float:
        """Seconds between two events."""
        return self._events.get(last, _Ready()).time_s - self._events.get(first, _Ready()).time_s

    @property
    def end_s(self) -> float:
        """When everything is done."""
        return max([self.host_s, *(span.end_s for span in self.spans)])

    @property
    def busy_s(self) -> float:
        """Time in which the GPU does something."""
        busy, until = 0.0, 0.0
        for span in sorted(self.spans, key=lambda item: item.start_s):
            busy += max(0.0, span.end_s - max(span.start_s, until))
            until = max(until, span.end_s)
        return busy

    def critical_path(self) -> list[tuple[int | None, float]]:
        """What the end waited for, from the end back to the start: operations with their seconds; None: the host."""
        path: list[tuple[int | None, float]] = []
        until, at = self.end_s, max(range(len(self.spans)), key=lambda number: self.spans[number].end_s, default=HOST)
        if at == HOST or self.spans[at].end_s < self.host_s:
            at = self._host_cause
            until = self._host_part(path, until, at)
        while at != HOST:
            span = self.spans[at]
            path.append((span.operation, max(0.0, until - span.start_s)))
            until, at = span.start_s, span.cause
            if at == HOST:
                at = span.host_cause
                until = self._host_part(path, until, at)
        return path

    def _host_part(self, path: list[tuple[int | None, float]], until: float, cause: int) -> float:
        begin = self.spans[cause].end_s if cause != HOST else 0.0
        path.append((None, max(0.0, until - begin)))
        return begin

    def _note(self, method: str, *arguments: object) -> None:
        self.steps.append(Step(method, arguments))

    def _after(self, stream: int) -> _Ready:
        return max(_Ready(self.host_s), self._stream_ready(stream))

    def _stream_ready(self, stream: int) -> _Ready:
        own = self._ready.get(stream, _Ready())
        if stream == _DEFAULT:
            others = [time for number, time in self._ready.items() if not self._flags.get(number, 0) & _NOT_BLOCKING]
            return max([own, *others])
        if self._flags.get(stream, 0) & _NOT_BLOCKING:
            return own
        return max(own, self._ready.get(_DEFAULT, _Ready()))

    def _room(self, after: _Ready, share: float) -> _Ready:
        """The first time at which the running kernels leave this share of the multiprocessors."""
        self._running = [item for item in self._running if item[0].time_s > after.time_s]
        for start in [after, *sorted(end for end, _ in self._running)]:
            if sum(part for end, part in self._running if end.time_s > start.time_s) + share <= 1.0 + 1e-9:
                return start
        return after
