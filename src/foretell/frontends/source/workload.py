"""Reads C and Fortran programs: files and folders in, a `Workload` with the facet `Loops` out."""

from __future__ import annotations

import os
import re
import shlex
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import limits
from foretell.core.symbolic.text import parse
from foretell.core.workload import Workload
from foretell.errors import InputError, MissingExtraError, UnsupportedError
from foretell.files import content_hash, read_bytes, real
from foretell.frontends.source import ir
from foretell.frontends.source.gc_pause import uncollected
from foretell.frontends.source.given_texts import is_number, is_word, shares_of_time, unquoted, whole
from foretell.frontends.source.loopless import compiled_function
from foretell.frontends.source.readings import once
from foretell.frontends.source.selection import title, within
from foretell.inputs import note_file
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

    from foretell.core.facets.offload import Offload
    from foretell.core.nest.loopnest import CallSite, Loops
    from foretell.core.symbolic.poly import Poly
    from foretell.frontends.analysis.walk.state import Shares
    from foretell.frontends.source.counted_run import RunCounts

C_SUFFIXES = frozenset({".c", ".h"})
FORTRAN_SUFFIXES = frozenset({".f", ".for", ".f77", ".ftn", ".f90", ".f95", ".f03", ".f08", ".f18", ".fpp"})
CPP_SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".c++"})
SUFFIXES = C_SUFFIXES | FORTRAN_SUFFIXES | CPP_SUFFIXES

DATABASE = "compile_commands.json"

_MAX_BYTES = 64 << 20
_UNDECLARED = re.compile(r"undeclared identifier '(\w+)'")


