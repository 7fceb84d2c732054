"""Mechanisms that everyday launches showed on an H200: validation/h200/everyday, and micro/rates.cu."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from functools import cache

import pytest

from foretell import files
from foretell.api import predict
from foretell.core.gpu.launch import Override
from foretell.core.gpu.warps import Warps
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.frontends.gpu.binary.cubin import _described
from foretell.frontends.gpu.sass import listing
from foretell.machines import load
from foretell.models.gpu.block_sampling import with_numbers
from foretell.models.gpu.cache_levels import L2
from foretell.models.gpu.launched import _dispatched
from foretell.models.gpu.multiprocessor import far_share, l2_rate, multiprocessor
from foretell.uses import validate
from tests.unit.models.gpu.test_gpu_mechanisms import MEASURED

_RATES = [json.loads(line) for line in files.read_text(MEASURED / "micro" / "rates.jsonl").splitlines()]


@cache
def _case(which: str, name: str) -> validate.Recorded:
    recording = validate._open(MEASURED / f"{which}.toml")
    return validate._recorded(recording, name, recording.document["case"][name])


def _workload(which: str, name: str) -> Workload:
    workload = _case(which, name).workload
    assert isinstance(workload, Workload)
    return workload


def _counts(which: str, name: str) -> dict[str, float]:
    """Predicted over measured counts."""
    counters = predict(_workload(which, name), "h200").details["counters"]
    assert isinstance(counters, dict)
    return {key: float(counters[key]) / value for key, value in _case(which, name).counts.items() if key in counters}  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------ ordinary numbers


@pytest.mark.parametrize("name", ["phases/1.5", "phases/1e7"])
def test_slow_paths_of_the_mathematical_library_are_taken_where_they_are(name: str) -> None:
    """sin and cos of moderate and of large arguments, and fmod, whose loop has as many rounds as the exponents differ:
    the instructions are Nsight Compute's."""
    assert _counts("gpu-everyday", name)["instructions"] == pytest.approx(1, abs=1e-3)
    assert any("from 0.5 to 1.5" in note for note in predict(_workload("gpu-everyday", name), "h200").assumptions)


def test_an_equal_launch_has_no_other_numbers() -> None:
    """What was executed of it is kept: with and without ordinary numbers it must stay what it is."""
    for case, assumed in (("phases/1.5", True), ("heat_3d/448", False)):
        first, second = (_workload("gpu-everyday", case).facet(Warps) for _ in range(2))
        assert [with_numbers(facet, "full").filled for facet in (first, replace(second))] == [assumed, assumed]


def test_what_is_said_of_a_branch_holds() -> None:
    facet = _workload("gpu-everyday", "phases/1.5").facet(Warps)
    told = replace(facet, launch=replace(facet.launch, overrides=(Override(279, rounds=2),)))
    assert with_numbers(facet, "full").filled
    assert not with_numbers(told, "full").filled


# ------------------------------------------------------------------------------------------ clusters


def test_blocks_of_a_cluster_know_their_rank() -> None:
    """Each block of p_cluster_tiles fetches a half of every tile for both: with the same rank both would fetch one."""
    assert _counts("gpu-pipelines", "p_cluster_tiles/1056")["dram_bytes"] == pytest.approx(1, abs=0.05)


@pytest.mark.xfail(strict=True, reason="11 to 13 % too slow since clusters of eight blocks leave multiprocessors idle")
@pytest.mark.parametrize(("name", "most"), [("l_cluster_bins/16", 0.1), ("l_cluster_bins/128", 0.1)])
def test_shared_memory_of_other_blocks_is_farther(name: str, most: float) -> None:
    """Random updates of bins in eight blocks: as near as a block's own, they would be ten times too fast."""
    case = _case("gpu-layers", name)
    assert predict(_workload("gpu-layers", name), "h200").time_s == pytest.approx(case.measured_s, rel=most)


def test_the_ring_of_an_asynchronous_copy_is_known() -> None:
    """Its destination has an address of one register: with the next one, whatever that holds, it was not known."""
    prediction = predict(_workload("gpu-pipelines", "q_causal_64/1024"), "h200")
    assert "unknown data" not in dict(prediction.details["uncertainty"])  # type: ignore[call-overload]
    assert not any("depend on data" in note for note in prediction.assumptions)


