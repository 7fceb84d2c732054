"""Pictures that are right: points under their roofs, bars as long as times, legends and titles that cover nothing."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import foretell
from foretell.core.answers.answers import Predictions
from foretell.core.answers.description import BlockOccupancy, KernelList, KernelSummary
from foretell.core.answers.prediction import Bound, Part, Prediction
from foretell.errors import InputError, MissingExtraError
from foretell.report.plots import against_size, answers, canvas, ranking, roofline
from foretell.uses.validate import KERNELS
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path


def prediction(time_s: float = 1.0, parts: tuple[float, ...] = (1.0,), **more: Any) -> Prediction:
    """A made-up answer."""
    made = tuple(Part(f"part {number}", value) for number, value in enumerate(parts))
    given = {"machine": "m", "workload": "w", "mode": "default", **more}
    bounds = (Bound("b", time_s, "memory", "throughput"),)
    return Prediction(time_s, bounds, made, "cpu", 1, machine_hash="", input_hash="", **given)


def drawn() -> Any:
    return Figure(layout="constrained").subplots()


# ---------------------------------------------------------------------------------------------- rooflines


@pytest.mark.parametrize("machine", ["neoverse-n1", "cascade-lake"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("size", [1000, 30_000, 10_000_000])
def test_no_point_lies_above_its_roof(machine: str, threads: int, size: int) -> None:
    answer = foretell.predict(KERNELS / "triad.c", machine, parameters={"n": size}, threads=threads)
    roofs = roofline.roofs_of(foretell.machine(machine), threads)
    point = roofline.reached(answer)
    assert point is not None
    assert point.rate <= roofs.peak
    for level, intensity in point.intensities.items():
        if level in roofs.slopes:
            assert point.rate <= 1.001 * intensity * roofs.slopes[level], level


def test_roofs_grow_with_the_cores_until_memory_is_full() -> None:
    machine = foretell.machine("cascade-lake")
    one, all_ = (roofline.roofs_of(machine, threads) for threads in (1, machine.value("cores.count")))
    assert all_.peak == pytest.approx(one.peak * machine.value("cores.count"))
    assert one.slopes["memory"] < all_.slopes["memory"] < machine.value("cores.count") * one.slopes["memory"]


def test_peaks_of_whole_devices() -> None:
    """Issue slots of all multiprocessors and cores, as computed from the data sheets."""
    h200, group, chip = (foretell.machine(name) for name in ("h200", "sw26010", "sw26010-chip"))
    assert roofline.roofs_of(h200, 1).peak == pytest.approx(4 * 132 * 1.98e9)
    assert roofline.roofs_of(group, 1).peak == pytest.approx(64 * 1.45e9)
    assert roofline.roofs_of(chip, 1).peak == pytest.approx(256 * 1.45e9)
    assert roofline.roofs_of(chip, 1).slopes["memory"] == pytest.approx(4 * 32e9)


def test_points_of_the_sunway() -> None:
    """Vector add: one addition for 24 bytes, at the bandwidth of memory."""
    answer = foretell.predict("example:vector-add", "sw26010", parameters={"N": 1024})
    point = roofline.reached(answer)
    assert point is not None
    assert point.intensities["memory"] == pytest.approx(1 / 24)
    assert point.rate / point.intensities["memory"] == pytest.approx(32e9, rel=0.02)


def test_points_of_a_gpu() -> None:
    counted = {
        "warp_instructions": 100,
        "requested_B": 400.0,
        "L2_B": 200.0,
        "memory_read_B": 60.0,
        "memory_written_B": 40.0,
    }
    point = roofline.reached(prediction(2.0, (2.0,), details=counted))
    assert point == roofline.Reached(50.0, {"L1": 0.25, "L2": 0.5, "memory": 1.0})


def test_every_prediction_is_on_the_picture() -> None:
    axis = drawn()
    machine = foretell.machine("zen4")
    inside = prediction(details={"flops": 1e9, "bytes_from_B": {"L2": 0.0}}, parameters={"threads": 2.0})
    unknown = prediction(
        details={"flops": 1e9, "bytes_from_B": {"X9": 1e9, "memory": 1e8}}, parameters={"threads": 2.0}
    )
    roofline.draw(axis, [inside, unknown], machine)
    labels = [text.get_text() for text in axis.get_legend().get_texts()]
    assert "peak of 2 threads: 76.8 Gflop/s" in labels
    assert "by bytes from X9, whose bandwidth is not known" in labels
    assert "all data in the innermost level" in labels
    empty = drawn()
    roofline.draw(empty, [prediction(details={"flops": 0.0})], machine)
    assert "no point: no flops" in [text.get_text() for text in empty.get_legend().get_texts()]


def test_labels_cover_nothing() -> None:
    """The legend is beside the panel, and the title is broken, not cut."""
    figure = Figure(figsize=(8.0, 4.8), layout="constrained")
    axis = figure.subplots()
    long = "a-workload-with-a-long-name " * 5
    roofline.draw(axis, [prediction(workload=long, details={"flops": 1e9})], foretell.machine("neoverse-n1"))
    FigureCanvasAgg(figure).draw()
    panel, legend = axis.get_window_extent(), axis.get_legend().get_window_extent()
    assert legend.x0 >= panel.x1
    assert legend.x1 <= figure.bbox.x1
    title = axis.title.get_window_extent()
    assert figure.bbox.x0 <= title.x0 <= title.x1 <= figure.bbox.x1


# ---------------------------------------------------------------------------------------------- bars and curves


def lengths(axis: Any, rows: int) -> list[float]:
    """How far the bars of each row reach."""
    ends = [0.0] * rows
    for bar in axis.patches:
        row = round(bar.get_y() + bar.get_height() / 2)
        ends[row] = max(ends[row], bar.get_x() + bar.get_width())
    return ends


def test_bars_are_as_long_as_the_time() -> None:
    items = (
        prediction(1.0, (0.9, 0.6, -0.5), interval_s=(0.8, 1.5)),
        prediction(2.0, (2.5, 0.5, -1.0), machine="other"),
        prediction(3.0, (3.0,), at_least=True, interval_s=(2.0, 4.0)),
    )
    axis = drawn()
    ranking.draw(axis, Predictions(items, measured={"m": 1.2}))
    assert lengths(axis, 3) == pytest.approx([1.0, 2.0, 3.0])
    assert axis.get_xlim()[1] > 3.0
    assert [text.get_text().strip() for text in axis.texts] == ["1 s", "2 s", "at least 3 s"]
    assert len(axis.containers[-1].lines[2][0].get_segments()) == 1  # a lower bound has no interval


def test_times_far_apart_are_on_a_logarithmic_axis() -> None:
    axis = drawn()
    ranking.draw(axis, Predictions((prediction(1e-6, (1e-6,)), prediction(1.0, machine="slow"))))
    assert axis.get_xscale() == "log"
    assert lengths(axis, 2) == pytest.approx([1e-6, 1.0])


def test_several_machines_against_size() -> None:
    items = [
        prediction(size * speed, (size * speed,), parameters={"n": size, "m": 3.0}, machine=machine, at_least=speed > 1,
                   interval_s=(size / 2, size * 2))
        for machine, speed in (("a", 1.0), ("b", 2.0))
        for size in (1.0, 10.0, 100.0)
    ]  # fmt: skip
    assert against_size.varying(items) == "n"
    axis = drawn()
    against_size.draw(axis, items, "n")
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["a", "b (at least)"]
    assert list(axis.lines[1].get_ydata()) == [2.0, 20.0, 200.0]
    assert "m=3" in axis.get_title()


def test_bottlenecks_are_named_where_they_change() -> None:
    items = [prediction(size, (size,), parameters={"n": size}) for size in (1.0, 10.0)]
    items.append(replace(items[0], time_s=100.0, parts=(Part("p", 100.0),), parameters={"n": 100.0},
                         bounds=(Bound("L2 bandwidth", 100.0, "L2", "throughput"),)))  # fmt: skip
    axis = drawn()
    against_size.draw(axis, items, "n")
    labels = [text.get_text() for text in axis.get_legend().get_texts()]
    assert labels == ["predicted", "interval", "from 1: b", "from 100: L2 bandwidth"]


def test_no_single_size_is_no_curve(tmp_path: Path) -> None:
    items = [prediction(parameters={"n": size, "m": size}, machine=name) for name in "ab" for size in (1.0, 2.0)]
    assert against_size.varying(items) is None
    answers.predicted(items, [foretell.machine("zen4"), foretell.machine("neoverse-n1")], tmp_path / "bars.svg")
    assert (tmp_path / "bars.svg").stat().st_size > 0


@pytest.mark.parametrize(
    ("low", "high", "ticks"), [(1e-6, 1.0, "1 ms"), (2e-4, 1e-3, "500 µs"), (0.9, 1.4, "1 s"), (1e-5, 1e-3, "20 µs")]
)
def test_ticks_of_times(low: float, high: float, ticks: str) -> None:
    figure = Figure()
    axis = figure.subplots()
    axis.set(xscale="log", xlim=(low, high))
    canvas.in_seconds(axis.xaxis)
    FigureCanvasAgg(figure).draw()
    assert ticks in [label.get_text() for label in axis.get_xticklabels()]


@pytest.mark.parametrize(("panels", "shape"), [(1, (1, 1)), (3, (1, 3)), (4, (2, 2)), (7, (2, 4)), (9, (3, 3))])
def test_panels_have_few_holes(panels: int, shape: tuple[int, int]) -> None:
    axes = canvas.new_figure(panels)[1]
    assert len(axes) == panels
    assert (axes[0].get_gridspec().nrows, axes[0].get_gridspec().ncols) == shape


def test_files_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figure = canvas.new_figure(1)[0]
    with pytest.raises(InputError, match=r"a plot ends in \.png"):
        canvas.save(figure, tmp_path / "plot.gif")
    with pytest.raises(InputError, match="cannot be written"):
        canvas.save(figure, tmp_path / "nosuch" / "plot.png")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"foretell\[plot\]"):
        canvas.new_figure(1)


def test_occupancy_against_block_size(tmp_path: Path) -> None:
    rows = tuple(BlockOccupancy(threads, 4, threads / 1024, "warps") for threads in (32, 64, 1024))
    kernel = KernelSummary("scale<float>", "_Z", 90, 8, 16, 0, (), None, rows, "h200")
    answers.kernels(KernelList("k.cu", (kernel,)), tmp_path / "occupancy.svg")
    assert (tmp_path / "occupancy.svg").stat().st_size > 1000
    with pytest.raises(InputError, match="nothing to draw"):
        answers.kernels(KernelList("k.cu", (replace(kernel, occupancy=()),)), tmp_path / "none.svg")
    listing = KERNELS.parents[1] / "recorded" / "gpu" / "copy_f32.sass.xz"
    assert run("describe", listing, "--plot", tmp_path / "one.png").code == 0
    assert (tmp_path / "one.png").exists()


# ---------------------------------------------------------------------------------------------- sources


def test_describe_draws_sources(tmp_path: Path) -> None:
    assert run("describe", "example:stencil7.c", "-D", "n=20", "--plot", tmp_path / "d.svg").code == 0
    text = (tmp_path / "d.svg").read_text()
    assert text.startswith("<?xml")
    described = foretell.describe("example:stencil7.c")
    assert isinstance(described, foretell.Description)
    answers.loops(described, tmp_path / "symbolic.png")
    with pytest.raises(InputError, match="nothing to draw"):
        answers.loops(replace(described, facts=(), workload=_without_nests(described)), tmp_path / "none.png")


def _without_nests(described: foretell.Description) -> foretell.Workload:
    (loops,) = described.workload.facets
    return replace(described.workload, facets=(replace(loops, nests=()),))  # type: ignore[call-arg]
