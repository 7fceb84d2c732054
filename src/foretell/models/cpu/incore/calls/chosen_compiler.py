"""The compiler whose code is followed, and its flags: those that the user names, or those that are found here."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from foretell.codegen.compiled.database import usual_flags
from foretell.codegen.compiled.flags import split_flags
from foretell.codegen.compiled.installed import NONE, Compiler, cpu_flag, named_compiler, usual_compiler
from foretell.codegen.compilers.flags import DEFAULT_FLAGS, family_of, gcc_habits
from foretell.codegen.compilers.host import host_cpu
from foretell.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.machine.machine import Machine
    from foretell.models.base import Settings

#: set to `none`: no compiler is looked for unless one is named
_ENVIRONMENT = "FORETELL_CC"


def flags_for(file: Path, compiler: Compiler, machine: Machine, settings: Settings) -> tuple[str, ...]:
    """The user's flags: of the command line, of the environment, or of the compilation database beside the file."""
    given = settings["flags"]
    if given == DEFAULT_FLAGS:
        given = usual_flags(file) or given
    cpu = machine.traits.get("target.cpu", "")
    own = cpu == host_cpu() or (cpu == "" and compiler.gcc)
    chosen, natives = cpu_flag(compiler.isa, cpu), ("-march=native", "-mcpu=native")
    words = tuple(chosen if word in natives and not own else word for word in split_flags(given))
    return gcc_habits(words) if compiler.substitute and family_of(settings["compiler"]) == "gcc" else words


def chosen_compiler(name: str, machine: Machine, cxx: bool = False) -> Compiler | None:
    """The compiler of the option `cc`, or else one that is installed here and compiles for the machine."""
    isa, cpu = machine.traits.get("target.isa", ""), machine.traits.get("target.cpu", "")
    if name == NONE or (not name and os.environ.get(_ENVIRONMENT) == NONE):
        return None
    if not name:
        return usual_compiler(isa, "" if cpu == host_cpu() else cpu, cxx)
    named = named_compiler(name, isa)
    if isa and named.isa != isa:
        raise InputError(f"--cc {name} compiles for {named.isa}, the machine is {isa}")
    return named
