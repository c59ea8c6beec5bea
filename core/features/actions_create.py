"""Fixes that make what a link names: a note, or a heading in one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from core.features.action_context import ActionContext, fix
from core.features.linkage import linked
from core.features.linktext import heading_from_anchor
from core.features.results import (
    CodeAction,
    CreateFile,
    Deferred,
    Diagnostic,
    TextEdit,
    VaultEdit,
)
from core.features.templates import NewNote, note_text
from core.features.usual import likely_types
from core.filename import MAX_BYTES, is_file_name, note_stem
from core.model import Link, Note, strip_note_suffix
from core.text import LineIndex, fold
from core.vault.targets import (
    MARKDOWN_FORMS,
    is_relative,
    joined,
    names_attachment,
    without_vault_prefix,
)

CREATE = "create"
"""Name of the deferred change that makes a note from a template."""
_TYPES = 2
"""Types that are offered for a missing note."""
_RANGE = re.compile(r"^\S+,\d+(?:$|:)|:#")
"""Dendron's `#start,1:#end` names a range and no heading."""
_CONTROL = re.compile(r"[\x00-\x1f\\]")


def create_note(context: ActionContext, link: Link, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    """A new note for a link to none: where its path says, else in the drafts folder, else
    beside the note that links; plain, or from the template of a type.

    Nothing is offered where a file of that path, in whatever letter case, exists, or where
    the path would be hidden or leave the vault.
    """
    target = without_vault_prefix(diagnostic.data["target"].strip())
    path = _new_path(context, link, target)
    if path is None or context.is_taken(path):
        return
    name = path if link.form in MARKDOWN_FORMS else target
    name = strip_note_suffix(name.rpartition("/")[2])
    heading = ""
    if link.heading and link.block is None:
        heading = heading_from_anchor(link, link.heading)
    by_path = type_by_path(context, path)
    title = context.say(f"Create note “{path}”", f"Notiz „{path}“ anlegen")
    if by_path or own_template(context, "default") is not None:
        deferred = _deferred(path, name, by_path, heading)
        yield CodeAction(title, "quickfix", (), (), diagnostic, True, deferred)
    else:
        text = new_text(context, path, name, "", heading)
        yield fix(title, diagnostic, CreateFile(path, text), preferred=True)
    folder = path.rpartition("/")[0]
    likely = likely_types(context, link.relation, folder, _TYPES + 1)
    for kind in [kind for kind in likely if fold(kind) != fold(by_path)][:_TYPES]:
        title = context.say(f"Create “{path}” as {kind}", f"„{path}“ als {kind} anlegen")
        yield CodeAction(
            title, "quickfix", (), (), diagnostic, False, _deferred(path, name, kind, heading)
        )


def created(context: ActionContext, arguments: Mapping[str, object]) -> VaultEdit | None:
    """The note that a deferred `CREATE` makes; None where its path is taken by now."""
    path, title = str(arguments["path"]), str(arguments["title"])
    if context.is_taken(path):
        return None
    text = new_text(
        context, path, title, str(arguments.get("type", "")), str(arguments.get("heading", ""))
    )
    return VaultEdit(creates=(CreateFile(path, text),))


def new_text(
    context: ActionContext, path: str, title: str, note_type: str, heading: str = ""
) -> str:
    """The text of a new note at `path`, from the template of its type ("" for none), with a
    heading that is linked already."""
    new = NewNote(path, title, note_type, context.now, context.locale)
    own = own_template(context, note_type or "default")
    text = note_text(new, own, context.templates, eol=context.eol)
    if heading and not re.search(rf"(?m)^#+ {re.escape(heading)}\s*$", text):
        text = text.rstrip("\r\n") + f"{context.eol}{context.eol}## {heading}{context.eol}"
    return text


def own_template(context: ActionContext, note_type: str) -> str | None:
    """The vault's template for a type: `<type>.md` in its template folder, in small letters or
    with a capital, or in whatever letters where it is a note of the vault."""
    folder = context.template_folder.strip("/")
    if not folder or not note_type or not is_file_name(f"{note_type}.md"):
        return None
    found = context.index.resolve_name(f"/{folder}/{note_type}", "").path
    names = [f"{folder}/{name}.md" for name in (note_type, note_type.capitalize())]
    for path in dict.fromkeys([found, *names] if found else names):
        if (text := context.text(path)) is not None:
            return text
    return None


def type_by_path(context: ActionContext, path: str) -> str:
    """The type that notes have by their folder, "" if none."""
    found = context.types.effective(Note(path, ""))
    return found.name if found.source == "path" else ""


def free_path(context: ActionContext, folder: str, title: str) -> str | None:
    """A path for a new note of this title that nothing has, with a number where it must be."""
    for number in range(1, 100):
        name = f"{note_stem(title, number)}.md"
        path = f"{folder}/{name}" if folder else name
        if not context.is_taken(path):
            return path
    return None


def new_folder(context: ActionContext) -> str:
    """Where new notes go that no path is written for."""
    return context.drafts.strip("/") or context.document.folder


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


def _deferred(path: str, title: str, note_type: str, heading: str) -> Deferred:
    arguments = {"path": path, "title": title, "type": note_type, "heading": heading}
    return Deferred(CREATE, arguments, creates=True, edits=False)


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
        ending = parts[-1][len(strip_note_suffix(parts[-1])) :]
        parts[-1] = note_stem(strip_note_suffix(parts[-1])) + ending
    if any(not part or part.startswith(".") for part in parts) or _CONTROL.search(found):
        return None
    if any(len(part.encode("utf-8", "surrogatepass")) > MAX_BYTES for part in parts):
        return None
    path = "/".join(parts)
    return path if strip_note_suffix(path) != path else f"{path}.md"
