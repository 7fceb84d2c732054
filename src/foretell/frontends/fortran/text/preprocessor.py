"""The preprocessor subset that Fortran codes use: conditionals, macros, #include, and Fortran's own INCLUDE line.

Lines keep their numbers: a directive or an inactive line becomes an empty line; the lines of an included file
have the number of the line that includes them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell import limits
from foretell.errors import InputError
from foretell.files import read_bytes
from foretell.frontends.fortran.text.preprocessor_condition import evaluate
from foretell.frontends.fortran.text.statements import Trouble, brackets, split
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

#: bytes of a source file, in proportion to the limit of memory, and its lines, to that of time, at their defaults
MAX_BYTES = 16 << 20
MAX_LINES = 1_000_000
_MAX_DEPTH = 16
_MAX_LINE = 20_000

_DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(.*)$")
_INCLUDE = re.compile(r"""\s*include\s*(['"])([^'"]+)\1\s*(?:!.*)?$""", re.IGNORECASE)
_DEFINE = re.compile(r"(\w+)(\(([^)]*)\))?\s*(.*)$")
_WORD = re.compile(r"""'[^']*'|"[^"]*"|[A-Za-z_]\w*""")


@record
class Macro:
    body: str
    parameters: tuple[str, ...] | None = None


@dataclass(slots=True)
class Expanded:
    """Lines after preprocessing, the source line of each, and errors."""

    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)


