"""Times of the traced examples here, with OpenMP and on a GPU: python3 measure.py RESULT.json [ROUNDS [KIND]]

KIND is `examples` (cases.json) or `optimised` (optimised.json: the versions of optimised.cpp and optimised.cu).
Needs Python, gcc and g++; nvcc and a GPU for the CUDA versions. The fastest of ROUNDS runs counts. The checksum that
every version prints must agree with the sequential one.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "src" / "foretell" / "examples" / "kernels"
CASES = {"examples": "cases.json", "optimised": "optimised.json"}
OPTIMISE = ("-O3", "-march=native", "-ffast-math")
#: sums in another order differ in their last digits
TOLERANCE = 1e-6


def main(result: str, rounds: str = "9", kind: str = "examples") -> None:
    """Writes the times of every case and version, and what they were measured on."""
    cores = len(os.sched_getaffinity(0))
    threads = [count for count in (1, 2, 4, 16) if count <= cores]
    listed = json.loads((HERE / CASES[kind]).read_text())
    cases = [(name, [str(n) for n in numbers]) for name, *numbers in listed]
    with tempfile.TemporaryDirectory() as folder:
        programs = build(Path(folder), sorted({name for name, _ in cases}), kind)
        measured = [case(name, arguments, programs, threads, int(rounds)) for name, arguments in cases]
        waits = regions(Path(folder))
    document = {
        "format": "foretell example times 1",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"processor": processor(), "cores": cores, "system": platform.platform(), "gpu": gpu()},
        "compilers": {name: version(name) for name in ("gcc", "nvcc") if shutil.which(name)},
        "options": list(OPTIMISE),
        "kind": kind,
        "rounds": int(rounds),
        "regions": waits,
        "cases": measured,
    }
    Path(result).write_text(json.dumps(document, indent=1) + "\n")


def case(
    name: str, arguments: list[str], programs: dict[str, Path], threads: list[int], rounds: int
) -> dict[str, object]:
    """All versions of one example at one size."""
    versions: dict[str, tuple[list[str], dict[str, str]]] = {"sequential": ([str(programs[name]), *arguments], {})}
    parallel = [str(programs["optimised"]), name] if "optimised" in programs else [str(programs[f"{name} openmp"])]
    for count in threads:
        places = {"OMP_NUM_THREADS": str(count), "OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
        versions[f"openmp {count}"] = ([*parallel, *arguments], places)
    if "cuda" in programs:
        versions["cuda"] = ([str(programs["cuda"]), name, *arguments], {})
    # what takes the fastest of several rounds by itself, and what is there for its checksum
    once = {"cuda", "sequential"} if "optimised" in programs else {"cuda"}
    seconds: dict[str, float] = {}
    expected: float | None = None
    for _ in range(rounds):
        for version_, (command, places) in versions.items():
            if version_ in seconds and version_ in once:
                continue
            time, checksum = run(command, places)
            expected = checksum if expected is None else expected
            if abs(checksum - expected) > TOLERANCE * abs(expected):
                raise SystemExit(f"{name} {arguments} {version_}: checksum {checksum}, sequential {expected}")
            seconds[version_] = min(time, seconds.get(version_, time))
    return {"example": name, "arguments": arguments, "seconds": seconds}


def regions(folder: Path) -> dict[str, float]:
    """Seconds of a parallel region without work, by what its threads share and how many they are."""
    target = folder / "regions"
    subprocess.run(["gcc", *OPTIMISE, "-fopenmp", str(HERE / "regions.c"), "-o", str(target)], check=True)
    places = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
    done = subprocess.run(
        [str(target)], env={**os.environ, **places}, check=True, capture_output=True, text=True, timeout=120
    )
    words = [line.split() for line in done.stdout.splitlines()]
    return {f"{what} {team}": float(seconds) for what, team, seconds in words}


def run(command: list[str], places: dict[str, str]) -> tuple[float, float]:
    """Seconds and checksum that a program prints."""
    done = subprocess.run(
        command, env={**os.environ, **places}, check=True, capture_output=True, text=True, timeout=120
    )
    words = done.stdout.split()
    return float(words[words.index("seconds") + 1]), float(words[words.index("checksum") + 1])


def build(folder: Path, names: list[str], kind: str) -> dict[str, Path]:
    """Programs by name, with ` openmp` behind it for the parallel version; `optimised` and `cuda` hold all of them."""
    programs = {}
    for name in names:
        source = next(path for path in (EXAMPLES / f"{name}.c", EXAMPLES / f"{name}.cpp") if path.exists())
        programs[name] = compiled(folder, name, source, ())
        if kind == "examples":
            programs[f"{name} openmp"] = compiled(folder, f"{name}-openmp", source, ("-fopenmp",))
    if kind == "optimised":
        programs[kind] = compiled(folder, kind, HERE / "optimised.cpp", ("-fopenmp", f"-I{EXAMPLES}"))
    if shutil.which("nvcc") and gpu():
        target = folder / "cuda"
        options = ["-O3", "-std=c++17", "-arch=native", "--extended-lambda", f"-I{EXAMPLES}"]
        subprocess.run(["nvcc", *options, str(HERE / f"{kind}.cu"), "-o", str(target)], check=True)
        programs["cuda"] = target
    return programs


def compiled(folder: Path, name: str, source: Path, options: tuple[str, ...]) -> Path:
    """A program of one source."""
    compiler = "g++" if source.suffix == ".cpp" else "gcc"
    target = folder / name
    subprocess.run([compiler, *OPTIMISE, *options, str(source), "-o", str(target), "-lm"], check=True)
    return target


def gpu() -> str:
    """Its name and driver, or nothing."""
    if not shutil.which("nvidia-smi"):
        return ""
    query = ["nvidia-smi", "--query-gpu=name,driver_version,clocks.max.sm", "--format=csv,noheader"]
    done = subprocess.run(query, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def version(program: str) -> str:
    """The last line but one of nvcc, the first of gcc."""
    lines = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()
    return lines[0] if program == "gcc" else lines[-2]


def processor() -> str:
    """Its name, as Linux gives it."""
    wanted = ("model name", "cpu family", "model", "CPU part")
    fields: dict[str, str] = {}
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, text = line.partition(":")
        if name.strip() in wanted:
            fields.setdefault(name.strip(), text.strip())
    return ", ".join(f"{name} {text}" for name, text in fields.items())


if __name__ == "__main__":
    main(*sys.argv[1:4])
