"""The documentation runs: every command, every file and every Python snippet that it shows.

In a Markdown file, `$ foretell …` lines of a ```console block are run in order in one folder (a `# exit N` at the end
of the line says which exit code is right; with `# needs nvcc` it is left out where there is no nvcc); a block with
file=NAME after its language is written to that folder first; ```python blocks are executed.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest

from foretell.cli import _COMMANDS
from foretell.cli import foretell as foretell_command
from tests.support.cli import run

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")])
LINKING = sorted([*PAGES, *ROOT.glob("validation/**/*.md"), *ROOT.glob("benchmarks/**/*.md")])
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
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
    if "needs nvcc" in comment and shutil.which("nvcc") is None:
        return
    assert words[0] == "foretell", f"only foretell commands can be shown and tested: {line}"
    expected = int(found[1]) if (found := re.search(r"exit (\d)", comment)) else 0
    result = run(*words[1:])
    assert result.code == expected, (line, result.err)


@pytest.mark.parametrize("page", LINKING, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    commands = re.findall(r"^```sh\n(.*?)\n```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(commands) == 2
    ci = (ROOT / ".ci/run").read_text()
    assert all(f"\n{command}\n" in ci for command in commands)


def test_every_option_is_in_the_reference() -> None:
    """Each command has a row, and the page names every option."""
    page = (ROOT / "docs/reference/command-line.md").read_text()
    commands = {name: foretell_command.get_command(click.Context(foretell_command), name) for name in _COMMANDS}
    for name, command in commands.items():
        assert f"`foretell {name}" in page
        below = command.commands.values() if isinstance(command, click.Group) else [command]
        flags = {flag for each in below for option in each.params for flag in option.opts if flag.startswith("--")}
        missing = {flag for flag in flags - {"--define", "--include"} if not re.search(rf"(?<![\w-]){flag}\b", page)}
        assert not missing, (name, missing)


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
