"""Mutated C never makes the front end fail, and no loop of it is ever lost silently."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foretell.errors import InputError
from tests.support.frontends.c import loops_accounted, parse_c
from tests.support.frontends.ir_text import unit_text

TEXT = (Path(__file__).parents[2] / "data" / "c" / "constructs.c").read_text()
HEAD, *FUNCTIONS = re.split(r"(?=^static void case_)", TEXT, flags=re.MULTILINE)
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
WORDS = [
    *TOKEN.findall(
        "for while do if else {}()[];,=+-*&.?: int double struct goto x case default break continue return 0 1 1.5 "
        "sizeof switch static const"
    ),
    *(
        '"s"',
        "/*",
        "*/",
        "//",
        "\\\n",
        "++",
        "->",
        "({",
        "})",
        "#pragma omp for",
        "#define",
        "#if",
        "#endif",
        "_Pragma",
    ),
]

mutation = st.tuples(
    st.sampled_from(["delete", "repeat", "replace", "character", "swap"]),
    st.floats(0, 1, exclude_max=True),
    st.floats(0, 1, exclude_max=True),
    st.integers(1, 12),
    st.sampled_from(WORDS),
)


def mutate(tokens: list[str], kind: str, first: float, second: float, length: int, word: str) -> None:
    place, other = int(first * len(tokens)), int(second * len(tokens))
    if kind == "delete":
        del tokens[place : place + length]
    elif kind == "repeat":
        tokens[place:place] = tokens[other : other + length]
    elif kind == "replace":
        tokens[place] = f" {word} "
    elif kind == "character":
        tokens[place] = chr(1 + int(second * 254))
    else:
        tokens[place], tokens[other] = tokens[other], tokens[place]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(FUNCTIONS), st.lists(mutation, min_size=1, max_size=6), st.booleans())
def test_mutated_programs(function: str, mutations: list[tuple[str, float, float, int, str]], whole: bool) -> None:
    tokens = TOKEN.findall(HEAD + function if whole else function)
    for change in mutations:
        if tokens:
            mutate(tokens, *change)
    source = "".join(tokens) if whole else HEAD + "".join(tokens)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutant.c"
        path.write_text(source, encoding="latin-1", errors="replace")
        try:
            (unit,) = parse_c([path])
        except InputError as error:
            assert error.file == str(path)
            return
    assert loops_accounted(unit) >= unit.loops_seen
    assert unit_text(unit)


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bytes.c"
        path.write_bytes(data)
        try:
            (unit,) = parse_c([path])
        except InputError:
            return
    assert loops_accounted(unit) >= unit.loops_seen
