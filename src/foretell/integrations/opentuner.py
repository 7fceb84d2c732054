"""OpenTuner: configurations predicted fastest as seeds, or asked for by a technique, as the SAAKE paper couples its
search with OpenTuner.

class Tuner(MeasurementInterface):
    def seed_configurations(self):
        return seeds(space, "h200", count=8)

register(space, "h200")      # --technique foretell
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell import api
from foretell.errors import MissingExtraError
from foretell.integrations.order import plain, predicted_order
from foretell.uses.tuning.kernels import Target
from foretell.uses.tuning.tuner import KernelJob, tune_kernel

if TYPE_CHECKING:
    from foretell.api import On
    from foretell.uses.tuning.space import KernelSpace

Seeds = list[dict[str, int | float | str]]


def seeds(space: KernelSpace, on: On, count: int = 8, workers: int = 1) -> Seeds:
    """The `count` configurations predicted fastest."""
    able = [variant for variant in predicted_order(space, on, workers=workers) if not variant.reason]
    return [plain(variant) for variant in able[:count]]


def walk_seed(space: KernelSpace, on: On) -> Seeds:
    """The one configuration where the walk by what binds ends (SAAKE, Algorithms 2 and 3), in paper mode."""
    target = Target(api.loaded(on), mode="paper")
    return [plain(tune_kernel(space, target, KernelJob("bottleneck")).best)]


class PredictedOrder:
    """What a technique asks for: each configuration once, from the one predicted fastest."""

    def __init__(self, space: KernelSpace, on: On, most: int | None = None) -> None:
        self._space, self._on, self._most = space, on, most
        self._left: Seeds | None = None

    def next(self, manipulator: Any) -> dict[str, Any] | None:
        """The next one; parameters that the space does not have are random. None when all were asked for."""
        if self._left is None:
            able = [variant for variant in predicted_order(self._space, self._on) if not variant.reason]
            self._left = [plain(variant) for variant in able[: self._most]]
        return {**manipulator.random(), **self._left.pop(0)} if self._left else None

    @property
    def done(self) -> bool:
        """Whether all were asked for."""
        return self._left is not None and not self._left


def technique(space: KernelSpace, on: On, most: int | None = None, name: str = "foretell") -> Any:
    """A technique that asks for configurations in predicted order, at most so many; then others have the budget."""
    try:
        from opentuner.search.technique import SearchTechnique
    except ImportError:
        raise MissingExtraError("opentuner", "opentuner") from None
    order = PredictedOrder(space, on, most)

    class Foretell(SearchTechnique):  # type: ignore[misc]  # the package has no types
        """OpenTuner's form of it."""

        def desired_configuration(self) -> dict[str, Any] | None:
            return order.next(self.manipulator)

        def is_ready(self) -> bool:
            return not order.done

    return Foretell(name=name)


def register(space: KernelSpace, on: On, most: int | None = None, name: str = "foretell") -> None:
    """Adds the technique to OpenTuner's list: `--technique NAME` chooses it."""
    made = technique(space, on, most, name)
    from opentuner.search.technique import register as add

    add(made)
