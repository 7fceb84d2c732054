"""Identifies a compiler of this machine and the target of its `-march=native`: a compiler that does not know the CPU
uses generic tuning."""

from __future__ import annotations

import importlib.util
import platform
import re
import shlex
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import cache, running
from foretell.codegen.compilers.flags import WITHOUT_CHAINS
from foretell.codegen.load_llvmlite import load_binding
from foretell.core.llvm.cpus import features_here, host_name
from foretell.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.codegen.compilers.flags import CodeOptions, Compiler

_KIND = cache.Kind("host-cpu", version=2)
#: lines of /proc/cpuinfo that describe one core
_LINES = 24
#: result for a gcc that knows AVX-512 but not the CPU
_UNTUNED = ("native", "generic")
_WIDEST = 512
_NEWER, _NEWER_CLANG = 13, 20


def resolved(options: CodeOptions, cpu: str) -> CodeOptions:
    """Options with gcc's tuning for a CPU, the same on every host. Without a tuning, gcc uses the widest vectors and no
    gathers."""
    if not options.gcc:
        return options
    if options.untuned:
        return replace(options, vector_bits=options.vector_bits or _WIDEST, gathers=False)
    avoids = cpu in WITHOUT_CHAINS[_NEWER - options.older]
    return replace(options, no_chains=options.no_chains or avoids)


@lru_cache(maxsize=8)
def family(compiler: str) -> Compiler:
    """Compiler to imitate, by its name or its --version; gcc where that is inconclusive."""
    if "clang" in compiler:
        return "clang"
    return "clang" if "clang" in _said([*shlex.split(compiler), "--version"]) else "gcc"


def named(compiler: str) -> str:
    """Value of the option `compiler` for a compiler: `gcc-12` and `clang-19` for those versions and older ones."""
    name = family(compiler)
    newer = _NEWER if name == "gcc" else _NEWER_CLANG
    return f"{name}-{newer - 1}" if 0 < _version(compiler) < newer else name


def spelled(flags: Sequence[str], compiler: str) -> list[str]:
    """Flags with `-march=native` resolved for a compiler on this machine, and with its version's tuning for the CPU, so
    that they have the same meaning on other machines."""
    cpu, tune = (_meant(compiler) if family(compiler) == "gcc" else _of_clang(compiler)) or ("native", "")
    words = [f"-march={cpu}", *([f"-mtune={tune}"] if tune == "generic" else [])]
    match = [word for flag in flags for word in (words if flag == "-march=native" else [flag])]
    target = next((word.partition("=")[2] for word in reversed(match) if word.startswith("-march=")), "")
    version = min(_NEWER, _version(compiler))
    avoids = family(compiler) == "gcc" and target in WITHOUT_CHAINS.get(version, ())
    return [*match, *(["-mtune-ctrl=avoid_fma_chains"] if avoids and "-mtune=generic" not in match else [])]


@lru_cache(maxsize=8)
def _version(compiler: str) -> int:
    """Major version of a compiler; 0 if unknown."""
    match = re.match(r"\d+", _said([*shlex.split(compiler), "-dumpversion"]))
    return int(match[0]) if match else 0


@lru_cache(maxsize=1)
def host_cpu() -> str:
    """The CPU of this machine, by LLVM's name; kept, since loading LLVM takes longer than the rest of an answer."""
    key = cache.key_of(_llvmlite(), _described_cpu())
    kept = _KIND.read(key)
    if kept is not None and re.fullmatch(rb"[\w.+-]{1,64}", kept):
        return kept.decode()
    binding = load_binding()
    name = host_name(str(binding.get_host_cpu_name()), features_here(binding.get_host_cpu_features()))
    _KIND.write(key, name.encode())
    return name


def _llvmlite() -> str:
    """Where llvmlite is, and when it was installed."""
    spec = importlib.util.find_spec("llvmlite")
    file = Path(spec.origin) if spec is not None and spec.origin is not None else None
    return f"{file} {file.stat().st_mtime_ns}" if file is not None else ""


def _described_cpu() -> list[str]:
    """What the kernel says about the first core; clocks change."""
    try:
        with Path("/proc/cpuinfo").open(errors="replace") as lines:
            first = [line for line in islice(lines, _LINES) if line.strip()]
    except OSError:
        return list(platform.uname())
    return [platform.node(), *(line for line in first if not re.match(r"(?i)cpu mhz|bogomips|processor", line))]


@lru_cache(maxsize=4)
def _meant(compiler: str) -> tuple[str, str] | None:
    """CPU and tuning that gcc resolves `native` to; the CPU is `native` itself where gcc does not know it, and it has
    AVX-512. None where gcc cannot be run, or knows neither."""
    printed = _said([*shlex.split(compiler), "-march=native", "-Q", "--help=target"])
    march, tune = (re.search(rf"-m{word}=\s+(\S+)", printed) for word in ("arch", "tune"))
    if not march or not tune:
        return None
    if tune[1] != "generic":
        return march[1], tune[1]
    return _UNTUNED if re.search(r"-mavx512f\s+\[enabled\]", printed) else None


def _of_clang(compiler: str) -> tuple[str, str] | None:
    """CPU and tuning that clang resolves `native` to; it tunes for the CPU that it detects."""
    said = _said([*shlex.split(compiler), "-march=native", "-###", "-c", "-x", "c", "/dev/null"])
    match = re.search(r'"-target-cpu" "([^"]+)"', said)
    return (match[1], match[1]) if match else None


def _said(command: list[str]) -> str:
    """Output of a command; empty where it does not run or fails."""
    try:
        done = running.run(command, running.Limits(10.0))
    except ToolError:
        return ""
    return "" if done.code else done.text + done.messages