@record
class SourceOptions:
    """How to read a program: include folders, values of names, and the part to analyse (`kernel`: a function with its
    callees, or the loop at function:line).

    A value may be a preprocessor macro (`-DN=64` of a compiler) or a parameter that is otherwise symbolic
    (`void f(int n)`). It is a macro if the text uses the name in directives, or declares it nowhere.
    """

    includes: tuple[Path, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    kernel: str | None = None
    #: flags of a compiler, of which -D, -U and -I count
    cflags: str = ""
    #: values that are for the preprocessor if the text uses their names there; else they are parameters
    macros: tuple[tuple[str, str], ...] = ()
    #: probability of the condition on a line: («12» or «file.c:12», share)
    branches: tuple[tuple[str, str], ...] = ()
    #: values that matter only where a name is no parameter of a loop nest: flags, letters, strings, null pointers
    choices: tuple[tuple[str, str], ...] = ()
    #: a command that runs the program once, for trip counts and shares of conditions that depend on data
    trip_from_run: str = ""


EVERYTHING = SourceOptions()


@record
class SourceFile:
    """One file, with its include folders and macros from a compilation database."""

    path: Path
    includes: tuple[Path, ...] = ()
    defines: tuple[tuple[str, str], ...] = ()

    @property
    def fortran(self) -> bool:
        return self.path.suffix.lower() in FORTRAN_SUFFIXES


def find_sources(paths: Sequence[Path]) -> list[SourceFile]:
    """The source files among these paths: files, folders (headers only if named), compile_commands.json."""
    files: list[SourceFile] = []
    for path in paths:
        if path.name == DATABASE:
            files += _from_database(path)
        else:
            files += _from_folder(path) if path.is_dir() else [SourceFile(path)]
    # a file that is given twice, or by its folder as well, is one file: its functions would have two bodies
    once: dict[Path, SourceFile] = {}
    for file in files:
        once.setdefault(file.path.absolute(), file)
    read: dict[Path, dict[Path, SourceFile]] = {}
    return [_with_commands(file, read) for file in once.values()]


def _with_commands(file: SourceFile, read: dict[Path, dict[Path, SourceFile]]) -> SourceFile:
    """A file with the include folders and macros of the compilation database beside it, where that names it; `read`
    are the files of the databases that were read for others, by their resolved paths."""
    folder = file.path.parent
    if file.includes or file.defines or file.path.suffix.lower() in CPP_SUFFIXES:
        return file
    for database in (folder / DATABASE, folder / "build" / DATABASE):
        note_file(database)
        if database not in read:
            named = reversed(_from_database(database)) if database.is_file() else ()  # the first of two counts
            read[database] = {real(found.path): found for found in named}
        if (own := read[database].get(real(file.path))) is not None:
            return SourceFile(file.path, own.includes, own.defines)
    return file


def _from_database(path: Path) -> list[SourceFile]:
    from foretell.frontends.c.parse.compile_commands import read_database

    commands = [item for item in read_database(path).items() if item[0].suffix.lower() in SUFFIXES - CPP_SUFFIXES]
    if not commands:
        raise InputError("names no C or Fortran source", file=path)
    return [SourceFile(file, setting.includes, setting.defines) for file, setting in commands]


def _from_folder(path: Path) -> list[SourceFile]:
    wanted = (C_SUFFIXES - {".h"}) | FORTRAN_SUFFIXES
    walked = (Path(folder) / name for folder, _, names in os.walk(path) for name in names)
    inside = sorted(item for item in walked if item.suffix.lower() in wanted)
    if not inside:
        raise InputError("holds no C or Fortran source", file=path)
    return [SourceFile(item) for item in inside]


def read_program(
    paths: Sequence[Path], options: SourceOptions = EVERYTHING, progress: Callable[[str], None] = lambda _: None
) -> Workload:
    """Reads the program in these files and folders. `progress` is called at each step."""
    files = find_sources(paths)
    contents = [read_bytes(file.path, limits.memory_share(_MAX_BYTES), limits.MORE_MEMORY) for file in files]
    try:
        with uncollected(), limits.watched(f"reading {paths[0]}", len(files)):
            loops, macros, shares = _loops(files, contents, options, progress)
    except ImportError as error:
        raise MissingExtraError(error.name or "libclang", "loops") from None
    kernel = None
    if options.kernel is not None and (code := compiled_function(loops, options.kernel, paths)) is not None:
        return Workload(
            name=options.kernel,
            facets=(code,),
            parameters=_macro_values(options, macros),
            origin=code.source,
            input_hash=content_hash(b"".join(len(text).to_bytes(8, "little") + text for text in contents)),
            assumptions=(f"{options.kernel} has no loops here: a call of its compiled code is followed",),
        )
    if options.kernel is not None:
        loops, kernel = within(loops, options.kernel)
    loops = replace(loops, defaults=tuple(entry for entry in loops.defaults if entry[0] in _used(loops)))
    facets, parameters, assumptions = _offload(loops, kernel)
    of_run, said = _of_run(loops, files, options)
    said += [f"the condition of line {line} holds {float(share):.3%}" for (_, line), share in shares.used.items()]
    stem = paths[0].stem if len(paths) == 1 else ", ".join(path.stem for path in paths[:3])
    return Workload(
        name=title(loops, kernel, stem),
        facets=(loops, *facets),
        parameters={"threads": 1.0, **_macro_values(options, macros), **_defaults(loops), **parameters, **of_run},
        origin=", ".join(map(str, paths)),
        input_hash=content_hash(b"".join(len(text).to_bytes(8, "little") + text for text in contents)),
        assumptions=(*assumptions, *(f"in the run of {options.trip_from_run}: {text}" for text in said)),
    )


def _defaults(loops: Loops) -> dict[str, float]:
    """The values of parameters in a run without arguments."""
    return {name: float(value) for name, value, _, _ in loops.defaults}


def _used(loops: Loops) -> frozenset[str]:
    """The parameters of loops and of calls."""
    return loops.symbols.union(*(poly.symbols() for site in loops.calls for poly in _polynomials(site)))


def _polynomials(site: CallSite) -> Iterator[Poly]:
    yield site.count
    for _, text in site.arguments:
        with suppress(InputError):  # arrays and floating-point numbers
            yield parse(text)


def _offloads(loops: Loops) -> bool:
    return any(one.dialect == "acc" for nest in loops.nests for loop in nest.loops for one in loop.directives)


def _offload(loops: Loops, kernel: str | None) -> tuple[tuple[Offload, ...], dict[str, float], tuple[str, ...]]:
    """The offload that `acc` directives describe; directives that are not understood are noted."""
    if kernel is None and not _offloads(loops):
        return (), {}, ()
    from foretell.frontends.swacc import offloaded

    try:
        found = offloaded(loops, kernel)
    except UnsupportedError as error:
        if kernel is not None:
            raise
        return (), {}, (f"directives not followed: {error}",)
    return ((found.facet,), found.parameters, found.assumptions) if found else ((), {}, ())


def _loops(
    files: Sequence[SourceFile], contents: Sequence[bytes], options: SourceOptions, progress: Callable[[str], None]
) -> tuple[Loops, Mapping[str, str], Shares]:
    """The loops of a program, the macros that were defined, and the shares of conditions."""
    from foretell.frontends.analysis import analyse
    from foretell.frontends.analysis.walk.state import Shares

    includes, given_macros = _compiler_flags(options)
    candidates = (*options.values, *options.macros)
    _refuse_fixed(candidates, files, contents)
    defines = {name: text for name, text in candidates if _for_preprocessor(name, contents)} | given_macros
    units = _parse(files, includes, defines, progress)
    undeclared = {name: text for name, text in candidates if name in _undeclared(units)}
    if undeclared:
        defines |= undeclared
        units = _parse(files, includes, defines, progress)
    progress("analysis")
    program = ir.Program(tuple(units), tuple(sorted(defines.items())))
    constants = {name: str(value) for unit in units for name, value in unit.constants}
    values = {name: constants.get(text, text) for name, text in options.values if name not in defines}
    spelled = _spellings([name for name, _ in options.choices], files, units)
    named = [(spelled.get(name, name), text) for name, text in options.choices if name not in defines]
    enumerated = {name: int(constants[text]) for name, text in named if text in constants}
    choices = [(name, text) for name, text in named if name not in enumerated]
    words = {name: unquoted(text) for name, text in (*values.items(), *choices) if is_word(text)}
    asked = _asked(options)
    reals = _reals([*values.items(), *choices], units, asked)
    given = {name: whole(name, text) for name, text in values.items() if name not in words and name not in reals}
    given |= enumerated
    shares = Shares(shares_of_time(options.branches))
    if options.trip_from_run:
        shares.measured = _counts(files, options).share
    loops = analyse(program, given, shares, words, reals, asked)
    if asked and not any(info.name == asked for info in loops.functions):  # what there is is said, or in another case
        asked, loops = "", analyse(program, given, shares, words, reals)
    _check_readable(loops, units)
    _check_used({**given, **words}, loops, units)
    deciding = _deciding([pair for pair in choices if pair[0] not in reals], loops, units)
    if deciding:
        before, loops = loops.symbols, analyse(program, {**given, **deciding}, shares, words, reals, asked)
        deciding |= _whole_numbers(choices, before - loops.symbols)  # of what does not run
    _check_branches(shares)
    loops = replace(loops, macros=tuple(sorted(defines.items())))
    texts = words | {name: f"{value:g}" for name, value in reals.items()}
    used = deciding | enumerated | texts
    used |= {name: used[own] for name, own in spelled.items() if own in used}
    return replace(loops, given=tuple(sorted(used.items()))), defines, shares


def _asked(options: SourceOptions) -> str:
    """The only function whose loops are needed; none where lines of others may be meant."""
    function = (options.kernel or "").partition(":")[0]
    return "" if options.branches or options.trip_from_run or function.isdecimal() else function


def _spellings(names: Sequence[str], files: Sequence[SourceFile], units: Sequence[ir.Unit]) -> dict[str, str]:
    """The source's own spelling of names of Fortran, which does not tell cases apart."""
    if not all(file.fortran for file in files):
        return {}
    own = {name.lower(): name for name in _declared(units)}
    return {name: own[name.lower()] for name in names if own.get(name.lower(), name) != name}


def _reals(given: Iterable[tuple[str, str]], units: Sequence[ir.Unit], asked: str) -> dict[str, float]:
    """The values of floating-point parameters of functions."""
    from foretell.frontends.analysis.walk.given_reals import real_parameters

    names = real_parameters((function for unit in units for function in unit.functions), asked)
    return {name: float(text) for name, text in given if name in names and is_number(text)}


def _counts(files: Sequence[SourceFile], options: SourceOptions) -> RunCounts:
    from foretell.frontends.source.counted_run import counted_run

    return counted_run(options.trip_from_run, tuple(file.path for file in files), options.cflags)


def _of_run(loops: Loops, files: Sequence[SourceFile], options: SourceOptions) -> tuple[dict[str, float], list[str]]:
    """Parameters that only the trip count of a loop depends on, by the run: value, and what is said about them."""
    if not options.trip_from_run:
        return {}, []
    counts = _counts(files, options)
    known = {name for name, _ in (*options.values, *options.macros)}
    values: dict[str, float] = {}
    for nest in loops.averaged.nests:
        for loop in nest.loops:
            unknown = loop.trips.symbols() - known - {*values}
            measured = counts.trips(nest.file, loop.line)
            if len(unknown) != 1 or loop.trips.symbols() != unknown or measured is None:
                continue
            name = next(iter(unknown))
            if name in nest.variables:
                continue
            parts = loop.trips.coefficients([name])
            slope, rest = (parts[0].get(name), parts[1]) if parts else (None, None)
            if slope is not None and rest is not None and slope.constant and rest.constant is not None:
                values[name] = float((measured[0] - float(rest.constant)) / float(slope.constant))
    return values, [f"{name}={value:.6g}" for name, value in values.items()]


def _deciding(choices: Sequence[tuple[str, str]], loops: Loops, units: Sequence[ir.Unit]) -> dict[str, int]:
    """Whole numbers for variables that are no parameter of a nest: they can decide conditions. Offloaded code has more
    parameters than its nests."""
    if _offloads(loops):
        return {}
    return _whole_numbers(choices, (_declared(units) | _members(loops)) - (loops.symbols - loops.deciding))


def _members(loops: Loops) -> set[str]:
    """The members of structs that functions are handed: compiled code loads them, also those that no nest needs."""
    handed = (argument for info in loops.functions for argument in info.arguments)
    return {f"{argument.name}.{part.name}" for argument in handed for _, part in argument.fields}


def _whole_numbers(values: Sequence[tuple[str, str]], names: Set[str]) -> dict[str, int]:
    """The values of these names that are single whole numbers."""
    pairs = ((name, text) for name, text in values if name in names and re.fullmatch(r"[+-]?\d+(\.0*)?", text))
    return {name: whole(name, text) for name, text in pairs}


def _compiler_flags(options: SourceOptions) -> tuple[tuple[Path, ...], dict[str, str]]:
    """The include folders, and the macros among a compiler's flags."""
    if not options.cflags:
        return options.includes, {}
    from foretell.frontends.c.parse.compile_commands import setting_of

    try:
        words = shlex.split(options.cflags)
    except ValueError as error:
        raise InputError(f"--cflags {options.cflags}: cannot be split into words: {error}") from None
    setting = setting_of(Path(), words)
    return (*options.includes, *setting.includes), dict(setting.defines)


def _macro_values(options: SourceOptions, macros: Mapping[str, str]) -> dict[str, float]:
    """The numbers that the preprocessor got: shown with the answer, like parameters."""
    return {name: float(text) for name, text in options.macros if name in macros}


def _refuse_fixed(given: Sequence[tuple[str, str]], files: Sequence[SourceFile], contents: Sequence[bytes]) -> None:
    """Refuses a value for a macro that a file defines whatever the command line says."""
    for name, _ in given:
        word = re.escape(name).encode()
        for file, content in zip(files, contents, strict=True):
            own = re.search(rb"^[ \t]*#[ \t]*define[ \t]+" + word + rb"\b", content, re.M)
            if own and not re.search(rb"#[ \t]*(ifndef|if|ifdef|elif)\b[^\n]*\b" + word + rb"\b", content):
                line = content.count(b"\n", 0, own.start()) + 1
                raise InputError(
                    f"-D {name}: the file itself defines {name}", file=file.path, line=line,
                    hint=f"put #ifndef {name} … #endif around it, so that a value from outside counts",
                )  # fmt: skip


def _parse(
    files: Sequence[SourceFile], includes: Sequence[Path], defines: Mapping[str, str], progress: Callable[[str], None]
) -> list[ir.Unit]:
    read = ("parsed", tuple(files), tuple(includes), tuple(sorted(defines.items())))
    return once(read, lambda: _parsed(files, includes, defines, progress))


def _parsed(
    files: Sequence[SourceFile], includes: Sequence[Path], defines: Mapping[str, str], progress: Callable[[str], None]
) -> list[ir.Unit]:
    fortran = [file for file in files if file.fortran]
    c_files = [file for file in files if not file.fortran]
    units: dict[SourceFile, ir.Unit] = {}
    if c_files:
        from foretell.frontends.c import Setting, parse_program  # lazy: the other language's import takes time

        settings = [
            Setting((*includes, *file.includes), tuple({**dict(file.defines), **defines}.items())) for file in c_files
        ]
        parsed = parse_program([(file.path, one) for file, one in zip(c_files, settings, strict=True)], progress)
        units.update(zip(c_files, parsed, strict=True))
    if fortran:
        from foretell.frontends.fortran import parse_fortran

        progress(f"{len(fortran)} Fortran files")
        folders = [*includes, *dict.fromkeys(folder for file in fortran for folder in file.includes)]
        lowered = parse_fortran([file.path for file in fortran], includes=folders, defines=defines)
        units.update(zip(fortran, lowered, strict=True))
    return [units[file] for file in files]


#: words before a name that declare nothing
_NO_TYPE = rb"(?:return|case|goto|else|sizeof|define)\b"


def _for_preprocessor(name: str, contents: Sequence[bytes]) -> bool:
    """Whether a preprocessor directive uses the name. In the text of a macro, a parameter of a function may be meant:
    what is not declared is found when it is parsed."""
    word = re.escape(name).encode()
    declared = re.compile(rb"\b(?!" + _NO_TYPE + rb")[A-Za-z_]\w*\s+\**" + word + rb"\b\s*[,)=;\[]")
    if any(map(declared.search, contents)):
        pattern = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|undef)\b[^\n]*\b" + word + rb"\b", re.M)
        return any(pattern.search(content) for content in contents)
    pattern = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|define|undef)\b[^\n]*\b" + word + rb"\b[^\n]*", re.M)
    parameter = re.compile(rb"[ \t]*#[ \t]*define[ \t]+\w+\([^)]*\b" + word + rb"\b[^)]*\)")
    uses = (found[0] for content in contents for found in pattern.finditer(content))
    return any(parameter.match(use) is None for use in uses)  # `#define IMAG(z, stride, i)` has a name of its own


