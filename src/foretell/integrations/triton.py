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
from foretell.uses.tuning.tuner import REFINED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

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
        """The `keep` best configurations; all, if none can be predicted. All are predicted quickly, the best of these
        precisely."""
        cases = [self._case(config, named_args, kwargs) for config in configs]
        times = [_seconds(case, precise=False) for case in cases]
        chosen = _fastest(times, range(len(times)))[: max(REFINED, self._keep)]
        for number in chosen:
            times[number] = _seconds(cases[number], precise=True)
        self.predicted = list(zip(configs, times, strict=True))
        return [configs[number] for number in _fastest(times, chosen)[: self._keep]] or list(configs)

    def _case(self, config: Any, named: Mapping[str, Any], given: Mapping[str, Any]) -> api.Case | str:
        """A configuration, compiled; or the reason why it cannot be."""
        meta = {**{name: value for name, value in given.items() if name not in ("grid", "warmup")}, **_meta(config)}
        try:
            arguments = [argument(value) for name, value in named.items() if name not in meta]
            arch = _architecture(self._machine.traits.get("target.cpu", ""))
            workload = workload_of(self.kernel, arguments, meta, _grid(given.get("grid", 1), {**named, **meta}), arch)
            return api.prepare(workload, self._machine)
        except ForetellError as error:
            return str(error).splitlines()[0]


def _seconds(case: api.Case | str, *, precise: bool) -> float | str:
    """The predicted time, or the reason why there is none."""
    if isinstance(case, str):
        return case
    settings = case.settings if precise else case.model.for_many(case.settings)
    try:
        return case.model.without_interval(case.workload, case.machine, settings).time_s
    except ForetellError as error:
        return str(error).splitlines()[0]


def _fastest(times: Sequence[float | str], among: Iterable[int]) -> list[int]:
    """Numbers of the configurations that have a time, the fastest first."""
    able = [(seconds, number) for number in among if not isinstance(seconds := times[number], str)]
    return [number for _, number in sorted(able)]


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
