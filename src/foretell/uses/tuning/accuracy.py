"""What is known of the accuracy of predictions on a GPU, from one table of what they were compared with."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import files, machines

if TYPE_CHECKING:
    from foretell.core.machine.machine import Machine

TABLE = Path(str(resources.files("foretell.uses"))) / "recorded" / "accuracy.toml"


def known_of(machine: Machine) -> str:
    """One sentence: measured, published, or nothing, and then what is known of GPUs of its architecture."""
    table = files.parse_toml(files.read_text(TABLE), TABLE)
    measured, published = table["measured"], table["published"]
    name = machine.name
    if name in measured:
        return _measured(name, measured[name])
    if name in published["times"]:
        return (
            f"accuracy on {name}: {_published(name, published)}; no choice of a configuration was compared with "
            "measured ones"
        )
    alike = [other for other in (*measured, *published["times"]) if _architecture(other) == _architecture(machine)]
    nothing = f"accuracy on {name}: not known, no time of it was compared with a prediction"
    if not alike:
        return f"{nothing}, nor one of its architecture"
    about = (_times(other, measured, published) for other in alike)
    return f"{nothing}; of the same architecture, {'; '.join(about)}"


def _measured(name: str, found: dict[str, Any]) -> str:
    return (
        f"accuracy on {name}: {_launches(found)}; the first choice reaches {found['first_choice']:.0%} of the optimum "
        f"in the median of {found['spaces']} measured spaces, {found['first_choice_least']:.0%} at least "
        "(foretell validate tuning)"
    )


def _launches(found: dict[str, Any]) -> str:
    return f"{found['launches']} measured launches, {found['median']:.1%} off in the median"


def _published(name: str, published: dict[str, Any]) -> str:
    times = published["times"]
    return (
        f"{times[name]} published times; all {sum(times.values())} of {len(times)} GPUs are {published['median']:.1%} "
        f"off in the median, {published['inside']:.0%} inside the interval"
    )


def _times(name: str, measured: dict[str, Any], published: dict[str, Any]) -> str:
    if name in measured:
        return f"{name} has {_launches(measured[name])}"
    return f"{name} has {_published(name, published)}"


def _architecture(machine: Machine | str) -> str:
    found = machines.load(machine) if isinstance(machine, str) else machine
    return found.traits.get("target.cpu", found.name)
