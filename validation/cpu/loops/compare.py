"""Cycles of generated code against those of a compiler's own, both followed through the same core.

python validation/cpu/loops/compare.py MACHINE.toml [look|report|all] [FUNCTION ...]    (needs gcc; half a minute)

Nothing is timed. The half of the loops that a loop is in follows from its name: rules are found by the looking half,
figures are those of the other one.
"""

from __future__ import annotations

import hashlib
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from foretell import frontends, machines
from foretell.codegen.compilers.flags import parse_flags
from foretell.codegen.generate import UserAssembly
from foretell.core.nest.loopnest import LoopNest, Loops
from foretell.errors import ForetellError
from foretell.models.cpu.incore import in_core

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

SOURCES = sorted(Path(__file__).parent.glob("*.c"))
FLAGS = ("-O3 -march=sapphirerapids", "-O3 -march=skylake-avx512", "-O3", "-O2")
#: rows of so many elements, and so many of them: all in L1
SIZES = {"n": 1000, "m": 20}
#: where there are two sizes, the outer loop is shorter
ROWS = 50


def half(name: str) -> str:
    """Which half a loop is in."""
    return "look" if hashlib.sha256(name.encode()).digest()[0] % 2 == 0 else "report"


def main() -> None:
    machine, wanted, names = machines.load(sys.argv[1]), "".join(sys.argv[2:3]) or "all", sys.argv[3:]
    read = [frontends.read(source).facet(Loops) for source in SOURCES]
    taken = {one.name: one.parameters for loops in read for one in loops.functions}
    nests = [nest for loops in read for nest in loops.nests if wanted in ("all", half(nest.function))]
    nests = [nest for nest in nests if not names or nest.function in names]
    for flags in FLAGS:
        text = compiled(flags)
        found = {
            nest.function: quotient(nest, machine, flags, text[nest.function], taken[nest.function]) for nest in nests
        }
        errors = sorted(abs(math.log(one)) for one in found.values() if one is not None)
        worst = sorted(found.items(), key=lambda pair: -abs(math.log(pair[1] or 1e9)))
        print(f"{flags}: {len(errors)} loops, |log ratio| median {median(errors):.3f}, "
              f"90th percentile {errors[math.ceil(0.9 * len(errors)) - 1]:.3f}, "
              f"within 10 % {sum(e <= math.log(1.1) for e in errors)}")  # fmt: skip
        print("  " + ", ".join(f"{name} {one:.2f}" if one else f"{name} -" for name, one in worst))


def compiled(flags: str) -> dict[str, str]:
    """The compiler's own assembly of each loop."""
    with tempfile.TemporaryDirectory() as folder:
        listing = Path(folder) / "loops.s"
        text = ""
        for source in SOURCES:
            subprocess.run(["gcc", *flags.split(), "-S", "-o", str(listing), str(source)], check=True)
            text += listing.read_text()
        functions = re.finditer(r"^(\w+):\n.*?^\t\.size\t\1,", text, re.MULTILINE | re.DOTALL)
        return {one[1]: f"\t.type\t{one[1]}, @function\n{one[0]}.-{one[1]}\n" for one in functions}


def quotient(nest: LoopNest, machine: Machine, flags: str, text: str, taken: tuple[str, ...]) -> float | None:
    """Cycles of generated code over those of the compiler's; None where one of the two cannot be read."""
    sizes = {name: SIZES[name] for name in (*nest.parameters, *nest.address_parameters)}
    if "m" in sizes and len(nest.loops) > 1:
        sizes["n"] = ROWS
    options = parse_flags(target_of(flags), "gcc-12")
    own = UserAssembly(text, "loops.s", function=nest.function, parameters=taken)
    try:
        made = in_core(nest, machine, options, sizes).cycles_per_iteration
        theirs = in_core(nest, machine, options, sizes, own).cycles_per_iteration
    except ForetellError as error:
        print(f"{nest.function}: {error}")
        return None
    return float(made) / float(theirs)


def target_of(flags: str) -> str:
    """Flags with the target that gcc has without one."""
    return flags if "-march" in flags else f"{flags} -march=x86-64"


if __name__ == "__main__":
    main()
