"""Finds a function in compiled code: by its symbol, under the names of clones, or by its name in C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from foretell import running
from foretell.core.outlined import bodies_of
from foretell.errors import InputError, ToolError, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

#: what gcc adds to the names of clones, and what it did to them
_CLONES = {
    "constprop": "parameters that are constants are gone",
    "isra": "parameters were replaced by what they point to",
    "part": "it is a part of the function",
}
#: codes of builtin types in mangled names (Itanium C++ ABI, 5.1.5.2)
_TYPES = {
    "void": "v", "bool": "b", "char": "c", "signed char": "a", "unsigned char": "h", "short": "s",
    "unsigned short": "t", "int": "i", "unsigned": "j", "unsigned int": "j", "long": "l", "unsigned long": "m",
    "long long": "x", "unsigned long long": "y", "float": "f", "double": "d", "long double": "e", "size_t": "m",
    "std::size_t": "m", "int64_t": "l", "int32_t": "i", "uint64_t": "m", "uint32_t": "j",
}  # fmt: skip
#: functions that an error lists, overloaded ones, and the most seconds of c++filt
_SHOWN, _LISTED, _SECONDS = 20, 12, 10.0
#: code of a function that gcc or clang put apart as unlikely: jumps of the function lead there
_COLD = re.compile(r"\.cold(?:\.\d+)?$")
_BY_DEFAULT = re.compile(r", std::(?:allocator|char_traits|less)<[^<>]*(?:<[^<>]*>)?[^<>]*>")
_LOCATION = re.compile(r"\.loc \d+ (\d+)")
_TYPED = re.compile(r"^[ \t]*\.type[ \t]+([^,\s]+),[ \t]*[@%]function", re.MULTILINE)
_LABEL = re.compile(r"^([A-Za-z_$][\w.$]*):", re.MULTILINE)


def find_function(text: str, name: str, file: Path) -> tuple[str, tuple[str, ...]]:
    """The symbol of a function in assembly, and what must be said about it."""
    return chosen(function_names(text), name, file, text)


def function_names(text: str) -> tuple[str, ...]:
    """The functions of assembly: symbols of that type, or all labels that are not local."""
    return tuple(_TYPED.findall(text) or (one for one in _LABEL.findall(text) if not one.startswith((".L", "L"))))


def chosen(names: Sequence[str], name: str, file: Path, text: str = "") -> tuple[str, tuple[str, ...]]:
    """The symbol that is meant by a name; `text` is the assembly, which has the lines of overloaded functions."""
    if name in names:
        return name, outlined(names, name)
    hot = [other for other in names if not _COLD.search(other)]
    clones = [other for other in hot if other.startswith(f"{name}.")]
    if clones:
        kinds = [word for word in clones[0].removeprefix(name).split(".") if word in _CLONES]
        said = "; ".join(_CLONES[word] for word in kinds) or "the compiler renamed it"
        return clones[0], (f"the compiler made {clones[0]} of {name}: {said}",)
    mangled = _of_types([other for other in _without_clones(hot) if is_mangled(other, name)], name)
    if len(mangled) > 1 or (mangled and "(" in name):
        mangled = [_of_parameters(mangled, name, file, text)]
    if mangled:
        return mangled[0], ()
    shown = [_brief(full) for full in demangled(names[:_SHOWN]).values()] if names else []
    known = ", ".join(shown) or "none: give the address of its first instruction, 0x…"
    raise InputError(f"no function {name!r}{nearest(name, names)}", file=file, hint=f"functions: {known}")


def _without_clones(names: Sequence[str]) -> list[str]:
    """Names without those of clones whose function is there itself."""
    own = frozenset(names)
    return [name for name in names if "." not in name or name.partition(".")[0] not in own]


def _of_parameters(symbols: Sequence[str], name: str, file: Path, text: str) -> str:
    """The overloaded function with the parameters of the name: `scale(double*, int)`."""
    spelled = demangled(symbols)
    asked = _normal(name.partition("(")[2].removesuffix(")")) if "(" in name else None
    same = [symbol for symbol, full in spelled.items() if _normal(_parameters(full)) == asked]
    if len(same) == 1:
        return same[0]
    listed = (f"{_at_line(symbol, text)}{_brief(full)}" for symbol, full in list(spelled.items())[:_LISTED])
    first = _brief(next(iter(spelled.values())))
    raise InputError(
        f"{name!r} may be any of {len(symbols)} functions", file=file, hint=f"{'; '.join(listed)} (ask for '{first}')"
    )


def demangled(symbols: Sequence[str]) -> dict[str, str]:
    """Symbols with their names in C++, by c++filt; as they are where there is none."""
    try:
        done = running.run(("c++filt", *symbols), running.Limits(_SECONDS))
    except ToolError:
        return {symbol: symbol for symbol in symbols}
    lines = done.text.splitlines()
    return dict(zip(symbols, lines, strict=True)) if len(lines) == len(symbols) else {one: one for one in symbols}


def _parameters(full: str) -> str:
    """The parameters of a name in C++."""
    return full[full.find("(") + 1 : full.rfind(")")] if "(" in full else ""


def _brief(full: str) -> str:
    """A name in C++ without what a container has by default, nor the blanks of old brackets."""
    return re.sub(r"\s+(?=>)", "", _BY_DEFAULT.sub("", full))


def _normal(types: str) -> str:
    """A list of types in one spelling."""
    words = re.sub(r"\b(?:std|__cxx11|__1)::", "", _brief(types))
    words = re.sub(r"\b(?:size_t|uint64_t)\b", "unsigned long", re.sub(r"\bint64_t\b", "long", words))
    words = re.sub(r"\bconst (\w[\w ]*(?:<[^()]*>)?)(?=[&*])", r"\1 const", words)
    return re.sub(r"\s+", "", words)


def _at_line(symbol: str, text: str) -> str:
    """The source line of a function's first instruction."""
    start = f"\n{text}".find(f"\n{symbol}:")
    match = _LOCATION.search(text, start) if start >= 0 else None
    return f"line {match[1]}: " if match else ""


def outlined(names: Sequence[str], name: str) -> tuple[str, ...]:
    """Says what is done with the bodies of parallel regions."""
    bodies = bodies_of(name, names)
    said = f"parallel regions of {name} are followed by one thread: {', '.join(bodies)}"
    return (said,) if bodies else ()


def is_mangled(symbol: str, name: str) -> bool:
    """Whether an Itanium-mangled symbol is that of a C++ function: `_Z4axpyIdEvi…` of axpy."""
    if not symbol.startswith("_Z"):
        return False
    parts = re.sub(r"<.*>|\(.*\)", "", name).split("::")
    return "".join(f"{len(part)}{part}" for part in parts) in symbol


def _of_types(symbols: Sequence[str], name: str) -> Sequence[str]:
    """Instances of a template with the types in the brackets of the name; all of them where these are not builtin."""
    arguments = re.search(r"(\w+)<(.*)>", name)
    codes = [_TYPES.get(" ".join(word.split())) for word in arguments[2].split(",")] if arguments else []
    if not arguments or not all(codes):
        return symbols
    spelled = f"{len(arguments[1])}{arguments[1]}I{''.join(map(str, codes))}E"
    return [symbol for symbol in symbols if spelled in symbol] or symbols
