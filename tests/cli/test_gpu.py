"""GPU kernels on the command line: several launches, profiles, and what the user says about branches."""

from __future__ import annotations

from pathlib import Path

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
    binary = tmp_path / "program"
    binary.write_bytes(b"\x7fELF" + bytes(60))
    for code in (LISTINGS / "copy_f32.sass.xz", binary):
        found = run("describe", code)
        assert found.code == 3
        assert "needs its launch" in found.err
        assert "--grid" in found.err


def test_shared_memory_that_no_gpu_has_is_refused() -> None:
    arguments = [f"--arg={text}" for text in ("f32[1024]", "f32[1024]", "1024")]
    launch = ("--grid", "4", "--block", "256", *arguments, "--on", "h200")
    for size in ("300000", "99999999999"):
        found = run("predict", LISTINGS / "copy_f32.sass.xz", *launch, "--dynamic-shared", size)
        assert found.code == 3
        assert "shared memory" in found.err
