"""Fixes for the frontmatter: values are quoted, fields added; everything else stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.features.action_context import ActionContext, fix
from core.features.diagnostics_frontmatter import id_place
from core.features.linktext import yaml_quoted, yaml_value
from core.features.results import CodeAction, Diagnostic, TextEdit
from core.ids import path_note_id
from core.model import FRONTMATTER, WIKILINK, Span
from core.text import fold

ADD_FRONTMATTER = "source.mindnet.addFrontmatter"
"""Kind of the action that adds what the frontmatter lacks."""
FIELDS = ("title", "id", "type", "status", "created")
"""What a note should say of itself, in the order in which it is written."""

_BEFORE_VALUE = re.compile(r"(?:^|[:\-\[,])\s*$")
_AFTER_VALUE = re.compile(r"\s*(?:$|[,\]]|\s#)")
_QUOTABLE = frozenset(
    ("unquoted-colon", "reserved-character", "unquoted-link", "comment-cuts-value")
)


def quote_wikilinks(context: ActionContext, span: Span) -> Iterator[CodeAction]:
    """Quotes for wikilinks in YAML values, which YAML reads as nested lists without them."""
    document = context.document
    if not document.in_frontmatter(span.start):
        return
    for link in document.note.links:
        if link.origin != FRONTMATTER or link.form != WIKILINK:
            continue
        if link.start > span.end or link.end < span.start:
            continue
        line = document.lines.line_at(link.start)
        before = document.text[document.lines.start(line) : link.start]
        after = document.text[link.end : document.lines.end(line)]
        if _BEFORE_VALUE.search(before) and _AFTER_VALUE.match(after):
            title = context.say(f"Quote {link.raw}", f"{link.raw} in Anführungszeichen setzen")
            change = context.edit(link.start, link.end, yaml_quoted(link.raw))
            yield CodeAction(title, "quickfix", (change,))


def fix_problem(context: ActionContext, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    """Quotes for a value that YAML cannot read as it stands, or reads as something else."""
    if diagnostic.data.get("reason") not in _QUOTABLE:
        return
    span = diagnostic.span
    value = context.document.text[span.start : span.end].strip()
    if value and value[0] not in "\"'":
        title = context.say("Quote the value", "Wert in Anführungszeichen setzen")
        yield fix(
            title,
            diagnostic,
            context.edit(span.start, span.end, yaml_quoted(value)),
            preferred=True,
        )


def new_id(context: ActionContext, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    """Another id for this note instead of one that others have: the one that its path gives."""
    place = id_place(context.note)
    own = path_note_id(context.path)
    if place is not None and context.note.note_id != own:
        title = context.say(f"Give this note the id {own}", f"Dieser Notiz die id {own} geben")
        yield fix(title, diagnostic, context.edit(place.start, place.end, own), preferred=True)


def missing_fields(context: ActionContext, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    """The fields that a `missing-field` finding names."""
    named = diagnostic.data.get("field") or diagnostic.data.get("fields") or ""
    wanted = [name.strip() for name in named.split(",") if name.strip() in FIELDS]
    for action in _add_fields(context, wanted or list(FIELDS), "quickfix"):
        yield CodeAction(
            action.title, action.kind, action.edits, (), diagnostic, True, None, action.disabled
        )


def rename_field(context: ActionContext, diagnostic: Diagnostic) -> Iterator[CodeAction]:
    """The key to write instead of a deprecated one, where the note does not have it as well."""
    instead = diagnostic.data["instead"]
    block = context.note.frontmatter
    if block is None or any(fold(prop.key) == instead for prop in block.properties):
        return
    title = context.say(f"Rename the field to {instead}", f"Feld in {instead} umbenennen")
    yield fix(title, diagnostic, context.edit(diagnostic.span.start, diagnostic.span.end, instead))


def add_frontmatter(context: ActionContext, span: Span) -> Iterator[CodeAction]:
    """All recommended fields that are missing; with the cursor in the frontmatter, or at the top
    of a note that has none."""
    if context.automatic or not (context.explicit or _is_top(context, span.start)):
        return
    if context.wanted(ADD_FRONTMATTER):
        yield from _add_fields(context, list(FIELDS), ADD_FRONTMATTER)


def _is_top(context: ActionContext, offset: int) -> bool:
    note, lines = context.note, context.document.lines
    if note.frontmatter is not None:
        return offset <= note.frontmatter.end
    title = note.headings[0] if note.headings and note.headings[0].level == 1 else None
    line = lines.line_at(offset)
    return line == title.line if title is not None else line == 0 and not lines.line(0).strip()


def _add_fields(context: ActionContext, names: list[str], kind: str) -> Iterator[CodeAction]:
    note, eol = context.note, context.eol
    block = note.frontmatter
    have = {fold(prop.key): prop for prop in block.properties} if block else {}
    values = _values(context)
    lines = [f"{name}: {values[name]}" for name in names if name not in have and name in values]
    empty = [have[name] for name in names if name in have and name in values]
    filled = {
        fold(prop.key): context.edit(at, at, f" {values[fold(prop.key)]}")
        for prop in empty
        if not prop.values and not prop.nested and not prop.is_list
        if (at := context.document.text.find(":", prop.end) + 1)
    }
    if not lines and not filled:
        return
    shown = ", ".join([*(line.partition(":")[0] for line in lines), *filled])
    title = context.say(f"Add to the frontmatter: {shown}", f"Frontmatter ergänzen: {shown}")
    # a block that is no YAML is left to its writer (FM-02)
    broken = next((p for p in note.problems if p.code == "invalid-frontmatter"), None)
    if (block is not None and not block.valid) or (block is None and broken is not None):
        why = context.say(
            "The frontmatter is not valid YAML; mend it first",
            "Das Frontmatter ist kein gültiges YAML; bringe es zuerst in Ordnung",
        )
        yield CodeAction(title, kind, disabled=why)
        return
    text = "".join(line + eol for line in lines)
    if block is not None:
        at = context.document.lines.start(block.end_line)
        edits = [*filled.values(), *([context.edit(at, at, text)] if text else [])]
        yield CodeAction(title, kind, tuple(edits))
        return
    title = context.say("Add frontmatter", "Frontmatter anlegen")
    gap = eol if context.document.text.strip() else ""
    added: TextEdit = context.edit(0, 0, f"---{eol}{text}---{eol}{gap}")
    yield CodeAction(title, kind, (added,))


def _values(context: ActionContext) -> dict[str, str]:
    """What the fields of the open note are, as YAML. Its id is the one that it has already, so
    that it keeps it when it is moved. A type only where the vault tells one."""
    note = context.note
    effective = context.types.effective(note)
    values = {
        "title": yaml_value(" ".join(note.title.split())),
        "id": path_note_id(context.path),
        "status": "draft",
        "created": context.now.date,
    }
    if effective.source == "path" or context.index.values("type"):
        values["type"] = yaml_value(effective.name)
    return values
