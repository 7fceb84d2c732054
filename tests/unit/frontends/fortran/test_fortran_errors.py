"""Wrong Fortran: what is said, where, and that it costs no more than it must."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.errors import InputError, MissingExtraError
from foretell.frontends.fortran import parse_fortran
from foretell.frontends.fortran.accounting import lost_loops
from foretell.frontends.fortran.text import parse as parse_module
from foretell.frontends.fortran.text.statements import Statement
from foretell.frontends.source import ir
from tests.support.frontends.fortran_text import lower

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "subroutine good(a, n)\ninteger n, i\nreal a(n)\ndo i = 1, n\na(i) = 1\nend do\nend subroutine\n"


def _opaque(function: ir.Function) -> list[tuple[int, str]]:
    return [(s.line, s.reason) for s in function.body if isinstance(s, ir.Opaque)]


def test_a_statement_that_does_not_parse_costs_itself(tmp_path: Path) -> None:
    unit = lower(tmp_path, "subroutine bad(x)\nx = 1\nx = = 2\nx = 3\nend subroutine\n" + GOOD)
    bad, good = unit.functions
    assert [e.line for e in bad.errors] == [3]
    assert _opaque(bad) == [(3, "this does not parse: x = = 2")]
    assert len(bad.body) == 3
    assert not good.errors


@pytest.mark.parametrize(
    "broken",
    [
        "subroutine bad(a, n)\ndo i = 1, n\na(i) = 1\nend subroutine\n",
        "subroutine bad(a, n)\nif (n > 1) then\na = 1\nend subroutine\n",
        "subroutine bad(a, n)\ndo 10 i = 1, n\na = 1\nend subroutine\n",
        "subroutine bad(a, n)\ndo i = 1, n\na = 1\n",
        "subroutine bad(a, n)\nend do\nend subroutine\n",
        "module bad\ncontains\nsubroutine inside\ndo\nend module\n",
        "subroutine bad(a\nend subroutine\n",
    ],
)
def test_structure_that_does_not_close_marks_its_function_only(broken: str, tmp_path: Path) -> None:
    unit = lower(tmp_path, broken + GOOD)
    by_name = {function.name: function for function in unit.functions}
    assert not by_name["good"].errors
    assert any(isinstance(s, ir.Loop) for s in by_name["good"].body)
    assert any(d.severity == "error" for d in unit.diagnostics)
    assert all(function.errors for name, function in by_name.items() if name != "good")


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("x = a", "an array is assigned to a scalar"),
        ("a = u", "rank 2 is assigned to one of rank 1"),
        ("a = a + u", "different rank"),
        ("x = a(1, 2)", "an array of rank 1 has 2 subscripts"),
        ("if (a > 1) x = 1", "an array where a scalar is needed"),
        ("do x2(1) = 1, 3\nend do", ""),
        ("do i = 1, 3, 0\nx = 1\nend do", "the step of this DO is zero"),
        ("x = sqrt()", "has no argument"),
        ("x = mod(i)", "takes 2 arguments"),
        ("k = size(a, 3)", "DIM"),
        ("k = size(x)", "not an array"),
        ("x = sum(x)", "not an array"),
        ("a = reshape(u, [n], order=[1])", "reshape with ORDER or PAD is not supported"),
        ("a = reshape(u, s)", "reshape to a shape that is not written out is not supported"),
        ("a = pack(a, a > 0, b)", "pack without a mask, or with a vector behind it, is not supported"),
        ("a = unpack(a, a > 0, b)", "unpack is not supported"),
        ("a = transfer(a, a)", "transfer is not supported"),
        ("cycle", "not inside such a construct"),
        ("exit nowhere", "not inside such a construct"),
        ("x = a%b", ""),
        ("x = matmul(a, b)", "matrix"),
        ("a = cshift(a, l)", ""),
    ],
)
def test_statements_that_cannot_be_lowered_say_why(statement: str, reason: str, tmp_path: Path) -> None:
    source = (
        "subroutine s(a, b, u, n, x, l)\ninteger n, i, k\nreal a(n), b(n), u(n, n), x\ninteger l(n)\n"
        f"{statement}\nx = 1\nend subroutine\n"
    )
    unit = lower(tmp_path, source)
    found = _opaque(unit.functions[0]) + [(d.line, d.message) for d in unit.diagnostics]
    assert found
    assert found[0][0] == 5
    assert any(reason in message for _, message in found)


def test_a_lost_loop_is_counted(tmp_path: Path) -> None:
    source = "subroutine s(a)\nreal a(3)\ndo i = 1, a\ndo j = 1, 3\nend do\nend do\nend subroutine\n"
    unit = lower(tmp_path, source)
    assert unit.loops_seen == 2
    assert [s.loops for s in unit.functions[0].body if isinstance(s, ir.Opaque)] == [2]


def test_implied_loops_are_accounted_for_by_line_not_by_number(tmp_path: Path) -> None:
    source = "subroutine s(a)\nreal a(3)\ndo concurrent (i = 1:3)\na(i) = 1\nend do\nwhere (a > 1) a = 1\nend\n"
    unit = lower(tmp_path, source)
    assert unit.loops_seen == 0
    assert lost_loops([Statement("do concurrent (i = 1:3)", 3)], unit.functions[0].body) == []
    assert lost_loops([Statement("do concurrent (i = 1:3)", 4)], unit.functions[0].body) == [4]


def test_ambiguous_names_are_said(tmp_path: Path) -> None:
    unit = lower(tmp_path, "subroutine s(x)\nx = mystery(x)\nend subroutine\n")
    assert (
        "mystery is not a declared array, an intrinsic or a function in the given files" in unit.diagnostics[0].message
    )
    unit = lower(tmp_path, "subroutine s(x)\nuse nowhere\nx = mystery(3) + other(:, 1)\nend subroutine\n")
    messages = [d.message for d in unit.diagnostics]
    assert any("module 'nowhere' is not in the given files" in m for m in messages)
    assert any("assumed to be an array" in m for m in messages)


def test_equivalence_and_unknown_kinds_are_said(tmp_path: Path) -> None:
    unit = lower(tmp_path, "subroutine s\nreal(wp) :: x, y(3)\nequivalence (x, y(1))\nx = 1_ip\nend subroutine\n")
    messages = [d.message for d in unit.diagnostics]
    assert any("share storage" in m for m in messages)
    assert any("the kind 'wp' is not known; 8 bytes are assumed" in m for m in messages)


def test_cshift_says_that_it_does_not_wrap(tmp_path: Path) -> None:
    unit = lower(tmp_path, "subroutine s(a, b)\nreal a(9), b(9)\na = cshift(b, 1)\nend subroutine\n")
    assert any("wrap" in d.message for d in unit.diagnostics)
    assert isinstance(unit.functions[0].body[0], ir.Loop)


def test_forall_that_overwrites_what_it_reads_is_said(tmp_path: Path) -> None:
    unit = lower(tmp_path, "subroutine s(a)\nreal a(9)\nforall (i = 2:9) a(i) = a(i-1)\nend subroutine\n")
    assert any("FORALL" in d.message for d in unit.diagnostics)


@pytest.mark.parametrize(
    "text",
    [
        "int main(void) { return 0; }\n",
        "\x01\x02\x03\n",
        "end\nend\nend\n",
        "&\n&\n&\n",
        "contains\ncontains\n",
        "'\n",
        "subroutine\n",
        "x = " + "(" * 500 + "1" + ")" * 500 + "\nend\n",
        "x = " + "-" * 300 + "1\nend\n",
        "x = 1" + " + 1" * 3000 + "\nend\n",
        "if (x) then\n" * 200 + "end if\n" * 200 + "end\n",
        "do i = 1, 2\n" * 150 + "end do\n" * 150 + "end\n",
        "integer, parameter :: n = n + 1\nend\n",
        "integer a(size(a))\nend\n",
        "module m\nuse m\nend module\n",
        "type t\ntype(t) :: x\nend type\ntype(t) :: y\ny%x%x%x = 1\nend\n",
        "!$omp parallel\nend\n!$omp end parallel\n",
        "1000000 continue\nend\n",
        "\ufeffx = 1\nend\n",
        "type " * 5000 + "function\n",
        "real " * 5000 + "subroutine\n",
        "data " + "x " * 20000 + "\nend\n",
        "data x / 3*1, /\nend\n",
    ],
)
@pytest.mark.parametrize("suffix", [".f90", ".f"])
def test_nonsense_gives_no_traceback(text: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_text(text)
    (unit,) = parse_fortran([path])
    assert unit.language == "fortran"


def test_an_unreadable_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        parse_fortran([tmp_path])


def test_without_the_parser_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import sys

    parse_module._parser.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter_fortran", None)
    try:
        with pytest.raises(MissingExtraError, match=r"foretell\[loops\]"):
            lower(tmp_path, GOOD)
    finally:
        parse_module._parser.cache_clear()
