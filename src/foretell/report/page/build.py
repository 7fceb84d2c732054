"""Builds the page of an answer from its document, the one of `--format json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from foretell import units
from foretell.errors import InputError
from foretell.report.page import generic
from foretell.report.page.elements import Bar, Notes, Page, Picture, Point, Source, Table
from foretell.report.page.program_run import program_run
from foretell.report.sections.breakdown import hardly_known, nests_at_peak, place
from foretell.report.sections.predictions import by_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from foretell.report.page.elements import Cell, Section

Document = dict[str, Any]
#: answers whose page says more than their text
PAGES = (
    "prediction", "predictions", "explanation", "split", "tuning", "validation", "check", "exploration", "program_run",
)  # fmt: skip
#: rows of a table, and points of a picture
MOST_ROWS, _MOST_POINTS = 200, 2000


def page(document: Document) -> Page:
    """The page of a document; an error where it is none of ours."""
    if not isinstance(document, dict) or document.get("schema_version") != 1:
        raise InputError("is no answer of foretell", hint="foretell predict … --format json writes one")
    for keys, builder in _KINDS:
        if keys <= document.keys():
            try:
                return builder(document)
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
                raise InputError(f"is a damaged answer: {type(error).__name__}: {error}") from None
    return generic.page(document)


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]], folded: bool = False) -> list[Section]:
    """A table, unless it would be empty."""
    kept = tuple(tuple(row) for row in rows[:MOST_ROWS])
    return [Table(title, tuple(columns), kept, len(rows) - len(kept), folded)] if rows else []


def time(seconds: float | None) -> str:
    """Seconds in a fitting unit."""
    return "" if seconds is None else units.show(float(seconds), "s")


def _prediction(document: Document) -> Page:
    sections = [*parts_and_bounds(document), *_nests(document), *_rates(document), *_repeat(document)]
    name = f"{document['workload']} on {document['machine']}"
    return Page(name, headline(document), tuple(sections), "prediction", document, ((name, document["time_s"]),))


def headline(document: Document) -> str:
    """Time, interval, bottleneck and sizes in words."""
    low, high = document.get("interval_s") or (document["time_s"],) * 2
    between = f" (between {time(low)} and {time(high)})" if high > low and not document["at_least"] else ""
    bound = document["bottleneck"]
    sizes = ", ".join(f"{name} = {value:g}" for name, value in document["parameters"].items())
    nests = [(nest["function"], nest["line"], nest["bottleneck"]) for nest in document.get("nests", ())]
    at_peak = nests_at_peak(document["at_least"], nests)
    causes = hardly_known(document.get("interval_s"), document.get("details", {}).get("uncertainty"))
    between += f" (hardly known: {causes})" if causes else ""
    between += f" (arithmetic at peak in {at_peak})" if at_peak else ""
    seconds = f"{'at least ' * document['at_least']}{time(document['time_s'])}{between}"
    said = f"{document['workload']} on {document['machine']}: {seconds}; bound by {bound['resource']}: {bound['bound']}"
    return f"{said}{'; ' + sizes if sizes else ''}"


def parts_and_bounds(document: Document) -> list[Section]:
    """What the time is made of, and what limits it."""
    parts = [part for part in document["parts"] if part["time_s"]]
    scale = max([document["time_s"], *(abs(part["time_s"]) for part in parts)])
    shares = [
        (p["name"], time(p["time_s"]), Bar(abs(p["time_s"]), scale, "other" if p["time_s"] < 0 else "time"))
        for p in parts
    ]
    bounds = sorted(document["bounds"], key=lambda bound: -bound["time_s"])
    limits = [(b["name"], time(b["time_s"]), Bar(b["time_s"], scale, "limit"), b["resource"]) for b in bounds]
    return [
        *table("what the time is made of", ("part", "time", ""), shares),
        *table("what the time would be if only this limited it", ("bound", "time", "", "resource"), limits),
    ]


def _nests(document: Document) -> list[Section]:
    rows = [
        (
            n["function"],
            place(n["file"], n["line"]),
            time(n["time_s"]),
            Bar(n["share"], 1.0),
            f"{n['share']:.1%}",
            n["bottleneck"],
        )
        for n in document.get("nests", [])
    ]
    return table("where the time goes, by loop nest", ("function", "line", "time", "", "share", "bound by"), rows)


def _rates(document: Document) -> list[Section]:
    rows = []
    for rate in document.get("rates", []):
        value = f"{rate['value']:.1%}" if rate["unit"] == "%" else units.show(rate["value"], rate["unit"])
        peak = rate["of_peak"]
        rows.append((rate["name"], value, "" if peak is None else f"{peak:.1%}", *(_peak_bar(peak))))
    return table("what it reaches", ("rate", "reached", "of the machine's", ""), rows)


def _peak_bar(peak: float | None) -> tuple[Cell, ...]:
    return ("",) if peak is None else (Bar(min(peak, 1.0), 1.0, "other"),)


def _repeat(document: Document) -> list[Section]:
    """Assumptions, and what a repetition needs."""
    options = ", ".join(f"{name}={value}" for name, value in document.get("options", {}).items())
    said = (
        f"model {document['model']} {document['model_version']}, mode {document['mode']}",
        f"machine {document['machine']}, {document['machine_hash']}",
        f"input {document['input_hash']}",
        *((f"options {options}",) if options else ()),
    )
    return [*notes("assumed", document.get("assumptions", ())), Notes("to repeat it", said, folded=True)]


def notes(title: str, items: Sequence[str]) -> list[Section]:
    """Sentences, unless there are none."""
    return [Notes(title, tuple(map(str, items)))] if items else []


def refused(document: Document) -> list[Section]:
    """What could not be predicted: a line for each reason."""
    named = by_reason((entry["name"], entry["reason"]) for entry in document.get("refused", []))
    rows = [(", ".join(names), reason) for reason, names in named.items()]
    return table("not predicted", ("", "why there is no answer"), rows)


def _predictions(document: Document) -> Page:
    entries = document["predictions"]
    longest = max((max(e["time_s"], *(e["interval_s"] or (0.0,))) for e in entries), default=0.0)
    varying = _varying(entries)
    rows = [
        (
            e["workload"],
            e["machine"],
            *(f"{e['parameters'][name]:g}" for name in varying),
            f"{'at least ' * e['at_least']}{time(e['time_s'])}",
            Bar(e["time_s"], longest, "other" if e["at_least"] else "time", _interval(e)),
            e["bottleneck"]["bound"],
        )
        for e in entries
    ]
    fastest = min(entries, key=lambda e: e["time_s"], default=None)
    shortest = f"; the shortest is {headline(fastest)}" if fastest else ""
    title = f"{len(entries)} predictions"
    sections = [
        *_against(entries, varying),
        *table("predicted times", ("workload", "machine", *varying, "time", "", "bottleneck"), rows),
        *refused(document),
        *notes("assumed", _assumed(entries)),
    ]
    times = tuple((_name(e, varying), e["time_s"]) for e in entries)
    return Page(title, title + shortest, tuple(sections), "predictions", document, times)


def _assumed(entries: Sequence[Document]) -> list[str]:
    """What all assume, then what machines assume by themselves, with their names where the text has none."""
    machines = dict.fromkeys(str(e["machine"]) for e in entries)
    of: dict[str, dict[str, None]] = {}
    for entry in entries:
        for text in entry["assumptions"]:
            of.setdefault(str(text), {})[str(entry["machine"])] = None
    shared = [text for text, names in of.items() if len(names) == len(machines)]
    own = [(text, names) for text, names in of.items() if len(names) < len(machines)]
    return shared + [
        text if all(name in text for name in names) else f"{', '.join(names)}: {text}" for text, names in own
    ]


def _interval(entry: Document) -> tuple[float, float] | None:
    low_high = entry["interval_s"]
    return (float(low_high[0]), float(low_high[1])) if low_high else None


def _name(entry: Document, varying: Sequence[str]) -> str:
    sizes = ", ".join(f"{name}={entry['parameters'][name]:g}" for name in varying)
    return f"{entry['workload']} on {entry['machine']}{', ' + sizes if sizes else ''}"


def _varying(entries: Sequence[Document]) -> list[str]:
    shared = set.intersection(*(set(e["parameters"]) for e in entries)) if entries else set()
    return sorted(name for name in shared if len({e["parameters"][name] for e in entries}) > 1)


def _against(entries: Sequence[Document], varying: Sequence[str]) -> list[Section]:
    """The time against the one size that varies."""
    if len(varying) != 1:
        return []
    name = varying[0]
    points = tuple(
        Point(e["parameters"][name], e["time_s"], f"{_name(e, varying)}: {time(e['time_s'])}")
        for e in entries[:_MOST_POINTS]
    )
    single = len({(e["workload"], e["machine"]) for e in entries}) == 1
    return [Picture(f"time against {name}", name, "time", points, y_unit="s", line=single)]


def _explanation(document: Document) -> Page:
    inner = document["prediction"]
    known = [entry for entry in document["sensitivities"] if entry["elasticity"]]
    scale = max((abs(entry["elasticity"]) for entry in known), default=0.0)
    rows = [
        (
            entry["parameter"],
            units.show(entry["value"], entry["unit"]),
            f"{entry['elasticity']:+.3f}",
            Bar(abs(entry["elasticity"]), scale, "limit" if entry["elasticity"] > 0 else "time"),
        )
        for entry in known
    ]
    advice = [(a["title"], a["action"], time(a["time_s"]), time(a["saving_s"])) for a in document["advice"]]
    sections = [
        *parts_and_bounds(inner),
        *_source(document),
        *_nests(inner),
        *_rates(inner),
        *table("% of time for 1 % of the parameter", ("machine parameter", "now", "elasticity", ""), rows),
        *table("what to change in the code", ("change", "what to do", "time", "saves"), advice),
        *_listing(document),
        *_repeat(inner),
    ]
    name = f"{inner['workload']} on {inner['machine']}"
    return Page(name, headline(inner), tuple(sections), "explanation", document, ((name, inner["time_s"]),))


def _source(document: Document) -> list[Section]:
    """The annotated lines of each file."""
    files = dict.fromkeys(line["file"] for line in document["lines"])
    return [
        Source(
            file,
            tuple(
                (line["line"], line["text"], line["share"], time(line["time_s"]))
                for line in document["lines"]
                if line["file"] == file
            ),
        )
        for file in files
    ]


def _listing(document: Document) -> list[Section]:
    rows = [
        (entry["place"], str(entry["line"] or ""), entry["text"], f"{entry['share']:.1%}", Bar(entry["share"], 1.0))
        for entry in document["listing"]
    ]
    return table("machine code", ("at", "line", "instruction", "share", ""), rows, folded=True)


def _split(document: Document) -> Page:
    shares = [(e["machine"], f"{e['share']:.1%}", Bar(e["share"], 1.0), time(e["time_s"])) for e in document["shares"]]
    ways = [("split by predicted cost", document["split_s"]), ("even split", document["even_s"])]
    ways += [("best device alone", document["best_alone_s"])]
    longest = max(seconds for _, seconds in ways)
    rows = [(name, time(seconds), Bar(seconds, longest, "other")) for name, seconds in ways]
    sections = [
        *table(document["workload"], ("device", "share", "", "its time"), shares),
        *table("", ("work", "time", ""), rows),
        *refused(document),
    ]
    title = f"{document['workload']}, split"
    alone = f"{time(document['best_alone_s'])} on the best device"
    said = f"{document['workload']}: {time(document['split_s'])} split, {alone}"
    return Page(title, said, tuple(sections), "split", document, tuple(ways))


def _tuning(document: Document) -> Page:
    known = sorted((v for v in document["variants"] if v["predicted_s"] is not None), key=lambda v: v["predicted_s"])
    longest = max((v["predicted_s"] for v in known), default=0.0)
    rows = [(_values(v), time(v["predicted_s"]), Bar(v["predicted_s"], longest)) for v in known]
    judged = [v for v in known if v["judged_s"] is not None]
    points = tuple(Point(v["predicted_s"], v["judged_s"], f"{_values(v)}: {time(v['judged_s'])}") for v in judged)
    picture = [Picture("predicted and judged", "predicted", "judged", points, "s", "s", equal=True)] if points else []
    best, default = document["best"], document["default"]
    title = f"{document['workload']} on {document['machine']}, tuned"
    said = f"{document['workload']} on {document['machine']}: best {_values(best)}, {time(best['predicted_s'])}"
    said += f" instead of {time(default['predicted_s'])} with {_values(default)}"
    found = f"{len(known)} of {len(document['variants'])} variants, best first"
    sections = [*picture, *table(found, ("variant", "predicted", ""), rows), *notes("assumed", document["assumptions"])]
    times = tuple((name, v["predicted_s"]) for name, v in (("best", best), ("default", default)) if v["predicted_s"])
    return Page(title, said, tuple(sections), "tuning", document, times)


def _advice(document: Document) -> Page:
    """Changes of a code with their gains, those that were refused, and the prediction that they start from."""
    longest = max((change["interval"][1] for change in document["changes"]), default=1.0)
    rows = [_change(change, longest) for change in document["changes"]]
    kept = [(one["id"], one["title"], str(one["line"]), one["reason"]) for one in document["refused_changes"]]
    columns = ("change", "line", "faster", "", "why", "correct", "by", "id")
    base = document["prediction"]
    sections = [
        *table(f"{document['tried']} changes were tried", columns, rows),
        *table("changes that are not possible, or gain less", ("id", "change", "line", "reason"), kept, folded=True),
        *parts_and_bounds(base),
        *notes("assumed", base["assumptions"]),
    ]
    times = (("now", base["time_s"]), *((one["title"], one["time_s"]) for one in document["changes"][:1]))
    title = f"{base['workload']} on {base['machine']}, changed"
    return Page(title, document["headline"], tuple(sections), "advice", document, times)


def _change(change: Document, longest: float) -> tuple[Cell, ...]:
    low, high = change["interval"]
    bar = Bar(change["gain"], longest, "time", (low, high))
    faster = f"{change['gain']:.2f} × ({low:.2f}–{high:.2f})"
    names = ", ".join((*change["ids"], *change["codee"]))
    return change["title"], str(change["line"]), faster, bar, change["why"], change["legality"], change["basis"], names


def _values(variant: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value:g}" for name, value in variant["parameters"].items())


def _validation(document: Document) -> Page:
    points = document["points"]
    rows = [
        (p["case"], p["set"], time(p["predicted_s"]), time(p["measured_s"]), f"{p['error']:+.1%}", p["bottleneck"])
        for p in points
    ]
    summary = [
        (name, *(_statistic(key, value) for key, value in entry.items())) for name, entry in document["summary"].items()
    ]
    first: Document = next(iter(document["summary"].values()), {})
    plotted = tuple(map(_measured_point, points[:_MOST_POINTS]))
    columns = ("case", "set", "predicted", "measured", "error", "bottleneck")
    sections: list[Section] = [
        Picture("predicted against measured", "measured", "predicted", plotted, "s", "s", logarithmic=True, equal=True),
        *table("statistics", ("set", *(name.replace("_", " ") for name in first)), summary),
        *table("cases", columns, rows),
        *refused(document),
    ]
    said = f"{document['title']}: {len(points)} cases"
    return Page(document["name"], said, tuple(sections), "validation", document)


#: statistics that are no shares
_RATIOS = ("spearman", "interval_ratio")


def _statistic(name: str, value: object) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:.3g}" if name in _RATIOS else f"{value:.1%}"


def _measured_point(point: Document) -> Point:
    label = f"{point['case']}: {time(point['predicted_s'])}, measured {time(point['measured_s'])}"
    return Point(point["measured_s"], point["predicted_s"], label, "time" if point["set"] == "report" else "other")


#: keys that a document of each kind has
_KINDS: tuple[tuple[frozenset[str], Callable[[Document], Page]], ...] = (
    (frozenset({"prediction", "sensitivities"}), _explanation),
    (frozenset({"predictions", "refused"}), _predictions),
    (frozenset({"time_s", "bounds", "parts"}), _prediction),
    (frozenset({"shares", "split_s"}), _split),
    (frozenset({"variants", "best"}), _tuning),
    (frozenset({"changes", "refused_changes"}), _advice),
    (frozenset({"points", "summary", "title"}), _validation),
    (frozenset({"changes", "not_compared"}), generic.check),
    (frozenset({"front", "objectives"}), generic.exploration),
    (frozenset({"devices", "operations", "command"}), program_run),
)
