"""The machine loader and its cross-checks, on small files written here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from foretell.core.machine.machine import Quantity, Source
from foretell.errors import InputError, MachineError
from foretell.machines import load
from tests.support.machine_text import PLAIN, changed, error_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[..., Path]


# --- what a good file gives -------------------------------------------------------------------------------


def test_values_are_in_si_units_and_know_their_source(write: Write) -> None:
    machine = load(write(PLAIN))
    assert machine.name == "plain"
    assert machine.levels == ("L1", "L2")
    assert machine["memory.bandwidth"] == Quantity(20e9, "B/s", Source("datasheet", "Vendor, document, page 1"))
    assert machine.value("level.L1.size") == 32 * 1024
    assert machine.warnings == ()


def test_latencies_convert_through_the_clock(write: Write) -> None:
    machine = load(write(PLAIN))
    assert machine.cycles("level.L1.latency") == 4
    assert machine.seconds("level.L1.latency") == pytest.approx(2e-9)
    assert machine.cycles("level.L2.latency") == pytest.approx(20)


def test_decimal_and_binary_sizes_differ(write: Write) -> None:
    decimal = load(write(PLAIN.replace("1 MiB", "1 MB")))
    assert decimal.value("level.L2.size") == 1_000_000


@pytest.mark.parametrize("level", ["entry", "table", "file"])
def test_the_nearest_source_counts(write: Write, level: str) -> None:
    text = PLAIN + '\n[sources.other]\nkind = "measured"\nreference = "a bench"\n'
    if level == "entry":
        text = text.replace('"20 GB/s"', '{ value = "20 GB/s", source = "other" }')
    elif level == "table":
        text = text.replace("[memory]", '[memory]\nsource = "other"')
    else:
        text = text.replace('source = "sheet"', 'source = "other"', 1)
    assert load(write(text))["memory.bandwidth"].source == Source("measured", "a bench")


def test_a_missing_parameter_says_what_it_is_and_why(write: Write) -> None:
    machine = load(write(PLAIN + '\n[missing]\n"sync.global" = "nobody measured it"\n'))
    with pytest.raises(MachineError) as caught:
        machine.value("sync.global")
    message = str(caught.value)
    assert "'plain' has no sync.global" in message
    assert "one synchronisation of the whole machine" in message
    assert "nobody measured it" in message


def test_an_absent_parameter_without_a_reason(write: Write) -> None:
    with pytest.raises(MachineError, match=r"has no link\.bandwidth \(bandwidth to the host"):
        load(write(PLAIN)).value("link.bandwidth")


def test_asking_for_an_unknown_parameter_names_the_nearest(write: Write) -> None:
    with pytest.raises(MachineError, match=r"did you mean 'memory\.bandwidth'"):
        load(write(PLAIN)).value("memory.bandwith")


# --- inheritance ------------------------------------------------------------------------------------------


def test_a_variant_keeps_what_it_does_not_override(write: Write) -> None:
    write(PLAIN, "plain.toml")
    variant = load(
        write(
            'name = "faster"\nbase = "plain.toml"\nsource = "mine"\n'
            '[sources.mine]\nkind = "assumed"\nreference = "what if"\n'
            '[memory]\nbandwidth = "40 GB/s"\n',
            "faster.toml",
        )
    )
    assert variant.name == "faster"
    assert variant.kind == "cpu"
    assert variant.value("memory.bandwidth") == 40e9
    assert variant["memory.bandwidth"].source.kind == "assumed"
    assert variant["memory.latency"].source.kind == "datasheet"


def test_a_base_is_found_beside_the_file_that_names_it(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(PLAIN, "lib/plain.toml")
    variant = write('name = "v"\nbase = "../lib/plain.toml"\n', "mine/v.toml")
    monkeypatch.chdir(tmp_path)
    assert load(variant).value("cores.count") == 4


def test_a_variant_of_a_shipped_machine(write: Write) -> None:
    assert load(write('name = "mine"\nbase = "sw26010"\n')).value("cores.count") == 64


def test_a_base_chain_keeps_the_latest_value(write: Write) -> None:
    write(PLAIN, "a.toml")
    write('name = "b"\nbase = "a.toml"\nsource = "sheet"\n[memory]\nbandwidth = "30 GB/s"\n', "b.toml")
    last = load(write('name = "c"\nbase = "b.toml"\n', "c.toml"))
    assert last.value("memory.bandwidth") == 30e9


def test_a_variant_needs_its_own_source(write: Write) -> None:
    write(PLAIN, "a.toml")
    error = error_of(write('name = "b"\nbase = "a.toml"\n[memory]\nbandwidth = "30 GB/s"\n', "b.toml"))
    assert "memory.bandwidth: has no source" in error.message
    assert error.line == 4


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_a_cycle_of_bases_is_refused(write: Write, steps: int) -> None:
    for step in range(steps):
        write(f'name = "m"\nbase = "{(step + 1) % steps}.toml"\n', f"{step}.toml")
    with pytest.raises(MachineError, match="leads back"):
        load(write('name = "m"\nbase = "0.toml"\n', "start.toml"))


def test_a_cycle_through_changing_paths_ends(write: Write) -> None:
    path = write('name = "m"\nbase = "../d/a.toml"\n', "d/a.toml")
    assert "leads back" in error_of(path).message


def test_an_error_in_the_base_names_the_base(write: Write) -> None:
    base = write(PLAIN.replace('"20 GB/s"', '"20 GHz"'), "a.toml")
    error = error_of(write('name = "b"\nbase = "a.toml"\n', "b.toml"))
    assert error.file == str(base)


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ('"nowhere.toml"', "no such file"),
        ('"sw2601"', "did you mean 'sw26010'"),
        (f'"{"x" * 5000}"', "no machine"),
        ("3", "must be a text"),
        ('"/"', "directory"),
    ],
)
def test_a_bad_base(write: Write, base: str, message: str) -> None:
    assert message in str(error_of(write(f'name = "b"\nbase = {base}\n')))


def test_missing_reasons_go_away_when_a_variant_gives_the_number(write: Write) -> None:
    write(PLAIN + '\n[missing]\n"sync.global" = "nobody"\n', "a.toml")
    machine = load(write('name = "b"\nbase = "a.toml"\nsource = "sheet"\n[sync]\nglobal = "1 us"\n', "b.toml"))
    assert "sync.global" not in machine.missing


# --- refusals, each with its line -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (changed("[memory]\nbandwidth", "[memory]\nbandwith"), 31, "did you mean 'memory.bandwidth'"),
        (changed('kind = "cpu"', 'kind = "quantum"'), 3, "'quantum' is not one of cpu, gpu, manycore"),
        (changed('kind = "cpu"\n', ""), None, "kind: is missing"),
        (changed('name = "plain"\n', ""), None, "name: is missing"),
        (changed('name = "plain"', "name = 3"), 1, "name: must be a text"),
        (changed('name = "plain"', 'name = "  "'), 1, "name: must be a text"),
        (changed("[clock]", "[clok]"), 10, "did you mean 'clock'"),
        (changed('"1 MiB"', '"1 MB/s"'), 27, "is in B/s, expected B"),
        (changed('"1 MiB"', '"1 KB"'), 27, "KiB for 1024"),
        (changed('"1 MiB"', '"1 furlong"'), 27, "unknown unit 'furlong'"),
        (changed('"1 MiB"', '"lots"'), 27, "is not a number with a unit"),
        (changed('"1 MiB"', "4096"), 27, "is in no unit, expected B"),
        (changed('"1 MiB"', '"-1 MiB"'), 27, "is not a positive number"),
        (changed('"1 MiB"', '"0 MiB"'), 27, "is not a positive number"),
        (changed('"1 MiB"', '"1e999 MiB"'), 27, "finite"),
        (changed('"10 ns"', '"4 cycle/s"'), 28, "expected cycle or s"),
        (changed("count = 4", "count = 4.5"), 14, "is not a whole number"),
        (changed("count = 4", "count = nan"), 14, "is not a positive number"),
        (changed("count = 4", "count = inf"), 14, "is not a positive number"),
        (changed("count = 4", "count = -4"), 14, "is not a positive number"),
        (changed("count = 4", "count = 0"), 14, "is not a positive number"),
        (changed("count = 4", "count = 1e30"), 14, "is more than any machine has"),
        (changed("count = 4", "count = true"), 14, "must be a number with a unit"),
        (changed("count = 4", "count = [4]"), 14, "must be a number with a unit"),
        (changed("count = 4", "count = 2024-01-01"), 14, "must be a number with a unit"),
        (changed("count = 4", f"count = 1{'0' * 400}"), 14, "is too large"),
        (changed("count = 4", "count = { value = 4, by = 3 }"), 14, "must be { value"),
        (changed("count = 4", "count = { source = 'sheet' }"), 14, "must be { value"),
        (changed("count = 4", "count = { value = 4, source = 'sheat' }"), 14, "did you mean 'sheet'"),
        (changed("count = 4", "count = { value = 4, source = 3 }"), 14, "must be a text"),
        (changed('source = "sheet"', 'source = "sheat"'), 4, "'sheat' is not under [sources]"),
        (changed('source = "sheet"\n', ""), 10, "clock.frequency: has no source"),
        (changed('kind = "datasheet"', 'kind = "rumour"'), 7, "'rumour' is not one of measured"),
        (changed('kind = "datasheet"\n', ""), 6, "sources.sheet.kind: is missing"),
        (changed('reference = "V', 'refrence = "V'), 8, "did you mean 'reference'"),
        (changed('"Vendor, document, page 1"', '""'), 8, "sources.sheet.reference: must be a text"),
        (changed("[memory]", '[memory]\nwrite_allocate = "maybe"'), 31, "'maybe' is not one of yes, no"),
        (changed("[memory]", "[memory]\nwrite_allocate = false"), 31, "False is not one of yes, no"),
        (changed("[memory]", "[memory]\nlatency_spread = [1, 2]"), 31, "separated by commas"),
        (changed("[memory]", '[memory]\nlatency_spread = "1 cycle, 2 ns"'), 31, "' 2 ns' is in s, expected"),
        (changed("[level.L1]", '[level."L.1"]'), 22, "a name cannot hold a dot"),
        (changed("[level.L1]", '[level]\nL0 = "x"\n[level.L1]'), 23, "level.L0: must be a table"),
        (changed('[sources.sheet]\nkind = "datasheet"', '[sources]\nsheet = "x"'), 7, "must be a table"),
        (changed("[cores]\ncount", "[cores\ncount"), 13, "not valid TOML"),
        (changed("count = 4", f"count = {'9' * 5000}"), None, "a number is too long"),
        ("conflict = 3\n" + PLAIN, 1, "must be [[conflict]] tables"),
        ("conflict = [3]\n" + PLAIN, 1, "must be [[conflict]] tables"),
        (PLAIN + "\n[missing]\n'memory.latncy' = 'x'\n", 35, "did you mean 'memory.latency'"),
        (PLAIN + "\n[missing]\n'sync.global' = 3\n", 35, "missing.sync.global: must be a text"),
        (PLAIN + "\n[[conflict]]\ncheck = 'peek'\n", 35, "'peek' is not one of counts, peak"),
        (PLAIN + "\n[[conflict]]\ncheck = 'peak'\nwhy = 'x'\n", 36, "unknown key"),
        (PLAIN + "\n[[conflict]]\ncheck = 'peak'\nnote = 'x'\n", 34, "conflict.decision: is missing"),
    ],
)
def test_a_refusal_names_the_key_and_its_line(write: Write, text: str, line: int | None, message: str) -> None:
    error = error_of(write(text))
    assert message in str(error)
    assert error.line == line


def test_the_second_level_is_named_not_the_first(write: Write) -> None:
    # both levels have a `size`: the line must be that of the wrong one
    assert error_of(write(changed('"1 MiB"', '"1 s"'))).line == 27
    assert error_of(write(changed('"32 KiB"', '"1 s"'))).line == 23


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\0\1\2", "binary"),
        (b'name = "\xff"', "UTF-8"),
        (b"[" * 20000, "not valid TOML"),
        (b"a = " + b"[" * 100000, "nested too deeply"),
        (b"", "name: is missing"),
    ],
)
def test_files_that_are_no_machine(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "m.toml"
    path.write_bytes(content)
    assert message in str(error_of(path))


def test_a_directory_and_a_huge_file(tmp_path: Path) -> None:
    assert "directory" in str(error_of(tmp_path))
    huge = tmp_path / "huge.toml"
    with huge.open("wb") as handle:
        handle.truncate(100_000_000)
    assert "too large" in str(error_of(huge))


@pytest.mark.parametrize(
    ("name", "message"),
    [("/dev/null", "not a regular file"), ("a\0b.toml", "no such file"), ("no.toml", "no such file")],
)
def test_paths_that_are_no_file(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(name)


def test_an_unknown_name_hints_at_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'neoverse-n1'"):
        load("neoverse-n2")
    with pytest.raises(InputError, match="no machine"):
        load("a" * 5000)
