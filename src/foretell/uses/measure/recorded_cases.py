"""Measurements as recorded cases: written to a file, read back, and merged with earlier ones."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files, units
from foretell.codegen.compilers.host import named, spelled
from foretell.errors import InputError
from foretell.uses.measure.style_suite import STYLES
from foretell.uses.validate import KERNELS, Recorded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.machine.machine import Machine
    from foretell.uses.measure.cases import Case

#: prefixes of shipped files in recordings
_SHIPPED = {KERNELS: "kernel", STYLES: "styles"}


def recorded(case: Case, machine: Machine | str, options: Mapping[str, str]) -> Recorded:
    """Converts a measurement into a recorded case."""
    return Recorded(
        case.name,
        case.file,
        machine,
        case.seconds,
        case.sizes,
        options={**_options(case), **options},
        kernel=case.function,
        group=case.build.compiler,
        variants={"own code": {"asm": str(case.assembly)}} if case.assembly else {},
        macros=case.macros,
        arguments=case.arguments,
        disturbed=case.disturbed,
    )


def _options(case: Case) -> dict[str, str]:
    """Options with which the code is predicted as it was compiled."""
    compiler, flags = case.build.compiler, case.build.flags
    return {"compiler": named(compiler), "flags": " ".join(spelled(flags, compiler))}


@dataclass(frozen=True, slots=True)
class Earlier:
    """The cases of an existing recording, by name."""

    path: Path
    entries: Mapping[str, Mapping[str, object]]

    @classmethod
    def read(cls, path: Path) -> Earlier:
        """Reads a recording; one that does not exist is empty."""
        known = files.parse_toml(files.read_text(path), path) if files.stored(path).exists() else {}
        return cls(path, known.get("case", {}))

    @property
    def undisturbed(self) -> dict[str, float]:
        """Seconds of the cases whose time has converged."""
        return {
            name: units.parse_as(str(entry.get("measured")), "s")
            for name, entry in self.entries.items()
            if entry.get("disturbed") is not True
        }

    def joined(self, cases: Sequence[Case]) -> tuple[Case, ...]:
        """Merges cases with the recorded ones: an undisturbed time is preferred, and of two of a kind the shorter. A
        recording of other cases is an error: no measurement is lost."""
        unlike = self.entries.keys() - {case.name for case in cases}
        if unlike:
            raise InputError(
                f"holds cases that are not measured now, such as {min(unlike)!r}",
                file=self.path,
                hint="record into another file",
            )
        return self.merged(cases)

    def merged(self, cases: Sequence[Case]) -> tuple[Case, ...]:
        """The better of each case and its earlier time."""
        return tuple(_better(case, self.entries.get(case.name, {})) for case in cases)


def _better(case: Case, entry: Mapping[str, object]) -> Case:
    """The better of a case and its entry in an earlier recording."""
    if not entry:
        return case
    seconds, disturbed = units.parse_as(str(entry.get("measured")), "s"), entry.get("disturbed") is True
    earlier = replace(case, seconds=seconds, disturbed=disturbed)
    return min(case, earlier, key=lambda one: (one.disturbed, one.seconds))


def recording(cases: Sequence[Case], machine: Machine, machine_file: str) -> str:
    """Writes the measurements as a file that `foretell validate FILE` predicts again: what all cases share once."""
    entries = {case.name: _entry(case, machine_file) for case in cases}
    first = next(iter(entries.values()), {})
    shared = {
        key: first[key]
        for key in ("machine", "group", "options")
        if key in first and all(entry[key] == first[key] for entry in entries.values())
    }
    lines = [f"title = {json.dumps(f'CPU kernels on {machine.title}')}", "", "[defaults]"]
    lines += [f"{key} = {text}" for key, text in shared.items()]
    lines += ["", "[case]"]
    for name, entry in entries.items():
        own = ", ".join(f"{key} = {text}" for key, text in entry.items() if key not in shared)
        lines.append(f"{json.dumps(name)} = {{ {own} }}")
    return "\n".join(lines) + "\n"


def _entry(case: Case, machine_file: str) -> dict[str, str]:
    """The keys of a recorded case, with their values in TOML."""
    path = Path(case.file)
    workload = f"{_SHIPPED[path.parent]}:{path.name}" if path.parent in _SHIPPED else case.file
    entry = {
        "workload": json.dumps(workload),
        "measured": f'"{case.seconds:.6e} s"',
        "parameters": _inline({_key(name): f"{value:g}" for name, value in case.sizes.items()}),
        "kernel": json.dumps(case.function),
        "machine": json.dumps(machine_file),
        "group": json.dumps(case.build.compiler),
        "options": _inline({key: json.dumps(word) for key, word in _options(case).items()}),
    }
    if case.macros:
        entry["macros"] = _inline({name: str(value) for name, value in case.macros.items()})
    if case.arguments:
        entry["arguments"] = json.dumps(list(case.arguments))
    return entry | ({"disturbed": "true"} if case.disturbed else {})


def _inline(values: Mapping[str, str]) -> str:
    """A table of TOML on one line."""
    return f"{{ {', '.join(f'{key} = {text}' for key, text in values.items())} }}"


def _key(name: str) -> str:
    """A key of a table in TOML: the member of a struct in quotes."""
    return name if name.isidentifier() else json.dumps(name)
