"""Chooses the front end for what the user gives."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files
from foretell.errors import InputError, UnsupportedError, nearest
from foretell.frontends.source import DATABASE, PLAIN, SUFFIXES, SourceOptions, read_program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.core.workload import Workload

_EXAMPLE = "example:"
#: the folder of examples that are whole programs, to be traced
_KERNELS = "kernels"


def examples() -> tuple[str, ...]:
    """The names of the shipped examples; `read('example:NAME')` reads one."""
    folder = _examples()
    own = [_display(entry.name) for entry in folder.iterdir() if _is_example(entry.name)]
    programs = [
        f"{_KERNELS}/{entry.name}" for entry in (folder / _KERNELS).iterdir() if _is_example(entry.name)
    ]
    return tuple(sorted(own + programs))


def is_source(source: str | Path) -> bool:
    """Whether this is a program to analyse: a C or Fortran file, or a folder."""
    path = locate(source)
    return path.suffix.lower() in SUFFIXES or path.is_dir() or path.name == DATABASE


def read(source: str | Path) -> Workload:
    """The workload in a file or folder, or in a shipped example named `example:NAME`."""
    path = locate(source)
    if is_source(path):
        return read_program([path])
    if files.kind(path) == ".trace":
        from foretell.frontends.trace import stored

        return stored.read(path)
    if path.suffix == ".prog":
        from foretell.frontends import abstract_program

        return abstract_program.read_program(path)
    if path.suffix != ".toml" and path.is_file():
        from foretell.frontends import counters
        from foretell.frontends.sass.workload import is_machine_code

        if is_machine_code(path):
            raise InputError(
                "GPU code is read together with its launch",
                file=path,
                hint="predict, why, rank: --kernel NAME --grid X --block X --arg 'f32[1024]' …, or --launch FILE",
            )
        if counters.detect(path):
            return counters.read_profile([path])
    if path.suffix == ".toml" or not path.suffix or not path.exists():
        from foretell.frontends.workload_file import read_workload

        return read_workload(path)
    raise UnsupportedError(
        f"no front end for {path.suffix!r} files, and no profile in it",
        file=path,
        hint="foretell reads: .toml (a workload file), C and Fortran sources, folders, profiles of counter tools, "
        ".prog (an abstract program), .trace (what describe --trace wrote)",
    )


def read_sources(
    sources: Sequence[str | Path],
    options: SourceOptions = PLAIN,
    progress: Callable[[str], None] = lambda _: None,
) -> Workload:
    """Several files of one program."""
    return read_program([locate(source) for source in sources], options, progress)


def locate(source: str | Path) -> Path:
    """The path of a file, or of a shipped example."""
    name = str(source)
    if not name.startswith(_EXAMPLE):
        return Path(source)
    stem = name.removeprefix(_EXAMPLE)
    folder = _examples()
    for entry in folder.iterdir():
        if _is_example(entry.name) and _display(entry.name) == stem:
            return Path(str(entry))
    if stem.startswith(f"{_KERNELS}/") and stem in examples():
        return Path(str(folder / stem))
    raise InputError(
        f"no example {stem!r}{nearest(stem, examples())}", hint="examples: " + ", ".join(examples())
    )


def _examples() -> Path:
    return Path(__file__).parent.parent / "examples"


def _is_example(name: str) -> bool:
    return Path(name).suffix in (".toml", ".csv", ".prog", *(SUFFIXES - {".h"}))


def _display(name: str) -> str:
    """Workload files, abstract programs and profiles go by their stem, sources by their whole name."""
    return Path(name).stem if name.endswith((".toml", ".csv", ".prog")) else name
