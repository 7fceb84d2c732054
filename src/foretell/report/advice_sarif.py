"""Advice as SARIF 2.1.0: a result for each change that makes the code faster, with the edit as a fix."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foretell.report.sections import advising as section

if TYPE_CHECKING:
    from foretell.core.answers.advising import AdvisedChange, Advising

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


def advising(item: Advising) -> dict[str, Any]:
    """One run: its rules are the kinds of change."""
    useful = [change for change in item.changes if change.gain > 1]
    ids = sorted({change.ids[-1] for change in useful})
    rules = [{"id": name, "shortDescription": {"text": name.replace("_", " ")}} for name in ids]
    driver = {"name": "foretell", "rules": rules}
    results = [_result(item, change) for change in useful]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _result(item: Advising, change: AdvisedChange) -> dict[str, Any]:
    title, _, faster, _, why, correct, basis, _ = section.row(item, change)
    message = f"{title}: {faster} faster ({basis}); {why}; {correct}"
    path = Path(item.file)
    uri = path.as_uri() if path.is_absolute() else path.as_posix()
    location = {"artifactLocation": {"uri": uri}, "region": {"startLine": change.line}}
    key = hashlib.sha256("\n".join((*change.ids, *change.steps)).encode()).hexdigest()[:16]
    result: dict[str, Any] = {
        "ruleId": change.ids[-1],
        "level": "note",
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"change/v1": key},
        "properties": {"gain": change.gain, "gainInterval": list(change.interval), "basis": change.basis},
    }
    if change.edits:
        replacements = [
            {
                "deletedRegion": {
                    "startLine": edit.line, "startColumn": edit.column,
                    "endLine": edit.end_line, "endColumn": edit.end_column,
                },
                "insertedContent": {"text": edit.text},
            }
            for edit in change.edits
        ]  # fmt: skip
        changes = [{"artifactLocation": {"uri": uri}, "replacements": replacements}]
        result["fixes"] = [{"description": {"text": title}, "artifactChanges": changes}]
    return result


def dumps(document: dict[str, Any]) -> str:
    """The document without the version of our own schema: SARIF has its own."""
    return json.dumps(document, indent=2, allow_nan=False)
