"""Numbers in single precision: half the bytes, twice the elements of a vector, and other results."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text.c_text import blanked, tokens
from foretell.transform.text.effects import PURE
from foretell.transform.text.source import Edit

if TYPE_CHECKING:
    from foretell.transform.text.c_text import Token

LITERAL = re.compile(r"(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?\Z")
#: functions that take their arguments by a format or as bytes
_FORMATS = frozenset(("scanf", "fscanf", "sscanf", "fread", "fwrite"))
_HARMLESS = frozenset(
    ("printf", "fprintf", "malloc", "calloc", "free", "memset", "memcpy", "exit", "abs", "min", "max")
)
_MACRO = re.compile(r"^[ \t]*#[ \t]*define\b[^\n]*(?:\bdouble\b|\d\.\d|\.\d|\d\.)", re.MULTILINE)
_FORTRAN = (
    (re.compile(r"\bdouble\s+precision\b", re.I), "real"),
    (re.compile(r"\breal\s*(?:\*\s*8\b|\(\s*(?:kind\s*=\s*)?8\s*\))", re.I), "real(4)"),
    (re.compile(r"\bselected_real_kind\s*\([^()]*\)|\breal64\b|\bkind\s*\(\s*[\d.]+d0\s*\)", re.I), "kind(1.0)"),
    (re.compile(r"(?<=\d|\.)d(?=[+-]?\d)", re.I), "e"),
    (re.compile(r"\bdble\s*\(", re.I), "real("),
)
_PROVIDED = ("single precision is accurate enough, and callers pass it",)


def single(program: Program) -> Change:
    """Computes in single instead of double precision, in the whole file."""
    edits = _c(program.text) if program.language == "c" else _fortran(program.text)
    if not edits:
        raise RefusedError("nothing is computed in double precision")
    line = program.text.count("\n", 0, min(edit.start for edit in edits)) + 1
    return Change("single", "compute in single precision", line, tuple(edits), provided=_PROVIDED)


def _c(text: str) -> list[Edit]:
    if macro := _MACRO.search(text):
        raise RefusedError(f"line {text.count(chr(10), 0, macro.start()) + 1}: a macro names the type or a number")
    words = tokens(blanked(text))
    defined = {one.text for one, two in pairwise(words) if two.text == "(" and one.text.isidentifier()}
    edits, doubles = [], False
    for at, token in enumerate(words):
        if token.text == "double":
            if at and words[at - 1].text == "long":
                raise RefusedError(f"line {_line(text, token)}: long double")
            edits.append(Edit(token.start, token.end, "float"))
            doubles = True
        elif LITERAL.match(token.text):
            edits.append(Edit(token.end, token.end, "f"))
        elif token.text in defined:
            edits += _call(text, words, at)
    return edits if doubles else []


def _call(text: str, words: list[Token], at: int) -> list[Edit]:
    """A call: functions of the C library by their name for `float`; refused where the effect is not known."""
    token = words[at]
    if at + 1 >= len(words) or words[at + 1].text != "(":
        return []
    if token.text in _FORMATS:
        raise RefusedError(f"line {_line(text, token)}: {token.text} reads or writes numbers of a fixed size")
    own = token.text.removeprefix("__builtin_")
    if own in PURE and own not in _HARMLESS and not own.endswith("f") and own.islower():
        return [Edit(token.end, token.end, "f")]
    known = token.text in _HARMLESS or own in PURE or token.text in ("if", "for", "while", "switch", "sizeof")
    if not known and not re.search(rf"\b{re.escape(token.text)}\s*\([^;{{}}]*\)\s*\{{", blanked(text)):
        raise RefusedError(f"line {_line(text, token)}: {token.text} is not in this file, and may take double")
    return []


def _line(text: str, token: Token) -> int:
    return text.count("\n", 0, token.start) + 1


def _fortran(text: str) -> list[Edit]:
    plain = re.sub(r"!.*", lambda match: " " * len(match[0]), text)
    found = [Edit(*match.span(), new) for old, new in _FORTRAN for match in old.finditer(plain)]
    return [edit for edit in found if not any(one is not edit and one.start <= edit.start < one.end for one in found)]
