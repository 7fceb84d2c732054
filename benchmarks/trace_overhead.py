"""What tracing costs, with a helper core and without: all analyses of one run over the same program as -O2 makes it.

    python benchmarks/trace_overhead.py build FOLDER          # needs foretell[trace]: programs, traced and plain
    python3 FOLDER/trace_overhead.py run FOLDER RESULT.json   # needs nothing: times of them, anywhere

Program and helper run on two different physical cores (by lscpu), the fastest of several rounds counts, and what the
program does outside its kernel is taken off.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

#: source, kernel, arguments
CASES = (
    ("heat2d.c", "heat", "2048 8"),
    ("jacobi7.c", "jacobi", "160 6"),
    ("lu.c", "lu", "448"),
    ("spmv_csr.c", "spmv", "400000 20"),
)
MODES = {
    "all": {"lines": (64,)},
    "dependences": {"locality": False},
    "distances": {"lines": (64,), "dependences": False},
    "sampled": {"lines": (64,), "dependences": False, "sample": 0.01},
}
ROUNDS = 4


def build(folder: Path) -> None:
    """Every program, and this file."""
    from foretell.frontends.trace import TraceOptions
    from foretell.frontends.trace.run import _environment
    from foretell.frontends.trace.toolchain import toolchain
    from tests.support.traced import KERNELS
    from tests.support.traced import build as traced

    folder.mkdir(parents=True, exist_ok=True)
    environments: dict[str, dict[str, str]] = {}
    for file, kernel, _ in CASES:
        for mode, chosen in MODES.items():
            options = TraceOptions(helper=False, **chosen)
            parts = folder / "parts" / f"{kernel}-{mode}"
            parts.mkdir(parents=True, exist_ok=True)
            shutil.copy(traced(KERNELS / file, kernel, parts, options).program, folder / f"{kernel}-{mode}")
            wanted = _environment(options, Path("result"))
            environments[mode] = {k: v for k, v in wanted.items() if k.startswith("FORETELL_")}
        flags = ["-O2", "-fno-vectorize", "-fno-slp-vectorize", "-w"]
        target = str(folder / f"{kernel}-plain")
        subprocess.run([*toolchain(folder).c, *flags, str(KERNELS / file), "-o", target, "-lm"], check=True)
    shutil.rmtree(folder / "parts")
    (folder / "environments.json").write_text(json.dumps(environments))
    shutil.copy(__file__, folder)


def run(folder: Path, result: Path) -> None:
    """Times of all programs over that of the plain one."""
    first, second = cores()
    environments = json.loads((folder / "environments.json").read_text())
    cases = []
    for _, kernel, arguments in CASES:
        plain = [str(folder / f"{kernel}-plain"), *arguments.split()]
        native = min(_own(plain, {first}) for _ in range(3 * ROUNDS))
        outside = _wall(plain, {first}, {}) - native
        found = {"kernel": kernel, "arguments": arguments, "native_s": native}
        for mode, given in environments.items():
            command = [str(folder / f"{kernel}-{mode}"), *arguments.split()]
            found[mode] = (_wall(command, {first}, given) - outside) / native
        command = [str(folder / f"{kernel}-all"), *arguments.split()]
        helped = {**environments["all"], "FORETELL_HELPER": "1"}
        found["all, helper core"] = (_wall(command, {first, second}, helped) - outside) / native
        cases.append(found)
    model = next(
        (
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ),
        "",
    )
    about = {"processor": model, "cores": [first, second], "load": os.getloadavg()[0], "rounds": ROUNDS}
    result.write_text(json.dumps({**about, "cases": cases}, indent=1) + "\n")


def cores() -> tuple[int, int]:
    """A CPU of each of two physical cores; any two where there is but one."""
    listed = subprocess.run(
        ["lscpu", "-p=CPU,CORE,SOCKET"], capture_output=True, text=True, check=True
    ).stdout
    allowed = os.sched_getaffinity(0)
    rows = [line.split(",") for line in listed.splitlines() if not line.startswith("#")]
    by_core: dict[tuple[str, str], int] = {}
    for cpu, core, socket in rows:
        if int(cpu) in allowed:
            by_core.setdefault((socket, core), int(cpu))
    found = list(by_core.values()) if len(by_core) > 1 else sorted(allowed)
    return found[-2], found[-1]  # the first CPUs have the system's own work


def _own(command: list[str], places: set[int]) -> float:
    """What a program says of its own kernel."""
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: os.sched_setaffinity(0, places),
    )
    return float(done.stdout.split()[1])


def _wall(command: list[str], places: set[int], environment: dict[str, str]) -> float:
    """Seconds from start to end, the fastest round."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.monotonic()
        subprocess.run(
            command,
            env={**os.environ, **environment, "FORETELL_TRACE": "/tmp/foretell-overhead"},
            stdout=subprocess.DEVNULL,
            check=True,
            preexec_fn=lambda: os.sched_setaffinity(0, places),
        )
        best = min(best, time.monotonic() - started)
    return best


if __name__ == "__main__":
    if sys.argv[1] == "build":
        sys.path.insert(0, str(Path(__file__).parents[1]))
        build(Path(sys.argv[2]))
    else:
        run(Path(sys.argv[2]), Path(sys.argv[3]))
