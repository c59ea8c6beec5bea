"""textDocument/codeAction and codeAction/resolve: edits where the client takes them, else a
command that does the same."""

from __future__ import annotations

import asyncio
import logging
import zlib
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from core.errors import AlreadyExists, InvalidArguments, NotANote, OutsideVault
from core.features.action_context import ActionContext
from core.features.code_action import KINDS, code_actions, complete_action
from core.features.results import CodeAction, CreateFile, Deferred, VaultEdit
from core.locale import say
from mindnet_lsp.action_context import context_of
from mindnet_lsp.errors import CONTENT_MODIFIED
from mindnet_lsp.handlers.diagnostics import findings, to_lsp
from mindnet_lsp.new_files import create_files
from mindnet_lsp.workspace_edit import workspace_edit

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer, View
    from mindnet_lsp.session import Session

APPLY = "mindnet.applyCodeAction"
"""Does what an action would do, for a client that cannot do it itself."""
APPLY_TIMEOUT = 10.0
ATTEMPTS = 3

_log = logging.getLogger(__name__)
_Shown = types.CodeAction | types.Command


def register(ls: MindnetServer) -> None:
    options = types.CodeActionOptions(list(KINDS), resolve_provider=True)
    ls.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)(code_action)
    ls.feature(types.CODE_ACTION_RESOLVE)(resolve)
    ls.command(APPLY)(apply)


async def code_action(ls: MindnetServer, params: types.CodeActionParams) -> list[_Shown] | None:
    for _ in range(ATTEMPTS):
        view = ls.view(params.text_document.uri)
        if view is None or not view.session.is_ready:
            return None  # half an index would offer to create notes that are there
        found = await ls.scheduler.in_thread(_offered, ls, view, params)
        if _is_current(view):
            ls.mention_names.refresh(ls.scheduler, view.session)
            return found
    raise _modified(ls)


async def resolve(ls: MindnetServer, action: types.CodeAction) -> types.CodeAction:
    """The edit of an action whose change was left for later. Raises MindnetError where it
    cannot be done any more, and an error `ContentModified` where the document is another."""
    if isinstance(action.data, dict) and action.edit is None and action.command is None:
        session, change = await _completed(ls, action.data)
        action.edit = workspace_edit(ls, session, change)
    return action


async def apply(ls: MindnetServer, arguments: dict[str, Any]) -> dict[str, Any]:
    """`{edit?, create?: [{uri, text}], action?}` → `{applied}`; `action` is the data of one
    whose change was left for later. Creates files itself, never over one."""
    creates, edit = arguments.get("create", []), arguments.get("edit")
    if not isinstance(creates, list) or not all(isinstance(item, dict) for item in creates):
        raise InvalidArguments(f"{APPLY}: create must be a list of objects")
    for item in creates:
        session, path = _folder(ls, str(item.get("uri", "")))
        await create_files(ls, session, [CreateFile(path, str(item.get("text", "")))])
    converter = ls.protocol._converter
    wanted = None if edit is None else converter.structure(edit, types.WorkspaceEdit)
    if isinstance(data := arguments.get("action"), dict):
        session, change = await _completed(ls, data)
        if not ls.facts.create_files:
            await create_files(ls, session, change.creates)
            change = VaultEdit(change.edits)
        wanted = workspace_edit(ls, session, change)
    if wanted is None:
        return {"applied": True}
    asked = asyncio.ensure_future(
        ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(wanted))
    )
    # shielded: a late answer to a cancelled request would be an error in pygls
    result = await asyncio.wait_for(asyncio.shield(asked), APPLY_TIMEOUT)
    if not result.applied:
        _log.warning("the client did not apply an edit")
    return {"applied": result.applied}


def _offered(ls: MindnetServer, view: View, params: types.CodeActionParams) -> list[_Shown]:
    session, document = view.session, view.document
    found = findings(ls, session, view.index, document.note)
    context = context_of(ls, session, view.index, document, params.context)
    span = view.convert.span(document.lines, params.range)
    actions = code_actions(context, span, found)
    offered = (_shown(ls, view, context, action, found) for action in actions)
    return [action for action in offered if action is not None]


