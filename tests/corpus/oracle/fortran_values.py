"""Storage, views, references and the counters of the Fortran interpreter."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass
class Node:
    """One loop in its context; the same record as the C runtime writes."""

    key: tuple[Any, ...]  # file, function, line (0: a call), depth of an implied nest or what tells calls apart
    parent: Node | None
    entries: int = 0
    iterations: int = 0
    operations: Counter[str] = field(default_factory=Counter)
    header_operations: Counter[str] = field(default_factory=Counter)
    calls: Counter[tuple[str, int]] = field(default_factory=Counter)
    accesses: Counter[tuple[str, str, int, int, int]] = field(default_factory=Counter)
    children: dict[tuple[Any, ...], Node] = field(default_factory=dict)
    #: of a call: integer name → first value, whether it changes
    scalars: dict[str, list[int]] = field(default_factory=dict)


class Counters:
    """Where the program is, and what it has done there."""

    def __init__(self) -> None:
        self.root = Node(("", "", 0, 0), None)
        self.current = self.root
        self.header = 0

    def scalar(self, name: str, value: Any) -> None:
        """An integer of the running procedure, by the name that the source gives it."""
        if not isinstance(value, int) or isinstance(value, bool):
            return
        node = self.current
        while node.parent is not None and node.key[2]:
            node = node.parent
        known = node.scalars.setdefault(name, [value, 0])
        known[1] |= int(known[0] != value)

    def enter(self, file: str, function: str, line: int, depth: Any = 0) -> Node:
        before, key = self.current, (file, function, line, depth)
        node = before.children.get(key)
        if node is None:
            node = before.children[key] = Node(key, before)
        node.entries += 1
        self.current = node
        return before

    def operation(self, kind: str) -> None:
        (self.current.header_operations if self.header else self.current.operations)[kind] += 1

    def call(self, name: str) -> None:
        self.current.calls[name, int(self.header > 0)] += 1

    def access(self, name: str, stored: str, value: Any, write: int) -> None:
        kind = 1 if isinstance(value, float) else 2 if isinstance(value, int) else 0
        if kind:
            self.current.accesses[name, stored, kind, write, int(self.header > 0)] += 1

    def record(self) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []

        def visit(node: Node, parent: int) -> None:
            index = len(out)
            entry: dict[str, Any] = {"parent": parent}
            if node.parent is not None:
                entry |= {"file": node.key[0], "function": node.key[1], "line": node.key[2]}
                if node.key[2] and isinstance(node.key[3], tuple):
                    entry["rank"] = node.key[3][0]
            if node.parent is not None and not node.key[2]:
                entry["scalars"] = [[name, *known] for name, known in node.scalars.items()]
            entry |= {"entries": node.entries, "iterations": node.iterations}
            entry |= {"operations": dict(node.operations), "header_operations": dict(node.header_operations)}
            entry["calls"] = [[name, header, n] for (name, header), n in node.calls.items()]
            entry["accesses"] = [[*key, n] for key, n in node.accesses.items()]
            out.append(entry)
            for child in node.children.values():
                visit(child, index)

        visit(self.root, -1)
        return out


@dataclass
class Store:
    """The elements of one array object."""

    name: str
    data: list[Any]


class Table(list[int]):
    """Offsets that come from an index array."""

    name = ""
    stored = ""


@dataclass
class View:
    """An array as some name sees it: where its elements lie in a store. Dimensions in Fortran's order."""

    store: Store
    offset: int
    dims: list[tuple[int, int, Any]]  # lower bound, extent, stride or table of offsets
    name: str = ""
    member: str = ""  # component selected from every element
    counters: Counters | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(extent for _, extent, _ in self.dims)

    def flat(self, index: tuple[int, ...]) -> int:
        """Offset of an element given by its Fortran subscripts."""
        at = self.offset
        for i, (lower, extent, stride) in zip(index, self.dims, strict=True):
            if extent >= 0 and not 0 <= i - lower < extent:
                raise IndexError(f"{self.name}: subscript {i} outside {lower}:{lower + extent - 1}")
            at += stride[i - lower] if isinstance(stride, list) else (i - lower) * stride
        return at

    def element(self, index: tuple[int, ...]) -> Element:
        for _, _, stride in self.dims:
            if isinstance(stride, Table) and self.counters is not None:  # a vector subscript is looked up
                self.counters.access(stride.name, stride.stored, 0, 0)
        return Element(self, self.flat(index))

    def get(self, zero_based: tuple[int, ...]) -> Any:
        index = tuple(i + d[0] for i, d in zip(zero_based, self.dims, strict=True))
        return self.element(index).get()

    def contiguous(self) -> bool:
        stride = 1
        for _, extent, step in self.dims:
            if step != stride:
                return False
            stride *= extent
        return True


