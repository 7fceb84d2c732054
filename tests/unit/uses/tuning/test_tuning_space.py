"""Tuning spaces of GPU kernels: axes, constraints, launches as expressions, T1 files."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from foretell.core.columns.expression import Expression
from foretell.errors import InputError
from foretell.machines import load
from foretell.uses.tuning.json_lines import line_of
from foretell.uses.tuning.kernels import KernelBench, Target
from foretell.uses.tuning.space import Axis, Configuration, KernelSpace, neighbours, shown
from foretell.uses.tuning.t1 import is_t1, read_space
from foretell.uses.tuning.tuner import _missing_macro


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "tile.h").write_text("#define EDGE (TILE*2)\n")
    path = tmp_path / "k.cu"
    path.write_text('#include "tile.h"\nextern "C" __global__ void k(float* x, int n) { x[BX] = EDGE + UNROLL; }\n')
    return path


def space(source: Path, **changes: Any) -> KernelSpace:
    given: dict[str, Any] = {
        "axes": (Axis("BX", (32.0, 64.0, 128.0)), Axis("TILE", (1.0, 2.0)), Axis("GRID", (8.0, 16.0))),
        "grid": ("GRID", "ceil(n/(BX*TILE))"),
        "block": ("BX",),
        "arguments": ("f32[n*TILE]@random(0,1)", "i32:n//TILE", "7", "f32[4K]"),
        "constraints": ("32 <= BX*TILE < 256",),
        "constants": {"n": 1000.0},
        "flags": "-O2",
    }
    return KernelSpace(source, **{**given, **changes})


def test_configurations_and_their_launches(source: Path) -> None:
    every = space(source)
    found = every.configurations()
    assert len(found) == every.size - 2  # 128 * 2 is excluded
    assert found == [values for values in space(source, constraints=()).configurations() if every.allows(values)]
    reading = every.reading(found[3])
    assert shown(found[3]) == "BX=32 TILE=2 GRID=16"
    assert (reading["grid"], reading["block"]) == ([16, 16], [32])
    assert reading["args"] == ["f32[2000]@random(0,1)", "i32:500", "7", "f32[4K]"]


def test_names_in_pragmas_are_constants(source: Path) -> None:
    """Macros are not replaced in `#pragma unroll NAME`; what the preprocessor tests has to be one all the same."""
    source.write_text("#if TILE > 1\n#endif\n#pragma unroll BX\n# pragma unroll(UNROLL) // loop\n#pragma unroll TILE\n")
    values: Configuration = {"BX": 64.0, "TILE": 2.0, "UNROLL": 0.0}
    axes = tuple(Axis(name, (value,)) for name, value in values.items())
    words = shlex.split(space(source, axes=axes, grid=("n",), constraints=()).compiler_flags(values))
    constants = "-DFORETELL_CONSTANTS=constexpr int BX = 64; constexpr int UNROLL = 0;"
    assert words[:-1] == ["-O2", "-DTILE=2", constants, "-include"]
    assert Path(words[-1]).read_text().endswith("FORETELL_CONSTANTS\n")


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
def test_unrolled_loops_are_compiled(source: Path) -> None:
    source.write_text(
        'extern "C" __global__ void k(float* x, int n) {\n  float s = x[threadIdx.x];\n#pragma unroll TIMES\n'
        "  for (int i = 0; i < n; ++i) s = s * s + i;\n  x[threadIdx.x] = s;\n}\n"
    )
    axes = (Axis("TIMES", (0.0, 1.0, 8.0)),)
    made = space(source, axes=axes, grid=("1",), block=("32",), constraints=(), arguments=("f32[32]", "64"))
    found = list(KernelBench(made, made.configurations(), Target(load("h200"), kept=False)).predict(range(3)))
    assert not any(variant.reason for _, variant in found)
    times = {variant.parameters["TIMES"]: variant.time_s for _, variant in found}
    assert times[8.0] < times[1.0]


def test_only_macros_in_the_source_are_compiled_in(source: Path) -> None:
    """GRID occurs nowhere: configurations that differ in it have the same code. TILE occurs in an included file."""
    every = space(source)
    assert every.compiler_flags({"BX": 64.0, "TILE": 2.0, "GRID": 8.0}) == "-O2 -DBX=64 -DTILE=2"
    source.write_text('#include "elsewhere.h"\n')
    assert space(source).compiler_flags({"BX": 64.0, "TILE": 0.5, "GRID": 8.0}) == "-O2 -DBX=64 -DTILE=0.5 -DGRID=8"
    tile = Axis.parse("TILE", 'unsigned int,_Pragma("unroll 4")')
    made = space(source, axes=(tile,), constraints=(), grid=("n",), block=("32",), arguments=())
    words = [shlex.split(made.compiler_flags(values))[-1] for values in made.configurations()]
    assert words == ["-DTILE=unsigned int", '-DTILE=_Pragma("unroll 4")']
    axes = (Axis.parse("nvcc", "-O1|--use_fast_math"), Axis.parse("BX", "32,64"))
    flags = space(source, axes=axes, constraints=(), grid=("n",))
    assert flags.compiler_flags({"nvcc": "-O1", "BX": "float"}) == "-O2 -O1 -DBX=float"
    compiled = space(source.with_suffix(".cubin"))
    assert compiled.compiler_flags({"BX": 64.0}) == ""


def test_a_constant_that_the_source_wants_as_a_macro(source: Path) -> None:
    missing = 'k.cu:2: nvcc cannot compile this: identifier "n" is undefined'
    assert "--axis n=1000" in str(_missing_macro(space(source), missing))
    assert _missing_macro(space(source), missing.replace('"n"', '"m"')) is None


def test_axes_are_lists_ranges_or_text() -> None:
    assert Axis.parse("x", "1:9:4").values == (1, 5, 9)
    assert Axis.parse("t", "float,double,nan").values == ("float", "double", "nan")
    for name, text, message in (
        ("a b", "1", "a macro is a name"),
        ("x", "1,1", "twice"),
        ("x", "5:1:1", "not a range"),
        ("x", "1:e", "not a range"),
    ):
        with pytest.raises(InputError, match=message):
            Axis.parse(name, text)
    with pytest.raises(InputError, match="no values"):
        Axis("x", ())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"axes": ()}, "nothing to tune"),
        ({"constants": {"BX": 1.0}}, "BX is given twice"),
        ({"constraints": ("BX < M",)}, "M is neither an axis nor a constant"),
        ({"grid": ("BX.__class__",)}, "not arithmetic"),
        ({"axes": tuple(Axis(f"A{n}", tuple(map(float, range(100)))) for n in range(4))}, "are more than"),
    ],
)
def test_wrong_spaces_are_refused(source: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        space(source, **changes)


def test_what_no_configuration_satisfies(source: Path) -> None:
    with pytest.raises(InputError, match="no configuration of 12 satisfies"):
        space(source, constraints=("BX > 1000",)).configurations()
    with pytest.raises(InputError, match="not a whole number"):
        space(source, grid=("n/BX",)).reading({"BX": 64.0, "TILE": 1.0, "GRID": 8.0})


def test_neighbours_differ_in_one_axis_and_are_allowed(source: Path) -> None:
    every = space(source)
    found = dict(neighbours(every, {"BX": 64.0, "TILE": 2.0, "GRID": 8.0}))
    assert found == {
        "BX": {"BX": 32.0, "TILE": 2.0, "GRID": 8.0},
        "TILE": {"BX": 64.0, "TILE": 1.0, "GRID": 8.0},
        "GRID": {"BX": 64.0, "TILE": 2.0, "GRID": 16.0},
    }


def test_texts_are_no_numbers_of_expressions(source: Path) -> None:
    axes = (Axis("BX", (32.0, "64")), Axis("TILE", (1.0,)), Axis("GRID", (8.0,)))
    with pytest.raises(InputError, match="BX has the value '64', which is no number") as raised:
        space(source, axes=axes)
    assert raised.value.hint == "write numbers alone as the values of BX, or leave it out of expressions"


def test_a_chain_of_comparisons_is_their_conjunction() -> None:
    chain = Expression("1 < x <= y < 8")
    for x, y in ((0, 1), (2, 2), (3, 2), (4, 8), (5, 7)):
        assert bool(chain.evaluate({"x": x, "y": y})) == (1 < x <= y < 8)


def document() -> dict[str, Any]:
    return {
        "General": {"BenchmarkName": "scaled"},
        "ConfigurationSpace": {
            "TuningParameters": [
                {"Name": "BX", "Type": "int", "Values": "[32, 2**6]", "Default": 64},
                {"Name": "TILE", "Type": "int", "Values": "list(range(1, 3))", "Default": 1},
                {
                    "Name": "UNROLL",
                    "Type": "int",
                    "Values": "[2**i for i in range(2)] + [i for i in range(2, 9) if i % 8 == 0]",
                    "Default": 8,
                },
                {"Name": "KIND", "Type": "string", "Values": "['float', True]", "Default": "float"},
            ],
            "Conditions": [{"Parameters": ["BX"], "Expression": "BX*TILE <= 64 or UNROLL == 1"}],
        },
        "KernelSpecification": {
            "Language": "CUDA",
            "CompilerOptions": ["-std=c++17"],
            "KernelName": "k",
            "KernelFile": "k.cu",
            "GlobalSizeType": "OpenCL",
            "GlobalSize": {"X": "1024"},
            "LocalSize": {"X": "BX"},
            "SharedMemory": 64,
            "Arguments": [
                {"Type": "float", "MemoryType": "Vector", "Size": "2*max(TILE)", "FillType": "Random"},
                {"Type": "int32", "MemoryType": "Vector", "Size": 8, "FillType": "Random", "FillValue": 9},
                {"Type": "int32", "MemoryType": "Vector", "Size": 8, "FillType": "Constant", "FillValue": 3},
                {"Type": "float4", "MemoryType": "Vector", "Size": 8, "FillType": "BinaryRaw", "DataSource": "x.bin"},
                {"Type": "float", "MemoryType": "Vector", "MemType": "Constant", "Size": 8},
                {"Type": "int32", "MemoryType": "Scalar", "FillValue": 1000},
                {"Type": "float", "MemoryType": "Scalar", "FillValue": 0.5},
            ],
        },
    }


def written(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "t1.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
    return path


def test_a_t1_file(source: Path, tmp_path: Path) -> None:
    path = written(tmp_path, document())
    assert is_t1(path)
    assert not is_t1(source)
    found = read_space(path)
    assert found.source == source
    assert [axis.values for axis in found.axes] == [(32, 64), (1, 2), (1, 2, 8), ("float", 1.0)]
    assert found.default == {"BX": 64.0, "TILE": 1.0, "UNROLL": 8.0, "KIND": "float"}
    assert found.arguments == (
        "f32[4]", "i32[8]@random(0,9)", "i32[8]@constant(3)", "f32x4[8]@x.bin", "i32:1000", "f32:0.5"
    )  # fmt: skip
    assert len(found.configurations()) == 2 * (12 - 2)
    reading = found.reading(found.default)
    assert (reading["grid"], reading["dynamic_shared"]) == ([16, 1, 1], 64)
    assert reading["nvcc"] == "-Dkernel_tuner=1 -std=c++17 -DBX=64 -DTILE=1 -DUNROLL=8"


def test_values_of_axes_are_arguments_of_a_template(source: Path, tmp_path: Path) -> None:
    content = document()
    content["KernelSpecification"]["KernelName"] = "ns::TILE<float, TILE, KIND, 2*UNROLL>"
    found = read_space(written(tmp_path, content))
    reading = found.reading({"BX": 64.0, "TILE": 2.0, "UNROLL": 8.0, "KIND": "half"})
    assert reading["kernel"] == "ns::TILE<float, 2, half, 2*8>"


def test_a_problem_size_with_divisors(source: Path, tmp_path: Path) -> None:
    content = document()
    content["KernelSpecification"] |= {"ProblemSize": [1000, 30], "GridDivX": ["BX", "TILE"]}
    found = read_space(written(tmp_path, content))
    assert found.reading({"BX": 64.0, "TILE": 2.0, "UNROLL": 1.0, "KIND": "float"})["grid"] == [8, 30]
    content["KernelSpecification"] |= {"GridDivX": [], "GridDivY": []}
    found = read_space(written(tmp_path, content))  # the global size is given beside them
    assert found.reading({"BX": 64.0, "TILE": 1.0, "UNROLL": 1.0, "KIND": "float"})["grid"] == [16, 1, 1]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        (
            ("ConfigurationSpace", "TuningParameters", 1, "Values"),
            "__import__('os')",
            r"t1\.json:\d+: .*1\.Values.*neither",
        ),
        (("ConfigurationSpace", "TuningParameters", 1, "Values"), "range(10**9)", "more than 10000"),
        (("ConfigurationSpace", "TuningParameters", 1, "Values"), "[1,", "neither a list nor a range"),
        (("ConfigurationSpace", "TuningParameters", 0, "Values"), "[1, 1]", "given twice"),
        (("ConfigurationSpace", "TuningParameters", 0, "Name"), 7, "wrong type"),
        (("ConfigurationSpace", "TuningParameters"), [], "is empty"),
        (("ConfigurationSpace", "TuningParameters"), "all", "wrong type"),
        (("ConfigurationSpace", "Conditions", 0, "Expression"), "BX.real > 0", "not arithmetic"),
        (("ConfigurationSpace", "Conditions", 0, "Expression"), "Q > 0", "Q is not a tuning parameter"),
        (("KernelSpecification", "Language"), "OpenCL", "only CUDA"),
        (("KernelSpecification", "LocalSize"), {}, "LocalSize.X: is missing"),
        (("KernelSpecification", "LocalSize"), {"X": "BX +"}, "LocalSize.X"),
        (("KernelSpecification", "LocalSize"), {"X": "B"}, r"t1\.json:\d+: .*LocalSize.X: B is neither.*'BX'"),
        (("KernelSpecification", "GlobalSize"), {"X": 1, "Y": "Q"}, r"t1\.json:\d+: .*GlobalSize.Y: Q is neither"),
        (
            ("KernelSpecification", "KernelFile"),
            "absent.cu",
            r"t1\.json:\d+: .*KernelFile: there is no file .*absent.cu",
        ),
        (("KernelSpecification", "ProblemSize"), ["big"], "ProblemSize.0: is not a number"),
        (("KernelSpecification", "Arguments", 0, "Type"), "quad", "'quad' is not supported"),
        (("KernelSpecification", "Arguments", 0, "MemoryType"), "Local", "'Local' is not supported"),
        (("KernelSpecification", "Arguments", 0, "Size"), "1/3", "not a number of elements"),
        (("KernelSpecification", "Arguments", 0, "Size"), "rows", "rows"),
        (("KernelSpecification",), [], "is no object"),
    ],
)
def test_a_wrong_t1_file_names_line_and_key(
    source: Path, tmp_path: Path, key: tuple[Any, ...], value: Any, message: str
) -> None:
    content: Any = document()
    place = content
    for part in key[:-1]:
        place = place[part]
    place[key[-1]] = value
    with pytest.raises(InputError, match=message) as caught:
        read_space(written(tmp_path, content))
    assert str(tmp_path / "t1.json") in str(caught.value)


def test_what_is_no_json(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t1\.json:2.*not valid JSON"):
        read_space(written(tmp_path, '{\n"a" 1}'))
    with pytest.raises(InputError, match="nested too deeply"):
        read_space(written(tmp_path, "[" * 100_000))


def test_lines_of_keys() -> None:
    text = '{"a": [1,\n {"b\\"": true,\n  "c": null}],\n "d": {}, "e": []}'
    assert [line_of(text, key) for key in (("a", 0), ("a", 1, 'b"'), ("a", 1, "c"), ("d",), ("e", 3), ("x",))] == [
        1, 2, 3, 4, 4, 1
    ]  # fmt: skip
    assert line_of("{", ("a",)) is None
    assert line_of('{"a', ("a",)) is None
