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
