"""Changes of CUDA kernels in their text: rows of shared arrays, constants, pointers."""

from __future__ import annotations

import pytest

from foretell.transform.kernels import pad_shared, restrict_pointers, single_constants, source_name
from foretell.transform.program import RefusedError
from foretell.transform.text.source import edited

TILED = """\
__global__ void other(float *a) { a[0] = 0.25; }
__global__ void turn(const float *in, float *out, int n) {
    __shared__ float t[32][32];
    __shared__ int row[64];
    t[threadIdx.y][threadIdx.x] = 0.5 * in[threadIdx.x] + 1e-3;  // not 2.0
    __syncthreads();
    out[threadIdx.x] = t[threadIdx.x][threadIdx.y] * 2.0f + row[0];
}
"""


def test_rows_of_shared_arrays_are_padded() -> None:
    change = pad_shared(TILED, "_Z4turnPKfPfi")
    text = edited(TILED, change.edits)
    assert "t[32][32 + 1];" in text
    assert "row[64];" in text
    assert (change.line, change.provided) == (3, ())
    with pytest.raises(RefusedError, match="no shared arrays of two dimensions"):
        pad_shared(text, "turn")  # it has been padded
    with pytest.raises(RefusedError, match="line 5 uses t as a whole"):
        pad_shared(TILED.replace("0.5 * in[threadIdx.x]", "fill(&t[0])"), "turn")


def test_constants_of_one_kernel_become_single() -> None:
    change = single_constants(TILED, "turn")
    text = edited(TILED, change.edits)
    assert "0.5f * in[threadIdx.x] + 1e-3f;  // not 2.0" in text
    assert "* 2.0f +" in text
    assert "a[0] = 0.25;" in text
    assert (change.line, change.title) == (5, "write constants as float (0.5f for 0.5)")
    with pytest.raises(RefusedError, match="no constants in double precision"):
        single_constants(text, "turn")
    with pytest.raises(RefusedError, match="declared double"):
        single_constants(TILED.replace("float *out", "double *out"), "turn")


def test_one_pointer_overlaps_nothing() -> None:
    with pytest.raises(RefusedError, match="line 1: kernel other has one pointer only"):
        restrict_pointers(TILED, "other")
    assert len(restrict_pointers(TILED, "turn").edits) == 2


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("_Z4turnPKfPf", "turn"),
        ("_ZN5image4turnEPKfPf", "turn"),
        ("_ZN5image7details4turnIfEEvPKT_PS2_", "turn"),
        ("turn", "turn"),
    ],
)
def test_kernels_in_namespaces_and_templates_are_found(mangled: str, name: str) -> None:
    """A kernel of a library lies in a namespace: its name in the code has more than the source shows."""
    assert source_name(mangled) == name
    assert restrict_pointers(TILED, mangled).edits == restrict_pointers(TILED, "turn").edits
