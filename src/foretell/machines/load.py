"""Reads machine files: from TOML to `Machine`.

name = "a-machine"
title = "What people call it"
kind = "cpu"
base = "another"                 # optional: start from that machine, override below
inherit = ["pipeline"]           # optional: take only these groups of it, as estimates
same_core = true                 # optional: of the same core, so not as estimates
source = "sheet"                 # the source of every number that names no other

[sources.sheet]
kind = "datasheet"               # measured, datasheet, paper, derived, assumed
reference = "Vendor, document, page"

[clock]
frequency = "2.5 GHz"

[level.L1]                       # memory levels, from the inside out
size = "64 KiB"
latency = { value = "4 cycle", source = "guide" }

[missing]                        # expected numbers that are not known
"memory.latency" = "not printed"

[[conflict]]                     # a check that these numbers are known to fail
check = "peak"
decision = "SW-15"
note = "why it is kept as it is"
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

from foretell import files, units
from foretell.core.machine import parameters
from foretell.core.machine.machine import Machine, MachineKind, Quantity, Source, SourceKind
from foretell.errors import InputError, MachineError, UnitError, nearest
from foretell.machines.checks import CHECKS, Conflict, apply_conflicts, check

_TOP_KEYS = (
    "name",
    "title",
    "kind",
    "base",
    "inherit",
    "same_core",
    "source",
    "sources",
    "missing",
    "conflict",
    *sorted(parameters.GROUPS),
)
_NAMED_GROUPS = ("level", "pipeline")
_MAX_BASES = 8


@dataclass
class _Draft:
    """A machine while its file, and the files it is based on, are read."""

    file: str
    text: str
    name: str = ""
    title: str = ""
    kind: str = ""
    source: str | None = None
    sources: dict[str, Source] = field(default_factory=dict)
    quantities: dict[str, Quantity] = field(default_factory=dict)
    traits: dict[str, str] = field(default_factory=dict)
    levels: list[str] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)

    def check_keys(self, table: dict[str, Any], allowed: tuple[str, ...], prefix: str = "") -> None:
        for key in table:
            if key not in allowed:
                raise self.error(f"unknown key{nearest(key, allowed)}", f"{prefix}{key}")

    def error(self, message: str, key: str, hint: str | None = None) -> MachineError:
        return MachineError(f"{key}: {message}", file=self.file, line=files.key_line(self.text, key), hint=hint)


def library() -> tuple[str, ...]:
    """The names of the shipped machines."""
    return tuple(sorted(_shipped_files()))


def load(name_or_file: str | Path) -> Machine:
    """Loads a shipped machine by name, or a user's file; inconsistent numbers are an error."""
    machine, problems = resolve(name_or_file)
    if problems:
        raise MachineError("; ".join(problems), file=name_or_file, hint="foretell machines check shows each one")
    return machine


def resolve(name_or_file: str | Path) -> tuple[Machine, tuple[str, ...]]:
    """Loads a machine together with the cross-checks that it does not pass."""
    path = _locate(name_or_file)
    return _shipped(path) if path in _shipped_files().values() else _read(path)


@cache
def _shipped(path: Path) -> tuple[Machine, tuple[str, ...]]:
    return _read(path)


def _read(path: Path) -> tuple[Machine, tuple[str, ...]]:
    draft = _draft(path, ())
    machine = Machine(
        name=draft.name,
        title=draft.title or draft.name,
        kind=draft.kind,  # type: ignore[arg-type]  # checked by _identity
        quantities=draft.quantities,
        levels=tuple(draft.levels),
        traits=draft.traits,
        missing={path: why for path, why in draft.missing.items() if path not in draft.quantities},
    )
    return apply_conflicts(machine, check(machine), draft.conflicts)


@cache
def _shipped_files() -> dict[str, Path]:
    """The shipped machine files by name; each kind of machine has a folder."""
    return {path.stem: path for path in (Path(__file__).parent / "data").glob("*/*.toml")}


def _locate(name_or_file: str | Path) -> Path:
    text = str(name_or_file)
    shipped = _shipped_files()
    if text in shipped:
        return shipped[text]
    if text.endswith(".toml") or "/" in text or _exists(text):
        return Path(text)
    raise InputError(
        f"no machine {text!r}{nearest(text, shipped)}",
        hint="foretell machines list shows the shipped ones; a file of your own ends in .toml",
    )


