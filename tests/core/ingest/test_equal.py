"""A vault imported in one go equals the same vault after 500 random edits, saves, renames and
deletes: every payload of all three collections, vectors included."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.edges.derive import MIRROR
from core.ingest.hashing import hash_options
from core.store.lexicon import Lexicon
from tests.core.ingest.kit import Vault

EDITS = 500
FOLDERS = ("", "sub/", "sub/deep/", "Ärger/")
NAMES = ("a", "b", "Über uns", "c.d", "note", "Note 2", "港")
IDS = ("x", "y", "fest")
ALIASES = ("zed", "Zwei Wörter", "b")
KINDS = ("depends_on", "similar_to", "related_to", "supports", "made_up")


class Gardener:
    """Edits a vault at random; saves tell the importer of some edits only later."""

    def __init__(self, vault: Vault, seed: int) -> None:
        self.vault = vault
        self.chance = random.Random(seed)
        self.unsaved: set[str] = set()

    def files(self) -> list[str]:
        root = self.vault.root
        return sorted(p.relative_to(root).as_posix() for p in root.rglob("*.md"))

    def path(self) -> str:
        return f"{self.chance.choice(FOLDERS)}{self.chance.choice(NAMES)}.md"

    def target(self) -> str:
        names = (*NAMES, *ALIASES, *IDS, "sub/a", "Ärger/b", "a#H1", "#H0", *["nowhere"] * 3)
        return self.chance.choice(names)

    def text(self) -> str:
        chance = self.chance
        head = []
        if chance.random() < 0.3:
            head.append(f"id: {chance.choice(IDS)}")
        if chance.random() < 0.3:
            head.append(f"aliases: [{chance.choice(ALIASES)}, {chance.choice(ALIASES)}]")
        if chance.random() < 0.3:
            head.append(f"type: {chance.choice(['journal', 'concept', 'project', 'weird'])}")
        if chance.random() < 0.2:
            head.append(f'depends_on: ["[[{self.target()}]]"]')
        if chance.random() < 0.1:
            head.append("hash_mode: full")  # the others leave changes out, as they should
        if chance.random() < 0.1:
            head.append("embedding_exclude: true")
        front = "---\n" + "".join(f"{line}\n" for line in head) + "---\n" if head else ""
        body = []
        for number in range(chance.randint(1, 3)):
            body.append(f"# H{number}\n\n")
            links = (
                f"[[{self.target()}]]",
                f"[[rel:{chance.choice(KINDS)} {self.target()}]]",
                f"{chance.choice(KINDS)}:: [[{self.target()}]]",
                f"[text]({chance.choice(NAMES)}.md)",
            )
            body += [f"{chance.choice(links)}\n\n" for _ in range(chance.randint(0, 4))]
            body.append("word " * chance.choice([1, 30, 300]) + f"{chance.random()}\n\n")
        text = front + "".join(body)
        return text.replace("\n", "\r\n") if chance.random() < 0.1 else text

    def edit(self) -> None:
        """One edit on disk."""
        chance, vault, files = self.chance, self.vault, self.files()
        action = chance.random()
        if files and action < 0.06:
            gone = chance.choice(files)
            vault.delete(gone)
            self.unsaved.add(gone)
        elif files and action < 0.2:
            old, new = chance.choice(files), self.path()
            if old != new:
                vault.move(old, new)
                self.unsaved |= {old, new}
        elif files and action < 0.3:
            path = chance.choice(files)
            content = (vault.root / path).read_bytes()
            (vault.root / path).write_bytes(content)  # touched, not changed
            self.unsaved.add(path)
        else:
            path = self.path()
            vault.write(path, self.text())
            self.unsaved.add(path)

    def save(self) -> None:
        """Tell the importer of what was edited, or have it look at the whole vault."""
        action = self.chance.random()
        if action < 0.1:
            self.vault.start()
        if action < 0.2:
            self.vault.importer.sync()
        else:
            self.vault.importer.sync(sorted(self.unsaved))
        self.unsaved.clear()


def everything(vault: Vault) -> dict[str, dict[str, Any]]:
    """All payloads with their vectors, by role and id."""
    found: dict[str, dict[str, Any]] = {}
    for role in ("notes", "chunks", "edges"):
        found[role] = {
            p.id: (
                dict(p.payload),
                None if p.vector is None else np.round(p.vector, 5).tolist(),
                None if p.sparse is None else [*p.sparse.indices],
            )
            for p in getattr(vault.store, role).scan(vectors=True)
        }
    return found


def check_equal(grown: Vault, fresh_folder: Path, **options: Any) -> dict[str, dict[str, Any]]:
    """The grown vault's store is that of an import of its files in one go."""
    fresh_folder.mkdir()
    fresh = Vault(fresh_folder, "memory")
    fresh.root = grown.root
    fresh.start(**options)
    fresh.importer.sync()
    mine, theirs = everything(grown), everything(fresh)
    for role in theirs:
        assert mine[role].keys() == theirs[role].keys()
        assert mine[role] == theirs[role]
    assert grown.store.lexicon == Lexicon.count(grown.store.chunks)
    return mine


