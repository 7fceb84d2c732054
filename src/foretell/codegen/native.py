"""What `-march=native` means to the compiler on this machine: it may not know the CPU, and then tunes for none."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.codegen.llvm import load_binding

if TYPE_CHECKING:
    from foretell.codegen.options import CodeOptions


def resolved(options: CodeOptions, cpu: str) -> CodeOptions:
    """The options with what the installed compiler takes for `native`, where `cpu` is the CPU of this machine: one that
    has no tuning for it takes the widest vectors and makes no gathers. As they are for any other machine."""
    if options.cpu or options.vector_bits or cpu != _host():
        return options
    bits = _native_bits(options.compiler)
    return replace(options, vector_bits=bits, gathers=False) if bits else options


@lru_cache(maxsize=1)
def _host() -> str:
    return str(load_binding().get_host_cpu_name())


@lru_cache(maxsize=4)
def _native_bits(compiler: str) -> int:
    """512 where a gcc has no tuning for this CPU but may use AVX-512; 0: nothing to say."""
    if compiler != "gcc":
        return 0
    try:
        said = subprocess.run(
            ["gcc", "-march=native", "-Q", "--help=target"],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return 0
    tune = re.search(r"-mtune=\s+(\S+)", said)
    wide = re.search(r"-mavx512f\s+\[enabled\]", said)
    return 512 if wide and tune and tune[1] == "generic" else 0
