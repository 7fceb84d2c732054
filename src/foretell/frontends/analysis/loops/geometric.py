"""Geometric induction variables: `len *= 2`, `n /= 2`, `stride >>= 1`."""

from __future__ import annotations

from foretell.core.symbolic.poly import ONE, Atom, Poly, apply, floor_div, number, symbol


def factor(end: Poly, head: str) -> int | None:
    """The ratio per iteration: r for end = r*head, -r for end = head/r, None for anything else."""
    if len(end.terms) != 1:
        return None
    ((mono, value),) = end.terms.items()
    if len(mono) != 1 or not isinstance(value, int):
        return None
    if mono[0] == head:
        return value if value >= 2 else None
    atom = mono[0]
    if value == 1 and isinstance(atom, Atom) and atom.op in ("div", "floor") and atom.args[0] == symbol(head):
        by = atom.args[1].integer
        return -by if by is not None and by >= 2 else None
    return None


def value(start: Poly, by: int, iteration: Poly) -> Poly:
    """The variable's value after `iteration` steps; a division assumes a non-negative value."""
    if by > 0:
        return start * apply("pow", (number(by), iteration))
    return floor_div(start, apply("pow", (number(-by), iteration)))


def trips(op: str, left: Poly, right: Poly, counter: str) -> Poly | None:
    """The trip count until `left op right` fails, where one side is geometric."""
    if op == "!=" and not right.terms:  # halving stops at 0
        op = ">"
    if op in (">", ">="):
        op, left, right = {">": "<", ">=": "<="}[op], right, left
    if op not in ("<", "<="):
        return None
    slack = 1 if op == "<" else 0
    growing = _growing(left, counter)
    if growing is not None and not right.depends_on((counter,)):  # start * r**t <= right - slack
        start, base = growing
        return apply("ilog", (floor_div(right - slack, start), base)) + 1
    shrinking = _shrinking(right, counter)
    if shrinking is not None and not left.depends_on((counter,)):  # left + slack <= start // r**t
        start, base = shrinking
        return apply("ilog", (floor_div(start, left + slack), base)) + 1
    return None


def _growing(side: Poly, counter: str) -> tuple[Poly, Poly] | None:
    """start and r of start * r**counter."""
    for atom in side.atoms():
        if isinstance(atom, Atom) and atom.op == "pow" and atom.args[1] == symbol(counter):
            parts = side.coefficients((atom,))
            if parts is not None and not parts[1].terms and not parts[0][atom].depends_on((counter,)):
                return parts[0][atom], atom.args[0]
    return None


def _shrinking(side: Poly, counter: str) -> tuple[Poly, Poly] | None:
    """start and r of start // r**counter."""
    if len(side.terms) != 1:
        return None
    ((mono, scale),) = side.terms.items()
    atom = mono[0] if len(mono) == 1 and scale == 1 else None
    if not isinstance(atom, Atom) or atom.op != "floor" or atom.args[0].depends_on((counter,)):
        return None
    growing = _growing(atom.args[1], counter)
    return (atom.args[0], growing[1]) if growing is not None and growing[0] == ONE else None
