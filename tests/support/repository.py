"""A git repository in a temporary folder, as a user has one."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_WHO = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a"}
_WHO |= {"GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}

SUM = """\
void sum(int n, const double *restrict a, double *restrict out)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    out[0] = s;
}
"""
#: the same in four parts: no loop-carried chain of one addition
FAST_SUM = """\
void sum(int n, const double *restrict a, double *restrict out)
{
    double s = 0, t = 0, u = 0, v = 0;
    for (int i = 0; i < n; i += 4) {
        s += a[i];
        t += a[i + 1];
        u += a[i + 2];
        v += a[i + 3];
    }
    out[0] = s + t + (u + v);
}
"""
CONFIGURATION = """\
machines = ["zen4"]
limit = "5%"

[code.sum]
file = "sum.c"
function = "sum"
sizes = { n = 1000 }
"""


@dataclass(frozen=True)
class Project:
    """A repository with files to change and commit."""

    root: Path

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.root), *words],
            env={**os.environ, **_WHO},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def commit(self, title: str, **files: str) -> str:
        """Writes files (sum_c is sum.c) and commits everything."""
        for name, text in files.items():
            (self.root / name.replace("_", ".")).write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", title)
        return self.git("rev-parse", "HEAD")


def project(folder: Path) -> Project:
    """A repository with a function, what is to be checked, and a branch that is checked out."""
    folder.mkdir(exist_ok=True)
    made = Project(folder)
    made.git("init", "--quiet", "-b", "main", ".")
    made.commit("first", sum_c=FAST_SUM, foretell_toml=CONFIGURATION)
    made.git("checkout", "--quiet", "-b", "change")
    return made
