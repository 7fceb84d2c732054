"""Predictions at many points are the predictions at each: times, bounds, parts, details, what is said, and refusals."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import foretell
from foretell.characterize.caches.set_conflicts import Sets, conflicts, may_conflict
from foretell.characterize.simulate.sampled import sampled
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError
from foretell.frontends import read
from foretell.machines import load
from foretell.models.cpu.notes import Note, said
from foretell.models.cpu.transfers import fills
from foretell.uses.validate import KERNELS
from tests.support.caches.nests import TILED, of_c, only

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.api import Case
    from foretell.characterize.simulate.cachesim import CacheLevel
    from foretell.core.answers.prediction import Prediction
    from foretell.core.nest.loopnest import LoopNest
    from foretell.core.workload import Workload

#: what has to come out as in a single prediction, each for a reason of its own
PROGRAMS = {
    # calls at sizes that some points have and others have not, equal sizes at some points only, and a loop around a
    # call that is short at some points and longer than sixteen at others
    "calls": """
void smooth(int n, double u[n][n]) {
  for (int j = 1; j < n - 1; j++) for (int i = 1; i < n - 1; i++) u[j][i] = 0.5 * (u[j][i-1] + u[j-1][i]);
}
void fill(int n, double a[n]) { for (int i = 20; i < n; i++) a[i] = 0.0; }
void cycle(int n, double u[n][n], double a[n]) {
  smooth(n, u);
  for (int m = n; m > 2; m /= 2) smooth(m, u);
  for (int k = 1; k < n - 10; k++) smooth(k, u);
  fill(n, a);
  fill(n / 8, a);
}
""",
    # the share of the longest part depends on the size and on the number of threads
    "triangle": """
void tri(int n, double a[n][n]) {
  #pragma omp parallel for
  for (int j = 0; j < n; j++) for (int i = 0; i <= j; i++) a[j][i] *= 2.0;
}
""",
    # columns of powers of two: sets overflow, lines lie at regular distances, stores go down columns
    "transpose": """
void transpose(int n, double a[restrict n][n], const double b[restrict n][n]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[j][i] = b[i][j];
}
""",
    # subscripts that are no sums: simulated where anything moves
    "hash": """
void hash(int n, double a[n], const double b[n]) { for (int i = 0; i < n; i++) a[(7 * i) % n] += b[i]; }
""",
    # memcpy from some size on
    "copy": """
void copy(long n, double *restrict a, const double *restrict b) { for (long i = 0; i < n; i++) a[i] = b[i]; }
""",
    # a nest that runs at some points only has something to say of its own
    "sometimes": """
void sometimes(int n, double a[n], const int p[n], const double b[n]) {
  for (int i = 0; i < n; i++) a[i] = 1.0;
  for (int i = 100; i < n; i++) a[i] += b[p[i]];
}
""",
    # no directive, and a nest that waits for its own results
    "two": """
void two(int n, double a[n][n], double x[n]) {
  for (int i = 1; i < n; i++) x[i] = x[i-1] * 0.5 + 1.0;
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = x[j] / 3.0;
}
""",
}


@cache
def workload(name: str) -> Workload:
    if name not in PROGRAMS:
        return read(KERNELS / f"{name}.c")
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.c"
        path.write_text(PROGRAMS[name])
        return read(path)


def compare(one: Prediction | InputError, many: Prediction | InputError, *, followed: bool) -> None:
    """`followed`: the code is followed at each point, so that everything is the same; else all but the core's time."""
    if isinstance(one, InputError) or isinstance(many, InputError):
        assert isinstance(one, InputError)
        assert isinstance(many, InputError)
        assert many.message == one.message
        return
    put_together = [note for note in many.assumptions if "core time interpolated" in note]
    assert tuple(note for note in many.assumptions if note not in put_together) == one.assumptions
    assert (many.parameters, many.options, many.at_least) == (one.parameters, one.options, one.at_least)
    assert (many.machine_hash, many.input_hash) == (one.machine_hash, one.input_hash)
    assert {nest.name for nest in many.nests} == {nest.name for nest in one.nests}
    for name in ("flops", "flop_per_byte", "bytes_from_B"):
        exact = one.details[name] is None
        assert many.details[name] == (None if exact else pytest.approx(one.details[name], rel=1e-9))
    assert [(b.name, b.resource, b.limit) for b in many.bounds] == [(b.name, b.resource, b.limit) for b in one.bounds]
    same = slice(None) if followed else slice(1, None)
    assert [b.time_s for b in many.bounds[same]] == pytest.approx([b.time_s for b in one.bounds[same]], rel=1e-9)
    if followed:
        assert not put_together
        assert many.time_s == pytest.approx(one.time_s, rel=1e-9)
        assert [nest.time_s for nest in many.nests] == pytest.approx([nest.time_s for nest in one.nests], rel=1e-9)
        assert [rate.value for rate in many.rates] == pytest.approx([rate.value for rate in one.rates], rel=1e-9)
        assert many.interval_s == pytest.approx(one.interval_s, rel=1e-9)
        assert [p.time_s for p in many.parts] == pytest.approx([p.time_s for p in one.parts], rel=1e-9)


