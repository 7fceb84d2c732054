"""Names of kernels as users write them, parameters from signature and source, and what is known before a launch."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

import foretell
import foretell.uses
from foretell.core.gpu.launch import Pointer, Scalar
from foretell.core.gpu.sass import Parameter, SassKernel
from foretell.errors import InputError, OptionError
from foretell.frontends.gpu import summaries
from foretell.frontends.gpu.arguments import parse_argument
from foretell.frontends.gpu.binary import names
from tests.support.cli import refused, run
from tests.support.frontends.cubins import built

KERNELS = Path(foretell.uses.__file__).parent / "recorded" / "gpu"
SCALE = "_ZN4blas5scaleIfEEviT_PS1_"
DOUBLE = "_ZN4blas5scaleIdEEviT_PS1_"
AXPY = "_Z4axpyifPKfPf"
HIDDEN = "_ZN12_GLOBAL__N_14copyEPfPKf"

SOURCE = """
// __global__ void axpy(int wrong)
/* __global__ void axpy(float wrong) */
namespace blas { template <typename T> __global__ void scale(int n, T a, T *__restrict__ x) {} }
__global__ void axpy(int n, float alpha = 1.0f,
                     const float *x, std::array<int, 4> y) {}
extern "C" __global__ void __launch_bounds__(256) tile(float *out, float const in[], unsigned) {}
"""


def test_signatures() -> None:
    assert names.signature(SCALE) == names.Signature("blas::scale<float>", ("int", "float", "float*"))
    assert names.signature(AXPY).types == ("int", "float", "float const*", "float*")
    assert names.signature(HIDDEN).name == "(anonymous namespace)::copy"
    assert names.signature("_Z4idlev") == names.Signature("idle", ())
    assert names.signature("tile") == names.Signature("tile", None)
    assert names.signature("_Znonsense!") == names.Signature("_Znonsense!", None)


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("scale<float>", [SCALE]),
        ("blas::scale< double >", [DOUBLE]),
        ("scale", [SCALE, DOUBLE]),
        ("blas::scale", [SCALE, DOUBLE]),
        ("axpy", [AXPY]),
        ("axpy(int, float, float const*, float*)", [AXPY]),
        ("copy", [HIDDEN]),
        ("tile", ["tile"]),
        ("scal", []),
    ],
)
def test_names_that_users_write(wanted: str, meant: list[str]) -> None:
    assert names.matching([SCALE, DOUBLE, AXPY, HIDDEN, "tile"], wanted) == meant


def test_a_whole_name_goes_before_a_part_of_one() -> None:
    assert names.matching([SCALE, "_Z5scalei"], "scale") == ["_Z5scalei"]


def test_parameters_of_the_source() -> None:
    assert names.declared_parameters(SOURCE, "blas::scale<float>") == (("int", "n"), ("T", "a"), ("T*", "x"))
    assert [name for _, name in names.declared_parameters(SOURCE, "axpy")] == ["n", "alpha", "x", "y"]
    assert names.declared_parameters(SOURCE, "axpy")[2:] == (("const float*", "x"), ("std::array<int, 4>", "y"))
    assert names.declared_parameters(SOURCE, "tile") == (("float*", "out"), ("float const*", "in"), ("unsigned", ""))
    assert names.declared_parameters(SOURCE, "nosuch") == ()
    assert names.declared_parameters("__global__ void open(int n", "open") == ()


def kernel(name: str, *sizes: int, **more: object) -> SassKernel:
    parameters = tuple(Parameter(number, 0, size) for number, size in enumerate(sizes))
    return SassKernel(name, 90, (), 32, 1024 + 512, parameters, 0x210, **more)  # type: ignore[arg-type]


def test_summaries_join_code_and_source(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(SOURCE)
    scaled = summaries.summary(kernel(SCALE, 4, 4, 8, max_threads=(32, 8, 1)), 40, file)
    assert str(scaled) == "blas::scale<float>(int n, float a, float* x)"
    assert (scaled.shared_bytes, scaled.max_threads) == (512, 256)
    tile = kernel("tile", 8, 8, 4, source_file=str(file))
    assert str(summaries.summary(tile, 8, tmp_path / "k.cubin")) == "tile(float* out, float const* in, unsigned)"
    assert str(summaries.summary(kernel("tile", 8, 8), 8, tmp_path / "k.cubin")) == "tile(8 B, 8 B)"
    file.write_bytes(b"\xff\xfe")  # a source that cannot be read is as good as none
    assert str(summaries.summary(tile, 8, tmp_path / "k.cubin")) == "tile(8 B, 8 B, 4 B)"


def test_cuda_source_is_compiled_once_for_all_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "k.cu"
    file.write_text(SOURCE)
    heads = [(kernel(AXPY, 4, 4, 8, 8), 32), (kernel(SCALE, 4, 4, 8), 40)]
    monkeypatch.setattr(summaries, "compile_source", lambda path, arch, flags: b"")
    monkeypatch.setattr(summaries, "read_cubin", lambda source: SimpleNamespace())
    monkeypatch.setattr(summaries.kernels, "heads", lambda cubin: iter(heads))
    answer = foretell.describe(file, on="h200")
    assert isinstance(answer, foretell.KernelList)
    assert [entry.name for entry in answer.kernels] == ["axpy", "blas::scale<float>"]
    assert answer.kernels[0].occupancy[0].threads == 32
    assert max(row.share for row in answer.kernels[0].occupancy) == 1
    assert repr(answer) == f"<KernelList {file}: axpy, blas::scale<float>>"
    rows = answer.to_csv().splitlines()
    assert len(rows) == 1 + 2 * 6
    shown = run("describe", file, "--on", "a100")
    assert "  axpy(int n, float alpha, float const* x, float* y)\n" in shown.out
    assert "more about one: --kernel axpy" in shown.out
    document = run("describe", file, "--format", "json").json()
    assert document["kernels"][1]["parameters"][1] == {"name": "a", "type": "float", "bytes": 4}


def test_a_kernel_that_fits_nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(SOURCE)
    heads = [(kernel("huge", max_threads=(64, 1, 1)), 8), (kernel("none"), 8)]
    monkeypatch.setattr(summaries, "compile_source", lambda path, arch, flags: b"")
    monkeypatch.setattr(summaries, "read_cubin", lambda source: SimpleNamespace())
    monkeypatch.setattr(
        summaries.kernels, "heads", lambda cubin: iter([(_with_shared(head, 1 << 20), n) for head, n in heads])
    )
    answer = foretell.describe(file)
    assert isinstance(answer, foretell.KernelList)
    assert [row.blocks for row in answer.kernels[0].occupancy] == [0, 0]
    assert "too much shared memory" in answer.kernels[0].occupancy[0].limiter
    assert "-" in str(answer)


def _with_shared(head: SassKernel, size: int) -> SassKernel:
    return SassKernel(head.name, head.arch, (), 32, size, (), 0x210, head.max_threads)


def test_flags_are_for_sources(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="this is compiled"):
        summaries.read_summaries(tmp_path / "k.cubin", nvcc="-DN=4")
    with pytest.raises(InputError, match=r"k\.cubin: no such file"):
        summaries.read_summaries(tmp_path / "k.cubin")


def test_every_file_of_gpu_code_can_be_looked_at() -> None:
    """A cubin, and an executable with two architectures (needs nvcc)."""
    cubin = foretell.describe(built("lines_sm90.cubin"))
    assert isinstance(cubin, foretell.KernelList)
    assert all(parameter.bytes for kernel in cubin.kernels for parameter in kernel.parameters)
    library = foretell.describe(built("fat.so"), arch=80)
    assert isinstance(library, foretell.KernelList)
    assert {kernel.arch for kernel in library.kernels} == {80}
    assert [kernel.name for kernel in library.kernels] == [kernel.name for kernel in cubin.kernels]
    first = foretell.describe(built("fat.so"), function=cubin.kernels[0].name)
    assert isinstance(first, foretell.KernelDescription)
    assert "parameters, in the order of --arg" in str(first)
    assert first.summary.name in repr(first)
    assert "there is no code for sm_75" in refused("describe", built("fat.so"), "--arch", "75")


def test_a_listing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = foretell.describe(KERNELS / "copy_f32.sass.xz")
    assert isinstance(answer, foretell.KernelDescription)
    assert "occupancy of a multiprocessor" in str(answer)
    assert "in the order of --arg" in str(answer)
    monkeypatch.setattr("foretell.uses.describe._gpu_of", lambda arch: None)
    unknown = foretell.describe(KERNELS / "copy_f32.sass.xz")
    assert "occupancy" not in str(unknown)
    bare = foretell.KernelList("k", (summaries.summary(kernel("idle"), 4, tmp_path),))
    assert str(bare).startswith("kernels, sm_90\n")
    assert bare.to_csv().count("\n") == 1


# ---------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("text", "element", "count"),
    [
        ("float[1M]", "f32", 1 << 20),
        ("const double *[64K]", "f64", 1 << 16),
        ("unsigned int[8]", "u32", 8),
        ("float4[16]", "f32x4", 16),
        ("uint64_t[3*4]", "u64", 12),
        ("__half[2]", "f16", 2),
    ],
)
def test_types_of_c(text: str, element: str, count: int) -> None:
    argument = parse_argument(text)
    assert isinstance(argument, Pointer)
    assert (str(argument.element), argument.count) == (element, count)


def test_scalars_with_a_type_of_c_and_a_power() -> None:
    assert parse_argument("float:1.5") == Scalar(1.5, "f32")
    assert parse_argument("1M") == Scalar(1 << 20, "")
    assert parse_argument("0x10") == Scalar(16, "")
    with pytest.raises(InputError, match="unknown type 'flaot'"):
        parse_argument("flaot:1")


def test_numbers_are_truth_values_of_template_arguments() -> None:
    fast, slow, number = "_Z1kILi4ELb1EEvPf", "_Z1kILi4ELb0EEvPf", "_Z1kILi4ELi0EEvPf"
    assert names.signature(fast).name == "k<4, true>"
    assert names.matching([fast, slow], "k<4, 1>") == [fast]
    assert names.matching([fast, slow], "k<4,0>") == [slow]
    assert names.matching([fast, slow, number], "k<4, 0>") == [number]
    assert names.matching([fast, slow], "k<4, 2>") == []
    assert names.matching(["_Z1kIN5trueS4falseEEvPf"], "k<0>") == []
