"""The C front end: C source to the statement IR, by libclang and our own stub headers; no compiler is needed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.files import read_bytes
from foretell.frontends.c.include_search import IncludeSearch
from foretell.frontends.c.macros import MAX_TOKENS, explosive
from foretell.frontends.c.recovery import Setting, parse_well
from foretell.frontends.c.text import MAX_SOURCE_BYTES, Source
from foretell.frontends.c.unit import HeaderFunctions, UnitLowering

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from foretell.frontends import ir

__all__ = ["IncludeSearch", "parse_c", "parse_file"]

CPP_SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".cu", ".cuh"})
#: Clang recurses over nested operators and over else-if chains; beyond these it might run out of any stack.
MAX_PIECE = 200_000
MAX_ELSE = 50_000
_CPP_HINT = "C++ is followed while it runs: foretell describe {file} --trace"


def parse_c(
    files: Sequence[Path],
    *,
    includes: Sequence[Path] = (),
    defines: Mapping[str, str] | None = None,
    standard: str = "gnu11",
) -> tuple[ir.Unit, ...]:
    """Each file as a unit. A function of a header that several files include is in the first unit only."""
    seen: HeaderFunctions = {}
    search = IncludeSearch(files)
    return tuple(
        parse_file(file, includes=includes, defines=defines, standard=standard, seen=seen, search=search)
        for file in files
    )


def parse_file(
    file: Path,
    *,
    includes: Sequence[Path] = (),
    defines: Mapping[str, str] | None = None,
    standard: str = "gnu11",
    seen: HeaderFunctions | None = None,
    search: IncludeSearch | None = None,
) -> ir.Unit:
    """One file. The functions of its headers are in it too, but for those that `seen` has; it is added to."""
    source = _checked(file)
    setting = Setting(tuple(includes), tuple((defines or {}).items()), standard)
    parsed = parse_well(source, setting, search or IncludeSearch([file]))
    tree = parsed.tree
    skipped = [(begin, end) for where, begin, end in tree.skipped if tree.files[where] == str(file)]
    if any(message.severity >= 3 for message in tree.messages) and source.looks_like_cpp(skipped):
        raise InputError("looks like C++, not C", file=file, hint=_CPP_HINT.format(file=file))
    unit = UnitLowering(tree, file, source, parsed.made_up).unit({} if seen is None else seen)
    return replace(unit, diagnostics=(*unit.diagnostics, *parsed.notes)) if parsed.notes else unit


def _checked(file: Path) -> Source:
    """The text of a file that clang can be given."""
    if file.suffix.lower() in CPP_SUFFIXES or file.suffix == ".C":
        raise InputError("is C++, not C", file=file, hint=_CPP_HINT.format(file=file))
    data = read_bytes(file, MAX_SOURCE_BYTES)
    if b"\0" in data:
        raise InputError("is a binary file, not C source", file=file)
    if not data.strip():
        raise InputError("is empty", file=file)
    source = Source(file, data)
    length, line = source.longest_piece()
    if length > MAX_PIECE or source.code.count("else") > MAX_ELSE:
        raise InputError("has a statement that is too long to be parsed", file=file, line=line)
    macro = explosive(source.code, source.macros)
    if macro is not None:
        raise InputError(f"the macro {macro!r} expands to more than {MAX_TOKENS} tokens", file=file)
    return source
