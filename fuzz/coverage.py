"""Coverage of Python code for fuzzing: modules are compiled with a counter at the start of every block.

An import hook changes the syntax tree of the modules that are asked for. A block (body of a function, a branch, a loop,
a handler) marks a byte of `SEEN`; an input that marks a new one is worth keeping. This costs a few per cent, where a
trace function costs a factor of twenty.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, ModuleType

#: one byte a block
SEEN = bytearray(1 << 17)
_NAME = "__fuzz_seen__"
#: of each block: file and line, and how many statements it has itself
_blocks: list[tuple[str, int]] = []


def blocks() -> int:
    """Blocks of all modules that were loaded so far."""
    return len(_blocks)


def entered() -> dict[str, int]:
    """The blocks that were entered, as FILE:LINE, and how many statements each has itself. Processes load modules in
    different orders, so these names, and not the numbers of blocks, can be put together."""
    return {name: count for (name, count), mark in zip(_blocks, SEEN, strict=False) if mark}


class _Marker(ast.NodeTransformer):
    """Puts a mark at the start of every block."""

    def __init__(self, file: str) -> None:
        self._file = file

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            block = getattr(node, name, None)
            if (
                isinstance(block, list)
                and block
                and isinstance(block[0], ast.stmt)
                and not isinstance(node, ast.Module)
            ):
                place = _after_docstring(node, block)
                block.insert(place, _mark(f"{self._file}:{block[0].lineno}", block))
        return node


def _after_docstring(node: ast.AST, block: list[Any]) -> int:
    first = block[0]
    text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return int(text and isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef))


def _mark(name: str, block: list[Any]) -> ast.stmt:
    if len(_blocks) == len(SEEN):
        raise MemoryError(f"more than {len(SEEN)} blocks")
    _blocks.append((name, len(block)))
    mark = ast.parse(f"{_NAME}[{len(_blocks) - 1}] = 1").body[0]
    for node in ast.walk(mark):
        if isinstance(node, ast.stmt | ast.expr):
            ast.copy_location(node, block[0])
    return mark


def _short(path: str) -> str:
    return path.rpartition("/foretell/")[2]


class _Loader(importlib.machinery.SourceFileLoader):
    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:
        tree = ast.fix_missing_locations(_Marker(_short(str(path))).visit(ast.parse(data, str(path))))
        return compile(tree, str(path), "exec", dont_inherit=True, optimize=_optimize)

    def exec_module(self, module: ModuleType) -> None:
        setattr(module, _NAME, SEEN)
        super().exec_module(module)

    def get_code(self, fullname: str) -> CodeType | None:  # never from or to compiled files
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, prefixes: Sequence[str]) -> None:
        self._prefixes = tuple(prefixes)

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith(self._prefixes):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            return None
        spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


def follow(*prefixes: str) -> None:
    """Marks blocks of modules whose names start with these; before they are imported."""
    sys.meta_path.insert(0, _Finder(prefixes))
