"""Compares answers with recorded ones: what moved in numbers, and what changed in words."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TOLERANCE = 1e-12
#: lists whose entries are known by one of their keys, so that a new entry does not shift the others
_KEYS = ("name", "parameter", "title", "case", "machine")
_ABSENT = "absent"


@dataclass
class Changes:
    """Lines for a reader: of numbers, and of words (texts, names, the presence of a key or case)."""

    numbers: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def add(self, other: Changes) -> None:
        """Takes in what changed elsewhere."""
        self.numbers += other.numbers
        self.words += other.words

    def __bool__(self) -> bool:
        return bool(self.numbers or self.words)

    def __str__(self) -> str:
        counts = f"{len(self.numbers)} numbers moved, {len(self.words)} words changed"
        return "\n".join([*self.numbers, *self.words, counts])


def compare(recorded: Mapping[str, Any], found: Mapping[str, Any], numbers_only: bool = False) -> Changes:
    """The changes of all cases of a group. `numbers_only`: of each case the numbers whatever they are called."""
    changes = Changes()
    for name in sorted(recorded.keys() | found.keys()):
        if name not in recorded or name not in found:
            changes.words.append(f"words changed: case {name} is {'new' if name in found else 'gone'}")
        elif numbers_only:
            changes.add(_by_value(name, recorded[name], found[name]))
        else:
            changes.add(_by_key(name, recorded[name], found[name]))
    return changes


def _by_key(name: str, recorded: Any, found: Any) -> Changes:
    changes = Changes()
    old, new = dict(_leaves(recorded)), dict(_leaves(found))
    for key in (*old, *(key for key in new if key not in old)):
        before, after = old.get(key, _ABSENT), new.get(key, _ABSENT)
        if _same(before, after):
            continue
        if _is_number(before) or _is_number(after):
            changes.numbers.append(f"number moved: {name}: {key} {before!r} -> {after!r}{_share(before, after)}")
        else:
            changes.words.append(f"words changed: {name}: {key} {before!r} -> {after!r}")
    return changes


def _by_value(name: str, recorded: Any, found: Any) -> Changes:
    """Compares the sorted numbers: names and the order of entries do not matter."""
    old, new = _numbers(recorded), _numbers(found)
    if len(old) == len(new) and all(map(_same, old, new)):
        return Changes()
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    lost, gained = sorted(gone.elements()), sorted(come.elements())
    return Changes([f"numbers moved: {name}: {len(old)} -> {len(new)} numbers, {lost[:8]} -> {gained[:8]}"])


def _numbers(value: Any) -> list[float]:
    return sorted(leaf for _, leaf in _leaves(value) if _is_number(leaf))


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number, text and flag of an answer with its path."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _leaves(entry, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for label, entry in zip(_labels(value), value, strict=True):
            yield from _leaves(entry, f"{path}[{label}]")
    else:
        yield path, value


def _labels(entries: list[Any]) -> list[str]:
    """How the entries of a list are called: by one of their keys, numbered where several are alike."""
    seen: Counter[str] = Counter()
    labels = []
    for number, entry in enumerate(entries):
        names = [entry[key] for key in _KEYS if key in entry] if isinstance(entry, dict) else []
        label = str(names[0]) if names else str(number)
        seen[label] += 1
        labels.append(label if seen[label] == 1 else f"{label} {seen[label]}")
    return labels


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(before: Any, after: Any) -> bool:
    if _is_number(before) and _is_number(after):
        return math.isclose(before, after, rel_tol=TOLERANCE, abs_tol=0.0)
    return type(before) is type(after) and bool(before == after)


def _share(before: Any, after: Any) -> str:
    if not (_is_number(before) and _is_number(after) and before):
        return ""
    return f" ({100 * (after / before - 1):+.3g} %)"
