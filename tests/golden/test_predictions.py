"""No recorded answer of the command line has moved: `python -m tests.golden.predictions` records them anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from foretell import machines, models
from tests.golden.predictions import store
from tests.golden.predictions.cases import GROUPS
from tests.golden.predictions.compare import compare
from tests.golden.predictions.replay import answer

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize("group", GROUPS)
def test_recorded_answers(group: str) -> None:
    recorded = store.read(group)
    if made_with := _other_llvm(recorded):
        pytest.skip(f"recorded with code of LLVM {made_with}; this is {store.LLVM}")
    changes = compare(recorded, {name: answer(command) for name, command in GROUPS[group].items()})
    assert not changes, f"\n{changes}"


def test_what_is_recorded() -> None:
    """Every model in both modes, every option at another choice than its default, every machine."""
    recorded = [answers for group in GROUPS for answers in store.read(group).values()]
    predictions = [found for answers in recorded for found in _predictions(answers)]
    assert sum(1 for answers in recorded if any(_predictions(answers))) >= 300
    modes = {(found["model"], found["mode"]) for found in predictions}
    wanted = {(model, mode) for model in models.names() for mode in ("default", "paper")}
    # model saake answers for the first; the second has no paper
    assert modes == wanted - {("gpu", "paper"), ("machine-code", "paper")}
    assert {found["machine"] for found in predictions} >= set(machines.library())
    commands = " ".join(command for group in GROUPS.values() for command in group.values())
    for model in map(models.get, models.names()):
        for option in model.options:
            others = set(option.choices) - {option.default}
            assert all(f"{option.name}={choice}" in commands for choice in others), (model.name, option.name)


def test_numbers_and_words_are_told_apart() -> None:
    old = {"x": {"time_s": 2.0, "parts": [{"name": "DMA", "time_s": 1.0}], "assumptions": ["warm"]}}
    new = {"x": {"time_s": 2.0, "parts": [{"name": "DMA", "time_s": 1.1}], "assumptions": ["cold"]}}
    changes = compare(old, new)
    assert changes.numbers == ["number moved: x: parts[DMA].time_s 1.0 -> 1.1 (+10 %)"]
    assert changes.words == ["words changed: x: assumptions[0] 'warm' -> 'cold'"]
    assert not compare(old, {"x": {"time_s": 2.0 + 4e-16, **{key: old["x"][key] for key in ("parts", "assumptions")}}})


def test_renames_move_no_number() -> None:
    old = {"x": {"time_s": 2.0, "details": {"strangers": 3, "left": 0.5}}}
    renamed = {"x": {"seconds": 2.0, "details": {"available": 0.5, "steal": 3}}}
    assert compare(old, renamed).numbers
    assert not compare(old, renamed, numbers_only=True)
    renamed["x"]["details"]["steal"] = 4  # type: ignore[index]
    assert compare(old, renamed, numbers_only=True).numbers


def _predictions(value: Any) -> Iterator[dict[str, Any]]:
    """The predictions in an answer, wherever they stand in it."""
    if isinstance(value, dict) and {"time_s", "bounds", "model"} <= value.keys():
        yield value
    elif isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            yield from _predictions(entry)


def _other_llvm(recorded: dict[str, Any]) -> str:
    """The release of LLVM that made the recorded code, if it is not the one that is here."""
    told = (
        note.split("LLVM ")[1].split(",")[0].split()[0]
        for answers in recorded.values()
        for found in _predictions(answers)
        for note in found["assumptions"]
        if "made by LLVM " in note
    )
    return next((release for release in told if release != store.LLVM), "")
