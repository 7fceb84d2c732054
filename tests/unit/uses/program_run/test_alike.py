"""Which launches of a program are taken for alike."""

from __future__ import annotations

import struct
from dataclasses import replace

from foretell.core.gpu.launch import DeviceArray, Launch, PassedArguments
from foretell.core.gpu.warps import Warps
from foretell.uses.program_run.launches.alike import ArgumentShapes, SampledLaunches, arrays_of

BASE = 0x3000_0000_0000
#: three arrays of 4096 bytes, and one of 256
ARRAYS = tuple(DeviceArray(BASE + 8192 * k, 256 if k == 3 else 4096, f"allocation {k}") for k in range(4))


def passing(*words: int, more: bytes = b"") -> Launch:
    data = struct.pack(f"<{len(words)}Q", *words) + more
    return Launch("k", (4, 1, 1), (32, 1, 1), passed=PassedArguments(data, ARRAYS))


def start(number: int, offset: int = 0) -> int:
    return ARRAYS[number].address + offset


def test_arrays_of_the_same_size_are_alike_if_they_were_used_as_long_ago() -> None:
    shapes = ArgumentShapes()
    first = shapes.of(passing(start(0), start(1), 7))
    assert shapes.of(passing(start(2), start(2), 7)) != first  # one array twice
    shapes = ArgumentShapes()
    assert shapes.of(passing(start(0), start(1), 7)) == first
    forth, back, again = (shapes.of(passing(start(a), start(1 - a), 7)) for a in (1, 0, 1))
    assert len({first, forth, back}) == 3  # neither, both after one launch, both after two are in L2
    assert again == back
    assert shapes.of(passing(start(0), start(2), 7)) not in (first, forth, back)  # one is


def test_other_numbers_places_sizes_and_last_bytes_are_not_alike() -> None:
    every = [
        passing(start(0), 7),
        passing(start(0), 8),
        passing(start(0, 16), 7),
        passing(start(3), 7),
        passing(start(0, 4096), 7),  # behind its end
        passing(start(0), 7, more=b"\1\0\0\0"),
        passing(start(0), 7, more=b"\2\0\0\0"),
    ]
    assert len({ArgumentShapes().of(each) for each in every}) == len(every)
    assert ArgumentShapes().of(passing(start(1), 7)) == ArgumentShapes().of(every[0])


def test_long_ago_is_the_same_however_long() -> None:
    shapes, found = ArgumentShapes(), []
    shapes.of(passing(start(0)))
    for _ in range(6):
        shapes.of(passing(start(1)))
        found.append(shapes.of(passing(start(2))) if len(found) else None)
    shapes.of(passing(start(1)))
    long_ago = shapes.of(passing(start(0)))
    assert long_ago != ArgumentShapes().of(passing(start(0)))  # never
    for _ in range(9):
        shapes.of(passing(start(1)))
    assert shapes.of(passing(start(0))) == long_ago


def test_arrays_are_told_by_what_points_into_them() -> None:
    assert arrays_of(passing(start(1, 8), 5, start(0), start(1))) == ["allocation 1", "allocation 0"]
    assert arrays_of(Launch("k", (1, 1, 1), (1, 1, 1))) == []


def test_a_launch_before_others_is_the_one_that_was_predicted() -> None:
    """With the same addresses only: by these L2 knows what it holds."""
    sampled = SampledLaunches(2)
    kept, again, other = (Warps(None, item) for item in (passing(start(0)), passing(start(0)), passing(start(1))))  # type: ignore[arg-type]
    sampled.keep("group", kept)
    assert sampled.like("group", again) is kept
    assert sampled.like("group", other) is other
    assert sampled.like("another", again) is again
    for number in (1, 2):
        sampled.keep("group", Warps(None, passing(start(number))))  # type: ignore[arg-type]
    assert sampled.like("group", again) is again


def test_how_a_launch_starts_matters_only_where_its_memory_is_not_known() -> None:
    for launch, alone in ((passing(start(0)), ""), (Launch("k", (1, 1, 1), (1, 1, 1)), "cold")):
        cold = Warps(None, replace(launch, start="cold"), (Warps(None, launch),))  # type: ignore[arg-type]
        assert cold.by_itself.launch.start == alone
        assert bool(cold.by_itself.before) == bool(alone)
