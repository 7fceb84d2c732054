"""The grammar of limits, and which one counts."""

from __future__ import annotations

import pytest

from foretell.errors import InputError
from foretell.uses.check.configured.limits import Limits, broken, parse_limit


@pytest.mark.parametrize(
    ("text", "soft", "hard"),
    [
        ("5%", 0.05, None),
        ("2ms", None, 2e-3),
        ("3%|50us", 0.03, 50e-6),
        ("50us | +3 %", 0.03, 50e-6),
        ("0%", 0.0, None),
    ],
)
def test_the_grammar(text: str, soft: float | None, hard: float | None) -> None:
    limit = parse_limit(text)
    wanted = [None if number is None else pytest.approx(number) for number in (soft, hard)]
    assert [limit.soft, limit.hard_s] == wanted


@pytest.mark.parametrize("text", ["", "5", "fast", "5%|6%", "1ms|2ms", "-5%", "3 GB/s", "5%|", "0s", "|", "5%%"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a limit"):
        parse_limit(text)


def test_the_longest_pattern_counts_more_than_the_common_limit() -> None:
    limits = Limits("5%", {"gemm*@h200": "3%|50us", "gemm*": "4%", "*@zen4": "10%"})
    softs = {
        pair: limits.of(*pair) for pair in [("gemm_nn", "h200"), ("gemm_nn", "a100"), ("dot", "zen4"), ("dot", "b")]
    }
    assert [limit.soft for limit in softs.values() if limit] == [0.03, 0.04, 0.1, 0.05]
    assert Limits(None, {}).of("a", "b") is None


def test_a_rule_that_fits_nothing_is_an_error() -> None:
    limits = Limits(None, {"gem": "3%"})
    with pytest.raises(InputError, match=r"limit 'gem' fits no code \(did you mean 'gemm'\?\)"):
        limits.check_used([("gemm", "h200")])
    Limits(None, {"g*": "3%"}).check_used([("gemm", "h200")])


def test_growth_breaks_a_soft_limit_and_time_a_hard_one() -> None:
    both = parse_limit("3%|50us")
    assert "+10.0 % is more than 3 %" in broken(both, 10e-6, 11e-6, slower=True)
    assert broken(both, 10e-6, 11e-6, slower=False) == ""  # the model cannot tell
    assert "60 us is more than 50 us" in broken(both, 60e-6, 60e-6, slower=False)
    assert broken(None, 1.0, 2.0, slower=True) == ""
    assert broken(parse_limit("5%"), 0.0, 0.0, slower=False) == ""
