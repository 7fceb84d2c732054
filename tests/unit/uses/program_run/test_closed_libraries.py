"""Closed libraries that are computed here: programs in Python call cuBLAS, cuFFT and cuRAND, and compare with NumPy."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from foretell import machines
from foretell.errors import InputError
from foretell.frontends.gpu.recorded_program import RecordedStep, decoded, encoded
from foretell.uses.program_run.devices import SimulatedDevice
from foretell.uses.program_run.library_estimates import Family, Kind, LibraryCall
from tests.support.cli import run

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """
import ctypes, sys
from ctypes import byref, c_double, c_float, c_int, c_longlong, c_size_t, c_void_p
import numpy as np
cuda = ctypes.CDLL("libcudart.so.13")
def check(status, wanted=0):
    assert status == wanted, status
def on_device(array):
    address = c_void_p()
    check(cuda.cudaMalloc(byref(address), c_size_t(array.nbytes)))
    check(cuda.cudaMemcpy(address, array.ctypes.data_as(c_void_p), c_size_t(array.nbytes), 1))
    return address
def back(address, like):
    result = np.empty_like(like)
    check(cuda.cudaMemcpy(result.ctypes.data_as(c_void_p), address, c_size_t(result.nbytes), 2))
    return result
random = np.random.default_rng(7)
"""
BLAS = """
blas, handle = ctypes.CDLL("libcublas.so.13"), c_void_p()
check(blas.cublasCreate_v2(byref(handle)))
"""
PRODUCTS = """
def product(name, number, scalar, ta, tb, m, n, k, tolerance):
    a = random.random((k, m) if not ta else (m, k)).astype(number)   # columns of BLAS are rows of NumPy
    b = random.random((n, k) if not tb else (k, n)).astype(number)
    c = random.random((n, m)).astype(number)
    da, db, dc = on_device(a), on_device(b), on_device(c)
    alpha, beta = scalar(1.5), scalar(-0.5)
    sizes = (handle, ta, tb, m, n, k)
    check(getattr(blas, name)(*sizes, byref(alpha), da, a.shape[1], db, b.shape[1], byref(beta), dc, m))
    left, right = (a if ta else a.T), (b if tb else b.T)
    assert np.allclose(back(dc, c), (1.5 * left @ right).T - 0.5 * c, rtol=tolerance), (name, ta, tb)
for ta in (0, 1):
    for tb in (0, 1):
        product("cublasSgemm_v2", np.float32, c_float, ta, tb, 37, 23, 51, 1e-5)
        product("cublasDgemm_v2", np.float64, c_double, ta, tb, 5, 18, 33, 1e-13)
# half precision, added in single; a result that is not read
m, n, k = 33, 17, 40
a, b = random.random((k, m)).astype(np.float16), random.random((n, k)).astype(np.float16)
c = np.full((n, m), np.nan, np.float16)
da, db, dc = on_device(a), on_device(b), on_device(c)
one, zero = c_float(1), c_float(0)
check(blas.cublasGemmEx(handle, 0, 0, m, n, k, byref(one), da, 2, m, db, 2, k, byref(zero), dc, 2, m, 68, -1))
exact = (a.T.astype(np.float64) @ b.T.astype(np.float64)).T
assert (back(dc, c) == exact.astype(np.float32).astype(np.float16)).mean() > 0.99
assert np.allclose(back(dc, c), exact, rtol=2e-3)
# several at equal distances
a, b, c = (random.random((6, 8, 8)).astype(np.float32) for _ in range(3))
da, db, dc = on_device(a), on_device(b), on_device(c)
check(blas.cublasSgemmStridedBatched(handle, 0, 0, 8, 8, 8, byref(one), da, 8, c_longlong(64), db, 8, c_longlong(64),
                                     byref(zero), dc, 8, c_longlong(64), 6))
assert np.allclose(back(dc, c), b @ a, rtol=1e-5)
# what CUDA would refuse
check(blas.cublasSgemm_v2(handle, 0, 0, 8, 8, 8, byref(one), da, 7, db, 8, byref(zero), dc, 8), 7)
check(blas.cublasSgemm_v2(handle, 0, 0, 80, 80, 80, byref(one), da, 80, db, 80, byref(zero), dc, 80), 13)
"""
LIGHT = """
lt, handle = ctypes.CDLL("libcublasLt.so.13"), c_void_p()
check(lt.cublasLtCreate(byref(handle)))
def described(make, set_one, first, **attributes):
    result = c_void_p()
    check(make(byref(result), *first))
    for number, value in attributes.items():
        check(set_one(result, int(number[1:]), byref(value), c_size_t(ctypes.sizeof(value))))
    return result