def each(case: Case, points: list[dict[str, float]]) -> list[Prediction | InputError]:
    return [answer for point in points for answer in of_model(case, [point])]


def of_model(case: Case, points: list[dict[str, float]]) -> list[Prediction | InputError]:
    """The answers of the model itself: what estimates add to an interval is computed for some of many points only."""
    return case.model.predict_many(case.workload, case.machine, case.settings, points)


def check(name: str, machine: str, points: list[dict[str, float]], *, followed: bool, **given: str) -> None:
    """Of more than twelve sizes all are simulated as a single one is only if that is asked for."""
    options = {"simulate": "each", **given}
    case = foretell.prepare(workload(name), machine, options=options)
    many = of_model(case, points)
    assert len(many) == len(points)
    for one, other in zip(each(case, points), many, strict=True):
        compare(one, other, followed=followed)


SIZES = st.lists(
    st.one_of(st.integers(0, 40), st.integers(41, 700), st.sampled_from([64, 128, 256, 512, 1000, 1024, 3000])),
    min_size=7,
    max_size=12,
    unique=True,
)


#: an example is tens of predictions: a failing one is not made smaller
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)


@pytest.mark.parametrize("name", [*PROGRAMS, "jacobi5", "matmul_ikj", "gather"])
@settings(max_examples=3, phases=UNSHRUNK)
@given(sizes=SIZES, threads=st.sampled_from([[1, 2], [1, 7], [0, 4], [8, 1000]]))
def test_up_to_twelve_sizes_are_the_single_predictions(name: str, sizes: list[int], threads: list[int]) -> None:
    """More points than twelve, so that arrays are at work, of sizes and threads; some points cannot run."""
    if name == "calls":  # each calls others at tens of sizes
        sizes = sorted({size % 90 for size in sizes} | {5, 30})[:7]
    points = [{"n": float(n), "threads": float(count)} for n, count in product(sizes, threads)]
    check(name, "sapphire-rapids", points, followed=True, simulate="needed")


@pytest.mark.parametrize("name", [*PROGRAMS, "jacobi7"])
@settings(max_examples=3, phases=UNSHRUNK)
@given(sizes=st.lists(st.integers(-3, 3000), min_size=13, max_size=20, unique=True))
def test_many_sizes_move_the_same_bytes(name: str, sizes: list[int]) -> None:
    """The core's time may be put together; everything else is exact, and notes hold at their own points."""
    if name == "calls":
        sizes = [size % 300 for size in sizes]
    check(name, "sapphire-rapids", [{"n": float(n)} for n in sizes], followed=False, core="peak")


@pytest.mark.parametrize(
    ("name", "machine", "options"),
    [
        ("jacobi7", "blue-gene-q", {"rule": "plane_rule", "core": "peak"}),
        ("two", "blue-gene-q", {"rule": "plane_rule", "cycle_reads": "planes", "core": "peak"}),
        ("transpose", "neoverse-n1", {}),
        ("two", "sapphire-rapids", {"overlap": "none", "caches": "cold"}),
        ("copy", "sapphire-rapids", {"core": "peak"}),
    ],
)
def test_other_machines_and_decisions(name: str, machine: str, options: dict[str, str]) -> None:
    """Planes read differ from point to point, in numbers and in what is said."""
    points = [{"n": float(n)} for n in (3, 30, 64, 100, 128, 200, 256, 500, 700, 1000, 1024, 2000, 3e6)]
    if name in ("transpose", "two"):
        points[-1] = {"n": 64.0}
    check(name, machine, points, followed=options.get("core") == "peak" or machine == "blue-gene-q", **options)


