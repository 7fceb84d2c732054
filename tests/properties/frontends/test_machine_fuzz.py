"""Whatever a machine file holds, the loader answers with a machine or with an InputError."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from foretell import files
from foretell.core.machine import parameters
from foretell.core.machine.machine import Machine
from foretell.errors import InputError
from foretell.machines import library, load, resolve

DATA = Path(__file__).parents[3] / "src" / "foretell" / "machines" / "data"
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(DATA.glob("*/*.toml"))}

#: a file is written for every example: no time limit, the disk may be slow
settings = hypothesis_settings(deadline=None)

#: pieces that are close to what a file may hold, so that the fuzz gets past the parser
SNIPPETS = st.sampled_from(
    [
        '"1 GB/s"',
        '"-1 B"',
        '"1e400 B"',
        '"1 KB"',
        '"1 B^9*B^9"',
        '"1e-320 s"',
        '"½ B"',
        "nan",
        "-inf",
        "true",
        "[]",
        "{}",
        "{ value = 1 }",
        '{ value = "1 B", source = "nobody" }',
        "2024-01-01T00:00:00Z",
        "0",
        "1" * 400,
        "9" * 5000,
        '"""\n"""',
        "'''",
        "base = 'h100'\n",
        "base = '.'\n",
        "[level.L1]\n",
        "[[conflict]]\n",
        "[level.'a.b']\n",
        "[memory.bandwidth.value]\n",
        "\0",
        "\ufeff",
        "\u2028",
    ]
)
KEYS = st.sampled_from(
    ["name", "title", "kind", "base", "source", "sources", "missing", "conflict", *sorted(parameters.GROUPS)]
)
SCALARS = (
    st.none().map(lambda _: "x")
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["1 GB/s", "2 cycle", "cpu", "sheet", "1 KiB", "sw26010", "yes"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["L1", "size", "latency", "value", "source", "kind", "reference", "check"])
            | st.text(max_size=8),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def toml(value: object) -> str:
    """A value as inline TOML; independent of any TOML writer."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return quoted(value) if isinstance(value, str) else repr(value)


def quoted(text: str) -> str:
    escaped = "".join(c if c.isalnum() or c in " ./-" else f"\\U{ord(c):08x}" for c in text)
    return f'"{escaped}"'


def outcome(text: str) -> Machine | InputError:
    """What the loader makes of a text. Anything but a machine or an InputError fails the test."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.toml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        result: Machine | InputError
        try:
            result, _ = resolve(path)
        except InputError as error:
            result = error
    if isinstance(result, InputError):
        assert result.message
        assert result.line is None or 1 <= result.line <= text.count("\n") + 1
    return result


def usable(machine: Machine) -> None:
    """A machine that loads is well-formed, whatever the file looked like."""
    assert machine.name.strip()
    for path, quantity in machine.quantities.items():
        assert quantity.value > 0
        assert quantity.unit in parameters.parameter(path).units
        assert quantity.source.reference.strip()
    assert machine.content_hash.startswith("sha256:")


@settings
@given(st.dictionaries(KEYS | st.text(max_size=8), VALUES, max_size=6))
def test_random_documents(document: dict[str, object]) -> None:
    text = "\n".join(f"{quoted(key)} = {toml(value)}" for key, value in document.items())
    result = outcome(text)
    if isinstance(result, Machine):
        usable(result)


@settings
@given(st.text())
def test_random_text(text: str) -> None:
    assert isinstance(outcome(text), InputError)


@settings
@given(st.sampled_from(sorted(TEXTS)), st.data())
def test_mutations_of_real_files(name: str, data: st.DataObject) -> None:
    text = TEXTS[name]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 30))
        text = text[:start] + data.draw(SNIPPETS | st.text(max_size=6)) + text[start + length :]
    result = outcome(text)
    if isinstance(result, Machine):
        usable(result)


@settings
@given(st.sampled_from(sorted(TEXTS)), st.data())
def test_mutations_of_one_value(name: str, data: st.DataObject) -> None:
    entries = list(re.finditer(r"^[\w\"'. ]+ = (.+)$", TEXTS[name], re.MULTILINE))
    entry = data.draw(st.sampled_from(entries))
    value = data.draw(SNIPPETS | VALUES.map(toml))
    result = outcome(TEXTS[name][: entry.start(1)] + value + TEXTS[name][entry.end(1) :])
    if isinstance(result, Machine):
        usable(result)


@settings
@given(st.sampled_from(library()), st.data())
def test_a_change_of_any_number_changes_the_hash_and_nothing_else(name: str, data: st.DataObject) -> None:
    machine = load(name)
    path = data.draw(st.sampled_from(sorted(machine.quantities)))
    factor = data.draw(st.floats(1.001, 100))
    other = machine.with_values({path: machine.value(path) * factor})
    assert other.content_hash != machine.content_hash
    assert {p for p in machine.quantities if machine[p] != other[p]} == {path}
    assert other.with_values({path: machine.value(path)}).content_hash == machine.content_hash


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_an_error_points_at_the_broken_line(name: str) -> None:
    """Breaking the unit of any one number is reported on exactly that line."""
    text = TEXTS[name]
    for entry in re.finditer(r'^(?!reference|note)\w+ = (?:\{ value = )?("[\d.]+ [^"]+")', text, re.MULTILINE):
        error = outcome(text[: entry.start(1)] + '"1 furlong"' + text[entry.end(1) :])
        assert isinstance(error, InputError)
        assert error.line == text.count("\n", 0, entry.start()) + 1


@settings
@given(st.text(alphabet="ab.=[]\"' \n#", max_size=60), st.text(alphabet="ab.", min_size=1, max_size=8))
def test_key_line_stays_inside_the_text(text: str, key: str) -> None:
    line = files.key_line(text, key)
    assert line is None or 1 <= line <= text.count("\n") + 1


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_the_unchanged_file_is_the_shipped_machine(name: str) -> None:
    result = outcome(TEXTS[name])
    assert isinstance(result, Machine)
    assert result == load(name)
