"""Traces of all cases, for replays without a compiler: python validation/trace/traces.py [SECONDS]

Each case of cases.json and optimised.json becomes NAME-SIZES.trace.xz beside the recording of the times (record.py);
what is there already is kept. Of the loops' own schedules only the depth and the mean width are kept. A case that
runs longer than the limit (60 s unless given) is named and left out.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import frontends
from foretell.core.facets.trace import Schedule, Trace, Width
from foretell.errors import ForetellError
from foretell.frontends.trace import TraceOptions, read_trace, stored

if TYPE_CHECKING:
    from foretell.core.workload import Workload

HERE = Path(__file__).parent
KERNELS = {"heat2d": "heat", "jacobi7": "jacobi", "spmv_csr": "spmv", "spmv_jds": "spmv"}


def main() -> None:
    """Traces what is missing."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    folder = HERE.parents[1] / "src" / "foretell" / "uses" / "recorded" / "trace"
    folder.mkdir(exist_ok=True)
    cases = [one for file in ("cases.json", "optimised.json") for one in json.loads((HERE / file).read_text())]
    for name, *sizes in cases:
        target = folder / f"{name}-{'-'.join(map(str, sizes))}.trace.xz"
        if target.exists():
            continue
        source = next(
            one for one in frontends.examples() if one.startswith((f"kernels/{name}.c", f"kernels/{name}.cpp"))
        )
        options = TraceOptions(
            kernel=KERNELS.get(name, name), arguments=tuple(map(str, sizes)), seconds=seconds, reassociate=True
        )
        try:
            found = read_trace([frontends.locate(f"example:{source}")], options)
            stored.write(slim(replace(found, origin=f"example:{source}")), target)
        except ForetellError as error:
            print(f"{target.stem}: {error}", file=sys.stderr)


def slim(workload: Workload) -> Workload:
    """The same without what no model reads."""
    trace = workload.facet(Trace)
    loops = tuple(
        replace(one, schedule=short(one.schedule), distances=(), file=Path(one.file).name) for one in trace.loops
    )
    whole = replace(trace.schedule, bands=())
    trees = None if trace.reassociated is None else replace(trace.reassociated, bands=())
    return replace(workload, facets=(replace(trace, loops=loops, schedule=whole, reassociated=trees),))


def short(schedule: Schedule) -> Schedule:
    """As deep, and as wide in the mean."""
    if not schedule.depth:
        return Schedule()
    return Schedule(schedule.depth, (Width(schedule.operations / schedule.depth, schedule.depth),))


if __name__ == "__main__":
    main()
