"""The C front end: lowers C source to the statement IR with libclang and bundled stub headers, without a compiler."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.errors import InputError
from foretell.files import real
from foretell.frontends.c.lower.unit import HeaderFunctions, UnitLowering
from foretell.frontends.c.parse.clang import Setting
from foretell.frontends.c.parse.clang_limits import refuse_endless
from foretell.frontends.c.parse.include_search import IncludeSearch, inclusions_among
from foretell.frontends.c.parse.recovery import parse_well
from foretell.frontends.c.parse.text import Source, source_bytes
from foretell.frontends.source import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.frontends.c.parse.clang import Tree

__all__ = ["Setting", "parse_program"]

CPP_SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".cu", ".cuh"})
_CPP_HINT = "C++ is followed while it runs: foretell describe {file} --trace"


def parse_program(
    files: Sequence[tuple[Path, Setting]], progress: Callable[[str], None] = lambda _: None
) -> tuple[ir.Unit, ...]:
    """Parses each file to a unit. A function of a header that several files include is in the first unit only; a C file
    that another one includes is read with that one."""
    included = inclusions_among(file for file, _ in files)
    reader = _Reader(IncludeSearch([file for file, _ in files]))
    units: dict[int, ir.Unit] = {}
    for index, (file, setting) in sorted(enumerate(files), key=lambda item: real(item[1][0]) in included):
        progress(str(file))
        units[index] = reader.unit(file, setting)
    return tuple(units[index] for index in range(len(files)))


class _Reader:
    """Reads the files of one program, and records which file contains what."""

    def __init__(self, search: IncludeSearch) -> None:
        self._search = search
        self._seen: HeaderFunctions = {}
        #: files read through an including file → that file
        self._hosts: dict[Path, Path] = {}

    def unit(self, file: Path, setting: Setting) -> ir.Unit:
        source = _checked(file)
        host = self._hosts.get(real(file))
        if host is not None:
            note = ir.Diagnostic(str(file), 0, f"is read as a part of {host}, which includes it", "note")
            return ir.Unit(str(file), "c", (), diagnostics=(note,))
        parsed = parse_well(source, setting, self._search)
        if parsed.made_up or parsed.tree.messages:
            hosted = self._hosted(source, setting)
            if hosted is not None:
                return hosted
        _refuse_cpp(source, parsed.tree)
        for name in parsed.tree.files:
            if name.endswith(".c"):
                self._hosts.setdefault(real(Path(name)), file)
        unit = UnitLowering(parsed.tree, file, source, parsed.made_up).unit(self._seen)
        return replace(unit, diagnostics=(*unit.diagnostics, *parsed.notes)) if parsed.notes else unit

    def _hosted(self, source: Source, setting: Setting) -> ir.Unit | None:
        """Reads a file that is incomplete alone through the first file of the program that includes it."""
        file = source.path
        for inclusion in self._search.hosts(file):
            hosting = replace(setting, defines=inclusion.defines(setting.defines))
            parsed = parse_well(_checked(inclusion.host), hosting, self._search)
            indices = [at for at, name in enumerate(parsed.tree.files) if real(Path(name)) == real(file)]
            if indices:
                parsed.tree.files[indices[0]] = str(file)
                defined = "".join(f", with {name} defined" for name in inclusion.macros)
                note = f"is read as a part of {inclusion.host.name}, which includes it{defined}"
                return UnitLowering(parsed.tree, file, source, parsed.made_up).part(self._seen, note)
        return None


def _refuse_cpp(source: Source, tree: Tree) -> None:
    skipped = [(begin, end) for where, begin, end in tree.skipped if tree.files[where] == str(source.path)]
    if any(message.severity >= 3 for message in tree.messages) and source.looks_like_cpp(skipped):
        raise InputError("looks like C++, not C", file=source.path, hint=_CPP_HINT.format(file=source.path))


def _checked(file: Path) -> Source:
    """The text of a file, checked to be safe for clang."""
    if file.suffix.lower() in CPP_SUFFIXES or file.suffix == ".C":
        raise InputError("is C++, not C", file=file, hint=_CPP_HINT.format(file=file))
    data = source_bytes(file)
    if b"\0" in data:
        raise InputError("is a binary file, not C source", file=file)
    if not data.strip():
        raise InputError("is empty", file=file)
    source = Source(file, data)
    refuse_endless(source)
    return source
