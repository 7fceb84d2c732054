"""Arrays of structures as structures of arrays (Codee PWR016): one array for each member."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text.c_text import blanked
from foretell.transform.text.declarations import Declarations, is_declared
from foretell.transform.text.source import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from foretell.transform.text.declarations import ArrayDeclaration, NameUse
    from foretell.transform.text.source import SourceFunction

_MEMBER = re.compile(
    r"(?P<type>(?:unsigned\s+)?(?:double|float|int|long|short|char))\s+(?P<names>\w+(?:\s*,\s*\w+)*)\Z"
)
_PARAMETER = re.compile(
    r"(?P<const>const\s+)?(?P<type>(?:struct\s+)?\w+)\s*(?:\*\s*(?P<restrict>restrict\s+)?(?P<pointer>\w+)"
    r"|(?P<array>\w+)\s*\[(?P<qualifier>\s*restrict)?[^\]]*\])\s*\Z"
)


def record_arrays(program: Program) -> Iterator[tuple[SourceFunction | None, str]]:
    """Arrays of structures that the nests access: declared in the text, or parameters of a function."""
    used = {use.name for nest in program.nests for use in nest.arrays if use.component}
    for array in Declarations(program.text).arrays():
        if array.name in used and _members(program.text, array.type):
            yield None, array.name
    for function in program.functions:
        for parameter in program.parameters(function):
            found = _PARAMETER.match(parameter.strip())
            if found and _name(found) in used and _members(program.text, found["type"]):
                yield function, _name(found)


def _name(found: re.Match[str]) -> str:
    return found["pointer"] or found["array"]


def _members(text: str, kind: str) -> dict[str, str]:
    """Members and their types of a structure whose members are all numbers."""
    plain, name = blanked(text), re.escape(kind.removeprefix("struct ").strip())
    found = re.search(rf"\bstruct\s+{name}\s*\{{(?P<body>[^{{}}]*)\}}", plain)
    found = found or re.search(rf"\btypedef\s+struct\s*\w*\s*\{{(?P<body>[^{{}}]*)\}}\s*{name}\s*;", plain)
    members: dict[str, str] = {}
    for line in found["body"].split(";") if found else ():
        if not line.strip():
            continue
        member = _MEMBER.match(line.strip())
        if member is None:
            return {}
        members |= {one.strip(): member["type"] for one in member["names"].split(",")}
    return members


def soa(program: Program, function: SourceFunction | None, name: str) -> Change:
    """Divides an array of structures into arrays of its members; refused where a use needs the structure."""
    return _of_parameter(program, function, name) if function is not None else _of_declared(program, name)


def _of_declared(program: Program, name: str) -> Change:
    text = Declarations(program.text)
    array = next(one for one in text.arrays() if one.name == name)
    members = _members(program.text, array.type)
    if array.statement is None or array.has_initialiser or len(array.extents) != 1:
        raise RefusedError(f"line {array.line}: {name} is not declared alone, with one extent and without initialiser")
    edits = [_declared(program.text, array, members)]
    for use in _checked(text, name, members, (array.start,)):
        edits.append(Edit(use.start, use.end, f"{name}.{use.member}[{_inside(program.text, use)}]"))
    exported = array.is_global and "static" not in array.specifiers
    provided = (f"no other file uses {name}",) if exported else ()
    return Change("aos_to_soa", _title(name, members), array.line, tuple(edits), provided=provided)


def _declared(text: str, array: ArrayDeclaration, members: Mapping[str, str]) -> Edit:
    start, end = array.statement or (array.start, array.end)
    extent = text[slice(*array.extents[0])].strip()
    arrays = " ".join(f"{kind} {member}[{extent}];" for member, kind in members.items())
    words = "".join(f"{word} " for word in array.specifiers)
    return Edit(start, end, f"{words}struct {{ {arrays} }} {array.name};")


def _of_parameter(program: Program, function: SourceFunction, name: str) -> Change:
    text, at = Declarations(program.text), function.parameters_start
    if calls := text.calls(function.name):
        raise RefusedError(f"line {calls[0]} calls {function.name} with the array of structures {name}")
    edits, members = [], dict[str, str]()
    for parameter in program.parameters(function):
        found = _PARAMETER.match(parameter.strip())
        if found and _name(found) == name:
            members = _members(program.text, found["type"])
            edits.append(Edit(at, at + len(parameter), _parameters(parameter, found, members)))
            declared = next(use.start for use in text.uses(name) if at <= use.start < at + len(parameter))
        at += len(parameter) + 1
    inside = [use for use in text.uses(name) if function.start <= use.start < function.end]
    for use in _checked(text, name, members, (declared,), inside):
        edits.append(Edit(use.start, use.end, f"{name}_{use.member}[{_inside(program.text, use)}]"))
    arrays = ", ".join(f"{name}_{member}" for member in members)
    line = text.line(function.parameters_start)
    provided = (f"callers of {function.name} pass {arrays} instead of {name}",)
    return Change("aos_to_soa", _title(name, members), line, tuple(edits), provided=provided)


def _parameters(parameter: str, found: re.Match[str], members: Mapping[str, str]) -> str:
    """A pointer for each member, as `const` and `restrict` as the one before."""
    const = found["const"] or ""
    own = "restrict " if found["restrict"] or found["qualifier"] else ""
    lead = parameter[: len(parameter) - len(parameter.lstrip())]
    words = (f"{const}{kind} *{own}{_name(found)}_{member}" for member, kind in members.items())
    return lead + ", ".join(words)


def _checked(
    text: Declarations, name: str, members: Mapping[str, str], own: tuple[int, ...], among: list[NameUse] | None = None
) -> Iterator[NameUse]:
    """The uses of an array, all of the form `name[…].member`."""
    for use in text.uses(name) if among is None else among:
        if use.start in own:
            continue
        if is_declared(use.before):
            raise RefusedError(f"line {use.line}: {name} is declared again")
        if len(use.subscripts) != 1 or use.member not in members or use.before in ("&", "sizeof"):
            raise RefusedError(f"line {use.line} uses {name} other than by {name}[…].member")
        yield use


def _inside(text: str, use: NameUse) -> str:
    return text[slice(*use.subscripts[0])].strip()


def _title(name: str, members: Mapping[str, str]) -> str:
    return f"one array for each member of {name} ({', '.join(members)})"
