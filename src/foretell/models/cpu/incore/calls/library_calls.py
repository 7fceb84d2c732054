"""Cycles of calls that leave the code that is followed: of the mathematical library, of memset and memcpy, of functions
that are not known; and how far they may be from that."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foretell.models.cpu.incore.instruction_costs import Costs

#: bytes that memset and memcpy move at once, and cycles of a call of them: 30 to 40 instructions until their loop
_MOVED, _STARTS = 32, 20.0
#: cycles of a call of an unknown function: about that of a power, the slowest usual one of the mathematical library
_UNKNOWN_CALL = 60.0
#: shares of its cycles that a library function may take less, or more: with other arguments its branches are foreseen
#: or not, and it overlaps with what is around it or not. Functions of the suite `styles` that call expf and tanhf
#: (tuning half) are within; a function that is not known may take from nothing to four times as long
_LIBRARY, _UNKNOWN_LIBRARY = (0.35, 1.0), (0.9, 3.0)
#: of a function whose time is that of another one: erfc takes 0.35 to 0.45 of pow (glibc 2.36 and 2.39)
_ANOTHER = 0.7, 2.0
#: functions that move as many bytes as their third argument says
MOVERS = frozenset({"memset", "memcpy", "memmove", "__memset_chk", "__memcpy_chk", "__memmove_chk"})
#: jumps that a call mispredicts when its arguments are random and come only once: the time of glibc 2.36 on an Emerald
#: Rapids with 65,536 arguments (±100; ±1 of asin and acos) less what the probe finds, which calls with few, over that
#: of a mispredicted jump. exp, log, pow, atan, cbrt and exp2 take as long as with few. fmod goes on by bits of the
#: quotient: 3 with one of up to 16, 12 with one of up to 160,000
_MISPREDICTED = {
    "sin": 2.2, "cos": 2.2, "sincos": 2.2, "tan": 2.9, "asin": 1.8, "acos": 1.8, "sinh": 1.2, "tanh": 1.3, "expm1": 1.5,
    "log1p": 0.6, "erf": 0.9, "erfc": 0.9, "lgamma": 1.3, "fmod": 12.0, "remainder": 12.0, "sinf": 1.0, "cosf": 1.2,
    "sincosf": 1.2, "tanf": 1.0, "atanf": 0.8, "tanhf": 0.6, "erff": 0.5,
}  # fmt: skip


def mispredicted(name: str, count: float) -> float:
    """Jumps inside of a library function that its calls mispredict with random arguments."""
    return _MISPREDICTED.get(name.lstrip("_").partition("@")[0], 0.0) * count


def cycles_outside(costs: Costs, name: str, count: float, argument: float) -> float:
    """Cycles in functions outside of the code whose time is not in the table of instructions."""
    if name in MOVERS:
        store = costs.store(_MOVED)
        return argument / _MOVED * store.gap + _STARTS * count
    if costs.knows_call(name):
        return 0.0
    costs.assumed[f"{name} is not followed: a call is taken as {_UNKNOWN_CALL:g} cycles"] = None
    return _UNKNOWN_CALL * count


def library_doubt(costs: Costs, name: str, count: float) -> tuple[float, float]:
    """Cycles that calls of a library function may take less, or more."""
    if name in MOVERS:
        return 0.0, _STARTS * count
    known = costs.knows_call(name)
    cycles = count * (costs.call(name).gap if known else _UNKNOWN_CALL)
    less, more = _UNKNOWN_LIBRARY if not known else _ANOTHER if costs.stands_in(name) else _LIBRARY
    return less * cycles, more * cycles
