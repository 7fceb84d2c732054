"""Advice for GPU kernels: launches and sources that are predicted anew, and estimates of what requests cost."""

from __future__ import annotations

import re
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import units
from foretell.core.answers.advising import AdvisedChange, Advising, RefusedChange
from foretell.core.gpu.warps import Warps
from foretell.errors import ForetellError, InputError, nearest
from foretell.files import read_text, temporary_folder
from foretell.transform.kernels import (
    launch_bounds,
    macro,
    macros,
    other_values,
    pad_shared,
    restrict_pointers,
    single_constants,
    source_name,
)
from foretell.transform.program import RefusedError
from foretell.transform.text.source import edited
from foretell.uses.advise.edits import whole_edit
from foretell.uses.advise.gain import gain, gain_interval, is_same_code, moved_bound, rank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from foretell.api import Case
    from foretell.core.answers.answers import Advice
    from foretell.core.answers.prediction import Prediction
    from foretell.core.gpu.launch import Launch
    from foretell.transform.program import Change
    from foretell.uses.advise.asked import Origin

#: kinds of change that do what an estimate asks for, and by how much an estimate may be larger than their gain
_REMOVED_BY, _ABOUT = {"bank_conflicts": "pad"}, 1.05
#: estimates of the model, by the title that it gives them
_HINTS = {
    "uncoalesced access": "coalesce", "bank conflicts": "bank_conflicts", "occupancy": "occupancy",
    "divergence": "divergence", "atomics": "atomics", "vector loads": "vector_loads",
    "double buffering": "double_buffering", "coarsening": "coarsen", "tail wave": "tail_wave", "launch": "launch",
}  # fmt: skip
_SINGLE = "single"
IDS = ("block_size", "macro", "launch_bounds", "restrict", "fast_math", "pad", _SINGLE, *_HINTS.values())
#: changes that may leave the compiled code as it is
_COMPILED = ("restrict", "fast_math", "launch_bounds")
#: arithmetic of double numbers
_DOUBLE = ("DADD", "DMUL", "DFMA")
_LARGEST_BLOCK = 1024
#: bytes that a launch touches; they are the same within this factor where the work is
_TOUCHED, _SAME = "footprint_B", 1.02
_BLOCKS = (64, 128, 256, 512, 1024)
_CUDA = ".cu"
_AT_LINE = re.compile(r"lines? (\d+)")
_FAST = "--use_fast_math"


def advise_kernel(origin: Origin, only: Sequence[str], say: Callable[[str], None]) -> Advising:
    """Tries other launches of a kernel, and changes of its source where that is CUDA."""
    for name in only:
        if name not in IDS:
            raise InputError(f"no change of a kernel is called {name!r}{nearest(name, IDS)}", hint=", ".join(IDS))
    search = _Kernel(origin, tuple(only) or IDS)
    with temporary_folder() as folder:
        return search.run(Path(folder), say)


