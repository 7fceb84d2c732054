"""Atomics on global memory: slices of L2, hot words, vectors, positions drawn from counters."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from foretell import files
from foretell.api import predict
from foretell.characterize.gpu.functional import DRAWN
from foretell.core.gpu.warps import Warps
from foretell.core.workload import Workload
from foretell.frontends.gpu.launch import parse_launch, read_launches
from foretell.frontends.gpu.workload import read_workload
from foretell.machines import load
from foretell.models.gpu.multiprocessor import HotLine, multiprocessor, slice_of
from tests.support.frontends.cubins import kernel_of

MEASURED = Path(__file__).parents[4] / "validation" / "h200"
_RATES = [json.loads(line) for line in files.read_text(MEASURED / "micro" / "rates.jsonl").splitlines()]
_LINE_WORDS, _LANES = 32, 32
SLICES = round(load("h200").value("atomic.l2_slices"))


@pytest.mark.parametrize("power", range(14))
def test_slices_give_the_measured_rates_of_neighbouring_lines(power: int) -> None:
    """`atomic.slices` of the H200 was measured, not derived: lines spread over 96 slices by pairs give it."""
    measured = load("h200").numbers("atomic.slices")[power]
    lines, rates = 1 << power, []
    for start in range(0, 40 << 20, 1 << 20):
        loads = Counter(slice_of(start + line, SLICES) for line in range(lines))
        rates.append(lines / max(loads.values()))
        if lines > 512 and len(rates) == 4:
            break
    assert np.mean(rates) == pytest.approx(measured, rel=0.4)


def _updated(words: int, power: int) -> tuple[float, tuple[HotLine, ...]]:
    """Passes of a warp, and hot lines, of random words u ** power * words (`touch` of rates.cu)."""
    lanes = (np.random.default_rng(0).random((4096, _LANES)) ** power * words).astype(np.int64)
    passes: Counter[int] = Counter()
    for warp in lanes:
        distinct, counts = np.unique(warp, return_counts=True)
        for sector in np.unique(distinct // 8):
            passes[int(sector) // 4] += int(counts[distinct // 8 == sector].max())
    total = sum(passes.values())
    by_word = Counter(lanes.ravel().tolist())
    hot = [
        HotLine(line, count / total, max(by_word[line * _LINE_WORDS + word] for word in range(_LINE_WORDS)) / total)
        for line, count in passes.items()
        if count >= 32 and count > 3 * total / min(words / _LINE_WORDS, len(passes))
    ]
    return total / len(lanes), tuple(hot)


@pytest.mark.parametrize("kind", ["red int", "red float"])
@pytest.mark.parametrize(("words", "power"), [(1024, 4), (8192, 4), (65536, 2), (65536, 4), (1 << 20, 2), (1 << 20, 4)])
def test_words_of_different_frequency(kind: str, words: int, power: int) -> None:
    measured = next(
        row["s"] for row in _RATES if (row.get("touch"), row.get("words"), row.get("power")) == (kind, words, power)
    )
    there = multiprocessor(load("h200"), share=132, writes=0.0, far_share=0.0)
    passes, hot = _updated(words, power)
    lines = words / _LINE_WORDS
    cycles = there.atomic_cycles(passes, 2.0, lines, 132, floating=kind == "red float", hot=hot) / 132
    assert cycles * 4325376 / _LANES / 1.98e9 == pytest.approx(measured, rel=0.25)


def test_hot_lines_of_other_slices_do_not_wait_for_each_other() -> None:
    there = multiprocessor(load("h200"), share=132, writes=0.0, far_share=0.0)
    apart = next(line for line in range(8, 10_000, 8) if slice_of(line, SLICES) != slice_of(0, SLICES))

    def cycles(*numbers: int) -> float:
        hot = tuple(HotLine(number, 0.2, 0.2) for number in numbers)
        return there.atomic_cycles(32, 2.0, 2048, 132, floating=False, hot=hot)

    assert cycles(0, apart) < cycles(0) < cycles(0, 1)


def _workload(folder: str, name: str) -> Workload:
    launch = next(launch for launch in read_launches(MEASURED / folder / "cases.toml") if launch.name == name)
    return read_workload(MEASURED / folder / f"{launch.kernel}.sass.xz", launch)


def _counted(folder: str, name: str) -> tuple[float, float]:
    """Sectors of global memory that are predicted, and Nsight Compute's."""
    counters = predict(_workload(folder, name), "h200").details["counters"]
    assert isinstance(counters, dict)
    sectors = counters["global_sectors"]
    assert isinstance(sectors, float)
    recorded = files.read_text(MEASURED / f"{folder}.toml").split(f'[case."{name}"]')[1].split("\n\n")[0]
    return sectors, float(recorded.split("global_sectors = ")[1].split(",")[0])


def test_vectors_of_halves_have_their_sectors() -> None:
    predicted, counted = _counted("gpu-layers", "t_split/1024")
    assert predicted == pytest.approx(counted, rel=0.02)


def test_positions_that_blocks_draw_follow_each_other() -> None:
    """Each block stores what it keeps from where a counter in global memory was."""
    predicted, counted = _counted("gpu-layers", "r_append_block/256K")
    assert predicted == pytest.approx(counted, rel=0.05)
    assert DRAWN in predict(_workload("gpu-layers", "r_append_block/256K"), "h200").assumptions


def test_a_chain_of_atomics_takes_the_mean_of_near_and_far_words() -> None:
    """The probe's chain took 526.5 cycles a round, on a word of the farther partition of L2; another, with 39 cycles
    more of other instructions, took 327 on a nearer word (fences.jsonl, atomic_chain). Which are near is not known."""

    def cycles(rounds: int) -> float:
        launch = parse_launch("chained_atomics", "1", "1", ["u32[32]", str(rounds), "u32[32]"])
        facet = Warps(kernel_of("memory_sm90.cubin", "chained_atomics"), launch)
        found = predict(Workload("chain", (facet,), origin="a test", input_hash=""), "h200").details["cycles"]
        assert isinstance(found, float)
        return found

    probe = json.loads(files.read_text(MEASURED / "probe-2026-11-15-1.json"))["measurements"]
    far = next(item["value"] for item in probe if item["name"] == "atomic.latency")
    fences = map(json.loads, files.read_text(MEASURED / "micro" / "fences.jsonl.xz").splitlines())
    near = next(line["cycles"] for line in fences if line.get("atomic_chain") == 1) - 39
    assert (cycles(1024) - cycles(512)) / 512 == pytest.approx((far + near) / 2, rel=0.03)
