"""Changes of codes that are tried in the model: search, gains, forms of the answer."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import foretell
from foretell.core.answers.advising import PairPoint
from foretell.core.answers.prediction import Bound, Part, Prediction
from foretell.errors import InputError
from foretell.report.page.build import page
from foretell.report.page.elements import Bar, Table
from foretell.transform.kernels import launch_bounds
from foretell.transform.text.source import edited
from foretell.uses.advise import advise
from foretell.uses.advise.edits import whole_edit
from foretell.uses.advise.gain import LOOPS as WIDER
from foretell.uses.advise.gain import gain, gain_interval, moved_bound
from foretell.uses.advise.loops import TILES
from foretell.uses.advise.replay import PairRecording, replay, summarised
from tests.support.cli import run
from tests.support.host import IS_X86
from tests.unit.transform.programs import MATRIX_PRODUCT

if TYPE_CHECKING:
    from foretell.api import Case
    from foretell.core.answers.advising import Advising
    from foretell.uses.measured_pairs import MeasuredPair

RECORDED = Path(foretell.__file__).parent / "uses" / "recorded"
#: a machine whose code the compiler of this one makes
HERE = "zen2" if IS_X86 else "neoverse-n1"
LOOPS = ("--on", "neoverse-n1", "-D", "n=300", "--cc", "none")


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("advise") / "product.c"
    file.write_text(MATRIX_PRODUCT)
    return file


@pytest.fixture(scope="module")
def advice(product: Path) -> Advising:
    kinds = ["interchange", "tile", "flags", "parallelise", "restrict"]
    return foretell.advise(product, "neoverse-n1", parameters={"n": 300}, cc="none", depth=2, only=kinds)


def test_the_interchanged_product_is_found(advice: Advising) -> None:
    assert advice.best is not None
    assert advice.best.ids[0] == "interchange"
    assert advice.best.gain > 2
    assert advice.best.interval[0] < advice.best.gain < advice.best.interval[1]
    assert "same results" in advice.best.legality
    assert "PWR039" in advice.best.codee
    assert advice.tried > 10
    assert "interchange" in advice.headline
    assert "b no longer accessed down columns" in advice.headline
    assert "interchange" in repr(advice)
    assert any("parallelise" in change.ids and change.threads > 1 for change in advice.changes)


def test_sequences_are_in_one_order_and_gains_sorted(advice: Advising) -> None:
    gains = [change.gain for change in advice.changes]
    assert gains == sorted(gains, reverse=True)
    assert any(change.ids == ("interchange", "parallelise") for change in advice.changes)
    assert not any(change.ids == ("parallelise", "interchange") for change in advice.changes)
    assert any(refused.id == "tile" and "transfers are" in refused.reason for refused in advice.refused)
    assert {change.basis for change in advice.changes} == {"predicted", "screened"}
    assert any(refused.id == "parallelise" and "dependence on c" in refused.reason for refused in advice.refused)


def test_loops_inside_a_divided_one_that_occupies_all_threads_are_left_out(product: Path) -> None:
    """Two cores work on the rows already; dividing the columns of each row would start threads more often."""
    only = ["parallelise", "collapse"]
    answer = foretell.advise(product, "neoverse-n1", parameters={"n": 300}, cc="none", only=only)
    assert [change.title for change in answer.changes] == ["divide the loop over i between threads"]
    reasons = {(one.id, one.line): one.reason for one in answer.refused}
    assert "occupies all threads" in reasons["collapse", 2]
    assert "occupies all threads" in reasons["parallelise", 3]
    assert "dependence on c" in reasons["parallelise", 4]


def test_no_further_change_without_a_further_gain(advice: Advising) -> None:
    for change in advice.changes:
        parts = [part for part in advice.changes if {*part.steps} < {*change.steps}]
        assert all(part.gain * 1.01 < change.gain for part in parts), change.steps


def test_bounds_come_first(product: Path) -> None:
    """Tiles are ranked by transfers, and what saves none is not predicted where another change gains more."""
    asked = {"parameters": {"n": 1000}, "cc": "none"}
    tiled = foretell.advise(product, "neoverse-n1", only=["tile"], **asked)
    assert {one.reason for one in tiled.refused} == {"other tiles have fewer transfers"}
    assert len(tiled.changes) == TILES
    found = foretell.advise(product, "neoverse-n1", only=["interchange", "hoist", "unroll_and_jam"], **asked)
    assert any("at peak arithmetic the code would still take" in one.reason for one in found.refused)
    assert not any("hoist" in change.ids for change in found.changes)
    assert not any("unroll j 2 times" in change.title for change in found.changes)  # four times gains
    text = str(tiled)
    assert "not possible, or gain less" in text
    assert "tile tile" not in text


def test_other_functions_and_divided_loops_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "two.c"
    other = "void other(int n, double *x, double *y) { for (int i = 0; i < n; i++) x[i] += y[i]; }\n"
    file.write_text(MATRIX_PRODUCT + other)
    kinds = ["parallelise", "restrict"]
    found = foretell.advise(
        file, "neoverse-n1", function="product", parameters={"n": 300}, cc="none", depth=2, only=kinds
    )
    steps = [step for change in found.changes for step in change.steps]
    assert steps
    assert not any("x, y" in step for step in steps)
    assert max(change.ids.count("parallelise") for change in found.changes) == 1


def test_edits_give_the_changed_text(advice: Advising) -> None:
    assert advice.best is not None
    (edit,) = advice.best.edits
    lines = MATRIX_PRODUCT.split("\n")
    lines[edit.line - 1 : edit.end_line - 1] = edit.text.rstrip("\n").split("\n")
    assert "\n".join(lines) == advice.best.text
    assert whole_edit("a", "a") == ()


def test_forms_of_the_answer(advice: Advising) -> None:
    from foretell.report import advice_sarif, markdown

    assert "changes that are not possible" in str(advice)
    assert advice.to_csv().startswith("ids,title,line")
    assert markdown.dumps("advising", advice).startswith("**product on neoverse-n1: interchange")
    document = json.loads(advice_sarif.dumps(advice_sarif.advising(advice)))
    result = document["runs"][0]["results"][0]
    assert result["fixes"][0]["artifactChanges"][0]["replacements"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///")
    assert document["version"] == "2.1.0"


def test_the_page_of_the_answer(advice: Advising) -> None:
    """Changes with bars, refused ones, and the parts of the time now."""
    made = page(json.loads(advice.to_json()))
    assert (made.kind, made.headline) == ("advice", advice.headline)
    titles = [section.title for section in made.sections if isinstance(section, Table)]
    assert titles[0] == f"{advice.tried} changes were tried"
    assert "changes that are not possible, or gain less" in titles
    first = next(section for section in made.sections if isinstance(section, Table)).rows[0]
    assert any(isinstance(cell, Bar) and cell.value == pytest.approx(advice.changes[0].gain) for cell in first)


def test_nothing_to_gain(advice: Advising) -> None:
    none = replace(advice, changes=(), refused=())
    assert "none of" in none.headline
    assert none.best is None


def test_why_try(product: Path, tmp_path: Path) -> None:
    target = tmp_path / "changed.c"
    asked = ("why", product, *LOOPS, "--try", "1", "--only", "interchange")
    answer = run(*asked, "--emit", target, "--format", "json")
    document = answer.json()
    assert document["changes"][0]["ids"] == ["interchange"]
    assert "for (int k = 0" in target.read_text().splitlines()[2]
    assert "interchange j and k" in answer.err
    assert run(*asked, "--emit", target, "--pick", "99").code == 3
    assert "| change |" in run(*asked, "--format", "markdown").out


def test_wrong_questions(product: Path, tmp_path: Path) -> None:
    assert "did you mean 'tile'" in run("why", product, *LOOPS, "--try", "1", "--only", "tle").err
    assert "belong to --try" in run("why", product, *LOOPS, "--only", "tile").err
    assert "without the line" in run("why", f"{product}:product:3", *LOOPS, "--try", "1").err
    assert "leave --asm out" in run("why", product, *LOOPS, "--try", "1", "--asm", "x.s").err
    emitted = run("why", product, *LOOPS, "--try", "2", "--only", "flags", "--emit", tmp_path / "x.c")
    assert "no change of the source" in emitted.err
    with pytest.raises(InputError, match="one file"):
        foretell.advise(tmp_path, "neoverse-n1")
    with pytest.raises(InputError, match="1 to 4"):
        foretell.advise(product, "neoverse-n1", depth=9)
    assert "by the CPU model" in run("why", "example:vector-add.c", "--on", "sw26010", "--try", "1").err
    with pytest.raises(InputError, match="sources"):
        foretell.advise("example:blocked-matrix", "cray-xe6")


DIVIDED = """\
void f(int n, double a[restrict n][n], double *restrict x) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i][j] = a[i][j] * x[j];
}
"""


def test_threads_portions_and_options(tmp_path: Path) -> None:
    file = tmp_path / "divided.c"
    file.write_text(DIVIDED)
    found = foretell.advise(
        file, "zen2", parameters={"n": 2000}, threads=16, cc="none", only=["threads", "schedule", "single"]
    )
    by_id = {change.title: change for change in found.changes}
    assert by_id["run on 32 threads"].threads == 32
    assert by_id["run on 1 thread"].gain < 1
    dealt = next(change for change in found.changes if change.ids == ("schedule",))
    assert 1.2 < dealt.gain < 2.2  # the last of 16 equal portions of a triangle has 1.94 of the mean work
    single = found.changes[-1]
    assert single.is_option
    assert single.legality.startswith("another result: if single precision")
    assert found.best is not single


def test_only_options_are_no_headline(tmp_path: Path) -> None:
    file = tmp_path / "divided.c"
    file.write_text(DIVIDED)
    found = foretell.advise(file, "zen2", parameters={"n": 2000}, cc="none", only=["single"])
    assert found.best is None
    assert found.changes[0].gain > 1
    assert run("why", file, "--on", "zen2", "-D", "n=2000", "--cc", "none", "--threads", "4", "--try", "1", "--only",
               "threads").out.count("run on") >= 3  # fmt: skip


def test_the_same_change_of_two_nests_is_predicted_once_and_told_apart(tmp_path: Path) -> None:
    loop = "    for (int j = 0; j < n; j++)\n        for (int i = 0; i < n; i++)\n            {}[i][j] = 2;\n"
    file = tmp_path / "two.c"
    file.write_text(f"void f(int n, double a[n][n], double b[n][n]) {{\n{loop.format('a')}{loop.format('b')}}}\n")
    found = foretell.advise(file, "zen2", parameters={"n": 700}, cc="none", depth=2, only=["interchange"])
    assert found.best is not None
    assert found.best.steps in (
        ("interchange j and i (line 2)", "interchange j and i (line 5)"),
        ("interchange j and i (line 5)", "interchange j and i (line 2)"),
    )
    assert found.tried == 3


def test_sums_are_vectorised_after_the_best_order(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    file = tmp_path / "rows.c"
    file.write_text(
        "void f(int n, double a[n][n], double *x, double *t) {\n    for (int i = 0; i < n; i++)\n"
        "        for (int j = 0; j < n; j++)\n            t[i] += a[i][j] * x[j];\n}\n"
    )
    kinds = ["vectorise", "restrict", "hoist"]
    found = foretell.advise(file, HERE, parameters={"n": 300}, cc="gcc", depth=2, only=kinds)
    assert found.best is not None
    assert "vectorise" in found.best.ids
    assert found.best.gain > 1.5
    assert "-fopenmp-simd" in found.best.flags


def test_a_function_of_a_file(product: Path) -> None:
    found = run("why", f"{product}:product", *LOOPS, "--try", "1", "--only", "parallelise", "--threads", "2")
    assert "divide the loop over i between threads" in found.out


def prediction(time_s: float, parts: dict[str, float], spread: float) -> Prediction:
    bounds = tuple(Bound(name, value, name, "throughput") for name, value in parts.items())
    own = tuple(Part(name, value) for name, value in parts.items())
    interval = (time_s / spread, time_s * spread)
    return Prediction(time_s, bounds, own, "cpu", 1, "default", "m", "", "w", "", interval_s=interval)


def test_errors_of_common_parts_cancel() -> None:
    before, same = prediction(2.0, {"core": 2.0}, 1.5), prediction(1.0, {"core": 1.0}, 1.5)
    assert gain(before, same) == 2
    low, high = gain_interval(before, same)  # √(2 - 2 · 0.8) of each half-width
    assert low == pytest.approx(2 / 1.5**0.4**0.5)
    assert high == pytest.approx(2 * 1.5**0.4**0.5)
    assert gain_interval(before, before) == pytest.approx((0.97, 1.03), abs=0.001)  # timed twice
    low, high = gain_interval(before, prediction(1.0, {"L2": 1.0}, 1.5))
    assert low == pytest.approx(2 / 1.5**2**0.5)
    assert high == pytest.approx(2 * 1.5**2**0.5)
    wide = gain_interval(before, same, WIDER)
    assert wide[0] == pytest.approx(2 / 1.5 ** (WIDER * 0.4**0.5))
    assert gain_interval(before, before, WIDER) == pytest.approx((0.97, 1.03), abs=0.001)  # not of equal codes
    unknown = replace(same, interval_s=None)
    assert gain_interval(before, unknown)[0] < 2
    assert moved_bound(before, prediction(1.0, {"L2": 1.0}, 1.5)) == "core: 2 s → none; now bound by L2"


LAUNCH = ("--on", "h200", "--grid", "128,128", "--block", "32,8", "--arg", "f32[16777216]", "--arg", "f32[16777216]")
CODE = RECORDED / "advice" / "kernels"


def test_bank_conflicts_and_fixed_blocks() -> None:
    found = run("why", CODE / "b_transpose_shared.sass.xz", *LAUNCH, "--arg", "4096", "--try", "1", "--format", "json")
    document = found.json()
    best = document["changes"][0]
    assert best["ids"] == ["bank_conflicts"]
    assert best["basis"] == "estimate"
    assert "32 lanes on each bank" in best["title"]
    assert 1.9 < best["gain"] < 2.4  # measured by padding: 2.29
    assert "does not read blockDim" in document["refused_changes"][0]["reason"]


def test_other_blocks_are_launched() -> None:
    launch = ("--on", "h200", "--grid", "16,16", "--block", "16,16", *("--arg", "f32[65536]") * 3, "--arg", "256")
    asked = ("why", CODE / "f_mm.sass.xz", *launch, "--try", "1", "--only", "block_size", "--format", "json")
    changes = {entry["title"]: entry for entry in run(*asked).json()["changes"]}
    assert changes["blocks of 32 × 8"]["gain"] > 1
    assert changes["blocks of 32 × 8"]["basis"] == "predicted"
    assert "no change of a kernel" in run(*asked[:-4], "--only", "tile").err


def test_uncoalesced_access() -> None:
    launch = ("--on", "h200", "--grid", "8", "--block", "128", *("--arg", "f32[1048576]") * 2, "--arg", "1024")
    asked = ("why", CODE / "a_columns.sass.xz", *launch, "--try", "1", "--only", "coalesce", "--format", "json")
    titles = [entry["title"] for entry in run(*asked).json()["changes"]]
    assert any("32 sectors a request, 4 would do" in title for title in titles)


CUDA = """\
extern "C" __global__ void many(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[96], s = 0;
#pragma unroll
    for (int k = 0; k < 96; k++) v[k] = in[i + k * n];
#pragma unroll
    for (int k = 0; k < 96; k++) s += v[k] * v[(k * 7) % 96] / v[95 - k];
    out[i] = s;
}
"""


def test_cuda_sources_are_compiled_again(tmp_path: Path) -> None:
    if shutil.which("nvcc") is None:
        pytest.skip("nvcc is not installed")
    file = tmp_path / "many.cu"
    file.write_text(CUDA)
    kinds = ["launch_bounds", "restrict", "fast_math", "occupancy"]
    args = ["f32[3145728]", "f32[32768]", 32768]
    answer = foretell.advise(file, "h200", grid=128, block=256, args=args, only=kinds)
    found = {change.ids[0]: change for change in answer.changes}
    assert found["fast_math"].gain > 1
    assert "registers" in found["occupancy"].title
    assert "__launch_bounds__(256, " in found["launch_bounds"].text
    (refused,) = answer.refused
    assert refused.reason == "to declare in, out __restrict__ leaves the code as it is"


class _Recompiled:
    """In the place of nvcc: every source is the kernel of one listing, and one of them does not compile."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def again(self, file: Path, flags: str, threads: int, **reading: object) -> Case:
        if "fast_math" in str(reading.get("nvcc", "")):
            raise InputError("nvcc: unknown flag")
        if reading.get("block") == "1024,1,1":
            raise InputError("the block does not fit")
        return self._case


