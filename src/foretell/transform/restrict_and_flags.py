"""Changes beside the loops: `restrict`, flags of the compiler."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text.source import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.transform.text.source import SourceFunction

_POINTER = re.compile(r"\*\s*(?P<name>\w+)\s*\Z")
_ARRAY = re.compile(r"(?P<name>\w+)\s*(?P<bracket>\[)")
_FAST = "-ffast-math"
#: what the user has to accept of a flag, by its beginning
_OWN_CPU = "it need not run on other CPUs, and a product may be rounded with a sum (FMA)"
_PROVIDED = {
    **dict.fromkeys(("-march=", "-mcpu="), _OWN_CPU),
    _FAST: "the order of floating-point operations may change",
}


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
    """The offset in a parameter at which `restrict` is inserted, the text to insert, and the parameter's name; None
    where it is no pointer."""
    if array := _ARRAY.search(parameter):
        offset = array.end("bracket")
        return offset, "restrict " if parameter[offset] != "]" else "restrict", array["name"]
    if pointer := _POINTER.search(parameter):
        return pointer.start("name"), "restrict ", pointer["name"]
    return None


def flags(given: str, cpu: str) -> Iterator[tuple[str, Change | None]]:
    """Flags that make other code, each with the change; None where it is given already. Of several that are missing,
    those before a flag go with it, too. `cpu` is the flag that names the CPU of the machine."""
    words = given.split()
    level = next((word for word in reversed(words) if re.fullmatch(r"-O\w*", word)), "")
    missing = {
        "-O3": level not in ("-O3", "-Ofast"),
        cpu: not any(word.startswith(("-march=", "-mcpu=")) for word in words),
        _FAST: _FAST not in words and level != "-Ofast",
    }
    steps = [flag for flag, wanted in missing.items() if wanted and flag]
    if not missing[_FAST]:
        yield _FAST, None
    for flag in steps:
        yield flag, _compiled_with((flag,), level)
    for count in range(2, len(steps) + 1):
        yield " ".join(steps[:count]), _compiled_with(steps[:count], level)


def _compiled_with(words: Sequence[str], level: str) -> Change:
    """Compiles with further flags."""
    provided = tuple(text for word in words for start, text in _PROVIDED.items() if word.startswith(start))
    # of levels the last one counts, so `level` may stay before it
    instead = f" instead of {level}" if level and "-O3" in words else ""
    native = re.sub(r"-m(arch|cpu)=\S+", r"-m\1=native", " ".join(words))  # the CPU of the machine, wherever that is
    return Change("flags", f"compile with {' '.join(words)}{instead}", 1, flags=native, provided=provided)