def test_what_is_said_of_some_sizes_is_said_of_no_others() -> None:
    points = [{"n": float(n)} for n in (100, 1000, 1e4, 1e5, 1e6, 2e6, 4e6, 5e6, 6e6, 8e6, 1e7, 2e7, 4e7, 8e7)]
    found = foretell.predict_many(workload("copy"), "sapphire-rapids", points).predictions
    stores_past = [any("memcpy" in note for note in one.assumptions) for one in found]
    assert stores_past == sorted(stores_past)
    assert 0 < sum(stores_past) < len(points)


def test_refusals_name_their_points_and_keep_no_other_from_its_answer() -> None:
    points = [{"n": float(n), "threads": float(t)} for n in (1, 100, 200, 1e300) for t in (1, 2, 4, 1000)]
    found = foretell.predict_many(workload("jacobi5"), "sapphire-rapids", points)
    assert [(p.parameters["n"], p.parameters["threads"]) for p in found.predictions] == [
        (n, t) for n in (100, 200) for t in (1, 2, 4)
    ]
    reasons = {one.name: one.reason for one in found.refused}
    assert "no loop runs" in reasons["sapphire-rapids n=1, threads=1"]
    assert "threads must be" in reasons["sapphire-rapids n=100, threads=1000"]
    assert "larger than any size" in reasons["sapphire-rapids n=1e+300, threads=2"]
    assert len(found.refused) == 10


def test_an_unknown_parameter_refuses_every_point() -> None:
    case = foretell.prepare(workload("jacobi5"), "sapphire-rapids")
    for count in (2, 20):
        found = case.predict_many([{"m": float(k)} for k in range(count)])
        assert all(isinstance(one, InputError) and "no parameter 'm'" in one.message for one in found)
        assert len(found) == count


def test_a_machine_that_lacks_numbers_refuses_every_point() -> None:
    found = foretell.predict_many(workload("jacobi5"), "h200", [{"n": float(n)} for n in range(10, 40)], model="cpu")
    assert not found.predictions
    assert len({one.reason for one in found.refused}) == 1


def test_other_models_predict_point_by_point() -> None:
    points = [{"N": float(256 * k)} for k in range(1, 20)]
    case = foretell.prepare("example:vector-add", "sw26010")
    for point, many in zip(points, case.predict_many(points), strict=True):
        if isinstance(many, InputError):  # the buffers of large ones do not fit
            with pytest.raises(InputError, match=re.escape(many.message)):
                foretell.predict("example:vector-add", "sw26010", parameters=point)
        else:
            assert many == foretell.predict("example:vector-add", "sw26010", parameters=point)


def test_points_between_the_steps_of_the_ladder_say_so() -> None:
    points = [{"n": float(n)} for n in range(64, 1664, 16)]
    many = foretell.predict_many(workload("jacobi7"), "sapphire-rapids", points).predictions
    said_so = [one for one in many if any("core time interpolated from other sizes" in a for a in one.assumptions)]
    assert 50 < len(said_so) < len(points)
    errors = [
        many[place].bounds[0].time_s
        / foretell.predict(workload("jacobi7"), "sapphire-rapids", parameters=points[place]).bounds[0].time_s
        - 1
        for place in range(3, len(points), 16)
    ]
    assert np.median(np.abs(errors)) < 0.01
    assert np.max(np.abs(errors)) < 0.1


def test_sizes_at_which_sets_overflow_are_simulated_unless_that_is_not_wanted() -> None:
    points = [{"n": float(n)} for n in range(500, 530)]
    say = {}
    for choice in ("needed", "each", "none"):
        found = foretell.predict_many(
            workload("transpose"), "sapphire-rapids", points, options={"simulate": choice, "core": "peak"}
        ).predictions
        said = {one.parameters["n"]: " ".join(one.assumptions) for one in found}
        say[choice] = [n for n, text in said.items() if "traffic into" in text]
        assert all(("cache simulation covers only" in text) == (choice == "needed") for text in said.values())
    assert 512 in say["needed"]
    assert set(say["needed"]) <= set(say["each"])
    assert len(say["each"]) < 10
    assert say["none"] == []


@pytest.mark.parametrize(
    ("kernel", "first", "last", "asked", "bound"),
    [
        ("transpose", 480, 544, (512,), 0.01),  # columns of 512 rows overflow the sets of L1
        ("matvec_columns", 2400, 3800, (2880, 3024, 3072, 3168, 3320, 3464), 0.05),  # two rows are as large as L1
    ],
)
def test_what_is_simulated_of_a_range_moves_what_it_moves_alone(
    kernel: str, first: int, last: int, asked: tuple[int, ...], bound: float
) -> None:
    points = [{"n": float(n)} for n in range(first, last + 1, 8)]
    for one in foretell.predict_many(KERNELS / f"{kernel}.c", "sapphire-rapids", points).predictions:
        if one.parameters["n"] in asked:
            alone = foretell.predict(KERNELS / f"{kernel}.c", "sapphire-rapids", parameters=one.parameters)
            assert any("traffic into L1 is simulated" in note for note in one.assumptions)
            assert one.time_s == pytest.approx(alone.time_s, rel=bound)


