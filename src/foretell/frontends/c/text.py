"""The text of a C file: comments and strings blanked, heads of `for`, and the loops that can be seen by eye.

Offsets are in bytes, as clang gives them: the text is decoded byte by byte.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from foretell.files import read_bytes
from foretell.frontends.directives import scan_c

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from foretell.frontends.directives import Found

MAX_SOURCE_BYTES = 16 << 20

_QUOTED = r'"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?'
_COMMENT = r"//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)"
_PIECES = re.compile(f"({_COMMENT})|{_QUOTED}", re.DOTALL)
_DIRECTIVE_LINE = re.compile(r"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_LOOP = re.compile(r"\b(for|while|do)\b|([{};])")
_SIZE_OF = re.compile(r"sizeof\s*\(\s*([A-Za-z_][\w\s]*)\[")
_SIZES = {"": 4, "char": 1, "short": 2, "long": 8, "long long": 8, "float": 4, "double": 8, "long double": 16}
_ZERO = re.compile(r"\s*\(\s*(?:0|false)\s*\)")

_CPP_INCLUDE = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*<(?:c(?:math|stdio|stdlib|stdint|string|float|assert|complex)|[a-z_]+)>",
    re.MULTILINE,
)
_CPP = re.compile(
    r"\btemplate\s*<|\bnamespace\s+\w+\s*\{|\busing\s+namespace\b|\bstd\s*::|\bclass\s+\w+\s*(?::|\{)|"
    r"\b(?:public|private|protected)\s*:(?!:)|\b(?:static|dynamic|reinterpret)_cast\s*<|\bauto\s*&|\w+\s*::\s*\w+\s*\("
)


@dataclass(frozen=True, slots=True)
class SeenLoop:
    """A loop in the text: the place of its keyword."""

    offset: int
    line: int


class Source:
    """One source file as text."""

    def __init__(self, path: Path, data: bytes | None = None) -> None:
        raw = read_bytes(path, MAX_SOURCE_BYTES) if data is None else data
        text = raw.decode("latin-1")
        self.text = _PIECES.sub(_blank_comment, text)
        code = _PIECES.sub(_blank, text)
        self.code = _DIRECTIVE_LINE.sub(_blank, code)
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self.lines = len(self._lines) - (1 if text.endswith("\n") or not text else 0)

    def line(self, offset: int) -> int:
        return bisect_right(self._lines, offset)

    def looks_like_cpp(self) -> bool:
        """Whether the file is obviously C++ (asked only when clang found errors in it)."""
        return bool(_CPP.search(self.code) or _CPP_INCLUDE.search(self.text))

    def directives(self, skipped: Iterable[tuple[int, int]]) -> tuple[Found, ...]:
        """The pragmas, but for those that the preprocessor skips together with code.

        `#ifdef _OPENMP` around nothing but pragmas is a habit that must not hide them."""
        found = scan_c(self.text)
        if not found:
            return ()
        hidden = [
            (self.line(begin), self.line(end))
            for begin, end in skipped
            if self.code[begin:end].strip().strip("#")
        ]
        return tuple(f for f in found if not any(b <= f.directive.line <= e for b, e in hidden))

    def loops(self, skipped: Iterable[tuple[int, int]]) -> list[SeenLoop]:
        """The loops written in the text, outside of macros and skipped parts; `do … while (0)` is none."""
        code = self.code
        for begin, end in skipped:
            code = code[:begin] + " " * (end - begin) + code[end:]
        result: list[SeenLoop] = []
        open_do: list[tuple[int, int]] = []  # (brace depth, offset)
        depth = 0
        for match in _LOOP.finditer(code):
            word = match[1]
            if word is None:
                depth += {"{": 1, "}": -1}.get(match[0], 0)
            elif word == "do":
                open_do.append((depth, match.start()))
            elif word == "for":
                result.append(SeenLoop(match.start(), self.line(match.start())))
            else:
                start = match.start()
                if open_do and open_do[-1][0] == depth and _closes_do(code, match.start()):
                    start = open_do.pop()[1]
                if not _ZERO.match(code, match.end()):
                    result.append(SeenLoop(start, self.line(start)))
        result += [SeenLoop(offset, self.line(offset)) for _, offset in open_do]
        return sorted(result, key=lambda loop: loop.offset)

    def element_size(self, offset: int) -> int | None:
        """The size of the element type written in the `sizeof` at an offset, if it is a plain one."""
        match = _SIZE_OF.match(self.code, offset)
        if match is None:
            return None
        words = [
            word
            for word in match[1].split()
            if word not in ("const", "volatile", "signed", "unsigned", "int")
        ]
        return _SIZES.get(" ".join(words))

    def for_slots(self, offset: int) -> tuple[bool, bool, bool] | None:
        """Which of the three parts of the `for` at an offset are written; None if there is no plain `for` there."""
        match = re.compile(r"for\s*\(").match(self.code, offset)
        if match is None:
            return None
        slots = [False]
        depth = 0
        for place in range(match.end(), len(self.code)):
            character = self.code[place]
            if character in "([{":
                depth += 1
            elif character in ")]}":
                depth -= 1
                if depth < 0:
                    break
            elif character == ";" and depth == 0:
                slots.append(False)
                continue
            if not character.isspace():
                slots[-1] = True
        return (slots[0], slots[1], slots[2]) if len(slots) == 3 else None


def _closes_do(code: str, offset: int) -> bool:
    """Whether a `while` stands where one that ends a `do` does: behind a brace or a semicolon."""
    return (
        code[:offset].rstrip()[-1:] in ("}", ";")
        if offset < 200
        else code[offset - 200 : offset].rstrip()[-1:] in ("}", ";", "")
    )


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _blank_comment(match: re.Match[str]) -> str:
    return _blank(match) if match[1] is not None else match[0]
