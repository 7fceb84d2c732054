"""Changes of CUDA kernels in their source text: bounds of the launch, pointers that do not overlap."""

from __future__ import annotations

import re

from foretell.transform.program import Change, RefusedError
from foretell.transform.text.c_text import blanked
from foretell.transform.text.source import Edit

#: `#define NAME number`: a power of two, which may be doubled and halved
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]+(?P<value>\d+)[ \t]*(?=//|/\*|\r?$)", re.M)
#: values of a macro that are tried
_LEAST, _LARGEST = 1, 1024
_BOUNDS = "__launch_bounds__"


def source_name(kernel: str) -> str:
    """The name of a kernel in its source: of `_Z3addPfi` (Itanium C++ ABI) `add`."""
    found = re.match(r"_Z(?P<length>\d+)", kernel)
    return kernel[found.end() : found.end() + int(found["length"])] if found else kernel


def _signature(text: str, kernel: str) -> re.Match[str]:
    """The head of a kernel in the text: what is before `void`, and the parameters."""
    kernel = source_name(kernel)
    pattern = (
        rf"__global__(?P<before>[^;{{}}()]*(?:\([^)]*\)[^;{{}}()]*)?)\b{re.escape(kernel)}\s*\((?P<parameters>[^)]*)\)"
    )
    found = re.search(pattern, blanked(text))
    if found is None:
        raise RefusedError(
            f"the text of kernel {kernel} is not in the file as it stands: a macro or a template makes it"
        )
    return found


def launch_bounds(text: str, kernel: str, threads: int, blocks: int) -> Change:
    """Tells the compiler how many threads a block has and how many blocks shall be resident, so that it uses fewer
    registers."""
    found = _signature(text, kernel)
    line = text.count("\n", 0, found.start()) + 1
    if _BOUNDS in found["before"]:
        raise RefusedError(f"line {line}: kernel {kernel} has {_BOUNDS} already")
    at = found.start("before")
    title = f"add {_BOUNDS}({threads}, {blocks}) to {source_name(kernel)}"
    return Change("launch_bounds", title, line, (Edit(at, at, f" {_BOUNDS}({threads}, {blocks})"),))


def restrict_pointers(text: str, kernel: str) -> Change:
    """Declares all pointers of a kernel `__restrict__`, so that loads may be moved and take the read-only path."""
    found = _signature(text, kernel)
    line = text.count("\n", 0, found.start()) + 1
    start, edits, names = found.start("parameters"), [], []
    for match in re.finditer(r"\*\s*(?P<name>\w+)\s*(?=,|\Z)", found["parameters"]):
        if match["name"] not in ("__restrict__", "restrict"):
            edits.append(Edit(start + match.start("name"), start + match.start("name"), "__restrict__ "))
            names.append(match["name"])
    if not names:
        raise RefusedError(f"line {line}: kernel {kernel} has no pointers without __restrict__")
    listed = ", ".join(names)
    return Change(
        "restrict", f"declare {listed} __restrict__", line, tuple(edits), provided=(f"{listed} do not overlap",)
    )


def macros(text: str, kernel: str) -> dict[str, int]:
    """Macros of the text with a number that the kernel uses: powers of two."""
    found = _signature(text, kernel)
    used = blanked(text)[found.start() :]
    every = {match["name"]: int(match["value"]) for match in _MACRO.finditer(text)}
    return {
        name: value
        for name, value in every.items()
        if value > 0 and value & (value - 1) == 0 and re.search(rf"\b{name}\b", used)
    }


def other_values(value: int) -> tuple[int, ...]:
    """Half and twice a value, within what blocks and tiles have."""
    return tuple(one for one in (value // 2, 2 * value) if _LEAST <= one <= _LARGEST and one != value)


def macro(text: str, name: str, value: int) -> Change:
    """Gives a macro another value."""
    found = next(match for match in _MACRO.finditer(text) if match["name"] == name)
    line = text.count("\n", 0, found.start()) + 1
    edit = Edit(found.start("value"), found.end("value"), str(value))
    return Change("macro", f"{name} = {value} instead of {found['value']}", line, (edit,))
