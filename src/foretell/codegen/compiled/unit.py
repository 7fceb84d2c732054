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
#: of shorter files, no functions are left out: to preprocess them first takes as long
_C, _WORTH_A_PART = ".c", 2_000
_AS_PREPROCESSED = ("-w", "-x", "cpp-output", "-S")
_ERROR = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)$", re.MULTILINE)
#: headers are compiled as sources: of a header, compilers write one that is precompiled, not assembly
_AS_SOURCE = {".h": ("-x", "c")}
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
            return _compiled(file, compiler, words, keep, functions, _stamp(file))
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
    keep: str,
    functions: tuple[str, ...],
    stamp: tuple[int, int, str],
) -> Assembly:
    """`stamp` makes the result of this process anew where the file has changed."""
    driver = compiler.fortran if is_fortran(file) else compiler.driver(file.suffix.lower() in CXX_SUFFIXES)
    made_by = f"{compiler.version}: {' '.join((compiler.name, *flags))}"
    as_source = _AS_SOURCE.get(file.suffix.lower(), ())
    parts = functions if file.suffix == _C else ()
    key = _key(file, compiler, (*driver, *flags, keep, *as_source, *(("of", *parts) if parts else ())))
    text = _kept(key)
    if text is None:
        text, depends_on = _made(file, compiler, driver, (*flags, *as_source), keep, parts)
        states = inputs.states(depends_on)
        _KIND.write(key, json.dumps({"inputs": states, "text": text}).encode())
    return Assembly(text, made_by)


def _made(
    file: Path,
    compiler: Compiler,
    driver: tuple[str, ...],
    flags: tuple[str, ...],
    keep: str,
    functions: tuple[str, ...],
) -> tuple[str, list[str]]:
    """The assembly of a unit, and the files that it was made of."""
    with temporary_folder() as folder:  # some drivers write no assembly to standard output
        out, rule = Path(folder) / "unit.s", Path(folder) / "unit.d"
        unit = _keeping(keep, file, Path(folder)) if keep else file
        command = (*driver, *flags, *(_OWN_CODE if compiler.gcc else ()), "-g1", "-o", str(out))
        to_rule = ("-MD", "-MF", str(rule))
        part = _part((*driver, *flags, *to_rule), unit, functions, Path(folder))
        if part is None or not _is_compiled((*command, *_AS_PREPROCESSED, str(part))):
            written = modules_into(Path(folder)) if is_fortran(file) else to_rule
            whole = (*command, "-S", str(file), *written)
            # a function that the compiler's own macros leave out cannot be kept: the rest of the file is compiled
            if unit == file or not _is_compiled((*command, "-S", str(unit), *written)):
                _run(whole, file, compiler, flags)
        text = out.read_text(errors="replace")
        if is_fortran(file):
            return text, depends_on(file, flags)
        names = _depends_on(rule.read_text(errors="replace")) if rule.exists() else [str(file)]
        return text, [name for name in names if not name.startswith(folder)]


def _part(command: tuple[str, ...], unit: Path, functions: tuple[str, ...], folder: Path) -> Path | None:
    """The preprocessed unit without functions that do not matter to the given ones; None where it has none."""
    if not functions or unit.stat().st_size < _WORTH_A_PART:
        return None
    whole, part = folder / "whole.i", folder / "part.i"
    if not _is_compiled((*command, "-E", str(unit), "-o", str(whole))):
        return None
    text = connected_part(whole.read_text(errors="surrogateescape"), functions)
    if text is None:
        return None
    part.write_text(text, errors="surrogateescape")
    return part


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


def _keeping(function: str, file: Path, folder: Path) -> Path:
    """A unit that takes the address of a function of the file, so that every compiler makes code of it."""
    unit = folder / f"kept{file.suffix}"
    name = str(file.resolve()).replace("\\", "\\\\").replace('"', '\\"')
    unit.write_text(f'#include "{name}"\n__typeof__({function}) *foretell_keeps_{function} = {function};\n')
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
