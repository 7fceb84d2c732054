"""Passwords as salted hashes: scrypt with N = 2^14, r = 8, p = 5 (OWASP's password storage recommendations)."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from foretell.errors import InputError

_N, _R, _P = 1 << 14, 8, 5
_MEMORY = 64 << 20
SHORTEST, LONGEST = 10, 200


def hashed(password: str) -> str:
    """A new salt and the hash."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InputError(f"a password has {SHORTEST} to {LONGEST} characters")
    salt = secrets.token_bytes(16)
    return f"scrypt:{_N}:{_R}:{_P}:{salt.hex()}:{_key(password, salt, _N, _R, _P).hex()}"


def matches(password: str, kept: str) -> bool:
    """Whether a password has this hash."""
    _, n, r, p, salt, key = kept.split(":")
    given = _key(password[:LONGEST], bytes.fromhex(salt), int(n), int(r), int(p))
    return hmac.compare_digest(given, bytes.fromhex(key))


def _key(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=_MEMORY, dklen=32)


#: the hash of no password, so that unknown users take as long as known ones
NOBODY = f"scrypt:{_N}:{_R}:{_P}:{'00' * 16}:{'00' * 32}"
