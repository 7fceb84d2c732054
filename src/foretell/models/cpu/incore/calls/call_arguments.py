"""Arguments of a call that is followed: sizes, and addresses of arrays, row pointers and structs."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from foretell.core.nest.averages import mean_of, step_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.nest.functions import Argument

#: arrays are far apart, and start at different page offsets, as in `foretell validate cpu`
_APART, _STAGGER, _PLACES = 1 << 33, 448, 9
#: where tables of row pointers and structs lie
_TABLES, _TABLE = 1 << 41, 1 << 24
#: most pointers of a table, and bytes that an allocator puts between two rows
_MOST_ROWS, _BETWEEN_ROWS = 16_384, 16
#: rows and tables may be longer than the largest size (`a[2*i]`). Rows are whole pages further apart, so that
#: they start where in a page they would
_LONGER, _FURTHER, _PAGE = 2, 3, 4096
#: bytes of an array whose elements are known: to the next array
_SERIES = _APART - _PAGE
#: bytes between two arrays that overlap
_SHIFT = 16
#: gfortran's description of an array (libgfortran.h): offset, bytes between elements, dimensions of 24 bytes (stride,
#: lower and upper bound)
_OFFSET, _SPAN, _DIMENSIONS, _DIMENSION = 8, 32, 40, 24
_NULLS = frozenset({"NULL", "null", "nullptr"})
#: elements of an array's last dimension that no loop needs: checks of its length pass
_LONG_ENOUGH = 1 << 30
#: sizes of integers that may be a length behind a pointer
_INTEGERS = (4, 8)


@dataclass(frozen=True)
class Series:
    """An array of integers whose elements rise by a constant: where the rows of a matrix begin (`row_step`), or lengths
    that are all the mean (`len_mean`). Addresses of its beginning and end, bytes of an element, the first element."""

    first: int
    last: int
    bytes: int
    value: int
    step: int


@dataclass
class CallArguments:
    """Integer and pointer arguments in the order of the calling convention (None: unknown), and known words of
    memory."""

    values: list[int | None] = field(default_factory=list)
    words: list[tuple[int, int]] = field(default_factory=list)
    series: list[Series] = field(default_factory=list)
    texts: Mapping[str, str] = field(default_factory=dict)
    #: names of arrays that overlap
    alias: Sequence[str] = ()
    #: the address behind the last array
    end: int = 0
    #: addresses and bytes of the arrays whose lengths are known
    extents: list[tuple[int, int]] = field(default_factory=list)
    _shared: int = 0
    _arrays: int = 0
    _tables: int = 0

    def array(self, size: int = 0) -> int:
        """The address of another array, of `size` bytes."""
        self._arrays += 1
        start = self._arrays * _APART + _STAGGER * (_PLACES - self._arrays % _PLACES)
        self.end = start + size
        self.extents += [(start, size)] if size else []
        return start

    def overlapping(self) -> int:
        """The address of an array that overlaps with others: each a few elements behind the one before."""
        self._shared = self._shared + _SHIFT if self._shared else self.array()
        return self._shared

    def table(self) -> int:
        self._tables += 1
        return _TABLES + self._tables * _TABLE

    def rows(self, argument: Argument, sizes: Mapping[str, int]) -> int:
        """A table of pointers to rows, twice as many as the largest size, or of pointers to such tables."""
        longest = max([value for value in sizes.values() if value > 0], default=1)
        table, start = self.table(), self.array()
        length = longest * argument.size
        pitch = length + -length % _BETWEEN_ROWS + _BETWEEN_ROWS
        pitch += -(-_FURTHER * length // _PAGE) * _PAGE
        if not argument.fields:
            rows = min(_LONGER * longest, _MOST_ROWS)
            self.words += [(table + 8 * row, start + row * pitch) for row in range(rows)]
            return table
        planes = min(_LONGER * longest, int(_MOST_ROWS**0.5) * _LONGER)
        for plane in range(planes):
            rows_at = table + _TABLE // 2 + 8 * planes * plane
            self.words.append((table + 8 * plane, rows_at))
            first = start + plane * planes * pitch
            self.words += [(rows_at + 8 * row, first + row * pitch) for row in range(planes)]
        return table

    def vector(self, size: int) -> int:
        """A std::vector: addresses of its begin, its end, and the end of its storage (libstdc++ and libc++)."""
        table = self.table()
        self.words += [(table + at, word) for at, word in self.ends_of_vector(size)]
        return table

    def ends_of_vector(self, size: int) -> list[tuple[int, int]]:
        """The pointers of a std::vector: (offset, address)."""
        start = self.array(size)
        return [(0, start), (8, start + size), (16, start + size)]

    def described(self, argument: Argument, sizes: Mapping[str, int]) -> int:
        """gfortran's description of a contiguous array: address, offset, strides and bounds. An extent that is not
        known is that of another array in this dimension, or the largest size; in the last dimension, of which no place
        depends, as long as any check wants."""
        table, start = self.table(), self.array()
        stride, offset = 1, 0
        words = {table: start, table + _SPAN: argument.size}
        for place in range(argument.rank):
            extent = _extent(argument, place + 1, sizes)
            at = table + _DIMENSIONS + place * _DIMENSION
            words |= {at: stride, at + 8: 1, at + 16: extent}
            offset -= stride
            stride *= extent
        words[table + _OFFSET] = offset
        self.words += words.items()
        return table

    def word(self, text: str, kind: str) -> int:
        """A letter, a null pointer or the address of a string."""
        if kind == "integer":
            return ord(text[0])
        if text in _NULLS:
            return 0
        table = self.table()
        self.words += [(table + place, ord(letter)) for place, letter in enumerate(f"{text}\0")]
        return table

    def integers(self, size: int, sizes: Mapping[str, int], name: str) -> int:
        """A pointer to integers: its first one is a size where it has the name of one (Fortran passes sizes so). All
        are known where the mean of their differences, or their mean, has a value."""
        start = self.array()
        self.words += [(start, sizes[name])] if name in sizes else []
        step, mean = sizes.get(step_of(name)), sizes.get(mean_of(name))
        if step is not None or mean is not None:
            self.know(start, size, mean or 0, step or 0)
        return start

    def know(self, start: int, size: int, first: int, step: int) -> None:
        """The integers of an array: the first one, and how much further each is than the one before."""
        self.series.append(Series(start, start + _SERIES, size, first, step))

    def record(self, argument: Argument, sizes: Mapping[str, int]) -> int:
        """A struct with the fields whose values are known."""
        table = self.table()
        for place, part in argument.fields:
            names = (f"{argument.name}.{part.name}", f"{argument.name}->{part.name}", part.name)
            value = self._value(part, sizes, names)
            if value is not None:
                self.words.append((table + place, value))
        return table

    def _value(self, argument: Argument, sizes: Mapping[str, int], names: Sequence[str]) -> int | None:
        text = next((self.texts[name] for name in names if name in self.texts), None)
        if text is not None:
            return self.word(text, argument.kind)
        if argument.kind == "integer":
            return next((sizes[name] for name in names if name in sizes), None)
        if argument.kind == "pointer":
            if names[0] in self.alias:
                return self.overlapping()
            return self.integers(argument.size, sizes, names[0]) if argument.size in _INTEGERS else self.array()
        if argument.kind == "rows":
            return self.rows(argument, sizes)
        if argument.kind == "described":
            return self.described(argument, sizes)
        return self.record(argument, sizes) if argument.kind == "record" else None


def _extent(argument: Argument, dimension: int, sizes: Mapping[str, int]) -> int:
    own = f"{argument.name}_size{dimension}"
    if own not in sizes and dimension == argument.rank:
        return _LONG_ENOUGH
    alike = [value for other, value in sizes.items() if other.endswith(f"_size{dimension}")]
    return sizes.get(own, max(alike or sizes.values(), default=1))


def call_arguments(
    parameters: Sequence[Argument],
    sizes: Mapping[str, int],
    texts: Mapping[str, str] = MappingProxyType({}),
    alias: Sequence[str] = (),
) -> CallArguments | None:
    """Arguments of a call with these sizes; None where a parameter is of a kind that is passed otherwise. Distinct
    pointers point to arrays that do not overlap, but for those of `alias`."""
    made = CallArguments(texts=texts, alias=alias)
    for parameter in parameters:
        if parameter.kind == "other":
            return None
        if parameter.kind != "float":
            made.values.append(made._value(parameter, sizes, (parameter.name,)))
    return made
