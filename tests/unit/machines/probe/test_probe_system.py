"""What the operating system says, in invented trees of /proc and /sys."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING

import pytest

from foretell.machines.probe.system import Cache, read_system

if TYPE_CHECKING:
    from pathlib import Path


def test_a_machine_that_says_nothing(tmp_path: Path) -> None:
    about = read_system(tmp_path)
    assert about.caches == ()
    assert (about.memory, about.available, about.numa_domains, about.threads_per_core) == (None,) * 4
    assert about.cpu


def write_tree(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def test_a_limit_of_the_address_space_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the process has already is taken off; no less than nothing is left."""
    write_tree(tmp_path, {"proc/meminfo": "MemTotal: 9000 kB\nMemAvailable: 8000 kB\n", "proc/self/statm": "50 9 9"})
    assert read_system(tmp_path).available == 8000 * 1024
    for limit, left in ((400, 400 * 1024 - 50 * mmap.PAGESIZE), (100, 0)):
        monkeypatch.setattr("resource.getrlimit", lambda what, limit=limit: (limit * 1024, limit * 1024))
        assert read_system(tmp_path).available == max(0, left)


def test_sysfs_is_read_and_nonsense_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: {3, 4}, raising=False)
    cache = "sys/devices/system/cpu/cpu3/cache"
    write_tree(
        tmp_path,
        {
            f"{cache}/index0/level": "1",
            f"{cache}/index0/type": "Data",
            f"{cache}/index0/size": "48K",
            f"{cache}/index0/ways_of_associativity": "12",
            f"{cache}/index0/coherency_line_size": "64",
            f"{cache}/index0/shared_cpu_list": "3,7-9",
            "sys/devices/system/cpu/cpu3/topology/thread_siblings_list": "3,7",
            f"{cache}/index1/level": "1",
            f"{cache}/index1/type": "Instruction",
            f"{cache}/index1/size": "32K",
            f"{cache}/index2/level": "2",
            f"{cache}/index2/type": "Unified",
            f"{cache}/index2/size": "0K",
            f"{cache}/index3/level": "3",
            f"{cache}/index3/type": "Unified",
            f"{cache}/index3/size": "1M",
            f"{cache}/index3/shared_cpu_list": "all",
            "proc/meminfo": "MemTotal: 1000 kB\nMemAvailable: 800 kB\n",
            "sys/fs/cgroup/memory.max": "512000",
            "sys/fs/cgroup/memory.current": "112000",
            "proc/cpuinfo": "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
            "sys/devices/system/node/node0/x": "",
            "sys/devices/system/node/node1/x": "",
        },
    )
    about = read_system(tmp_path)
    assert about.caches == (Cache(1, 48 << 10, 64, 12, 2), Cache(3, 1 << 20))
    assert (about.memory, about.available, about.numa_domains) == (1024000, 400000, 2)
    assert "0xd0c" in about.cpu


@pytest.mark.parametrize(
    ("said", "flags", "target"),
    [
        ("rocketlake", "avx2 amx-tile avx512fp16 amx-fp16", "graniterapids"),  # a host that masks the model's number
        ("icelake-server", "avx512f amx-tile", "sapphirerapids"),
        ("emeraldrapids", "amx-tile", "emeraldrapids"),
        ("rocketlake", "avx2 avx512f", "rocketlake"),
    ],
)
def test_features_say_more_than_a_masked_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, flags: str, target: str
) -> None:
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda: said)
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: dict.fromkeys(flags.split(), True))
    assert read_system(tmp_path).target == target
