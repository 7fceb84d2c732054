"""Compiles a translation unit to assembly with line information, in a process with limits; never links or runs it."""

from __future__ import annotations

import json
import os
import re
import shlex
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from foretell import cache, inputs, limits, running
from foretell.codegen.compiled.connected import connected_part
from foretell.codegen.compiled.flags import usable_flags
from foretell.codegen.compiled.fortran import depends_on, is_fortran, modules_into
from foretell.errors import InputError, ToolError
from foretell.files import read_bytes, temporary_folder
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from foretell.codegen.compiled.installed import Compiler

_KIND = cache.Kind("assembly", version=2)
#: environment variables that name folders of headers
_FOLDERS = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH")
_SOURCE = 64 << 20
#: gcc gives equal functions one code, with the source lines of one of them; each keeps its own, which is the same code
_OWN_CODE = ("-fno-ipa-icf",)
#: limits of a run of the compiler
_SECONDS, _MEMORY, _OUTPUT = 60, 4 << 30, 256 << 20
_ALLOWED = running.Limits(_SECONDS, memory_bytes=_MEMORY, output_bytes=_OUTPUT, file_bytes=_OUTPUT)
#: of shorter files without headers of their own, no functions are left out: to preprocess them first takes as long
_C, _WORTH_A_PART, _OWN_HEADER = ".c", 2_000, re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"', re.MULTILINE)
_AS_PREPROCESSED = ("-w", "-x", "cpp-output", "-S")
_ERROR = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE)
#: headers are compiled as sources: of a header, compilers write one that is precompiled, not assembly
_AS_SOURCE = {".h": ("-x", "c")}
#: a definition that is inlined at every call
_ALWAYS_INLINED = re.compile(
    r"\bstatic\b[^;{}()]*?__attribute__\s*\(\((?=[^(){};]*\balways_inline\b)(?:[^()]|\([^()]*\))*\)\)[^;{}()=]*?"
    r"\b(?P<name>\w+)\s*\((?:[^(){};]|\([^(){};]*\))*\)\s*\{"
)
_UNDECLARED = re.compile(r"['‘](\w+)['’] undeclared|use of undeclared identifier '(\w+)'")
_LONGEST_MESSAGES = 32_768
CXX_SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".c++"})


@record
class Assembly:
    """The assembly of a unit, and the command that made it."""

    text: str
    made_by: str


def compile_unit(
    file: Path,
    compiler: Compiler,
    flags: Sequence[str],
    sizes: Iterable[tuple[str, int]],
    keep: str = "",
    functions: tuple[str, ...] = (),
) -> Assembly:
    """Compiles a file. Names that it leaves undeclared and that have a size are defined as macros. `keep`: a function
    of which code is made even where it is inlined everywhere. `functions`: those whose code is asked for; others may be
    left out, where they do not matter to it."""
    given = dict(sizes)
    defines: dict[str, int] = {}
    while True:
        words = (*usable_flags(flags), *(f"-D{name}={value}" for name, value in defines.items()))
        try:
            stamp = _stamp(file)
            kept = _kept_together(keep, file, compiler, words, stamp) if keep else ()
            return _compiled(file, compiler, words, kept, () if keep else functions, stamp)
        except _FailedError as failed:
            names = {name for pair in _UNDECLARED.findall(failed.output) for name in pair}
            lacking = {name: given[name] for name in names if name in given and name not in defines}
            if not lacking:
                raise failed.error from None
            defines |= lacking


class _FailedError(Exception):
    """The compiler refused the unit."""

    def __init__(self, error: InputError, output: str) -> None:
        super().__init__(str(error))
        self.error, self.output = error, output


def _stamp(file: Path) -> tuple[int, int, str]:
    """State of a file, and the folder that names of headers begin in: versions of a project have equal names."""
    try:
        status = file.stat()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=file) from None
    return status.st_mtime_ns, status.st_size, str(Path.cwd())


