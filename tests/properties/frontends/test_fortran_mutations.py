"""Fortran cut up and put together wrongly: never an exception other than InputError, never a loop lost in silence."""

from __future__ import annotations

import tempfile
from pathlib import Path

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from foretell.errors import InputError
from foretell.frontends.fortran import parse_fortran
from foretell.frontends.fortran.text.source_form import to_free
from foretell.frontends.fortran.text.statements import Scanner
from foretell.frontends.source import ir

SOURCES = Path(__file__).parents[2] / "data" / "fortran"
SEEDS = {path.suffix: [] for path in SOURCES.iterdir()} | {
    suffix: [path.read_text() for path in sorted(SOURCES.glob(f"*{suffix}"))] for suffix in (".f90", ".f")
}
PIECES = [
    "end do", "end if", "end", "do i = 1, n", "if (x > 1) then", "else", "contains", "end module", "where (a > 0)",
    "end where", "subroutine q", "select case (i)", "&", "(", ")", "'", '"', ",", "=>", "::", "10 continue", "goto 10",
    "!$omp parallel do", "#if", "#endif", "interface", "type t", "a%b(i)%c", "a(:,1)", "[1,2]", "(/", "**", "1.e", ";",
]  # fmt: skip


def _walk(body: tuple[ir.Stmt, ...]) -> list[ir.Stmt]:
    out: list[ir.Stmt] = []
    stack = list(body)
    while stack:
        statement = stack.pop()
        out.append(statement)
        for name in ("body", "then", "other"):
            stack.extend(getattr(statement, name, ()))
        for _, inside in getattr(statement, "cases", ()):
            stack.extend(inside)
    return out


def _check(text: str, suffix: str) -> None:
    """Every loop statement is in the IR, in an Opaque, or in a function that is marked."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        path.write_text(text)
        try:
            (unit,) = parse_fortran([path])
        except InputError:
            return
    found = 0
    for function in unit.functions:
        for statement in _walk(function.body):
            found += isinstance(statement, ir.Loop | ir.While)
            found += statement.loops if isinstance(statement, ir.Opaque) else 0
    broken = any(function.errors for function in unit.functions) or any(d.severity == "error" for d in unit.diagnostics)
    assert found >= unit.loops_seen or broken, (found, unit.loops_seen)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, str]:
    suffix = draw(st.sampled_from([".f90", ".f"]))
    lines = draw(st.sampled_from(SEEDS[suffix])).split("\n")
    for _ in range(draw(st.integers(1, 6))):
        position = draw(st.integers(0, len(lines) - 1))
        action = draw(st.sampled_from(["delete", "repeat", "insert", "swap", "cut", "splice", "character"]))
        line = lines[position]
        column = draw(st.integers(0, len(line)))
        if action == "delete":
            del lines[position]
            lines = lines or [""]
        elif action == "repeat":
            lines.insert(position, line)
        elif action == "insert":
            lines.insert(position, ("      " if suffix == ".f" else "") + draw(st.sampled_from(PIECES)))
        elif action == "swap":
            other = draw(st.integers(0, len(lines) - 1))
            lines[position], lines[other] = lines[other], lines[position]
        elif action == "cut":
            lines[position] = line[:column]
        elif action == "splice":
            lines[position] = line[:column] + draw(st.sampled_from(PIECES)) + line[column:]
        else:
            lines[position] = line[:column] + draw(st.characters(blacklist_categories=["Cs"])) + line[column + 1 :]
    return "\n".join(lines), suffix


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(mutated())
def test_mutated_programs_never_raise_and_never_lose_a_loop(case: tuple[str, str]) -> None:
    _check(*case)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300), st.sampled_from([".f90", ".f", ".F90"]))
def test_any_text_is_taken(text: str, suffix: str) -> None:
    _check(text.encode("utf-8", "ignore").decode(), suffix)


FIXED = st.lists(st.text(st.sampled_from("cC*!&0123 \tABXY=+('),$"), max_size=90), max_size=12)


@settings(max_examples=200, deadline=None)
@given(FIXED)
def test_fixed_form_keeps_its_lines(lines: list[str]) -> None:
    assert len(to_free(lines)) == len(lines)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(st.sampled_from("abc =&!;'\"1(,) "), max_size=40), max_size=12))
def test_statements_stay_in_order_and_on_their_lines(lines: list[str]) -> None:
    scanned = Scanner(lines)
    numbers = [statement.line for statement in scanned.statements]
    assert numbers == sorted(numbers)
    assert all(1 <= number <= len(lines) for number in numbers)
    assert all(statement.text and "\n" not in statement.text for statement in scanned.statements)
