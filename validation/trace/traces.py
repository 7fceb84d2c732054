"""Traces of the cases in cases.json, for replays without a compiler: python validation/trace/traces.py [SECONDS]

Each case becomes traces/NAME-SIZES.trace; what is there already is kept. A case that runs longer than the limit (60 s
unless given) is named and left out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from foretell import frontends
from foretell.errors import ForetellError
from foretell.frontends.trace import TraceOptions, read_trace, stored

HERE = Path(__file__).parent
KERNELS = {
    "heat2d": "heat",
    "jacobi7": "jacobi",
    "spmv_csr": "spmv",
    "spmv_jds": "spmv",
}


def main() -> None:
    """Traces what is missing."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    folder = HERE / "traces"
    folder.mkdir(exist_ok=True)
    for name, *sizes in json.loads((HERE / "cases.json").read_text()):
        target = folder / f"{name}-{'-'.join(map(str, sizes))}.trace"
        if target.exists():
            continue
        source = next(
            one
            for one in frontends.examples()
            if one.startswith((f"kernels/{name}.c", f"kernels/{name}.cpp"))
        )
        options = TraceOptions(
            kernel=KERNELS.get(name, name),
            arguments=tuple(map(str, sizes)),
            seconds=seconds,
            reassociate=True,
        )
        try:
            stored.write(read_trace([frontends.locate(f"example:{source}")], options), target)
        except ForetellError as error:
            print(f"{target.stem}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
