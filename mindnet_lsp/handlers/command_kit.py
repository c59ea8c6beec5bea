"""What all workspace commands share: one JSON object in, one out.

What may be expected to fail is no JSON-RPC error but a result with
`error: {code, message, hint}`, so that every editor can show it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from core.errors import InvalidArguments, MindnetError, NotANote
from mindnet_lsp.core_client import VaultCore
from mindnet_lsp.handlers.arguments import Arguments

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

Command = Callable[["MindnetServer", Arguments], Awaitable[dict[str, Any]]]


def guarded(
    ls: MindnetServer, command: Command
) -> Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]:
    """The command as pygls calls it: expected failures become results."""

    async def run(given: dict[str, Any]) -> dict[str, Any]:
        try:
            return await command(ls, Arguments(given))
        except InvalidArguments:
            raise  # an error answer: the caller is wrong, not the vault
        except MindnetError as error:
            return failed(error)

    return run


def failed(error: MindnetError) -> dict[str, Any]:
    """The result of a command that failed as may be expected."""
    return {"error": {"code": error.code, "message": error.message, "hint": error.hint}}


def core_of(session: Session) -> VaultCore:
    """The core service of a vault; a single file has none."""
    if not isinstance(session.core, VaultCore):
        raise NotANote("this note is in no vault", "Open its folder.")
    return session.core


def session_of(ls: MindnetServer, arguments: Arguments) -> Session:
    """The vault that a command means: that of its `uri`, else the first folder."""
    if arguments.has("uri"):
        uri = arguments.text("uri")
        found = ls.sessions.find(uri) or ls.sessions.folder_of(uri)
        if found is None:
            raise NotANote("uri: is in no folder of the workspace", "Open its vault as a folder.")
        return found[0]
    folders = ls.sessions.folders
    if not folders:
        raise NotANote("no vault is open", "Open the folder with your notes.")
    return folders[0]


def note_of(ls: MindnetServer, arguments: Arguments, name: str = "uri") -> tuple[Session, str]:
    """The note that a field of the arguments names, and its vault."""
    found = ls.sessions.find(arguments.text(name))
    if found is None:
        raise NotANote(f"{name}: is not a note of an open vault", "Open its vault as a folder.")
    return found
