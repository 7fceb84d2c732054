"""Loops of compiled code that data end: by a share that is known, or by a rule."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from foretell import api
from foretell.codegen.assembly.listing import read_listing
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError
from foretell.frontends import Reader, SourceOptions, read_options, read_sources
from foretell.machines import load
from foretell.models.cpu.incore.calls.on_data.open_ends import ROUNDS, Rounds, early_ends
from foretell.models.cpu.incore.calls.whole_call import follow_call
from foretell.models.cpu.incore.instruction_costs import Costs
from tests.support.caches.nests import only
from tests.support.host import needs_x86_gcc

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.prediction import Prediction
    from foretell.core.nest.loopnest import LoopNest
    from foretell.models.cpu.incore.calls.whole_call import Followed

_SEARCH = """f:
.L1:
 vucomisd (%rsi), %xmm0
 leaq 8(%rsi), %rsi
 ja .L1
 ret
"""
_SEARCHES = """f:
.L0:
 nop
.L1:
 vucomisd (%rsi), %xmm0
 leaq 8(%rsi), %rsi
 ja .L1
 decq %rdi
 jne .L0
 ret
"""
#: len = n; while (len) { half = len / 2; if (middle < key) len -= half + 1; else len = half; }
_BISECTION = """f:
 testq %rdi, %rdi
 je .L9
.L1:
 movq %rdi, %rax
 shrq %rax
 movq %rdi, %rcx
 subq %rax, %rcx
 decq %rcx
 cmpl (%rsi,%rax,4), %edx
 cmovg %rcx, %rax
 movq %rax, %rdi
 testq %rdi, %rdi
 jne .L1
.L9:
 ret
