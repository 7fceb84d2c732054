"""Answers as plain data for JSON: SI units, the unit in the key, one schema version for all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from foretell.report import nests

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.answers import Description, Explanation, Predictions, Validation
    from foretell.core.machine import Machine, MachineDiff, Quantity
    from foretell.core.prediction import Prediction
    from foretell.core.workload import Workload

SCHEMA_VERSION = 1


def dumps(document: dict[str, Any]) -> str:
    """A document as JSON text; anything that is not a finite number would be a bug and raises."""
    return json.dumps({"schema_version": SCHEMA_VERSION, **document}, indent=2, allow_nan=False)


def prediction(item: Prediction) -> dict[str, Any]:
    """One prediction."""
    bottleneck = item.bottleneck
    return {
        "time_s": item.time_s,
        "interval_s": None if item.interval_s is None else list(item.interval_s),
        "bottleneck": {"bound": bottleneck.bound, "resource": bottleneck.resource, "limit": bottleneck.limit},
        "bounds": [
            {"name": bound.name, "time_s": bound.time_s, "resource": bound.resource, "limit": bound.limit}
            for bound in item.bounds
        ],
        "parts": [{"name": part.name, "time_s": part.time_s} for part in item.parts],
        "assumptions": list(item.assumptions),
        "model": item.model,
        "model_version": item.model_version,
        "mode": item.mode,
        "options": dict(item.options),
        "machine": item.machine,
        "machine_hash": item.machine_hash,
        "workload": item.workload,
        "input_hash": item.input_hash,
        "parameters": dict(item.parameters),
        "details": dict(item.details),
    }


def explanation(item: Explanation) -> dict[str, Any]:
    """A prediction with what it depends on and what would change it."""
    return {
        "prediction": prediction(item.prediction),
        "sensitivities": [
            {
                "parameter": entry.parameter,
                "value": entry.value,
                "unit": entry.unit,
                "elasticity": entry.elasticity,
                "time_up_s": entry.time_up_s,
                "time_down_s": entry.time_down_s,
                "note": entry.note,
            }
            for entry in item.sensitivities
        ],
        "advice": [
            {
                "title": entry.title,
                "action": entry.action,
                "time_s": entry.time_s,
                "saving_s": entry.saving_s,
                "feasible": entry.feasible,
                "estimate_s": entry.estimate_s,
                "estimate_by": entry.estimate_by,
                "note": entry.note,
                "curve": {"label": entry.curve_label, "points": [list(point) for point in entry.curve]},
            }
            for entry in item.advice
        ],
    }


def predictions(item: Predictions) -> dict[str, Any]:
    """Several predictions in their order, and what could not be predicted."""
    return {
        "predictions": [prediction(entry) for entry in item.predictions],
        "refused": [{"name": entry.name, "reason": entry.reason} for entry in item.refused],
    }


def validation(item: Validation) -> dict[str, Any]:
    """Predicted against measured."""
    return {
        "name": item.name,
        "title": item.title,
        "points": [
            {
                "case": point.case,
                "set": point.set,
                "predicted_s": point.predicted_s,
                "measured_s": point.measured_s,
                "error": point.error,
            }
            for point in item.points
        ],
        "summary": {
            name: {
                "n": entry.n,
                "mape": entry.mape,
                "median": entry.median,
                "p90": entry.p90,
                "geomean": entry.geomean,
                "within_20pct": entry.within_20pct,
                "spearman": entry.spearman,
            }
            for name, entry in item.summary.items()
        },
    }


def machine(item: Machine) -> dict[str, Any]:
    """A machine with the source of every number."""
    return {
        "name": item.name,
        "title": item.title,
        "kind": item.kind,
        "machine_hash": item.content_hash,
        "levels": list(item.levels),
        "parameters": {
            path: {
                "value": quantity.value,
                "unit": quantity.unit,
                "source": {"kind": quantity.source.kind, "reference": quantity.source.reference},
            }
            for path, quantity in item.quantities.items()
        },
        "traits": dict(item.traits),
        "missing": dict(item.missing),
        "warnings": list(item.warnings),
    }


def machines(items: Sequence[Machine]) -> dict[str, Any]:
    """Several machines."""
    return {"machines": [machine(item) for item in items]}


def machine_diff(item: MachineDiff) -> dict[str, Any]:
    """The parameters in which two machines differ."""
    return {
        "left": item.left,
        "right": item.right,
        "differences": [
            {
                "parameter": entry.path,
                "left": _side(entry.left),
                "right": _side(entry.right),
                "ratio": entry.ratio,
            }
            for entry in item.differences
        ],
    }


def _side(quantity: Quantity | None) -> dict[str, Any] | None:
    return None if quantity is None else {"value": quantity.value, "unit": quantity.unit}


def workload(item: Workload) -> dict[str, Any]:
    """What a front end found in an input."""
    return {
        "name": item.name,
        "origin": item.origin,
        "input_hash": item.input_hash,
        "parameters": dict(item.parameters),
        "symbols": sorted(item.symbols),
        "facets": [type(facet).__name__ for facet in item.facets],
        "assumptions": list(item.assumptions),
    }


def loops(item: Description) -> dict[str, Any]:
    """Loop nests with their counts."""
    return nests.document(item)
