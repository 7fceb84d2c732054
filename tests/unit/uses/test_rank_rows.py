"""Rows of a ranking: what can be compared, and footnotes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foretell.core.answers.answers import Predictions, Refusal
from foretell.core.answers.comparison import comparison
from foretell.core.answers.prediction import Bound, Part, Prediction
from foretell.machines import library, load
from foretell.report import csv, json, text
from foretell.uses.coverage import coverage
from tests.golden.predictions.replay import FOLDERS
from tests.support.cli import run


def row(machine: str, time: float, **changes: object) -> Prediction:
    answer = Prediction(
        time, (Bound("memory bandwidth", time, "memory", "throughput"),), (Part("memory", time),),
        "cpu", 2, "default", machine, "", "triad", "",
    )  # fmt: skip
    return replace(answer, **changes)  # type: ignore[arg-type]


def test_rows_of_one_class_are_compared() -> None:
    rows = (row("a", 1.0), row("b", 2.0))
    assert [comparison(rows).relative(entry) for entry in rows] == [1.0, 2.0]
    assert comparison(()).fastest == 0.0


def test_estimates_that_others_do_not_need_set_a_row_apart() -> None:
    guess = {"estimates": {"memory.core_bandwidth": 1.4, "tlb": 1.001}}
    rows = (row("a", 1.0, details=guess), row("b", 2.0), row("c", 3.0))
    assert comparison(rows).relative(rows[0]) is None
    assert comparison(rows).apart(rows[0]) == "estimated: memory.core_bandwidth"
    assert comparison(rows).relative(rows[1]) == 1.0
    both = (row("a", 1.0, details=guess), row("b", 2.0, details=guess))
    assert comparison(both).relative(both[1]) == 2.0  # none has the number
    sizes = (row("a", 1.0, details=guess), row("a", 2.0))
    assert comparison(sizes).relative(sizes[1]) == 2.0  # one machine at two sizes


def test_other_methods_and_lower_bounds_are_apart() -> None:
    rows = (row("a", 1.0, model="cost", details={"method": "by levels"}), row("b", 2.0), row("c", 3.0, at_least=True))
    item = comparison((*rows, row("d", 4.0)))
    assert item.apart(rows[0]) == "by another method: cost by levels"
    assert item.apart(rows[2]) == "a lower bound"
    assert item.relative(rows[1]) == 1.0


def test_the_table_has_threads_marks_and_footnotes() -> None:
    guess = {"estimates": {"sync": 1.5}, "threads": 8.0}
    notes = ("shared", "estimated for a, within a factor of 2: sync.launch 5 us", "own note")
    refused = tuple(Refusal(f"g{number}", f"model cpu needs a cpu; 'g{number}' is a gpu") for number in range(20))
    item = Predictions(
        (
            row("a", 1.0, details=guess, assumptions=notes),
            row("b", 2.0, details={"threads": 4.0}, assumptions=("shared",)),
            row("c", 3.0, details={"threads": 2.0}, assumptions=("shared",)),
        ),
        refused,
        {"b": 4.0},
    )
    shown = text.render(text.predictions(item), color=False)
    lines = shown.splitlines()
    columns = ("workload", "machine", "threads", "time", "relative", "measured", "reached")
    assert lines[0].split() == [*columns, "bottleneck", "limit", "notes"]
    assert "~ 1 s" in lines[1]
    assert lines[1].endswith("1 2")
    assert "1.00x" in lines[2]
    assert "50%" in lines[2]
    assert "and 12 more" in shown
    assert shown.count("is a gpu") == 1
    assert "[1] ~ not compared by a ratio, estimated: sync" in shown
    assert "[2] own note" in shown
    assert "assumed: shared" in shown
    many = Predictions(tuple(row(f"m{n}", 1.0 + n, assumptions=(f"note {n}",)) for n in range(50)))
    assert "and 10 more footnotes" in text.render(text.predictions(many), color=False)
    assert "workload" in text.render(text.predictions(Predictions(())), color=False)


def test_a_trace_on_two_gpus_is_not_24000_times_as_fast() -> None:
    trace = str(FOLDERS["traces"] / "boxes-2-6.trace.xz")
    found = run("rank", trace, "--on", "h200", "--on", "a100", "--on", "i7-4700", "--format", "json").json()
    times = {entry["machine"]: entry["time_s"] for entry in found["predictions"]}
    assert times["a100"] < 3 * times["h200"]
    shown = run("rank", trace, "--on", "h200", "--on", "a100", "--on", "i7-4700").out
    assert "cost by levels" in shown
    assert "not compared by a ratio, by another method" in shown


def test_every_model_says_what_it_can_do_for_each_machine() -> None:
    item = coverage(library())
    by_name = {entry.machine: entry.answers for entry in item.rows}
    assert by_name["h200"]["gpu"] == "yes"
    assert by_name["h200"]["cpu"] == "no"
    assert by_name["a100"]["gpu"] == "estimates"
    assert by_name["sw26010"]["sunway"] == "yes"
    for name in ("zen2", "zen5", "ice-lake", "granite-rapids", "graviton4", "grace", "apple-m2", "raspberry-pi-5"):
        assert {by_name[name][model] for model in ("cpu", "cost", "counters")} == {"estimates"}, name
    for kind in (text, json, csv):
        assert "zen5" in str(kind.coverage(item) if kind is not text else text.render(text.coverage(item), color=False))
    assert "estimates" in run("machines", "list", "--models").out


@pytest.mark.parametrize("name", ["zen3", "graviton3", "mi300x"])
def test_new_machines_say_where_their_numbers_come_from(name: str) -> None:
    machine = load(name)
    kinds = {quantity.source.kind for quantity in machine.quantities.values()}
    assert "estimated" in kinds
    assert len(kinds) > 1
