"""Estimates bandwidths of CPUs: of one core and of all, for every kind of loop that the probe measures.

A kind that is not known is a usual fraction of one that is; a level of which no bandwidth is known supplies a usual
number of bytes per cycle, or of lines in flight over its latency. All fractions are medians of the probes of Cascade
Lake and of Emerald and Sapphire Rapids in `validation/cpu` and `validation/thread-scaling`, bytes counted as in STREAM;
the factors of `facts` cover the range of these probes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.machines.estimates.draft import Draft

_LINE = 64
#: kinds of loops, as parts of parameter names; triad has no name
_KINDS = ("", "read_", "copy_", "write_", "update_", "two_stream_write_")
_OF_ONE_CORE = ("random_", "stride_2_", "stride_4_", "stride_8_")


@record
class Usual:
    """What a level usually supplies: fractions of triad by kind, of one core and of all; bytes per cycle, in vectors
    or in all; lines in flight of one core; and the fraction of their joint rate that all cores reach."""

    core: Mapping[str, float]
    total: Mapping[str, float]
    vectors_per_cycle: float = 0.0
    bytes_per_cycle: float = 0.0
    lines: float = 0.0
    joint: float = 1.0


_INNER = {"read_": 0.9, "copy_": 1.2, "write_": 0.67, "update_": 0.56, "random_": 1.0}
_PRIVATE = {
    "read_": 1.15, "copy_": 0.82, "write_": 0.46, "update_": 0.48, "two_stream_write_": 0.31,
    "random_": 1.3, "stride_2_": 1.0, "stride_4_": 0.75, "stride_8_": 0.75,
}  # fmt: skip
_SHARED = {
    "read_": 1.02, "copy_": 1.0, "write_": 0.93, "update_": 0.91, "two_stream_write_": 0.78,
    "random_": 1.05, "stride_2_": 0.68, "stride_4_": 0.68, "stride_8_": 0.68,
}  # fmt: skip
#: of memory, where a store miss reads its line; two streams of writes were not measured there
_MEMORY = {"read_": 0.95, "copy_": 0.9, "write_": 0.6, "update_": 0.85}
_ALL_MEMORY = {"read_": 1.05, "copy_": 0.85, "write_": 0.6, "update_": 0.7}
#: where it does not: Neoverse N1, sum, copy and fill over triad (its machine file)
_NO_ALLOCATE = {"read_": 0.73, "copy_": 1.2, "write_": 1.19, "update_": 1.0}

#: lines in flight from memory, where a machine of the family was measured: Neoverse N1, Zen 2, Apple M1 (their machine
#: files; of the M1 the rate of reads, at 100 ns)
_MEMORY_LINES = {"neoverse": 38.0, "cortex-a7": 38.0, "znver": 40.0, "apple": 90.0}
#: independent loads of random lines from memory: lines in flight of one core, 5.7 to 10.7 in the probes
_RANDOM_LINES = 8.0
#: sustained over data-sheet bandwidth: 0.80 Sapphire Rapids, 0.82 Genoa, 0.61 Cascade Lake (their machine files)
SUSTAINED = 0.75

LEVELS = {
    "inner": Usual(_INNER, _INNER, vectors_per_cycle=1.25),
    "private": Usual(_PRIVATE, _PRIVATE, bytes_per_cycle=32.0),
    "shared": Usual(_SHARED, _SHARED, lines=15.0, joint=0.8),
    "memory": Usual(_MEMORY, _ALL_MEMORY, lines=27.0),
}


def role(levels: tuple[str, ...], level: str) -> str:
    """The place of a level: innermost, private, or the last, which cores share."""
    if level == levels[-1] and len(levels) != 2:
        return "shared"
    return "inner" if level == levels[0] else "private" if len(levels) > 2 else "shared"


def fill(draft: Draft) -> None:
    """Adds every bandwidth that is missing, of the caches and of memory."""
    if "memory.bandwidth" not in draft and "memory.hardware_bandwidth" in draft:
        _sustained(draft)
    levels = draft.machine.levels
    for level in levels:
        _fill_level(draft, f"level.{level}", LEVELS[role(levels, level)])
    if "memory.bandwidth" in draft:
        plain = draft.machine.traits.get("memory.write_allocate") == "no"
        usual = Usual(_NO_ALLOCATE, _NO_ALLOCATE) if plain else LEVELS["memory"]
        _fill_level(draft, "memory", replace(usual, lines=_memory_lines(draft)))


def _sustained(draft: Draft) -> None:
    """Adds the bandwidth of all cores: a usual part of the interface's, and no less than one core reaches."""
    peak = draft["memory.hardware_bandwidth"]
    known = [draft[path] for path in (f"memory.core_{kind}bandwidth" for kind in ("", "read_")) if path in draft]
    value, rule = SUSTAINED * peak.value, f"{SUSTAINED:g} of the data sheet's bandwidth"
    for one in known:
        if one.unit == peak.unit and one.value > value:
            value, rule = one.value, "as much as one core"
    draft.add("memory.bandwidth", value, peak.unit, rule)


