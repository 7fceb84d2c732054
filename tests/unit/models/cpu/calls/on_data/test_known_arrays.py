"""Arrays of which a mean is known: a call follows rows of that length, in every version of their loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.api import predict
from foretell.codegen.assembly.listing import read_listing
from foretell.errors import InputError
from foretell.frontends import read_options
from foretell.frontends.native.arguments import parse_arguments
from foretell.frontends.read import read
from foretell.machines import load
from foretell.models.cpu.incore.calls.call_arguments import Series
from foretell.models.cpu.incore.calls.whole_call import follow_call
from foretell.models.cpu.incore.instruction_costs import Costs
from tests.support.host import X86_GCC, needs_x86_gcc

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.prediction import Prediction
    from foretell.models.cpu.incore.calls.whole_call import Followed

_MACHINE = load("sapphire-rapids")
_BEGIN, _ROWS = 1 << 33, 1000
#: for each row: from its first element (`(%rdi)`) to that of the next, one increment of %r9 each
_WALK = """
	.type	f, @function
f:
	movl	(%rdi), %eax
	movl	4(%rdi), %edx
	cmpl	%edx, %eax
	jge	.L3
.L2:
	incq	%r9
	addl	$1, %eax
	cmpl	%edx, %eax
	jne	.L2
.L3:
	{store}
	addq	$4, %rdi
	cmpq	%rdi, %rsi
	jne	f
	ret
"""


def _walk(series: Series, store: str = "nop", uneven: frozenset[int] = frozenset()) -> Followed:
    functions = read_listing(_WALK.replace("{store}", store), "x86-64")
    arguments = [_BEGIN, _BEGIN + 4 * _ROWS]
    return follow_call(functions, "f", _MACHINE, Costs(_MACHINE), arguments, series=[series], uneven=uneven)


def _increments(followed: Followed) -> float:
    rows = zip(followed.rows, followed.counts, strict=True)
    return next(count for (_, one), count in rows if one.mnemonic.startswith("inc"))


@pytest.mark.parametrize("step", [0, 1, 7, 3000])
def test_rows_begin_as_far_apart_as_is_known(step: int) -> None:
    followed = _walk(Series(_BEGIN, _BEGIN + 4 * _ROWS + 8, 4, 0, step))
    assert not followed.guessed
    assert _increments(followed) == pytest.approx(step * _ROWS, rel=1e-9)


def test_elements_of_another_size_and_behind_the_end_are_not_known() -> None:
    assert _walk(Series(_BEGIN, _BEGIN + 4 * _ROWS + 8, 8, 0, 7)).guessed
    assert _walk(Series(_BEGIN, _BEGIN + 4 * 10, 4, 0, 7)).guessed


def test_an_array_that_something_unknown_is_stored_in_is_not_known_any_more() -> None:
    series = Series(_BEGIN, _BEGIN + 4 * _ROWS + 8, 4, 0, 7)
    assert _walk(series, "movl\t%r8d, 8(%rdi)").guessed
    assert not _walk(series, "movl\t%r8d, 1048576(%rdi)").guessed


def test_ends_of_uneven_rows_may_be_mispredicted() -> None:
    series = Series(_BEGIN, _BEGIN + 4 * _ROWS + 8, 4, 0, 7)
    even, uneven = _walk(series), _walk(series, uneven=frozenset({0}))
    more = sum(doubt for _, doubt in uneven.doubts) - sum(doubt for _, doubt in even.doubts)
    miss = _MACHINE.value("pipeline.branch_miss.latency")
    assert sum(uneven.cycles) >= sum(even.cycles)
    assert 0.4 * miss * _ROWS < more < 1.1 * miss * _ROWS


def _cycles(file: Path, array: str, end: str = "end", **sizes: float) -> float:
    """Cycles of a walk whose array and its end are given as arguments."""
    file.write_text(_WALK.replace("{store}", "nop"))
    found = predict(read(f"{file}:f", read_options(args=(array, end))), _MACHINE, parameters=sizes)
    return found.time_s * _MACHINE.value("clock.frequency")


def test_integers_of_an_array_are_given_with_the_argument(tmp_path: Path) -> None:
    file = tmp_path / "walk.s"
    assert _cycles(file, "i32[n]@step(m)", n=1000, m=40) == pytest.approx(1000 * 40, rel=0.15)  # an addition each
    assert _cycles(file, "i32[n]@constant(m)", n=1000, m=40) < 1000 * 6  # all rows are empty
    assert _cycles(file, "i32[n]", n=1000) == pytest.approx(1000 * 8.3, rel=2)  # nothing is known of the rows: a rule


@pytest.mark.parametrize("text", ["i32[n]@random(3)", "f64[n]@step(1)"])
def test_other_contents_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="no such contents"):
        parse_arguments([text])


@pytest.mark.parametrize("number", ["512", "0", "NULL"])
def test_a_number_is_no_pointer(tmp_path: Path, number: str) -> None:
    with pytest.raises(InputError, match="a number is given for a pointer"):
        _cycles(tmp_path / "walk.s", number, "1024")


@pytest.fixture
def sparse(tmp_path: Path) -> Path:
    file = tmp_path / "sparse.c"
    file.write_text(
        "typedef struct { int n; int *ptr; int *col; double *val; } csr;\n"
        "void spmv(const csr *A, const double *x, double *y) {\n"
        "  for (int i = 0; i < A->n; i++) {\n"
        "    double s = 0;\n"
        "    for (int j = A->ptr[i]; j < A->ptr[i + 1]; j++)\n"
        "      s += A->val[j] * x[A->col[j]];\n"
        "    y[i] = s;\n"
        "  }\n"
        "}\n"
        "double lists(int n, const int *len, double s) {\n"
        "  for (int i = 0; i < n; i++)\n"
        "    for (int j = 0; j < len[i]; j++)\n"
        "      s = 1.0 / (s + j);\n"
        "  return s;\n"
        "}\n"
    )
    return file


def _predict(file: Path, function: str, sizes: dict[str, float]) -> Prediction:
    return predict(read(f"{file}:{function}"), _MACHINE, parameters=sizes, options={"cc": X86_GCC, "flags": "-O2"})


def _followed(found: Prediction) -> bool:
    return any("compiled code followed" in text for text in found.assumptions)


@needs_x86_gcc
def test_sparse_rows_of_a_struct_are_followed_in_compiled_code(sparse: Path) -> None:
    short, long = (_predict(sparse, "spmv", {"A.n": 10_000.0, "A.ptr_step": step}) for step in (8.0, 64.0))
    assert _followed(short)
    # 8 times the work, and as many ends of rows: a sum of doubles waits four cycles for each term
    assert 4.0 < long.time_s / short.time_s < 8.0


@needs_x86_gcc
def test_lists_of_a_mean_length_are_followed_in_compiled_code(sparse: Path) -> None:
    found = _predict(sparse, "lists", {"n": 1000.0, "len_mean": 20.0})
    assert _followed(found)
    cycles = found.time_s * _MACHINE.value("clock.frequency") / 20_000
    assert 15 < cycles < 25  # a division and an addition that wait for one another
