"""Is the answer of `foretell check` the same on every host? C, assembly and a CUDA kernel on four machines.

python -m benchmarks.check.hosts make FOLDER          # two versions of the same inputs, to be carried to each host
python -m benchmarks.check.hosts answer FOLDER OUT    # under three environments; exit code 1: the answers differ
python -m benchmarks.check.hosts compare OUT OUT…     # of several hosts; exit code 1: a byte differs

What a host may differ in: language, time zone, home, hash seed, number of workers, compilers and processor.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.check.many_functions import functions

MACHINES = ("zen4", "sapphire-rapids", "neoverse-n1", "h200")
COMPILERS = {"x86.s": ("x86_64-linux-gnu-gcc", "zen4"), "arm.s": ("aarch64-linux-gnu-gcc", "neoverse-n1")}
#: environment variables and number of workers
HOSTS = (
    ({"LANG": "C", "TZ": "UTC", "PYTHONHASHSEED": "1", "PYTHONUTF8": "0"}, "0"),
    ({"LANG": "de_DE.UTF-8", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kolkata", "PYTHONHASHSEED": "77"}, "1"),
    ({"LANG": "C.UTF-8", "TZ": "America/Adak", "COLUMNS": "40"}, "2"),
)
KERNEL = """\
extern "C" __global__ void scale(int n, float f, const float *a, float *b)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * STRIDE % n;
    if (i < n)
        b[i] = f * a[i];
}
"""
TABLES = """\
machines = ["zen4", "sapphire-rapids", "neoverse-n1"]
limit = "2%"

[code.c]
file = "work.c"
functions = ["*"]
sizes = { n = 100000 }
compiler = "none"
"""
ASSEMBLY = """
[code.{name}]
file = "{file}"
function = "work_2"
args = [1000, "f64[1000]", "f64[1000]", "f64[1000]"]
machines = ["{machine}"]
"""
CUBIN = """
[code.kernel]
file = "scale.cubin"
kernel = "scale"
grid = 8192
block = 256
args = [2097152, 2.0, "f32[2097152]", "f32[2097152]"]
machines = ["h200"]
"""


def make(folder: Path) -> None:
    """Two versions: in the second, every third function has another type, and threads are 8 elements apart."""
    texts = functions(16)
    changed = {
        name: text.replace("double", "float") if int(name[5:]) % 3 == 2 else text for name, text in texts.items()
    }
    for version, stride, own in (("base", 1, texts), ("head", 8, changed)):
        root = folder / version
        root.mkdir(parents=True, exist_ok=True)
        (root / "work.c").write_text("\n".join(own.values()))
        toml = TABLES
        for file, (compiler, machine) in COMPILERS.items():
            command = [shutil.which(compiler) or "gcc", "-O2", "-S", "work.c", "-o", file]
            subprocess.run(command, cwd=root, check=True)
            toml += ASSEMBLY.format(name=file[:3], file=file, machine=machine)
        (root / "scale.cu").write_text(KERNEL.replace("STRIDE", str(stride)))
        subprocess.run(["nvcc", "-cubin", "-O3", "-arch=sm_90", "scale.cu", "-o", "scale.cubin"], cwd=root, check=True)
        (root / "scale.cu").unlink()
        (root / "foretell.toml").write_text(toml + CUBIN)


def answer(folder: Path, out: Path) -> int:
    """The answer under each environment, and what the host is."""
    out.mkdir(parents=True, exist_ok=True)
    texts = []
    for number, (own, jobs) in enumerate(HOSTS):
        with tempfile.TemporaryDirectory() as home:
            copied = Path(home) / f"größe {number}"
            shutil.copytree(folder, copied)
            places = {"HOME": home, "TMPDIR": home, "FORETELL_CACHE": str(Path(home) / "cache")}
            places["GIT_CEILING_DIRECTORIES"] = home  # a repository around it would give names below its own folder
            kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH") if name in os.environ}
            command = [sys.executable, "-m", "foretell", "check", "../base", ".", "--jobs", jobs, "--format", "json"]
            done = subprocess.run(
                command, cwd=copied / "head", env={**kept, **own, **places}, capture_output=True, check=False
            )
        (out / f"answer-{number}.json").write_bytes(done.stdout)
        (out / f"answer-{number}.err").write_bytes(done.stderr)
        texts.append(done.stdout)
        print(f"environment {number}: exit code {done.returncode}, {hashlib.sha256(done.stdout).hexdigest()}")
    about = {"processor": platform.machine(), "python": platform.python_version(), "system": platform.platform()}
    (out / "host.json").write_text(json.dumps(about, indent=1) + "\n")
    return 0 if texts[0] and len(set(texts)) == 1 else 1


def compare(folders: list[Path]) -> int:
    """Bytes of all answers of all hosts."""
    digests = {}
    for folder in folders:
        host = json.loads((folder / "host.json").read_text())
        for path in sorted(folder.glob("answer-*.json")):
            digests[path] = hashlib.sha256(path.read_bytes()).hexdigest()
            print(digests[path][:16], host["processor"], f"Python {host['python']}", path.name)
    return 0 if len(set(digests.values())) == 1 else 1


if __name__ == "__main__":
    word, *paths = sys.argv[1:]
    if word == "make":
        make(Path(paths[0]))
    else:
        sys.exit(answer(*map(Path, paths)) if word == "answer" else compare([Path(path) for path in paths]))
