"""Changes of CUDA kernels in their source text: bounds of the launch, pointers that do not overlap."""

from __future__ import annotations

import re

from foretell.transform.program import Change, RefusedError
from foretell.transform.text.c_text import blanked
from foretell.transform.text.source import Edit

_BOUNDS = "__launch_bounds__"


def _signature(text: str, kernel: str) -> re.Match[str]:
    """The head of a kernel in the text: what is before `void`, and the parameters."""
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
    title = f"add {_BOUNDS}({threads}, {blocks}) to {kernel}"
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