def test_changed_kernels_without_a_compiler(tmp_path: Path) -> None:
    file = tmp_path / "h.cu"
    file.write_text("__global__ void h_many(const float *in, float *out, int n) {}\n")
    args = ("f32[25165824]", "f32[524288]", 524288)
    case = foretell.prepare(CODE / "h_many.sass.xz", "h200", grid=2048, block=256, args=args)
    answer = advise(_Recompiled(case), file)
    found = {change.ids[0]: change for change in answer.changes}
    assert found["block_size"].gain == 1
    reasons = {refused.id: refused.reason for refused in answer.refused}
    assert reasons["restrict"] == "to declare in, out __restrict__ leaves the code as it is"
    assert "__launch_bounds__(256, " in reasons["launch_bounds"]
    assert reasons["fast_math"] == "nvcc: unknown flag"
    assert reasons["block_size"] == "the block does not fit"
    file.write_text("template <int N> __global__ void other(float *out) {}\n")
    refused = advise(_Recompiled(case), file, only=["restrict"]).refused
    assert "macro or a template" in refused[0].reason


TILED = """\
#define TILE 32 // a side
#define OFFSET 3
#define OTHER 64
__global__ void h_many(const float *in, float *out, int n) { out[0] = in[TILE] + OFFSET; }
"""


