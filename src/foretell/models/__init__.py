"""The models, found by name; each module is loaded when its model is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from foretell.errors import InputError, nearest

if TYPE_CHECKING:
    from foretell.models.base import Model

#: name -> (module, class); the order is the order of preference when several can answer
_MODELS = {
    "sunway": ("foretell.models.sunway", "SunwayModel"),
    "counters": ("foretell.models.counters", "CountersModel"),
    "traffic": ("foretell.models.cpu", "TrafficModel"),
    "cost": ("foretell.models.cost", "CostModel"),
    "emulate": ("foretell.models.saake", "EmulateModel"),
    "warps": ("foretell.models.gpu", "WarpsModel"),
    "saake": ("foretell.models.saake", "SaakeModel"),
}


def names() -> tuple[str, ...]:
    """The names of all models."""
    return tuple(_MODELS)


def get(name: str) -> Model:
    """The model of a name."""
    if name not in _MODELS:
        raise InputError(f"no model {name!r}{nearest(name, _MODELS)}", hint=f"models: {', '.join(_MODELS)}")
    module, cls = _MODELS[name]
    model: Model = getattr(import_module(module), cls)()
    return model
