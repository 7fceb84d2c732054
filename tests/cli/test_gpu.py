"""GPU kernels on the command line: several launches, profiles, and what the user says about branches."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import foretell.uses
from tests.support.cli import run

LISTINGS = Path(foretell.uses.__file__).parent / "recorded" / "gpu"


def test_several_launches_of_one_kernel(tmp_path: Path) -> None:
    """All of a launch file, or the one that is named; and those that a profile shows, with arguments."""
    entry = (
        '[[launch]]\nname = "{0}"\nkernel = "copy_f32"\ngrid = {1}\nblock = 256\nargs = ["f32[{2}]", "f32[{2}]", {2}]\n'
    )
    launches = tmp_path / "launches.toml"
    launches.write_text(entry.format("small", 4, 1024) + entry.format("large", 4096, 1048576))
    code = LISTINGS / "copy_f32.sass.xz"
    both = run("predict", code, "--launch", launches, "--on", "h200", "--format", "json").json()
    assert [item["workload"] for item in both["predictions"]] == ["small", "large"]
    one = run("predict", code, "--launch", launches, "--kernel", "large", "--on", "h200", "--format", "json").json()
    assert one["time_s"] == both["predictions"][1]["time_s"]
    assert "2 launches fit" in run("why", code, "--launch", launches, "--on", "h200").err
    assert (
        "no launch of 'absent'" in run("predict", code, "--launch", launches, "--kernel", "absent", "--on", "h200").err
    )
    assert run("predict", code, "--launch", launches, "--arg", "7", "--on", "h200").code == 2
    assert "one launch" in run("predict", code, "--launch", launches, "--all", "--on", "h200").err
    profile = tmp_path / "profile.csv"
    profile.write_text(
        '"ID","Process ID","Kernel Name","Block Size","Grid Size","gpu__time_duration.sum"\n"","","","","","ns"\n'
        + '"0","1","copy_f32(const float *)","(256, 1, 1)","(4, 1, 1)","2000"\n'
    )
    arguments = ("--arg", "f32[1024]", "--arg", "f32[1024]", "--arg", "1024")
    found = run("predict", code, "--launch", profile, *arguments, "--on", "h200", "--format", "json").json()
    assert found["time_s"] == both["predictions"][0]["time_s"]


def test_what_is_said_about_branches() -> None:
    code = LISTINGS / "bfs_step.sass.xz"
    arguments = [f"--arg={text}" for text in ("i32[65]", "i32[640]", "i32[64]", "i32[64]", "1", "64")]
    launch = ("--grid", "1", "--block", "64", *arguments, "--on", "h200")
    assert "depend on data" in run("predict", code, *launch).out
    assert "as given, line 53: 1 taken" in run("predict", code, *launch, "--branch", "53=1").out
    assert "no branch at line 9" in run("predict", code, *launch, "--branch", "9=1").err


def test_measured_hit_rates_and_named_regions() -> None:
    code = LISTINGS / "stencil2d_global.sass.xz"
    arguments = [f"--arg={text}" for text in ("f32[1048576]", "f32[1048576]", "1024", "1024")]
    launch = ("--grid", "32,128", "--block", "32,8", *arguments, "--on", "h200")
    told = run("predict", code, *launch, "--l1-hit", "0.5", "--l2-hit", "0.25").out
    assert "as given, the hit rate of loads in L1 is 0.5" in told
    assert "as given, the hit rate of loads in L2 is 0.25" in told
    assert run("predict", code, *launch, "--l1-hit", "2").code == 2
    assert "all of it" in run("why", code, *launch, "--region", "all of it=0x0-0xfff0").out
    assert "is not a range" in run("why", code, *launch, "--region", "r=9-3").err


def test_code_without_a_launch_is_told_so(tmp_path: Path) -> None:
    found = run("predict", LISTINGS / "copy_f32.sass.xz", "--on", "h200")
    assert found.code == 2
    assert "needs its launch" in found.err
    assert "--grid" in found.err
    binary = tmp_path / "program"
    binary.write_bytes(b"\x7fELF" + bytes(60))
    assert "without GPU code" in run("predict", binary, "--on", "h200").err


def test_shared_memory_that_no_gpu_has_is_refused() -> None:
    arguments = [f"--arg={text}" for text in ("f32[1024]", "f32[1024]", "1024")]
    launch = ("--grid", "4", "--block", "256", *arguments, "--on", "h200")
    for size in ("300000", "99999999999"):
        found = run("predict", LISTINGS / "copy_f32.sass.xz", *launch, "--dynamic-shared", size)
        assert found.code == 3
        assert "shared memory" in found.err


def test_an_override_names_one_branch_of_a_line() -> None:
    """The second branch of a line; one that is not there is an error with the candidates that `describe` lists."""
    code = LISTINGS / "bfs_step.sass.xz"
    arguments = [f"--arg={text}" for text in ("i32[65]", "i32[640]", "i32[64]", "i32[64]", "1", "64")]
    launch = ("--grid", "1", "--block", "64", *arguments, "--on", "h200")
    listed = run("describe", code, "--format", "json").json()["branches"]
    assert {"53#1", "53#2"} <= {point["place"] for point in listed}
    assert "as given, line 53#2: 1 taken" in run("predict", code, *launch, "--branch", "53#2=1").out
    refused = run("predict", code, *launch, "--branch", "53#99=1")
    assert refused.code == 3
    assert "candidates" in refused.err
    assert "53#1" in refused.err
    assert "has no loop that ends at" in run("predict", code, *launch, "--trip", "9=3").err
    assert "53#1" in run("describe", code).out
    assert run("describe", code, "--format", "csv").out.startswith("place,offset,line,occurrence,loop")


def test_launches_follow_each_other(tmp_path: Path) -> None:
    """16 MiB that the launch before wrote are in L2; read for the first time they come from memory. Of 96 MiB nothing
    is left."""
    entry = '[[launch]]\nname = "{0}"\nkernel = "copy_f32"\ngrid = {1}\nblock = 256\nargs = [{2}]\nstart = "{3}"\n'
    launches, code = tmp_path / "launches.toml", LISTINGS / "copy_f32.sass.xz"
    small, large = '"{}=f32[4M]", "{}=f32[4M]", 4194304', '"{}=f32[24M]", "{}=f32[24M]", 25165824'
    launches.write_text(
        entry.format("first", 16384, small.format("a", "b"), "cold")
        + entry.format("second", 16384, small.format("b", "c"), "")
        + entry.format("other", 98304, large.format("x", "y"), "")
        + entry.format("third", 16384, small.format("b", "c"), "after other")
    )
    answer = run("predict", code, "--launch", launches, "--on", "h200", "--format", "json").json()["predictions"]
    read = [item["details"]["memory_read_B"] / 2**20 for item in answer]
    assert read == [16, 0, 96, 16]
    assert [item["details"]["L2_hit_rate"] for item in answer] == [0, 1, 0, 0]
    assert any("what the launches before left (first)" in note for note in answer[1]["assumptions"])
    cold = run("predict", code, "--launch", launches, "--kernel", "second", "--start", "cold", "--on", "h200")
    assert "as given, L2 is cold at the start" in cold.out
    alone = ("--grid", "4", "--block", "256", "--arg=f32[1K]", "--arg=f32[1K]", "--arg=1024", "--on", "h200")
    assert run("predict", code, *alone, "--start", "after first").code == 2
    assert run("predict", code, *alone, "--start", "hot").code == 3


def test_flags_of_nvcc(tmp_path: Path) -> None:
    if shutil.which("nvcc") is None:
        pytest.skip("nvcc is not installed")
    source = tmp_path / "k.cu"
    source.write_text('extern "C" __global__ void k(float* x) {\n  x[threadIdx.x] = VALUE;\n}\n')
    launch = ("--grid", "1", "--block", "32", "--arg=f32[32]", "--on", "h200")
    refused = run("predict", source, *launch, "--nvcc", "-DVALUE=nothing")
    assert refused.code == 3
    assert f'{source}:2: nvcc cannot compile this: identifier "nothing" is undefined' in refused.err
    assert "is chosen by foretell" in run("predict", source, *launch, "--nvcc", "-arch=sm_80").err
    assert run("predict", source, *launch, "--nvcc", "--no-such-flag").code == 3
    assert run("predict", source, *launch, "--nvcc", "-DVALUE=1.5f --use_fast_math").code == 0
    assert run("predict", LISTINGS / "copy_f32.sass.xz", *launch, "--nvcc", "-DVALUE=1").code == 2


def test_headers_and_macros_of_cuda_source(tmp_path: Path) -> None:
    """-I, -D and --cflags mean for a .cu what they mean for a .c."""
    if shutil.which("nvcc") is None:
        pytest.skip("nvcc is not installed")
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "scale.h").write_text("#define SCALE 3\n")
    source = tmp_path / "k.cu"
    source.write_text(
        '#include "scale.h"\nextern "C" __global__ void k(float* x) { x[threadIdx.x] = SCALE * VALUE; }\n'
    )
    missing = run("describe", source)
    assert missing.code == 3
    assert "--cflags '-I FOLDER'" in missing.err
    flags = f"-O2 -I {tmp_path / 'inc'} -DVALUE=2"
    for given in (("-I", tmp_path / "inc", "-D", "VALUE=2"), ("--cflags", flags)):
        assert "k(float* x)" in run("describe", source, *given).out
    launch = ("--grid", "1", "--block", "32", "--arg=f32[32]", "--on", "h200")
    assert run("predict", source, *launch, "--cflags", flags).code == 0
    assert run("rank", source, *launch, "--cflags", flags).code == 0
    assert "--cflags" in run("describe", source, "--cflags", "'").err


def test_flags_of_a_host_compiler_do_not_matter_to_machine_code() -> None:
    """A user's default for --cflags must not make GPU code unreadable."""
    launch = ("--grid", "1", "--block", "32", "--arg=f32[32]", "--arg=f32[32]", "--arg=32", "--on", "h200")
    assert run("predict", LISTINGS / "copy_f32.sass.xz", *launch, "--cflags", "-O2 -march=native").code == 0


