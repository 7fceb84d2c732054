"""Launch descriptions."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell.core.gpu.launch import Contents, Element, Override, Pointer, Region, Scalar, Structure
from foretell.errors import InputError
from foretell.frontends.gpu.launch import parse_argument, parse_launch, parse_overrides, parse_regions, read_launches
from foretell.frontends.gpu.launch_profile import is_profile, read_profile
from tests.support.frontends.profiles import NCU_RAW

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f32[4194304]", Pointer(Element("f32"), 4194304)),
        ("f32x4[16]", Pointer(Element("f32", 4), 16)),
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
        ("i32[4]@offsets(0)", "at least 1"),
        ("q8:4", "unknown type"),
        ("1e999", "not a finite"),
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


@given(
    st.text(max_size=25)
    | st.text("{}(),*1f32[]", max_size=25)
    | st.from_regex(r"[fiu]\d\d?(x\d)?\[\d+\](@\w+(\(\d+,\d+\))?)?")
)
def test_any_text_is_an_argument_or_an_input_error(text: str) -> None:
    with contextlib.suppress(InputError):
        parse_argument(text)


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
