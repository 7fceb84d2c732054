"""Instruction counts of followed calls against those that callgrind counted, of functions of the suite `styles`.

    python validation/cpu/suite-styles/compare_instructions.py COUNTS.toml MACHINE [WORD...]

COUNTS.toml is that of count_instructions.py; the same compiler and flags must be here. Each function is compiled and
followed as predictions do. What callgrind takes as a function's own is not exact on AArch64 where it calls libraries,
and pointers are taken as not null.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from count_instructions import UNALIGNED
from evaluate import literals

from foretell import frontends, machines
from foretell.codegen.assembly.listing import read_listing
from foretell.core.nest.loopnest import Loops
from foretell.errors import ForetellError
from foretell.frontends.native.arguments import parse_arguments
from foretell.frontends.native.functions import find_function
from foretell.models.cpu.incore.calls.call_arguments import call_arguments
from foretell.models.cpu.incore.calls.whole_call import follow_call
from foretell.models.cpu.incore.instruction_costs import Costs
from foretell.models.cpu.machine_code.model import call_arguments_of
from foretell.uses.measure.style_suite import styles

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine
    from foretell.models.cpu.incore.calls.call_arguments import CallArguments
    from foretell.uses.measure.style_suite import Style


#: reasons for which a prediction still takes the followed code; others are predicted from generated code, with a note
_MATCHED = ("", "jumps depend on data", "calls libraries")


def followed(style: Style, machine: Machine, flags: str) -> tuple[float, str]:
    """Instructions of a call, and why they are not exact."""
    compiler = "g++" if style.language == "c++" else "gcc"
    command = [compiler, *flags.split(), *UNALIGNED, *style.defines, "-w", "-S", "-o", "-", str(style.file)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    functions = read_listing(text, machine.traits["target.isa"])
    sizes = {name: int(value) for name, value in {**style.macros, **style.parameters}.items()}
    root, given = arguments(style, text, sizes)
    if given is None:
        return 0.0, "a parameter is neither a number nor a pointer"
    call = follow_call(functions, root, machine, Costs(machine), given.values, given.words, sizes)
    opened = "jumps depend on data" if call.result.open_jumps else ""
    return sum(call.counts), call.result.failure or ("a loop ends by data" if call.guessed else opened)


def arguments(style: Style, text: str, sizes: dict[str, int]) -> tuple[str, CallArguments | None]:
    """The symbol of the function, and the arguments of the call."""
    if style.language == "c++":
        given = parse_arguments(style.arguments)
        return find_function(text, style.function, style.file)[0], call_arguments_of(given, sizes)
    loops = frontends.read(style.file).facet(Loops)
    info = next(info for info in loops.functions if info.name == style.function)
    given = {name: int(value) for name, value in literals(style.name, style.function, loops).items()}
    return style.function, call_arguments(info.arguments, {**sizes, **given})


def main() -> None:
    """Prints each function, and the errors of those whose jumps do not depend on data, and of all."""
    document = tomllib.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    machine, words = machines.load(sys.argv[2]), sys.argv[3:]
    exact: list[float] = []
    matched: list[float] = []
    everything: list[float] = []
    for style in styles():
        if style.where != "L1" or style.language == "fortran" or style.name not in document["function"]:
            continue
        if words and not any(word in style.name for word in words):
            continue
        if style.language == "c++" and not style.arguments:
            continue
        own, total = (document["function"][style.name][key] for key in ("own", "total"))
        try:
            count, why = followed(style, machine, document["flags"])
        except (ForetellError, StopIteration, KeyError) as error:
            count, why = 0.0, f"not read: {error}"
        why = why or ("calls libraries" if own != total else "")
        error = count / own - 1
        print(f"{style.name:28} {own:>10} {count:>12.1f} {100 * error:+8.2f} %  {why}", flush=True)
        everything.append(abs(error))
        exact += [abs(error)] if not why else []
        matched += [abs(error)] if why in _MATCHED else []
    sets = (("without jumps on data and libraries", exact), ("followed to the end", matched), ("all", everything))
    for name, errors in sets:
        tenth = quantiles(errors, n=10)[-1] if len(errors) > 1 else 0.0
        print(f"{name}: {len(errors)} functions, exact {sum(e == 0 for e in errors)}, median {median(errors):.2%}, "
              f"90th percentile {tenth:.2%}")  # fmt: skip


if __name__ == "__main__":
    main()
