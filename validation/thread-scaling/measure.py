"""A series of times of the code blocks: python3 measure.py SERIES.txt SECONDS PROGRAM [PROGRAM …]

Needs nothing but Python. Each PROGRAM is blocks.c or further.c, compiled as compare.py says; they take turns. The
series is what they wrote (`samples.h` says what that is), after a line that says where and when.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

TURNS = 3


def main(series: str, duration: float, programs: list[str]) -> None:
    """Writes the series."""
    where = {
        "format": "foretell thread scaling 3",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": processor(),
        "cpus": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
    }
    each = duration / TURNS / len(programs)
    parts = [sampled(program, each) for _ in range(TURNS) for program in programs]
    Path(series).write_text(json.dumps(where) + "\n" + "".join(parts))


def sampled(program: str, seconds: float) -> str:
    """What a program wrote in its turn."""
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "samples"
        subprocess.run([program, str(seconds), str(lines)], check=True)
        return lines.read_text()


def processor() -> str:
    """Its name, as Linux gives it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    wanted = ("model name", "cpu family", "model", "CPU part")
    fields: dict[str, str] = {}
    for line in lines:
        name, _, text = line.partition(":")
        if name.strip() in wanted:
            fields.setdefault(name.strip(), text.strip())
    return ", ".join(f"{name} {text}" for name, text in fields.items())


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), sys.argv[3:])
