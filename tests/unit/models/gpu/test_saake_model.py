"""SAAKE on machine code, from a file to a prediction."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from foretell.api import predict
from foretell.cli import foretell
from foretell.core.gpu.warps import Warps
from foretell.errors import InputError
from foretell.frontends.gpu.launch import parse_launch
from foretell.frontends.gpu.sass import kernels, listing
from foretell.frontends.gpu.workload import read_workload
from foretell.frontends.read import is_machine_code
from foretell.machines import load
from foretell.models.saake.machine_code import footprint_miss_rate, to_kernel
from foretell.models.saake.resources import resources
from tests.support.frontends.cubins import built

if TYPE_CHECKING:
    from foretell.core.answers.prediction import Prediction
    from foretell.core.workload import Workload

CUBIN = "simple_sm90.cubin"
MATMUL = ("matmul", "128,128", "16,16", [*["f32[4194304]"] * 3, "2048"])
VECADD = ("vecadd", "16384", "256", [*["f32[4194304]"] * 3, "4194304"])


def _workload(case: tuple[str, str, str, list[str]], path: Path | None = None) -> Workload:
    return read_workload(path or built(CUBIN), parse_launch(*case))


def _predict(case: tuple[str, str, str, list[str]], **more: str) -> Prediction:
    mode = more.pop("mode", "default")
    return predict(_workload(case), "h200", mode=mode, model="saake", options=more)  # type: ignore[arg-type]


def test_a_stream_waits_for_memory() -> None:
    prediction = _predict(VECADD)
    moved = 3 * 4 * 4194304
    assert prediction.model == "saake"
    assert prediction.bottleneck.resource == "memory"
    assert prediction.time_s > moved / load("h200").value("memory.bandwidth")
    assert prediction.details["resident_warps"] == 64


def test_a_tiled_product_waits_for_shared_memory() -> None:
    """Each of 128 tiles: 2 stores, 16 reads of a word, 4 of sixteen bytes (2 turns: half-warps share), each warp."""
    prediction = _predict(MATMUL)
    assert prediction.bottleneck.resource == "shared"
    turns = 128 * (2 + 16 + 4 * 2) * 8 * 16384 / 132
    assert prediction.largest_bound.time_s == pytest.approx(turns * 128 / 126.1 / 1.98e9, rel=0.01)


def test_miss_rates_follow_from_footprints() -> None:
    machine = load("h200")
    from foretell.characterize.gpu.functional import execute

    for case, expected in ((VECADD, 1.0), (MATMUL, 3 * 2**24 / (128 * 2 * 8 * 4 * 32 * 16384 + 8 * 4 * 32 * 16384))):
        facet = _workload(case).facet(Warps)
        rate, note = footprint_miss_rate(facet, execute(facet.kernel, facet.launch), machine)
        assert rate == pytest.approx(expected, rel=1e-3)
        assert "fit into the L2" in note
    small = machine.with_values({"level.L2.size": 2**20})
    facet = _workload(MATMUL).facet(Warps)
    rate, note = footprint_miss_rate(facet, execute(facet.kernel, facet.launch), small)
    assert rate == pytest.approx(1.0, rel=0.01)  # every block reads its tiles once
    assert "share nothing" in note


def test_paper_mode_has_no_cache() -> None:
    default, paper = _predict(MATMUL), _predict(MATMUL, mode="paper")
    used = paper.details["resources"]
    assert isinstance(used, dict)
    assert "L2" not in used
    assert any("no caches" in note for note in paper.assumptions)
    assert any("miss rate" in note for note in default.assumptions)


def test_transposes_are_ranked_by_their_conflicts() -> None:
    arguments = [*["f32[4194304]"] * 2, "2048"]
    conflicts, padded = (_predict((name, "64,64", "32,8", arguments)) for name in ("transpose0", "transpose1"))
    assert conflicts.time_s > 1.5 * padded.time_s
    assert conflicts.bottleneck.resource == "shared"


def test_more_bandwidth_never_hurts_a_stream() -> None:
    workload, machine = _workload(VECADD), load("h200")
    times = [
        predict(workload, machine.with_values({"memory.bandwidth": factor * 4e12})).time_s for factor in (0.5, 1, 2, 4)
    ]
    assert times == sorted(times, reverse=True)


def test_dependences_follow_the_registers() -> None:
    kernel = to_kernel(_workload(VECADD).facet(Warps), load("h200"), caches=True, launch_cycles=0)
    by_label = {entry.label: entry for entry in kernel.text}
    add = by_label["0110"]  # FADD R9,R4,R3 needs both loads
    assert {kernel.text[n].label for n in add.after} == {"00d0", "00f0"}
    assert by_label["00d0"].transactions == 4
    assert [kernel.text[n].label for n in kernel.order] == [f"{16 * n:04x}" for n in range(20)]


def test_a_listing_predicts_as_its_cubin(tmp_path: Path) -> None:
    path = tmp_path / "vecadd.sass"
    path.write_text(listing.write(kernels.read_kernel(built(CUBIN), "vecadd")))
    assert predict(_workload(VECADD, path), "h200", model="saake") == _predict(VECADD)
    with pytest.raises(InputError, match="no kernel 'matmul'"):
        _workload(MATMUL, path)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
def test_cuda_source_is_compiled(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text('extern "C" __global__ void one(float* x) { x[threadIdx.x] = 1.0f; }\n')
    workload = read_workload(path, parse_launch("one", "1", "32", ["f32[32]"]))
    assert workload.facet(Warps).kernel.arch == 90
    path.write_text("this is not CUDA\n")
    with pytest.raises(InputError, match="nvcc cannot compile"):
        read_workload(path, parse_launch("one", "1", "32", ["f32[32]"]))


def test_what_is_machine_code(tmp_path: Path) -> None:
    assert is_machine_code(built(CUBIN))
    assert is_machine_code(built("fat.so"))
    assert is_machine_code(Path("absent.cubin"))
    text = tmp_path / "text"
    text.write_text("hello")
    assert not is_machine_code(text)
    assert not is_machine_code(tmp_path)


def test_what_a_machine_does_not_say_is_assumed() -> None:
    found = resources(load("h100"))
    assert "pipeline.lsu.latency" in found.assumptions[0]
    assert "pipeline.uniform.gap" in found.assumptions[0]
    assert found.gap["fma"] == 0.25
    with pytest.raises(InputError, match="model gpu needs a gpu; 'sw26010' is a manycore"):
        predict(_workload(VECADD), "sw26010")


def test_predicting_twice_gives_the_same_answer() -> None:
    assert _predict(MATMUL) == _predict(MATMUL)


def _command(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(foretell, ["predict", str(built(CUBIN)), "--on", "h200", "--format", "json", *words])
    if isinstance(result.exception, InputError):
        return 3, str(result.exception)
    return result.exit_code, result.output


def test_the_command_line(tmp_path: Path) -> None:
    arguments = [word for text in VECADD[3] for word in ("--arg", text)]
    code, output = _command("--kernel", "vecadd", "--grid", "16384", "--block", "256", *arguments)
    assert code == 0
    direct = json.loads(output)["time_s"]
    launch = tmp_path / "launch.toml"
    launch.write_text(
        f'[[launch]]\nkernel = "vecadd"\ngrid = 16384\nblock = 256\nargs = {json.dumps(VECADD[3])}\n'
        '[[launch]]\nkernel = "matmul"\ngrid = 1\nblock = 256\n'
    )
    code, output = _command("--launch", str(launch), "--kernel", "vecadd")
    assert (code, json.loads(output)["time_s"]) == (0, direct)
    code, output = _command("--launch", str(launch))  # both: matmul lacks its arguments
    document = json.loads(output)
    assert code == 0
    assert [entry["time_s"] for entry in document["predictions"]] == [direct]
    assert "matmul" in document["refused"][0]["name"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--kernel", "vecadd"], 2, "needs its launch"),
        (["--grid", "1", "--block", "32"], 3, "choose one"),
        (["--kernel", "nothing", "--grid", "1", "--block", "32"], 3, "no kernel named"),
        (["--kernel", "vecadd", "--grid", "1", "--block", "2048"], 3, "larger than"),
        (["--kernel", "vecadd", "--grid", "1", "--block", "32"], 3, "has 4 parameters, 0 arguments"),
        (["--kernel", "vecadd", "--grid", "1", "--block", "32", "--arch", "80"], 3, "no code for sm_80"),
    ],
)
def test_mistakes_on_the_command_line(words: list[str], code: int, message: str) -> None:
    found, output = _command(*words)
    assert found == code
    assert message in output


def test_too_much_shared_memory() -> None:
    launch = parse_launch("vecadd", "1", "32", [*["f32[64]"] * 3, "32"], 1 << 20)
    with pytest.raises(InputError, match="too much shared memory"):
        predict(read_workload(built(CUBIN), launch), "h200")


def test_launch_options_need_machine_code() -> None:
    result = CliRunner().invoke(foretell, ["predict", "example:fig5", "--on", "h200", "--grid", "4"])
    assert result.exit_code == 2
