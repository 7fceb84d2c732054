"""Every SW26010 number of the specification: printed by the paper, or following from its equations."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, geometric_mean
from typing import Any

import pytest

import foretell
from foretell.core.columns.expression import Expression, constant
from foretell.core.facets.offload import Chunk, Decomposition, Offload, Request
from foretell.core.workload import Workload
from foretell.errors import InputError
from foretell.machines import load
from foretell.models.sunway import equations
from tests.support.models.sunway import kernel, machine

CASES = json.loads((Path(__file__).parent / "sunway.json").read_text())["cases"]
Case = dict[str, Any]
Check = Callable[[Case], dict[str, Any]]


def details(workload: Workload, options: dict[str, str] | None = None, **values: float) -> dict[str, Any]:
    """The paper's quantities of a prediction; values override the machine's."""
    groups = {"overlap": "virtual_groups", **(options or {})}  # the specification's equations (7)-(9)
    return dict(foretell.predict(workload, machine(**values), options=groups).details)


def machine_values(inputs: Case) -> dict[str, float]:
    names = {
        "mem_bw_Bps": "memory__bandwidth",
        "freq_hz": "clock__frequency",
        "trans_size_B": "memory__transaction",
        "delta_delay_cyc": "memory__delta_delay",
        "L_base_cyc": "memory__latency",
    }
    return {path: inputs[name] for name, path in names.items() if name in inputs}


def requests(inputs: Case) -> list[tuple[float, float]]:
    if "MRT" in inputs:
        return [(inputs["MRT"] * inputs["trans_size_B"], inputs.get("reqs", 2))]
    return [(r["MRT"] * inputs["trans_size_B"], r["count"]) for r in inputs["dma_requests_per_cpe"]]


# ---------------------------------------------------------------------------------------------- checks


def cycles_per_transaction(inputs: Case) -> dict[str, Any]:
    # 64 CPEs, one transaction each: L_mem_bw = 64 * c by (4)
    c = details(kernel(dma=[(256, 1)]), **machine_values(inputs))["T_DMA_cycles"] / 64
    return {"cycles_per_transaction": c, "bytes_per_cycle": inputs["trans_size_B"] / c}


def decomposition(inputs: Case) -> dict[str, Any]:
    inner = 1024  # the other dimension of the vector addition
    workload = Workload(
        "rows",
        (
            Offload(
                Decomposition(extent=Expression("extent"), tile=Expression("tile")),
                dma=(Request("in", (Chunk(Expression(f"8*{inner}*tile")),), Expression("chunks_per_core")),),
                scratchpad_bytes=constant(0),
            ),
        ),
        {"extent": inputs["extent"], "tile": inputs["tile"]},
    )
    found = details(workload, cores__count=inputs["cpes"])
    per_core = found["chunks_per_core"]
    return {
        "active_cpes": found["active_cores"],
        "max_chunks_per_cpe": per_core,
        "rows_per_cpe": per_core * inputs["tile"],
        "chunks": math.ceil(inputs["extent"] / inputs["tile"]),
        "copy_granularity_elems": found["DMA"]["bytes_B"] / found["DMA"]["requests"] / 8,
    }


def tile_j(inputs: Case) -> dict[str, Any]:
    # tile(j:32) changes the copy granularity, not the decomposition over i
    workload = Workload(
        "columns",
        (
            Offload(
                Decomposition(extent=constant(1024)),
                dma=(
                    Request("in", (Chunk(Expression("8*tile_j")),), Expression("chunks_per_core*inner_extent/tile_j")),
                ),
            ),
        ),
        {name: inputs[name] for name in ("inner_extent", "tile_j")},
    )
    found = details(workload)
    return {
        "copy_granularity_elems": found["DMA"]["bytes_B"] / found["DMA"]["requests"] / 8,
        "active_cpes": found["active_cores"],
    }


def spm_overflow(inputs: Case) -> dict[str, Any]:
    def predict(rows: int, **options: str) -> foretell.Prediction:
        return foretell.predict(
            "example:vector-add", "sw26010", parameters={"N": inputs["inner"], "rows": rows}, options=options
        )

    def fits(rows: int) -> bool:
        try:
            predict(rows)
        except InputError:
            return False
        return True

    assert load("sw26010").value("scratchpad.size") == inputs["spm_B"]
    return {
        "bytes_needed": predict(inputs["tile_i"], scratchpad="flag").details["scratchpad_B"],
        "fits": fits(inputs["tile_i"]),
        "largest_fitting_tile_i": max(rows for rows in range(1, 65) if fits(rows)),
    }


def transactions(inputs: Case) -> dict[str, Any]:
    found = details(kernel(cycles=1, dma=[(inputs["req_size_B"], 1)]), memory__transaction=inputs["trans_size_B"])
    return {"MRT": found["DMA"]["avg_MRT"] or 0}  # a request of no bytes is dropped


def groups(inputs: Case) -> dict[str, Any]:
    given = machine_values(inputs)
    workload = kernel(cores=inputs.get("active_cpes", 64), dma=requests(inputs))

    def ng(**options: str) -> dict[str, Any]:
        result: dict[str, Any] = details(workload, options, **given)["DMA"]
        return result

    rounding = inputs.get("mrp_rounding", "floor")
    latency = foretell.predict(kernel(cores=1, dma=[(requests(inputs)[0][0], 1)]), machine(**given))
    return {
        "L_avg": latency.details["T_DMA_cycles"],
        "MRP_real": ng(mrp_rounding="none")["MRP"],
        "MRP": ng(mrp_rounding=rounding)["MRP"],
        "NG": ng(mrp_rounding=rounding)["NG"],
        "NG_floor": ng()["NG"],
        "NG_ceil_only": ng(mrp_rounding="none")["NG"],
        "NG_real": ng(mrp_rounding="none", group_rounding="none")["NG"],
        "T_overlap": details(workload, **given)["T_overlap_cycles"],
    }


def asymptote(inputs: Case) -> dict[str, Any]:
    huge = {**inputs, "MRT": 1e12}
    return {"MRP_limit": groups(huge)["MRP_real"]}


def gload(inputs: Case) -> dict[str, Any]:
    found = [details(kernel(cores=n, gloads=1), **machine_values(inputs)) for n in inputs["active_cpes"]]
    return {
        "L_per_request_cyc": [entry["T_g_cycles"] for entry in found],
        "NG_floor": [entry["Gload"]["NG"] for entry in found],
    }


def double_buffer(inputs: Case) -> dict[str, Any]:
    overlap = inputs["T_comp_us"] + inputs["T_DMA_us"] - inputs["T_original_us"]  # (1) for the original version
    saving = equations.double_buffer_estimate(inputs["T_DMA_us"], inputs["NG_DMA"], inputs["T_comp_us"], overlap)
    return {
        "T_overlap_original_us": overlap,
        "saving_us": saving,
        "T_overlap_opt_us": overlap + saving,
        "T_opt_us": inputs["T_original_us"] - saving,
    }


def error(inputs: Case) -> dict[str, Any]:
    return {
        "error_pct": 100 * (inputs["pred_us"] - inputs["actual_us"]) / inputs["actual_us"],
        "improvement_pct": 100 * inputs["actual_us"] / inputs["original_us"],
    }


def full_model(inputs: Case) -> dict[str, Any]:
    given = machine_values(inputs)
    cores = inputs["active_cpes"]
    if cores > 64:  # several core groups: the case gives their bandwidth together (SW-13)
        given |= {"memory__bandwidth": inputs["mem_bw_Bps"] / 2, "cores__count": 128, "cores__groups": 2}
    found = details(
        kernel(cores=cores, dma=requests(inputs), gloads=inputs["g_reqs"], cycles=inputs["T_comp_cyc"]), **given
    )
    return {
        **{name: found[f"{name}_cycles"] for name in ("T_DMA", "T_g", "T_mem", "T_comp", "T_overlap", "T_total")},
        **{f"{name}_overlap": found[f"{name}_overlap_cycles"] for name in ("T_DMA", "T_g")},
        "avg_MRT": found["DMA"]["avg_MRT"],
        "NG_DMA": found["DMA"]["NG"],
        "NG_g": found["Gload"]["NG"],
    }


def equation_13(inputs: Case) -> dict[str, Any]:
    before, after, t_dma = inputs["reqs_before"], inputs["reqs_after"], inputs["T_DMA"]
    at_16 = [details(kernel(cycles=1e9, dma=[(2**20, n)])) for n in (before, after)]
    assert [entry["DMA"]["NG"] for entry in at_16] == [16, 16]
    fractions = [entry["T_DMA_overlap_cycles"] / entry["T_DMA_cycles"] for entry in at_16]
    return {
        "saving_eq13": equations.smaller_dma_estimate(before, after, t_dma),
        "saving_eq8_NG16": (fractions[1] - fractions[0]) * t_dma,
    }


def equation_15(inputs: Case) -> dict[str, Any]:
    given = inputs["fraction"], inputs["T_DMA"], inputs["T_comp"]
    return {"saving_eq15": equations.fewer_cores_estimate(*given), "saving_exact": equations.fewer_cores_exact(*given)}


def tuning_loss(inputs: Case) -> dict[str, Any]:
    return {name: 100 * (1 - entry["static"] / entry["dynamic"]) for name, entry in inputs.items()}  # SW-17


def tuning_aggregate(inputs: Case) -> dict[str, Any]:
    static, dynamic, saving = zip(*inputs.values(), strict=True)
    return {
        "geomean_static": geometric_mean(static),
        "geomean_dynamic": geometric_mean(dynamic),
        "geomean_saving": geometric_mean(saving),
        "mean_saving": fmean(saving),
    }


def tuning_hours(inputs: Case) -> dict[str, Any]:
    return {"static_h": inputs["dynamic_h"] / inputs["saving"]}


def granularity(inputs: Case) -> dict[str, Any]:
    fractions = []
    for size in inputs["sizes"]:
        found = details(kernel(cycles=1e12, dma=[(size, inputs["total_B_per_cpe"] / size)]), **machine_values(inputs))
        fractions.append(found["T_DMA_overlap_cycles"] / found["T_DMA_cycles"])
    return {"overlap_fraction_floor": fractions}


def compute_time(inputs: Case) -> dict[str, Any]:
    counts = {
        "floating": inputs["n_float"],
        "fixed": inputs["n_fixed"],
        "scratchpad": inputs["n_spm"],
        "divsqrt": inputs["n_div"],
        "ilp": inputs["avg_ILP"],
    }
    return {
        "T_comp_literal": details(kernel(**counts), {"divide": "pipelined"})["T_comp_cycles"],
        "T_comp_div_unpipelined": details(kernel(**counts))["T_comp_cycles"],
    }


def several_arrays(inputs: Case) -> dict[str, Any]:
    chunks = tuple(Chunk(constant(size)) for size in inputs["chunks_B"])
    workload = Workload("w", (Offload(Decomposition(cores=constant(64)), dma=(Request("in", chunks),)),))
    given = {"memory__transaction": inputs["trans_size_B"]}
    return {
        "sum_of_ceil": details(workload, **given)["DMA"]["avg_MRT"],
        "ceil_of_sum": details(workload, {"transactions": "per_request"}, **given)["DMA"]["avg_MRT"],
    }


#: the longest prefix of a case's name says how it is checked
CHECKS: dict[str, Check] = {
    "sw_cycles_per_transaction": cycles_per_transaction,
    "sw_active_cpes": decomposition,
    "sw_copy_granularity_tile_j32": tile_j,
    "sw_tile_i32_spm_overflow": spm_overflow,
    "sw_decomp": decomposition,
    "sw_mrt_": transactions,
    "sw_mrt_multi_array": several_arrays,
    "sw_NG": groups,
    "sw_MRP_asymptote": asymptote,
    "sw_gload_latency": gload,
    # The paper's Fig. 8 prints NG_DMA = 8, yet only 16 gives its other numbers (SW-1, SW-3): both are computed.
    "sw_nbody_double_buffer": double_buffer,
    "sw_nbody_error": error,
    "sw_vecadd_full_model": full_model,
    "sw_mixed_dma_gload": full_model,
    "sw_single_request_no_overlap": full_model,
    "sw_two_core_groups": full_model,
    "sw_eq13": equation_13,
    "sw_eq15": equation_15,
    "sw_table2_loss": tuning_loss,
    "sw_table2_aggregate": tuning_aggregate,
    "sw_lud_tuning_hours": tuning_hours,
    "sw_granularity_optimum": granularity,
    "sw_tcomp_eq6": compute_time,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_golden_number(case: Case) -> None:
    name = max((prefix for prefix in CHECKS if case["name"].startswith(prefix)), key=len)
    found = CHECKS[name](case["inputs"])
    tolerance = case["tolerance"]
    for quantity, expected in case["expected"].items():
        approx = pytest.approx(expected, rel=tolerance.get("rel", 0), abs=tolerance.get("abs", 0))
        assert found[quantity] == approx, quantity


def test_every_check_is_used_and_the_file_is_whole() -> None:
    names = [case["name"] for case in CASES]
    assert len(names) == 51
    assert all(any(name.startswith(prefix) for name in names) for prefix in CHECKS)
    kinds = {
        kind: sum(case["kind"] == kind for case in CASES) for kind in ("printed", "derived", "printed_inconsistent")
    }
    assert kinds == {"printed": 8, "derived": 41, "printed_inconsistent": 2}
