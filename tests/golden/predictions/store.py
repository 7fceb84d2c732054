"""The recorded answers: a file for each group, a line for each case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from llvmlite import binding

_FOLDER = Path(__file__).parent / "recorded"
#: the release of LLVM that makes the code of loops, written beside the answers that depend on it
LLVM = ".".join(map(str, binding.llvm_version_info[:2]))


def read(group: str) -> dict[str, Any]:
    """The recorded answers of a group; none where it was never recorded."""
    path = _FOLDER / f"{group}.json"
    answers: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return answers


def write(group: str, answers: dict[str, Any]) -> None:
    """Records the answers of a group."""
    lines = (
        f"{json.dumps(name)}:{json.dumps(answers[name], sort_keys=True, separators=(',', ':'), ensure_ascii=False)}"
        for name in sorted(answers)
    )
    _FOLDER.mkdir(exist_ok=True)
    (_FOLDER / f"{group}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def forget(groups: set[str]) -> None:
    """Removes the files of groups that are no more."""
    for path in _FOLDER.glob("*.json"):
        if path.stem not in groups:
            path.unlink()
