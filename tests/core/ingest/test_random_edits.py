"""After any edits, in whatever order they are seen, the store is what a fresh import makes."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingest.pipeline import Importer
from tests.core.ingest.kit import CONFIG, Vault

NAMES = ("a", "b", "sub/a", "sub/c", "Talk #2")
LINKS = (
    "[[a]]", "[[b|x]]", "[[sub/a]]", "[[c#H]]", "[[Talk #2]]", "[[Alias]]", "[[id-1]]",
    "[[Titel]]", "rel: similar_to [[b]] [[c]]", "depends_on:: [[a]]", "[x](sub/c.md)",
    "[[rel:contradicts Alias]]",
)  # fmt: skip
FRONTS = ("", "aliases: [Alias]", "id: id-1", "title: Titel", "type: task", "similar_to: '[[a]]'")

note_texts = st.tuples(st.sampled_from(FRONTS), st.lists(st.sampled_from(LINKS), max_size=3)).map(
    lambda n: (f"---\n{n[0]}\n---\n" if n[0] else "") + "# Text\n\n" + "\n\n".join(n[1]) + "\n"
)
changes = st.tuples(st.sampled_from(NAMES), st.none() | note_texts)
edits = st.lists(st.tuples(st.lists(changes, min_size=1, max_size=3), st.booleans()), max_size=6)


def apply(vault: Vault, name: str, text: str | None) -> str:
    path = f"{name}.md"
    if text is not None:
        vault.write(path, text)
    elif (vault.root / path).exists():
        vault.delete(path)
    return path


@settings(max_examples=40, deadline=None)
@given(edits)
def test_a_store_that_followed_equals_a_fresh_one(
    steps: list[tuple[list[tuple[str, str | None]], bool]],
) -> None:
    """Edges of notes that nobody wrote again follow too: targets that come and go, names that
    change hands, symmetric kinds the other way round."""
    folder = Path(tempfile.mkdtemp())
    try:
        vault = Vault(folder, "memory", embed=False)
        vault.sync()
        for step, whole in steps:
            paths = [apply(vault, name, text) for name, text in step]
            vault.sync(*(() if whole else paths))
            vault.check()
        followed = vault.content()
        again = vault.sync()
        assert (again.changed, again.deleted, vault.content()) == (0, 0, followed)
        vault.store = vault._open()
        vault.importer = Importer(vault.root, vault.store, None, CONFIG)
        vault.sync()
        assert vault.content() == followed
    finally:
        shutil.rmtree(folder)
