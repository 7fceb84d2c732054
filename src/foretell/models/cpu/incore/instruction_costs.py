"""Looks up the cost of an instruction by its class in the machine's `pipeline` table.

A class is an operation on a type and a number of lanes: `fma_f64x4`, `add_i64`, `load_f64x8`. A machine need not list
all: cost depends on the register width, not on the element type, so `add_f32x8` is looked up as `add_f64x4`; an unknown
wider register is as fast as the next narrower one; and an unlisted kind uses the numbers of a related one, which is
reported as an assumption.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from foretell.codegen.assembly.instruction import Register
from foretell.codegen.assembly.instruction_set import FOLLOWED, X86_64
from foretell.core.mathematics import COMPUTED
from foretell.errors import MachineError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from foretell.codegen.assembly.instruction import Instruction
    from foretell.codegen.assembly.instruction_set import InstructionSet
    from foretell.core.machine.machine import Machine

#: kinds that take an issue slot and no port: the renamer eliminates them, or they are no-ops
FREE = frozenset({"none", "zero"})
#: kinds that use no arithmetic unit
NO_UNIT = FREE | {"move", "load", "store", "jump", "call", "return"}
#: kinds whose time is proportional to the number of lanes
SERIAL = frozenset({"divide", "sqrt", "gather", "scatter"})
#: kind -> the substitute where the machine does not list it, and whether to report that
RELATIVES: dict[str, str] = {
    "accumulate": "fma",
    "fma": "multiply",
    "multiply": "add",
    "sqrt": "divide",
    "reciprocal": "multiply",
    "round": "multiply",
    "minmax": "add",
    "compare": "add",
    "compare_flags": "add",
    "compare_lanes": "compare",
    "horizontal": "add",
    "convert": "multiply",
    "convert_loaded": "convert",
    "convert_same": "multiply",
    "convert_from_general": "convert",
    "convert_to_general": "convert",
    "permute": "shuffle",
    "permute_two": "permute",
    "extend": "permute",
    "extract": "from_vector",
    "insert": "to_vector",
    "shuffle_two": "shuffle",
    "to_vector": "permute",
    "from_vector": "permute",
    "blend": "logic",
    "blend_by": "blend",
    "shuffle": "logic",
    "logic": "add",
    "shift": "logic",
    "shift_by": "shift",
    "minmax_int": "logic",
    "multiply_wide": "multiply",
    "mask": "shift",
    "shift_mask": "mask",
    "to_mask": "to_vector",
    "from_mask": "from_vector",
    "move_mask": "mask",
    "lea": "add",
    "lea_scaled": "lea",
    "select": "add",
    "select_two": "select",
    "add_shifted": "add",
}
#: functions that only compare: call through a table, return, and three conditions inside. On a Golden Cove core fmin,
#: fmax and round take 6 to 8 cycles, and six jumps 6.4
_SHORT, _JUMPS = frozenset({"fmin", "fmax", "round"}), 6
#: functions of one argument that give two results. Reducing it is common to both (glibc: a call on a Golden Cove core
#: takes 19 cycles, sine and cosine 12 each): at most one after the other
_BOTH = frozenset({"sincos", "sincosf"})
#: instructions of libgcc's functions that count bits without an instruction for it, with the call and its argument
_BIT_COUNTS = {"popcountdi2": 24, "popcountsi2": 23, "paritydi2": 16, "paritysi2": 14}
_ISSUE_WIDTH = 4.0
#: functions of the mathematical library that take about as long as a power or an exponential
_LIKE_POWERS = COMPUTED | {"powidf2", "powisf2"}
#: functions on vectors, by their names in the vector ABI of x86-64 (libmvec)
_OF_VECTORS = re.compile(r"ZGV[bcde][NM](\d+)v+_(\w+)")
#: substitutes that share the unit on every machine we know of: not reported
_SILENT = frozenset(
    {
        ("accumulate", "fma"),
        ("convert_loaded", "convert"),
        ("minmax_int", "logic"),
        ("compare_flags", "add"),
        ("move_mask", "mask"),
        ("shuffle_two", "shuffle"),
        ("extend", "permute"),
        ("extract", "from_vector"),
        ("insert", "to_vector"),
        ("select_two", "select"),
        ("lea_scaled", "lea"),
        ("shift_by", "shift"),
        ("compare_lanes", "compare"),
        ("shift_mask", "mask"),
        ("convert_same", "multiply"),
    }
)
#: kinds that process lane by lane -> the operation per lane
_BY_LANES = {"gather": "load", "scatter": "store"}
#: integer vector and bitwise kinds, which do not depend on the element type
_BITWISE_WORDS = (
    "to_vector from_vector insert extract logic shift shift_by blend blend_by minmax_int multiply_wide mask shift_mask "
    "lea lea_scaled select select_two add_shifted"
)
_BITWISE = frozenset(_BITWISE_WORDS.split())

#: bytes of the narrowest vector
_NARROWEST = 16
#: data movement, which does not depend on the element type
_MOVES = frozenset({"shuffle", "shuffle_two", "permute", "permute_two", "extend", "gather", "scatter"})


@dataclass(frozen=True, slots=True)
class Cost:
    """`latency` cycles to the result (`far_latency` if forwarded to another port), reciprocal throughput `gap` on one
    of `ports`; each of the `further` micro-operations takes a cycle of one of its ports; `uops` issue slots."""

    latency: float
    gap: float
    ports: frozenset[str]
    further: tuple[frozenset[str], ...] = ()
    uops: int = 1
    far_latency: float = 0.0

    def work(self) -> list[tuple[frozenset[str], float]]:
        """Cycles on each set of ports."""
        return [(self.ports, self.gap * len(self.ports)), *((ports, 1.0) for ports in self.further)]


class Costs:
    """The costs of a machine's instructions; `assumed` collects the substitutions."""

    def __init__(
        self, machine: Machine, closed: frozenset[str] = frozenset(), assumed: dict[str, None] | None = None
    ) -> None:
        """`closed` are units that do no vector work; substitutions are added to `assumed`."""
        self._machine, self._closed = machine, closed
        self._found: dict[tuple[str, str, int], Cost] = {}
        self.assumed: dict[str, None] = {} if assumed is None else assumed

    @property
    def instruction_set(self) -> InstructionSet:
        """The instruction set of the machine; x86-64 where its code is not followed."""
        return FOLLOWED.get(self._machine.traits.get("target.isa", ""), X86_64)

    def of(self, kind: str, element: str, width: int) -> Cost:
        """The cost of a kind of operation on elements in a register of `width` bytes (0: scalar)."""
        key = (kind, element, width)
        if key not in self._found:
            self._found[key] = self._look(kind, element, width)
        return self._found[key]

    def instruction(self, one: Instruction) -> Cost:
        """The cost of an instruction's operation, without its load or store."""
        if not one.known:
            self.assumed[f"{one.mnemonic} is not known: taken as one addition"] = None
        cost = self.of(one.kind, one.element, one.bytes)
        if self._closed and any(isinstance(o, Register) and o.file == "vector" for o in one.operands):
            return self._narrowed(cost)
        return cost

    def _narrowed(self, cost: Cost) -> Cost:
        """The same with fewer units: the remaining ones take all the work."""
        left = cost.ports - self._closed or cost.ports
        further = tuple(ports - self._closed or ports for ports in cost.further)
        return replace(cost, ports=left, gap=cost.gap * len(cost.ports) / len(left), further=further)

    def knows_call(self, name: str) -> bool:
        """Whether the machine lists the cost of a call, or of a similar one."""
        try:
            self.call(name)
        except MachineError:
            return False
        return True

    def stands_in(self, name: str) -> bool:
        """Whether the cost of a call is that of a slower function, as the machine does not list its own."""
        kind = _function_class(name.lstrip("_").partition("@")[0])
        return all(f"pipeline.{one}.gap" not in self._machine for one in (kind, kind.replace("_f32", "_f64")))

    def call(self, name: str) -> Cost:
        """A call of a library function: `exp` is `exp_f64`, `expf` is `exp_f32`."""
        plain = name.lstrip("_").partition("@")[0]
        if vectors := _OF_VECTORS.fullmatch(plain):
            plain = vectors[2]
            if self.lists(wide := f"{_function_class(plain)}x{vectors[1]}"):
                return self._entry(wide)
            self.assumed[f"a call of {name} is taken as one of {plain}"] = None  # all lanes by the same polynomial
        kind = _function_class(plain)
        if f"pipeline.{kind}.gap" in self._machine:
            return self._entry(kind)
        if plain.removesuffix("f") in _SHORT and "pipeline.jump.gap" in self._machine:
            jumps = _JUMPS * self._machine.value("pipeline.jump.gap")
            self.assumed[f"a call of {plain} is taken as {_JUMPS} jumps"] = None
            return Cost(jumps, jumps, frozenset({"call"}), far_latency=jumps)
        if plain in _BOTH and f"pipeline.{kind.replace('sincos', 'sin')}.gap" in self._machine:
            self.assumed[f"a call of {plain} is taken as one of sine and one of cosine"] = None
            sine, cosine = self.call(plain.replace("cos", "")), self.call(plain.replace("sin", ""))
            latencies = sine.latency + cosine.latency, sine.far_latency + cosine.far_latency
            return replace(sine, gap=sine.gap + cosine.gap, latency=latencies[0], far_latency=latencies[1])
        if plain in _BIT_COUNTS:
            return self._straight(_BIT_COUNTS[plain])
        alike = {plain, plain.removesuffix("f")} & _LIKE_POWERS or plain.startswith("gfortran_pow")
        for relative in (kind.replace("_f32", "_f64"), "pow_f64", "exp_f64"):
            if alike and f"pipeline.{relative}.gap" in self._machine:
                self.assumed[f"a call of {plain} is taken as {relative}"] = None
                return self._entry(relative)
        raise MachineError(
            f"machine {self._machine.name!r} does not say what a call of {plain} costs",
            hint=f"give it: --set pipeline.{kind}.gap=20",
        )

    def _straight(self, instructions: int) -> Cost:
        """A call of a function of so many instructions without a loop: all slots of the issue stage."""
        path = "cores.issue_width"
        cycles = instructions / (self._machine.value(path) if path in self._machine else _ISSUE_WIDTH)
        return Cost(cycles, cycles, frozenset({"call"}), far_latency=cycles)

    def load(self, width: int, across: bool = False, general: bool = False) -> Cost:
        """The cost of a register load; `across` two cache lines; to a `general` register, if the machine lists that."""
        if general and not across and self.lists("load_i64"):
            return self.of("load", "i64", 0)
        return self.of("load_across" if across else "load", "f64", width if width > 8 else 0)

    def load_across(self, width: int) -> Cost:
        """The cost of a register load that crosses a line; without data, that of one that does not."""
        return self._listed("load_across", "f64", width if width > 8 else 0) or self.load(width)

    def store(self, width: int, indexed: bool = False) -> Cost:
        """The cost of a register store. Its address may be a further micro-operation; on some cores fewer units accept
        an indexed address (`indexed`)."""
        whole = width if width > 8 else 0
        found = self._listed("store_indexed", "f64", whole) if indexed else None
        return found or self.of("store", "f64", whole)

    @property
    def indexed(self) -> int:
        """Further issue slots of an operation with an indexed load operand: that of the un-laminated load, and the
        slots that its issue group loses."""
        path = "pipeline.indexed.uops"
        return int(self._machine.value(path)) - 1 if path in self._machine else 1

    @property
    def interleaved(self) -> int:
        """Issue slots for each 16 bytes of a load or store that takes structures apart (AArch64's ld2 to st4); 0: not
        known, as any other."""
        path = "pipeline.interleaved.uops"
        return int(self._machine.value(path)) if path in self._machine else 0

    @property
    def renames_additions(self) -> bool:
        """Whether the renamer adds constants to general registers."""
        return self._machine.traits.get("cores.immediate_adds") == "renamed"

    def lists(self, name: str) -> bool:
        """Whether the machine's own table has a class."""
        return f"pipeline.{name}.gap" in self._machine

    # ---- looking up

    def _look(self, kind: str, element: str, width: int) -> Cost:
        if kind in _BY_LANES and self._listed(kind, element, width) is None:
            return self._lane_by_lane(kind, element, width)
        asked, tried = kind, kind
        while True:
            if found := self._listed(tried, element, width):
                if tried != asked:
                    self._say(asked, tried, element, width)
                return found
            if tried not in RELATIVES:
                name = _name(asked, element, width)[0]
                if tried in SERIAL and element.startswith("i") and (found := self._listed(tried, "f64", width)):
                    self.assumed[f"{name} is not in the machine's table: taken as {tried} of f64"] = None
                    return found
                raise MachineError(
                    f"machine {self._machine.name!r} has no cost of {asked} ({element}, {width or 8} bytes)",
                    hint=f"foretell machines probe measures it; or --set pipeline.{name}.gap=1",
                )
            tried = RELATIVES[tried]

    def _lane_by_lane(self, kind: str, element: str, width: int) -> Cost:
        """The cost of an unlisted gather: one load per lane."""
        lanes = max(1, 8 * width // int(element[1:]))
        one = self.of(_BY_LANES[kind], "f64", 0)
        self.assumed[f"{kind} is not in the machine's table: taken as {lanes} times {_BY_LANES[kind]}"] = None
        return Cost(one.latency + lanes, one.gap * lanes, one.ports, (), 2 * lanes, one.latency + lanes)

    def _say(self, asked: str, used: str, element: str, width: int) -> None:
        if (asked, used) not in _SILENT:
            name = _name(asked, element, width)[0]
            self.assumed[f"{name} is not in the machine's table: taken as {used}"] = None

    def _listed(self, kind: str, element: str, width: int) -> Cost | None:
        """The entry of the kind at this width, or at the nearest narrower one."""
        for wide in _widths(kind, element, width):
            for name in _name(kind, element, wide):
                if f"pipeline.{name}.gap" in self._machine or f"pipeline.{name}.latency" in self._machine:
                    factor = max(1, width // wide) if wide and kind in SERIAL else 1
                    return self._entry(name, self._ports(kind, element, wide), factor)
        return None

    def _ports(self, kind: str, element: str, width: int) -> str:
        """The ports of a class; if only its throughput is known, those of the nearest narrower class that has some."""
        for wide in _widths(kind, element, width):
            for name in _name(kind, element, wide):
                if found := self._machine.traits.get(f"pipeline.{name}.ports"):
                    return found
        return ""

    def _usual_latency(self, name: str, gap: float) -> float:
        """The latency of a class of which only the throughput is listed: of loads, that of the innermost cache."""
        innermost = "level.L1.latency"
        loads = name.startswith("load_") and innermost in self._machine
        return self._machine.cycles(innermost) if loads else gap

    def _entry(self, name: str, ports: str = "", factor: int = 1) -> Cost:
        machine, path = self._machine, f"pipeline.{name}"
        gap = machine.value(f"{path}.gap") if f"{path}.gap" in machine else 1.0
        latency = machine.value(f"{path}.latency") if f"{path}.latency" in machine else self._usual_latency(name, gap)
        uops = int(machine.value(f"{path}.uops")) if f"{path}.uops" in machine else 1
        far = machine.value(f"{path}.far_latency") if f"{path}.far_latency" in machine else latency
        first, *further = (frozenset(group.split()) for group in ports.split("+"))
        first = first or frozenset(_assumed_ports(name, gap))
        return Cost(latency, gap * factor, first, tuple(further), max(uops, 1 + len(further)), far)


def _function_class(name: str) -> str:
    """The class of a library function: `exp` is `exp_f64`, `expf` is `exp_f32`."""
    single = name.endswith("f") and name not in ("erf",)
    return f"{name.removesuffix('f') if single else name}_{'f32' if single else 'f64'}"


def _widths(kind: str, element: str, width: int) -> Iterator[int]:
    """Widths at which a class is looked up: its own, narrower ones, that of one element. Vectors of integers have units
    of their own: those of 16 bytes are like those of 32 rather than like one integer."""
    wide = width
    while wide >= _NARROWEST:
        yield wide
        wide //= 2
    integers = kind in _BITWISE or (element[0] == "i" and kind not in _MOVES)
    if width and integers:
        yield 2 * _NARROWEST
    yield 0


def _name(kind: str, element: str, width: int) -> tuple[str, ...]:
    """Names of a class, the nearest first."""
    family = "i" if kind in _BITWISE else "f" if kind in _MOVES else element[0]
    bits = int(element[1:]) if element[1:].isdigit() else 64
    if not width:
        return tuple(dict.fromkeys((f"{kind}_{element}", f"{kind}_{family}64")))
    return tuple(dict.fromkeys((f"{kind}_{element}x{8 * width // bits}", f"{kind}_{family}64x{width // 8}")))


def _assumed_ports(name: str, gap: float) -> list[str]:
    """Ports of a machine with known throughputs only: all arithmetic of a family shares as many as it can use."""
    kind, _, element = name.rpartition("_")
    if kind in SERIAL:
        return [kind]
    memory = kind.split("_")[0] if kind.startswith(("load", "store")) else ""
    family = memory or ("integer" if element == "i64" else "vector")
    return [f"{family}{number}" for number in range(max(1, round(1 / gap)))]