@lru_cache(maxsize=64)
def _compiled(
    file: Path,
    compiler: Compiler,
    flags: tuple[str, ...],
    keep: tuple[str, ...],
    functions: tuple[str, ...],
    stamp: tuple[int, int, str],
) -> Assembly:
    """`stamp` makes the result of this process anew where the file has changed."""
    driver = compiler.fortran if is_fortran(file) else compiler.driver(file.suffix.lower() in CXX_SUFFIXES)
    made_by = f"{compiler.version}: {' '.join((compiler.name, *flags))}"
    as_source = _AS_SOURCE.get(file.suffix.lower(), ())
    parts = functions if file.suffix == _C else ()
    key = _key(file, compiler, (*driver, *flags, *keep, *as_source, *(("of", *parts) if parts else ())))
    text = _kept(key)
    if text is None and parts:
        made = _made_of_part(file, compiler, (*driver, *flags), parts, stamp)
        if made is None:  # the whole unit is what other functions have as well
            return _compiled(file, compiler, flags, (), (), stamp)
        text = _stored(key, *made)
    elif text is None:
        text = _stored(key, *_made(file, compiler, driver, (*flags, *as_source), keep))
    return Assembly(text, made_by)


def _stored(key: str, text: str, depends_on: Sequence[str]) -> str:
    _KIND.write(key, json.dumps({"inputs": inputs.states(depends_on), "text": text}).encode())
    return text


def _made(
    file: Path, compiler: Compiler, driver: tuple[str, ...], flags: tuple[str, ...], keep: tuple[str, ...]
) -> tuple[str, list[str]]:
    """The assembly of a unit, and the files that it was made of."""
    with temporary_folder() as folder:  # some drivers write no assembly to standard output
        out, rule = Path(folder) / "unit.s", Path(folder) / "unit.d"
        unit = _keeping(keep, file, Path(folder)) if keep else file
        command = (*driver, *flags, *_own_code(compiler), "-g1", "-o", str(out))
        written = modules_into(Path(folder)) if is_fortran(file) else ("-MD", "-MF", str(rule))
        whole = (*command, "-S", str(file), *written)
        # a function that the compiler's own macros leave out cannot be kept: the rest of the file is compiled
        if unit == file or not _is_compiled((*command, "-S", str(unit), *written)):
            _run(whole, file, compiler, flags)
        text = out.read_text(errors="replace")
        if is_fortran(file):
            return text, depends_on(file, flags)
        return text, _read_files(rule, file, folder)


def _own_code(compiler: Compiler) -> tuple[str, ...]:
    return _OWN_CODE if compiler.gcc else ()


def _read_files(rule: Path, file: Path, folder: str) -> list[str]:
    """The files that a unit was made of, but for those in the compiler's own folder."""
    names = _depends_on(rule.read_text(errors="replace")) if rule.exists() else [str(file)]
    return [name for name in names if not name.startswith(folder)]


def _made_of_part(
    file: Path, compiler: Compiler, command: tuple[str, ...], functions: tuple[str, ...], stamp: tuple[int, int, str]
) -> tuple[str, list[str]] | None:
    """The assembly of the part of a unit that matters to some functions, and the files that the unit was made of; None
    where nothing can be left out."""
    found = _preprocessed(file, command, stamp)
    part = connected_part(found[0], functions) if found else None
    text = _assembled(part, (*command, *_own_code(compiler), "-g1")) if part is not None else None
    return (text, list(found[1])) if found and text is not None else None


@lru_cache(maxsize=8)
def _preprocessed(
    file: Path, command: tuple[str, ...], stamp: tuple[int, int, str]
) -> tuple[str, tuple[str, ...]] | None:
    """A unit as its preprocessor leaves it, and the files that it was made of, once for all of its functions; None of
    what is too short to be worth it, or is refused."""
    if stamp[1] < _WORTH_A_PART and not _OWN_HEADER.search(read_bytes(file, _SOURCE)):
        return None
    with temporary_folder() as folder:
        whole, rule = Path(folder) / "whole.i", Path(folder) / "unit.d"
        if not _is_compiled((*command, "-MD", "-MF", str(rule), "-E", str(file), "-o", str(whole))):
            return None
        return whole.read_text(errors="surrogateescape"), tuple(_read_files(rule, file, folder))


@lru_cache(maxsize=8)
def _assembled(part: str, command: tuple[str, ...]) -> str | None:
    """The assembly of preprocessed text, once for all functions that are connected; None of what is refused."""
    with temporary_folder() as folder:
        source, out = Path(folder) / "part.i", Path(folder) / "unit.s"
        source.write_text(part, errors="surrogateescape")
        if not _is_compiled((*command, "-o", str(out), *_AS_PREPROCESSED, str(source))):
            return None
        return out.read_text(errors="replace")


