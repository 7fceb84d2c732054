"""Results kept between runs: one folder, one entry format, one size limit.

A kind of entry (`Kind("assembly", version=1)`) is a folder of files. The name of a file is its key, the hash of all
that the data was made of. A file is one header line and the data:

    foretell-cache 1 KIND VERSION KEY SHA256-OF-THE-DATA BYTES

A reader gets data only where the whole header is what it expects and the checksum is right. Everything else (torn,
tampered, renamed, of another version or user) is removed with a note and made anew. Entries are data: never pickles,
and what is linked or loaded is copied from the checked bytes. Their content is checked as well (`read_json`): types,
keys, ranges. No failure of the cache is an error of the caller.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell import decoding
from foretell.errors import CacheWarning, InputError
from foretell.files import parse_json, remove, replace_content

if TYPE_CHECKING:
    from collections.abc import Iterator

#: version of the header line
_FORMAT = 1
_MAGIC = "foretell-cache"
#: environment variables: the folder (`off`: nothing is kept), and the size limit in MiB
FOLDER, SIZE, OFF = "FORETELL_CACHE", "FORETELL_CACHE_MIB", "off"
#: default size limit: half a GiB holds some ten thousand compiled units
DEFAULT_MIB = 512
#: largest entry, as a share of the size limit; and how much a process writes between two looks at the whole size
_LARGEST, _BETWEEN = 4, 16
_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}")
_KEY = re.compile(r"[0-9a-f]{64}")

#: bytes that this process has written since it last looked at the size of the cache; None: it never looked
_written: int | None = None


def folder() -> Path | None:
    """The cache folder: FORETELL_CACHE, or the user's cache folder; None where nothing is kept."""
    given = os.environ.get(FOLDER)
    if given:
        return None if given == OFF else Path(given).absolute()
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(base) if base.startswith("/") else Path.home() / ".cache") / "foretell"
    except RuntimeError:  # no home folder
        return None


def size_limit() -> int:
    """The size limit in bytes: FORETELL_CACHE_MIB, or the default."""
    given = os.environ.get(SIZE, "").strip()
    if not given:
        return DEFAULT_MIB << 20
    if not re.fullmatch(r"\d{1,9}", given):
        _note(f"{SIZE}={given!r} is not a number of MiB; the limit is {DEFAULT_MIB} MiB")
        return DEFAULT_MIB << 20
    return int(given) << 20


def key_of(*parts: object) -> str:
    """The key of an entry: the hash of all that it is made of. Parts are bytes, or have a text of their own."""
    key = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogateescape")
        key.update(len(data).to_bytes(8, "little") + data)
    return key.hexdigest()


def state_of(tool: Path) -> tuple[str, int, int]:
    """What tells one version of a program from another, as parts of a key: its path, size and time of change."""
    status = tool.stat()
    return str(tool.resolve()), status.st_size, status.st_mtime_ns


@lru_cache(maxsize=1)
def package_hash() -> str:
    """The hash of this package, as a part of keys: another version may answer otherwise."""
    own = Path(__file__).parent
    parts: list[str | bytes] = []
    for path in sorted(own.rglob("*")):
        if path.suffix in (".py", ".so", ".toml") and "data" not in path.relative_to(own).parts:
            parts += [path.relative_to(own).as_posix(), path.read_bytes()]
    return key_of(*parts)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of entries. `version` is that of the data's format and of the code that makes it: raise it with either."""

    name: str
    version: int

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name) or self.version < 0:
            raise ValueError(f"not a kind of cache entries: {self.name!r}, version {self.version}")

    def read(self, key: str) -> bytes | None:
        """The data of an entry, checked; None where it is not kept, or not usable."""
        folder = _private_folder(self.name, make=False)
        if folder is None:
            return None
        file = folder / _checked_key(key)
        try:
            data = _read(file)
        except OSError:
            return None
        header, _, content = data.partition(b"\n")
        if header != self._header(key, content):
            remove(file)
            if not self._is_of_another_version(header, key):
                _note(f"{file}: is damaged; it is made anew")
            return None
        _touch(file)
        return content

    def read_json(self, key: str, form: Any, signed: frozenset[str] = frozenset()) -> Any:
        """The document of an entry, as it was written, if it has a form that `decoding` checks; None as for `read`. A
        right checksum says that nothing is damaged, not that the data have the form that this version expects."""
        data = self.read(key)
        if data is None:
            return None
        try:
            document = parse_json(data.decode())
            decoding.decoded(form, document, "entry", signed)
            return document
        except (InputError, UnicodeDecodeError) as error:
            self.drop(key, str(error))
            return None

    def drop(self, key: str, reason: str) -> None:
        """Removes an entry whose data cannot be used, with a note."""
        folder = _private_folder(self.name, make=False)
        if folder is not None:
            _note(f"{folder / _checked_key(key)}: cannot be used ({reason}); it is made anew")
            remove(folder / key)

    def write(self, key: str, data: bytes) -> None:
        """Keeps data; without room for it, or without a private folder, nothing happens."""
        if len(data) > size_limit() // _LARGEST:
            return
        folder = _private_folder(self.name, make=True)
        if folder is None:
            return
        try:
            replace_content(folder / _checked_key(key), self._header(key, data) + b"\n" + data, sync=False, mode=0o600)
        except OSError:
            return
        _limit_size(len(data))

    def _is_of_another_version(self, header: bytes, key: str) -> bool:
        magic, form, name, version, *rest = [*header.split(b" "), b"", b"", b"", b""]
        mine = [_MAGIC.encode(), str(_FORMAT).encode(), self.name.encode()]
        return [magic, form, name] == mine and rest[:1] == [key.encode()] and version != str(self.version).encode()

    def _header(self, key: str, data: bytes) -> bytes:
        checksum = hashlib.sha256(data).hexdigest()
        return f"{_MAGIC} {_FORMAT} {self.name} {self.version} {key} {checksum} {len(data)}".encode()


