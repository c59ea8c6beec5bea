"""Which notes may be hits at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.api import Filters
from core.errors import InvalidArguments
from core.retrieval.filters import condition_of
from tests.core.retrieval.kit import Space

VAULT = """\
//- /a/one.md
---
id: n-one
type: decision
tags: [mill/wheel, Area]
updated: 2025-03-20
---
The wheel turns.
//- /a/deep/two.md
---
type: concept
tags: [mill]
created: 2025-01-02
---
The wheel stands.
//- /b/three.md
---
tags: [milling]
updated: 2025-03-19T23:59:59
---
A wheel of cheese.
//- /b/four [x].md
No date, the wheel. #area
"""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Space:
    return Space.of(tmp_path_factory.mktemp("filters"), VAULT)


ONE, TWO, THREE, FOUR = "a/one.md", "a/deep/two.md", "b/three.md", "b/four [x].md"


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, {ONE, TWO, THREE, FOUR}),
        ({"types": ["decision"]}, {ONE}),
        ({"types": ["decision", "concept"]}, {ONE, TWO, THREE, FOUR}),
        ({"types": ["nothing"]}, set()),
        ({"tags": ["mill"]}, {ONE, TWO}),
        ({"tags": ["#Mill"]}, {ONE, TWO}),
        ({"tags": ["mill/wheel"]}, {ONE}),
        ({"tags": ["AREA"]}, {ONE, FOUR}),
        ({"tags": ["mi"]}, set()),
        ({"paths": ["a"]}, {ONE, TWO}),
        ({"paths": ["a/"]}, {ONE, TWO}),
        ({"paths": ["/a/one.md"]}, {ONE}),
        ({"paths": ["*/deep/*"]}, {TWO}),
        ({"paths": ["b/four [x].md"]}, {FOUR}),
        ({"paths": ["nowhere"]}, set()),
        ({"note_ids": ["n-one"]}, {ONE}),
        ({"note_ids": ["n-one", "unknown"]}, {ONE}),
        ({"updated_since": "2025-03-20"}, {ONE}),
        ({"updated_since": "2025-03-19T23:59:59"}, {ONE, THREE}),
        ({"updated_since": "2025-01-01"}, {ONE, TWO, THREE}),
        ({"tags": ["mill"], "updated_since": "2025-02-01"}, {ONE}),
        ({"types": ["decision"], "paths": ["b"]}, set()),
    ],
)
def test_filters(space: Space, filters: dict[str, list[str]], expected: set[str]) -> None:
    assert space.filtered("wheel", **filters) == expected
    assert space.filtered("wheel", **filters) == expected


def test_filters_hold_for_notes_that_the_graph_brings_in(tmp_path: Path) -> None:
    space = Space.of(
        tmp_path,
        """\
//- /in/a.md
The wheel. [[b]] [[c]]
//- /out/b.md
Cheese.
//- /in/c.md
Bread.
""",
    )
    found = space.found("wheel", filters=Filters(paths=["in"]), hops=2, top_k=50)
    assert "in/a.md" in found
    assert "out/b.md" not in found


@pytest.mark.parametrize("date", ["yesterday", "2025-13-01", "2025-02-32", "20.03.2025"])
def test_a_date_that_is_none_is_said_to_be_none(space: Space, date: str) -> None:
    with pytest.raises(InvalidArguments, match="updated_since"):
        condition_of(Filters(updated_since=date), space.index)


def test_no_filter_is_no_condition(space: Space) -> None:
    assert condition_of(Filters(), space.index) is None
