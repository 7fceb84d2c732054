"""Reads the loops of a C text: a scanner that keeps the offset of every statement, so that edits leave the rest as the
user wrote it. It follows the text before preprocessing: a loop whose head or braces come from a macro is not in it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.records import record
from foretell.transform.text.source import Head, Piece, SourceFunction, SourceLoop

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLANKED = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*",
    re.DOTALL | re.MULTILINE,
)
_TOKEN = re.compile(
    r"[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|\+\+|--|->|<<=|>>=|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|\.\.\.|\S"
)
_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[^\n]*\n\s*\Z", re.MULTILINE)
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CONTROL = ("while", "do", "switch", "return", "break", "continue", "goto", "asm", "__asm__")
_TYPE = re.compile(r"(?:(?:const|unsigned|signed|long|short|int|char|size_t|ssize_t|ptrdiff_t|u?int\d+_t)\s+)+\Z")
#: operators that bind less tightly than a comparison: the condition is more than one
_LOOSER = frozenset(("&&", "||", "?", ",", "==", "!=", "<", ">", "<=", ">=", "&", "|", "^", "="))
_NUMBER = re.compile(r"[+-]?\d+\Z")


@record
class Token:
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def blanked(text: str) -> str:
    """The text with comments, literals of characters and preprocessor lines as spaces, of the same length."""
    return _BLANKED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def outermost(plain: str) -> str:
    """A text that is blanked, with what stands in braces or parentheses as spaces."""
    depth, kept = 0, []
    for letter in plain:
        depth -= letter in ")}"
        kept.append(" " if depth > 0 and letter != "\n" else letter)
        depth += letter in "({"
    return "".join(kept)


def tokens(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of a text that is blanked, with their offsets in it."""
    stop = len(text) if end is None else end
    return [Token(match[0], match.start()) for match in _TOKEN.finditer(text, start, stop)]


class UnreadableError(Exception):
    """The text has not the structure of C statements: braces of macros, unfinished statements."""


