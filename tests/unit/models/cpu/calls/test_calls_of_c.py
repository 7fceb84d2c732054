"""C functions without loops, or whose loops lack sizes that only compiled code has: a call is followed."""

from pathlib import Path

import pytest

import foretell
from foretell.core.answers.prediction import Prediction
from foretell.errors import InputError
from foretell.machines import load
from foretell.models.cpu.incore.calls import whole_call
from foretell.models.cpu.incore.calls.library_calls import mispredicted
from foretell.models.cpu.incore.instruction_costs import Costs
from tests.support.host import X86_GCC, needs_x86_gcc

_ON = "sapphire-rapids"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "calls.c").write_text(
        "#include <math.h>\n#include <string.h>\n"
        "void cleared(char *a, int n) { memset(a, 0, n); }\n"
        "int whole(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n"
        "static int again(const int *a, int n, int s) { return n ? again(a + 1, n - 1, s + *a) : s; }\n"
        "int recursive(const int *a, int n) { return again(a, n, 0); }\n"
        "double straight(double x) { return x * x + 1.0 / x; }\n"
        "void turned(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = sin(x[i]); }\n"
        "void grown(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = exp(x[i]); }\n"
        "static int little(void) { const union { int i; char c[4]; } one = {1}; return one.c[0]; }\n"
        "int folded(const int *a, int n) { int s = 0, step = little() ? 1 : 2;\n"
        "  for (int i = 0; i < n; i += step) s += a[i]; return s; }\n"
        "long tree(int n) { return n < 2 ? n : tree(n - 1) + tree(n - 2); }\n"
    )
    return tmp_path


def _predict(folder: Path, function: str, **sizes: int) -> Prediction:
    return foretell.predict(f"{folder / 'calls.c'}:{function}", on=_ON, parameters=sizes, cc=X86_GCC)


@needs_x86_gcc
def test_a_tail_recursion_is_a_loop_of_the_compiled_code(folder: Path) -> None:
    short, long = (_predict(folder, "recursive", n=n).time_s for n in (4_000, 8_000))
    assert 1.8 < long / short < 2.2


@needs_x86_gcc
def test_straight_code_has_a_time(folder: Path) -> None:
    found = _predict(folder, "straight")
    assert 1e-9 < found.time_s < 3e-8  # a division and a few operations
    assert any("no loops here" in text for text in found.assumptions)


@needs_x86_gcc
def test_a_length_that_is_not_given_is_asked_for(folder: Path) -> None:
    with pytest.raises(InputError, match="depends on values that are not known") as caught:
        _predict(folder, "recursive")
    assert "n" in str(caught.value.hint)


@needs_x86_gcc
def test_a_tree_of_calls_without_rounds_is_refused_with_a_way_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_call, "LIMIT", 20_000)  # sooner, with the same answer
    with pytest.raises(InputError, match="more than 2 million instructions that are no rounds") as caught:
        _predict(folder, "tree", n=40)
    assert "smaller call" in str(caught.value.hint)


@needs_x86_gcc
def test_sizes_that_only_the_compiler_knows_need_no_value(folder: Path) -> None:
    found = _predict(folder, "folded", n=10_000)
    whole = _predict(folder, "whole", n=10_000)
    assert found.time_s == pytest.approx(whole.time_s, rel=0.5)


@needs_x86_gcc
def test_random_arguments_of_a_sine_mispredict_jumps(folder: Path) -> None:
    """Many arguments: the predictor does not know their outcomes. Few: it does, and the interval holds the others."""
    each = {}
    for name in ("turned", "grown"):
        for n in (500, 200_000):
            found = _predict(folder, name, n=n)
            assert found.interval_s is not None
            each[name, n] = (found.time_s / n, found.interval_s[1] / n)
    assert each["turned", 200_000][0] > 1.5 * each["turned", 500][0]
    assert each["turned", 500][1] > each["turned", 200_000][0]
    assert each["grown", 200_000][0] < 1.5 * each["grown", 500][0]


def test_only_functions_that_branch_on_their_argument_mispredict() -> None:
    assert mispredicted("sin@PLT", 10) > 10
    assert mispredicted("exp", 10) == 0


@needs_x86_gcc
def test_arguments_in_order_are_those_of_the_names(folder: Path) -> None:
    named = _predict(folder, "recursive", n=4_000)
    source = f"{folder / 'calls.c'}:recursive"
    assert foretell.predict(source, on=_ON, args=("i32[4000]", "4000"), cc=X86_GCC).time_s == named.time_s


def test_sine_and_cosine_of_one_argument_take_no_longer_than_one_after_the_other() -> None:
    costs = Costs(load(_ON))
    for ending in ("", "f"):
        both = costs.call(f"sincos{ending}").gap
        assert both == costs.call(f"sin{ending}").gap + costs.call(f"cos{ending}").gap
    assert any("one of sine and one of cosine" in said for said in costs.assumed)
