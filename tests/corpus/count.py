"""Counts every program of the corpus by running it, and writes counts/<name>.json.xz.

    python tests/corpus/count.py [--check] [name ...]

C programs run with counters in them (oracle/c_instrument.py), Fortran programs in an interpreter
(oracle/fortran_*.py). Neither uses foretell. With --check nothing is written and a difference is an error.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

C_SUFFIXES = {".c"}
FORTRAN_SUFFIXES = {".f", ".F", ".f90", ".F90"}


@dataclass(frozen=True)
class Case:
    """One program of the corpus: its files in build order (modules first, main last)."""

    name: str
    files: tuple[Path, ...]
    language: str

    @property
    def counts(self) -> Path:
        return HERE / "counts" / f"{self.name.replace('/', '.')}.json.xz"

    def recorded(self) -> Any:
        """The counts as they were recorded."""
        return json.loads(lzma.decompress(self.counts.read_bytes()))


#: C stand-ins for the Fortran files of a mixed program, used for counting only
TWIN = "twin"


def _sources(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.suffix in C_SUFFIXES | FORTRAN_SUFFIXES)


def _case(path: Path) -> Case:
    files = tuple(_sources(path)) if path.is_dir() else (path,)
    languages = {"c" if f.suffix in C_SUFFIXES else "fortran" for f in files}
    language = "mixed" if len(languages) > 1 else languages.pop()
    return Case(f"{path.parent.name}/{path.name}", files, language)


@cache
def cases() -> tuple[Case, ...]:
    """All programs: a file is one, a folder with several files is one."""
    found = []
    for folder in (HERE / "c", HERE / "fortran", HERE / "mixed"):
        entries = (p for p in folder.iterdir() if p.is_dir() or p.suffix in C_SUFFIXES | FORTRAN_SUFFIXES)
        found += [_case(p) for p in sorted(entries)]
    return tuple(found)


def _digest(case: Case) -> str:
    text = hashlib.sha256()
    folder = {f.parent for f in case.files}
    headers = [h for d in folder if d.name not in ("c", "fortran") for h in sorted(d.glob("*.h"))]
    for file in (*case.files, *headers):
        text.update(file.read_bytes())
    return text.hexdigest()


@cache
def tools() -> dict[str, str]:
    from importlib.metadata import version

    gcc = "absent"
    if shutil.which("gcc"):
        gcc = subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()
    return {"gcc": gcc, "pycparser": version("pycparser"), "python": platform.python_version()}


def run(case: Case, check: bool = True) -> tuple[list[dict[str, Any]], str]:
    """The loop contexts of one run and the printed text; `check` compares an interpreted program with the compiled."""
    if case.language != "fortran":
        from oracle import c_instrument

        twins = sorted((case.files[0].parent / TWIN).glob("*.c")) if case.language == "mixed" else []
        counted = [f for f in case.files if f.suffix in C_SUFFIXES] + twins
        return c_instrument.count(counted, {}, list(case.files))
    from oracle import fortran_run

    return fortran_run.count(list(case.files), check)


def merge_leaf_calls(contexts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Calls that run no loop become part of the context they are called from, as if written there."""
    keep = [True] * len(contexts)
    inner = [0] * len(contexts)
    for index in range(len(contexts) - 1, 0, -1):  # children stand after their parents
        node, parent = contexts[index], contexts[contexts[index]["parent"]]
        if node["line"] == 0 and not inner[index]:
            keep[index] = False
            _absorb(parent, node)
        else:
            inner[node["parent"]] += 1
    place = {old: new for new, old in enumerate(i for i, k in enumerate(keep) if k)}
    kept = [c for c, k in zip(contexts, keep, strict=True) if k]
    for node in kept[1:]:
        node["parent"] = place[node["parent"]]
    return [_ordered(c) for c in kept]


def _absorb(parent: dict[str, Any], node: dict[str, Any]) -> None:
    for key in ("operations", "header_operations"):
        for kind, n in node[key].items():
            parent[key][kind] = parent[key].get(kind, 0) + n
    for key in ("calls", "accesses"):
        total = {tuple(row[:-1]): row[-1] for row in parent[key]}
        for *what, n in node[key]:
            total[tuple(what)] = total.get(tuple(what), 0) + n
        parent[key] = [[*what, n] for what, n in total.items()]


def _ordered(node: dict[str, Any]) -> dict[str, Any]:
    for key in ("calls", "accesses", "scalars"):
        if key in node:
            node[key] = sorted(node[key])
    return node


def measure(case: Case, check: bool = True) -> dict[str, Any]:
    contexts, printed = run(case, check)
    return {
        "program": [str(f.relative_to(HERE)) for f in case.files],
        "sha256": _digest(case),
        "counted_by": "oracle/c_instrument.py" if case.language != "fortran" else "oracle/fortran_run.py",
        "tools": tools(),
        "printed": printed,
        "contexts": merge_leaf_calls(contexts),
    }


def same(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Equal apart from the versions of the tools."""
    return all(old[key] == new[key] for key in new if key != "tools")


def write(path: Path, record: dict[str, Any]) -> None:
    """One context per line, compressed."""
    head = {k: v for k, v in record.items() if k != "contexts"}
    lines = ",\n".join("  " + json.dumps(c, sort_keys=True) for c in record["contexts"])
    text = json.dumps(head, indent=1)[:-2] + ',\n "contexts": [\n' + lines + "\n ]\n}\n"
    path.write_bytes(lzma.compress(text.encode(), preset=6 | lzma.PRESET_EXTREME))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    failed = 0
    for case in cases():
        if arguments.names and not any(n in case.name for n in arguments.names):
            continue
        try:
            record = measure(case)
        except Exception as error:
            failed += 1
            sys.stderr.write(f"{case.name}: {type(error).__name__}: {error}\n")
            continue
        if not arguments.check:
            write(case.counts, record)
        elif not same(case.recorded(), record):
            failed += 1
            sys.stderr.write(f"{case.name}: the counts differ from {case.counts.name}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
