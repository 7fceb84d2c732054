"""What C statements do besides their array references: scalars that they set, calls, jumps, declarations."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from foretell.records import record
from foretell.transform.text.c_text import blanked, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.transform.text.c_text import Token
    from foretell.transform.text.source import Language

_CASE = {"c": re.NOFLAG, "fortran": re.IGNORECASE}
_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
_STEPS = frozenset(("++", "--"))
_JUMPS = ("break", "continue", "return", "goto")
_WORDS = frozenset(("if", "for", "while", "switch", "sizeof", "return", "else", "do", "case"))
#: functions without side effects that may be called in another order
_PURE_LONG = (
    "sqrt", "fabs", "exp", "log", "sin", "cos", "tan", "tanh", "pow", "fma", "fmin", "fmax", "floor", "ceil", "atan",
    "atan2", "cbrt", "hypot", "exp2", "log2", "log10", "fmod", "round", "trunc",
)  # fmt: skip
PURE = frozenset((*_PURE_LONG, *(f"{name}f" for name in _PURE_LONG), "abs", "min", "max", "MIN", "MAX"))
#: a type of the user's own is a word before another one, or before `* name =`
_DECLARATION = re.compile(
    r"(?:(?:const|unsigned|signed|volatile|register|restrict|struct)\s+)*"
    r"(?:(?:double|float|int|long|short|char|bool|_Bool|size_t|ptrdiff_t|u?int\d+_t|\w+_t|complex|_Complex)\b|"
    r"(?!(?:return|else|case|goto|do)\b)[A-Za-z_]\w*(?=\s*\*\s*[A-Za-z_]\w*\s*=|\s+[A-Za-z_]\w*\s*[=;,\[]))[\w\s*]*?"
    r"\b(?P<name>[A-Za-z_]\w*)\s*(?=[=;,\[])"
)


#: a pointer that is declared as the address of an element
_POINTER = re.compile(r"\*\s*(?:(?:const|restrict)\s+)*([A-Za-z_]\w*)\s*=\s*&\s*[A-Za-z_]\w*\s*\[")


@record
class Effects:
    """Names that statements declare, scalars and arrays that they set, and what keeps them from being moved."""

    declared: frozenset[str]
    scalars: frozenset[str]
    stores: int
    obstacle: str = ""


def effects(text: str, line: int = 1, macros: Mapping[str, frozenset[str]] = MappingProxyType({})) -> Effects:
    """Reads the effects off a text of statements; `line` is its first line in the file. `macros` only compute."""
    plain = blanked(text)
    words = tokens(plain)
    targets = [(token, _target(words, at)) for at, token in enumerate(words)]
    scalars = [target for _, target in targets if target and target[-1] not in "]?"]
    known = {name for name in _POINTER.findall(plain) if scalars.count(name) == 1}
    obstacle = _obstacle(plain, words, line, macros)
    stores = 0
    for token, target in targets:
        if target == "[]" or (target[-1:] == "?" and target[:-1] in known):
            stores += 1
        elif target[-1:] == "?":
            obstacle = obstacle or f"line {line + plain.count(chr(10), 0, token.start)}: a store through a pointer"
    return Effects(declared(plain), frozenset(scalars), stores, obstacle)


def declared(plain: str) -> frozenset[str]:
    """Names that declarations in a text introduce, also in the heads of loops."""
    names: set[str] = set()
    for start in re.finditer(r"(?:\A|[;{}(])\s*", plain):
        if match := _DECLARATION.match(plain, start.end()):
            names.add(match["name"])
            rest = plain[match.end() : _end_of_statement(plain, match.end())]
            names.update(re.findall(r",\s*\*?\s*([A-Za-z_]\w*)\s*(?=[=,\[]|\Z)", _outside_brackets(rest)))
    return frozenset(names)


def _end_of_statement(plain: str, start: int) -> int:
    end = plain.find(";", start)
    return len(plain) if end < 0 else end


def _outside_brackets(text: str) -> str:
    depth, kept = 0, []
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        kept.append(letter if depth == 0 else " ")
    return "".join(kept)


def _target(words: Sequence[Token], at: int) -> str:
    """The left-hand side of the operator at a position: a scalar's name, [] for an array element, `p?` for what a
    pointer p points to, ? for anything else."""
    text = words[at].text
    if text in _STEPS:
        after = words[at + 1].text if at + 1 < len(words) else ""
        before = words[at - 1].text if at else ""
        if before == "]" or _is_name(before):
            return _left(words, at - 1)
        return (
            after if _is_name(after) and (at + 2 >= len(words) or words[at + 2].text not in ("[", "->", ".")) else "?"
        )
    return _left(words, at - 1) if text in _ASSIGNMENTS and at else ""


def _left(words: Sequence[Token], at: int) -> str:
    """The lvalue that ends at a token."""
    text = words[at].text
    before = words[at - 1].text if at else ""
    if text == "]":
        return "[]"
    if not _is_name(text):
        return "?"
    if before in (".", "->"):
        return "[]" if at > 1 and words[at - 2].text == "]" else f"{_pointer(words, at - 2)}?"
    if before == "*" and (at < 2 or words[at - 2].text in (";", "{", "}", ")")):
        return f"{text}?"
    return text


def _pointer(words: Sequence[Token], at: int) -> str:
    """The name of `p` in `p->x`; none where it is itself a member or an element."""
    before = words[at - 1].text if at > 0 else ""
    return words[at].text if at >= 0 and words[at + 1].text == "->" and before not in (".", "->", "]") else ""


def _is_name(text: str) -> bool:
    return bool(text) and (text[0].isalpha() or text[0] == "_") and text not in _WORDS


def _obstacle(plain: str, words: Sequence[Token], line: int, macros: Mapping[str, frozenset[str]]) -> str:
    for at, token in enumerate(words):
        where = f"line {line + plain.count(chr(10), 0, token.start)}"
        if token.text in _JUMPS:
            return f"{where}: {token.text} leaves the loop early"
        if token.text in ("asm", "__asm__", "static", "volatile"):
            return f"{where}: {token.text}"
        called = _is_name(token.text) and at + 1 < len(words) and words[at + 1].text == "("
        if called and token.text not in macros and token.text.removeprefix("__builtin_") not in PURE:
            return f"{where}: calls {token.text}, whose effects are not known"
    return ""


def mentions(text: str, name: str, language: Language = "c") -> bool:
    """Whether a name occurs in a text as a whole word; Fortran's names have no case."""
    return re.search(rf"(?<![\w.]){re.escape(name)}\b", text, _CASE[language]) is not None


def substituted(text: str, name: str, value: str, language: Language = "c") -> str:
    """A text in which a variable is replaced; names of members and other words stay."""
    plain = blanked(text) if language == "c" else re.sub(r"!.*", lambda match: " " * len(match[0]), text)
    spots = [match.span() for match in re.finditer(rf"(?<![\w.])(?<!->){re.escape(name)}\b", plain, _CASE[language])]
    for start, end in reversed(spots):
        text = text[:start] + value + text[end:]
    return text
