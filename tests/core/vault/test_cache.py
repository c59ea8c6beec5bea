"""The link cache and loading a vault with it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.errors import Cancelled
from core.model import FRONTMATTER, Link, Note
from core.vault import cache, load
from core.vault.cache import read_cache, read_index, write_cache, write_index
from core.vault.index import VaultIndex
from core.vault.load import load_vault
from core.vault.scan import FileStamp
from tests.core.vault.kit import note

NOTES = {
    path: note(path, "[[Größe#H|x]]", "[t](a.md)", title="Über", aliases=["A"], id="1",
               tags=["t/u"], kinds=["depends_on"], headings=["# H"], blocks=["b"])
    for path in [f"ordner/n{at:04}.md" for at in range(1100)]
}  # fmt: skip
STAMPS = {path: FileStamp(at, 1_700_000_000_000_000_000 + at) for at, path in enumerate(NOTES)}


def test_round_trip(tmp_path: Path) -> None:
    file = tmp_path / "new" / "links.cache"
    write_cache(file, NOTES, STAMPS)
    found = read_cache(file)
    assert {path: entry.note for path, entry in found.items()} == NOTES
    assert {path: (entry.size, entry.mtime_ns) for path, entry in found.items()} == STAMPS
    assert os.listdir(file.parent) == ["links.cache"]
    assert file.stat().st_mode & 0o077 == 0
    first, second = (found[path].note.links[0] for path in list(NOTES)[:2])
    assert first.target is second.target


def test_same_input_same_bytes(tmp_path: Path) -> None:
    write_cache(tmp_path / "a", NOTES, STAMPS)
    write_cache(tmp_path / "b", dict(reversed(NOTES.items())), dict(reversed(STAMPS.items())))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_notes_without_stamp_are_left_out(tmp_path: Path) -> None:
    path = next(iter(NOTES))
    write_cache(tmp_path / "c", NOTES, {path: STAMPS[path], "gone.md": FileStamp(1, 1)})
    assert list(read_cache(tmp_path / "c")) == [path]


def test_broken_files_are_empty(tmp_path: Path) -> None:
    file = tmp_path / "links.cache"
    assert read_cache(file) == {}
    assert read_cache(tmp_path) == {}
    write_cache(file, NOTES, STAMPS)
    data = file.read_bytes()
    broken = [b"", b"x", data[:10], data[:100], data[:-1], data[:-400], data + b"x", data[1:]]
    broken += [data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :] for at in (3, 20, 40, 500, -9)]
    for each in broken:
        file.write_bytes(each)
        assert read_cache(file) == {}
    file.write_bytes(data)
    assert len(read_cache(file)) == len(NOTES)


def test_the_index_of_the_stamped_notes_is_kept(tmp_path: Path) -> None:
    """Without what open notes contribute, and the same for the same notes."""
    index = VaultIndex.build(NOTES.values(), ["i.png"])
    opened = next(iter(NOTES))
    stamps = {path: stamp for path, stamp in STAMPS.items() if path != opened}
    write_index(tmp_path / "c", index, stamps)
    found = read_index(tmp_path / "c")
    assert found.links is not None
    assert found.links.dump() == index.update(removed=[opened]).dump()
    assert found.notes.keys() == stamps.keys()
    assert read_cache(tmp_path / "c").keys() == stamps.keys()
    again = VaultIndex.build(reversed(NOTES.values()), ["i.png"])
    write_index(tmp_path / "d", again, stamps)
    assert (tmp_path / "c").read_bytes() == (tmp_path / "d").read_bytes()
    write_cache(tmp_path / "e", NOTES, STAMPS)
    assert read_index(tmp_path / "e").links is None


def test_an_index_by_other_rules_is_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_index(tmp_path / "c", VaultIndex.build(NOTES.values()), STAMPS)
    monkeypatch.setattr(cache, "INDEX_VERSION", 99)
    found = read_index(tmp_path / "c")
    assert (len(found.notes), found.links) == (len(NOTES), None)


def test_an_index_of_other_notes_is_no_index() -> None:
    index = VaultIndex.build(NOTES.values())
    with pytest.raises(ValueError, match="other notes"):
        VaultIndex.restored(index.dump(), {"a.md": note("a.md")})


@pytest.mark.parametrize("name", ["FORMAT", "PARSER_VERSION", "__version__"])
def test_other_versions_are_empty(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_cache(tmp_path / "c", NOTES, STAMPS)
    monkeypatch.setattr(cache, name, 99 if name == "FORMAT" else "other")
    assert read_cache(tmp_path / "c") == {}


def test_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "c"
    write_cache(file, NOTES, STAMPS)
    before = file.read_bytes()

    def refuse(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space left"):
        write_cache(file, {}, {})
    assert file.read_bytes() == before
    assert os.listdir(tmp_path) == ["c"]


class Counting:
    """A parser that is simple and tells what it was given."""

    def __init__(self) -> None:
        self.parsed: list[str] = []

    def __call__(self, path: str, text: str) -> Note:
        self.parsed.append(path)
        if "boom" in text:
            raise RecursionError(text)
        return note(path, *(line for line in text.splitlines() if line.startswith("[[")))


def test_load(tmp_path: Path) -> None:
    vault, file = tmp_path / "vault", tmp_path / "links.cache"
    vault.mkdir()
    for name in ("a", "b", "c"):
        (vault / f"{name}.md").write_text("[[a]]\n[[gone]]\n", encoding="utf-8")
    (vault / "i.png").write_bytes(b"")
    parse = Counting()
    cold = load_vault(vault, cache_path=file, parse=parse)
    assert parse.parsed == ["a.md", "b.md", "c.md"]
    assert cold.parsed == 3
    assert cold.index.counts == (3, 6, 3)
    assert list(cold.index.attachments) == ["i.png"]
    write_index(file, cold.index, cold.stamps)

    parse = Counting()
    same = load_vault(vault, cache_path=file, parse=parse)
    assert (parse.parsed, same.parsed) == ([], 0)
    assert same.index.dump() == cold.index.dump()

    (vault / "b.md").write_text("[[a]]\n", encoding="utf-8")
    (vault / "c.md").unlink()
    (vault / "d.md").write_text("[[b]]\n", encoding="utf-8")
    warm = load_vault(vault, cache_path=file, parse=parse)
    assert parse.parsed == ["b.md", "d.md"]
    assert list(warm.index.paths) == ["a.md", "b.md", "d.md"]
    assert list(warm.stamps) != []
    assert set(warm.stamps) == {"a.md", "b.md", "d.md"}
    assert warm.index.counts == (3, 4, 1)
    assert warm.index.dump() == load_vault(vault, parse=Counting()).index.dump()


@pytest.mark.parametrize("changed", [1, 30])
def test_load_of_a_vault_that_changed(tmp_path: Path, changed: int) -> None:
    """A few changes or many, with files that went, came, and cannot be read."""
    vault, file = tmp_path / "vault", tmp_path / "links.cache"
    vault.mkdir()
    for at in range(40):
        (vault / f"n{at}.md").write_text(f"[[n{at + 1}]] [[gone]]\n", encoding="utf-8")
    (vault / "old.png").write_bytes(b"")
    cold = load_vault(vault, cache_path=file, parse=Counting())
    write_index(file, cold.index, cold.stamps)
    for at in range(changed):
        (vault / f"n{at}.md").write_text("[[gone]] and [[n39]]\n[[n7]]\n", encoding="utf-8")
    (vault / "n38.md").unlink()
    (vault / "n37.md").write_text("boom", encoding="utf-8")
    (vault / "old.png").unlink()
    (vault / "gone.md").write_text("[[n0]]\n", encoding="utf-8")
    (vault / "new.png").write_bytes(b"")
    warm = load_vault(vault, cache_path=file, parse=Counting())
    fresh = load_vault(vault, parse=Counting())
    assert warm.index.dump() == fresh.index.dump()
    assert warm.stamps == fresh.stamps
    assert "n37.md" not in warm.index.paths


def test_bad_notes_are_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "bad.md").write_text("boom SECRET", encoding="utf-8")
    (tmp_path / "latin.md").write_bytes(b"caf\xe9")
    (tmp_path / "good.md").write_text("[[latin]]", encoding="utf-8")
    loaded = load_vault(tmp_path, parse=Counting())
    assert list(loaded.index.paths) == ["good.md", "latin.md"]
    assert [(problem.path, problem.reason) for problem in loaded.problems] == [
        ("bad.md", load.PARSER_FAILED),
        ("latin.md", load.REPLACED_BYTES),
    ]
    assert "bad.md" in caplog.text
    assert "SECRET" not in caplog.text


def test_progress_and_cancel(tmp_path: Path) -> None:
    for at in range(120):
        (tmp_path / f"n{at:03}.md").write_text("x", encoding="utf-8")
    seen: list[tuple[int, int]] = []
    load_vault(tmp_path, parse=Counting(), on_progress=lambda *done: seen.append(done))
    assert seen == [(0, 120), (50, 120), (100, 120), (120, 120)]
    with pytest.raises(Cancelled):
        load_vault(tmp_path, parse=Counting(), cancelled=lambda: bool(seen))


def test_every_field_of_a_link_is_kept(tmp_path: Path) -> None:
    link = Link(3, 1, 2, "[[A]]", 1, 1, "text", "A", "h", "b", "al", True, FRONTMATTER, "k", "K",
                1, 2, 3, 4, 5, 6)  # fmt: skip
    made = Note("a.md", "a", links=(link,))
    write_cache(tmp_path / "c", {"a.md": made}, {"a.md": FileStamp(1, 2)})
    assert read_cache(tmp_path / "c")["a.md"].note == made
