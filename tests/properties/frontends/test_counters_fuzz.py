"""Two hundred damaged profiles of every format: an `InputError` or the right number, never anything else."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest

from foretell.core.facets.counts import Counts
from foretell.errors import InputError
from foretell.frontends.counters import read_profile
from foretell.report import csv, json, text
from tests.support.frontends.profiles import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from foretell.core.workload import Workload

#: of each kind of damage to a format, and to a further sample of it
ROUNDS, FEWER = 50, 20
#: sums over launches, intervals or functions: with a whole line less they are other sums, and no file can tell
SUMS = (
    "ncu-details", "ncu-locale", "ncu-raw", "rocprofv3", "rocprofv3-agents", "perf-intervals", "perf-cores", "vtune",
    "vtune-tabs", "papi-nested", "likwid-groups",
)  # fmt: skip
NOT_NUMBERS = (
    "",
    "-",
    "nan",
    "inf",
    "1.2.3",
    "1..2",
    "12,34,5",
    "<not supported>",
    "1e999",
    "0x10",
    "-5",
    "٣٤",
    "1 2",
    "?",
)
#: what has been written in every form: half of what is read from damaged files has been read before
REPORTED: set[str] = set()
Known = dict[tuple[str, str, str], float]


def known(workload: Workload) -> Known:
    """Every number with its block, event and how it is made."""
    return {
        (block.name, event, count.origin): count.value
        for block in workload.facet(Counts).blocks
        for event, count in block.events.items()
    }


def truncate(source: str, rng: random.Random) -> str:
    return source[: rng.randrange(len(source))]


def drop_line(source: str, rng: random.Random) -> str:
    lines = source.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return "".join(lines)


def repeat_line(source: str, rng: random.Random) -> str:
    lines = source.splitlines(keepends=True)
    index = rng.randrange(len(lines))
    return "".join([*lines[: index + 1], *lines[index:]])


def spoil_number(source: str, rng: random.Random) -> str:
    found = list(re.finditer(r'(?<=[,;":=\s])\d[\d.,]*\d(?=[,;"\s)]|$)', source, re.MULTILINE))
    match = rng.choice(found)
    return source[: match.start()] + rng.choice(NOT_NUMBERS) + source[match.end() :]


def spoil_bytes(source: str, rng: random.Random) -> str:
    text_ = list(source)
    for _ in range(rng.randint(1, 4)):
        text_[rng.randrange(len(text_))] = rng.choice('\0,;"{}[]=:\n\t -+eE.0789aZé\ud7ff')
    return "".join(text_)


def shuffle(source: str, rng: random.Random) -> str:
    lines = source.splitlines(keepends=True)
    rng.shuffle(lines)
    return "".join(lines)


def rounds(name: str) -> int:
    """Four kinds of damage with fifty rounds are two hundred for each format."""
    first = next(sample for sample, (_, kind) in SAMPLES.items() if kind == SAMPLES[name][1])
    return ROUNDS if name == first else FEWER


def damaged(path: Path, source: str) -> Workload | None:
    path.write_text(source, encoding="utf-8", newline="")
    try:
        workload = read_profile([path])
    except InputError:
        return None
    if (content := repr((workload.facets, workload.parameters))) not in REPORTED:
        REPORTED.add(content)
        for report in (csv.workload, json.workload):
            report(workload)
        text.render(text.workload(workload), color=False)
    return workload


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("damage", [truncate, drop_line, repeat_line, spoil_number], ids=lambda f: f.__name__)
def test_what_is_read_from_a_damaged_profile_is_right(
    name: str, damage: Callable[[str, random.Random], str], tmp_path: Path
) -> None:
    source = SAMPLES[name][0]
    good = known(read_profile([_written(tmp_path / "good", source)]))
    sums = name in SUMS and damage is not spoil_number
    rng = random.Random(f"{name} {damage.__name__}")
    refused = 0
    for _ in range(rounds(name)):
        found = damaged(tmp_path / "bad", damage(source, rng))
        refused += found is None
        for key, value in known(found).items() if found else ():
            if key in good and not sums:
                assert value == pytest.approx(good[key]), key
    assert refused or name.startswith("perf") or damage is not truncate


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("damage", [spoil_bytes, shuffle], ids=lambda f: f.__name__)
def test_noise_is_read_or_refused(name: str, damage: Callable[[str, random.Random], str], tmp_path: Path) -> None:
    rng = random.Random(f"{name} {damage.__name__}")
    for _ in range(rounds(name)):
        damaged(tmp_path / "bad", damage(SAMPLES[name][0], rng))


def _written(path: Path, source: str) -> Path:
    path.write_text(source, encoding="utf-8")
    return path
