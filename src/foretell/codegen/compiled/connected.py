"""The part of a preprocessed C unit that decides the code of some functions.

Compilers make the code of a function from itself, from what it calls, and from who else uses these: a static function
that one place calls is inlined there, and a static variable that nobody writes is a constant. Functions that share no
function and no static variable of the unit, not even by others, do not matter to each other. Their bodies are left out,
so that a compiler's time is that of what is asked for. Names are compared as text, which connects too much at most.
"""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: where both inlining of several functions and the size of the unit count, compilers limit the growth of large units
#: (gcc: large-unit-insns = 10000): those stay whole
_LARGE = 200_000
_MARKER = re.compile(r'^# \d+ "(?P<file>(?:[^"\\\n]|\\.)*)"(?P<flags>[ \d]*)\n', re.MULTILINE)
_SYSTEM = "3"
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|^#[^\n]*|[A-Za-z_$][\w$]*|[{}()\[\];=,]', re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_$]")
_OPENING, _CLOSING = "{([", "})]"
#: words with a group in parentheses that is no parameter list
_ATTRIBUTES = frozenset((
    "__attribute__", "__attribute", "__declspec", "_Alignas", "__asm__", "__asm", "asm", "__typeof__", "typeof",
    "__typeof", "_Static_assert",
))  # fmt: skip
_KEYWORDS = frozenset((
    "auto", "char", "const", "double", "enum", "extern", "float", "inline", "int", "long", "register", "restrict",
    "return", "short", "signed", "sizeof", "static", "struct", "typedef", "union", "unsigned", "void", "volatile",
    "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "goto", "_Bool",
    "_Complex", "_Noreturn", "_Thread_local", "__inline", "__inline__", "__restrict", "__restrict__", "__const",
    "__extension__",
))  # fmt: skip


@record
class _Item:
    """A declaration or definition of the unit: the names it makes known to others, all that it mentions, and the body
    of a function."""

    makes: frozenset[str]
    mentions: frozenset[str]
    body: tuple[int, int] | None = None


class _UnknownFormError(Exception):
    """A declaration of a form that is not read: the unit stays whole."""


def connected_part(text: str, functions: Iterable[str]) -> str | None:
    """The unit without the bodies of functions that are not connected with the given ones; None where nothing can be
    left out, or is not understood."""
    items = _all_items(text)
    if items is None:
        return None
    bodies = {name for item in items if item.body for name in item.makes}
    kept = _connected(items, {*functions} & bodies)
    others = [item.body for item in items if item.body and not item.makes & kept]
    if not kept or not others or (len(kept & bodies) > 1 and len(text) > _LARGE):
        return None
    return _without(text, others)


@lru_cache(maxsize=4)
def _all_items(text: str) -> tuple[_Item, ...] | None:
    """The declarations of a unit, once for all of its functions; None where one is of a form that is not read."""
    try:
        return tuple(_items(text))
    except _UnknownFormError:
        return None


def _connected(items: Sequence[_Item], names: set[str]) -> set[str]:
    """The names of the unit that are connected with some of them, in whichever direction."""
    known = {name for item in items for name in item.makes}
    groups = [(item.makes | item.mentions) & known for item in items if item.makes]
    found, before = set(names), -1
    while len(found) != before:
        before = len(found)
        for group in groups:
            if group & found:
                found |= group
    return found


def _without(text: str, bodies: Sequence[tuple[int, int] | None]) -> str:
    """The text with declarations instead of definitions; lines keep their numbers."""
    parts, at = [], 0
    for body in bodies:
        if body is not None:
            lines = text[slice(*body)].split("\n")
            markers = "\n".join(line if _MARKER.match(f"{line}\n") else "" for line in lines)
            parts += [text[at : body[0]], ";", markers]
            at = body[1]
    return "".join((*parts, text[at:]))


def _items(text: str) -> Iterator[_Item]:
    """The declarations of the user's files; what system headers hold is kept, and shared by all."""
    item: list[tuple[str, int, int]] = []
    depth = 0
    for word, start in _tokens(text):
        if word == "":
            if depth or item:
                raise _UnknownFormError  # a system header amid a declaration
            continue
        depth += (word in _OPENING) - (word in _CLOSING)
        if depth < 0:
            raise _UnknownFormError
        item.append((word, start, depth))
        if depth == 0 and (word == ";" or (word == "}" and _is_function(item))):
            yield _read(item)
            item = []
    if item:
        raise _UnknownFormError


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """Names and punctuation of the user's files with their places, and '' for a part of a system header. What a macro
    of a system header makes within a file, as NULL does, is part of the file."""
    ends, own = [*_MARKER.finditer(text)], ""
    for marker, end in zip(ends, [*(one.start() for one in ends[1:]), len(text)], strict=True):
        if _SYSTEM not in marker["flags"].split():
            own = marker["file"]
        elif marker["file"] != own:
            yield "", marker.start()
            continue
        for found in _TOKEN.finditer(text, marker.end(), end):
            if found[0][0] not in "\"'#":
                yield found[0], found.start()


def _outside(item: Sequence[tuple[str, int, int]]) -> list[str]:
    """The words outside of all groups, with one `(` and one `{` for each group; without attributes."""
    words: list[str] = []
    for number, (word, _, depth) in enumerate(item):
        is_open = word in _OPENING
        if depth - is_open == 0 and word not in _CLOSING:
            attribute = word == "(" and number > 0 and item[number - 1][0] in _ATTRIBUTES
            if not attribute and word not in _ATTRIBUTES:
                words.append(word)
    return words


def _is_function(item: Sequence[tuple[str, int, int]]) -> bool:
    words = _outside(item)
    return "=" not in words and words[-2:] == ["(", "{"]


def _read(item: Sequence[tuple[str, int, int]]) -> _Item:
    mentions = frozenset(word for word, _, _ in item if _NAME.match(word) and word not in _KEYWORDS)
    words = _outside(item)
    if _is_function(item):
        name = words[words.index("(") - 1] if words[0] != "(" else ""
        if not _NAME.match(name) or name in _KEYWORDS:
            raise _UnknownFormError
        start = next(start for word, start, depth in item if word == "{" and depth == 1)
        return _Item(frozenset({name}), mentions, (start, item[-1][1] + 1))
    if "{" in words[:1]:
        raise _UnknownFormError  # of a function with old parameter declarations
    made = "=" in words or "static" in words
    if "typedef" in words or not made:
        return _Item(frozenset(), mentions)
    return _Item(mentions if "(" in words else _declared(words), mentions)


def _declared(words: Sequence[str]) -> frozenset[str]:
    """The variables of a declaration: names before a size, a value, a comma or the end."""
    after = itertools.pairwise(words)
    return frozenset(word for word, following in after if _NAME.match(word) and following in "[=,;")