@pytest.mark.parametrize("sizes", [range(504, 520, 4), range(640, 800, 8)])
def test_no_size_is_simulated_twice(sizes: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets of L1 overflow at some of the sizes; few sizes, or neighbours along an edge, are in doubt as well."""
    asked = []

    def noted(nest: LoopNest, at: tuple[tuple[str, int], ...], levels: Sequence[CacheLevel], *more: Any) -> Any:
        asked.append((at, levels[-1].name))
        return sampled(nest, at, levels, *more)

    monkeypatch.setattr(fills, "sampled", noted)
    points = [{"n": float(n)} for n in sizes]
    foretell.predict_many(workload("transpose"), "sapphire-rapids", points, options={"core": "peak"})
    assert len(asked) == len(set(asked)) > 0


NESTS = {
    "transpose": PROGRAMS["transpose"],
    "rows": """
void rows(int n, double a[restrict n][n], const double b[restrict n][n]) {
  for (int i = 9; i < n - 9; i++) for (int j = 0; j < n; j++)
    a[i][j] = b[i-9][j] + b[i-7][j] + b[i-5][j] + b[i-3][j] + b[i-1][j] + b[i+1][j] + b[i+3][j] + b[i+5][j] + b[i+7][j]
            + b[i+9][j] + b[i-2][j] + b[i+2][j];
}
""",
    "tiled": TILED,
}


@pytest.mark.parametrize("name", NESTS)
@given(
    st.lists(st.one_of(st.integers(1, 5000), st.integers(1, 80).map(lambda k: 64 * k)), min_size=1, max_size=40),
    st.sampled_from(
        [Sets("L1", 4096, 8, 64, 4096), Sets("L2", 65536, 16, 64, 4096), Sets("L2", 131072, 4, 64, 131072)]
    ),
)
def test_no_size_with_conflicts_is_missed(name: str, sizes: list[int], sets: Sets) -> None:
    nest = only(of_c(NESTS[name]))
    columns = {"n": np.array(sizes, dtype=np.float64)} | ({"T": 16.0} if name == "tiled" else {})
    may = np.broadcast_to(may_conflict(nest, columns, sets), (len(sizes),))
    for size, found in zip(sizes, may.tolist(), strict=True):
        one = {"n": size} | ({"T": 16} if name == "tiled" else {})
        assert found or not list(conflicts(nest, one, sets))


def test_notes_hold_where_they_do() -> None:
    some = np.array([True, False, True])
    notes = [
        Note("always"),
        Note("sometimes", some),
        Note("{:g} of {:g}", some, (np.array([1.0, 2.0, 3.0]), 9.0)),
        Note("sometimes", np.array([False, False, True])),
        Note("{never}", False),
    ]
    assert said(notes, 3) == [("always", "sometimes", "1 of 9"), ("always",), ("always", "sometimes", "3 of 9")]
    assert said([Note("a").only(some), Note("b", some).only(~some)], 3) == [("a",), (), ("a",)]


def test_the_largest_part_of_a_triangle_at_many_sizes_and_threads() -> None:
    """Against a count of its iterations, one by one: the first threads get one more (libgomp, iter.c)."""
    from foretell.models.cpu.parallel import split

    nest = workload("triangle").facet(Loops).nests[0]
    sizes, threads = np.array([5.0, 10.0, 64.0, 100.0, 100.0]), np.array([2.0, 3.0, 4.0, 7.0, 64.0])
    found = split(nest, {"n": sizes}, threads, everywhere=False)
    for n, count, imbalance in zip(sizes, threads, np.asarray(found.imbalance), strict=True):
        each, more = divmod(int(n), int(count))
        ends = [part * each + min(part, more) for part in range(int(count) + 1)]
        work = [sum(j + 1 for j in range(a, b)) for a, b in pairwise(ends)]
        assert imbalance == pytest.approx(max(work) / (sum(work) / count))


def test_machines_are_unchanged() -> None:
    machine = load("sapphire-rapids")
    before = machine.content_hash
    foretell.predict_many(workload("two"), machine, [{"n": float(n)} for n in range(10, 40)])
    assert machine.content_hash == before
