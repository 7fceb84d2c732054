"""Maps a tool's events to foretell's: rules in the TOML files of `maps`, tried in order.

[[rule]]
event = "missesL1"                     # ours
add = ["D1mr", "D1mw"]                 # the tool's; all must be known
subtract = []
scale = 1
combine = "max"                        # of elapsed times over threads; counts are summed
divide_by = "cores"                    # by the cores of the run
source = "estimated"                   # if the rule is less than an identity
note = "what is wrong with it"
cpu = "where the events exist"
"""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from foretell.core.facets.counts import BLOCKS, EVENTS, CodeBlock, Count, NumberSource
from foretell.errors import InputError
from foretell.frontends.counters.readers.rows import Gap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from foretell.core.facets.counts import Row
    from foretell.frontends.counters.readers.rows import About

#: the quality of a derived number is that of its worst operand
_ORDER: tuple[NumberSource, ...] = ("counter", "given", "sampled", "simulated", "estimated")
_MAX_REGIONS = 1_000_000


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to derive one of foretell's events."""

    event: str
    add: tuple[str, ...]
    subtract: tuple[str, ...] = ()
    scale: float = 1.0
    combine: str = "sum"
    divide_by: str = ""
    source: NumberSource | None = None
    note: str = ""
    cpu: str = ""

    @property
    def text(self) -> str:
        """The rule as a formula, with its caveat."""
        formula = " + ".join(self.add) + "".join(f" − {name}" for name in self.subtract)
        formula = f"({formula}) / {self.divide_by}" if self.divide_by else formula
        return f"{formula} ({self.note})" if self.note else formula


@dataclass
class _Total:
    """One event of one region, summed over ranks and threads."""

    parts: dict[tuple[str, str], float] = field(default_factory=dict)
    running: float = 1.0
    name: str = ""

    def value(self, combine: str) -> float:
        return max(self.parts.values()) if combine == "max" else math.fsum(self.parts.values())


class Regions:
    """Accumulates rows; memory grows with regions, events and threads, not with the length of a file."""

    def __init__(self) -> None:
        self.totals: dict[str, dict[str, _Total]] = {}
        self.gaps: dict[str, dict[str, str]] = {}
        #: (region, event) with incomplete sums
        self.incomplete: set[tuple[str, str]] = set()

    def put(self, item: Row | Gap, additive: bool) -> None:
        """Adds one row or gap; a second value of a non-additive event is a contradiction."""
        key = normal(item.event)
        if item.region not in self.totals and len(self.totals) >= _MAX_REGIONS:
            raise InputError(f"more than {_MAX_REGIONS} regions")
        events = self.totals.setdefault(item.region, {})
        if isinstance(item, Gap):
            self.gaps.setdefault(item.region, {})[key] = item.reason
            if item.whole:
                self.incomplete.add((item.region, key))
            return
        total = events.setdefault(key, _Total(name=item.event))
        part = (item.rank, item.thread)
        if part in total.parts and not additive and total.parts[part] != item.value:
            raise InputError(
                f"{item.region}: {item.event} is given twice, as {total.parts[part]:.10g} and {item.value:.10g}"
            )
        total.parts[part] = item.value + (total.parts.get(part, 0.0) if additive else 0.0)
        total.running = min(total.running, item.running)

    def take(self, other: Regions) -> None:
        """Adds the events that only another pass over the same kernels has; both passes ran everything."""
        for region, events in other.totals.items():
            mine = self.totals.setdefault(region, {})
            for key, total in events.items():
                mine.setdefault(key, total)
        for region, gaps in other.gaps.items():
            self.gaps.setdefault(region, {}).update(gaps)
        self.incomplete |= other.incomplete

    def merged(self, name: str) -> Regions:
        """Merges all regions into one, as executed in sequence."""
        result = Regions()
        for events in self.totals.values():
            for key, total in events.items():
                into = result.totals.setdefault(name, {}).setdefault(key, _Total(name=total.name))
                into.running = min(into.running, total.running)
                for part, value in total.parts.items():
                    into.parts[part] = into.parts.get(part, 0.0) + value
        for gaps in self.gaps.values():
            result.gaps.setdefault(name, {}).update(gaps)
        result.incomplete = {(name, key) for _, key in self.incomplete}
        return result

    def nothing(self, region: str) -> bool:
        """Whether all counts of a region are zero, as for modules without samples."""
        counted = self.totals[region].values()
        return (
            bool(counted)
            and region not in self.gaps
            and not any(value for total in counted for value in total.parts.values())
        )

    def complete(self, region: str) -> dict[str, _Total]:
        """The events of a region with complete sums; missing counts are not assumed to be zero."""
        return {key: total for key, total in self.totals[region].items() if (region, key) not in self.incomplete}


def blocks(regions: Regions, maps: tuple[str, ...], about: About, cores: int | None) -> tuple[CodeBlock, ...]:
    """foretell's events of every region, and the reasons for missing ones."""
    rules = tuple(rule for name in maps for rule in load(name))
    derived = load("derived")
    idle = [region for region in regions.totals if regions.nothing(region)]
    if 0 < len(idle) < len(regions.totals):
        about.note(f"left out, for all that was counted there is zero: {', '.join(idle)}")
    return tuple(
        _block(region, regions.complete(region), regions.gaps.get(region, {}), (rules, derived), about, cores)
        for region in regions.totals
        if region not in idle or len(idle) == len(regions.totals)
    )


