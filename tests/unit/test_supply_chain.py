"""Dependencies: bounded, under licences that permit use everywhere, and listed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from tests.support.modules import load

ROOT = Path(__file__).parents[2]
#: packages that are not free software: what works without them is in the docs
PROPRIETARY = {"nvidia-cuda-nvdisasm": "docs/how-to/predict-a-gpu-kernel.md"}


def _sbom() -> Any:
    return load("sbom", ROOT / ".ci/sbom.py")


def test_no_dependency_is_under_gpl() -> None:
    sbom = _sbom()
    packages = list(sbom.closure({"test"}))
    assert len(packages) > 15
    for package in packages:
        words = sbom.licence(package)
        assert not re.search(r"(?<!L)A?GPL|(?<!Lesser )General Public", words), (package.metadata["Name"], words)
        name = package.metadata["Name"].lower()
        if "proprietary" in words.lower():
            assert name in PROPRIETARY, name
            assert "without nvdisasm" in " ".join((ROOT / PROPRIETARY[name]).read_text().split())


def test_the_bill_of_materials() -> None:
    bill = _sbom().bill({"cpu", "gpu", "loops", "plot"})
    names = [component["name"].lower() for component in bill["components"]]
    assert names == sorted(names)
    assert {"click", "numpy", "rich", "libclang", "matplotlib"} <= set(names)
    assert all(component["version"] and component["licenses"] for component in bill["components"])


def test_dependencies_of_users_have_upper_bounds() -> None:
    """A major release can break us; packages with a year as version have none that means anything."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {name: needs for name, needs in project["optional-dependencies"].items() if name != "test"}
    by_year = {"islpy", "distributed", "pyarrow"}
    for text in [*project["dependencies"], *(need for needs in extras.values() for need in needs)]:
        name = re.match(r"[\w.-]+", text)
        assert name is not None
        assert name[0] in {"foretell", *by_year} or "<" in text or "==" in text, text


def test_ci_installs_exact_versions_with_hashes() -> None:
    """Every package that CI asks for is in the constraints, in a version that pyproject.toml allows."""
    from packaging.requirements import Requirement

    text = (ROOT / ".ci/constraints.txt").read_text().replace("\\\n", " ")
    pinned: dict[str, list[Requirement]] = {}
    for line in text.splitlines():
        requirement, *hashes = line.split(" --hash=")
        assert hashes, line
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}\s*", value) for value in hashes), line
        pin = Requirement(requirement.strip())
        assert re.fullmatch(r"==[\w.+!]+", str(pin.specifier)), line
        pinned.setdefault(pin.name, []).append(pin)
    document = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = document["project"]["optional-dependencies"]
    asked = list(document["project"]["dependencies"])
    waiting = ",".join(re.findall(r"pip install '\.\[([\w,-]+)\]'", (ROOT / ".ci/run").read_text())).split(",")
    assert {"test", "browser", "mcp", "postgresql"} <= set(waiting)
    for name in waiting:  # grows
        asked += extras[name]
        waiting += [
            extra for need in extras[name] if need.startswith("foretell[") for extra in Requirement(need).extras
        ]
    for need in map(Requirement, [*document["build-system"]["requires"], *asked]):
        if need.name == "foretell":
            continue
        versions = [str(pin.specifier).removeprefix("==") for pin in pinned.get(need.name, [])]
        assert versions, f"{need}: run .ci/constraints"
        assert all(need.specifier.contains(version, prereleases=True) for version in versions), need


def test_ci_uses_the_constraints() -> None:
    run = (ROOT / ".ci/run").read_text()
    assert "--require-hashes --no-deps -r .ci/constraints.txt" in run
    assert run.index("PIP_NO_INDEX=1") < run.index("pip install .")
