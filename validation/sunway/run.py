"""Closed forms against the simulator on the annotated kernels: `python validation/sunway/run.py` writes results.md
and points.csv.

Sections: accuracy over kernels and configurations, static against dynamic tuning, double buffering, random kernels, the
interior optimum of the DMA granularity, fewer cores that win, more core groups.
"""

from __future__ import annotations

import csv
import itertools
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

import unseen

import foretell
from foretell import machines
from foretell.core.facets.offload import Offload
from foretell.errors import InputError
from foretell.models.sunway.simulator import simulate
from foretell.uses.tuning.annotated import Job, tune

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.api import Case
    from foretell.core.answers.answers import Advice
    from foretell.core.workload import Workload

HERE = Path(__file__).parent
CLOSED = {"overlap": "queue"}
TITLE = """# SW26010: closed forms against the simulator

Written by `python validation/sunway/run.py`; cases in `cases.toml`. *Predicted* is the closed form of the queue
(`overlap=queue`), which sweeps of many points take, and *paper mode* the equations of the paper. *Simulated* is the
default mode. All three are of one abstraction of the machine: their agreement says nothing about the hardware."""


def main() -> None:
    """Writes both files; the names of kernels as arguments take only those."""
    cases = tomllib.loads((HERE / "cases.toml").read_text())
    tuning = cases.pop("tuning")
    wanted = set(sys.argv[1:])
    chosen = {name: case for name, case in cases.items() if not wanted or name in wanted}
    points = [point for name, case in chosen.items() for point in compared(name, case)]
    with (HERE / "points.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(points[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(points)
    sections = [
        accuracy(points),
        tuned({name: sizes for name, sizes in tuning.items() if not wanted or name in wanted}),
        buffering(points),
        random_kernels(),
        granularity(),
        fewer_cores(),
        core_groups(),
    ]
    title = TITLE
    (HERE / "results.md").write_text("\n\n".join([title, *sections]) + "\n")


def prepared(kernel: str, parameters: dict[str, float], machine: str = "sw26010") -> Case:
    return foretell.prepare(f"example:{kernel}.c", machine, parameters=parameters)


def closed_form(case: Case) -> float:
    return case.for_many().predict().time_s


def compared(kernel: str, case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for every configuration that fits: simulated, in closed form and in paper mode, and with two buffers."""
    irregular = case.pop("irregular", False)
    base = prepared(kernel, {})
    for values in itertools.product(*case.values()):
        parameters = dict(zip(case, map(float, values), strict=True))
        here = foretell.prepare(base.workload, base.machine, parameters=parameters, options=CLOSED)
        paper = foretell.prepare(base.workload, base.machine, parameters=parameters, mode="paper")
        try:
            predicted = here.predict()
        except InputError:
            continue
        double = buffered(here)
        yield {
            "kernel": kernel,
            "irregular": irregular,
            "configuration": " ".join(f"{name}={value:g}" for name, value in parameters.items()),
            "predicted_s": predicted.time_s,
            "simulated_s": simulate(here.workload, here.machine).time_s,
            "paper_s": paper.predict().time_s,
            "predicted_double_s": "" if double is None else double[0],
            "simulated_double_s": "" if double is None else double[1],
        }


def buffered(case: Case) -> tuple[float, float] | None:
    """Predicted and simulated time with two buffers, where they fit."""
    facets = tuple(
        replace(facet, double_buffer=True) if isinstance(facet, Offload) else facet for facet in case.workload.facets
    )
    double = replace(case, workload=replace(case.workload, facets=facets))
    try:
        return double.predict().time_s, simulate(double.workload, double.machine).time_s
    except InputError:
        return None


def error(point: dict[str, Any], key: str = "predicted_s") -> float:
    return abs(float(point[key]) / float(point["simulated_s"]) - 1)


def accuracy(points: list[dict[str, Any]]) -> str:
    lines = [
        "## Accuracy",
        "",
        "| kernel | configurations | mean | largest | paper mode: mean | largest |",
        "|---|---|---|---|---|---|",
    ]
    for kernel, group in itertools.groupby(points, key=lambda point: point["kernel"]):
        lines.append(_row(kernel, list(group)))
    for name, irregular in (("all regular", False), ("all irregular", True)):
        group = [point for point in points if point["irregular"] == irregular]
        lines += [_row(f"**{name}**", group)] if group else []
    lines.append(_row("**all**", points))
    return "\n".join(lines)


def _row(name: str, group: list[dict[str, Any]]) -> str:
    own, paper = [error(point) for point in group], [error(point, "paper_s") for point in group]
    return f"| {name} | {len(group)} | {fmean(own):.2%} | {max(own):.2%} | {fmean(paper):.1%} | {max(paper):.1%} |"


def tuned(kernels: dict[str, dict[str, float]]) -> str:
    """Every variant predicted and every one simulated; the times are CPU seconds of one process."""
    lines = [
        "## Static against dynamic tuning",
        "",
        "Static: every variant in closed form, then the best simulated (`tune` looks again at 16 to 64 of them).",
        "Dynamic: every variant simulated. Code generation and scheduling are in the static time. Speed-up over the",
        "kernel as it is written.",
        "",
        "| kernel | size | variants | that fit | speed-up static | dynamic | loss | static CPU | dynamic CPU | ratio |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for kernel, sizes in kernels.items():
        case = prepared(kernel, {name: float(size) for name, size in sizes.items()})
        found = tune(case, case.model.search_space(case.workload, case.machine), Job("dynamic"))
        able = [variant for variant in found.variants if not variant.reason]
        static = min(able, key=lambda variant: variant.predicted_s or 0.0)
        before = found.default.judged_s or float("nan")
        lines.append(
            f"| {kernel} | {', '.join(f'{name}={size}' for name, size in sizes.items())} | {len(found.variants)} "
            f"| {len(able)} | {before / (static.judged_s or 1):.2f} | {before / (found.best.judged_s or 1):.2f} "
            f"| {found.loss:.2%} | {found.static_cpu_s:.2f} s | {found.judge_cpu_s:.1f} s "
            f"| {found.judge_cpu_s / found.static_cpu_s:.0f} |"
        )
    return "\n".join(lines)


def buffering(points: list[dict[str, Any]]) -> str:
    """What two buffers gain, predicted and simulated: the ratio of both times, and the saving where there is one."""
    lines = [
        "## Double buffering",
        "",
        "*Gain* is the time with one buffer over that with two, in every configuration where two fit. *Saving* is the",
        "difference of the two times, in configurations where the simulator saves at least 1 % (below that an error",
        "of a thousandth of the time is a tenth of the saving): how far the predicted saving is from the simulated",
        "one, in parts of the saving and in parts of the time.",
        "",
        "| kernel | configurations | largest gain | error of the gain: mean | largest | with a saving "
        "| saving: median error | mean | largest | within 5 % | of the time: mean | largest |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    fitting = [point for point in points if point["predicted_double_s"] != ""]
    for kernel, group in itertools.groupby(fitting, key=lambda point: point["kernel"]):
        lines.append(_buffer_row(kernel, list(group)))
    return "\n".join([*lines, _buffer_row("**all**", fitting)])


def _buffer_row(name: str, group: list[dict[str, Any]]) -> str:
    gains = [point["simulated_s"] / point["simulated_double_s"] for point in group]
    errors = [
        abs(point["predicted_s"] / point["predicted_double_s"] / gain - 1)
        for point, gain in zip(group, gains, strict=True)
    ]
    savings = [
        (point["simulated_s"], point["simulated_s"] - point["simulated_double_s"], _apart(point))
        for point in group
        if point["simulated_double_s"] < 0.99 * point["simulated_s"]
    ]
    cells = ["–"] * 6
    if savings:
        own, of_time = [apart / saved for _, saved, apart in savings], [apart / t for t, _, apart in savings]
        near = sum(error <= 0.05 for error in own)
        cells = [f"{median(own):.1%}", f"{fmean(own):.1%}", f"{max(own):.1%}", str(near)]
        cells += [f"{fmean(of_time):.2%}", f"{max(of_time):.2%}"]
    first = [name, str(len(group)), f"{max(gains):.3f}", f"{fmean(errors):.2%}", f"{max(errors):.2%}"]
    return f"| {' | '.join([*first, str(len(savings)), *cells])} |"


def _apart(point: dict[str, Any]) -> float:
    """How far the predicted saving is from the simulated one."""
    predicted = point["predicted_s"] - point["predicted_double_s"]
    simulated = point["simulated_s"] - point["simulated_double_s"]
    return float(abs(predicted - simulated))


def random_kernels() -> str:
    """Kernels drawn at random: the time with one buffer and with two, and the saving."""
    lines = [
        "## Random kernels",
        "",
        "500 kernels of `unseen.py` (seed 2026), with one buffer and with two: error of the time, and of the saving",
        "where it is at least 1 % of the time, all in closed form.",
        "",
        "| kernels | number | one buffer: mean | largest | two: mean | largest | with a saving | saving: median error "
        "| mean | within 5 % |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    points = [_simulated(kernel) for kernel in unseen.kernels(2026, 500)]
    for name, chosen in (
        ("more than 20 cores, no Gloads", lambda point: point["cores"] > 20 and not point["loads"]),
        ("up to 20 cores, no Gloads", lambda point: point["cores"] <= 20 and not point["loads"]),
        ("with Gloads", lambda point: point["loads"]),
        ("**all**", lambda _: True),
    ):
        lines.append(_random_row(name, [point for point in points if chosen(point)]))
    return "\n".join(lines)


def _simulated(kernel: Workload) -> dict[str, Any]:
    machine, both = machines.load("sw26010"), (kernel, unseen.doubled(kernel))
    runs = [simulate(one, machine) for one in both]
    loads = bool(kernel.facet(Offload).gload)
    return {
        "cores": len(runs[0].finished_s),
        "loads": loads,
        "simulated": [run.time_s for run in runs],
        "predicted": [foretell.predict(one, machine, options=CLOSED).time_s for one in both],
    }


def _random_row(name: str, group: list[dict[str, Any]]) -> str:
    cells = [name, str(len(group))]
    for side in (0, 1):
        errors = [abs(point["predicted"][side] / point["simulated"][side] - 1) for point in group]
        cells += [f"{fmean(errors):.2%}", f"{max(errors):.1%}"]
    savings = []
    for point in group:
        saved = point["simulated"][0] - point["simulated"][1]
        if saved > 0.01 * point["simulated"][0]:
            savings.append(abs((point["predicted"][0] - point["predicted"][1]) / saved - 1))
    near = sum(error <= 0.05 for error in savings)
    cells += [str(len(savings)), f"{median(savings):.1%}", f"{fmean(savings):.1%}", str(near)]
    return f"| {' | '.join(cells)} |"


def advice(case: Case, title: str) -> Advice:
    found = case.model.advise(case.workload, case.machine, case.settings)
    return next(item for item in found if item.title == title)


def granularity() -> str:
    """Fig. 7a: the same data per core in more, smaller requests: tiles of k-means with 256 points for every core."""
    lines = [
        "## DMA granularity (Fig. 7)",
        "",
        "k-means with 256 points of 32 coordinates for every core, in requests of so many points.",
        "",
        "| points a request | predicted | simulated |",
        "|---|---|---|",
    ]
    times = {}
    for points in (1, 2, 4, 8, 16, 32, 64, 128, 256):
        case = prepared("k-means", {"n": 16384, "k": 8, "d": 32, "tile_i": points, "unroll_f": 16})
        times[points] = closed_form(case), simulate(case.workload, case.machine).time_s
        lines.append(f"| {points} | {times[points][0]:.4e} s | {times[points][1]:.4e} s |")
    best = [min(times, key=lambda points: times[points][side]) for side in (0, 1)]
    lines += ["", f"Best: {best[0]} predicted, {best[1]} simulated."]
    lines += ["", "More data per core in requests of 256 points (Fig. 7b), time for each 256:", ""]
    lines += ["| times 256 points | predicted | simulated |", "|---|---|---|"]
    for partitions in (1, 2, 4, 8, 16):
        sizes = {"n": 16384 * partitions, "k": 8, "d": 32, "tile_i": 256, "unroll_f": 16}
        case = prepared("k-means", sizes)
        pair = closed_form(case) / partitions, simulate(case.workload, case.machine).time_s / partitions
        lines.append(f"| {partitions} | {pair[0]:.4e} s | {pair[1]:.4e} s |")
    return "\n".join(lines)


def fewer_cores() -> str:
    """Figs. 9 and 10: dynamics shares rows of 1024 points; more cores have shorter pieces than a transaction."""
    lines = [
        "## Active cores (Figs. 9, 10)",
        "",
        "`dynamics` (memory-bound) and `physics` (compute-bound), the same work on more cores; one core group up to",
        "64, four groups beyond. The simulated time of the slowest core: computing, waiting for DMA.",
        "",
        "| kernel | cores | predicted | simulated | computing | waiting for DMA |",
        "|---|---|---|---|---|---|",
    ]
    for kernel, sizes, variable in (
        ("dynamics", {"levels": 64, "n": 1024, "tile_k": 16, "unroll_k": 8}, "n"),
        ("physics", {"columns": 4096, "levels": 32}, "columns"),
    ):
        for cores in (1, 2, 4, 8, 16, 32, 64, 128, 256):
            tile = "tile_i"
            parameters = {**sizes, tile: max(1, sizes[variable] // cores) if kernel == "dynamics" else 4}
            case = prepared(kernel, parameters, "sw26010" if cores <= 64 else "sw26010-chip")
            case = with_cores(case, cores)
            try:
                predicted = closed_form(case)
            except InputError:
                continue
            run = simulate(case.workload, case.machine)
            lines.append(
                f"| {kernel} | {cores} | {predicted:.4e} s | {run.time_s:.4e} s | {run.compute_s:.3e} s "
                f"| {run.dma_wait_s:.3e} s |"
            )
    return "\n".join(lines)


def with_cores(case: Case, cores: int) -> Case:
    from foretell.models.sunway.variants import on_cores

    return replace(case, workload=on_cores(case.workload, float(cores)))


def core_groups() -> str:
    lines = ["## More core groups", "", "| kernel | groups | predicted | simulated |", "|---|---|---|---|"]
    for kernel, sizes in (
        ("vector-add", {"n": 2048, "m": 512}),
        ("hotspot", {"n": 1026, "m": 512}),
        ("physics", {"columns": 4096, "levels": 32}),
    ):
        found = advice(prepared(kernel, {name: float(size) for name, size in sizes.items()}), "core groups")
        for point in found.confirmed:
            lines.append(f"| {kernel} | {point.x:g} | {point.predicted_s:.4e} s | {point.simulated_s:.4e} s |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