def test_the_cluster_is_read_from_cubins_and_listings() -> None:
    attribute = struct.pack("<BBH3I", 4, 0x3D, 12, 4, 2, 1)
    assert _described(90, attribute).cluster == (4, 2, 1)
    assert _described(90, b"").cluster == (1, 1, 1)
    kernel = replace(_workload("gpu-pipelines", "p_cluster_tiles/1056").facet(Warps).kernel, cluster=(2, 1, 1))
    text = listing.write(kernel)
    assert "\ncluster 2 1 1\n" in text
    assert listing.read(text).cluster == (2, 1, 1)
    with pytest.raises(InputError, match="1 to 16 blocks"):
        listing.read(text.replace("cluster 2 1 1", "cluster 64 1 1"))


# ------------------------------------------------------------------------------------------ L2 and memory


@pytest.mark.parametrize(("mebibytes", "cycles"), [(4, 287), (8, 293), (16, 319), (32, 330)])
def test_the_other_partition_of_l2(mebibytes: int, cycles: float) -> None:
    """A pointer chase by one multiprocessor (curve.latency of the probe)."""
    machine = load("h200")
    near, far = machine.cycles("level.L2.latency"), machine.cycles("level.L2.far_latency")
    assert near + far_share(machine, mebibytes * 2**20) * (far - near) == pytest.approx(cycles, rel=0.03)


def test_launches_leave_less_in_l2_before_it_is_full() -> None:
    machine = load("h200")
    l2 = L2.of(machine, l2_rate(machine))
    assert l2.left(32 * 2**20) == 1
    assert l2.left(48 * 2**20) == 0
    assert 0.3 < l2.left(40 * 2**20) < 0.7  # in place 0.3, read 0.78
    assert l2.left_of(0.89 * l2.size) == 1


@pytest.mark.parametrize(
    "name", ["heat_3d/448", "lattice_d2q9/4096"]
)  # borders of blocks do not make sectors that are written in parts
def test_stores_of_whole_sectors_are_not_read_before(name: str) -> None:
    assert _counts("gpu-everyday", name)["dram_bytes"] == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize("name", ["move_by_digit/1024K", "move_by_digit/8192K"])
def test_ranks_that_shared_atomics_return_are_places_in_order(name: str) -> None:
    """Keys of one digit go to neighbouring words; were the ranks not known, every lane had a sector of its own."""
    assert _counts("gpu-everyday", name)["global_sectors"] == pytest.approx(1, abs=0.03)


# ------------------------------------------------------------------------------------------ launches and atomics


@pytest.mark.parametrize(("blocks", "threads"), [(1, 256), (132, 256), (264, 256), (1056, 256)])
def test_blocks_are_started_one_after_another(blocks: int, threads: int) -> None:
    machine = load("h200")
    measured = next(row["nothing_s"] for row in _RATES if (row.get("launch"), row.get("threads")) == (blocks, threads))
    start = machine.cycles("sync.block_start")
    cycles = machine.cycles("sync.back_to_back") + _dispatched(machine, blocks / 132) + start * (-(-blocks // 132) - 1)
    assert cycles / machine.value("clock.frequency") == pytest.approx(measured, rel=0.06)


@pytest.mark.parametrize(("words", "passes"), [(256, 21.9), (1024, 28.6), (8192, 31.5)])
def test_random_words_are_updated_by_the_slices_that_have_them(words: int, passes: float) -> None:
    """`passes`: expected sectors of 32 random words, and those that are updated twice."""
    there = multiprocessor(load("h200"), share=132, writes=0.0, far_share=0.0)
    measured = next(
        row["s"] for row in _RATES if (row.get("touch"), row.get("words"), row.get("power")) == ("red int", words, 1)
    )
    warps = 4325376 / 32
    cycles = there.atomic_cycles(passes, 1.5, words / 32, 132, floating=False) / 132 * warps
    assert cycles / 1.98e9 == pytest.approx(measured, rel=0.12)
