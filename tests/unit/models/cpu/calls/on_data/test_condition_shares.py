"""Shares of conditions on data reach the jumps of compiled code, whichever side the compiler put where."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell import api
from foretell.frontends import Reader, read_options
from foretell.machines import load
from foretell.models.cpu.condition_shares import known_conditions
from tests.support.caches.nests import of_c

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
    machine = load("sapphire-rapids").with_values({"cores.branch_memory": 1})  # jumps are not known from calls before
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


SEARCH = """\
int search(int n, int m, const int *a, int key)
{
    int hits = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i * m + j] == key) {
                hits++;
                break;
            }
    return hits;
}
"""
#: gcc -O2 of it: the jump of line 6 leaves the inner loop
ROWS = """\
\t.file 1 "search.c"
search:
\t.loc 1 4
\tmovslq %esi, %r8
\tleaq (,%r8,4), %r9
\txorl %eax, %eax
\txorl %r10d, %r10d
.L2:
\tmovq %rdx, %rsi
\tleaq (%rdx,%r9), %r11
.L4:
\t.loc 1 6
\tcmpl %ecx, (%rsi)
\tje .L8
\t.loc 1 5
\taddq $4, %rsi
\tcmpq %r11, %rsi
\tjne .L4
.L3:
\t.loc 1 4
\taddl $1, %r10d
\taddq %r9, %rdx
\tcmpl %r10d, %edi
\tjne .L2
\tret
.L8:
\t.loc 1 7
\taddl $1, %eax
\tjmp .L3
"""


def searched(folder: Path, share: float | None) -> tuple[float, bool]:
    (folder / "search.c").write_text(SEARCH)
    (folder / "search.s").write_text(ROWS)
    machine = load("sapphire-rapids")
    given = {} if share is None else {6: share}
    workload = Reader([str(folder / "search.c")], read_options(branch=given)).workload(machine)
    options = {"asm": str(folder / "search.s")}
    prediction = api.prepare(workload, machine, parameters={"n": 100, "m": 400}, options=options).predict()
    return prediction.time_s, any("compiled code followed" in text for text in prediction.assumptions)


def test_a_search_ends_as_often_as_its_condition_holds(tmp_path: Path) -> None:
    (late, _), (soon, _) = (searched(tmp_path, share) for share in (0.005, 0.05))
    assert searched(tmp_path, 0.05)[1]
    # of 400 elements (1 - (1 - p)^400) / p are looked at: 173 and 20
    assert 4 < late / soon < 173 / 20


EXTREMES = """\
void rows(int n, int m, const float *x, float *y)
{
    float all = 0;
    for (int i = 0; i < n; i++) {
        float most = 0;
        for (int j = 0; j < m; j++) {
            if (x[i * m + j] > most)
                most = x[i * m + j];
            if (all < x[i * m + j])
                all = x[i * m + j];
        }
        y[i] = most;
    }
    y[n] = all;
}
"""


def records(count: int) -> float:
    """The expected number of records among values in random order."""
    return sum(1 / number for number in range(1, count + 1))


def test_a_running_extreme_is_exceeded_as_often_as_values_in_random_order_do() -> None:
    loops = of_c(EXTREMES)
    shares = {one.line: one.probability for one in known_conditions(loops.nests, {"n": 7, "m": 32})}
    assert shares[7] == pytest.approx(records(32) / 32, rel=1e-3)  # reset in each row
    assert shares[9] == pytest.approx(records(7 * 32) / (7 * 32), rel=1e-3)
    assert {one.probability for one in known_conditions(loops.nests, {"n": 7})} == {0}
    text = " ".join(note.text for nest in loops.nests for note in nest.assumptions)
    assert "a running extreme" in text
