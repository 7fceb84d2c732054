"""Estimates that are read off executed instructions, on kernels whose rewritten versions were measured (H200)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest

import foretell
from foretell import api
from foretell.frontends import read, read_options
from foretell.frontends.gpu.launch import read_launches

CODE = Path(foretell.__file__).parent / "uses" / "recorded" / "advice" / "kernels"


@lru_cache(maxsize=32)
def hints(launch: str) -> dict[str, tuple[float, str]]:
    """The factor and the text of each estimate, by title."""
    given = next(one for one in read_launches(CODE / "cases.toml") if one.name == launch)
    case = api.prepare(read(CODE / f"{given.kernel}.sass.xz", read_options(launch=given)), "h200")
    time = case.predict().time_s
    return {
        one.title: (time / one.time_s, one.action)
        for one in case.model.hints(case.workload, case.machine, case.settings)
    }


def test_a_branch_that_divides_warps() -> None:
    factor, action = hints("k_branch")["divergence"]
    assert 1.3 < factor < 2  # measured with whole warps on each side: 1.50
    assert action.startswith("line 183: behind this branch 16")
    assert "divergence" not in hints("k_branch_warps")


def test_atomics_of_all_lanes() -> None:
    factor, action = hints("i_atomic")["atomics"]
    assert factor > 10  # measured with one atomic of a block: much more
    assert "32 lanes update, 32 of them one word: add up in the warp" in action
    assert "uncoalesced access" not in hints("i_atomic")
    assert "in shared memory, per block" in hints("j_histogram")["atomics"][1]


def test_narrow_loads_and_two_elements_of_a_thread() -> None:
    assert hints("d_axpy/256")["vector loads"][0] == pytest.approx(1.26, rel=0.1)  # measured: 1.256
    assert hints("d_axpy/256")["coarsening"][0] == pytest.approx(1.1, rel=0.15)  # measured: 1.096
    assert "vector loads" not in hints("d_axpy_vector")


def test_tiles_that_could_be_under_way() -> None:
    factor, action = hints("f_mm_coarse")["double buffering"]
    assert 1 < factor < 1.2
    assert "cp.async" in action
    assert "double buffering" not in hints("f_mm/16x16")


def test_the_last_wave_and_the_launch() -> None:
    factor, action = hints("a_columns/128")["tail wave"]
    assert factor == pytest.approx(132 / 32, rel=0.03)
    assert "32 blocks on 132 multiprocessors: the busiest has 1, an even share is 0.242: use smaller blocks" in action
    assert "CUDA graph" in hints("i_block")["launch"][1]
    assert "launch" not in hints("a_columns/128")
    assert "registers" in hints("h_many")["occupancy"][1]


def test_addresses_that_data_decide_are_named() -> None:
    """They are taken to be apart: whether they are is the user's to say, so no other layout is advised."""
    kernel = CODE.parents[1] / "gpu" / "gather_f32.sass.xz"
    args = ("i32[1048576]", "f32[1048576]", "f32[1048576]")
    case = foretell.prepare(kernel, "h200", grid=4096, block=256, args=(*args, 1048576))
    actions = [one.action for one in case.model.hints(case.workload, case.machine, case.settings)]
    (action,) = (text for text in actions if "sectors a request" in text)
    assert "data decide the addresses" in action
    assert "data decide" not in hints("a_columns/128")["uncoalesced access"][1]