def _memory_lines(draft: Draft) -> float:
    core = draft.machine.traits.get("target.cpu", "")
    return next((lines for family, lines in _MEMORY_LINES.items() if core.startswith(family)), LEVELS["memory"].lines)


def _fill_level(draft: Draft, prefix: str, usual: Usual) -> None:
    if _known(draft, prefix, "core_") is None:
        _core(draft, prefix, usual)
    if _known(draft, prefix, "core_") is None:
        return
    _siblings(draft, prefix, "core_", usual.core, (*_KINDS, *_OF_ONE_CORE))
    if _known(draft, prefix, "") is None and prefix != "memory":
        _joint(draft, prefix, usual)
    _siblings(draft, prefix, "", usual.total, _KINDS)
    _random(draft, prefix)


def _known(draft: Draft, prefix: str, core: str) -> str | None:
    """The first kind of loop of which the bandwidth is known."""
    return next((kind for kind in _KINDS[:4] if f"{prefix}.{core}{kind}bandwidth" in draft), None)


def _core(draft: Draft, prefix: str, usual: Usual) -> None:
    """Adds the bandwidth of one core: its part of a private level, else never more than all cores have together."""
    kind = _known(draft, prefix, "")
    total = f"{prefix}.{kind}bandwidth"
    if kind is not None and not usual.lines:
        part = draft.value(total) / draft.value("cores.count")
        draft.add(f"{prefix}.core_{kind}bandwidth", part, draft[total].unit, "its part of all")
    elif usual.lines:
        _of_lines(draft, prefix, usual, None if kind is None else draft.per_second(total) / usual.total.get(kind, 1.0))
    else:
        wide = usual.vectors_per_cycle * draft.value("cores.simd_width", 0.0)
        rule = (
            f"{usual.vectors_per_cycle:g} vectors per cycle" if wide else f"{usual.bytes_per_cycle:g} bytes per cycle"
        )
        if wide or usual.bytes_per_cycle:
            draft.add(f"{prefix}.core_bandwidth", wide or usual.bytes_per_cycle, "B/cycle", rule)


def _of_lines(draft: Draft, prefix: str, usual: Usual, most: float | None) -> None:
    """Adds what the lines in flight of one core bring, at most the triad bandwidth of all."""
    latency = draft.seconds(f"{prefix}.latency")
    if latency:
        rate = usual.lines * _LINE / latency
        rule = f"{usual.lines:g} lines in flight over {prefix}.latency"
        draft.add(f"{prefix}.core_bandwidth", rate if most is None else min(rate, most), "B/s", rule)


def _joint(draft: Draft, prefix: str, usual: Usual) -> None:
    """Adds the bandwidth of all cores."""
    kind = _known(draft, prefix, "core_") or ""
    one, cores = draft[f"{prefix}.core_{kind}bandwidth"], draft.value("cores.count")
    rule = "as many as there are cores" if usual.joint == 1 else f"{usual.joint:g} of what all cores could draw"
    draft.add(f"{prefix}.{kind}bandwidth", max(1.0, usual.joint * cores) * one.value, one.unit, rule)


def _siblings(draft: Draft, prefix: str, core: str, usual: Mapping[str, float], kinds: tuple[str, ...]) -> None:
    """Adds the other kinds as usual fractions of one that is known."""
    base = _known(draft, prefix, core) or ""
    known = draft[f"{prefix}.{core}{base}bandwidth"]
    triad = known.value / usual.get(base, 1.0)
    rule = f"in proportion to {prefix}.{core}{base}bandwidth"
    for kind in kinds:
        if kind == "" or kind in usual:
            value = _limited(draft, prefix, triad * usual.get(kind, 1.0), known.unit)
            draft.add(f"{prefix}.{core}{kind}bandwidth", value, known.unit, rule)


def _limited(draft: Draft, prefix: str, value: float, unit: str) -> float:
    """Memory supplies no more than its interface can, to one core as to all."""
    limit = "memory.hardware_bandwidth"
    if prefix == "memory" and limit in draft and draft[limit].unit == unit:
        return min(value, draft.value(limit))
    return value


def _random(draft: Draft, prefix: str) -> None:
    latency = draft.seconds(f"{prefix}.latency")
    if prefix == "memory" and latency:
        rate = min(_RANDOM_LINES * _LINE / latency, draft.per_second("memory.core_bandwidth"))
        draft.add("memory.core_random_bandwidth", rate, "B/s", f"{_RANDOM_LINES:g} lines in flight over memory.latency")
