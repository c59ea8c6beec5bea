"""Fixes that make what a link names: a note, or a heading in one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.features.action_context import ActionContext, fix
from core.features.linkage import linked
from core.features.linktext import heading_from_anchor
from core.features.results import CodeAction, CreateFile, Diagnostic, TextEdit
from core.model import Link, strip_note_suffix
from core.text import LineIndex
from core.vault.targets import (
    MARKDOWN_FORMS,
    is_relative,
    joined,
    names_attachment,
    without_vault_prefix,
)

_RANGE = re.compile(r"^\S+,\d+(?:$|:)|:#")
"""Dendron's `#start,1:#end` names a range and no heading."""
_CONTROL = re.compile(r"[\x00-\x1f\\]")
_NOT_IN_FILE_NAME = re.compile(r'[\\:*?"<>|\x00-\x1f]+')


def create_note(context: ActionContext, link: Link, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    """A new note for a link to none: where its path says, else in the drafts folder, else
    beside the note that links.

    Nothing is offered where a file of that path, in whatever letter case, exists, or where
    the path would be hidden or leave the vault.
    """
    target = without_vault_prefix(diagnostic.data["target"].strip())
    path = _new_path(context, link, target)
    if path is None or _exists(context, path):
        return
    eol = context.document.lines.eol
    name = path if link.form in MARKDOWN_FORMS else target
    text = f"# {strip_note_suffix(name.rpartition('/')[2])}{eol}"
    if link.heading and link.block is None:
        text += f"{eol}## {heading_from_anchor(link, link.heading)}{eol}"
    title = context.say(f"Create note “{path}”", f"Notiz „{path}“ anlegen")
    yield fix(title, diagnostic, CreateFile(path, text))


def add_heading(context: ActionContext, link: Link, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    """The missing heading, at the end of the note that the link means."""
    note = linked(context.index, link, context.document.note).note
    anchor = diagnostic.data["anchor"]
    heading = heading_from_anchor(link, anchor)
    text = context.text(note.path) if note else None
    if note is None or text is None or not heading or _RANGE.search(anchor):
        return
    eol = LineIndex(text).eol
    gap = "" if not text else eol if text.endswith(("\n", "\r")) else eol * 2
    marks = "##" if note.headings else "#"
    change = TextEdit(note.path, len(text), len(text), f"{gap}{marks} {heading}{eol}")
    title = context.say(
        f"Add heading “{heading}” to “{note.title}”",
        f"Überschrift „{heading}“ in „{note.title}“ anfügen",
    )
    yield fix(title, diagnostic, change)


def _new_path(context: ActionContext, link: Link, target: str) -> str | None:
    """Where the note would be made so that the link means it; None if nowhere."""
    folder = context.document.folder
    markdown = link.form in MARKDOWN_FORMS
    if not target or target.endswith("/") or names_attachment(target, markdown):
        return None
    if not markdown and "/" not in target:
        folder = context.drafts.strip("/") or folder
    elif target.startswith("/") or not (markdown or is_relative(target)):
        folder = ""
    found = joined(folder, target)
    if found is None:
        return None
    parts = found.split("/")
    if "/" not in target and not markdown:
        # the new note's title is the name as written, so that the link means it all the same
        parts[-1] = " ".join(_NOT_IN_FILE_NAME.sub(" ", parts[-1]).split())
    if any(not part or part.startswith(".") for part in parts) or _CONTROL.search(found):
        return None
    path = "/".join(parts)
    return path if strip_note_suffix(path) != path else f"{path}.md"


def _exists(context: ActionContext, path: str) -> bool:
    """Whether a note or file has this path, also for a file system that ignores letter case."""
    found = context.index.resolve_name(f"/{path}", context.document.path)
    return found.path is not None or found.attachment is not None
