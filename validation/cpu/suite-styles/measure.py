"""Measures the suite `styles` without the command line: only Python with numpy, gcc and the probe's part of the core.

    PYTHONPATH=src python3 validation/cpu/suite-styles/measure.py FOLDER SECONDS [COMPILER] [CPU,CPU...]
    PYTHONPATH=src python3 validation/cpu/suite-styles/measure.py FOLDER --assembly COMPILER [RECORDING.toml...]

FOLDER has machine.toml (`--probe` instead of SECONDS writes it) and gets a recording for `-O3 -march=native`, `-O2` and
`-Ofast -march=native` each, and the compiler's assembly of every source (`O3/vla.c.s`, with macros
`O3/globals.c-N=40.s`). CPUs: one of every core (cores.c). The first is left to this process, the others run one case
each while the other thread of their core is idle; of cases in shared caches and memory, a fraction runs at once. All
cases are visited in rounds, so that a disturbance spoils one visit of a case. SOURCES in the environment chooses source
files (`bits.c nets.c`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files, machines
from foretell.errors import ToolError
from foretell.uses.measure import Build, Request, measure_cases, recording
from foretell.uses.measure.style_suite import styles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.uses.measure import Case

_SOURCES = frozenset(os.environ.get("SOURCES", "").split())
_LEVELS = {"O3": "-O3 -march=native", "O2": "-O2", "Ofast": "-Ofast -march=native"}


def probe(folder: Path) -> None:
    """Probes this machine quickly."""
    from foretell.machines.probe import probe as probed

    (folder / "machine.toml").write_text(probed(quick=True), encoding="utf-8")


def builds(compiler: str) -> dict[str, Build]:
    """The compiler with the flags of each level."""
    return {label: Build(compiler, tuple(flags.split())) for label, flags in _LEVELS.items()}


def recorded(compiler: str, recordings: Sequence[Path]) -> dict[str, Build]:
    """The compiler with the flags of recordings, in which `-march=native` says what it meant."""
    texts = {path: files.parse_toml(files.read_text(path), path)["defaults"]["options"]["flags"] for path in recordings}
    return {path.stem.rpartition("-")[2]: Build(compiler, tuple(text.split())) for path, text in texts.items()}


def write_assembly(folder: Path, made: dict[str, Build]) -> None:
    """Writes the compilers' assembly of every source, with line information, as it is measured."""
    commands = {}
    for label, build in made.items():
        (folder / label).mkdir(parents=True, exist_ok=True)
        for style in (one for one in styles() if not _SOURCES or one.file.name in _SOURCES):
            suffix = "".join(f"-{name}={value}" for name, value in style.macros.items())
            target = folder / label / f"{style.file.name}{suffix}.s"
            try:
                command = [*build.command(style.language, 1), *style.defines, "-g", "-S", "-w", "-o", str(target)]
            except ToolError:  # no compiler of this language here
                continue
            commands[target] = [*command, str(style.file)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(lambda command: subprocess.run(command, capture_output=True), commands.values()):
            if done.returncode:
                print(done.stderr.decode()[:300], flush=True)


def measure(folder: Path, seconds: float, compiler: str, cpus: tuple[int, ...]) -> None:
    """Takes all measurements, as far as the time allows."""
    machine = machines.load(folder / "machine.toml")
    begun = time.monotonic()
    by_label = builds(compiler)
    request = Request(
        machine, tuple(by_label.values()), threads=(1,), seconds=0.04, rounds=2, patience=seconds, suite="styles",
        workers=max(1, len(cpus) - 1), budget=seconds, cpus=cpus, sources=_SOURCES,
    )  # fmt: skip

    def write(cases: Sequence[Case]) -> None:
        for label, build in by_label.items():
            own = [case for case in cases if case.build == build]
            if own:
                partial = folder / f"{compiler}-{label}.part"
                partial.write_text(recording(own, machine, "machine.toml"), encoding="utf-8")
                partial.replace(partial.with_suffix(".toml"))

    stages: set[str] = set()

    def progress(what: str) -> None:
        stage = "compiling" if what.startswith("compiling") else what.partition(":")[0]
        if stage not in stages:
            stages.add(stage)
            print(f"{stage}: {time.monotonic() - begun:.0f} s", flush=True)

    cases, refused = measure_cases(request, progress, after_round=write)
    write(cases)
    disturbed = sum(case.disturbed for case in cases)
    print(f"{len(cases)} cases, {disturbed} disturbed, {len(refused)} refused, {time.monotonic() - begun:.0f} s")
    for refusal in refused[:20]:
        print(f"  {refusal.name}: {refusal.reason.splitlines()[-1]}", flush=True)


def main() -> None:
    """Runs one step, as the command line says."""
    folder, step, *rest = sys.argv[1:]
    compiler = rest[0] if rest else "gcc"
    if step == "--probe":
        probe(Path(folder))
    elif step == "--assembly":
        recordings = [Path(name) for name in rest[1:]]
        write_assembly(Path(folder), recorded(compiler, recordings) if recordings else builds(compiler))
    else:
        cpus = tuple(int(cpu) for cpu in rest[1].split(",")) if len(rest) > 1 else ()
        measure(Path(folder), float(step), compiler, cpus)


if __name__ == "__main__":
    main()
