"""What a sync writes, and that it writes only what changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.config.load import load_config
from core.errors import Cancelled
from core.store.ports import Eq
from tests.core.ingest.kit import Vault

SECTION = "Water runs through the sluice and the reeds bend. " * 20


def three_chunks(topic: str) -> str:
    return "---\ntype: journal\n---\n" + "".join(
        f"# {topic} {n}\n\n{topic} {n}: {SECTION}\n\n" for n in range(3)
    )


def test_importing_twice_changes_nothing(vault: Vault) -> None:
    vault.write("a.md", three_chunks("Lock") + "[[b]]\n")
    vault.write("sub/b.md", "See [[a]] and [[nowhere]].\n")
    vault.write("empty.md", "")
    first = vault.sync()
    assert (first.notes, first.changed, first.deleted) == (3, 3, 0)
    vault.check()
    before = vault.content()
    again = vault.sync()
    assert (again.changed, again.deleted, again.embedded) == (0, 0, 0)
    assert (again.notes, again.chunks, again.edges) == (first.notes, first.chunks, first.edges)
    assert vault.content() == before


def test_a_full_sync_gives_the_same(vault: Vault) -> None:
    vault.write("a.md", three_chunks("Lock"))
    vault.sync()
    before = vault.content()
    assert vault.sync(full=True).changed == 1
    assert vault.content() == before


def test_renamed_note_is_found_once_under_its_new_name(vault: Vault) -> None:
    vault.write("Reeds.md", three_chunks("Reed"))
    assert vault.sync().chunks == 3
    vault.move("Reeds.md", "Reed ＆ sedge.md")
    result = vault.sync("Reeds.md", "Reed ＆ sedge.md")
    assert (result.notes, result.chunks, result.deleted) == (1, 3, 1)
    vault.check()
    query = vault.embedder.embed_query("Reed 1 water sluice")
    hits = vault.store.chunks.search(query, limit=10)
    assert len(hits) == 3
    assert {hit.payload["path"] for hit in hits} == {"Reed ＆ sedge.md"}
    assert {hit.payload["title"] for hit in hits} == {"Reed 0"}


def test_a_moved_folder_embeds_nothing(vault: Vault) -> None:
    vault.write("old/a.md", three_chunks("Lock"))
    vault.write("old/b.md", three_chunks("Weir") + "[[a]]")
    vault.write("c.md", "[[old/a]] [[b]]\n")
    vault.sync()
    vault.move("old/a.md", "new/place/a.md")
    vault.move("old/b.md", "new/place/b.md")
    assert vault.counted(vault.sync) == []
    vault.check()
    assert all(p.vector is not None for p in vault.store.chunks.scan(vectors=True))
    ids = [path_id for path_id in vault.content()["notes"] if path_id.startswith("new-place-b")]
    assert [e[1] for e in vault.edges(ids[0])] == [vault.importer.index.note_id("new/place/a.md")]


def test_a_failed_note_is_named_and_tried_again(vault: Vault) -> None:
    for name in ("one", "two", "three"):
        vault.write(f"{name}.md", f"Text of {name}.\n")
    vault.embedder.refuses = {"Text of two"}
    first = vault.importer.sync()
    assert [f.path for f in first.failed] == ["two.md"]
    assert first.changed == 2
    assert first.notes == 2
    vault.embedder.refuses = set()
    vault.start()
    texts = vault.counted(vault.sync)
    assert [text for text in texts if "Text of two" not in text] == []
    assert len(texts) == 1
    vault.check()


def test_old_vectors_stay_while_the_new_ones_fail(vault: Vault) -> None:
    vault.write("a.md", "The old text about weirs.\n")
    vault.sync()
    before = vault.content()
    weirs = vault.embedder.embed_query("weirs")
    vault.write("a.md", "The new text about weirs.\n")
    vault.embedder.away = True
    result = vault.importer.sync(["a.md"])
    assert [(f.path, f.reason) for f in result.failed] == [("a.md", "the model is away")]
    assert vault.content() == before
    assert vault.store.chunks.search(weirs, limit=5)
    vault.write("a.md", "The old text about weirs.\n")
    vault.move("a.md", "b.md")
    assert [f.path for f in vault.importer.sync().failed] == ["b.md"]
    assert vault.store.chunks.search(weirs, limit=5)
    vault.embedder.away = False
    vault.sync()
    vault.check()


def test_a_model_that_is_away_is_not_asked_for_every_note(vault: Vault) -> None:
    for n in range(120):
        vault.write(f"{n}.md", f"note {n}")
    vault.embedder.away = True
    result = vault.importer.sync()
    assert len(result.failed) == 120
    assert vault.embedder.calls < 40
    vault.embedder.away = False
    assert vault.sync().changed == 120
    vault.check()


def test_emptying_a_vault(vault: Vault) -> None:
    vault.write("a.md", "one note\n")
    assert vault.sync().notes == 1
    assert vault.sync().notes == 1
    vault.delete("a.md")
    gone = vault.sync()
    assert (gone.notes, gone.chunks, gone.edges, gone.deleted) == (0, 0, 0, 1)
    empty = vault.sync()
    assert (empty.notes, empty.deleted) == (0, 0)


def test_only_what_changed_is_embedded(vault: Vault) -> None:
    for n in range(5):
        vault.write(f"n{n}.md", three_chunks(f"Topic{n}"))
    assert len(vault.counted(vault.sync)) == 15
    vault.start()
    assert vault.counted(vault.sync) == []
    os.utime(vault.root / "n1.md", ns=(1, 1))
    assert vault.counted(vault.sync) == []
    vault.write("n2.md", three_chunks("Topic2").replace("Topic2 1: Water", "Topic2 1: Brine"))
    texts = vault.counted(vault.sync)
    assert len(texts) == 1
    assert "Brine" in texts[0]
    vault.check()


def test_a_restart_reads_no_unchanged_file(vault: Vault) -> None:
    vault.write("a.md", "[[b]]")
    vault.write("b.md", "text")
    vault.sync()
    importer = vault.start()
    read: list[str] = []
    real = importer._reader.read
    importer._reader.read = lambda path: (read.append(path), real(path))[1]  # type: ignore[method-assign]
    vault.write("b.md", "other text")
    vault.sync()
    assert read == ["b.md"]
    assert importer.index.targets("a.md") == ("b.md",)


def test_the_embedder_gets_the_context_line(vault: Vault) -> None:
    text = "---\ntags: [river]\n---\n# Locks\n\n## Upper gate\n\n### Opening\n\nTurn twice.\n"
    vault.write("guide.md", text)
    (given,) = vault.counted(vault.sync)
    assert given.startswith("guide › Locks › Upper gate › Opening\n")
    assert "tags:" not in given
    (chunk,) = vault.content()["chunks"].values()
    assert (chunk["start_line"], chunk["end_line"]) == (9, 9)
    assert chunk["section"] == "Locks › Upper gate › Opening"
    assert chunk["path"] == "guide.md"


def test_links_heal_and_break_without_writing_the_other_note(vault: Vault) -> None:
    vault.write("a.md", "---\nid: a\n---\n[[Later]] and [[rel:supports Later]]\n")
    vault.sync()
    assert vault.edges("a") == [("references", "Later", None), ("supports", "Later", None)]
    vault.write("Later.md", "---\nid: later\n---\nhere\n")
    texts = vault.counted(lambda: vault.sync("Later.md"))
    assert len(texts) == 1
    assert vault.edges("a") == [("references", "later", "later"), ("supports", "later", "later")]
    vault.check()
    vault.delete("Later.md")
    vault.sync("Later.md")
    assert vault.edges("a") == [("references", "Later", None), ("supports", "Later", None)]
    vault.check()


def test_a_changed_alias_moves_the_edges_of_others(vault: Vault) -> None:
    vault.write("a.md", "---\nid: a\n---\n[[Name]]\n")
    vault.write("b.md", "---\nid: b\naliases: [Name]\n---\n")
    vault.sync()
    assert vault.edges("a") == [("references", "b", "b")]
    vault.write("b.md", "---\nid: b\n---\n")
    vault.write("c.md", "---\nid: c\naliases: [Name]\n---\n")
    vault.sync("b.md", "c.md")
    assert vault.edges("a") == [("references", "c", "c")]


def test_an_id_that_two_notes_claim_goes_over(vault: Vault) -> None:
    vault.write("a.md", "---\nid: x\n---\nfirst [[b]]\n")
    vault.write("b.md", "---\nid: x\n---\nsecond\n")
    vault.write("c.md", "---\nid: c\n---\n[[a]] [[b]] [[x]]\n")
    vault.sync()
    derived = vault.importer.index.note_id("b.md")
    assert {n: p["path"] for n, p in vault.content()["notes"].items()} == {
        "x": "a.md",
        derived: "b.md",
        "c": "c.md",
    }
    vault.delete("a.md")
    vault.sync("a.md")
    assert {n: p["path"] for n, p in vault.content()["notes"].items()} == {"x": "b.md", "c": "c.md"}
    assert vault.edges("c") == [("references", "a", None), ("references", "x", "x")]
    vault.check()


def test_two_forms_of_one_name_do_not_fight_for_an_id(tmp_path: Path) -> None:
    vault = Vault(tmp_path, "memory")
    vault.write("\u00e4.md", "composed\n")
    vault.write("a\u0308.md", "decomposed\n")
    if len(list(vault.root.iterdir())) == 1:
        return  # a file system on which both are one file
    first = vault.importer.sync()
    assert [f.path for f in first.failed] == ["\u00e4.md"]
    assert (first.notes, vault.importer.sync().changed) == (1, 0)


def test_excluded_notes_have_no_vector(vault: Vault) -> None:
    vault.write("a.md", "---\nembedding_exclude: true\n---\nprivate words\n")
    assert vault.counted(vault.sync) == []
    (chunk,) = vault.store.chunks.scan(vectors=True)
    assert chunk.vector is None
    (note,) = vault.store.notes.scan(vectors=True)
    assert note.vector is None
    assert note.payload["embedding_exclude"] == "true"
    vault.write("a.md", "---\nembedding_exclude: false\n---\nprivate words\n")
    assert len(vault.counted(vault.sync)) == 1


def test_payloads_mirror_the_type(vault: Vault) -> None:
    vault.write("30_projects/p.md", "---\nupdated: 2024-05-06\ntags: [x]\npath: mine\n---\ntext\n")
    vault.sync()
    content = vault.content()
    (note,), (chunk,) = content["notes"].values(), content["chunks"].values()
    for payload in (note, chunk):
        assert (payload["type"], payload["retriever_weight"]) == ("project", 0.97)
        assert (payload["chunk_profile"], payload["tags"]) == ("long", ["x"])
    assert note["updated"] == 20240506000000
    assert (note["path"], note["fm_path"]) == ("30_projects/p.md", "mine")
    assert note["edge_defaults"] == ["references", "depends_on"]
    assert "text" in note["fulltext"]


def test_a_changed_type_writes_its_notes_again_and_embeds_nothing(vault: Vault) -> None:
    vault.write("a.md", "---\nid: a\ntype: risk\n---\n[[b]]\n")
    vault.write("b.md", "---\nid: b\n---\ntext\n")
    vault.sync()
    own = vault.root / ".mindnet"
    own.mkdir()
    (own / "types.yaml").write_text("types: {risk: {edge_defaults: [supports]}}", "utf-8")
    vault.importer.configure(load_config(vault.root))
    before = len(vault.embedder.inputs)
    assert vault.sync().changed == 1
    assert len(vault.embedder.inputs) == before
    kinds = {p.payload["kind"] for p in vault.store.edges.scan(Eq("provenance", "rule"))}
    assert kinds == {"supports"}


def test_an_unreadable_note_is_reported_and_kept(vault: Vault) -> None:
    vault.write("a.md", "text\n")
    vault.write("b.md", "text\n")
    vault.sync()
    before = vault.content()
    vault.delete("a.md")
    (vault.root / "a.md").mkfifo() if hasattr(Path, "mkfifo") else os.mkfifo(vault.root / "a.md")
    vault.delete("b.md")
    (vault.root / "b.md").symlink_to(vault.root / "nowhere.md")
    result = vault.importer.sync()
    assert result.failed == []
    assert result.notes == 0
    vault.delete("a.md")
    vault.delete("b.md")
    vault.write("a.md", "text\n")
    vault.write("b.md", "text\n")
    vault.sync()
    assert vault.content() == before


def test_a_vault_that_is_not_there_deletes_nothing(vault: Vault) -> None:
    vault.write("a.md", "text\n")
    vault.sync()
    vault.root.rename(vault.root.with_name("elsewhere"))
    assert vault.importer.sync().notes == 1
    vault.root.with_name("elsewhere").rename(vault.root)


def test_paths_that_are_no_notes_of_the_vault_are_ignored(vault: Vault) -> None:
    vault.write("a.md", "text\n")
    vault.sync()
    outside = vault.root.parent / "outside.md"
    outside.write_text("secret", "utf-8")
    result = vault.importer.sync(
        ["../outside.md", ".obsidian/x.md", "a.txt", "", "/etc/x.md", "//"]
    )
    assert (result.notes, result.failed) == (1, [])


def test_it_stops_between_batches_and_goes_on_later(vault: Vault) -> None:
    for n in range(100):
        vault.write(f"{n:03}.md", f"note {n} [[{(n + 1) % 100:03}]]")
    seen: list[str] = []
    with pytest.raises(Cancelled):
        vault.importer.sync(
            on_progress=lambda p: seen.append(p.phase),
            cancelled=lambda: seen.count("write") >= 1,
        )
    stored = vault.store.notes.count()
    assert 0 < stored < 100
    assert vault.sync().changed == 100 - stored
    vault.check()


def test_without_a_model_words_are_still_stored(tmp_path: Path) -> None:
    vault = Vault(tmp_path, "memory", embed=False)
    vault.write("a.md", "words to find\n")
    result = vault.sync()
    assert (result.changed, result.embedded) == (1, 0)
    (chunk,) = vault.store.chunks.scan(vectors=True)
    assert chunk.vector is None
    assert chunk.sparse


@pytest.mark.parametrize("phase", ["read", "write"])
def test_a_long_sync_gives_way_to_a_short_one(vault: Vault, phase: str) -> None:
    for n in range(200):
        vault.write(f"{n:03}.md", f"note {n} [[{(n + 1) % 200:03}]] [[{(n + 7) % 200:03}]]")
    seen: list[str] = []
    with pytest.raises(Cancelled):
        vault.importer.sync(
            on_progress=lambda p: seen.append(p.phase),
            cancelled=lambda: seen.count(phase) >= 2,
        )
    vault.write("150.md", "saved meanwhile [[151]] [[new]]")
    vault.write("new.md", "# New\n\n[[150]]")
    vault.sync("150.md", "new.md")
    assert "saved meanwhile" in str(vault.content()["chunks"])
    vault.sync()
    vault.check()
    assert vault.importer.index.counts.unresolved == 0
    unresolved = [p for p in vault.store.edges.scan() if not p.payload.get("target_note_id")]
    assert unresolved == []


def test_a_stopped_long_note_goes_on_where_it_was(vault: Vault) -> None:
    words = " ".join(f"word{n}." for n in range(40_000))
    vault.write("long.md", words)
    calls: list[int] = []

    def enough() -> bool:
        calls.append(vault.embedder.calls)
        return vault.embedder.calls >= 2

    with pytest.raises(Cancelled):
        vault.importer.sync(cancelled=enough)
    assert 0 < len(vault.embedder.inputs) < 200
    vault.write("short.md", "saved meanwhile")
    vault.sync("short.md")
    vault.sync()
    assert len(vault.embedder.inputs) == len(set(vault.embedder.inputs))
    vault.check()
