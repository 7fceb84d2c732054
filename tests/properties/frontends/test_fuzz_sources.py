"""Random kernels with known counts, and damaged ones: what the analyser says is right, or it says why it cannot.

`FORETELL_FUZZ` sets the number of inputs per property (a few hundred in all by default; 10000 is the campaign).
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from foretell.errors import ForetellError
from foretell.frontends.analysis import analyse
from foretell.frontends.fortran import parse_fortran
from foretell.frontends.source import ir
from tests.corpus import count
from tests.support.frontends.c import parse_c
from tests.support.models import kernel_text, kernel_tree, kernels

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.nest.loopnest import Loops

INPUTS = int(os.environ.get("FORETELL_FUZZ", "120"))
SETTINGS = settings(
    max_examples=INPUTS,
    derandomize="FORETELL_FUZZ" not in os.environ,  # the same inputs in every run of CI; chance is for campaigns
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)
IGNORED = {"int", "convert", "compare", "fma", "neg"}


def _analyse(path: Path) -> tuple[Loops, tuple[ir.Unit, ...]]:
    units = parse_c([path]) if path.suffix == ".c" else tuple(parse_fortran([path]))
    return analyse(ir.Program(units)), units


# ---------------------------------------------------------------------------------------------- known counts


def _check(kernel: kernel_tree.Kernel, path: Path, text: str) -> None:
    wanted = kernels.run(kernel)
    # known failures, each with a test of its own below
    assume(not wanted.overshoots and not wanted.empty_equality)
    path.write_text(text)
    loops, _ = _analyse(path)
    assert loops.loops_seen == loops.loops_kept == kernels.loops(kernel.body)
    assert {nest.status for nest in loops.nests} <= {"exact", "assumed"}, [n.reason for n in loops.nests]
    at = {"n": kernel.n, "m": kernel_tree.EXTENT}
    operations: Counter[str] = Counter()
    reads: Counter[str] = Counter()
    writes: Counter[str] = Counter()
    # a loop around loops that can never run is a nest of its own: trips are compared where all of them run
    if all(wanted.trips) and len(loops.nests) == len(wanted.trips):
        assert [nest.trips.evaluate(at) for nest in loops.nests] == wanted.trips
    for nest in loops.nests:
        for kind, total in nest.total_operations().items():
            operations[kind] += Fraction(total.evaluate(at))
        for name, (read, written) in nest.total_accesses().items():
            reads[name.removesuffix("_flat")] += Fraction(read.evaluate(at))
            writes[name.removesuffix("_flat")] += Fraction(written.evaluate(at))
    for kind in IGNORED:
        operations.pop(kind, None)
    assert +operations == +wanted.operations
    assert +reads == +wanted.reads
    assert +writes == +wanted.writes


@given(kernel=kernels.kernels("c"))
@SETTINGS
def test_c_kernels_have_their_counts(kernel: kernel_tree.Kernel, tmp_path: Path) -> None:
    _check(kernel, tmp_path / "kernel.c", kernel_text.as_c(kernel))


@given(kernel=kernels.kernels("fortran"))
@SETTINGS
def test_fortran_kernels_have_their_counts(kernel: kernel_tree.Kernel, tmp_path: Path) -> None:
    _check(kernel, tmp_path / "kernel.f90", kernel_text.as_fortran(kernel))


@pytest.mark.parametrize(
    ("text", "kind", "wanted"),
    [
        pytest.param("for (int i = 0; i < n; i++) for (int j = i; j < 4; j++) a[j] *= 2.0;", "mul", 10, id="overshoot"),
        pytest.param(
            "for (int i = 0; i <= n; i++) for (int j = i + 1; j <= n; j++) if (j == n) a[i] *= 2.0;",
            "mul",
            9,
            id="empty equality",
        ),
        pytest.param(
            "for (int i = 0; i < n; i++) a[i] = (i < 6 ? mix(a[i], a[i + 1]) : 1.0);",
            "reads",
            12,
            id="arguments in an arm",
        ),
    ],
)
def test_hard_counts(text: str, kind: str, wanted: int, tmp_path: Path) -> None:
    """What the random kernels leave out, at n = 9."""
    path = tmp_path / "known.c"
    helper = "static inline double mix(double x, double y) { return x * y + x; }\n"
    path.write_text(f"{helper}void kernel(int n, double a[64]) {{ {text} }}\n")
    (nest,) = _analyse(path)[0].nests
    if kind == "reads":
        assert sum(reads.evaluate({"n": 9}) for reads, _ in nest.total_accesses().values()) == wanted
    else:
        assert nest.total_operations()[kind].evaluate({"n": 9}) == wanted


# ---------------------------------------------------------------------------------------------- damage


SOURCES = [file for case in count.cases() for file in case.files if "app_" not in case.name]
TOKENS = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "+",
    "*",
    "=",
    "0",
    "i",
    "n",
    "for",
    "do",
    "end do",
    "if",
    "while",
    "&",
]


def _damage(text: str, seed: int) -> str:
    """One to three random edits."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 3)):
        lines = text.split("\n")
        k = chance.randrange(len(lines))
        at = chance.randrange(len(text) + 1)
        match chance.randrange(8):
            case 0:
                del lines[k]
                text = "\n".join(lines)
            case 1:
                text = "\n".join([*lines[:k], lines[k], *lines[k:]])
            case 2:
                other = chance.randrange(len(lines))
                lines[k], lines[other] = lines[other], lines[k]
                text = "\n".join(lines)
            case 3:
                text = text[:at] + text[at + chance.randint(1, 3) :]
            case 4:
                text = f"{text[:at]} {chance.choice(TOKENS)} {text[at:]}"
            case 5:
                text = text[: max(20, at)]
            case 6:
                words = sorted(set(re.findall(r"\w+", text))) or ["x"]
                text = text.replace(chance.choice(words), chance.choice(words), 1)
            case 7:
                text = re.sub(r"\d+", lambda m: str(chance.choice([0, 1, 7, 99999999999, -3])), text, count=1)
    return text


