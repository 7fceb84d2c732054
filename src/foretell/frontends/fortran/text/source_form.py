"""Source form: detects it, and converts fixed form to free form, line by line.

Free form is unchanged. Fixed form keeps its line numbers: comments become `!` comments, a continuation line
becomes `&…` after a line that ends in `&`, and text to the right of the last column is cut.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

FIXED_SUFFIXES = frozenset({".f", ".for", ".ftn", ".f77", ".fpp"})
FREE_SUFFIXES = frozenset({".f90", ".f95", ".f03", ".f08", ".f15", ".f18", ".f23"})

#: the last column of a fixed-form line
LAST_COLUMN = 72
UNLIMITED = 1_000_000

_DIRECTIVE = re.compile(r"[cC*!](\$(?:omp|acc|foretell)\b|(?:dir|dec|ibm|pgi|gcc)\$)", re.IGNORECASE)
_FREE_START = re.compile(r"[ ]{0,4}[a-zA-Z_]")
#: a line with c or C in column 1 that is nevertheless a statement (`call f`, `c = 1`), not a comment
_C_STATEMENT = re.compile(r"(?i)(call\s+\w|close\s*\(|common\b|complex\b|character\b|contains\b|c\w*\s*=|c\w*\()")
_TAIL = re.compile(r"[\w .\-]{0,8}\s*$|\s*!")


def is_fixed(lines: Sequence[str], path: Path) -> bool:
    """Whether the file is in fixed form: by its suffix, unless its content contradicts."""
    suffix = path.suffix.lower()
    if suffix in FREE_SUFFIXES:
        return False
    fixed, free = _evidence(lines)
    return fixed > free or (suffix in FIXED_SUFFIXES and free == 0)


def _evidence(lines: Iterable[str]) -> tuple[int, int]:
    """The number of lines that can only be fixed form, and of those that can only be free form."""
    fixed = free = 0
    for line in lines:
        text = line.rstrip()
        if not text or text[0] in "!#\t":
            continue
        if text[0] in "cC*" and not _C_STATEMENT.match(text):
            fixed += 1
        elif _FREE_START.match(text) or (text.endswith("&") and len(text) <= LAST_COLUMN and not _continuation(text)):
            free += 1
        elif _continuation(text):
            fixed += 1
    return fixed, free


def _continuation(line: str) -> bool:
    return len(line) > 5 and line[:5].isspace() and line[5] not in " 0"


def to_free(lines: Sequence[str]) -> list[str]:
    """Converts fixed-form lines to free-form lines, one to one."""
    limit = _last_column(lines)
    out: list[str] = []
    previous = -1  # the line that a continuation would continue
    quote = ""
    for line in lines:
        if _is_comment(line):
            out.append(_comment(line))
            continue
        label, continued, body = _fields(line, limit)
        if not label and not body.strip() and not continued:
            out.append("")
            continue
        if continued and previous >= 0:
            out[previous] = (out[previous].ljust(LAST_COLUMN) if quote else out[previous]) + "&"
        else:
            continued, quote = False, ""
        code, quote = _code(body, quote)
        out.append("      &" + code if continued else label + code if label else "      " + code)
        previous = len(out) - 1
    return out


def _last_column(lines: Sequence[str]) -> int:
    """72, or no limit where text beyond column 72 is clearly code (compilers have a switch for it)."""
    long_lines = (text for text in map(str.rstrip, lines) if len(text) > LAST_COLUMN and "!" not in text)
    code = any(not _is_comment(text) and not _TAIL.match(text[LAST_COLUMN:]) for text in long_lines)
    return UNLIMITED if code else LAST_COLUMN


def _is_comment(line: str) -> bool:
    return not line.strip() or line[0] in "cC*!dD#" or line.lstrip().startswith("!")


def _comment(line: str) -> str:
    """A comment line in free form; directive sentinels are kept, with `&` for their continuation column."""
    if line[:1] == "#":
        return line
    match = _DIRECTIVE.match(line)
    if match is None:
        text = line.strip()
        return "!" + text[1:] if text else ""
    rest = line[match.end() :]
    if match[1].startswith("$") and rest[:1] not in ("", " ", "0", "\t"):
        rest = "& " + rest[1:]
    return "!" + match[1] + rest


def _fields(line: str, limit: int) -> tuple[str, bool, str]:
    """Label field, whether the line is a continuation, and the statement field."""
    head, tab, rest = line.partition("\t")
    if tab and len(head) < 6:
        if rest[:1].isdigit() and rest[0] != "0":
            return "", True, rest[1:]
        return _label(head), False, rest
    line = line[:limit]
    return _label(line[:5]), len(line) > 5 and line[5] not in " 0", line[6:]


def _label(text: str) -> str:
    digits = text.replace(" ", "")
    return digits.ljust(6) if digits else ""


# Blanks are insignificant in fixed form; these are the cases that occur in old codes.
_SPLIT_DIGITS = re.compile(r"(?<=\d) +(?=\d)")
_SPLIT_EXPONENT = re.compile(r"(\d\.\d*|\.\d+) +(?=[dDeE] ?[+-]?\d)")
_SPLIT_OPERATOR = re.compile(r"\. *(and|or|not|eq|ne|lt|le|gt|ge|eqv|neqv|true|false) *\.", re.IGNORECASE)
_GLUED = re.compile(r"^( *)(recursive|pure|elemental)(?=double|subroutine|function|real|integer)", re.IGNORECASE)
_SPLIT_NAME = re.compile(r"\b([a-z][a-z_]*) (\d+)(?= *=[^=])", re.IGNORECASE)


def _without_odd_blanks(code: str) -> str:
    """Removes blanks inside numbers, operators and names, as free form requires."""
    code = _SPLIT_EXPONENT.sub(r"\1", _SPLIT_DIGITS.sub("", code))
    if "." in code:
        code = _SPLIT_OPERATOR.sub(lambda m: f".{m[1]}." if " " not in m[0] else f" .{m[1]}. ", code)
    code = _GLUED.sub(r"\1\2 ", code)
    return _SPLIT_NAME.sub(r"\1\2", code) if "=" in code else code


_PIECES = re.compile(r"""[^'"!]+|['"!]""")


def _code(body: str, quote: str) -> tuple[str, str]:
    """The statement field without its inline comment, and the quote still open at its end."""
    if "!" not in body and "'" not in body and '"' not in body:
        return _without_odd_blanks(body.rstrip()) if not quote else body, quote
    end = len(body)
    for found in _PIECES.finditer(body):
        piece = found[0]
        if quote:
            quote = "" if piece == quote else quote
        elif piece == "!":
            end = found.start()
            break
        elif piece in ("'", '"'):
            quote = piece
    return (body[:end] if quote else body[:end].rstrip()), quote
