"""Changes of inputs at random: of bytes, spans, numbers, lines, words of the language, and tokens of other inputs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

#: bytes of the largest input
LARGEST = 1 << 16
NUMBERS = [b"0", b"-1", b"1e308", b"1e-308", b"9" * 40, b"65536", b"2147483648", b"nan", b"inf", b"0x7fffffffffffffff"]
_DIGITS = re.compile(rb"[0-9]+")
_TOKEN = re.compile(rb"\w+|[^\w\s]")
#: how far numbers and tokens are looked for, so that large binary files cost no more than small ones
_WINDOW = 4096


class Mutator:
    """Changes inputs; `words` of the language are put into them. The same generator makes the same changes."""

    def __init__(self, words: Sequence[bytes], rng: random.Random) -> None:
        self._words, self._rng = [*words, *NUMBERS], rng
        self._changes: tuple[Callable[[bytearray, list[bytes]], None], ...] = (
            self._flip, self._byte, self._delete, self._repeat, self._word, self._word, self._number, self._splice,
            self._line, self._token, self._token,
        )  # fmt: skip

    def changed(self, corpus: list[bytes]) -> bytes:
        """An input of the corpus with one to eight changes."""
        result = bytearray(self._rng.choice(corpus))
        for _ in range(1 << self._rng.randrange(4)):
            self._rng.choice(self._changes)(result, corpus)
        return bytes(result[:LARGEST])

    def _span(self, data: bytearray | bytes) -> tuple[int, int]:
        first = self._rng.randrange(len(data) + 1)
        return first, min(len(data), first + self._rng.randrange(1, 40))

    def _flip(self, data: bytearray, _: list[bytes]) -> None:
        if data:
            data[self._rng.randrange(len(data))] ^= 1 << self._rng.randrange(8)

    def _byte(self, data: bytearray, _: list[bytes]) -> None:
        if data:
            data[self._rng.randrange(len(data))] = self._rng.randrange(256)

    def _delete(self, data: bytearray, _: list[bytes]) -> None:
        first, last = self._span(data)
        del data[first:last]

    def _repeat(self, data: bytearray, _: list[bytes]) -> None:
        first, last = self._span(data)
        data[first:first] = data[first:last] * self._rng.choice([1, 1, 2, 3, 50])

    def _word(self, data: bytearray, _: list[bytes]) -> None:
        first, last = self._span(data)
        data[first : self._rng.choice([first, last])] = self._rng.choice(self._words)

    def _number(self, data: bytearray, _: list[bytes]) -> None:
        begin, places = self._window(data, _DIGITS)
        if places:
            place = self._rng.choice(places)
            data[begin + place.start() : begin + place.end()] = self._rng.choice(NUMBERS)

    def _token(self, data: bytearray, corpus: list[bytes]) -> None:
        """A token of this or another input in the place of one: mostly the grammar stays, and the meaning changes."""
        begin, places = self._window(data, _TOKEN)
        _, others = self._window(self._rng.choice(corpus), _TOKEN)
        if places and others:
            place = self._rng.choice(places)
            data[begin + place.start() : begin + place.end()] = self._rng.choice(others)[0]

    def _window(self, data: bytearray | bytes, pattern: re.Pattern[bytes]) -> tuple[int, list[re.Match[bytes]]]:
        begin = self._rng.randrange(max(1, len(data) - _WINDOW))
        return begin, list(pattern.finditer(bytes(data[begin : begin + _WINDOW])))

    def _splice(self, data: bytearray, corpus: list[bytes]) -> None:
        other = self._rng.choice(corpus)
        first, last = self._span(other)
        at = self._rng.randrange(len(data) + 1)
        data[at:at] = other[first : first + self._rng.choice([last - first, 400])]

    def _line(self, data: bytearray, _: list[bytes]) -> None:
        lines = bytes(data).split(b"\n")
        first, second = self._rng.randrange(len(lines)), self._rng.randrange(len(lines))
        lines[first], lines[second] = lines[second], lines[first]
        data[:] = b"\n".join(lines)
