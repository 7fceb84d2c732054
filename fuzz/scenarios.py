"""What is killed by kills.py: commands with the files that they continue from, and what must be the same in the end."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT = Path(__file__).parents[1]
FORETELL = (sys.executable, "-m", "foretell")
#: keys of answers that differ between runs
_VOLATILE = ("seconds", "elapsed_s", "resumed", "cpu_s", "engine", "rate")
_LONGEST_S = 600.0
#: of `run`: the program's own time between its calls, measured, and all that follows from it
_OF_HOST = ("host_s", "idle_s", "busy_s", "waiting_s", "total_s", "timeline", "critical_path")

#: 33 blocks of the SW26010's equations
_SPACE = """name = "kills"
machine = "sw26010"
[[application]]
code = "example:vector-add"
[names]
cores = "cores.count"
bw = {{ path = "memory.bandwidth", unit = "GB/s" }}
clock = {{ path = "clock.frequency", unit = "GHz" }}
[axes]
cores = {{ from = 1, to = 256, step = 1 }}
bw = {{ from = 16, to = 128, step = 0.5 }}
clock = {{ from = 1.0, to = 2.0, step = {step} }}
[objectives]
minimise = ["time", "area", "power"]
{more}
"""
_SEARCH = "[search]\nevaluations = 6000\npopulation = 64\nseed = 3"
_KERNEL = """extern "C" __global__ void scale(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { float v = x[i]; for (int k = 0; k < ROUNDS; ++k) v = v * 2 + 1; y[i] = v; }
}
"""
_STENCIL = """#define N 512
void {name}(double a[N][N], double b[N][N]) {{
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) b[i][j] = {factor} * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}}
"""


@dataclass(frozen=True)
class Scenario:
    """A command. `journal` is what it continues from (a file, or a folder of files), by whose bytes kills are placed;
    `outputs` are files that must be the same, besides the answer on stdout; `measured` are keys of the answer that the
    clock of the host decides."""

    name: str
    words: tuple[str, ...]
    journal: str
    outputs: tuple[str, ...] = ()
    prepare: Callable[[Path], None] = lambda _: None
    environment: dict[str, str] = field(default_factory=dict)
    measured: tuple[str, ...] = ()

    def start(self, folder: Path, mark: dict[str, str]) -> subprocess.Popen[bytes]:
        """Starts the command in a folder."""
        words = [word.replace("FOLDER", str(folder)) for word in self.words]
        own = {name: value.replace("FOLDER", str(folder)) for name, value in self.environment.items()}
        with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
            return subprocess.Popen(words, cwd=folder, stdout=out, stderr=err, env={**os.environ, **own, **mark})

    def position(self, folder: Path) -> int:
        """Bytes of the journal."""
        return size_of(folder / self.journal)

    def result(self, folder: Path) -> object:
        """The answer without what differs between runs, and the bytes of other outputs."""
        text = (folder / "stdout").read_text(errors="replace")
        files = [_content(folder / name) for name in self.outputs]
        return [stable(json.loads(text), self.measured) if text.strip() else "", *files]


def _content(path: Path) -> object:
    """The bytes of a file; of a capture all that does not come from the clock of the host."""
    if path.suffix != ".capture":
        return path.read_bytes()
    from foretell.frontends.gpu.capture import Capture

    capture = Capture(path)
    steps = [step for step in json.loads(capture.blob(capture.index.program)) if step[0] != "advance"]
    return [capture.index.launches, steps, [capture.blob(one) for one in range(capture.index.program)]]


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files of a folder."""
    try:
        if path.is_dir():
            return sum(size_of(entry) for entry in path.iterdir())
        return path.stat().st_size
    except OSError:
        return 0


def stable(value: object, measured: tuple[str, ...] = ()) -> object:
    """An answer without what differs between runs."""
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if not key.endswith(_VOLATILE) and key not in measured}
        return {key: stable(item, measured) for key, item in kept.items()}
    return [stable(item, measured) for item in value] if isinstance(value, list) else value


# ---------------------------------------------------------------------------------------------- explore


def _space(step: float, more: str = "") -> Callable[[Path], None]:
    return lambda folder: (folder / "space.toml").write_text(_SPACE.format(step=step, more=more)) and None


