"""Brings what a probed machine file has of the shipped machine with its core up to date, as a probe of today would.

python validation/differences/refresh_core.py MACHINE.toml SHIPPED

Numbers of source `core` were copied from the shipped machine on the day of the probe; what was measured since about the
core stands in the shipped file alone. Measured numbers stay.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path

from foretell.machines import load
from foretell.machines.probe.fill import _DESIGN, _TRAITS


def wanted(shipped: str) -> dict[str, str]:
    """What a probe copies of the shipped machine, as lines of a file."""
    machine, lines = load(shipped), {}
    for path, word in machine.traits.items():
        if path.startswith("pipeline.") or path in _TRAITS:
            lines[path] = f'"{word}"'
    for path, quantity in machine.quantities.items():
        if path in _DESIGN or path.startswith("pipeline."):
            value = f'"{quantity.value:g} {quantity.unit}"' if quantity.unit else f"{quantity.value:g}"
            lines[path] = f'{{ value = {value}, source = "core" }}'
    return lines


def refreshed(text: str, lines: dict[str, str]) -> str:
    section, out, left = "", [], dict(lines)
    for line in text.splitlines():
        if found := re.fullmatch(r"\[([\w.]+)\]", line):
            section = found[1]
        path = f"{section}.{line.split(' = ')[0]}"
        new = left.pop(path, None)
        out.append(f"{line.split(' = ')[0]} = {new}" if new and 'source = "core"' in line else line)
    missing = defaultdict(list)
    for path, value in left.items():
        group, _, key = path.rpartition(".")
        missing[group].append(f"{key} = {value}")
    text = "\n".join(out) + "\n"
    for group, entries in missing.items():
        block = "\n".join([f"[{group}]", *entries]) + "\n"
        heading = f"\n[{group}]\n"
        text = text.replace(heading, "\n" + block) if heading in text else f"{text}\n{block}"
    return text


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(refreshed(file.read_text(), wanted(sys.argv[2])))
