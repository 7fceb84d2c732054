"""Design-space exploration: evaluates every point of a space with the models, and reduces them to a front, the best,
and verdicts.

space_file   parser of space files
study        a space file resolved against a machine and the codes, checked
objectives   time, area, power, energy, cost as expressions
evaluate     chunks of points through the models
evolve       evolutionary search, for spaces too large to enumerate
summary      mergeable summary of many points
engine       executors: this process, a pool, MPI, Dask
store        journal and point files, which survive a kill
verdicts     around the baseline: scaling, over- and under-design, trade-offs
answer       from a summary to an `Exploration`
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from foretell.errors import InputError
from foretell.uses.explore import answer, evaluate, evolve, store
from foretell.uses.explore.engine import Engine, compute, serial
from foretell.uses.explore.space_file import read_space
from foretell.uses.explore.study import Study, prepare_study

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from foretell.api import On
    from foretell.core.answers.exploration import Exploration
    from foretell.core.answers.prediction import Mode
    from foretell.uses.explore.specification import SpaceFile
    from foretell.uses.explore.summary import Summary

__all__ = ["Job", "explore", "merge", "prepare_study", "read_space", "run"]


@dataclass(frozen=True)
class Job:
    """How to run a study: engine, journal, shard, and the file for all points if requested.

    `shard` (i, n) is the i-th of n parts, from 1. `recipe` is stored in the journal for a later merge.
    """

    engine: Engine = field(default_factory=serial)
    journal: Path | None = None
    fresh: bool = False
    shard: tuple[int, int] | None = None
    points: Path | None = None
    recipe: Mapping[str, Any] = field(default_factory=dict)
    progress: Callable[[int, int], None] | None = None

    def blocks(self, study: Study) -> list[int]:
        """The blocks of this shard: every n-th, so that shards take equally long."""
        if self.shard is None:
            return list(range(study.blocks))
        return list(range(self.shard[0] - 1, study.blocks, self.shard[1]))

    def __post_init__(self) -> None:
        part, parts = self.shard or (1, 1)
        if not 1 <= part <= parts:
            raise InputError(f"shard {part}/{parts}: write i/n with i from 1 to n")


def explore(
    space: Path | str,
    on: On | None = None,
    *,
    mode: Mode | None = None,
    model: str | None = None,
    options: Mapping[str, str] | None = None,
    job: Job | None = None,
) -> Exploration:
    """Computes everything a space file requests; `on` replaces its machine."""
    file = read_space(space)
    return run(prepare_study(file, on, mode=mode, model=model, options=options), file, job or Job())


def run(study: Study, file: SpaceFile, job: Job) -> Exploration:
    """Runs a prepared study. Blocks in the journal are not computed again."""
    answer.refuse_impossible(study)
    known = answer.around(study, file)
    if file.search is not None:
        return _search(study, file, job, known)
    wanted = job.blocks(study)
    points = store.PointFiles(job.points) if job.points else None
    if points is not None:
        points.check()
    with _journal(study.key, study.blocks, job) as journal:
        summary = _collect(study, wanted, journal.done if journal else (), journal, job, points)
    if job.shard is None:
        answer.refuse_empty(study, summary, known)
        if points is not None:
            points.join(study)
    part = job.shard and f"shard {job.shard[0]} of {job.shard[1]}: {len(wanted)} of {study.blocks} blocks of the space"
    return answer.build(study, file, summary, known, (part,) if part else ())


def _journal(key: str, blocks: int, job: Job) -> AbstractContextManager[store.Journal | None]:
    if job.journal is None:
        return nullcontext()
    return store.Journal(job.journal, store.Header(key, blocks, job.recipe), fresh=job.fresh)


def _search(study: Study, file: SpaceFile, job: Job, known: answer.Around) -> Exploration:
    """Runs an evolutionary search instead of the full enumeration, in this process; each shard is a separate search."""
    spec = file.search
    assert spec is not None
    if job.points:
        raise file.error("search", "goes without a file of all points")
    part, parts = job.shard or (1, 1)
    with _journal(study.key, parts, job) as journal:
        earlier, keep = (journal.generations(study), journal.keep) if journal else ((), None)
        summary = evolve.search(study, spec, (part, parts), earlier, keep, job.progress)
        if journal is not None and part - 1 not in journal.done:
            journal.append(part - 1, summary)
    if job.shard is None:
        answer.refuse_empty(study, summary, known)
    return answer.build(study, file, summary, known, (_searched(study, spec.seed, summary),))


def _searched(study: Study, seed: int, summary: Summary) -> str:
    return f"searched: {summary.points} of {study.space.size} designs were looked at (seed {seed})"


def merge(study: Study, file: SpaceFile, journals: Sequence[Path]) -> Exploration:
    """Merges the journals of several runs into one answer. A missing block is an InputError."""
    known = answer.around(study, file)
    total = evaluate.empty(study)
    shards = set()
    first = store.read_header(journals[0])
    like = store.Header(study.key, first.blocks if first and file.search else study.blocks)
    for block, summary in store.merged(journals, like, study):
        total.merge(summary)
        shards.add(block)
    missing = sorted(set(range(like.blocks)) - shards)
    if missing:
        raise InputError(
            f"{len(missing)} of {like.blocks} blocks are in none of the journals (the first is number {missing[0]})",
            hint=_unfinished(missing, first),
        )
    summary = total.summary()
    answer.refuse_empty(study, summary, known)
    notes = (_searched(study, file.search.seed, summary),) if file.search else ()
    return answer.build(study, file, summary, known, notes)


def _unfinished(missing: Sequence[int], first: store.Header | None) -> str:
    """Names the shards that lack blocks, where the journals say how many shards there are."""
    shard = first.recipe.get("shard") if first else None
    parts = int(str(shard).partition("/")[2] or 0) if shard else 0
    if not parts:
        return "a shard is missing or did not finish; run it again, it continues where it stopped"
    lacking = ", ".join(f"{part + 1}/{parts}" for part in sorted({block % parts for block in missing}))
    return f"run --shard {lacking} (again): each continues where it stopped"


def _collect(
    study: Study,
    wanted: Sequence[int],
    done: Iterable[int],
    journal: store.Journal | None,
    job: Job,
    points: store.PointFiles | None,
) -> Summary:
    finished = {block for block in done if points is None or points.part(block).exists()}
    total = evaluate.empty(study)
    seen = 0
    if journal is not None:
        for block, summary in store.merged([journal.path], store.Header(study.key, study.blocks), study):
            if block in finished and block in wanted:
                total.merge(summary)
                seen += summary.points
    size = sum(last - first for first, last in map(study.block, wanted))
    if job.progress:
        job.progress(seen, size)
    for block, summary in compute(study, [b for b in wanted if b not in finished], job.engine, points):
        if journal is not None:
            journal.append(block, summary)
        total.merge(summary)
        seen += summary.points
        if job.progress:
            job.progress(seen, size)
    return total.summary()
