"""Kernels in a first `foretell.toml`, declared as public projects declare them."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

from foretell.core.symbolic.poly import symbol
from foretell.core.symbolic.text import parse
from foretell.errors import InputError
from foretell.uses.check.configured.initial import first_configuration

if TYPE_CHECKING:
    from pathlib import Path


def made(folder: Path, source: str) -> str:
    (folder / "k.cu").write_text(source)
    return first_configuration(folder, ())


def test_bounds_may_stand_before_the_result_and_have_brackets(tmp_path: Path) -> None:
    text = made(
        tmp_path,
        "__global__ __launch_bounds__(max(32, Shape<2>::threads())) void early(float *x) { x[0] = 1; }\n"
        "__global__ void __launch_bounds__(64) late(float *x) { x[0] = 1; }\n"
        "template <class Shape> static __global__ __launch_bounds__(Shape::n) void shaped(float *x) { x[0] = 1; }\n",
    )
    assert [*tomllib.loads(text)["code"]] == ["early", "late"]
    assert "shaped is a template that nobody launches here" in text


def test_arguments_have_the_types_of_parameters(tmp_path: Path) -> None:
    """Fixed widths, aliases, vectors, comments with commas, and a call of the kernel before its definition."""
    text = made(
        tmp_path,
        "using real = float; typedef unsigned char byte;\n"
        "__global__ void fill(const size_t n, real *__restrict__ x, const byte *, uint16_t few, bool on, double by,\n"
        "    float4 *wide, // [rows, (columns), 4]\n    int64_t *last);\n"
        "void run() { fill<<<1, 64>>>(1, 0, 0, 1, true, 1.0, 0, 0); }\n"
        "__global__ void fill(const size_t n, real *__restrict__ x, const byte *, uint16_t few, bool on, double by,\n"
        "    float4 *wide, /* f(a, b) { */ int64_t *last) { x[blockIdx.x * 64 + threadIdx.x] = by; }\n",
    )
    assert tomllib.loads(text)["code"]["fill"]["args"] == [
        1048576, "f32[1048576]", "u8[1048576]", 1, 1, "f64:1.0", "f32x4[1048576]", "i64[1048576]",
    ]  # fmt: skip


@pytest.mark.parametrize("parameter", ["Box box", "float **rows", "int3 shape", "const Node *list", "float &out"])
def test_types_that_say_too_little_are_no_guess(tmp_path: Path, parameter: str) -> None:
    text = made(
        tmp_path,
        f"__global__ void walk(int n, {parameter}) {{ if (n) return; }}\n__global__ void plain(int n) {{ (void)n; }}\n",
    )
    assert [*tomllib.loads(text)["code"]] == ["plain"]
    assert f"# k.cu: walk: the type of «{parameter}» says too little\n# [code.walk]\n" in text
    assert f"# args = […]  # int n, {parameter}\n" in text


def test_long_lists_of_arguments_print_as_a_hash_and_are_no_operators() -> None:
    """Their texts look like one argument: they are refused as expressions instead of being computed."""
    for operator in ("xor", "and", "or", "rem", "mod", "div", "floor", "pow"):
        with pytest.raises(InputError, match=f"gives {operator} 1 arguments"):
            parse(f"{operator}(df3a99b7635a)")
    with pytest.raises(InputError, match="gives min 0"):
        parse("min()")
    assert parse("max(a)") == symbol("a")
