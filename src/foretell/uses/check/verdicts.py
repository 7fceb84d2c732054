"""Compares two outcomes: the verdict, and what moved."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from foretell.core.answers.check import Change, Reason
from foretell.errors import InputError
from foretell.uses.check.configured.limits import broken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from foretell.core.answers.check import Limit, Verdict
    from foretell.uses.check.outcome import Outcome

#: relative difference of two predictions from which its sign is told, by kind of model. Chosen, not fitted: rounds of
#: measured pairs agree within 2 %; the tuning half of `foretell validate differences` has one alarm with it, of 24
#: pairs that take as long (a call of memset instead of the compiler's own: 4.0 % told, 1.6 % measured)
RESOLUTION = {"gpu": 0.02, "cpu": 0.02, "program": 0.02}
_OTHER_MODELS = 0.05
#: models that follow the code of the same compiler in the same core: which of them answers is decided by whether a
#: function has its loops itself, or in what it calls
_OF_COMPILED_CODE = frozenset({"cpu", "machine-code"})
#: parts, facts and lines that are shown as reasons, and the smallest share of the time that one moves by
_MOST_PARTS, _MOST_FACTS, _MOST_LINES, _SMALLEST = 3, 6, 3, 0.01
#: relative change of a fact from which it is a reason
_FACT = 0.02


def resolution(model: str) -> float:
    """The relative difference that predictions of a model tell apart."""
    return RESOLUTION.get(model, RESOLUTION["cpu"] if model == "machine-code" else _OTHER_MODELS)


def _told_apart(base: Outcome, head: Outcome) -> float:
    """The relative difference that the predictions of both versions tell apart."""
    return resolution(head["model"]) if base["model"] == head["model"] else _OTHER_MODELS


def compared(code: str, machine: str, base: Outcome, head: Outcome, limit: Limit | None) -> Change:
    """The change of a code on a machine. Outcomes of different models, versions or machines are refused."""
    check_alike(base, head)
    verdict = verdict_of(base, head)
    same = verdict == "same code"
    if same:  # the time of the one code there is, whatever its source looks like
        head = {**head, **{key: base[key] for key in ("time_s", "interval_s", "bounds", "parts", "bound_by", "facts")}}
    file, line = _location(base, head, same)
    return Change(
        code=code,
        machine=machine,
        verdict=verdict,
        base_s=base["time_s"],
        head_s=head["time_s"],
        resolution=_told_apart(base, head),
        interval_s=(head["interval_s"][0], head["interval_s"][1]) if head["interval_s"] else None,
        reasons=() if same else tuple(reasons(base, head)),
        limit=limit,
        broken=broken(limit, base["time_s"], head["time_s"], verdict == "slower"),
        file=file,
        line=line,
        bound_by=head["bound_by"],
        model=f"{head['model']} {head['model_version']}",
        compiler=(base["compiler"], head["compiler"]),
    )


def check_alike(base: Outcome, head: Outcome) -> None:
    """Refuses outcomes that are not comparable, and names why."""
    names = {"model": "model", "model_version": "version of the model", "machine_hash": "machine"}
    if base["model"] != head["model"] and {base["model"], head["model"]} <= _OF_COMPILED_CODE and base["compiler"]:
        names = {"machine_hash": "machine"}
    for key, name in names.items():
        if base[key] != head[key]:
            raise InputError(
                f"another {name}: {base[key]} before, {head[key]} now",
                hint="predict both with this version: name a git version or a folder instead of a saved result",
            )
    if base["parameters"] != head["parameters"]:
        raise InputError(f"other sizes: {_sizes(base)} before, {_sizes(head)} now")
    if bool(base["compiler"]) != bool(head["compiler"]):
        side = "base" if base["compiler"] else "head"
        raise InputError(f"only the code of the {side} could be followed as it is compiled")
    _check_compilers(base, head)
    for side, outcome in (("base", base), ("head", head)):
        if outcome["at_least"]:
            raise InputError(f"the time of the {side} is only a lower bound")


def _check_compilers(base: Outcome, head: Outcome) -> None:
    """Refuses code of two compilers where no version asks for another one: a saved result was made on another host."""
    before, now = (outcome["compiler"].partition(": ")[0] for outcome in (base, head))
    asked = base["options"].get("cc") != head["options"].get("cc")
    if before != now and not asked and base["code"] != head["code"]:
        raise InputError(
            f"another compiler: {before} before, {now} now",
            hint="predict both here: name a git version or a folder instead of a saved result",
        )


def _sizes(outcome: Outcome) -> str:
    return ", ".join(f"{name}={value:g}" for name, value in outcome["parameters"].items()) or "none"


def verdict_of(base: Outcome, head: Outcome) -> Verdict:
    """The verdict on two outcomes that are alike."""
    if base["code"] and base["code"] == head["code"] and base["options"] == head["options"]:
        return "same code"
    if base["time_s"] <= 0 or abs(head["time_s"] / base["time_s"] - 1) <= _told_apart(base, head):
        return "no difference"
    return "slower" if head["time_s"] > base["time_s"] else "faster"


def reasons(base: Outcome, head: Outcome) -> list[Reason]:
    """What moved, the largest first: parts of the time, then facts, then source lines."""
    longest = max(base["time_s"], head["time_s"])
    found = [
        Reason("bound by", base["bound_by"], head["bound_by"]) if base["bound_by"] != head["bound_by"] else None,
        Reason("compiler", base["compiler"], head["compiler"]) if base["compiler"] != head["compiler"] else None,
        Reason("model", base["model"], head["model"]) if base["model"] != head["model"] else None,
    ]
    moved = sorted(_moved(dict(base["parts"]), dict(head["parts"])), key=lambda reason: -_size(reason))
    found += [reason for reason in moved if _size(reason) >= _SMALLEST * longest][:_MOST_PARTS]
    found += list(_facts(base["facts"], head["facts"]))[:_MOST_FACTS]
    found += _lines(base["lines"], head["lines"], longest)
    return [reason for reason in found if reason is not None]


def _moved(base: Mapping[str, float], head: Mapping[str, float]) -> Iterator[Reason]:
    for name in dict.fromkeys((*base, *head)):
        before, after = base.get(name, 0.0), head.get(name, 0.0)
        if before != after:
            yield Reason(name, before, after, "s")


def _size(reason: Reason) -> float:
    return abs(float(reason.head or 0.0) - float(reason.base or 0.0))


def _facts(base: Mapping[str, Sequence[object]], head: Mapping[str, Sequence[object]]) -> Iterator[Reason]:
    """Facts that differ, in the order in which they are listed."""
    for name in dict.fromkeys((*base, *head)):
        before, unit = base.get(name, (None, ""))
        after, unit = head.get(name, (None, unit))
        if _differ(before, after):
            yield Reason(name, before, after, str(unit))  # type: ignore[arg-type]


def _differ(before: object, after: object) -> bool:
    if isinstance(before, int | float) and isinstance(after, int | float):
        return abs(after - before) > _FACT * max(abs(before), abs(after))
    return before != after


def _lines(base: Sequence[Sequence[object]], head: Sequence[Sequence[object]], longest: float) -> Iterator[Reason]:
    """Source lines whose time moved; lines are the same where their text is. An edited line is told once."""
    before, after = _by_text(base), _by_text(head)
    edited = _edited(base, head)
    gone = {*edited.values()}
    moved = [
        (f"«{text}»" + (f" (was «{edited[text]}»)" if text in edited else ""),
         before.get(edited.get(text, text), 0.0), after.get(text, 0.0))
        for text in dict.fromkeys((*before, *after)) if text and text not in gone
    ]  # fmt: skip
    moved = [entry for entry in moved if abs(entry[2] - entry[1]) >= _SMALLEST * longest]
    for text, one, other in sorted(moved, key=lambda entry: -abs(entry[2] - entry[1]))[:_MOST_LINES]:
        yield Reason(text, one or None, other or None, "s")


def _edited(base: Sequence[Sequence[object]], head: Sequence[Sequence[object]]) -> dict[str, str]:
    """The lines of the head that stand where the base has others, with the texts of those."""
    old, new = (
        [str(entry[2]) for entry in sorted(lines, key=lambda entry: (str(entry[0]), int(str(entry[1]))))]
        for lines in (base, head)
    )
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    pairs = [pair for kind, a, b, c, d in blocks if kind == "replace" for pair in _alike(old[a:b], new[c:d])]
    return {after: before for before, after in pairs if before and after and before not in new and after not in old}


def _alike(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each of the new lines with that of the old ones which it is most like; of equally similar ones the first."""
    close = [
        (-SequenceMatcher(None, before, after, autojunk=False).ratio(), k, n)
        for k, before in enumerate(old)
        for n, after in enumerate(new)
    ]
    taken: set[tuple[str, int]] = set()
    for _, k, n in sorted(close):
        if not taken & {("old", k), ("new", n)}:
            taken |= {("old", k), ("new", n)}
            yield old[k], new[n]


def _by_text(lines: Sequence[Sequence[object]]) -> dict[str, float]:
    times: dict[str, float] = {}
    for _, _, text, seconds in lines:
        times[str(text)] = times.get(str(text), 0.0) + float(seconds)  # type: ignore[arg-type]
    return times


def _location(base: Outcome, head: Outcome, same: bool) -> tuple[str, int]:
    """The line of the head whose time grew most, or that takes most."""
    before = {} if same else _by_text(base["lines"])
    if not head["lines"]:
        return "", 0
    file, line, *_ = max(head["lines"], key=lambda entry: entry[3] - before.get(entry[2], 0.0))
    return str(file), int(line)