class _Launched(_Recompiled):
    """Changed sources are another launch, of half the data."""

    def __init__(self, case: Case, changed: Case) -> None:
        super().__init__(case)
        self._changed = changed

    def again(self, file: Path, flags: str, threads: int, **reading: object) -> Case:
        return self._changed if "nvcc" in reading else self._case


def test_macros_are_axes(tmp_path: Path) -> None:
    file = tmp_path / "h.cu"
    file.write_text(TILED)
    args = ("f32[25165824]", "f32[524288]", 524288)
    case = foretell.prepare(CODE / "h_many.sass.xz", "h200", grid="2048", block="32,8", args=args)
    answer = advise(_Recompiled(case), file, only=["macro"])
    assert {change.title for change in answer.changes} == {"TILE = 16 instead of 32", "TILE = 64 instead of 32"}
    assert {change.provided for change in answer.changes} == {
        ("it is launched with a grid of 4096 × 1 × 1",), ("it is launched with a grid of 1024 × 1 × 1",)
    }  # fmt: skip
    assert "#define TILE 64 // a side" in "".join(change.text for change in answer.changes)
    large = foretell.prepare(CODE / "h_many.sass.xz", "h200", grid="2048", block="32,32", args=args)
    refused = advise(_Recompiled(large), file, only=["macro"]).refused
    assert [one.reason for one in refused] == ["a block of 64 has more than 1024 threads"]
    other = foretell.prepare(CODE / "h_many.sass.xz", "h200", grid="2048", block="256", args=args)
    assert advise(_Recompiled(other), file, only=["macro"]).changes[0].provided == ("the launch does not depend on it",)
    half = foretell.prepare(CODE / "h_many.sass.xz", "h200", grid="1024", block="32,8", args=args)
    halved = advise(_Launched(case, half), file, only=["macro"]).refused
    assert len(halved) == 2
    assert "which grid the program uses is not known" in halved[0].reason
    file.write_text(TILED.replace("__global__", "template <int N> static"))
    assert "macro or a template" in advise(_Recompiled(case), file, only=["macro"]).refused[0].reason


