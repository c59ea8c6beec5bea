"""When a client is asked to show again what it shows, and when not."""

from __future__ import annotations

import pytest

from core.parse import parse_note
from core.vault.index import VaultIndex
from mindnet_lsp.session import Change
from mindnet_lsp.view_refresh import EVERYTHING, MANY, shown_otherwise

VAULT = {
    "a.md": "# A\n\n[[b]] [[b#Part]] [[Gone]]\n",
    "b.md": "# B\n\n## Part\n",
    "c.md": "text\n",
    "d.md": "[[a]] text\n",
}
ALL = EVERYTHING
COUNTS = ("code_lens",)

CASES = {
    # the note that changes, its new text, what is shown again in a.md
    "a title of a target": ("b.md", "# Bee\n\n## Part\n", ALL),
    "a heading of a target": ("b.md", "# B\n\n## Parts\n", ALL),
    "a missing note comes": ("Gone.md", "", ALL),
    "a target goes": ("b.md", None, ALL),
    "a nearer note of the same name": ("x/b.md", "# b\n", ()),
    "an alias for what is missing": ("c.md", "---\naliases: [Gone]\n---\n", ALL),
    "text of a target": ("b.md", "# B\n\nmore text\n\n## Part\n", ()),
    "a new backlink": ("c.md", "text [[a]]\n", COUNTS),
    "a backlink less": ("d.md", "text\n", COUNTS),
    "a backlink goes to a heading now": ("d.md", "[[a#A]] text\n", COUNTS),
    "a backlink moves": ("d.md", "more\n\n[[a]] text\n", ()),
    "another note that has nothing to do with it": ("c.md", "# C\n\n[[d]] [[New]]\n", ()),
    "its own text": ("a.md", "# Other\n\n[[c]]\n", ()),
}  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), CASES.values(), ids=CASES.keys())
def test_what_a_change_of_one_note_shows_otherwise(
    path: str, text: str | None, expected: tuple[str, ...]
) -> None:
    previous = VaultIndex.build(parse_note(own, content) for own, content in VAULT.items())
    notes = () if text is None else (parse_note(path, text),)
    change = Change(notes, (path,) if text is None else ())
    new = previous.update(change.notes, change.removed)
    assert new is not previous
    assert shown_otherwise(previous, new, change, ["a.md"]) == expected
    assert shown_otherwise(previous, new, change, []) == ()


def test_files_and_a_loaded_vault_concern_everything() -> None:
    index = VaultIndex()
    assert shown_otherwise(index, index, Change(everything=True), []) == ALL
    assert shown_otherwise(index, index, Change(attachments_added=("p.png",)), ["a.md"]) == ALL


def test_after_a_bulk_change_nothing_is_compared() -> None:
    index = VaultIndex()
    change = Change(tuple(parse_note(f"{number}.md", "") for number in range(MANY + 1)))
    assert shown_otherwise(index, index.update(change.notes), change, ["a.md"]) == ALL


def test_two_open_notes_that_changed_at_once_see_each_other() -> None:
    previous = VaultIndex.build(parse_note(own, content) for own, content in VAULT.items())
    change = Change((parse_note("a.md", "# A\n\n[[b]]\n"), parse_note("b.md", "# Bee\n")))
    new = previous.update(change.notes)
    assert shown_otherwise(previous, new, change, ["a.md", "b.md"]) == ALL
