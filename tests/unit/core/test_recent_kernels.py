"""What is remembered of the last kernels."""

from __future__ import annotations

from foretell.core.gpu.recent import RecentKernels


def made(recent: RecentKernels[int], keys: list[int], size: int) -> int:
    """How many of these had to be made."""
    count = 0

    def make() -> int:
        nonlocal count
        count += 1
        return size

    for key in keys:
        assert recent.get(key, make, lambda item: item) == size
    return count


def test_many_short_kernels_are_remembered() -> None:
    recent: RecentKernels[int] = RecentKernels()
    assert made(recent, [*range(64), *range(64)], 1000) == 64
    assert made(recent, [0, 64, 0], 1000) == 1  # 1, used longest ago, made room
    assert made(recent, [1], 1000) == 1


def test_of_long_kernels_only_the_last_ones() -> None:
    recent: RecentKernels[int] = RecentKernels()
    assert made(recent, [0, 1, 2, 3, 0, 1, 2, 3], 1 << 20) == 4
    assert made(recent, [4, 3, 2, 1, 0], 1 << 20) == 2
    recent.clear()
    assert made(recent, [0], 1) == 1
