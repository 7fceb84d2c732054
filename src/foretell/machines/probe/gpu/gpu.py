"""Compiles and runs the GPU micro-benchmark, and converts its JSON into a machine file."""

from __future__ import annotations

import math
import shutil
import statistics
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import files, running
from foretell.errors import InputError, ToolError
from foretell.files import temporary_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FORMAT = "foretell gpu probe 1"
_TIMEOUT_S = 900
_GUIDE = "NVIDIA CUDA C++ Programming Guide: warps of 32 threads, four schedulers (compute capability 7.0 and later)"


@dataclass(frozen=True, slots=True)
class Document:
    """One run of the probe: the device, and its measurements by name."""

    date: str
    device: dict[str, Any]
    values: dict[str, float]


def _quarter(value: float) -> str:
    return f"{round(value * 4) / 4:g} cycle"


#: formats; the loop around 128 instructions adds one or two per cent to the latency of a pipeline, which is an integer
_WHOLE = "{:.0f} cycle".format
_CYCLES = "{:.4g} cycle".format
_PER_CYCLE = "{:.4g} B/cycle".format


def _bandwidth(value: float) -> str:
    return f"{value / 1e9:.4g} GB/s"


def _microseconds(value: float) -> str:
    return f"{value * 1e6:.3g} us"


#: instruction class -> instruction of the probe
_PIPELINES = {
    "fma": "ffma",
    "imad": "imad",
    "alu": "lop3",
    "fp64": "dfma",
    "half": "hfma2",
    "tensor": "hmma",
    "xu": "mufu_ex2",
    "shuffle": "shfl",
}
#: parameter of a machine -> measurement of the probe, and its format
_MEASURED: dict[str, tuple[str, Callable[[float], str]]] = {
    "clock.frequency": ("clock.frequency", lambda value: f"{round(value / 5e6) * 5} MHz"),
    **{
        f"pipeline.{name}.{what}": (f"pipeline.{measured}.{what}", write)
        for name, measured in _PIPELINES.items()
        for what, write in (("latency", _WHOLE), ("gap", _quarter))
    },
    **{path: (path, _WHOLE) for path in ("pipeline.constant.latency", "scratchpad.latency")},
    **{path: (path, _CYCLES) for path in ("level.L1.latency", "level.L2.latency", "memory.latency", "atomic.latency")},
    **{path: (path, _PER_CYCLE) for path in ("level.L1.core_bandwidth", "scratchpad.bandwidth")},
    **{
        f"{kind}bandwidth": (f"{kind}bandwidth", _bandwidth)
        for kind in ("level.L2.", "memory.", "memory.read_", "memory.copy_", "memory.write_")
    },
    "memory.random_bandwidth": ("path.gather.4096MiB", lambda value: _bandwidth(value * 64)),
    "sync.block": ("sync.block.32", _WHOLE),
    "sync.block_start": ("sync.block_start", lambda value: f"{value * 1e9:.3g} ns"),
    "sync.back_to_back": ("sync.between", _microseconds),
    **{path: (path, _microseconds) for path in ("sync.launch", "sync.global")},
}

