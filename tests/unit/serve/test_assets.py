"""What the browser loads: small, of allowed licences, and what the sources give."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "src/foretell/serve/web/static"
WEB = ROOT / "web"


def test_assets_are_small_and_name_no_other_server() -> None:
    sizes = {file.name: file.stat().st_size for file in STATIC.iterdir()}
    assert {"editor.js", "program.js", "site.js", "site.css", "icon.svg", "licenses.txt"} == sizes.keys()
    assert sum(sizes.values()) < 800_000
    first_load = sum(len(gzip.compress(file.read_bytes())) for file in STATIC.iterdir() if file.suffix != ".txt")
    assert first_load < 250_000
    styles = (STATIC / "site.css").read_text()
    assert "http" not in styles
    assert "@import" not in styles


def test_bundled_packages_are_listed_with_free_licences() -> None:
    notices = (STATIC / "licenses.txt").read_text()
    heads = re.findall(r"^(\S+) (\d+\.\d+\.\d+) \((.+)\)$", notices, re.MULTILINE)
    assert {licence for _, _, licence in heads} <= {"MIT", "Apache-2.0", "BSD-3-Clause", "ISC"}
    locked = json.loads((WEB / "package-lock.json").read_text())["packages"]
    for name, version, _ in heads:
        assert locked[f"node_modules/{name}"]["version"] == version
    assert len(heads) >= 10
    assert notices.count("Permission is hereby granted") >= len(heads) - 1


@pytest.mark.skipif(shutil.which("node") is None or not (WEB / "node_modules/esbuild").exists(), reason="needs npm ci")
def test_checked_in_files_are_what_the_sources_give(tmp_path: Path) -> None:
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=WEB, check=True, timeout=120)
    for file in tmp_path.iterdir():
        assert file.read_bytes() == (STATIC / file.name).read_bytes(), f"{file.name}: run `npm run build` in web/"