def _shown(
    ls: MindnetServer, view: View, context: ActionContext, action: CodeAction, found: list[Any]
) -> _Shown | None:
    """None where the client can neither take the edit nor run a command for it."""
    facts, session, deferred = ls.facts, view.session, action.deferred
    creates = deferred.creates if deferred else bool(action.creates)
    edits = deferred.edits if deferred else bool(action.edits)
    if creates and session.is_single:
        return None
    if action.disabled and not (facts.action_literals and facts.disabled_actions):
        return None
    if any(session.exists(new.path) for new in action.creates):
        return None
    if action.run is not None:
        arguments = {"uri": session.uri(view.document.path), **action.run.arguments}
        command = types.Command(action.title, action.run.command, arguments=[arguments])
        named = types.CodeAction(action.title, action.kind, command=command)
        return named if facts.action_literals else command
    by_command = not action.disabled and (
        not facts.action_literals or (creates and not facts.create_files)
    )
    if by_command and (edits or (creates and facts.create_files)) and not facts.apply_edit:
        return None
    shown = types.CodeAction(action.title, action.kind)
    if action.diagnostic is not None:
        shown.diagnostics = [to_lsp(ls, session, action.diagnostic)]
    if facts.preferred_actions:
        shown.is_preferred = action.preferred
    if action.disabled:
        shown.disabled = types.CodeActionDisabled(action.disabled)
    elif by_command:
        arguments = _command(ls, view, action)
        shown.command = types.Command(action.title, APPLY, arguments=[arguments])
    elif deferred is not None and facts.resolves_actions:
        shown.data = _data(view, deferred)
    else:
        change = VaultEdit(action.edits, action.creates)
        if deferred is not None:
            done = complete_action(context, deferred.name, deferred.arguments, found)
            if done is None:
                return None
            change = done
        shown.edit = workspace_edit(ls, session, change)
    return shown if facts.action_literals else shown.command


def _command(ls: MindnetServer, view: View, action: CodeAction) -> dict[str, Any]:
    """The argument of the command that does what the action would."""
    if action.deferred is not None:
        return {"action": _data(view, action.deferred)}
    creates = action.creates if not ls.facts.create_files else ()
    kept = () if creates else action.creates
    edit = workspace_edit(ls, view.session, VaultEdit(action.edits, kept))
    arguments: dict[str, Any] = {}
    if edit is not None:
        arguments["edit"] = ls.protocol._converter.unstructure(edit)
    if creates:
        arguments["create"] = [
            {"uri": view.session.uri(new.path), "text": new.text} for new in creates
        ]
    return arguments


async def _completed(ls: MindnetServer, data: dict[str, Any]) -> tuple[Session, VaultEdit]:
    """The change of an action that was offered; the client gives back its `data`."""
    for _ in range(ATTEMPTS):
        view = ls.view(str(data.get("uri", "")))
        if view is None:
            raise NotANote(say(ls.facts.locale, "This is not a note", "Das ist keine Notiz"))
        known = (data.get("version"), data.get("text"))
        if known != (view.session.version(view.document.path), _digest(view)):
            raise _modified(ls)
        change = await ls.scheduler.in_thread(_complete, ls, view, data)
        if not _is_current(view):
            continue
        if change is None:
            locale = ls.locale(view.session)
            raise AlreadyExists(
                say(
                    locale,
                    "There is nothing left to do, or the new note is there already",
                    "Es ist nichts mehr zu tun, oder die neue Notiz gibt es schon",
                )
            )
        return view.session, change
    raise _modified(ls)


def _complete(ls: MindnetServer, view: View, data: dict[str, Any]) -> VaultEdit | None:
    arguments = data.get("arguments")
    if not isinstance(arguments, dict):
        raise InvalidArguments("data.arguments: must be an object")
    found = findings(ls, view.session, view.index, view.document.note)
    context = context_of(ls, view.session, view.index, view.document)
    return complete_action(context, str(data.get("name", "")), arguments, found)


def _data(view: View, deferred: Deferred) -> dict[str, Any]:
    path = view.document.path
    return {
        "uri": view.session.uri(path),
        "version": view.session.version(path),
        "text": _digest(view),
        "name": deferred.name,
        "arguments": dict(deferred.arguments),
    }


def _digest(view: View) -> int:
    """Tells one text from another, as a document that is not open has no version."""
    return zlib.crc32(view.document.text.encode("utf-8", "surrogatepass"))


def _is_current(view: View) -> bool:
    """Whether nothing changed since the view was taken, not even words that no link is in."""
    session = view.session
    same = session.snapshot() is view.index
    opened = session.documents.get(view.document.path)
    return same and (opened is None or opened.text == view.document.text)


def _folder(ls: MindnetServer, uri: str) -> tuple[Session, str]:
    found = ls.sessions.folder_of(uri)
    if found is None:
        raise OutsideVault("a new note must be in a folder of the workspace")
    return found


def _modified(ls: MindnetServer) -> JsonRpcException:
    text = say(ls.facts.locale, "the text has changed since", "der Text hat sich seither geändert")
    return JsonRpcException(text, CONTENT_MODIFIED)
