"""Shares of conditions on data reach the jumps of compiled code, whichever side the compiler put where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell import api
from foretell.frontends import Reader, read_options
from foretell.machines import load

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """\
void pick(int n, const double *x, double *y, double t)
{
    for (int i = 0; i < n; i++) {
        if (x[i] > t)
            y[i] = 1 / x[i];
        OTHER
    }
}
"""
#: x86-64 with lines; HEAD and TAIL surround what the condition guards
BEHIND = """\
\t.file 1 "pick.c"
pick:
\t.loc 1 3
\tmovslq %edi, %rdi
\txorl %eax, %eax
\tvmovsd .LC0(%rip), %xmm3
.L4:
\t.loc 1 4
\tvmovsd (%rsi,%rax,8), %xmm1
\tvcomisd %xmm0, %xmm1
\tja .L9
.L3:
\t.loc 1 3
\taddq $1, %rax
\tcmpq %rax, %rdi
\tjne .L4
\tret
.L9:
\t.loc 1 LINE
\tvdivsd %xmm1, %xmm3, %xmm1
\tvdivsd %xmm1, %xmm3, %xmm1
\tvdivsd %xmm1, %xmm3, %xmm1
\tvmovsd %xmm1, (%rdx,%rax,8)
\tjmp .L3
"""
AHEAD = """\
\t.file 1 "pick.c"
pick:
\t.loc 1 3
\tmovslq %edi, %rdi
\txorl %eax, %eax
\tvmovsd .LC0(%rip), %xmm3
.L4:
\t.loc 1 4
\tvmovsd (%rsi,%rax,8), %xmm1
\tvcomisd %xmm0, %xmm1
\tjbe .L3
\t.loc 1 LINE
\tvdivsd %xmm1, %xmm3, %xmm1
\tvdivsd %xmm1, %xmm3, %xmm1
\tvdivsd %xmm1, %xmm3, %xmm1
\tvmovsd %xmm1, (%rdx,%rax,8)
.L3:
\t.loc 1 3
\taddq $1, %rax
\tcmpq %rax, %rdi
\tjne .L4
\tret
"""
BOTH = """\
\t.file 1 "pick.c"
pick:
\t.loc 1 3
\tmovslq %edi, %rdi
\txorl %eax, %eax
\tvmovsd .LC0(%rip), %xmm3
.L4:
\t.loc 1 4
\tvmovsd (%rsi,%rax,8), %xmm1
\tvcomisd %xmm0, %xmm1
\tjbe .L5
\t.loc 1 LINE
\tvdivsd %xmm1, %xmm3, %xmm1
\tvdivsd %xmm1, %xmm3, %xmm1
\tvdivsd %xmm1, %xmm3, %xmm1
\tvmovsd %xmm1, (%rdx,%rax,8)
\taddq $1, %rax
\tcmpq %rax, %rdi
\tjne .L4
\tret
.L5:
\t.loc 1 6
\tmovq $0, (%rdx,%rax,8)
\taddq $1, %rax
\tcmpq %rax, %rdi
\tjne .L4
\tret
"""


def seconds(folder: Path, code: str, share: float | None, other: str = "", line: int = 5) -> float:
    (folder / "pick.c").write_text(SOURCE.replace("OTHER", other))
    (folder / "pick.s").write_text(code.replace("LINE", str(line)))
    given = {} if share is None else {4: share}
    machine = load("sapphire-rapids")
    workload = Reader([str(folder / "pick.c")], read_options(branch=given)).workload(machine)
    options = {"asm": str(folder / "pick.s")}
    prediction = api.prepare(workload, machine, parameters={"n": 3000}, options=options).predict()
    assert any("compiled code followed" in text for text in prediction.assumptions), prediction.assumptions
    return prediction.time_s


@pytest.mark.parametrize(
    ("code", "other", "line"),
    [(BEHIND, "", 5), (AHEAD, "", 5), (BEHIND, "", 4), (AHEAD, "", 4), (BOTH, "else y[i] = 0;", 5)],
)
def test_the_guarded_code_runs_as_often_as_its_condition_holds(
    tmp_path: Path, code: str, other: str, line: int
) -> None:
    never, rarely, half, often, always = (
        seconds(tmp_path, code, share, other, line) for share in (0, 0.1, 0.5, 0.9, 1)
    )
    assert never < rarely < half
    assert never < always
    assert rarely < often
    assert always > 3 * never  # divisions one after the other
    assert half == seconds(tmp_path, code, None, other, line)


def test_sides_that_lines_do_not_tell_are_taken_equally_often(tmp_path: Path) -> None:
    other = "else y[i] = 0;"
    unclear = BOTH.replace(".loc 1 6", ".loc 1 4")
    assert seconds(tmp_path, unclear, 0.1, other, 4) == seconds(tmp_path, unclear, None, other, 4)


GUARDED = """\
void sums(int n, int m, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        if (CONDITION)
            for (int k = 0; k < n; k++)
                y[i] += x[k] * x[i];
}
"""


def generated(folder: Path, condition: str, m: int, share: float | None = None) -> float:
    (folder / "sums.c").write_text(GUARDED.replace("CONDITION", condition))
    machine = load("zen4")
    options = read_options(branch={} if share is None else {4: share})
    workload = Reader([str(folder / "sums.c")], options).workload(machine)
    values = {name: value for name, value in {"n": 800.0, "m": float(m)}.items() if name in workload.symbols}
    return api.prepare(workload, machine, parameters=values, options={"cc": "none"}).predict().time_s


def test_a_loop_under_a_condition_takes_its_share_in_generated_code(tmp_path: Path) -> None:
    whole = generated(tmp_path, "i < m", 800)
    assert generated(tmp_path, "i < m", 200) == pytest.approx(whole / 4, rel=0.05)
    always = generated(tmp_path, "x[i] > 0.5", 0, 1)
    assert generated(tmp_path, "x[i] > 0.5", 0, 0.25) == pytest.approx(always / 4, rel=0.05)
    assert generated(tmp_path, "x[i] > 0.5", 0) == pytest.approx(always / 2, rel=0.05)
