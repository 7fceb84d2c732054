"""What an instruction costs on a machine: looked up by its class in the machine's `pipeline` table.

A class is an operation on a type and a number of lanes: `fma_f64x4`, `add_i64`, `load_f64x8`. A machine need not list
all: the whole register goes through the unit whatever numbers it holds, so `add_f32x8` is looked up as `add_f64x4`; a
wider register of which nothing is known is as fast as the next narrower one; and a kind that is not listed takes the
numbers of a relative, which is an assumption and is said.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from foretell.codegen.assembly.instruction import Register
from foretell.core.mathematics import COMPUTED
from foretell.errors import MachineError

if TYPE_CHECKING:
    from foretell.codegen.assembly.instruction import Instruction
    from foretell.core.machine.machine import Machine

#: what takes an issue slot and no unit: the renamer does it, or nothing is done
FREE = frozenset({"none", "zero"})
#: what no arithmetic unit does
NO_UNIT = FREE | {"move", "load", "store", "jump", "call", "return"}
#: kinds whose time grows with the number of lanes: a wider one takes as many times longer
SERIAL = frozenset({"divide", "sqrt", "gather", "scatter"})
#: kind -> the kind whose numbers are taken where the machine does not list it, and whether that is worth saying
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
    "horizontal": "add",
    "convert": "multiply",
    "convert_loaded": "convert",
    "convert_from_general": "convert",
    "convert_to_general": "convert",
    "permute": "shuffle",
    "shuffle_two": "shuffle",
    "to_vector": "permute",
    "from_vector": "permute",
    "blend": "logic",
    "shuffle": "logic",
    "logic": "add",
    "shift": "logic",
    "minmax_int": "logic",
    "multiply_wide": "multiply",
    "mask": "shift",
    "to_mask": "to_vector",
    "from_mask": "from_vector",
    "move_mask": "mask",
    "lea": "add",
    "select": "add",
}
#: functions that do no more than compare: there, through a table, and back, and three conditions inside. On a Golden
#: Cove core fmin, fmax and round take 6 to 8 cycles, and six jumps 6.4
_SHORT, _JUMPS = frozenset({"fmin", "fmax", "round"}), 6
#: functions of the mathematical library that take about as long as a power or an exponential
_LIKE_POWERS = COMPUTED | {"powidf2", "powisf2"}
#: relatives that are the same unit on every machine we know of: nothing is said
_SILENT = frozenset(
    {
        ("accumulate", "fma"),
        ("convert_loaded", "convert"),
        ("minmax_int", "logic"),
        ("compare_flags", "add"),
        ("move_mask", "mask"),
        ("shuffle_two", "shuffle"),
    }
)
#: what takes each lane by itself -> what it does for each
_BY_LANES = {"gather": "load", "scatter": "store"}
#: integer vector work and bitwise work are looked up as such whatever the numbers are
_BITWISE_WORDS = "to_vector from_vector logic shift blend minmax_int multiply_wide mask lea select"
_BITWISE = frozenset(_BITWISE_WORDS.split())

#: what moves numbers around does not look at them
_MOVES = frozenset({"shuffle", "shuffle_two", "permute", "gather", "scatter"})


@dataclass(frozen=True, slots=True)
class Cost:
    """`latency` cycles to the result (`far_latency` where another port takes it up), `gap` cycles between two of the
    kind on one of `ports`; `further` micro-operations each take a cycle of one of their ports; `uops` issue slots."""

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
    """The costs of a machine's instructions; `assumed` collects what had to be taken from relatives."""

    def __init__(self, machine: Machine, closed: frozenset[str] = frozenset()) -> None:
        """`closed` are units that do no vector work."""
        self._machine, self._closed = machine, closed
        self._found: dict[tuple[str, str, int], Cost] = {}
        self.assumed: dict[str, None] = {}

    def of(self, kind: str, element: str, width: int) -> Cost:
        """The cost of a kind of operation on elements in a register of `width` bytes (0: scalar)."""
        key = (kind, element, width)
        if key not in self._found:
            self._found[key] = self._look(kind, element, width)
        return self._found[key]

    def instruction(self, one: Instruction) -> Cost:
        """The operation of an instruction, without its load or store."""
        if not one.known:
            self.assumed[f"{one.mnemonic} is not known: taken as one addition"] = None
        cost = self.of(one.kind, one.element, one.bytes)
        if self._closed and any(isinstance(o, Register) and o.file == "vector" for o in one.operands):
            return self._narrowed(cost)
        return cost

    def _narrowed(self, cost: Cost) -> Cost:
        """The same with fewer units: as much work on those that are left."""
        left = cost.ports - self._closed or cost.ports
        further = tuple(ports - self._closed or ports for ports in cost.further)
        return replace(cost, ports=left, gap=cost.gap * len(cost.ports) / len(left), further=further)

    def knows_call(self, name: str) -> bool:
        """Whether the machine says what a call costs, or what one like it does."""
        try:
            self.call(name)
        except MachineError:
            return False
        return True

    def call(self, name: str) -> Cost:
        """A call of a library function: `exp` is `exp_f64`, `expf` is `exp_f32`."""
        plain = name.lstrip("_").partition("@")[0]
        single = plain.endswith("f") and plain not in ("erf",)
        kind = f"{plain.removesuffix('f') if single else plain}_{'f32' if single else 'f64'}"
        if f"pipeline.{kind}.gap" in self._machine:
            return self._entry(kind)
        if plain.removesuffix("f") in _SHORT and "pipeline.jump.gap" in self._machine:
            jumps = _JUMPS * self._machine.value("pipeline.jump.gap")
            self.assumed[f"a call of {plain} is taken as {_JUMPS} jumps"] = None
            return Cost(jumps, jumps, frozenset({"call"}), far_latency=jumps)
        alike = {plain, plain.removesuffix("f")} & _LIKE_POWERS or plain.startswith("gfortran_pow")
        for relative in (kind.replace("_f32", "_f64"), "pow_f64", "exp_f64"):
            if alike and f"pipeline.{relative}.gap" in self._machine:
                self.assumed[f"a call of {plain} is taken as {relative}"] = None
                return self._entry(relative)
        raise MachineError(
            f"machine {self._machine.name!r} does not say what a call of {plain} costs",
            hint=f"give it: --set pipeline.{kind}.gap=20",
        )

    def load(self, width: int, across: bool = False) -> Cost:
        """A load of a register; `across` two cache lines."""
        return self.of("load_across" if across else "load", "f64", width if width > 8 else 0)

    def load_across(self, width: int) -> Cost:
        """A load of a register that crosses a line; as one that does not where the machine says nothing."""
        return self._listed("load_across", "f64", width if width > 8 else 0) or self.load(width)

    def store(self, width: int, indexed: bool = False) -> Cost:
        """A store of a register. Its address may be a further micro-operation; on some cores fewer units take one that
        has an index register (`indexed`)."""
        whole = width if width > 8 else 0
        found = self._listed("store_indexed", "f64", whole) if indexed else None
        return found or self.of("store", "f64", whole)

    @property
    def indexed(self) -> int:
        """Further issue slots of an operation that loads with an index register: the load's own, and what the group
        loses in which it comes apart."""
        path = "pipeline.indexed.uops"
        return int(self._machine.value(path)) - 1 if path in self._machine else 1

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
                raise MachineError(
                    f"machine {self._machine.name!r} has no cost of {asked} ({element}, {width or 8} bytes)",
                    hint=f"foretell machines probe measures it; or --set pipeline.{name}.gap=1",
                )
            tried = RELATIVES[tried]

    def _lane_by_lane(self, kind: str, element: str, width: int) -> Cost:
        """A gather of which nothing is known: so many loads."""
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
        wide = width
        while True:
            for name in _name(kind, element, wide):
                if f"pipeline.{name}.gap" in self._machine or f"pipeline.{name}.latency" in self._machine:
                    factor = width // wide if wide and kind in SERIAL else 1
                    return self._entry(name, self._ports(kind, element, wide), factor)
            if wide == 0:
                return None
            wide = wide // 2 if wide > 16 else 0

    def _ports(self, kind: str, element: str, width: int) -> str:
        """The ports of a class; where only its speed is known, those of the nearest narrower one that has some."""
        while True:
            for name in _name(kind, element, width):
                if found := self._machine.traits.get(f"pipeline.{name}.ports"):
                    return found
            if width == 0:
                return ""
            width = width // 2 if width > 16 else 0

    def _entry(self, name: str, ports: str = "", factor: int = 1) -> Cost:
        machine, path = self._machine, f"pipeline.{name}"
        gap = machine.value(f"{path}.gap") if f"{path}.gap" in machine else 1.0
        latency = machine.value(f"{path}.latency") if f"{path}.latency" in machine else gap
        uops = int(machine.value(f"{path}.uops")) if f"{path}.uops" in machine else 1
        far = machine.value(f"{path}.far_latency") if f"{path}.far_latency" in machine else latency
        first, *further = (frozenset(group.split()) for group in ports.split("+"))
        first = first or frozenset(_assumed_ports(name, gap))
        return Cost(latency, gap * factor, first, tuple(further), max(uops, 1 + len(further)), far)


def _name(kind: str, element: str, width: int) -> tuple[str, ...]:
    """Names of a class, the nearest first."""
    family = "i" if kind in _BITWISE else "f" if kind in _MOVES else element[0]
    bits = int(element[1:]) if element[1:].isdigit() else 64
    if not width:
        return tuple(dict.fromkeys((f"{kind}_{element}", f"{kind}_{family}64")))
    return tuple(dict.fromkeys((f"{kind}_{element}x{8 * width // bits}", f"{kind}_{family}64x{width // 8}")))


def _assumed_ports(name: str, gap: float) -> list[str]:
    """Units of a machine of which only speeds are known: all arithmetic of a family shares as many as it can use."""
    kind, _, element = name.rpartition("_")
    if kind in SERIAL:
        return [kind]
    memory = kind.split("_")[0] if kind.startswith(("load", "store")) else ""
    family = memory or ("integer" if element == "i64" else "vector")
    return [f"{family}{number}" for number in range(max(1, round(1 / gap)))]
