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
    return tuple(sorted(Path(entry.name).stem for entry in folder.iterdir() if entry.name.endswith(".toml")))


def read(source: str | Path) -> Workload:
    """The workload in a file, or in a shipped example named `example:NAME`."""
    path = _example(str(source)) if str(source).startswith(_EXAMPLE) else Path(source)
    if path.suffix == ".toml" or not path.suffix or path.is_dir() or not path.exists():
        from foretell.frontends.workload_file import read_workload

        return read_workload(path)
    raise UnsupportedError(
        f"no front end for {path.suffix!r} files", file=path, hint="foretell reads: .toml (a workload file)"
    )


def _example(name: str) -> Path:
    stem = name.removeprefix(_EXAMPLE)
    if stem not in examples():
        raise InputError(
            f"no example {stem!r}{nearest(stem, examples())}", hint="examples: " + ", ".join(examples())
        )
    return Path(str(resources.files("foretell") / "examples" / f"{stem}.toml"))
