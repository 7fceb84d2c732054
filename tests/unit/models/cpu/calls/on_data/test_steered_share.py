"""How much of a call data steer, and what follows for its interval and for what moves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from foretell import api
from foretell.codegen.assembly.listing import read_listing
from foretell.core.nest.loopnest import Loops, iterations
from foretell.frontends import Reader, SourceOptions, read_options, read_sources
from foretell.machines import load
from foretell.models.cpu.incore.calls.on_data.open_ends import early_ends
from foretell.models.cpu.incore.calls.whole_call import follow_call
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.nest_time import UNCERTAIN, NestTime
from foretell.models.cpu.transfers.entered_loops import ending_early
from tests.support.host import needs_x86_gcc

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.nest.loopnest import LoopNest

#: a sum of 64 rows, and then of those among 4096 numbers that exceed a limit
_SUMS = """f:
 movl $64, %ecx
.L1:
 movl $64, %r8d
.L2:
 vaddsd (%rsi), %xmm1, %xmm1
 addq $8, %rsi
 decq %r8
 jne .L2
 decq %rcx
 jne .L1
 movl $4096, %ecx
.L3:
 vmovsd (%rdi), %xmm2
 addq $8, %rdi
 vcomisd %xmm0, %xmm2
 ja .L4
 vmulsd %xmm3, %xmm4, %xmm3
.L4:
 decq %rcx
 jne .L3
 ret
"""
_INSERTION = """\
void in_order(int n, double *list)
{
    for (int last = 1; last < n; last++) {
        double own = list[last];
        int at = last;
        while (at > 0 && list[at - 1] > own) {
            list[at] = list[at - 1];
            at--;
        }
        list[at] = own;
    }
}
"""
_FIRST = """\
int first(int m, int n, const int *a, const int *keys)
{
    int sum = 0;
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++)
            if (a[i] < keys[k]) {
                sum += i;
                break;
            }
    return sum;
}
"""


def _nests(folder: Path, text: str) -> tuple[LoopNest, ...]:
    (folder / "f.c").write_text(text)
    return tuple(read_sources([folder / "f.c"], SourceOptions()).facet(Loops).nests)


def _shares(text: str) -> dict[str, float]:
    """By the mnemonic of an instruction; of several, the last one."""
    machine = load("sapphire-rapids")
    arguments = (1 << 33, 1 << 34)
    followed = follow_call(read_listing(text, "x86-64"), "f", machine, Costs(machine), arguments, by_rule=True)
    return {one.text.split()[0]: share for (_, one), share in zip(followed.rows, followed.steered, strict=True)}


def test_data_steer_the_loops_with_jumps_on_them_and_no_others() -> None:
    shares = _shares(_SUMS)
    assert shares["vaddsd"] == shares["ret"] == 0
    assert shares["vmulsd"] == 1  # either way equally often


def test_loops_inside_of_steered_ones_are_steered() -> None:
    """Whether the sum of a row is taken depends on data."""
    rows = _SUMS.replace(".L1:\n", ".L1:\n vcomisd (%rdi), %xmm0\n ja .L5\n")
    rows = rows.replace(" decq %rcx\n jne .L1", ".L5:\n decq %rcx\n jne .L1")
    assert _shares(rows)["vaddsd"] == 1


def test_what_is_rarely_otherwise_is_hardly_steered() -> None:
    """An integer is seldom equal to a constant, as the rule of such jumps says: 16 %."""
    equal = _SUMS.replace("vmovsd (%rdi), %xmm2", "movl (%rdi), %eax").replace(
        "vcomisd %xmm0, %xmm2\n ja", "cmpl $7, %eax\n je"
    )
    assert _shares(equal)["vmulsd"] == pytest.approx(2 * 0.16, abs=0.01)


def test_an_insertion_goes_back_half_of_the_way(tmp_path: Path) -> None:
    found = {one.line: one for one in early_ends(_nests(tmp_path, _INSERTION), {"n": 401})}
    assert found[6][:2] == pytest.approx((200.5 / 2, 200.5))
    searched = _INSERTION.replace("list[at] = list[at - 1];", "list[at] = list[at - 1] + 1.0;")
    other = {one.line: one for one in early_ends(_nests(tmp_path, searched), {"n": 401})}
    assert other[6].mean < 40  # (n - 1) / ln n


def test_what_ends_early_moves_what_it_reaches(tmp_path: Path) -> None:
    nest = next(one for one in _nests(tmp_path, _INSERTION) if len(one.loops) == 2)
    shorter = ending_early(nest, {6: 0.25})
    at, sizes = len(nest.loops), {"n": 401}
    whole, part = (float(iterations(one.loops, at).evaluate(sizes)) for one in (nest, shorter))
    assert whole == 400 * 401 / 2
    assert part == pytest.approx(whole / 4, rel=0.01)  # (n - 1) n / 2, a quarter of each row
    assert ending_early(nest, {6: 1.0}) is nest is ending_early(nest, {7: 0.5})
    lines = [{access.line for array in one.arrays for access in array.accesses} for one in (nest, shorter)]
    assert 10 in lines[0]
    assert lines[1] == lines[0] - {10}  # `list[at] = own` is in a line where the loop was


@needs_x86_gcc
def test_one_condition_is_said_once(tmp_path: Path) -> None:
    """What ends a loop after so many rounds does not hold half of the time."""
    path = tmp_path / "first.c"
    path.write_text(_FIRST)
    code = Reader(path, read_options(kernel="first")).workload()
    answer = api.predict(code, load("sapphire-rapids"), parameters={"m": 100, "n": 200}, options={"cc": "gcc"})
    assert any("data end the loop: it is taken to go round 38 times" in one for one in answer.assumptions)
    assert not any("half of the time" in one for one in answer.assumptions)


@needs_x86_gcc
def test_steered_code_has_a_wider_interval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the share of its time in such loops; without one, the ends are those of its bottleneck."""
    path = tmp_path / "above.c"
    path.write_text(
        "int above(int n, const double *x, double *y, double limit) {\n int k = 0;\n for (int i = 0; i < n; i++)\n"
        "  if (x[i] > limit) y[k++] = x[i];\n return k;\n}\n"
    )
    code = Reader(path, read_options(kernel="above")).workload()
    seen: list[NestTime] = []
    ends = NestTime.interval

    def noting(self: NestTime, certain: bool) -> object:
        seen.append(self)
        return ends(self, certain)

    monkeypatch.setattr(NestTime, "interval", noting)
    api.predict(code, load("sapphire-rapids"), parameters={"n": 1000}, options={"cc": "gcc", "flags": "-O1"})
    (nest,) = {id(one): one for one in seen}.values()
    assert nest.core.steered > 0.5
    plain = replace(nest, core=replace(nest.core, steered=0.0))
    assert (
        ends(nest, False)[0]
        < ends(plain, False)[0]
        < float(nest.seconds)
        < ends(plain, False)[1]
        <= ends(nest, False)[1]
    )
    assert ends(nest, True) == ends(plain, True)
    assert ends(plain, False)[0] >= UNCERTAIN[nest.core.certainty][0] * float(nest.core.seconds - nest.core.less)