def test_tuning_the_launch_of_machine_code(tmp_path: Path) -> None:
    """Expressions in the launch; the same with T4 and cache files, and wrong options."""
    code = LISTINGS / "copy_f32.sass.xz"
    launch = ["--grid", "ceil(n/B), 1", "--block", "B", "--arg", "f32[n]", "--arg", "f32[n]", "--arg", "n"]
    asked = ["tune", code, "--on", "h200", "--axis", "B=32,256", "-D", "n=262144", *launch, "--workers", "1"]
    outputs = ["--t4", tmp_path / "t4.json", "--cache", tmp_path / "kt.json", "--emit", tmp_path / "best.h"]
    document = run(*asked, *outputs, "--format", "json").json()
    assert document["best"]["parameters"] == {"B": 256}
    assert document["judge"] == "measured"
    assert "#define B 256" in (tmp_path / "best.h").read_text()
    assert '"32"' in (tmp_path / "kt.json").read_text()
    assert "correct" in (tmp_path / "t4.json").read_text()
    assert "measured" in run(*asked, "--strategy", "hybrid", "--measure", "echo {B} us").out
    assert "--measure COMMAND" in run(*asked, "--strategy", "hybrid").err
    assert run("tune", code, "--on", "h200", "--axis", "B=32").code == 2
    assert "estimated for a100 from the nearest GPU" in run(*asked[:3], "a100", *asked[4:]).out
    named = ["tune", f"{code}:copy_f32", *asked[2:]]
    assert "B=256" in run(*named, "--dynamic-shared", "4*B").out
    assert "given twice" in run(*named, "--kernel", "copy_f32").err
    assert "no kernel" in run("tune", f"{code}:other", *asked[2:]).err
    assert "4*B is not a number of bytes" in run("predict", code, "--on", "h200", "--dynamic-shared", "4*B").err
    assert run(*asked, "--grid", "1,2,3,4").code == 2
    annotated = ["tune", "example:hotspot.c", "--on", "sw26010", "-D", "n=200", "-D", "m=256"]
    assert "only for GPU kernels" in run(*annotated, "--strategy", "bottleneck").err
    assert "--constraint: only for GPU kernels" in run(*annotated, "--constraint", "1").err


