"""Loops as they stand in a source text: positions of heads, bodies and statements, and edits of the text."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

Language = Literal["c", "fortran"]
#: a comment behind a statement, that ends with its line
_COMMENT = re.compile(r"[ \t]*(?P<said>//[^\r\n]*(?<!\\)|/\*(?:[^*\n]|\*(?!/))*\*/)[ \t]*(?=\r?$)", re.MULTILINE)


@record
class Head:
    """`variable` runs from `lower` by `step`; `relation` compares it with `limit` (Fortran: always <=). `type` is that
    of a variable declared in the head."""

    variable: str
    type: str
    lower: str
    relation: str
    limit: str
    step: int

    @property
    def upward(self) -> bool:
        return self.step > 0 and self.relation in ("<", "<=")


@record
class Piece:
    """A statement: offsets in the text, its lines, the loop that it is, and the statements of a braced block."""

    start: int
    end: int
    line: int
    last_line: int
    loop: SourceLoop | None = None
    #: keyword of a statement that is neither an expression nor a counted loop: `if`, `while`, `return`
    control: str = ""
    inner: tuple[Piece, ...] = ()


@record
class SourceLoop:
    """A counted loop. Offsets: of the whole statement, of the head's text, and of what is between the braces."""

    head: Head | None
    start: int
    end: int
    line: int
    last_line: int
    head_start: int
    head_end: int
    body_start: int
    body_end: int
    pieces: tuple[Piece, ...]
    #: why the head has not the form of a counted loop
    reason: str = ""
    #: a directive (`#pragma omp`, `!$omp`) stands before it
    directive: bool = False

    @property
    def only(self) -> SourceLoop | None:
        """The loop that is the whole body."""
        return self.pieces[0].loop if len(self.pieces) == 1 else None

    def band(self) -> tuple[SourceLoop, ...]:
        """The loop and those perfectly nested in it, outer to inner."""
        inner = self.only
        return (self, *inner.band()) if inner is not None else (self,)

    def walk(self) -> Iterator[SourceLoop]:
        """Yields the loop and all loops inside."""
        yield self
        yield from loops_in(self.pieces)


def loops_in(pieces: tuple[Piece, ...]) -> Iterator[SourceLoop]:
    """Yields all loops in statements, outer ones first."""
    for piece in pieces:
        if piece.loop is not None:
            yield from piece.loop.walk()
        yield from loops_in(piece.inner)


@record
class SourceFunction:
    """A function in the text: its name, the text of its parameters, and its statements."""

    name: str
    parameters_start: int
    parameters_end: int
    start: int
    end: int
    pieces: tuple[Piece, ...]


@record
class Edit:
    """Replaces the text from `start` to `end`."""

    start: int
    end: int
    text: str


def edited(text: str, edits: tuple[Edit, ...]) -> str:
    """Applies edits that do not overlap; positions are those of the text before. Lines end as those of the text."""
    returns = 0 < text.count("\n") == text.count("\r\n")
    for edit in sorted((_with_comment(text, one) for one in edits), key=lambda one: -one.start):
        new = re.sub(r"(?<!\r)\n", "\r\n", edit.text) if returns else edit.text
        text = text[: edit.start] + new + text[edit.end :]
    return text


def _with_comment(text: str, edit: Edit) -> Edit:
    """An edit that puts braces around what had none, with the comment behind its last statement: it goes before the
    braces, behind which it would say nothing."""
    comment = _COMMENT.match(text, edit.end)
    if comment is None or not (text[: edit.end].endswith(";") and edit.text.endswith("}")):
        return edit
    said = line_before(text, edit.start, comment["said"])
    return Edit(edit.start, comment.end("said"), f"{said.text}{edit.text}")


def step_of(text: str, usual: str = "    ") -> str:
    """By what a text indents further: the commonest further indent of a line behind the one before it; `usual` where
    none is."""
    indents = [match[1] for match in re.finditer(r"^([ \t]*)(?=\S)", text, re.MULTILINE)]
    further = [after[len(before) :] for before, after in pairwise(indents) if after.startswith(before)]
    counted = Counter(one for one in further if one == "\t" or re.fullmatch(r" {2,8}", one))
    return counted.most_common(1)[0][0] if counted else usual


def indent_of(text: str, offset: int) -> str:
    """The white space at the beginning of the line of an offset."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip())]


def line_before(text: str, offset: int, line: str) -> Edit:
    """Puts a line of its own before a statement, also where something stands before that on its line."""
    start = text.rfind("\n", 0, offset) + 1
    alone = not text[start:offset].strip()
    return Edit(offset, offset, f"{'' if alone else chr(10)}{line}\n{indent_of(text, offset)}")


def shifted(text: str, by: str) -> str:
    """A text whose lines after the first are indented further; preprocessor lines stay."""
    return "\n".join(
        line if not number or not line.strip() or line.startswith("#") else by + line
        for number, line in enumerate(text.split("\n"))
    )


def laid_out(text: str, indent: str) -> str:
    """A text whose lines after the first are moved so that the outermost of them has this indent."""
    first, *rest = text.strip().split("\n")
    margins = [len(line) - len(line.lstrip()) for line in rest if line.strip()]
    margin = min(margins, default=0)
    return "\n".join((first, *(f"{indent}{line[margin:]}" if line.strip() else "" for line in rest)))


def is_lone(text: str, offset: int) -> bool:
    """Whether a statement is the body of a C loop or condition without braces."""
    return re.search(r"(?:\)|\belse|\bdo)\s*\Z", text[:offset]) is not None