@pytest.mark.parametrize("seed", [1, 2])
def test_grown_equals_imported_in_one_go(tmp_path: Path, seed: int) -> None:
    (tmp_path / "grown").mkdir()
    vault = Vault(tmp_path / "grown", "memory")
    gardener = Gardener(vault, seed)
    for number in range(EDITS):
        gardener.edit()
        if gardener.chance.random() < 0.6:
            gardener.save()
        if number == EDITS // 2:
            gardener.save()
            check_equal(vault, tmp_path / "half")
    vault.importer.sync()
    found = check_equal(vault, tmp_path / "at-once")
    edges = [payload for payload, *_ in found["edges"].values()]
    # the history had what it is meant to show
    assert any(edge["rule_id"].endswith(MIRROR) for edge in edges)
    assert any("target_note_id" not in edge or not edge["target_note_id"] for edge in edges)
    assert len(found["notes"]) > 5
    before = everything(vault)
    assert vault.counted(lambda: vault.importer.sync()) == []
    vault.start()
    again = vault.importer.sync()
    assert (again.changed, again.deleted, again.embedded) == (0, 0, 0)
    assert everything(vault) == before


MODES = [
    ("body", "parsed", "canonical"),
    ("frontmatter", "parsed", "canonical"),
    ("full", "raw", "none"),
]


@pytest.mark.parametrize("modes", MODES)
def test_a_hash_mode_says_what_is_a_change(tmp_path: Path, modes: tuple[str, str, str]) -> None:
    """Two changes of one note; only what the mode looks at embeds anything, and whatever it
    does not look at is still told right at the next full import."""
    names = ("COMPARE", "SOURCE", "NORMALIZE")
    options = hash_options({f"MINDNET_HASH_{n}": m for n, m in zip(names, modes, strict=True)})
    assert (options.compare, options.source, options.normalize) == modes
    vault = Vault(tmp_path, "memory")
    vault.start(options=options)
    front, body = "---\ntitle: A\n---\n", "# One\n\ntext of the note\n"
    vault.write("a.md", front + body)
    vault.sync()

    def changed(text: str) -> bool:
        vault.write("a.md", text)
        return bool(vault.sync().changed)

    looks_at = modes[0]
    assert changed(front + body.replace("text", "words")) is (looks_at != "frontmatter")
    vault.write("a.md", front + body)
    vault.sync()
    assert changed(front.replace("A", "B") + body) is (looks_at != "body")
    vault.write("a.md", front + body)
    vault.sync()
    assert changed(front.replace("title: A", "title:   A") + body) is (modes[1] == "raw")
    vault.write("a.md", front + body)
    vault.sync()
    assert changed((front + body).replace("\n", "\r\n")) is (modes[2] == "none")


def test_a_notes_own_hash_mode_wins(tmp_path: Path) -> None:
    vault = Vault(tmp_path, "memory")
    text = "---\nhash_mode: body\ntitle: A\n---\nbody\n"
    vault.write("a.md", text)
    vault.sync()
    vault.write("a.md", text.replace("title: A", "title: B"))
    assert vault.sync().changed == 0
    vault.write("a.md", f"{text}and more\n")
    assert vault.sync().changed == 1
