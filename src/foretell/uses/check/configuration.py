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

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import files
from foretell.errors import InputError
from foretell.frontends.files.toml_keys import KeyedFile, known, table
from foretell.uses.check import marked_lines
from foretell.uses.check.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "foretell.toml"
_TOP = ("machines", "limit", "code", "limits")
_TEXT, _TEXTS, _WHOLE, _SIZES, _ARGUMENTS, _SHAPE = (
    "text",
    "list of texts",
    "whole number",
    "sizes",
    "arguments",
    "shape",
)
#: key of a code -> kind of its value
_KEYS = {
    "file": _TEXT, "files": _TEXTS, "function": _TEXT, "functions": _TEXTS, "kernel": _TEXT, "sizes": _SIZES,
    "threads": _WHOLE, "machines": _TEXTS, "compiler": _TEXT, "flags": _TEXT, "build": _TEXT, "grid": _SHAPE,
    "block": _SHAPE, "args": _ARGUMENTS, "dynamic_shared": _WHOLE, "nvcc": _TEXT, "launch": _TEXT, "start": _TEXT,
    "alias": _TEXT, "options": _SIZES, **dict.fromkeys(marked_lines.KEYS, _SIZES),
}  # fmt: skip
_MEANING = {
    _TEXT: "must be a text",
    _TEXTS: "must be a list of texts",
    _WHOLE: "must be a whole number",
    _SIZES: "must be a table of numbers or texts",
    _ARGUMENTS: "must be a list of numbers and texts",
    _SHAPE: "must be a whole number or a list of up to three",
}
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
        raise InputError("names no code", file=named, hint="a table [code.NAME]; foretell check --init writes some")
    configuration = Configuration(
        str(named),
        codes,
        tuple(_value(file, "machines", document.get("machines", []), _TEXTS)),
        _value(file, "limit", document["limit"], _TEXT) if "limit" in document else None,
        {key: _value(file, f"limits.{key}", value, _TEXT) for key, value in table(file, document, "limits").items()},
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
    known(file, key, entry, tuple(_KEYS))
    values = {word: _value(file, f"{key}.{word}", value, _KEYS[word]) for word, value in entry.items()}
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


def _value(file: KeyedFile, key: str, value: Any, kind: str) -> Any:
    whole = isinstance(value, int) and not isinstance(value, bool)
    right = {
        _TEXT: isinstance(value, str) and bool(value.strip()),
        _TEXTS: isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value),
        _WHOLE: whole and value >= 0,
        _SIZES: isinstance(value, dict) and all(_is_number(item) or isinstance(item, str) for item in value.values()),
        _ARGUMENTS: isinstance(value, list) and all(_is_number(item) or isinstance(item, str) for item in value),
        _SHAPE: whole or (isinstance(value, list) and 0 < len(value) <= 3 and all(isinstance(n, int) for n in value)),
    }[kind]
    if not right:
        raise file.error(key, _MEANING[kind])
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