class _Kernel:
    def __init__(self, origin: Origin, ids: tuple[str, ...]) -> None:
        self._origin, self._ids = origin, ids
        self._facet = origin.case.workload.facet(Warps)
        self._base = origin.case.predict()
        self._refused: list[RefusedChange] = []
        self._changes: list[AdvisedChange] = []

    def run(self, folder: Path, say: Callable[[str], None]) -> Advising:
        case, tried = self._origin.case, 0
        if "block_size" in self._ids:
            for block, grid in self._launches():
                say(f"blocks of {block}")
                self._relaunched(block, grid)
                tried += 1
        if self._origin.file.suffix == _CUDA:
            say("compiling")
            tried += self._recompiled(folder)
        for hint in case.model.hints(case.workload, case.machine, case.settings):
            if _HINTS[hint.title] in self._ids and not self._is_done(estimate := self._estimate(hint)):
                self._changes.append(estimate)
        self._changes.sort(key=rank)
        file = str(self._origin.file)
        return Advising(self._base, file, tuple(self._changes), tuple(self._refused), tried + len(self._changes))

    def _launches(self) -> Iterator[tuple[str, str]]:
        """Blocks and grids with the same threads in each direction."""
        launch = self._facet.launch
        if not _reads_block_size(self._facet):
            self._refuse(
                "block_size",
                "",
                f"kernel {source_name(self._facet.kernel.name)} does not read blockDim: its block is fixed",
            )
            return
        for block in _shapes(launch):
            grid = [-(-grid * old // new) for grid, old, new in zip(launch.grid, launch.block, block, strict=True)]
            yield ",".join(map(str, block)), ",".join(map(str, grid))

    def _relaunched(self, block: str, grid: str) -> None:
        try:
            reading = {"grid": grid, "block": block, "launch": None}
            case = self._origin.asked.again(self._origin.file, "", 0, **reading)
            condition = "the grid and shared arrays follow the block size"
            self._add(case, "block_size", f"blocks of {_shown(block)}", self._line(), (condition,))
        except RefusedError as refusal:
            self._refuse("block_size", block, refusal.reason)
        except ForetellError as error:
            self._refuse("block_size", block, error.message if isinstance(error, InputError) else str(error))

    def _recompiled(self, folder: Path) -> int:
        text, tried = read_text(self._origin.file), 0
        if "fast_math" in self._ids:
            tried += 1
            self._fast_math()
        if "macro" in self._ids:
            tried += self._macros(folder, text)
        for number, (identifier, make) in enumerate(self._source_changes(text)):
            if identifier not in self._ids:
                continue
            tried += 1
            try:
                change = make()
                self._predict_change(folder / str(number), text, change)
            except RefusedError as refusal:
                self._refuse(identifier, "", refusal.reason)
            except InputError as error:
                self._refuse(identifier, "", error.message)
        return tried

    def _macros(self, folder: Path, text: str) -> int:
        """Numbers that the text names, halved and doubled; a block or grid of that size follows them."""
        try:
            values = macros(text, self._facet.kernel.name)
        except RefusedError as refusal:
            self._refuse("macro", "", refusal.reason)
            return 0
        pairs = [(name, new) for name, old in values.items() for new in other_values(old)]
        for name, new in pairs:
            change = macro(text, name, new)
            sides = _sides(self._facet.launch, values, name)
            reason = self._with_some_launch(folder / f"{name}{new}", text, change, new, sides)
            if reason:
                self._refuse("macro", change.title, reason)
        return len(pairs)

    def _with_some_launch(self, folder: Path, text: str, change: Change, new: int, sides: Sequence[int]) -> str:
        """Predicts a macro's new value with the first launch that accesses the same data as before; the reason where
        none does."""
        reason = ""
        for number, (launch, provided) in enumerate(_following(self._facet.launch, sides, new)):
            try:
                self._predict_change(
                    folder.with_name(f"{folder.name}_{number}"), text, replace(change, provided=provided), **launch
                )
                return ""
            except RefusedError as error:
                reason = reason or error.reason
            except ForetellError as error:
                reason = reason or getattr(error, "message", str(error))
        return reason or f"a block of {new} has more than {_LARGEST_BLOCK} threads"

    def _fast_math(self) -> None:
        try:
            case = self._origin.asked.again(self._origin.file, "", 0, nvcc=_FAST)
            self._add(case, "fast_math", f"compile with {_FAST}", self._line(), ("less accurate functions will do",))
        except RefusedError as refusal:
            self._refuse("fast_math", "", refusal.reason)
        except InputError as error:
            self._refuse("fast_math", "", error.message)

    def _source_changes(self, text: str) -> Iterator[tuple[str, Callable[[], Change]]]:
        launch, name = self._facet.launch, self._facet.kernel.name
        resident = self._base.details.get("resident_blocks")
        if self._base.details.get("occupancy_limiter") == "registers" and isinstance(resident, int):
            more = resident + 1
            yield "launch_bounds", lambda: launch_bounds(text, name, launch.threads, more)
        yield "restrict", lambda: restrict_pointers(text, name)
        yield "pad", lambda: pad_shared(text, name)
        if any(item.opcode in _DOUBLE for item in self._facet.kernel.instructions):
            yield _SINGLE, lambda: single_constants(text, name)

    def _predict_change(self, folder: Path, text: str, change: Change, **launch: object) -> None:
        folder.mkdir()
        file = folder / self._origin.file.name
        file.write_text(edited(text, change.edits))
        include = f"-I{self._origin.file.resolve().parent}"
        case = self._origin.asked.again(file, "", 0, nvcc=include, **launch)
        self._add(case, change.transformation, change.title, change.line, change.provided, file.read_text())

    def _add(
        self, case: Case, identifier: str, title: str, line: int, provided: tuple[str, ...], text: str = ""
    ) -> None:
        after = case.predict()
        self._check_data(after)
        if identifier in _COMPILED and is_same_code(self._base, after):
            raise RefusedError(f"to {title} leaves the code as it is")
        edits = whole_edit(read_text(self._origin.file), text) if text else ()
        self._changes.append(
            AdvisedChange(
                (identifier,), (title,), line, after.time_s, gain(self._base, after), gain_interval(self._base, after),
                moved_bound(self._base, after), "predicted", provided, text=text, edits=edits,
                is_option=identifier == _SINGLE,
            )
        )  # fmt: skip

    def _check_data(self, after: Prediction) -> None:
        """Refuses launches that access other data than the kernel does now: they would do another work."""
        now, then = (said.details.get(_TOUCHED) for said in (self._base, after))
        if isinstance(now, float) and isinstance(then, float) and not now / _SAME <= then <= now * _SAME:
            amounts = f"{units.show(then, 'B')} instead of {units.show(now, 'B')}"
            raise RefusedError(f"the launch would access {amounts}: which grid the program uses is not known")

    def _estimate(self, hint: Advice) -> AdvisedChange:
        """An estimate is between no gain and all that the model saves without the excess."""
        ratio = self._base.time_s / hint.time_s if hint.time_s > 0 else 1.0
        named = _AT_LINE.match(hint.action)
        line = int(named[1]) if named else self._line()
        interval = (min(1.0, ratio), max(1.0, ratio))
        identifier = _HINTS[hint.title]
        return AdvisedChange(
            (identifier,), (hint.action,), line, hint.time_s, ratio, interval, hint.note, "estimate",
            ("the code is rewritten",),
        )  # fmt: skip

    def _is_done(self, estimate: AdvisedChange) -> bool:
        """Whether a change that was predicted removes what an estimate is of: it saves as much."""
        kind = _REMOVED_BY.get(estimate.ids[0])
        return any(kind in one.ids and one.gain * _ABOUT >= estimate.gain for one in self._changes)

    def _line(self) -> int:
        lines = [item.line for item in self._facet.kernel.instructions if item.line]
        return min(lines, default=1)

    def _refuse(self, identifier: str, title: str, reason: str) -> None:
        kernel = self._facet.kernel.name
        said = reason.replace(kernel, source_name(kernel))
        self._refused.append(RefusedChange(identifier, self._line(), title, said))


def _sides(launch: Launch, values: Mapping[str, int], name: str) -> list[int]:
    """The sides of the block that have the value of a macro. Where as many macros have it, each stands for one, in the
    order of the text: `block_x`, `block_y`."""
    old = values[name]
    sides = [at for at, side in enumerate(launch.block) if side == old and old > 1]
    alike = [other for other, value in values.items() if value == old]
    return [sides[alike.index(name)]] if len(alike) == len(sides) else sides


def _following(launch: Launch, sides: Sequence[int], new: int) -> Iterator[tuple[dict[str, object], tuple[str, ...]]]:
    """Launches that a program may make after a macro has another value, with the condition that it does: the `sides` of
    the block that had the old value follow, and the grid so that threads stay as many, or in all directions; or nothing
    does."""
    if not sides:
        yield {}, ("the launch does not depend on it",)
    else:
        yield from _resized(launch, sides, new)


def _resized(launch: Launch, sides: Sequence[int], new: int) -> Iterator[tuple[dict[str, object], tuple[str, ...]]]:
    """Launches whose block has these sides of another length."""
    old = launch.block[sides[0]]
    block = [new if at in sides else side for at, side in enumerate(launch.block)]
    if not 0 < prod(block) <= _LARGEST_BLOCK:
        return
    as_many = [-(-count * side // now) for count, side, now in zip(launch.grid, launch.block, block, strict=True)]
    everywhere = [count if count == 1 else -(-count * old // new) for count in launch.grid]
    for grid in (as_many, everywhere):
        text = {"grid": ",".join(map(str, grid)), "block": ",".join(map(str, block))}
        yield {**text, "launch": None}, (f"it is launched with a grid of {' × '.join(map(str, grid))}",)


def _shapes(launch: Launch) -> Iterator[tuple[int, int, int]]:
    """Other blocks: of one row, other lengths; of several, other shapes of as many threads, twice and half of it."""
    x, y, z = launch.block
    if y == z == 1:
        yield from ((size, 1, 1) for size in _BLOCKS if size != x)
        return
    for total in (x * y // 2, x * y, 2 * x * y):
        for width in (8, 16, 32, 64, 128):
            if total % width == 0 and 32 <= total * z <= 1024 and (width, total // width) != (x, y):
                yield width, total // width, z


def _reads_block_size(facet: Warps) -> bool:
    """Whether the kernel reads blockDim: the first words of constant bank 0."""
    return any(
        operand.kind == "constant" and operand.bank == 0 and 0 <= operand.value < 12
        for item in facet.kernel.instructions
        for operand in item.operands
    )


def _shown(block: str) -> str:
    """A block without directions of one thread."""
    words = block.split(",")
    while len(words) > 1 and words[-1] == "1":
        words.pop()
    return " × ".join(words)
