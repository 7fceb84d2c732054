"""Messages of the library in the words of Python."""

from __future__ import annotations

import pytest

from foretell.interface.wording import in_python


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("give each with -D, e.g. -D n=512", 'give each with parameters=, e.g. parameters={"n": 512}'),
        ("give it with -D n@59=…", 'give it with parameters={"n@59": …}'),
        ("give it: --set pipeline.div.gap=20", 'give it: set={"pipeline.div.gap": 20}'),
        ("--set memory.bandwidth=3s: is in s", 'set={"memory.bandwidth": "3s"}: is in s'),
        ("--option overlap=queue is the closed form", 'options={"overlap": "queue"} is the closed form'),
        ("a launch: --grid and --block, --arg for each", "a launch: grid= and block=, args= for each"),
        ("choose one with --kernel", "choose one with function="),
        ("give axes: --axis NAME=1,2,4", 'give axes: axes={"NAME": "1,2,4"}'),
        ("uses (--dynamic-shared)", "uses (dynamic_shared=)"),
        ("--fresh starts anew, --journal FILE takes another", "fresh=True starts anew, journal=FILE takes another"),
        ("run foretell machines probe --quick -o here.toml; or --mode paper",
         "run foretell machines probe --quick -o here.toml; or mode= paper"),
        ("n-body -D-like a--b stays", "n-body -D-like a--b stays"),
    ],
)  # fmt: skip
def test_options_become_keywords(said: str, meant: str) -> None:
    assert in_python(said) == meant
