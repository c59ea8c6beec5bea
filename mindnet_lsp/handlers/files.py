"""workspace/didChangeWatchedFiles and didChangeWorkspaceFolders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from mindnet_lsp import lifecycle

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer


def register(ls: MindnetServer) -> None:
    ls.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_watched_files)
    ls.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(did_change_workspace_folders)


def did_change_watched_files(ls: MindnetServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Have a look at the files; what the events say of them may be outdated already."""
    for event in params.changes:
        found = ls.sessions.folder_of(event.uri)
        if found is not None and found[0] in ls.indexing:
            ls.indexing[found[0]].touch(found[1])


async def did_change_workspace_folders(
    ls: MindnetServer, params: types.DidChangeWorkspaceFoldersParams
) -> None:
    """End and begin sessions; open documents move to the one that holds them now."""
    for folder in params.event.removed:
        ls.sessions.remove_folder(folder.uri)
    for folder in params.event.added:
        lifecycle.add_folder(ls, folder.uri)
    ls.sessions.reroute()
    for session in ls.sessions:
        ls.publisher.refresh(session)
    await lifecycle.start_folders(ls)
