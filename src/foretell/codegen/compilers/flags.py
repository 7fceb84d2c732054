"""Parses compiler flags as gcc and clang do; vector widths of the CPUs that they name."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from foretell.errors import InputError
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

Compiler = Literal["gcc", "clang"]
#: compilers that can be imitated: gcc is 13 or newer and clang 20 or newer, gcc-12 and clang-19 those and older ones
COMPILERS = ("gcc", "gcc-12", "clang", "clang-19")
_OLDER = ("gcc-12", "clang-19")
DEFAULT_FLAGS = "-O3 -march=native"
_FAST, _UNCHECKED, _VECTORISE, _SCALAR = (
    {"fast_math": True, "checked": False}, {"checked": False}, {"vectorise": True}, {"vectorise": False}
)  # fmt: skip
#: options that a flag sets
_EFFECTS: dict[str, dict[str, Any]] = {
    "-mtune-ctrl=avoid_fma_chains": {"no_chains": True},
    **dict.fromkeys(("-ffast-math", "-fassociative-math", "-funsafe-math-optimizations"), _FAST),
    "-fno-fast-math": {"fast_math": False, "checked": True},
    **dict.fromkeys(("-fno-math-errno", "-fcx-limited-range", "-fcx-fortran-rules"), _UNCHECKED),
    **dict.fromkeys(("-ftree-vectorize", "-fvectorize"), _VECTORISE),
    **dict.fromkeys(("-fno-tree-vectorize", "-fno-vectorize"), _SCALAR),
    "-funroll-loops": {"unroll": True},
    "-fno-unroll-loops": {"unroll": False},
}
_WIDE = re.compile(r".*(avx512|lake|rapids|x86-64-v4|znver[4-9]|knl|knm)")
_NARROW = re.compile(r"(sky|alder|meteor|raptor|arrow|lunar|panther|kaby|coffee)lake(-s)?")
_WITHOUT_AVX = re.compile(
    r"x86-64(-v2)?|core2|penryn|nehalem|westmere|corei7|bonnell|atom|silvermont|slm|goldmont(-plus)?|tremont"
    r"|k8(-sse3)?|opteron(-sse3)?|athlon.*|amdfam10|barcelona|btver1|nocona"
)


@record
class CodeOptions:
    """Code generation options. `cpu` is '' for the CPU of the machine; `vector_bits` 0 for the compiler's own
    choice."""

    compiler: Compiler = "gcc"
    level: int = 3
    cpu: str = ""
    fast_math: bool = False
    contract: bool = True
    vectorise: bool = True
    unroll: bool = False
    vector_bits: int = 0
    #: indexed loads become gather instructions where available
    gathers: bool = True
    #: math functions set errno, and products of complex numbers are checked for NaN: C without -ffast-math
    checked: bool = True
    #: generic tuning, as of a gcc that does not know its host CPU
    untuned: bool = False
    #: arrays may alias: the compiler adds runtime checks, or does not vectorise
    overlapping: bool = False
    #: gcc 12 or older: cannot prove values non-negative, and fewer CPUs have a tuning of their own; clang 19 or older:
    #: the remainder of a vector loop is scalar
    older: bool = False
    #: a product is not fused with a loop-carried sum (gcc's tuning avoid_fma_chains)
    no_chains: bool = False
    #: alignment of arrays in bytes
    alignment: int = 64
    #: flags that were ignored: they do not change a loop's code, as far as we know
    ignored: tuple[str, ...] = ()

    @property
    def gcc(self) -> bool:
        """Whether gcc is imitated; else clang, for which LLVM's own decisions are used."""
        return self.compiler == "gcc"

    @property
    def called(self) -> str:
        """The compiler as one of `COMPILERS`."""
        return next(name for name in _OLDER if name.startswith(self.compiler)) if self.older else self.compiler


def parse_flags(flags: str = DEFAULT_FLAGS, compiler: str = "gcc") -> CodeOptions:
    """Parses command-line flags, the last of a kind wins; unknown ones are collected in `ignored`."""
    if compiler not in COMPILERS:
        raise InputError(f"compiler {compiler!r} is not one of {', '.join(COMPILERS)}")
    try:
        words = shlex.split(flags)
    except ValueError as error:
        raise InputError(f"--flags {flags!r}: {error}") from None
    options = CodeOptions(
        compiler=family_of(compiler), level=0, vectorise=False, unroll=False, older=compiler in _OLDER
    )
    for word in words:
        options = _with(options, word)
    return options


