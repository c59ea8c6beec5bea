"""workspace/didChangeConfiguration: settings apply without a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from mindnet_lsp import lifecycle

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer


def register(ls: MindnetServer) -> None:
    ls.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(did_change_configuration)


async def did_change_configuration(
    ls: MindnetServer, params: types.DidChangeConfigurationParams
) -> None:
    """Some clients send the settings, some only say that they changed."""
    ls.client_settings.push(params.settings)
    await lifecycle.start_folders(ls)
