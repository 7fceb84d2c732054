"""Shadow values: for every value, a value of the same shape that holds the level of each part."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.core.llvm.syntax import Cursor

if TYPE_CHECKING:
    from collections.abc import Iterator

_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128, "ptr": 64}
FLOATING = frozenset({"half", "bfloat", "float", "double", "x86_fp80", "fp128", "ppc_fp128"})


class Types:
    """The types of a module: their shapes and sizes."""

    def __init__(self, named: dict[str, str]) -> None:
        self.named = named

    def resolve(self, type_: str) -> str:
        """A type with its name resolved."""
        while type_ in self.named:
            type_ = self.named[type_]
        return type_

    def parts(self, type_: str) -> list[str] | None:
        """The element types of a vector, an array or a structure; None for anything else."""
        text = self.resolve(type_)
        repeated = re.match(r"[<\[](\d+) x (.*)[>\]]$", text)
        if repeated:
            return [repeated.group(2)] * int(repeated.group(1))
        if text.startswith(("{", "<{")):
            inside = text.strip("<>")[1:-1].strip()
            return list(_types(inside)) if inside else []
        return None

    def shadow(self, type_: str) -> str:
        """The type of the levels of a value."""
        text = self.resolve(type_)
        parts = self.parts(text)
        if parts is None:
            return "i32"
        if text.startswith("<") and not text.startswith("<{"):
            return f"<{len(parts)} x i32>"
        if text.startswith("["):
            return f"[{len(parts)} x {self.shadow(parts[0]) if parts else 'i32'}]"
        return "{ " + ", ".join(map(self.shadow, parts)) + " }"

    def leaves(self, type_: str) -> Iterator[tuple[tuple[int, ...], str]]:
        """All scalar parts of a type: path and type."""
        parts = self.parts(type_)
        if parts is None:
            yield (), self.resolve(type_)
            return
        for index, part in enumerate(parts):
            for path, leaf in self.leaves(part):
                yield (index, *path), leaf

    def size(self, type_: str) -> int:
        """Bytes that a load or a store of the type moves."""
        return sum(_bytes(leaf) for _, leaf in self.leaves(type_))

    def member(self, type_: str, indices: tuple[int, ...]) -> str:
        """The type of one part."""
        for index in indices:
            parts = self.parts(type_)
            if parts is None:
                return "i32"
            type_ = parts[index]
        return self.resolve(type_)


def _types(inside: str) -> Iterator[str]:
    cursor = Cursor(inside)
    while cursor.at < len(inside):
        yield cursor.type()
        cursor.take(",")
        cursor.space()


def _bytes(leaf: str) -> int:
    if leaf.startswith("i") and leaf[1:].isdigit():
        return (int(leaf[1:]) + 7) // 8
    return _BITS.get(leaf.split(" ")[0], 64) // 8


def zero(shadow: str) -> str:
    """The constant for «no level»."""
    return "0" if shadow == "i32" else "zeroinitializer"
