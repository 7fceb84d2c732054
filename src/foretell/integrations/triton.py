"""Triton: prunes the configurations of `triton.autotune` by predicted time.

    @triton.autotune(configs, key=["M", "N", "K"], prune_configs_by={"early_config_prune": prune(None, "h200", keep=8)})
    @triton.jit
    def matmul(…)

`keep=1` leaves one configuration, which Triton then runs without a benchmark. The kernel is the decorated function, if
it is known when `prune` is called; else `prune.kernel` is set later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell import api
from foretell.core.gpu.launch import Argument, Element, Pointer, Scalar
from foretell.errors import ForetellError, InputError
from foretell.frontends.gpu.triton import workload_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from foretell.api import On

#: element types of tensors by the end of their name (torch.float32) -> ours
_TYPES = {
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "int8": "i8", "uint8": "u8",
    "int16": "i16", "int32": "i32", "int64": "i64", "bool": "i8",
}  # fmt: skip


class Prune:
    """An `early_config_prune`: keeps the configurations that are predicted fastest."""

    def __init__(self, kernel: Any, machine: On, keep: int = 8) -> None:
        if keep < 1:
            raise InputError(f"keep={keep}: at least one configuration must remain")
        self.kernel, self._machine, self._keep = kernel, api.loaded(machine), keep
        #: predicted seconds of the last call, or the reason why there are none, by configuration
        self.predicted: list[tuple[Any, float | str]] = []

    def __call__(self, configs: Sequence[Any], named_args: Mapping[str, Any], **kwargs: Any) -> list[Any]:
        """The `keep` best configurations; all, if none can be predicted."""
        self.predicted = [(config, self._time(config, named_args, kwargs)) for config in configs]
        able = [(seconds, place) for place, (_, seconds) in enumerate(self.predicted) if isinstance(seconds, float)]
        return [configs[place] for _, place in sorted(able)[: self._keep]] or list(configs)

    def _time(self, config: Any, named: Mapping[str, Any], given: Mapping[str, Any]) -> float | str:
        meta = {**{name: value for name, value in given.items() if name not in ("grid", "warmup")}, **_meta(config)}
        arguments = [argument(value) for name, value in named.items() if name not in meta]
        try:
            arch = _architecture(self._machine.traits.get("target.cpu", ""))
            workload = workload_of(self.kernel, arguments, meta, _grid(given.get("grid", 1), {**named, **meta}), arch)
            return api.prepare(workload, self._machine).predict().time_s
        except ForetellError as error:
            return str(error).splitlines()[0]


def prune(kernel: Any, machine: On, keep: int = 8) -> Callable[..., list[Any]]:
    """An `early_config_prune` for a kernel on a machine."""
    return Prune(kernel, machine, keep)


def argument(value: Any) -> Argument:
    """An argument of a launch as foretell takes it: a tensor, or a number."""
    if hasattr(value, "dtype") and hasattr(value, "numel"):
        name = str(value.dtype).rpartition(".")[2]
        if name not in _TYPES:
            raise InputError(f"tensors of {value.dtype} are not known")
        return Pointer(Element(_TYPES[name]), max(1, int(value.numel())))
    if isinstance(value, bool | int):
        return Scalar(float(value), "" if -(2**31) <= value < 2**31 else "i64")
    if isinstance(value, float):
        return Scalar(value, "f32")
    raise InputError(f"an argument of type {type(value).__name__} is not known")


def _meta(config: Any) -> dict[str, Any]:
    """The constants of a configuration, and Triton's own options that it sets."""
    return {name: value for name, value in config.all_kwargs().items() if value is not None and name != "ir_override"}


def _grid(grid: Any, values: Mapping[str, Any]) -> str:
    sizes = grid(dict(values)) if callable(grid) else grid
    return ",".join(map(str, sizes if isinstance(sizes, tuple | list) else (sizes,)))


def _architecture(cpu: str) -> int | None:
    digits = "".join(letter for letter in cpu.removeprefix("sm_") if letter.isdigit())
    return int(digits) if digits else None
