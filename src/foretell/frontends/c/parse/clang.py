"""The libclang tree of a C file: nodes in preorder, one array per column, and tables of declarations, types, literals.

libclang comes from PyPI (`foretell[loops]`) and is driven by the compiled core; no compiler is needed: the
standard headers are bundled stubs.
"""

from __future__ import annotations

import importlib.util
import sys
from array import array
from bisect import bisect_left
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from foretell import limits
from foretell.errors import InputError, MissingExtraError
from foretell.inputs import note_file
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HEADERS = Path(__file__).parents[1] / "headers"

#: A node takes 40 bytes and 10 us; a 20,000-line file has about half a million. At the default limit of time.
MAX_NODES = 6_000_000


class Kind:
    """The relevant CXCursorKinds: plain numbers, compared a million times in a large file."""

    STRUCT = 2
    UNION = 3
    ENUM = 5
    FIELD = 6
    ENUMERATOR = 7
    FUNCTION = 8
    VARIABLE = 9
    PARAMETER = 10
    TYPEDEF = 20
    TYPE_REF = 43
    MEMBER_REF = 47
    UNEXPOSED = 100
    NAME = 101
    MEMBER = 102
    CALL = 103
    INTEGER = 106
    FLOATING = 107
    IMAGINARY = 108
    STRING = 109
    CHARACTER = 110
    PAREN = 111
    UNARY = 112
    SUBSCRIPT = 113
    BINARY = 114
    COMPOUND_ASSIGN = 115
    CONDITIONAL = 116
    CAST = 117
    COMPOUND_LITERAL = 118
    INIT_LIST = 119
    STATEMENT_EXPRESSION = 121
    GENERIC = 122
    SIZE_OF = 136
    LAST_EXPRESSION = 199
    UNEXPOSED_STATEMENT = 200
    LABEL = 201
    COMPOUND = 202
    CASE = 203
    DEFAULT = 204
    IF = 205
    SWITCH = 206
    WHILE = 207
    DO = 208
    FOR = 209
    GOTO = 210
    CONTINUE = 212
    BREAK = 213
    RETURN = 214
    NULL = 230
    DECLARATION = 231


LOOPS = frozenset({Kind.FOR, Kind.WHILE, Kind.DO})


class Declaration(NamedTuple):
    """A declaration of a name; `storage` is a CX_StorageClass (2 extern, 3 static)."""

    kind: int
    name: str
    type: int
    storage: int
    is_global: bool
    system: bool
    file: int
    line: int
    end_line: int
    value: int


class CType(NamedTuple):
    """A canonical type; `element` and the types of `fields` are type indices."""

    kind: int
    size: int
    is_const: bool
    is_restrict: bool
    element: int
    extent: int
    name: str
    fields: tuple[tuple[str, int], ...]


class Message(NamedTuple):
    severity: int
    file: int
    line: int
    offset: int
    text: str


@record
class Setting:
    """The compiler settings of a file."""

    includes: tuple[Path, ...] = ()
    defines: tuple[tuple[str, str], ...] = ()


