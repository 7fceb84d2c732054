"""Turns what measure.sh left into the recording that `foretell validate differences` replays.

python validation/differences/record.py RESULTS [MORE_C.jsonl …]

Of C, the time of a version at a place of its code in a line is the shortest chunk of all rounds, since what other
tenants of the machine do only adds to it; the median of four places counts, as the linker chooses the place, not the
edit. A pair whose rounds disagree on which version is faster, by more than 2 %, is disturbed; of an AArch64 core, which
nobody shares, also one with a version whose time in one of the files is 2 % longer than in another; of emerald and
granite, whose two processors others use as well, one with a version whose three shortest times of all files are 3 %
apart. Of CUDA, the mean of the medians of both passes. A pair that RESULTS does not have keeps the time that is
recorded.
"""

from __future__ import annotations

import json
import lzma
import re
import sys
import tarfile
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path
from statistics import median

from foretell import files
from foretell.frontends.gpu.sass import kernels, listing
from foretell.uses.check.differences import unpack_code

RECORDED = Path(__file__).parents[2] / "src" / "foretell" / "uses" / "recorded" / "differences"
#: relative difference from which rounds may not disagree
TOLERANCE = 0.02
#: of the kinds whose visits are compared: how many of the shortest must agree (all if None), and within what
VISITS = {"arm": (None, 0.02), "emerald": (3, 0.03), "granite": (3, 0.03), "granite13": (3, 0.03)}
Round = tuple[list[float], list[float]]
HEAD = """\
# Measured by validation/differences/measure.sh, written by record.py. C: gcc 13.3.0 -O3 -march=native on a core of an
# Intel Xeon (Sapphire Rapids; xeon-16.toml), the shortest chunk, median of four places; arm: the same, gcc 12.2.0 on a
# core of a Neoverse-N1 (neoverse-n1.toml); emerald: the same, gcc 12.2.0 with the flags of each pair on cores of two
# Emerald Rapids machines (emerald-rapids.toml), cycles at one clock; xeon: the same, gcc 13.3.0, on the machine of C;
# granite, granite13: the same, gcc 12.2.0 and 13.3.0, on a core whose host masks its model (granite.toml), cycles at
# one clock;
# CUDA: nvcc 13 -O3 on an H200, medians of launches.
"""


def rounds_of(file: Path) -> dict[str, list[Round]]:
    rounds = defaultdict(list)
    for line in file.read_text().splitlines():
        entry = json.loads(line)
        rounds[entry["pair"]].append((entry["base_s"], entry["head_s"]))
    return rounds


def shortest(rounds: list[Round]) -> tuple[float, float]:
    """Seconds of both versions: the shortest chunk at each place, the median of the places."""
    base, head = (median(map(min, zip(*(entry[side] for entry in rounds), strict=True))) for side in (0, 1))
    return base, head


def agree(visits: list[list[Round]], count: int | None, tolerance: float) -> bool:
    """Whether the shortest times of both versions, `count` of all visits, are not further apart than the tolerance."""
    versions = [sorted(seconds)[:count] for seconds in zip(*map(shortest, visits), strict=True)]
    enough = count is None or len(visits) >= count
    return enough and all(seconds[-1] <= (1 + tolerance) * seconds[0] for seconds in versions)


def c_times(files: list[Path]) -> dict[str, tuple[float, float, bool]]:
    visits = [rounds_of(file) for file in files]
    times = {}
    for pair in dict.fromkeys(name for visit in visits for name in visit):
        own = [visit[pair] for visit in visits if pair in visit]
        ratios = [median(head) / median(base) for rounds in own for base, head in rounds]
        disturbed = min(ratios) < 1 - TOLERANCE and max(ratios) > 1 + TOLERANCE
        disturbed |= not agree(own, *VISITS.get(pair.partition("/")[0], (1, 0.0)))
        times[pair] = *shortest([entry for rounds in own for entry in rounds]), disturbed
    return times