def layout(rows, columns, pitch, kind, **more):
    sizes = (kind, ctypes.c_uint64(rows), ctypes.c_uint64(columns), c_longlong(pitch))
    return described(lt.cublasLtMatrixLayoutCreate, lt.cublasLtMatrixLayoutSetAttribute, sizes, **more)
def operation(compute, scale, **more):
    return described(lt.cublasLtMatmulDescCreate, lt.cublasLtMatmulDescSetAttribute, (compute, scale), **more)
def product(what, left, right, third, result, alpha=c_float(2), beta=c_float(0)):
    pairs = [item for pair in (left, right) for item in pair]
    return lt.cublasLtMatmul(handle, what, byref(alpha), *pairs, byref(beta), *third, *result, None, None,
                             c_size_t(0), None)
SINGLE, HALF, BYTES, WORDS, OF_32, OF_WORDS, RELU, BIAS, GELU = 0, 2, 3, 10, 68, 72, 2, 4, 32
m, n, k = 24, 9, 33
a, b = random.random((k, m)).astype(np.float32) - 0.5, random.random((k, n)).astype(np.float32) - 0.5
c, bias = random.random((n, m)).astype(np.float32), random.random(m).astype(np.float32) - 0.5
da, db, dc, dd, dbias = (on_device(item) for item in (a, b, c, c, bias))
exact = 2 * (b.T @ a)   # columns are rows of NumPy; the second matrix is transposed
la, lb, lc = layout(m, k, m, SINGLE), layout(n, k, n, SINGLE), layout(m, n, m, SINGLE)
preference, found, count = c_void_p(), (ctypes.c_uint64 * 16)(1), c_int()
check(lt.cublasLtMatmulPreferenceCreate(byref(preference)))
check(lt.cublasLtMatmulPreferenceSetAttribute(preference, 1, byref(c_size_t(1 << 20)), c_size_t(8)))
for epilogue in (1, RELU, BIAS, BIAS | RELU, GELU, BIAS | GELU):
    what = operation(OF_32, SINGLE, _4=c_int(1), _7=c_int(epilogue), _8=c_void_p(dbias.value))
    check(lt.cublasLtMatmulAlgoGetHeuristic(handle, what, la, lb, lc, lc, preference, 1, found, byref(count)))
    assert count.value == 1 and found[9] & 0xffffffff == 0
    check(product(what, (da, la), (db, lb), (dc, lc), (dd, lc), beta=c_float(0.5)))
    wanted = exact + 0.5 * c + (bias if epilogue & BIAS else 0)
    if epilogue & RELU:
        wanted = np.maximum(wanted, 0)
    if epilogue & GELU:
        wanted = 0.5 * wanted * (1 + np.tanh(np.sqrt(2 / np.pi) * (wanted + 0.044715 * wanted ** 3)))
    assert np.allclose(back(dd, c), wanted, rtol=1e-4, atol=1e-5), epilogue
    check(lt.cublasLtMatmulDescDestroy(what))