#: parameter -> device property that the driver reports
_PROPERTIES: dict[str, tuple[str, Callable[[int], str]]] = {
    "cores.count": ("multiprocessors", str),
    "level.L2.size": ("L2_B", lambda value: f'"{value / 2**20:g} MiB"'),
    "scratchpad.size": ("shared_of_multiprocessor_B", lambda value: f'"{value / 1024:g} KiB"'),
    "occupancy.warps": ("threads", lambda value: str(value // 32)),
    "occupancy.blocks": ("blocks", str),
    "occupancy.registers": ("registers", str),
    "occupancy.shared_per_block": ("shared_of_block_B", lambda value: f'"{value / 1024:g} KiB"'),
}


def read_document(path: Path) -> Document:
    """Reads a JSON document that the probe printed."""
    content = files.parse_json(files.read_text(path), path)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f"is not an answer of the GPU probe ({FORMAT!r})", file=path)
    device, measurements = content.get("device"), content.get("measurements")
    if not isinstance(device, dict) or not isinstance(measurements, list):
        raise InputError("lacks the device or the measurements", file=path)
    values: dict[str, float] = {}
    for entry in measurements:
        name, value = (entry.get("name"), entry.get("value")) if isinstance(entry, dict) else (None, None)
        if not isinstance(name, str) or isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError("has a measurement without a name or a number", file=path)
        values[name] = float(value)
    return Document(str(content.get("date", "")), device, values)


def machine_file(documents: Sequence[Document], name: str, base: str | None = None) -> str:
    """Writes a machine file from the measurements that the runs have in common: medians, and the driver's device
    properties."""
    first = documents[0]
    if any(document.device.get("name") != first.device.get("name") for document in documents):
        raise InputError("the runs are of different devices")
    title, sm = str(first.device.get("name", "GPU")), first.device.get("sm", "")
    lines = [
        f'name = "{name}"',
        f'title = "{title}"',
        *([f'base = "{base}"'] if base else ['kind = "gpu"']),
        'source = "probe"',
        "",
        "[sources.probe]",
        'kind = "measured"',
        f'reference = "{_reference(documents)}"',
        "",
        "[sources.driver]",
        'kind = "measured"',
        f'reference = "properties that the CUDA driver gives of {title}"',
        "",
        "[sources.guide]",
        'kind = "datasheet"',
        f'reference = "{_GUIDE}"',
        "",
        "[target]",
        'isa = "sm"',
        f'cpu = "sm_{sm}"',
    ]
    for section, entries in _sections(documents).items():
        lines += ["", f"[{section}]", *entries]
    return "\n".join(lines) + "\n"


def _reference(documents: Sequence[Document]) -> str:
    first = documents[0]
    dates = sorted({document.date[:10] for document in documents})
    runs = f"median of {len(documents)} runs" if len(documents) > 1 else "one run"
    return (
        f"foretell gpu_probe.cu on {first.device.get('name')}, {', '.join(dates)}, CUDA {first.device.get('driver')}, "
        f"{first.values.get('clock.frequency', 0) / 1e6:.0f} MHz, {runs}"
    )


def _sections(documents: Sequence[Document]) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    for path, (key, text) in _PROPERTIES.items():
        value = documents[0].device.get(key)
        if isinstance(value, int) and value > 0:
            section, _, leaf = path.rpartition(".")
            sections.setdefault(section, []).append(f'{leaf} = {{ value = {text(value)}, source = "driver" }}')
    sections.setdefault("occupancy", []).extend(
        ('warp = { value = 32, source = "guide" }', 'schedulers = { value = 4, source = "guide" }')
    )
    for path, (measurement, write) in _MEASURED.items():
        values = [document.values[measurement] for document in documents if measurement in document.values]
        middle = statistics.median(values) if values else math.nan
        if middle > 0 and math.isfinite(middle):
            section, _, leaf = path.rpartition(".")
            sections.setdefault(section, []).append(f'{leaf} = "{write(middle)}"')
    return dict(sorted(sections.items(), key=lambda item: _rank(item[0])))


def _rank(section: str) -> tuple[int, str]:
    """Sort key: levels from the inside out, the rest by name."""
    order = ("clock", "cores", "pipeline", "level", "memory", "scratchpad", "atomic", "sync", "occupancy")
    return order.index(section.split(".")[0]), section


def run_probe() -> Document:
    """Compiles the shipped program and runs it on this computer's GPU."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        raise ToolError("the GPU probe needs nvcc, which is not here")
    if shutil.which("nvidia-smi") is None:
        raise ToolError("there is no NVIDIA GPU on this computer; run the probe where there is one")
    source = Path(str(resources.files("foretell") / "machines" / "probe" / "gpu" / "gpu_probe.cu"))
    with temporary_folder() as folder:
        program, answer = Path(folder) / "gpu_probe", Path(folder) / "probe.json"
        _run([nvcc, "-O3", "-arch=native", "-o", str(program), str(source)])
        answer.write_text(_run([str(program)]))
        return read_document(answer)


def _run(command: list[str]) -> str:
    try:
        done = running.run(command, running.Limits(_TIMEOUT_S))
    except running.NotStartedError as error:
        raise ToolError(f"{Path(command[0]).name} did not run: {error.reason}") from None
    if done.code:
        raise ToolError(f"{Path(command[0]).name} failed: {done.messages.strip()[:1000]}")
    return done.text
