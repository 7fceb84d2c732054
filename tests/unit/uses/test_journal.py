"""Journals: lines with right checksums and wrong contents are errors with their numbers, never exceptions."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from foretell import api, machines
from foretell.errors import InputError
from foretell.uses import explore as use
from foretell.uses import journal
from foretell.uses.explore import store
from foretell.uses.tuning import annotated, tuner
from tests.support.explore import GOOD, study

if TYPE_CHECKING:
    from pathlib import Path


def lines(*documents: object) -> bytes:
    """A journal of these lines, with right checksums."""
    texts = [document if isinstance(document, bytes) else json.dumps(document).encode() for document in documents]
    return b"".join(f"{zlib.crc32(text):08x} ".encode() + text + b"\n" for text in texts)


@dataclass(frozen=True)
class Entry:
    """For these tests."""

    number: int
    change: float = 0.0


HEADER = {"some-magic": 1, "key": "k"}


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"number": "1"}, "entry.number: must be a whole number"),
        ({"number": 1, "other": 2}, "unknown key 'other'"),
        ({}, "entry.number: is missing"),
        ({"number": -1}, "must be not negative"),
        ([1], "not an object"),
        (b'{"number": 1', "not valid JSON"),
        (b'{"number": 1, "change": 1e999}', "not a finite number"),
    ],
)
def test_a_wrong_entry_is_named_by_its_line(tmp_path: Path, entry: object, said: str) -> None:
    path = tmp_path / "j"
    path.write_bytes(lines(HEADER, {"number": 1}) + b"torn\n" + lines(entry))
    with pytest.raises(InputError, match=said) as caught:
        list(journal.entries(path, Entry))
    assert (caught.value.file, caught.value.line) == (str(path), 4)


def test_entries_are_typed_and_torn_lines_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(lines(HEADER, {"number": 1, "change": -2}) + b"torn\n" + lines({"number": 3}) + b"0000")
    assert list(journal.entries(path, Entry, frozenset({"change"}))) == [Entry(1, -2.0), Entry(3)]


def test_a_journal_of_another_version_says_so(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(lines({"some-magic": 2, "key": "k"}))
    with pytest.raises(InputError, match="a journal of version 2, and not 1 of some magic"):
        journal.read_header(path, "some-magic")
    path.write_bytes(lines({"other": 1}))
    with pytest.raises(InputError, match="is not a journal of some magic"):
        journal.read_header(path, "some-magic")


# ---------------------------------------------------------------------------------------- explore


def changed(path: Path, key: str, value: Any, place: int = 1) -> None:
    """The journal with another value in a line; `key` is a path with dots."""
    documents = [json.loads(line.split(b" ", 1)[1]) for line in path.read_bytes().splitlines()]
    *outer, last = key.split(".")
    inner = documents[place]
    for name in outer:
        inner = inner[name]
    inner[last] = value
    path.write_bytes(lines(*documents))


def zipped(data: bytes) -> str:
    import base64

    return base64.b64encode(zlib.compress(data)).decode()


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("block", "x", "entry.block: must be a whole number"),
        ("summary.points", -5, "must be not negative"),
        ("summary.front", [3, 1, "AAAA"], "packed designs are damaged"),
        ("summary.front", [3, 1, "%"], "packed designs are damaged"),
        ("summary.front", [3, 1 << 40, ""], "GiB"),
        ("summary.front", [2, 1, zipped(bytes(24))], "packed designs are damaged"),
        ("summary.top", [3, 1], "must have 3 items, has 2"),
        ("summary.best", [], "another exploration, or damaged"),
        ("summary.lowest", [1.0], "another exploration, or damaged"),
        ("summary.histogram", {"1": 2}, "must be a list"),
    ],
)
def test_a_wrong_line_of_an_exploration_is_refused(tmp_path: Path, key: str, value: Any, said: str) -> None:
    prepared, file = study(tmp_path, GOOD)
    path = tmp_path / "journal"
    use.run(prepared, file, use.Job(journal=path))
    changed(path, key, value)
    with pytest.raises(InputError, match=said) as caught:
        use.run(prepared, file, use.Job(journal=path))
    assert caught.value.file == str(path)


def test_a_wrong_header_of_an_exploration_is_refused(tmp_path: Path) -> None:
    prepared, file = study(tmp_path, GOOD)
    path = tmp_path / "journal"
    use.run(prepared, file, use.Job(journal=path))
    for key, value in (("blocks", "many"), ("recipe", {"on": 3}), ("recipe", {"command": "rm"})):
        kept = path.read_bytes()
        changed(path, key, value, place=0)
        with pytest.raises(InputError, match="header"):
            store.read_header(path)
        path.write_bytes(kept)


def test_bounds_that_are_not_finite_survive_the_journal(tmp_path: Path) -> None:
    from foretell.decoding import decoded
    from foretell.uses.explore.summary import SIGNED, Points, StoredSummary, Summary, decode, encode

    nothing = Points.none(2)
    summary = Summary(1, 0, 0, nothing, nothing, (None,), {}, (-1.0, 2.0), (3.0, float("inf")))
    text = json.dumps(encode(summary), allow_nan=False)
    again = decode(decoded(StoredSummary, json.loads(text), "", SIGNED), 2, 1)
    assert (again.lowest, again.highest, again.best) == (summary.lowest, summary.highest, summary.best)


# ---------------------------------------------------------------------------------------- tune


def test_a_wrong_line_of_a_search_is_refused(tmp_path: Path) -> None:
    case = api.prepare("example:hotspot.c", machines.load("sw26010"), parameters={"n": 32, "m": 32})
    space = annotated.search_space(case, ())
    path = tmp_path / "journal"
    job = annotated.Job("hybrid", 2, path)
    answer = annotated.tune(case, space, job)
    assert annotated.tune(case, space, job).best == answer.best
    for key, value, said in (("judged_s", "x", "must be a number"), ("point", [1], "must be an object")):
        kept = path.read_bytes()
        changed(path, key, value)
        with pytest.raises(InputError, match=said):
            annotated.tune(case, space, job)
        path.write_bytes(kept)


def test_entries_of_a_kernel_search_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    variant = {"parameters": {"B": 64, "T": "f"}, "predicted_s": 1e-6, "limit": "latency", "throughput_s": {"fp": 1e-7}}
    good = {"what": "predict", "warps": None, "precise": True, "variant": variant}
    path.write_bytes(lines({"foretell-tune-kernel": 1, "key": "k"}, good))
    (entry,) = journal.entries(path, tuner._Entry)
    assert entry.variant.parameters == {"B": 64.0, "T": "f"}
    assert entry.variant.limit == "latency"
    variants = ({"parameters": {"B": [1]}}, {"invalidity": "no"}, {"predicted_s": -1.0})
    for wrong in ({"what": "other"}, {"warps": 1.5}, *({"variant": {**variant, **change}} for change in variants)):
        path.write_bytes(lines({"foretell-tune-kernel": 1, "key": "k"}, {**good, **wrong}))
        with pytest.raises(InputError, match="entry"):
            list(journal.entries(path, tuner._Entry))
