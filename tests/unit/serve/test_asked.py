"""Questions of clients: what is taken, and what is refused before anything is read."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foretell.errors import InputError
from foretell.serve.pool import asked
from tests.support.serve.web import ASKED


def refused(**changed: Any) -> str:
    with pytest.raises(InputError) as caught:
        asked.wanted({**ASKED, **changed})
    return caught.value.message


def test_a_whole_question_becomes_keywords_of_the_interface() -> None:
    wanted = asked.wanted(
        {**ASKED, "threads": "all", "set": {"memory.bandwidth": "64GB/s"}, "function": "triad", "cflags": "-O2 -DN=3",
         "branch": {"12": 0.5}, "args": ["f32[8]@iota"], "dynamic_shared": 1024.0, "mode": "paper"}
    )  # fmt: skip
    assert wanted.code.name == "triad.c"
    assert wanted.on == ("zen4",)
    assert wanted.keywords == {
        "parameters": {"n": 1000}, "threads": "all", "set": {"memory.bandwidth": "64GB/s"}, "function": "triad",
        "cflags": "-O2 -DN=3", "cc": "none", "branch": {"12": 0.5}, "args": ["f32[8]@iota"], "dynamic_shared": 1024,
        "mode": "paper",
    }  # fmt: skip


def test_codes_are_texts_bytes_or_examples() -> None:
    packed = {"name": "a.cubin", "base64": base64.b64encode(b"\x7fELF").decode()}
    assert asked.wanted({"code": packed}).code.data == b"\x7fELF"
    assert asked.wanted({"code": {"example": "vector-add"}}).code.example == "vector-add"
    one, other = (asked.Code(name, b"x") for name in ("a.c", "b.c"))
    assert one.digest != other.digest


@pytest.mark.parametrize(
    "name",
    ["../a.c", "/etc/passwd", "a/b.c", "a.py", "a", "", ".c", "compile_commands.json", "x" * 80 + ".c", "a\0.c", "~.c"],
)
def test_names_that_could_be_paths_or_programs_are_refused(name: str) -> None:
    assert "is not possible here" in refused(code={"name": name, "text": "x"})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"code": None}, "give an object"),
        ({"code": {"name": "a.c"}}, "neither text nor base64"),
        ({"code": {"name": "a.o", "base64": "?"}}, "damaged"),
        ({"code": {"name": "a.c", "text": "x" * (asked.MOST_CODE_BYTES + 1)}}, "more than"),
        ({"code": {"example": "../../etc/passwd"}}, "not the name of an example"),
        ({"on": "../zen4"}, "not the name of a machine"),
        ({"on": "/etc/passwd"}, "not the name of a machine"),
        ({"on": ["zen4"] * 201}, "more than 200"),
        ({"launch": "/etc/passwd"}, "unknown key 'launch'"),
        ({"asm": "/etc/passwd"}, "unknown key 'asm'"),
        ({"trip_from_run": "rm -rf /"}, "unknown key"),
        ({"also": ["/etc/passwd"]}, "unknown key"),
        ({"options": {"asm": "/etc/passwd"}}, "not possible here"),
        ({"cc": "sh -c id"}, "none of gcc"),
        ({"args": ["f32[8]@/etc/passwd"]}, "contents from files"),
        ({"args": ["f32[8]@secret.npy"]}, "contents from files"),
        ({"args": "f32"}, "give a list"),
        ({"args": ["1" * 500]}, "more than 400"),
        ({"threads": "many"}, "not a number"),
        ({"parameters": [1]}, "give an object"),
        ({"parameters": {"n": None}}, "a number or a text"),
        ({"parameters": {"n": True}}, "a number or a text"),
        ({"parameters": {"n": float("inf")}}, "finite"),
        ({"parameters": {"n": "`id`"}}, "not a number"),
        ({"parameters": {"a b": 1}}, "not a name"),
        ({"function": "$(id)"}, "not possible"),
        ({"arch": "x"}, "not a number"),
    ],
)
def test_what_names_files_or_runs_programs_is_refused(changed: dict[str, Any], said: str) -> None:
    assert said in refused(**changed)


@pytest.mark.parametrize(
    "flag",
    ["-I/etc", "-include/etc/passwd", "@/etc/passwd", "-fplugin=/tmp/x.so", "-fprofile-use=/x", "-Wl,-x", "-Wa,-x",
     "-o/tmp/x", "-B/tmp", "-specs=/x", "--sysroot=/", "-mllvm", "-x", "-imacros", "-fdump-tree-all", "-save-temps",
     "-D'a b'", "/etc/passwd", "-fuse-ld=/x", "-Xclang"],
)  # fmt: skip
def test_flags_that_name_files_are_refused(flag: str) -> None:
    assert "is not possible here" in refused(cflags=f"-O3 {flag}")
    assert "is not possible here" in refused(nvcc=flag)


@pytest.mark.parametrize(
    "flags", ["-O3 -march=native", "-Ofast -funroll-loops -fopenmp", "-std=c11 -DN=100 -UN -g1 -Wall"]
)
def test_flags_of_code_generation_are_taken(flags: str) -> None:
    assert asked.wanted({**ASKED, "cflags": flags}).keywords["cflags"] == flags


_KEYS = st.sampled_from(["code", "on", "name", "text", "base64", "parameters", "threads", "args", "cflags", "x"])
_LEAVES = st.none() | st.booleans() | st.floats() | st.text()


@given(st.recursive(_LEAVES, lambda inner: st.lists(inner) | st.dictionaries(_KEYS, inner)))
def test_any_document_is_taken_or_refused_with_a_message(document: object) -> None:
    try:
        asked.wanted(document)
    except InputError as error:
        assert error.message


def test_depth_of_advice_has_a_limit() -> None:
    assert asked.depth_and_kinds({"depth": 2, "only": ["interchange"]}) == (2, ("interchange",))
    with pytest.raises(InputError):
        asked.depth_and_kinds({"depth": 9})


def test_a_job_has_axes_conditions_and_a_strategy() -> None:
    job = asked.job({"job": {"axes": {"B": [64, 128], "nvcc": "-O3|--use_fast_math"}, "constraints": ["B <= 64"]}})
    assert (job.axes, job.constraints) == ({"B": "64,128", "nvcc": "-O3|--use_fast_math"}, ("B <= 64",))
    assert (job.strategy, job.budget, job.journal) == ("static", 10, None)
    assert asked.job({}).axes == {}
    assert asked.sizes("ceil(n/(a*max(b,c))), 2") == ["ceil(n/(a*max(b,c)))", " 2"]


@pytest.mark.parametrize(
    "job",
    [3, {"axes": 3}, {"axes": {"a b": "1"}}, {"axes": {"B": "1 -I/etc"}}, {"axes": {"B": "$(id)"}},
     {"axes": {"nvcc": "-O3|-I/etc"}}, {"axes": {"nvcc": "-include /etc/passwd"}},
     {"constraints": ["__import__('os')"]},
     {"constraints": 3}, {"budget": "many"}, {"axes": dict.fromkeys(map(str, range(99)), "1")}],
)  # fmt: skip
def test_axes_cannot_smuggle_flags_or_files(job: Any) -> None:
    with pytest.raises(InputError):
        asked.job({"job": job})


@pytest.mark.parametrize("text", ["", "1,2,3,4"])
def test_launches_have_up_to_three_sizes(text: str) -> None:
    with pytest.raises(InputError):
        asked.sizes(text)
