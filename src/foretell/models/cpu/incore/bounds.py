"""Computes lower bounds on a pass of a loop, in cycles: port pressure and loop-carried latency."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def port_pressure(work: Mapping[frozenset[str], float]) -> tuple[float, frozenset[str]]:
    """The minimum makespan of work on ports, each part allowed on a set of ports; and the limiting ports.

    By Hall's theorem this is the largest ratio, over sets of ports, of the work confined to the set to its size; unions
    of the given sets suffice.
    """
    sets = [ports for ports, cycles in work.items() if cycles > 0]
    unions: set[frozenset[str]] = set()
    for ports in sets:
        unions |= {ports | other for other in unions} | {ports}
    best = (0.0, frozenset[str]())
    for union in sorted(unions, key=lambda ports: (len(ports), sorted(ports))):
        inside = sum(cycles for ports, cycles in work.items() if ports <= union)
        best = max(best, (inside / len(union), union), key=lambda pair: pair[0])
    return best


def carried_latency(paths: Mapping[tuple[str, str], float]) -> tuple[float, tuple[str, ...]]:
    """The maximum cycle mean of loop-carried latencies, and the values on that cycle.

    `paths[a, b]` is the longest path from the old value of a to the new value of b. Karp's algorithm.
    """
    names = sorted({name for pair in paths for name in pair})
    place = {name: number for number, name in enumerate(names)}
    edges = [(place[a], place[b], latency) for (a, b), latency in paths.items()]
    count = len(names)
    minus = float("-inf")
    longest = [[0.0] * count]
    for _ in range(count):
        row = [minus] * count
        for a, b, latency in edges:
            row[b] = max(row[b], longest[-1][a] + latency)
        longest.append(row)
    best, at = 0.0, -1
    for node in range(count):
        if longest[count][node] == minus:
            continue
        mean = min(
            (longest[count][node] - longest[k][node]) / (count - k) for k in range(count) if longest[k][node] != minus
        )
        if mean > best:
            best, at = mean, node
    return best, (names[at],) if at >= 0 else ()
