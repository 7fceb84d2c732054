"""Times of `foretell check` on a repository with 100 functions and five machines: cold, unchanged, one file changed.

python benchmarks/check/speed.py [FUNCTIONS]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from check.many_functions import commit, functions, git, write

MACHINES = ("zen4", "sapphire-rapids", "neoverse-n1", "graviton3", "ice-lake")


def timed(folder: Path, cache: Path, *words: str) -> tuple[float, float]:
    """Wall and processor time of a check."""
    before, start = os.times(), time.perf_counter()
    command = [sys.executable, "-m", "foretell", "check", *words]
    environment = {**os.environ, "FORETELL_CACHE": str(cache)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stderr
    print("   ", done.stdout.splitlines()[0])
    after = os.times()
    used = after.children_user - before.children_user + after.children_system - before.children_system
    return time.perf_counter() - start, used


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as base:
        folder, cache = Path(base) / "project", Path(base) / "cache"
        texts = functions(count)
        write(folder, texts, MACHINES)
        git(folder, "init", "-b", "main")
        commit(folder, "first")
        git(folder, "checkout", "-b", "change")
        print("cold, wall and processor seconds:", *(f"{s:.1f}" for s in timed(folder, cache)))
        print("unchanged:", *(f"{s:.2f}" for s in timed(folder, cache)))
        texts["work_0"] = texts["work_0"].replace("+ ", "- ")
        write(folder, texts, MACHINES)
        commit(folder, "change")
        print("one file changed:", *(f"{s:.2f}" for s in timed(folder, cache)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