# in rows, half precision, several at equal distances
a, b = random.random((3, m, k)).astype(np.float16), random.random((3, k, n)).astype(np.float16)
d = np.zeros((3, m, n), np.float16)
da, db, dd = on_device(a), on_device(b), on_device(d)
rows = [layout(x, y, y, HALF, _1=c_int(1), _5=c_int(3), _6=c_longlong(x * y)) for x, y in ((m, k), (k, n), (m, n))]
plain = operation(OF_32, SINGLE)
check(product(plain, (da, rows[0]), (db, rows[1]), (dd, rows[2]), (dd, rows[2]), c_float(1)))
assert np.allclose(back(dd, d), a.astype(np.float32) @ b.astype(np.float32), rtol=2e-3)
# bytes, exactly; numbers by which they are multiplied lie on the device
a, b = (random.integers(-128, 128, (2048, 4)).astype(np.int8) for _ in range(2))
d, three, none = np.zeros((4, 4), np.int32), np.array([3], np.int32), np.array([0], np.int32)
da, db, dd, d3, d0 = (on_device(item) for item in (a, b, d, three, none))
la, ld = layout(4, 2048, 4, BYTES), layout(4, 4, 4, WORDS)
integers = operation(OF_WORDS, WORDS, _2=c_int(1), _4=c_int(1))
check(lt.cublasLtMatmul(handle, integers, d3, da, la, db, la, d0, dd, ld, dd, ld, None, None, c_size_t(0), None))
assert np.array_equal(back(dd, d), 3 * (b.T.astype(np.int32) @ a.astype(np.int32)))
# what cuBLASLt would refuse, and what is not there
value, size = c_int(), c_size_t()
check(lt.cublasLtMatmulDescGetAttribute(integers, 4, byref(value), c_size_t(4), byref(size)))
assert (value.value, size.value) == (1, 4)
check(lt.cublasLtMatmulDescSetAttribute(integers, 4, byref(value), c_size_t(8)), 7)
check(product(plain, (da, la), (db, la), (dd, ld), (dd, ld)), 7)   # sizes that do not meet
gradient = operation(OF_32, SINGLE, _4=c_int(1), _7=c_int(512))
check(product(gradient, (da, la), (db, la), (dd, ld), (dd, ld)), 15)
eight = layout(4, 2048, 4, 28)
check(product(operation(OF_32, SINGLE, _4=c_int(1)), (da, eight), (db, eight), (dd, ld), (dd, ld)), 15)
check(lt.cublasLtDestroy(handle))
"""
VECTORS = """
x, y = random.random(1000), random.random(1000)
dx, dy = on_device(x), on_device(y)
alpha, result, place = c_double(0.25), c_double(), c_int()
check(blas.cublasDaxpy_v2(handle, 500, byref(alpha), dx, 2, dy, -1))
y[:500][::-1] += 0.25 * x[::2]
assert np.allclose(back(dy, y), y)
check(blas.cublasDdot_v2(handle, 1000, dx, 1, dy, 1, byref(result)))
assert np.isclose(result.value, x @ y)
check(blas.cublasDnrm2_v2(handle, 1000, dx, 1, byref(result)))
assert np.isclose(result.value, np.linalg.norm(x))
check(blas.cublasIdamax_v2(handle, 1000, dx, 1, byref(place)))
assert place.value == np.argmax(x) + 1
matrix = random.random((25, 40))   # 40 rows of BLAS, 25 columns
dm, beta = on_device(matrix), c_double(2)
check(blas.cublasDgemv_v2(handle, 0, 40, 25, byref(alpha), dm, 40, dx, 1, byref(beta), dy, 1))
y[:40] = 0.25 * matrix.T @ x[:25] + 2 * y[:40]
check(blas.cublasDgemv_v2(handle, 1, 40, 25, byref(alpha), dm, 40, dx, 1, byref(beta), dy, 1))
y[:25] = 0.25 * matrix @ x[:40] + 2 * y[:25]
assert np.allclose(back(dy, y), y)
# factors on the device
check(blas.cublasSetPointerMode_v2(handle, 1))
factor = on_device(np.array([3.0]))
check(blas.cublasDscal_v2(handle, 1000, factor, dy, 1))
assert np.allclose(back(dy, y), 3 * y)
"""
TRANSFORMS = """
fft, plan = ctypes.CDLL("libcufft.so.12"), c_int()
C2C, R2C, C2R, Z2Z, D2Z, Z2D = 0x29, 0x2a, 0x2c, 0x69, 0x6a, 0x6c
for n, count in ((16, 3), (12, 2), (97, 1), (1, 4), (1000, 1)):
    x = random.random((count, n)) + 1j * random.random((count, n))
    dx, dy = on_device(x), on_device(x)
    check(fft.cufftPlan1d(byref(plan), n, Z2Z, count))
    check(fft.cufftExecZ2Z(plan, dx, dy, -1))
    assert np.allclose(back(dy, x), np.fft.fft(x)), n
    check(fft.cufftExecZ2Z(plan, dy, dx, 1))
    assert np.allclose(back(dx, x), n * x), n
    check(fft.cufftDestroy(plan))
