"""Formats tuning results as a table and as rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from foretell import units
from foretell.report.plain import only, plain
from foretell.report.tables import new_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType
    from rich.table import Table

    from foretell.core.answers.replay import Beside, Replay, SpaceReplay
    from foretell.core.answers.tuning import Tuning, Variant

#: number of best variants shown
_SHOWN = 10
_VERB = {"simulated": "simulate", "measured": "measure"}


def text(item: Tuning) -> RenderableType:
    """Lists the choice, then the best variants, then those that could not run."""
    best = sorted((v for v in item.variants if not v.reason), key=_time)
    shown = [item.default, *best[:_SHOWN]]
    binds, judged = any(variant.resource for variant in best), any(variant.judged_s is not None for variant in shown)
    columns = [
        "variant",
        "predicted",
        *([item.judge] if judged else []),
        "relative",
        *(["bottleneck"] if binds else []),
    ]
    table = new_table(*columns)
    for row, variant in enumerate(shown):
        cells = [
            ("" if row else _label(item)) + _shown(variant),
            _least(variant) + _seconds(variant.predicted_s) or variant.reason,
            *([_seconds(variant.judged_s)] if judged else []),
            f"{_least(variant)}{_time(variant) / _time(best[0]):.3f}x" if not variant.reason else "",
        ]
        table.add_row(*cells, *([f"{variant.resource} {variant.limit}"] if binds else []))
    return Group(Text.from_markup(_headline(item)), table, *(Text(line) for line in _remarks(item)))


def _label(item: Tuning) -> str:
    """What the best is compared with: annotated code has parameters of its own, a kernel with macros has not."""
    return "as it is: " if item.judge == "simulated" else "default: "


def _headline(item: Tuning) -> str:
    than = "it is" if item.judge == "simulated" else "the default"
    gain = "" if item.speedup is None else f", {item.speedup:.2f} times as fast as {than}"
    return f"[bold]{item.workload} on {item.machine}[/bold]: {_shown(item.best)}{gain}"


def _remarks(item: Tuning) -> list[str]:
    able = sum(not variant.reason for variant in item.variants)
    judged = sum(variant.judged_s is not None for variant in item.variants)
    lines = [f"{len(item.variants)} variants, {able} can run, {judged} {item.judge} ({item.strategy})"]
    if excluded := sum(variant.excluded for variant in item.variants):
        lines.append(
            f"  {excluded} excluded by bound: a lower bound of their time exceeds the best (--every predicts them too)"
        )
    lines += [f"  {count} pruned: {reason}" for reason, count in _by_cause(item).items()]
    rate = (
        f" ({len(item.variants) / item.static_cpu_s:.3g}/s)" if item.judge == "measured" and item.static_cpu_s else ""
    )
    lines.append(f"CPU: {item.static_cpu_s:.3g} s to predict all{rate}" + (
        f", {item.judge_cpu_s:.3g} s to {_VERB[item.judge]}" if item.judge_cpu_s else ""
    ))  # fmt: skip
    if item.loss is not None:
        lines.append(f"the model's own choice is {item.loss:.2%} slower than the best {item.judge}")
    return lines + _near(item) + [f"assumed: {note}" for note in item.assumptions]


def _near(item: Tuning) -> list[str]:
    """How many variants a prediction cannot tell from the best."""
    if len(item.near) < 2 or not item.best.predicted_s:
        return []
    slowest = (item.variants[item.near[-1]].predicted_s or 0.0) / item.best.predicted_s - 1
    return [
        f"predictions cannot tell {len(item.near)} of them apart, the best and those up to {slowest:.0%} slower: "
        "measure these (--strategy hybrid)"
    ]


def _by_cause(item: Tuning) -> dict[str, int]:
    """Merges reasons with the same text before their first number into one cause, shown with its first numbers."""
    causes: dict[str, tuple[str, int]] = {}
    for reason, count in item.pruned.items():
        words = re.split(r"\d", reason, maxsplit=1)[0]
        shown, before = causes.get(words, (reason, 0))
        causes[words] = (shown, before + count)
    return dict(causes.values())


def rows(item: Tuning) -> list[dict[str, object]]:
    """Returns one row per variant."""
    names = ["predicted_s", "judged_s", "reason"]
    names += ["invalidity", "resource", "limit", "excluded"] if item.judge == "measured" else []
    return [{**variant.parameters, **only(variant, *names)} for variant in item.variants]


def variant(item: Variant) -> dict[str, object]:
    """A variant as plain data, without what a model does not say of it."""
    always = ("parameters", "predicted_s", "judged_s", "reason")
    return {name: value for name, value in plain(item).items() if name in always or value}


def _time(variant: Variant) -> float:
    return variant.time_s


def _least(variant: Variant) -> str:
    """Says that a time is a lower bound."""
    return "at least " if variant.excluded else ""


def _seconds(value: float | None) -> str:
    return "" if value is None else units.show(value, "s")


def _shown(variant: Variant) -> str:
    return " ".join(
        f"{name}={value}" if isinstance(value, str) else f"{name}={value:g}"
        for name, value in variant.parameters.items()
    )


# ------------------------------------------------------------------------------------------ replays


def replay_text(item: Replay) -> RenderableType:
    """One row per space: shares of the optimum of the first choices, of random ones, of the hybrid search."""
    table = new_table(
        "space", "set", "of", "Spearman", "top 1, 5, 16", "random 1, 5, 16", "hybrid", "runs to 5 %", "1/s"
    )
    for space in item.spaces:
        table.add_row(
            space.name,
            space.set,
            str(space.configurations),
            f"{space.spearman:.3f}",
            _shares(space.top.values()),
            _shares(space.random.values()),
            f"{space.hybrid:.1%}",
            f"{space.hybrid_runs or '-'} (random {space.random_runs:.0f})",
            f"{space.rate:.2g}" if space.rate else "",
        )
    lines = []
    for name in ("tuning", "report"):
        if found := item.summary(name):
            lines.append(
                f"{name}: {found['spaces']:g} spaces, first choice {found['top_1_least']:.1%} of the optimum or more, "
                f"{found['top_1_median']:.1%} in the median; hybrid {found['hybrid_least']:.1%} or more"
            )
    tables = [_beside(item)] if any(space.beside for space in item.spaces) else []
    lines += [item.beside] if item.beside else []
    lines += [
        f"{_spaced(name)} fails on {', '.join(where)}: {reason}" for (name, reason), where in _refused(item).items()
    ]
    return Group(Text.from_markup(f"[bold]tuning on {item.machine}[/bold]"), table, *tables, *map(Text, lines))


def _refused(item: Replay) -> dict[tuple[str, str], list[str]]:
    """Spaces on which strategies fail, by the strategy and its reason."""
    found: dict[tuple[str, str], list[str]] = {}
    for space in item.spaces:
        for refusal in space.refused:
            found.setdefault((refusal.name, refusal.reason), []).append(space.name)
    return found


def _spaced(strategy: str) -> str:
    return strategy.replace("_", " ")


def _beside(item: Replay) -> Table:
    """One row per space: what strategies of another tuner reach, and how many times the runs of hybrid they need."""
    strategies = list(dict.fromkeys(beside.strategy for space in item.spaces for beside in space.beside))
    table = new_table("16 runs, runs to 5 %", "hybrid", *map(_spaced, strategies), "factor")
    for space in item.spaces:
        found = {beside.strategy: _of_strategy(beside) for beside in space.beside}
        found |= {refusal.name: "fails" for refusal in space.refused}
        cells = [found.get(name, "") for name in strategies]
        factor = "" if space.factor is None else f"{space.factor:.3g}"
        table.add_row(space.name, f"{space.hybrid:.1%} {space.hybrid_runs or '-'}", *cells, factor)
    return table


def _of_strategy(beside: Beside) -> str:
    return f"{beside.top[max(beside.top)]:.1%} {'-' if beside.runs is None else f'{beside.runs:g}'}"


def _shares(values: Iterable[float]) -> str:
    return " ".join(f"{value:.1%}" for value in values)


def replay_rows(item: Replay) -> list[dict[str, object]]:
    """Returns one row per space."""
    return [_replay_row(space) for space in item.spaces]


def _replay_row(space: SpaceReplay) -> dict[str, object]:
    names = ["name", "set", "configurations", "predicted", "spearman", "hybrid", "hybrid_runs", "random_runs", "error"]
    shares = {f"top_{count}": share for count, share in space.top.items()}
    chance = {f"random_{count}": share for count, share in space.random.items()}
    others: dict[str, object] = {}
    for beside in space.beside:
        others |= {f"{beside.strategy}_{max(beside.top)}": beside.top[max(beside.top)]}
        others |= {f"{beside.strategy}_runs": beside.runs}
    if space.beside:
        others["factor"] = space.factor
    others |= {f"{refusal.name}_fails": refusal.reason for refusal in space.refused}
    return {**only(space, *names), **shares, **chance, **only(space, "rate", "chosen", "best"), **others}
