"""Directives on C and Fortran loops: which pieces are copied, how often, and what is loaded directly."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

import foretell
from foretell.core.facets.offload import Offload
from foretell.errors import InputError, MachineError, UnsupportedError
from foretell.frontends import SourceOptions, read, read_sources
from foretell.frontends.swacc.emit import variant_source

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.workload import Workload

STENCIL = """
void step(int n, int m, float a[n][m], float b[n][m]) {
    #pragma acc parallel loop copyin(a) copyout(b) DIRECTIVE
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
}
"""


def source(path: Path, text: str, name: str = "k.c") -> Path:
    file = path / name
    file.write_text(text)
    return file


def facet(workload: Workload, **parameters: float) -> tuple[Offload, dict[str, float]]:
    """The facet, and every name with its value on one core that has all chunks."""
    offload = workload.facet(Offload)
    names = {**workload.parameters, **parameters, "chunks_per_core": 1.0, "chunks": 1.0, "active_cores": 1.0}
    return offload, {name: float(value) for name, value in offload.defined(names).items()}


def pieces(workload: Workload, out: bool, **parameters: float) -> list[tuple[float, float, float]]:
    """(requests, bytes of a piece, pieces) of every array that is copied."""
    offload, names = facet(workload, **parameters)
    found = []
    for request in offload.dma:
        for chunk in request.chunks:
            count = float(chunk.count.evaluate(names))
            if request.out == out and count:
                found.append((float(request.count.evaluate(names)), float(chunk.bytes.evaluate(names)), count))
    return found


@pytest.mark.parametrize(("tile_i", "tile_j"), [(1, 0), (2, 0), (5, 0), (1, 4), (3, 6), (5, 2)])
def test_a_tile_is_copied_in_the_pieces_that_its_elements_make(tmp_path: Path, tile_i: int, tile_j: int) -> None:
    """Every element that a tile touches is enumerated; runs of neighbours in memory are the pieces."""
    workload = read(source(tmp_path, STENCIL.replace("DIRECTIVE", "")))
    n, m = 12, 14
    width = tile_j or m - 2
    read_ = {
        (i + di) * m + j + dj
        for i in range(1, 1 + tile_i)
        for j in range(1, 1 + width)
        for di, dj in ((-1, 0), (1, 0), (0, -1), (0, 1))
    }
    # the copy is the box around what is touched
    rows, columns = {at // m for at in read_}, {at % m for at in read_}
    box = [r * m + c for r in sorted(rows) for c in sorted(columns)]
    runs = [list(g) for _, g in itertools.groupby(enumerate(box), lambda pair: pair[1] - pair[0])]
    sizes = {"n": n, "m": m, "tile_i": tile_i, "tile_j": tile_j}
    (times, length, count) = pieces(workload, False, **sizes)[0]
    assert (length, count) == (4 * len(runs[0]), len(runs))
    assert times == (-(-(m - 2) // tile_j) if tile_j else 1)
    (_, length, count) = pieces(workload, True, **sizes)[0]
    assert length * count == 4 * tile_i * width


def test_the_vector_addition_of_the_paper() -> None:
    def found(**tiles: float) -> dict[str, object]:
        return dict(
            foretell.predict(
                "example:vector-add.c",
                "sw26010",
                parameters={"n": 1024, "m": 1024, **tiles},
                options={"scratchpad": "flag"},
            ).details
        )

    assert found()["active_cores"] == 64
    assert found()["DMA"]["bytes_B"] / found()["DMA"]["requests"] == 1.5 * 8 * 1024  # two arrays in, one out
    assert found(tile_j=32)["DMA"]["requests"] == 16 * 32 * 2
    assert found(tile_i=32)["active_cores"] == 32
    assert found(tile_i=32)["scratchpad_B"] == 768 * 1024  # SW-12


def test_fortran_says_the_same_as_c() -> None:
    sizes = {"n": 1000, "m": 512}
    c = foretell.predict("example:vector-add.c", "sw26010", parameters=sizes)
    fortran = foretell.predict("example:vector-add-sw.f90", "sw26010", parameters=sizes)
    assert fortran.details == c.details


def test_what_does_not_depend_on_the_tile_is_copied_once() -> None:
    workload = read("example:k-means.c")
    counts = {request.name.split()[1]: request.count.text for request in workload.facet(Offload).dma}
    assert counts == {"centre": "1", "point": "chunks_per_core", "member": "chunks_per_core"}
    # two references along different loops: all of it is needed, once
    assert pieces(read("example:n-body.c"), False, n=64, tile_i=4)[0] == (1, 512, 1)


def test_what_no_clause_names_is_loaded_element_by_element() -> None:
    offload, names = facet(read("example:bfs.c"), n=100, degree=8, tile_v=10)
    loads = {request.name: float(request.count.evaluate(names)) for request in offload.gload}
    assert loads == {"cost": 80, "updated": 80}  # of ten vertices; the edges are in the scratchpad
    offload, names = facet(read("example:tree-search.c"), queries=100, depth=12, tile_q=10)
    assert {float(one.count.evaluate(names)) for one in offload.gload} == {120}  # where depends on what was found


def test_regions_threads_sections_and_the_standards_tile(tmp_path: Path) -> None:
    workload = read(
        source(
            tmp_path,
            """
