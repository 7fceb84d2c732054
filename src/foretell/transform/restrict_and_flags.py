"""Changes beside the loops: `restrict`, flags of the compiler."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text.source import Edit

if TYPE_CHECKING:
    from foretell.transform.text.source import SourceFunction

_POINTER = re.compile(r"\*\s*(?P<name>\w+)\s*\Z")
_ARRAY = re.compile(r"(?P<name>\w+)\s*(?P<bracket>\[)")


def restrict(program: Program, function: SourceFunction) -> Change:
    """Says of all pointers of a function that what they point to does not overlap."""
    edits, names, at = [], [], function.parameters_start
    for parameter in program.parameters(function):
        if "restrict" not in parameter and (spot := _spot(parameter)):
            offset, word, name = spot
            edits.append(Edit(at + offset, at + offset, word))
            names.append(name)
        at += len(parameter) + 1
    if not names:
        raise RefusedError(f"{function.name} has no pointers without restrict")
    line = program.text.count("\n", 0, function.parameters_start) + 1
    if len(names) < 2 and "restrict" not in program.text[function.parameters_start : function.parameters_end]:
        raise RefusedError(f"line {line}: {function.name} has one pointer only")
    listed = ", ".join(names)
    return Change("restrict", f"declare {listed} restrict", line, tuple(edits), provided=(f"{listed} do not overlap",))


def _spot(parameter: str) -> tuple[int, str, str] | None:
    """Where `restrict` is put into a parameter, and how."""
    if found := _ARRAY.search(parameter):
        return (
            found.end("bracket"),
            "restrict " if parameter[found.end("bracket")] != "]" else "restrict",
            found["name"],
        )
    if found := _POINTER.search(parameter):
        return found.start("name"), "restrict ", found["name"]
    return None


def flags(program: Program, given: str, asked: str) -> Change:
    """Compiles with a further flag."""
    if program.language != "c" or asked in given.split():
        raise RefusedError(
            f"{asked} is given already" if program.language == "c" else "compiled code is followed for C"
        )
    provided = ("the order of floating-point operations may change",) if "fast-math" in asked else ()
    return Change("flags", f"compile with {asked}", 1, flags=asked, provided=provided)
