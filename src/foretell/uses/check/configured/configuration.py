"""`foretell.toml`: what `check` compares.

machines = ["zen4", "h200"]     # of every code that names none
limit = "5%"                    # of every code

[code.heat]                     # C, C++, Fortran, assembly, objects
file = "src/heat.c"             # or files = [...] of one program, or a pattern src/*.c: every file by itself
function = "heat"               # or functions = ["heat", "smooth_*"]
sizes = { n = 1000 }
threads = 1
branch = { "x[i] > top" = 0.1 } # how often the condition in the line with this text holds; trip: rounds of a loop
compiler = "gcc"
flags = "-O3 -Iinclude"
build = "make heat.o"           # run first, in a copy of each version

[code.gemm]                     # CUDA source, cubins
file = "src/gemm.cu"
kernel = "gemm"
grid = [64, 64]
block = [16, 16]
args = ["f32[1048576]", "f32[1048576]", "f32[1048576]", 1024]
nvcc = "--use_fast_math"

[limits]
"gemm*@h200" = "3%|50us"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from foretell import files
from foretell.errors import InputError
from foretell.frontends.files.toml_keys import KeyedFile, known, table
from foretell.uses.check.configured import marked_lines
from foretell.uses.check.configured.limits import Limits

NAME = "foretell.toml"
_TOP = ("machines", "limit", "code", "limits")
Numbers = Mapping[str, float | str]


@dataclass(frozen=True)
class _Table:
    """What a table [code.NAME] may hold. A size may be an expression, and so a text."""

    file: str = ""
    files: tuple[str, ...] = ()
    function: str = ""
    functions: tuple[str, ...] = ()
    kernel: str = ""
    sizes: Numbers = field(default_factory=dict)
    threads: int = 1
    machines: tuple[str, ...] = ()
    compiler: str = ""
    flags: str = ""
    build: str = ""
    grid: int | tuple[int, ...] = 1
    block: int | tuple[int, ...] = 1
    args: tuple[float | str, ...] = ()
    dynamic_shared: int = 0
    nvcc: str = ""
    launch: str = ""
    start: str = ""
    alias: str = ""
    options: Numbers = field(default_factory=dict)
    branch: Numbers = field(default_factory=dict)
    trip: Numbers = field(default_factory=dict)


#: fields that may be negative
_SIGNED = frozenset({"sizes", "args", "options"})
_KEYS = tuple(entry.name for entry in fields(_Table))
#: a version is compared at the sizes, threads and machines of the head: other ones are another question
_OF_HEAD = ("sizes", "threads", "machines", "start", *marked_lines.KEYS)


@dataclass(frozen=True)
class Code:
    """What one table [code.NAME] says."""

    name: str
    values: Mapping[str, Any]

    @property
    def files(self) -> tuple[str, ...]:
        """The files of one program, or a pattern."""
        return tuple(self.values.get("files", ())) or (self.values["file"],)

    @property
    def functions(self) -> tuple[str, ...]:
        """Functions by name or pattern; none: the whole file, or the kernel."""
        single = self.values.get("function")
        return (single,) if single else tuple(self.values.get("functions", ()))

    def on(self, machine: str) -> Code:
        """The same on one machine."""
        return Code(self.name, {**self.values, "machines": [machine]})

    def like(self, head: Code) -> Code:
        """The same at the sizes of another version."""
        kept = {key: value for key, value in self.values.items() if key not in _OF_HEAD}
        given = {key: head.values[key] for key in _OF_HEAD if key in head.values}
        marks = {marked_lines.OF_HEAD: True} if any(key in given for key in marked_lines.KEYS) else {}
        return Code(self.name, kept | given | marks)


@dataclass(frozen=True)
class Configuration:
    """A whole file. `path` is that of messages."""

    path: str
    codes: Mapping[str, Code]
    machines: tuple[str, ...] = ()
    limit: str | None = None
    limits: Mapping[str, str] = field(default_factory=dict)

    def machines_of(self, code: Code) -> tuple[str, ...]:
        """The machines of a code: its own, or those of all."""
        return tuple(code.values.get("machines", ())) or self.machines

    def rules(self) -> Limits:
        """The limits, read."""
        return Limits(self.limit, self.limits)


def read_configuration(path: Path, shown: str = "") -> Configuration:
    """Reads and checks a file; an unknown key, or a value of a wrong kind, is an error with its line."""
    text = files.read_text(path)
    named = Path(shown) if shown else path
    file = KeyedFile(named, text)
    document = files.parse_toml(text, named)
    known(file, "", document, _TOP)
    codes = {name: _code(file, name, value) for name, value in table(file, document, "code").items()}
    if not codes:
        raise InputError(
            "names no code", file=named, hint="a table [code.NAME] says file, function or kernel, and machines"
        )
    limit = document.get("limit")
    configuration = Configuration(
        str(named),
        codes,
        file.decoded(tuple[str, ...], document.get("machines", []), "machines"),
        None if limit is None else file.decoded(str, limit, "limit"),
        file.decoded(Mapping[str, str], table(file, document, "limits"), "limits"),  # type: ignore[type-abstract]
    )
    _check(file, configuration)
    return configuration


def _check(file: KeyedFile, configuration: Configuration) -> None:
    """Checks limits, and that every code has a machine."""
    with file.at("limit"):
        Limits(configuration.limit, {})
    for pattern, text in configuration.limits.items():
        with file.at(f"limits.{pattern}"):
            Limits(None, {pattern: text})
    for name, code in configuration.codes.items():
        if not configuration.machines_of(code):
            raise file.error(f"code.{name}", "has no machine", hint='machines = ["zen4"], here or at the top')


def _code(file: KeyedFile, name: str, entry: object) -> Code:
    key = f"code.{name}"
    if not isinstance(entry, dict):
        raise file.error(key, "must be a table")
    known(file, key, entry, _KEYS)
    file.decoded(_Table, entry, key, _SIGNED)
    values: dict[str, Any] = entry
    _check_ranges(file, key, values)
    if ("file" in values) == ("files" in values):
        raise file.error(key, "needs file or files, one of them")
    for one, other in (("function", "functions"), ("kernel", "functions"), ("kernel", "function"), ("launch", "grid")):
        if one in values and other in values:
            raise file.error(f"{key}.{other}", f"and {one} are two ways to say it: give one of them")
    for word in marked_lines.KEYS:
        if word in values and "functions" in values:
            hint = "function = …, in a table of its own"
            raise file.error(f"{key}.{word}", "names lines of one function, and functions names several", hint=hint)
    return Code(name, values)


def _check_ranges(file: KeyedFile, key: str, values: Mapping[str, Any]) -> None:
    """What types do not say: no empty text, threads and one to three sizes of a grid from 1."""
    for word, value in values.items():
        items = value if isinstance(value, list) else [value]
        if any(isinstance(item, str) and not item.strip() for item in items):
            raise file.error(f"{key}.{word}", "must not be an empty text")
        if word in ("grid", "block") and (not 1 <= len(items) <= 3 or min(items) < 1):
            raise file.error(f"{key}.{word}", "must be a whole number or a list of up to three, from 1")
        if word == "threads" and value < 1:
            raise file.error(f"{key}.{word}", "must be a whole number from 1")