void f(int n, int m, double *a, double *b, int *where) {
    #pragma acc data copyin(a[0:n*64]) create(b[0:64])
    {
        #pragma acc parallel num_gangs(8) vector_length(4)
        #pragma acc loop tile(4, *) independent
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 64; j++)
                b[j] = a[64 * i + j] + b[where[j]];
    }
}""",
        )
    )
    offload, names = facet(workload, n=640)
    assert offload.decomposition.cores is not None
    assert offload.decomposition.cores.evaluate(names) == 32
    assert (workload.parameters["tile_i"], workload.parameters["tile_j"]) == (4, 0)
    assert float(offload.scratchpad_bytes.evaluate(names)) == 8 * (4 * 64 + 64)
    assert [request.name for request in offload.gload] == ["where"]
    assert pieces(workload, False, n=640) == [(1, 4 * 64 * 8, 1)]


def test_double_buffering_and_unrolling_are_directives(tmp_path: Path) -> None:
    text = STENCIL.replace("DIRECTIVE", "tile(i:4)").replace(
        "        for (int j", "        #pragma unroll(4)\n        for (int j"
    )
    text = text.replace("    #pragma acc", "    #pragma foretell double_buffer\n    #pragma acc")
    workload = read(source(tmp_path, text))
    assert workload.facet(Offload).double_buffer
    assert (workload.parameters["tile_i"], workload.parameters["unroll_j"]) == (4, 4)


def test_loops_of_unknown_length_are_parameters(tmp_path: Path) -> None:
    workload = read(
        source(
            tmp_path,
            """
void f(int n, int start[], double x[], double y[]) {
    #pragma acc parallel loop copyin(start[0:n]) copyout(y)
    for (int v = 0; v < n; v++) {
        double sum = 0;
        for (int e = start[v]; e < start[v + 1]; e++)
            sum += x[e];
        y[v] = sum;
    }
}""",
        )
    )
    assert any("trips_e on average" in note for note in workload.assumptions)
    with pytest.raises(InputError, match="trips_e"):
        foretell.predict(workload, "sw26010", parameters={"n": 1000})
    found = foretell.predict(workload, "sw26010", parameters={"n": 1000, "trips_e": 5})
    assert found.details["Gload"]["requests"] == 16 * 5


def test_several_parallel_loops_are_chosen_by_name(tmp_path: Path) -> None:
    two = STENCIL.replace("DIRECTIVE", "") + STENCIL.replace("DIRECTIVE", "tile(i:2)").replace("step", "other")
    file = source(tmp_path, two)
    assert any("also has other:" in note for note in read(file).assumptions)
    assert read_sources([file], SourceOptions(kernel="other")).parameters["tile_i"] == 2
    with pytest.raises(InputError, match="no loops in 'third'"):
        read_sources([file], SourceOptions(kernel="third"))


@pytest.mark.parametrize(
    ("directive", "reason"),
    [
        ("collapse(2)", "'collapse'"),
        ("tile(q:3)", "no loop over"),
        ("tile(i:size)", "'size' is not a whole number"),
        ("tile(i:0)", "'0' is not a whole number above 0"),
        ("copyin(3a)", "not an array"),
    ],
)
def test_what_is_not_understood_is_said(tmp_path: Path, directive: str, reason: str) -> None:
    file = source(tmp_path, STENCIL.replace("DIRECTIVE", directive))
    assert any(reason in note for note in read(file).assumptions)
    with pytest.raises(UnsupportedError, match=reason):
        read_sources([file], SourceOptions(kernel="step"))
    with pytest.raises(MachineError, match=f"directives not followed.*{reason}"):
        foretell.predict(file, "sw26010", parameters={"n": 64.0, "m": 64.0})


def test_names_that_are_no_arrays_of_the_loop_are_said(tmp_path: Path) -> None:
    file = source(tmp_path, STENCIL.replace("DIRECTIVE", "copyin(aa, n)"))
    assert "step:4: no array of this loop, not copied: aa, n" in read(file).assumptions


def test_how_much_is_copied_must_be_known(tmp_path: Path) -> None:
    text = """