class Scanner:
    """Statements of a C text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(blanked(text))
        self._at = 0

    def functions(self) -> tuple[SourceFunction, ...]:
        """The functions whose text can be read; others are left out."""
        result = []
        self._at = 0
        while self._at < len(self._tokens):
            if self._peek() == "{" and self._at and self._tokens[self._at - 1].text == ")":
                result.append(self._function())
            elif self._peek() == "{":
                self._skip_pair()
            else:
                self._at += 1
        return tuple(one for one in result if one is not None)

    def _function(self) -> SourceFunction | None:
        opening = self._opening_before(self._at - 1)
        body = self._at
        end = self._tokens[self._closing(body)].end
        try:
            pieces = self._block()
        except UnreadableError:
            pieces = ()
        self._at = next(at for at, token in enumerate(self._tokens) if token.end == end) + 1
        if opening is None or opening == 0:
            return None
        name, closing = self._tokens[opening - 1].text, self._tokens[body - 1]
        start = self._tokens[body].start
        return SourceFunction(name, self._tokens[opening].end, closing.start, start, end, pieces)

    def _opening_before(self, closing: int) -> int | None:
        depth = 0
        for at in range(closing, -1, -1):
            depth += {")": 1, "(": -1}.get(self._tokens[at].text, 0)
            if depth == 0:
                return at
        return None

    def _closing(self, opening: int) -> int:
        kind = self._tokens[opening].text
        depth = 0
        for at in range(opening, len(self._tokens)):
            depth += (self._tokens[at].text == kind) - (self._tokens[at].text == _PAIRS[kind])
            if depth == 0:
                return at
        raise UnreadableError(f"{kind} without {_PAIRS[kind]}")

    def _peek(self) -> str:
        if self._at >= len(self._tokens):
            raise UnreadableError("the text ends inside a statement")
        return self._tokens[self._at].text

    def _skip_pair(self) -> int:
        """Moves behind a bracket's partner; returns the partner's number."""
        closing = self._closing(self._at)
        self._at = closing + 1
        return closing

    def _block(self) -> tuple[Piece, ...]:
        """Statements of a braced block, at whose brace the scanner stands."""
        self._at += 1
        pieces = []
        while self._peek() != "}":
            pieces.append(self._statement())
        self._at += 1
        return tuple(pieces)

    def _statement(self) -> Piece:
        start = self._at
        match self._peek():
            case "{":
                inner = self._block()
                return self._piece(start, control="block", inner=inner)
            case "for":
                return self._for(start)
            case "if":
                return self._if(start)
            case "while" | "switch" as word:
                self._at += 1
                self._skip_pair()
                return self._piece(start, control=word, inner=(self._statement(),))
            case "do":
                self._at += 1
                inner = (self._statement(),)
                self._to_semicolon()
                return self._piece(start, control="do", inner=inner)
            case word if word in ("case", "default") or self._is_label():
                while self._peek() != ":":
                    self._at += 1
                self._at += 1
                return self._piece(start, control="label", inner=(self._statement(),))
            case word:
                self._to_semicolon()
                return self._piece(start, control=word if word in _CONTROL else "")

    def _is_label(self) -> bool:
        after = self._tokens[self._at + 1].text if self._at + 1 < len(self._tokens) else ""
        return after == ":" and self._peek().isidentifier()

    def _if(self, start: int) -> Piece:
        self._at += 1
        self._skip_pair()
        inner = [self._statement()]
        if self._at < len(self._tokens) and self._peek() == "else":
            self._at += 1
            inner.append(self._statement())
        return self._piece(start, control="if", inner=tuple(inner))

    def _to_semicolon(self) -> None:
        while self._peek() != ";":
            if self._peek() == "}":
                raise UnreadableError(f"line {self._line(self._tokens[self._at].start)}: a statement without ;")
            if self._peek() in _PAIRS:
                self._skip_pair()
            else:
                self._at += 1
        self._at += 1

    def _for(self, start: int) -> Piece:
        self._at += 1
        opening = self._at
        closing = self._skip_pair()
        head, reason = self._head(opening + 1, closing)
        body = self._at
        braced = self._peek() == "{"
        pieces = self._block() if braced else (self._statement(),)
        last = self._tokens[self._at - 1]
        piece = self._piece(start)
        begin = self._tokens[body].end if braced else pieces[0].start
        stop = last.start if braced else last.end
        directive = bool(_PRAGMA.search(self._text[: piece.start]))
        loop = SourceLoop(
            head, piece.start, piece.end, piece.line, piece.last_line, self._tokens[opening].end,
            self._tokens[closing].start, begin, stop, pieces, reason, directive,
        )  # fmt: skip
        return replace(piece, loop=loop)

    def _piece(self, start: int, control: str = "", inner: tuple[Piece, ...] = ()) -> Piece:
        first, last = self._tokens[start], self._tokens[self._at - 1]
        return Piece(first.start, last.end, self._line(first.start), self._line(last.start), None, control, inner)

    def _line(self, offset: int) -> int:
        return self._text.count("\n", 0, offset) + 1

    def _head(self, first: int, last: int) -> tuple[Head | None, str]:
        parts: list[list[Token]] = [[]]
        for token in self._tokens[first:last]:
            if token.text == ";":
                parts.append([])
            else:
                parts[-1].append(token)
        if len(parts) != 3 or not all(parts):
            return None, "its head lacks a start, a condition or a step"
        return self._counted(*parts)

    def _counted(self, start: list[Token], condition: list[Token], step: list[Token]) -> tuple[Head | None, str]:
        equals = next((at for at, token in enumerate(start) if token.text == "="), None)
        if equals is None or equals == 0:
            return None, "it starts no variable"
        if any(token.text == "," for token in start):
            return None, "it starts several variables: start the others before it, and step them in its body"
        variable = start[equals - 1].text
        kind = self._span(start[: equals - 1])
        if kind and not _TYPE.match(kind + " "):
            return None, f"the type {kind} of its variable is no integer"
        by = _step(variable, [token.text for token in step])
        if any(token.text == "," for token in step):
            return None, f"it steps several variables: step those other than {variable} in its body"
        if by is None:
            return None, f"its step is no constant number added to {variable}"
        relation = condition[1].text if len(condition) > 2 and condition[0].text == variable else ""
        several = any(word in _LOOSER for word in _outside_brackets([token.text for token in condition[2:]]))
        if several or relation not in ("<", "<=", ">", ">=") or (relation[0] == "<") != (by > 0):
            return None, f"its condition does not compare {variable} with a limit"
        return Head(variable, kind, self._span(start[equals + 1 :]), relation, self._span(condition[2:]), by), ""

    def _span(self, part: list[Token]) -> str:
        return " ".join(self._text[part[0].start : part[-1].end].split()) if part else ""


def _outside_brackets(words: list[str]) -> Iterator[str]:
    depth = 0
    for word in words:
        depth += (word in _PAIRS) - (word in _PAIRS.values())
        if depth == 0:
            yield word


def _step(variable: str, words: list[str]) -> int | None:
    match words:
        case [a, b] if variable in (a, b) and {"++", "--"} & {a, b}:
            return 1 if "++" in words else -1
        case [name, ("+=" | "-=") as op, amount] if name == variable and _NUMBER.match(amount):
            return int(amount) * (1 if op == "+=" else -1) or None
        case [name, "=", again, ("+" | "-") as op, amount] if name == again == variable and _NUMBER.match(amount):
            return int(amount) * (1 if op == "+" else -1) or None
    return None


def read_functions(text: str) -> tuple[SourceFunction, ...]:
    """The functions of a C text with their statements."""
    try:
        return Scanner(text).functions()
    except UnreadableError:
        return ()