@dataclass(frozen=True, slots=True)
class Usage:
    """What one kind of entries takes."""

    kind: str
    entries: int
    size: int


def usage() -> list[Usage]:
    """The kinds of entries that are kept, by name."""
    counts: dict[str, list[int]] = {}
    for entry in _entries():
        counts.setdefault(entry.file.parent.name, []).append(entry.size)
    return [Usage(kind, len(sizes), sum(sizes)) for kind, sizes in sorted(counts.items())]


def clear(kind: str | None = None) -> int:
    """Removes all entries, or those of one kind; returns their number."""
    gone = [entry for entry in _entries() if kind in (None, entry.file.parent.name)]
    for entry in gone:
        remove(entry.file)
    return len(gone)


@dataclass(frozen=True, slots=True)
class _Entry:
    file: Path
    size: int
    used: int


def _entries() -> Iterator[_Entry]:
    """All entries, and what interrupted writers left. Other files in the folder are not ours: they stay."""
    base = folder()
    if base is None:
        return
    for kind in _listed(base):
        if not _NAME.fullmatch(kind.name) or not kind.is_dir(follow_symlinks=False):
            continue
        for file in _listed(Path(kind.path)):
            if _KEY.fullmatch(file.name) or file.name.endswith(".part"):
                try:
                    status = file.stat(follow_symlinks=False)
                except OSError:
                    continue
                yield _Entry(Path(file.path), status.st_size, status.st_mtime_ns)


def _listed(path: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _limit_size(added: int) -> None:
    """Removes the entries that were not used for longest, where the cache is larger than its limit. A process looks at
    the whole folder at its first entry, and again after each sixteenth of the limit."""
    global _written
    most = size_limit()
    if _written is not None and _written + added < most // _BETWEEN:
        _written += added
        return
    _written = 0
    if _whole_size() <= most:
        return
    entries = sorted(_entries(), key=lambda entry: (entry.used, entry.file))
    excess = sum(entry.size for entry in entries) - most
    for entry in entries:
        if excess <= 0:
            return
        remove(entry.file)
        excess -= entry.size


def _whole_size() -> int:
    """Bytes of all files in the folders of kinds, ours or not: at least what the entries take, found quickly."""
    base, total = folder(), 0
    for kind in [] if base is None else _listed(base):
        with contextlib.suppress(OSError), os.scandir(kind.path) as files:
            for file in files:
                with contextlib.suppress(OSError):
                    total += file.stat(follow_symlinks=False).st_size
    return total


def _private_folder(kind: str, make: bool) -> Path | None:
    """The folder of a kind, if it is this user's and nobody else writes to it."""
    base = folder()
    if base is None:
        return None
    path = base / kind
    try:
        if make:
            base.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.mkdir(mode=0o700, exist_ok=True)
        status = path.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
            _note(f"{path}: is not a folder of this user; nothing is kept in it")
            return None
        if stat.S_IMODE(status.st_mode) & 0o077:
            path.chmod(0o700)
    except OSError:
        return None
    return path


def _read(file: Path) -> bytes:
    """The content of a regular file of this user; never follows a link, never waits for a pipe."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as handle:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or status.st_size > size_limit():
            return b""
        return handle.read(status.st_size)


def _touch(file: Path) -> None:
    """Marks an entry as used now."""
    try:
        os.utime(file, follow_symlinks=False)
    except OSError:
        return


def _checked_key(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise ValueError(f"not a key of a cache entry: {key!r}")
    return key


def _note(text: str) -> None:
    warnings.warn(text, CacheWarning, stacklevel=3)
