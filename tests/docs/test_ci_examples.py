"""The workflow files of the how-to page: their `foretell` commands run in a git repository, as the service would."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from string import Template

import pytest

from tests.support.cli import run
from tests.support.repository import FAST_SUM, SUM, project

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "team" / "check-in-ci.md").read_text()
FILES = dict(re.findall(r"^```yaml file=(\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
#: what the services set
VARIABLES = {"GITHUB_BASE_REF": "main", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}


def commands(text: str) -> list[list[str]]:
    found = re.findall(r"(?:entry:|run:|^\s*-) (foretell .*)$", text, re.MULTILINE)
    return [shlex.split(Template(line).substitute(VARIABLES))[1:] for line in found]


@pytest.mark.parametrize("name", ["performance.yml", ".pre-commit-config.yaml", ".gitlab-ci.yml"])
def test_the_example_passes_and_fails(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORETELL_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    upstream = project(tmp_path / "upstream")
    upstream.git("clone", "--quiet", ".", str(tmp_path / "clone"))
    made = type(upstream)(tmp_path / "clone")
    monkeypatch.chdir(made.root)
    (command,) = commands(FILES[name])
    made.commit("comment", sum_c=f"// a sum\n{FAST_SUM}")
    passed = run(*command)
    assert passed.code == 0, passed.err
    if "--head" in command and command[command.index("--head") + 1] == ".":  # a hook: the work tree
        (made.root / "sum.c").write_text(SUM)
    else:
        made.commit("simplify", sum_c=SUM)
    assert run(*command).code == 4
    written = {word.partition("=")[2] for word in command if word.startswith(("sarif=", "junit="))}
    assert all((made.root / file).stat().st_size for file in written)
