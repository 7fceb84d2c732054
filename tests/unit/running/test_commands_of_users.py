"""Commands that a file of the user names (`build` of foretell.toml, `--trip-from-run`) run under the supervisor as all
others: nothing of them is left, and they write only into their folder."""

from __future__ import annotations

import ast
import secrets
import shutil
import sys
from pathlib import Path

import pytest

from foretell import running
from foretell.errors import InputError, ToolError
from foretell.frontends.source import counted_run as counted
from foretell.uses.check import predicting
from tests.unit.running.test_hostile_programs import _DAEMON, _MARK, _marked

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="supervisors need Linux")

SOURCE = Path(__file__).parents[3] / "src" / "foretell"
#: modules that start processes of foretell itself, which end with it
_OWN_WORKERS = {"uses/tuning/workers.py", "serve/pool/pool.py", "running.py"}


def test_programs_of_others_are_started_in_one_module() -> None:
    using = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if "subprocess" in names or (isinstance(node, ast.ImportFrom) and node.module == "subprocess"):
                using.add(path.relative_to(SOURCE).as_posix())
    assert using <= _OWN_WORKERS


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    value = f"mark-{secrets.token_hex(8)}"
    monkeypatch.setenv(_MARK, value)
    return value


@pytest.fixture
def daemon(tmp_path: Path) -> str:
    """A command that leaves a daemon."""
    script = tmp_path / "daemon.py"
    script.write_text(_DAEMON)
    return f"{sys.executable} -IS {script}"


def test_a_build_leaves_no_daemon_and_stays_in_its_folder(
    tmp_path: Path, daemon: str, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "version"
    root.mkdir()
    predicting.build(f"{daemon} && echo 1 > made", root)
    assert (root / "made").exists()
    monkeypatch.delenv(_MARK)
    assert _marked(mark) == []
    with pytest.raises(InputError, match="--allow FOLDER"):
        predicting.build(f"echo 1 > {tmp_path}/outside", root)
    assert not (tmp_path / "outside").exists()
    monkeypatch.setenv(running.ALLOW, str(tmp_path))
    predicting.build(f"echo 1 > {tmp_path}/outside", root)
    assert (tmp_path / "outside").exists()


def test_a_build_without_an_end_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predicting, "_BUILD", running.Limits(0.2))
    with pytest.raises(InputError, match=r"build 'sleep 600': .*took longer than 0.2 s"):
        predicting.build("sleep 600", tmp_path)


@pytest.mark.skipif(shutil.which("gcov") is None or shutil.which("gcc") is None, reason="counts with gcc and gcov")
def test_a_counted_run_leaves_no_daemon(
    tmp_path: Path, daemon: str, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "source"
    folder.mkdir()
    source = folder / "loop.c"
    source.write_text(
        "int main(int n, char **v) {\n  int s = 0;\n  for (int i = 0; i < 9; i++)\n    s += i;\n  return 0;\n}\n"
    )
    monkeypatch.chdir(folder)
    counted.counted_run.cache_clear()
    counts = counted.counted_run(f"./loop && {daemon}", (source,))
    assert counts.trips("loop.c", 3) == (9, 1)
    monkeypatch.delenv(_MARK)
    assert _marked(mark) == []
    with pytest.raises(InputError, match="failed"):
        counted.counted_run(f"./loop && touch {tmp_path}/outside", (source,))
    monkeypatch.setattr(counted, "_OUTPUT", 1 << 20)
    with pytest.raises(ToolError, match="wrote more than"):
        counted.counted_run("./loop && yes", (source,))
    assert list(folder.iterdir()) == [source]
