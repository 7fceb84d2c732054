"""A directive of a loop: OpenMP, OpenACC and their like."""

from __future__ import annotations

from foretell.records import record


@record
class Directive:
    """#pragma omp …, !$acc …: dialect 'omp', 'acc', …; the words before the first clause; clauses with their text."""

    dialect: str
    words: tuple[str, ...]
    clauses: tuple[tuple[str, str], ...]
    line: int
