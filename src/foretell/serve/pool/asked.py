"""Checks a question of a client: its code and machine are texts, never names of files of the host.

    {"code": {"name": "triad.c", "text": "…"}, "on": "zen4", "parameters": {"n": 1000000}, "threads": "all", …}

The keys are the keywords of the Python interface. Those that name files, run programs or load code are not taken.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from foretell.codegen.compiled.flags import CODE
from foretell.errors import InputError, nearest
from foretell.records import record

Document = Mapping[str, Any]
MOST_CODE_BYTES, MOST_MACHINE_BYTES, MOST_CAPTURE_BYTES = 2 << 20, 1 << 20, 16 << 20
_MOST_ENTRIES, _MOST_WORD = 64, 400
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}")
_EXAMPLE = re.compile(r"[a-z0-9][a-z0-9_./-]{0,63}")
_MACHINE = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
_PATH = re.compile(r"[A-Za-z_][\w.@:%-]{0,99}")
_NAME = re.compile(r"[A-Za-z_]\w{0,99}")
_AXIS_VALUES = re.compile(r"[\w.,:+-]{1,400}")
_CONSTRAINT = re.compile(r"[\w.,:+ *%()/<>=!&|-]{1,400}")
_WORD = re.compile(r"[\w.,:+ *%()/-]{0,200}")
#: suffix of captures of CUDA programs
CAPTURE = ".capture"
#: codes that can be read; not Triton's Python, which would be executed, nor databases of compile commands
SUFFIXES = (
    ".c", ".cpp", ".cc", ".cxx", ".c++", ".f", ".f90", ".f95", ".f03", ".f08", ".for", ".f77", ".cu", ".ptx", ".cubin",
    ".fatbin", ".sass", ".s", ".o", ".prog", ".toml", ".json", ".csv", ".txt", ".trace", ".out",
    CAPTURE,
)  # fmt: skip
_DATABASE = "compile_commands.json"
#: compilers by name: never a command
COMPILERS = ("gcc", "clang", "zig", "none")
#: flags of nvcc that do the same as those of compilers of C
_NVCC_FLAG = re.compile(
    r"-(?:O[0-3]|D[A-Za-z_]\w*(?:=[\w.+-]*)?|U[A-Za-z_]\w*|-?use_fast_math|-?maxrregcount=\d{1,3}|-?std=c\+\+\d\d"
    r"|-?fmad=(?:true|false)|-?ftz=(?:true|false)|lineinfo|-expt-relaxed-constexpr|-extended-lambda)"
)
#: contents of arrays from files
_FROM_FILE = re.compile(r"@\s*[^@]*(?:[/\\~]|\.(?:npy|bin|raw)\b)", re.IGNORECASE)
_PAIRS = ("parameters", "set", "options", "branch", "trip", "region", "meta")
_WORDS = ("function", "grid", "block", "start", "model", "mode")
_NUMBERS = ("dynamic_shared", "arch", "l1_hit", "l2_hit")
_KEYS = ("code", "base", "on", "threads", "args", "cflags", "nvcc", "cc", "depth", "only", "sizes", "guess", "job",
         *_PAIRS, *_WORDS, *_NUMBERS)  # fmt: skip
#: options of models that name files
_NOT_OPTIONS = ("asm", "cc", "flags", "loop")


@record
class Code:
    """A code: bytes with a file name, or a shipped example."""

    name: str
    data: bytes
    example: str = ""

    @property
    def is_capture(self) -> bool:
        """Whether it is a capture of a CUDA program."""
        return self.name.endswith(CAPTURE)

    @property
    def digest(self) -> str:
        """Identifies name and content."""
        return hashlib.sha256(b"\0".join((self.name.encode(), self.example.encode(), self.data))).hexdigest()


@record
class Wanted:
    """A checked question: codes, machines (names, or texts of machine files), and keywords."""

    code: Code
    on: tuple[str | Code, ...]
    keywords: Mapping[str, Any]
    base: Code | None = None


@record
class JobSettings:
    """What a long job tries, and where its server keeps what it has done."""

    axes: Mapping[str, str]
    constraints: tuple[str, ...]
    strategy: str
    budget: int
    journal: Path | None


def wanted(document: object) -> Wanted:
    """Checks a document; InputError says what is wrong with it."""
    if not isinstance(document, Mapping):
        raise InputError("the question is not a JSON object")
    for key in document:
        if key not in _KEYS:
            raise InputError(f"unknown key {str(key)[:40]!r}{nearest(str(key)[:40], _KEYS)}")
    base = document.get("base")
    return Wanted(
        _code(document.get("code"), "code"),
        _machines(document.get("on")),
        _keywords(document),
        None if base is None else _code(base, "base"),
    )


def _code(given: object, key: str) -> Code:
    if isinstance(given, Mapping) and isinstance(given.get("example"), str):
        if not _EXAMPLE.fullmatch(given["example"]) or ".." in given["example"]:
            raise InputError(f"{key}: not the name of an example: {given['example'][:40]!r}")
        return Code("", b"", given["example"])
    return _file(given, key, MOST_CODE_BYTES)


def _file(given: object, key: str, most: int) -> Code:
    if not isinstance(given, Mapping) or not isinstance(given.get("name"), str):
        raise InputError(f"{key}: give an object with a name and a text", hint='{"name": "triad.c", "text": "…"}')
    name = given["name"]
    suffix = name[name.rfind(".") :].lower() if "." in name else ""
    if not _FILE_NAME.fullmatch(name) or suffix not in SUFFIXES or name.lower() == _DATABASE:
        hint = f"a name without folders that ends in {' '.join(SUFFIXES)}"
        raise InputError(f"{key}: the file name {name[:40]!r} is not possible here", hint=hint)
    data = _content(given, key)
    if suffix == CAPTURE:
        most = MOST_CAPTURE_BYTES
    if len(data) > most:
        raise InputError(f"{key}: {len(data)} bytes, more than {most}")
    return Code(name, data)


def _content(given: Document, key: str) -> bytes:
    text, packed = given.get("text"), given.get("base64")
    if isinstance(text, str):
        return text.encode("utf-8", "replace")
    if isinstance(packed, str):
        try:
            return base64.b64decode(packed, validate=True)
        except (binascii.Error, ValueError):
            raise InputError(f"{key}: its base64 is damaged") from None
    raise InputError(f"{key}: has neither text nor base64")


def _machines(given: object) -> tuple[str | Code, ...]:
    several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    if len(several) > 200:
        raise InputError("on: more than 200 machines")
    return tuple(machine(each) for each in several if each is not None and each != "")


def machine(given: object) -> str | Code:
    """A machine of the library by name, or the text of a machine file."""
    if isinstance(given, str):
        if not _MACHINE.fullmatch(given):
            raise InputError(f"on: {given[:40]!r} is not the name of a machine", hint="a name of GET /api/v1/machines")
        return given
    return _file(given, "on", MOST_MACHINE_BYTES)


def _keywords(document: Document) -> dict[str, Any]:
    given: dict[str, Any] = {name: _pairs(document[name], name) for name in _PAIRS if document.get(name)}
    given |= {name: _word(document[name], name) for name in _WORDS if document.get(name)}
    given |= {name: _number(document[name], name) for name in _NUMBERS if document.get(name) is not None}
    for name in _NOT_OPTIONS:
        if name in given.get("options", {}):
            raise InputError(f"options: {name!r} is not possible here")
    for name, pattern in (("cflags", CODE), ("nvcc", _NVCC_FLAG)):
        if document.get(name):
            given[name] = _flags(document[name], name, pattern)
    if document.get("cc"):
        if document["cc"] not in COMPILERS:
            raise InputError(f"cc: {str(document['cc'])[:40]!r} is none of {', '.join(COMPILERS)}")
        given["cc"] = document["cc"]
    if document.get("args"):
        given["args"] = [_argument(each) for each in _list(document["args"], "args")]
    if document.get("threads") not in (None, ""):
        threads = document["threads"]
        given["threads"] = threads if threads == "all" else int(_number(threads, "threads"))
    return given


def _pairs(given: object, key: str) -> dict[str, str | float]:
    if not isinstance(given, Mapping) or len(given) > _MOST_ENTRIES:
        raise InputError(f"{key}: give an object of at most {_MOST_ENTRIES} names with values")
    result: dict[str, str | float] = {}
    for name, value in given.items():
        if not isinstance(name, str) or not (_PATH.fullmatch(name) or name.isdigit()):
            raise InputError(f"{key}: {str(name)[:40]!r} is not a name")
        result[name] = _value(value, f"{key}.{name}")
    return result


def _value(value: object, key: str) -> str | float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InputError(f"{key}: give a number or a text")
    if isinstance(value, str) and not _WORD.fullmatch(value):
        raise InputError(f"{key}: {value[:40]!r} is not a number, range or word")
    if isinstance(value, float) and not abs(value) < 1e300:
        raise InputError(f"{key}: not a finite number")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _word(given: object, key: str) -> str:
    text = str(given) if isinstance(given, str | int) else ""
    if not text or not _WORD.fullmatch(text):
        raise InputError(f"{key}: {str(given)[:40]!r} is not possible here")
    return text


def _number(given: object, key: str) -> float:
    try:
        value = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        value = float("nan")
    if not abs(value) < 1e300:
        raise InputError(f"{key}: {str(given)[:40]!r} is not a number")
    return int(value) if value.is_integer() else value


def _list(given: object, key: str) -> list[str]:
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) > _MOST_ENTRIES:
        raise InputError(f"{key}: give a list of at most {_MOST_ENTRIES} texts")
    words = [str(each) for each in given]
    if any(len(word) > _MOST_WORD for word in words):
        raise InputError(f"{key}: an entry has more than {_MOST_WORD} characters")
    return words


def _argument(text: str) -> str:
    if _FROM_FILE.search(text):
        raise InputError(f"args: {text[:40]!r}: contents from files are not read here", hint="@iota, @random(0,9), …")
    return text


def _flags(given: object, key: str, pattern: re.Pattern[str]) -> str:
    words = str(given).split()
    for word in words:
        if len(word) > _MOST_WORD or not pattern.fullmatch(word):
            raise InputError(f"{key}: the flag {word[:40]!r} is not possible here", hint="flags of code generation are")
    return " ".join(words)


def job(document: Document) -> JobSettings:
    """The settings of a long job."""
    given = document.get("job") or {}
    axes = given.get("axes", {}) if isinstance(given, Mapping) else None
    if not isinstance(axes, Mapping) or len(axes) > _MOST_ENTRIES:
        raise InputError("job: give an object with axes, constraints, strategy, budget")
    journal = given.get("journal")
    return JobSettings(
        {str(name): _axis(str(name), values) for name, values in axes.items()},
        tuple(_constraint(text) for text in _list(given.get("constraints") or [], "job.constraints")),
        str(given.get("strategy") or "static"),
        int(_number(given.get("budget", 10), "job.budget")),
        None if journal is None else Path(str(journal)),
    )


def _axis(name: str, values: object) -> str:
    """Values of an axis become macros or flags of a compiler: words, or known flags."""
    text = ",".join(map(str, values)) if isinstance(values, list | tuple) else str(values)
    if name == "nvcc":
        return "|".join(_flags(part, "job.axes.nvcc", _NVCC_FLAG) for part in text.split("|"))
    if not _NAME.fullmatch(name) or not _AXIS_VALUES.fullmatch(text):
        raise InputError(f"job.axes: {name[:40]}={text[:40]!r} is not possible here", hint='{"block": "64,128,256"}')
    return text


def _constraint(text: str) -> str:
    if not _CONSTRAINT.fullmatch(text):
        raise InputError(f"job.constraints: {text[:40]!r} is not a condition", hint="block*items <= 1024")
    return text


def sizes(text: str) -> list[str]:
    """Up to three expressions, separated by commas outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if len(parts) > 3 or not all(part.strip() for part in parts):
        raise InputError(f"{text[:40]!r}: up to three sizes, separated by commas")
    return parts


def depth_and_kinds(document: Document) -> tuple[int, tuple[str, ...]]:
    """How many changes in sequence advice tries, and which kinds."""
    depth = int(_number(document.get("depth", 1), "depth"))
    if not 1 <= depth <= 3:
        raise InputError("depth: 1 to 3")
    return depth, tuple(_list(document.get("only") or [], "only"))
