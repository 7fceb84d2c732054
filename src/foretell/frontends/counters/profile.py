"""Reads files to a profile: parses, sums, and applies the event maps."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell import limits
from foretell.core.facets.counts import Count, Counts, Row, event_unit
from foretell.core.workload import Workload
from foretell.errors import InputError, nearest
from foretell.files import opened, stored
from foretell.frontends.counters import events
from foretell.frontends.counters.formats import FORMATS, detect
from foretell.frontends.counters.readers.lines import Lines
from foretell.frontends.counters.readers.numbers import Style
from foretell.frontends.counters.readers.rows import WHOLE, About

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from foretell.frontends.counters.readers.rows import Format

#: rows kept for reports; sums are always complete
_KEPT_ROWS = 10_000
#: rows of the slowest format (perf's objects) that are read in a second of a busy core
_ROWS_PER_SECOND = 20_000
#: regions at the default limit of time: with its part of the answer, one takes up to three milliseconds
_MOST_REGIONS = 20_000


@dataclass(frozen=True, slots=True)
class Launch:
    """User-provided facts about the measured run that the file lacks. `given` are events: ("", event) for a profile of
    one block, otherwise (region, event)."""

    machine_name: str = ""
    machine_hash: str = ""
    cores: int | None = None
    threads_per_core: int | None = None
    given: Mapping[tuple[str, str], Count] = field(default_factory=dict)
    whole: bool | None = None
    decimal: str | None = None


def read_profile(paths: Sequence[Path], launch: Launch | None = None) -> Workload:
    """Reads the profile in one or several files of one tool (ranks, passes); regions of the same name are one block."""
    files = [stored(path) for path in paths]
    given = launch or Launch()
    kind = _kind(files)
    about = About(kind.name, source=kind.source, additive=kind.additive)
    about.style = Style(given.decimal) if given.decimal else None
    regions, rows = events.Regions(), []
    for number, path in enumerate(files):
        if kind.passes:
            single = events.Regions()
            rows += _read(path, kind, about, single, "")
            regions.take(single)
        else:
            rows += _read(path, kind, about, regions, f"file {number}" if len(files) > 1 else "")
    return _workload(files, kind, about, regions, rows, given)


def _read(path: Path, kind: Format, about: About, regions: events.Regions, rank: str) -> list[Row]:
    """Reads one file. Several files are several ranks, unless the file itself names its rank."""
    lines, most = Lines(path), limits.steps(_ROWS_PER_SECOND)
    kept: list[Row] = []
    try:
        for number, item in enumerate(kind.read(lines, about)):
            if number == most:
                raise limits.too_long(f"has more than {most} numbers", path)
            if isinstance(item, Row):
                if rank and not item.rank:
                    item = Row(item.region, item.event, item.value, item.unit, rank, item.thread, item.running)
                if len(kept) < _KEPT_ROWS and not about.additive:
                    kept.append(item)
            regions.put(item, about.additive)
    except InputError as error:
        raise error if error.file else lines.error(error.message, error.hint) from None
    return kept


def _workload(
    files: list[Path], kind: Format, about: About, regions: events.Regions, rows: list[Row], given: Launch
) -> Workload:
    if not regions.totals:
        raise InputError("the profile has no counts", file=files[0])
    whole = given.whole if given.whole is not None else kind.source == "simulated" and not about.marked
    if whole:
        regions = regions.merged(about.name or WHOLE)
    for (region, event), count in given.given.items():
        _give(regions, region, event, count, about)
    if len(regions.totals) > (most := limits.share(_MOST_REGIONS)):
        raise limits.too_long(f"has more than {most} regions", files[0])
    cores = given.cores or about.cores
    blocks = events.blocks(regions, ("own", *kind.maps) if given.given else kind.maps, about, cores)
    counts = Counts(
        blocks=blocks,
        cores=cores,
        threads_per_core=given.threads_per_core or about.threads_per_core or (1 if given.cores else None),
        machine_name=given.machine_name or about.machine_name,
        machine_hash=given.machine_hash or ("" if given.machine_name else about.machine_hash),
        machine=None if given.machine_name else about.machine,
        tool=about.tool,
        tool_version=about.version,
        rows=tuple(rows[:_KEPT_ROWS]),
    )
    notes = tuple(dict.fromkeys((*about.notes, *_multiplexed(counts))))
    return Workload(about.name or files[0].stem, (counts,), {}, ", ".join(map(str, files)), _hash(files), notes)


def _give(regions: events.Regions, region: str, event: str, count: Count, about: About) -> None:
    """Sets an event given by the user; it replaces the value of the file."""
    event_unit(event)
    if not region and len(regions.totals) > 1:
        raise InputError(f"{event} is given for no region, and the profile has {len(regions.totals)}")
    name = region or next(iter(regions.totals))
    if name not in regions.totals:
        raise InputError(f"the profile has no region {name!r}{nearest(name, regions.totals)}")
    regions.totals[name].pop(events.normal(event), None)
    regions.incomplete.discard((name, events.normal(event)))
    regions.put(Row(name, event, count.value, event_unit(event)), additive=False)
    about.sources[name, event] = (count.source, count.origin)


def _multiplexed(counts: Counts) -> list[str]:
    shares: dict[str, float] = {}
    for block in counts.blocks:
        for event, count in block.events.items():
            if count.running < 1:
                shares[event] = min(count.running, shares.get(event, 1.0))
    text = "was multiplexed: counted in {:.3g} % of the time and scaled"
    return [f"{event} {text.format(100 * share)}" for event, share in shares.items()]


def _kind(files: list[Path]) -> Format:
    if not files:
        raise InputError("no file to read")
    kinds = {}
    for path in files:
        if not path.is_file():
            raise InputError("no such file" if not path.exists() else "is not a regular file", file=path)
        if (kind := detect(path)) is None:
            known = ", ".join(kind.title for kind in FORMATS)
            raise InputError("is no profile that foretell knows", file=path, hint=f"known: {known}")
        kinds[kind.name] = kind
    if len(kinds) > 1:
        raise InputError(f"files of several formats: {', '.join(kinds)}; import them one by one")
    return next(iter(kinds.values()))


def _hash(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        with opened(path) as handle:
            while data := handle.read(1 << 20):
                digest.update(data)
    return "sha256:" + digest.hexdigest()
