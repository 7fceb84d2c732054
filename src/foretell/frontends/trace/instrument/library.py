"""Effects of library functions: math, copies, allocation."""

from __future__ import annotations

import re

from foretell.core.mathematics import COMPUTED, PASSED_ON

#: instruction -> kind of operation
ARITHMETIC = {"fadd": "add", "fsub": "add", "fmul": "multiply", "fdiv": "divide", "frem": "function"}
#: functions and intrinsics whose result depends on the arguments
_FUNCTION = COMPUTED | {"cabs", "powi", "ldexp"}
_COMPARE = ("fmin", "fmax", "fdim")

#: LLVM intrinsics with other names for the same functions
_INTRINSIC_COMPARE = ("minnum", "maxnum", "minimum", "maximum", "minimumnum", "maximumnum")
#: intrinsics without effect on values or memory of the program
_SILENT_WORDS = """
    dbg lifetime assume experimental.noalias donothing sideeffect stacksave stackrestore prefetch annotation
    invariant expect trap ubsantrap va_start va_end va_copy eh. objectsize is.constant threadlocal.address
    type.test launder strip ptrmask frameaddress returnaddress
"""
_SILENT = tuple(_SILENT_WORDS.split())

#: functions that return twice (setjmp)
RETURNS_TWICE = frozenset({"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"})
#: functions that start a thread
THREADS = frozenset({"pthread_create", "thrd_create"})
#: array assignments by Fortran's runtime: the first arguments are the target's and the source's descriptors
ASSIGN = frozenset({"_FortranAAssign", "_FortranAAssignTemporary", "_FortranACopyInAssign"})
COPY = frozenset({"memcpy", "memmove"})
FILL = frozenset({"memset"})
#: allocation -> index of the size argument (and of a factor)
ALLOCATION = {
    "malloc": (0,),
    "calloc": (0, 1),
    "aligned_alloc": (1,),
    "memalign": (1,),
    "_Znwm": (0,),
    "_Znam": (0,),
    "_ZnwmSt11align_val_t": (0,),
    "_ZnamSt11align_val_t": (0,),
    "_FortranAAllocatableAllocate": (),
}
#: functions that access no relevant memory and return no computed value
_QUIET_WORDS = """
    free exit abort printf puts putchar fprintf fputs fputc fwrite fflush putc atoi atof atol strtol strtod
    strtoul strtoll strlen strcmp strncmp time clock gettimeofday clock_gettime getenv rand srand drand48
    srand48 random srandom __assert_fail _ZdlPv _ZdlPvm _ZdaPv _ZdaPvm fopen fclose omp_get_wtime
    __stack_chk_fail __cxa_begin_catch __cxa_end_catch __cxa_allocate_exception __cxa_throw __cxa_rethrow
    __cxa_free_exception longjmp siglongjmp _ZSt9terminatev
"""
QUIET = frozenset(_QUIET_WORDS.split())


def arithmetic(name: str) -> str | None:
    """The operation kind of a math library function or an intrinsic; 'move': none."""
    if name.startswith("llvm."):
        base = name.split(".")[1]
        if base in _INTRINSIC_COMPARE:
            return "compare"
        if base in ("fma", "fmuladd"):
            return "fma"
    else:
        base = name
        if base in ("fma", "fmaf", "fmal"):
            return "fma"
    for candidate in (base, base[:-1] if base.endswith(("f", "l")) else base):
        if candidate == "sqrt":
            return "sqrt"
        if candidate in _COMPARE:
            return "compare"
        if candidate in _FUNCTION:
            return "function"
        if candidate in PASSED_ON:
            return "move"
    return None


def is_silent(name: str) -> bool:
    """Whether an intrinsic concerns only the compiler."""
    return any(name.startswith(f"llvm.{one}") for one in _SILENT)


def base_name(name: str) -> str:
    """The library function of an intrinsic or a checked version: llvm.memcpy.p0.p0.i64, __memcpy_chk."""
    match = re.match(r"llvm\.(memcpy|memmove|memset)\.", name) or re.match(r"__(memcpy|memmove|memset)_chk$", name)
    return match.group(1) if match else name


def is_integer_intrinsic(name: str) -> bool:
    """Whether an intrinsic operates on integers; its result has the level of its arguments."""
    return bool(
        re.match(
            r"llvm\.(s|u)(max|min|add|sub|mul|shl)\b|llvm\.(abs|ctpop|ctlz|cttz|bswap|fsh[lr]|bitreverse"
            r"|scmp|ucmp|(s|u)(add|sub|mul)\.with)",
            name,
        )
    )
