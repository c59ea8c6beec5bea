"""A `VaultEdit` of the core as a `WorkspaceEdit`, in the form that the client understands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from core.features.results import PlaceEdit, TextEdit, VaultEdit
from core.model import Span
from core.text import LineIndex

if TYPE_CHECKING:
    from mindnet_lsp.server import MindnetServer
    from mindnet_lsp.session import Session


def workspace_edit(
    ls: MindnetServer, session: Session, change: VaultEdit
) -> types.WorkspaceEdit | None:
    """The edit; None where nothing is to be done.

    One of the two forms only: `documentChanges` with versions, or `changes`. File operations
    need the first, as the protocol says, even where the client does not declare it (Neovim);
    whether it can do them at all is the caller's question (`create_files`, `rename_files`).
    New files come first, then the edits, which address the old paths, then the renames.
    """
    edits = text_edits(ls, session, change.edits)
    if not edits and not change.creates and not change.renames:
        return None
    if not change.creates and not change.renames and not ls.facts.document_changes:
        return types.WorkspaceEdit({session.uri(path): found for path, found in edits.items()})
    changes: list[Any] = []
    never = types.CreateFileOptions(overwrite=False, ignore_if_exists=True)
    for new in change.creates:
        uri = session.uri(new.path)
        changes.append(types.CreateFile(uri=uri, options=never))
        if new.text:
            own = new.text
            if ls.facts.ends_lines:
                own = own.removesuffix("\n").removesuffix("\r")
            text = types.TextEdit(ls.convert.line_range(0), own)
            changes.append(_document_edit(uri, None, [text]))
    for path, found in edits.items():
        changes.append(_document_edit(session.uri(path), session.version(path), found))
    for renamed in change.renames:
        old, new_uri = session.uri(renamed.path), session.uri(renamed.new_path)
        options = types.RenameFileOptions(overwrite=False, ignore_if_exists=False)
        changes.append(types.RenameFile(old_uri=old, new_uri=new_uri, options=options))
    return types.WorkspaceEdit(document_changes=changes)


def text_edits(
    ls: MindnetServer, session: Session, edits: Iterable[TextEdit | PlaceEdit]
) -> dict[str, list[types.TextEdit]]:
    """The edits by path, in order; each path by its first edit."""
    found: dict[str, list[types.TextEdit]] = defaultdict(list)
    lines: dict[str, LineIndex] = {}
    for edit in edits:
        if isinstance(edit, PlaceEdit):
            where = ls.convert.place_range(edit.place, edit.start, edit.end)
        else:
            if edit.path not in lines:
                lines[edit.path] = LineIndex(session.text(edit.path) or "")
            where = ls.convert.range(lines[edit.path], Span(edit.start, edit.end))
        found[edit.path].append(types.TextEdit(where, edit.new_text))
    return found


def _document_edit(
    uri: str, version: int | None, edits: list[types.TextEdit]
) -> types.TextDocumentEdit:
    return types.TextDocumentEdit(
        types.OptionalVersionedTextDocumentIdentifier(uri, version), list(edits)
    )