def cuda_times(folder: Path) -> dict[str, tuple[float, float, bool]]:
    if not (folder / "base-1.jsonl").exists():
        return {}
    medians = defaultdict(lambda: defaultdict(list))
    for side in ("base", "head"):
        for number in (1, 2):
            for line in (folder / f"{side}-{number}.jsonl").read_text().splitlines():
                entry = json.loads(line)
                medians[entry["case"]][side].append(entry["row"]["median_s"])
    return {
        pair: (sum(own["base"]) / 2, sum(own["head"]) / 2, False)
        for pair, own in medians.items()
        if len(own["base"]) == len(own["head"]) == 2
    }


def _file(directive: re.Match[str]) -> str:
    """A directive .file with the name alone; the second text of two is the name, the first the folder."""
    return f'.file {directive[1]} "{directive[4] or directive[2]}"'


def without_debugging(text: str) -> str:
    """Assembly without the sections of a debugger, but with the lines and the names of files, without their folders."""
    kept, debugging = [], False
    for line in text.splitlines():
        if re.match(r"\s*\.section\s", line):
            debugging = ".debug" in line
        elif re.match(r"\s*\.(text|data|bss)\b", line):
            debugging = False
        if not debugging:
            kept.append(line)
    return re.sub(r'\.file (\d+) "(?:[^"]*/)?([^"/]*)"( "(?:[^"]*/)?([^"/]*)")?', _file, "\n".join(kept) + "\n")


def keep_code(folder: Path, name: str, pair: dict, kept: Path) -> None:
    """Keeps what the compilers made of both versions."""
    kind, _, stem = name.partition("/")
    for side in ("base", "head"):
        if kind != "cuda":
            text = without_debugging((folder / "assembly" / f"{stem}.{side}.s").read_text())
            target = kept / kind / f"{stem}.{side}.s"
        else:
            kernel = kernels.read_kernel(folder / "cubins" / side / f"{stem}.cubin", pair["kernel"], 90)
            text, target = listing.write(kernel), kept / "cuda" / f"{stem}.{side}.sass"
        target.parent.mkdir(exist_ok=True)
        target.write_text(text)


def pack_code(folder: Path, archive: Path) -> None:
    """Packs all files of a folder, by their names alone."""

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.mtime = member.uid = member.gid = 0
        member.uname = member.gname = ""
        return member

    with tarfile.open(archive, "w:xz", preset=6 | lzma.PRESET_EXTREME) as packed:
        for file in sorted(folder.rglob("*.s*")):
            packed.add(file, file.relative_to(folder).as_posix(), filter=plain)


def main(folder: Path, more: list[Path]) -> None:
    with tempfile.TemporaryDirectory() as kept:
        unpack_code(Path(kept))
        record(folder, more, Path(kept))
        pack_code(Path(kept), RECORDED / "code.tar.xz")


def record(folder: Path, more: list[Path], kept: Path) -> None:
    pairs = tomllib.loads((RECORDED / "pairs.toml").read_text())["pair"]
    recorded = tomllib.loads(files.read_text(RECORDED / "times.toml"))["time"]
    times = c_times([*sorted(folder.glob("c*.jsonl")), *more]) | cuda_times(folder)
    lines = [HEAD]
    for name, pair in pairs.items():
        if name in times:
            keep_code(folder, name, pair, kept)
            base, head, disturbed = times[name]
            entry = {"base": f"{base * 1e6:.6g} us", "head": f"{head * 1e6:.6g} us", "disturbed": disturbed}
        elif name in recorded:
            entry = recorded[name]
        else:
            print(f"not measured: {name}")
            continue
        lines.append(f'[time."{name}"]\nbase = "{entry["base"]}"\nhead = "{entry["head"]}"')
        lines.append("disturbed = true\n" if entry.get("disturbed") else "")
    (RECORDED / "times.toml.xz").write_bytes(files.pack("\n".join(lines)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
