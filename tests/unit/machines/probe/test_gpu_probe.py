"""The GPU probe's answers as machine files."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from foretell import files
from foretell.cli import foretell
from foretell.errors import InputError, ToolError
from foretell.machines import load
from foretell.machines.probe.gpu import gpu

#: the first three have what a machine file was first made of, the fourth the path to memory as well
RUNS = sorted((Path(__file__).parents[4] / "validation" / "h200").glob("probe-*.json.xz"))[:3]
PATH = Path(__file__).parents[4] / "validation" / "h200" / "probe-2026-11-15-4.json"
PROBE = Path(__file__).parents[4] / "src" / "foretell" / "machines" / "probe" / "gpu" / "gpu_probe.cu"


def _values(name: str) -> list[float]:
    return [gpu.read_document(path).values[name] for path in RUNS]


def test_three_runs_agree() -> None:
    assert len(RUNS) == 3
    for name in ("pipeline.ffma.latency", "memory.latency", "memory.bandwidth", "level.L2.bandwidth"):
        values = _values(name)
        assert max(values) / min(values) < 1.01, name


def test_the_machine_file_holds_medians(tmp_path: Path) -> None:
    path = tmp_path / "h200.toml"
    path.write_text(gpu.machine_file([gpu.read_document(run) for run in RUNS], "measured-h200"))
    machine = load(path)
    assert machine.value("memory.latency") == pytest.approx(statistics.median(_values("memory.latency")), rel=1e-3)
    assert machine.value("memory.bandwidth") == pytest.approx(statistics.median(_values("memory.bandwidth")), rel=1e-3)
    assert (machine.value("pipeline.fma.latency"), machine.value("pipeline.imad.gap")) == (4, 2)
    assert machine.value("cores.count") == 132
    source = machine["memory.latency"].source
    assert source.kind == "measured"
    assert "NVIDIA H200" in source.reference
    assert "median of 3 runs" in source.reference


def test_the_shipped_machine_is_what_was_measured(tmp_path: Path) -> None:
    path = tmp_path / "h200.toml"
    path.write_text(gpu.machine_file([gpu.read_document(run) for run in RUNS], "measured-h200"))
    measured, shipped = load(path), load("h200")
    # a mixture of two instructions in the probe; what these runs measured with other work in the loop; whole cycles
    corrected = {"pipeline.half.gap", "level.L1.core_bandwidth", "pipeline.tensor.gap"}
    # test_launches_take_what_was_measured; test_a_chain_of_atomics_takes_the_mean_of_near_and_far_words
    elsewhere = {"sync.back_to_back", "atomic.latency"}
    streams = _streams()
    for name in set(measured.quantities) - corrected - elsewhere:
        values = [measured.value(name), *([streams[name]] if name in streams else [])]
        assert shipped.value(name) == pytest.approx(statistics.mean(values), rel=0.005), name


def _rates() -> list[dict[str, Any]]:
    """Streams, launches and others that were measured beside the probe."""
    return [json.loads(line) for line in files.read_text(PATH.parent / "micro" / "rates.jsonl").splitlines()]


def _streams() -> dict[str, float]:
    """Bytes per second of long streams, without what starts and ends them: two lengths and their difference."""
    times = {row["MiB"]: row for row in _rates() if row.get("stream") == "float4"}

    def rate(kind: str, arrays: int, longer: int) -> float:
        return arrays * (longer // 2 << 20) / (times[longer][kind] - times[longer // 2][kind])

    kinds = {"read_": ("read_s", 1, 1024), "write_": ("write_s", 1, 1024), "copy_": ("copy_s", 2, 1024)}
    kinds[""] = ("triad_s", 3, 512)
    return {f"memory.{kind}bandwidth": rate(*how) for kind, how in kinds.items()}


def test_launches_take_what_was_measured() -> None:
    empty = {row["launch"]: row["nothing_s"] for row in _rates() if "launch" in row and row["threads"] == 1024}
    shipped, block, places = load("h200"), 20e-9, 2 * 132
    assert shipped.value("sync.back_to_back") == pytest.approx(empty[1] - block, rel=0.005)
    each = (empty[16896] - empty[4224]) / (16896 - 4224)
    assert shipped.value("sync.block_replace") == pytest.approx(each * places - block, rel=0.015)


def test_tensor_cores_have_the_rate_that_was_measured() -> None:
    """m16n8k16 in half precision: 2048 products on each of four tensor cores."""
    machine = load("h200")
    cores, cycles = machine.value("cores.count"), machine.cycles("pipeline.tensor.gap")
    rate = 2 * 2048 * 4 * cores / cycles * machine.value("clock.frequency")
    measured = gpu.read_document(RUNS[0]).values["peak.tensor_half"]
    assert rate == pytest.approx(measured, rel=0.01)


def test_the_path_to_memory_is_what_was_measured() -> None:
    values, shipped = gpu.read_document(PATH).values, load("h200")
    assert shipped.value("sync.block_start") == pytest.approx(values["sync.block_start"], rel=0.01)
    assert shipped.value("memory.random_bandwidth") == pytest.approx(64 * values["path.gather.4096MiB"], rel=0.01)


def test_measured_peaks_stay_below_the_data_sheet() -> None:
    """The probe once counted chains that the compiler had dropped: its peaks were twice the possible."""
    machine = load("h200")
    for name in ("single", "double", "tensor_half"):
        assert 0.5 < max(_values(f"peak.{name}")) / machine.value(f"peak.{name}") < 1


def test_the_command_line_converts() -> None:
    arguments = ["machines", "probe", "--name", "x", *(word for run in RUNS for word in ("--from", str(run)))]
    result = CliRunner().invoke(foretell, arguments)
    assert result.exit_code == 0
    assert 'name = "x"' in result.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", "not an answer of the GPU probe"),
        ('{"format": "foretell gpu probe 1"}', "lacks the device"),
        ('{"format": "foretell gpu probe 1", "device": {}, "measurements": [{"name": 3}]}', "without a name"),
    ],
)
def test_other_documents_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "probe.json"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        gpu.read_document(path)


def test_runs_of_different_devices_do_not_mix(tmp_path: Path) -> None:
    content = json.loads(files.read_text(RUNS[0]))
    content["device"]["name"] = "another"
    path = tmp_path / "probe.json"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match="different devices"):
        gpu.machine_file([gpu.read_document(RUNS[0]), gpu.read_document(path)], "x")


def test_without_a_gpu_the_probe_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ToolError, match="needs nvcc"):
        gpu.run_probe()


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
def test_the_probe_compiles_without_warnings(tmp_path: Path) -> None:
    """Warnings are those of the language and of the assembler; the optimiser has none, and takes most of the time."""
    options = subprocess.run(["nvcc", "--help"], capture_output=True, text=True, check=True).stdout
    less = ["--Ofast-compile=mid"] if "--Ofast-compile" in options else []
    target = tmp_path / "p.cubin"
    command = ["nvcc", "-arch=sm_90", "--Werror", "all-warnings", *less, "-cubin", "-o", str(target), str(PROBE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
