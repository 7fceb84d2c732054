"""Chooses the front end for a file."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from foretell.errors import InputError, UnsupportedError, nearest

if TYPE_CHECKING:
    from foretell.core.workload import Workload

_EXAMPLE = "example:"


def examples() -> tuple[str, ...]:
    """The names of the shipped examples; `read('example:NAME')` reads one."""
    folder = resources.files("foretell") / "examples"
    return tuple(sorted(Path(entry.name).stem for entry in folder.iterdir() if _is_example(entry.name)))


def read(source: str | Path) -> Workload:
    """The workload in a file, or in a shipped example named `example:NAME`."""
    path = _example(str(source)) if str(source).startswith(_EXAMPLE) else Path(source)
    if path.suffix == ".toml" or not path.suffix or path.is_dir() or not path.exists():
        from foretell.frontends.workload_file import read_workload

        return read_workload(path)
    if path.suffix == ".prog":
        from foretell.frontends.abstract_program import read_program

        return read_program(path)
    raise UnsupportedError(
        f"no front end for {path.suffix!r} files",
        file=path,
        hint="foretell reads: .toml (a workload file), .prog (an abstract program)",
    )


def _is_example(name: str) -> bool:
    return Path(name).suffix in (".toml", ".prog")


def _example(name: str) -> Path:
    stem = name.removeprefix(_EXAMPLE)
    if stem not in examples():
        raise InputError(
            f"no example {stem!r}{nearest(stem, examples())}", hint="examples: " + ", ".join(examples())
        )
    folder = resources.files("foretell") / "examples"
    name = next(
        entry.name for entry in folder.iterdir() if Path(entry.name).stem == stem and _is_example(entry.name)
    )
    return Path(str(folder / name))
