"""The measured times as a recording that `foretell validate trace` replays: python validation/trace/record.py

Writes src/foretell/uses/recorded/trace.toml and the machines beside the traces: what the probe found of each CPU, with
the cost of a parallel region as regions.c measured it when the examples ran (the probe's threads wait busily; those of
the examples go to sleep as OpenMP's usually do, and read what others wrote in the region before).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foretell import files

HERE = Path(__file__).parent
RECORDED = HERE.parents[1] / "src" / "foretell" / "uses" / "recorded"
TITLE = "Traced examples on two CPUs and a GPU"


@dataclass(frozen=True)
class Place:
    """A machine, how many of its cores, and the measured versions, of which the fastest counts."""

    name: str
    machine: str
    threads: int | None
    results: tuple[str, ...]
    versions: tuple[str, ...]


ALONE = ("sequential", "openmp 1")
SMALL = ("xeon-2.json", "xeon-2-optimised-3.json")
LARGE = ("xeon-16-h200.json", "xeon-16-2.json", "xeon-16-1.json", "xeon-16-optimised.json")
PLACES = (
    Place("xeon-2, 1", "trace/xeon-2.toml", 1, SMALL, ALONE),
    Place("xeon-2, 2", "trace/xeon-2.toml", 2, SMALL, ("openmp 2",)),
    Place("xeon-16, 1", "trace/xeon-16.toml", 1, LARGE, ALONE),
    Place("xeon-16, 4", "trace/xeon-16.toml", 4, LARGE, ("openmp 4",)),
    Place("xeon-16, 16", "trace/xeon-16.toml", 16, LARGE, ("openmp 16",)),
    Place("h200", "h200", None, LARGE, ("cuda",)),
)


def main() -> None:
    """Writes the recording and its machines."""
    results = {name: json.loads(files.read_text(HERE / "results" / name)) for name in (*SMALL, *LARGE)}
    write_machine("xeon-2", results[SMALL[0]]["regions"]["shared 2"])
    write_machine("xeon-16", results[LARGE[0]]["regions"]["shared 16"])
    cases = {title(one): one["example"] for file in LARGE for one in results[file]["cases"]}
    optimised = {title(one) for one in results["xeon-16-optimised.json"]["cases"]}
    text = [
        "# Written by validation/trace/record.py from the times in validation/trace/results.",
        f'title = "{TITLE}"',
        'split = ["xeon-16, 16", "h200"]',
        "",
    ]
    for name, example in cases.items():
        label = "optimised" if name in optimised else ""
        for place in PLACES:
            text += case(example, name, place, seconds(results, place, name), label)
    for name in cases:
        text += [f'[order."{name}"]', *(f'"{place.name}" = ["{name} on {place.name}"]' for place in PLACES), ""]
    (RECORDED / "trace.toml.xz").write_bytes(files.pack("\n".join(text)))


def seconds(results: dict[str, Any], place: Place, name: str) -> float:
    """The fastest of all runs and versions of a case at a place: what disturbs a run only makes it longer."""
    cases = [
        (results[file].get("kind"), one)
        for file in place.results
        for one in results[file]["cases"]
        if title(one) == name
    ]
    return min(
        seconds
        for kind, one in cases
        for version, seconds in one["seconds"].items()
        if version in place.versions and (kind, version) != ("optimised", "sequential")
    )


def title(case: dict[str, Any]) -> str:
    """Example and sizes."""
    return "-".join([case["example"], *case["arguments"]])


def case(example: str, name: str, place: Place, measured: float, label: str) -> list[str]:
    """One table of the recording."""
    marked = [f'label = "{label}"', f'options = {{ effort = "{label}" }}'] if label else []
    threads = [] if place.threads is None else [f"parameters = {{ threads = {place.threads} }}"]
    return [
        f'[case."{name} on {place.name}"]',
        f'workload = "trace/{name}.trace.xz"',
        f'kernel = "{example}"',
        f'group = "{place.name}"',
        f'machine = "{place.machine}"',
        *threads,
        *marked,
        f'measured = "{measured:.6g} s"',
        "",
    ]


def write_machine(name: str, region: float) -> None:
    """A probed machine with what a parallel region costs there."""
    probed = files.read_text(HERE / "machines" / f"{name}.toml")
    text = re.sub(r"^launch = .*$", f'launch = {{ value = "{region:.4g} s", source = "regions" }}', probed, flags=re.M)
    source = (
        '[sources.regions]\nkind = "measured"\n'
        'reference = "validation/trace/regions.c, OpenMP regions of all cores that pass a line on; with the examples"'
        "\n\n"
    )
    (RECORDED / "trace" / f"{name}.toml").write_text(text.replace("[target]", f"{source}[target]", 1))


if __name__ == "__main__":
    main()
