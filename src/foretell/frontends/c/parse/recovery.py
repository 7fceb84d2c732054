"""Recovers from missing headers and declarations by parsing again with include folders, then inferred declarations.

Code without its headers still tells much about their names: which are types, subscripted, or called. A first parse
lists the undeclared names; a prelude declares them as their use (and, for types, their name) suggests, and the file
is parsed again. Inferred declarations are noted with every nest of a function that uses them.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from foretell.files import temporary_folder
from foretell.frontends.c.parse.clang import Setting, Tree, parse_tree
from foretell.frontends.c.parse.include_search import IncludeSearch, missing
from foretell.frontends.source import ir
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from foretell.frontends.c.parse.text import Source

#: Maximum number of parses: headers include headers, and a declaration uncovers the next unknown name.
MAX_ROUNDS = 12
_ERROR = 3


@record
class Parsed:
    """The tree of a file after recovery."""

    tree: Tree
    #: folders where headers were found
    notes: tuple[ir.Diagnostic, ...] = ()
    #: inferred declaration → the note about it
    made_up: Mapping[str, str] = MappingProxyType({})


def parse_well(source: Source, setting: Setting, search: IncludeSearch) -> Parsed:
    """Parses as often as it helps; inferred declarations are kept only if they leave fewer errors."""
    tree, notes = _with_headers(source.path, setting, search)
    best = Parsed(tree, notes)
    if not tree.messages:
        return best

    from foretell.frontends.c.parse.implicit_declarations import Prelude

    made = Prelude()
    if not made.learn(tree.messages, source.code):
        return best
    with temporary_folder() as folder:
        header = Path(folder) / "prelude.h"
        for _ in range(MAX_ROUNDS):
            header.write_text(made.text())
            tree = parse_tree(source.path, setting, search.folders, header)
            if _errors(tree) <= _errors(best.tree):
                best = Parsed(tree, notes, dict(made.notes))
            if not made.learn(tree.messages, source.code):
                break
    return best


def _errors(tree: Tree) -> int:
    return sum(message.severity >= _ERROR for message in tree.messages)


def _with_headers(file: Path, setting: Setting, search: IncludeSearch) -> tuple[Tree, tuple[ir.Diagnostic, ...]]:
    notes: list[ir.Diagnostic] = []
    known: set[str] = set()
    tree = parse_tree(file, setting, search.folders)
    for _ in range(MAX_ROUNDS):
        folders = {name: folder for name, folder in search.find(file, missing(tree.messages)) if name not in known}
        if not folders:
            break
        known |= folders.keys()
        for name, folder in folders.items():
            notes.append(ir.Diagnostic(str(file), 0, f"the header {name!r} was found in {folder}", "note"))
        tree = parse_tree(file, setting, search.folders)
    return tree, tuple(notes)
