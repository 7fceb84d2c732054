"""The recorded answers: a compressed file for each group, a line for each case.

A sentence, a list or a table that a group has more than once is written once, under `shared`, and answers refer to it
by number: many answers differ in a few numbers only.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from llvmlite import binding

from foretell import files

_FOLDER = Path(__file__).parent / "recorded"
#: the release of LLVM that makes the code of loops, written beside the answers that depend on it
LLVM = ".".join(map(str, binding.llvm_version_info[:2]))
#: the key of a reference, the shortest text that is worth one, and digits that are kept (answers agree to 1e-12)
_REFERENCE, _SHORTEST, _DIGITS = "=", 20, 14


def read(group: str) -> dict[str, Any]:
    """The recorded answers of a group; none where it was never recorded."""
    path = _path(group)
    if not path.exists():
        return {}
    document = json.loads(files.read_text(path))
    shared: list[Any] = []
    for value in document["shared"]:
        shared.append(_resolved(value, shared))
    return {name: _resolved(value, shared) for name, value in document["answers"].items()}


def write(group: str, answers: dict[str, Any]) -> None:
    """Records the answers of a group."""
    sharing = _Sharing(answers)
    lines = ",\n".join(f"{json.dumps(name)}:{_text(sharing.of(answers[name]))}" for name in sorted(answers))
    shared = ",\n".join(map(_text, sharing.values))
    _FOLDER.mkdir(exist_ok=True)
    text = f'{{"shared":[\n{shared}\n],"answers":{{\n{lines}\n}}}}\n'
    path = _path(group)
    if not path.exists() or files.read_text(path) != text:  # the same answers are the same file, whoever compressed it
        path.write_bytes(files.pack(text))


def forget(groups: set[str]) -> None:
    """Removes the files of groups that are no more."""
    for path in set(_FOLDER.glob("*.json.xz")) - set(map(_path, groups)):
        path.unlink()


def _path(group: str) -> Path:
    return _FOLDER / f"{group}.json.xz"


class _Sharing:
    """Values that occur more than once, in an order in which each refers to earlier ones only."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.values: list[Any] = []
        self._numbers: dict[str, int] = {}
        self._counts: Counter[str] = Counter()
        for name in sorted(answers):
            self._count(answers[name])

    def of(self, value: Any) -> Any:
        """A value with references in place of what is shared."""
        text = _text(value) if isinstance(value, str | list | dict) else ""
        if self._counts[text] < 2:
            return self._inside(value)
        if text not in self._numbers:
            inside = self._inside(value)
            self._numbers[text] = len(self.values)
            self.values.append(inside)
        return {_REFERENCE: self._numbers[text]}

    def _count(self, value: Any) -> None:
        if isinstance(value, str | list | dict) and len(text := _text(value)) >= _SHORTEST:
            self._counts[text] += 1
            if self._counts[text] > 1:  # what it consists of is shared with it
                return
        for item in _items(value):
            self._count(item)

    def _inside(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.of(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.of(item) for item in value]
        return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


def _items(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _resolved(value: Any, shared: list[Any]) -> Any:
    if isinstance(value, dict):
        if value.keys() == {_REFERENCE}:
            return shared[value[_REFERENCE]]
        return {key: _resolved(item, shared) for key, item in value.items()}
    return [_resolved(item, shared) for item in value] if isinstance(value, list) else value
