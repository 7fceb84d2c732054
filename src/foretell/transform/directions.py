"""Direction vectors: in which order of the loop variables two references can touch the same element.

For two references below the same loops, the vector has `<`, `=` or `>` for each loop: the first reference is in an
earlier, the same or a later iteration (Wolfe; Allen and Kennedy). A vector is kept if the bounds and subscripts allow
it (`characterize.loops.feasible`, and isl for steps and quotients, `integer_points`); so a refusal may be wrong, a
permission is not.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from foretell.characterize.loops.feasible import feasible, inside
from foretell.characterize.loops.integer_points import has_integer_point, is_installed, is_quotient
from foretell.core.nest.statements import Branch, Invoke, Ref, Set, Store, Var, parts
from foretell.core.symbolic.poly import Atom, symbol
from foretell.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from foretell.core.nest.loopnest import Loop, LoopNest
    from foretell.core.nest.statements import Expression, Statement
    from foretell.core.symbolic.poly import Poly

Vector = tuple[str, ...]


@record
class Reference:
    """An array element, or a scalar (without subscripts), that a statement reads or writes below some loops."""

    name: str
    subscripts: tuple[Poly, ...]
    write: bool
    line: int
    loops: tuple[Loop, ...]


@record
class Ordered:
    """Two references that can touch one element, the second after the first, and the vectors by which."""

    first: Reference
    second: Reference
    vectors: tuple[Vector, ...]

    @property
    def text(self) -> str:
        """The dependence in words."""
        kinds = {(True, False): "flow", (False, True): "anti", (True, True): "output"}
        kind = kinds[self.first.write, self.second.write]
        lines = f"line {self.first.line}"
        if self.first.line != self.second.line:
            lines = f"lines {self.first.line} and {self.second.line}"
        doubt = not is_installed() and (_is_for_isl(self.first) or _is_for_isl(self.second))
        unsure = ", which islpy (the extra loops) may exclude" if doubt else ""
        return f"{kind} dependence on {self.first.name} ({lines}){unsure}"


def references(nests: Sequence[LoopNest]) -> list[Reference]:
    """Everything that the statements of nests read and write."""
    result: list[Reference] = []
    for nest in nests:
        for depth, level in enumerate(nest.levels, start=nest.shared + 1):
            for statement in level:
                result += _of(statement, nest.loops[:depth])
    return list(dict.fromkeys(result))


def _of(statement: Statement, loops: tuple[Loop, ...]) -> Iterator[Reference]:
    match statement:
        case Store(target, value, line, _):
            yield Reference(target.array, target.subscripts, True, line, loops)
            yield from _read(value, line, loops)
            for load in target.loads:
                yield from _read(load, line, loops)
        case Set(target, value, _, line):
            yield Reference(target, (), True, line, loops)
            yield from _read(value, line, loops)
        case Branch(condition, then, other, line):
            yield from _read(condition, line, loops)
            for inner in (*then, *other):
                yield from _of(inner, loops)
        case Invoke(_, args, line):
            for argument in args:
                yield from _read(argument, line, loops)


def _read(expression: Expression, line: int, loops: tuple[Loop, ...]) -> Iterator[Reference]:
    for part in parts(expression):
        if isinstance(part, Ref):
            yield Reference(part.array, part.subscripts, False, line, loops)
        elif isinstance(part, Var):
            yield Reference(part.name, (), False, line, loops)


def meets(first: Reference, second: Reference, vector: Vector) -> bool:
    """Whether both can touch one element in iterations that the vector relates, from the outermost loop on; loops
    beyond it are free."""
    other = {
        loop.variable: symbol(f"{loop.variable}'")
        for depth, loop in enumerate(second.loops)
        if depth >= len(vector) or vector[depth] != "=" or first.loops[depth].variable != loop.variable
    }
    system = [one for loop in first.loops for one in inside(loop)]
    system += [one.substitute(other) for loop in second.loops for one in inside(loop)]
    quotients: list[Poly] = []
    for left, right in zip(first.subscripts, second.subscripts, strict=False):
        if len(first.subscripts) != len(second.subscripts) or _by_data(left, first) or _by_data(right, second):
            continue
        same = _equal(left, right.substitute(other))
        (quotients if _has_quotient(left) or _has_quotient(right) else system).extend(same)
    for depth, sign in enumerate(vector):
        here, there = symbol(first.loops[depth].variable), symbol(second.loops[depth].variable).substitute(other)
        later = there - here if (first.loops[depth].step.integer or 1) > 0 else here - there
        system += _equal(here, there) if sign == "=" else [later - 1 if sign == "<" else -later - 1]
    if not feasible(system):
        return False
    steps = [*_steps(first), *((one.substitute(other), by) for one, by in _steps(second))]
    return not (quotients or steps) or has_integer_point([*system, *quotients], steps)


def _steps(reference: Reference) -> list[tuple[Poly, int]]:
    """For each loop with a step above 1: its variable less its start, which is a multiple of the step, and the step."""
    loops = [(loop, abs(loop.step.integer or 1)) for loop in reference.loops if loop.counted]
    return [(symbol(loop.variable) - loop.lower, by) for loop, by in loops if by > 1]


def _has_quotient(subscript: Poly) -> bool:
    return any(isinstance(atom, Atom) for atom in subscript.atoms())


def _by_data(subscript: Poly, reference: Reference) -> bool:
    """Whether a subscript holds more than loop variables, sizes and their quotients by numbers: elements of arrays,
    minima. Quotients of negative numbers are rounded otherwise in C and Fortran: they count as data."""
    atoms = [atom for atom in subscript.atoms() if isinstance(atom, Atom)]
    around = [one for loop in reference.loops for one in inside(loop)]
    return any(not is_quotient(atom) or feasible([*around, -atom.args[0] - 1]) for atom in atoms)


def _is_for_isl(reference: Reference) -> bool:
    return bool(_steps(reference)) or any(map(_has_quotient, reference.subscripts))


def _equal(left: Poly, right: Poly) -> tuple[Poly, Poly]:
    return left - right, right - left


def ordered_pairs(every: Sequence[Reference], outer: int, depth: int) -> list[Ordered]:
    """All dependences between references below the same loops: vectors over loops `outer` to `depth`, at equal
    iterations of the loops outside, that begin with `<`, or are all `=`."""
    result = []
    for first in every:
        for second in every:
            if first.name == second.name and (first.write or second.write):
                common = _common(first, second, depth)
                vectors = _vectors(_anonymous(first), _anonymous(second), outer, common)
                if vectors:
                    result.append(Ordered(first, second, vectors))
    return result


def _anonymous(reference: Reference) -> Reference:
    """The reference reduced to what direction vectors depend on (subscripts and loops): a key of the cache."""
    return Reference("", reference.subscripts, False, 0, reference.loops)


@lru_cache(maxsize=4096)  # each change of a nest asks for the same ones
def _vectors(first: Reference, second: Reference, outer: int, depth: int) -> tuple[Vector, ...]:
    return tuple(one[outer:] for one in _positive(first, second, ("=",) * outer, depth))


def _common(first: Reference, second: Reference, depth: int) -> int:
    shared = 0
    for left, right in zip(first.loops[:depth], second.loops[:depth], strict=False):
        if left.line != right.line or left.variable != right.variable:
            break
        shared += 1
    return shared


def _positive(first: Reference, second: Reference, start: Vector, depth: int) -> Iterator[Vector]:
    """Vectors that are not before their beginning: `=` up to the first `<`."""
    if not meets(first, second, start):
        return
    if len(start) >= depth:
        yield start
        return
    signs = "<=>" if "<" in start else "<="
    for sign in signs:
        yield from _positive(first, second, (*start, sign), depth)
