"""Works out when the operations of a program would have run on the GPU.

The host submits operations to streams. An operation starts when the host has submitted it, when what its stream got
before has ended, and when its engine is free: the multiprocessors, or the copy engine of its direction. Kernels run
side by side if together they need no more multiprocessors than there are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Engine = Literal["compute", "to device", "to host"]
#: the default stream, which waits for all others and they for it; streams with this flag do not
_DEFAULT, _NOT_BLOCKING = 0, 1


@dataclass(frozen=True, slots=True)
class Span:
    """An operation on the timeline, in seconds; `operation` is its index in the run."""

    operation: int
    stream: int
    start_s: float
    end_s: float


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
    _ready: dict[int, float] = field(default_factory=dict)
    _overlap: dict[int, float] = field(default_factory=dict)
    _flags: dict[int, int] = field(default_factory=dict)
    _events: dict[int, float] = field(default_factory=dict)
    _engines: dict[str, float] = field(default_factory=dict)
    _running: list[tuple[float, float]] = field(default_factory=list)
    _in_graph: bool = False

    def stream(self, number: int, flags: int) -> None:
        """Adds a stream."""
        self._flags[number] = flags

    def graph(self, begins: bool) -> None:
        """Operations between begin and end are submitted at once."""
        if begins:
            self.host_s += self.launch_s
        self._in_graph = begins

    def submit(self, operation: int, stream: int, seconds: float, engine: Engine, share: float = 1.0) -> Span:
        """Adds an operation that takes this time on an engine; a kernel needs this share of the multiprocessors."""
        if not self._in_graph:
            self.host_s += self.launch_s
        after = max(self.host_s, self._stream_ready(stream))
        if engine == "compute":
            overlap = self._overlap.get(stream, 0.0) if self._in_graph else 0.0
            start = self._room(max(self.host_s, after - overlap), share)
            self._overlap[stream] = min(self.graph_overlap_s, seconds) if self._in_graph else 0.0
            self._running.append((start + seconds - self._overlap[stream], share))
        else:
            start = max(after, self._engines.get(engine, 0.0))
            self._engines[engine] = start + seconds
        end = self._ready[stream] = start + seconds
        span = Span(operation, stream, start, end)
        self.spans.append(span)
        return span

    def record(self, event: int, stream: int) -> None:
        """An event happens when its stream has done what was submitted before."""
        self._events[event] = max(self.host_s, self._stream_ready(stream))
        if not self._in_graph:
            self.host_s += self.event_s

    def wait(self, stream: int, event: int) -> None:
        """What is submitted to the stream later starts after the event."""
        self._ready[stream] = max(self._ready.get(stream, 0.0), self._events.get(event, 0.0))

    def synchronise(self, stream: int | None = None, event: int = 0) -> None:
        """The host waits for an event, a stream, or all streams."""
        if event:
            until = self._events.get(event, 0.0)
        elif stream is None:
            until = max(self._ready.values(), default=0.0)
        else:
            until = self._stream_ready(stream)
        self.waited_s += max(0.0, until - self.host_s)
        self.host_s = max(self.host_s, until)

    def elapsed(self, first: int, last: int) -> float:
        """Seconds between two events."""
        return self._events.get(last, 0.0) - self._events.get(first, 0.0)

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

    def _stream_ready(self, stream: int) -> float:
        own = self._ready.get(stream, 0.0)
        if stream == _DEFAULT:
            others = [time for number, time in self._ready.items() if not self._flags.get(number, 0) & _NOT_BLOCKING]
            return max([own, *others])
        if self._flags.get(stream, 0) & _NOT_BLOCKING:
            return own
        return max(own, self._ready.get(_DEFAULT, 0.0))

    def _room(self, after: float, share: float) -> float:
        """The first time at which the running kernels leave this share of the multiprocessors."""
        self._running = [item for item in self._running if item[0] > after]
        for start in [after, *sorted(end for end, _ in self._running)]:
            if sum(part for end, part in self._running if end > start) + share <= 1.0 + 1e-9:
                return start
        return after
