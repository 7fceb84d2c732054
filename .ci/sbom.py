"""Writes a software bill of materials (CycloneDX 1.5, JSON) of foretell and the packages that an extra installs here.

python .ci/sbom.py all > sbom.json
"""

from __future__ import annotations

import json
import re
import sys
from importlib import metadata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def closure(extras: set[str]) -> Iterator[metadata.Distribution]:
    """foretell and all installed packages that it needs with these extras, each once."""
    waiting, seen = [("foretell", frozenset(extras))], set[tuple[str, frozenset[str]]]()
    known: set[str] = set()
    while waiting:
        item = waiting.pop()
        if item in seen:
            continue
        seen.add(item)
        try:
            package = metadata.distribution(item[0])
        except metadata.PackageNotFoundError:
            continue
        if item[0] not in known:
            known.add(item[0])
            yield package
        waiting += (needed for text in package.requires or () if (needed := _needed(text, item[1])) is not None)


def _needed(text: str, extras: frozenset[str]) -> tuple[str, frozenset[str]] | None:
    """Name and extras of a requirement, if one of our extras asks for it."""
    match = re.match(r"([\w.-]+)\s*(?:\[([^\]]*)\])?", text)
    asked = re.search(r"extra\s*==\s*['\"]([^'\"]+)['\"]", text)
    if match is None or (asked and asked[1] not in extras):
        return None
    own = frozenset(word.strip() for word in (match[2] or "").split(",") if word.strip())
    return re.sub(r"[-_.]+", "-", match[1]).lower(), own


def licence(package: metadata.Distribution) -> str:
    """The licence as the package states it: an SPDX expression, a classifier, or the first words of its text."""
    about = package.metadata
    if about.get("License-Expression"):
        return str(about["License-Expression"])
    named = [line.rpartition("::")[2].strip() for line in about.get_all("Classifier") or () if "License ::" in line]
    return ", ".join(named) or str(about.get("License") or "unknown").split("\n")[0][:80]


def bill(extras: set[str]) -> dict[str, Any]:
    """The document."""
    packages = sorted(closure(extras), key=lambda package: package.metadata["Name"].lower())
    components = [
        {
            "type": "library",
            "name": package.metadata["Name"],
            "version": package.version,
            "purl": f"pkg:pypi/{package.metadata['Name'].lower()}@{package.version}",
            "licenses": [{"license": {"name": licence(package)}}],
        }
        for package in packages
        if package.metadata["Name"] != "foretell"
    ]
    own = {"type": "application", "name": "foretell", "version": metadata.version("foretell")}
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": own},
            "components": components}  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(bill(set(sys.argv[1:])), indent=1))
