"""Writes the results of a search in the formats of other tuners: T4, and the cache files of Kernel Tuner."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from foretell.uses.tuning.space import shown

if TYPE_CHECKING:
    from foretell.core.answers.tuning import Tuning, Variant
    from foretell.uses.tuning.space import KernelSpace, Value

_T4_VERSION, _CACHE_VERSION = "1.0.0", "1.1.0"
#: what Kernel Tuner writes in place of a time
_ERRORS = {"compile": "CompilationFailedConfig", "constraints": "InvalidConfig"}
_OTHER_ERROR = "RuntimeFailedConfig"


def t4(item: Tuning, now: datetime | None = None) -> str:
    """A T4 document: milliseconds; predicted times where none was measured."""
    stamp = (now or datetime.now(UTC)).isoformat()
    results = [_t4_result(variant, stamp) for variant in item.variants]
    document = {
        "schema_version": _T4_VERSION,
        "metadata": {"device": item.machine, "kernel": item.workload, "strategy": item.strategy, "timeunit": "ms"},
        "results": results,
    }
    return json.dumps(document, indent=1) + "\n"


def _t4_result(variant: Variant, stamp: str) -> dict[str, Any]:
    milliseconds = None if variant.reason else variant.time_s * 1e3
    measurements: list[dict[str, Any]] = [{"name": "time", "value": milliseconds, "unit": "ms"}] if milliseconds else []
    if variant.predicted_s is not None:
        measurements.append({"name": "predicted", "value": variant.predicted_s * 1e3, "unit": "ms"})
    if variant.reason:
        measurements.append({"name": "reason", "value": variant.reason, "unit": ""})
    return {
        "timestamp": stamp,
        "configuration": _plain(variant),
        "objectives": ["time"],
        "times": {
            "compilation_time": 0,
            "runtimes": [variant.judged_s * 1e3] if variant.judged_s is not None else [],
            "framework": 0,
            "search_algorithm": 0,
            "validation": 0,
        },
        "invalidity": variant.invalidity or ("runtime" if variant.reason else "correct"),
        "correctness": 0 if variant.reason else 1,
        "measurements": measurements,
    }


def kernel_tuner_cache(item: Tuning, space: KernelSpace, now: datetime | None = None) -> str:
    """A cache file of Kernel Tuner, for `cache=FILE, simulation_mode=True`."""
    stamp = str(now or datetime.now(UTC))
    cache = {}
    for variant in item.variants:
        values = _plain(variant)
        invalid = _ERRORS.get(variant.invalidity, _OTHER_ERROR) if variant.reason else None
        milliseconds = None if invalid else variant.time_s * 1e3
        cache[",".join(str(value) for value in values.values())] = {
            **values,
            "time": invalid or milliseconds,
            "times": [] if invalid else [milliseconds],
            **dict.fromkeys(("compile_time", "verification_time", "benchmark_time", "strategy_time"), 0),
            "framework_time": 0,
            "timestamp": stamp,
        }
    document = {
        "schema_version": _CACHE_VERSION,
        "device_name": item.machine,
        "kernel_name": item.workload,
        "problem_size": [int(size) for size in space.constants.values()] or [1],
        "tune_params_keys": [axis.name for axis in space.axes],
        "tune_params": {axis.name: [_number(value) for value in axis.values] for axis in space.axes},
        "objective": "time",
        "cache": cache,
    }
    return json.dumps(document, indent=1) + "\n"


def macros(item: Tuning) -> str:
    """The chosen configuration as a header, one macro a line."""
    lines = [f"#define {name} {value}" for name, value in _plain(item.best).items() if name != "nvcc"]
    return "\n".join([f"// {item.workload} on {item.machine}: {shown(item.best.parameters)}", *lines]) + "\n"


def _plain(variant: Variant) -> dict[str, Any]:
    return {name: _number(value) for name, value in variant.parameters.items()}


def _number(value: Value) -> int | float | str:
    """Whole numbers as integers, as other tuners write them."""
    return int(value) if not isinstance(value, str) and value == int(value) else value
