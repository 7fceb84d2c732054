"""Adds what `measure.py` timed to the recording of emitted changes that `foretell validate advice` replays; of nests
that are recorded already, it is a further visit.

python validation/advice/record_emitted.py FOLDER [KIND]  # jobs.json, NEST__VERSION.c, asm/NEST__VERSION.s, times.jsonl

KIND is `emitted` (what `pairs.py` wrote) or `picked` (`picked.py`).

Sources and assembly are one archive, since they are much alike: a third of what single files would take.
"""

from __future__ import annotations

import io
import json
import re
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

RECORDED = Path(__file__).parents[2] / "src" / "foretell" / "uses" / "recorded" / "advice"
_EMITTED = """\
# Changes that foretell wrote itself, before anything of them was predicted: up to three of each of 171 nests, chosen by
# a hash (validation/advice/pairs.py). gcc 13.3.0 -O3 -march=native on one core of an Intel Xeon (Emerald
# Rapids): the shortest of at least 24 calls on rotating cores. The first time is of 2026-11-18, in two visits (of the
# nests of memory.c and codes.c in one); the second of 2026-11-19, the same code, while two other versions ran on
# other cores. Results of both versions were the same.
# A hash of the nest's name decides whether a pair may be used for choosing or is only reported.
"""
_PICKED = """\
# Changes of the 38 nests of styles.c that foretell called the best (of two in sequence) and the worst (of single ones,
# where it is slower than the code as it is; validation/advice/picked.py). gcc 12.2 -O3 -march=native on one of two
# cores of an Intel Xeon (Granite Rapids), 2026-11-19, beside a load of about ten: the shortest of at least 15 calls
# in each of three visits. Results of both versions were the same.
# A hash of the nest's name decides whether a pair may be used for choosing or is only reported.
machine = "granite.toml"
"""
HEADERS = {"emitted": _EMITTED, "picked": _PICKED}


def main(folder: Path, kind: str) -> None:
    times, path = _times(folder), RECORDED / f"{kind}.toml"
    recorded = tomllib.loads(path.read_text())["nest"] if path.exists() else []
    nests = {nest["name"]: nest for nest in recorded}
    jobs = json.loads((folder / "jobs.json").read_text())
    fresh = [job for job in jobs if job["nest"] not in nests]
    for job in fresh:
        nest = nests.setdefault(job["nest"], {"name": job["nest"], "n": job["n"], "change": []})
        nest["change"].append({"kind": job["version"], "title": job["title"]})
    text = [HEADERS[kind], *(_table(nest, times) for nest in nests.values())]
    path.write_text("\n".join(text))
    _archive(folder, kind, sorted({(job["nest"], version) for job in fresh for version in ("before", job["version"])}))


def _times(folder: Path) -> dict[tuple[str, str], float]:
    """The shortest time of each version of each nest."""
    times: dict[tuple[str, str], float] = {}
    for line in (folder / "times.jsonl").read_text().splitlines():
        entry = json.loads(line)
        assert entry["same"], entry
        key = entry["nest"], entry["version"]
        times[key] = min(times.get(key, float("inf")), entry["time_s"])
    return times


def _archive(folder: Path, kind: str, versions: list[tuple[str, str]]) -> None:
    """Sources and assembly of all nests, recorded ones and those of the folder."""
    path, files = RECORDED / f"{kind}.tar.xz", dict[str, str]()
    if path.exists():
        with tarfile.open(path) as archive:
            files = {entry.name: _text(archive, entry) for entry in archive}
    for nest, version in versions:
        files[f"{nest}__{version}.c"] = (folder / f"{nest}__{version}.c").read_text()
        files[f"{nest}__{version}.s"] = _assembly(folder / "asm" / f"{nest}__{version}.s")
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for name in sorted(files):
            _add(archive, name, files[name])


def _table(nest: dict[str, Any], times: Mapping[tuple[str, str], float]) -> str:
    """A nest and its changes, with the shortest time of each visit; that of the folder is the last."""

    def time_s(entry: dict[str, Any], version: str) -> str:
        visits = [*entry.get("time_s", ()), *([times[key]] if (key := (nest["name"], version)) in times else [])]
        return f"time_s = [{', '.join(f'{one:.5g}' for one in visits)}]"

    lines = ["[[nest]]", f'name = "{nest["name"]}"', f"n = {nest['n']}", time_s(nest, "before")]
    for change in nest["change"]:
        lines += ["[[nest.change]]", f'kind = "{change["kind"]}"', f'title = "{change["title"]}"']
        lines.append(time_s(change, change["kind"]))
    return "\n".join(lines) + "\n"


def _assembly(file: Path) -> str:
    """The assembly without folders, and without debug information behind the code."""
    text = re.sub(r'"/[^"]*"', '"."', file.read_text())
    return re.sub(r"\t\.section\t\.debug_.*", "", text, flags=re.DOTALL)


def _text(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> str:
    file = archive.extractfile(entry)
    assert file is not None, entry.name
    return file.read().decode()


def _add(archive: tarfile.TarFile, name: str, text: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(text.encode())
    archive.addfile(entry, io.BytesIO(text.encode()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [*sys.argv[2:], "emitted"][0])