class Tree:
    """One translation unit. The children of node i are i + 1, end[i + 1], …, below end[i]."""

    def __init__(self, data: dict[str, Any]) -> None:
        def column(name: str) -> array[int]:
            return array("i", data[name])

        self.kind = column("kind")
        self.end = column("end")
        self.op = column("op")
        self.type = column("type")
        self.ref = column("ref")
        self.file = column("file")
        self.line = column("line")
        self.offset = column("offset")
        self.end_line = column("end_line")
        self.end_offset = column("end_offset")
        self.loops = column("loops")  # the nodes that are loops
        self.writes = column("writes")  # the nodes that assign, increment or take an address
        self.declarations = [Declaration(*row) for row in data["declarations"]]
        self.types = [CType(*row) for row in data["types"]]
        self.literals: list[int | float | str] = data["literals"]
        self.messages = [Message(*row) for row in data["diagnostics"]]
        self.skipped: list[tuple[int, int, int]] = data["skipped"]
        self.files: list[str] = data["files"]

    def children(self, node: int) -> list[int]:
        """The children of a node, in source order."""
        return self._siblings(node + 1, self.end[node])

    def _siblings(self, node: int, stop: int) -> list[int]:
        result, end = [], self.end
        while node < stop:
            result.append(node)
            node = end[node]
        return result

    def expressions(self, node: int) -> list[int]:
        """The children that are expressions (not type references or attributes)."""
        kind = self.kind
        return [child for child in self.children(node) if Kind.UNEXPOSED <= kind[child] <= Kind.LAST_EXPRESSION]

    def last_expression(self, node: int) -> int:
        """The last child that is an expression, or -1."""
        return next(reversed(self.expressions(node)), -1)

    def inside(self, nodes: array[int], first: int, stop: int) -> array[int]:
        """The subset of sorted nodes from `first` on and before `stop`."""
        return nodes[bisect_left(nodes, first) : bisect_left(nodes, stop)]

    def roots(self) -> list[int]:
        """The declarations at file level."""
        return self._siblings(0, len(self.kind))

    def definitions(self) -> Iterator[tuple[int, int]]:
        """The functions that have a body, and the bodies."""
        for node in self.roots():
            if self.kind[node] == Kind.FUNCTION and (body := self.body(node)) is not None:
                yield node, body

    def body(self, function: int) -> int | None:
        """The compound statement of a function definition."""
        return next((child for child in self.children(function) if self.kind[child] == Kind.COMPOUND), None)


def _is_odd(word: str) -> bool:
    """Whether a word has bytes that are no text."""
    return any("\udc80" <= letter <= "\udcff" for letter in word)


def _no_option(path: Path) -> str:
    """A file named -x.c is one: libclang takes its name for a word like the others."""
    return f"./{path}" if str(path).startswith("-") else str(path)


def parse_tree(path: Path, setting: Setting, folders: Sequence[Path] = (), prelude: Path | None = None) -> Tree:
    """Parses one C file, with further include folders and a header before it; errors are in `Tree.messages`."""
    from foretell import _core
    from foretell.frontends.c.parse.special_files import refuse_special_files

    refuse_special_files(path, (*setting.includes, *folders), [value for _, value in setting.defines])
    arguments = [*_FLAGS, "-isystem", str(HEADERS)]
    if prelude is not None:
        arguments += ["-include", str(prelude)]
    for folder in (*setting.includes, *folders):
        arguments += ["-I", str(folder)]
    arguments += [f"-D{name}={value}" if value else f"-D{name}" for name, value in dict(setting.defines).items()]
    most = limits.share(MAX_NODES)
    if any(_is_odd(word) for word in (str(path), *arguments)):
        raise InputError("its name, or that of a folder or value, is not UTF-8, as libclang wants it", file=path)
    try:
        data = _core.clang_tree(library(), asked := _no_option(path), arguments, most)
    except RuntimeError as error:
        raise InputError(f"cannot be parsed as C: {error}", file=path) from None
    if data["truncated"]:
        raise limits.too_long(f"is too large: more than {most} syntax nodes").at(path)
    tree = Tree(data)
    tree.files[:] = [str(path) if name == asked else name for name in tree.files]
    for name in tree.files:
        note_file(name)
    return tree


#: The target is fixed so that results do not depend on the host. Diagnostics that do not change the meaning
#: are off; old code calls functions without a prototype, which is a warning here.
_FLAGS = (
    "-x",
    "c",
    "-std=gnu11",
    "--target=x86_64-unknown-linux-gnu",
    "-nostdinc",
    "-ferror-limit=0",
    "-Wno-everything",
    "-Wimplicit-function-declaration",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
)


@cache
def library() -> str:
    """The path of libclang's shared library, inside the PyPI package."""
    package = importlib.util.find_spec("clang")
    name = {"darwin": "libclang.dylib", "win32": "libclang.dll"}.get(sys.platform, "libclang.so")
    for folder in package.submodule_search_locations or () if package is not None else ():
        path = Path(folder) / "native" / name
        if path.is_file():
            return str(path)
    raise MissingExtraError("libclang", "loops")
