"""Array declarations of a C text, and every use of a name: what a change of a layout must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.records import record
from foretell.transform.text.c_text import blanked, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.transform.text.c_text import Token

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_SPECIFIERS = frozenset(("static", "extern", "const", "volatile", "register", "_Thread_local"))
_TYPES = frozenset(("double", "float", "int", "long", "short", "char", "unsigned", "signed", "_Bool", "bool"))
#: words that may stand before an expression
_BEFORE = frozenset(("return", "else", "case", "do", "sizeof", "goto"))


@record
class ArrayDeclaration:
    """`static double a[N][M]` in a text: offsets of the declarator, of the name and of what is between the brackets."""

    name: str
    type: str
    specifiers: tuple[str, ...]
    start: int
    end: int
    line: int
    extents: tuple[tuple[int, int], ...]
    #: declared outside all functions
    is_global: bool
    has_initialiser: bool
    #: the statement declares this array alone: offsets from the first specifier to the semicolon
    statement: tuple[int, int] | None


@record
class NameUse:
    """A name in an expression: its offset and line, its subscripts (offsets between the brackets), the member behind
    them, and where all of it ends."""

    start: int
    line: int
    subscripts: tuple[tuple[int, int], ...]
    member: str
    end: int
    before: str
    after: str


class Declarations:
    """The tokens of a C text, asked for arrays and names."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(blanked(text))

    def arrays(self) -> Iterator[ArrayDeclaration]:
        """All arrays that statements declare; parameters are none of them."""
        depth = {"{": 0, "(": 0}
        for at, token in enumerate(self._tokens):
            before = self._tokens[at - 1].text if at else ";"
            if before in ";{}" and depth["("] == 0:
                yield from self._statement(at, depth["{"] == 0)
            if token.text in "{(":
                depth[token.text] += 1
            elif token.text in "})":
                depth["{" if token.text == "}" else "("] -= 1

    def _statement(self, first: int, is_global: bool) -> Iterator[ArrayDeclaration]:
        specifiers, kind, at = self._head(first)
        if not kind:
            return
        declared = []
        while (at := self._behind_stars(at)) < len(self._tokens) and (name := self._tokens[at]).text.isidentifier():
            own = f"{kind} *" if self._tokens[at - 1].text == "*" else kind
            extents, behind = self._brackets(at + 1)
            end = self._declarator_end(behind)
            has_value = behind < end and self._tokens[behind].text == "="
            last = self._tokens[behind - 1].end
            if extents:
                declared.append(
                    ArrayDeclaration(
                        name.text, own, specifiers, name.start, last, self.line(name.start), extents, is_global,
                        has_value, None,
                    )
                )  # fmt: skip
            if end >= len(self._tokens) or self._tokens[end].text == ";":
                yield from self._alone(declared, first, end, at)
                return
            at = end + 1
        yield from declared

    def _behind_stars(self, at: int) -> int:
        while at < len(self._tokens) and self._tokens[at].text == "*":
            at += 1
        return at

    def _alone(
        self, declared: Sequence[ArrayDeclaration], first: int, end: int, last: int
    ) -> Iterator[ArrayDeclaration]:
        """Marks an array that is the only thing its statement declares."""
        whole = end < len(self._tokens) and len(declared) == 1 and self._tokens[last].start == declared[0].start
        between = any(token.text == "," for token in self._tokens[first:last])
        for one in declared:
            alone = (self._tokens[first].start, self._tokens[end].end) if whole and not between else None
            yield ArrayDeclaration(
                one.name, one.type, one.specifiers, one.start, one.end, one.line, one.extents, one.is_global,
                one.has_initialiser, alone,
            )  # fmt: skip

    def _head(self, at: int) -> tuple[tuple[str, ...], str, int]:
        """Specifiers, type and the number of the token behind them; an empty type where none is."""
        specifiers: list[str] = []
        words: list[str] = []
        while at < len(self._tokens) and self._tokens[at].text in _SPECIFIERS:
            specifiers.append(self._tokens[at].text)
            at += 1
        while at + 1 < len(self._tokens):
            text, following = self._tokens[at].text, self._tokens[at + 1].text
            named = text == "struct" or (words and words[-1] == "struct")
            own = not words and text.isidentifier() and text not in _BEFORE and following.isidentifier()
            if text not in _TYPES and not named and not own:
                break
            words.append(text)
            at += 1
        return tuple(specifiers), " ".join(words), at

    def _brackets(self, at: int) -> tuple[tuple[tuple[int, int], ...], int]:
        """What is between the brackets from a token on, and the number of the token behind them."""
        found = []
        while at < len(self._tokens) and self._tokens[at].text == "[":
            closing = self._closing(at)
            found.append((self._tokens[at].end, self._tokens[min(closing, len(self._tokens) - 1)].start))
            at = closing + 1
        return tuple(found), min(at, len(self._tokens))

    def _closing(self, opening: int) -> int:
        kind, depth = self._tokens[opening].text, 0
        for at in range(opening, len(self._tokens)):
            depth += (self._tokens[at].text == kind) - (self._tokens[at].text == _PAIRS[kind])
            if depth == 0:
                return at
        return len(self._tokens)

    def _declarator_end(self, at: int) -> int:
        """The number of the comma or semicolon that ends a declarator."""
        while at < len(self._tokens) and self._tokens[at].text not in ",;":
            at = self._closing(at) + 1 if self._tokens[at].text in _PAIRS else at + 1
        return at

    def uses(self, name: str) -> Iterator[NameUse]:
        """Every place where a name stands that is no member's."""
        for at, token in enumerate(self._tokens):
            before = self._tokens[at - 1].text if at else ""
            if token.text == name and before not in (".", "->"):
                yield self._use(at, token, before)

    def _use(self, at: int, token: Token, before: str) -> NameUse:
        subscripts, behind = self._brackets(at + 1)
        member, end = "", self._tokens[behind - 1].end
        if behind + 1 < len(self._tokens) and self._tokens[behind].text == ".":
            member, end = self._tokens[behind + 1].text, self._tokens[behind + 1].end
        after = self._tokens[behind].text if behind < len(self._tokens) else ""
        return NameUse(token.start, self.line(token.start), subscripts, member, end, before, after)

    def calls(self, name: str) -> list[int]:
        """The lines on which a function is called."""
        following = zip(self._tokens, self._tokens[1:], strict=False)
        named = [(at, one) for at, (one, two) in enumerate(following) if one.text == name and two.text == "("]
        return [self.line(one.start) for at, one in named if not at or not is_declared(self._tokens[at - 1].text)]

    def line(self, offset: int) -> int:
        return self._text.count("\n", 0, offset) + 1


def is_declared(before: str) -> bool:
    """Whether a name behind this word is declared there: the word is a type's."""
    return before.isidentifier() and before not in _BEFORE
