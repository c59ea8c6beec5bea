"""textDocument/codeAction, as edits where the client takes them, else as a command."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from core.errors import AlreadyExists, InvalidArguments, NotANote, OutsideVault
from core.features.action_context import ActionContext
from core.features.code_action import code_actions
from core.features.results import CodeAction, VaultEdit
from core.vault.ignore import is_hidden
from core.vault.scan import is_note_path
from mindnet_lsp.handlers.diagnostics import findings, to_lsp
from mindnet_lsp.workspace_edit import workspace_edit

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session

APPLY = "mindnet.applyCodeAction"
"""Does what an action would do, for a client that cannot do it itself."""
APPLY_TIMEOUT = 10.0

_log = logging.getLogger(__name__)
_KINDS = {
    "quickfix": types.CodeActionKind.QuickFix,
    "refactor": types.CodeActionKind.Refactor,
    "source": types.CodeActionKind.Source,
}


def register(ls: MindnetServer) -> None:
    options = types.CodeActionOptions(list(_KINDS.values()))
    ls.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(code_action)
    ls.command(APPLY)(apply)


def code_action(
    ls: MindnetServer, params: types.CodeActionParams
) -> list[types.CodeAction | types.Command] | None:
    view = ls.view(params.text_document.uri)
    if view is None or not view.session.is_ready:
        return None  # half an index would offer to create notes that are there
    session = view.session
    context = ActionContext(
        view.index, view.document, session.text, ls.locale(session), session.settings.drafts.folder
    )
    found = code_actions(
        context,
        view.convert.span(view.document.lines, params.range),
        findings(ls, session, view.index, view.document.note),
    )
    only = params.context.only
    wanted = [action for action in found if only is None or _is_wanted(action, only)]
    return [shown for action in wanted if (shown := _shown(ls, session, action)) is not None]


async def apply(ls: MindnetServer, arguments: dict[str, Any]) -> dict[str, Any]:
    """`{edit?, create?: [{uri, text}]}` → `{applied}`. Creates files itself, never over one."""
    creates, edit = arguments.get("create", []), arguments.get("edit")
    if not isinstance(creates, list) or not all(isinstance(item, dict) for item in creates):
        raise InvalidArguments(f"{APPLY}: create must be a list of objects")
    for item in creates:
        _create(ls, str(item.get("uri", "")), str(item.get("text", "")))
    if edit is None:
        return {"applied": True}
    converter = ls.protocol._converter
    params = types.ApplyWorkspaceEditParams(converter.structure(edit, types.WorkspaceEdit))
    asked = asyncio.ensure_future(ls.workspace_apply_edit_async(params))
    # shielded: a late answer to a cancelled request would be an error in pygls
    result = await asyncio.wait_for(asyncio.shield(asked), APPLY_TIMEOUT)
    if not result.applied:
        _log.warning("the client did not apply an edit")
    return {"applied": result.applied}


def _is_wanted(action: CodeAction, only: Any) -> bool:
    kind = action.kind
    names = [getattr(name, "value", name) for name in only]
    return any(not name or kind == name or kind.startswith(f"{name}.") for name in names)


def _shown(
    ls: MindnetServer, session: Session, action: CodeAction
) -> types.CodeAction | types.Command | None:
    """None where the client can neither take the edit nor run a command for it."""
    facts = ls.facts
    by_server = bool(action.creates) and not facts.create_files
    if any(session.exists(new.path) for new in action.creates):
        return None
    creates = () if by_server else action.creates
    edit = workspace_edit(ls, session, VaultEdit(action.edits, creates))
    command = None
    if by_server or not facts.action_literals:
        if edit is not None and not facts.apply_edit:
            return None
        arguments: dict[str, Any] = {}
        if edit is not None:
            arguments["edit"] = ls.protocol._converter.unstructure(edit)
        if by_server:
            arguments["create"] = [
                {"uri": session.uri(new.path), "text": new.text} for new in action.creates
            ]
        command = types.Command(action.title, APPLY, arguments=[arguments])
    if not facts.action_literals:
        return command
    fixed = action.diagnostic
    return types.CodeAction(
        action.title,
        _KINDS[action.kind],
        [to_lsp(ls, session, fixed)] if fixed is not None else None,
        action.preferred if facts.preferred_actions else None,
        edit=None if command else edit,
        command=command,
    )


def _create(ls: MindnetServer, uri: str, text: str) -> None:
    """Write a new note inside its vault. Raises OutsideVault, NotANote, AlreadyExists, OSError."""
    found = ls.sessions.folder_of(uri)
    if found is None or found[0].root is None:
        raise OutsideVault("a new note must be in a folder of the workspace")
    session, path = found
    if not is_note_path(path) or any(is_hidden(part) for part in path.split("/")):
        raise NotANote(f"{path} is no name for a note")
    root = Path(os.path.realpath(found[0].root))
    target = root / path
    if not Path(os.path.realpath(target)).is_relative_to(root):
        raise OutsideVault("a new note must be in a folder of the workspace")
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with target.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
    except FileExistsError as error:
        raise AlreadyExists(f"{path} exists already") from error
    ls.indexing[session].touch(path)
