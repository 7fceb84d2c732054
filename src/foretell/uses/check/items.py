"""The single codes that a configuration names in one version: files by pattern, functions by pattern, launches."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import files
from foretell.cache import Kind, key_of, package_hash
from foretell.errors import InputError
from foretell.files import real
from foretell.frontends import SourceOptions, is_machine_code, is_source, read_sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from foretell.uses.check.configured.configuration import Code

PATTERN = re.compile(r"[*?\[]")
_LISTS = Kind("check-functions", version=1)
#: what may stand beside `void`: bounds with a nested pair of parentheses, and attributes
_BOUNDS = r"__(?:launch_bounds|cluster_dims|attribute)__\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*"
_KERNEL = re.compile(rf"__global__\s+(?:{_BOUNDS}|\w+\s+)*?void\s+(?:{_BOUNDS})*(\w+)\s*\(")
_TEMPLATE = re.compile(r"template\s*<([^;{}]*)>\s*(?:(?:static|inline|extern(?:\s+\"C\")?)\s*)*$")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
#: how files begin that Git LFS has elsewhere
_POINTER = b"version https://git-lfs.github.com/spec/"
#: more codes than this are a mistake in a pattern
MOST = 20_000


@dataclass(frozen=True)
class Item:
    """One code to predict: files relative to the version's folder, a function or kernel, and what the table says.

    `chosen` is False where the user named the function himself: then a size that it does not have is an error."""

    name: str
    files: tuple[str, ...]
    function: str
    values: Mapping[str, Any]
    chosen: bool = False


@dataclass(frozen=True)
class Unread:
    """What cannot be read, a file or a whole code, and why: its functions are not known."""

    name: str
    error: InputError

    def __str__(self) -> str:
        return str(self.error)


def expanded(code: Code, root: Path) -> list[Item | Unread]:
    """The items of a code in the version in `root`; what cannot be read is in its place."""
    patterned = len(code.files) == 1 and PATTERN.search(code.files[0]) is not None
    if patterned:
        groups: list[tuple[str, ...]] = [(path,) for path in _matching(root, code.files[0])]
        if not groups:
            return [Unread(code.name, InputError(f"no file fits {code.files[0]!r}", file=code.name))]
    else:
        groups = [code.files]
    made: list[Item | Unread] = []
    for group in groups:
        prefix = f"{code.name}:{group[0]}" if patterned else code.name
        made += _functions(code, root, group, prefix)
    if len(made) > MOST:
        raise InputError(f"code.{code.name}: more than {MOST} functions")
    return made


def _matching(root: Path, pattern: str) -> list[str]:
    """Files by pattern, in order of their names; nothing outside of the version's folder."""
    if pattern.startswith("/") or ".." in Path(pattern).parts:
        raise InputError(f"{pattern!r}: patterns are relative to the folder of the file foretell.toml")
    return sorted(path.relative_to(root).as_posix() for path in root.glob(pattern) if path.is_file())


def _functions(code: Code, root: Path, group: tuple[str, ...], prefix: str) -> Iterator[Item | Unread]:
    wanted = code.functions
    single = code.values.get("kernel") or code.values.get("function")
    if not wanted or single:
        yield Item(prefix, group, single or "", code.values)
        return
    try:
        names = _named(root, group, wanted, code.values)
    except InputError as error:
        yield Unread(prefix, error)
        return
    for name, chosen in names.items():
        yield Item(f"{prefix}:{name}", group, name, code.values, chosen)


def _named(root: Path, group: tuple[str, ...], wanted: tuple[str, ...], values: Mapping[str, Any]) -> dict[str, bool]:
    """The functions that the patterns fit, and whether a pattern chose each."""
    named = {name: False for name in wanted if not PATTERN.search(name)}
    patterns = [name for name in wanted if name not in named]
    if patterns:
        every = functions_with_loops(root, group, str(values.get("flags", "")))
        named |= {
            name: True
            for name in every
            if name not in named and any(fnmatchcase(name, pattern) for pattern in patterns)
        }
    return named


def functions_with_loops(root: Path, group: tuple[str, ...], flags: str = "") -> list[str]:
    """The functions of sources that have loops, or the kernels of a CUDA source."""
    paths = [checked(root, name) for name in group]
    if all(is_machine_code(path) for path in paths):
        return [name for path in paths for name in kernels(files.read_text(path))]
    if not all(is_source(path) for path in paths):
        raise InputError("functions by pattern are those of C, Fortran and CUDA sources", file=group[0])
    from foretell.core.nest.loopnest import Loops

    key = _list_key(root, group, flags)
    listed: list[str] | None = _LISTS.read_json(key, tuple[str, ...])
    if listed is not None:
        return listed
    loops = read_sources(paths, SourceOptions(cflags=flags)).find(Loops)
    names = sorted({nest.function for nest in loops.nests} if loops else ())
    _LISTS.write(key, json.dumps(names).encode())
    return names


def _list_key(root: Path, group: tuple[str, ...], flags: str) -> str:
    """The key of a list of functions: everything that the sources include."""
    from foretell.uses.check.dependences import files_read

    read = files_read(Item("", group, "", {"flags": flags}), root)
    return key_of(package_hash(), flags, *(part for name in read for part in (name, (root / name).read_bytes())))


def without_comments(text: str) -> str:
    """A source without its comments, which may hold brackets and commas."""
    return _COMMENT.sub(" ", text)


def kernels(text: str) -> list[str]:
    """The names of the kernels of a CUDA source that are not templates."""
    plain = without_comments(text)
    return sorted({found[1] for found in _KERNEL.finditer(plain) if not _TEMPLATE.search(plain[: found.start()])})


def kernel_templates(text: str) -> dict[str, str]:
    """The templates of kernels in a CUDA source, each with its parameters: `typename T, int BLOCK`."""
    plain = without_comments(text)
    found = ((one[1], _TEMPLATE.search(plain[: one.start()])) for one in _KERNEL.finditer(plain))
    return {name: template[1] for name, template in found if template is not None}


def checked(root: Path, name: str) -> Path:
    """A file of a version; nothing outside of its folder."""
    path = root / name
    if name.startswith("-"):
        raise InputError("starts with a dash: a compiler would take it for an option", file=name)
    if not real(path).is_relative_to(real(root)):
        raise InputError("is outside of the version that is compared", file=name)
    if not path.exists():
        raise InputError("no such file", file=name)
    if path.is_file() and _starts_with(path, _POINTER):
        hint = "git lfs pull, and name a folder: versions that are read through git have pointers"
        raise InputError("is a pointer of Git LFS, not the file itself", file=name, hint=hint)
    return path


def _starts_with(path: Path, start: bytes) -> bool:
    with path.open("rb") as opened:
        return opened.read(len(start)) == start
