"""The models, found by name; each module is loaded when its model is first used."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING

from foretell.errors import InputError, RenamedWarning, nearest

if TYPE_CHECKING:
    from foretell.models.base import Model

#: name -> (module, class, facet that it needs); the order is the order of preference when several can answer
_MODELS = {
    "sunway": ("foretell.models.sunway", "SunwayModel", "Offload"),
    "counters": ("foretell.models.counters", "CountersModel", "Counts"),
    "cpu": ("foretell.models.cpu", "CpuModel", "Loops"),
    "machine-code": ("foretell.models.cpu.machine_code.model", "MachineCodeModel", "MachineCode"),
    "cost": ("foretell.models.cost", "CostModel", "Trace"),
    "emulate": ("foretell.models.saake.model", "EmulateModel", "AbstractProgram"),
    "gpu": ("foretell.models.gpu.model", "GpuModel", "Warps"),
    "saake": ("foretell.models.saake.machine_code_model", "SaakeModel", "Warps"),
}
#: earlier name -> name
_OLD_NAMES = {"traffic": "cpu", "warps": "gpu"}


def names() -> tuple[str, ...]:
    """The names of all models."""
    return tuple(_MODELS)


def needed_facet(name: str) -> str:
    """The class name of the facet that a model needs, without loading the model."""
    return _MODELS[name][2]


def get(name: str) -> Model:
    """The model of a name; an earlier name still works, with a RenamedWarning."""
    if name in _OLD_NAMES:
        warnings.warn(f"model {name} is now {_OLD_NAMES[name]}", RenamedWarning, stacklevel=2)
        name = _OLD_NAMES[name]
    if name not in _MODELS:
        raise InputError(f"no model {name!r}{nearest(name, _MODELS)}", hint=f"models: {', '.join(_MODELS)}")
    module, cls, _ = _MODELS[name]
    model: Model = getattr(import_module(module), cls)()
    return model
