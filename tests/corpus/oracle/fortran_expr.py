"""Reads Fortran expressions by precedence climbing. Independent of every front end.

('num', value) ('str', s) ('bool', b) ('ref', ((name, args | None), …)) ('bin', op, l, r) ('un', op, e) ('paren', e)
('array', items) and, inside subscripts, ('range', lo, hi, step) or ('kw', name, e).
"""

from __future__ import annotations

import re
from typing import Any

TOKEN = re.compile(
    r"\s*(?:(?P<num>(?:\d+\.(?![a-z]+\.)\d*|\.\d+|\d+)(?:[ed][+-]?\d+)?(?:_\w+)?)|(?P<name>[a-z]\w*)"
    r"|(?P<dot>\.[a-z]+\.)|(?P<str>'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\")"
    r"|(?P<op>\*\*|==|/=|<=|>=|=>|//|\(/|/\)|[-+*/(),:=<>%\[\]]))"
)
DOT = {".eq.": "==", ".ne.": "/=", ".lt.": "<", ".le.": "<=", ".gt.": ">", ".ge.": ">="}
LEVELS: list[set[str]] = [
    {".eqv.", ".neqv."},
    {".or."},
    {".and."},
    {".not."},
    {"==", "/=", "<", "<=", ">", ">="},
    {"//"},
    {"+", "-"},
    {"*", "/"},
    {"**"},
]


class ParseError(Exception):
    pass


class Expressions:
    """A recursive-descent reader of expressions."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match or match.end() == at:
                raise ParseError(f"cannot read {text[at:]!r} in {text!r}")
            kind = str(match.lastgroup)
            value = match[kind]
            self.tokens.append(("op", DOT[value]) if value in DOT else (kind, value))
            at = match.end()
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        value = self.peek()
        if expected and value != expected:
            raise ParseError(f"expected {expected!r}, found {value!r} in {self.tokens}")
        self.at += 1
        return value

    def done(self) -> bool:
        return self.at >= len(self.tokens)

    def expression(self, level: int = 0) -> Any:
        if level == len(LEVELS):
            return self.primary()
        operators = LEVELS[level]
        if ".not." in operators:
            if self.peek() == ".not.":
                self.take()
                return ("un", ".not.", self.expression(level))
            return self.expression(level + 1)
        if "**" in operators:
            base = self.primary()
            if self.peek() == "**":
                self.take()
                if self.peek() == "-":
                    self.take()
                    return ("bin", "**", base, ("un", "-", self.expression(level)))
                return ("bin", "**", base, self.expression(level))
            return base
        if "+" in operators and self.peek() in ("-", "+"):
            sign = self.take()
            left = ("un", sign, self.expression(level + 1))
        else:
            left = self.expression(level + 1)
        while self.peek() in operators:
            operator = self.take()
            left = ("bin", operator, left, self.expression(level + 1))
        return left

    def primary(self) -> Any:
        if self.at >= len(self.tokens):
            raise ParseError(f"unexpected end in {self.tokens}")
        kind, value = self.tokens[self.at]
        if kind == "num":
            self.take()
            return ("num", _number(value))
        if kind == "str":
            self.take()
            return ("str", value[1:-1])
        if kind == "dot" and value in (".true.", ".false."):
            self.take()
            return ("bool", value == ".true.")
        if value == "(":
            self.take()
            inner = self.expression()
            self.take(")")
            return ("paren", inner)
        if value in ("(/", "["):
            return self.constructor("/)" if value == "(/" else "]")
        if kind == "name":
            return self.reference()
        raise ParseError(f"unexpected {value!r} in {self.tokens}")

    def constructor(self, end: str) -> Any:
        self.take()
        items = []
        while self.peek() != end:
            items.append(self.implied() if self.peek() == "(" else self.expression())
            if self.peek() == ",":
                self.take()
        self.take(end)
        return ("array", items)

    def implied(self) -> Any:
        """(expr, i = lo, hi) inside a constructor, or a parenthesised expression."""
        mark = self.at
        self.take("(")
        value = self.expression()
        if self.peek() != ",":
            self.at = mark
            return self.expression()
        self.take()
        name = self.take()
        self.take("=")
        low = self.expression()
        self.take(",")
        high = self.expression()
        self.take(")")
        return ("implied", value, name, low, high)

    def reference(self) -> Any:
        parts = []
        while True:
            name = self.take()
            parts.append((name, tuple(self.arguments()) if self.peek() == "(" else None))
            if self.peek() != "%":
                return ("ref", tuple(parts))
            self.take()

    def arguments(self) -> list[Any]:
        self.take("(")
        items = []
        while self.peek() != ")":
            items.append(self.argument())
            if self.peek() == ",":
                self.take()
        self.take(")")
        return items

    def argument(self) -> Any:
        if self.tokens[self.at][0] == "name" and self.at + 1 < len(self.tokens) and self.tokens[self.at + 1][1] == "=":
            name = self.take()
            self.take()
            return ("kw", name, self.expression())
        if self.peek() == "*":
            self.take()
            return ("star",)
        low = None if self.peek() == ":" else self.expression()
        if self.peek() != ":":
            return low
        self.take()
        if self.peek() == "*":
            self.take()
            return ("range", low, ("star",), None)
        high = None if self.peek() in (":", ",", ")") else self.expression()
        step = None
        if self.peek() == ":":
            self.take()
            step = self.expression()
        return ("range", low, high, step)


def _number(text: str) -> int | float:
    text = text.split("_")[0]
    if re.fullmatch(r"\d+", text):
        return int(text)
    return float(text.replace("d", "e"))


def expression(text: str) -> Any:
    reader = Expressions(text)
    value = reader.expression()
    if not reader.done():
        raise ParseError(f"left over {reader.tokens[reader.at :]} in {text!r}")
    return value


def items(text: str) -> list[str]:
    """Split at commas outside parentheses and quotes."""
    out, depth, start, quote = [], 0, 0, ""
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif c == "," and depth == 0:
            out.append(text[start:i].strip())
            start = i + 1
    return [*out, text[start:].strip()] if text.strip() else []


def closing(text: str, start: int) -> int:
    """The index of the parenthesis that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise ParseError(f"no closing parenthesis in {text!r}")
