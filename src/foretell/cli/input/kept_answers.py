"""Answers that are kept: a command that was asked before, of the same inputs, is answered from the user's cache.

The key is all that is known before anything is read: the arguments, the folder, the package, the environment, the
terminal. An entry holds the text of the answer and its inputs: the files that were read or looked for (sources,
headers, machines, compilation databases) and the compilers, each with its state (`inputs.py`). It counts only while all
inputs are the same. As in ccache, a new header that hides one of the same name in a later include folder is not seen.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from foretell import cache, inputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_KIND = cache.Kind("answers", version=1)
#: commands that only read, and options of them that do more
_COMMANDS, _DOES_MORE = (
    frozenset({"predict", "why", "rank", "describe"}),
    ("--emit", "--plot", "--trace", "--trip-from-run"),
)
#: sources whose inputs are all noted
_SOURCES = frozenset({".c", ".cpp", ".cc", ".cxx", ".c++", ".f", ".f90", ".f95", ".f03", ".f08", ".for", ".f77"})
#: of the environment, what compilers and the package look at
_VARIABLES = (
    "CC", "CXX", "CFLAGS", "CXXFLAGS", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX",
    "COMPILER_PATH", "PATH", "HOME", "XDG_CONFIG_HOME", "NO_COLOR", "COLUMNS", "LANG", "LC_ALL", "TMPDIR",
)  # fmt: skip
_OWN, _NOT_KEY = "FORETELL_", (cache.FOLDER, cache.SIZE)
#: files of this package that decide an answer: code, machines, headers of ours
_CODE = (".py", ".so", ".toml", ".h")
_DEBUG = "FORETELL_DEBUG"
#: `off`: every answer is computed anew
_SWITCH = "FORETELL_ANSWERS"
#: texts of this process's answer
_written: list[str] = []


def add(text: str) -> None:
    """Notes a part of the answer that was written."""
    _written.append(text)


def kept_answer(arguments: Sequence[str]) -> str | None:
    """The text of an answer that was given before to the same question; None where it must be computed."""
    _written.clear()
    inputs.forget()
    key = _key(arguments)
    entry = _KIND.read_json(key, inputs.StoredText) if key else None
    return str(entry["text"]) if entry is not None and inputs.unchanged(entry["inputs"]) else None


def keep(arguments: Sequence[str], said: Watched) -> None:
    """Keeps the answer of this process, unless more than the answer was said."""
    key = _key(arguments)
    if key and _written and not said.used:
        entry = {"inputs": inputs.noted(), "text": "".join(_written)}
        _KIND.write(key, json.dumps(entry).encode())


class Watched:
    """A stream that remembers whether something was written to it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self.used = stream, False

    def write(self, text: str) -> int:
        self.used = True
        return self._stream.write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def _key(arguments: Sequence[str]) -> str:
    """The key of a question; empty where its answer is not kept."""
    off = os.environ.get(_DEBUG) or os.environ.get(_SWITCH) == cache.OFF or cache.folder() is None
    if off or not arguments or arguments[0] not in _COMMANDS:
        return ""
    if any(word.startswith(_DOES_MORE) for word in arguments) or not any(map(_is_source, arguments)):
        return ""
    variables = [(name, os.environ.get(name)) for name in _VARIABLES]
    variables += sorted(
        (name, text) for name, text in os.environ.items() if name.startswith(_OWN) and name not in _NOT_KEY
    )
    terminal = (shutil.get_terminal_size() if sys.stdout.isatty() else None, sys.stdout.encoding)
    host = os.uname()
    return cache.key_of(
        *arguments, Path.cwd(), variables, terminal, sys.version, host.nodename, host.machine, *_package()
    )


def _is_source(word: str) -> bool:
    name = word.partition(":")[0] if not word.startswith("example:") else word.removeprefix("example:")
    return Path(name).suffix.lower() in _SOURCES and not word.startswith("-")


def _package() -> Iterator[str]:
    """The files of this package, and the time of the last installation beside the packages that it needs."""
    yield str(Path(os.__file__).parent)
    yield str(Path(json.__file__).parent.stat().st_mtime_ns)
    import click

    yield str(Path(click.__file__).parents[1].stat().st_mtime_ns)
    waiting = [str(Path(cache.__file__).parent)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in sorted(entries, key=lambda one: one.name):
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        waiting.append(entry.path)
                elif entry.name.endswith(_CODE):
                    status = entry.stat()
                    yield f"{entry.path} {status.st_size} {status.st_mtime_ns}"
