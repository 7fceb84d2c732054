"""Everything that an outcome depends on, as the key of a cache entry."""

from __future__ import annotations

import json
import os
import re
import shutil
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import running
from foretell.cache import key_of, package_hash
from foretell.codegen.compiled.installed import NONE, named_compiler, usual_compiler
from foretell.errors import InputError, ToolError
from foretell.files import real

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.core.machine.machine import Machine
    from foretell.uses.check.items import Item

_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*(?:[\"<]([^\">\n]+)[\">]|(\w+))", re.MULTILINE)
_FORTRAN_INCLUDE = re.compile(rb"^[ \t]*include[ \t]+['\"]([^'\"\n]+)['\"]", re.MULTILINE | re.IGNORECASE)
_FOLDER_FLAG = re.compile(r"(?:^|\s)-(?:I|isystem|iquote)\s*(\S+)")
HEADERS = (".h", ".hpp", ".hh", ".cuh", ".inc", ".hxx")
#: what may say other flags or files than the table does
_BESIDE = ("compile_commands.json", "build/compile_commands.json")
#: keys of a table that name further files
_FILES = ("launch",)
_ENVIRONMENT = ("CC", "CFLAGS", "FORETELL_CC", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")


def outcome_key(item: Item, root: Path, machine: Machine) -> str:
    """The key of the outcome of an item on a machine: contents of all files that it reads, the table, the machine, the
    compiler, the environment and this package."""
    contents = _contents(item, root)
    said = json.dumps([item.files, item.function, item.chosen, dict(item.values)], sort_keys=True)
    environment = [f"{name}={os.environ.get(name, '')}" for name in _ENVIRONMENT]
    tools = compiler_version(item, machine.traits.get("target.isa", ""), machine.traits.get("target.cpu", ""))
    return key_of(package_hash(), machine.content_hash, said, tools, *environment, *contents)


def reading_key(item: Item, root: Path) -> str:
    """The key of what the functions of the same files share: where they are, and contents of all that they include."""
    return key_of(str(root), *(os.environ.get(name, "") for name in _ENVIRONMENT), *_contents(item, root))


def _contents(item: Item, root: Path) -> list[str | bytes]:
    return [part for name in files_read(item, root) for part in (name, (root / name).read_bytes())]


def files_read(item: Item, root: Path) -> list[str]:
    """The files of an item and what they include, relative to the version's folder. An include by macro may be any
    header of the version."""
    flags = f"{item.values.get('flags', '')} {item.values.get('nvcc', '')}"
    folders = [root / name for name in _FOLDER_FLAG.findall(flags)] + [root]
    pending = [root / name for name in item.files] + [
        root / str(item.values[key]) for key in _FILES if key in item.values
    ]
    pending += [root / Path(name).parent / beside for name in item.files for beside in _BESIDE]
    read: dict[str, None] = {}
    for path in pending:
        if path.is_file() and (name := _relative(path, root)) not in read:
            read[name] = None
            pending += _included(path, folders, root)
    return sorted(read)


def _relative(path: Path, root: Path) -> str:
    return os.path.relpath(real(path), real(root))


def _included(path: Path, folders: Sequence[Path], root: Path) -> Iterator[Path]:
    text = path.read_bytes()
    for found in _INCLUDE.finditer(text):
        if found[2]:
            yield from (header for header in sorted(root.rglob("*")) if header.suffix in HEADERS)
            return
        yield from (folder / os.fsdecode(found[1]) for folder in (path.parent, *folders))
    for found in _FORTRAN_INCLUDE.finditer(text):
        yield path.parent / os.fsdecode(found[1])


def compiler_version(item: Item, isa: str, cpu: str) -> str:
    """The version of the compiler of an item's sources for a machine."""
    suffixes = {Path(name).suffix for name in item.files}
    if ".cu" in suffixes:
        return _nvcc_version()
    if not suffixes & {".c", ".cpp", ".cc", ".cxx", ".c++"}:
        return ""
    return _c_compiler(str(item.values.get("compiler", "")), isa, cpu, os.environ.get("FORETELL_CC", ""))


@lru_cache(maxsize=64)
def _c_compiler(name: str, isa: str, cpu: str, environment: str) -> str:
    if name == NONE or (not name and environment == NONE):
        return NONE
    try:
        compiler = named_compiler(name, isa) if name else usual_compiler(isa, cpu)
    except InputError:
        return ""
    return "" if compiler is None else f"{' '.join(compiler.command)}: {compiler.version}"


@lru_cache(maxsize=1)
def _nvcc_version() -> str:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        return ""
    try:
        said = running.run([nvcc, "--version"], running.Limits(60.0)).text
    except ToolError:
        return ""
    return next((line for line in said.splitlines() if "release" in line), said)