def _exists(text: str) -> bool:
    try:
        return bool(text) and Path(text).exists()  # an empty path is the current folder to Python
    except OSError:  # longer than a file name can be
        return False


def _draft(path: Path, seen: tuple[str, ...]) -> _Draft:
    text = files.read_text(path)
    document = files.parse_toml(text, path)
    draft = _Draft(file=str(path), text=text)
    draft.check_keys(document, _TOP_KEYS)
    if "base" in document:
        _inherit(draft, _word(draft, document, "base"), path, (*seen, str(path)))
    if "inherit" in document:
        _keep_groups(draft, document["inherit"], str(document.get("base", "")), document.get("same_core", False))
    _identity(draft, document)
    _sources(draft, _table(draft, document, "sources"))
    for group in (key for key in document if key in parameters.GROUPS):
        _group(draft, group, _table(draft, document, group))
    _missing(draft, _table(draft, document, "missing"))
    _conflicts(draft, document.get("conflict", []))
    return draft


def _inherit(draft: _Draft, base: str, path: Path, seen: tuple[str, ...]) -> None:
    target = path.parent / base if base.endswith(".toml") else _locate(base)
    if str(target) in seen or len(seen) > _MAX_BASES:
        raise draft.error(f"{base!r} leads back to this file, or through too many others", "base")
    parent = _draft(target, seen)
    draft.kind, draft.sources, draft.quantities = parent.kind, parent.sources, parent.quantities
    draft.traits, draft.levels, draft.missing = parent.traits, parent.levels, parent.missing
    draft.conflicts = [replace(conflict, inherited=True) for conflict in parent.conflicts]


def _keep_groups(draft: _Draft, groups: object, base: str, same_core: object) -> None:
    """Keeps of the base only some groups of parameters: numbers of another machine are estimates for this one, but of
    the same core."""
    if not base or not isinstance(groups, list) or any(group not in [*parameters.GROUPS] for group in groups):
        raise draft.error(f"must be a list of groups of the base: {', '.join(sorted(parameters.GROUPS))}", "inherit")
    if not isinstance(same_core, bool):
        raise draft.error("must be true or false", "same_core")
    source = Source("estimated", f"taken over from {base}, the nearest machine of which they are known")
    if same_core:
        source = Source("derived", f"those of {base}, which has the same core")
    kept = {path: q for path, q in draft.quantities.items() if path.partition(".")[0] in groups}
    draft.quantities = {path: replace(quantity, source=source) for path, quantity in kept.items()}
    draft.traits = {path: word for path, word in draft.traits.items() if path.partition(".")[0] in groups}
    draft.sources, draft.levels, draft.missing, draft.conflicts = {}, [], {}, []


def _identity(draft: _Draft, document: dict[str, Any]) -> None:
    draft.name = _word(draft, document, "name")
    draft.title = _word(draft, document, "title") if "title" in document else draft.name
    if "kind" in document or not draft.kind:
        draft.kind = _word(draft, document, "kind")
    if draft.kind not in get_args(MachineKind):
        raise draft.error(f"{draft.kind!r} is not one of {', '.join(get_args(MachineKind))}", "kind")
    draft.source = _word(draft, document, "source") if "source" in document else None


def _word(draft: _Draft, table: dict[str, Any], key: str, prefix: str = "") -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise draft.error("must be a text" if key in table else "is missing", f"{prefix}{key}")
    return value


def _table(draft: _Draft, document: dict[str, Any], key: str, prefix: str = "") -> dict[str, Any]:
    value = document.get(key, {})
    if not isinstance(value, dict):
        raise draft.error("must be a table", f"{prefix}{key}")
    return value


def _sources(draft: _Draft, table: dict[str, Any]) -> None:
    for name in table:
        prefix = f"sources.{name}."
        entry = _table(draft, table, name, "sources.")
        draft.check_keys(entry, ("kind", "reference"), prefix)
        kind = _word(draft, entry, "kind", prefix)
        if kind not in get_args(SourceKind):
            raise draft.error(f"{kind!r} is not one of {', '.join(get_args(SourceKind))}", f"{prefix}kind")
        reference = _word(draft, entry, "reference", prefix)
        draft.sources[name] = Source(kind, reference)  # type: ignore[arg-type]  # checked above
    if draft.source is not None and draft.source not in draft.sources:
        raise draft.error(f"{draft.source!r} is not under [sources]", "source")


