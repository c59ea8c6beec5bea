"""refactor.extract: a selection, or the section of a heading, becomes a note of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import dedent

from core.features.action_context import ActionContext
from core.features.actions_create import free_path, new_folder
from core.features.linkage import linked
from core.features.moved_text import (
    Part,
    left_behind,
    moved_text,
    new_target,
    retargeted,
    section_of,
    trimmed,
)
from core.features.results import CodeAction, CreateFile, Deferred, PlaceEdit, TextEdit, VaultEdit
from core.model import Heading, Note, Span
from core.parse import parse_note
from core.parse.inline import plain_text
from core.parse.places import flatten
from core.parse.scan import Body

EXTRACT = "extract"
KIND = "refactor.extract"
_LONGEST_TITLE = 60
_LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?)?(?:\[![^\]]*\][+-]?)?")
_FOOTNOTE = re.compile(r"\[\^[^\]]*\]|\s\^[A-Za-z0-9-]+\s*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")


def extractions(context: ActionContext, span: Span) -> Iterator[CodeAction]:
    """What can be made a note: whole lines that are selected, else the section of the heading
    under the cursor."""
    if context.automatic or not context.wanted(KIND):
        return
    part = _part(context, span)
    title = _title(part) if part is not None else ""
    if part is None or not title:
        return
    arguments = {"start": part.start, "end": part.end}
    kept = context.say(f"Extract to new note “{title}”", f"In neue Notiz „{title}“ auslagern")
    yield CodeAction(kept, KIND, deferred=Deferred(EXTRACT, {**arguments, "embed": 0}, True))
    shown = context.say(
        f"Extract to new note “{title}” and embed it",
        f"In neue Notiz „{title}“ auslagern und einbetten",
    )
    yield CodeAction(shown, KIND, deferred=Deferred(EXTRACT, {**arguments, "embed": 1}, True))


def extracted(context: ActionContext, arguments: Mapping[str, object]) -> VaultEdit | None:
    """The new note, the link in its place, and every link to what moved, for `EXTRACT`."""
    start, end = arguments.get("start"), arguments.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        return None
    part = trimmed(Part(context.note, context.document.text, start, end))
    title = _title(part)
    path = free_path(context, new_folder(context), title) if title else None
    if path is None or not _is_whole(part):
        return None
    text, eol = _new_text(context, part, path), context.eol
    new = parse_note(path, text)
    first = part.raw.splitlines()[0]
    item = _ITEM.match(first)
    lead = item[0] if item else first[: len(first) - len(first.lstrip(" \t"))]
    mark = "!" if arguments.get("embed") else ""
    line = f"{lead}{mark}[[{new_target(context.index, path, context.path)}]]"
    for kept in left_behind(part):
        line += f"{eol}{eol}{kept}"
    edits: list[TextEdit | PlaceEdit] = [context.edit(part.start, part.end, line)]
    edits += _links_to(context, part, new)
    return VaultEdit(tuple(edits), (CreateFile(path, text),))


def _part(context: ActionContext, span: Span) -> Part | None:
    document, note = context.document, context.note
    lines = document.lines
    if span.start == span.end:
        line = lines.line_at(span.start)
        heading = next((found for found in note.headings if found.line == line), None)
        if heading is None or (heading is note.headings[0] and heading.level == 1):
            return None  # the title of the note: its section is the note
        part = section_of(note, document.text, heading)
    else:
        last = lines.line_at(max(span.start, span.end - 1))
        start, end = lines.start(lines.line_at(span.start)), lines.end(last)
        left_out = document.text[start : span.start] + document.text[span.end : end]
        if left_out.strip() and lines.line_at(span.start) == last:
            return None  # words within a line
        part = Part(note, document.text, start, end)
    part = trimmed(part)
    return part if part.raw.strip() and _is_whole(part) else None


def _is_whole(part: Part) -> bool:
    """Whether the part begins and ends between blocks of the body, not within code."""
    if part.start < part.note.body_start or part.end <= part.start:
        return False
    regions = Body(flatten(part.text), part.note.body_start).regions.dead
    return not any(start < edge < end for start, end in regions for edge in (part.start, part.end))


def _title(part: Part) -> str:
    """The first heading, else the beginning of the first line."""
    heading = next((found for found in part.headings if found.text.strip()), None)
    if heading is not None:
        return " ".join(heading.text.split())
    for line in part.raw.splitlines():
        text = _FOOTNOTE.sub("", line[_end(_LEAD.match(line)) :])
        text = " ".join(plain_text(text).split())
        if any(char.isalnum() for char in text):
            if len(text) <= _LONGEST_TITLE:
                return text.rstrip(" .:,;")
            return text[: _LONGEST_TITLE + 1].rpartition(" ")[0].rstrip(" .:,;–-") or text[:60]
    return ""


def _end(match: re.Match[str] | None) -> int:
    return match.end() if match else 0


def _new_text(context: ActionContext, part: Part, path: str) -> str:
    headings = part.headings
    levels = 0
    if headings and not part.text[part.start : headings[0].start].strip(" \t#"):
        levels = 1 - headings[0].level
    # once to know the headings of the new note, once more for links to them
    first = parse_note(path, moved_text(context.index, part, path, levels))
    text = moved_text(context.index, part, path, levels, first)
    if part.raw[:1] in (" ", "\t"):
        text = dedent(text.replace("\r\n", "\n")).replace("\n", context.eol)
    return text.rstrip("\r\n") + context.eol


def _links_to(context: ActionContext, part: Part, new: Note) -> Iterator[PlaceEdit]:
    """Links from elsewhere to headings and blocks of the part."""
    index, own = context.index, context.note
    heading_at = {found.start: number for number, found in enumerate(part.headings)}
    sources = dict.fromkeys([own.path, *index.sources(own.path)])
    for path in sources:
        source = own if path == own.path else index.get(path)
        for link in source.links if source is not None else ():
            if source is None or (path == own.path and part.holds(link.start)):
                continue
            if link.heading is None and link.block is None:
                continue
            found = linked(index, link, source)
            if found.note is None or found.note.path != own.path or found.place is None:
                continue
            if not part.holds(found.place.start):
                continue
            place = None
            if isinstance(found.place, Heading):
                number = heading_at.get(found.place.start, len(new.headings))
                if number >= len(new.headings):
                    continue
                place = new.headings[number]
            yield from retargeted(index, source, link, found, new, place)