def test_launch_bounds_text() -> None:
    change = launch_bounds(CUDA, "many", 256, 3)
    assert 'extern "C" __global__ __launch_bounds__(256, 3) void many(' in edited(CUDA, change.edits)
    assert launch_bounds(CUDA, "_Z4manyPKfPfi", 256, 3) == change


class _Some(PairRecording):
    """Few of the recorded pairs."""

    @property
    def pairs(self) -> list[MeasuredPair]:
        wanted = ("b_transpose_padded", "particles/soa", "axpy_threads/parallel")
        written = ("passes: join the loops of lines 5 and 7", "spreads: join the loops of lines 5 and 7")
        return [pair for pair in super().pairs if pair.name.rpartition(" ")[2] in wanted or pair.name in written]


def test_measured_pairs_are_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    from foretell.uses.advise import replay as module

    monkeypatch.setattr(module, "PairRecording", _Some)
    answer = replay(_Some())
    assert {point.kind for point in answer.pairs} == {"loops", "emitted", "picked", "kernels"}
    assert all(point.sign_right for point in answer.pairs if point.differs)
    assert "gains of measured changes" in str(answer)
    assert "PairReplay" in repr(answer)
    assert answer.to_csv().startswith("name,kind,set")
    document = run("validate", "advice", "--space", "kernels", "--format", "json").json()
    assert len(document["pairs"]) == 2
    assert "no pairs" in run("validate", "advice", "--space", "fish").err
    assert "advice" in run("validate").out.split()


