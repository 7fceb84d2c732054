"""The table of models names the facet that each needs, so that none is loaded to find out."""

from __future__ import annotations

import pytest

from foretell import models


@pytest.mark.parametrize("name", models.names())
def test_the_table_names_the_facet_of_the_model(name: str) -> None:
    assert [facet.__name__ for facet in models.get(name).facets] == [models.needed_facet(name)]
