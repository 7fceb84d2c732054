"""Finds the first commit of a range at which a code breaks a limit, by prediction."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from foretell.core.answers.check import Bisected, Bisection
from foretell.errors import InputError
from foretell.uses.check.configured.configuration import Configuration
from foretell.uses.check.configured.limits import broken, parse_limit
from foretell.uses.check.run import Machines, as_it_says, predict_version
from foretell.uses.check.verdicts import verdict_of
from foretell.uses.check.versions import written

if TYPE_CHECKING:
    from pathlib import Path

    from foretell.core.answers.check import Change
    from foretell.uses.check.git import Commit, Repository
    from foretell.uses.check.outcome import Outcome
    from foretell.uses.check.run import Job


@dataclass(frozen=True)
class Range:
    """The commits from a base to a head, and the code on a machine that is looked at. `folder` is where the
    configuration is."""

    configuration: Configuration
    repository: Repository
    commits: tuple[Commit, ...]
    worst: Change
    job: Job
    folder: Path
    outcomes: dict[int, Outcome] = field(default_factory=dict)

    def at(self, number: int) -> Outcome:
        """The outcome at a commit, predicted once."""
        if number not in self.outcomes:
            self.job.progress(f"commit {self.commits[number].hash[:12]}")
            self.outcomes[number] = self._predicted(self.commits[number])
        return self.outcomes[number]

    def _predicted(self, commit: Commit) -> Outcome:
        names = [name for name in self.configuration.codes if f"{self.worst.code}:".startswith(f"{name}:")]
        name = max(names, key=len)  # names of C++ have colons, and what a pattern chose is NAME:FUNCTION
        today = Configuration(self.configuration.path, {name: self.configuration.codes[name].on(self.worst.machine)})
        missing: Outcome = {"error": "is not in this commit"}
        with written(self.repository, commit, self.folder) as version:
            own = version.configuration()  # each commit is made as it says, as both sides of a check are
            only = as_it_says(own, today) if own else today
            outcomes = predict_version(only, version, self.job, Machines(self.job, self.folder))
        return outcomes.get(self.worst.code, {}).get(self.worst.machine, missing)


def bisect(searched: Range, text: str) -> Bisection:
    """Halves the range between a base that keeps the limit and a head that does not; commits that cannot be predicted
    are passed over."""
    limit, first = parse_limit(text), searched.at(0)
    if "error" in first:
        raise InputError(f"{searched.worst.name} cannot be predicted in the base: {first['error']}")

    def bad(number: int) -> bool | None:
        outcome = searched.at(number)
        if "error" in outcome:
            return None
        return bool(broken(limit, first["time_s"], outcome["time_s"], verdict_of(first, outcome) == "slower"))

    good, wrong = 0, len(searched.commits) - 1
    if not bad(wrong):
        return _answer(searched, text, "")
    while wrong - good > 1:
        middle = next((number for number in _from_middle(good, wrong) if bad(number) is not None), None)
        if middle is None:
            break
        good, wrong = (good, middle) if bad(middle) else (middle, wrong)
    return _answer(searched, text, searched.commits[wrong].hash)


def _from_middle(good: int, wrong: int) -> list[int]:
    """The numbers between two, the middle first."""
    middle = (good + wrong) / 2
    return sorted(range(good + 1, wrong), key=lambda number: (abs(number - middle), number))


def _answer(searched: Range, limit: str, first: str) -> Bisection:
    shown = [
        Bisected(commit.hash, searched.repository.title(commit), outcome.get("time_s"), outcome.get("error", ""))
        for number, outcome in sorted(searched.outcomes.items())
        for commit in (searched.commits[number],)
    ]
    worst = searched.worst
    return Bisection(worst.code, worst.machine, limit, searched.outcomes[0]["time_s"], tuple(shown), first)
