"""A kernel and its launch as a workload, and the launches that a user requests."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files
from foretell.core.gpu.warps import Warps
from foretell.core.workload import Workload
from foretell.errors import InputError, OptionError
from foretell.frontends.gpu import capture
from foretell.frontends.gpu import launch as launches
from foretell.frontends.gpu.binary.container import nearest_architecture
from foretell.frontends.gpu.binary.cubin import plain_name
from foretell.frontends.gpu.binary.nvcc import (
    DEFAULT_ARCHITECTURE,
    SOURCES,
    architecture_for,
    compile_source,
    parse_flags,
)
from foretell.frontends.gpu.sass import kernels, listing

if TYPE_CHECKING:
    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.sass import SassKernel
    from foretell.frontends.options import ReadOptions

_LISTING_BYTES = 256 << 20


def requested_launches(code: Path, options: ReadOptions) -> tuple[Launch, ...]:
    """The launches that options describe: one, or those of a launch file that match `kernel`."""
    base = (_single(code, options),) if options.launch is None else _listed(options)
    overrides = launches.parse_overrides(dict(options.branch), dict(options.trip))
    regions = launches.parse_regions(dict(options.region))
    return tuple(
        replace(
            launch,
            overrides=launch.overrides + overrides,
            l1_hit=launch.l1_hit if options.l1_hit is None else options.l1_hit,
            l2_hit=launch.l2_hit if options.l2_hit is None else options.l2_hit,
            regions=launch.regions + regions,
        )
        for launch in base
    )


def _single(code: Path, options: ReadOptions) -> Launch:
    if options.grid is None or options.block is None:
        raise OptionError(
            "a GPU kernel needs its launch: --grid and --block, --arg for each parameter, or --launch FILE",
            file=code,
            hint="predict, why, rank, split and tune have these options; in Python they are keyword arguments",
        )
    start = launches.parse_start(options.start)
    if start.startswith("after"):
        raise OptionError(f"--start {start}: only for a launch of a launch file")
    launch = launches.parse_launch(options.kernel, options.grid, options.block, options.args, options.dynamic_shared)
    return replace(launch, start=start)


def _listed(options: ReadOptions) -> tuple[Launch, ...]:
    """The launches of `kernel` in a launch file, in a profile, or among those already read."""
    from foretell.frontends.gpu import launch_profile  # lazy: profile readers are many modules

    file = options.launch if isinstance(options.launch, Path) else None
    if file is not None and file.suffix == capture.SUFFIX:
        return _captured(file, options)
    if file is not None and launch_profile.is_profile(file):
        listed = launch_profile.read_profile(file, options.args)
    elif options.args:
        raise OptionError("a launch file has its own arguments; --arg is for --grid, or for a profile")
    else:
        listed = launches.read_launches(file) if file else options.launch or ()  # type: ignore[assignment]
    if options.start:
        start = launches.parse_start(options.start)
        listed = tuple(replace(launch, start=start) for launch in listed)
    listed = launches.in_order(listed)
    chosen = tuple(launch for launch in listed if options.kernel in (None, launch.kernel, launch.name))
    if not chosen:
        raise InputError(f"there is no launch of {options.kernel!r}", file=file)
    return chosen


def _captured(file: Path, options: ReadOptions) -> tuple[Launch, ...]:
    """The launches of `kernel` that a program made; with --grid and --block those of the first, which has most work,
    in another shape."""
    if options.args:
        raise OptionError("a capture has the arguments of its launches; --arg is for --grid, or for a profile")
    stamp = file.stat() if file.is_file() else None
    listed = _read_capture(file, stamp.st_mtime_ns if stamp else 0, stamp.st_size if stamp else 0)
    chosen = [launch for launch in listed if options.kernel in (None, launch.kernel, launch.name)]
    if not chosen:
        known = ", ".join(launch.name for launch in listed)
        raise InputError(f"there is no launch of {options.kernel!r}", file=file, hint=f"launches: {known}")
    start = launches.parse_start(options.start)
    if start.startswith("after"):
        raise OptionError(f"--start {start}: only for a launch of a launch file")
    chosen = [replace(launch, start=start) for launch in chosen]
    if options.grid is None and options.block is None:
        return tuple(chosen)
    first = chosen[0]
    grid, block = (options.grid or _shown(first.grid)), (options.block or _shown(first.block))
    shaped = launches.parse_launch(None, grid, block, (), options.dynamic_shared or first.shared_bytes)
    return (replace(first, grid=shaped.grid, block=shaped.block, shared_bytes=shaped.shared_bytes),)


@lru_cache(maxsize=4)
def _read_capture(file: Path, _modified: int, _size: int) -> tuple[Launch, ...]:
    return capture.read_launches(file)


def _shown(sizes: tuple[int, int, int]) -> str:
    return ",".join(map(str, sizes))


def read_workload(path: Path, launch: Launch, arch: int | None = None, nvcc: str = "") -> Workload:
    """Reads one kernel of a file with a given launch; `arch` selects among several architectures (90 for sm_90), `nvcc`
    are flags for the compilation of CUDA source."""
    kernel = read_kernel(path, launch.kernel, arch, nvcc)
    before = tuple(Warps(read_kernel(path, other.kernel, arch, nvcc), other) for other in launch.before)
    return Workload(
        name=launch.name or plain_name(kernel.name),
        facets=(Warps(kernel, launch, before),),
        origin=str(path),
        input_hash=files.content_hash(listing.write(kernel).encode() + launch.identity.encode()),
    )


def depends_on_machine(path: Path) -> bool:
    """Whether the machine decides which code is read: of CUDA source, and of files of several architectures."""
    suffix = files.kind(path).lower()
    return suffix in SOURCES or (suffix != ".sass" and len(kernels.architectures(path)) > 1)


def architecture_on(path: Path, cpu: str) -> int:
    """The architecture to compile or read for a machine with this `target.cpu`."""
    try:
        source = files.kind(path).lower() in SOURCES
        return architecture_for(cpu) if source else nearest_architecture(kernels.architectures(path), cpu)
    except InputError as error:
        raise error.at(path) from None


def read_kernel(path: Path, name: str | None = None, arch: int | None = None, nvcc: str = "") -> SassKernel:
    """Reads one kernel of a file without a launch."""
    suffix = files.kind(path).lower()
    if nvcc and suffix not in SOURCES:
        raise OptionError("--nvcc: flags for the compilation of CUDA source, and this is compiled", file=path)
    try:
        if suffix in SOURCES:
            files.read_bytes(path)
            return kernels.decode_kernel(compile_source(path, arch or DEFAULT_ARCHITECTURE, parse_flags(nvcc)), name)
        if suffix != ".sass":
            return kernels.read_kernel(path, name, arch)
        kernel = listing.read(files.read_text(path, _LISTING_BYTES))
        if name not in (None, kernel.name):
            raise InputError(f"no kernel {name!r} in this listing, it is of {kernel.name!r}")
    except InputError as error:
        raise error.at(path) from None
    return kernel
