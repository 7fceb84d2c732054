"""The code of a function without what its place in a file decides: labels, line numbers, order of functions.

Two versions of a file with equal text of a function execute the same instructions on the same constants.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.codegen.assembly.listing import function_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LABEL = re.compile(r'^\s*"?([\w.$@]+)"?:')
_LOCAL = re.compile(r"\.L[\w.$]*")
_WORD = re.compile(r"[\w.$]+")
_COMMENT = re.compile(r"\s*(?:#(?!\d)|//).*$")
#: directives with data or alignment; all others say something to a debugger, an unwinder or the linker
_DATA = (
    ".byte", ".short", ".hword", ".value", ".2byte", ".word", ".long", ".4byte", ".int", ".quad", ".xword", ".8byte",
    ".float", ".double", ".zero", ".space", ".skip", ".ascii", ".asciz", ".string", ".p2align", ".align", ".balign",
)  # fmt: skip
_ALIGNMENT = (".p2align", ".align", ".balign")


def function_identity(text: str, root: str) -> str:
    """The instructions of a function, of those that it reaches in this file, and the constants that they name; local
    labels are numbered in order."""
    blocks = _blocks(text)
    kept: list[str] = []
    for name in (pending := [root]):
        lines = blocks.lines(name)
        kept += (f"{name}:", *lines)
        reached = (word for line in lines for word in _WORD.findall(line))
        pending += dict.fromkeys(word for word in reached if blocks.defines(word) and word not in pending)
    return _numbered(kept)


class _Blocks:
    """The lines of an assembly file by label: of functions up to the next one, of constants up to the next label."""

    def __init__(self, text: str) -> None:
        self._lines = [_COMMENT.sub("", line).strip() for line in text.splitlines()]
        self._functions = frozenset(function_names(text))
        labels = [(number, found[1]) for number, line in enumerate(self._lines) if (found := _LABEL.match(line))]
        self._starts = {label: number for number, label in labels}
        self._function_starts = sorted(number for number, label in labels if label in self._functions)
        owned = {label for start, label in labels for label in self._inside(start) if label}
        self._constants = {label for label in self._starts if label.startswith(".L")} - owned

    def defines(self, name: str) -> bool:
        """Whether a word of an instruction names a function, or a constant outside of functions."""
        return name in self._starts and (name in self._functions or name in self._constants)

    def lines(self, name: str) -> list[str]:
        """The instructions, data and labels of a block."""
        start = self._starts[name]
        end = self._end(start) if name in self._functions else self._next_label(start)
        lines = [line for line in self._lines[start + 1 : end] if line and _is_code(line)]
        while lines and name in self._constants and lines[-1].startswith(_ALIGNMENT):  # of what follows
            lines.pop()
        return lines

    def _inside(self, start: int) -> Iterator[str]:
        """The labels inside of the function that starts here."""
        if start in self._function_starts:
            for line in self._lines[start + 1 : self._end(start)]:
                if found := _LABEL.match(line):
                    yield found[1]

    def _end(self, start: int) -> int:
        """The end of a function: its .size, or the start of the next one."""
        later = next((number for number in self._function_starts if number > start), len(self._lines))
        sizes = (number for number in range(start, later) if self._lines[number].startswith(".size"))
        return next(sizes, later)

    def _next_label(self, start: int) -> int:
        ends = range(start + 1, len(self._lines))
        return next(
            (n for n in ends if _LABEL.match(self._lines[n]) or self._lines[n].startswith(".section")), len(self._lines)
        )


@lru_cache(maxsize=4)
def _blocks(text: str) -> _Blocks:
    """The blocks of a file, once for all of its functions."""
    return _Blocks(text)


def _is_code(line: str) -> bool:
    """Whether a line is an instruction, a label, data or an alignment."""
    return not line.startswith(".") or _LABEL.match(line) is not None or line.startswith(_DATA)


def _numbered(lines: Sequence[str]) -> str:
    """The lines with local labels numbered by their first use; labels that nothing names are left out."""
    named = {label for line in lines if not _LABEL.match(line) for label in _LOCAL.findall(line)}
    kept = [line for line in lines if not (found := _LABEL.match(line)) or found[1] in named or _is_global(found[1])]
    numbers: dict[str, str] = {}
    rename = lambda found: numbers.setdefault(found[0], f".L{len(numbers)}")  # noqa: E731
    return "\n".join(re.sub(r"\s+", " ", _LOCAL.sub(rename, line)) for line in kept)


def _is_global(label: str) -> bool:
    return not label.startswith(".L")
