"""Chooses the front end for the user's input: the only place that does."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import files, limits
from foretell.core.workload import Workload
from foretell.errors import InputError, OptionError, nearest
from foretell.frontends import unreadable
from foretell.frontends.native import is_native, read_native
from foretell.frontends.options import PLAIN, ReadOptions
from foretell.frontends.source.workload import CPP_SUFFIXES, DATABASE, EVERYTHING, SUFFIXES, SourceOptions, read_program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from foretell.core.gpu.launch import Launch
    from foretell.core.machine.machine import Machine

#: suffix -> the front end (module, function) that reads such a file; sources, GPU code and profiles are handled below
_BY_SUFFIX = {
    ".trace": ("foretell.frontends.trace.stored", "read"),
    ".prog": ("foretell.frontends.gpu.abstract_program", "read_program"),
    ".toml": ("foretell.frontends.files.workload_file", "read_workload"),
}
#: GPU code: by suffix, or by signature for suffixes of programs (ELF, or the magic number of a fatbin)
_GPU_SUFFIXES = (".cu", ".ptx", ".cubin", ".fatbin", ".sass")
_BINARY_SUFFIXES = ("", ".so", ".o", ".out", ".elf", ".bin", ".exe")
_MAGIC = (b"\x7fELF", (0xBA55ED50).to_bytes(4, "little"))
#: Triton kernels are Python
_TRITON = ".py"
#: launches of a program that ran
_CAPTURE = ".capture"
_EXAMPLE = "example:"
#: where the data of code for CPUs is before the call: in caches, in memory, never touched
_STARTS = ("warm", "cold", "flushed")
#: the folder of examples that are whole programs, to be traced
_KERNELS = "kernels"


def examples() -> tuple[str, ...]:
    """The names of the shipped examples; `read('example:NAME')` reads one."""
    folder = _examples()
    own = [_display(entry.name) for entry in folder.iterdir() if _is_example(entry.name)]
    programs = [f"{_KERNELS}/{entry.name}" for entry in (folder / _KERNELS).iterdir() if _is_example(entry.name)]
    return tuple(sorted(own + programs))


def is_source(source: str | Path) -> bool:
    """Whether the input is a program to analyse: a C or Fortran file, or a folder."""
    path = locate(source)
    program = path.suffix.lower() in SUFFIXES - CPP_SUFFIXES
    return program or path.is_dir() or path.name == DATABASE


def is_machine_code(path: Path) -> bool:
    """Whether the input is GPU code: a cubin, a fatbin, an executable, a listing, or CUDA source."""
    if files.kind(path).lower() in _GPU_SUFFIXES:
        return True
    if path.suffix.lower() not in _BINARY_SUFFIXES or not path.is_file():  # reading a pipe would block
        return False
    try:
        with files.opened(path) as handle:
            found = handle.read(4) in _MAGIC
    except (OSError, ValueError):
        return False
    return found and not is_native(path)


def program_capture(source: str | Path, options: ReadOptions = PLAIN) -> Path | None:
    """The capture that is asked for as a whole program: a file of launches without a kernel. Options of single launches
    are refused."""
    file, kernel = file_and_function(source)
    if Path(file).suffix != _CAPTURE or kernel is not None or options.kernel is not None:
        return None
    _refuse(list(options.given), "code without its launches")
    return locate(file)


def read(source: str | Path, options: ReadOptions = PLAIN) -> Workload:
    """Reads the only workload of a file or folder, or of a shipped example named `example:NAME`."""
    return Reader(source, options).workload()


class Reader:
    """Reads one code for any number of machines: once for all of them, but CUDA source, and GPU code of several
    architectures, once per architecture.

    Machine-independent parts are read, and options that do not apply to the code are refused, at construction.
    """

    def __init__(self, code: Workload | str | Path | Sequence[str | Path], options: ReadOptions = PLAIN) -> None:
        self._options, self._per_machine = options, False
        self._for_arch: dict[int | None, tuple[Workload, ...]] = {}
        self._launches: tuple[Launch, ...] = ()
        self._more: tuple[Path, ...] = ()
        self._suffix = ""
        #: where the data of code for CPUs is at the start
        self.cpu_start = ""
        if isinstance(code, Workload):
            given = replace(options, choices=(), macros=()).given  # values of -D, which are sizes of the workload
            _refuse(given, f"files, and {code.name} is a workload that was read before")
            self._for_arch[None] = (code,)
            return
        code, *others = [code] if isinstance(code, str | Path) else code
        self._more = _more_sources(code, others)
        code, kernel = file_and_function(code)
        options = _with_function(options, code, kernel)
        if not str(code):
            raise InputError("CODE is empty: name a file, a folder or example:NAME")
        self._path = locate(code)
        self._suffix = self._path.suffix
        if options.choices and not is_source(self._path):
            options = replace(options, choices=())
        self.cpu_start, self._options = _without_start(self._path, options)
        if is_machine_code(self._path):
            self._take_launches()
        elif self._suffix == _TRITON:
            self._per_machine = options.arch is None
        if not self._per_machine:
            self._for_arch[None] = self._read(options.arch)

    def _take_launches(self) -> None:
        """Reads the launches that are asked for of GPU code, and whether its machine code depends on the machine."""
        unreadable.check_machine_code(self._path)
        from foretell.frontends.gpu.workload import depends_on_machine, requested_launches

        _refuse(["meta"] if self._options.meta else [], "Triton kernels")
        self._launches = requested_launches(self._path, self._options)
        self._per_machine = self._options.arch is None and depends_on_machine(self._path)

    @property
    def for_gpu(self) -> bool:
        """Whether the code is kernels with their launches."""
        return bool(self._launches) or self._suffix in (_TRITON, _CAPTURE)

    def workloads(self, machine: Machine | None = None) -> tuple[Workload, ...]:
        """The workloads for a machine: one, or one for each launch of a launch file. Without a machine, CUDA source is
        compiled for the default architecture, and of several in a file the highest is read."""
        arch = self._architecture(machine) if self._per_machine else None
        if arch not in self._for_arch:
            self._for_arch[arch] = self._read(arch)
        return self._for_arch[arch]

    @property
    def chosen(self) -> frozenset[str]:
        """Names of choices that were used up in reading: no workload has them as parameters."""
        from foretell.core.nest.loopnest import Loops

        facets = (facet for each in self._for_arch.values() for one in each for facet in one.facets)
        return frozenset(name for facet in facets if isinstance(facet, Loops) for name, _ in facet.given)

    def workload(self, machine: Machine | None = None) -> Workload:
        """The only workload."""
        found = self.workloads(machine)
        if len(found) != 1:
            names = ", ".join(item.name for item in found)
            raise InputError(f"{len(found)} launches fit; choose one with --kernel", hint=f"launches: {names}")
        return found[0]

    def on_each(self, machines: Sequence[Machine]) -> list[tuple[Machine, Workload | InputError]]:
        """Every launch on every machine; where the code cannot be compiled for a machine, the error. If this holds for
        all machines, the error is raised."""
        results = [(machine, self._tried(machine)) for machine in machines]
        launches = max((len(each) for _, each in results if isinstance(each, tuple)), default=0)
        if not launches and results and isinstance(results[0][1], InputError):
            raise results[0][1]
        return [
            (machine, each[number] if isinstance(each, tuple) else each)
            for number in range(launches)
            for machine, each in results
            if isinstance(each, tuple) or number == 0
        ]

    def _tried(self, machine: Machine) -> tuple[Workload, ...] | InputError:
        try:
            return self.workloads(machine)
        except InputError as error:
            return error

    def _architecture(self, machine: Machine | None) -> int:
        from foretell.frontends.gpu.workload import architecture_on

        if self._suffix == _TRITON:
            from foretell.frontends.gpu.binary.nvcc import architecture_for

            return architecture_for(machine.traits.get("target.cpu", "") if machine else "")
        return architecture_on(self._path, machine.traits.get("target.cpu", "") if machine else "")

    def _read(self, arch: int | None) -> tuple[Workload, ...]:
        with limits.watched(f"reading {self._path}"):
            return self._read_within_limits(arch)

    def _read_within_limits(self, arch: int | None) -> tuple[Workload, ...]:
        if self._launches:
            from foretell.frontends.gpu.binary.nvcc import with_preprocessor_flags
            from foretell.frontends.gpu.workload import read_workload

            nvcc = with_preprocessor_flags(self._path, self._options.nvcc, self._options.cflags)
            found = tuple(read_workload(self._path, launch, arch, nvcc) for launch in self._launches)
        elif self._suffix == _CAPTURE:
            from foretell.frontends.gpu.capture import read_workloads

            _refuse(
                [name for name in self._options.given if name not in ("kernel", "also")], "code without its launches"
            )
            found = read_workloads(self._path, self._options.kernel)
        elif self._suffix == _TRITON:
            from foretell.frontends.gpu.triton import read_workload as read_triton

            found = (read_triton(self._path, self._options, arch),)
        else:
            found = (_without_launch(self._path, self._options, self._more),)
        others = [read(other) for other in self._options.also]
        return tuple(reduce(Workload.joined, others, workload) for workload in found)


def _with_function(options: ReadOptions, code: str | Path, kernel: str | None) -> ReadOptions:
    """The options, with the function that CODE itself names as FILE:FUNCTION."""
    if kernel is None:
        return options
    if options.kernel not in (None, kernel):
        raise OptionError(f"{code}:{kernel} names a function, and --kernel another: {options.kernel}")
    return replace(options, kernel=kernel)


def _without_start(path: Path, options: ReadOptions) -> tuple[str, ReadOptions]:
    """Where the data of code for CPUs is at the start ("" if not given), and the options without it."""
    if not options.start or not (is_source(path) or is_native(path)):
        return "", options
    if options.start not in _STARTS:
        raise OptionError(f"--start {options.start}: of code for CPUs it is {', '.join(_STARTS)}")
    return options.start, replace(options, start="")


def _more_sources(first: str | Path, others: Sequence[str | Path]) -> tuple[Path, ...]:
    """The further files of a program in C or Fortran."""
    for source in (file_and_function(first)[0], *others) if others else ():
        if not locate(source).exists():
            raise InputError("no such file", file=source)
        if not is_source(source):
            hint = "foretell rank compares codes with each other"
            raise InputError("is no C or Fortran: several files are those of one such program", file=source, hint=hint)
    return tuple(map(locate, others))


def _source_options(options: ReadOptions) -> SourceOptions:
    return SourceOptions(
        kernel=options.kernel,
        branches=options.branch,
        cflags=options.cflags,
        macros=options.macros,
        choices=options.choices,
        trip_from_run=options.trip_from_run,
    )


def _without_launch(path: Path, options: ReadOptions, more: Sequence[Path] = ()) -> Workload:
    """Reads the workload of anything but GPU code."""
    if not path.exists():
        raise InputError("no such file", file=path)
    if is_native(path) or (options.args and path.suffix == ".c"):
        compiled = path.suffix in CPP_SUFFIXES | {".c"}
        counts = [name for name in ("trip", "trip_from_run") if getattr(options, name) and not compiled]
        _refuse(counts, "sources in C, C++ and Fortran")
        known = {"kernel", "args", "choices", "also", "cflags", "trip", "trip_from_run"}
        _refuse([name for name in options.given if name not in known], "GPU code")
        return read_native(path, options.kernel, options.args, options.trip, options.trip_from_run, options.cflags)
    own = ("kernel", "branch", "choices", "also", "cflags", "trip_from_run")
    if options.trip and is_source(path):
        raise OptionError(
            "--trip: only for GPU code and C++; of C and Fortran -D trips_L7=100 gives the loop in line 7"
        )
    _refuse([name for name in options.given if name not in own], "GPU code")
    if is_source(path):
        return read_program([path, *more], _source_options(options))
    _refuse([name for name in options.given if name not in ("choices", "also")], "sources and GPU code")
    suffix = files.kind(path)
    if suffix in _BY_SUFFIX:
        module, function = _BY_SUFFIX[suffix]
        found: Workload = getattr(import_module(module), function)(path)
        return found
    if path.is_file():
        from foretell.frontends import counters

        if counters.detect(path):
            return counters.read_profile([path])
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError("is not a regular file", file=path)
    if path.exists() and (path.suffix or not _is_toml(path)):
        raise unreadable.refuse(path)
    from foretell.frontends.files.workload_file import read_workload as read_workload_file

    return read_workload_file(path)


def _is_toml(path: Path) -> bool:
    """Whether a file without a suffix is a workload file."""
    try:
        files.parse_toml(files.read_text(path), path)
    except InputError:
        return False
    return True


def _refuse(names: Sequence[str], meant_for: str) -> None:
    """Refuses options that would have no effect."""
    if names:
        flags = ["--" + {"args": "arg"}.get(name, name).replace("_", "-") for name in names]
        raise OptionError(f"{', '.join(flags)}: only for {meant_for}")


def read_sources(
    sources: Sequence[str | Path], options: SourceOptions = EVERYTHING, progress: Callable[[str], None] = lambda _: None
) -> Workload:
    """Reads several files of one program; one of them may name a function, as FILE:FUNCTION."""
    split = [file_and_function(source) for source in sources]
    named = list(dict.fromkeys(name for _, name in [*split, ("", options.kernel)] if name is not None))
    if len(named) > 1:
        raise OptionError(f"several functions are named: {', '.join(named)}")
    options = replace(options, kernel=named[0]) if named else options
    return read_program([locate(source) for source, _ in split], options, progress)


def file_and_function(code: str | Path) -> tuple[str | Path, str | None]:
    """The file and the function of FILE:FUNCTION or FILE:FUNCTION:LINE; a file whose own name has colons wins."""
    file, parts = str(code), list[str]()
    while ":" in file.removeprefix(_EXAMPLE) and not _exists(file):
        file, _, last = file.rpartition(":")
        parts.insert(0, last)
    return (file, ":".join(parts)) if parts and _exists(file) else (code, None)


def _exists(file: str) -> bool:
    return file.removeprefix(_EXAMPLE) in examples() if file.startswith(_EXAMPLE) else Path(file).exists()


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
    raise InputError(f"no example {stem!r}{nearest(stem, examples())}", hint="examples: " + ", ".join(examples()))


def _examples() -> Path:
    return Path(__file__).parent.parent / "examples"


def _is_example(name: str) -> bool:
    return Path(name).suffix in (".toml", ".csv", ".prog", *(SUFFIXES - {".h"}))


def _display(name: str) -> str:
    """The displayed name: the stem for workload files, abstract programs and profiles, the whole name for sources."""
    return Path(name).stem if name.endswith((".toml", ".csv", ".prog")) else name
