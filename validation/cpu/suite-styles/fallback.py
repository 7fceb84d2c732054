"""Code for a target without its compiler, compared: generated code that imitates gcc, generated code as clang makes it,
and zig's clang, as it is and with switches for gcc's habits, against the followed code of the real gcc and
against measured times.

    python validation/cpu/suite-styles/fallback.py RECORDING.toml ASSEMBLY tuning|report [WORD...]

The arguments are those of evaluate.py. Cases in memory are left out: their time is the traffic, which the code hardly
changes. A case counts where every way answers. Answers are kept in CACHE (/tmp/foretell-fallback.json) while the
package does not change.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from statistics import median, quantiles

import evaluate

from foretell import files, machines, units
from foretell.codegen.compilers.flags import gcc_habits
from foretell.uses.error_statistics import set_of

_CACHE = Path(os.environ.get("CACHE", "/tmp/foretell-fallback.json"))
#: options of each way to get code
_WAYS = {
    "followed": {},
    "imitation": {"cc": "none"},
    "clang": {"cc": "none", "compiler": "clang"},
    "zig": {"cc": "zig"},
    "zig as gcc": {"cc": "zig"},
}


def answer(entry: dict, machine: machines.Machine, assembly: Path, way: str) -> float | None:
    """The time that a way predicts, if it does."""
    options = dict(entry["options"])
    if way != "followed":
        options |= _WAYS[way]
    if way == "zig":
        options["flags"] = re.sub(r"-mtune-ctrl=\S+", "", options["flags"])
    elif way == "zig as gcc":  # what is taken where no compiler of the target is installed
        options["flags"] = " ".join(gcc_habits(options["flags"].split()))
    predicted = evaluate.predict({**entry, "options": options}, machine, assembly if way == "followed" else None)
    return predicted.get("time")


def answers(cases: dict, machine: machines.Machine, assembly: Path) -> dict[str, dict[str, float | None]]:
    """The time of every case by every way."""
    digest = evaluate.package_digest()
    kept = json.loads(_CACHE.read_text()) if _CACHE.exists() else {}
    if kept.get("digest") != digest:
        kept = {"digest": digest}
    for name, entry in cases.items():
        key = f"{assembly} {name}"
        if key not in kept:
            kept[key] = {way: answer(entry, machine, assembly, way) for way in _WAYS}
            _CACHE.write_text(json.dumps(kept))
    return {name: kept[f"{assembly} {name}"] for name in cases}


def line(title: str, errors: list[float]) -> str:
    """One line of statistics."""
    if len(errors) < 2:
        return f"{title:36} {len(errors)} cases"
    within = sum(error <= 0.2 for error in errors) / len(errors)
    tenth = quantiles(errors, n=10)[-1]
    return f"{title:30}{len(errors):4} cases, median {median(errors):6.1%}, p90 {tenth:7.1%}, within 20 % {within:4.0%}"


def main() -> None:
    """Prints the errors of each way, and of `tuning` the cases."""
    recording, assembly, half, *words = sys.argv[1:]
    document = files.parse_toml(files.read_text(Path(recording)), Path(recording))
    cases = {
        name: {**document.get("defaults", {}), **entry}
        for name, entry in document["case"].items()
        if set_of(entry["kernel"]) == half and entry["workload"].split(":")[1].endswith(".c")
        if not name.endswith("(memory)") and (not words or any(word in name for word in words))
    }
    machine = evaluate.shared(machines.load(Path(recording).parent / "machine.toml"))
    times = answers(cases, machine, Path(assembly))
    complete = {name: row for name, row in times.items() if None not in row.values()}
    measured = {name: units.parse_as(cases[name]["measured"], "s") for name in complete}
    functions = {cases[name]["kernel"] for name in complete}
    print(f"{len(complete)} of {len(cases)} cases, {len(functions)} functions")
    for way in _WAYS:
        print(line(f"{way} against measured", [abs(row[way] / measured[name] - 1) for name, row in complete.items()]))
    for way in list(_WAYS)[1:]:
        against = [abs(row[way] / row["followed"] - 1) for row in complete.values()]
        print(line(f"{way} against followed", against))
    if half == "tuning":
        for name, row in times.items():
            print(name, *(f"{way}={'-' if time is None else f'{time:.3e}'}" for way, time in row.items()))


if __name__ == "__main__":
    main()
