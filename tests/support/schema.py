"""Documents against the published schemas."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

FOLDER = Path(__file__).parents[2] / "docs" / "reference" / "schema"


@cache
def _validator(name: str) -> Draft202012Validator:
    """Made once: jsonschema.validate checks the schema itself in each call, which takes longer than the document."""
    return Draft202012Validator(json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")))


def check(document: Any, name: str = "output") -> None:
    """Raises jsonschema.ValidationError where a document does not follow the schema."""
    _validator(name).validate(document)
