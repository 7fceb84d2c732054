"""A process that confines itself: files, programs and connections that it may not have."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

_SCRIPT = """
import json, os, socket, subprocess, sys
from pathlib import Path
from foretell import running
folder, secret = Path(sys.argv[1]), Path(sys.argv[2])
listening = socket.create_server(("127.0.0.1", 0))
done = running.confine(["/usr", "/lib", "/lib64", "/bin", sys.prefix, sys.base_prefix], [folder, "/dev/null"])
def tried(action):
    try:
        action()
    except OSError as error:
        return type(error).__name__
    return "done"
(folder / "script").write_text("#!/bin/sh\\n")
(folder / "script").chmod(0o700)
(folder / "link").symlink_to(secret)
print(json.dumps({"confined": done, **{name: tried(action) for name, action in {
    "read": secret.read_text, "link": (folder / "link").read_text, "etc": Path("/etc/passwd").read_text,
    "proc": Path("/proc/1/cmdline").read_bytes, "list": lambda: os.listdir("/etc"),
    "write": lambda: secret.write_text("x"), "remove": secret.unlink,
    "own": lambda: (folder / "own").write_text("x"), "program": lambda: subprocess.run(["/usr/bin/env", "true"]),
    "execute": lambda: subprocess.run([folder / "script"]),
    "connect": lambda: socket.create_connection(listening.getsockname()),
    "run": lambda: running.run(["/usr/bin/env", "true"]),
}.items()}}))
"""


def test_a_confined_process_has_only_what_it_was_given(tmp_path: Path) -> None:
    own, secret = tmp_path / "own", tmp_path / "secret"
    own.mkdir()
    secret.write_text("secret")
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, own, secret], capture_output=True, text=True, timeout=60, check=True
    )
    said: dict[str, Any] = json.loads(done.stdout)
    if not said.pop("confined"):
        pytest.skip("no Landlock here")
    if said.pop("connect") != "PermissionError":
        assert tuple(map(int, platform.release().split(".")[:2])) < (6, 7)  # Landlock knows no network before
    refused = {"read", "link", "etc", "proc", "list", "write", "remove", "execute"}
    assert {name for name, outcome in said.items() if outcome == "PermissionError"} == refused
    assert {name for name, outcome in said.items() if outcome == "done"} == {"own", "program", "run"}
    assert secret.read_text() == "secret"
