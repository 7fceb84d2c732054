"""Ranks machines, or several codes: fastest first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from foretell.api import Code, On, loaded, prepare
from foretell.core.answers.answers import Predictions, Refusal
from foretell.core.workload import Workload
from foretell.errors import InputError, nearest
from foretell.frontends import Reader, read_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from foretell.core.answers.prediction import Mode
    from foretell.core.machine.machine import Machine
    from foretell.frontends import Reading


def rank(
    code: Code | Reader | Sequence[Code | Reader],
    machines: Sequence[On],
    *,
    parameters: Mapping[str, float] | None = None,
    mode: Mode = "default",
    model: str | None = None,
    options: Mapping[str, str] | None = None,
    measured: Mapping[str, float] | None = None,
    all_threads: bool = False,
    **reading: Unpack[Reading],
) -> Predictions:
    """Predicts every code on every machine that the model can answer for; the others with the reason. Times that are
    only lower bounds come last: they do not decide which is faster. CUDA source is compiled for each machine.

    `measured` are seconds by machine, to compute the fraction of the predicted speed that was reached. `all_threads`:
    each machine runs as many threads as it has cores.
    """
    codes = [code] if isinstance(code, Workload | str | Path | Reader) else code
    wanted = read_options(**reading)
    readers = [one if isinstance(one, Reader) else Reader(one, wanted) for one in codes]
    devices, refused = _loaded(machines)
    pairs = [
        (machine, read.with_parameters(parameters or {}) if isinstance(read, Workload) else read)
        for reader in readers
        for machine, read in reader.on_each(devices)
    ]
    predictions = []
    for machine, read in pairs:
        try:
            if isinstance(read, InputError):
                raise read
            threads = _all_threads(read, machine) if all_threads else None
            case = prepare(read, machine, parameters=threads, mode=mode, model=model, options=options)
            predictions.append(case.predict())
        except InputError as error:
            label = f"{read.name} on " if isinstance(read, Workload) and len(pairs) > len(devices) else ""
            refused.append(Refusal(label + machine.name, error.message))
    predictions.sort(key=lambda prediction: (prediction.at_least, prediction.time_s))
    names = {entry.machine for entry in predictions}
    for name in measured or {}:
        if predictions and name not in names:
            raise InputError(f"a measured time of {name!r}, which is not predicted{nearest(name, names)}")
    return Predictions(tuple(predictions), tuple(refused), measured or {})


def _all_threads(workload: Workload, machine: Machine) -> dict[str, float] | None:
    """The threads of a code that has some, as many as cores."""
    takes = "threads" in workload.symbols | workload.parameters.keys()
    return {"threads": machine.value("cores.count")} if takes and "cores.count" in machine else None


def _loaded(machines: Sequence[On]) -> tuple[list[Machine], list[Refusal]]:
    """Loads the machines; those that cannot be loaded, with the reason."""
    usable, refused = [], []
    for on in machines:
        try:
            usable.append(loaded(on))
        except InputError as error:
            refused.append(Refusal(str(on), error.message))
    return usable, refused
