"""Programs to be transformed, read from text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foretell.core.nest.loopnest import Loops
from foretell.frontends import read
from foretell.transform.catalogue import Choices, attempted, candidates
from foretell.transform.program import Change, Program, RefusedError
from foretell.transform.text.source import edited

if TYPE_CHECKING:
    from pathlib import Path

MATRIX_PRODUCT = """\
void product(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j]; // a sum
}
"""


def program(text: str, folder: Path, name: str = "code.c") -> Program:
    """The program in a text."""
    file = folder / name
    file.write_text(text)
    loops = read(file).facet(Loops)
    return Program(text, "fortran" if name.endswith(".f90") else "c", loops.nests, str(file))


def changes(given: Program, *ids: str, **choices: tuple[int, ...]) -> dict[str, Change]:
    """The possible changes of some kinds, by title; the first of equals."""
    tried = [attempted(one) for one in candidates(given, Choices(ids, **choices))]
    return {one.title: one for one in reversed(tried) if isinstance(one, Change)}


def refusals(given: Program, *ids: str) -> list[str]:
    """Why others are not possible."""
    tried = [attempted(one) for one in candidates(given, Choices(ids))]
    return [one.reason for one in tried if isinstance(one, RefusedError)]


def changed(given: Program, title: str, *ids: str, **choices: tuple[int, ...]) -> str:
    """The text after the change with this title."""
    return edited(given.text, changes(given, *ids, **choices)[title].edits)
