"""Files that the server writes: new, whole, inside the vault; and the names it prepares."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from core.errors import AlreadyExists, MindnetError, NotANote, OutsideVault
from core.features.results import CreateFile
from core.parse import parse_note
from core.vault.index import VaultIndex
from mindnet_lsp.mention_cache import MentionCache
from mindnet_lsp.new_files import create_file, is_taken
from mindnet_lsp.schedule import Scheduler
from mindnet_lsp.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    root = tmp_path / "vault"
    (root / "Sub").mkdir(parents=True)
    (root / "Sub" / "Tide-Table.md").write_text("precious\n")
    return Session(root, root.as_uri())


def files(session: Session) -> dict[str, str]:
    root = session.root
    assert root is not None
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode("utf-8", "surrogatepass")
        for path in root.rglob("*")
        if path.is_file()
    }


def test_a_new_note_in_a_new_folder(session: Session) -> None:
    create_file(session, "en", CreateFile("a/b/Ü.md", "x\r\n🚢"))
    assert files(session) == {"Sub/Tide-Table.md": "precious\n", "a/b/Ü.md": "x\r\n🚢"}
    mode = (session.root or Path()).joinpath("a/b/Ü.md").stat().st_mode & 0o777
    assert mode == 0o666 & ~_umask()


def _umask() -> int:
    found = os.umask(0o022)
    os.umask(found)
    return found


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("Sub/Tide-Table.md", AlreadyExists),
        ("sub/tide-TABLE.md", AlreadyExists),
        ("../out.md", OutsideVault),
        (".git/x.md", NotANote),
        (".mindnet/other.yaml", NotANote),
        ("x.sh", NotANote),
        ("link/x.md", OutsideVault),
    ],
)
def test_dg_02_nothing_is_written_over_or_outside(
    session: Session, path: str, error: type[MindnetError]
) -> None:
    root = session.root
    assert root is not None
    (root / "link").symlink_to(root.parent)
    before = files(session)
    with pytest.raises(error):
        create_file(session, "de", CreateFile(path, "evil"))
    assert files(session) == before
    assert not (root.parent / "out.md").exists()
    assert not (root.parent / "x.md").exists()


def test_without_hard_links(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on some network folders."""

    def link(*_: object) -> None:
        raise OSError(95, "not supported")

    monkeypatch.setattr(os, "link", link)
    create_file(session, "en", CreateFile("n.md", "x"))
    assert files(session) == {"Sub/Tide-Table.md": "precious\n", "n.md": "x"}


def test_the_vaults_own_configuration_may_be_made(session: Session) -> None:
    create_file(session, "en", CreateFile(".mindnet/relations.yaml", "relations:\n"))
    assert is_taken(session, ".MINDNET/relations.YAML")
    assert not is_taken(session, ".mindnet/types.yaml")


async def test_names_are_prepared_in_the_background(session: Session) -> None:
    cache, scheduler = MentionCache(), Scheduler()
    session.index = VaultIndex.build([parse_note("Mill.md", "")])
    assert cache.latest(session) is None
    cache.refresh(scheduler, session)
    cache.refresh(scheduler, session)
    while scheduler._tasks:
        await asyncio.gather(*scheduler._tasks)
    first = cache.latest(session)
    assert first is not None
    assert len(first) == 1
    assert cache.fresh(session, session.index.names) is first
    session.index = session.index.update([parse_note("Pond.md", "")])
    assert cache.latest(session) is first
    assert len(cache.fresh(session, session.index.names)) == 2
    await scheduler.close()