def test_tuning_by_a_t1_file(tmp_path: Path) -> None:
    path = tmp_path / "t1.json"
    path.write_text(
        """{"ConfigurationSpace": {"TuningParameters": [{"Name": "B", "Type": "int", "Values": "[32, 256]"}]},
        "KernelSpecification": {"Language": "CUDA", "KernelName": "copy_f32", "KernelFile": "%s",
        "GlobalSize": {"X": "262144//B"}, "LocalSize": {"X": "B"}, "Arguments": [
        {"Type": "float", "MemoryType": "Vector", "Size": 262144},
        {"Type": "float", "MemoryType": "Vector", "Size": 262144},
        {"Type": "int32", "MemoryType": "Scalar", "FillValue": 262144}]}}"""
        % (LISTINGS / "copy_f32.sass.xz")
    )
    found = run("tune", path, "--on", "h200", "--axis", "B=64,256", "--constraint", "B < 256", "--workers", "1")
    assert "copy_f32 on h200: B=64" in found.out


def test_replaying_a_space(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Predictions come from a journal here: they need nvcc."""
    from foretell.core.answers.tuning import Variant
    from foretell.uses.tuning.kernels import KernelBench

    def predict(
        self: KernelBench, numbers: list[int], warps: int | None = None, *, precise: bool = False
    ) -> list[tuple[int, Variant]]:
        return [(number, Variant(self._configurations[number], 1.0 + number)) for number in numbers]

    monkeypatch.setattr(KernelBench, "predict", predict)
    asked = ["validate", "tuning", "--space", "gemm", "--most", "20"]
    assert "gemm" in run(*asked).out
    document = run(*asked, "--journal", tmp_path / "j", "--format", "json").json()
    assert document["summary"]["tuning"]["spaces"] == 1
    assert run(*asked, "--journal", tmp_path / "j", "--format", "csv").out.startswith("name,set,")
    assert "tuning" in run("validate").out


def test_tuning_cuda_source(tmp_path: Path) -> None:
    """Macros are compiled in; what does not compile is marked, and the search goes on; a rerun takes the journal."""
    if shutil.which("nvcc") is None:
        pytest.skip("nvcc is not installed")
    source = tmp_path / "scale.cu"
    source.write_text(
        'extern "C" __global__ void scale(const float* x, float* y, int n) {\n'
        "    __shared__ float tile[SIZE];\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) { tile[threadIdx.x % SIZE] = x[i]; y[i] = 2 * tile[threadIdx.x % SIZE]; }\n}\n"
    )
    launch = ["--grid", "ceil(n/B)", "--block", "B", "--arg", "f32[n]", "--arg", "f32[n]", "--arg", "n"]
    axes = ["--axis", "B=64,256", "--axis", "SIZE=256,1000000", "-D", "n=65536"]
    asked = ["tune", source, "--on", "h200", *axes, *launch, "--journal", tmp_path / "journal", "--format", "json"]
    document = run(*asked).json()
    assert [entry.get("invalidity", "") for entry in document["variants"]] == ["", "compile"] * 2
    assert "too much shared data" in document["variants"][1]["reason"]
    assert document["best"]["parameters"]["SIZE"] == 256
    assert run(*asked).json()["resumed"] == 4
