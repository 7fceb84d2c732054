"""Predictions of configurations that are kept between runs."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from foretell import cache, machines
from foretell.core.answers.tuning import Variant
from foretell.models.gpu.model import GpuModel
from foretell.uses.tuning import kept, kernels
from foretell.uses.tuning.kernels import KernelBench, Target
from tests.unit.uses.tuning.test_tuning_search import copy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "cache"))
    kernels._KNOWN.clear()


def predicted(target: Target, arguments: tuple[str, ...] | None = None) -> list[Variant]:
    """All configurations of a space, by a process that knows none of them."""
    kernels._KNOWN.clear()
    space = copy() if arguments is None else copy(arguments=arguments)
    bench = KernelBench(space, space.configurations(), target)
    return [variant for _, variant in sorted(bench.predict(range(4)), key=lambda pair: pair[0])]


def test_a_second_search_predicts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target(machines.load("h200"))
    first = predicted(target)
    monkeypatch.setattr(GpuModel, "within", None)
    assert predicted(target) == first
    with pytest.raises(TypeError):
        predicted(replace(target, kept=False))
    with pytest.raises(TypeError):  # another machine
        predicted(replace(target, machine=target.machine.with_values({"cores.count": 100.0})))
    with pytest.raises(TypeError):  # precisely
        predicted(replace(target, precise=True))


def test_contents_of_files_are_not_in_the_key(tmp_path: Path) -> None:
    data = tmp_path / "data.bin"
    data.write_bytes(bytes(4 << 20))
    predicted(Target(machines.load("h200")), (f"f32[n]@{data}", "f32[n]", "n"))
    assert not [usage for usage in cache.usage() if usage.kind == "configurations"]


def test_entries_that_are_not_of_their_form_are_made_anew() -> None:
    key = cache.key_of("x")
    kept.write(key, Variant({}, 1.5, resource="issue"))
    assert kept.read(key) == Variant({}, 1.5, resource="issue")
    for data in (b'{"parameters": 1}', b"\xff", b"["):
        kept._KIND.write(key, data)
        assert kept.read(key) is None
    kept.write(None, Variant({}))
    assert kept.read(None) is None


def test_collections_of_garbage_are_allowed_again_after_predicting() -> None:
    assert gc.isenabled()
    predicted(Target(machines.load("h200")))
    assert gc.isenabled()
    gc.disable()
    try:
        predicted(Target(machines.load("h200")))
        assert not gc.isenabled()
    finally:
        gc.enable()
