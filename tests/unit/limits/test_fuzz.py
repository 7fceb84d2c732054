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


def test_a_target_is_run_and_followed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "fuzz/run.py", "--workers", "2", "--executions", "300", "expression",
         "--finds", tmp_path, "--summary", tmp_path / "summary.json"],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    summary = json.loads((tmp_path / "summary.json").read_text())
    (result,) = summary["targets"]
    assert done.returncode == 0, result["finds"]
    assert summary["executions"] == result["executions"] == 300
    assert 0 < result["blocks"] <= result["blocks_loaded"]
    assert result["statements"] > result["blocks"]


#: a target whose inputs crash the process, hang, fail or are refused, by their first byte
_WILD = """
import os, sys
sys.path.insert(0, {folder!r})
import run, targets, worker

def read(data):
    from foretell.errors import InputError
    first = data[:1]
    if first == b"c": os.kill(os.getpid(), 11)
    if first == b"e": raise KeyError(data)
    if first == b"h": raise worker.Hang
    raise InputError("no")

targets.seeds_of = worker.seeds_of = lambda target: [b"a", b"e", b"h", b"c"]
targets.TARGETS["wild"] = targets.Target("wild", read, ())
sys.argv[1:] = ["--executions", "40", "--finds", {finds!r}, "wild"]
sys.exit(run.main())
"""


def test_a_worker_that_crashes_is_a_find_and_replaced(tmp_path: Path) -> None:
    text = _WILD.format(folder=str(ROOT / "fuzz"), finds=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 1, done.stderr
    result = json.loads(done.stdout)
    places = " ".join(find["place"] for find in result["finds"])
    assert all(word in places for word in ("crash -11", "KeyError", "hang"))
    assert result["restarts"] >= 1
    assert {find["file"] for find in result["finds"]} <= {path.name for path in tmp_path.iterdir()}


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


def test_a_run_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    """Executions of an earlier run count, inputs that it kept are executed again, and the table has the sums."""
    words = [sys.executable, ROOT / "fuzz/run.py", "--sums", tmp_path / "sums.json"]
    options = ["limits", "--finds", tmp_path / "finds", "--corpus", tmp_path / "corpus"]
    reached = []
    for wanted, more in (("40", 40), ("100", 60), ("100", 0)):
        done = subprocess.run(
            [*words, *options, "--executions", wanted], capture_output=True, text=True, check=True, timeout=600
        )
        result = json.loads(done.stdout)
        assert result["executions"] == more
        reached.append(result["statements"])
    assert list((tmp_path / "corpus").glob("limits-*.bin"))
    table = subprocess.run([*words, "--table"], capture_output=True, text=True, check=True, timeout=600).stdout
    (row,) = [line for line in table.splitlines() if line.startswith("| limits |")]
    assert row.split("|")[2].strip() == "100"
    assert int(row.split("|")[5]) >= max(reached) > 0
