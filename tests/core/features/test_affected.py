"""Whose findings a change can change: never one too few."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.features.affected import affected
from core.features.diagnostics import diagnose
from core.features.results import Diagnostic
from core.parse import parse_note
from core.settings import DEFAULTS
from core.vault.index import VaultIndex
from tests.core.features.kit import RELATIONS

PATHS = ("a.md", "b.md", "x/a.md", "x/c.md", "y/a.md")
LINES = (
    "[[a]]", "[[A]]", "[[x/a]]", "[[Title]]", "[[a#Head]]", "[[c#^b1]]", "[t](a.md)", "[[n1]]",
    "[t](x/c.md#head)", "[[Words|n1]]", "[[a|x/c]]", "![[map.png]]", "# Head", "# Title",
    "text ^b1", "[[rel:likes a]]", "[[rel:likess a]]", "[[x]]", "[[Gone]]",
)  # fmt: skip
FRONT = (
    "",
    "---\nid: n1\n---\n",
    "---\nid: N1\n---\n",
    "---\ntitle: Title\naliases: [Gone]\n---\n",
)

note_texts = st.tuples(st.sampled_from(FRONT), st.lists(st.sampled_from(LINES), max_size=5)).map(
    lambda parts: parts[0] + "\n\n".join(parts[1])
)
changes = st.dictionaries(st.sampled_from(PATHS), st.none() | note_texts, min_size=1, max_size=3)
files = st.sets(st.sampled_from(("map.png", "x/map.png")))


def all_findings(index: VaultIndex) -> dict[str, tuple[Diagnostic, ...]]:
    return {
        path: diagnose(index, note, DEFAULTS.diagnostics, "en", RELATIONS, ("concept",))
        for path, note in index.notes.items()
    }


def step(
    index: VaultIndex, change: Mapping[str, str | None], before: set[str], after: set[str]
) -> VaultIndex:
    return index.update(
        [parse_note(path, text) for path, text in change.items() if text is not None],
        [path for path, text in change.items() if text is None],
        after - before,
        before - after,
    )


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(changes, files), min_size=2, max_size=4))
def test_notes_that_are_not_affected_keep_their_findings(
    steps: list[tuple[dict[str, str | None], set[str]]],
) -> None:
    index, present = VaultIndex(), set[str]()
    for change, after in steps:
        following = step(index, change, present, after)
        touched = affected(index, following, change, present ^ after)
        old, new = all_findings(index), all_findings(following)
        missed = {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}
        assert missed - touched == set()
        index, present = following, after


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# B\n\nmore text\n", {"b.md"}),
        ("# Another\n", {"a.md", "b.md"}),
        ("# B\n\n[[c]]\n", {"b.md"}),
    ],
)
def test_an_edit_touches_few(text: str, expected: set[str]) -> None:
    notes = {"a.md": "[[b#B]]\n", "b.md": "# B\n", "c.md": "[[a]]\n"}
    old = VaultIndex.build(parse_note(path, text) for path, text in notes.items())
    new = old.update([parse_note("b.md", text)])
    assert affected(old, new, ["b.md"]) == expected
