"""SARIF 2.1.0: results with stable rules and fingerprints, which code scanning follows over commits."""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

if TYPE_CHECKING:
    from foretell.core.answers.check import Change, Check

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
#: results of a run that services take
_MOST = 25_000
#: rule -> what it says; identifiers never change
_RULES = {
    "foretell/limit": "A predicted time breaks a limit.",
    "foretell/slower": "A predicted time is longer than before.",
    "foretell/faster": "A predicted time is shorter than before.",
    "foretell/not-compared": "A code could not be predicted in one version.",
}


def dumps(item: Check) -> str:
    """The document of a check."""
    results = [_result(change) for change in item.changes if change.broken or change.verdict in ("slower", "faster")]
    results += [_missing(entry.code, entry.machine, f"{entry.side}: {entry.reason}") for entry in item.not_compared]
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in _RULES.items()]
    driver = {"name": "foretell", "version": version("foretell"), "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results[:_MOST]}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, allow_nan=False)


def _result(change: Change) -> dict[str, Any]:
    rule = "foretell/limit" if change.broken else f"foretell/{change.verdict}"
    level = "error" if change.broken else "warning" if change.verdict == "slower" else "note"
    reasons = "; ".join(reason.text for reason in change.reasons)
    text = f"{change.headline}. {change.broken + '. ' if change.broken else ''}{reasons}".strip()
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": text},
        **_locations(change.file, change.line),
        "partialFingerprints": {"foretell/v1": _fingerprint(rule, change.code, change.machine)},
        "properties": {"growth": change.growth, "base_s": change.base_s, "head_s": change.head_s},
    }


def _missing(code: str, machine: str, reason: str) -> dict[str, Any]:
    rule = "foretell/not-compared"
    text = f"{code}@{machine} is not compared: {reason}"
    return {
        "ruleId": rule,
        "level": "none",
        "message": {"text": text},
        "partialFingerprints": {"foretell/v1": _fingerprint(rule, code, machine)},
    }


def _locations(file: str, line: int) -> dict[str, Any]:
    """A location relative to the repository; none for a file outside."""
    if not file or PurePosixPath(file).is_absolute():
        return {}
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(file), "uriBaseId": "%SRCROOT%"}}
    if line > 0:
        physical["region"] = {"startLine": line}
    return {"locations": [{"physicalLocation": physical}]}


def _fingerprint(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
