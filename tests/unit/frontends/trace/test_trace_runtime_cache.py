"""The runtime of traced programs: what is linked is checked, and belongs to this compiler and processor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell import cache
from foretell.errors import CacheWarning
from foretell.frontends.trace import toolchain

if TYPE_CHECKING:
    from pathlib import Path

#: a compiler that writes its version into what it makes, after the beginning of an object file, and counts its runs
_COMPILER = r"""#!/bin/sh
case "$*" in *--version*) cat {folder}/version; exit;; esac
echo run >> {folder}/runs
shift $(($# - 1))

(printf '\177ELF'; cat {folder}/version) > "$1"
"""


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "kept"))
    file = tmp_path / "c++"
    file.write_text(_COMPILER.format(folder=tmp_path))
    file.chmod(0o755)
    (tmp_path / "version").write_text("version 1\n")
    return file


def _built(compiler: Path, name: str) -> tuple[bytes, int]:
    folder = compiler.parent / name
    folder.mkdir()
    tools = toolchain.Toolchain((str(compiler),), (str(compiler),), folder)
    made = tools.runtime()
    assert made.parent == folder  # a copy of this build's own
    return made.read_bytes(), (compiler.parent / "runs").read_text().count("run")


def test_the_runtime_is_compiled_once(compiler: Path) -> None:
    assert _built(compiler, "first") == (b"\x7fELFversion 1\n", 1)
    assert _built(compiler, "second") == (b"\x7fELFversion 1\n", 1)


def test_another_compiler_or_processor_makes_its_own(compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _built(compiler, "first")
    (compiler.parent / "version").write_text("version 2\n")
    assert _built(compiler, "second") == (b"\x7fELFversion 2\n", 2)
    monkeypatch.setattr(toolchain, "features", lambda: "x86_64 avx512f")
    assert _built(compiler, "third") == (b"\x7fELFversion 2\n", 3)


def test_a_tampered_runtime_is_not_linked(compiler: Path) -> None:
    _built(compiler, "first")
    (kept,) = (compiler.parent / "kept" / "trace-runtime").iterdir()
    kept.write_bytes(kept.read_bytes().replace(b"\x7fELFversion 1", b"version X"))
    with pytest.warns(CacheWarning, match="made anew"):
        assert _built(compiler, "second") == (b"\x7fELFversion 1\n", 2)


def test_what_is_no_object_file_is_not_linked(compiler: Path) -> None:
    _built(compiler, "first")
    (kept,) = (compiler.parent / "kept" / "trace-runtime").iterdir()
    toolchain._RUNTIMES.write(kept.name, b"#!/bin/sh")
    assert _built(compiler, "second") == (b"\x7fELFversion 1\n", 2)


def test_the_processor_is_told_by_its_features() -> None:
    toolchain.features.cache_clear()
    assert len(toolchain.features().split()) > 3
