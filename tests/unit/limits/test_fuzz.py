"""Fuzzing: inputs that were found once stay mended, targets run, regular expressions do not try without an end."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_what_was_found_is_mended() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "fuzz/run.py", "--replay"], capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("mended") == len(list((ROOT / "fuzz/regressions").glob("*.bin"))) > 0


def test_a_target_is_run_and_followed() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "fuzz/run.py", "--seconds", "2", "expression"],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    result = json.loads(done.stdout)
    assert done.returncode == 0, result["findings"]
    assert result["executions"] > 0
    assert 0 < result["blocks"] <= result["of"]


def test_regular_expressions_do_not_backtrack() -> None:
    """Every pattern of the package against strings made to be matched in many ways. Exponential and cubic patterns
    need more than the processor time that the process has: minutes, where all others take seconds."""
    done = subprocess.run(
        [sys.executable, ROOT / "fuzz/regexes.py", "150"],
        capture_output=True, text=True, check=False, timeout=600,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (60, 60)),
    )  # fmt: skip
    assert done.returncode == 0, "a pattern takes more than a minute for strings of 150 characters"
    assert int(done.stdout.split("\n")[-2].split()[0]) > 400