void f(int n, int a[], int b[n]) {
    #pragma acc parallel loop copyin(a) copyout(b)
    for (int i = 0; i < n; i++) b[i] = a[b[i]];
}"""
    assert any("how much of a is copied" in note for note in read(source(tmp_path, text)).assumptions)
    known = text.replace("copyin(a)", "copyin(a[0:100])")
    assert (1, 400, 1) in pieces(read(source(tmp_path, known)), False, n=10)


def test_local_arrays_live_in_the_scratchpad(tmp_path: Path) -> None:
    text = """
void f(int n, double a[n][16]) {
    #pragma acc parallel loop copyin(a)
    for (int i = 0; i < n; i++) {
        double t[16];
        for (int j = 0; j < 16; j++) t[j] = 2 * a[i][j];
    }
}"""
    offload, names = facet(read(source(tmp_path, text)), n=10)
    assert not offload.gload
    assert float(offload.scratchpad_bytes.evaluate(names)) == 2 * 16 * 8


@pytest.mark.parametrize("name", ["hotspot.c", "vector-add-sw.f90", "cfd-flux.c", "k-means.c"])
def test_an_emitted_variant_reads_back(tmp_path: Path, name: str) -> None:
    workload = read(f"example:{name}")
    tiles = {one: 8.0 for one in workload.parameters if one.startswith("tile_")}
    unrolls = {one: 4.0 for one in workload.parameters if one.startswith("unroll_")}
    chosen = {**tiles, **unrolls}
    file = source(tmp_path, variant_source(workload, chosen), name)
    again = read(file)
    assert {one: again.parameters[one] for one in chosen} == chosen
    plain = {one: 1.0 if one in unrolls or one == "tile_i" else 0.0 for one in chosen}
    back = read(source(tmp_path, variant_source(again, plain), name))
    assert {one: back.parameters[one] for one in chosen} == plain
    with pytest.raises(InputError, match="nothing to rewrite"):
        variant_source(read("example:vector-add"), {})


def test_sizes_that_need_care(tmp_path: Path) -> None:
    """Records travel whole, shifts by a parameter take the whole dimension, and lengths may be quotients or minima."""
    text = """
struct cell { double u, v; };
void f(int n, int m, int k, struct cell c[n][m], double a[n][m], double b[n / 2]) {
    #pragma acc parallel loop copyin(c, a) copyout(b)
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < (m < 100 ? m : 100) - k; j++)
            b[i] += c[i][j].u + c[i][j].v + a[2 * i][j] + a[2 * i][j + k];
}"""
    workload = read(source(tmp_path, text))
    offload, names = facet(workload, n=64, m=32, k=4, tile_i=4)
    assert float(offload.decomposition.extent.evaluate(names)) == 32
    found = dict(zip([copy for r in offload.dma for copy in r.name.split()[1:-2]], range(9), strict=False))
    assert {"c", "a"} <= set(found)
    lengths = {length * count for _, length, count in pieces(workload, False, n=64, m=32, k=4, tile_i=4)}
    assert 7 * 32 * 8 in lengths  # rows 0, 2, 4, 6 and what is between them, whole because of the shift by k


def test_a_directive_may_go_on_and_outer_loops_may_be_data(tmp_path: Path) -> None:
    text = """
void f(int n, int *steps, double a[n], double b[n]) {
    for (int t = 0; t < steps[0]; t++)
        #pragma acc parallel loop copyin(a) \\
            copyout(b) tile(i:8)
        for (int i = 0; i < n; i++)
            b[i] = 2 * a[i];
}"""
    workload = read(source(tmp_path, text))
    assert workload.parameters["tile_i"] == 8
    assert any("is not run by the cores" in note for note in workload.assumptions)
    again = read(source(tmp_path, variant_source(workload, {"tile_i": 16.0, "unroll_i": 1.0})))
    assert again.parameters["tile_i"] == 16
