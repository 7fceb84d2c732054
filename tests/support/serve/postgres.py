"""A PostgreSQL of the system in a folder of its own, which can be killed and started again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Self


def programs() -> Path | None:
    """The newest PostgreSQL of Debian, or the one of the path."""
    newest = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    return newest[-1].parent if newest else Path(on_path).parent if on_path else None


class Postgres:
    """A server of one database, reached by a socket in its folder; it runs as nobody where we are root."""

    def __init__(self) -> None:
        found = programs()
        assert found is not None
        self._programs = found
        self._temporary = tempfile.TemporaryDirectory(prefix="foretell-pg-", ignore_cleanup_errors=True)
        self._folder = Path(self._temporary.name)
        self._user: dict[str, int] = {"user": 65534, "group": 65534} if os.getuid() == 0 else {}
        if self._user:
            os.chown(self._folder, 65534, 65534)
        self.url = f"postgresql+pg8000://test@/postgres?unix_sock={self._folder}/.s.PGSQL.5432"

    def __enter__(self) -> Self:
        self._run("initdb", "-A", "trust", "-U", "test")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._run("pg_ctl", "-m", "immediate", "stop", check=False)
        self._temporary.cleanup()

    def start(self) -> None:
        """Starts it, and waits until it answers."""
        options = f"-c listen_addresses= -c unix_socket_directories={self._folder} -c fsync=off"
        self._run("pg_ctl", "-w", "-o", options, "start")

    def kill(self) -> None:
        """Ends it and all its processes as a power cut does."""
        first = int((self._folder / "data/postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._run("pg_ctl", "-m", "immediate", "stop", check=False)  # waits until the last has gone

    def _run(self, program: str, *words: str, check: bool = True) -> None:
        command = [self._programs / program, "-D", self._folder / "data", *words]
        log = self._folder / f"{program}.log"
        with log.open("ab") as out:
            done = subprocess.run(command, stdout=out, stderr=out, cwd=self._folder, check=False, **self._user)
        assert not (check and done.returncode), log.read_text()
