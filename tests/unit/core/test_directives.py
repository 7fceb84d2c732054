from __future__ import annotations

import pytest

from foretell.frontends.source.directives import parse_directive, scan_c, stands_alone
from foretell.frontends.source.ir import Directive


@pytest.mark.parametrize(
    ("text", "words", "clauses"),
    [
        (
            "omp parallel for private(i, j) reduction(+: s) nowait",
            ("parallel", "for"),
            (("private", "i, j"), ("reduction", "+: s"), ("nowait", "")),
        ),
        ("omp for ordered", ("for",), (("ordered", ""),)),
        ("omp ordered depend(sink: i - 1)", ("ordered",), (("depend", "sink: i - 1"),)),
        ("omp critical (lock)", ("critical",), (("critical", "lock"),)),
        ("omp end ordered", ("end", "ordered"), ()),
        ("omp declare reduction(f : T : x)", ("declare", "reduction"), (("reduction", "f : T : x"),)),
        ("acc parallel loop gang, vector_length(128)", ("parallel", "loop"), (("gang", ""), ("vector_length", "128"))),
        ("acc kernels copyin(a[0:n]) wait(1)", ("kernels",), (("copyin", "a[0:n]"), ("wait", "1"))),
        ("acc wait(1)", ("wait",), (("wait", "1"),)),
        ("foretell probability(0.25)", (), (("probability", "0.25"),)),
        ("foretell kernel name(x)", ("kernel",), (("name", "x"),)),
        ("omp for schedule(static, f(1, (2)))", ("for",), (("schedule", "static, f(1, (2))"),)),
        ("omp for private(i", ("for",), (("private", "i"),)),
        ("OMP PARALLEL DO Private(I)", ("parallel", "do"), (("private", "I"),)),
    ],
)
def test_words_and_clauses(text: str, words: tuple[str, ...], clauses: tuple[tuple[str, str], ...]) -> None:
    dialect = text.split()[0].lower()
    assert parse_directive(text, 7) == Directive(dialect, words, clauses, 7)


def test_an_empty_directive_is_none() -> None:
    assert parse_directive("   ", 1) is None
    assert parse_directive("(x)", 1) is None


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("omp barrier", True),
        ("omp parallel", False),
        ("omp target update to(a)", True),
        ("omp target", False),
        ("omp ordered depend(source)", True),
        ("omp ordered", False),
        ("acc update host(a)", True),
        ("acc data copy(a)", False),
        ("foretell trips(3)", False),
    ],
)
def test_which_directives_stand_alone(text: str, alone: bool) -> None:
    directive = parse_directive(text, 1)
    assert directive is not None
    assert stands_alone(directive) is alone


def test_c_scan_joins_lines_and_reads_the_operator() -> None:
    source = 'int x;\n#pragma omp parallel for \\\n   private(i)\nfor(;;);\n # pragma once\n_Pragma("omp simd") y;\n'
    found = scan_c(source)
    assert [(f.directive.dialect, f.directive.words, f.directive.line, f.last_line) for f in found] == [
        ("omp", ("parallel", "for"), 2, 3),
        ("once", (), 5, 5),
        ("omp", ("simd",), 6, 6),
    ]
    assert found[0].directive.clauses == (("private", "i"),)


def test_the_operator_inside_a_define_is_no_directive() -> None:
    assert scan_c('#define P _Pragma("omp simd")\n') == ()