def _explore(name: str, *options: str, step: float = 0.028, more: str = "", outputs: tuple[str, ...] = (),
             before: Sequence[str] = FORETELL) -> Scenario:  # fmt: skip
    words = (*before, "explore", "space.toml", "--no-progress", "--journal", "journal", "--format", "json", *options)
    return Scenario(name, words, "journal", outputs, _space(step, more))


def _explorations() -> list[Scenario]:
    scenarios = [
        _explore("explore", "--workers", "1"),
        _explore("explore-workers", "--workers", "2"),
        _explore("explore-points", "--points", "p.csv", "--workers", "2", step=0.5, outputs=("p.csv",)),
        _explore("explore-search", "--workers", "1", more=_SEARCH),
    ]
    mpiexec = shutil.which("mpiexec") or shutil.which(
        "mpiexec", path=f"{Path(sys.executable).parent}:{_beside_numpy()}"
    )
    if mpiexec and _has("mpi4py"):
        ranks = (mpiexec, "-n", "2", sys.executable, "-m", "mpi4py.futures", "-m", "foretell")
        scenarios.append(_explore("explore-mpi", "--engine", "mpi", before=ranks))
    if _has("distributed"):
        scenarios.append(_explore("explore-dask", "--engine", "dask", "--dask", "DASK"))
    return scenarios


def _has(package: str) -> bool:
    return subprocess.run([sys.executable, "-c", f"import {package}"], capture_output=True, check=False).returncode == 0


def _beside_numpy() -> str:
    """The folder of programs of the environment that has the packages."""
    import numpy

    return str(Path(numpy.__file__).parents[4] / "bin")


@cache
def dask_cluster() -> tuple[str, subprocess.Popen[str]]:
    """A scheduler with two workers, for all cases; the caller ends it."""
    script = (
        "import sys\nfrom distributed import LocalCluster\n"
        "if __name__ == '__main__':\n"
        "    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as c:\n"
        "        print(c.scheduler_address, flush=True)\n        sys.stdin.read()\n"
    )
    words = [sys.executable, "-c", script]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process.stdout.readline().strip(), process


# ---------------------------------------------------------------------------------------------- tune, check, run


def _tunings() -> list[Scenario]:
    sunway = ("tune", "example:hotspot.c", "--on", "sw26010", "-D", "n=128", "-D", "m=128", "--strategy", "dynamic")
    scenarios = [Scenario("tune", (*FORETELL, *sunway, "--journal", "journal", "--format", "json"), "journal")]
    if shutil.which("nvcc"):
        axes = ("--axis", "B=32,64,96,128,256,512", "--axis", "ROUNDS=1,7,40", "-D", "n=65536")
        launch = ("--grid", "ceil(n/B)", "--block", "B", "--arg", "f32[n]", "--arg", "f32[n]", "--arg", "n")
        words = ("tune", "scale.cu", "--on", "h200", *axes, *launch, "--journal", "journal", "--format", "json")
        scenarios.append(
            Scenario("tune-gpu", (*FORETELL, *words), "journal", (),
                     lambda folder: (folder / "scale.cu").write_text(_KERNEL) and None)
        )  # fmt: skip
    return scenarios


def _versions(folder: Path) -> None:
    """Two versions of twelve codes, and what to compare."""
    names = [f"step{number}" for number in range(12)]
    for version, factor in (("base", "0.25"), ("head", "0.2 + 0.05 * a[i][j]")):
        (folder / version).mkdir(exist_ok=True)
        for name in names:
            (folder / version / f"{name}.c").write_text(_STENCIL.format(name=name, factor=factor))
    codes = "".join(f'[code.{name}]\nfiles = ["{name}.c"]\nfunctions = ["{name}"]\n' for name in names)
    (folder / "foretell.toml").write_text(f'machines = ["zen4", "neoverse-n1"]\n{codes}')


def _check() -> Scenario:
    words = (
        "check",
        "--base",
        "base",
        "--head",
        "head",
        "--config",
        "foretell.toml",
        "--jobs",
        "2",
        "--format",
        "json",
    )
    return Scenario("check", (*FORETELL, *words), "cache", (), _versions, {"FORETELL_CACHE": "FOLDER/cache"})