def _group(draft: _Draft, group: str, table: dict[str, Any]) -> None:
    if group not in _NAMED_GROUPS:
        _entries(draft, group, table)
        return
    for name in table:
        if "." in name:
            raise draft.error("a name cannot hold a dot", f"{group}.{name}")
        if group == "level" and name not in draft.levels:
            draft.levels.append(name)
        _entries(draft, f"{group}.{name}", _table(draft, table, name, f"{group}."))


def _entries(draft: _Draft, prefix: str, table: dict[str, Any]) -> None:
    local = _word(draft, table, "source", f"{prefix}.") if "source" in table else draft.source
    for key, raw in table.items():
        if key == "source":
            continue
        path = parameters.current(f"{prefix}.{key}")
        if path in parameters.LISTS:
            draft.traits[path] = _list(draft, path, raw)
        elif parameters.pattern(path) in parameters.TRAITS:
            draft.traits[path] = _trait(draft, path, raw)
        elif parameters.known(path):
            draft.quantities[path] = _quantity(draft, path, raw, local)
        else:
            raise draft.error(f"unknown parameter{parameters.nearest_path(path)}", path)


def _trait(draft: _Draft, path: str, raw: object) -> str:
    allowed = parameters.TRAITS[parameters.pattern(path)]
    if not isinstance(raw, str) or (allowed and raw not in allowed):
        raise draft.error(f"{raw!r} is not one of {', '.join(allowed)}", path)
    return raw


def _list(draft: _Draft, path: str, raw: object) -> str:
    if not isinstance(raw, str):
        raise draft.error("must be a text of numbers with units, separated by commas", path)
    try:
        for text in raw.split(","):
            units.parse_as(text, parameters.LISTS[path][0])
    except UnitError as error:
        raise draft.error(error.message, path, hint=error.hint) from None
    return raw


def _quantity(draft: _Draft, path: str, raw: object, default_source: str | None) -> Quantity:
    source = default_source
    if isinstance(raw, dict):
        if set(raw) - {"source"} != {"value"}:
            raise draft.error("must be { value = …, source = … }", path)
        source = _word(draft, raw, "source", f"{path}.") if "source" in raw else source
        raw = raw["value"]
    value, unit = _number(draft, path, raw)
    if source is None:
        raise draft.error("has no source", path, hint="give the file, the table or this entry a source")
    if source not in draft.sources:
        raise draft.error(f"source {source!r} is not under [sources]{nearest(source, draft.sources)}", path)
    return Quantity(value, unit, draft.sources[source])


def _number(draft: _Draft, path: str, raw: object) -> tuple[float, str]:
    entry = parameters.parameter(path)
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise draft.error("must be a number with a unit", path)
    try:
        measure = units.parse(raw) if isinstance(raw, str) else units.Measure(float(raw), "")
    except UnitError as error:
        raise draft.error(error.message, path, hint=error.hint) from None
    except OverflowError:
        raise draft.error("is too large", path) from None
    if measure.unit not in entry.units:
        wanted = " or ".join(unit or "a pure number" for unit in entry.units)
        raise draft.error(f"{raw!r} is in {measure.unit or 'no unit'}, expected {wanted}", path)
    if fault := parameters.fault(path, measure.value, measure.unit):
        raise draft.error(f"{raw!r} {fault}", path)
    return measure.value, measure.unit


def _missing(draft: _Draft, table: dict[str, Any]) -> None:
    for given in table:
        path = parameters.current(given)
        if not parameters.known(path):
            raise draft.error(f"unknown parameter{parameters.nearest_path(path)}", f"missing.{path}")
        draft.missing[path] = _word(draft, table, given, "missing.")


def _conflicts(draft: _Draft, entries: object) -> None:
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise draft.error("must be [[conflict]] tables", "conflict")
    for entry in entries:
        draft.check_keys(entry, ("check", "decision", "note"), "conflict.")
        name = _word(draft, entry, "check", "conflict.")
        if name not in CHECKS:
            raise draft.error(f"{name!r} is not one of {', '.join(CHECKS)}", "conflict.check")
        decision = _word(draft, entry, "decision", "conflict.")
        draft.conflicts.append(Conflict(name, decision, _word(draft, entry, "note", "conflict.")))
