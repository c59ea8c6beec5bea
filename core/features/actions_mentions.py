"""Links for names of notes that stand in the text, and for selected words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.features.action_context import ActionContext
from core.features.actions_create import free_path, new_folder, new_text, type_by_path
from core.features.linktext import ESCAPED_PIPE, PIPE, alias_text, wikilink_target
from core.features.mention_names import Mention
from core.features.prose import prose_of
from core.features.results import CodeAction, CreateFile, Deferred, TextEdit, VaultEdit
from core.features.surroundings import in_table
from core.model import Span

LINK_ALL, SELECTION = "mentions", "selection"
"""Names of the deferred changes."""
REWRITE, EXTRACT = "refactor.rewrite", "refactor.extract"
SOURCE = "source.mindnet.linkMentions"
_LONGEST = 120
"""Characters of a selection that may be a name."""


def link_mentions(context: ActionContext, span: Span) -> Iterator[CodeAction]:
    """Links for the mention under the cursor, for all of that note, and for all in the file."""
    found = None if context.mentions is None else _mention_at(context, span)
    if found is not None and context.wanted(REWRITE):
        title = _title(context, found)
        yield CodeAction(
            context.say(f"Link to “{title}”", f"Auf „{title}“ verlinken"),
            REWRITE,
            (link_edit(context, found),),
        )
        if not context.automatic:
            count = len(_all(context, found.path))
            if count > 1:
                text = context.say(
                    f"Link all {count} mentions of “{title}” in this file",
                    f"Alle {count} Erwähnungen von „{title}“ in dieser Datei verlinken",
                )
                yield CodeAction(text, REWRITE, deferred=Deferred(LINK_ALL, {"path": found.path}))
    asked = context.explicit or (found is not None and not context.automatic)
    if asked and context.wanted(SOURCE) and _all(context, ""):
        text = context.say(
            "Link all mentions of notes in this file",
            "Alle Erwähnungen von Notizen in dieser Datei verlinken",
        )
        yield CodeAction(text, SOURCE, deferred=Deferred(LINK_ALL, {"path": ""}))


def linked_mentions(context: ActionContext, arguments: Mapping[str, object]) -> VaultEdit | None:
    """The links that a deferred `LINK_ALL` makes."""
    found = _all(context, str(arguments.get("path", "")))
    return VaultEdit(tuple(link_edit(context, mention) for mention in found)) if found else None


def link_selection(context: ActionContext, span: Span) -> Iterator[CodeAction]:
    """A link over the selected words: to the note of that name, else to a new one."""
    text = context.document.text[span.start : span.end]
    name = " ".join(text.split())
    if not name or len(text) > _LONGEST or "\n" in text or "\r" in text:
        return
    if text != text.strip() or not any(char.isalnum() for char in name):
        return
    if not prose_of(context.document).holds(span.start, span.end):
        return
    path = context.index.resolve_name(name, context.path).path
    if path is not None and path != context.path:
        if context.wanted(REWRITE):
            edit = link_edit(context, Mention(span.start, span.end, path, name))
            title = context.say(f"Turn into link {edit.new_text}", f"Link {edit.new_text} setzen")
            yield CodeAction(title, REWRITE, (edit,))
    elif path is None and context.wanted(EXTRACT):
        title = context.say(
            f"Create note “{name}” and link it", f"Notiz „{name}“ anlegen, verlinken"
        )
        arguments: dict[str, str | int] = {"start": span.start, "end": span.end}
        yield CodeAction(title, EXTRACT, deferred=Deferred(SELECTION, arguments, creates=True))


def note_of_selection(context: ActionContext, arguments: Mapping[str, object]) -> VaultEdit | None:
    """The new note and the link to it that a deferred `SELECTION` makes."""
    start, end = _number(arguments, "start"), _number(arguments, "end")
    text = context.document.text[start:end]
    title = " ".join(text.split())
    path = free_path(context, new_folder(context), title) if title else None
    if path is None:
        return None
    made = new_text(context, path, title, type_by_path(context, path))
    name = path.rpartition("/")[2].removesuffix(".md")
    link = _written(context, start, name, text)
    return VaultEdit((context.edit(start, end, link),), (CreateFile(path, made),))


def link_edit(context: ActionContext, found: Mention) -> TextEdit:
    """The link that takes the place of a mention; its words stay what a reader sees."""
    target = wikilink_target(context.index, found.path, context.path)
    words = context.document.text[found.start : found.end]
    return context.edit(found.start, found.end, _written(context, found.start, target, words))


def _written(context: ActionContext, at: int, target: str, words: str) -> str:
    shown = alias_text(words)
    if not shown or shown == target:
        return f"[[{target}]]"
    lines = context.document.lines
    pipe = ESCAPED_PIPE if in_table(lines, lines.line_at(at)) else PIPE
    return f"[[{target}{pipe}{shown}]]"


def _mention_at(context: ActionContext, span: Span) -> Mention | None:
    """The mention that holds the selection; only its line is looked at."""
    lines = context.document.lines
    line = lines.line_at(span.start)
    if context.mentions is None or context.document.in_frontmatter(span.start):
        return None
    found = context.mentions.mentions(context.document, lines.start(line), lines.end(line))
    for mention in found:
        if mention.start > span.start:
            return None
        if span.end <= mention.end and _is_current(context, mention):
            return mention
    return None


def _all(context: ActionContext, path: str) -> list[Mention]:
    """The mentions of one note in the file, or of all ("").

    Of all, a name of one word counts only where it begins with the same kind of letter:
    “will” is not the person “Will”.
    """
    if context.mentions is None:
        return []
    document = context.document
    start = document.note.body_start
    found = context.mentions.mentions(document, start, len(document.text))
    return [
        mention
        for mention in found
        if (mention.path == path if path else _is_meant(document.text, mention))
        and _is_current(context, mention)
    ]


def _is_meant(text: str, found: Mention) -> bool:
    words = text[found.start : found.end]
    return " " in words or words[0].isupper() == found.name[0].isupper()


def _is_current(context: ActionContext, found: Mention) -> bool:
    """Whether the note still has that name: the names may be a moment old."""
    return context.index.get(found.path) is not None


def _title(context: ActionContext, found: Mention) -> str:
    note = context.index.get(found.path)
    return note.title if note is not None else found.name


def _number(arguments: Mapping[str, object], name: str) -> int:
    value = arguments.get(name)
    return value if isinstance(value, int) else 0
