"""A crash at any write, damage, and random histories all end at the same store."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.store.ports import Point
from tests.core.ingest.kit import Vault


class Killed(BaseException):
    """Stands for the process being killed."""


def crash_at(vault: Vault, write: int) -> Callable[[], None]:
    """Let the store fail at its `write`-th write; returns what takes that back."""
    left = write
    undo: list[tuple[Any, str]] = []

    def guard(collection: Any, name: str) -> None:
        real = getattr(collection, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return real(*args, **kwargs)

        setattr(collection, name, call)
        undo.append((collection, name))

    for collection in (vault.store.notes, vault.store.chunks, vault.store.edges):
        for name in ("upsert", "delete", "delete_ids"):
            guard(collection, name)
    return lambda: [delattr(collection, name) for collection, name in undo] and None


def history(vault: Vault) -> None:
    """Files as they are before the sync that crashes."""
    vault.write("a.md", "---\nid: a\n---\n[[b]] [[later]] [[gone]]\n\n# H\n\n" + "word " * 400)
    vault.write("b.md", "# B\n\ntext [[a]]\n")
    vault.write("gone.md", "bye [[a]]\n")
    vault.write("moved.md", "---\ntype: journal\n---\n# M\n\nx\n\n# N\n\n[[a]]\n")


def change(vault: Vault) -> None:
    vault.write("a.md", "---\nid: a\n---\n[[b]] [[later]] [[moved]]\n\nshort\n")
    vault.write("later.md", "# Later\n\nnew [[b]]\n")
    vault.delete("gone.md")
    vault.move("moved.md", "sub/moved.md")


@pytest.mark.parametrize("write", range(10))
def test_a_crash_at_any_write_is_repaired_by_the_next_sync(vault: Vault, write: int) -> None:
    history(vault)
    vault.sync()
    change(vault)
    restore = crash_at(vault, write)
    with pytest.raises(Killed):
        vault.sync()
    restore()
    vault.start()
    vault.sync()
    vault.check()
    found = vault.content()
    assert found == fresh(vault)


@pytest.mark.parametrize("write", range(4))
def test_a_crash_in_the_first_import_is_repaired(vault: Vault, write: int) -> None:
    history(vault)
    restore = crash_at(vault, write)
    with pytest.raises(Killed):
        vault.sync()
    restore()
    vault.delete("gone.md")
    vault.start()
    vault.sync()
    vault.check()
    assert vault.content() == fresh(vault)


def fresh(vault: Vault) -> dict[str, dict[str, Any]]:
    """What an import of the same files into an empty store gives."""
    other = Vault.__new__(Vault)
    other.__dict__.update(vault.__dict__)
    other._backend = "memory"
    other.store = other._open()
    other.data = vault.data / "none"
    other.start()
    other.importer.sync()
    return other.content()


def test_lost_points_are_found_and_written_again(vault: Vault) -> None:
    history(vault)
    vault.sync()
    before = vault.content()
    chunk, edge = next(iter(before["chunks"])), next(iter(before["edges"]))
    vault.store.chunks.delete_ids([chunk])
    vault.store.edges.delete_ids([edge])
    owner = before["chunks"][chunk]["note_id"]
    stray = {**before["chunks"][chunk], "note_id": "stray", "chunk_id": "stray#c00"}
    vault.store.chunks.upsert([Point("stray#c00", payload=stray)])
    vault.start(verify=True)
    assert vault.sync().changed == 1
    assert owner in vault.content()["notes"]
    assert vault.content() == before


@pytest.mark.parametrize("seed", range(8))
def test_any_history_ends_where_a_fresh_import_does(tmp_path: Path, seed: int) -> None:
    vault = Vault(tmp_path, "memory")
    chance = random.Random(seed)
    names = ["a.md", "b.md", "sub/a.md", "sub/c.md", "d.md", "e.md"]

    def text() -> str:
        head = chance.choice(["", "---\nid: x\n---\n", "---\naliases: [zed]\n---\n", "# b\n\n"])
        head += chance.choice(["", "rel:depends_on [[a]]\n", "similar_to:: [[zed]]\n"])
        links = " ".join(f"[[{chance.choice(['a', 'b', 'c', 'x', 'zed', 'sub/a'])}]]" for _ in "ab")
        return f"{head}{links}\n\n# H{chance.randint(0, 2)}\n\n" + "word " * chance.choice([1, 400])

    for _ in range(40):
        name = chance.choice(names)
        exists = (vault.root / name).exists()
        action = chance.random()
        touched = [name]
        if exists and action < 0.25:
            vault.delete(name)
        elif exists and action < 0.45:
            other = chance.choice(names)
            if other != name:
                vault.move(name, other)
                touched.append(other)
        else:
            vault.write(name, text())
        if chance.random() < 0.1:
            vault.start()
        vault.sync(*([] if chance.random() < 0.2 else touched))
        vault.check()
    assert vault.content() == fresh(vault)
