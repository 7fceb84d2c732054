"""Replays measured pairs of versions: does a check tell which version is faster?

The pairs are small edits as pull requests have them (`recorded/differences`), C, C++ and Fortran on x86-64 CPUs and on
an AArch64 CPU, CUDA on an H200.
They were fixed before anything was predicted; a hash of the name decides which half was used for choosing.
"""

from __future__ import annotations

import re
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import files, units
from foretell.core.answers.check import Difference, Differences
from foretell.errors import InputError
from foretell.frontends.gpu.launch import parse_launch
from foretell.uses.check.outcome import executed
from foretell.uses.check.verdicts import verdict_of
from foretell.uses.measured_pairs import GPU, MeasuredPair, Version, replayed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from foretell.core.gpu.launch import Launch

_FOLDER = Path(__file__).parents[1] / "recorded" / "differences"
#: what the arrays of a call held when it was measured
_CONTENTS = re.compile(r"(?<=\])[@=].*")
#: an array, and one that holds one number: the given one, or of signed integers the 1 that harness.py fills them with;
#: unsigned ones are 0.5 to 1.5 without what follows the point
_ARRAY, _ONE_NUMBER = re.compile(r"\w+\["), re.compile(r"i\d+\[\d+\]|\w+\[\d+\]=[\d.]+")
_TWO_NUMBERS = re.compile(r"u\d+\[\d+\]")
#: what pairs of C were measured on, by the first part of their names
_MACHINES: Mapping[str, Path] = {
    "c": _FOLDER / "xeon-16.toml",
    "xeon": _FOLDER / "xeon-16.toml",
    "emerald": _FOLDER / "emerald-rapids.toml",
    "granite": _FOLDER / "granite.toml",
    "granite13": _FOLDER / "granite.toml",
    "arm": _FOLDER / "neoverse-n1.toml",
}


def differences(progress: Callable[[str], None] = lambda _: None, only: Collection[str] = ()) -> Differences:
    """Predicts both versions of every pair, or of some, and compares the verdict with the measurement."""
    pairs = files.parse_toml(files.read_text(_FOLDER / "pairs.toml"), "pairs.toml")["pair"]
    times = files.parse_toml(files.read_text(_FOLDER / "times.toml"), "times.toml")["time"]
    named = [name for name in pairs if name in times and (not only or name in only)]
    with tempfile.TemporaryDirectory(prefix="foretell-") as folder:
        unpack_code(Path(folder))
        chosen = [_pair(name, pairs[name], times[name], Path(folder)) for name in named]
        points, refused = replayed(chosen, _point, progress)
    if not points:
        raise InputError(f"no pair can be predicted; {refused[0].name}: {refused[0].reason}")
    return Differences(tuple(points), tuple((one.name, one.reason) for one in refused))


def unpack_code(folder: Path) -> None:
    """Unpacks what the compilers made of the versions: PAIR.SIDE.s, and PAIR.SIDE.sass of kernels. What was recorded
    since lies beside its source."""
    with tarfile.open(_FOLDER / "code.tar.xz") as archive:
        archive.extractall(folder, filter="data")


def _pair(name: str, pair: dict[str, Any], time: dict[str, Any], code: Path) -> MeasuredPair:
    kind = name.partition("/")[0]
    make = _source if kind in _MACHINES else _kernel
    before, after = (
        make(pair, code / f"{name}.{side}", side, units.parse_as(time[side], "s")) for side in ("base", "head")
    )
    return MeasuredPair(name, kind, name, before, after, pair["edit"], bool(time.get("disturbed", False)))


def _source(pair: dict[str, Any], code: Path, _: str, measured_s: float) -> Version:
    kind, own, packed = code.parent.name, _FOLDER / code.parent.name / code.name, code.with_name(f"{code.name}.s")
    machine, assembly, data = _MACHINES[kind], packed if packed.exists() else None, _held(pair["args"])
    if (source := own.with_name(f"{own.name}.cpp")).exists():
        arguments = tuple(_CONTENTS.sub("", str(argument)) for argument in pair["args"])
        function = pair["function"]
        return Version(
            source, machine, measured_s, function=function, arguments=arguments, assembly=assembly, data=data
        )
    source = next(file for end in ("c", "f90") if (file := own.with_name(f"{own.name}.{end}")).exists())
    sizes = tuple(pair["sizes"].items())
    return Version(source, machine, measured_s, sizes, pair["function"], assembly=assembly, data=data)


def _held(arguments: Sequence[object]) -> str:
    """What is said of the data of a call: where every array holds one number, or two, updates through an index are all
    at as many places."""
    arrays = [text for text in map(str, arguments) if _ARRAY.match(text)]
    more = [text for text in arrays if not _ONE_NUMBER.fullmatch(text)]
    if not arrays or not all(map(_TWO_NUMBERS.fullmatch, more)):
        return "repeated"
    return "two_places" if more else "one_place"


def _kernel(pair: dict[str, Any], code: Path, side: str, measured_s: float) -> Version:
    own = {key: pair[f"head_{key}"] for key in ("grid", "block", "args") if side == "head" and f"head_{key}" in pair}
    packed, beside = code.with_name(f"{code.name}.sass"), _FOLDER / code.parent.name / f"{code.name}.sass.xz"
    return Version(packed if packed.exists() else beside, GPU, measured_s, launch=_launch({**pair, **own}))


def _launch(shape: dict[str, Any]) -> Launch:
    grid, block = (",".join(map(str, shape[key])) for key in ("grid", "block"))
    return parse_launch(shape["kernel"], grid, block, tuple(map(str, shape["args"])), 0)


def _point(pair: MeasuredPair) -> Difference:
    base, head = (executed(version.case()) for version in (pair.before, pair.after))
    told = verdict_of(base, head)
    return Difference(
        pair=pair.name,
        edit=pair.edit,
        set=pair.set,
        told=told,
        base_s=base["time_s"],
        head_s=base["time_s"] if told == "same code" else head["time_s"],
        measured_base_s=pair.before.measured_s,
        measured_head_s=pair.after.measured_s,
        disturbed=pair.disturbed,
    )
