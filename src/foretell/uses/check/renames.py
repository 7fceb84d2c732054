"""Codes that have another file in the head than in the base: renamed files by content, functions by their name.

As git does it: a file that is gone and one that is new are the same where their contents are, or else most of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.files import read_bytes
from foretell.uses.check.items import PATTERN, Item, expanded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from foretell.uses.check.configured.configuration import Code, Configuration
    from foretell.uses.check.versions import Version

#: share of the larger file that both have, from which one is the other renamed: that of `git diff -M`
_ALIKE = 0.5
#: files of each version that are compared by their lines: diff.renameLimit of git
_MOST = 1000


@dataclass(frozen=True)
class Former:
    """What a code of the head is called in the base, and the file that it has there."""

    name: str
    file: str


def renamed_codes(
    own: Configuration, base: Version, head: Version, gone: Collection[str], new: Collection[str]
) -> dict[str, Former]:
    """Names of codes that patterns found in the head alone (`new`), with what they are called in the base, which alone
    has those that are `gone`. First those of renamed files, then functions that went from one file to another: one of a
    name is gone and one is new."""
    result: dict[str, Former] = {}
    for code in own.codes.values():
        before, now = ([name for name in names if name.startswith(f"{code.name}:")] for names in (gone, new))
        if before and now and head.root is not None and len(code.files) == 1 and PATTERN.search(code.files[0]):
            every = [item for item in expanded(code, head.root) if isinstance(item, Item) and item.name in now]
            moved = _of_files(code, every, before, head.root, base.root) if base.root is not None else {}
            left = [item for item in every if item.name not in moved]
            result |= moved | _of_functions(code, left, {*before} - {one.name for one in moved.values()})
    return result


def _of_files(code: Code, new: Sequence[Item], gone: Collection[str], head: Path, base: Path) -> dict[str, Former]:
    every = (path.relative_to(base).as_posix() for path in base.glob(code.files[0]) if path.is_file())
    before = [name for name in every if not (head / name).exists()]
    now = [name for name in {item.files[0]: None for item in new} if not (base / name).exists()]
    files = renamed_files(base, before, head, now)
    made: dict[str, Former] = {}
    for item in new:
        if (was := files.get(item.files[0])) is not None:
            name = f"{code.name}:{was}" + item.name.removeprefix(f"{code.name}:{item.files[0]}")
            made |= {item.name: Former(name, was)} if name in gone else {}
    return made


def _of_functions(code: Code, new: Sequence[Item], gone: Collection[str]) -> dict[str, Former]:
    counted = Counter(item.function for item in new)
    result = {}
    for item in new:
        end = f":{item.function}"
        same = [name for name in gone if name.endswith(end)]
        if item.function and counted[item.function] == len(same) == 1:
            result[item.name] = Former(same[0], same[0].removeprefix(f"{code.name}:").removesuffix(end))
    return result


def with_files_of(code: Code, root: Path, head: Path) -> Code:
    """A code of the head whose files have other names in the version in `root`: under those."""
    names = _elsewhere(code, head, root)
    if not names:
        return code
    values = {key: value for key, value in code.values.items() if key not in ("file", "files")}
    return type(code)(code.name, {**values, "files": [names.get(name, name) for name in code.files]})


def said_of_files(code: Code, base: Path, head: Path) -> str:
    """What files are called in the head that are not there under the names that are given; '' if nothing is known."""
    names = _elsewhere(code, base, head)
    return "; ".join(f"{was} was renamed to {now}: name that in foretell.toml" for was, now in names.items())


def _elsewhere(code: Code, there: Path, root: Path) -> dict[str, str]:
    """The files of a code that are `there` and not in `root`, with their names in `root`."""
    missing = [name for name in code.files if not (root / name).exists() and (there / name).is_file()]
    kinds = {Path(name).suffix for name in missing}
    every = (path.relative_to(root) for path in sorted(root.rglob("*")) if missing and path.suffix in kinds)
    new = [path.as_posix() for path in every if (root / path).is_file() and not (there / path).exists()]
    return {was: now for now, was in renamed_files(there, missing, root, new).items()}


def renamed_files(base: Path, gone: Sequence[str], head: Path, new: Sequence[str]) -> dict[str, str]:
    """The new files that are renamed ones, each with its name in the base: the most similar first, of equally similar
    ones those that kept their name in another folder."""
    before, now = _contents(base, gone[:_MOST]), _contents(head, new[:_MOST])
    found = [(share, Path(name).name == Path(was).name, name, was) for name, was, share in _similar(before, now)]
    result: dict[str, str] = {}
    for share, _, name, was in sorted(found, key=lambda entry: (-entry[0], not entry[1], entry[2:])):
        if share >= _ALIKE and name not in result and was not in result.values():
            result[name] = was
    return result


def _similar(before: Mapping[str, bytes], now: Mapping[str, bytes]) -> Iterator[tuple[str, str, float]]:
    """The share of the larger of two files that both have, in bytes of lines."""
    lines = {name: Counter(text.splitlines(keepends=True)) for name, text in before.items()}
    for name, text in now.items():
        own = Counter(text.splitlines(keepends=True))
        for was, other in lines.items():
            both = sum(len(line) * count for line, count in (own & other).items())
            yield name, was, both / max(len(text), len(before[was]), 1)


def _contents(root: Path, names: Iterable[str]) -> dict[str, bytes]:
    result = {}
    for name in names:
        try:
            result[name] = read_bytes(root / name)
        except InputError:  # too long for a source, or no file: not looked at
            continue
    return result