def test_versions_with_the_same_code_are_measurements_of_one_program() -> None:
    """`hotspot` was compiled with -O3 before; 1.17 times as fast with -O3 is what two measurements differ by."""
    recording = PairRecording()
    pairs = {pair.name.partition(": ")[2]: pair for pair in recording.pairs if pair.group == "hotspot"}
    flags, tiled = pairs["compile with -O3"], pairs["tile j by 256"]
    assert flags.before.measured_s > 1.05 * flags.after.measured_s
    assert recording.visits(flags) == (1.0, 1.0)
    assert recording.measured_s(flags.before) == recording.measured_s(flags.after) == flags.after.measured_s
    assert recording.measured_s(tiled.after) == tiled.after.measured_s


def test_pairs_that_cannot_be_predicted_are_refused() -> None:
    broken = _Some()
    broken.predicted = lambda version: (_ for _ in ()).throw(InputError("unreadable"))  # type: ignore[method-assign]
    assert replay(broken, ["kernels"]).refused[0].reason == "unreadable"


def test_signs_count_where_versions_differ() -> None:
    points = [
        PairPoint("a", "loops", "tuning", 2.0, 1.05, (1, 3)),
        PairPoint("b", "loops", "tuning", 0.9, 2.0, (0.8, 1)),
        PairPoint("c", "loops", "tuning", 3.0, 2.0, (1, 4)),
    ]
    summary = summarised(points)
    assert (summary.differing, summary.signs_right) == (2, 1)
    assert summary.coverage == pytest.approx(2 / 3)
    assert summary.median == pytest.approx(0.55)
    assert points[2].error == 0.5


def test_a_difference_counts_where_every_visit_finds_it() -> None:
    def point(measured: float, *visits: float) -> PairPoint:
        return PairPoint("a", "emitted", "tuning", 0.9, measured, (0.8, 1), visits)

    points = [point(1.3, 1.2, 1.4), point(1.2, 1.3, 1.05), point(1.2, 1.3, 0.97), point(0.8, 0.7, 0.99)]
    assert [one.differs for one in points] == [True, False, False, False]
    assert [one.disturbed for one in points] == [False, False, True, False]
    summary = summarised(points)
    assert (summary.n, summary.disturbed, summary.differing, summary.signs_right) == (3, 1, 1, 0)


def test_changes_of_cxx_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "scale.cpp"
    file.write_text("void scale(int n, double *x) { for (int i = 0; i < n; i++) x[i] *= 2; }\n")
    with pytest.raises(InputError, match=r"changes of C\+\+ are not tried"):
        foretell.advise(file, "neoverse-n1", parameters={"n": 300})
