"""Profiles written to files, and what was read from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.facets.counts import CodeBlock, Count, Counts
from foretell.frontends.counters import Launch, read_profile

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.workload import Workload


def written(tmp_path: Path, text: str, name: str = "profile.txt") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def read(tmp_path: Path, text: str, launch: Launch | None = None) -> Workload:
    return read_profile([written(tmp_path, text)], launch)


def given(numbers: dict[tuple[str, str], float]) -> Launch:
    return Launch(given={key: Count(value, "given", "test") for key, value in numbers.items()})


def blocks(workload: Workload) -> dict[str, CodeBlock]:
    return {block.name: block for block in workload.facet(Counts).blocks}


def values(block: CodeBlock) -> dict[str, float]:
    return {event: count.value for event, count in block.events.items()}
