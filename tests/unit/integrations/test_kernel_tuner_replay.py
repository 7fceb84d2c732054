"""Kernel Tuner's strategies beside replayed spaces."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from foretell.core.answers.answers import Refusal
from foretell.core.answers.replay import Beside, Replay
from foretell.core.answers.tuning import Variant
from foretell.integrations import kernel_tuner_replay
from foretell.report import json as json_form
from foretell.report import text
from foretell.report.sections import tunings
from foretell.uses.tuning import replay as replays

if TYPE_CHECKING:
    from pathlib import Path

MOST = kernel_tuner_replay.LEAST


def answer(monkeypatch: pytest.MonkeyPatch) -> Replay:
    """Transposes whose predictions are the measured times."""
    recorded = replays.read("transpose", "h200", MOST)
    variants = [Variant(values, time) for values, time in zip(recorded.configurations, recorded.seconds, strict=True)]

    def predicted(*_: object) -> list[Any]:
        return variants

    monkeypatch.setattr(replays, "_predicted", predicted)
    return replays.replay("h200", replays.ReplayJob(("transpose",), MOST))


def test_without_the_package_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_tuner_replay, "find_spec", lambda _: None)
    before = answer(monkeypatch)
    found = kernel_tuner_replay.with_strategies(before, MOST)
    assert found.spaces == before.spaces
    assert "foretell[kernel-tuner]" in json_form.replay(found)["beside"]


def test_runs_are_counted_to_the_first_close_one_in_the_median_of_the_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    best = min(replays.read("transpose", "h200", MOST).seconds)
    series = {0: [2 * best, 4 * best, best], 1: [1.04 * best, best], 2: [2 * best] * 5, 3: [best, best]}
    asked: list[tuple[str, int]] = []

    def measured(_recorded: object, _cache: Path, name: str, seed: int) -> list[float]:
        asked.append((name, seed))
        if name == "pso":
            raise ValueError("it takes no such space\nsecond line")
        return series[seed % 3] if name == "bayes_opt" else series[2]

    monkeypatch.setattr(kernel_tuner_replay, "find_spec", lambda _: object())
    monkeypatch.setattr(kernel_tuner_replay, "measured", measured)
    (space,) = kernel_tuner_replay.with_strategies(answer(monkeypatch), MOST).spaces
    by_name = {item.strategy: item for item in space.beside}
    assert set(by_name) == set(kernel_tuner_replay.STRATEGIES) - {"pso"}
    # seeds 0 to 6: three of 3 runs, two of 1, two of none within the budget
    assert by_name["bayes_opt"] == Beside("bayes_opt", {1: 0.5, 5: 1.0, 16: 1.0}, 3)
    assert by_name["random_sample"].runs is None
    assert (space.hybrid_runs, space.fewest_beside, space.factor) == (1, 3, 3.0)
    row = tunings.replay_rows(Replay("h200", (space,)))[0]
    assert (row["bayes_opt_runs"], row["random_sample_runs"], row["factor"]) == (3, None, 3.0)
    shown = text.render(text.replay(Replay("h200", (space,), "said")), color=False)
    assert "100.0% 3" in shown
    assert "50.0% -" in shown
    # a strategy that fails is named with what it raised
    assert space.refused == (Refusal("pso", "ValueError: it takes no such space"),)
    assert "pso fails on transpose: ValueError: it takes no such space" in shown
    assert row["pso_fails"] == "ValueError: it takes no such space"


def test_the_real_package_measures_what_was_recorded(tmp_path: Path) -> None:
    pytest.importorskip("kernel_tuner")
    recorded = replays.read("transpose", "h200", MOST)
    cache = kernel_tuner_replay.write_cache(recorded, tmp_path / "cache.json")
    assert len(json.loads(cache.read_text())["cache"]) == MOST
    times = kernel_tuner_replay.measured(recorded, cache, "random_sample", 1)
    assert len(times) == MOST // 2
    assert set(times) <= set(recorded.seconds)


def test_small_spaces_have_no_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(*_: object) -> list[float]:
        raise AssertionError("it may never end")

    monkeypatch.setattr(kernel_tuner_replay, "find_spec", lambda _: object())
    monkeypatch.setattr(kernel_tuner_replay, "measured", measured)
    found = kernel_tuner_replay.with_strategies(answer(monkeypatch), MOST - 1)
    assert not found.spaces[0].beside
