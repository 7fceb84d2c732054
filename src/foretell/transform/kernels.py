"""Changes of CUDA kernels in their source text: bounds of the launch, pointers that do not overlap, constants."""

from __future__ import annotations

import re

from foretell.frontends.gpu.binary.names import signature
from foretell.transform.data.single import LITERAL
from foretell.transform.program import Change, RefusedError
from foretell.transform.text.c_text import blanked, tokens
from foretell.transform.text.source import Edit

#: `#define NAME number`: a power of two, which may be doubled and halved
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]+(?P<value>\d+)[ \t]*(?=//|/\*|\r?$)", re.M)
#: values of a macro that are tried
_LEAST, _LARGEST = 1, 1024
_BOUNDS = "__launch_bounds__"
_SHARED = re.compile(r"__shared__\s+[\w\s]*?\b(?P<name>\w+)\s*\[[^\]]*\]\s*\[(?P<row>[^\]]*)\]\s*;")


def source_name(kernel: str) -> str:
    """The name of a kernel in its source, without namespaces and arguments of a template: of `_Z3addPfi` `add`."""
    return signature(kernel).forms[-1]


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
        raise RefusedError(f"line {line}: kernel {source_name(kernel)} has {_BOUNDS} already")
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
    shown = source_name(kernel)
    if not names:
        raise RefusedError(f"line {line}: kernel {shown} has no pointers without __restrict__")
    if found["parameters"].count("*") < 2:
        raise RefusedError(f"line {line}: kernel {shown} has one pointer only")
    listed = ", ".join(names)
    return Change(
        "restrict", f"declare {listed} __restrict__", line, tuple(edits), provided=(f"{listed} do not overlap",)
    )


def single_constants(text: str, kernel: str) -> Change:
    """Makes constants of a kernel of `float` single: `0.5` is double, and with it all that it is combined with."""
    found = _signature(text, kernel)
    plain, start = blanked(text), found.end()
    end = _behind_body(plain, start)
    line = text.count("\n", 0, found.start()) + 1
    if re.search(r"\bdouble\b", plain[found.start() : end]):
        raise RefusedError(f"line {line}: kernel {source_name(kernel)} has numbers that are declared double")
    constants = [one for one in tokens(plain, start, end) if LITERAL.match(one.text)]
    if not constants:
        raise RefusedError(f"line {line}: kernel {source_name(kernel)} has no constants in double precision")
    first = text.count("\n", 0, constants[0].start) + 1
    title = f"write constants as float ({constants[0].text}f for {constants[0].text})"
    edits = tuple(Edit(one.end, one.end, "f") for one in constants)
    return Change("single", title, first, edits, provided=("single precision is accurate enough",))


def pad_shared(text: str, kernel: str) -> Change:
    """Makes rows of shared arrays longer by one element, so that columns are spread over the banks."""
    found = _signature(text, kernel)
    plain = blanked(text)
    end = _behind_body(plain, found.end())
    arrays = [one for one in _SHARED.finditer(plain, found.end(), end) if not one["row"].strip().endswith("+ 1")]
    if not arrays:
        raise RefusedError(f"kernel {source_name(kernel)} has no shared arrays of two dimensions")
    for array in arrays:
        uses = re.finditer(rf"(?<![\w.]){array['name']}\b(?!\s*\[[^\]]*\]\s*\[)", plain[array.end() : end])
        if whole := next(uses, None):
            line = text.count("\n", 0, array.end() + whole.start()) + 1
            raise RefusedError(f"line {line} uses {array['name']} as a whole: its layout must stay")
    names = ", ".join(one["name"] for one in arrays)
    line = text.count("\n", 0, arrays[0].start()) + 1
    edits = tuple(Edit(one.end("row"), one.end("row"), " + 1") for one in arrays)
    return Change("pad", f"pad the rows of {names} in shared memory by one element", line, edits)


def _behind_body(plain: str, start: int) -> int:
    """The offset behind the body that opens at or behind this one."""
    depth = 0
    for at in range(start, len(plain)):
        depth += (plain[at] == "{") - (plain[at] == "}")
        if depth == 0 and plain[at] == "}":
            return at
    return len(plain)


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
