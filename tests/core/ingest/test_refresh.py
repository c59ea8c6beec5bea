"""A file that changes in a way that does not count: nothing is embedded, nothing goes stale."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest

from core.ingest.hashing import HashOptions
from core.roundtrip.export import Exporter
from core.roundtrip.stored import StoredNote, stored_notes
from tests.core.ingest.kit import Vault

NOTE = """\
---
title: Schleuse
type: journal
tags: [fluss]
---
# Schleuse

Der Müller öffnet sie, siehe [[b]].

""" + "".join(f"## Teil {n}\n\n{'Wasser läuft durch die Schütze. ' * 40}\n\n" for n in range(3))

CHANGES: dict[str, bytes] = {
    "crlf": NOTE.replace("\n", "\r\n").encode(),
    "cr": NOTE.replace("\n", "\r").encode(),
    "nfd": unicodedata.normalize("NFD", NOTE).encode(),
    "bom": b"\xef\xbb\xbf" + NOTE.encode(),
    "nul": NOTE.replace("Müller", "Mül\0ler").encode(),
    "comment": NOTE.replace("title:", "# a comment\ntitle:").encode(),
    "quotes": NOTE.replace("title: Schleuse", 'title: "Schleuse"').encode(),
    "block list": NOTE.replace("tags: [fluss]", "tags:\n  - fluss").encode(),
}


def stored(vault: Vault) -> dict[str, Any]:
    return {p.payload["path"]: p.payload for p in vault.store.notes.scan()}


def exported(vault: Vault, folder: Path) -> bytes:
    exporter = Exporter(folder, vault.root)
    for line in stored_notes(vault.store):
        if isinstance(line, StoredNote):
            exporter.write(line)
    return (folder / "a.md").read_bytes()


def vectors(vault: Vault) -> list[Any]:
    found = vault.store.chunks.scan(vectors=True)
    return [point.vector.tolist() for point in found if point.vector is not None]


@pytest.mark.parametrize("name", CHANGES)
def test_the_store_follows_the_bytes(vault: Vault, name: str, tmp_path: Path) -> None:
    """There and back again: no work for the model, and the store of a fresh import."""
    vault.write("a.md", NOTE)
    vault.write("b.md", "# B\n")
    vault.sync()
    before = vectors(vault)
    for round_, content in enumerate((CHANGES[name], NOTE.encode())):
        (vault.root / "a.md").write_bytes(content)
        inputs = len(vault.embedder.inputs)
        result = vault.sync("a.md")
        assert (result.changed, result.embedded, len(vault.embedder.inputs)) == (0, 0, inputs)
        folder = tmp_path / str(round_)
        folder.mkdir()
        assert exported(vault, folder / "out") == content
        fresh = Vault(folder, "memory")
        (fresh.root / "a.md").write_bytes(content)
        fresh.write("b.md", "# B\n")
        fresh.sync()
        assert vault.content() == fresh.content()
        vault.check()
    assert vectors(vault) == before


def test_it_is_done_once(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.write("a.md", NOTE)
    vault.sync()
    vault.write("a.md", NOTE.replace("\n", "\r\n"))
    vault.sync()
    writes: list[str] = []
    monkeypatch.setattr(type(vault.store.notes), "upsert", lambda *_: writes.append("x"))
    vault.sync()
    vault.start()
    vault.sync()
    assert writes == []


BODY = "---\nhash_mode: body\ntitle: Alt\ndepends_on: [c]\n---\nText, siehe [[b]].\n"


def test_what_a_note_leaves_out_of_its_hash_is_not_embedded(vault: Vault, tmp_path: Path) -> None:
    """`hash_mode: body`: a new title is no change, but nothing that is shown goes stale, nor what
    other notes mean by it."""
    others = {"b.md": "[[Alt]] und [[Neu]]\n", "c.md": "# C\n", "d.md": "[[Neu]]\n"}
    changed = (
        BODY.replace("Alt", "Neu")
        .replace("[c]", "[d, c]")
        .replace("\n---\nT", "\ntags: [x]\n---\nT")
    )
    for path, text in {"a.md": BODY, **others}.items():
        vault.write(path, text)
    vault.sync()
    before = vectors(vault)
    for round_, (text, title) in enumerate(((changed, "Neu"), (BODY, "Alt"))):
        vault.write("a.md", text)
        assert vault.counted(lambda: vault.sync("a.md")) == []
        assert stored(vault)["a.md"]["title"] == title
        folder = tmp_path / f"fresh{round_}"
        folder.mkdir()
        fresh = Vault(folder, "memory")
        for path, content in {**others, "a.md": text}.items():
            fresh.write(path, content)
        fresh.sync()
        assert vault.content() == fresh.content()
        vault.check()
        kept = vault.content()
        vault.sync()
        vault.start()
        assert vault.sync().changed == 0
        assert vault.content() == kept
    assert vectors(vault) == before


def test_a_body_that_does_not_count_stays_as_it_was(vault: Vault) -> None:
    """`hash_mode: frontmatter`, and it makes no work again and again."""
    vault.write("a.md", "---\nhash_mode: frontmatter\n---\nAlt.\n")
    vault.sync()
    vault.write("a.md", "---\nhash_mode: frontmatter\n---\nNeu.\n")
    assert vault.counted(lambda: vault.sync()) == []
    (chunk,) = vault.store.chunks.scan()
    assert chunk.payload["text"].strip() == "Alt."
    kept = vault.content()
    vault.sync()
    vault.start()
    assert vault.sync().changed == 0
    assert vault.content() == kept
    vault.write("a.md", "---\nhash_mode: frontmatter\nstatus: done\n---\nNeu.\n")
    assert vault.sync().changed == 1
    (chunk,) = vault.store.chunks.scan()
    assert chunk.payload["text"].strip() == "Neu."


def test_without_normalising_line_ends_are_a_change(vault: Vault) -> None:
    vault.start(options=HashOptions(normalize="none"))
    vault.write("a.md", "a\n")
    vault.sync()
    vault.write("a.md", "a\r\n")
    assert vault.sync().changed == 1


def test_a_dry_run_counts_no_refresh(vault: Vault) -> None:
    vault.write("a.md", NOTE)
    vault.sync()
    before = vault.content()
    vault.write("a.md", NOTE.replace("\n", "\r\n"))
    assert vault.sync(dry_run=True).changed == 0
    assert vault.content() == before
