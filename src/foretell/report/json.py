"""Converts answers to plain data for JSON: SI units, the unit in the key, one schema version for all."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources
from typing import TYPE_CHECKING, Any

from foretell.core.facets.counts import Counts
from foretell.core.facets.trace import Trace
from foretell.report.plain import only, plain, without
from foretell.report.sections import facets, nests, tunings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from foretell.core.answers.advising import Advising, PairReplay
    from foretell.core.answers.answers import Explanation, Predictions, Split, Validation
    from foretell.core.answers.check import Bisection, Check, Differences
    from foretell.core.answers.coverage import Coverage
    from foretell.core.answers.description import Description, KernelDescription, KernelList, KernelSummary
    from foretell.core.answers.dividing import SplitReplay
    from foretell.core.answers.exploration import Exploration
    from foretell.core.answers.prediction import Prediction
    from foretell.core.answers.program_run import DeviceRun, ProgramRun
    from foretell.core.answers.replay import Replay
    from foretell.core.answers.tuning import Tuning
    from foretell.core.machine.machine import Difference, Machine, MachineDiff
    from foretell.core.workload import Workload

SCHEMA_VERSION = 1
#: leading columns of a validation's points, in CSV as well
_FIRST_COLUMNS = ("case", "set", "predicted_s", "measured_s", "interval_s", "error")
#: fields of a validation that concern all its points
_STATISTICS = ("summary", "undisturbed", "refused", "beside", "bottlenecks", "counts", "versions", "disturbed")


def dumps(document: dict[str, Any]) -> str:
    """Serialises a document as JSON; non-finite numbers would be a bug and raise."""
    return json.dumps({"schema_version": SCHEMA_VERSION, **document}, indent=2, allow_nan=False)


def schema(name: str = "output") -> dict[str, Any]:
    """The JSON schema of the documents: "output", or "explore" for explorations."""
    document: dict[str, Any] = json.loads((resources.files("foretell") / "schema" / f"{name}.schema.json").read_text())
    return document


def prediction(item: Prediction) -> dict[str, Any]:
    """One prediction."""
    return {**plain(item), "bottleneck": plain(item.bottleneck)}


def _program_device(device: DeviceRun) -> dict[str, Any]:
    changed = [{**plain(item), "gain": item.gain} for item in device.changes]
    return {**plain(device), "idle_s": device.idle_s, "changes": changed}


def program_run(item: ProgramRun) -> dict[str, Any]:
    """A CUDA program that ran without a GPU: totals of each, and the operations on their timelines."""
    return {
        "command": list(item.command),
        "exit_code": item.exit_code,
        "launches": item.launches,
        "devices": [_program_device(device) for device in item.devices],
        "operations": plain(item.operations),
        "faults": list(item.faults),
        "refused": plain(item.refused),
    }


def explanation(item: Explanation) -> dict[str, Any]:
    """A prediction with its sensitivities and advice."""
    return {
        "prediction": prediction(item.prediction),
        "sensitivities": [without(entry, "meaning") for entry in item.sensitivities],
        "advice": [
            {
                **without(entry, "curve_label"),
                "curve": {"label": entry.curve_label, "points": plain(entry.curve)},
                "confirmed": [{**without(at, "parts"), "parts_s": dict(at.parts)} for at in entry.confirmed],
            }
            for entry in item.advice
        ],
        "listing": [{**plain(entry), "waits": dict(entry.waits)} for entry in item.listing],
        "lines": [plain(entry) for entry in item.lines if entry.time_s],
        "code": [{**plain(entry), "bounds": dict(entry.bounds)} for entry in item.code],
    }


def advising(item: Advising) -> dict[str, Any]:
    """Changes of a code with their predicted gains, and those refused."""
    return {
        "prediction": prediction(item.prediction),
        **only(item, "file", "headline", "tried"),
        "changes": [{**without(entry, "text"), **only(entry, "title", "legality")} for entry in item.changes],
        "refused_changes": plain(item.refused),
    }


def pair_replay(item: PairReplay) -> dict[str, Any]:
    """Measured pairs of versions with their predicted gains."""
    return {
        "pairs": [{**plain(entry), **only(entry, "error", "differs", "sign_right")} for entry in item.pairs],
        **only(item, "summary", "refused"),
    }


def predictions(item: Predictions) -> dict[str, Any]:
    """Several predictions in their order, and the candidates that could not be predicted."""
    return {
        "predictions": [{**prediction(entry), **_measured(item, entry)} for entry in item.predictions],
        "refused": plain(item.refused),
    }


def _measured(item: Predictions, entry: Prediction) -> dict[str, Any]:
    reached = item.reached(entry)
    return {} if reached is None else {"measured_s": item.measured[entry.machine], "reached": reached}


def coverage(item: Coverage) -> dict[str, Any]:
    """Whether each model can answer for each machine."""
    return {"machines": [{"name": row.machine, "kind": row.kind, "models": dict(row.answers)} for row in item.rows]}


def split(item: Split) -> dict[str, Any]:
    """Shares of devices, and the resulting times."""
    return plain(item)  # type: ignore[no-any-return]


def replay(item: Replay) -> dict[str, Any]:
    """Measured tuning spaces, replayed."""
    return {
        "machine": item.machine,
        "spaces": tunings.replay_rows(item),
        "summary": {name: item.summary(name) for name in ("tuning", "report") if item.summary(name)},
        **({"beside": item.beside} if item.beside else {}),
    }


def tuning(item: Tuning) -> dict[str, Any]:
    """All evaluated variants of a code."""
    return {
        **only(item, "workload", "machine", "strategy"),
        "default": tunings.variant(item.default),
        "best": tunings.variant(item.best),
        **only(item, "speedup", "loss", "static_cpu_s", "judge_cpu_s", "resumed"),
        **(only(item, "judge", "order", "near") if item.judge == "measured" else {}),
        "variants": [tunings.variant(entry) for entry in item.variants],
        **only(item, "assumptions"),
    }


def check(item: Check) -> dict[str, Any]:
    """Two versions compared."""
    from foretell.report.sections.check import document

    return document(item)


def split_replay(item: SplitReplay) -> dict[str, Any]:
    """Measured splits, replayed."""
    from foretell.report.sections.dividing import replay_rows

    return {"machines": list(item.machines), "median": item.median, "least": item.least, "codes": replay_rows(item)}


def differences(item: Differences) -> dict[str, Any]:
    """Measured pairs of versions, replayed."""
    from foretell.report.sections.check import differences_document

    return differences_document(item)


def bisection(item: Bisection) -> dict[str, Any]:
    """The commits of a range, and the first slow one."""
    return {**plain(item), "headline": item.headline}


def validation(item: Validation) -> dict[str, Any]:
    """Predicted and measured values of a validation."""
    return {
        **only(item, "name", "title"),
        "points": [
            {
                **only(point, *_FIRST_COLUMNS),
                **without(point, "assumptions", "beside_s"),
                **{f"{mode}_s": time for mode, time in point.beside_s.items()},
                "counts": {count.name: only(count, "predicted", "measured") for count in point.counts},
            }
            for point in item.points
        ],
        **only(item, *_STATISTICS),
        "orders": [{**plain(order), "right": not order.wrong, "wrong": plain(order.wrong)} for order in item.orders],
    }


def exploration(item: Exploration) -> dict[str, Any]:
    """The fronts, best designs and tables of an exploration; schema in docs/reference/schema/explore.schema.json."""
    return {
        **without(item, "models", "weights"),
        "applications": [
            {"name": name, "weight": weight, "model": item.models[name]} for name, weight in item.weights.items()
        ],
        "histogram": [{"from_s": low, "to_s": high, "designs": count} for low, high, count in item.histogram],
        "verdicts": [{**without(entry, "label"), "parameter": entry.label} for entry in item.verdicts],
        "tradeoff": item.tradeoff
        and {**without(item.tradeoff, "parameters", "scales"), "between": list(item.tradeoff.parameters)},
    }


def machine(item: Machine) -> dict[str, Any]:
    """A machine with the source of every number."""
    return {
        **without(item, "quantities", "replaced"),
        "machine_hash": item.content_hash,
        "parameters": plain(item.quantities),
    }


def machines(items: Sequence[Machine]) -> dict[str, Any]:
    """Several machines."""
    return {"machines": [machine(item) for item in items]}


def machine_diff(item: MachineDiff) -> dict[str, Any]:
    """The parameters in which two machines differ."""
    return {
        **plain(item),
        "agreeing": item.agreeing,
        "differences": [_difference(entry) for entry in item.differences],
        "conditions": [_difference(entry) for entry in item.conditions],
    }


def _difference(entry: Difference) -> dict[str, Any]:
    left, right = (None if side is None else without(side, "source") for side in (entry.left, entry.right))
    return {"parameter": entry.path, "left": left, "right": right, "ratio": entry.ratio}


def workload(item: Workload) -> dict[str, Any]:
    """The contents of a workload, as read by a front end."""
    return {
        **plain(replace(item, facets=())),
        "symbols": sorted(item.symbols),
        "facets": [type(facet).__name__ for facet in item.facets],
        **({"counts": facets.counts_document(found)} if (found := item.find(Counts)) else {}),
        **({"trace": facets.trace_document(traced)} if (traced := item.find(Trace)) else {}),
    }


def loops(item: Description) -> dict[str, Any]:
    """Loop nests with their counts."""
    return nests.document(item)


def kernel(item: KernelDescription) -> dict[str, Any]:
    """A GPU kernel without a launch, and its branches."""
    code = item.kernel
    return {
        "kernel": code.name,
        "parameter_bytes": [parameter.size for parameter in code.parameters],
        **_kernel_summary(item.summary),
        "branches": [{"place": point.place, **plain(point)} for point in item.branches],
    }


def kernels(item: KernelList) -> dict[str, Any]:
    """The kernels of a file of GPU code."""
    return {"file": item.file, "kernels": [_kernel_summary(entry) for entry in item.kernels]}


def _kernel_summary(item: KernelSummary) -> dict[str, Any]:
    return {**without(item, "arch"), "architecture": f"sm_{item.arch}"}