def _is_compiled(command: tuple[str, ...]) -> bool:
    """Runs the compiler; what it refuses is compiled as it is, for the message."""
    try:
        return running.run(command, _ALLOWED, environment={"LC_ALL": "C"}).code == 0
    except ToolError:
        return False


def _depends_on(rule: str) -> list[str]:
    """The files of a rule for make; backslashes are before line ends and before spaces of names."""
    words = re.findall(r"(?:\\[ #]|[^\s\\]|\\(?=[^\s#]))+", rule.partition(": ")[2])
    return [re.sub(r"\\([ #])", r"\1", word).replace("$$", "$") for word in words]


def _kept(key: str) -> str | None:
    """The assembly that was made before, if all files that it was made of are the same."""
    entry = _KIND.read_json(key, inputs.StoredText)
    return str(entry["text"]) if entry is not None and inputs.unchanged(entry["inputs"], note=True) else None


def _kept_together(
    function: str, file: Path, compiler: Compiler, flags: tuple[str, ...], stamp: tuple[int, int, str]
) -> tuple[str, ...]:
    """The functions that are kept with one: all of the file that are inlined wherever they are called, if it is one of
    these. To take their addresses changes no other function; that of one which the compiler inlines as it likes may."""
    if file.suffix != _C:
        return (function,)
    always = _always_inlined(file, (*compiler.driver(False), *flags), stamp)
    return always if function in always else (function,)


@lru_cache(maxsize=8)
def _always_inlined(file: Path, command: tuple[str, ...], stamp: tuple[int, int, str]) -> tuple[str, ...]:
    found = _preprocessed(file, command, stamp)
    return tuple(sorted({one["name"] for one in _ALWAYS_INLINED.finditer(found[0])})) if found else ()


def _keeping(functions: Iterable[str], file: Path, folder: Path) -> Path:
    """A unit that takes the addresses of functions of the file, so that every compiler makes code of them."""
    unit = folder / f"kept{file.suffix}"
    name = str(file.resolve()).replace("\\", "\\\\").replace('"', '\\"')
    taken = (f"__typeof__({one}) *foretell_keeps_{one} = {one};\n" for one in functions)
    unit.write_text(f'#include "{name}"\n{"".join(taken)}')
    return unit


def _key(file: Path, compiler: Compiler, command: tuple[str, ...]) -> str:
    """The key of a unit: what is known before its headers are."""
    folders = [os.environ.get(name, "") for name in _FOLDERS]
    text = read_bytes(file, _SOURCE)
    return cache.key_of(file.absolute(), text, Path.cwd(), compiler.version, *command, *folders)


def _run(command: tuple[str, ...], file: Path, compiler: Compiler, flags: tuple[str, ...]) -> str:
    try:
        done = running.run(command, _ALLOWED, environment={"LC_ALL": "C"})
    except running.StoppedError as error:
        timed = error.limit == "time"
        reason = f"took more than {_SECONDS:g} s" if timed else f"exceeded its limit of {error.limit}"
        hint = limits.MORE_TIME if timed else None
        raise InputError(f"{compiler.name} {reason}", file=file, hint=hint) from None
    except running.NotStartedError as error:
        raise InputError(f"{compiler.name} did not run: {error.reason}", file=file) from None
    if done.code:
        said = done.messages[:_LONGEST_MESSAGES]
        raise _FailedError(_first_error(said, done.code, compiler.name, file, flags), said)
    return done.text


def _first_error(said: str, code: int, name: str, file: Path, flags: tuple[str, ...]) -> InputError:
    if found := _ERROR.search(said):
        return InputError(f"{name}: {found['text']}", file=found["file"], line=int(found["line"]))
    if code < 0:
        return InputError(f"{name} was stopped by signal {-code}: a limit of memory or output", file=file)
    lines = [line for line in said.splitlines() if "error" in line] or said.splitlines() or [f"exit code {code}"]
    return InputError(f"{name}: {lines[0]}", file=file, hint=f"its flags were {shlex.join(flags)}" if flags else None)
