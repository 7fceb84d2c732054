"""One place chooses the front end: what the command line reads, Python reads, with the same answer."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import foretell
from foretell import frontends
from foretell.core.gpu.warps import Warps
from foretell.core.nest.loopnest import Loops
from foretell.errors import InputError, OptionError, UnsupportedError
from foretell.frontends.gpu.binary import nvcc
from foretell.machines import load
from tests.support.cli import run
from tests.support.frontends.cubins import built

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(foretell.__file__).parent
LISTINGS = PACKAGE / "uses" / "recorded" / "gpu"
COPY = LISTINGS / "copy_f32.sass.xz"
ARGS = ["f32[1024]", "f32[1024]", 1024]
LAUNCH: Any = {"grid": 4, "block": 256, "args": ARGS}
TWO = """void first(int n, double *a) {
    for (int i = 0; i < n; i++) if (a[i] > 0) a[i] = 1 / a[i];
}
void second(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 2 * a[i]; }
"""
LAUNCHES = "".join(
    f'[[launch]]\nname = "{name}"\nkernel = "copy_f32"\ngrid = {grid}\nblock = 256\n'
    f'args = ["f32[{256 * grid}]", "f32[{256 * grid}]", {256 * grid}]\n'
    for name, grid in (("small", 4), ("large", 64))
)
NCU = (
    '"ID","Process ID","Kernel Name","Block Size","Grid Size","gpu__time_duration.sum"\n"","","","","","ns"\n'
    '"0","1","copy_f32(const float *)","(256, 1, 1)","(4, 1, 1)","2000"\n'
)
CUDA = 'extern "C" __global__ void one(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; }\n'

needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")


def flags(reading: dict[str, Any]) -> Iterator[str]:
    """Keyword arguments as the options of the command line."""
    for name, value in reading.items():
        flag = "--" + name.replace("_", "-").replace("args", "arg")
        if isinstance(value, dict):
            yield from (f"{flag}={place}={item}" for place, item in value.items())
        else:
            items = value if isinstance(value, list) else [value]
            yield from (f"{flag}={item}" for item in items)


def same(code: str | Path, on: str, parameters: dict[str, float] | None = None, **reading: Any) -> None:
    sizes = [f"-D{name}={value}" for name, value in (parameters or {}).items()]
    told = run("predict", code, "--on", on, *sizes, *flags(reading), "--format", "json").json()
    found = foretell.predict(code, on, parameters=parameters, **reading)
    assert told["time_s"] == found.time_s
    assert told["input_hash"] == found.input_hash


def test_sources_folders_and_their_functions(tmp_path: Path) -> None:
    (tmp_path / "two.c").write_text(TWO)
    for code in (tmp_path / "two.c", tmp_path):
        same(code, "sapphire-rapids", {"n": 4096})
        same(code, "sapphire-rapids", {"n": 4096}, kernel="second")
    same(tmp_path / "two.c", "sapphire-rapids", {"n": 4096}, kernel="first:2", branch={2: 0.25})
    rare, often = (
        foretell.prepare(tmp_path / "two.c", "neoverse-n1", branch={2: share}).workload.facet(Loops)
        for share in (0.25, 1.0)
    )
    assert rare != often


def test_a_function_named_behind_its_file(tmp_path: Path) -> None:
    (tmp_path / "two.c").write_text(TWO)
    for name in ("second", "first:2"):
        same(f"{tmp_path}/two.c:{name}", "sapphire-rapids", {"n": 4096})
        named = foretell.predict(f"{tmp_path}/two.c:{name}", "sapphire-rapids", parameters={"n": 4096})
        assert named == foretell.predict(tmp_path / "two.c", "sapphire-rapids", parameters={"n": 4096}, kernel=name)
    assert [nest.function for nest in frontends.read(f"{tmp_path}:second").facet(Loops).nests] == ["second"]
    assert frontends.read("example:stencil7.c:sweep").facet(Loops).nests[0].function == "sweep"
    with pytest.raises(OptionError, match="function= another: first"):
        foretell.predict(f"{tmp_path}/two.c:second", "sapphire-rapids", kernel="first")
    with pytest.raises(InputError, match="no loops in 'third'"):
        frontends.read(f"{tmp_path}/two.c:third")
    with pytest.raises(InputError, match=r"two\.c: no line 99: it has \d+"):
        frontends.read(f"{tmp_path}/two.c:99")


def test_a_file_whose_name_has_a_colon_wins(tmp_path: Path) -> None:
    (tmp_path / "two.c").write_text(TWO)
    (tmp_path / "two.c:second.c").write_text(TWO.replace("second", "other"))
    functions = [nest.function for nest in frontends.read(f"{tmp_path}/two.c:second.c").facet(Loops).nests]
    assert functions == ["first", "other"]
    assert len(frontends.read(f"{tmp_path}/two.c:second.c:other").facet(Loops).nests) == 1


@pytest.mark.parametrize(
    ("code", "on"), [("example:vector-add", "sw26010"), ("example:fig5", "k20c"), ("example:n-body", "sw26010")]
)
def test_examples(code: str, on: str) -> None:
    same(code, on)


def test_profiles_and_other_views() -> None:
    same("example:nekbone-like", "blue-gene-q")
    same("example:stencil7.c", "sapphire-rapids", {"n": 64}, also=["example:nekbone-like"])


def test_a_listing_with_its_launch() -> None:
    same(COPY, "h200", **LAUNCH)
    same(COPY, "h200", **LAUNCH, l1_hit=0.5, l2_hit=0.25, dynamic_shared=1024)
    same(
        LISTINGS / "bfs_step.sass.xz", "h200", grid=1, block="64", branch={53: 1},
        args=["i32[65]", "i32[640]", "i32[64]", "i32[64]", 1, 64],
    )  # fmt: skip
    one = foretell.predict(COPY, "h200", **LAUNCH)
    assert foretell.predict(COPY, "h200", grid=(4, 1), block=[256], args=ARGS) == one
    case = foretell.prepare(COPY, "h200", region={"all": "0x0-0xfff0"}, trip={}, **LAUNCH)
    assert case.workload.facet(Warps).launch.regions[0].name == "all"
    assert foretell.sweep(case, {"memory.latency": [4e-7, 8e-7]}).shape == (2,)


def test_files_of_launches(tmp_path: Path) -> None:
    launches, profile = tmp_path / "launches.toml", tmp_path / "profile.csv"
    launches.write_text(LAUNCHES)
    profile.write_text(NCU)
    same(COPY, "h200", launch=launches, kernel="large")
    same(COPY, "h200", launch=profile, args=ARGS)
    told = run("predict", COPY, "--launch", launches, "--on", "h200", "--format", "json").json()
    found = foretell.predict_many(COPY, "h200", launch=launches)
    assert [one["time_s"] for one in told["predictions"]] == [one.time_s for one in found.predictions]
    assert [one.workload for one in found.predictions] == ["small", "large"]
    with pytest.raises(InputError, match="2 launches fit"):
        foretell.predict(COPY, "h200", launch=str(launches))


def test_a_refused_launch_does_not_keep_the_others(tmp_path: Path) -> None:
    launches = tmp_path / "launches.toml"
    launches.write_text(LAUNCHES + '[[launch]]\nname = "bare"\nkernel = "copy_f32"\ngrid = 1\nblock = 32\n')
    found = foretell.predict_many(COPY, "h200", launch=launches)
    assert [one.workload for one in found.predictions] == ["small", "large"]
    assert [one.name for one in found.refused] == ["bare h200"]


@pytest.mark.parametrize("file", ["simple_sm90.cubin", "fat.so"])
def test_binaries(file: str) -> None:
    same(built(file), "h200", kernel="vecadd", grid=64, block=256, args=[*["f32[16384]"] * 3, 16384])


@needs_nvcc
def test_cuda_source_is_compiled_for_the_machine(tmp_path: Path) -> None:
    code = tmp_path / "k.cu"
    code.write_text(CUDA)
    launch: Any = {"grid": 4, "block": 256, "args": ["f32[1024]"]}
    for on, arch in (("h200", 90), ("a100", 80), ("l40", 89)):
        case = foretell.prepare(code, on, **launch)
        assert case.workload.facet(Warps).kernel.arch == arch
        assert not any("same instructions are assumed" in text for text in case.predict().assumptions)
        same(code, on, **launch)
    assert frontends.read(code, frontends.read_options(**launch)).facet(Warps).kernel.arch == 90
    asked = foretell.predict(code, "a100", arch=90, **launch)
    assert "the code is of sm_90; on a100 (sm_80) the same instructions are assumed" in asked.assumptions
    with pytest.raises(UnsupportedError, match=r"k\.cu: CUDA source cannot be compiled for sm_35.*\n.*arch=75"):
        foretell.predict(code, "k20c", **launch)


@needs_nvcc
def test_each_machine_of_a_ranking_has_its_own_compilation(tmp_path: Path) -> None:
    code = tmp_path / "k.cu"
    code.write_text(CUDA)
    launch: Any = {"grid": 4, "block": 256, "args": ["f32[1024]"]}
    found = foretell.rank(code, ["h200", "a100", "k20c"], **launch)
    alone = {on: foretell.predict(code, on, **launch) for on in ("h200", "a100")}
    assert {one.machine: one for one in found.predictions} == alone
    assert alone["h200"].input_hash != alone["a100"].input_hash
    assert [one.name for one in found.refused] == ["k20c"]
    on = [word for name in ("h200", "a100", "k20c") for word in ("--on", name)]
    for command in ("rank", "predict"):
        told = run(command, code, *on, *flags(launch), "--format", "json").json()
        assert {one["machine"]: one["time_s"] for one in told["predictions"]} == {
            name: one.time_s for name, one in alone.items()
        }
        assert "sm_35" in json.dumps(told["refused"])


def test_the_nearest_architecture_that_nvcc_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvcc, "_architectures", lambda _: {52, 80, 86, 90, 999})
    chosen = {cpu: nvcc.architecture_for(cpu) for cpu in ("sm_90", "sm_89", "sm_120", "sm_90a", "", "znver4")}
    assert chosen == {"sm_90": 90, "sm_89": 86, "sm_120": 90, "sm_90a": 90, "": 90, "znver4": 90}
    with pytest.raises(UnsupportedError, match="--arch 80"):  # foretell cannot read code for sm_52
        nvcc.architecture_for("sm_61")


@pytest.mark.parametrize(
    ("code", "reading", "message"),
    [
        (COPY, {}, r"copy_f32\.sass\.xz: a GPU kernel needs its launch"),
        (COPY, {"grid": 4}, "needs its launch"),
        ("example:stencil7.c", {"grid": 4, "args": [1]}, "grid=: only for GPU code"),
        ("example:stencil7.c", {"l1_hit": 0.5}, "l1_hit=: only for GPU code"),
        ("example:fig5", {"grid": 4}, "grid=: only for GPU code"),
        ("example:vector-add", {"kernel": "f"}, "function=: only for sources and GPU code"),
    ],
)
def test_options_that_do_not_fit(code: str | Path, reading: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        foretell.predict(code, "h200", **reading)
    assert run("predict", code, "--on", "h200", *flags(reading)).code == 2


def test_wrong_values_of_keywords() -> None:
    for reading, message in (({"l1_hit": 2}, "share"), ({"dynamic_shared": -1}, "bytes")):
        with pytest.raises(InputError, match=message):
            foretell.predict(COPY, "h200", **LAUNCH, **reading)
    with pytest.raises(TypeError, match="'gird'"):
        foretell.predict(COPY, "h200", gird=4)
    with pytest.raises(OptionError, match="read before"):
        foretell.predict(frontends.read("example:vector-add"), "sw26010", kernel="f")
    assert load("h200").traits["target.cpu"] == "sm_90"


def imported(folder: str) -> Iterator[tuple[Path, str]]:
    """Every module that one of a folder imports, wherever in its text."""
    for path in (PACKAGE / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                yield from ((path, name.name) for name in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield path, node.module
                yield from ((path, f"{node.module}.{name.name}") for name in node.names)


def test_the_command_line_knows_no_front_end() -> None:
    modules = {f"foretell.frontends.{path.stem}" for path in (PACKAGE / "frontends").iterdir()}
    modules -= {f"foretell.frontends.{name}" for name in frontends.__all__}  # `read`: the function
    inside = [(str(path), name) for path, name in imported("cli") if name in modules]
    deeper = [(str(path), name) for path, name in imported("cli") if name.count(".") > 2 and "frontends" in name]
    assert inside == deeper == []


def test_uses_know_no_model_by_name() -> None:
    models = {path.name for path in (PACKAGE / "models").iterdir() if (path / "__init__.py").exists()}
    assert "cpu" in models
    named = [
        (str(path), name)
        for path, name in imported("uses")
        if name.startswith("foretell.models.") and name.split(".")[2] in models
    ]
    assert named == []
