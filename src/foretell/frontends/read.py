"""Chooses the front end for a file."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.errors import InputError, UnsupportedError, nearest

if TYPE_CHECKING:
    from foretell.core.workload import Workload

_EXAMPLE = "example:"
_KINDS = (".toml", ".csv")


def examples() -> tuple[str, ...]:
    """The names of the shipped examples; `read('example:NAME')` reads one."""
    folder = resources.files("foretell") / "examples"
    return tuple(sorted(Path(entry.name).stem for entry in folder.iterdir() if entry.name.endswith(_KINDS)))


def read(source: str | Path) -> Workload:
    """The workload in a file, or in a shipped example named `example:NAME`."""
    path = _example(str(source)) if str(source).startswith(_EXAMPLE) else Path(source)
    if path.suffix != ".toml" and path.is_file():
        from foretell.frontends import counters

        if counters.detect(path):
            return counters.read_profile([path])
    if path.suffix == ".toml" or not path.suffix or path.is_dir() or not path.exists():
        from foretell.frontends.workload_file import read_workload

        return read_workload(path)
    raise UnsupportedError(
        f"no front end for {path.suffix!r} files, and no profile in it",
        file=path,
        hint="foretell reads: .toml (a workload file), profiles of counter tools",
    )


def _example(name: str) -> Path:
    stem = name.removeprefix(_EXAMPLE)
    if stem not in examples():
        raise InputError(
            f"no example {stem!r}{nearest(stem, examples())}", hint="examples: " + ", ".join(examples())
        )
    folder = Path(str(resources.files("foretell") / "examples"))
    return next(folder / f"{stem}{kind}" for kind in _KINDS if (folder / f"{stem}{kind}").exists())
