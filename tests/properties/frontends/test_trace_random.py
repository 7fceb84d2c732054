"""Random programs, traced and on the slow machine: the same levels, references, distances and dependences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.frontends.trace import TraceOptions
from tests.support.frontends.traced import build, compare, needs_compiler
from tests.support.models.random_kernels import program

if TYPE_CHECKING:
    from pathlib import Path

_PROGRAMS = 100


@needs_compiler
def test_random_programs_against_the_slow_machine(tmp_path: Path) -> None:
    source = tmp_path / "random.c"
    source.write_text(program(_PROGRAMS, seed=1))
    built = build(source, "run", tmp_path, TraceOptions(helper=False, lines=(64,)))
    for number in range(_PROGRAMS):
        try:
            compare(built, str(number))
        except AssertionError as error:
            raise AssertionError(f"program {number}: {error}") from error