def _loop_words(text: str, language: str) -> int:
    """Loops in the text by a crude count, comments and strings taken out."""
    if language == "c":
        text = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", " ", text, flags=re.S)
        text = re.sub(r"^[ \t]*#.*?(?<!\\)$", "", text, flags=re.M)
        return len(re.findall(r"\bfor\s*\(", text))
    text = re.sub(r"!.*", "", text)
    return len(re.findall(r"^\s*(?:\w+\s*:\s*)?do\s+(?:\d+\s*,?\s*)?\w+\s*=", text, flags=re.M | re.I))


@given(source=st.sampled_from(SOURCES), seed=st.integers(0, 2**32))
@SETTINGS
def test_damaged_sources_are_told(source: Path, seed: int, tmp_path: Path) -> None:
    """No crash; and a loop that is in the text is in a nest, or something says that this could not be read."""
    path = tmp_path / source.name
    text = _damage(source.read_text(), seed)
    path.write_text(text)
    for header in source.parent.glob("*.h"):
        (tmp_path / header.name).write_text(header.read_text())
    try:
        loops, units = _analyse(path)
    except ForetellError as error:
        assert str(error)
        return
    complaints = [d for unit in units for d in unit.diagnostics]
    complaints += [d for unit in units for f in unit.functions for d in f.errors]
    unread = any(nest.status == "refused" for nest in loops.nests) or any(not f.reliable for f in loops.functions)
    language = "c" if path.suffix == ".c" else "fortran"
    fixed_form = path.suffix in (".f", ".F")  # columns matter there: the crude count does not know them
    if not complaints and not unread and not fixed_form and "#" not in text:
        assert loops.loops_kept >= _loop_words(text, language)
    assert loops.loops_kept >= loops.loops_seen or complaints or unread


@pytest.mark.parametrize("junk", ["", "\x00\x01", "(" * 2000, "{" * 2000, "do i=1,\n" * 300, "for(;;)" * 400, "é" * 50])
@pytest.mark.parametrize("suffix", [".c", ".f90", ".f"])
def test_junk(junk: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"junk{suffix}"
    path.write_text(junk)
    try:
        loops, _ = _analyse(path)
    except ForetellError:
        return
    assert loops.summary()["exact"] == 0 or loops.loops_seen == loops.loops_kept
