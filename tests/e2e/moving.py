"""Moving files as an editor does it: ask for edits, make them, move, tell."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

from lsprotocol import types

from core.text import LineIndex
from tests.e2e.editor import Editor


async def will_rename(ed: Editor, moves: Mapping[str, str]) -> types.WorkspaceEdit | None:
    """The server's edits for moves of files or folders."""
    return await ed.client.workspace_will_rename_files_async(_params(ed, moves))


def edited(ed: Editor, edit: types.WorkspaceEdit | None) -> dict[str, str]:
    """The texts that an edit makes, by path. Asserts that the edits do not overlap, that only
    texts are edited, each in the version that the editor has."""
    texts: dict[str, str] = {}
    if edit is None:
        return texts
    assert (edit.changes is None) != (edit.document_changes is None), "one of the two forms"
    by_uri = dict(edit.changes or {})
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        path = _path(ed, change.text_document.uri)
        assert change.text_document.version == ed._versions.get(path)
        assert change.text_document.uri not in by_uri, "all edits of a file together"
        by_uri[change.text_document.uri] = list(change.edits)  # type: ignore[arg-type]
    for uri, edits in by_uri.items():
        path = _path(ed, uri)
        text = ed.texts[path] if path in ed.opened else (ed.root / path).read_bytes().decode()
        lines, last, parts = LineIndex(text), 0, []
        for item in edits:
            span = ed.convert.span(lines, item.range)
            assert last <= span.start, "edits overlap"
            parts += [text[last : span.start], item.new_text]
            last = span.end
        texts[path] = "".join([*parts, text[last:]])
    return texts


def make(ed: Editor, edit: types.WorkspaceEdit | None) -> None:
    """Make the edits: in buffers where files are open, else on disk."""
    for path, text in edited(ed, edit).items():
        if path in ed.opened:
            ed.change(path, text)
        else:
            (ed.root / path).write_bytes(text.encode())


def rename(ed: Editor, moves: Mapping[str, str]) -> None:
    """Move on disk and tell the server, as VS Code does: open documents are closed under their
    old names and opened under the new ones."""
    for old, new in moves.items():
        (ed.root / new).parent.mkdir(parents=True, exist_ok=True)
        (ed.root / old).rename(ed.root / new)
    ed.client.workspace_did_rename_files(_params(ed, moves))
    for old, new in moves.items():
        for path in [path for path in ed.opened if path == old or path.startswith(f"{old}/")]:
            text = ed.texts[path]
            ed.close(path)
            ed.open(f"{new}{path[len(old) :]}", text)


async def move(ed: Editor, moves: Mapping[str, str]) -> None:
    """All of it."""
    make(ed, await will_rename(ed, moves))
    rename(ed, moves)


def _params(ed: Editor, moves: Mapping[str, str]) -> types.RenameFilesParams:
    return types.RenameFilesParams(
        [types.FileRename(ed.uri(old), ed.uri(new)) for old, new in moves.items()]
    )


def _path(ed: Editor, uri: str) -> str:
    prefix = ed.uri("")
    assert uri.startswith(prefix)
    return unquote(uri[len(prefix) :].lstrip("/"))
