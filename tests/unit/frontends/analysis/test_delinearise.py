"""Flat subscripts of real code."""

from __future__ import annotations

import time

from foretell.core.symbolic.poly import Poly, symbol
from foretell.frontends.analysis.subscripts.delinearise import delinearise

i, j, k, kk, nx, ny, js, ks, g = (symbol(n) for n in ("i", "j", "k", "kk", "nx", "ny", "js", "ks", "g"))


def split(flats: list[Poly], variables: str = "k j i") -> list[str]:
    found = delinearise(flats, variables.split())
    assert found is not None
    return [", ".join(map(str, one)) for one in found[1]]


def test_rows_of_130_split_129_into_plus_one_and_minus_one() -> None:
    assert split([k * 16900 + j * 130 + i + 129]) == ["k, j + 1, i - 1"]


def test_rows_of_known_loops() -> None:
    bounds = {"j": (1, 128), "i": (1, 128)}.get
    found = delinearise([j * 130 + i + 1, j * 130 + i - 1, j * 130 + i + 130], ["j", "i"], bounds)
    assert found is not None
    assert [tuple(map(str, one)) for one in found[1]] == [("j", "i + 1"), ("j", "i - 1"), ("j + 1", "i")]


def test_a_row_read_backwards_stays_in_its_row() -> None:
    found = delinearise([5 * j + i, 5 * j - i + 4], ["j", "i"], {"j": (0, 99), "i": (0, 4)}.get)
    assert found is not None
    assert [tuple(map(str, one)) for one in found[1]] == [("j", "i"), ("j", "-i + 4")]


def test_a_stride_that_is_overrun_is_no_row() -> None:
    found = delinearise([8 * j + i, 8 * j + i + 3], ["j", "i"], {"j": (0, 9), "i": (0, 7)}.get)
    assert found is not None
    assert [tuple(map(str, one)) for one in found[1]] == [("i + 8*j",), ("i + 8*j + 3",)]


def test_tiles_share_a_dimension() -> None:
    assert split([(kk + k) * ks + j * js + i], "kk k j i") == ["k + kk, j, i"]


def test_steps_stay_inside_a_dimension() -> None:
    assert split([2 * i, 2 * i + 1, 2 * i - 1], "i") == ["2*i", "2*i + 1", "2*i - 1"]
    assert split([2 * j * nx + 2 * i + nx, 2 * j * nx + 2 * i - 1], "j i") == ["2*j + 1, 2*i", "2*j, 2*i - 1"]


def test_a_skew_is_split() -> None:
    assert split([j * js + i * js + i], "j i") == ["i + j, i"]


def test_a_structure_written_out_by_hand_has_components() -> None:
    found = delinearise([5 * (j * nx + i) + 2, 5 * (j * nx + i + 1)], ["j", "i"])
    assert found is not None
    shape, subscripts = found
    assert shape.components == 5
    assert [str(one[-1]) for one in subscripts] == ["2", "0"]
    assert [str(one[1]) for one in subscripts] == ["i", "i + 1"]


def test_ghost_zones_shift_every_dimension() -> None:
    assert split([k * ks + j * js + i + g * (1 + js + ks)]) == ["g + k, g + j, g + i"]


def test_products_of_loop_variables_are_refused() -> None:
    assert delinearise([i * j], ["j", "i"]) is None


def test_one_array_takes_less_than_a_millisecond() -> None:
    flats = [
        ((k + a) * (ny + 2) + j + b) * (nx + 2) + i + c for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)
    ]
    best = min(_seconds(flats, symbol(f"p{turn}")) for turn in range(5))
    assert best < 0.005, f"{best:.4f} s for 27 references"  # 0.3 ms on an idle core; CI machines are shared


def _seconds(flats: list[Poly], other: Poly) -> float:
    fresh = [flat + other - other * 2 for flat in flats]  # not remembered from the turn before
    start = time.process_time()
    delinearise(fresh, ["k", "j", "i"])
    return time.process_time() - start
