"""Answers as plain data for JSON: SI units, the unit in the key, one schema version for all."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from foretell.core.facets.counts import Counts
from foretell.core.facets.trace import Trace
from foretell.report import counts, nests, trace, tunings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from foretell.core.answers.answers import (
        CountSummary,
        Explanation,
        Predictions,
        Refusal,
        Split,
        Validation,
        ValidationSummary,
    )
    from foretell.core.answers.description import Description
    from foretell.core.answers.exploration import Design, Exploration, Scaling, TradeoffTable
    from foretell.core.answers.prediction import Prediction
    from foretell.core.answers.tuning import Tuning
    from foretell.core.machine.machine import Difference, Machine, MachineDiff, Quantity
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
        "at_least": item.at_least,
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
                "confirmed": [
                    {"x": at.x, "predicted_s": at.predicted_s, "simulated_s": at.simulated_s, "parts_s": dict(at.parts)}
                    for at in entry.confirmed
                ],
            }
            for entry in item.advice
        ],
        "listing": [
            {
                "place": entry.place,
                "line": entry.line,
                "text": entry.text,
                "executions": entry.executions,
                "share": entry.share,
                "waits": dict(entry.waits),
            }
            for entry in item.listing
        ],
    }


def predictions(item: Predictions) -> dict[str, Any]:
    """Several predictions in their order, and what could not be predicted."""
    return {
        "predictions": [{**prediction(entry), **_measured(item, entry)} for entry in item.predictions],
        "refused": _refused(item.refused),
    }


def _measured(item: Predictions, entry: Prediction) -> dict[str, Any]:
    reached = item.reached(entry)
    return {} if reached is None else {"measured_s": item.measured[entry.machine], "reached": reached}


def _refused(items: Sequence[Refusal]) -> list[dict[str, str]]:
    return [{"name": entry.name, "reason": entry.reason} for entry in items]


def split(item: Split) -> dict[str, Any]:
    """Shares of devices, and what they bring."""
    return {
        "workload": item.workload,
        "shares": [
            {
                "machine": entry.machine,
                "share": entry.share,
                "items": entry.items,
                "time_s": entry.time_s,
                "predicted_s": entry.predicted_s,
                "transfer_s": entry.transfer_s,
                "measured_s": entry.measured_s,
            }
            for entry in item.shares
        ],
        "split_s": item.split_s,
        "even_s": item.even_s,
        "best_alone_s": item.best_alone_s,
        "oracle_s": item.oracle_s,
        "refused": _refused(item.refused),
    }


def tuning(item: Tuning) -> dict[str, Any]:
    """All variants of a code that were looked at."""
    return tunings.document(item)


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
                "interval_s": None if point.interval_s is None else list(point.interval_s),
                "error": point.error,
                "bottleneck": point.bottleneck,
                "bound_s": point.bound_s,
                "label": point.label,
                "disturbed": point.disturbed,
                **{f"{mode}_s": time for mode, time in point.beside_s.items()},
                "counts": {
                    count.name: {"predicted": count.predicted, "measured": count.measured} for count in point.counts
                },
            }
            for point in item.points
        ],
        "summary": _plain(item.summary),
        "disturbed": item.disturbed,
        "undisturbed": _plain(item.undisturbed),
        "refused": _refused(item.refused),
        "beside": {mode: _plain(entry) for mode, entry in item.beside.items()},
        "bottlenecks": _plain(item.bottlenecks),
        "counts": _plain(item.counts),
        "orders": [
            {**asdict(order), "right": not order.wrong, "wrong": [list(pair) for pair in order.wrong]}
            for order in item.orders
        ],
        "versions": {name: asdict(entry) for name, entry in item.versions.items()},
    }


def _plain(table: Mapping[str, ValidationSummary | CountSummary]) -> dict[str, Any]:
    return {name: asdict(entry) for name, entry in table.items()}


def exploration(item: Exploration) -> dict[str, Any]:
    """What was found in a space of designs; schema in docs/reference/explore.schema.json."""
    return {
        "name": item.name,
        "key": item.key,
        "machine": item.machine,
        "machine_hash": item.machine_hash,
        "applications": [
            {"name": name, "weight": weight, "model": item.models[name]} for name, weight in item.weights.items()
        ],
        "axes": [
            {
                "label": axis.label,
                "parameter": axis.parameter,
                "unit": axis.unit,
                "lowest": axis.lowest,
                "highest": axis.highest,
                "values": axis.values,
            }
            for axis in item.axes
        ],
        "objectives": [
            {"name": entry.name, "unit": entry.unit, "lowest": entry.lowest, "highest": entry.highest}
            for entry in item.objectives
        ],
        "points": item.points,
        "excluded": item.excluded,
        "infeasible": item.infeasible,
        "baseline": None if item.baseline is None else _design(item.baseline),
        "front": [_design(entry) for entry in item.front],
        "top": [_design(entry) for entry in item.top],
        "best": [
            {
                "application": entry.application,
                "time_s": entry.time_s,
                "baseline_s": entry.baseline_s,
                "design": _design(entry.design),
            }
            for entry in item.best
        ],
        "histogram": [{"from_s": low, "to_s": high, "designs": count} for low, high, count in item.histogram],
        "scaling": [_scaling(entry) for entry in item.scaling],
        "verdicts": [
            {
                "parameter": entry.label,
                "application": entry.application,
                "balance": entry.balance,
                "loss": entry.loss,
                "gain": entry.gain,
                "better": entry.better,
            }
            for entry in item.verdicts
        ],
        "tradeoff": None if item.tradeoff is None else _tradeoff(item.tradeoff),
        "assumptions": list(item.assumptions),
        "notes": list(item.notes),
    }


def _design(item: Design) -> dict[str, Any]:
    return {
        "number": item.number,
        "parameters": dict(item.parameters),
        "objectives": dict(item.objectives),
        "times_s": dict(item.times_s),
    }


def _scaling(item: Scaling) -> dict[str, Any]:
    return {
        "label": item.label,
        "parameter": item.parameter,
        "unit": item.unit,
        "rows": [
            {"factor": row.factor, "value": row.value, "times_s": dict(row.times_s), "mean_s": row.mean_s}
            for row in item.rows
        ],
        "note": item.note,
    }


def _tradeoff(item: TradeoffTable) -> dict[str, Any]:
    return {
        "between": list(item.parameters),
        "labels": list(item.labels),
        "units": list(item.units),
        "keep": item.keep,
        "total": item.total,
        "rows": [
            {
                "values": list(row.values),
                "kept": row.kept,
                "times_s": dict(row.times_s),
                "mean_s": row.mean_s,
                "is_baseline": row.is_baseline,
                "is_best": row.is_best,
            }
            for row in item.rows
        ],
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
        "common": item.common,
        "agreeing": item.agreeing,
        "tolerance": item.tolerance,
        "differences": [_difference(entry) for entry in item.differences],
        "conditions": [_difference(entry) for entry in item.conditions],
    }


def _difference(entry: Difference) -> dict[str, Any]:
    return {"parameter": entry.path, "left": _side(entry.left), "right": _side(entry.right), "ratio": entry.ratio}


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
        **({"counts": counts.document(found)} if (found := item.find(Counts)) else {}),
        **({"trace": trace.document(traced)} if (traced := item.find(Trace)) else {}),
    }


def loops(item: Description) -> dict[str, Any]:
    """Loop nests with their counts."""
    return nests.document(item)
