"""Which files a scan finds, and reading them."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import Cancelled, NotANote, OutsideVault, UnreadableNote
from core.vault.read import read_note
from core.vault.scan import Scan, is_too_broad, scan


def make(root: Path, *paths: str) -> Path:
    for path in paths:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"# {path}\n", encoding="utf-8")
    return root


def check(found: Scan, *notes: str, files: tuple[str, ...] = ()) -> None:
    assert tuple(found.notes) == notes
    assert found.attachments == files


def test_notes_and_files(tmp_path: Path) -> None:
    make(tmp_path, "b.md", "a/c.MD", "a/d.markdown", "a/e.png", "f.txt", "md", "g.mdx")
    found = scan(tmp_path)
    check(found, "a/c.MD", "a/d.markdown", "b.md", files=("a/e.png", "f.txt", "g.mdx", "md"))
    assert found.problems == ()
    size, mtime = found.notes["b.md"]
    assert size == len("# b.md\n")
    assert mtime == (tmp_path / "b.md").stat().st_mtime_ns


def test_changes_against_known_stamps(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.md", "c.md")
    known = scan(tmp_path).notes
    (tmp_path / "b.md").write_text("longer than before", encoding="utf-8")
    (tmp_path / "c.md").rename(tmp_path / "d.md")
    assert scan(tmp_path).changes(known) == (["b.md", "d.md"], ["c.md"])


def test_hidden_and_skipped(tmp_path: Path) -> None:
    make(tmp_path, ".obsidian/x.md", ".git/y.md", ".trash/z.md", "a/.hid/n.md", "node_modules/r.md",
         "a/node_modules/r.md", ".#lock.md", "n.md")  # fmt: skip
    check(scan(tmp_path), "n.md")


def test_ignore_rules(tmp_path: Path) -> None:
    make(tmp_path, "build/a.md", "x/build/b.md", "keep.md", "x/tmp.md", "x/tmp2.md",
         "y/drafts/d.md", "drafts/d.md", "z/.gitignore", "z/q.md")  # fmt: skip
    (tmp_path / ".gitignore").write_text("# c\nbuild/\n*tmp*.md\n!tmp2.md\n/drafts\n")
    check(scan(tmp_path), "keep.md", "x/tmp2.md", "y/drafts/d.md", "z/q.md")
    check(scan(tmp_path, ["/y/", "z/q.md"]), "keep.md", "x/tmp2.md")
    check(scan(tmp_path, ["!/drafts", "/y", "/z", "keep.md"]), "drafts/d.md", "x/tmp2.md")


def test_invalid_pattern_is_reported(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "b.md")
    found = scan(tmp_path, ["!", "b.md"])
    check(found, "a.md")
    assert [problem.reason for problem in found.problems] == ["invalid-ignore"]


def test_symbolic_links(tmp_path: Path) -> None:
    vault = make(tmp_path / "vault", "a/n.md", ".hid/h.md", ".hid/deep/i.md")
    make(tmp_path / "outside", "secret.md")
    (vault / "a" / "loop").symlink_to(vault)
    (vault / "a" / "self").symlink_to(vault / "a" / "self")
    (vault / "out").symlink_to(tmp_path / "outside")
    (vault / "out.md").symlink_to(tmp_path / "outside" / "secret.md")
    (vault / "again.md").symlink_to(vault / "a" / "n.md")
    (vault / "gone.md").symlink_to(vault / "nowhere.md")
    (vault / "shown").symlink_to(vault / ".hid")
    (vault / "shown" / "back").symlink_to(vault / ".hid" / "deep")
    (vault / "twin").symlink_to(tmp_path / "vault-twin")
    make(tmp_path / "vault-twin", "t.md")
    found = scan(vault)
    check(found, "a/n.md", "shown/deep/i.md", "shown/h.md")
    linked = tmp_path / "linked"
    linked.symlink_to(vault)
    check(scan(linked), "a/n.md", "shown/deep/i.md", "shown/h.md")


def test_linked_file_from_a_hidden_folder(tmp_path: Path) -> None:
    make(tmp_path, ".store/n.md", "a.md")
    (tmp_path / "one.md").symlink_to(tmp_path / ".store" / "n.md")
    (tmp_path / "two.md").symlink_to(tmp_path / ".store" / "n.md")
    check(scan(tmp_path), "a.md", "one.md")


def test_unreadable_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a/n.md", "b/n.md")
    real = os.scandir

    def refuse(path: str) -> object:
        # root may read everything, so a mode of 0 would prove nothing
        if str(path).endswith("/a"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = scan(tmp_path)
    check(found, "b/n.md")
    assert found.problems == (("a", "unreadable-folder", "Permission denied"),)


def test_missing_root(tmp_path: Path) -> None:
    assert scan(tmp_path / "no").problems == (("", "unreadable-folder", "does not exist"),)


def test_not_regular(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    check(scan(tmp_path), "a.md")


def test_limit(tmp_path: Path) -> None:
    make(tmp_path, *(f"n{at:02}.md" for at in range(20)))
    found = scan(tmp_path, max_files=6)
    assert list(found.notes) == [f"n{at:02}.md" for at in range(5)]
    assert [problem.reason for problem in found.problems] == ["too-many-files"]


def test_cancel(tmp_path: Path) -> None:
    make(tmp_path, "a/b/c.md")
    asked = iter([False, True])
    with pytest.raises(Cancelled):
        scan(tmp_path, cancelled=lambda: next(asked))


def test_too_broad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "users" / "me"
    (home / "notes").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    assert is_too_broad(Path("/"))
    assert is_too_broad(tmp_path)
    assert is_too_broad(tmp_path / "users")
    assert is_too_broad(home)
    assert is_too_broad(home / "notes" / "..")
    assert not is_too_broad(home / "notes")
    (home / ".obsidian").mkdir()
    assert not is_too_broad(home)
    assert is_too_broad(tmp_path / "users")


@pytest.mark.parametrize(
    ("data", "text", "replaced"),
    [
        (b"", "", False),
        (b"\xef\xbb\xbf# A\r\n", "# A\r\n", False),
        (b"a\0b\r", "ab\r", False),
        (b"caf\xe9\n", "caf\ufffd\n", True),
    ],
)
def test_read(tmp_path: Path, data: bytes, text: str, replaced: bool) -> None:
    (tmp_path / "n.md").write_bytes(data)
    found = read_note(tmp_path, "n.md")
    assert (found.text, found.replaced) == (text, replaced)
    assert found.stamp == scan(tmp_path).notes["n.md"]


def _pipe(root: Path) -> str:
    os.mkfifo(root / "pipe.md")
    return "pipe.md"


def _link_out(root: Path) -> str:
    (root / "out.md").symlink_to(root.parent / "secret.md")
    return "out.md"


def _folder(root: Path) -> str:
    (root / "folder.md").mkdir()
    return "folder.md"


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("../secret.md", OutsideVault),
        ("a/../../secret.md", OutsideVault),
        ("/etc/passwd.md", OutsideVault),
        (_link_out, OutsideVault),
        ("a.png", NotANote),
        (_pipe, NotANote),
        (_folder, NotANote),
        ("gone.md", UnreadableNote),
    ],
)
def test_read_refuses(
    tmp_path: Path, path: str | Callable[[Path], str], error: type[Exception]
) -> None:
    root = make(tmp_path / "vault", "a.md")
    make(tmp_path, "secret.md")
    with pytest.raises(error):
        read_note(root, path if isinstance(path, str) else path(root))


def test_decomposed_names_stay_as_on_disk(tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "Größe.md")
    make(tmp_path, name)
    listed = os.listdir(tmp_path)[0]
    check(scan(tmp_path), listed)
    assert read_note(tmp_path, listed).text.startswith("# ")