@dataclass
class Element:
    """A reference to one array element (or a component of it)."""

    view: View
    at: int

    def get(self) -> Any:
        value = self.view.store.data[self.at]
        if self.view.counters is not None:
            self.view.counters.access(self.view.name, self.view.store.name, value, 0)
        return value

    def set(self, value: Any) -> None:
        data = self.view.store.data
        data[self.at] = value = like(data[self.at], value)
        if self.view.counters is not None:
            self.view.counters.access(self.view.name, self.view.store.name, value, 1)


@dataclass
class Cell:
    """A scalar variable."""

    value: Any
    constant: bool = False

    def get(self) -> Any:
        return self.value

    def set(self, value: Any) -> None:
        self.value = like(self.value, value)


@dataclass
class Holder:
    """What an allocatable or pointer name refers to at the moment (None: nothing)."""

    target: Any = None
    rank: int = 0
    kind: str = "real"


@dataclass
class Again:
    """A scalar element in an array expression: read again for every element, as in the loop that it stands for."""

    get: Callable[[tuple[int, ...]], Any]


@dataclass
class Lazy:
    """An array-valued expression: its shape and how to make one element."""

    shape: tuple[int, ...]
    get: Callable[[tuple[int, ...]], Any]


class Record(dict[str, Any]):
    """A derived-type value: component name → Cell, View or Holder."""


def like(old: Any, new: Any) -> Any:
    """Conversion on assignment."""
    if isinstance(old, (bool, str)):
        return new
    if isinstance(old, float):
        return float(new)
    if isinstance(old, int):
        return int(new)
    return new


def indices(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All zero-based subscripts, first dimension fastest."""
    for index in itertools.product(*(range(n) for n in reversed(shape))):
        yield index[::-1]


def make(name: str, bounds: list[tuple[int, int]], new: Callable[[], Any]) -> View:
    """A fresh array with lower and upper bounds."""
    dims, stride = [], 1
    for low, high in bounds:
        extent = max(0, high - low + 1)
        dims.append((low, extent, stride))
        stride *= extent
    return View(Store(name, [new() for _ in range(stride)]), 0, dims, name)


class MemberOfElement:
    """A scalar component of an array element: counted as an access to the array."""

    def __init__(self, element: Element, cell: Cell, name: str) -> None:
        self.element, self.cell, self.name = element, cell, name
        self.value = cell.value

    def _count(self, write: int) -> None:
        view = self.element.view
        if view.counters is not None:
            view.counters.access(f"{view.name}.{self.name}", view.store.name, self.cell.value, write)

    def get(self) -> Any:
        self._count(0)
        return self.cell.get()

    def set(self, value: Any) -> None:
        self.cell.set(value)
        self._count(1)


class Loan:
    """An array element passed to a scalar dummy: read once, when first used; written once, on return."""

    def __init__(self, place: Element | MemberOfElement) -> None:
        self.place = place
        self.known = False
        self.changed = False
        self.value: Any = place.cell.value if isinstance(place, MemberOfElement) else place.view.store.data[place.at]

    def get(self) -> Any:
        if not self.known:
            self.known, self.value = True, self.place.get()
        return self.value

    def set(self, value: Any) -> None:
        self.known = self.changed = True
        self.value = like(self.value, value)

    def give_back(self) -> None:
        if self.changed:
            self.place.set(self.value)