def _block(
    region: str,
    totals: Mapping[str, _Total],
    gaps: Mapping[str, str],
    rules: tuple[tuple[Rule, ...], tuple[Rule, ...]],
    about: About,
    cores: int | None,
) -> CodeBlock:
    known: dict[str, Count] = {}
    problems: dict[str, str] = {}
    for rule in rules[0]:
        operands = {name: _operand(totals, name, rule, region, about) for name in (*rule.add, *rule.subtract)}
        _apply(rule, operands, known, problems, cores)
    for rule in rules[1]:  # foretell's events from others of them
        _apply(rule, {name: known.get(name) for name in (*rule.add, *rule.subtract)}, known, problems, cores)
    missing = {
        event: problems.get(event) or _why(event, rules[0], totals, gaps)
        for event in BLOCKS
        if event not in known and not (event == "time" and "time_s" in known)
    }
    return CodeBlock(region, known, missing, about.curves.get(region, ()))


def _operand(totals: Mapping[str, _Total], name: str, rule: Rule, region: str, about: About) -> Count | None:
    total = totals.get(normal(name))
    if total is None:
        return None
    source, origin = about.sources.get((region, name), (about.source, total.name))
    return Count(total.value(rule.combine), source, origin, total.running)


def _apply(
    rule: Rule,
    operands: Mapping[str, Count | None],
    known: dict[str, Count],
    problems: dict[str, str],
    cores: int | None,
) -> None:
    if rule.event in known or any(operand is None for operand in operands.values()):
        return
    counts = {name: operand for name, operand in operands.items() if operand is not None}
    if rule.divide_by and cores is None:
        problems.setdefault(rule.event, f"{rule.text} needs the number of cores the run used")
        return
    value = math.fsum(counts[name].value for name in rule.add) - math.fsum(counts[name].value for name in rule.subtract)
    if value < 0:
        parts = ", ".join(f"{name} = {count.value:.6g}" for name, count in counts.items())
        problems[rule.event] = f"the counts contradict each other: {rule.text} is negative ({parts})"
        return
    sources = [count.source for count in counts.values()] + ([rule.source] if rule.source else [])
    single = len(counts) == 1 and not rule.note and not rule.divide_by
    known[rule.event] = Count(
        value * rule.scale / (cores if rule.divide_by and cores else 1),
        max(sources, key=_ORDER.index),
        next(iter(counts.values())).origin if single else rule.text,
        min(count.running for count in counts.values()),
    )


def _why(event: str, rules: Iterable[Rule], totals: Mapping[str, object], gaps: Mapping[str, str]) -> str:
    """The tool's events that were needed, and the tool's message about them."""
    if normal(event) in gaps and normal(event) not in totals:
        return gaps[normal(event)]
    reasons = []
    for rule in rules:
        for name in (*rule.add, *rule.subtract):
            reason = gaps.get(normal(name))
            if rule.event in _feeds(event) and reason and normal(name) not in totals:
                reasons.append(f"{name} is {reason}")
    return "; ".join(dict.fromkeys(reasons)) or _lacking(event, rules, totals) or "no event of the profile gives it"


def _lacking(event: str, rules: Iterable[Rule], totals: Mapping[str, object]) -> str:
    """The missing operands of a rule of which only some are known; missing counts are not assumed to be zero."""
    groups: list[list[str]] = []
    for rule in rules:
        names = (*rule.add, *rule.subtract)
        lacking = [name for name in names if normal(name) not in totals]
        if rule.event in _feeds(event) and 0 < len(lacking) < len(names):
            groups.append(lacking)
    fewest = min(groups, key=len, default=[])
    return f"the profile lacks {', '.join(fewest)}" if fewest else ""


@cache
def _feeds(event: str) -> frozenset[str]:
    """Events from which one is derived, including itself."""
    found = {event}
    while True:
        more = {name for rule in load("derived") if rule.event in found for name in (*rule.add, *rule.subtract)}
        if more <= found:
            return frozenset(found)
        found |= more


@cache
def normal(name: str) -> str:
    """Normalises an event name: perf, VTune and LIKWID write MEM_LOAD_RETIRED.L1_HIT in different ways."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


@cache
def load(name: str) -> tuple[Rule, ...]:
    """Loads the rules of a map; `own` has a rule for each of foretell's own events."""
    if name == "own":
        return tuple(Rule(event, (event,), combine="max" if event in ("time", "time_s") else "sum") for event in EVENTS)
    text = (resources.files("foretell.frontends.counters") / "maps" / f"{name}.toml").read_text(encoding="utf-8")
    return tuple(_rule(entry) for entry in tomllib.loads(text)["rule"])


def _rule(entry: dict[str, Any]) -> Rule:
    given: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in entry.items()}
    return Rule(**given)