"""


def _call(text: str, *arguments: int, by_rule: bool = True) -> Followed:
    machine = load("sapphire-rapids")
    return follow_call(read_listing(text, "x86-64"), "f", machine, Costs(machine), arguments, by_rule=by_rule)


def _count(followed: Followed, mnemonic: str) -> float:
    counts = zip(followed.rows, followed.counts, strict=True)
    return sum(count for (_, one), count in counts if one.text.startswith(mnemonic))


def test_a_search_of_which_nothing_is_known_goes_round_as_the_rule_says() -> None:
    assert _call(_SEARCH, 0, 1 << 33, by_rule=False).guessed
    followed = _call(_SEARCH, 0, 1 << 33)
    assert not followed.guessed
    assert _count(followed, "leaq") == math.floor(ROUNDS)
    assert any("data end the loop: it is taken to go round 8.3 times (0 to 69)" in one for one in followed.assumptions)
    less, more = map(sum, zip(*followed.doubts, strict=True))
    assert less > 0.8 * sum(followed.cycles)
    assert more > 6 * sum(followed.cycles)


def test_many_searches_have_that_mean_and_differ() -> None:
    followed = _call(_SEARCHES, 10_000, 1 << 33)
    assert _count(followed, "leaq") / 10_000 == pytest.approx(ROUNDS, rel=0.02)
    assert sum(followed.result.misses) > 2000  # the predictor does not learn where they end


def test_a_bisection_by_selections_ends_by_its_length() -> None:
    assert _call(_BISECTION, 1023, 1 << 33, 5, by_rule=False).guessed
    followed = _call(_BISECTION, 1023, 1 << 33, 5)
    assert _count(followed, "cmovg") == 10
    assert not any("data end the loop" in one for one in followed.assumptions)


SOURCE = """\
int find(int n, const double *a, double t)
{
    int i;
    for (i = 0; i < n; i++) {
        if (a[i] > t)
            break;
    }
    return i;
}
"""


def _predicted(path: Path, share: str, n: int) -> Prediction:
    options = read_options(kernel="find", branch={"5": share}) if share else read_options(kernel="find")
    code = Reader(path, options).workload()
    return api.predict(code, load("sapphire-rapids"), parameters={"n": n}, options={"cc": "gcc"})


@needs_x86_gcc
def test_the_share_of_a_break_gives_the_iterations(tmp_path: Path) -> None:
    path = tmp_path / "find.c"
    path.write_text(SOURCE)
    whole, never = _predicted(path, "", 4000), _predicted(path, "0", 4000)
    assert never.time_s == pytest.approx(whole.time_s, rel=0.05)
    rare, often = _predicted(path, "0.002", 1_000_000), _predicted(path, "0.02", 1_000_000)
    assert rare.time_s == pytest.approx(10 * often.time_s, rel=0.2)
    assert never.time_s == pytest.approx(8 * rare.time_s, rel=0.2)
    assert any("leaves the loop in 2 % of its iterations: after 50 in the mean" in one for one in often.assumptions)
    assert any("compiled code followed" in one for one in often.assumptions)


def _nest(path: Path, source: str, line: int, share: str) -> LoopNest:
    path.write_text(source)
    return only(read_sources([path], SourceOptions(branches=((str(line), share),))).facet(Loops))


def test_iterations_of_a_break_are_at_most_those_of_the_loop(tmp_path: Path) -> None:
    nest = _nest(tmp_path / "find.c", SOURCE, 5, "0.01")
    for n in (1, 50, 1000):
        expected = sum(0.99**k for k in range(n))
        assert float(nest.loops[0].trips.evaluate({"n": n})) == pytest.approx(expected)
        assert float(nest.trips.evaluate({"n": n})) == pytest.approx(expected)
    assert nest.status == "assumed"


def test_an_endless_loop_ends_by_the_share_of_its_break(tmp_path: Path) -> None:
    head = "int next(const int *a, int t) { int i = 0;\n for (;;) {\n int x = a[i++];\n"
    nest = _nest(
        tmp_path / "next.c", f"{head} a[0] ? 0 : t;\n if (x % 3 == t)\n break; x = a[i]; }}\n return i; }}", 5, "0.25"
    )
    assert nest.trips.evaluate({}) == 4


def test_loops_below_a_root_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "roots.c"
    for start, comparison in ((0, "<"), (2, "<"), (3, "<=")):
        path.write_text(f"void f(int n, double *a) {{ for (int i = {start}; i * i {comparison} n; i++) a[i] += 1; }}")
        nest = only(read_sources([path], SourceOptions()).facet(Loops))
        for n in range(start * start + 1, 200):
            tries = [i for i in range(start, n + 2) if (i * i < n if comparison == "<" else i * i <= n)]
            assert nest.trips.evaluate({"n": n}) == len(tries)


_ENUMERATED = """\
enum order { ROWS = 101, COLUMNS = 102 };
#define AT(a, stride, i) ((a)[(stride) * (i)])
void scale(enum order order, int n, int stride, double *a)
{
    if (order == ROWS)
        for (int i = 0; i < n; i++)
            AT(a, stride, i) *= 2;
    else if (order == COLUMNS)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                AT(a, stride, n * j + i) *= 2;
}
"""


def test_enumerators_are_values_and_parameters_of_macros_are_not_the_preprocessor_s(tmp_path: Path) -> None:
    path = tmp_path / "scale.c"
    path.write_text(_ENUMERATED)
    times = []
    for order in ("ROWS", "COLUMNS"):
        code = Reader(path, read_options(choices={"order": order, "stride": "2"}, macros={"stride": "2"})).workload()
        times.append(api.predict(code, load("sapphire-rapids"), parameters={"n": 100, "stride": 2}).time_s)
    assert times[1] > 20 * times[0]


@needs_x86_gcc
def test_a_loop_that_the_compiler_removed_is_named(tmp_path: Path) -> None:
    path = tmp_path / "unused.c"
    path.write_text("int unused(int n, const int *a) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return n; }")
    code, machine = Reader(path, read_options(kernel="unused")).workload(), load("sapphire-rapids")
    followed = api.predict(code, machine, parameters={"n": 1000}, options={"cc": "gcc"})
    assert any("the compiler left no code that iterates" in one for one in followed.assumptions)
    peak = api.predict(code, machine, parameters={"n": 1000}, options={"core": "peak"})
    assert (peak.time_s == 0) == any(one.startswith("0 s: no part") for one in peak.assumptions)


def test_how_often_an_outermost_loop_goes_round_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "search.s"
    path.write_text(_SEARCH)
    machine = load("sapphire-rapids")
    code = Reader(path, read_options(kernel="f", args=("0", "f64[n]"))).workload()
    with pytest.raises(InputError, match="how often the loop that ends in a line that is not known goes round"):
        api.predict(code, machine, parameters={"n": 1000})
    path = tmp_path / "walk.c"
    path.write_text("double f(const double *a) { double s = 0; while (*a > 0) s += *a++; return s; }")
    code = Reader(path, read_options(kernel="f")).workload()
    with pytest.raises(InputError, match="without a value: trips_L1"):
        api.predict(code, machine)
    assert api.predict(code, machine, parameters={"trips_L1": 100}).time_s > 0


_SORT = """\
static void quick(double *a, int low, int high)
{
    int i = low, j = high;
    double middle = a[(low + high) / 2];
    while (i <= j) {
        while (a[i] < middle) i++;
        while (a[j] > middle) j--;
        if (i <= j) { double held = a[i]; a[i++] = a[j]; a[j--] = held; }
    }
    if (low < j) quick(a, low, j);
    if (i < high) quick(a, i, high);
}
void sort(double *a, int n) { quick(a, 0, n - 1); }
"""


@needs_x86_gcc
def test_a_function_that_calls_itself_is_followed_in_its_code(tmp_path: Path) -> None:
    path = tmp_path / "sort.c"
    path.write_text(_SORT)
    code, machine = Reader(path, read_options(kernel="sort")).workload(), load("sapphire-rapids")
    found = api.predict(code, machine, parameters={"n": 200}, options={"cc": "gcc"})
    assert 0.3e-9 < found.time_s / (200 * math.log2(200)) < 4e-9
    assert any("it calls itself: a call of it is followed" in one for one in found.assumptions)


#: for (i = 0; i < n; i++) for (k = start[i]; k < start[i + 1]; k++) sum += value[k];
_ROWS = """f:
.L0:
 .loc 1 1
 movq (%rsi), %rax
 movq 8(%rsi), %rcx
 .loc 1 2
 cmpq %rcx, %rax
 jae .L2