def complete_flags(flags: str) -> str:
    """Flags with the usual optimisation, where they only define macros and name folders."""
    return flags if re.search(r"(^|\s)-O", flags) else f"{DEFAULT_FLAGS} {flags}"


def family_of(compiler: str) -> Compiler:
    """The family of one of `COMPILERS`: its name without the version."""
    return "clang" if compiler.startswith("clang") else "gcc"


def _with(options: CodeOptions, word: str) -> CodeOptions:
    """Options after one more flag."""
    if match := re.fullmatch(r"-O(\d*|fast|s|z|g)", word):
        return _at_level(options, match[1])
    if match := re.fullmatch(r"-m(?:arch|cpu)=(\S+)", word):
        return replace(options, cpu="" if match[1] == "native" else match[1])
    if match := re.fullmatch(r"-mtune=(\S+)", word):
        return replace(options, untuned=match[1] == "generic")
    if match := re.fullmatch(r"-mprefer-vector-width=(none|128|256|512)", word):
        return replace(options, vector_bits=512 if match[1] == "none" else int(match[1]))
    if match := re.fullmatch(r"-ffp-contract=(off|on|fast)", word):
        return replace(options, contract=match[1] != "off")
    if word in _EFFECTS:
        return replace(options, **_EFFECTS[word])
    return replace(options, ignored=(*options.ignored, word))


def _at_level(options: CodeOptions, level: str) -> CodeOptions:
    """Options that -O turns on: gcc vectorises loops of unknown length from -O3 (its -O2 only where that costs no
    code), clang from -O2, and only clang unrolls by default."""
    number = {"fast": 3, "s": 2, "z": 2, "g": 1, "": 1}.get(level)
    number = min(3, int(level)) if number is None else number
    return replace(
        options,
        level=number,
        fast_math=options.fast_math or level == "fast",
        checked=options.checked and level != "fast",
        vectorise=number >= (3 if options.gcc else 2),
        unroll=not options.gcc and number >= 2,
    )


#: clang's switches for what gcc does: products are fused with sums of other statements (not into chains of sums, for
#: CPUs whose additions are faster: clang then fuses none), loops are neither unrolled nor interleaved, and, below -O3,
#: vectorised only where that costs no code
_FUSED, _UNFUSED = "-ffp-contract=fast", "-ffp-contract=off"
_GCC_HABITS = ("-fno-unroll-loops", "-mllvm", "-force-vector-interleave=1")
#: CPUs that gcc tunes with avoid_fma_chains, by version: their additions are faster than their fused multiply-adds
_ZEN = ("znver1", "znver2", "znver3", "znver4", "znver5")
WITHOUT_CHAINS = {12: _ZEN, 13: (*_ZEN, "alderlake", "sapphirerapids", "emeraldrapids", "graniterapids")}
_NO_CHAINS = "-mtune-ctrl=avoid_fma_chains"
_SCALAR_LOOPS = "-fno-vectorize"
_ONLY_GCC = ("-mtune-ctrl=", "-fno-ipa-", "-fipa-", "-ftree-")


def gcc_habits(words: Sequence[str]) -> tuple[str, ...]:
    """Flags of gcc for a clang that stands in for it; the user's own win."""
    levels = [word for word in words if re.fullmatch(r"-O\w*", word)]
    vectorises = levels[-1:] in (["-O3"], ["-Ofast"]) or not {"-ftree-vectorize", "-fopenmp-simd"}.isdisjoint(words)
    kept = (word for word in words if not word.startswith(_ONLY_GCC))
    cpus = {word.partition("=")[2] for word in words if word.startswith("-march=")}
    contract = _UNFUSED if _NO_CHAINS in words or not cpus.isdisjoint(WITHOUT_CHAINS[13]) else _FUSED
    return (contract, *_GCC_HABITS, *(() if vectorises else (_SCALAR_LOOPS,)), *kept)


def has_avx512(cpu: str) -> bool:
    """Whether an x86-64 CPU has AVX-512 (masks and scatter instructions)."""
    return _WIDE.fullmatch(cpu) is not None and _NARROW.fullmatch(cpu) is None


def widest_vectors(cpu: str) -> int:
    """Bits of the widest vectors of an x86-64 CPU; those of AVX for an unknown one."""
    return 128 if _WITHOUT_AVX.fullmatch(cpu) else 512 if has_avx512(cpu) else 256