@cache
def _program() -> Path | None:
    """A CUDA program of many launches, built once."""
    nvcc, sources = shutil.which("nvcc"), ROOT / "validation" / "h200" / "programs"
    if nvcc is None or not sources.is_dir():
        return None
    program = ROOT / "build" / "programs" / "kills-fdtd"
    program.parent.mkdir(parents=True, exist_ok=True)
    flags = ["-arch=sm_90", "-std=c++17", "-lineinfo"]
    subprocess.run([nvcc, *flags, "-o", str(program), str(sources / "fdtd_2d.cu")], check=True, capture_output=True)
    return program


def _recording() -> list[Scenario]:
    program = _program()
    if program is None:
        return []
    options = ("run", "--on", "h200", "--record", "app.capture", "--timeline", "timeline.json", "--format", "json")
    command = (*FORETELL, *options, "--", str(program))
    return [Scenario("run", command, "", ("app.capture",), measured=_OF_HOST)]


# ---------------------------------------------------------------------------------------------- serve


@dataclass(frozen=True)
class ServedJob(Scenario):
    """A server with one job; a killed server is started again, and the job goes on."""

    question: str = ""
    document: dict[str, Any] = field(default_factory=dict)

    def start(self, folder: Path, mark: dict[str, str]) -> subprocess.Popen[bytes]:
        """Starts a server, and gives it the job if it has none."""
        process = super().start(folder, mark)
        link = self._link(folder, process)
        if not self.ask(link, "jobs")["jobs"]:
            self.ask(link, "jobs", {"question": self.question, "document": self.document})
        return process

    def finish(self, folder: Path, process: subprocess.Popen[bytes]) -> object:
        """The answer of the job, once it has ended."""
        link, end = self._link(folder, process), time.monotonic() + _LONGEST_S
        while time.monotonic() < end:
            (job,) = self.ask(link, "jobs")["jobs"]
            if job["state"] not in ("queued", "running"):
                if not job.get("run"):
                    raise RuntimeError(f"the job was not done: {job}")
                return stable(self.ask(link, f"runs/{job['run']}")["answer"])
            time.sleep(0.1)
        raise TimeoutError("the job does not end")

    @staticmethod
    def _link(folder: Path, process: subprocess.Popen[bytes]) -> tuple[str, str]:
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            match = re.search(r"(http://127\.0\.0\.1:\d+/)\?token=(\S+)", (folder / "stdout").read_text())
            if match:
                return match[1], match[2]
            time.sleep(0.02)
        raise RuntimeError((folder / "stderr").read_text()[-400:] or "the server does not start")

    @staticmethod
    def ask(link: tuple[str, str], path: str, document: object = None) -> dict[str, Any]:
        """Asks the server."""
        body = None if document is None else json.dumps(document).encode()
        asked = urllib.request.Request(f"{link[0]}api/v1/{path}", body, {"Authorization": f"Bearer {link[1]}"})
        for _ in range(200):
            try:
                with urllib.request.urlopen(asked, timeout=60) as reply:
                    answer: dict[str, Any] = json.load(reply)
                return answer
            except urllib.error.URLError:  # it does not listen yet
                time.sleep(0.05)
        raise TimeoutError(path)


def _served() -> list[Scenario]:
    if not (_has("starlette") and _has("sqlalchemy")):
        return []
    words = (*FORETELL, "serve", "--port", "0", "--folder", "store", "--workers", "1")
    tuned = {"code": {"example": "hotspot.c"}, "on": "sw26010", "parameters": {"n": 128, "m": 128}}
    explored = {"code": {"name": "space.toml", "text": _SPACE.format(step=0.028, more="")}}
    return [
        ServedJob("serve", words, "store", question="tune", document={**tuned, "job": {"strategy": "dynamic"}}),
        ServedJob("serve-explore", words, "store", question="explore", document=explored),
    ]


def scenarios() -> list[Scenario]:
    """All that can be killed here."""
    return [*_explorations(), *_tunings(), _check(), *_served(), *_recording()]
