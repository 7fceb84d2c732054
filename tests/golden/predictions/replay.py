"""Runs the recorded commands and keeps of their answers what depends on nothing but code and input."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Any

import foretell
from tests.support.cli import run

# code is generated, whatever compiler is installed
os.environ.setdefault("FORETELL_CC", "none")
_ROOT = Path(__file__).parents[3]
#: the package that answers: of the work tree, or installed
_PACKAGE = Path(foretell.__file__).parent
#: what `{name}` in a command stands for
FOLDERS = {
    "kernels": _PACKAGE / "uses/measure/kernels",
    "examples": _PACKAGE / "examples",
    "gpu": _PACKAGE / "uses/recorded/gpu",
    "held-out": _PACKAGE / "uses/recorded/gpu-held-out",
    "traces": _PACKAGE / "uses/recorded/trace",
    "corpus": _ROOT / "tests/corpus",
    "data": _ROOT / "tests/data",
    "own": Path(__file__).parent / "inputs",
}
#: keys that say what was asked, as the command does, that follow from others, change with any word of a file, or are
#: clocked
_LEFT_OUT = frozenset(
    {"schema_version", "machine_hash", "input_hash", "options", "bottleneck", "static_cpu_s", "judge_cpu_s"}
)


def answer(command: str) -> Any:
    """The JSON that a command writes, or the message with which it refuses; folders are named, not spelled out."""
    words = [_spelled(word) for word in shlex.split(command)]
    result = run(*words, "--format", "json")
    if result.code == 0:
        return _kept(json.loads(result.out))
    if result.code not in (2, 3):
        raise AssertionError(f"foretell {command}: exit code {result.code}\n{result.err}")
    return {"refused": result.code, "message": _named(" ".join(result.err.split()))}


def _spelled(word: str) -> str:
    for name, folder in FOLDERS.items():
        word = word.replace(f"{{{name}}}", str(folder))
    return word


def _named(text: str) -> str:
    for name, folder in FOLDERS.items():
        text = text.replace(str(folder), f"{{{name}}}")
    return text


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _kept(entry) for key, entry in value.items() if key not in _LEFT_OUT}
    if isinstance(value, list):
        return [_kept(entry) for entry in value]
    return _named(value) if isinstance(value, str) else value
