"""What the server is told at its start."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

from foretell.serve.pool.pool import PoolLimits


def data_folder() -> Path:
    """Where a workspace of one user is kept."""
    base = os.environ.get("XDG_DATA_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "share") / "foretell"


def is_loopback(host: str) -> bool:
    """Whether only this computer reaches an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Settings:
    """Address, store, workers and limits.

    With a `token` its bearer may do everything; this is for one user on his own computer. Without one there are
    accounts, or `trusted_header` names the header in which a reverse proxy says who asks.
    """

    host: str = "127.0.0.1"
    port: int = 8137
    #: names under which the server is reached, beside its address
    names: tuple[str, ...] = ()
    token: str = ""
    trusted_header: str = ""
    #: addresses of the reverse proxies whose header is believed
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    store: str = ""
    folder: Path = field(default_factory=data_folder)
    workers: int = 2
    limits: PoolLimits = field(default_factory=PoolLimits)
    #: longest body of a request, and of one with a capture: the file and the other fields of its form
    body_bytes: int = 8 << 20
    capture_bytes: int = (16 << 20) + (64 << 10)
    #: requests per second of one user, and how many at once
    rate: float = 30.0
    burst: float = 120.0
    #: cookies only over https, as behind a proxy
    https: bool = False
    #: the scheduler of a Dask cluster that computes explorations
    dask: str = ""
    #: the words that launch MPI ranks, which compute explorations
    mpi: tuple[str, ...] = ()
    #: seconds between two beats of a running job
    beat_s: float = 2.0
    lost_after_s: float = 30.0

    def most_bytes(self, path: str) -> int:
        """The longest body of a request to a path."""
        return self.capture_bytes if path.startswith("/program") else self.body_bytes

    @property
    def store_url(self) -> str:
        """The URL of the database."""
        return self.store or f"sqlite:///{self.folder / 'workspace.sqlite'}"

    @property
    def hosts(self) -> frozenset[str]:
        """Values of the Host header that are ours: others mean a page of somebody else (DNS rebinding)."""
        own = {"127.0.0.1", "localhost", "[::1]"} if is_loopback(self.host) else {self.host, "127.0.0.1", "localhost"}
        named = own | set(self.names)
        return frozenset(f"{name}:{self.port}" for name in named) | frozenset(self.names)
