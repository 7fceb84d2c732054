"""Launch descriptions."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell.core.gpu.launch import Contents, Element, Override, Pointer, Region, Scalar, Structure, TensorMap
from foretell.errors import InputError
from foretell.frontends.gpu.arguments import parse_argument
from foretell.frontends.gpu.launch import in_order, parse_launch, parse_overrides, parse_regions, read_launches
from foretell.frontends.gpu.launch_profile import is_profile, read_profile
from tests.support.frontends.profiles import NCU_RAW

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f32[4194304]", Pointer(Element("f32"), 4194304)),
        ("f32x4[16]", Pointer(Element("f32", 4), 16)),
        ("f32[1M*3/4]", Pointer(Element("f32"), 3 << 18)),
        ("f32[ 100 / 8 * 8 ]", Pointer(Element("f32"), 96)),
        ("i32[8]@random(0,99)", Pointer(Element("i32"), 8, Contents("random", 0, 99))),
        ("u64[8]@iota", Pointer(Element("u64"), 8, Contents("iota"))),
        ("i32[8]@permutation", Pointer(Element("i32"), 8, Contents("permutation"))),
        ("i32[8]@offsets(16)", Pointer(Element("i32"), 8, Contents("offsets", 16))),
        ("i32[8]@rows.npy", Pointer(Element("i32"), 8, Contents("file", file="rows.npy"))),
        ("2048", Scalar(2048)),
        ("-1", Scalar(-1)),
        ("0x10", Scalar(16)),
        ("1.5", Scalar(1.5, "float")),
        ("f64:2", Scalar(2, "f64")),
        (
            "{f32[4], 2*{i8:1, 7}}",
            Structure((Pointer(Element("f32"), 4), *[Structure((Scalar(1, "i8"), Scalar(7)))] * 2)),
        ),
        ("x=f32[1M]", Pointer(Element("f32"), 1 << 20, name="x")),
        ("f32[3*512*512]", Pointer(Element("f32"), 3 * 512 * 512)),
        ("f32[8]@random", Pointer(Element("f32"), 8, Contents("random", 0.0, 1.0))),
        ("f64[8]@normal(2,0.5)", Pointer(Element("f64"), 8, Contents("normal", 2, 0.5))),
        ("i8[8]@constant(-7)", Pointer(Element("i8"), 8, Contents("constant", -7))),
        ("i32x2[8]@offsets(4)", Pointer(Element("i32", 2), 8, Contents("extents", 4))),
        (
            "struct{i32,f32x2}[8]@rows.bin",
            Pointer(
                Element("struct", fields=(Element("i32"), Element("f32", 2))), 8, Contents("file", file="rows.bin")
            ),
        ),
        ("tensor_map(f16[4K,64], 128x64)", TensorMap(Pointer(Element("f16"), 4096 * 64), 4096, (128, 64))),
        ("a=tensor_map(f32[8,9], 4x3, swizzle)", TensorMap(Pointer(Element("f32"), 72, name="a"), 8, (4, 3))),
        ("{i32[8]@random(0,99)}", Structure((Pointer(Element("i32"), 8, Contents("random", 0, 99)),))),
    ],
)
def test_arguments(text: str, expected: object) -> None:
    assert parse_argument(text) == expected


def test_sizes() -> None:
    launch = parse_launch("k", "64,2", "32,3", ["f32x4[16]"])
    assert (launch.blocks, launch.threads, launch.warps) == (128, 96, 3)
    assert launch.grid == (64, 2, 1)
    assert isinstance(launch.arguments[0], Pointer)
    assert launch.arguments[0].bytes == 256


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f32", "is not an argument"),
        ("{}", "'' is not an argument"),
        ("{0*i32:1}", "1 to 32764 fields"),
        ("{40000*i32:1}", "1 to 32764 fields"),
        ("{" * 9 + "1" + "}" * 9, "8 in each other"),
        ("{f32[4], i8", "is not an argument"),
        ("f33[4]", "unknown type 'f33'"),
        ("f32x5[4]", "lanes"),
        ("f32[0]", "at least|between"),
        ("i32[4]@iotta", "did you mean 'iota'"),
        ("i32[4]@random(5,5)", "low < high"),
        ("i32[4]@random", "low < high"),
        ("i32[4]@random(0.5,3)", "low < high"),
        ("f32[4]@normal(0,-1)", "the second at least 0"),
        ("i32[4]@constant(0.5)", "one number of the element's type"),
        ("i32[4]@iota(3)", "takes no numbers"),
        ("f32[4]@random(0,x)", "are not numbers"),
        ("f32[4k5]", "is not a number of elements"),
        ("f32[4/0]", "divides by zero"),
        ("f32[4//2]", "is not a number of elements"),
        ("f32[4/8]", "between 1 element"),
        ("struct{i32,f32}[4]@iota", "come from a file"),
        ("struct i32[4]", "struct{i32,f32x2}"),
        ("i32[4]@offsets(0)", "at least 1"),
        ("q8:4", "unknown type"),
        ("1e999", "not a finite"),
        (f"0x{'f' * 400}", "not a finite"),
        ("tensor_map(f16[0,64], 8x8)", "at least|between"),
        ("tensor_map(f16[1G,1G], 8x8)", "between 1 element"),
        ("tensor_map(f16[64,64], 257x8)", "1 to 256 rows and columns"),
        ("tensor_map(f17[64,64], 8x8)", "unknown type"),
        ("tensor_map(f16[64], 8x8)", "is not|unknown type"),
    ],
)
def test_wrong_arguments_are_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_argument(text)


@pytest.mark.parametrize(
    ("grid", "block", "message"),
    [
        ("1", "33,32", "1056 threads"),
        ("0", "32", "at least 1"),
        ("1,70000", "32", "larger than"),
        ("a", "32", "whole numbers"),
        ("1,1,1,1", "32", "one to three"),
        ("1", "1,1,65", "larger than"),
    ],
)
def test_impossible_launches_are_named(grid: str, block: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_launch(None, grid, block, [])


def test_a_launch_file(tmp_path: Path) -> None:
    path = tmp_path / "launch.toml"
    path.write_text(
        '[[launch]]\nkernel = "matmul"\ngrid = [64, 64]\nblock = [32, 32]\nargs = ["f32[64]", 2048]\n'
        "[[launch]]\ngrid = 4\nblock = 32\nshared = 1024\n"
    )
    first, second = read_launches(path)
    assert (first.kernel, first.arguments) == ("matmul", (Pointer(Element("f32"), 64), Scalar(2048)))
    assert (second.grid, second.shared_bytes, second.kernel) == ((4, 1, 1), 1024, None)


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n",
        "[[launch]]\nblock = 32\n",
        "[[launch]]\ngrid = 1\nblock = 32\nblok = 3\n",
        "[[launch]]\ngrid = 1\nblock = 32\nshared = true\n",
        "[[launch]]\ngrid = 1\nblock = 32\nargs = 3\n",
        "[[launch]]\ngrid = 1\nblock = 32\nkernel = 3\n",
        "launch = [3]\n",
    ],
)
def test_wrong_launch_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "launch.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_launches(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "line", "message"),
    [
        ("grid = 1e400", 6, "launch.grid: must be a whole number or a text or a list"),
        ("grid = [1, -2]", 6, "launch.grid[1]: must be not negative"),
        ("grid = 0", 6, "grid (0, 1, 1): every dimension is at least 1"),
        (f"grid = 1\nshared = {9**40}", 7, "launch.shared: must be a number below 2^62"),
        ("grid = 1\nargs = ['f32[4]', inf]", 7, "launch.args[1]: must be a number below 2^62"),
        ("grid = 1\nl1_hit = nan", 7, "launch.l1_hit: must be a number below 2^62"),
        ("grid = 1\nl2_hit = 1.5", 7, "launch.l2_hit: must be a share between 0 and 1"),
        ("grid = 1\ntrip = { 9 = 2.5 }", 7, "launch.trip.9: must be a whole number or a text"),
        ("grid = 1\nbranch = { 042 = 2 }", 7, "branch 042: '2' is not a share"),
        ("grid = 1\nstart = 'hot'", 7, "launch.start: 'hot' is none of cold"),
        ("grid = 1\nbase = 'x'", 7, "launch.base: there is no one launch 'x'"),
        ("grid = 1\n\nblok = 1", 8, "launch.blok: unknown key (did you mean 'block'?)"),
        ("grid = 1\narg = { 3 = 1 }\nbase = 'first'", 7, "launch.arg.3: there are 1 arguments"),
    ],
)
def test_errors_have_the_line_of_their_key(tmp_path: Path, wrong: str, line: int, message: str) -> None:
    """Of the second table: the first one has the same keys."""
    path = tmp_path / "launch.toml"
    path.write_text(f"[[launch]]\nname = 'first'\ngrid = 1\nargs = [2]\nblock = 32\n[[launch]]\n{wrong}\nblock = 32\n")
    with pytest.raises(InputError) as caught:
        read_launches(path)
    assert f"{path}:{line + 1}: {message}" in str(caught.value)


def test_lines_are_decimal() -> None:
    """Python reads 042 as nothing; a line is 42."""
    assert parse_overrides({"042": "1"}, {}) == (Override(42, share=1),)


@given(
    st.text(max_size=25)
    | st.text("{}(),*1f32[]", max_size=25)
    | st.from_regex(r"[fiu]\d\d?(x\d)?\[\d+\](@\w+(\(\d+,\d+\))?)?")
)
def test_any_text_is_an_argument_or_an_input_error(text: str) -> None:
    try:
        found = parse_argument(text)
    except InputError as error:
        assert error.message
        return
    if isinstance(found, Scalar):
        assert math.isfinite(found.value)
    elif isinstance(found, Pointer):
        assert found.count >= 1
        assert found.bytes <= 256 << 40


def test_overrides(tmp_path: Path) -> None:
    assert parse_overrides({"42": "0.25"}, {"0x1a0": "100"}) == (
        Override(42, share=0.25),
        Override(0x1A0, offset=True, rounds=100),
    )
    for branches, trips, message in (
        ({"42": "2"}, {}, "share between 0 and 1"),
        ({"42": "often"}, {}, "share between 0 and 1"),
        ({"x": "1"}, {}, "neither a source line"),
        ({}, {"42": "0"}, "number of rounds"),
    ):
        with pytest.raises(InputError, match=message):
            parse_overrides(branches, trips)
    path = tmp_path / "launch.toml"
    path.write_text('[[launch]]\nname = "n"\ngrid = 1\nblock = 32\nbranch = { 4 = 0.5 }\ntrip = { 9 = 7 }\n')
    (launch,) = read_launches(path)
    assert (launch.name, launch.overrides) == ("n", (Override(4, share=0.5), Override(9, rounds=7)))
    path.write_text("[[launch]]\ngrid = 1\nblock = 32\ntrip = 7\n")
    with pytest.raises(InputError, match=r"launch\.trip"):
        read_launches(path)


def test_hit_rates_and_regions(tmp_path: Path) -> None:
    path = tmp_path / "launch.toml"
    head = "[[launch]]\ngrid = 1\nblock = 32\n"
    path.write_text(head + 'l1_hit = 0.5\nl2_hit = 1\nregion = { load = "3-9", store = "0x40" }\n')
    (launch,) = read_launches(path)
    assert (launch.l1_hit, launch.l2_hit) == (0.5, 1)
    assert launch.regions == (Region("load", 3, 9), Region("store", 0x40, 0x40, offset=True))
    for wrong in ("l1_hit = 1.5", "l2_hit = true", 'region = { a = "9-3" }', 'region = { a = "3-0x10" }'):
        path.write_text(head + wrong + "\n")
        with pytest.raises(InputError):
            read_launches(path)
    with pytest.raises(InputError, match="neither a source line"):
        parse_regions({"a": "here"})


def test_launches_of_a_profile(tmp_path: Path) -> None:
    """Equal launches once; the arguments are those of the user."""
    path = tmp_path / "profile.csv"
    path.write_text(NCU_RAW)
    assert is_profile(path)
    (launch,) = read_profile(path, ["f32[8]", "7"])
    assert launch.kernel == "copy"
    assert len(launch.arguments) == 2
    assert launch.blocks >= 1
    path.write_text(NCU_RAW.replace('"copy"', '"void ns::copy<4, int>(int *)"', 1))
    assert [item.kernel for item in read_profile(path)] == ["copy"]
    path.write_text(re.sub(r"\(\d+, 1, 1\)", "(4096, 1, 1)", NCU_RAW))
    with pytest.raises(InputError, match="larger than") as error:
        read_profile(path)
    assert str(path) in str(error.value)
    path.write_text("[[launch]]\n")
    assert not is_profile(path)
    assert not is_profile(tmp_path / "absent")


def test_structures_are_laid_out_as_in_c() -> None:
    """struct { char a; float2 b; int c; double d; char e; } has 40 bytes."""
    pointer = parse_argument("struct{i8,f32x2,i32,f64,i8}[3]")
    assert isinstance(pointer, Pointer)
    assert (pointer.element.bytes, pointer.bytes) == (40, 120)


def test_grids_and_places() -> None:
    assert parse_launch("k", "64x2", "8X8x2", []).grid == (64, 2, 1)
    assert parse_overrides({"42#2": "0.5"}, {"0x1a0": "3"}) == (
        Override(42, share=0.5, occurrence=2),
        Override(0x1A0, offset=True, rounds=3),
    )
    for wrong in ("42#0", "42#x", "0x10#1"):
        with pytest.raises(InputError, match="42#2"):
            parse_overrides({wrong: "0.5"}, {})


LIST = """
[[launch]]
name = "first"
kernel = "fill"
grid = "8x2"
block = 64
args = ["a=f32[1M]", "i32[8]", 4]
start = "cold"
[[launch]]
name = "second"
base = "first"
arg = { 1 = "i32[8]@rows.npy" }
start = ""
[[launch]]
name = "third"
base = "second"
args = ["f32[8]", "i32[8]", 4]
[[launch]]
name = "fourth"
base = "third"
start = "after second"
"""


def test_launches_with_a_base_and_their_order(tmp_path: Path) -> None:
    """A named array of an earlier launch makes a launch follow it; others follow where they say so."""
    (tmp_path / "launches.toml").write_text(LIST)
    (tmp_path / "rows.npy").write_bytes(b"")
    launches = in_order(read_launches(tmp_path / "launches.toml"))
    first, second, third, fourth = launches
    assert [launch.grid for launch in launches] == [(8, 2, 1)] * 4
    assert [str(argument) for argument in second.arguments[:2]] == ["a=f32[1048576]", f"i32[8]@{tmp_path}/rows.npy"]
    assert [launch.start for launch in launches] == ["cold", "after", "", "after second"]
    assert [[before.name for before in launch.before] for launch in launches] == [
        [],
        ["first"],
        [],
        ["first", "second"],
    ]
    assert third.arguments == fourth.arguments
    assert first.kernel == fourth.kernel == "fill"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("base = 'secnd'", "did you mean 'second'"),
        ("base = 'last'", "no one launch"),
        ("base = 'first'\narg = { 7 = '1' }", "3 arguments, counted from 0"),
        ("base = 'first'\nstart = 'hot'", "none of cold, warm, after NAME"),
        ("base = 'first'\nstart = 'after thrid'", "did you mean 'third'"),
        ("grid = 1\nblock = 1\narg = { 0 = '1' }", "has args"),
    ],
)
def test_wrong_bases_and_starts(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "launches.toml").write_text(f"{LIST}\n[[launch]]\nname = 'last'\n{text}\n")
    with pytest.raises(InputError, match=message):
        in_order(read_launches(tmp_path / "launches.toml"))
