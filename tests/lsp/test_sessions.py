"""Which vault a document belongs to, and what a session's snapshots hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.vault.index import VaultIndex
from core.vault.load import load_vault
from mindnet_lsp import disk
from mindnet_lsp.session import Change, Session
from mindnet_lsp.sessions import Sessions
from tests.support.fixture import parse_fixture

VAULT = "//- /a.md\n[[b]]\n//- /sub/b.md\n# B\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return parse_fixture(VAULT).write(tmp_path / "my vault")


def loaded(sessions: Sessions, root: Path) -> Session:
    session = sessions.add_folder(root.as_uri())
    assert session is not None
    session.load(load_vault(root))
    return session


def test_every_spelling_of_a_uri_is_one_document(root: Path) -> None:
    sessions = Sessions()
    session = loaded(sessions, root)
    plain = f"file://{root}/a.md"
    sessions.open(plain, 1, "text")
    assert sessions.find((root / "a.md").as_uri()) == (session, "a.md")
    # what we send of an open document is spelled as its editor does
    assert session.uri("a.md") == plain
    assert session.uri("sub/b.md") == (root / "sub" / "b.md").as_uri()


def test_the_same_folder_twice_is_one_session(root: Path) -> None:
    sessions = Sessions()
    assert sessions.add_folder(root.as_uri()) is not None
    assert sessions.add_folder(f"file://{root}/") is None
    assert sessions.add_folder("untitled:x") is None
    assert len(list(sessions)) == 1


def test_a_file_of_another_kind_is_no_note(root: Path) -> None:
    sessions = Sessions()
    loaded(sessions, root)
    assert sessions.find((root / "picture.png").as_uri()) is None
    session, path = sessions.open((root / "page.txt").as_uri(), 1, "[[b]]")
    assert session.is_single
    assert path == "page.txt"


def test_a_file_whose_name_is_no_text_works_alone(root: Path) -> None:
    """It can be in no index: that could not be written."""
    sessions = Sessions()
    loaded(sessions, root)
    session, path = sessions.open(f"{root.as_uri()}/caf%E9.md", 1, "# Café\n")
    assert session.is_single
    found = session.snapshot().get(path)
    assert found is not None
    assert found.title == "Café"


def test_edits_are_in_the_next_snapshot_and_in_no_older_one(root: Path) -> None:
    sessions = Sessions()
    session = loaded(sessions, root)
    uri = (root / "sub" / "b.md").as_uri()
    before = session.snapshot()
    sessions.open(uri, 1, "# B\n\n[[a]]\n")
    after = session.snapshot()
    assert before.backlink_count("a.md") == 0
    assert after.backlink_count("a.md") == 1
    assert after is session.snapshot(), "nothing changed, nothing is made anew"
    session.edit("sub/b.md", 2, "# B\n\n[[a]]\n")
    assert after is session.snapshot(), "the same text is no change"


def test_a_burst_is_parsed_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions, parsed = Sessions(), list[str]()
    session = loaded(sessions, root)
    from mindnet_lsp import overlay

    real = overlay.parse_note

    def counting(path: str, text: str) -> object:
        parsed.append(text)
        return real(path, text)

    monkeypatch.setattr(overlay, "parse_note", counting)
    sessions.open((root / "a.md").as_uri(), 1, "1")
    for version in range(2, 30):
        session.edit("a.md", version, str(version))
    session.snapshot()
    session.snapshot()
    assert parsed == ["29"]


def test_a_failing_parser_costs_one_note(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mindnet_lsp import overlay

    def broken(path: str, text: str) -> object:
        raise IndexError(text)

    sessions = Sessions()
    session = loaded(sessions, root)
    monkeypatch.setattr(overlay, "parse_note", broken)
    sessions.open((root / "a.md").as_uri(), 1, "secret")
    note = session.snapshot().get("a.md")
    assert note is not None
    assert note.title == "a"


def test_hooks_hear_of_previous_and_new(root: Path) -> None:
    heard: list[tuple[int, int, set[str]]] = []

    def hook(session: Session, previous: VaultIndex, new: VaultIndex, change: Change) -> None:
        heard.append((len(previous.paths), len(new.paths), change.paths))

    sessions = Sessions()
    sessions.on_open.append(lambda session: session.hooks.append(hook))
    session = loaded(sessions, root)
    sessions.open((root / "c.md").as_uri(), 1, "# C\n")
    session.flush()
    assert session.apply(Change(removed=("sub/b.md",)))
    assert not session.apply(Change(removed=("sub/b.md",)))
    assert heard == [(0, 2, set()), (2, 3, {"c.md"}), (3, 2, {"sub/b.md"})]


def test_an_unsaved_new_note_is_gone_when_it_is_closed(root: Path) -> None:
    sessions = Sessions()
    session = loaded(sessions, root)
    uri = (root / "c.md").as_uri()
    sessions.open(uri, 1, "# C\n")
    assert session.snapshot().get("c.md") is not None
    sessions.close(uri)
    assert session.snapshot().get("c.md") is None
    assert sessions.close(uri) is None


def test_a_single_file_ends_with_its_document(tmp_path: Path) -> None:
    sessions = Sessions()
    uri = (tmp_path / "lone.md").as_uri()
    session, path = sessions.open(uri, 3, "# Lone\n")
    assert (session.is_single, path, session.uri(path)) == (True, "lone.md", uri)
    assert sessions.find(uri) == (session, "lone.md")
    sessions.close(uri)
    assert list(sessions) == []


def test_an_open_document_moves_into_a_folder_that_comes(root: Path) -> None:
    sessions = Sessions()
    uri = (root / "a.md").as_uri()
    alone, _ = sessions.open(uri, 4, "[[b]] unsaved\n")
    session = loaded(sessions, root)
    sessions.reroute()
    assert sessions.find(uri) == (session, "a.md")
    assert (session.version("a.md"), session.text("a.md")) == (4, "[[b]] unsaved\n")
    assert alone not in list(sessions)
    sessions.remove_folder(root.as_uri())
    sessions.reroute()
    found = sessions.find(uri)
    assert found is not None
    assert found[0].is_single


def test_text_outside_the_vault_is_never_read(root: Path) -> None:
    (root.parent / "secret.md").write_text("secret")
    (root / "link.md").symlink_to(root.parent / "secret.md")
    session = loaded(Sessions(), root)
    for path in ("../secret.md", "sub/../../secret.md", str(root.parent / "secret.md"), "link.md"):
        assert session.text(path) is None


def test_an_ignored_note_counts_only_while_it_is_open(root: Path) -> None:
    (root / ".gitignore").write_text("sub/\n")
    session = loaded(Sessions(), root)
    assert session.snapshot().get("sub/b.md") is None
    session.open((root / "sub" / "b.md").as_uri(), "sub/b.md", 1, "# B\n")
    assert session.snapshot().get("sub/b.md") is not None
    session.close("sub/b.md")
    known = disk.Known(root, (), session.stamps, session.index)
    found = disk.look_at(known, ["sub/b.md", "a.md"])
    assert found is not None
    session.apply_disk(found)
    assert session.snapshot().get("sub/b.md") is None


@pytest.mark.parametrize(
    ("make", "seen"),
    [
        (lambda root: (root / "a.md").write_text("# Changed\n"), (["a.md"], [], [], [])),
        (lambda root: (root / "new.md").write_text("# New\n"), (["new.md"], [], [], [])),
        (lambda root: (root / "map.png").write_bytes(b"png"), ([], [], ["map.png"], [])),
        (lambda root: (root / "a.md").unlink(), ([], ["a.md"], [], [])),
        (lambda root: (root / "old.png").unlink(), ([], [], [], ["old.png"])),
        (lambda root: (root / ".hidden.md").write_text("x"), ([], [], [], [])),
        (
            lambda root: (root / "sub").rename(root / "other"),
            (["other/b.md"], ["sub/b.md"], [], []),
        ),
    ],
    ids=["changed", "new", "attachment", "gone", "attachment gone", "hidden", "folder moved"],
)
def test_what_a_look_at_the_disk_finds(
    root: Path, make: Callable[[Path], object], seen: tuple[list[str], ...]
) -> None:
    """A look at the right paths and a scan of everything find the same."""
    (root / "old.png").write_bytes(b"png")
    session = loaded(Sessions(), root)
    before = {path.relative_to(root).as_posix() for path in root.rglob("*")}
    make(root)
    after = {path.relative_to(root).as_posix() for path in root.rglob("*")}
    known = disk.Known(root, (), session.stamps, session.index)
    touched = (before ^ after) | {"a.md"}
    for found in (disk.look_at(known, touched), disk.rescan(known, ())):
        if found is None:
            assert "other" in after, "only a folder needs a scan"
            continue
        listed = [note.path for note, _ in found.notes]
        assert (listed, *map(list, found[1:])) == seen
