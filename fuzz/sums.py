"""Sums over several runs of the fuzzer, in a file: what was executed, reached and found so far, target by target.

A run with `--sums FILE` goes on where the last one stopped, and the file is complete after each target.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_FORMAT = "foretell fuzz sums 1"
_COUNTED = ("executions", "seconds", "restarts")


class Sums:
    """The sums in a file, or of this run alone (no path)."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._targets: dict[str, dict[str, Any]] = {}
        if path is not None and path.exists():
            document = json.loads(path.read_text())
            if document.get("format") != _FORMAT:
                raise SystemExit(f"{path}: is no file of sums")
            self._targets = document["targets"]

    def executions(self, target: str) -> int:
        """The executions of a target so far."""
        return int(self._targets.get(target, {}).get("executions", 0))

    def add(self, target: str, done: dict[str, Any]) -> None:
        """Adds what a run did: counts are added, blocks and finds joined; the file is complete under its name."""
        before = self._targets.get(target, {})
        entry = {key: before.get(key, 0) + done[key] for key in _COUNTED}
        entry["loaded"] = max(before.get("loaded", 0), done["loaded"])
        entry |= {key: {**before.get(key, {}), **done[key]} for key in ("entered", "finds")}
        self._targets[target] = entry
        if self._path is not None:
            part = self._path.with_suffix(".part")
            part.write_text(json.dumps({"format": _FORMAT, "targets": self._targets}) + "\n")
            part.replace(self._path)

    def table(self) -> str:
        """The sums as a table of Markdown."""
        rows = ["| target | executions | blocks reached | of loaded | statements reached | finds |"]
        rows.append("|---|--:|--:|--:|--:|--:|")
        for name, entry in self._targets.items():
            reached = (len(entry["entered"]), entry["loaded"], sum(entry["entered"].values()), len(entry["finds"]))
            numbers = " | ".join(f"{number:,}" for number in (entry["executions"], *reached))
            rows.append(f"| {name} | {numbers} |")
        total = sum(entry["executions"] for entry in self._targets.values())
        finds = sum(len(entry["finds"]) for entry in self._targets.values())
        return "\n".join([*rows, f"| all | {total:,} | | | | {finds} |"])
