"""A kernel and its launch as a workload, and the launches that a user requests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files
from foretell.core.gpu.warps import Warps
from foretell.core.workload import Workload
from foretell.errors import InputError, OptionError
from foretell.frontends.gpu import launch as launches
from foretell.frontends.gpu.binary.cubin import plain_name
from foretell.frontends.gpu.binary.nvcc import DEFAULT_ARCHITECTURE, compile_source
from foretell.frontends.gpu.sass import kernels, listing

if TYPE_CHECKING:
    from foretell.core.gpu.launch import Launch
    from foretell.core.gpu.sass import SassKernel
    from foretell.frontends.options import ReadOptions

_LISTING_BYTES = 256 << 20


def asked_launches(code: Path, options: ReadOptions) -> tuple[Launch, ...]:
    """The launches that options describe: one, or those of a launch file that match `kernel`."""
    found = (_single(code, options),) if options.launch is None else _listed(options)
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
        for launch in found
    )


def _single(code: Path, options: ReadOptions) -> Launch:
    if options.grid is None or options.block is None:
        raise OptionError(
            "a GPU kernel needs its launch: --grid and --block, --arg for each parameter, or --launch FILE",
            file=code,
            hint="predict, why, rank, split and tune have these options; in Python they are keyword arguments",
        )
    return launches.parse_launch(options.kernel, options.grid, options.block, options.args, options.dynamic_shared)


def _listed(options: ReadOptions) -> tuple[Launch, ...]:
    """The launches of `kernel` in a launch file, in a profile, or among those already read."""
    from foretell.frontends.gpu import launch_profile  # lazy: profile readers are many modules

    given = options.launch
    file = given if isinstance(given, Path) else None
    if file is not None and launch_profile.is_profile(file):
        listed = launch_profile.read_profile(file, options.args)
    elif options.args:
        raise OptionError("a launch file has its own arguments; --arg is for --grid, or for a profile")
    else:
        listed = launches.read_launches(given) if isinstance(given, Path) else given or ()
    found = tuple(one for one in listed if options.kernel in (None, one.kernel, one.name))
    if not found:
        raise InputError(f"there is no launch of {options.kernel!r}", file=file)
    return found


def read_workload(path: Path, launch: Launch, arch: int | None = None) -> Workload:
    """Reads one kernel of a file with a given launch; `arch` selects among several architectures (90 for sm_90)."""
    kernel = _read(path, launch.kernel, arch)
    return Workload(
        name=launch.name or plain_name(kernel.name),
        facets=(Warps(kernel, launch),),
        origin=str(path),
        input_hash=files.content_hash(listing.write(kernel).encode() + repr(launch).encode()),
    )


def _read(path: Path, name: str | None, arch: int | None) -> SassKernel:
    suffix = files.kind(path).lower()
    if suffix == ".sass":
        text = files.read_text(path, _LISTING_BYTES)
        try:
            kernel = listing.read(text)
        except InputError as error:
            raise error.at(path) from None
        if name is not None and name != kernel.name:
            raise InputError(f"no kernel {name!r} in this listing, it is of {kernel.name!r}", file=path)
        return kernel
    if suffix == ".cu":
        files.read_bytes(path)
        cubin = compile_source(path, arch or DEFAULT_ARCHITECTURE)
        try:
            return kernels.decode_kernel(cubin, name)
        except InputError as error:
            raise error.at(path) from None
    return kernels.read_kernel(path, name, arch)