def read_source(path: Path) -> str:
    """Reads a source file. Old codes have Latin-1 in their comments; a file with a NUL is not text."""
    data = read_bytes(path, limits.memory_share(MAX_BYTES), limits.MORE_MEMORY)
    if b"\0" in data:
        raise InputError("is a binary file, not Fortran source", file=path)
    if not data.strip():
        raise InputError("is empty", file=path)
    if data.count(b"\n") > (most := limits.share(MAX_LINES)):
        raise limits.too_long(f"has more than {most} lines", path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def preprocess(text: str, path: Path, includes: Sequence[Path], defines: Mapping[str, str]) -> Expanded:
    """The lines of one file with directives executed and INCLUDE lines replaced."""
    run = _Preprocessor(includes, defines)
    run.file(text, path, None)
    if run.branches:
        run.out.troubles.append(Trouble(run.branches[-1].line, "#if without #endif"))
    return run.out


@dataclass(slots=True)
class _Branch:
    """One open #if: whether its current branch is active, whether any was, and whether the enclosing text is."""

    on: bool
    taken: bool
    outer: bool
    line: int


class _Preprocessor:
    def __init__(self, includes: Sequence[Path], defines: Mapping[str, str]) -> None:
        self.out = Expanded()
        self.includes = tuple(includes)
        self.macros = {name: Macro(value) for name, value in defines.items()}
        self.branches: list[_Branch] = []
        self.open_files: list[Path] = []

    @property
    def live(self) -> bool:
        return not self.branches or self.branches[-1].on

    def file(self, text: str, path: Path, number: int | None) -> None:
        self.open_files.append(path)
        # split as editors do: not at form feeds or Unicode separators
        lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
        position = 0
        while position < len(lines):
            line = lines[position]
            origin = position + 1 if number is None else number
            position += 1
            if "#" in line[:8] and (match := _DIRECTIVE.match(line)):
                body = match[2]
                extra = 0
                while body.endswith("\\") and position < len(lines):
                    body = body[:-1] + lines[position]
                    position += 1
                    extra += 1
                self._directive(match[1], body.strip(), origin)
                for more in range(extra + 1):
                    self._emit("", origin + (more if number is None else 0))
            elif not self.live:
                self._emit("", origin)
            elif line.lstrip()[:1] in "iI" and (match := _INCLUDE.match(line)):
                self._include(match[2], origin)
            else:
                self._emit(self._expand(line, origin) if self.macros else line, origin)
        self.open_files.pop()

    def _emit(self, line: str, number: int) -> None:
        self.out.lines.append(line)
        self.out.numbers.append(number)

    def _trouble(self, line: int, message: str) -> None:
        self.out.troubles.append(Trouble(line, message))

    # ------------------------------------------------------------------------------------- directives

    def _directive(self, name: str, body: str, line: int) -> None:
        if name in ("if", "ifdef", "ifndef"):
            on = self.live and self._condition(name, body, line)
            self.branches.append(_Branch(on, on, self.live, line))
        elif name in ("elif", "else", "endif"):
            self._next_branch(name, body, line)
        elif not self.live:
            return
        elif name == "define":
            self._define(body, line)
        elif name == "undef":
            self.macros.pop(body.strip(), None)
        elif name == "include":
            self._include(body.strip("\"<> '"), line)
        elif name == "error":
            self._trouble(line, f"#error {body}")

    def _next_branch(self, name: str, body: str, line: int) -> None:
        if not self.branches:
            self._trouble(line, f"#{name} without #if")
            return
        branch = self.branches[-1]
        if name == "endif":
            self.branches.pop()
            return
        wanted = branch.outer and not branch.taken
        branch.on = wanted and (name == "else" or self._condition("if", body, line))
        branch.taken = branch.taken or branch.on

    def _define(self, body: str, line: int) -> None:
        match = _DEFINE.match(body)
        if match is None:
            self._trouble(line, "#define without a name")
            return
        parameters = None if match[2] is None else tuple(p.strip() for p in match[3].split(",") if p.strip())
        self.macros[match[1]] = Macro(match[4].split("/*")[0].strip(), parameters)

    def _condition(self, name: str, body: str, line: int) -> bool:
        if name != "if":
            word = body.split()[0] if body.split() else ""
            return (word in self.macros) == (name == "ifdef")
        body = re.sub(r"\bdefined\s*\(?\s*(\w+)\s*\)?", lambda m: "1" if m[1] in self.macros else "0", body)
        value = evaluate(self._expand(body.split("/*")[0].split("//")[0], line))
        if value is None:
            self._trouble(line, f"#if condition is not understood: {body[:80]} (assumed false)")
            return False
        return value != 0

    # -------------------------------------------------------------------------------------- includes

    def _include(self, name: str, line: int) -> None:
        self._emit("", line)
        here = self.open_files[-1].parent
        path = next((d / name for d in (here, *self.includes) if (d / name).is_file()), None)
        if path is None:
            self._trouble(line, f"include file {name!r} was not found in the include folders")
        elif len(self.open_files) >= _MAX_DEPTH or path in self.open_files:
            self._trouble(line, f"include file {name!r} includes itself")
        else:
            self.file(read_source(path), path, line)

    # ---------------------------------------------------------------------------------------- macros

    def _expand(self, line: str, number: int, hidden: frozenset[str] = frozenset()) -> str:
        out: list[str] = []
        position = 0
        for match in _WORD.finditer(line):
            macro = self.macros.get(match[0])
            if macro is None or match[0] in hidden or match.start() < position:
                continue
            end = match.end()
            body = macro.body
            if macro.parameters is not None:
                parsed = _arguments(line, end)
                if parsed is None:
                    continue
                arguments, end = parsed
                body = _substitute(body, dict(zip(macro.parameters, arguments, strict=False)))
            out += [line[position : match.start()], self._expand(body, number, hidden | {match[0]})]
            position = end
        out.append(line[position:])
        text = "".join(out)
        if len(text) > _MAX_LINE:
            raise InputError("a macro grows this line beyond all measure", file=self.open_files[0], line=number)
        return text


def _arguments(line: str, start: int) -> tuple[list[str], int] | None:
    """The arguments of a macro call that opens at `start`, and its end."""
    text = line[start:].lstrip(" ")
    end = (
        next((p for p, sign, depth in brackets(text) if sign in ")]" and not depth), None) if text[:1] == "(" else None
    )
    if end is None:
        return None
    return [argument.strip() for argument in split(text[1:end], ",")], len(line) - len(text) + end + 1


def _substitute(body: str, values: Mapping[str, str]) -> str:
    """A macro body with its parameters replaced; `a##b` and `a/**/b` paste."""
    text = _WORD.sub(lambda m: values.get(m[0], m[0]), body)
    return re.sub(r"\s*##\s*|/\*\*/", "", text)