# two dimensions with real numbers, to the spectrum and back
x = random.random((6, 10)).astype(np.float32)
spectrum = np.zeros((6, 6), np.complex64)
dx, ds = on_device(x), on_device(spectrum)
check(fft.cufftPlan2d(byref(plan), 6, 10, R2C))
check(fft.cufftExecR2C(plan, dx, ds))
assert np.allclose(back(ds, spectrum), np.fft.rfft2(x), rtol=1e-4, atol=1e-4)
check(fft.cufftPlan2d(byref(plan), 6, 10, C2R))
check(fft.cufftExecC2R(plan, ds, dx))
assert np.allclose(back(dx, x), 60 * x, rtol=1e-4)
# in place, where rows of real numbers are padded
padded = np.zeros((3, 10))
padded[:, :8] = random.random((3, 8))
dp = on_device(padded)
check(fft.cufftPlan1d(byref(plan), 8, D2Z, 3))
check(fft.cufftExecD2Z(plan, dp, dp))
assert np.allclose(back(dp, padded).view(np.complex128), np.fft.rfft(padded[:, :8]))
# columns of a matrix: distances and steps of their own
x = random.random((8, 5)) + 0j
dx, lengths = on_device(x), (c_int * 1)(8)
check(fft.cufftPlanMany(byref(plan), 1, lengths, lengths, 5, 1, lengths, 5, 1, Z2Z, 5))
check(fft.cufftExecZ2Z(plan, dx, dx, -1))
assert np.allclose(back(dx, x), np.fft.fft(x, axis=0))
x = random.random((3, 4, 5)) + 0j
dx = on_device(x)
check(fft.cufftPlan3d(byref(plan), 3, 4, 5, Z2Z))
check(fft.cufftExecZ2Z(plan, dx, dx, -1))
assert np.allclose(back(dx, x), np.fft.fftn(x))
check(fft.cufftExecC2C(plan, dx, dx, -1), 3)   # a plan of another type
"""
RANDOM = """
rand, generator = ctypes.CDLL("libcurand.so.10"), c_void_p()
check(rand.curandCreateGenerator(byref(generator), 100))
check(rand.curandSetPseudoRandomGeneratorSeed(generator, ctypes.c_ulonglong(5)))
n = 20000
uniform, normal = np.zeros(n, np.float32), np.zeros(n)
du, dn = on_device(uniform), on_device(normal)
check(rand.curandGenerateUniform(generator, du, c_size_t(n)))
first = back(du, uniform)
assert 0 < first.min() and first.max() <= 1 and abs(first.mean() - 0.5) < 0.01 and len(set(first)) > 0.99 * n
assert abs(np.corrcoef(first[1:], first[:-1])[0, 1]) < 0.03
check(rand.curandGenerateNormalDouble(generator, dn, c_size_t(n), c_double(3), c_double(2)))
second = back(dn, normal)
assert abs(second.mean() - 3) < 0.06 and abs(second.std() - 2) < 0.05
check(rand.curandGenerateUniform(generator, du, c_size_t(n)))
assert not np.array_equal(back(du, uniform), first)
check(rand.curandSetPseudoRandomGeneratorSeed(generator, ctypes.c_ulonglong(5)))
check(rand.curandGenerateUniform(generator, du, c_size_t(n)))
assert np.array_equal(back(du, uniform), first)
check(rand.curandGenerateNormalDouble(generator, dn, c_size_t(3), c_double(0), c_double(1)), 105)
"""


@pytest.mark.parametrize("parts", [(BLAS, PRODUCTS), (BLAS, VECTORS), (LIGHT,), (TRANSFORMS,), (RANDOM,)])
def test_what_libraries_compute(parts: tuple[str, ...], tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(HEAD + "".join(parts), encoding="utf-8")
    result = run("run", "--on", "h200", "--estimate-libraries", "--format", "json", "--", sys.executable, str(program))
    assert result.code == 0, result.err
    document = json.loads(result.out)
    (device,) = document["devices"]
    calls = [item["name"] for item in document["operations"] if item["kind"] == "library"]
    assert {row["kernel"] for row in device["kernels"]} == set(calls)
    assert all(row["bound_by"] == "estimated" and row["time_s"] > 2e-6 for row in device["kernels"])
    assert any("closed libraries" in note for row in device["kernels"] for note in row["assumptions"])


def test_a_capture_has_the_calls() -> None:
    steps = (
        RecordedStep("library", (0, Family.PRODUCT, Kind.F32, 4096, 4096, 4096, 1)),
        RecordedStep("beyond", (*range(9), 64, 2048, 4)),
    )
    assert decoded(encoded(steps), 0) == steps
    device = SimulatedDevice(machines.load("h200"))
    assert device.step(0, steps[0]) == "matrix product (cuBLAS)"
    (span,) = device.timeline.spans
    assert 2e-3 < span.seconds < 4e-3
    for wrong in ((0, 6, 0, 1, 1, 1, 1), (0, 0, 6, 1, 1, 1, 1), (0, 0, 0, 1)):
        with pytest.raises(InputError, match="damaged"):
            decoded(encoded([RecordedStep("library", wrong)]), 0)
    with pytest.raises(InputError, match="damaged"):
        decoded(encoded([RecordedStep("beyond", tuple(range(10)))]), 0)


@pytest.mark.parametrize(
    ("family", "kind", "sizes", "measured_s"),
    [
        (Family.PRODUCT, Kind.F32, (4096, 4096, 4096, 1), 2763e-6),
        (Family.PRODUCT, Kind.F64, (1024, 1024, 1024, 1), 43.4e-6),
        (Family.PRODUCT, Kind.F16, (2048, 2048, 2048, 1), 25.9e-6),
        (Family.PRODUCT, Kind.F32, (128, 128, 8192, 1), 16.7e-6),
        (Family.BY_VECTOR, Kind.F32, (16384, 16384, 1, 1), 250e-6),
        (Family.VECTORS, Kind.F32, (1 << 24, 2, 1, 1), 64.0e-6),
        (Family.SUM, Kind.F32, (1 << 27, 2, 1, 1), 271e-6),
        (Family.TRANSFORM, Kind.F32, (1 << 20, 1, 0, 32), 337e-6),
        (Family.TRANSFORM, Kind.F64, (997, 1, 0, 1000), 37.1e-6),
        (Family.RANDOM, Kind.F32, (1 << 26, 1, 1, 1), 1018e-6),
    ],
)  # fmt: skip
def test_measured_times_are_between_the_ends(
    family: Family, kind: Kind, sizes: tuple[int, int, int, int], measured_s: float
) -> None:
    """validation/h200/launch-costs, libraries.csv."""
    outcome = LibraryCall(family, kind, sizes).outcome(machines.load("h200"))
    low, high = outcome.interval_s
    assert low <= measured_s <= high, outcome.time_s


def test_a_function_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A program that was linked with cuBLAS: refused without the option, and with it for what nobody computes."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no gcc")
    (tmp_path / "blas.c").write_text("int cublasCreate_v2(void) {return 0;} int cublasCtrsm_v2(void) {return 0;}")
    (tmp_path / "main.c").write_text(
        "int cublasCreate_v2(void**); int cublasCtrsm_v2(void*);\n"
        "int main(int n, char** v) { void* h; cublasCreate_v2(&h); return n > 1 ? cublasCtrsm_v2(h) : 0; }"
    )
    library, program = tmp_path / "libcublas.so.13", tmp_path / "app"
    shared = ("-shared", "-fPIC", "-Wl,-soname,libcublas.so.13", str(tmp_path / "blas.c"))
    subprocess.run([compiler, *shared, "-o", str(library)], check=True)
    subprocess.run([compiler, str(tmp_path / "main.c"), str(library), "-Wl,-z,lazy", "-o", str(program)], check=True)
    library.rename(tmp_path / "elsewhere.so")
    refused = run("run", "--on", "h200", "--", str(program))
    assert refused.code == 3
    assert "libcublas.so.13 (cublasCreate_v2, cublasCtrsm_v2)" in refused.err
    assert "--estimate-libraries" in refused.err
    assert run("run", "--on", "h200", "--estimate-libraries", "--", str(program)).code == 0
    named = run("run", "--on", "h200", "--estimate-libraries", "--", str(program), "more")
    assert named.code == 3
    assert "libcublas.so.13 (cublasCtrsm_v2)" in named.err
