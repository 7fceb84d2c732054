"""What tracing costs, with a helper core and without: all analyses of one run over the same program as -O2 makes it.

    python benchmarks/measured/trace_overhead.py build FOLDER           # needs foretell[trace]: makes all programs
    python3 FOLDER/trace_overhead.py run FOLDER RESULT.json [SECONDS]   # needs nothing: times of them, anywhere

Rounds of all programs, plain and traced ones in turn, until the time is over (140 s); what a program does outside its
kernel is taken off. The fastest traced run counts over the fastest plain one; the figure of every round by itself is
kept, too, to say how far they spread. Program and helper run on the two CPUs that disturb each other least.
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
    ("lu.c", "lu", "640"),
    ("spmv_csr.c", "spmv", "400000 20"),
)
MODES = {
    "all": {"lines": (64,)},
    "dependences": {"locality": False},
    "distances": {"lines": (64,), "dependences": False},
    "sampled": {"lines": (64,), "dependences": False, "sample": 0.01},
}
#: modes that are in every round; the others only in every third
_ALWAYS = ("all", "all, helper core")


def build(folder: Path) -> None:
    """Every program, and this file."""
    from foretell.frontends.trace import TraceOptions
    from foretell.frontends.trace.run import _environment
    from foretell.frontends.trace.toolchain import toolchain
    from tests.support.frontends.traced import KERNELS
    from tests.support.frontends.traced import build as traced

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


def run(folder: Path, result: Path, seconds: float) -> None:
    """Times of all programs over that of the plain one."""
    started = time.monotonic()
    first, second = cores(folder)
    environments = json.loads((folder / "environments.json").read_text())
    environments["all, helper core"] = {**environments["all"], "FORETELL_HELPER": "1"}
    rounds: dict[str, list[dict[str, float]]] = {kernel: [] for _, kernel, _ in CASES}
    longest = 0.0
    while (begun := time.monotonic()) - started + longest < seconds or not rounds["lu"]:
        for _, kernel, arguments in CASES:
            modes = [mode for mode in environments if mode in _ALWAYS or len(rounds[kernel]) % 3 == 0]
            rounds[kernel].append(
                _round(folder, kernel, arguments, {m: environments[m] for m in modes}, (first, second))
            )
        longest = max(longest, time.monotonic() - begun)
    about = {
        "processor": _model(),
        "cores": [first, second],
        "load": os.getloadavg()[0],
        "rounds": len(rounds["lu"]),
        "cases": [_figures(kernel, arguments, rounds[kernel]) for _, kernel, arguments in CASES],
    }
    result.write_text(json.dumps(about, indent=1) + "\n")


def _round(
    folder: Path, kernel: str, arguments: str, environments: dict[str, dict[str, str]], places: tuple[int, int]
) -> dict[str, float]:
    """Seconds of each mode, with plain runs before and between."""
    plain = [str(folder / f"{kernel}-plain"), *arguments.split()]
    found: dict[str, float] = {"plain": float("inf"), "outside": float("inf")}
    for mode, given in environments.items():
        whole, own = _wall(plain, {places[0]}, {})
        found["plain"] = min(found["plain"], own)
        found["outside"] = min(found["outside"], whole - own)
        program = str(folder / f"{kernel}-{mode.split(',')[0]}")
        used = set(places) if "FORETELL_HELPER" in given else {places[0]}
        found[mode] = _wall([program, *arguments.split()], used, given)[0]
    return found


def _figures(kernel: str, arguments: str, rounds: list[dict[str, float]]) -> dict[str, object]:
    native = min(one["plain"] for one in rounds)
    outside = min(one["outside"] for one in rounds)
    found: dict[str, object] = {"kernel": kernel, "arguments": arguments, "native_s": native}
    for mode in rounds[0]:
        if mode not in ("plain", "outside"):
            times = [one[mode] for one in rounds if mode in one]
            alone = [(one[mode] - one["outside"]) / one["plain"] for one in rounds if mode in one]
            found[mode] = (min(times) - outside) / native
            found[f"{mode}, each round"] = [round(one, 2) for one in alone]
    found["native_s, each round"] = [one["plain"] for one in rounds]
    return found


def _model() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":")[1].strip() for line in lines if "model name" in line), "")


def cores(folder: Path) -> tuple[int, int]:
    """The fastest CPU, and the one beside which it stays fastest: hardware threads of one core are not told apart
    everywhere."""
    allowed = sorted(os.sched_getaffinity(0))
    command = [str(folder / "lu-plain"), "320"]

    def alone(cpu: int) -> float:
        return min(_wall(command, {cpu}, {})[1] for _ in range(4))

    def beside(cpu: int) -> float:
        found = []
        for _ in range(4):
            other = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, {cpu})
            )
            found.append(_wall(command, {first}, {})[1])
            other.wait()
        return min(found)

    first = min(allowed, key=alone)
    others = [cpu for cpu in allowed if cpu != first]
    return first, min(others, key=beside, default=first)


def _wall(command: list[str], places: set[int], environment: dict[str, str]) -> tuple[float, float]:
    """Seconds from start to end, and what the program says of its own kernel."""
    started = time.monotonic()
    done = subprocess.run(
        command,
        env={**os.environ, **environment, "FORETELL_TRACE": "/tmp/foretell-overhead"},
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: os.sched_setaffinity(0, places),
    )
    return time.monotonic() - started, float(done.stdout.split()[1])


if __name__ == "__main__":
    if sys.argv[1] == "build":
        sys.path.insert(0, str(Path(__file__).parents[2]))
        build(Path(sys.argv[2]))
    else:
        run(Path(sys.argv[2]), Path(sys.argv[3]), float(sys.argv[4]) if len(sys.argv) > 4 else 140.0)
