"""Space files, whatever is in them, give an exploration or an InputError; the whole way, not only the reader."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from foretell.errors import InputError, MissingExtraError
from foretell.uses import explore as use
from foretell.uses.explore.space_file import _FOLDER, examples
from tests.support.explore import GOOD

TEXTS = [GOOD + '[tradeoff]\nbetween = ["cores", "bw"]\nkeep = "cores*bw"\ntotal = 3072\n']
TEXTS += [(_FOLDER / f"{name}.toml").read_text() for name in examples()]
LINES = sorted({line for text in TEXTS for line in text.splitlines() if line and not line.startswith("#")})
#: more points than this are read and checked, but not computed
MOST = 20_000

scalars = (
    st.integers()
    | st.floats()
    | st.booleans()
    | st.text(max_size=6)
    | st.sampled_from(["1:2:0", "1:9", "0 GB/s", "1e400 GB/s", "cores", "1/0", "time", "example:n-body", "sobol"])
    | st.lists(st.integers(-2, 200) | st.floats() | st.sampled_from(["1 GB/s", "8 KiB", "x"]), max_size=4)
)


def load(text: str) -> None:
    """Reads a file with this text and explores it, if it can be read."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "space.toml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            file = use.read_space(path)
            study = use.prepare_study(file, "sw26010")
            if study.space.size <= MOST:
                use.run(study, file, use.Job())
        except MissingExtraError:
            pass
        except InputError as error:
            assert str(error)


@given(st.lists(st.sampled_from(LINES), max_size=30))
def test_shuffled_lines(lines: list[str]) -> None:
    load("\n".join(lines))


@settings(deadline=None)
@given(st.sampled_from(TEXTS), st.data())
def test_mutated_characters(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text = text[:at] + data.draw(st.text(max_size=2)) + text[at + data.draw(st.integers(0, 3)) :]
    load(text)


@settings(deadline=None)
@given(st.sampled_from(TEXTS), st.data())
def test_replaced_values(text: str, data: st.DataObject) -> None:
    lines = text.splitlines()
    keyed = [n for n, line in enumerate(lines) if "=" in line and not line.startswith("#")]
    at = data.draw(st.sampled_from(keyed))
    lines[at] = lines[at].split("=")[0] + "= " + _toml(data.draw(scalars))
    load("\n".join(lines))


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(value).replace("'", '"')


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "space.toml"
        path.write_bytes(data)
        try:
            use.read_space(path)
        except InputError as error:
            assert str(path) in str(error)
