"""Rules of the project that no linter knows."""

from __future__ import annotations

import functools
import operator
import re
import tomllib
from pathlib import Path

import foretell
from foretell import _core

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "foretell"

#: part of the core (by the prefix of its names) -> the one module that wraps it
WRAPPERS = {
    "line_lifetimes": "characterize/caches/lru_lifetime.py",
    "interpolation": "models/cpu/incore/size_interpolation.py",
    "tape": "core/columns/tape.py",
    "Tape": "core/columns/tape.py",
    "Cache": "characterize/simulate/cachesim.py",
    "clang_tree": "frontends/c/parse/clang.py",
    "Complete": "characterize/gpu/complete.py",
    "counters": "models/counters/equations.py",
    "demangle": "frontends/gpu/binary/names.py",
    "emulate": "models/saake/algorithm1.py",
    "guard": "running.py",
    "functional": "characterize/gpu/functional.py",
    "FunctionalProgram": "characterize/gpu/program.py",
    "FunctionalLaunch": "characterize/gpu/launch_arguments.py",
    "pareto": "uses/pareto.py",
    "gpumemory": "characterize/gpu/memory.py",
    "probe": "machines/probe/kernels.py",
    "summary": "uses/explore/summary.py",
    "sunway": "models/sunway/equations.py",
    "swsim": "models/sunway/simulator.py",
    "timing": "models/gpu/timing.py",
    "OooCore": "models/cpu/incore/ooo_core.py",
}


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py"))


def test_the_core_is_imported_only_by_its_wrappers() -> None:
    importers = {
        str(path.relative_to(SOURCE))
        for path in modules()
        if re.search(
            r"^\s*(from foretell import .*\b_core\b|import foretell\._core|from foretell\._core)",
            path.read_text(),
            re.M,
        )
    }
    assert importers == set(WRAPPERS.values())


def test_the_stub_knows_every_name_of_the_core() -> None:
    stub = (SOURCE / "_core.pyi").read_text()
    for name in dir(_core):
        if not name.startswith("__"):
            assert re.search(rf"\b(def|class) {name}\b", stub), name


def test_library_code_never_prints_and_never_exits() -> None:
    for path in modules():
        inside_cli = path.is_relative_to(SOURCE / "cli") or path.name == "__main__.py"
        if not inside_cli:
            assert not re.search(r"(?<!\.)\bprint\(|sys\.exit\(|\bexit\(", path.read_text()), path


def test_no_copyleft_among_the_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = " ".join(
        [*project["dependencies"], *functools.reduce(operator.iadd, project["optional-dependencies"].values(), [])]
    ).lower()
    assert not any(name in named for name in ("kerncraft", "osaca", "pycachesim", "uica", "barvinok"))
    assert project["license"] == "Apache-2.0"


def test_public_names_are_the_listed_ones() -> None:
    assert foretell.__all__ == sorted(foretell.__all__)