.L1:
 .loc 1 3
 vaddsd (%rdx,%rax,8), %xmm1, %xmm1
 .loc 1 2
 incq %rax
 cmpq %rcx, %rax
 jb .L1
.L2:
 .loc 1 1
 addq $8, %rsi
 decq %rdi
 jne .L0
 ret
"""


def test_a_loop_is_entered_as_often_as_it_goes_on() -> None:
    rows = 2000
    rounds = _count(_call(_ROWS, rows, 1 << 33, 1 << 34), "vaddsd") / rows
    assert rounds == pytest.approx(ROUNDS - 1, rel=0.05)  # 8.3 rounds of those rows that have one, 88 %


def test_the_source_says_how_often_a_loop_goes_round_at_most() -> None:
    early = (Rounds(3.0, 12.0, bounded=True, line=2),)
    machine = load("sapphire-rapids")
    functions = read_listing(_ROWS, "x86-64")
    arguments = (2000, 1 << 33, 1 << 34)
    followed = follow_call(functions, "f", machine, Costs(machine), arguments, by_rule=True, early=early)
    assert _count(followed, "vaddsd") / 2000 == pytest.approx(3, rel=0.05)
    assert any("go round 3 times (0 to 12)" in text for text in followed.assumptions)
    less, more = map(sum, zip(*followed.doubts, strict=True))
    assert 0.8 * sum(followed.cycles) < less <= sum(followed.cycles)
    assert more > 2 * sum(followed.cycles)  # 12 / 3 - 1 times more of the inner loop


def test_every_order_of_magnitude_is_as_likely_below_what_bounds_a_loop(tmp_path: Path) -> None:
    source = "int f(int n, int m, const int *x)\n{\n int s = 0;\n for (int i = 0; i < n; i++)\n"
    source += "  for (int k = 0; k < m && x[k] > i; k++)\n   s++;\n return s;\n}\n"
    (tmp_path / "f.c").write_text(source)
    nests = read_sources([tmp_path / "f.c"], SourceOptions()).facet(Loops).nests
    found = {one.line: one for one in early_ends(nests, {"n": 10, "m": 400})}
    assert found[5][:2] == pytest.approx((399 / math.log(400), 400))
    assert found[5].bounded
    assert {one.line for one in early_ends(nests, {"n": 10})} == {4}  # nothing is said of m


_BEFORE = """\
int before(int n, int m, const int *x, const int *limit)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m && x[k] != limit[i]; k++)
            s++;
    return s;
}
"""


@needs_x86_gcc
def test_the_condition_of_a_loop_holds_as_often_as_was_given(tmp_path: Path) -> None:
    """Of m = 50: with a share p for which it goes on there are p + p^2 + … + p^50 rounds; all at 1, none at 0."""
    path = tmp_path / "before.c"
    path.write_text(_BEFORE)
    machine, sizes = load("sapphire-rapids"), {"n": 4000, "m": 50}

    def predicted(share: str, **options: str) -> Prediction:
        given = {"branch": {"5": share}} if share else {}
        code = Reader(path, read_options(kernel="before", **given)).workload()
        return api.predict(code, machine, parameters=sizes, options={"cc": "gcc", **options})

    for share in (0.5, 0.9):
        (nest,) = predicted(str(share)).nests
        assert nest.iterations == pytest.approx(4000 * sum(share**k for k in range(1, 51)), rel=1e-6)
    by_rule, often, always = predicted(""), predicted("0.99"), predicted("1")
    assert by_rule.nests[0].iterations == pytest.approx(4000 * 49 / math.log(50))
    assert predicted("0.5").time_s < by_rule.time_s < often.time_s < always.time_s
    assert predicted("", data="one_place").time_s == always.time_s  # the same number in all places is never found later
    assert always.nests[0].iterations == 4000 * 50
    assert any("never end the loop before its count" in one for one in always.assumptions)
    assert any("known, --branch 5=SHARE" in one for one in by_rule.assumptions)
    assert not any("upper bounds" in one for one in by_rule.assumptions)


@needs_x86_gcc
def test_a_mean_that_is_given_is_in_no_doubt(tmp_path: Path) -> None:
    path = tmp_path / "roots.c"
    path.write_text(
        "int roots(int n, const int *p)\n{\n  int s = 0;\n  for (int i = 0; i < n; i++) {\n    int k = i;\n"
        "    while (p[k] != k) k = p[k];\n    s += k;\n  }\n  return s;\n}\n"
    )
    code, machine = Reader(path, read_options(kernel="roots")).workload(), load("sapphire-rapids")
    given, assumed = (
        api.predict(code, machine, parameters={"n": 1000, "p_length": 1000} | more, options={"cc": "gcc"})
        for more in ({"trips_L6": 7}, {})
    )
    for answer in (given, assumed):
        assert answer.interval_s is not None
    assert given.interval_s[0] > 0.4 * given.time_s
    assert assumed.interval_s[0] < 0.4 * assumed.time_s
    assert not any("data end the loop" in one for one in given.assumptions)


@needs_x86_gcc
def test_halved_numbers_of_which_one_has_no_round(tmp_path: Path) -> None:
    """The least mean of a number, 1, is halved to none at once: no loop runs with it."""
    path = tmp_path / "digits.c"
    path.write_text(
        "void digits(int n, const int *restrict in, int *restrict out)\n{\n  for (int i = 0; i < n; i++) {\n"
        "    unsigned v = in[i];\n    int k = 0;\n    while (v >>= 1) k++;\n    out[i] = k;\n  }\n}\n"
    )
    code, machine = Reader(path, read_options(kernel="digits")).workload(), load("sapphire-rapids")
    with pytest.raises(InputError, match="no loop runs"):
        api.predict(code, machine, parameters={"n": 1000, "in_mean": 1}, options={"cc": "gcc"})
    assumed, given = (
        api.predict(code, machine, parameters={"n": 1000} | more, options={"cc": "gcc"})
        for more in ({}, {"in_mean": 2})
    )
    assert assumed.interval_s is not None
    assert given.interval_s is not None
    assert assumed.interval_s[0] <= given.interval_s[0] < assumed.time_s < assumed.interval_s[1]
