"""Reads what the operating system reports about the machine; every item may be missing."""

from __future__ import annotations

import mmap
import os
import platform
import re
from dataclasses import dataclass, replace
from pathlib import Path

from foretell.core.llvm.cpus import features_here, host_name

_ROOT = Path("/")


@dataclass(frozen=True, slots=True)
class Cache:
    """A data cache as reported, `shared_by` in cores. None where nothing is reported."""

    level: int
    size: int
    line: int | None = None
    ways: int | None = None
    shared_by: int | None = None


@dataclass(frozen=True, slots=True)
class System:
    """`memory` is the total, `available` the part that a program may still allocate (container limits included)."""

    cpu: str
    isa: str
    target: str
    caches: tuple[Cache, ...]
    memory: int | None
    available: int | None
    numa_domains: int | None
    threads_per_core: int | None
    page: int = mmap.PAGESIZE


def read_system(root: Path = _ROOT) -> System:
    """Reads /proc and /sys below `root`; sysconf is the fallback where /sys has no entry."""
    first = _first_cpu()
    cache = root / f"sys/devices/system/cpu/cpu{first}/cache"
    data = [cache for kind, cache in sysfs_caches(cache) if kind in ("Data", "Unified")]
    caches = _plausible(data or (_sysconf_caches() if root == _ROOT else []))
    memory, available = _memory(root)
    siblings = _count_list(_text(root / f"sys/devices/system/cpu/cpu{first}/topology/thread_siblings_list"))
    return System(
        cpu=_cpu_name(root),
        isa={"x86_64": "x86-64", "AMD64": "x86-64", "arm64": "aarch64"}.get(platform.machine(), platform.machine()),
        target=_target(root),
        caches=tuple(replace(cache, shared_by=_cores(cache.shared_by, siblings)) for cache in caches),
        memory=memory,
        available=available,
        numa_domains=len(list((root / "sys/devices/system/node").glob("node[0-9]*"))) or None,
        threads_per_core=siblings,
    )


def _cores(cpus: int | None, siblings: int | None) -> int | None:
    """Physical cores: the system counts hardware threads."""
    return None if cpus is None else max(1, cpus // (siblings or 1))


def _first_cpu() -> int:
    try:
        return min(os.sched_getaffinity(0))
    except (AttributeError, OSError):
        return 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _number(text: str) -> int | None:
    """'48K' → 49152; None for anything that is not a positive number."""
    match = re.fullmatch(r"(\d+)([KMG]?)", text.strip())
    if not match:
        return None
    value = int(match[1]) * {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}[match[2]]
    return value or None


def _count_list(text: str) -> int | None:
    """'0-3,8' → 5."""
    total = 0
    for part in filter(None, text.split(",")):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        if not match:
            return None
        total += int(match[2] or match[1]) - int(match[1]) + 1
    return total or None


def sysfs_caches(folder: Path) -> list[tuple[str, Cache]]:
    """Caches of one CPU as Linux reports them below `folder`, each with its type: Data, Instruction or Unified."""
    match = []
    for index in sorted(folder.glob("index[0-9]*")):
        level, size, line, ways = (
            _number(_text(index / name)) for name in ("level", "size", "coherency_line_size", "ways_of_associativity")
        )
        if level is not None and size is not None:
            shared_by = _count_list(_text(index / "shared_cpu_list"))
            match.append((_text(index / "type"), Cache(level, size, line, ways, shared_by)))
    return match


def _sysconf_caches() -> list[Cache]:
    match = []
    for level, prefix in ((1, "SC_LEVEL1_DCACHE"), (2, "SC_LEVEL2_CACHE"), (3, "SC_LEVEL3_CACHE")):
        size, line, ways = (_sysconf(f"{prefix}_{what}") for what in ("SIZE", "LINESIZE", "ASSOC"))
        if size:
            match.append(Cache(level, size, line, ways))
    return match


def _sysconf(name: str) -> int | None:
    try:
        return max(os.sysconf(name), 0) or None
    except (AttributeError, ValueError, OSError):
        return None


def _plausible(caches: list[Cache]) -> tuple[Cache, ...]:
    """Keeps caches from the inside out, each larger than the one before: virtual machines report implausible ones."""
    kept: list[Cache] = []
    for cache in sorted(caches, key=lambda cache: cache.level):
        if not kept or (cache.level > kept[-1].level and cache.size > kept[-1].size):
            kept.append(cache)
    return tuple(kept)


def _cpu_name(root: Path) -> str:
    text = _text(root / "proc/cpuinfo")
    for key in ("model name", "Model", "cpu model"):
        if match := re.search(rf"^{key}\s*:\s*(.+)$", text, re.MULTILINE):
            return match[1].strip()
    part = re.search(r"^CPU part\s*:\s*(\S+)$", text, re.MULTILINE)
    maker = re.search(r"^CPU implementer\s*:\s*(\S+)$", text, re.MULTILINE)
    if part and maker:
        return f"{platform.machine()}, implementer {maker[1]}, part {part[1]}"
    return platform.processor() or platform.machine() or "unknown processor"


def _target(root: Path) -> str:
    """LLVM's name of this processor, where LLVM is installed; else the baseline of the architecture."""
    try:
        from llvmlite import binding  # type: ignore[import-untyped, import-not-found, unused-ignore]

        name = host_name(str(binding.get_host_cpu_name()), features_here(binding.get_host_cpu_features()))
    except Exception:  # absent or broken: no measurement depends on it
        name = ""
    return name if name and name != "generic" else {"x86_64": "x86-64"}.get(platform.machine(), "generic")


def _memory(root: Path) -> tuple[int | None, int | None]:
    text = _text(root / "proc/meminfo")

    def entry(name: str) -> int | None:
        match = re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)
        return int(match[1]) * 1024 if match else None

    total, available = entry("MemTotal"), entry("MemAvailable")
    for limit, used in (
        ("sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory.current"),
        ("sys/fs/cgroup/memory/memory.limit_in_bytes", "sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ):
        most, now = _number(_text(root / limit)), _number(_text(root / used)) or 0
        if most is not None and total is not None and most < total:
            available = max(0, min(available or most, most - now))
    if (room := _address_space(root)) is not None:
        available = min(available or room, room)
    return total, available


def _address_space(root: Path) -> int | None:
    """Bytes that this process may still map where that is limited (ulimit -v)."""
    try:
        import resource
    except ImportError:  # not a Unix
        return None
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        return None
    pages = _number(_text(root / "proc/self/statm").partition(" ")[0]) or 0
    return max(0, most - pages * mmap.PAGESIZE)
