"""The text of a C file: comments and strings blanked, heads of `for`, and loops found by keyword.

Offsets are in bytes, as in clang: the text is decoded byte by byte.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from foretell import limits
from foretell.errors import InputError
from foretell.files import read_bytes
from foretell.frontends.c.parse.macros import expanded_pragmas, macros_of, pragma_macros, split_brackets
from foretell.frontends.source.directives import scan_c

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from foretell.frontends.c.parse.macros import Macro
    from foretell.frontends.source.directives import Found

MAX_SOURCE_BYTES = 16 << 20

_QUOTED = r'"(?:\\.|[^"\\\n])*"?|\'(?:\\.|[^\'\\\n])*\'?'
_COMMENT = r"//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z)"
_PIECES = re.compile(f"({_COMMENT})|{_QUOTED}", re.DOTALL)
_DIRECTIVE_LINE = re.compile(r"^[ \t]*#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_LOOP = re.compile(r"\b(for|while|do)\b|([{};])")
_SIZE_OF = re.compile(r"sizeof\s*\(\s*([A-Za-z_][\w\s]*)\[")
_SIZES = {"": 4, "char": 1, "short": 2, "long": 8, "long long": 8, "float": 4, "double": 8, "long double": 16}
_ENDS = re.compile(r"[;{},]")
_ZERO = re.compile(r"\s*\(\s*(?:0|false)\s*\)")

_CPP_INCLUDE = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*<(?:c(?:math|stdio|stdlib|stdint|string|float|assert|complex)|[a-z_]+)>", re.MULTILINE
)
_CPP = re.compile(
    r"\btemplate\s*<|\bnamespace\s+\w+\s*\{|\busing\s+namespace\b|\bstd\s*::|\bclass\s+\w+\s*(?::|\{)|"
    r"\b(?:public|private|protected)\s*:(?!:)|\b(?:static|dynamic|reinterpret)_cast\s*<|\bauto\s*&|\w+\s*::\s*\w+\s*\("
)


def source_bytes(path: Path) -> bytes:
    """The content of a source file or header, within the limit."""
    return read_bytes(path, limits.memory_share(MAX_SOURCE_BYTES), limits.MORE_MEMORY)


class Source:
    """One source file as text."""

    def __init__(self, path: Path, data: bytes | None = None) -> None:
        self.path = path
        raw = source_bytes(path) if data is None else data
        text = raw.decode("latin-1")
        self.text = _PIECES.sub(lambda match: match[0] if match[1] is None else _blank(match), text)
        code = _PIECES.sub(_blank, text)
        self.code = _DIRECTIVE_LINE.sub(_blank, code)
        self.macros = macros_of(self.text)
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self.lines = len(self._lines) - (1 if text.endswith("\n") or not text else 0)

    def between(self, first: int, last: int) -> str:
        """The code of a range of lines."""
        return self.code[self._lines[first - 1] : self._lines[last] if last < len(self._lines) else None]

    def longest_piece(self) -> tuple[str, int]:
        """Text and line of the longest text without any of ; { } and commas: a bound on its nesting depth."""
        ends = [-1, *(match.start() for match in _ENDS.finditer(self.code)), len(self.code)]
        before, end = max(pairwise(ends), key=lambda piece: piece[1] - piece[0])
        return self.code[before + 1 : end], self.line(before + 1)

    def line(self, offset: int) -> int:
        return bisect_right(self._lines, offset)

    def looks_like_cpp(self, skipped: Iterable[tuple[int, int]]) -> bool:
        """Whether the preprocessed text is obviously C++ (queried only after errors of clang)."""
        hidden = list(skipped)
        return bool(_CPP.search(_without(self.code, hidden)) or _CPP_INCLUDE.search(_without(self.text, hidden)))

    def directives(self, skipped: Iterable[tuple[int, int]], other_macros: dict[str, Macro]) -> tuple[Found, ...]:
        """The pragmas, except those that the preprocessor skips together with code.

        They may be made by macros, of this file or of others. `#ifdef _OPENMP` around nothing but pragmas is common
        and must not hide them."""
        made = pragma_macros(self.macros | other_macros)
        pragmas = [*scan_c(self.text), *expanded_pragmas(self.code, made, self._lines)]
        pragmas.sort(key=lambda item: item.directive.line)
        hidden = [
            (self.line(begin), self.line(end)) for begin, end in skipped if self.code[begin:end].strip().strip("#")
        ]
        return tuple(p for p in pragmas if not any(begin <= p.directive.line <= end for begin, end in hidden))

    def loops(self, skipped: Iterable[tuple[int, int]]) -> list[int]:
        """The offsets of the loops outside of macros and skipped parts; `do … while (0)` is none."""
        code = _without(self.code, skipped)
        result: list[int] = []
        open_do: list[tuple[int, int]] = []  # (brace depth, offset)
        depth = 0
        for match in _LOOP.finditer(code):
            word = match[1]
            if word is None:
                depth += {"{": 1, "}": -1}.get(match[0], 0)
            elif word == "do":
                open_do.append((depth, match.start()))
            elif word == "for":
                result.append(match.start())
            else:
                start = match.start()
                if open_do and open_do[-1][0] == depth and _closes_do(code, match.start()):
                    start = open_do.pop()[1]
                if not _ZERO.match(code, match.end()):
                    result.append(start)
        return sorted([*result, *(offset for _, offset in open_do)])

    def written_array(self, offset: int) -> tuple[int | None, int] | None:
        """Element size (None if the name does not tell) and rank of the array type in the `sizeof` at an offset."""
        match = _SIZE_OF.match(self.code, offset)
        if match is None:
            return None
        rank, depth = 0, 0
        for character in self.code[match.end() - 1 : match.end() + 2000]:
            if character == "[":
                rank += depth == 0
                depth += 1
            elif character == "]":
                depth -= 1
            elif character == ")" and depth == 0:
                break
        words = [word for word in match[1].split() if word not in ("const", "volatile", "signed", "unsigned", "int")]
        return _SIZES.get(" ".join(words)), rank

    def for_slots(self, offset: int) -> tuple[bool, ...] | None:
        """Which of the three parts of the `for` at an offset are present; None if there is no plain `for`."""
        match = re.compile(r"for\s*\(").match(self.code, offset)
        parts = split_brackets(self.code, match.end(), ";")[0] if match is not None else []
        return tuple(bool(part.strip()) for part in parts) if len(parts) == 3 else None


def header_source(path: Path) -> Source | None:
    """The text of a header, cached between the files that include it; None if it cannot be read again."""
    try:
        state = path.stat()
        return _read_source(path, state.st_mtime_ns, state.st_size)
    except (OSError, InputError):
        return None


@lru_cache(maxsize=256)
def _read_source(path: Path, _mtime: int, _size: int) -> Source:
    return Source(path)


def _closes_do(code: str, offset: int) -> bool:
    """Whether a `while` may end a `do`: it follows a brace or a semicolon."""
    return code[max(offset - 200, 0) : offset].rstrip()[-1:] in ("}", ";", "")


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _without(text: str, parts: Iterable[tuple[int, int]]) -> str:
    """The text with these parts blanked."""
    for begin, end in parts:
        text = text[:begin] + " " * (end - begin) + text[end:]
    return text
