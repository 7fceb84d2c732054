"""Subscripts behind macros, and the layout of what is written: ends of lines, steps of indentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.transform.text.effects import PURE
from foretell.transform.text.macros import computing_macros
from foretell.transform.text.source import Edit, edited, step_of
from tests.unit.transform.programs import changed, program, refusals

if TYPE_CHECKING:
    from pathlib import Path

BLUR = """\
#define IDX(i, j) ((size_t)(i) * n + (j)) /* rows */
void blur(int n, const double *restrict in, double *restrict out) {
  for (int j = 1; j < n - 1; j++)
    for (int i = 1; i < n - 1; i++)
      out[IDX(i, j)] = 0.5 * (in[IDX(i - 1, j)] + in[IDX(i + 1, j)]);
}
"""
UNROLLED = "unroll j 2 times and join the copies in the innermost loop"


def test_subscripts_behind_a_macro_are_moved_and_copied(tmp_path: Path) -> None:
    blur = program(f"typedef unsigned long size_t;\n{BLUR}", tmp_path)
    text = changed(blur, "interchange j and i", "interchange")
    assert text.index("for (int i = 1") < text.index("for (int j = 1")
    copies = changed(blur, UNROLLED, "unroll_and_jam")
    assert "out[IDX(i, (j + 1))] = 0.5 * (in[IDX(i - 1, (j + 1))]" in copies


@pytest.mark.parametrize(
    ("macro", "reason"),
    [
        ("#define IDX(i, j) (count++ + (i) * n + (j))", "calls IDX, whose effects are not known"),
        ("#define IDX(i, j) at(i, j)", "calls IDX, whose effects are not known"),
        ("#define IDX(a, b) ((a) * n + j)", "the macro IDX uses j, which a loop sets"),
    ],
)
def test_macros_that_hide_something_are_refused(macro: str, reason: str, tmp_path: Path) -> None:
    text = "int count;\nstatic inline int at(int i, int j) { return i + j; }\n" + BLUR
    old = text.partition("#define")[2].partition("\n")[0]
    given = program(text.replace(f"#define{old}", macro), tmp_path)
    assert any(reason in one for one in refusals(given, "interchange"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "#define AT(i) (ROW(i) + \\\n  first)\n#define ROW(i) ((i) * LD)\n#define LD 64",
            {"AT": {"first"}, "ROW": set()},
        ),
        ("#define MORE(x) fmax(x, y)", {"MORE": {"y"}}),
        ("#define A(i) a[i]", {}),
        ("#define P(i) p->x", {}),
        ("#define S(x) s = x", {}),
        ("#define S(x) (s += x)", {}),
        ("#define F(x) F(x)", {}),
        ("#ifdef X\n#define W(x) (x)\n#else\n#define W(x) (x + 1)\n#endif", {}),
        ("#define LESS(a, b) ((a) <= (b) && (a) != 0 ? a : b)", {"LESS": set()}),
    ],
)
def test_what_only_computes(text: str, found: dict[str, set[str]]) -> None:
    assert computing_macros(text, PURE) == found


def test_lines_end_and_indent_as_those_of_the_text(tmp_path: Path) -> None:
    returns = BLUR.replace("size_t", "long").replace("\n", "\r\n")
    text = changed(program(returns, tmp_path), UNROLLED, "unroll_and_jam")
    assert text.count("\n") == text.count("\r\n")
    assert "\r\n      for (int i = 1" in text
    assert edited("a\r\nb\nc", (Edit(0, 1, "x\ny"),)) == "x\ny\r\nb\nc"
    assert [step_of(one) for one in ("if\n\tx\n", "a\n   b\n   c\n      d\n", "a\nb\n")] == ["\t", "   ", "    "]
