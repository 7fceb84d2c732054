"""Compiles what `write.py` wrote and times the versions of each nest in turn, on one core beside other work.

python validation/advice/every/alternate.py FOLDER SECONDS CORE COMPILER FLAGS

It writes asmTAG/NEST__VERSION.s and timesTAG.jsonl.

COMPILER is the folder and the end of its name (`/opt/gcc13/bin/-13`, or empty); a chunk of calls during which the
process was preempted or waited does not count. SECONDS are for each version.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

#: beside other work, a call of milliseconds is preempted in every chunk but at a real-time priority
AT_ONCE = ("chrt", "-f", "1")
COMPILERS = {".c": ("gcc", "-std=gnu11"), ".f90": ("gfortran", "-ffree-form")}


def main() -> None:
    folder, seconds, core, where, flags = Path(sys.argv[1]), float(sys.argv[2]), *sys.argv[3:6]
    tag = ("13" if "13" in where else "12") + flags.replace(" ", "").replace("-march=native", "-native")
    (folder / f"asm{tag}").mkdir(exist_ok=True)
    (folder / f"lib{tag}").mkdir(exist_ok=True)
    out = folder / f"times{tag}.jsonl"
    done = {json.loads(line)["nest"] for line in out.read_text().splitlines()} if out.exists() else set()
    jobs = json.loads((folder / "jobs.json").read_text())
    for nest, own in groupby(jobs, key=lambda job: str(job["nest"])):
        if nest not in done:
            measured(folder, tag, nest, list(own), (seconds, core, where, flags.split()), out)


def measured(folder: Path, tag: str, nest: str, jobs: list[dict[str, Any]], how: Any, out: Path) -> None:
    seconds, core, where, flags = how
    first = {**jobs[0], "version": "before", "kind": "before", "flags": "", "title": ""}
    every = [job for job in (first, *jobs) if built(folder, tag, job, where, flags)]
    program = folder / f"{nest}.main"
    subprocess.run(
        ["gcc", "-O2", "-w", "-std=gnu11", str(folder / f"{nest}.main.c"), "-o", str(program), "-ldl"], check=True
    )
    words = [word(folder, tag, job) for job in every]
    command = [*AT_ONCE, "taskset", "-c", core, str(program.resolve()), str(seconds * len(every)), *words]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60 + 4 * seconds * len(every), check=False)
    if ran.returncode:
        print(nest, "failed", ran.returncode, ran.stderr, flush=True)
        return
    lines = [line.split() for line in ran.stdout.splitlines()]
    with out.open("a") as file:
        for job, (time_s, chunks, checksum) in zip(every, lines, strict=True):
            near = 1e-4 if "float" in (folder / f"{nest}__before{job['suffix']}").read_text() else 1e-9
            same = math.isclose(float(checksum), float(lines[0][2]), rel_tol=near)
            entry = {"nest": nest, "version": job["version"], "time_s": float(time_s), "chunks": int(chunks)}
            file.write(json.dumps({**entry, "same": same}) + "\n")
            if not same:
                print(nest, job["version"], "OTHER RESULTS", checksum, lines[0][2], flush=True)
    print(nest, len(every), [line[1] for line in lines][:6], flush=True)


def built(folder: Path, tag: str, job: dict[str, Any], where: str, flags: list[str]) -> bool:
    """Compiles a version to assembly and that to a library; a version that cannot be compiled is said."""
    name = f"{job['nest']}__{job['version']}"
    source, assembly = folder / f"{name}{job['suffix']}", folder / f"asm{tag}" / f"{name}.s"
    compiler, form = COMPILERS[job["suffix"]]
    path, _, end = where.rpartition("/")
    called = f"{path}/{compiler}{end}" if where else compiler
    own = [one for one in job["flags"].split() if not one.startswith("-I")]
    made = [called, *flags, *own, form, "-w", "-g1", "-S", str(source), "-o", str(assembly)]
    ran = subprocess.run(made, capture_output=True, text=True, check=False)
    if ran.returncode:
        print(name, "does not compile:", ran.stderr[:600], flush=True)
        return False
    library = folder / f"lib{tag}" / f"{name}.so"
    subprocess.run(["gcc", "-shared", str(assembly), "-o", str(library), "-lm", "-lgfortran"], check=True)
    return True


def word(folder: Path, tag: str, job: dict[str, Any]) -> str:
    symbol = job["nest"] + ("_" if job["suffix"] == ".f90" else "")
    library = (folder / f"lib{tag}" / f"{job['nest']}__{job['version']}.so").resolve()
    divided = job["title"].partition("each member of ")[2].split(" ")[0] if job["kind"] == "aos_to_soa" else ""
    return f"{library}={symbol}" + (f"={divided}" if divided else "")


if __name__ == "__main__":
    main()
