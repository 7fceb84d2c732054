"""What the SW26010 model does at its edges, and the advice it gives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import foretell
from foretell.core.columns.expression import Expression, constant
from foretell.core.facets.offload import Chunk, Decomposition, Instructions, Offload, Request
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.models.sunway import SunwayModel
from foretell.uses.tuning.annotated import Job, tune
from tests.support.models.sunway import kernel, machine

if TYPE_CHECKING:
    from foretell.core.answers.answers import Advice


GROUPS = {"overlap": "virtual_groups"}


def advise(workload: Workload, options: dict[str, str] | None = None, **values: float) -> dict[str, Advice]:
    case = foretell.prepare(workload, machine(**values), options=options)
    return {item.title: item for item in case.model.advise(case.workload, case.machine, case.settings)}


def test_no_request_of_a_kind_costs_nothing_and_has_no_groups() -> None:
    details = foretell.predict(kernel(cycles=1000), machine()).details
    assert (details["T_DMA_cycles"], details["T_g_cycles"]) == (0, 0)
    assert details["DMA"] == {"requests": 0, "avg_MRT": None, "MRP": None, "NG": None, "bytes_B": 0, "efficiency": None}


def test_efficiency_counts_the_waste_of_a_transaction() -> None:
    details = foretell.predict(kernel(dma=[(64, 4)], gloads=10), machine()).details
    assert details["DMA"]["efficiency"] == pytest.approx(64 / 256)
    assert details["Gload"]["efficiency"] == pytest.approx(0.125)


def test_slow_memory_clamps_the_group_to_one_request() -> None:
    details = foretell.predict(kernel(dma=[(65536, 4)]), machine(memory__bandwidth=1e9)).details
    assert (details["DMA"]["MRP"], details["DMA"]["NG"]) == (1, 64)


def test_rounding_to_the_nearest_request() -> None:
    found = [
        foretell.predict(kernel(dma=[(size, 4)]), machine(), options={"mrp_rounding": "round"}).details["DMA"]["NG"]
        for size in (8192, 16384, 32768)
    ]
    assert found == [13, 13, 16]  # the table of section 1.3


def test_core_groups_apart_keep_the_groups_of_one() -> None:
    on = machine(cores__count=128, cores__groups=2)
    workload = kernel(cores=128, dma=[(48 * 256, 16)])
    together = foretell.predict(workload, on)
    apart = foretell.predict(workload, on, options={"core_groups": "apart"})
    assert (together.details["DMA"]["NG"], apart.details["DMA"]["NG"]) == (15, 16)  # SW-13
    assert together.details["T_DMA_cycles"] == pytest.approx(apart.details["T_DMA_cycles"])


def test_an_offset_costs_a_further_transaction() -> None:
    def transactions(offset: int) -> float:
        request = Request("in", (Chunk(constant(256), constant(1), constant(offset)),))
        offload = Offload(Decomposition(cores=constant(64)), dma=(request,))
        return foretell.predict(Workload("w", (offload,)), machine()).details["DMA"]["avg_MRT"]

    assert [transactions(offset) for offset in (0, 1, 255, 256)] == [1, 2, 2, 1]


def test_double_buffering_hides_the_first_group_consistently() -> None:
    plain = foretell.predict(kernel(dma=[(4096, 64)], cycles=1e7), machine(), options=GROUPS)
    buffered = foretell.predict(kernel(dma=[(4096, 64)], cycles=1e7, double_buffer=True), machine(), options=GROUPS)
    groups, t_dma = plain.details["DMA"]["NG"], plain.details["T_DMA_cycles"]
    expected = (1 - 1 / 64) * t_dma / groups  # SW-10
    assert plain.details["T_total_cycles"] - buffered.details["T_total_cycles"] == pytest.approx(expected)
    literal = foretell.predict(kernel(dma=[(4096, 64)], cycles=1e7, double_buffer=True), machine(), mode="paper")
    assert literal.details["double_buffer_saving_cycles"] == pytest.approx(t_dma / groups)  # (14)


def test_the_scratchpad_check() -> None:
    two_buffers = replace(kernel(double_buffer=True, dma=[(1, 1)]).facets[0], scratchpad_bytes=constant(40_000))
    with pytest.raises(InputError, match=r"78.125 KiB of scratchpad, one core has 64 KiB \(SW-12\)"):
        foretell.predict(Workload("w", (two_buffers,)), machine())
    flagged = foretell.predict(Workload("w", (two_buffers,)), machine(), options={"scratchpad": "flag"})
    assert any("SW-12" in note for note in flagged.assumptions)
    # Without given bytes one buffer a request is assumed: too many of them are flagged, one that cannot fit is refused.
    guessed = replace(kernel(dma=[(40_000, 2), (40_000, 2)]).facets[0], scratchpad_bytes=None)
    assert any("SW-12" in note for note in foretell.predict(Workload("w", (guessed,)), machine()).assumptions)
    impossible = replace(kernel(dma=[(70_000, 2)]).facets[0], scratchpad_bytes=None)
    with pytest.raises(InputError, match="SW-12"):
        foretell.predict(Workload("w", (impossible,)), machine())


def test_compute_is_latency_bound_until_the_pipeline_is_full() -> None:
    def limit(ilp: float) -> str:
        return foretell.predict(kernel(floating=1000, ilp=ilp), machine()).bottleneck.limit

    assert (limit(2), limit(8)) == ("latency", "throughput")
    assert foretell.predict(kernel(cycles=1000), machine()).bottleneck.limit == "throughput"
    notes = foretell.predict(kernel(floating=1000, ilp=9), machine()).assumptions
    assert any("avg_ILP 9 exceeds" in note for note in notes)


def test_granularity_advice_finds_the_interior_optimum() -> None:
    """256 KiB per core: the overlap is largest between 4 and 6 KiB (SW-9), not at the smallest request."""
    advice = advise(kernel(dma=[(65536, 4)], cycles=1e8))["DMA granularity"]
    best = min(advice.curve, key=lambda point: point[1])[0]
    assert 4096 <= best <= 6144
    assert advice.saving_s > 0
    assert advice.estimate_by == "Eq. 13"
    direct = foretell.predict(kernel(dma=[(best, 262144 / best)], cycles=1e8), machine()).time_s
    assert advice.time_s == pytest.approx(direct, rel=1e-12)


def test_granularity_advice_keeps_what_is_best_and_what_fits() -> None:
    kept = advise(kernel(dma=[(262144 / 47, 47)], cycles=1e8), GROUPS)["DMA granularity"]
    assert (kept.saving_s, kept.note, kept.curve_label) == (0, "already best", "bytes per DMA request")
    big = replace(kernel(dma=[(4096, 100)], cycles=100).facets[0], scratchpad_bytes=constant(4096))
    curve = advise(Workload("w", (big,)))["DMA granularity"].curve
    assert max(size for size, _ in curve) <= 65536


def test_strided_requests_move_fewer_pieces_before_shorter_ones() -> None:
    strided = Request("columns", (Chunk(constant(256), constant(64)),), constant(10))
    offload = Offload(Decomposition(cores=constant(64)), dma=(strided,), scratchpad_bytes=constant(0))
    workload = replace(kernel(cycles=1e7), facets=(replace(offload, blocks=kernel(cycles=1e7).facets[0].blocks),))
    advice = advise(workload)["DMA granularity"]
    assert advice.saving_s > 0
    sizes = [size for size, _ in advice.curve]
    assert min(sizes) == pytest.approx(256)  # one piece a request


def test_double_buffer_advice_says_when_it_does_not_fit() -> None:
    plain = kernel(dma=[(40_000, 20)], cycles=1e6)
    fits = replace(plain.facets[0], scratchpad_bytes=constant(20_000))
    assert advise(Workload("w", (fits,)))["double buffering"].feasible
    tight = replace(plain.facets[0], scratchpad_bytes=constant(40_000))
    advice = advise(Workload("w", (tight,)))["double buffering"]
    assert not advice.feasible
    assert "78.125 KiB" in advice.note
    assert "double buffering" not in advise(kernel(dma=[(4096, 4)], cycles=1e6, double_buffer=True))


def test_fewer_cores_win_where_transactions_are_wasted() -> None:
    """A memory-bound kernel whose request per core is smaller than a transaction (Section IV-3, SW-11)."""
    shared = Offload(
        Decomposition(cores=Expression("P")),
        dma=(Request("column", (Chunk(Expression("8192/P")),), constant(1000)),),
        instructions=Instructions(floating=Expression("64000/P"), ilp=constant(4)),
        scratchpad_bytes=constant(0),
    )
    advice = advise(Workload("dynamics", (shared,), {"P": 64.0}))["active cores"]
    assert advice.action == "use 32 cores instead of 64"  # 8192/32 = 256: the smallest request without waste
    assert advice.estimate_by == "Eq. 15"
    assert advice.estimate_s is not None


def test_active_cores_follow_the_decomposition_or_are_scaled() -> None:
    rows = Offload(
        Decomposition(cores=constant(48), extent=constant(96)),
        dma=(Request("row", (Chunk(constant(4096)),), Expression("chunks_per_core")),),
        instructions=Instructions(floating=Expression("1e5*chunks_per_core"), ilp=constant(1)),
        scratchpad_bytes=constant(0),
    )
    kept = advise(Workload("rows", (rows,)), GROUPS)["active cores"]
    assert kept.action == "keep 48 active cores"  # 64 cores would still need two rounds
    scaled = advise(kernel(cores=32, cycles=1e6, dma=[(4096, 2)]))["active cores"]
    assert scaled.action == "use 64 cores instead of 32"
    assert scaled.estimate_s is None
    assert "keep their size" in scaled.note


def test_advice_is_ranked_by_what_the_model_saves() -> None:
    case = foretell.prepare("example:n-body", "sw26010")
    savings = [item.saving_s for item in case.model.advise(case.workload, case.machine, case.settings)]
    assert savings == sorted(savings, reverse=True)
    one_core = machine(cores__count=1, cores__per_group=1)
    prepared = foretell.prepare(kernel(cores=1, cycles=5), one_core)
    assert prepared.model.advise(prepared.workload, prepared.machine, prepared.settings) == ()


def test_a_machine_without_the_numbers_is_refused_by_name() -> None:
    bare = replace(machine(), quantities={}, missing={"memory.latency": "nobody measured it"})
    with pytest.raises(
        InputError, match=r"(?s)memory.latency: load-to-use latency of main memory \(nobody measured it\)"
    ):
        foretell.predict(kernel(cycles=1), bare)


def test_sweeps_check_their_columns() -> None:
    case = foretell.prepare("example:vector-add", "sw26010")
    with pytest.raises(InputError, match=r"does not depend on 'level.L1.size'"):
        foretell.sweep(case, {"level.L1.size": np.ones(3)})
    with pytest.raises(InputError, match="has no parameter 'M'"):
        foretell.sweep(case, {"M": np.ones(3)})
    with pytest.raises(InputError, match="different lengths: 2, 3"):
        foretell.sweep(case, {"N": np.full(2, 64.0), "memory.bandwidth": np.full(3, 32e9)})
    for wrong in (np.nan, np.inf, 0.0, -1.0):
        with pytest.raises(InputError, match="not finite and positive"):
            foretell.sweep(case, {"memory.bandwidth": [32e9, wrong]})
    guessed = foretell.prepare(
        Workload("w", (replace(kernel(dma=[(1, 1)]).facets[0], scratchpad_bytes=None),)), machine()
    )
    assert np.isinf(foretell.sweep(guessed, {"scratchpad.size": np.array([0.5, 2.0])})).tolist() == [True, False]


def test_what_was_followed_round_by_round_is_simulated_now() -> None:
    with pytest.raises(InputError, match=r'replaced by the simulator\n  options=\{"overlap": "simulated"\}'):
        foretell.predict(kernel(cycles=1), machine(), options={"overlap": "rounds"})


def test_what_takes_too_long_to_simulate_says_so() -> None:
    """One request of 4 * 10^9 transactions has no rounds that could repeat: the closed form. Rounds that never repeat:
    their average."""
    endless = kernel(dma=[(1e12, 1)])
    found = foretell.predict(endless, machine())
    assert found.time_s == foretell.predict(endless, machine(), options={"overlap": "queue"}).time_s
    assert any("too many transactions to simulate" in note for note in found.assumptions)
    sizes = {"n": 4096.0, "m": 1024.0}
    many = foretell.predict("example:cfd-flux.c", "sw26010", parameters=sizes)
    assert any("simulated in part" in note for note in many.assumptions)


def test_options_change_what_is_simulated() -> None:
    """Divides that overlap, pieces that share transactions, and each core group by itself."""
    divides = kernel(divsqrt=1000, ilp=2)
    times = [
        foretell.predict(divides, machine(), options={"divide": how}).time_s for how in ("unpipelined", "pipelined")
    ]
    assert times[0] == pytest.approx(2 * times[1])
    strided = Request("in", (Chunk(constant(64), constant(8)),), constant(100))
    pieces = Workload("w", (Offload(Decomposition(cores=constant(64)), dma=(strided,)),))
    times = [
        foretell.predict(pieces, machine(), options={"transactions": how}).time_s
        for how in ("per_chunk", "per_request")
    ]
    assert times[0] == pytest.approx(4 * times[1], rel=0.01)
    chip = machine(cores__count=256, cores__groups=4)
    apart = foretell.predict(kernel(cores=256, dma=[(4096, 16)]), chip, options={"core_groups": "apart"})
    assert apart.time_s == foretell.predict(kernel(cores=64, dma=[(4096, 16)]), machine()).time_s


def test_every_option_has_choices_that_hold_its_defaults() -> None:
    for option in SunwayModel.options:
        assert option.default in option.choices
        assert option.paper in option.choices


def test_very_many_points_take_the_closed_form() -> None:
    """More than 500 points of a sweep or of an exploration; fewer are the predictions themselves."""
    case = foretell.prepare("example:vector-add", "sw26010")
    quick = foretell.prepare("example:vector-add", "sw26010", options={"overlap": "queue"})
    bandwidths = np.linspace(20e9, 40e9, 501)
    many = foretell.sweep(case, {"memory.bandwidth": bandwidths})
    assert np.array_equal(many, foretell.sweep(quick, {"memory.bandwidth": bandwidths}))
    few = foretell.sweep(case, {"memory.bandwidth": bandwidths[:20]})
    assert not np.array_equal(few, many[:20])
    assert np.allclose(few, many[:20], rtol=0.01)
    grouped = foretell.prepare("example:vector-add", "sw26010", options={"overlap": "virtual_groups"})
    assert grouped.for_many() == grouped


def test_tuning_looks_again_at_the_best_variants() -> None:
    """All variants in closed form, the best as it is predicted."""
    sizes = {"n": 512.0, "m": 512.0}
    case = foretell.prepare("example:hotspot.c", "sw26010", parameters=sizes)
    found = tune(case, case.model.search_space(case.workload, case.machine), Job("static"))
    best = min((v for v in found.variants if not v.reason), key=lambda v: v.predicted_s or 0.0)
    exact = foretell.predict(case.workload, case.machine, parameters={**sizes, **best.parameters})
    assert best.predicted_s == exact.time_s


def test_less_than_one_core_in_a_group_is_refused() -> None:
    with pytest.raises(InputError, match="not a whole number"):
        foretell.predict("example:vector-add", "sw26010", set={"cores.per_group": 0.5})
