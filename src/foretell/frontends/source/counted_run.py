"""Runs a program once with gcc's counters (gcov), for loops and conditions that depend on data.

The command runs in a copy of its folder, with limits. Compilers that it calls count (`--coverage -O0`): wrappers of gcc
and g++ come first in its PATH. Of sources with a main the program is compiled first, under the name that the command
begins with. gcov gives two numbers for each conditional jump in the order of the code: how often it fell through, and
how often it was taken.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import limits, running
from foretell.errors import InputError, ToolError
from foretell.files import real, temporary_folder
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: limits of a run and of the folder that is copied
_SECONDS, _MEMORY, _OUTPUT, _COPIED, _FILES = 120, 16 << 30, 256 << 20, 256 << 20, 20_000
_COUNTING = ("--coverage", "-O0", "-g", "-fprofile-abs-path", "-fprofile-update=atomic")
_COMPILERS = re.compile(r"(?:[\w.]+-)*(?:gcc|g\+\+|cc|c\+\+)(?:-\d+)?")
_CXX = frozenset({".cpp", ".cc", ".cxx", ".c++"})
_MAIN = re.compile(r"^[^\n#/]*\bmain\s*\([^;]*$", re.MULTILINE)
#: the option that is meant in messages
_OPTION = "--trip-from-run"
_HINT = (
    "give a command that compiles and runs the program ('make && ./app 100'), or, with a main in the sources, the run "
    "alone ('./app 100')"
)


@record
class RunCounts:
    """Conditional jumps of each source line in a run: (file name, line) -> (fell through, was taken) of each."""

    command: str
    jumps: Mapping[tuple[str, int], tuple[tuple[int, int], ...]]
    texts: Mapping[str, tuple[str, ...]]

    def trips(self, file: str, line: int) -> tuple[float, int] | None:
        """Mean iterations of the loop on a line, and how often it was entered; None where the run does not say."""
        name = Path(file).name
        text = self._text(name, line)
        tested_last = re.match(r"\s*do\b", text) is not None
        pairs = self.jumps.get((name, self._end_of_do(name, line) if tested_last else line))
        if not pairs or not _is_plain(text, len(pairs)):
            return None
        # the last jump goes back to the body; those before leave the loop (&&), or go to the body as well (||)
        leaves = pairs[-1][0] + (sum(taken for _, taken in pairs[:-1]) if "||" not in text else 0)
        goes_on = pairs[-1][1] + (sum(taken for _, taken in pairs[:-1]) if "||" in text else 0)
        iterations = goes_on + leaves if tested_last else goes_on
        return (iterations / leaves, leaves) if leaves else None

    def share(self, file: str, line: int) -> Fraction | None:
        """The share of evaluations in which the condition on a line holds."""
        name = Path(file).name
        pairs, text = self.jumps.get((name, line)), self._text(name, line)
        if not pairs or not re.search(r"\bif\b|\?", text) or not _is_plain(text, len(pairs)) or not sum(pairs[0]):
            return None
        if "||" in text:
            return 1 - Fraction(pairs[-1][1], sum(pairs[0]))
        return Fraction(pairs[-1][0], sum(pairs[0]))

    def begins_loop(self, file: str, line: int) -> bool:
        """Whether a loop with a condition of its own begins in a line."""
        return re.search(r"\b(?:for|while|do)\b", self._text(Path(file).name, line)) is not None

    def _text(self, name: str, line: int) -> str:
        lines = self.texts.get(name, ())
        return lines[line - 1] if 0 < line <= len(lines) else ""

    def _end_of_do(self, name: str, line: int) -> int:
        """The line of the `while` of a do loop, by its braces."""
        depth = 0
        for number in range(line, len(self.texts[name]) + 1):
            text = self._text(name, number)
            depth += text.count("{") - text.count("}")
            if depth <= 0 and re.search(r"\bwhile\b", text):
                return number
        return line


def _is_plain(text: str, pairs: int) -> bool:
    """Whether the jumps of a line are those of one condition: one comparison, or several joined by && or by ||."""
    joined = text.count("&&") + text.count("||")
    loops_or_ifs = len(re.findall(r"\b(?:for|while|if)\b|\?", text))
    return pairs == joined + 1 and not ("&&" in text and "||" in text) and loops_or_ifs <= 1 + text.startswith("do")


@lru_cache(maxsize=4)
def counted_run(command: str, sources: tuple[Path, ...], flags: str = "") -> RunCounts:
    """Runs a command in a copy of its folder, and gives the counts of all sources that were compiled for it."""
    if shutil.which("gcov") is None or shutil.which("gcc") is None:
        raise ToolError(f"{_OPTION} counts with gcc and gcov, and they are not installed here")
    folder = _folder(sources)
    with temporary_folder() as temporary:
        copy, tools = Path(temporary) / "copy", Path(temporary) / "bin"
        _copy(folder, copy)
        _wrap_compilers(tools)
        if program := _program(command, sources):
            inside = [str(real(source).relative_to(folder)) for source in sources]
            _run(_build(inside, program, flags), copy, tools, "the compilation")
        _run(["/bin/sh", "-c", command], copy, tools, command)
        jumps = _gathered(copy)
    if not jumps:
        raise InputError(f"{_OPTION} {command}: the run left no counts", hint=_HINT)
    texts = {source.name: tuple(source.read_text(errors="replace").splitlines()) for source in sources}
    return RunCounts(command, jumps, texts)


def _folder(sources: Sequence[Path]) -> Path:
    """The folder of the run: the current one, if the sources are in it, else theirs."""
    here = real(Path.cwd())
    inside = all(here in real(source).parents for source in sources)
    return here if inside else real(sources[0]).parent


def _copy(folder: Path, copy: Path) -> None:
    size = number = 0
    for path, _, names in os.walk(folder):
        for name in names:
            size, number = size + os.lstat(Path(path) / name).st_size, number + 1
        if size > _COPIED or number > _FILES:
            raise InputError(
                f"{_OPTION}: the folder has more than {_COPIED >> 20} MiB or {_FILES} files", file=folder,
                hint="the command runs in a copy of the current folder: go to that of the sources",
            )  # fmt: skip
    shutil.copytree(folder, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "*.gcda", "*.gcno"))


def _wrap_compilers(folder: Path) -> None:
    """Compilers under their own names that count, for the command and the build that it starts."""
    folder.mkdir()
    for path in os.environ.get("PATH", os.defpath).split(":"):
        for program in Path(path).iterdir() if path and Path(path).is_dir() else ():
            file = folder / program.name
            if _COMPILERS.fullmatch(program.name) and not file.exists():
                file.write_text(f'#!/bin/sh\nexec {shlex.quote(str(program))} "$@" {" ".join(_COUNTING)}\n')
                file.chmod(0o755)


def _program(command: str, sources: Sequence[Path]) -> str:
    """The program that a command begins with, where it is made of sources with a main; else empty."""
    try:
        word = next(iter(shlex.split(command)), "")
    except ValueError as error:
        raise InputError(f"{_OPTION} {command!r}: {error}") from None
    has_main = any(_MAIN.search(source.read_text(errors="replace")) for source in sources)
    return word if has_main and word.startswith("./") else ""


def _build(sources: Sequence[str], program: str, flags: str) -> list[str]:
    compiler = "g++" if any(Path(source).suffix.lower() in _CXX for source in sources) else "gcc"
    return [compiler, *shlex.split(flags), *sources, "-o", program, "-lm"]


def _run(command: Sequence[str], folder: Path, tools: Path, shown: str) -> None:
    """Runs a command with limits, which writes only into its folder; a failure is an error with the last line that it
    wrote."""
    allowed = running.Limits(_SECONDS, memory_bytes=_MEMORY, output_bytes=_OUTPUT, file_bytes=_OUTPUT)
    try:
        done = running.run(
            command, allowed, environment={"PATH": f"{tools}:{os.environ.get('PATH', os.defpath)}"}, folder=folder,
            merged=True, whole=False, confinement=running.Confinement.current().beside(folder),
        )  # fmt: skip
    except running.StoppedError as error:
        if error.limit != "time":
            raise
        hint = f"give a shorter run; {limits.MORE_TIME}"
        raise InputError(f"{_OPTION}: {shown} took more than {allowed.time_s:g} s", hint=hint) from None
    if done.code:
        said = [line for line in done.text.splitlines() if line.strip()]
        errors = [line for line in said if "error" in line] or said[-1:]
        why = f"exit code {done.code}" if done.code > 0 else f"signal {-done.code}"
        raise InputError(f"{_OPTION}: {shown} failed ({why})", hint="; ".join(errors[:1]) or None)


def _gathered(folder: Path) -> dict[tuple[str, int], tuple[tuple[int, int], ...]]:
    """The jumps of all counted sources. Instances of a template, and of an inlined header, are summed."""
    jumps: dict[tuple[str, int], tuple[tuple[int, int], ...]] = {}
    for file in sorted(folder.rglob("*.gcda")):
        for name, line in _lines(file):
            pairs = _pairs(line["branches"])
            key = (name, int(line["line_number"]))
            before = jumps.get(key)
            if before is None or len(before) != len(pairs):
                jumps[key] = pairs
            else:
                jumps[key] = tuple((a + c, b + d) for (a, b), (c, d) in zip(before, pairs, strict=True))
    return jumps


def _lines(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    command = ["gcov", "--json-format", "--stdout", "--branch-probabilities", file.name]
    done = running.run(command, running.Limits(_SECONDS, output_bytes=_OUTPUT), folder=file.parent)
    for text in done.text.splitlines():
        try:
            document = json.loads(text)
        except ValueError:
            continue
        for source in document.get("files", ()):
            for line in source["lines"]:
                if line["branches"]:
                    yield Path(source["file"]).name, line


def _pairs(branches: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, int], ...]:
    """(fell through, was taken) of each jump; those of exceptions are left out."""
    kept = [branch for branch in branches if not branch["throw"]]
    couples = zip(*[iter(kept)] * 2, strict=False)
    pairs = [sorted(couple, key=lambda branch: not branch["fallthrough"]) for couple in couples]
    return tuple((falls["count"], taken["count"]) for falls, taken in pairs)
