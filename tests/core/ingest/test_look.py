"""What is read of a file, and how often."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.api import SyncProgress
from core.ingest import look
from core.store.memory import MemoryCollection
from core.vault.links import LinkReader
from tests.core.ingest.kit import Vault

MANY = 10_000


class Calls:
    """Counts the calls of functions, by name."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.of: dict[str, int] = {}
        self._patch = monkeypatch

    def count(self, owner: Any, name: str) -> None:
        real: Callable[..., Any] = getattr(owner, name)

        def counted(*arguments: Any, **options: Any) -> Any:
            self.of[name] = self.of.get(name, 0) + 1
            return real(*arguments, **options)

        self._patch.setattr(owner, name, counted)


def test_a_second_start_on_ten_thousand_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks at the folders once, reads and writes no note and embeds nothing; then at what
    was touched, and no more."""
    vault = Vault(tmp_path, "memory")
    for number in range(MANY):
        # most are empty: this is about how many there are
        text = "" if number % 10 else f"# Note {number}\n\nAfter [[n{(number * 7) % MANY}]].\n"
        vault.write(f"f{number // 200:02d}/n{number}.md", text)
    assert vault.sync().changed == MANY
    calls = Calls(monkeypatch)
    for owner, name in (
        (look, "scan"),
        (look, "read_note"),
        (look, "parse_note"),
        (look, "hash_signature"),
        (MemoryCollection, "upsert"),
        (MemoryCollection, "set_payload"),
        (MemoryCollection, "delete"),
        (MemoryCollection, "delete_ids"),
    ):
        calls.count(owner, name)
    calls.count(LinkReader, "read")
    vault.start()
    again: Any = None

    def sync() -> None:
        nonlocal again
        again = vault.sync()

    assert vault.counted(sync) == []
    assert (again.notes, again.changed, again.deleted) == (MANY, 0, 0)
    assert calls.of == {"scan": 1}
    (vault.root / "f00" / "n10.md").touch()
    vault.start()
    assert vault.counted(sync) == []
    assert calls.of == {"scan": 2, "read_note": 1, "parse_note": 1, "hash_signature": 1}


def test_a_text_that_is_not_kept_is_read_again_and_not_parsed(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look, "KEPT_TEXT", 0)
    calls = Calls(monkeypatch)
    calls.count(look, "read_note")
    calls.count(look, "parse_note")
    for number in range(3):
        vault.write(f"n{number}.md", f"# Note {number}\n\nText.\n")
    assert vault.sync().changed == 3
    assert calls.of == {"read_note": 6, "parse_note": 3}
    vault.check()


@pytest.mark.parametrize("text", ["# Lock\n\nOther.\n", "# Lock\n\nWaves.\r\n", "# Weir\n"])
def test_a_file_that_changes_while_the_vault_is_read(
    vault: Vault, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """Even where it parses to the same: the text would not be that of its record."""
    monkeypatch.setattr(look, "KEPT_TEXT", 0)
    vault.write("lock.md", "# Lock\n\nWater.\n")
    vault.write("other.md", "# Other\n")

    def change(step: SyncProgress) -> None:
        if step.phase == "read" and step.done == step.total:
            vault.write("lock.md", text)

    result = vault.importer.sync(on_progress=change)
    assert result.changed == 1
    assert [one.path for one in result.failed] == ["lock.md"]
    assert "changed while the vault was read" in result.failed[0].reason
    assert vault.sync().changed == 1
    vault.check()
    (note,) = [n for n in vault.content()["notes"].values() if n["path"] == "lock.md"]
    assert note["fulltext"] == text
