"""Parses one program unit to a syntax tree (tree-sitter), one statement per row, invalid statements set aside.

The parser's input has one statement per row, lower-cased outside character constants, without continuations and
comments; so a row number is a statement number. A statement that does not parse is replaced by CONTINUE and kept
in `bad`: only it is lost, not the unit. Structure that does not parse is an error of the unit.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from foretell.errors import MissingExtraError
from foretell.frontends.fortran.text.statements import Statement, Trouble, closing
from foretell.records import record

if TYPE_CHECKING:
    from foretell.frontends.fortran.text.units import ProgramUnit

#: a tree-sitter node, whose types are not imported before they are needed
Node = Any

_ROUNDS = 3
_STRINGS = re.compile(r"""('[^']*'|"[^"]*")""")
_BLOCKS = re.compile(
    r"(?:\w+\s*:\s*)?(?:do\b|where\s*\(|forall\s*\(|select\b|associate\b|block\b|critical\b|if\s*\(.*\)\s*then$|else|case\b"
    r"|type\b|class\b|end|contains$|interface\b|abstract\b|module\b|program\b|subroutine\b|.*\bfunction\b)"
)
_FORALL = re.compile(r"(?P<name>\w+\s*:\s*)?forall\s*(?=\()")
_DATA = re.compile(r"data\s*(?:[a-z]\w*|\()(?!\s*=)[^=]*?(?:/|,|\()", re.IGNORECASE)
_DOUBLE_COMPLEX = re.compile(r"^double\s*complex\b")
_GLUED = re.compile(r"^(recursive|pure|elemental|impure)(?=double|subroutine|function|real|integer|complex|logical)")
#: the brackets of an array constructor, which may contain blanks in fixed form
_BRACKET = re.compile(r"\((\s+)/|/(\s+)\)")
_END_FORALL = re.compile(r"end\s*forall\b\s*(?P<name>\w*)")


@record
class Tree:
    """The syntax tree of one unit. `rows` gives the statement of each row."""

    root: Node
    rows: tuple[Statement, ...]
    #: rows that were set aside, with the statement's text
    bad: dict[int, str]
    #: rows that open a FORALL (passed to the parser as DO CONCURRENT)
    foralls: frozenset[int]
    troubles: tuple[Trouble, ...]
    #: DATA statements, which are not parsed
    data: tuple[Statement, ...] = ()

    def line(self, node: Node) -> int:
        row: int = node.start_point[0]
        return self.rows[min(row, len(self.rows) - 1)].line


@lru_cache(maxsize=1)
def _parser() -> Any:
    try:
        import tree_sitter
        import tree_sitter_fortran
    except ImportError as error:
        raise MissingExtraError(error.name or "tree-sitter-fortran", "loops") from None
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_fortran.language()))


def parse_unit(unit: ProgramUnit) -> Tree:
    """The syntax tree of a unit's own statements."""
    data = tuple(statement for statement in unit.statements if _DATA.match(statement.text))
    kept = [s for s in unit.statements if not _DATA.match(s.text)] if data else unit.statements
    rows, foralls = _prepare(kept)
    texts = [_tidy(_lower(row.text)) for row in rows]
    bad: dict[int, str] = {}
    root = _root(texts)
    for _ in range(_ROUNDS):
        wrong = [row for row in _error_rows(root) if row not in bad and not _BLOCKS.match(texts[row])]
        if not wrong:
            break
        for row in wrong:
            bad[row] = texts[row]
            texts[row] = "continue"
        root = _root(texts)
    troubles = [
        Trouble(rows[row].line, f"this does not parse: {rows[row].text[:60]}") for row in sorted(set(_error_rows(root)))
    ]
    top = next((child for child in root.named_children if child.type != "ERROR"), root)
    return Tree(top, tuple(rows), bad, frozenset(foralls), (*unit.troubles, *troubles), data)


def _tidy(text: str) -> str:
    """Rewrites spellings that the grammar does not support."""
    if "( " in text or " )" in text:
        text = _BRACKET.sub(lambda m: "(/" if m[1] else "/)", text)
    if text[0] == "d":
        return _DOUBLE_COMPLEX.sub("complex*16", text)
    return _GLUED.sub(r"\1 ", text) if text[0] in "rpei" else text


def _root(texts: list[str]) -> Node:
    return _parser().parse(("\n".join(texts) + "\n").encode()).root_node


def _lower(text: str) -> str:
    """The text in lower case outside character constants."""
    return "".join(part if number % 2 else part.lower() for number, part in enumerate(_STRINGS.split(text)))


def _error_rows(root: Node) -> list[int]:
    """Rows with an ERROR or MISSING node, in order."""
    if not root.has_error:
        return []
    rows: list[int] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "ERROR" or node.is_missing:
            rows.append(node.start_point[0])
            if node.type == "ERROR" and node.end_point[0] > node.start_point[0]:
                rows += [child.start_point[0] for child in node.children if child.type == "ERROR"]
        elif node.has_error:
            stack.extend(node.children)
    return sorted(rows)


def _prepare(statements: list[Statement]) -> tuple[list[Statement], list[int]]:
    """Rewrites FORALL as DO CONCURRENT: the grammar has no masks in FORALL. The rows are recorded."""
    rows: list[Statement] = []
    foralls: list[int] = []
    for statement in statements:
        text = statement.text
        if "orall" not in text and "ORALL" not in text:
            rows.append(statement)
            continue
        lowered = _lower(text)
        if found := _END_FORALL.match(lowered):
            rows.append(Statement(f"end do {found['name']}".rstrip(), statement.line, statement.label))
        elif found := _FORALL.match(lowered):
            foralls.append(len(rows))
            end = closing(lowered, found.end())
            head = f"{found['name'] or ''}do concurrent {lowered[found.end() : end]}"
            rows.append(Statement(head, statement.line, statement.label))
            if assignment := lowered[end:].strip():
                rows += [Statement(assignment, statement.line), Statement("end do", statement.line)]
        else:
            rows.append(statement)
    return rows, foralls
