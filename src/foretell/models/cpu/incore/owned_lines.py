"""Which nests of a function an instruction belongs to, by the source lines of both."""

from __future__ import annotations

import bisect
from collections import defaultdict
from typing import TYPE_CHECKING

from foretell.core.columns.tape import real

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.nest.functions import FunctionInfo
    from foretell.core.nest.loopnest import LoopNest, Loops


def function_of(loops: Loops, nest: LoopNest) -> FunctionInfo | None:
    """The function of a nest; of several with its name, that of its file."""
    named = [one for one in loops.functions if one.name == nest.function]
    return next((one for one in named if one.file == nest.file), named[0] if named else None)


def accesses_memory(one: Instruction) -> bool:
    return one.memory is not None and (one.loads or one.stores)


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]


class OwnedLines:
    """Which nests of a function a source line belongs to."""

    def __init__(self, nest: LoopNest, nests: Sequence[LoopNest], loops: Loops, sizes: Mapping[str, int]) -> None:
        self._file = _file_name(nest.file)
        info = function_of(loops, nest)
        self._included = frozenset(map(_file_name, info.included)) if info is not None else frozenset()
        self.nests = len(nests)
        self._owned: dict[int, dict[int, float]] = defaultdict(dict)
        for number, one in enumerate(nests):
            trips = max(1.0, float(real(one.trips.evaluate(sizes)))) if one.trips.symbols() <= set(sizes) else 1.0
            for line in {*(loop.line for loop in one.loops), *(s.line for level in one.levels for s in level)}:
                self._owned[line][number] = trips
        self._lines = sorted(self._owned)
        functions = sorted((info.line, info.name) for info in loops.functions if _file_name(info.file) == self._file)
        self._starts = [line for line, _ in functions]
        self._names = [name for _, name in functions]
        self._function = nest.function
        self._separate = {site.callee for site in loops.calls if site.treatment == "separate"} - {nest.function}

    def names(self, one: Instruction, number: int) -> bool:
        """Whether an instruction accesses memory in a line of this nest alone. Others do not tell that the nest runs:
        the exit of a function may have the line of its last loop."""
        return (
            accesses_memory(one)
            and self._here(one) is not None
            and list(self._owned.get(one.source_line, ())) == [number]
        )

    def owners(self, one: Instruction) -> dict[int, float] | None:
        """The share of each nest in an instruction; none: of all nests; None: of a function that is counted
        elsewhere."""
        line, here = one.source_line, self._here(one)
        if here is None:
            return {}
        if line in self._owned:
            return self._shares(line)
        if here:  # lines of an included body are of no other function
            return self._before(line, 0)
        place = bisect.bisect_right(self._starts, line) - 1
        name = self._names[place] if place >= 0 else ""
        if name != self._function:
            return None if name in self._separate else {}
        return self._before(line, self._starts[place])

    def _here(self, one: Instruction) -> bool | None:
        """Whether an instruction is of a file that the function includes (True) or its own (False); None: neither."""
        name = _file_name(one.source_file) if one.source_file else self._file
        return False if name == self._file else True if name in self._included else None

    def _before(self, line: int, first: int) -> dict[int, float]:
        """The shares in the last line of a nest before this one, from the line `first` on."""
        before = bisect.bisect_right(self._lines, line) - 1
        if before < 0 or self._lines[before] < first:
            return {}
        return self._shares(self._lines[before])

    def _shares(self, line: int) -> dict[int, float]:
        owners = self._owned[line]
        total = sum(owners.values())
        return {number: trips / total for number, trips in owners.items()}
