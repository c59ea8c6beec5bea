"""Publishing findings, in process: a server without a client."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from mindnet_lsp.server import MindnetServer, create_server
from mindnet_lsp.session import Session
from tests.support.waiting import wait_until


def opened(ls: MindnetServer, folder: Path, text: str) -> tuple[Session, str]:
    """A ready session for `folder` with one open document in it."""
    folder.mkdir()
    session = ls.sessions.add_folder(folder.as_uri())
    assert session is not None
    session.state = "ready"
    uri = (folder / "a.md").as_uri()
    ls.sessions.open(uri, 1, text)
    ls.publisher.edited(session, "a.md")
    return session, uri


async def test_a_folder_that_goes_takes_no_other_folders_findings_with_it(tmp_path: Path) -> None:
    ls = create_server({})
    published: list[types.PublishDiagnosticsParams] = []
    ls.text_document_publish_diagnostics = published.append  # type: ignore[method-assign]
    going, _ = opened(ls, tmp_path / "going", "[[Gone]]")
    _, uri = opened(ls, tmp_path / "staying", "[[Missing]]")
    ls.publisher.forget(going)
    await wait_until(lambda: published, what="the findings of the folder that stays")
    assert [(one.uri, len(one.diagnostics)) for one in published] == [(uri, 1)]
    await ls.scheduler.close()


async def test_who_opens_a_note_again_is_told_again(tmp_path: Path) -> None:
    """`:edit!` in Neovim drops its findings, closes and opens the note."""
    ls = create_server({})
    published: list[types.PublishDiagnosticsParams] = []
    ls.text_document_publish_diagnostics = published.append  # type: ignore[method-assign]
    session, uri = opened(ls, tmp_path / "vault", "[[Gone]]")
    await wait_until(lambda: len(published) == 1)
    for version, count in ((1, 2), (7, 3)):
        ls.sessions.close(uri)
        ls.sessions.open(uri, version, "[[Gone]]")
        ls.publisher.opened(session, "a.md")
        await wait_until(lambda: len(published) == count)  # noqa: B023
        assert [(item.code, published[-1].version) for item in published[-1].diagnostics] == [
            ("unresolved-link", version)
        ]
    await ls.scheduler.close()
