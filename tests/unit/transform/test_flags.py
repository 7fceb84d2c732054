"""Flags of the compiler: which are missing, and what they take with them."""

from __future__ import annotations

import pytest

from foretell.transform.restrict_and_flags import flags


def titles(given: str, cpu: str = "-march=znver2") -> dict[str, str]:
    return {change.title: change.flags for _, change in flags(given, cpu) if change is not None}


def test_missing_flags_are_tried_alone_and_together() -> None:
    assert titles("-O2 -Wall") == {
        "compile with -O3 instead of -O2": "-O3",
        "compile with -march=znver2": "-march=native",
        "compile with -ffast-math": "-ffast-math",
        "compile with -O3 -march=znver2 instead of -O2": "-O3 -march=native",
        "compile with -O3 -march=znver2 -ffast-math instead of -O2": "-O3 -march=native -ffast-math",
    }
    assert titles("-O3", "-mcpu=neoverse-n1")["compile with -mcpu=neoverse-n1"] == "-mcpu=native"


@pytest.mark.parametrize("given", ["-O3 -march=native", "-O2 -O3 -march=core2", "-O3 -mcpu=native"])
def test_flags_that_are_given_are_not_tried(given: str) -> None:
    assert list(titles(given)) == ["compile with -ffast-math"]


def test_the_last_level_counts() -> None:
    assert "compile with -O3 instead of -O1" in titles("-O3 -O1")
    assert titles("-Ofast -march=native") == {}
    assert dict(flags("-Ofast -march=native", "-march=native")) == {"-ffast-math": None}


def test_what_a_flag_asks_of_the_user() -> None:
    provided = {title: change.provided for title, change in flags("-O1", "-march=znver2") if change is not None}
    assert provided["-O3"] == ()
    assert ["other CPUs" in text for text in provided["-march=znver2"]] == [True]
    assert len(provided["-O3 -march=znver2 -ffast-math"]) == 2