def _check_readable(loops: Loops, units: Sequence[ir.Unit]) -> None:
    """Refuses code whose syntax is so wrong that no function is left of it."""
    wrong = [item for unit in units for item in unit.diagnostics if item.severity == "error"]
    if wrong and not loops.nests and not loops.functions:
        raise InputError(wrong[0].message, file=Path(wrong[0].file), line=wrong[0].line)


def _undeclared(units: Sequence[ir.Unit]) -> set[str]:
    diagnostics = (unit.diagnostics for unit in units)
    errors = (function.errors for unit in units for function in unit.functions)
    return {name for item in chain(*diagnostics, *errors) for name in _UNDECLARED.findall(item.message)}


def _check_branches(shares: Shares) -> None:
    """Rejects a probability for a line without a condition."""
    for file, line in shares.unused:
        known = ", ".join(str(number) for number in sorted({number for _, number in shares.lines})[:20])
        where = f"{file}:{line}" if file else str(line)
        raise InputError(
            f"--branch {where}: no condition on data in this line",
            hint=f"conditions are in line {known}" if known else "no condition of this code depends on data",
        )


def _declared(units: Sequence[ir.Unit]) -> set[str]:
    functions = [function for unit in units for function in unit.functions]
    variables = chain(*(unit.globals for unit in units), *((*f.parameters, *f.locals) for f in functions))
    return {variable.display for variable in variables}


def _check_used(given: Mapping[str, int | str], loops: Loops, units: Sequence[ir.Unit]) -> None:
    """Rejects a value for a name that no file uses, as it would have no effect."""
    used = _declared(units) | loops.symbols
    for name in (name for name in given if name not in used):
        known = ", ".join(sorted(loops.symbols)[:20]) or "none"
        raise InputError(f"-D {name}: no file uses this name", hint=f"parameters of the loops: {known}")
