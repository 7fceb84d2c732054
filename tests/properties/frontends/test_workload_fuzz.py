"""Workload files, whatever is in them, give a workload or an InputError."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import foretell
from foretell.errors import InputError
from foretell.frontends import examples, read
from foretell.frontends.files.workload_file import read_workload
from foretell.frontends.read import locate

TEXTS = [path.read_text() for path in map(locate, map("example:{}".format, examples())) if path.suffix == ".toml"]
LINES = sorted({line for text in TEXTS for line in text.splitlines() if line and not line.startswith("#")})
scalars = (
    st.integers() | st.floats() | st.booleans() | st.text(max_size=8) | st.sampled_from(["N", "1/0", "-1", "N**N"])
)


def load(text: str) -> None:
    """Reads a file with this text and predicts it, if it can be read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "w.toml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            foretell.predict(read_workload(path), "sw26010")
        except InputError as error:
            assert str(error)


@given(st.lists(st.sampled_from(LINES), max_size=25))
def test_shuffled_lines(lines: list[str]) -> None:
    load("\n".join(lines))


@given(st.sampled_from(TEXTS), st.data())
def test_mutated_characters(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text = text[:at] + data.draw(st.text(max_size=2)) + text[at + data.draw(st.integers(0, 3)) :]
    load(text)


@given(st.sampled_from(TEXTS), st.data())
def test_replaced_values(text: str, data: st.DataObject) -> None:
    lines = text.splitlines()
    keyed = [n for n, line in enumerate(lines) if "=" in line and not line.startswith("#")]
    at = data.draw(st.sampled_from(keyed))
    value = data.draw(scalars)
    written = {True: "true", False: "false"}.get(value, repr(value)) if isinstance(value, bool) else repr(value)
    lines[at] = lines[at].split("=")[0] + "= " + written.replace("'", '"')
    load("\n".join(lines))


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "w.toml"
        path.write_bytes(data)
        try:
            read(path)
        except InputError as error:
            assert str(path) in str(error)
