"""A cache of the output of slow tools, in files named by a hash of all inputs."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path


def folder() -> Path:
    """The cache folder: FORETELL_CACHE, or the user's cache folder."""
    given = os.environ.get("FORETELL_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "foretell"


def place(tool: Path, *parts: object) -> Path:
    """The cache file of an output that depends on these inputs and on the tool itself."""
    status = tool.stat()
    key = hashlib.sha256()
    for part in (status.st_size, status.st_mtime_ns, *parts):
        data = part if isinstance(part, bytes) else str(part).encode()
        key.update(len(data).to_bytes(8, "little") + data)
    return folder() / tool.name / key.hexdigest()


def kept(file: Path) -> bytes | None:
    """The cached data, if any."""
    try:
        return file.read_bytes()
    except OSError:
        return None


def keep(file: Path, data: bytes) -> None:
    """Writes a file atomically, by renaming it; a full disk is no error."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as part:
            part.write(data)
        Path(part.name).replace(file)
    except OSError:
        return
