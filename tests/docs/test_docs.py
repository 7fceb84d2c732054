"""The documentation runs: every command, every file and every Python snippet that it shows.

In a Markdown file, `$ foretell …` lines of a ```console block are run in order in one folder (a `# exit N` at the end
of the line says which exit code is right); a block with file=NAME after its language is written to that folder first;
```python blocks are executed.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from tests.support.cli import run

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")])
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
@pytest.mark.no_cover  # what the pages show has tests of its own
def test_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for language, info, body in FENCE.findall(page.read_text()):
        named = re.search(r"file=(\S+)", info)
        if named:
            Path(named[1]).write_text(body)
        elif language == "console":
            for line in body.splitlines():
                if line.startswith("$ "):
                    _run(line[2:])
        elif language == "python":
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(body, str(page), "exec"), {})


def _run(line: str) -> None:
    command, _, comment = line.partition("  #")
    words = shlex.split(command)
    assert words[0] == "foretell", f"only foretell commands can be shown and tested: {line}"
    expected = int(found[1]) if (found := re.search(r"exit (\d)", comment)) else 0
    result = run(*words[1:])
    assert result.code == expected, (line, result.err)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    commands = re.findall(r"^```sh\n(.*?)\n```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(commands) == 2
    ci = (ROOT / ".ci/run").read_text()
    assert all(f"\n{command}\n" in ci for command in commands)


@pytest.mark.parametrize("script", sorted(ROOT.glob("examples/*.py")), ids=lambda script: script.name)
def test_example_runs(script: Path) -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(script.read_text(), str(script), "exec"), {"__name__": "__main__"})
    assert out.getvalue()


def test_every_decision_is_in_the_register() -> None:
    """Each id that code, tests and pages mention has one row."""
    identifier = re.compile(r"\b(?:SW|AM|SK|EX|R)-[0-9]+b?\b")
    rows = re.findall(r"^\| (\S+) \|", (ROOT / "docs/reference/decisions.md").read_text(), re.MULTILINE)
    registered = [row for row in rows if identifier.fullmatch(row)]
    files = [path for room in ("src", "cpp", "docs", "tests") for path in (ROOT / room).rglob("*")]
    texts = (path.read_text() for path in files if path.suffix in {".py", ".toml", ".md", ".cpp", ".hpp"})
    mentioned = {found for text in texts for found in identifier.findall(text)}
    assert len(registered) == len(set(registered))
    assert mentioned <= set(registered), sorted(mentioned - set(registered))
