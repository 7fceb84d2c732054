"""Options of reading a code, the same on the command line and in Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from foretell.errors import InputError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from foretell.core.gpu.launch import Launch

    Pairs: TypeAlias = tuple[tuple[str, str], ...]


@record
class ReadOptions:
    """Selects a part of a code and, for GPU code, its launch; each field is the option of the same name.

    `kernel` is the kernel of a GPU binary, or the function (FUNCTION, FUNCTION:LINE for one loop) of a source.
    """

    kernel: str | None = None
    grid: str | None = None
    block: str | None = None
    args: tuple[str, ...] = ()
    dynamic_shared: int = 0
    #: 90 for sm_90: of a file of several architectures the one to read, of CUDA source the one to compile for
    arch: int | None = None
    #: flags of nvcc for CUDA source
    nvcc: str = ""
    #: (name, value): constants of a Triton kernel, and its num_warps, num_stages
    meta: Pairs = ()
    #: what L2 holds when a launch starts: cold, warm, after NAME
    start: str = ""
    #: a launch file, a profile of Nsight Compute, or launches that were read before
    launch: Path | tuple[Launch, ...] | None = None
    #: (line, share), (line, rounds), (name, lines)
    branch: Pairs = ()
    #: (name, value) of flags, letters, strings and null pointers, which decide what of a source runs
    choices: Pairs = ()
    trip: Pairs = ()
    #: a command that runs the program once, for trip counts and shares of conditions on data
    trip_from_run: str = ""
    region: Pairs = ()
    l1_hit: float | None = None
    l2_hit: float | None = None
    #: flags of the compiler of a source, of which the front end reads -D and -I
    cflags: str = ""
    #: sizes that may be macros of a source
    macros: Pairs = ()
    #: files with other views of the same code, such as a profile
    also: tuple[str | Path, ...] = ()

    @property
    def given(self) -> tuple[str, ...]:
        """The fields that say something."""
        fields = (name for name in self.__match_args__ if name != "macros")  # they may be plain parameters
        return tuple(name for name in fields if getattr(self, name) != getattr(PLAIN, name))


PLAIN = ReadOptions()


class Reading(TypedDict, total=False):
    """The same as keyword arguments, in the types that are natural in Python."""

    kernel: str | None
    grid: int | str | Sequence[int] | None
    block: int | str | Sequence[int] | None
    args: Sequence[str | float]
    dynamic_shared: int | str
    arch: int | None
    nvcc: str
    meta: Mapping[str, str] | Mapping[str, float]
    start: str
    launch: str | Path | Launch | None
    branch: Mapping[str, str] | Mapping[int, float]
    choices: Mapping[str, str] | Mapping[str, int]
    trip: Mapping[str, str] | Mapping[int, int]
    trip_from_run: str
    region: Mapping[str, str]
    l1_hit: float | None
    l2_hit: float | None
    cflags: str
    macros: Mapping[str, str]
    also: Sequence[str | Path]


def read_options(**given: Unpack[Reading]) -> ReadOptions:
    """The record of these keyword arguments, checked."""
    unknown = [name for name in given if name not in ReadOptions.__match_args__]
    if unknown:
        raise TypeError(f"unexpected keyword argument {unknown[0]!r}")
    launch = given.get("launch")
    return ReadOptions(
        kernel=given.get("kernel"),
        grid=_sizes(given.get("grid")),
        block=_sizes(given.get("block")),
        args=tuple(map(str, given.get("args", ()))),
        dynamic_shared=_bytes(given.get("dynamic_shared", 0)),
        arch=given.get("arch"),
        nvcc=given.get("nvcc", ""),
        meta=tuple((name, str(value)) for name, value in given.get("meta", {}).items()),
        start=given.get("start", ""),
        launch=Path(launch) if isinstance(launch, str | Path) else None if launch is None else (launch,),
        branch=_pairs(given.get("branch", {})),
        choices=_pairs(given.get("choices", {})),
        trip=_pairs(given.get("trip", {})),
        trip_from_run=given.get("trip_from_run", ""),
        region=_pairs(given.get("region", {})),
        l1_hit=_share("l1_hit", given.get("l1_hit")),
        l2_hit=_share("l2_hit", given.get("l2_hit")),
        cflags=given.get("cflags", ""),
        macros=_pairs(given.get("macros", {})),
        also=tuple(given.get("also", ())),
    )


def _sizes(given: int | str | Sequence[int] | None) -> str | None:
    """1024, "64,64" or (64, 64) as on the command line."""
    if given is None or isinstance(given, str):
        return given
    return str(given) if isinstance(given, int) else ",".join(map(str, given))


def _pairs(given: Mapping[str, str] | Mapping[int, float] | Mapping[str, int]) -> Pairs:
    return tuple((str(place), str(value)) for place, value in given.items())


def _bytes(given: int | str) -> int:
    text = str(given).strip()
    if not text.isdecimal():
        raise InputError(f"dynamic_shared: {text} is not a number of bytes")
    return int(text)


def _share(name: str, given: float | None) -> float | None:
    if given is not None and not 0 <= given <= 1:
        raise InputError(f"{name}: {given} is not a share between 0 and 1")
    return given
