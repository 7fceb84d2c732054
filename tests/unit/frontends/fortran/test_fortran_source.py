"""From files to statements and program units: source forms, preprocessor, labels, unit boundaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from foretell.errors import InputError
from foretell.frontends.fortran.accounting import is_loop
from foretell.frontends.fortran.text.preprocessor import preprocess, read_source
from foretell.frontends.fortran.text.preprocessor_condition import evaluate
from foretell.frontends.fortran.text.source_form import is_fixed, to_free
from foretell.frontends.fortran.text.statements import Scanner, Statement, close_labelled_loops
from foretell.frontends.fortran.text.units import split_units


def _statements(text: str) -> list[str]:
    return [statement.text for statement in Scanner(text.split("\n")).statements]


# ------------------------------------------------------------------------------------------------ source form


@pytest.mark.parametrize(
    ("name", "text", "fixed"),
    [
        ("a.f", "      x = 1\n", True),
        ("a.F", "C comment\n      x = 1\n     & + 2\n", True),
        ("a.for", "program p\nend program\n", False),
        ("a.f90", "      x = 1\n", False),
        ("a.inc", "c comment\n      x = 1\n     1 + 2\n", True),
        ("a.inc", "call f(x, &\n  y)\n", False),
        ("a.f", "call f\n", False),
        ("a.f", "*     star\n      x = 1\n", True),
    ],
)
def test_the_form_is_told_by_suffix_and_content(name: str, text: str, fixed: bool) -> None:
    assert is_fixed(text.splitlines(), Path(name)) is fixed


def test_fixed_form_keeps_its_line_numbers() -> None:
    lines = [
        "C     comment",
        "      SUBROUTINE S(A,",
        "     &             B)",
        "*     another",
        "  10  CONTINUE",
        "\tX = 1",
        "\t1 + 2",
        "      Y = 'AB",
        "     1CD'",
        "c$omp parallel do",
        "c$omp+ private(i)",
        "      Z = 1                                                             SEQ1",
        "",
    ]
    free = to_free(lines)
    assert len(free) == len(lines)
    scanned = Scanner(free)
    assert [(s.line, s.label, s.text.split("'")[0]) for s in scanned.statements] == [
        (2, "", "SUBROUTINE S(A,             B)"),
        (5, "10", "CONTINUE"),
        (6, "", "X = 1 + 2"),
        (8, "", "Y = "),
        (12, "", "Z = 1"),
    ]
    assert scanned.statements[3].text.startswith("Y = 'AB  ")
    assert scanned.statements[3].text.endswith("  CD'")
    assert [(d.line, d.text) for d in scanned.directives] == [(10, "$omp parallel do private(i)")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("      X = 0.99 144 86 D0", "X = 0.9914486D0"),
        ("      IF (I.GE.3. AND. L) X = 1", "IF (I.GE.3 .AND.  L) X = 1"),
        ("      RECURSIVESUBROUTINE S", "RECURSIVE SUBROUTINE S"),
        ("      ER 8 = 1.0", "ER8 = 1.0"),
        ("      DO 10 I = 1, N", "DO 10 I = 1, N"),
        ("      X = 'A  1 2 ! B' ! comment", "X = 'A  1 2 ! B'"),
    ],
)
def test_blanks_mean_nothing_in_fixed_form(line: str, expected: str) -> None:
    assert to_free([line])[0].strip() == expected


def test_long_fixed_lines_are_code_where_they_look_like_it() -> None:
    long = "      X = AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA + (BBBBBB + C)"
    assert to_free([long])[0].rstrip().endswith("(BBBBBB + C)")
    numbered = "      X = A".ljust(72) + "00000010"
    assert to_free([numbered])[0].rstrip() == "      X = A"


# -------------------------------------------------------------------------------------------------- statements


def test_statements_are_joined_split_and_stripped() -> None:
    text = "x = 1 + & ! comment\n\n  ! nothing\n  & 2; y = 'a;b!' // &\n 'c'\n10 continue\ns = 'long &\n   &string'"
    assert _statements(text) == ["x = 1 +  2", "y = 'a;b!' // 'c'", "continue", "s = 'long string'"]


def test_an_open_string_is_reported_and_closed() -> None:
    scanned = Scanner(["x = 'abc", "y = 1"])
    assert [t.line for t in scanned.troubles] == [1]
    assert [s.text for s in scanned.statements] == ["x = 'abc'", "y = 1"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("do 10 i = 1, 3\n10 a(i) = 1", ["do i = 1, 3", "a(i) = 1", "end do"]),
        ("do 10 i = 1, 3\ndo 10 j = 1, 3\n10 continue", ["do i = 1, 3", "do j = 1, 3", "continue", "end do", "end do"]),
        ("do 10, i = 1, 3\n10 end do", ["do i = 1, 3", "end do"]),
        ("do 10 while (x > 1)\n10 continue", ["do while (x > 1)", "continue", "end do"]),
        ("do 10 i = 1.5\n10 continue", ["do 10 i = 1.5", "continue"]),
        ("do10i=1,3\n10 continue", ["do i=1,3", "continue", "end do"]),
    ],
)
def test_labelled_loops_are_closed(lines: str, expected: list[str]) -> None:
    statements, troubles = close_labelled_loops(Scanner(lines.split("\n")).statements)
    assert [s.text for s in statements] == expected
    assert not troubles


def test_a_labelled_loop_without_its_label_ends_with_its_unit() -> None:
    text = "subroutine s\ndo 10 i = 1, 3\nend\nsubroutine t\nend"
    statements, troubles = close_labelled_loops(Scanner(text.split("\n")).statements)
    assert [s.text for s in statements] == ["subroutine s", "do i = 1, 3", "end do", "end", "subroutine t", "end"]
    assert [t.line for t in troubles] == [2]


@pytest.mark.parametrize(
    ("text", "loop"),
    [
        ("do i = 1, n", True),
        ("DO", True),
        ("outer: do while (x)", True),
        ("do concurrent (i=1:n)", True),
        ("where (a > 0) b = 1", True),
        ("where (a > 0)", True),
        ("forall (i=1:n) a(i) = 1", True),
        ("where(i) = 1", False),
        ("double precision x", False),
        ("do i = 1.5", False),
        ("done = 1", False),
        ("end do", False),
    ],
)
def test_what_counts_as_a_loop(text: str, loop: bool) -> None:
    assert is_loop(text) is loop


# -------------------------------------------------------------------------------------------------- units


def _units(text: str) -> list[str]:
    """name[children], in order."""
    units = split_units([Statement(s, n) for n, s in enumerate(text.split("\n"), 1) if s])
    return [f"{u.name}[{' '.join(c.name for c in u.children)}]{'!' if u.troubles else ''}" for u in units]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("module m\ncontains\nsubroutine s\nend subroutine\nend module", ["m[s]"]),
        ("subroutine s\nend\nreal function f(x)\nend", ["s[]", "f[]"]),
        ("x = 1\nend", ["main[]"]),
        ("program p\ncontains\nsubroutine q\nend subroutine q\nend program p\nblock data\nend",
         ["p[q]", "block_data[]"]),
        ("subroutine s\ndo i = 1, 3\nsubroutine t\nend subroutine", ["s[]!", "t[]"]),
        ("module m\ncontains\nsubroutine s\nsubroutine t\nend subroutine\nend module\nsubroutine u\nend",
         ["m[s t]", "u[]"]),
        ("subroutine s\ninterface\nsubroutine t\nend subroutine\nend interface\nend", ["s[]"]),
        ("module m\ninterface\nsubroutine t\nend subroutine\nend module\nsubroutine u\nend", ["m[]!", "u[]"]),
        ("module m\ntype t\ncontains\nprocedure :: p\nend type\nend module", ["m[]"]),
        ("submodule (m) sm\ncontains\nmodule procedure p\nend procedure\nend submodule", ["sm[p]"]),
        ("subroutine s", ["s[]!"]),
        ("end", []),
        ("pure elemental real(kind(1d0)) function f(x)\nend", ["f[]"]),
    ],
)  # fmt: skip
def test_units(text: str, expected: list[str]) -> None:
    assert _units(text) == expected


# ------------------------------------------------------------------------------------------------ preprocessor


def _preprocessed(text: str, folder: Path = Path(), **defines: str) -> list[str]:
    return preprocess(text, folder / "a.F90", (), defines).lines


def test_conditionals() -> None:
    text = "#ifdef A\na\n#elif defined(B) && B > 1\nb\n#else\nc\n#endif\n#ifndef A\nd\n#endif\n"
    text += "#if 0\n#ifdef A\ne\n#endif\n#endif"
    assert [line for line in _preprocessed(text, A="1") if line] == ["a"]
    assert [line for line in _preprocessed(text, B="2") if line] == ["b", "d"]
    assert [line for line in _preprocessed(text) if line] == ["c", "d"]
    assert len(_preprocessed(text)) == len(text.split("\n"))


def test_macros() -> None:
    text = "#define N 10\n#define IDX(i,j) ((j)*N + (i))\n#define PASTE(a) a##_x\n"
    text += "x(IDX(i+1, f(a,b))) = 'N' + PASTE(y)\n#undef N\nN"
    assert _preprocessed(text)[3:] == ["x(((f(a,b))*10 + (i+1))) = 'N' + y_x", "", "N"]


def test_a_comma_in_a_string_separates_no_arguments() -> None:
    text = '#define check(what, state) call check_it(what, __LINE__, state)\n check("a, (b", s)\n'
    assert preprocess(text, Path("t.F90"), [], {}).lines[1] == ' call check_it("a, (b", __LINE__, s)'


def test_a_macro_that_names_itself_stops() -> None:
    assert _preprocessed("#define x (x + 1)\nx")[1] == "(x + 1)"


def test_continued_macros_keep_the_line_count() -> None:
    assert _preprocessed("#define A 1 + \\\n 2\nA")[2] == "1 +  2"


def test_a_macro_bomb_is_refused() -> None:
    lines = ["#define a0 xxxxxxxxxx"] + [f"#define a{n + 1} a{n} a{n} a{n} a{n}" for n in range(8)] + ["a8"]
    with pytest.raises(InputError, match="beyond all measure"):
        _preprocessed("\n".join(lines))


def test_includes_carry_the_line_of_the_include(tmp_path: Path) -> None:
    (tmp_path / "p.inc").write_text("parameter (n = 3)\nparameter (m = 4)\n")
    result = preprocess("x\ninclude 'p.inc'\n#include \"p.inc\"\ny\n", tmp_path / "a.F90", (), {})
    assert [(n, s) for n, s in zip(result.numbers, result.lines, strict=True) if s] == [
        (1, "x"), (2, "parameter (n = 3)"), (2, "parameter (m = 4)"),
        (3, "parameter (n = 3)"), (3, "parameter (m = 4)"), (4, "y"),
    ]  # fmt: skip


def test_a_missing_or_recursive_include_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.F90"
    path.write_text("include 'a.F90'\ninclude 'nowhere.h'\n")
    troubles = preprocess(path.read_text(), path, (), {}).troubles
    assert [t.line for t in troubles] == [1, 2]
    assert "includes itself" in troubles[0].message
    assert "not found" in troubles[1].message


@pytest.mark.parametrize(
    ("text", "line"),
    [("#if 1\nx", 1), ("#endif", 1), ("#else", 1), ("#if (1\n#endif", 1), ("#define", 1), ("#error no", 1)],
)  # fmt: skip
def test_broken_directives_are_said(text: str, line: int) -> None:
    assert [t.line for t in preprocess(text, Path("a.F"), (), {}).troubles] == [line]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3 == 7", 1), ("!0 && (2 > 1)", 1), ("-7 / 2", -3), ("-7 % 2", -1), ("1 << 4", 16), ("NAME", 0),
        ("1 ||", None), ("1 / 0", None), ("1 << 99", None), ("@", None), ("(" * 100 + "1", None), ("", None),
        ("10L >= 3U", 1), ("1 2", None), ("16 >> 2 != 4", 0), ("3 - +1", 2), ("1 <= 0 || 0 < 1", 1),
    ],
)  # fmt: skip
def test_conditions(text: str, value: int | None) -> None:
    assert evaluate(text) == value


# --------------------------------------------------------------------------------------------------- files


def test_files_that_are_no_source(tmp_path: Path) -> None:
    binary, empty = tmp_path / "a.f90", tmp_path / "b.f90"
    binary.write_bytes(b"\x7fELF\0\0")
    empty.write_text("  \n")
    huge = tmp_path / "c.f90"
    huge.write_bytes(b"x" * ((16 << 20) + 1))
    for path, reason in [
        (binary, "binary"),
        (empty, "empty"),
        (huge, "larger"),
        (tmp_path, "directory"),
        (tmp_path / "nowhere.f90", "no such file"),
    ]:
        with pytest.raises(InputError, match=reason):
            read_source(path)


def test_old_files_may_be_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "a.f"
    path.write_bytes(b"C     Universit\xe9\n      END\n")
    assert "Université" in read_source(path)
