"""Writes a machine file: TOML in reading order."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from foretell.core.machine import parameters

if TYPE_CHECKING:
    from foretell.core.machine.machine import Source

_GROUPS = ("target", "clock", "cores", "peak", "pipeline", "level", "memory", "tlb", "sync")


@dataclass
class Draft:
    """A machine file under construction. Values are in SI units; `notes` become comments; `doubts` are the numbers
    whose samples did not agree, which get a separate source that says so."""

    name: str
    title: str
    sources: dict[str, Source] = field(default_factory=dict)
    values: dict[str, tuple[float, str]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    traits: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    doubts: set[str] = field(default_factory=set)
    missing: dict[str, str] = field(default_factory=dict)
    conflicts: list[tuple[str, str]] = field(default_factory=list)
    head: list[str] = field(default_factory=list)

    def put(
        self, path: str, value: float, source: str, unit: str | None = None, *, note: str = "", doubt: str = ""
    ) -> None:
        """Sets a number; the unit is the parameter's first unless another is given. `doubt` says how interference may
        have affected it."""
        if doubt:
            known = self.sources[source]
            source = f"{source}_unsettled"
            self.sources[source] = replace(
                known,
                reference=f"{known.reference}; samples did not agree within 2 %, or had co-runners on their cores",
            )
            self.doubts.add(path)
        self.values[path] = (value, source)
        self.units[path] = parameters.parameter(path).units[0] if unit is None else unit
        if note or doubt:
            self.notes[path] = "; ".join(filter(None, (note, doubt)))
        self.missing.pop(path, None)

    def toml(self) -> str:
        """Formats the whole file."""
        lines = [f"# {line}" for line in self.head]
        lines += [f"name = {_text(self.name)}", f"title = {_text(self.title)}", 'kind = "cpu"']
        for name, source in self.sources.items():
            lines += ["", f"[sources.{name}]", f"kind = {_text(source.kind)}"]
            lines.append(f"reference = {_text(source.reference)}")
        for table in self._tables():
            lines += ["", f"[{table}]", *self._entries(table)]
        if self.missing:
            lines += ["", "[missing]"]
            lines += [f"{_text(path)} = {_text(why)}" for path, why in self.missing.items()]
        for check, note in self.conflicts:
            lines += ["", "[[conflict]]", f"check = {_text(check)}", 'decision = "measured"']
            lines.append(f"note = {_text(note)}")
        return "\n".join(lines) + "\n"

    def _tables(self) -> list[str]:
        paths = [*self.values, *self.traits]
        tables = dict.fromkeys(path.rpartition(".")[0] for path in paths)
        return sorted(tables, key=lambda table: _GROUPS.index(table.split(".")[0]))

    def _entries(self, table: str) -> list[str]:
        lines = [
            f"{path.rpartition('.')[2]} = {_text(word)}"
            for path, word in self.traits.items()
            if path.rpartition(".")[0] == table
        ]
        for path, (value, source) in self.values.items():
            if path.rpartition(".")[0] != table:
                continue
            shown = _number(path, value, self.units[path])
            note = f"  # {self.notes[path]}" if path in self.notes else ""
            lines.append(f"{path.rpartition('.')[2]} = {{ value = {shown}, source = {_text(source)} }}{note}")
        return lines


def _text(text: str) -> str:
    """A TOML basic string: JSON's escapes are a part of TOML's."""
    return json.dumps(text, ensure_ascii=False)


_SCALES = {
    "1/s": ("GHz", 1e9),
    "B/s": ("GB/s", 1e9),
    "flop/s": ("Gflop/s", 1e9),
    "s": ("ns", 1e-9),
    "cycle": ("cycle", 1.0),
    "flop/cycle": ("flop/cycle", 1.0),
    "B/cycle": ("B/cycle", 1.0),
}


def _number(path: str, value: float, unit: str) -> str:
    """Formats four digits, with a unit; sizes and counts exactly."""
    if unit == "B":
        for name, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
            if value >= factor and value % factor == 0:
                return f'"{int(value) // factor} {name}"'
        return f'"{int(value)} B"'
    if unit == "":
        return f"{value:.4g}" if parameters.parameter(path).share else str(int(value))
    name, scale = _SCALES[unit]
    return f'"{value / scale:.4g} {name}"'
