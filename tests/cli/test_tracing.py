"""`foretell describe --trace` and traces in files, from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.cli import run
from tests.support.frontends.traced import needs_compiler

if TYPE_CHECKING:
    from pathlib import Path


@needs_compiler
def test_a_traced_program_and_its_file(tmp_path: Path) -> None:
    kept = tmp_path / "prefix.trace"
    command = [
        "describe",
        "example:kernels/prefix.c",
        "--trace",
        "--kernel",
        "prefix",
        "--reassociate",
        "-o",
        str(kept),
    ]
    result = run(*command, "--", "40")
    assert result.code == 0, result.err
    assert "levels D" in result.out
    assert "sequential" in result.out
    again = run("describe", str(kept), "--format", "json")
    document = again.json()["trace"]
    assert (document["work"], document["schedule"]["depth"], document["kernel"]) == (40, 40, "prefix")
    rows = run("describe", str(kept), "--format", "csv").out.splitlines()
    assert rows[1].startswith("prefix prefix.c:")


def test_program_arguments_without_a_trace() -> None:
    result = run("describe", "example:kernels/prefix.c", "--", "40")
    assert result.code == 2
    assert "add --trace" in result.err


def test_a_trace_by_hand() -> None:
    result = run("describe", "example:blocked-matrix")
    assert result.code == 0
    assert "1,025" in result.out
