"""The schemas are data of the package: what the documentation shows, with a name of their own."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import foretell
from foretell.report.json import SCHEMA_VERSION, schema
from tests.support.schema import check

PUBLISHED = Path(__file__).parents[3] / "docs/reference/schema"


@pytest.mark.parametrize("name", ["output", "explore"])
def test_the_shipped_schema_is_the_published_one(name: str) -> None:
    shipped = schema(name)
    assert shipped == json.loads((PUBLISHED / f"{name}.schema.json").read_text())
    assert shipped["$id"] == f"urn:foretell:schema:{name}:{SCHEMA_VERSION}"
    jsonschema.Draft202012Validator.check_schema(shipped)


def test_documents_of_python_follow_it() -> None:
    check(json.loads(foretell.predict("example:vector-add", "sw26010").to_json()))
