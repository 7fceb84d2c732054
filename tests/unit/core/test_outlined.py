"""Names of the bodies of parallel regions."""

from __future__ import annotations

from foretell.core.outlined import bodies_of, is_outlined


def test_bodies_are_those_of_the_function() -> None:
    names = ["f", "f._omp_fn.0", "f._omp_fn.1", "f.omp_outlined", "f.omp_outlined.2", "ff._omp_fn.0", "f.part.0", "f2"]
    assert bodies_of("f", names) == names[1:5]
    assert [name for name in names if is_outlined(name)] == [*names[1:5], "ff._omp_fn.0"]
